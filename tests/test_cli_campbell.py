# SPDX-License-Identifier: Apache-2.0
"""limber campbell: modes followed through crossings and veerings, critical speeds, the picture; and Python's view of it."""
import math

import numpy as np
import pytest

from support import h5, limber, python, settings, source, write

SHAFT = """
limber: 1
title: Spinning shaft
let: {r: 1/40, omega: 10}
nodes: {left: [0, 0, 0], right: [1, 0, 0]}
motion: {angular_velocity: [omega, 0, 0]}
sections:
  s: {stiffness: [1e6, 1e6, 1e6, 2, 1, 1], mass: 1, inertia: [2*r^2, r^2, r^2]}
elements:
  - beam: {name: shaft, from: left, to: right, section: s, up: [0, 0, 1], elements: 5}
joints:
  - spherical: {nodes: [ground, left]}
  - point_on_line: {nodes: [ground, right], axis: [1, 0, 0]}
campbell: {vary: omega, from: 0, to: 50, steps: 5, modes: 4, multiples: [1, 2]}
"""


def campbell(text, *changes, name="model", ranks=1, **env):
    write(f"{name}.yaml", text)
    said = limber("campbell", f"{name}.yaml", "-o", f"{name}.h5", *settings(*changes), ranks=ranks, **env)
    assert said.code == 0, said.err
    with h5(f"{name}.h5") as f:
        rows = f["history/time"][:]
        return rows, f["history/campbell/imaginary"][:], f["history/campbell/real"][:], said


def whirl(n, rate):
    """Forward and backward frequencies of the shaft, from the ground: (1 + a) w^2 -+ 2 a rate w - k^4 = 0."""
    k, a = n * math.pi, (n * math.pi / 40) ** 2
    return [(s * a * rate + math.sqrt((a * rate) ** 2 + (1 + a) * k ** 4)) / (1 + a) for s in (1, -1)]


def test_a_shaft_is_followed_through_its_critical_speeds(measured):
    rows, omega, _, said = campbell(SHAFT)
    worst = 0
    for rate, row in zip(rows, omega):
        (f1, b1), (f2, b2) = whirl(1, rate), whirl(2, rate)
        exact = np.array([f1 - rate, b1 + rate, f2 - rate, b2 + rate])  # in the rotating frame, through zero
        worst = max(worst, np.abs(row - exact).max() / 40)
    measured(f"{len(rows)} rows, off by {worst:.1e}")
    assert worst < 1e-4
    critical = [math.pi ** 2 / math.sqrt(1 - (math.pi / 40) ** 2), 4 * math.pi ** 2 / math.sqrt(1 - (math.pi / 20) ** 2)]
    with h5("model.h5") as f:
        names = list(f["history/crossing/value"].attrs["columns"])
        value = dict(zip(names, f["history/crossing/value"][0]))
    assert value["mode1_0x"] == pytest.approx(critical[0], rel=1e-4)
    assert value["mode3_0x"] == pytest.approx(critical[1], rel=1e-3)
    assert "forward whirl" in said.out and "backward whirl" in said.out


# Two masses on springs, joined by a weak one: as the first stiffens their frequencies come near, and part again.
VEERING = """
limber: 1
let: {k: 1, weak: 0.02}
nodes: {a: {at: [0, 0, 0], kind: point}, b: {at: [5, 0, 0], kind: point}}
elements:
  - mass: {name: a, node: a, mass: 1}
  - mass: {name: b, node: b, mass: 1}
  - spring: {name: weak, nodes: [a, b], stiffness: weak}
joints:
  - point_on_line: {name: left, nodes: [ground, a], axis: [1, 0, 0], slide: {stiffness: k}}
  - point_on_line: {name: right, nodes: [ground, b], axis: [1, 0, 0], slide: {stiffness: 1}}
campbell: {vary: k, from: 0.5, to: 1.5, steps: 4, modes: 2}
"""


def test_modes_that_veer_are_followed_with_shorter_steps(measured):
    rows, omega, _, said = campbell(VEERING)
    for k, row in zip(rows, omega):
        exact = np.sqrt(np.linalg.eigvalsh([[k + 0.02, -0.02], [-0.02, 1.02]]))
        assert row == pytest.approx(exact, rel=1e-7)  # the lower branch stays the lower one
    measured(f"{len(rows)} rows of 5")
    assert len(rows) > 5
    assert "modes 1 and 2 veer at k = " in said.out


def test_modes_that_cross_are_not_taken_for_each_other():
    rows, omega, _, said = campbell(VEERING, "let.weak=1e-9")
    for k, row in zip(rows, omega):
        assert row == pytest.approx([math.sqrt(k), 1], rel=1e-6)
    assert "veer" not in said.out


