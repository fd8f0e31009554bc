# SPDX-License-Identifier: Apache-2.0
"""Beams that cross, a beam that meets itself, ropes over drums and pulleys, edges of boxes."""
import math
import subprocess
import sys

import numpy as np
import pytest
from support import h5, limber, run, settings, source, write

crossing = source / "examples/contacts/crossing.yaml"
capstan = source / "examples/rope_pulley/capstan.yaml"
pulley = source / "examples/rope_pulley/pulley.yaml"


def ledger(path):
    with h5(path) as f:
        return {name: f["history/ledger"][name][:] for name in f["history/ledger"]}


def probe(path, name, quantity="position"):
    with h5(path) as f:
        return f[f"history/probes/{name}/{quantity}"][:]


def bending_stiffness():
    """Of the middle of a clamped rod of 1 m: 192 E I/L^3 and shear."""
    young, nu, d = 70e9, 0.3, 0.02
    shear = 6 * (1 + nu) / (7 + 6 * nu) * young / (2 * (1 + nu)) * math.pi * d**2 / 4
    return 1 / (1 / (192 * young * math.pi * d**4 / 64) + 1 / (4 * shear))


def crossed(angle, force=200, k=1e11, d=0.02):
    """Depth and deflection of the lower of two equal rods, one of which is pressed by a force: F = pi k depth^2 (d - depth)/sin(angle)."""
    stiffness, low, high = bending_stiffness(), 0, 1e-3
    for _ in range(100):
        depth = 0.5 * (low + high)
        contact = math.pi * k * depth**2 * (d - depth) / math.sin(angle)
        low, high = (depth, high) if force > 2 * contact + stiffness * depth else (low, depth)
    return depth, contact / stiffness


def at_rest(**changes):
    run(crossing, "cross.h5", *settings(*(f"{k}={v}" for k, v in changes.items())))
    upper, lower = (probe("cross.h5", name)[-1, 2] for name in ("upper", "lower"))
    return 0.02 + lower - upper, -lower


@pytest.mark.parametrize("angle", [math.pi / 2, math.pi / 3, math.pi / 6])
def test_two_crossed_beams_bear_a_force_as_springs_in_a_row(angle, measured):
    depth, lower = at_rest(**{"let.angle": angle})
    exact_depth, exact_lower = crossed(angle)
    measured(f"depth {depth / exact_depth - 1:+.1e}, deflection {lower / exact_lower - 1:+.1e}")
    assert abs(lower / exact_lower - 1) <= 6e-3  # measured 3e-3 at most: tension of the clamped rods
    assert abs(depth / exact_depth - 1) <= 0.04  # measured 1.4e-2 at most


def test_the_force_of_crossed_beams_converges_with_the_points(measured):
    limit = at_rest(**{f"surfaces.{i}.points": 40 for i in ("low", "left", "right")})[0]
    error = [abs(at_rest(**{f"surfaces.{i}.points": n for i in ("low", "left", "right")})[0] / limit - 1) for n in (2, 6, 20)]
    measured(" ".join(f"{e:.1e}" for e in error))
    assert error[1] < error[0] / 5 and error[2] < error[1] and error[2] < 0.01


def falling(scheme="preserving", law="stiffness: 1e9", end=0.05):
    """A rod in space is pushed across another."""
    return f"""
limber: 1
title: rods that meet in space
nodes:
  A: {{at: [-0.3, 0, 0]}}
  B: {{at: [0.3, 0, 0]}}
  C: {{at: [0.05, -0.25, 0.025]}}
  D: {{at: [0.15, 0.28, 0.025]}}
materials: {{m: {{E: 2e9, nu: 0.3, density: 1200}}}}
sections: {{rod: {{material: m, circle: {{diameter: 20 mm}}}}}}
elements:
  - beam: {{name: low, from: A, to: B, elements: 6, section: rod}}
  - beam: {{name: high, from: C, to: D, elements: 6, section: rod}}
surfaces:
  - beam: {{name: low, element: low, radius: 10 mm, points: 8}}
  - beam: {{name: high, element: high, radius: 10 mm, points: 8}}
contacts: [contact: {{name: c, {law}}}]
loads:
  - force: {{node: D, direction: [0, 0, -60], amplitude: kick}}
  - force: {{node: C, direction: [0, 0, -50], amplitude: kick}}
functions:
  kick: {{triangle: {{peak: 1, start: 0, at: 4 ms, end: 8 ms}}}}
run: {{scheme: {scheme}, step: 0.1 ms, end: {end}}}
"""


