# SPDX-License-Identifier: Apache-2.0
"""limber static: what it prints and writes, what plot, export, view and verify make of it, and what it says where it cannot go on."""
import os
import re
import sys

import numpy as np
import pytest

from support import h5, limber, settings, source, write

sys.path.insert(0, str(source / "benchmarks"))
import peer_cases

TRUSS = (source / "examples/static_truss/truss.yaml").read_text()
FRAME = (source / "examples/static_lee_frame/lee.yaml").read_text()


def static(text, *changes, name="model", ranks=1, code=0):
    write(f"{name}.yaml", text)
    said = limber("static", f"{name}.yaml", "-o", f"{name}.h5", *settings(*changes), ranks=ranks)
    assert said.code == code, said.err
    return said


def columns(path, *names):
    with h5(path) as f:
        return [f["history/" + name][:] for name in names]


def test_the_summary_tells_the_path_and_its_critical_points():
    said = static(TRUSS).out
    assert re.search(r"^model.h5: \d+ steps to a load factor of 1$", said, re.M)
    found = re.findall(r"^  found +(.*)$", said, re.M)
    assert found == ["limit point at load factor 0.384900179: node 'apex' moves most, along (0, 0, 1); 1 direction of negative stiffness after it",
                     "limit point at load factor -0.384900179: node 'apex' moves most, along (0, 0, 1); 0 directions of negative stiffness after it"]


def test_every_state_is_a_row_and_a_snapshot():
    static(TRUSS)
    time, factor, negative = columns("model.h5", "time", "ledger/load_factor", "ledger/negative")
    assert list(time) == list(range(len(time))) and factor[-1] == 1
    assert (np.diff(factor) < 0).any() and set(negative) == {0, 1}
    with h5("model.h5") as f:
        assert f["VTKHDF/Steps/Values"].shape == time.shape
        assert f["history/time"].attrs["units"] in ("1", b"1")


@pytest.mark.parametrize("control", ["{to: 0.3, at: [0.5]}", "{control: arc, to: 0.3, at: [0.5]}", "{probe: apex.displacement.z, displacement: -6, at: [0.25]}"])
def test_states_that_are_asked_for_are_there(control):
    static(TRUSS, f"static={control}")
    factor, z = columns("model.h5", "ledger/load_factor", "probes/apex/position")
    wanted = np.abs(z[:, 2] - 1.5) if "probe" in control else np.abs(factor - 0.15)
    assert wanted.min() < 1e-14


def test_one_rank_and_two_find_the_same_path():
    for ranks in 1, 2:
        static(FRAME, "static.to=12", name=f"on{ranks}", ranks=ranks)
    one, two = (columns(f"on{r}.h5", "ledger/load_factor", "probes/load/displacement") for r in (1, 2))
    assert one[0].shape == two[0].shape
    assert one[0] == pytest.approx(two[0], abs=2e-6) and one[1] == pytest.approx(two[1], abs=2e-5)  # a bifurcation is found to 1e-7
    before = one[0] < 10
    assert one[0][before] == pytest.approx(two[0][before], abs=1e-8)


def test_the_same_path_again_to_the_last_bit():
    for name in "first", "second":
        static(FRAME, "static.to=5", name=name)
    for column in "ledger/load_factor", "probes/load/displacement":
        assert (columns("first.h5", column)[0] == columns("second.h5", column)[0]).all()


# ---- pages and pictures name what the rows follow ----

def test_a_path_is_drawn_over_any_column():
    static(TRUSS)
    script = limber("plot", "model.h5", "ledger.load_factor", "--over", "apex.position.z", "--script").out
    assert "set xlabel \"apex.position.z [m]\"" in script or "set xlabel 'apex.position.z [m]'" in script
    z, factor = columns("model.h5", "probes/apex/position", "ledger/load_factor")
    drawn = np.array([line.split() for line in re.search(r"\$data0 << EOD\n(.*?)EOD", script, re.S).group(1).splitlines()], float)
    assert drawn == pytest.approx(np.column_stack([z[:, 2], factor]), abs=1e-6)


@pytest.mark.parametrize("control, name", [("{to: 0.3}", "load factor"), ("{control: arc}", "step")])
def test_nothing_calls_a_load_factor_a_time(control, name):
    static(TRUSS, f"static={control}")
    script = limber("plot", "model.h5", "apex.position.z", "--script").out
    assert re.search(f"set xlabel .{name}.$", script, re.M)
    shapes = limber("plot", "model.h5", "--shape", "--times", "0,0.3" if name == "load factor" else "0,5", "--script").out
    assert f"set key title '{name}'" in shapes and " s'" not in re.findall(r"title '.*'", shapes)[-1]
    head = limber("export", "model.h5", "--list").out.splitlines()[0]
    assert f"rows from {name} 0 to" in head and " s;" not in head
    assert f"rows to {name} " in limber("compare", "model.h5", "model.h5").out
    assert limber("report", "model.h5", "-o", "report.html").code == 0
    page = open("report.html").read()
    assert f"rows from {name} 0 to" in page and "t = " not in re.sub("<pre>.*?</pre>", "", page, flags=re.S)
    assert limber("view", "model.h5", "-o", "page.html").code == 0
    assert f'"axis":"{name}"' in open("page.html").read()


