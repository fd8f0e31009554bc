#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The arm of arm.urdf without Limber: recursive Newton-Euler, the mass matrix by its columns, Runge-Kutta of order 4.
Reads the URDF by itself. Prints the angles of expected.yaml: released at rest from zero, gravity, damped joints."""
import math
import pathlib
import xml.etree.ElementTree as xml

import numpy

GRAVITY = numpy.array([0, 0, -9.81])


def numbers(element, name, default):
    return numpy.array([float(x) for x in element.get(name, default).split()]) if element is not None else numpy.array(
        [float(x) for x in default.split()])


def about(axis, angle):
    a = axis / numpy.linalg.norm(axis)
    k = numpy.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return numpy.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def rpy(r):
    x, y, z = numpy.eye(3)
    return about(z, r[2]) @ about(y, r[1]) @ about(x, r[0])


def read(path):
    """From the root on, of each joint: origin, turn, axis, damping; of its child: mass, centre, inertia."""
    robot, chain = xml.parse(path).getroot(), []
    links, link = {x.get("name"): x for x in robot.findall("link")}, "base"
    joints = {x.find("parent").get("link"): x for x in robot.findall("joint")}
    while link in joints:
        j = joints[link]
        link = j.find("child").get("link")
        i = links[link].find("inertial")
        tensor = {k: float(v) for k, v in i.find("inertia").attrib.items()}
        chain.append({"at": numbers(j.find("origin"), "xyz", "0 0 0"), "turn": rpy(numbers(j.find("origin"), "rpy", "0 0 0")),
                      "axis": numbers(j.find("axis"), "xyz", "1 0 0"), "damping": float(j.find("dynamics").get("damping")),
                      "mass": float(i.find("mass").get("value")), "centre": numbers(i.find("origin"), "xyz", "0 0 0"),
                      "inertia": numpy.diag([tensor["ixx"], tensor["iyy"], tensor["izz"]])})
    return chain


def torques(chain, q, qd, qdd, gravity):
    """Recursive Newton-Euler: the torques that give these accelerations."""
    w, wd, a, back = numpy.zeros(3), numpy.zeros(3), -gravity, []
    for j, x, v, c in zip(chain, q, qd, qdd):
        R = (j["turn"] @ about(j["axis"], x)).T  # from the axes of the link before to its own
        a = R @ (a + numpy.cross(wd, j["at"]) + numpy.cross(w, numpy.cross(w, j["at"])))
        w0 = R @ w
        wd = R @ wd + numpy.cross(w0, v * j["axis"]) + c * j["axis"]
        w = w0 + v * j["axis"]
        ac = a + numpy.cross(wd, j["centre"]) + numpy.cross(w, numpy.cross(w, j["centre"]))
        back.append((R, j["mass"] * ac, j["inertia"] @ wd + numpy.cross(w, j["inertia"] @ w)))
    f, n, out = numpy.zeros(3), numpy.zeros(3), []
    for i in reversed(range(len(chain))):
        j, (_, force, moment) = chain[i], back[i]
        if i + 1 < len(chain):
            R = back[i + 1][0].T
            n = R @ n + numpy.cross(chain[i + 1]["at"], R @ f)
            f = R @ f
        n = n + moment + numpy.cross(j["centre"], force)
        f = f + force
        out.append(n @ j["axis"])
    return numpy.array(out[::-1])


def accelerations(chain, q, qd):
    zero = numpy.zeros(len(chain))
    bias = torques(chain, q, qd, zero, GRAVITY)
    M = numpy.array([torques(chain, q, zero, e, numpy.zeros(3)) for e in numpy.eye(len(chain))]).T
    return numpy.linalg.solve(M, -bias - numpy.array([j["damping"] for j in chain]) * qd)


def main():
    chain = read(pathlib.Path(__file__).parent / "arm.urdf")
    n, step = len(chain), 1e-3
    rate = lambda y: numpy.concatenate([y[n:], accelerations(chain, y[:n], y[n:])])
    y = numpy.zeros(2 * n)
    for k in range(1, 501):
        a = rate(y)
        b = rate(y + step / 2 * a)
        c = rate(y + step / 2 * b)
        d = rate(y + step * c)
        y = y + step / 6 * (a + 2 * b + 2 * c + d)
        if k in (250, 500):
            print("t = %.2f s:" % (k * step), " ".join("%.8f" % x for x in y[:n]))


if __name__ == "__main__":
    main()
