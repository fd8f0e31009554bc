# SPDX-License-Identifier: Apache-2.0
"""Modes of a rotor on its support: multi-blade coordinates against a closed form and against Floquet's theory, and what is said of
rotors that are not isotropic."""
import importlib.util
import math
import re
import resource

import pytest

from support import h5, limber, settings, source, write

folder = source / "examples/rotor_on_tower"
resonance = folder / "ground_resonance.yaml"
turbine = source / "examples/rotor_5mw/rotor.yaml"
turning = settings("modes.time=30s", "modes.damped=auto")


def closed(speed, **numbers):
    """Eigenvalues of Coleman and Feingold's rotor, without the collective ones, with a positive imaginary part."""
    spec = importlib.util.spec_from_file_location("closed", folder / "closed.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return sorted((complex(x.real, abs(x.imag)) for x in module.eigenvalues(speed, **numbers)), key=lambda x: x.imag)


def modes(model, path, *words, **options):
    said = limber("modes", model, "-o", path, *words, **options)
    assert said.code == 0, said.err
    with h5(path) as f:
        found = [complex(*x) for x in zip(f["history/mode/real"][:], f["history/mode/imaginary"][:])]
        return said, found, list(f["history/mode/rotor_frequency"][:])


def nearest(values, to):
    return min(abs(x - to) for x in values) / abs(to)


@pytest.mark.parametrize("speed", [4, 10, 16, 20])
def test_hinged_blades_on_springs_have_the_modes_of_the_closed_form(speed, measured):
    said, found, _ = modes(resonance, "closed.h5", *settings(f"let.speed={speed}"))
    worst = max(nearest(found, x) for x in closed(speed))
    measured(f"off by {worst:.1e}")
    assert worst < 1e-8
    assert ("grows" in said.out) == (max(x.real for x in closed(speed)) > 0)


def test_four_and_five_blades_are_found(measured):
    """Of n blades the first waves have the equation of three, with another mass."""
    text = resonance.read_text()
    for n in (4, 5):
        nodes, elements, joints = [], [], []
        for k in range(n):
            c, s = (f"{f(2 * math.pi * k / n):.17g}" for f in (math.cos, math.sin))
            nodes.append(f"  n{k}: [r*({c}), r*({s}), 0]")
            elements.append(f"  - rigid_body: {{name: rod{k}, node: n{k}, mass: mb, inertia: [ib, ib, ib]}}")
            joints.append(f"  - revolute: {{nodes: [hub, n{k}], axis: [0, 0, 1], at: [e*({c}), e*({s}), 0], angle: {{stiffness: k, damping: d}}}}")
        lines = [x for x in text.splitlines() if not x.startswith(("  b", "  - revolute: {name: lag", "  - rigid_body: {name: blade"))]
        for head, new in (("elements:", nodes), ("joints:", elements), ("loads:", joints)):
            at = lines.index(head)
            lines[at:at] = new
        write("many.yaml", "\n".join(lines) + "\n")
        _, found, _ = modes("many.yaml", "many.h5", *settings("modes.count=9"))
        worst = max(nearest(found, x) for x in closed(10, n=n))
        measured(f"{n} blades: off by {worst:.1e}")
        assert worst < 1e-8


def test_a_tilted_rotor_has_the_same_modes(measured):
    """About the axis (2, 2, -1)/3; the hub's own stiffness is round-off there."""
    axes = [[1 / 3, -2 / 3, -2 / 3], [-2 / 3, 1 / 3, -2 / 3]]  # x and y of the rotor
    def place(x, y): return "[" + ", ".join(f"{x * a + y * b:.17g}" for a, b in zip(*axes)) + "]"
    lines, hinges = [], []
    up = "[" + ", ".join(f"{v:.17g}" for v in (2 / 3, 2 / 3, -1 / 3)) + "]"
    for k in range(3):
        c, s = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)
        lines.append(f"  b{k + 1}: {place(1.5 * c, 1.5 * s)}")
        hinges.append(f"  - revolute: {{nodes: [hub, b{k + 1}], axis: {up}, at: {place(0.3 * c, 0.3 * s)}, angle: {{stiffness: k, damping: d}}}}")
    text = [x for x in resonance.read_text().splitlines() if not x.startswith(("  b", "  - revolute: {name: lag", "  hub:"))]
    for head, new in (("elements:", ["  hub: [0, 0, 0]", *lines]), ("loads:", hinges)):
        at = text.index(head)
        text[at:at] = new
    write("tilted.yaml", "\n".join(text).replace("axis: [0, 0, 1]", f"axis: {up}") + "\n")
    _, found, _ = modes("tilted.yaml", "tilted.h5")
    worst = max(nearest(found, x) for x in closed(10))
    measured(f"off by {worst:.1e}")
    assert worst < 1e-8


