# SPDX-License-Identifier: Apache-2.0
"""Gears, racks, belts and differentials against closed forms; ranks, checkpoints, redundant couplings."""
import math

import numpy as np
import pytest

from support import h5, history_of, limber, run, same_results, settings, write

SHAFTS = """
limber: 1
nodes:
  a: {at: [0, 0, 0]}
  b: {at: [1, 0, 0]}
  c: {at: [2, 0, 0]}
elements:
  - rigid_body: {node: a, mass: 1, inertia: [1, 1, 0.1]}
  - rigid_body: {node: b, mass: 2, inertia: [1, 1, 0.4]}
  - rigid_body: {node: c, mass: 1, inertia: [1, 1, 0.3]}
"""
HINGES = SHAFTS + """
joints:
  - revolute: {name: ja, nodes: [ground, a], axis: [0, 0, 1]}
  - revolute: {name: jb, nodes: [ground, b], axis: [0, 0, 1]}
  - revolute: {name: jc, nodes: [ground, c], axis: [0, 0, 1]}
"""
TORQUE = """
loads:
  - torque: {joint: ja, value: 1}
probes:
  - {name: ja, joint: ja, record: [angle, rate]}
  - {name: jb, joint: jb, record: [angle, rate]}
  - {name: jc, joint: jc, record: [angle, rate]}
run: {step: 2 ms, end: 1 s, scheme: preserving}
"""
TURNS = 1e-5  # 5.6e-6: a shaft turns by up to 0.012 rad in a step, and the scheme sees 4 tan(0.012/4)


def history(text, *changes, **options):
    out = history_of(text, *changes, **options)
    assert np.max(np.abs(out["ledger/residual"])) <= 1e-13 * max(1, out["ledger/exchanged"][-1])
    assert np.max(np.abs(out["ledger/joints"])) <= 1e-12
    return out


def find(h, name):
    """The last value of a recorded quantity, `ja/angle`."""
    return next(np.ravel(v[-1])[0] for k, v in h.items() if k.endswith(name))


def test_a_gear_turns_both_shafts_with_their_common_inertia():
    h = history(HINGES + "  - gear: {name: g, first: ja, second: jb, ratio: -2}\n" + TORQUE)
    alpha = 1 / (0.1 + 0.4 / 4)
    assert find(h, "ja/angle") == pytest.approx(alpha / 2, rel=TURNS)
    assert find(h, "jb/angle") == pytest.approx(-alpha / 4, rel=TURNS)
    assert find(h, "ja/angle") == pytest.approx(-2 * find(h, "jb/angle"), rel=1e-13)


def test_a_belt_turns_both_shafts_the_same_way():
    h = history(HINGES + "  - belt: {name: g, first: ja, second: jb, radii: [10 cm, 25 cm]}\n" + TORQUE)
    assert find(h, "ja/angle") == pytest.approx(0.5 / (0.1 + 0.4 * 0.4**2), rel=TURNS)
    assert find(h, "jb/angle") == pytest.approx(0.4 * find(h, "ja/angle"), rel=1e-13)


def test_a_rack_moves_by_the_radius_of_its_pinion():
    slide = SHAFTS + """
joints:
  - revolute: {name: ja, nodes: [ground, a], axis: [0, 0, 1]}
  - prismatic: {name: jb, nodes: [ground, b], axis: [0, 1, 0]}
  - revolute: {name: jc, nodes: [ground, c], axis: [0, 0, 1]}
  - rack_and_pinion: {name: g, pinion: ja, rack: jb, radius: 0.3}
""" + TORQUE.replace("{name: jb, joint: jb, record: [angle, rate]}", "{name: b, node: b, record: position}")
    h = history(slide)
    angle = find(h, "ja/angle")
    assert angle == pytest.approx(0.5 / (0.1 + 2 * 0.3**2), rel=TURNS)
    y = next(v[-1] for k, v in h.items() if k.startswith("b/") or "/b/" in k)
    assert np.ravel(y)[1] == pytest.approx(0.3 * angle, rel=1e-12)


