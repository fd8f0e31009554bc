# SPDX-License-Identifier: Apache-2.0
"""Air along beams, against closed forms and small problems that are solved independently: docs/air.md."""
import importlib.util
import math

import numpy as np
import pytest

from support import column, columns_of, h5, limber, run, settings, source, write

SECTION, GOLAND, BLADE = (
    source / "examples" / p for p in ("typical_section/section.yaml", "goland_wing/goland.yaml", "blade_in_runaway/blade.yaml"))


def program(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


section, galerkin = program(SECTION.with_name("section.py")), program(GOLAND.with_name("galerkin.py"))
blade = program(BLADE.with_name("blade.py"))


def critical(model, *changes, ranks=1):
    said = limber("stability", model, "-o", "air.stability.h5", "--force", *settings(*changes), ranks=ranks)
    assert said.code == 0, said.err
    with h5("air.stability.h5") as f:
        name = "history/critical"
        return f[f"{name}/value"][0], 2 * math.pi * f[f"{name}/frequency"][0], said.out


# ---- stability ----

def test_a_typical_section_flutters_as_its_two_equations_say():
    speed, omega, said = critical(SECTION)
    v, w = section.flutter()
    assert "flutter at" in said
    assert abs(speed / v - 1) < 1e-8  # measured 1e-11
    assert abs(omega / w - 1) < 1e-7


def test_a_section_that_only_pitches_diverges_at_the_closed_form():
    speed, omega, said = critical(SECTION, "let.plunge=1e9", "stability.from=100", "stability.to=200")
    assert "divergence" in said and omega == 0
    assert abs(speed / section.divergence() - 1) < 1e-6  # measured 3e-10


WING = """limber: 1
let: {{V: 100}}
nodes:
  root: {{at: [0, 0, 0], kind: fixed}}
  tip: {{at: [0, 5, 0]}}
sections:
  s: {{stiffness: [1e9, 1e9, 1e9, 1e6, 1e9, 1e9], mass: 30, inertia: [5, 0.1, 5]}}
elements:
  - beam: {{name: wing, from: root, to: tip, elements: {elements}, section: s, up: [-1, 0, 0]}}
  - strip: {{name: air, element: wing, wind: [V, 0, 0], chord: 1.5, quarter: [0.3, 0], unsteady: {unsteady}, lift_slope: 5.5}}
stability: {{vary: let.V, from: 100, to: 300, digits: 9, points: 6}}
run: {{end: 1, step: 10 ms}}
"""


@pytest.mark.parametrize("unsteady", ["none", "wake"])
def test_a_straight_wing_diverges_at_the_closed_form(unsteady):
    exact = math.pi / 10 * math.sqrt(1e6 / (0.5 * 1.225 * 1.5 * 5.5 * 0.3))  # q c a e = (pi/2L)^2 GJ
    errors = []
    for elements in (1, 2):
        write("wing.yaml", WING.format(elements=elements, unsteady=unsteady))
        speed, omega, said = critical("wing.yaml")
        assert "divergence" in said
        errors.append(abs(speed / exact - 1))
    assert errors[1] < 1e-5 < errors[0]  # measured 2.3e-6 with two cubic elements


STIFF = """limber: 1
let: {{V: 5}}
nodes: {{a: {{at: [0, 0, 0]}}, b: {{at: [0, 1, 0]}}}}
sections:
  s: {{stiffness: [{EA}, {EA}, {EA}, {EA}/10, {EA}/10, {EA}/10], mass: 50, inertia: [2, 1, 1]}}
elements:
  - beam: {{name: wing, from: a, to: b, elements: {elements}, section: s, up: [-1, 0, 0]}}
  - strip: {{name: air, element: wing, wind: [V, 0, 0], chord: 1, quarter: [0.2, 0], unsteady: {unsteady}}}
joints:
  - revolute: {{name: pitch, nodes: [ground, a], axis: [0, 1, 0], angle: {{stiffness: 500}}}}
stability: {{vary: let.V, from: 5, to: 60, points: 8}}
modes: {{count: 60}}
"""


def pitching_divergence(GJ):
    low, high = 0, 1.5  # b tan b = k L/GJ, q c a e = b^2 GJ/L^2
    for _ in range(100):
        b = (low + high) / 2
        low, high = (b, high) if b * math.tan(b) < 500 / GJ else (low, b)
    return math.sqrt(b * b * GJ / (0.5 * 1.225 * 2 * math.pi * 0.2))


@pytest.mark.parametrize("EA, unsteady, elements, ranks", [
    (1e6, "all", 1, 1), (1e7, "wake", 1, 1), (1e9, "wake", 1, 1), (1e9, "all", 2, 2), (1e10, "none", 1, 1), (1e11, "all", 1, 1),
    (1e11, "wake", 4, 1)])
def test_a_stiff_wing_on_a_soft_hinge_diverges_at_the_closed_form_within_the_bound(EA, unsteady, elements, ranks):
    write("stiff.yaml", STIFF.format(EA=EA, unsteady=unsteady, elements=elements))
    speed, omega, said = critical("stiff.yaml", ranks=ranks)
    bound = float(said.split("found within ")[1].split(";")[0])
    assert "divergence" in said and "node 'air" not in said, said
    # measured: errors up to 1e-5 m/s with a bound of 1e-2 (1e11, four elements), 3e-9 with 1e-8 (1e6)
    assert abs(speed - pitching_divergence(EA / 10)) < 1.1 * bound, said
    assert bound < 2e-9 * 25 * elements**2 + 2e-16 * EA * 25 * elements**2, said


@pytest.mark.parametrize("part, ranks", [(1 - 1e-5, 1), (1 + 1e-5, 1), (1 + 1e-5, 2)])
def test_statics_say_that_an_equilibrium_above_divergence_is_unstable(part, ranks):
    write("stiff.yaml", STIFF.format(EA=1e8, unsteady="wake", elements=1))
    speed = part * pitching_divergence(1e7)
    said = limber("static", "stiff.yaml", "-o", "rest.h5", "--force", "--set", f"let.V={speed!r}", ranks=ranks)
    assert said.code == 0 and "every load is zero" not in said.out, said.out
    unstable = "the equilibrium is unstable: a motion grows by 0.000214 1/s; node 'b' moves most, along (0, 0, 1)"
    assert (unstable in said.out) == (part > 1) and ("unstable" in said.out) == (part > 1), said.out


def pitching_section(V, unsteady):
    """Eigenvalues of a rigid wing that pitches on the hinge: theta, theta', z_1, z_2."""
    rho, c, e, A, b = 1.225, 1, 0.2, (0.165, 0.335), (0.0455, 0.3)
    across, mass = np.array([V, 0.3, 0, 0]), rho * math.pi * c**2 / 4
    steady = 1 - sum(A) if unsteady != "none" else 1
    w = steady * across + (np.array([0, 0, 1, 1]) if unsteady != "none" else 0)
    moment = 0.5 * rho * c * V * 2 * math.pi * e * w + np.array([-500, -mass * c / 4 * V, 0, 0])
    inertia = 2.0
    if unsteady == "all":  # the mass of the air, 0.05 m behind the hinge
        moment = moment + np.array([0, -0.05 * mass * V, 0, 0])
        inertia += 0.05**2 * mass + math.pi / 128 * rho * c**4
    rows = [[0, 1, 0, 0], moment / inertia]
    for i in range(2):
        rows.append(b[i] * 2 * V / c * (A[i] * across - np.eye(4)[2 + i]))
    size = 2 if unsteady == "none" else 4
    return np.linalg.eigvals(np.array(rows)[:size, :size])


@pytest.mark.parametrize("EA", [1e7, 1e11])
@pytest.mark.parametrize("unsteady", ["none", "wake", "all"])
def test_slow_modes_of_a_stiff_wing_are_those_of_a_rigid_one_and_none_grows(EA, unsteady):
    write("stiff.yaml", STIFF.format(EA=EA, unsteady=unsteady, elements=1))
    said = limber("modes", "stiff.yaml", "-o", "stiff.h5", "--force")
    assert said.code == 0 and "rigid motion" not in said.out and "grows" not in said.out, said.out
    with h5("stiff.h5") as f:
        found = f["history/mode/real"][:] + 2j * math.pi * f["history/mode/frequency"][:]
        error = f["history/mode/real_error"][:]
    assert (found.real <= 0).all() and (error < 1e-4 * np.abs(found)).all(), error  # measured 1.3e-5
    for exact in pitching_section(5, unsteady):
        if exact.imag >= 0:
            away = np.abs(found - exact).min() / abs(exact)
            assert away < 2e3 / EA + 1e-7, (exact, found)  # measured 8.7e-5 with 1e7: it bends; 3.3e-8 with 1e11


def test_golands_wing_flutters_as_galerkins_method_says():
    speed, omega, said = critical(GOLAND)
    v, w = galerkin.flutter()
    assert abs(speed / v - 1) < 5e-4 and abs(omega / w - 1) < 6e-4  # measured 4.7e-4, 5.5e-4: shear, rotary inertia


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_blade_that_turns_flutters_as_its_equations_in_the_rotating_frame_say(ranks):
    rate, omega, said = critical(BLADE, "stability.from=14", "stability.to=20", "stability.points=2", ranks=ranks)
    v, w = blade.flutter()
    assert "flutter at" in said
    assert abs(rate / v - 1) < 1e-8 and abs(omega / w - 1) < 1e-8  # measured 1e-10
    assert abs(v / 17.793421953 - 1) < 1e-9


def test_a_nearly_rigid_blade_flutters_as_a_rigid_one_within_the_bound():
    with open(BLADE) as f:
        lines = [line for line in f if "- weld" not in line]
    write("nearly.yaml", "".join(lines).replace("[1e8, 1e8, 1e8, 1e6, 1e6, 1e7]", "[S, S, S, S, S, S]").replace("pitch: 3e4}", "pitch: 3e4, S: 1e12}"))
    rate, omega, said = critical("nearly.yaml", "stability.from=17", "stability.to=19", "stability.points=2", "stability.digits=9")
    bound = float(said.split("found within ")[1].split(";")[0])
    away = abs(rate - blade.flutter()[0])
    assert away < bound and bound < 1e-5 * rate, said  # measured 5e-6, its compliance; bound 7e-5
    assert away < 1e-6 * rate, said


def test_modes_of_a_blade_that_turns_are_those_of_its_equations():
    for rate in (12.0, 20.0):
        said = limber("modes", BLADE, "-o", "blade.h5", "--force", *settings(f"let.Omega={rate}", "modes.count=12"))
        assert said.code == 0, said.err
        with h5("blade.h5") as f:
            found = f["history/mode/real"][:] + 2j * math.pi * f["history/mode/frequency"][:]
        for exact in blade.eigenvalues(rate):
            if exact.imag >= 0:
                assert np.abs(found - exact).min() < 1e-7 * abs(exact), (exact, found)


@pytest.mark.parametrize("wind, refused", [("wind: [5, 0, 0]", True), ("wind: [0, 0, 5]", False), ("wind: [0, 0, 5], shear: 0.2", False),
                                           ("wind: [0, 0, 5], shear: 0.2, up: [1, 0, 0]", True)])
def test_a_wind_that_a_blade_sees_change_as_it_turns_is_refused(wind, refused):
    write("wind.yaml", BLADE.read_text().replace("strip: {", f"strip: {{{wind}, "))
    for ranks in (1, 2) if refused else (1,):
        said = limber("modes", "wind.yaml", "-o", "wind.h5", "--force", ranks=ranks)
        assert (said.code != 0) == refused, said.out + said.err
        assert ("the wind of strip 'air1' changes as its section turns" in said.err) == refused, said.err


# ---- forces ----

TABLE = [(-0.4, -1.5, 0.2, 0.03), (-0.1, -0.3, 0.02, -0.01), (0.0, 0.2, 0.01, -0.02), (0.15, 1.4, 0.015, -0.05), (0.4, 1.1, 0.3, -0.1)]


def test_forces_of_a_section_at_rest_follow_from_polar_twist_shear_and_gust():
    rows = ", ".join(str(list(r)) for r in TABLE)
    write("rest.yaml", f"""limber: 1
nodes: {{a: {{at: [0, 0, 10], kind: fixed}}, b: {{at: [0, 2, 10]}}}}
sections: {{s: {{stiffness: [1e12, 1e12, 1e12, 1e12, 1e12, 1e12], mass: 1, inertia: [1, 1, 1]}}}}
functions: {{gust: {{expression: {{value: "1 + 0.5*t"}}}}}}
elements:
  - beam: {{name: wing, from: a, to: b, elements: 1, order: 1, section: s, up: [-1, 0, 0]}}
  - strip: {{name: air, element: wing, wind: [12, 3, 0], amplitude: gust, shear: 0.2, height: 80, density: 1.1, twist: 0.15,
            chord: 0.8, polars: [{{table: [{rows}]}}]}}
probes: [{{name: air, element: air, point: 0, record: output}}]
run: {{scheme: preserving, end: 0.2, step: 0.1}}
""")
    run("rest.yaml", "rest.h5")
    with h5("rest.h5") as f:
        names, out = list(f["history/probes/air/output"].attrs["columns"]), f["history/probes/air/output"][:]
    assert [n.decode() if isinstance(n, bytes) else n for n in names] == ["speed", "alpha", "lift", "drag", "moment", "a", "a_t"]
    for row, t in ((1, 0.05), (2, 0.15)):  # middles of the steps
        speed = 12 * (1 + 0.5 * t) * (10 / 80) ** 0.2
        force = 0.5 * 1.1 * 0.8 * speed**2
        exact = [speed, 0.15, force * 1.4, force * 0.015, -force * 0.8 * 0.05, 0, 0]
        assert np.allclose(out[row], exact, rtol=1e-6), (out[row], exact)  # the beam yields a little


AERODYN = """! an airfoil
"DEFAULT"   InterpOrd   ! order of the table
@"c.txt"    NumCoords   ! shape
1   NumTabs
0.75   Re   ! in millions
True   InclUAdata
{rows}   NumAlf   ! rows
!  Alpha  Cl  Cd  Cm
{table}
"""
WINDIO = """windIO_version: "2.0"
airfoils:
- name: other
- name: thin
  polars:
  - configuration: default
    re_sets:
    - re: 1e6
      cl: {{grid: {angle}, values: {cl}}}
      cd: {{grid: {angle}, values: {cd}}}
      cm: {{grid: {angle}, values: {cm}}}
    - re: 3e6
      cl: {{grid: [-180, 180], values: [0, 0]}}
      cd: {{grid: [-180, 180], values: [0, 0]}}
      cm: {{grid: [-180, 180], values: [0, 0]}}
"""
FIRST = """components: {{}}
airfoils:
- name: thin
  polars:
  - configuration: Default
    re: 1e6
    c_l: {{grid: {angle}, values: {cl}}}
    c_d: {{grid: {angle}, values: {cd}}}
    c_m: {{grid: {angle}, values: {cm}}}
"""


def columns_of_table(degrees):
    unit = 180 / math.pi if degrees else 1
    return dict(zip(("angle", "cl", "cd", "cm"), ([unit * r[0] for r in TABLE], *([r[k] for r in TABLE] for k in (1, 2, 3)))))


def test_polars_from_files_give_the_same_forces_as_rows():
    text = "\n".join(f"  {math.degrees(r[0])!r}  {r[1]}  {r[2]}  {r[3]}" for r in TABLE)
    write("foil.dat", AERODYN.format(rows=len(TABLE), table=text))
    write("two.yaml", WINDIO.format(**columns_of_table(True)))
    write("one.yaml", FIRST.format(**columns_of_table(False)))
    found = []
    for table in (str([list(r) for r in TABLE]), "{aerodyn: foil.dat}", "{windio: two.yaml, airfoil: thin, number: 1}",
                  "{windio: one.yaml, airfoil: thin}"):
        model = SECTION.read_text().replace("chord: 1, ", f"chord: 1, twist: 5 deg, polars: [{{table: {table}}}], ")
        write("polar.yaml", model)
        run("polar.yaml", "polar.h5", *settings("run.end=0.02"))
        with h5("polar.h5") as f:
            found.append(f["history/probes/air/output"][:])
    assert np.abs(found[0][-1, 2]) > 100
    for other in found[1:]:
        assert np.allclose(other, found[0], rtol=1e-12, atol=1e-12)  # degrees and back


@pytest.mark.parametrize("table, message", [
    ("{}", "a polar needs one file: 'aerodyn' or 'windio'"),
    ("{aerodyn: foil.dat, windio: two.yaml}", "a polar needs one file"),
    ("{aerodyn: none.dat}", "none.dat"),
    ("{aerodyn: two.yaml}", "this is no airfoil file of AeroDyn: no line 'NumAlf'"),
    ("{aerodyn: foil.dat, number: 2}", "there is no table 2, but 1 table"),
    ("{aerodyn: foil.dat, number: 0}", "'number' counts from 1"),
    ("{aerodyn: short.dat}", "line 11 of 'short.dat': a row has an angle in degrees"),
    ("{aerodyn: back.dat}", "line 10 of 'back.dat': the angles must increase"),
    ("{aerodyn: words.dat}", "line 9 of 'words.dat': 'x' is not a number; a coefficient of lift is expected"),
    ("{aerodyn: much.dat}", "line 7 of 'much.dat': NumAlf is 1000000000"),
    ("{windio: two.yaml}", "a file of WindIO needs the name of an 'airfoil'"),
    ("{windio: two.yaml, airfoil: thick}", "there is no airfoil 'thick'"),
    ("{windio: two.yaml, airfoil: thin}", "there are 2 tables, one for each Reynolds number: choose one with 'number'"),
    ("{windio: two.yaml, airfoil: other}", "line 3 of 'two.yaml': the airfoil has no table of coefficients"),
    ("{windio: two.yaml, airfoil: thin, nmber: 1}", "number"),
    ("foil.dat", "or a file, {aerodyn: airfoil.dat}"),
])
def test_mistakes_in_files_of_polars_are_named_where_they_are(table, message):
    write("two.yaml", WINDIO.format(**columns_of_table(True)))
    for name, rows, text in (("foil", 2, "-180 0 0 0\n180 0 0 0"), ("short", 3, "-180 0 0 0\n180 0 0 0\n190 0"),
                             ("back", 2, "180 0 0 0\n-180 0 0 0"), ("words", 2, "-180 x 0 0\n180 0 0 0"), ("much", 10**9, "0 0 0")):
        write(f"{name}.dat", AERODYN.format(rows=rows, table=text))
    write("wrong.yaml", SECTION.read_text().replace("chord: 1, ", f"chord: 1, polars: [{{table: {table}}}], "))
    said = limber("check", "wrong.yaml")
    assert said.code == 2 and message in said.err and "wrong.yaml:16:" in said.err, said.err


# ---- energy, ranks, resuming ----

def shaken(name, *changes, ranks=1, speed=0.2):
    text = SECTION.read_text()
    for node in ("carriage: {at: [0, 0, 0]", "left: {at: [0, 0, 0]", "right: {at: [0, 1, 0]"):
        text = text.replace(node, f"{node}, velocity: [0, 0, {speed}]")
    write(f"{name}.yaml", text)
    run(f"{name}.yaml", f"{name}.h5", *settings(*changes), ranks=ranks)
    with h5(f"{name}.h5") as f:
        return {k: f[f"history/ledger/{k}"][:] for k in f["history/ledger"]}


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c"])
def test_the_balance_contains_the_work_of_the_air(scheme):
    for speed, sign in ((60, 1), (95, -1)):
        q = shaken("energy", f"let.V={speed}", f"run.scheme={scheme}")
        assert np.abs(q["residual"]).max() < 1e-11 * q["exchanged"][-1]  # measured below 1e-13
        energy = q["kinetic"] + q["strain"] + q["scheme_energy"]
        left = energy - energy[0] - q["work"] + q["damping"] + q["dissipated"]
        assert np.abs(left).max() < 1e-10 * q["exchanged"][-1]
        assert np.allclose(q["work"], q["wind"], atol=1e-12 * q["exchanged"][-1])
        total = q["work"][-1] * sign
        assert total < 0  # below flutter the air takes energy, above it gives some


def test_a_motion_grows_at_the_rate_of_its_eigenvalue():
    rates = []
    for step in ("2 ms", "1 ms"):
        q = shaken("growth", "let.V=95", "run.end=1", f"run.step={step}", speed=1e-4)
        energy = q["kinetic"] + q["strain"]
        t = np.linspace(0, 1, len(energy))
        late = t > 0.4
        rates.append(np.polyfit(t[late], np.log(energy[late]), 1)[0] / 2)
    said = limber("modes", SECTION, "-o", "m.h5", "--force", *settings("let.V=95"))
    assert said.code == 0
    with h5("m.h5") as f:
        exact = f["history/mode/real"][:].max()
    assert abs(rates[1] / exact - 1) < 0.02, (rates, exact)


def test_two_ranks_and_a_resumed_run_find_the_same():
    changes = "let.V=60", "run.end=0.2"
    shaken("one", *changes)
    shaken("two", *changes, ranks=2)
    a, b = (column(f"{n}.h5", "wing/position") for n in ("one", "two"))
    assert np.abs(np.asarray(a) - np.asarray(b)).max() < 1e-12
    run("one.yaml", "part.h5", *settings("let.V=60", "run.end=0.1"))
    assert limber("resume", "part.h5", "-q", "--end", 0.2).code == 0
    one, part = (columns_of(f"{n}.h5") for n in ("one", "part"))
    assert all(one[k].tobytes() == part[k].tobytes() for k in one if "steps/" not in k)
    one, two = (critical(SECTION, "stability.points=6", ranks=r)[0] for r in (1, 2))
    assert abs(one / two - 1) < 1e-9


# ---- messages ----

@pytest.mark.parametrize("change, message", [
    (("chord: 1, ", ""), "the `chord` must be positive"),
    (("chord: 1, ", "chord: 1, stations: [[0, 1, 0, 0, 0]], "), "`stations` already give the chord"),
    (("chord: 1, ", "stations: [[0, 1, 0, 0, 0], [0, 1, 0, 0, 0]], "), "the places of its `stations` must increase"),
    (("chord: 1, ", "chord: 1, polars: [{table: [[0, 0, 0, 0], [0, 1, 0, 0]]}], "), "the angles of a polar must increase"),
    (("chord: 1, ", "chord: 1, polars: [{table: [[-180, 0, 0, 0], [180, 0, 0, 0]]}], "), "give degrees their unit"),
    (("chord: 1, ", "chord: 1, polars: [{at: 2, table: [[-1, 0, 0, 0], [1, 1, 0, 0]]}], "), "the places of its `polars` are parts"),
    (("chord: 1, ", "stations: [[0, 1, 0, 0, 0], [6, 1, 0, 0, 0]], "), "the places of its `stations` are parts"),
    (("element: wing", "element: ballast"), "its `element` must be a beam"),
])
def test_mistakes_are_named_where_they_are(change, message):
    write("wrong.yaml", SECTION.read_text().replace(*change))
    said = limber("check", "wrong.yaml")
    assert said.code == 2 and message in said.err, said.err
    assert "wrong.yaml:" in said.err
