# SPDX-License-Identifier: Apache-2.0
"""Friction of joints that sticks, against closed forms and an integration of its own; ranks, checkpoints, messages."""
import math

import numpy as np
import pytest

from support import columns_of, history_of, limber, run, same_results, settings, write

SCHEMES = ["decaying", "preserving", "decaying_c", "decaying_b", "generalized_alpha"]
PROVED = SCHEMES[:-1]
g = 9.81


def history(text, *changes, **options):
    """Of a run whose energy balance closes and whose friction never gives energy."""
    h = history_of(text, *changes, **options)
    if "generalized_alpha" not in str(changes):
        assert np.abs(h["ledger/residual"]).max() <= 1e-12 * max(h["ledger/exchanged"][-1], 1e-9)
        assert np.diff(h["ledger/damping"]).min() >= -1e-15 * h["ledger/exchanged"][-1]
    return h


SLIDER = """
limber: 1
nodes: {block: {at: [0, 0, 0]}}
elements:
  - rigid_body: {node: block, mass: 2, inertia: [0.01, 0.01, 0.01]}
joints:
  - prismatic: {name: rail, nodes: [ground, block], axis: [1, 0, 0], slide: {friction: FRICTION}}
loads:
  - LOAD
probes:
  - {name: rail, joint: rail, record: [slide, rate]}
run: {step: 1 ms, end: 1 s}
"""


def slider(friction, load):
    return SLIDER.replace("FRICTION", friction).replace("LOAD", load)


# ---- friction that sticks ----

@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_push_below_the_limit_moves_the_bristle_and_no_more(scheme, measured):
    h = history(slider("{kinetic: 5 N}", "joint_force: {joint: rail, value: 4}"), "run.end=10", f"run.scheme={scheme}")
    slide = h["probes/rail/slide"][:].ravel()
    measured(f"{1e6 * slide[-1]:.4f} um, at most {1e6 * slide.max():.4f} um")
    assert abs(slide[-1] - 8e-6) < 1e-10  # 4/5 of 0.01 mm
    assert slide.max() < 1e-5


def test_the_bristle_returns_when_the_push_ends():
    push = "joint_force: {joint: rail, value: 4, amplitude: {expression: 't < 0.5 ? 1 : t < 0.6 ? 6 - 10*t : 0'}}"
    h = history(slider("{kinetic: 5 N}", push))
    slide = h["probes/rail/slide"][:].ravel()
    assert abs(slide[500] - 8e-6) < 1e-9 and abs(slide[-1]) < 1e-9


def incline(angle):
    return slider("{kinetic_coefficient: 0.25, static_coefficient: 0.4, stiffness: 1e6}",
                  f"gravity: {{acceleration: [{g * math.sin(angle)}, 0, {-g * math.cos(angle)}]}}")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_block_on_an_incline_sticks_below_the_static_coefficient_and_slides_with_the_kinetic_one(scheme, measured):
    for angle in (0.1, 0.9 * math.atan(0.4)):
        slide = history(incline(angle), f"run.scheme={scheme}")["probes/rail/slide"][:].ravel()
        bristle = 2 * g * math.sin(angle) / 1e6
        assert abs(slide[-1] - bristle) < 1e-3 * bristle and slide.max() < 1.2 * bristle
    angle = 1.05 * math.atan(0.4)
    slide = history(incline(angle), f"run.scheme={scheme}")["probes/rail/slide"][:].ravel()
    way = 0.5 * g * (math.sin(angle) - 0.25 * math.cos(angle))
    measured(f"{slide[-1] / way - 1:.1e} of the way")
    assert abs(slide[-1] / way - 1) < 0.02  # it begins with the static one for the time in which the bristle is bent


def test_a_block_that_slides_stops_where_friction_has_taken_its_energy(measured):
    text = slider("{kinetic: 5 N}", f"gravity: {{acceleration: [0, 0, {-g}]}}").replace("slide: {", "slide: {initial_rate: 1, ")
    h = history(text)
    slide = h["probes/rail/slide"][:].ravel()
    measured(f"{slide[-1] / 0.2 - 1:.1e}")
    assert abs(slide[-1] - 0.5 * 2 / 5) < 2e-5  # m v^2/(2 F), less the bristle's