def test_an_unstable_range_is_told():
    rows, omega, real, said = campbell((source / "examples/rotor_on_tower/coleman.yaml").read_text(), "campbell.steps=12")
    assert "mode 1 grows from speed = " in said.out and "mode 2 grows" not in said.out
    assert real[list(rows).index(16)].max() == pytest.approx(1.207034585, rel=1e-7)


def test_round_off_does_not_choose_between_branches():
    """Two modes become one that grows and one that decays, and part again."""
    text = (source / "examples/rotor_on_tower/coleman.yaml").read_text()
    ways = [((), {"OPENBLAS_CORETYPE": core}) for core in ("Haswell", "Sandybridge", "Prescott")]
    ways += [((f"let.kh={8000 * (1 + part)!r}",), {}) for part in (1e-15, -3e-14, 1e-13)]
    found = [campbell(text, "campbell.steps=12", *changes, **env) for changes, env in ways]
    for rows, omega, real, _ in found:
        assert omega[-1] == pytest.approx([-12.88126368, 11.84666322, 10.17538508, 14.66195874, 34.3637839], rel=1e-8)
        assert real[list(rows).index(16)] == pytest.approx([1.207034585, -1.207034585, 0, 0, 0], rel=1e-7, abs=1e-12)


def test_the_speed_is_that_of_a_drive():
    text = (source / "examples/rotor_on_tower/coleman.yaml").read_text()
    still = "\n".join(line for line in text.split("\n") if not line.startswith("motion:"))
    given, taken = campbell(text, "campbell.steps=6"), campbell(still, "campbell.steps=6")
    assert taken[1] == pytest.approx(given[1], rel=1e-9) and taken[2] == pytest.approx(given[2], rel=1e-7, abs=1e-12)


def test_two_ranks_follow_as_one_does():
    one, two = (campbell(SHAFT, "campbell.steps=3", name=f"on{n}", ranks=n) for n in (1, 2))
    assert np.allclose(one[0], two[0]) and np.allclose(one[1], two[1], rtol=1e-6, atol=1e-6)


def test_the_diagram_is_drawn():
    campbell(SHAFT, "campbell.steps=3", name="drawn")
    said = limber("plot", "drawn.h5", "--campbell", "-o", "drawn.svg")
    assert said.code == 0, said.err
    picture = open("drawn.svg").read()
    assert "forward whirl" in picture and "2x" in picture and "frequency [Hz]" in picture
    write("plain.yaml", SHAFT)
    limber("modes", "plain.yaml", "-o", "plain.h5", *settings("modes.frames=0"))
    said = limber("plot", "plain.h5", "--campbell")
    assert said.code == 2 and "limber campbell" in said.err


def test_mistakes_are_told():
    write("none.yaml", SHAFT.split("campbell:")[0])
    said = limber("campbell", "none.yaml")
    assert said.code == 2 and "campbell: {vary: speed" in said.err
    write("wrong.yaml", SHAFT.replace("to: 50", "to: 50 rpm").replace("from: 0,", "from: 1 Hz,"))
    said = limber("campbell", "wrong.yaml")
    assert said.code == 2 and "the same unit" in said.err
    write("unknown.yaml", SHAFT.replace("vary: omega", "vary: omgea"))
    said = limber("campbell", "unknown.yaml")
    assert said.code != 0 and "omgea" in said.err


def test_python_has_modes_and_diagrams():
    write("python.yaml", SHAFT)
    script = """
import limber, numpy
m = limber.modes("python.yaml", {"let.omega": 0}, count=4)
assert len(m) == 4 and m.rigid == 1, (len(m), m.rigid)
assert abs(m[0].frequency * 2 * numpy.pi - 9.8393042) < 1e-3, m[0]
assert m[0].name.startswith("shaft bending"), m[0].name
assert m[0].error.real == 0 and 0 < m[0].error.imag < 1e-4 * 9.84, m[0].error  # measured: 1.7e-6
middle = m.shape(0, "shaft.7")
assert middle.dtype == complex and abs(middle).max() > 1
strain, kinetic = m.energy(0, "shaft")
assert abs(strain - 1) < 1e-9 and abs(kinetic - 1) < 1e-9
c = limber.campbell("python.yaml", {"campbell.steps": 2, "campbell.multiples": [1]})
assert c.frequency.shape == (len(c.value), 4) and c.value[-1] == 50 and c.rate[-1] == 50
assert any(x.multiple == 0 for x in c.crossings) and len(c.names) == 4
try:
    limber.modes("python.yaml", counts=3)
    raise AssertionError("accepted")
except TypeError as error:
    assert "count" in str(error)
"""
    python(script)
