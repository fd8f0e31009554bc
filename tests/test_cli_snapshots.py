# SPDX-License-Identifier: Apache-2.0
"""Snapshots of the whole model: in /VTKHDF, through VTK's reader, and through the sidecar."""
import functools
import os
import pathlib
import re
import signal
import subprocess

import numpy as np
import pytest

import snapshots as s
from support import Going, command, edited, environment, h5, limber, models, run, same_bytes, settings, until, write


# ---- what a snapshot holds ----
@pytest.fixture(scope="module")
def swing(folder):
    return limber("run", models / "swing.yaml", "-o", "swing.h5")


@pytest.fixture(scope="module")
def everything(folder):
    return limber("run", models / "all.yaml", "-o", "all.h5")


def names(f, what):
    return f["names/" + what].asstr()[()].tolist()


def test_a_run_tells_of_its_snapshots(swing):
    assert swing.code == 0
    assert re.findall("snapshots .*", swing.out) == [
        "snapshots   101; limber view swing.h5 shows them, swing.xdmf opens them in ParaView"]


def test_vtk_and_the_sidecar_read_what_was_written(swing):
    assert s.same("swing.h5", "swing.xdmf") == []
    assert len(s.from_sidecar("swing.xdmf")) == 101


def test_snapshots_agree_with_the_probes(swing):
    grids = s.from_sidecar("swing.xdmf")
    g = grids[0]

    def every(get):
        return np.array([get(x) for x in grids])

    with h5("swing.h5") as f:
        nodes, items, kinds, rows = (names(f, w) for w in ("nodes", "items", "kinds", "rows"))
        cell = [(items[i], p) for i, p in zip(g.cell["item"], g.cell["point"])]
        B, last = nodes.index("strip1.3"), cell.index(("strip1", 5))
        link, hinge = cell.index(("link1", -1)), cell.index(("hinge", -1))
        h, p = f["history"], f["history/probes"]
        assert np.array_equal(every(lambda x: x.time), h["time"])
        assert np.array_equal(every(lambda x: x.points[B]), p["B/position"])
        for q in ("displacement", "velocity", "angular_velocity"):
            assert np.array_equal(every(lambda x: x.point[q][B]), p["B"][q])
        for q in ("force", "strain"):
            assert np.array_equal(every(lambda x: x.cell[q][last]), p["end"][q])
        assert np.array_equal(every(lambda x: x.cell["force"][link, 0]), p["link1/multiplier"][:, 0])
        assert np.array_equal(every(lambda x: x.cell["force"][hinge]), p["hinge/multiplier"])
        assert every(lambda x: np.abs(x.cell["force"][link, 1:]).max()).max() == 0
        assert np.abs(p["end/force"]).max() > 0.1  # there is something to compare
        assert kinds[g.cell["kind"][last]] == "beam" and kinds[g.cell["kind"][hinge]] == "revolute"
        assert rows[g.cell["kind"][last]] == "N [N], V2 [N], V3 [N], M1 [N m], M2 [N m], M3 [N m]"


def test_beams_are_lines_from_node_to_node_links_lines_and_bodies_vertices(swing):
    g = s.from_sidecar("swing.xdmf")[0]
    with h5("swing.h5") as f:
        nodes, items = names(f, "nodes"), names(f, "items")
    found = [" ".join([items[i], *[nodes[p] for p in c]]) for i, c in zip(g.cell["item"], g.cells)]
    assert found == [
        "strip1 A strip1.1", "strip1 strip1.1 strip1.2", "strip1 strip1.2 strip1.3", "strip1 strip1.3 strip1.4",
        "strip1 strip1.4 strip1.5", "strip1 strip1.5 C", "strip2 C strip2.1", "strip2 strip2.1 strip2.2",
        "strip2 strip2.2 strip2.3", "strip2 strip2.3 strip2.4", "strip2 strip2.4 strip2.5", "strip2 strip2.5 E", "mass C",
        "spherical#1 O1", "link1 O1 A", "hinge E"]


def test_sections_are_oriented_where_the_axes_of_end_nodes_differ(everything, measured):
    assert s.same("all.h5", "all.xdmf") == []
    g = s.from_vtkhdf("all.h5")[0]
    with h5("all.h5") as f:
        nodes, items = names(f, "nodes"), names(f, "items")
    straight = ["first", "second", "tail", "beam#4"]
    beam = [i for i in range(len(g.cells)) if g.cell["point"][i] >= 0 and items[g.cell["item"][i]] in straight]
    worst = 0
    for i in beam:
        e = np.array([g.cell[k][i] for k in ("e1", "e2", "e3")])
        along = g.points[g.cells[i][1]] - g.points[g.cells[i][0]]
        worst = max(worst, np.abs(e @ e.T - np.eye(3)).max(), np.abs(e[0] - along / np.linalg.norm(along)).max())
    measured("sections at the reference are orthonormal and along the line to %.1e" % worst)
    b = nodes.index("b")  # turned by 90 degrees against the beams that meet there
    rod = g.cell["item"].tolist().index(items.index("rod"))
    assert len(beam) == 29
    assert worst < 1e-8
    assert abs(g.point["d1"][b] @ [1, 0, 0]) < 1e-12
    assert np.abs(g.cell["e1"][rod]).max() == 0