STICK_SLIP = """
limber: 1
nodes: {belt: {at: [0, 0, 0]}, block: {at: [0, 0, 0]}}
elements:
  - rigid_body: {node: belt, mass: 1, inertia: [1, 1, 1]}
  - rigid_body: {node: block, mass: 1, inertia: [1, 1, 1]}
  - spring: {nodes: [ground, block], from: [-1, 0, 0], stiffness: 100}
joints:
  - prismatic: {name: drum, nodes: [ground, belt], axis: [1, 0, 0], slide: {initial_rate: 0.1}}
  - prismatic: {name: rub, nodes: [belt, block], axis: [1, 0, 0],
               slide: {initial_rate: 0, friction: {kinetic: 3 N, static: 5 N, stiffness: 1e6}}}
loads:
  - drive: {joint: drum, motion: {expression: 0.1*t}}
probes:
  - {name: block, node: block, record: [displacement]}
run: {step: 0.5 ms, end: 4 s}
"""


def ideal_stick_slip(end, step):
    """Displacement of the block with rigid stick, by Runge and Kutta's method, steps cut where it sticks and slides."""
    k, kinetic, static, belt, m = 100.0, 3.0, 5.0, 0.1, 1.0
    x, v, t, sticks, out = 0.0, belt, 0.0, True, [(0.0, 0.0)]
    dt = step / 20

    def rate(y):
        return np.array([y[1], (kinetic - k * y[0]) / m])
    while t < end:
        if sticks:
            x, v = x + belt * dt, belt
            sticks = k * x < static
        else:
            y = np.array([x, v])
            a = rate(y)
            b = rate(y + 0.5 * dt * a)
            c = rate(y + 0.5 * dt * b)
            d = rate(y + dt * c)
            y = y + dt / 6 * (a + 2 * b + 2 * c + d)
            sticks = y[1] >= belt > v
            x, v = y[0], belt if sticks else y[1]
        t += dt
        out.append((t, x))
    return np.array(out)


@pytest.mark.parametrize("scheme", ["decaying", "preserving", "generalized_alpha"])
def test_a_block_on_a_belt_sticks_and_slips_as_an_integration_of_its_own_says(scheme, measured):
    worst = []
    own = ideal_stick_slip(4.0, 0.5e-3)
    for step in ("0.5 ms", "0.125 ms"):
        h = history(STICK_SLIP, f"run.scheme={scheme}", f"run.step={step}")
        expected = np.interp(h["time"], own[:, 0], own[:, 1])
        worst.append(np.abs(h["probes/block/displacement"][:, 0] - expected).max())
    measured(f"{1e6 * worst[0]:.0f} and {1e6 * worst[1]:.0f} um of {1e3 * np.ptp(expected):.1f} mm, after 5 periods")
    assert np.ptp(expected) > 0.03 and worst[0] < 2e-3 and worst[1] < 0.5 * worst[0]


