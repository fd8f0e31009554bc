# SPDX-License-Identifier: Apache-2.0
"""Air on a rotor whose support stands: multi-blade coordinates with the states of the wake, against a model that turns as a whole and
against Floquet's theory."""
import math

import pytest

from support import h5, limber, settings, write


def whirling(whole, unsteady="all", wind="[0, 0, 8]", more=(), element="elements: 1"):
    """Three blades that bend in the wind, on a post that is the same all around: with the post at rest or turning, the motions are the same,
    but for the frame in which they are seen."""
    lines = ["limber: 1", "let: {speed: 12}", "nodes:", "  root: " + ("[0, 0, -2]" if whole else "{at: [0, 0, -2], kind: fixed}"), "  top: [0, 0, 0]",
             "  hub: [0, 0, 0]", "sections:", "  post: {stiffness: [1e8, 1e8, 1e8, 4e4, 6e4, 6e4], mass: 1e-9, inertia: [2e-12, 1e-12, 1e-12]}",
             "  blade: {stiffness: [1e7, 1e7, 1e7, 3e3, 4e3, 3e4], mass: 2, centre: [-0.02, 0], inertia: [0.01, 0.002, 0.008]}", "elements:",
             "  - beam: {name: post, from: root, to: top, section: post, up: [1, 0, 0], elements: 2}",
             "  - rigid_body: {name: hub, node: hub, mass: 20, inertia: [1, 1, 2]}", *more]
    welds = []
    for k in range(3):
        c, s = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)
        lines += [f"  - beam: {{name: blade{k}, start: [{0.3 * c:.17g}, {0.3 * s:.17g}, 0], end: [{3 * c:.17g}, {3 * s:.17g}, 0], section: blade, "
                  f"up: [{-s:.17g}, {c:.17g}, 0], {element}, damping: 1 ms}}",
                  f"  - strip: {{name: air{k}, element: blade{k}, wind: {wind}, unsteady: {unsteady}, chord: 0.4, twist: 0.12, quarter: [0.1, 0], drag: 0.02}}"]
        welds.append(f"  - weld: {{nodes: [hub, blade{k}.start]}}")
    lines += ["joints:", *welds, f"  - revolute: {{name: bearing, nodes: {'[ground, root]' if whole else '[top, hub]'}, axis: [0, 0, 1]}}"]
    lines += ["  - weld: {nodes: [top, hub]}"] if whole else []
    return "\n".join(lines + ["loads:", "  - drive: {name: motor, joint: bearing, rate: speed}", "modes: {count: 120}"]) + "\n"


def modes(text, name, **options):
    write(f"{name}.yaml", text)
    said = limber("modes", f"{name}.yaml", "-o", f"{name}.h5", **options)
    assert said.code == 0, said.err
    with h5(f"{name}.h5") as f:
        return said, [complex(*x) for x in zip(f["history/mode/real"][:], f["history/mode/imaginary"][:])]


@pytest.mark.parametrize("unsteady, least", [("none", 1e-8), ("wake", 1e-8), ("all", 2e-5)])
def test_a_rotor_on_a_post_has_the_modes_of_rotor_and_post_that_turn_together(unsteady, least, measured):
    """Whirls are seen 12 rad/s faster or slower in the rotating frame. With the mass of the air, which has an equation without rates, the
    error bounds of eigenvalues are up to 1e-4 of them."""
    _, stands = modes(whirling(False, unsteady), "stands")
    _, turns = modes(whirling(True, unsteady), "turns")
    both = turns + [x.conjugate() for x in turns]
    worst = max(min(abs(x + 12j * n - y) for y in both for n in (-1, 0, 1)) / max(1, abs(x)) for x in stands)
    measured(f"{len(stands)} eigenvalues, off by {worst:.1e}")
    assert len(stands) == len(turns) > 70 and worst < least


