# SPDX-License-Identifier: Apache-2.0
"""Meshes: both formats of Gmsh give the same run; a group ties, loads and holds; solids in snapshots and pictures."""
import pathlib
import re
import shutil

import numpy as np
import pytest

import snapshots as s
from support import count, h5, limber, models, run, settings, write


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    for file in models.glob("bracket*"):
        shutil.copy(file, ".")


@pytest.fixture(scope="module")
def new(files):
    return limber("run", "bracket.yaml", "-q", "-o", "new.h5")


@pytest.fixture(scope="module")
def free(files):
    """The model without its joints and what they tie it to."""
    text = pathlib.Path("bracket.yaml").read_text()
    text = re.sub(r"^joints:\n(?:.*\n)*?(?=loads:)", "", text, flags=re.M)
    return write("free.yaml", "".join(line for line in text.splitlines(True) if "glue" not in line))


def motion(results):
    return limber("export", results, "tip.x", "tip.y", "tip.z").out


def test_a_mesh_of_format_4_1_runs(new):
    assert new.code == 0, new.err


def test_a_mesh_of_format_2_2_runs_the_same(new):
    run("bracket.yaml", "old.h5", *settings("meshes.bracket.file=bracket_22.msh"))
    assert len(motion("new.h5")) > 100
    assert motion("old.h5") == motion("new.h5")


def test_lines_may_end_as_in_windows():
    pathlib.Path("dos.msh").write_bytes(pathlib.Path("bracket.msh").read_bytes().replace(b"\n", b"\r\n"))
    assert count("no errors", limber("check", "bracket.yaml", *settings("meshes.bracket.file=dos.msh")).out) == 1


# 8 nodes of the root are tied, the force of 0.2 N is spread over the 12 nodes of the top
def test_a_group_stands_for_its_nodes():
    lines = [" ".join(line.split()) for line in limber("check", "bracket.yaml").lines if re.search("joints|loads", line)]
    assert lines == ["joints 9", "loads 12"]


def test_a_force_on_a_group_is_that_of_all_together(new):
    with h5("new.h5") as f:
        work = f["history/ledger/load_work"]
        assert (len(work.attrs.get("columns", [])) or len(work[0])) == 12


def test_a_force_on_a_free_body_gives_its_momentum(free):
    run(free, "free.h5")
    with h5("free.h5") as f:
        assert "%.12f" % f["history/ledger/momentum"][-1][0] == "0.001600000000"  # half of 0.2 N, 0.4 of it reached, 40 ms


def test_solids_are_cells_for_vtk_and_the_sidecar(new):
    g = s.from_sidecar("new.xdmf")
    assert s.same("new.h5", "new.xdmf") == []
    assert len(g) == 5
    assert sorted((k, g[0].types.count(k)) for k in set(g[0].types)) == [(1, 2), (3, 8), (10, 262)]


def test_the_stress_of_a_cell_is_that_of_its_point(new):
    g = s.from_sidecar("new.xdmf")
    with h5("new.h5") as f:
        items = f["names/items"].asstr()[()].tolist()
        cell = [(items[i], p) for i, p in zip(g[0].cell["item"], g[0].cell["point"])].index(("body", 3))
        a = np.array([x.cell["force"][cell] for x in g])
        assert np.abs(a).max() > 10
        assert np.abs(a - f["history/probes/stress/force"][::5]).max() < 1e-9 * np.abs(a).max()


def test_fixed_groups_do_not_move(free):
    run(free, "held.h5", *settings("meshes.bracket.fixed=root"))
    g = s.from_sidecar("held.xdmf")
    still = np.abs(g[-1].point["displacement"]).max(axis=1) == 0
    assert still.sum() == 9  # the root, and the hub that nothing drives
    assert (still & (g[0].points[:, 0] == 0)).sum() == 9


def test_solids_are_drawn(new):
    assert limber("plot", "new.h5", "--shape", "-o", "shape.png").code == 0
    assert pathlib.Path("shape.png").read_bytes()[1:4] == b"PNG"


# ---- a rigid body from a mesh ----
def mesh(name, *cells):
    """A box of 1 x 2 x 3 m about [5, 6, 7], cut into cells."""
    nodes = ["1 4.5 5 5.5", "2 5.5 5 5.5", "3 5.5 7 5.5", "4 4.5 7 5.5", "5 4.5 5 8.5", "6 5.5 5 8.5", "7 5.5 7 8.5", "8 4.5 7 8.5"]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", "8", *nodes, "$EndNodes", "$Elements", str(len(cells)),
             *[f"{i + 1} {cell}" for i, cell in enumerate(cells)], "$EndElements"]
    write(name, "\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def meshes(files):
    mesh("hex.msh", "5 2 0 1 1 2 3 4 5 6 7 8")
    mesh("tets.msh", "4 2 0 1 1 2 4 5", "4 2 0 1 2 3 4 7", "4 2 0 1 2 5 6 7", "4 2 0 1 4 5 7 8", "4 2 0 1 2 4 7 5")


def body(name, fields):
    write(name + ".yaml", f"""limber: 1
meshes: {{hex: {{file: hex.msh}}, tets: {{file: tets.msh}}}}
elements:
  - simplex_body: {{name: stone, density: 2, {fields}, angular_velocity: [0.1, 2, 0.05]}}
probes: [{{name: one, node: stone.1}}]
run: {{scheme: preserving, step: 10 ms, end: 0.5 s}}
""")
    return limber("run", name + ".yaml", "-q", "-o", name + ".h5")


@pytest.mark.parametrize("cells", ["hex", "tets"])
def test_a_body_of_a_mesh_is_the_box_that_it_fills(meshes, cells):
    assert body("box", "centre: [5, 6, 7], box: [1, 2, 3]").code == 0
    assert body(cells, "mesh: " + cells).code == 0
    assert limber("compare", "box.h5", cells + ".h5", "one.position", "ledger.kinetic", "--tolerance", "1e-12").code == 0


def test_a_body_has_one_form(meshes):
    assert count("a body has either an `inertia`, the lengths of a `box`, or a `mesh`", body("both", "mesh: hex, box: [1, 2, 3]").err) == 1


def test_a_mesh_that_is_not_there_is_guessed(meshes):
    assert count("there is no mesh 'hax'; did you mean 'hex'", body("lost", "mesh: hax").err) == 1