def test_a_differential_divides_the_torque_in_equal_parts():
    h = history(HINGES + "  - differential: {name: d, input: ja, first: jb, second: jc, ratio: 3}\n" + TORQUE)
    # M_b = M_c = 3/2 (1 - I_a alpha_a), alpha_a = 3/2 (alpha_b + alpha_c)
    half = 1.5 * (1 / 0.4 + 1 / 0.3)
    alpha = 1.5 * half / (1 + 1.5 * half * 0.1)
    torque = 1.5 * (1 - 0.1 * alpha)
    assert find(h, "ja/angle") == pytest.approx(alpha / 2, rel=4e-5)  # 1.8e-5: 0.01 rad a step at the end
    assert find(h, "jb/angle") == pytest.approx(torque / 0.4 / 2, rel=4e-5)
    assert find(h, "jc/angle") == pytest.approx(torque / 0.3 / 2, rel=4e-5)
    assert find(h, "ja/angle") == pytest.approx(1.5 * (find(h, "jb/angle") + find(h, "jc/angle")), rel=1e-12)


RATES = ", angle: {initial_rate: 2}"


@pytest.mark.parametrize("entry, d", [
    ("gear: {name: g, first: ja, second: jb, ratio: -2, mesh: {stiffness: 3, clearance: 0.1}}", lambda a, b, va, vb: va + 2 * vb),
    ("belt: {name: g, first: ja, second: jb, radii: [10 cm, 25 cm], stretch: {stiffness: 50}}", lambda a, b, va, vb: 0.1 * va - 0.25 * vb),
    ("coupler: {name: g, first: ja, second: jb, formula: second - first^2, sum: {stiffness: 1}}", lambda a, b, va, vb: vb - 2 * a * va),
])
def test_rates_of_a_coupling_are_those_of_its_joints_and_of_their_difference(entry, d):
    turning = HINGES.replace("nodes: [ground, a], axis: [0, 0, 1]", "nodes: [ground, a], axis: [0, 0, 1]" + RATES)
    text = turning + "  - " + entry + "\n" + TORQUE.replace("probes:\n", "probes:\n  - {name: g, joint: g, record: rate}\n")
    h = history(text)
    angle, rate = (np.array([h[f"probes/{j}/{q}"] for j in ("ja", "jb")]) for q in ("angle", "rate"))
    own = h["probes/g/rate"].T
    assert np.abs(rate).max() > 2 and np.abs(own[0]).max() > 0.1
    assert np.abs(own[1:] - rate).max() <= 1e-13
    assert np.abs(own[0] - d(*angle, *rate)).max() <= 1e-12
    two = history(text, name="two", ranks=2)
    assert np.abs(two["probes/g/rate"] - h["probes/g/rate"]).max() <= 1e-12


PLANETS = """
limber: 1
nodes:
  arm: {at: [0.5, 0, 0]}
  sun: {at: [0, 0, 0]}
  planet: {at: [1, 0, 0]}
elements:
  - rigid_body: {node: arm, mass: 1, inertia: [1, 1, 0.2]}
  - rigid_body: {node: sun, mass: 1, inertia: [1, 1, 0.1]}
  - rigid_body: {node: planet, mass: 2, inertia: [1, 1, 0.4]}
joints:
  - revolute: {name: jarm, nodes: [ground, arm], axis: [0, 0, 1], at: [0, 0, 0]}
  - revolute: {name: ja, nodes: [arm, sun], axis: [0, 0, 1]}
  - revolute: {name: jb, nodes: [arm, planet], axis: [0, 0, 1]}
  - revolute: {name: jc, nodes: [arm, ground], axis: [0, 0, 1], at: [0, 0, 0]}
  - gear: {name: g, first: ja, second: jb, ratio: -2}
loads:
  - torque: {joint: ja, value: 1}
probes:
  - {name: jarm, joint: jarm, record: [angle, rate]}
  - {name: ja, joint: ja, record: [angle, rate]}
run: {step: 1 ms, end: 0.4 s, scheme: preserving}
"""


