# SPDX-License-Identifier: Apache-2.0
"""Runs that start in equilibrium stand still."""
import math

import numpy as np
import pytest

from support import edited, h5, limber, models, run, write

SIZE = {"blade_60m": 60, "crane": 25, "mooring": 90, "cantilever": 2}  # m


def moved(path):
    """The largest change of a position, a displacement or a coordinate since the start."""
    most = 0
    with h5(path) as f:
        for probe in f["history/probes"].values():
            for name in ("position", "displacement", "rotation", "coordinate"):
                if name in probe:
                    values = probe[name][:]
                    most = max(most, np.abs(values - values[0]).max())
    return most


@pytest.mark.parametrize("name", SIZE)
def test_a_model_that_starts_in_equilibrium_stands_still(name, measured):
    run(models / f"equilibrium/{name}.yaml", f"{name}.h5")
    distance = moved(f"{name}.h5") / SIZE[name]
    measured(f"{name}: moves by {distance:.1e} of its size in 10 s")
    assert distance < 1e-12


def catenary(span, height, length, weight, stiffness):
    """Horizontal and vertical force at the upper end of an elastic cable: Newton on the closed form."""
    def error(h, v):
        low = v - weight * length
        x = h * length / stiffness + h / weight * (math.asinh(v / h) - math.asinh(low / h))
        z = (v * v - low * low) / (2 * stiffness * weight) + (math.hypot(h, v) - math.hypot(h, low)) / weight
        return np.array([x - span, z - height])
    q = np.array([weight * length / 2, weight * length])
    for _ in range(50):
        e = error(*q)
        slope = np.array([(error(*(q + d)) - e) / d.sum() for d in np.diag(1e-6 * q)]).T
        q = q - np.linalg.solve(slope, e)
    return q


def test_a_mooring_line_hangs_as_the_elastic_catenary(measured):
    """The buoy's weight, 500 kg, is not part of the line."""
    h, v = catenary(80, 40, 100, 40 * 9.81, 50e6)
    for n in (40, 80):
        run(models / "equilibrium/mooring.yaml", f"line{n}.h5", "--set", f"elements.line.elements={n}", "--set", "run.end=0.1 s")
        with h5(f"line{n}.h5") as f:
            force = f["history/probes/lead/force"][1]
        tension = math.hypot(force[0], force[2] - 500 * 9.81)
        error = tension / math.hypot(h, v) - 1
        measured(f"{n} elements: {tension:.1f} N at the fairlead, exact {math.hypot(h, v):.1f} N, {error:.1e}")
        assert abs(error) < 1.3e-4 * (40 / n) ** 2  # 1.23e-4, 3.1e-5: of the second order


def test_two_ranks_start_in_the_same_equilibrium():
    for ranks in (1, 2):
        run(models / "equilibrium/crane.yaml", f"crane{ranks}.h5", "--set", "run.end=0.1 s", ranks=ranks)
    with h5("crane1.h5") as a, h5("crane2.h5") as b:
        assert np.allclose(a["history/probes/load/position"][0], b["history/probes/load/position"][0], rtol=0, atol=1e-12)


def test_a_drive_that_moves_contradicts_a_standing_equilibrium():
    edited(models / "equilibrium/crane.yaml", "name: slewing, joint: slew, motion: 0", "name: slewing, joint: slew, rate: 0.1",
           "moving.yaml")
    said = limber("run", "moving.yaml")
    assert said.code == 2
    assert "drive 'slewing' moves at 0.1 per second at t = 0" in said.err


def test_static_brings_slack_cables_to_rest_under_all_loads(measured):
    said = limber("static", models / "equilibrium/mooring.yaml", "-o", "rest.h5")
    assert said.code == 0
    assert "so all loads were applied in one step" in said.out
    run(models / "equilibrium/mooring.yaml", "moving.h5", "--set", "run.end=0.1 s")
    with h5("rest.h5") as a, h5("moving.h5") as b:
        difference = np.abs(a["history/probes/middle/position"][-1] - b["history/probes/middle/position"][0]).max()
    measured(f"against the start of a run {difference:.1e} m")
    assert difference < 1e-9