wheel = """limber: 1
nodes: {root: {at: [0, 0, 0], kind: fixed}, top: [0, 0, 1], disc: [0, 0, 1]}
sections: {post: {stiffness: [1e8, 1e8, 1e8, 700, 1e3, 1e3], mass: 1e-3, inertia: [2e-6, 1e-6, 1e-6]}}
elements:
  - beam: {name: post, from: root, to: top, section: post, up: [1, 0, 0], elements: 4}
  - rigid_body: {name: disc, node: disc, mass: 5, inertia: [0.05, 0.05, 0.1]}
joints: [{revolute: {name: bearing, nodes: [top, disc], axis: [0, 0, 1]}}]
loads: [{drive: {joint: bearing, rate: 300}}]
modes: {count: 3}
"""


def test_a_wheel_on_a_post_whirls_at_the_rate_more_and_less_in_its_own_frame():
    """The post's tip with 12 EI, -6 EI and 4 EI, and the gyroscopic moment of the wheel."""
    write("wheel.yaml", wheel)
    _, found, seen = modes("wheel.yaml", "wheel.h5")
    hertz, turn = [x.imag / (2 * math.pi) for x in found], 300 / (2 * math.pi)
    for f, sense in ((hertz[0], -1), (hertz[1], 1)):  # backward, forward
        w = sense * 2 * math.pi * f
        left, right = (12e3 - 5 * w**2) * (4e3 - 0.05 * w**2 + 0.1 * 300 * w), 6e3**2
        assert abs(left / right - 1) < 1e-2, (left, right)
    assert abs(seen[0] - (hertz[0] + turn)) < 1e-9 and abs(seen[1] - (turn - hertz[1])) < 1e-9
    assert abs(seen[2] - hertz[2]) < 1e-9  # torsion is the same in both frames


def growths(steps):
    said = limber("floquet", resonance, "-o", "floquet.h5", *settings(f"floquet.steps={steps}"))
    assert said.code == 0, said.err
    with h5("floquet.h5") as f:
        return [complex(*x) for x in zip(f["history/multiplier/real"][:], f["history/multiplier/imaginary"][:])]


def test_floquet_agrees_with_multi_blade_coordinates(measured):
    """Errors of the steps are of second order: three numbers of steps, extrapolated."""
    _, found, _ = modes(resonance, "few.h5", *settings("let.speed=10"))
    period, worst = 2 * math.pi / 10, 0
    several = [growths(n) for n in (100, 200, 400)]
    for x in found[:5]:  # the motor holds the sixth's yaw, which decays within a turn
        exact = math.e ** (x.real * period) * complex(math.cos(x.imag * period), math.sin(x.imag * period))
        a, b, c = (min(all_of, key=lambda m: min(abs(m - exact), abs(m - exact.conjugate()))) for all_of in several)
        a, b, c = (complex(m.real, abs(m.imag)) for m in (a, b, c))
        one, two = (4 * b - a) / 3, (4 * c - b) / 3
        worst = max(worst, abs((16 * two - one) / 15 - complex(exact.real, abs(exact.imag))))
    measured(f"off by {worst:.1e}")
    assert worst < 1e-6


