# SPDX-License-Identifier: Apache-2.0
"""Coupled runs for test_ports.py and benchmarks/ports.py: coupled.py CASE [NUMBERS ...] prints what a case measures as JSON."""
import json
import os
import sys

import numpy as np

import limber

GRAVITY = [{"gravity": {"acceleration": [0, 0, -9.81]}}]


def numbers(values):
    return [float(v) for v in values]


def advance(system, end):
    """Until that time. The largest change of the sum of energies, lines and losses less work, and the largest residual of the ledger of a
    run: both over the largest sum of kinetic, strain, potential and line energies, without signs."""
    h, first = next(iter(system.runs[0].ports.values())).step, total(system)
    most = scale = 0.0
    while system.time < end - h / 2:
        system.step()
        most = max(most, abs(total(system) - first))
        scale = max(scale, sum(x.kinetic + x.strain + abs(x.potential) + x.ports for x in (r.ledger for r in system.runs)))
    return most / scale, max(r.ledger.worst_residual for r in system.runs) / scale


def total(system):
    e = system.energy
    return e.stored + e.lines + e.lost - e.work


# ---- two masses on a rail, rigidly linked: solved in closed form ----

STIFFNESS, REST, SPEED = (10.0, 23.0), (0.3, -0.5), 0.7


def slider(i, h, scheme, port, place):
    at = {"joint": "rail"} if place == "joint" else {"node": "block"}
    return {"limber": 1, "nodes": {"block": {"at": [0, 0, 0], "velocity": [SPEED, 0, 0]}},
            "elements": [{"rigid_body": {"name": "body", "node": "block", "mass": 1, "inertia": [0.1, 0.1, 0.1]}}],
            "joints": [{"prismatic": {"name": "rail", "nodes": ["ground", "block"], "axis": [1, 0, 0],
                                      "slide": {"stiffness": STIFFNESS[i], "rest": REST[i]}}}],
            "ports": [{"wave": {"name": "link", **at, **port}}], "run": {"scheme": scheme, "step": h, "end": 10}}


def linked(t):
    """Position, velocity and acceleration at a time, and the force of the first mass on the second."""
    k = sum(STIFFNESS)
    w, middle = np.sqrt(k / 2), np.dot(STIFFNESS, REST) / k
    x = middle - middle * np.cos(w * t) + SPEED / w * np.sin(w * t)
    a = -k * (x - middle) / 2
    return x, middle * w * np.sin(w * t) + SPEED * np.cos(w * t), a, -(a + STIFFNESS[0] * (x - REST[0]))


def start_two_masses(h, scheme, port, place="joint", sign=1):
    runs = [limber.Model(slider(i, h, scheme, port, place)).start() for i in (0, 1)]
    return limber.couple([(runs[0].ports["link"], runs[1].ports["link"])])


def two_masses(scheme, place, mass, impedance, *steps, end=2.0):
    rows = []
    port = {"mass": mass} if mass else {"impedance": impedance}
    for h in steps:
        s = start_two_masses(h, scheme, port, place)
        excess, residual = advance(s, end)
        a, b = s.runs
        x, v, _, _ = linked(end)
        force = (a.ports["link"].force[0] - b.ports["link"].force[0]) / 2
        now = a.joint("rail")
        rows.append({"h": h, "x": abs(now.coordinate[0] - x), "v": abs(now.rate[0] - v), "force": abs(force - linked(end - h / 2)[3]),
                     "excess": excess, "residual": residual, "gap": abs(a.ports["link"].gap[0])})
    return rows


# ---- random pairs of chains that a ball joint connects, cut there ----

def chain(random, root, end, side):
    """Bodies from the ground at `root` to `end`, where the last one has its node."""
    kinds = ["spherical"] + [("revolute", "spherical")[random.integers(2)] for _ in range(random.integers(3))]
    nodes, elements, joints, before, last = {}, [], [], root, "ground"
    for i, kind in enumerate(kinds):
        name, at = f"{side}{i}", root + (end - root) * (i + 1) / len(kinds)
        if i + 1 < len(kinds):
            at = at + 0.2 * random.normal(size=3)
        inertia = random.uniform(0.02, 0.2, 3)
        nodes[name] = numbers(at)
        elements.append({"rigid_body": {"node": name, "name": "body_" + name, "mass": float(random.uniform(0.5, 3)),
                                        "centre": numbers((before - at) * random.uniform(0.2, 0.8)),
                                        "inertia": numbers(inertia.sum() - inertia)}})
        joint = {"name": "joint_" + name, "nodes": [last, name], "at": numbers(before)}
        if kind == "revolute":
            joint.update(axis=numbers(random.normal(size=3)), angle={"stiffness": float(random.uniform(0, 40))})
        joints.append({kind: joint})
        before, last = at, name
    return nodes, elements, joints, last


def chains(seed):
    random = np.random.default_rng(seed)
    end = 0.3 * random.normal(size=3)
    return [chain(random, end + np.array([reach, 0, 0]) + 0.4 * random.normal(size=3), end, side)
            for side, reach in (("a", 1.5), ("b", -1.5))]