DRIVEN = """
limber: 1
nodes: {arm: {at: [0.5, 0, 0]}}
elements:
  - rigid_body: {node: arm, mass: 2, inertia: [0.01, 0.01, 0.01]}
joints:
  - revolute: {name: pin, nodes: [ground, arm], axis: [0, 1, 0], at: [0, 0, 0],
               angle: {initial_rate: 4, friction: {kinetic_coefficient: 0.2, radius: 30 mm, stiffness: 1e5}}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - drive: {joint: pin, motion: {expression: 4*t}}
probes:
  - {name: pin, joint: pin, record: [angle, force]}
run: {step: 1 ms, end: 1.5708 s}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_friction_of_a_driven_hinge_takes_the_coefficient_times_reaction_and_radius(scheme, measured):
    h = history(DRIVEN, f"run.scheme={scheme}")
    t = np.linspace(0, 1.5708, 20001)
    inward = 2 * 0.5 * 4.0**2
    force = np.hypot(inward * np.cos(4 * t), 2 * g + inward * np.sin(4 * t))  # the arm is at 0.5 m (cos, 0, -sin)
    expected = np.trapz(0.2 * 0.03 * force * 4.0, t)
    taken = h["ledger/damping"][-1]
    measured(f"{taken / expected - 1:.1e}")
    assert abs(taken / expected - 1) < 2e-3  # the bristle and the step


@pytest.mark.parametrize("scheme", ["decaying", "decaying_c", "generalized_alpha"])
def test_friction_is_the_same_on_two_ranks_and_after_a_checkpoint(scheme):
    text = STICK_SLIP.replace("kinetic: 3 N, static: 5 N", "kinetic: 2 N, static: 4 N, kinetic_coefficient: 0.1")
    text = text.replace("loads:", "loads:\n  - gravity: {acceleration: [0, 0, -9.81]}")
    change = [f"run.scheme={scheme}", "run.step=2 ms", "run.end=2"]
    history(text, *change)
    history(text, *change, name="two", ranks=2)
    a, b = (columns_of(n)["probes/block/displacement"] for n in ("model.h5", "two.h5"))
    assert np.abs(a - b).max() < 1e-11  # round-off of the sums
    change.append("run.snapshots=0.1")
    run("model.yaml", "whole.h5", *settings(*change))
    run("model.yaml", "part.h5", *settings(*change, "run.end=1.1"))
    said = limber("resume", "part.h5", "-q", "--end", "2")
    assert said.code == 0, said.err
    assert same_results("whole.h5", "part.h5") == "same"


def test_static_equilibrium_and_modes_know_what_sticks():
    write("incline.yaml", incline(0.3))
    said = limber("static", "incline.yaml", "-o", "static.h5")
    assert said.code == 0, said.err
    slide = columns_of("static.h5")["probes/rail/slide"].ravel()
    assert abs(slide[-1] - 2 * g * math.sin(0.3) / 1e6) < 1e-12
    h = history(incline(0.3), "run.start=equilibrium")
    assert np.abs(h["probes/rail/slide"][:] - slide[-1]).max() < 1e-12


@pytest.mark.parametrize("friction, message", [
    ("{kinetic: -1}", "negative `friction` would create energy"),
    ("{kinetic: 3, static: 2}", "`static` friction must not be less than `kinetic` friction"),
    ("{static: 2}", "`static` friction needs a `kinetic` one"),
    ("{kinetic_coefficient: 0.1}", "friction that grows with the reaction needs a `stiffness`"),
    ("{stiffness: 1e5}", "`friction` needs a `kinetic` force or a `kinetic_coefficient`"),
    ("{kinetic: 2, radius: 1}", "radius"),
    ("5 N", "friction"),
])
def test_wrong_friction_is_told(friction, message):
    write("wrong.yaml", slider(friction, "joint_force: {joint: rail, value: 4}"))
    said = limber("check", "wrong.yaml")
    assert said.code == 2 and message in said.err and said.err.startswith("wrong.yaml:7:"), said.err


def test_friction_by_a_coefficient_needs_a_reaction_and_of_an_angle_a_radius():
    write("wrong.yaml", DRIVEN.replace("radius: 30 mm, ", ""))
    assert "friction of an angle by a coefficient needs a `radius`" in limber("check", "wrong.yaml").err
    write("wrong.yaml", slider("{}", "joint_force: {joint: rail, value: 4}").replace("prismatic: {", "actuator: {").replace(
        "axis: [1, 0, 0], slide: {friction: {}}", "to: [1, 0, 0], slide: {friction: {kinetic_coefficient: 0.1, stiffness: 10}}"))
    assert "it carries no force across its coordinates: give `kinetic` friction" in limber("check", "wrong.yaml").err


# ---- coordinates at the start ----

ARM = """
limber: 1
nodes: {upper: {at: [0.5, 0, 0]}, fore: {at: [1.4, 0, 0]}, hand: {at: [1.8, 0, 0]}}
elements:
  - rigid_body: {node: upper, mass: 2, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: fore, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: hand, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: shoulder, nodes: [ground, upper], axis: [0, 0, 1], at: [0, 0, 0], angle: {start: 30 deg}}
  - revolute: {name: elbow, nodes: [upper, fore], axis: [0, 0, 1], at: [1, 0, 0], angle: {start: -50 deg, initial_rate: 2}}
  - prismatic: {name: wrist, nodes: [fore, hand], axis: [1, 0, 0], slide: {start: 0.1 m}}
probes:
  - {name: upper, node: upper, record: [position, velocity]}
  - {name: fore, node: fore, record: [position]}
  - {name: hand, node: hand, record: [position]}
  - {name: joints, joint: elbow, record: [angle, rate]}
  - {name: wrist, joint: wrist, record: [slide]}
