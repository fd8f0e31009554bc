# SPDX-License-Identifier: Apache-2.0
"""Runs with events, contact and control that are killed: the file has what happened so far, and a run taken up again has the same
bytes as the whole one."""
import pathlib
import signal

import numpy as np
import pytest

from support import Going, h5, limber, run, same_bytes, settings, until, write

# A ball that bounces, with marks at every top, and a slider whose controller and clutch follow what probes say.
MODEL = """
limber: 1
nodes: {ball: [0, 0, 1], m: [3, 0, 0], disc: {at: [6, 0, 0], angular_velocity: [0, 0, 3]}}
elements:
  - rigid_body: {node: ball, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: m, mass: 1, inertia: [1, 1, 1]}
  - rigid_body: {node: disc, mass: 1, inertia: [1, 1, 1]}
surfaces:
  - sphere: {name: skin, node: ball, radius: 0.1}
  - plane: {name: floor, normal: [0, 0, 1]}
contacts:
  - contact: {name: bounce, surfaces: skin, with: floor, stiffness: 1e5, restitution: 0.999}
joints:
  - prismatic: {name: rail, nodes: [ground, m], axis: [1, 0, 0]}
control:
  error: 0.1*sin(3*t) - rail.slide
  motor: {pid: {input: error, kp: 80, ki: 40, kd: 5, period: 4 ms}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - joint_force: {joint: rail, amplitude: motor}
  - force: {name: drag, node: disc, direction: [1, 0, 0], amplitude: 0}
events:
  - velocity: {name: top, node: ball, along: [0, 0, 1], value: 0, direction: falling, repeat: true, do: {end: drag}}
  - probe: {name: out, probe: "rail.slide + 0*motor", value: 9 cm, direction: rising, repeat: true, do: {begin: drag}}
  - probe: {name: turn, probe: disc.rotation.z, value: 10, do: {begin: drag}}
probes: [{name: ball, node: ball}, {joint: rail}, {name: disc, node: disc}]
run: {step: 2 ms, end: 9 s, snapshots: 0}
"""


def rows(path):
    with h5(path) as f:
        return f["events/name"][:], f["events/time"][:], f["events/loss"][:]


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_killed_run_keeps_its_events_and_goes_on_to_the_same_bytes(ranks):
    model, length = write("killed.yaml", MODEL), settings("run.end=5 s" if ranks > 1 else "run.end=40 s")
    run(model, "whole.h5", *length, ranks=ranks)
    whole = rows("whole.h5")
    assert {n.decode() for n in whole[0]} == {"top", "out", "turn"} and len(whole[0]) >= 8
    for name in ("part.checkpoint", "part.h5"):  # of another test
        pathlib.Path(name).unlink(missing_ok=True)
    with Going("run", model, "-q", "-o", "part.h5", "--checkpoint", "0.1s", *length, "--", "-limber_flush", "0.05",
               ranks=ranks) as going:
        until(lambda: pathlib.Path("part.checkpoint").exists() and len(rows("part.h5")[0]) >= 3, tries=2000, wait=0.02)
        assert going.stop(signal.SIGKILL).code in (137, 9)
    part = rows("part.h5")
    assert 3 <= len(part[0]) < len(whole[0])
    for a, b in zip(part, whole):
        assert np.array_equal(a, b[:len(a)])
    assert limber("report", "part.h5", "-o", "part.html").code == 0
    assert "Events" in pathlib.Path("part.html").read_text()
    said = limber("resume", "part.h5", "-q", ranks=ranks)
    assert said.code == 0, said.err
    assert same_bytes("whole.h5", "part.h5")


def test_a_file_of_a_run_under_way_has_its_events():
    model = write("killed.yaml", MODEL)
    with Going("run", model, "-q", "-o", "going.h5", *settings("run.end=600 s"), "--", "-limber_flush", "0.02") as going:
        assert until(lambda: len(rows("going.h5")[0]) > 0, tries=2000, wait=0.02)
        first = len(rows("going.h5")[0])
        assert until(lambda: len(rows("going.h5")[0]) > first, tries=2000, wait=0.02)
        assert going.stop(signal.SIGINT).code != 0