def test_rods_that_meet_keep_momentum_and_energy(measured):
    write("fall.yaml", falling())
    run("fall.yaml", "fall.h5")
    d = ledger("fall.h5")
    after = slice(90, None)  # the push has ended
    assert d["touching"].max() >= 4 and d["contact"].max() > 1e-3 and d["touching"][-1] == 0
    linear, angular = (np.abs(d[n] - d[n][90])[after].max() / np.abs(d[n][90]).max() for n in ("momentum", "angular_momentum"))
    energy = (d["kinetic"] + d["strain"])[after]
    measured(f"momentum {linear:.1e}, angular {angular:.1e}, energy {np.ptp(energy) / energy[0]:.1e}")
    assert linear <= 1e-12 and angular <= 1e-11 and np.ptp(energy) <= 1e-11 * energy[0]
    assert np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]


def test_friction_of_rods_keeps_angular_momentum_to_the_order_of_the_depth(measured):
    """Friction acts at the surfaces of both and twists them; on their lines it would be 20 mm from itself."""
    write("rub.yaml", falling(law="stiffness: 1e9, friction: 0.5, stick_stiffness: 1e9, stick_damping: 0.1 ms"))
    run("rub.yaml", "rub.h5")
    d = ledger("rub.h5")
    assert d["contact_friction"][-1] > 1e-4
    drift = np.abs(d["angular_momentum"] - d["angular_momentum"][90])[90:].max() / np.abs(d["angular_momentum"][90]).max()
    measured(f"{drift:.1e}")
    assert drift <= 1e-3
    assert np.abs(d["momentum"] - d["momentum"][90])[90:].max() <= 1e-12 * np.abs(d["momentum"][90]).max()


def test_rods_that_meet_are_the_same_on_two_ranks_and_after_a_pause():
    write("rub.yaml", falling(law="stiffness: 1e9, friction: 0.5, stick_stiffness: 1e9, stick_damping: 0.1 ms"))
    run("rub.yaml", "one.h5")
    run("rub.yaml", "two.h5", ranks=2)
    run("rub.yaml", "part.h5", *settings("run.end=0.01"))
    said = limber("resume", "part.h5", "--end", "0.05", "-q")
    assert said.code == 0, said.err
    one, two, part = ledger("one.h5"), ledger("two.h5"), ledger("part.h5")
    for name in ("kinetic", "strain", "contact_friction"):
        assert np.abs(one[name] - two[name]).max() <= 1e-9 * one["exchanged"][-1], name
    assert all(np.array_equal(one[name], part[name]) for name in one)


def test_a_rod_rolls_down_a_slope(measured):
    """Friction twists a beam: a solid cylinder rolls with 2/3 g sin(slope); without twist it would slide at the force of friction."""
    write("roll.yaml", """
limber: 1
title: rod that rolls down a slope
let: {slope: 0.3, R: 0.05}
nodes:
  A: [0, -0.5, R]
  B: [0, 0.5, R]
materials: {m: {E: 2e9, nu: 0.3, density: 1000}}
sections: {rod: {material: m, circle: {diameter: 2*R}}}
elements:
  - beam: {name: rod, from: A, to: B, elements: 3, section: rod}
surfaces:
  - beam: {name: rod, element: rod, radius: R}
  - plane: {name: slope, normal: [0, 0, 1]}
contacts: [contact: {name: c, stiffness: 1e7, restitution: 0.5, friction: 0.5, stick_stiffness: 1e6, stick_damping: 2 ms}]
loads: [gravity: {acceleration: [9.81*sin(slope), 0, -9.81*cos(slope)]}]
probes: [{name: end, node: A}]
run: {step: 1 ms, end: 0.5, scheme: decaying}
""")
    run("roll.yaml", "roll.h5")
    way, exact = probe("roll.h5", "end")[-1, 0], 0.5 * 2 / 3 * 9.81 * math.sin(0.3) * 0.5**2
    measured(f"{way / exact - 1:+.1e}")
    assert abs(way / exact - 1) <= 3e-4  # measured -6e-5