run: {step: 1 ms, end: 10 ms}
"""


def turned(angle, x, y):
    return np.array([x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)])


def test_an_arm_begins_where_its_joints_are(measured):
    h = history(ARM)
    a, b = math.radians(30), math.radians(-50)
    upper, elbow = turned(a, 0.5, 0), turned(a, 1, 0)
    expected = {"upper": upper, "fore": elbow + turned(a + b, 0.4, 0), "hand": elbow + turned(a + b, 0.9, 0)}
    for name, at in expected.items():
        assert np.abs(h[f"probes/{name}/position"][0, :2] - at).max() < 1e-13
    assert h["probes/joints/angle"].ravel()[0] == pytest.approx(b, abs=1e-14)
    assert h["probes/joints/rate"].ravel()[0] == pytest.approx(2, rel=1e-12)
    assert h["probes/wrist/slide"].ravel()[0] == pytest.approx(0.1, abs=1e-14)


@pytest.mark.parametrize("joints,ranks", [(2, 1), (40, 1), (40, 2)])
def test_point_masses_without_inertia_start_at_the_given_rates(joints, ranks, measured):
    """A chain of slides beside each other, whose bodies do not rotate: velocities are sums of rates along the axes."""
    axes = [[1, 0, 0], [0, 1, 0], [0.6, 0, 0.8]]
    rate = [math.sin(1 + i) for i in range(joints)]
    lines = ["limber: 1", "nodes:"] + [f"  n{i}: [{0.1 * i}, {i % 3}, {0.5 * (7 * i % 5)}]" for i in range(joints)]
    lines += ["elements:"] + [f"  - mass: {{node: n{i}, mass: {10**(i % 4 - 2)}}}" for i in range(joints)] + ["joints:"]
    for i in range(joints):
        lines.append(f"  - prismatic: {{name: j{i}, nodes: [{f'n{i - 1}' if i else 'ground'}, n{i}], axis: {axes[i % 3]}, "
                     f"slide: {{stiffness: 3, initial_rate: {rate[i]!r}}}}}")
    lines += ["probes:"] + [f"  - {{joint: j{i}, record: [rate]}}" for i in range(joints)]
    lines += [f"  - {{node: n{i}, record: [velocity, angular_velocity]}}" for i in range(joints)]
    h = history("\n".join(lines + ["run: {step: 1 ms, end: 2 ms, scheme: preserving, order: 4}\n"]), ranks=ranks)
    off = max(abs(h[f"probes/j{i}/rate"].ravel()[0] - rate[i]) for i in range(joints))
    v = np.cumsum([r * np.array(axes[i % 3]) for i, r in enumerate(rate)], axis=0)
    far = max(np.abs(h[f"probes/n{i}/velocity"][0] - v[i]).max() for i in range(joints))
    spin = max(np.abs(h[f"probes/n{i}/angular_velocity"][0]).max() for i in range(joints))
    measured(f"rates differ by {off:.1e}, velocities by {far:.1e} m/s; {spin:.1e} rad/s")
    assert off < 1e-14 and far < 1e-14 and spin < 1e-16  # measured 1.4e-16, 3.3e-16, 4.9e-18; without refinement 6e-7, 2e-6, 7e-7


def test_initial_rates_that_contradict_each_other_are_reported():
    """In a parallelogram both cranks have the same rate."""
    text = """
limber: 1
nodes: {a: [0, 1, 0], b: [2, 1, 0], c: [1, 1, 0]}
elements: [mass: {node: a, mass: 1}, mass: {node: b, mass: 1}, mass: {node: c, mass: 1}]
joints:
  - revolute: {name: p, nodes: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], angle: {initial_rate: 1.7}}
  - revolute: {name: q, nodes: [a, c], at: [0, 1, 0], axis: [0, 0, 1]}
  - revolute: {name: r, nodes: [c, b], at: [2, 1, 0], axis: [0, 0, 1]}
  - revolute: {name: s, nodes: [ground, b], at: [2, 0, 0], axis: [0, 0, 1], angle: {initial_rate: RATE}}