def test_static_presses_a_lever_on_its_stop(measured):
    """Moments about the hinge: spring, stop and weight."""
    limber("static", models / "equilibrium/lever_on_a_stop.yaml", "-o", "stop.h5")
    with h5("stop.h5") as f:
        angle = f["history/probes/hinge/angle"][-1].item()
    left = angle + 1e4 * (angle - 0.3) - 2 * 9.81 * 0.5 * math.cos(angle)
    measured(f"angle {angle:.9f} rad, moments leave {left:.1e} N m")
    assert 0.3 < angle < 0.302 and abs(left) < 1e-9


# ---- the first row ----

DRIVEN = """limber: 1
nodes: {b: [1, 0, 0]}
elements: [rigid_body: {node: b, mass: 2, inertia: [0.1, 0.1, 0.1]}]
joints: [revolute: {name: h, nodes: [ground, b], axis: [0, 0, 1], at: [0, 0, 0]}]
loads: [drive: {joint: h, rate: {expression: 3 + 20*t}}]
motion: {angular_velocity: [0, 0, 3]}
probes: [{name: h, joint: h}]
run: {step: 10 ms, end: 10 ms}
"""

ROTOR = """limber: 1
nodes: {hub: [0, 0, 0]}
sections: {s: {E: 40 GPa, nu: 0.3, density: 1900, rectangle: [200 mm, 40 mm]}}
elements:
  - rigid_body: {node: hub, mass: 50, inertia: [2, 2, 3]}
  - beam: {name: b, start: [0.4, 0, 0], end: [6, 0, 0], section: s, elements: 3, up: [0, 1, 0]}
  - beam: {name: c, start: [-0.4, 0, 0], end: [-6, 0, 0], section: s, elements: 3, up: [0, 1, 0]}
joints:
  - revolute: {name: h, nodes: [ground, hub], axis: [0, 0, 1]}
  - weld: {name: root, nodes: [hub, b.start]}
  - weld: {nodes: [hub, c.start]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - drive: {joint: h, rate: {expression: 20}}
motion: {angular_velocity: [0, 0, 20]}
probes: [{name: h, joint: h}, {name: root, joint: root}, {name: section, element: b, at: 0}]
run: {step: 5 ms, end: 5 ms, start: equilibrium}
"""


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c", "generalized_alpha"])
def test_forces_of_joints_at_the_start_balance_the_accelerations(scheme, measured):
    """m r omega^2 towards the axis, m r omega' across, (J + m r^2) omega' about it, of either scheme."""
    write("driven.yaml", DRIVEN)
    run("driven.yaml", "driven.h5", "--set", f"run.scheme={scheme}")
    with h5("driven.h5") as f:
        force, moment = (f[f"history/probes/h/{name}"][0] for name in ("force", "moment"))
    measured(f"{force} N, {moment} N m")
    assert np.abs(force - [-18, 40, 0]).max() < 1e-5 and np.abs(moment - [0, 0, 42]).max() < 1e-5  # about the hinge; 3.6e-6, of the second order in a hundredth of the step


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c"])
def test_forces_of_joints_in_an_equilibrium_start_are_those_of_statics(scheme, measured):
    write("rotor.yaml", ROTOR)
    run("rotor.yaml", "rotor.h5", "--set", f"run.scheme={scheme}")
    weight = 9.81 * (50 + 2 * 5.6 * 0.008 * 1900)
    with h5("rotor.h5") as f:
        rows = {name: f[f"history/probes/{name}"][:2] for name in ("h/force", "h/moment", "root/force", "section/force")}
    measured(f"{rows['h/force'][0]} N of {weight} N, {rows['h/moment'][0]} N m, root {rows['root/force'][0]} N")
    assert abs(abs(rows["h/force"][0][2]) / weight - 1) < 1e-9 and np.abs(rows["h/moment"][0]).max() < 1e-4
    pull, _, lift = np.abs(rows["root/force"][0])  # of a blade; schemes turn at a rate of their own, 8e-4 faster or 4e-4 slower
    assert abs(lift / (9.81 * 5.6 * 15.2) - 1) < 1e-9 and abs(pull / (15.2 * 5.6 * 3.2 * 20 ** 2) - 1) < 2.5e-3
    first, second = (np.linalg.norm(row) for row in rows["section/force"])  # in steady rotation it does not change
    assert abs(first / second - 1) < 1e-7  # 2.2e-8 of decaying_c, whose steady rotation is right to the order of its angle squared