def test_gears_on_an_arm_that_turns_take_it_along():
    h = history(PLANETS.replace("  - revolute: {name: jc, nodes: [arm, ground], axis: [0, 0, 1], at: [0, 0, 0]}\n", ""))
    # L = (I_arm + 0.25 + 2) f'^2/2 + 0.1 (f' + a')^2/2 + 0.4 (f' - a'/2)^2/2, forces 0 and 1
    m = np.array([[0.2 + 0.25 + 2 + 0.1 + 0.4, 0.1 - 0.2], [0.1 - 0.2, 0.1 + 0.1]])
    f, a = np.linalg.solve(m, [0, 1])
    assert find(h, "ja/angle") == pytest.approx(a * 0.08, rel=TURNS)
    assert find(h, "jarm/angle") == pytest.approx(f * 0.08, rel=TURNS)


@pytest.mark.parametrize("kind,stretch", [("gear: {name: g, first: ja, second: jb, ratio: -2, mesh: {stiffness: 50}}", 1 / 0.1 + 4 / 0.4),
                                          ("belt: {name: g, first: ja, second: jb, radii: [1, 2], stretch: {stiffness: 50}}",
                                           1 / 0.1 + 4 / 0.4)])
def test_modes_of_two_free_shafts(kind, stretch):
    write("modes.yaml", HINGES + f"  - {kind}\nrun: {{step: 1 ms, end: 1 s}}\n")
    said = limber("modes", "modes.yaml", "-o", "modes.h5")
    assert said.code == 0, said.err
    with h5("modes.h5") as f:
        found = f["history/mode/frequency"][:]
    assert len(found) == 1
    assert 2 * math.pi * found[0] == pytest.approx(math.sqrt(50 * stretch), rel=1e-7)  # 5e-9: the rigid motion is moved away from 0


def test_modes_of_geared_springs():
    text = HINGES.replace("nodes: [ground, a], axis: [0, 0, 1]", "nodes: [ground, a], axis: [0, 0, 1], angle: {stiffness: 3}")
    write("modes.yaml", text + "  - gear: {name: g, first: ja, second: jb, ratio: -2}\nrun: {step: 1 ms, end: 1 s}\n")
    said = limber("modes", "modes.yaml", "-o", "modes.h5")
    assert said.code == 0, said.err
    with h5("modes.h5") as f:
        assert 2 * math.pi * f["history/mode/frequency"][0] == pytest.approx(math.sqrt(3 / (0.1 + 0.4 / 4)), rel=1e-9)


CLATTER = HINGES + """
  - gear: {name: g, first: ja, second: jb, ratio: -2, mesh: {stiffness: 500, clearance: 0.01, damping: 0.1}}
  - differential: {name: d, input: jb, first: ja, second: jc, mesh: {stiffness: 300, clearance: 0.02}}
functions: {wave: {sine: {frequency: 5, amplitude: 3}}}
""" + TORQUE.replace("value: 1}", "value: 1, amplitude: wave}")


@pytest.mark.parametrize("scheme", ["decaying", "decaying_c", "generalized_alpha"])
def test_clearances_give_the_same_on_two_ranks_and_after_a_checkpoint(scheme):
    one = history(CLATTER, f"run.scheme={scheme}", "run.end=0.3 s", "run.snapshots=10 ms") if scheme != "generalized_alpha" else None
    write("model.yaml", CLATTER)
    run("model.yaml", "model.h5", *settings(f"run.scheme={scheme}", "run.end=0.3 s", "run.snapshots=10 ms"))
    run("model.yaml", "two.h5", *settings(f"run.scheme={scheme}", "run.end=0.3 s", "run.snapshots=10 ms"), ranks=2)
    assert same_results("model.h5", "two.h5", 1e-9) == "same"
    run("model.yaml", "part.h5", *settings(f"run.scheme={scheme}", "run.end=0.15 s", "run.snapshots=10 ms"))
    said = limber("resume", "part.h5", "-q", "--end", "0.3")
    assert said.code == 0, said.err
    assert same_results("model.h5", "part.h5") == "same"
    if one:
        energy = one["ledger/kinetic"] + one["ledger/strain"]
        assert np.all(energy <= energy[0] + one["ledger/work"] + 1e-9 * one["ledger/exchanged"])