probes: [{name: p, joint: p, record: [rate]}, {name: s, joint: s, record: [rate]}]
run: {step: 1 ms, end: 2 ms}
"""
    for rate, contradicts in ((1.7, False), (0.5, True)):
        write("bars.yaml", text.replace("RATE", str(rate)).replace(
            "mass: {node: a, mass: 1}", "rigid_body: {node: a, mass: 1, inertia: [1, 1, 1]}"))
        said = limber("run", "bars.yaml", "-o", "bars.h5")
        assert said.code == 0, said.err
        assert ("initial velocities, joints and drives contradict each other" in said.out + said.err) == contradicts
        if not contradicts:
            h = columns_of("bars.h5")
            assert max(abs(h[f"probes/{name}/rate"].ravel()[0] - 1.7) for name in "ps") < 1e-14


def test_a_drive_begins_at_the_start_and_a_limit_counts_it():
    text = ARM.replace("probes:", "loads:\n  - drive: {joint: elbow, motion: {expression: 3*t}}\nprobes:").replace(", initial_rate: 2", "")
    h = history(text)
    assert h["probes/joints/angle"].ravel()[-1] == pytest.approx(math.radians(-50) + 0.03, abs=1e-12)
    write("arm.yaml", ARM.replace("start: 30 deg", "start: 30 deg, limits: [20 deg, 60 deg], limit_stiffness: 1e4"))
    assert "warning" not in limber("check", "arm.yaml").err
    assert "is 2 at the start, outside of its limits" in limber("check", "arm.yaml", "--set", "joints.shoulder.angle.start=2").err


SLIDER_CRANK = """
limber: 1
nodes: {crank: {at: [0.1, 0, 0]}, rod: {at: [0.4, 0, 0]}, piston: {at: [0.6, 0, 0]}}
elements:
  - rigid_body: {node: crank, mass: 2, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: rod, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: piston, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: main, nodes: [ground, crank], axis: [0, 0, 1], at: [0, 0, 0], angle: {MAIN}}
  - revolute: {name: big_end, nodes: [crank, rod], axis: [0, 0, 1], at: [0.2, 0, 0]}
  - revolute: {name: pin, nodes: [rod, piston], axis: [0, 0, 1], at: [0.6, 0, 0]}
  - prismatic: {name: bore, nodes: [ground, piston], axis: [1, 0, 0], slide: {BORE}}
probes:
  - {name: rod, node: rod, record: [position]}
  - {name: piston, node: piston, record: [position]}
  - {name: main, joint: main, record: [angle]}
