# SPDX-License-Identifier: Apache-2.0
"""Lines in still water and on a flat bottom, against closed forms: docs/water.md."""
import math
import sys

import numpy as np
import pytest

from support import h5, limber, run, same_results, settings, source, write

sys.path.insert(0, str(source / "examples/mooring"))
import catenary  # noqa: E402

MOORING = source / "examples/mooring/mooring.yaml"
RHO, G, D, M = 1025.0, 9.81, 0.1, 20.0  # water; a line of 20 kg/m
AREA = math.pi / 4 * D**2
WEIGHT, ACROSS, ALONG = (M - RHO * AREA) * G, 0.5 * RHO * 1.2 * D, 0.5 * RHO * 0.05 * math.pi * D
WATER = f"still_water: {{name: sea, lines: line, diameter: {D}, drag: [1.2, 0.05], added_mass: 0.7}}"


def model(name, nodes, elements, more="", cable="", run="", loads="  - gravity: {acceleration: [0, 0, -9.81]}"):
    rest = "".join(f"  - {e}\n" for e in elements)
    return write(name, f"limber: 1\nnodes:\n{nodes}elements:\n  - cable: {{name: line, from: a, to: b, stiffness: 1e6, mass: {M}{cable}}}\n"
                 f"{rest}loads:\n{loads}\nprobes:\n  - {{name: a, node: a}}\n  - {{name: b, node: b}}\n{more}run: {{{run}}}\n")


def line(start, end, extra=""):
    return f"  a: {{at: {start}, kind: point{extra}}}\n  b: {{at: {end}, kind: point{extra}}}\n"


def probe(results, name, quantity):
    with h5(results) as f:
        return f["history/time"][:], f[f"history/probes/{name}/{quantity}"][:]


def ledger(results, column):
    with h5(results) as f:
        return f[f"history/ledger/{column}"][:]


# ---- drag, buoyancy, added mass ----

def fall(end, force, scheme, step):
    """Where a line is after 2 s that falls from rest: Limber, and -v T ln cosh(t/T)."""
    model("fall.yaml", line("[0, 0, 0]", end), [WATER], cable=", elements: 4", run=f"scheme: {scheme}, step: {step}, end: 2")
    run("fall.yaml", "fall.h5")
    mass, v = M + 0.7 * RHO * AREA, math.sqrt(WEIGHT / force)
    t = 2 / (mass * v / WEIGHT)
    found = probe("fall.h5", "b", "position")[1][-1, 2] - probe("fall.h5", "b", "position")[1][0, 2]
    return found, -v * mass * v / WEIGHT * math.log(math.cosh(t)), probe("fall.h5", "b", "velocity")[1][-1, 2], -v * math.tanh(t)


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c"])
@pytest.mark.parametrize("end, force", [("[4, 0, 0]", ACROSS), ("[0, 0, -4]", ALONG)])
def test_a_line_falls_as_the_closed_form_says(scheme, end, force):
    errors = []
    for step in (0.02, 0.01):
        z, exact, v, speed = fall(end, force, scheme, step)
        errors.append(abs(z / exact - 1))
        assert abs(v / speed - 1) < 3e-5  # measured 4e-6 at 0.01 s, at most
    assert errors[1] < 2e-5 and errors[0] / errors[1] > 3.8  # second order: measured 1.2e-5 at most, ratios from 3.91 on


def test_the_terminal_velocity_is_exact():
    model("fall.yaml", line("[0, 0, 0]", "[4, 0, 0]"), [WATER], cable=", elements: 4", run="step: 0.1, end: 20")
    run("fall.yaml", "fall.h5")
    assert probe("fall.h5", "a", "velocity")[1][-1, 2] == pytest.approx(-math.sqrt(WEIGHT / ACROSS), rel=1e-9)


# Forces at the end of a step take the mean velocity of the step, so that drag is of first order there.
def test_generalized_alpha_has_drag_too():
    z, exact, _, _ = fall("[4, 0, 0]", ACROSS, "generalized_alpha", 0.01)
    assert abs(z / exact - 1) < 2e-3  # measured 1.7e-3, half of that at 0.02 s