def test_couplings_that_say_the_same_are_named():
    write("twice.yaml", HINGES + "  - gear: {name: g, first: ja, second: jb, ratio: -2}\n  - gear: {name: f, first: jb, second: ja, ratio: -0.5}\n"
          + TORQUE)
    said = limber("run", "twice.yaml", "-o", "twice.h5", *settings("run.end=10 ms"))
    assert said.code == 0, said.err
    assert "gear 'g', gear 'f' have 1 redundant constraint" in said.out + said.err


@pytest.mark.parametrize("entry,message", [
    ("gear: {first: ja, second: jx, ratio: 2}", "there is no joint 'jx'"),
    ("gear: {first: ja, second: ja, ratio: 2}", "it couples a coordinate of a joint to itself"),
    ("gear: {first: ja, second: jb, ratio: 0}", "the ratio of a gear must not be zero"),
    ("rack_and_pinion: {pinion: ja, rack: jb, radius: 1}", "revolute 'jb' has no slide, as a `prismatic` has"),
    ("coupler: {first: ja, second: jb, second_coordinate: slide, factors: [1, 1, 0]}", "revolute 'jb' has no coordinate 'slide'; it has angle"),
    ("coupler: {first: ja, second: jb, formula: ja - 2*jb}", "'ja' is a joint: here its coordinate has the name of the field, such as `first`"),
    ("gear: {first: ja, second: jb}", "ratio"),
    ("belt: {first: ja, second: jb, radii: [1, 0]}", "the radius of a pulley must not be zero"),
    ("coupler: {first: ja, second: jb}", "it needs `factors`, or a `formula` of `first`, `second` and `third`"),
    ("coupler: {first: ja, second: jb, factors: [1, 1, 0], formula: first - second}", "give `factors` or a `formula`, not both"),
    ("coupler: {first: ja, second: jb, formula: first - secnd}", "secnd"),
    ("coupler: {first: ja, second: jb, formula: 2*first}", "its `formula` does not name `second`"),
    ("coupler: {first: ja, second: jb, formula: first - cos(second)}",
     "its `formula` is -1 at the start, where all coordinates are 0: subtract this"),
    ("coupler: {first: ja, second: jb, formula: first^2 - second^2}", "its `formula` has no derivative other than 0 at the start"),
    ("coupler: {first: ja, second: jb, formula: first - sqrt(second)}", "no finite value or derivative at the start"),
    ("coupler: {first: ja, second: jb, formula: first - abs(second)}", "its `formula`: 'abs' has no derivative everywhere"),
    ("coupler: {first: ja, second: jb, formula: first - third*second}", "nothing is called 'third'"),
])
def test_wrong_couplings_are_told(entry, message):
    write("wrong.yaml", HINGES + f"  - {entry}\n" + TORQUE)
    said = limber("check", "wrong.yaml")
    assert said.code == 2
    assert message in said.err + said.out


def test_a_coupler_ties_any_coordinates():
    text = SHAFTS + """
joints:
  - revolute: {name: ja, nodes: [ground, a], axis: [0, 0, 1]}
  - cylindrical: {name: jb, nodes: [ground, b], axis: [0, 1, 0]}
  - revolute: {name: jc, nodes: [ground, c], axis: [0, 0, 1]}
  - coupler: {name: k, first: ja, second: jb, second_coordinate: slide, third: jc, factors: [0.3, -1, 0.2]}
""" + TORQUE.replace("{name: jb, joint: jb, record: [angle, rate]}", "{name: b, node: b, record: position}")
    h = history(text)
    # slide s = 0.3 a + 0.2 c with masses 0.1, 2, 0.3 and a torque of 1 along a
    m = np.array([[0.1 + 2 * 0.3**2, 2 * 0.3 * 0.2], [2 * 0.3 * 0.2, 0.3 + 2 * 0.2**2]])
    a, c = np.linalg.solve(m, [1, 0])
    assert find(h, "ja/angle") == pytest.approx(a / 2, rel=TURNS)
    assert find(h, "jc/angle") == pytest.approx(c / 2, rel=TURNS)
    y = next(v[-1] for k, v in h.items() if k.startswith("b/") or "/b/" in k)
    assert np.ravel(y)[1] == pytest.approx(0.3 * find(h, "ja/angle") + 0.2 * find(h, "jc/angle"), rel=1e-12)