# ---- a beam and itself ----

# ---- points along rigid rods ----

rolling = """
limber: 1
title: a rigid rod rolls down a slope
let: {a: 15 deg, R: 30 mm}
nodes: {rod: {at: [R*sin(a), 0, R*cos(a)]}}
elements: [rigid_body: {name: rod, node: rod, mass: 2 kg, inertia: [2e-3, 9e-4, 2e-3]}]
surfaces:
  - cylinder: {name: rod, node: rod, axis: [0, 1, 0], radius: R, length: 0.2, points: 2}
  - SLOPE
contacts: [contact: {name: c, surfaces: rod, with: slope, stiffness: 1e6, restitution: 0.3, friction: 0.5, stick_stiffness: 1e6, stick_damping: 1 ms}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
probes: [{name: rod, node: rod}, {name: c, contact: c}]
run: {step: 0.5 ms, end: 0.5}
"""
slopes = {
    "plane": "plane: {name: slope, normal: [sin(a), 0, cos(a)]}",
    "box": "box: {name: slope, node: block, size: [2, 1, 0.2]}",
}


def roll(slope, name, **options):
    text = rolling.replace("SLOPE", slopes[slope])
    if slope == "box":
        text = text.replace("nodes: {", "nodes: {block: {at: [-0.1*sin(a), 0, -0.1*cos(a)], rotate: {about: [0, 1, 0], by: a}, kind: fixed}, ")
    write(name + ".yaml", text)
    run(name + ".yaml", name + ".h5", **options)


@pytest.mark.parametrize("slope", ["plane", "box"])
def test_a_rigid_rod_with_points_rolls_down_a_slope(slope, measured):
    roll(slope, "roll")
    a, m, g = math.radians(15), 2, 9.81
    rate = g * math.sin(a) / (1 + 9e-4 / (m * 0.03**2))
    x = probe("roll.h5", "rod")
    way = (x[-1] - x[0]) @ [math.cos(a), 0, -math.sin(a)]
    normal, friction = probe("roll.h5", "c", "contact")[-1, :2]
    measured(f"{way - rate / 8:+.1e} m")
    assert abs(way - rate / 8) <= 1e-4 and abs(probe("roll.h5", "rod", "angular_velocity")[-1, 1] - rate / 0.06) <= 0.01  # 2.5e-5 m, 0.0022 rad/s
    assert abs(normal - m * g * math.cos(a)) <= 1e-3 and abs(friction - m * (g * math.sin(a) - rate)) <= 3e-3  # 3e-6, 6e-4 N
    assert np.abs(ledger("roll.h5")["residual"]).max() <= 1e-12
    roll(slope, "two", ranks=2)
    assert np.abs(probe("two.h5", "rod") - x).max() <= 1e-12


def test_rigid_rods_meet_by_their_points():
    """A rod lies across two others. Each of the four pairs of a point and a rod, and of its own points, bears its part of the weight."""
    write("pile.yaml", """
limber: 1
nodes: {rod: [0, 0, 0.1]}
elements: [rigid_body: {name: rod, node: rod, mass: 2 kg, inertia: [0.01, 0.01, 0.01]}]
surfaces:
  - cylinder: {name: rod, node: rod, axis: [1, 0, 0], radius: 50 mm, length: 0.4, points: 3}
  - cylinder: {name: left, at: [-0.2, 0, 0], axis: [0, 1, 0], radius: 50 mm, length: 0.4, points: 5}
  - cylinder: {name: right, at: [0.2, 0, 0], axis: [0, 1, 0], radius: 50 mm, length: 0.4, points: 5}
contacts: [contact: {name: c, stiffness: 1e5, restitution: 0.3}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
probes: [{name: rod, node: rod}, {name: c, contact: c}]
run: {step: 1 ms, end: 2}
""")
    run("pile.yaml", "pile.h5")
    normal, _, touching, gap = probe("pile.h5", "c", "contact")[-1, :4]
    assert touching == 4 and abs(normal - 19.62) <= 1e-5  # measured 2e-9
    assert abs(gap + 19.62 / 4e5) <= 1e-9