def test_a_hanging_line_carries_its_weight_in_water():
    n, length = 8, 20.0
    nodes = "  a: {at: [0, 0, 0], kind: fixed}\n  b: {at: [0, 0, -20], kind: point}\n"
    more = "".join(f"  - {{name: t{i}, element: line, point: {i}}}\n" for i in range(n))
    model("hang.yaml", nodes, [WATER], more, f", elements: {n}", "step: 1, end: 1")
    assert limber("static", "hang.yaml", "-q", "-o", "hang.h5").code == 0
    for i in range(n):
        found = probe("hang.h5", f"t{i}", "force")[1][-1].ravel()[0]
        assert found == pytest.approx(WEIGHT * length * (1 - (i + 0.5) / n), rel=1e-9)


def test_a_light_line_floats_as_deep_as_its_mass_says():
    guides = "joints:\n  - point_on_line: {nodes: [ground, a], axis: [0, 0, 1]}\n  - point_on_line: {nodes: [ground, b], axis: [0, 0, 1]}\n"
    text = model("float.yaml", line("[0, 0, 0.3]", "[1, 0, 0.3]"),
                 ["still_water: {lines: line, diameter: 0.2, level: 0.25}"], guides, run="step: 1, end: 1")
    assert limber("static", text, "-q", "-o", "float.h5").code == 0
    deep = 0.2 * (M / (RHO * math.pi / 4 * 0.04) - 0.5)
    assert probe("float.h5", "a", "position")[1][-1, 2] == pytest.approx(0.25 - deep, abs=1e-12)


def test_added_mass_lowers_the_frequency_of_a_string():
    nodes = "  a: {at: [0, 0, 0], kind: fixed}\n  b: {at: [10, 0, 0], kind: fixed}\n"
    n, tension = 10, 1e6 * (10 / 9.9 - 1)
    for added in (0.0, 2.0):
        water = f"still_water: {{lines: line, diameter: {D}, gravity: 0, drag: [1, 1], added_mass: {added}}}"
        model("string.yaml", nodes, [water], cable=f", elements: {n}, length: 9.9", run="step: 1, end: 1", loads="  []")
        said = limber("modes", "string.yaml", "-q", "-o", "string.h5")
        assert said.code == 0, said.err
        with h5("string.h5") as f:
            found = f["history/mode/frequency"][0]
        lump = (M + added * RHO * AREA) * 9.9 / n
        assert found == pytest.approx(math.sqrt(tension / (lump * 10 / n)) * math.sin(math.pi / (2 * n)) / math.pi, rel=1e-9)


# ---- the bottom ----

def bounce(extra, step):
    speed, k = 2.0, 1e5
    model("bounce.yaml", line("[0, 0, 0]", "[1, 0, 0]", ", velocity: [0, 0, -2]"),
          [f"sea_bed: {{name: floor, lines: line, level: 0, stiffness: {k}{extra}}}"],
          run=f"scheme: preserving, step: {step}, end: 0.1")
    run("bounce.yaml", "bounce.h5")
    sink = M * G / k
    return probe("bounce.h5", "a", "position")[1][:, 2], sink + math.sqrt(sink**2 + M / k * speed**2)


def test_a_line_sinks_in_as_far_as_its_energy_says():
    z, deepest = bounce("", 2e-4)
    assert -z.min() == pytest.approx(deepest, rel=1e-6)  # measured 8e-8
    energy = sum(ledger("bounce.h5", c) for c in ("kinetic", "strain", "potential"))
    assert np.ptp(energy) < 1e-12 * energy[0]


def test_a_damped_bottom_takes_energy_at_any_step():
    for step in (1e-4, 1e-3, 1e-2):
        z, deepest = bounce(", damping: 1e3", step)
        assert -z.min() < deepest and np.all(np.diff(ledger("bounce.h5", "damping")) >= 0)
        assert np.abs(ledger("bounce.h5", "residual")).max() < 1e-12 * ledger("bounce.h5", "kinetic")[0]