# ---- when ----
def milliseconds(path):
    return [round(1e4 * g.time) / 10 for g in s.from_vtkhdf(path)]


def with_run(text, to):
    """all.yaml with another part `run`."""
    base = (models / "all.yaml").read_text()
    return write(to, base[:re.search("^run:", base, re.M).start()] + text + "\n")


@pytest.fixture(scope="module")
def seven(folder):
    return with_run("run: {step: 2 ms, end: 30 ms, snapshots: 7 ms}", "seven.yaml")


def test_a_short_run_has_every_step(everything):
    assert milliseconds("all.h5") == list(range(21))


def test_the_first_step_that_reaches_a_multiple_and_the_last_are_taken(seven):
    limber("run", seven, "-o", "seven.h5")
    assert milliseconds("seven.h5") == [0, 8, 14, 22, 28, 30]


def test_the_start_and_the_last_are_always_there():
    limber("run", with_run("run: {step: 1 ms, end: 4 ms, snapshots: 1 s}", "ends.yaml"), "-o", "ends.h5")
    assert milliseconds("ends.h5") == [0, 4]


def test_none_leaves_no_group_and_no_sidecar():
    limber("run", with_run("run: {step: 1 ms, end: 4 ms, snapshots: 1 s}", "ends.yaml"), "-o", "none.h5")
    assert os.path.exists("none.xdmf")
    assert limber("run", with_run("run: {step: 1 ms, end: 4 ms, snapshots: 0}", "none.yaml"), "-o", "none.h5").code == 0
    with h5("none.h5") as f:
        assert ("VTKHDF" in f, "names" in f, f.attrs["snapshots"]) == (False, False, 0)
    assert not os.path.exists("none.xdmf")


def test_a_sidecar_does_not_overwrite_what_is_none(seven):
    write("mine.xdmf", pathlib.Path(seven).read_text())
    said = limber("run", seven, "-o", "mine.h5")
    assert said.code == 2
    assert [line for line in said.complaints if line.startswith("limber")] == [
        "limber run: 'mine.xdmf' is not an XDMF file that Limber wrote, so it is not overwritten; --force overwrites it, or give another name"]
    assert same_bytes("mine.xdmf", seven)


# ---- ranks ----
@functools.cache
def first_steps(ranks):
    """The name of results of 20 steps: more ranks than cores spend most of their time waiting for each other."""
    run(models / "swing.yaml", f"on{ranks}.h5", *settings("run.end=10 ms"), ranks=ranks)
    return f"on{ranks}"


@pytest.mark.parametrize("ranks", [3, 4])
def test_ranks_give_the_history_of_one(folder, ranks, measured):
    said = limber("compare", first_steps(1) + ".h5", first_steps(ranks) + ".h5", "--tolerance", "1e-9")
    measured(said.lines[-1])
    assert said.code == 0


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_ranks_give_the_snapshots_of_one(folder, ranks, measured):
    name = first_steps(ranks)
    one, several = s.from_vtkhdf(first_steps(1) + ".h5"), s.from_vtkhdf(name + ".h5")
    assert s.same(name + ".h5", name + ".xdmf") == []
    assert len(one) == len(several) == 21
    scale = dict(force=36.0, strain=1.0, velocity=1.0, angular=1.0)  # 1e-4 EA: round-off in the stretch of a stiff strip
    wrong, worst = set(), 0.0
    for a, b in zip(one, several):
        if a.cells != b.cells or a.types != b.types or a.time != b.time:
            wrong.add("grid")
        for p, q in ((a.point, b.point), (a.cell, b.cell), (dict(points=a.points), dict(points=b.points))):
            for name in p:
                off = np.abs(p[name] - q[name]).max() / scale.get(name, 1.0)
                worst = max(worst, off)
                if not off <= 1e-9:
                    wrong.add(name)
    measured("largest relative difference %.1e" % worst)
    assert wrong == set()


def test_the_same_run_on_two_ranks_gives_the_same_bytes():
    run(models / "swing.yaml", "again.h5", *settings("run.end=10 ms"), ranks=2)
    assert same_bytes(first_steps(2) + ".h5", "again.h5")