def coil(itself):
    """A helix of two turns, 25 mm apart, that a force presses together; its rod is 20 mm thick."""
    return f"""
limber: 1
title: coil
nodes:
  A: {{at: [0.1, 0, 0], kind: fixed}}
functions: {{up: {{smooth_step: {{to: 1, end: 0.3}}}}}}
materials: {{m: {{E: 1e9, nu: 0.3, density: 1200}}}}
sections: {{rod: {{material: m, circle: {{diameter: 20 mm}}}}}}
elements:
  - beam: {{name: coil, from: A, helix: {{axis: [0, 0, 1], turns: 2, pitch: 25 mm}}, elements: 24, section: rod, damping: 2 ms}}
surfaces:
  - beam: {{name: skin, element: coil, radius: 10 mm, points: 4, self_contact: {itself}}}
  - plane: {{name: below, at: [0, 0, -1], normal: [0, 0, 1]}}
contacts: [contact: {{name: c, stiffness: 1e9}}]
joints:
  - prismatic: {{name: end, nodes: [ground, coil.72], axis: [0, 0, 1]}}
loads:
  - force: {{node: coil.72, direction: [0, 0, -25], amplitude: up}}
probes: [{{name: end, node: coil.72}}]
run: {{step: 1 ms, end: 0.5, scheme: decaying}}
"""


def test_a_coil_that_is_pressed_together_rests_on_its_own_turns(measured):
    for itself, name in (("0.05", "meets"), ("0", "passes")):
        write("coil.yaml", coil(itself))
        run("coil.yaml", name + ".h5")
    write("coil.yaml", coil("0.05"))
    run("coil.yaml", "two.h5", ranks=2)
    end = {name: probe(name + ".h5", "end")[-1, 2] for name in ("meets", "passes", "two")}
    assert abs(end["two"] - end["meets"]) <= 1e-9
    measured(f"{end['meets'] * 1e3:.1f} mm, without: {end['passes'] * 1e3:.1f} mm")
    assert ledger("meets.h5")["touching"][-1] >= 8 and ledger("passes.h5")["touching"].max() == 0
    assert end["passes"] < 0.03 < 0.036 < end["meets"] < 0.041  # two turns of 20 mm, less their depths
    assert np.abs(ledger("meets.h5")["residual"]).max() <= 1e-11 * ledger("meets.h5")["exchanged"][-1]


def test_points_that_overlap_along_a_straight_beam_are_refused():
    write("coil.yaml", coil("0.02"))
    said = limber("check", "coil.yaml")
    assert said.code == 2 and "`self_contact` must be more than the diameter" in said.err, said.err


# ---- ropes ----

def exponent(n):
    run(capstan, "drum.h5", *settings(f"let.n={n}", "run.end=0.4"))
    d = ledger("drum.h5")
    assert np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]
    held, hung = (probe("drum.h5", name, "force").reshape(len(d["kinetic"]), -1)[-50:, 0].mean()
                  for name in ("held", "hung"))
    return math.log(held / hung)


def test_a_rope_that_slips_has_the_ratio_of_euler_and_eytelwein(measured):
    error = [exponent(n) / (0.3 * math.pi) - 1 for n in (8, 16, 32)]
    measured(" ".join(f"{e:+.1e}" for e in error))  # measured -1.3e-2 -2.8e-3 -3.4e-4
    assert abs(error[1]) < abs(error[0]) / 3 and abs(error[2]) < abs(error[1]) / 3 and abs(error[2]) < 1e-3