def cut(seed, h, scheme, mass):
    return [limber.Model({"limber": 1, "nodes": nodes, "elements": elements, "joints": joints, "loads": GRAVITY,
                          "ports": [{"wave": {"name": "cut", "node": tip, "mass": mass}}],
                          "run": {"scheme": scheme, "step": h, "end": 10}}).start()
            for nodes, elements, joints, tip in chains(seed)]


def proposed_mass(seed, part=0.9):
    """A part of the largest mass that both sides can lend."""
    return part * min(r.ports["cut"].largest_mass for r in cut(seed, 0.01, "preserving", 1e-6))


def couple_pair(seed, h, scheme, mass):
    a, b = cut(seed, h, scheme, mass)
    return limber.couple([(a.ports["cut"], b.ports["cut"])])


def start_uncut(seed, h):
    (nodes, elements, joints, tip), (others, more, further, other) = chains(seed)
    ball = {"spherical": {"name": "cut", "nodes": [tip, other], "at": nodes[tip]}}
    return tip, limber.Model({"limber": 1, "nodes": {**nodes, **others}, "elements": elements + more, "joints": joints + further + [ball],
                              "loads": GRAVITY, "run": {"scheme": "preserving", "step": h, "end": 10}}).start()


def pairs(first, count, h=0.01, end=0.5):
    rows = []
    for seed in range(int(first), int(first + count)):
        mass = proposed_mass(seed)
        for scheme in ("preserving", "decaying"):
            s = couple_pair(seed, h, scheme, mass)
            excess, residual = advance(s, end)
            rows.append({"seed": seed, "scheme": scheme, "mass": mass, "excess": excess, "residual": residual,
                         "lost": s.energy.lost})
    return rows


def uncut(seed, scheme, *steps, end=0.3):
    """Errors against the uncut mechanism with steps an eighth of the shortest."""
    rows, mass = [], proposed_mass(seed)
    for h in steps:
        fine = min(steps) / 8
        tip, whole = start_uncut(seed, fine)
        forces = []
        while whole.time < end - fine / 2:
            whole.step()
            if whole.time > end - h + fine / 2:
                forces.append(whole.joint("cut").force)
        exact, s = whole.node(tip), couple_pair(seed, h, scheme, mass)
        excess, _ = advance(s, end)
        a, b = s.runs
        force = (a.ports["cut"].force - b.ports["cut"].force) / 2
        now, mean = a.node(tip), np.mean(forces, axis=0)
        rows.append({"h": h, "x": np.linalg.norm(now.position - exact.position), "v": np.linalg.norm(now.velocity - exact.velocity),
                     "force": np.linalg.norm(force - mean) / np.linalg.norm(mean), "excess": excess})
    return rows


# ---- two beams in a row, the first clamped, with a ball joint between them ----

def beam(scheme, h, first, last, port, momentum):
    model = {"limber": 1, "nodes": {"p": [first, 0, 0], "q": [last, 0, 0]},
             "sections": {"strip": {"rectangle": [0.02, 0.02], "E": 2e9, "nu": 0.3, "density": 1000}},
             "elements": [{"beam": {"name": "beam", "from": "p", "to": "q", "elements": 6, "section": "strip"}}], "loads": GRAVITY,
             "ports": [{"wave": {"name": "cut", "node": port, "mass": 0.01}}],
             "run": {"scheme": scheme, "step": h, "end": 10, "momentum": momentum}}
    if first == 0:
        model["joints"] = [{"clamp": {"node": "p"}}]
    return limber.Model(model).start()


def beams(scheme, momentum, h=0.002, end=0.3):
    a, b = beam(scheme, h, 0, 1, "q", momentum), beam(scheme, h, 1, 2, "p", momentum)
    s = limber.couple([(a.ports["cut"], b.ports["cut"])])
    excess, residual = advance(s, end)
    drift = max(r.ledger.worst_angular_momentum_error / r.ledger.angular_momentum_scale for r in s.runs) if momentum == "exact" else 0
    return {"excess": excess, "residual": residual, "lost": s.energy.lost, "drift": drift, "largest": a.ports["cut"].largest_mass}


# ---- a pendulum on a shaft, and a flywheel ----

def shaft(h, scheme, mass, sign=1):
    start = {"initial_rate": 2}
    pendulum = {"limber": 1, "nodes": {"bob": [0, 0, -1]}, "elements": [{"rigid_body": {"node": "bob", "mass": 2, "inertia": [0.1, 0.1, 0.1]}}],
                "joints": [{"revolute": {"name": "shaft", "nodes": ["ground", "bob"], "axis": [0, 1, 0], "at": [0, 0, 0], "angle": start}}],
                "loads": GRAVITY, "run": {"scheme": scheme, "step": h, "end": 10}}
    wheel = {"limber": 1, "nodes": {"disc": [0, 0, 0]}, "elements": [{"rigid_body": {"node": "disc", "mass": 3, "inertia": [0.5, 1.5, 0.5]}}],
             "joints": [{"revolute": {"name": "shaft", "nodes": ["ground", "disc"], "axis": [0, sign, 0], "angle": {"stiffness": 8, **start}}}],
             "run": {"scheme": scheme, "step": h, "end": 10}}
    wheel["joints"][0]["revolute"]["angle"]["initial_rate"] *= sign
    whole = {**pendulum, "joints": [{"revolute": {**pendulum["joints"][0]["revolute"], "angle": {"stiffness": 8, "inertia": 1.5, **start}}}]}
    for side in pendulum, wheel:
        side["ports"] = [{"wave": {"name": "shaft", "joint": "shaft", "mass": mass}}]
    return pendulum, wheel, whole