E = 0.6
ELLIPTIC = """let: {e: 0.6}
""" + HINGES + """
  - coupler: {name: k, first: ja, second: jb, formula: second - first - e*sin(first)}
""" + TORQUE


def runge_kutta(rate, y, end, steps):
    """The classical method of order 4."""
    h = end / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def elliptic(y):
    """Shafts of inertia 0.1 and 0.4 with second = first + e sin(first), and a torque of 1 along the first."""
    slope = 1 + E * math.cos(y[0])
    inertia = 0.1 + 0.4 * slope**2
    return np.array([y[1], (1 + 0.4 * slope * E * math.sin(y[0]) * y[1] ** 2) / inertia])


def test_noncircular_gears_meet_an_independent_integration():
    exact = runge_kutta(elliptic, np.array([0.0, 0.0]), 3, 6000)
    error = []
    for step in ("2 ms", "1 ms"):
        h = history(ELLIPTIC, "run.end=3 s", f"run.step={step}")
        first, second = find(h, "ja/angle"), find(h, "jb/angle")
        error.append(abs(first - exact[0]))
        assert abs(second - first - E * math.sin(first)) <= 1e-12
        assert exact[0] > 2 * math.pi  # more than a turn
    assert error[1] <= 1e-4  # 1.6e-5 of 9 rad
    assert error[0] / error[1] == pytest.approx(4, rel=0.05)


def test_a_cam_lifts_its_follower():
    text = SHAFTS + """
joints:
  - revolute: {name: ja, nodes: [ground, a], axis: [0, 0, 1]}
  - prismatic: {name: jb, nodes: [ground, b], axis: [0, 1, 0]}
  - revolute: {name: jc, nodes: [ground, c], axis: [0, 0, 1]}
  - coupler: {name: cam, first: ja, second: jb, formula: second - 0.1*(1 - cos(first))}
loads: [gravity: {acceleration: [0, -9.81, 0]}]
probes:
  - {name: ja, joint: ja, record: [angle, rate]}
  - {name: jb, joint: jb, record: [slide, rate]}
run: {step: 1 ms, end: 1 s, scheme: preserving}
"""
    text = text.replace("a: {at: [0, 0, 0]}", "a: {at: [0, 0, 0], angular_velocity: [0, 0, 8]}")
    h = history(text)
    angle = next(np.ravel(v) for k, v in h.items() if k.endswith("ja/angle"))
    slide = next(np.ravel(v) for k, v in h.items() if k.endswith("jb/slide"))
    assert np.max(np.abs(slide - 0.1 * (1 - np.cos(angle)))) <= 1e-12

    def rate(y):
        lift = 0.1 * math.sin(y[0])
        return np.array([y[1], -(2 * lift * 0.1 * math.cos(y[0]) * y[1] ** 2 + 2 * 9.81 * lift) / (0.1 + 2 * lift**2)])

    exact = runge_kutta(rate, np.array([0.0, 8.0]), 1, 4000)
    assert angle[-1] == pytest.approx(exact[0], abs=2e-4)


@pytest.mark.parametrize("scheme", ["decaying", "decaying_c", "generalized_alpha"])
def test_a_formula_gives_the_same_on_two_ranks_and_after_a_checkpoint(scheme):
    text = ELLIPTIC.replace("second - first - e*sin(first)}", "second - first - e*sin(first) + third^2, third: jc, sum: {stiffness: 40, damping: 0.1}}")
    text = text.replace("{name: jc, nodes: [ground, c], axis: [0, 0, 1]}", "{name: jc, nodes: [ground, c], axis: [0, 0, 1], angle: {stiffness: 1}}")
    changes = [f"run.scheme={scheme}", "run.end=0.4 s", "run.snapshots=10 ms"]
    write("model.yaml", text)
    run("model.yaml", "model.h5", *settings(*changes))
    run("model.yaml", "two.h5", *settings(*changes), ranks=2)
    assert same_results("model.h5", "two.h5", 1e-9) == "same"
    run("model.yaml", "part.h5", *settings(*changes, "run.end=0.2 s"))
    said = limber("resume", "part.h5", "-q", "--end", "0.4")
    assert said.code == 0, said.err
    assert same_results("model.h5", "part.h5") == "same"