def test_friction_stops_a_line_as_coulomb_says():
    k, mu, slow, v0 = 1e6, 0.4, 0.02, 1.5
    model("slide.yaml", line("[0, 0, 0]", "[1, 0, 0]", f", velocity: [{v0}, 0, 0]"),
          [f"sea_bed: {{lines: line, level: {M * G / k!r}, stiffness: {k}, friction: {mu}, friction_rate: {slow}}}"],
          run="scheme: preserving, step: 1 ms, end: 0.35")
    run("slide.yaml", "slide.h5")
    t, v = probe("slide.h5", "a", "velocity")
    def until(v):  # integral of sqrt(v^2 + slow^2)/v
        return math.hypot(v, slow) - slow * math.asinh(slow / v)
    for i in (50, 200, 350):
        assert (until(v0) - until(v[i, 0])) / (mu * G) == pytest.approx(t[i], abs=1e-6)  # measured 2e-9


# ---- the mooring of the examples ----

def test_the_mooring_converges_to_the_catenary():
    h, v = catenary.solve()
    errors = []
    for n in (40, 80, 160):
        said = limber("static", MOORING, "-q", "-o", "m.h5", *settings(f"let.n={n}", "let.k=1e7 Pa"))
        assert said.code == 0, said.err
        force = probe("m.h5", "fairlead", "force")[1][-1]
        force_error = math.hypot(force[0] - h, force[2] - v) / math.hypot(h, v)
        at, (x, z) = probe("m.h5", "half", "position")[1][-1], catenary.place(0.5 * catenary.LENGTH, h, v)
        errors.append((force_error, math.hypot(at[0] - x, at[2] + 200 - z)))
    # Measured 4.2e-5, 6.1e-5, 2.0e-5 of the force, which goes up and down with the place of a node at the touchdown, and 25, 6.1,
    # 1.7 mm at half the length.
    assert max(e for e, _ in errors) < 1e-4 and errors[2][0] < 3e-5
    assert errors[0][1] < 0.03 and errors[1][1] < errors[0][1] / 3 and errors[2][1] < errors[1][1] / 3


@pytest.fixture(scope="module")
def surge(tmp_path_factory):
    out = tmp_path_factory.mktemp("surge")
    short = settings("run.end=6", "let.n=40", "run.step=0.1")
    run(MOORING, out / "one.h5", *short)
    return out, short


def test_the_balance_of_the_mooring_closes(surge):
    one = surge[0] / "one.h5"
    assert np.abs(ledger(one, "residual")).max() < 1e-12 * ledger(one, "exchanged")[-1]  # measured 2e-14
    assert np.all(np.diff(ledger(one, "damping")) >= 0) and ledger(one, "damping")[-1] > 0


def test_two_ranks_give_what_one_gives(surge):
    folder, short = surge
    run(MOORING, folder / "two.h5", *short, ranks=2)
    for name in ("half", "upper"):
        a, b = (probe(folder / f, name, "position")[1] for f in ("one.h5", "two.h5"))
        assert np.abs(a - b).max() < 1e-8  # of 200 m


def test_a_resumed_run_has_the_same_bits(surge):
    folder, short = surge
    run(MOORING, folder / "part.h5", *short, *settings("run.end=3"))
    assert limber("resume", folder / "part.h5", "-q", "--end", 6).code == 0
    assert same_results(folder / "one.h5", folder / "part.h5") == "same"


def test_lines_may_stand_behind_the_water():
    model("before.yaml", line("[0, 0, 0]", "[4, 0, 0]"), [WATER], cable=", elements: 2", run="step: 0.1, end: 1")
    text = open("before.yaml").read().split("\n")
    at = next(i for i, t in enumerate(text) if "still_water" in t)
    text[at - 1], text[at] = text[at], text[at - 1]
    write("behind.yaml", "\n".join(text))
    for name in ("before", "behind"):
        run(f"{name}.yaml", f"{name}.h5")
    assert np.array_equal(probe("before.h5", "b", "position")[1], probe("behind.h5", "b", "position")[1])