def turning(scheme, sign, *steps, end=1.0):
    rows = []
    for h in steps:
        one, two, whole = shaft(h, scheme, 2.0, sign)
        fine = limber.Model({**whole, "run": {"scheme": "preserving", "step": min(steps) / 8, "end": 10}}).start().advance(end)
        a, b = (limber.Model(m).start() for m in (one, two))
        s = limber.couple([(a.ports["shaft"], b.ports["shaft"], sign)])
        excess, residual = advance(s, end)
        rows.append({"h": h, "z": abs(a.joint("shaft").coordinate[0] - fine.joint("shaft").coordinate[0]),
                     "rate": abs(a.joint("shaft").rate[0] - fine.joint("shaft").rate[0]), "excess": excess, "residual": residual,
                     "largest": a.ports["shaft"].largest_mass})
    return rows


# ---- steps in parts, saved states, ranks ----

def parts():
    """A load begins in the middle of a step of one run, which is taken in two parts."""
    models = [slider(i, 0.05, "preserving", {"mass": 1.5}, "joint") for i in (0, 1)]
    models[0].update(loads=[{"joint_force": {"name": "push", "joint": "rail", "value": 40}}],
                     events=[{"time": {"name": "begin", "at": 0.51, "do": {"begin": "push"}}}])
    a, b = (limber.Model(m).start() for m in models)
    s = limber.couple([(a.ports["link"], b.ports["link"])])
    excess, residual = advance(s, 2.0)
    return {"excess": excess, "residual": residual, "loss": a.ledger.port_loss + b.ledger.port_loss, "work": a.ledger.work,
            "events": len(a.events)}


def write_pair(seed):
    """Results of both sides, a.h5 and b.h5."""
    mass = proposed_mass(int(seed))
    runs = []
    for name, (nodes, elements, joints, tip) in zip("ab", chains(int(seed))):
        runs.append(limber.Model({"limber": 1, "nodes": nodes, "elements": elements, "joints": joints, "loads": GRAVITY,
                                  "ports": [{"wave": {"name": "cut", "node": tip, "mass": mass}}],
                                  "run": {"step": 0.01, "end": 0.5}}).start(output=name + ".h5"))
    system = limber.couple([(runs[0].ports["cut"], runs[1].ports["cut"])])
    system.advance(0.5)
    return bits(system)


def unconnected():
    a, _ = cut(0, 0.01, "decaying", 0.1)
    try:
        a.step()
    except limber.Error as error:
        return str(error)


def bits(system):
    return [r.ledger.kinetic.hex() for r in system.runs] + [
        v.hex() for r in system.runs for p in r.ports.values() for v in numbers([*p.incoming, *p.outgoing, *p.force])]


def steps_of_pair(seed, count, skip=0):
    """The bits after so many steps; `skip`: after the first ones the states are saved, ten steps taken and the states restored."""
    s = couple_pair(int(seed), 0.01, "decaying", proposed_mass(int(seed)))
    for i in range(int(count)):
        if skip and i == skip:
            states = [r.save() for r in s.runs]
            for _ in range(10):
                s.step()
            for r, state in zip(s.runs, states):
                r.restore(state)
        s.step()
    return bits(s)


def killed(seed, count, first):
    """The same in runs whose states came from another process, which ended after the first steps: its file `states`."""
    s = couple_pair(int(seed), 0.01, "decaying", proposed_mass(int(seed)))
    import pickle
    if first:
        for _ in range(int(first)):
            s.step()
        with open("states", "wb") as f:
            pickle.dump([(r.save()._state, r.save()._record) for r in s.runs], f)
        return []
    with open("states", "rb") as f:
        kept = pickle.load(f)
    for r, (state, record) in zip(s.runs, kept):
        saved = r.save()
        saved._state, saved._record = state, record
        r.restore(saved)
    while s.time < count * 0.01 - 0.005:
        s.step()
    return bits(s)


if __name__ == "__main__":
    words = [float(w) if w.replace(".", "", 1).replace("e-", "", 1).lstrip("-").isdigit() else w for w in sys.argv[2:]]
    for name in ("uncut", "steps_of_pair", "killed"):
        if sys.argv[1] == name:
            words[0] = int(words[0])
    found = json.dumps(globals()[sys.argv[1]](*words))
    if os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")) == "0":  # lines of two processes may run into each other
        print(found)