def test_over_needs_one_column():
    static(TRUSS)
    said = limber("plot", "model.h5", "ledger.load_factor", "--over", "apex.position", "--script")
    assert said.code == 2 and "--over 'apex.position' is 3 columns; name one, such as apex.position.x" in said.err


# ---- verify ----

EXPECTED = """
limber: 1
seconds: 1
runs:
  path: {model: model.yaml, command: static}
quantities:
  - {name: limit, column: ledger.load_factor, over: apex.position.z, from: 0, peak: largest, reference: 2/(3*sqrt(3)), source: closed form, relative: 1e-12}
  - {name: height there, column: ledger.load_factor, over: apex.position.z, from: 0, peak: largest, give: place, reference: sqrt(3), source: closed form, relative: 1e-9}
  - {name: at the second passage of zero, column: apex.position.z, over: ledger.load_factor, at: 0, reference: 3, source: the start, absolute: 1e-12}
"""


def test_verify_runs_static_analyses():
    os.makedirs("case", exist_ok=True)
    write("case/model.yaml", TRUSS)
    write("case/expected.yaml", EXPECTED)
    said = limber("verify", "case")
    assert said.code == 0 and "3 passed, 0 failed" in said.out, said.out + said.err


@pytest.mark.parametrize("old, new, wrong", [
    ("command: static", "command: statics", "there is no command 'statics'"),
    ("peak: largest, reference", "spectrum: [1, 2], reference", "'over' needs 'at' or 'peak'"),
    ("over: apex.position.z, from: 0, peak: largest, reference", "over: apex.position.z, at: 5, reference", "never is 5: it goes from"),
])
def test_verify_tells_what_is_wrong(old, new, wrong):
    os.makedirs("case", exist_ok=True)
    write("case/model.yaml", TRUSS)
    write("case/expected.yaml", EXPECTED.replace(old, new, 1))
    said = limber("verify", "case")
    assert said.code != 0 and wrong in said.out + said.err


# ---- where it cannot go on ----

def test_the_load_alone_stops_at_a_limit_point():
    said = static(TRUSS, "static.control=load", code=1)
    assert "no equilibrium was found beyond a load factor of 0.3849" in said.err
    limit = re.search(r"The path has a limit point at a load factor of (\S+): its tangent is unbounded there", said.err)
    assert abs(float(limit[1]) - 2 / 3 ** 1.5) < 1e-5
    assert "`static: {control: arc}` follows it past that point" in said.err


COARSE = """limber: 1
let: {P: 20 kN}
nodes: {a: [0, 0, 0]}
sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [40 mm, 8 mm]}}
elements: [beam: {name: b, from: a, end: [1, 0, 0], section: s, elements: 4, up: [0, 1, 0]}]
joints: [clamp: {node: a}]
loads: [force: {node: b.end, direction: [0, 0, P]}]
"""


def test_a_limit_point_of_a_coarse_mesh_is_no_limit_point_of_the_beam():
    """A cantilever under a transverse dead load has none: the elastica is defined for every load. Four elements have one."""
    write("coarse.yaml", COARSE)
    said = limber("static", "coarse.yaml", "-o", "coarse.h5")
    assert said.code == 1 and "The path of this mesh has a limit point" in said.err and "structure may have none" in said.err
    assert re.search(r"An element of beam 'b' turns by \d+ deg from end to end: 4 elements are too few. Use \d+ or more", said.err)
    said = limber("static", "coarse.yaml", "-o", "coarse.h5", *settings("static.control=arc", "static.steps=40"))
    assert "found       limit point at load factor 0.5144" in said.out and ". It may be caused by the mesh. An element of beam 'b'" in said.out
    said = limber("static", "coarse.yaml", "-o", "coarse.h5", *settings("elements.b.elements=16"))
    assert said.code == 0 and "limit point" not in said.out, said.err


def test_what_nothing_holds_is_named():
    said = static(TRUSS.replace("  - point_on_line", "  - point_in_plane").replace("axis: [0, 0, 1]", "axis: [1, 0, 0]")
                  .replace("apex: {at: [0, 0, h], kind: point}", "apex: {at: [0, 0, h], kind: point}\n  loose: {at: [0, 0, 9], kind: point}")
                  .replace("elements:", "elements:\n  - mass: {node: loose, mass: 1}"), code=1)
    assert "singular at node 'loose'" in said.err or "singular at node 'apex'" in said.err