beam = """limber: 1
nodes: {root: [0, 0, 0], tip: [1, 0, 0]}
sections: {rod: {stiffness: [1e4, 4e3, 4e3, 5, 1, 4], mass: 1, inertia: [2e-3, 1e-3, 1e-3]}}
elements:
  - beam: {name: rod, from: root, to: tip, section: rod, elements: 6, damping: 5 ms, up: [0, 0, 1]}
joints:
  - clamp: {node: root}
modes: {count: 4}
floquet: {period: 2 s, steps: 200, count: 6}
"""


def largest(path, **options):
    said = limber("floquet", "beam.yaml", "-o", path, **options)
    assert said.code == 0, said.err
    with h5(path) as f:
        return [[complex(*x) for x in zip(f["history/multiplier/real"][:], f["history/multiplier/imaginary"][:])],
                list(f["history/multiplier/error"][:])]


def test_the_largest_multipliers_are_those_of_the_modes(measured):
    """A beam at rest has any period: e^(lambda T), found without the matrix of 72 multipliers, on one rank and on two."""
    write("beam.yaml", beam)
    _, found, _ = modes("beam.yaml", "beam.modes.h5")
    few, error = largest("one.h5")
    assert 6 <= len(few) < 20
    for x in found[:3]:
        exact = math.e ** (2 * x.real) * complex(math.cos(2 * x.imag), math.sin(2 * x.imag))
        m, bound = min(zip(few, error), key=lambda q: abs(q[0] - exact))
        measured(f"{abs(m - exact):.1e}, magnitude {abs(abs(m) - abs(exact)):.1e} of at most {bound:.1e}")
        assert abs(abs(m) - abs(exact)) <= bound and abs(m - exact) < 1e-3  # measured: 6e-4
    again, _ = largest("two.h5", ranks=2)
    assert max(abs(x - y) for x, y in zip(few[:6], again[:6])) < 1e-8


def test_two_ranks_find_the_same():
    for model, words in (resonance, ()), (turbine, turning):
        _, one, seen = modes(model, "one.h5", *settings("modes.count=6"), *words)
        _, two, again = modes(model, "two.h5", *settings("modes.count=6"), *words, ranks=2)
        assert max(nearest(two, x) for x in one) < 1e-8
        assert max(abs(x - y) for x, y in zip(seen, again)) < 1e-7


def test_modes_of_a_turbine_have_names():
    said, found, seen = modes(turbine, "names.h5", *turning)
    for name in ("tower fore-aft 1", "tower side-side 1", "collective flap 1", "flap whirl backward 1", "flap whirl forward 1",
                 "edge whirl backward 1", "edge whirl forward 1"):
        assert name in said.out, said.out
    backward, forward = (next(i for i, line in enumerate(x for x in said.lines if " Hz" not in x and "%" in x) if f"edge whirl {way} 1" in line)
                         for way in ("backward", "forward"))
    turn = 12.1 / 60
    assert abs(seen[backward] - found[backward].imag / (2 * math.pi) - turn) < 1e-9
    assert abs(seen[forward] - found[forward].imag / (2 * math.pi) + turn) < 1e-9


def test_a_turbine_of_100_beam_elements_takes_less_than_20_seconds(measured):
    """Ten modes with 30 elements a blade, with the equilibrium: 0.8 s of CPU."""
    def used():
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime
    before = used()
    _, found, _ = modes(turbine, "whole.h5", *turning, *settings("let.n=30", "modes.count=10"))
    measured(f"{used() - before:.1f} s of CPU")
    assert len(found) == 10 and used() - before < 20


def test_circles_of_the_support_are_whirls():
    """Forward whirl at f has f - n in the frame of the rotor, backward whirl f + n; n is 10 rad/s."""
    said = limber("modes", resonance, "-o", "whirl.h5")
    for way, sign in (("forward", -1), ("backward", 1)):
        seen, in_rotor = re.search(rf"\d +([\d.]+) .* ([\d.]+)  planar 'springs' whirl {way} 1", said.out).groups()
        assert abs(abs(float(seen) + sign * 10 / (2 * math.pi)) - float(in_rotor)) < 1e-5