def blown(wind=3.0, speed=10.0, rows=1000):
    """Three rigid blades on inclined hinges, twisted like the air that meets them: without force, so that the steady motion is known."""
    place = [(k / rows, 1.5 + 0.9 * k / rows) for k in range(rows + 1)]
    stations = ", ".join(f"[{at:.17g}, 0.4, {-math.atan(wind / (speed * r)):.17g}, 0.05, 0]" for at, r in place)
    lines = ["limber: 1", f"let: {{speed: {speed}}}", "nodes:", "  pylon: {at: [0, 0, 0], angular_velocity: [0, 0, 0]}", "  hub: [0, 0, 0]"]
    elements, joints = [], []
    for k in range(3):
        c, s = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)
        lines += [f"  {name}{k}: [{x * c:.17g}, {x * s:.17g}, 0]" for name, x in (("b", 1.5), ("t", 2.4))]
        elements += [f"  - rigid_body: {{name: blade{k}, node: b{k}, mass: 5, inertia: [3.2, 3.2, 3.2]}}",
                     f"  - rigid_body: {{name: tip{k}, node: t{k}, mass: 0.2, inertia: [0.01, 0.01, 0.01]}}",
                     f"  - beam: {{name: line{k}, from: b{k}, to: t{k}, section: line, up: [{-s:.17g}, {c:.17g}, 0], elements: 1, order: 1}}",
                     f"  - strip: {{name: air{k}, element: line{k}, wind: [0, 0, {wind}], stations: [{stations}]}}"]
        axis = f"[{-math.sin(0.6) * s:.17g}, {math.sin(0.6) * c:.17g}, {math.cos(0.6):.17g}]"
        joints += [f"  - revolute: {{name: hinge{k}, nodes: [hub, b{k}], axis: {axis}, at: [{0.3 * c:.17g}, {0.3 * s:.17g}, 0], "
                   "angle: {stiffness: 400, damping: 4}}", f"  - weld: {{nodes: [b{k}, t{k}]}}"]
    spring = "{stiffness: 8000, damping: 30}"
    return "\n".join([*lines, "sections: {line: {stiffness: [1e8, 1e8, 1e8, 1e6, 1e6, 1e6], mass: 0, inertia: [0, 0, 0]}}", "elements:",
                      "  - rigid_body: {name: pylon, node: pylon, mass: 30, inertia: [1, 1, 1]}", "  - rigid_body: {name: hub, node: hub, mass: 30, inertia: [1, 1, 1]}",
                      *elements, "joints:", f"  - planar: {{name: springs, nodes: [ground, pylon], axis: [0, 0, 1], slide1: {spring}, slide2: {spring}, "
                      "angle: {stiffness: 1e5, damping: 100}}", "  - revolute: {name: shaft, nodes: [pylon, hub], axis: [0, 0, 1]}", *joints,
                      "motion: {angular_velocity: [0, 0, speed]}", "loads:", "  - drive: {name: motor, joint: shaft, rate: speed}",
                      "modes: {count: 5}", "floquet: {period: 2*pi/speed}"]) + "\n"


def multipliers(steps):
    said = limber("floquet", "blown.yaml", "-o", "floquet.h5", *settings(f"floquet.steps={steps}"))
    assert said.code == 0 or "not periodic" in said.out, said.err
    with h5("floquet.h5") as f:
        return [complex(*x) for x in zip(f["history/multiplier/real"][:], f["history/multiplier/imaginary"][:])]


def test_floquet_agrees_with_multi_blade_coordinates_in_an_axial_wind(measured):
    """Errors of the steps are of second order: three numbers of steps, extrapolated."""
    _, found = modes(blown(), "blown")
    several, worst = [multipliers(n) for n in (100, 200, 400)], 0
    for x in found:
        exact = math.e ** (x.real * math.pi / 5) * complex(math.cos(x.imag * math.pi / 5), abs(math.sin(x.imag * math.pi / 5)))
        a, b, c = (min((complex(m.real, abs(m.imag)) for m in all_of), key=lambda m: abs(m - exact)) for all_of in several)
        worst = max(worst, abs((16 * (4 * c - b) / 3 - (4 * b - a) / 3) / 15 - exact))
    measured(f"off by {worst:.1e}")
    assert len(found) == 5 and worst < 1e-6


def test_floquet_refuses_states_of_the_air():
    write("states.yaml", blown().replace("wind: [0, 0, 3.0],", "wind: [0, 0, 3.0], unsteady: wake,"))
    said = limber("floquet", "states.yaml")
    assert said.code != 0 and "is a state of the air" in said.err and "`unsteady: none`" in said.err, said.err


def test_still_air_does_nothing_to_a_support_that_stands(measured):
    """If the strip of the post turned with the rotor, it would have forces."""
    strip = "  - strip: {name: calm, element: post, chord: 0.3, drag: 1}"
    _, bare = modes(whirling(False, "none"), "bare")
    _, calm = modes(whirling(False, "none", more=(strip,)), "calm")
    worst = max(min(abs(x - y) for y in bare) / max(1, abs(x)) for x in calm)
    measured(f"off by {worst:.1e}")
    assert worst < 1e-9


def test_a_wind_across_the_axis_is_remarked():
    said, found = modes(whirling(False, "none", wind="[0.1, 0, 8]"), "across")
    assert "the wind of strip 'air0' is not the same all around the axis of the rotor" in said.out and len(found) > 10
    said, _ = modes(whirling(False, "none"), "along")
    assert "all around" not in said.out


def test_unequal_air_is_told():
    write("unequal.yaml", whirling(False, "wake").replace("chord: 0.4", "chord: 0.5", 1))
    said = limber("modes", "unequal.yaml")
    assert said.code != 0 and "the blades of the rotor differ" in said.err, said.err


def test_two_ranks_find_the_same(measured):
    _, one = modes(whirling(False, "wake"), "one")
    _, two = modes(whirling(False, "wake"), "two", ranks=2)
    worst = max(min(abs(x - y) for y in two) / max(1, abs(x)) for x in one)
    measured(f"off by {worst:.1e}")
    assert len(one) == len(two) and worst < 1e-7


def test_campbell_and_stability_take_the_rotor():
    text = whirling(False, "none") + "campbell: {vary: speed, from: 6, to: 12, steps: 2, modes: 5}\nstability: {vary: let.speed, from: 6, to: 12, points: 3}\n"
    write("vary.yaml", text)
    for command in ("campbell", "stability"):
        said = limber(command, "vary.yaml")
        assert said.code == 0, said.err