run: {step: 1 ms, end: 2 ms}
"""


@pytest.mark.parametrize("angle", [40, 130, -75, 200])
def test_a_slider_crank_begins_where_its_closed_form_says(angle):
    h = history(SLIDER_CRANK.replace("MAIN", f"start: {angle} deg").replace("BORE", ""))
    a, r, l = math.radians(angle), 0.2, 0.4
    piston = r * math.cos(a) + math.sqrt(l**2 - (r * math.sin(a))**2)
    assert np.abs(h["probes/piston/position"][0] - [piston, 0, 0]).max() < 1e-12
    middle = 0.5 * (turned(a, r, 0) + np.array([piston, 0]))
    assert np.abs(h["probes/rod/position"][0, :2] - middle).max() < 1e-12


def test_a_loop_at_its_dead_point_or_out_of_reach_is_told():
    write("crank.yaml", SLIDER_CRANK.replace("MAIN", "").replace("BORE", "start: -0.1"))
    said = limber("check", "crank.yaml")
    assert said.code == 2 and said.err.startswith("crank.yaml:12:") and "in two ways" in said.err, said.err
    write("crank.yaml", SLIDER_CRANK.replace("MAIN", "").replace("BORE", "start: 0.1"))
    said = limber("check", "crank.yaml")
    assert said.code == 2 and "cannot be assembled at slide = 0.1 m: from its given position it gets as far as 0 m" in said.err, said.err


FOUR_BAR = """
limber: 1
nodes: {a: {at: [0, 0.1, 0]}, b: {at: [0.25, 0.3, 0]}, c: {at: [0.5, 0.2, 0]}, load: {at: [0.5, 0.6, 0]}}
elements:
  - rigid_body: {node: a, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: b, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: c, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - rigid_body: {node: load, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: j1, nodes: [ground, a], axis: [0, 0, 1], at: [0, 0, 0], angle: {start: START}}
  - revolute: {name: j2, nodes: [a, b], axis: [0, 0, 1], at: [0, 0.2, 0]}
  - revolute: {name: j3, nodes: [b, c], axis: [0, 0, 1], at: [0.5, 0.4, 0]}
  - revolute: {name: j4, nodes: [c, ground], axis: [0, 0, 1], at: [0.5, 0, 0]}
  - revolute: {name: hanger, nodes: [b, load], axis: [0, 0, 1], at: [0.5, 0.4, 0]}
probes:
  - {name: load, node: load, record: [position]}
  - {name: c, node: c, record: [position]}
  - {name: hanger, joint: hanger, record: [angle]}
run: {step: 1 ms, end: 2 ms}
"""


@pytest.mark.parametrize("angle", [-40, 60])
def test_a_four_bar_begins_where_its_closed_form_says_and_carries_along_what_hangs_on_it(angle):
    h = history(FOUR_BAR.replace("START", f"{angle} deg"))
    crank = turned(math.radians(angle), 0, 0.2)
    coupler, rocker, foot = math.hypot(0.5, 0.2), 0.4, np.array([0.5, 0])
    d = foot - crank  # the pin of coupler and rocker is where two circles meet, on the side that is drawn
    along = (np.dot(d, d) + coupler**2 - rocker**2) / (2 * np.linalg.norm(d))
    e = d / np.linalg.norm(d)
    pin = crank + along * e + math.sqrt(coupler**2 - along**2) * np.array([-e[1], e[0]])
    assert np.abs(h["probes/c/position"][0, :2] - (foot + 0.5 * (pin - foot))).max() < 1e-12
    turn = math.atan2(*(pin - crank)[::-1]) - math.atan2(0.2, 0.5)
    assert np.abs(h["probes/load/position"][0, :2] - (pin + turned(turn, 0, 0.2))).max() < 1e-12
    assert abs(h["probes/hanger/angle"].ravel()[0]) < 1e-13


def test_a_beam_between_joints_moves_rigidly_and_the_picture_shows_it():
    text = """
limber: 1
nodes: {a: {at: [0, 0, 0]}, b: {at: [1, 0, 0]}, c: {at: [2, 0, 0]}}
sections: {s: {circle: {diameter: 20 mm}, E: 2e11, nu: 0.3, density: 7800}}
elements:
  - beam: {name: first, from: a, to: b, section: s}
  - beam: {name: second, from: b2, to: c, section: s}
joints:
  - revolute: {name: root, nodes: [ground, a], axis: [0, 0, 1], angle: {start: 90 deg}}
  - revolute: {name: middle, nodes: [b, b2], axis: [0, 0, 1], angle: {start: 90 deg}}
probes: [{name: c, node: c, record: [position]}]
run: {step: 1 ms, end: 2 ms}
""".replace("c: {at: [2", "b2: {at: [1, 0, 0]}, c: {at: [2")
    h = history(text)
    assert np.abs(h["probes/c/position"][0] - [-1, 1, 0]).max() < 1e-12
    assert h["ledger/strain"][0] < 1e-15
    assert limber("check", "model.yaml", "--picture", "start.svg").code == 0
    run("model.yaml", "two.h5", ranks=2)
    assert np.abs(columns_of("two.h5")["probes/c/position"] - h["probes/c/position"]).max() < 1e-13


def test_a_start_is_the_same_on_two_ranks_after_a_checkpoint_and_before_an_equilibrium():
    write("start.yaml", SLIDER_CRANK.replace("MAIN", "start: 40 deg, initial_rate: 3").replace("BORE", ""))
    change = ["run.snapshots=0.01", "run.end=0.1"]
    run("start.yaml", "one.h5", *settings(*change))
    run("start.yaml", "two.h5", *settings(*change), ranks=2)
    assert same_results("one.h5", "two.h5", 1e-9) == "same"
    run("start.yaml", "part.h5", *settings(*change, "run.end=0.05"))
    assert limber("resume", "part.h5", "-q", "--end", "0.1").code == 0
    assert same_results("one.h5", "part.h5") == "same"
    text = ARM.replace("probes:", "loads:\n  - gravity: {acceleration: [0, -9.81, 0]}\nprobes:")
    text = text.replace("start: 30 deg", "start: 30 deg, stiffness: 500").replace("start: 0.1 m", "start: 0.1 m, stiffness: 1e4")
    text = text.replace("start: -50 deg, initial_rate: 2", "start: -50 deg, stiffness: 300, rest: -50 deg")
    h = history(text, "run.start=equilibrium")
    assert np.ptp(h["probes/hand/position"], axis=0).max() < 1e-12