def refused(name, old, new, *words):
    text = resonance.read_text()
    assert old in text
    write(f"{name}.yaml", text.replace(old, new))
    said = limber("modes", f"{name}.yaml", *words)
    assert said.code != 0
    return said.err + said.out


def test_unequal_blades_are_told():
    assert "the blades of the rotor differ: node 'b2' has another mass" in refused(
        "mass", "name: blade3, node: b3, mass: mb", "name: blade3, node: b3, mass: 1.1*mb")
    assert "is not isotropic: node 'hub'" in refused(
        "hub", "name: hub, node: hub, mass: 0.5*mh, inertia: [1, 1, 1]", "name: hub, node: hub, mass: 0.5*mh, inertia: [1, 2, 1]")
    assert "the rotor has no equal blades" in refused("place", "b3: {at: [r*c, -r*s, 0]", "b3: {at: [r*c, -r*s, 0.1]")


@pytest.mark.parametrize("what, old, new", [("spring", "stiffness: k,", "stiffness: 3*k,"), ("damper", "damping: d}", "damping: 0}"),
                                            ("axis", "axis: [0, 0, 1]", "axis: [0, 0, -1]"),
                                            ("axis", "axis: [0, 0, 1]", "axis: [0.01, 0, 1]"),
                                            ("limit", "damping: d}", "damping: d, limits: [-1, 1], limit_stiffness: 10}"),
                                            ("friction", "damping: d}", "damping: d, friction: {kinetic: 1e-3}}")])
def test_unequal_hinges_are_told(what, old, new):
    line = next(x for x in resonance.read_text().splitlines() if "name: lag2" in x)
    assert f"the blades of the rotor differ: revolute 'lag1' has another {what} than revolute 'lag2'" in refused(
        what, line, line.replace(old, new))


def test_free_hinges_may_point_either_way_and_no_other():
    """Without springs an axis is a line: its opposite is the same hinge, a tilted one is not."""
    text = re.sub(r"angle: {stiffness: k, damping: d}}", "}", resonance.read_text()).replace("at: [e, 0, 0], }", "at: [e, 0, 0]}")
    line = next(x for x in text.splitlines() if "name: lag2" in x)
    free = text.replace(line, line.replace("[0, 0, 1]", "[0, 0, -1]"))
    write("line.yaml", free)
    assert limber("modes", "line.yaml").code == 0
    write("tilted.yaml", text.replace(line, line.replace("[0, 0, 1]", "[0.01, 0, 1]")))
    said = limber("modes", "tilted.yaml")
    assert said.code != 0 and "revolute 'lag1' has another axis than revolute 'lag2'" in said.err


def test_unequal_dampers_of_elements_are_told():
    springs = "".join(f"  - spring: {{name: s{i}, nodes: [hub, b{i}], from: [{x}], to: [{y}], damping: {d}}}\n" for i, x, y, d in (
        (1, "0, 0.2, 0", "r, 0.1, 0", 3), (2, "-0.2*s, 0.2*c, 0", "r*c - 0.1*s, r*s + 0.1*c, 0", "D"),
        (3, "0.2*s, 0.2*c, 0", "r*c + 0.1*s, -r*s + 0.1*c, 0", 3)))
    text = resonance.read_text().replace("joints:\n", springs + "joints:\n")
    write("same.yaml", text.replace("D}", "3}"))
    said = limber("modes", "same.yaml")
    assert said.code == 0, said.err
    write("other.yaml", text.replace("D}", "4}"))
    said = limber("modes", "other.yaml")
    assert said.code != 0 and "the blades of the rotor differ: node" in said.err and "another damping" in said.err, said.err


def test_without_dampers_coriolis_forces_stay(measured):
    _, found, _ = modes(resonance, "undamped.h5", *settings("modes.damped=no"))
    worst = max(abs(x - y) for x, y in zip(sorted(x.imag for x in found[1:5]), (x.imag for x in closed(10, d=0, dh=0))))
    measured(f"off by {worst:.1e} rad/s")
    assert worst < 1e-7 and all(x.real == 0 for x in found)