def test_a_rope_over_a_pulley_does_not_slip(measured):
    """The beginning of ten turns, on one rank and on two; examples/rope_pulley has all."""
    for ranks in (1, 2):
        run(pulley, f"pulley{ranks}.h5", *settings("let.long=1.5", "run.end=0.6"), ranks=ranks)
    angle, way = np.abs(probe("pulley1.h5", "axle", "angle")).ravel(), -(probe("pulley1.h5", "heavy")[:, 2] + 0.5)
    measured(f"{angle[-1] / 2 / math.pi:.2f} turns, radius {way[-1] / angle[-1]:.5f}")
    assert angle[-1] > 1.5 and abs(way[-1] / angle[-1] / 0.105 - 1) <= 4e-3  # measured 1.4e-3: chords and stretch
    one, two = ledger("pulley1.h5"), ledger("pulley2.h5")
    assert np.abs(one["residual"]).max() <= 1e-12 * one["exchanged"][-1]
    assert np.abs(one["kinetic"] - two["kinetic"]).max() <= 1e-8 * one["kinetic"][-1]


# ---- edges of boxes ----

def edges(points):
    """A box of 0.2 m with an edge below, which slides down onto an edge of another across it."""
    return f"""
limber: 1
title: edge on edge
let: {{c: sqrt(0.5)}}
nodes:
  low: {{at: [0, 0, 0], axes: [[1, 0, 0], [0, c, c], [0, -c, c]], kind: fixed}}
  high: {{at: [0, 0, 0.27], axes: [[c, 0, -c], [0, 1, 0], [c, 0, c]]}}
elements:
  - rigid_body: {{name: high, node: high, mass: 8, inertia: [0.05, 0.05, 0.05]}}
joints:
  - prismatic: {{name: guide, nodes: [ground, high], axis: [0, 0, 1]}}
surfaces:
  - box: {{name: low, node: low, size: [0.2, 0.2, 0.2], rounding: 0.02, points: {points}}}
  - box: {{name: high, node: high, size: [0.2, 0.2, 0.2], rounding: 0.02, points: {points}}}
contacts: [contact: {{name: c, stiffness: 1e5, restitution: 0.2}}]
loads: [gravity: {{acceleration: [0, 0, -9.81]}}]
probes: [{{name: high, node: high}}]
run: {{step: 1 ms, end: 1, scheme: decaying}}
"""


def height(points):
    write("edges.yaml", edges(points))
    run("edges.yaml", "edges.h5")
    d = ledger("edges.h5")
    assert np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]
    return probe("edges.h5", "high")[-1, 2]


def test_an_edge_rests_on_an_edge(measured):
    """Edges of the boxes within are 0.08 sqrt(2) from the middles, and 0.04 from each other. An odd number has points where they cross,
    one of each box; an even one has them at half their distance a, deeper by a^2/(8 * 0.04), four points of it."""
    touch, sink = 2 * 0.08 * math.sqrt(2) + 0.04, 8 * 9.81 / 1e5
    odd, even = height(9), height(8)
    a = 0.16 / 9
    measured(f"{touch - odd:.2e} of {sink / 2:.2e}, {touch - even:.2e} of {sink / 4 + a * a / 0.32:.2e}")
    assert abs(touch - odd - sink / 2) <= 1e-5
    assert abs(touch - even - sink / 4 - a * a / 0.32) <= 1e-4
    assert height(0) < 0.21  # corners alone: the edge sinks in until they meet faces


def test_edges_without_points_are_corners():
    for points in ("", ", points: 0"):
        write("box.yaml", edges(0).replace(", points: 0", points))
        run("box.yaml", f"box{len(points)}.h5", *settings("run.end=0.1"))
    a, b = ledger("box0.h5"), ledger("box11.h5")
    assert all(np.array_equal(a[name], b[name]) for name in a)


def test_random_scenes_with_edges_gain_no_energy(measured):
    done = subprocess.run([sys.executable, source / "tests/random/contacts_edges.py", "--count", "12"], capture_output=True, text=True)
    measured(done.stdout.strip())  # of 60 scenes: 1.8e-13, 3 end early
    assert done.returncode == 0 and "0 bad" in done.stdout, done.stdout