def test_loads_of_zero_are_noticed():
    said = static(TRUSS.replace("direction: [0, 0, -P0]}", "direction: [0, 0, -P0], amplitude: late}") + "functions:\n  late: {ramp: {from: 0, to: 1, start: 1 s, end: 2 s}}\n",
                  "static={to: 0.3}")
    assert "every load is zero at t = 0 s" in said.out


def test_a_file_without_run_is_no_run():
    write("model.yaml", TRUSS)
    said = limber("run", "model.yaml")
    assert said.code == 2 and "model.yaml has no part `run`: add one" in said.err


COLUMN = """
limber: 1
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7800 kg/m3}
meshes:
  column: {file: column.msh, fixed: root}
elements:
  - solid: {name: column, mesh: column.all, material: steel}
loads:
  - force: {node: column.end, direction: [-1e5, 0, 0]}
static: {}
"""
LU = ["-limber_pc_type", "lu", "-limber_pc_factor_mat_solver_type", "mumps"]


def column(name, *options, load="[-1e5, 0, 0]"):
    if os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("needs MUMPS")
    write("column.msh", "\n".join(peer_cases.solid_mesh((16, 2, 3), (0.4, 0.02, 0.03))) + "\n")
    write(f"{name}.yaml", COLUMN)
    said = limber("static", f"{name}.yaml", "-o", f"{name}.h5", "--set", f"loads.1.direction={load}", "--", *options, "-log_view", f":{name}.log")
    assert said.code == 0, said.err
    counts = dict(re.findall(r"^(Mat\w+) +(\d+) ", open(f"{name}.log").read(), re.M))
    return said.out, *(int(counts.get(event, 0)) for event in ("MatCholFctrNum", "MatLUFactorNum"))


def test_a_solid_that_hardly_deforms_is_factored_once_a_step():
    said, symmetric, lu = column("light", load="[0, 1, 0]")
    steps = int(re.search(r"(\d+) steps? to a load factor of 1", said)[1])
    assert (symmetric, lu) == (steps, 0)
    said, symmetric, lu = column("checked", *LU, load="[0, 1, 0]")
    assert lu >= steps and symmetric > steps  # solved by LU, counted by the other
    for name in "ledger/strain", "ledger/negative":
        a, b = (columns(f"{case}.h5", name)[0] for case in ("light", "checked"))
        assert a == pytest.approx(b, rel=1e-10)


def test_the_factors_that_solve_a_solid_count_its_negative_stiffnesses():
    said = [column("own")[0], column("other", *LU)[0]]
    found = [re.findall(r"^  found +(.*)$", text, re.M) for text in said]
    assert found[0] == found[1] and len(found[0]) == 1 and "1 direction of negative stiffness" in found[0][0]
    euler = np.pi**2 * 210e9 * 0.03 * 0.02**3 / 12 / (4 * 0.4**2)
    assert float(re.search(r"factor ([\d.]+)", found[0][0])[1]) * 1e5 == pytest.approx(euler, rel=0.02)


BAR = """
limber: 1
nodes: {hub: [0, 0, 0], tip: {at: [10, 0, 0]}}
sections:
  bar: {stiffness: [1e9, 1e5, 1e5, 1e6, 1e7, 1e7], mass: 30, inertia: [2, 1, 1]}
elements:
  - beam: {name: bar, from: hub, to: tip, section: bar, up: [0, 1, 0], elements: 8}
joints:
  - revolute: {name: shaft, nodes: [ground, hub], axis: [0, 0, 1]}
loads:
  - gravity: {acceleration: [0, 0, 0]}
  - drive: {name: rate, joint: shaft, rate: 10}
probes:
  - {name: tip, node: tip}
"""


def test_a_drive_of_constant_rate_sets_the_rotation():
    """A bar with the stiffness A and the mass m per length, which rotates at w, has its tip at tan(k L)/k, k^2 = m w^2/A."""
    assert "nothing will move" not in static(BAR, name="driven").out
    static(BAR + "motion: {angular_velocity: [0, 0, 10]}\n", name="moved")
    driven, moved = (columns(f"{name}.h5", "probes/tip/displacement")[0][:, 0] for name in ("driven", "moved"))
    assert list(driven) == list(moved)
    k = np.sqrt(30 * 10**2 / 1e9)
    assert driven[-1] == pytest.approx(np.tan(10 * k) / k - 10, rel=3e-4)


def test_a_drive_with_which_the_model_cannot_rotate_steadily_is_named():
    said = static(BAR, "loads.1.acceleration=[0, -9.81, 0]")
    assert "drive 'rate' moves at a constant rate, but the model cannot rotate steadily with it: all of it stands still" in said.out