def test_modes_of_a_formula_have_its_curvature():
    """The torque that a preload leaves in the formula turns with it: a stiffness lambda F''."""
    text = HINGES.replace("nodes: [ground, a], axis: [0, 0, 1]", "nodes: [ground, a], axis: [0, 0, 1], angle: {stiffness: 3}")
    text = text.replace("nodes: [ground, b], axis: [0, 0, 1]", "nodes: [ground, b], axis: [0, 0, 1], angle: {stiffness: 2, rest: 0.5}")
    write("modes.yaml", text + "  - coupler: {name: g, first: ja, second: jb, formula: second - first^2 - 0.5*first}\n"
          "run: {step: 1 ms, end: 1 s}\n")
    said = limber("modes", "modes.yaml", "-o", "modes.h5")
    assert said.code == 0, said.err
    with h5("modes.h5") as f:
        found = f["history/mode/frequency"][:]
    # V = 3/2 a^2 + (a^2 + a/2 - 1/2)^2, at V' = 0
    a = newton_root()
    slope = 2 * a + 0.5
    stiffness = 3 + 2 * slope**2 + 2 * (a**2 + a / 2 - 0.5) * 2
    inertia = 0.1 + 0.4 * slope**2
    assert 2 * math.pi * found[0] == pytest.approx(math.sqrt(stiffness / inertia), rel=1e-7)


def newton_root():
    """The angle at which 3 a + 2 (a^2 + a/2 - 1/2) (2 a + 1/2) vanishes."""
    a = 0.0
    for _ in range(50):
        slope = 2 * a + 0.5
        a -= (3 * a + 2 * (a**2 + a / 2 - 0.5) * slope) / (3 + 2 * slope**2 + 4 * (a**2 + a / 2 - 0.5))
    return a


def test_parameters_of_a_part_stand_in_its_formula():
    write("parts.yaml", """
limber: 1
parts:
  pair:
    parameters: {e: 0.1}
    nodes: {a: {at: [0, 0, 0]}, b: {at: [1, 0, 0]}}
    elements:
      - rigid_body: {node: a, mass: 1, inertia: [1, 1, 0.1]}
      - rigid_body: {node: b, mass: 2, inertia: [1, 1, 0.4]}
    joints:
      - revolute: {name: ja, nodes: [ground, a], axis: [0, 0, 1]}
      - revolute: {name: jb, nodes: [ground, b], axis: [0, 0, 1]}
      - coupler: {name: k, first: ja, second: jb, formula: second - first - e*sin(first)}
instances:
  one: {part: pair, parameters: {e: 0.6}}
loads: [torque: {joint: one.ja, value: 1}]
probes: [{name: ja, joint: one.ja, record: angle}]
run: {step: 2 ms, end: 1 s, scheme: preserving}
""")
    run("parts.yaml", "parts.h5")
    h = history(ELLIPTIC)
    with h5("parts.h5") as f:
        found = []
        f["history"].visititems(lambda key, d: found.append(np.ravel(d[()])[-1]) if key.endswith("ja/angle") else None)
    assert found == [pytest.approx(find(h, "ja/angle"), rel=1e-13)]


def test_a_clutch_closes_and_opens_and_its_loss_is_that_of_an_impact():
    turning = HINGES.replace("nodes: [ground, a], axis: [0, 0, 1]", "nodes: [ground, a], axis: [0, 0, 1]" + RATES)
    closes = "events:\n  - time: {name: close, at: 0.3, do: {lock: g, coordinate: mesh}}\n  - time: {name: open, at: 0.6, do: {unlock: g, coordinate: mesh}}\n"
    gear = "  - gear: {name: g, first: ja, second: jb, ratio: -2, mesh: {damping: 1e-12}}\n"
    h = history(turning + gear + closes + TORQUE.replace("value: 1}", "value: 1e-9}"))
    # an impulse between the teeth: 2 rad/s of the first shaft, none of the second
    impulse = 2 / (1 / 0.1 + 4 / 0.4)
    assert find(h, "ja/rate") == pytest.approx(2 - impulse / 0.1, rel=1e-5)  # 3e-7
    assert find(h, "jb/rate") == pytest.approx(-2 * impulse / 0.4, rel=1e-5)
    assert h["ledger/events"][-1] == pytest.approx(impulse, rel=1e-5)  # 2^2/2 over the sum, which is the impulse
    write("engaged.yaml", turning + gear + "events:\n  - time: {at: 0.3, do: {engage: g}}\n" + TORQUE)
    said = limber("check", "engaged.yaml")
    assert said.code == 2 and "a coupling cannot be engaged" in said.err