def test_ranks_without_rows_write_along():
    run(models / "spin.yaml", "three.h5", *settings("run.end=20 ms"), ranks=3)  # one node: two ranks have no row
    assert s.same("three.h5", "three.xdmf") == []
    assert len(s.from_vtkhdf("three.h5")) == 21


# ---- while a run goes on, and cut off ----
@pytest.fixture(scope="module", params=[1, 2], ids=lambda n: f"{n}_ranks")
def cut_off(request, folder):
    """A run that was interrupted after some snapshots; how many the sidecar showed while it went on."""
    edited(models / "swing.yaml", "^run:.*", "run: {step: 0.05 ms, end: 1000 s, snapshots: 5 ms}", "endless.yaml")
    name = f"endless{request.param}"
    with Going("run", "endless.yaml", "-q", "-o", name + ".h5", "--", "-limber_flush", "0.1", ranks=request.param) as going:
        def seen():
            found = len(s.from_sidecar(name + ".xdmf"))
            return found if found > 3 else 0
        shown = until(seen)
        going.stop(signal.SIGINT)
    return name, shown


def test_the_sidecar_opens_while_a_run_goes_on(cut_off):
    assert cut_off[1] > 3


def test_a_run_that_is_cut_off_leaves_whole_snapshots(cut_off):
    name = cut_off[0]
    g = s.from_vtkhdf(name + ".h5")
    assert s.same(name + ".h5", name + ".xdmf") == []
    assert len(g) > 3
    with h5(name + ".h5") as f:
        assert f.attrs["status"] == "interrupted"
        assert g[-1].time == f["history/time"][-1]
    assert all(abs(a.time - 5e-3 * i) < 1e-9 for i, a in enumerate(g[:-1]))


# ---- what else the file tells ----
def test_momentum_and_every_option_are_recorded():
    limber("run", models / "spin.yaml", "-o", "spin.h5")
    with h5("spin.h5") as f:
        p, h = f["history/ledger/momentum"], f["history/ledger/angular_momentum"]
        rate = 2e3 * np.tan(10e-3 * np.pi)  # of the scheme, whose steps of 1 ms turn by 20 pi h
        spin = 0.3 * np.array([0, 0, rate]) + np.cross([1, 2, 3], [2, 0, 0])  # about the origin; constant
        assert np.allclose(p, [2, 0, 0], atol=1e-12)
        assert np.allclose(h, spin, atol=1e-11)
        assert (p.attrs["units"], h.attrs["units"]) == ("N s", "N m s")
        assert (f.attrs["literal_jump"], f.attrs["equilibrium"], round(f.attrs["snapshots"], 12)) == (0, 0, 0.0035)


def test_all_that_a_run_was_made_of_is_recorded():
    text = "".join(line for line in (models / "spin.yaml").read_text().splitlines(True) if not line.startswith("run:"))
    write("main.yaml", text + "include: [part.yaml]\n")
    write("part.yaml", "limber: 1\nrun: {step: 1 ms, end: 5 ms}\n")
    assert limber("run", "main.yaml", "-o", "parts.h5", *settings("run.end=3 ms", "run.scheme=decaying_a")).code == 0
    with h5("parts.h5") as f:
        part = f["included/1"]
        assert f["model"].asstr()[()] == pathlib.Path("main.yaml").read_text()
        assert part.asstr()[()] == pathlib.Path("part.yaml").read_text()
        assert part.attrs["name"] == "part.yaml"
        assert list(f.attrs["changes"]) == ["run.end=3 ms", "run.scheme=decaying_a"]
        assert (f.attrs["scheme"], f.attrs["end"]) == ("decaying_a", 0.003)


# ---- large models ----
CHAIN = """
limber: 1
sections:
  rod: {E: 210 GPa, nu: 0.3, density: 7800 kg/m3, rectangle: [10 mm, 10 mm]}
elements:
  - beam: {name: rod, start: [0, 0, 0], end: [1600 m, 0, 0], up: [0, 0, 1], section: rod, elements: 16000, order: 3}
joints:
  - clamp: {node: rod.start}
run: {step: 1 ms, end: 1 ms, snapshots: 1 ms}
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="the system does not count calls")
def test_an_array_of_a_large_snapshot_is_written_in_few_pieces(folder):
    write("chain.yaml", CHAIN)
    going = subprocess.Popen(command("run", "chain.yaml", "-q", "-o", "chain.h5"), env=environment())
    os.waitid(os.P_PID, going.pid, os.WEXITED | os.WNOWAIT)  # it still counts
    calls = int(re.search(r"^syscw: (\d+)", pathlib.Path(f"/proc/{going.pid}/io").read_text(), re.M)[1])
    assert going.wait() == 0
    with h5("chain.h5") as f:
        assert f["VTKHDF/Points"].shape[0] > 48000  # more than 1 MB an array, the cache of HDF5
    assert calls < 5000  # not one for each node