# ---- inertia of coordinates ----

SCHEMES = ["preserving", "decaying", "decaying_a", "decaying_b", "decaying_c", "generalized_alpha"]
SERVO = """
limber: 1
nodes: {arm: [0.5, 0, 0.1]}
elements:
  - rigid_body: {name: arm, node: arm, mass: 4, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: out, nodes: [ground, arm], axis: [0, 0, 1], at: [0, 0, 0.1], angle: {inertia: 2 kg m2}}
loads:
  - torque: {joint: out, value: 20}
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {joint: out, record: [angle, rate]}
run: {step: 5 ms, end: 1 s}
"""
SERVO_RATE = 20 / 3.1


def test_a_servo_is_as_fast_as_its_rotor_behind_the_gear_lets_it_be():
    # of the second order, for the arm itself turns by 0.13 rad in a step of 20 ms: 8.7e-4, 5.5e-5, 2.2e-6
    for step, error in (("20 ms", 1e-3), ("5 ms", 6e-5), ("1 ms", 2.5e-6)):
        assert find(history(SERVO, f"run.step={step}"), "out/rate") == pytest.approx(SERVO_RATE, rel=error)
    # without the arm's own error: 4.8e-9
    h = history(SERVO, "run.step=20 ms", "run.scheme=preserving", "run.order=4")
    assert find(h, "out/rate") == pytest.approx(SERVO_RATE, rel=1e-8)
    # a rotor that is nearly all of the inertia: its energy is exactly that of its rate
    light = SERVO.replace("mass: 4, inertia: [0.1, 0.1, 0.1]", "mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9]")
    for step in ("20 ms", "1 ms"):
        h = history(light, f"run.step={step}", "run.scheme=preserving")
        assert h["ledger/kinetic"][-1] == pytest.approx(0.5 * 2 * 10**2, rel=1e-8)
        assert find(h, "out/angle") == pytest.approx(5, rel=1e-8)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_inertia_of_a_coordinate_is_in_the_energy_balance_of_every_scheme(scheme):
    write("servo.yaml", SERVO)
    run("servo.yaml", "servo.h5", *settings(f"run.scheme={scheme}"))
    with h5("servo.h5") as f:
        ledger = {k: v[()] for k, v in f["history/ledger"].items() if hasattr(v, "shape")}
    assert np.max(np.abs(ledger["residual"])) <= 1e-13 * ledger["exchanged"][-1]
    # 64.5 J, of which the rotor has two thirds; the largest loss is that of generalized_alpha, 1.3e-2 J
    assert ledger["kinetic"][-1] == pytest.approx(0.5 * 3.1 * SERVO_RATE**2, rel=3e-4)
    assert np.max(np.abs(ledger["momentum"][:, 0])) <= 4 * 0.5 * SERVO_RATE * 1.001  # of the arm alone


SLIDE = """
limber: 1
nodes: {a: [0, 0, 0]}
elements:
  - rigid_body: {name: a, node: a, mass: 2, inertia: [0.3, 0.3, 0.3]}
joints:
  - prismatic: {name: out, nodes: [ground, a], axis: [0, 0, 1], slide: {inertia: 5 kg, stiffness: 70}}
loads:
  - gravity: {acceleration: [3, 0, -9.81]}
probes:
  - {joint: out, record: [slide, rate]}
run: {step: 1 ms, end: 1 s}
modes: {count: 1}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_gravity_leaves_the_inertia_of_a_slide_alone(scheme):
    write("slide.yaml", SLIDE)
    run("slide.yaml", "slide.h5", *settings(f"run.scheme={scheme}"))
    w, rest = math.sqrt(10), -2 * 9.81 / 70
    with h5("slide.h5") as f:
        slide = f["history/probes/out/slide"][-1]
    assert slide == pytest.approx(rest * (1 - math.cos(w)), rel=2e-6)  # 2.4e-7 (decaying)


def test_modes_and_linear_models_have_the_inertia_of_coordinates():
    write("slide.yaml", SLIDE)
    said = limber("modes", "slide.yaml")
    assert "0.50329212" in said.out  # sqrt(70/7)/2 pi
    said = limber("linearize", "slide.yaml")
    assert "states      2: out.slide, out.slide.rate" in said.out and "+3.16228i" in said.out


FREE = """
limber: 1
nodes: {a: [0, 0, 0], b: [0, 0, 0.2]}
elements:
  - rigid_body: {name: a, node: a, mass: 1, inertia: [0.3, 0.3, 0.3]}
  - rigid_body: {name: b, node: b, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: out, nodes: [a, b], axis: [0, 0, 1], angle: {inertia: 0.5 kg m2%s}}
loads:
  - torque: {joint: out, value: 1}
probes:
  - {joint: out, record: [angle, rate]}
run: {step: 1 ms, end: 1 s}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_free_bodies_keep_their_angular_momentum_beside_an_inertia_between_them(scheme):
    # the inertia turns with the angle between them, and their own is that of both in series
    write("free.yaml", FREE % ", initial_rate: 2")
    run("free.yaml", "free.h5", *settings(f"run.scheme={scheme}"))
    with h5("free.h5") as f:
        rate = f["history/probes/out/rate"][()]
        momentum = f["history/ledger/angular_momentum"][()]
    assert rate[0] == pytest.approx(2, rel=1e-12)
    assert rate[-1] == pytest.approx(2 + 1 / (0.5 + 0.3 * 0.1 / 0.4), rel=2e-6)  # 5.8e-7
    assert np.max(np.abs(momentum)) <= 1e-6  # of 0.28 N m s in each body; the jump and the memory change it, preserving 1e-15


def test_velocities_of_bodies_give_the_inertia_of_a_coordinate_its_rate():
    # without a complaint, and without a change of the velocities that were given
    text = (FREE % "").replace("b: [0, 0, 0.2]", "b: {at: [0, 0, 0.2], angular_velocity: [0, 0, 3]}").replace("value: 1", "value: 0")
    write("free.yaml", text)
    assert "violated" not in run("free.yaml", "free.h5", *settings("run.scheme=preserving")).out
    with h5("free.h5") as f:
        assert f["history/probes/out/rate"][0] == pytest.approx(3, rel=1e-14)
        # the body has the rate of the scheme, 2 tan(h w/2)/h: 2.5e-7
        assert f["history/ledger/kinetic"][0] == pytest.approx(0.5 * (0.1 + 0.5) * 9, rel=1e-6)


def test_inertia_of_a_coordinate_is_the_same_on_two_ranks_and_after_a_resume():
    text = FREE % ""
    one = history(text, name="one")
    two = history(text, name="two", ranks=2)
    assert find(one, "out/angle") == pytest.approx(find(two, "out/angle"), rel=1e-12)
    write("half.yaml", text)
    run("half.yaml", "half.h5", *settings("run.end=0.5 s"))
    said = limber("resume", "half.h5", "-q", "--end", "1")
    assert said.code == 0, said.err
    with h5("half.h5") as f:
        assert f["history/probes/out/angle"][-1] == find(one, "out/angle")


def test_inertia_of_a_coordinate_is_refused_where_it_has_no_meaning():
    write("bad.yaml", SERVO.replace("2 kg m2", "-2 kg m2"))
    assert "`inertia` must not be negative" in limber("check", "bad.yaml").err
    gear = HINGES + "  - gear: {name: g, first: ja, second: jb, ratio: 2, mesh: {stiffness: 1, inertia: 1}}\n" + TORQUE
    write("bad.yaml", gear)
    assert "`inertia` belongs to the joints that are coupled" in limber("check", "bad.yaml").err
    write("bad.yaml", SERVO + "events:\n  - time: {name: open, at: 0.5 s, do: {release: out}}\n")
    said = limber("check", "bad.yaml").err
    assert "a joint whose coordinate has `inertia` cannot be released or engaged" in said
