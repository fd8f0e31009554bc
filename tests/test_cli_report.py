# SPDX-License-Identifier: Apache-2.0
"""Pages on runs: whole, alone, and with the numbers of the results."""
import html
import pathlib
import re
import shutil

import numpy as np
import pytest

from support import count, limber, models, needs, run, settings, source, tool, write

MODEL = """limber: 1
title: A weight </title><script>alert(1)</script> & "more"
nodes:
  O: {at: [0, 0, 0], kind: fixed}
  w: {at: [0, 0, -1], kind: point, velocity: [0.3, 0, 0]}
  body: {at: [1, 2, 3], rotate: {about: [0, 0, 1], by: 90 deg}}
elements:
  - mass: {name: weight, node: w, mass: 1.5}
  - spring: {name: coil, nodes: [O, w], stiffness: 1e3, damping: 2}
  - rigid_body: {name: brick, node: body, mass: 2, inertia: [3, 4, 5], centre: [0.5, 0, 0]}
joints:
  - clamp: {name: held, node: body}
loads:
  - gravity: {name: pull, acceleration: [0, 0, -9.81]}
  - force: {name: push, node: w, direction: [1, 0, 0]}
probes:
  - {name: w, node: w}
  - {name: held, joint: held}
run: {scheme: decaying_c, step: 2 ms, end: 1 s}
"""
PAGE = "strange.report.html"


@pytest.fixture(scope="module", autouse=True)
def said(folder):
    run(write("strange.yaml", MODEL), "strange.h5")
    return limber("report", "strange.h5")


def rows(page, word):
    """Cells of the rows of tables that begin with a word, without it: numbers with all digits."""
    return [line.split(",") for line in tool("report.py", page, "table", word).split("\n")]


def last(column):
    return limber("export", "strange.h5", column).lines[-1].split(",")[1]


def text():
    return pathlib.Path(PAGE).read_text()


def test_a_page_is_written_and_told(said):
    assert (said.code, said.out + said.err) == (0, "strange.report.html: open it in a browser, or print it")


def test_every_tag_is_closed():
    assert tool("report.py", PAGE, "whole") == "whole"


def test_it_fetches_nothing_from_elsewhere():
    assert tool("report.py", PAGE, "outside") == "nothing"
    assert "http" not in text()


def test_what_the_model_says_is_only_text():
    title = html.escape('A weight </title><script>alert(1)</script> & "more"')
    assert "<script>" not in text()
    assert count(re.escape(f"<h1>{title}</h1>"), text()) == 1


# ---- numbers ----
@pytest.mark.parametrize("part", ["kinetic", "strain", "potential"])
def test_the_energy_is_that_of_the_results(part):
    assert rows(PAGE, part + " energy")[0][1] == last("ledger." + part)


@pytest.mark.parametrize("row, column", [
    ("work of loads and drives", "work"), ("taken by dampers", "damping"), ("dissipated by the scheme", "dissipated")])
def test_the_ledger_has(row, column):
    assert rows(PAGE, row)[0][1] == last("ledger." + column)


def test_the_work_of_each_load_is_there():
    assert rows(PAGE, "push") == [[last("push.work")]]


def test_the_worst_step_is_that_of_the_results():
    table = [line.split(",") for line in limber("export", "strange.h5", "ledger.residual").lines[1:]]
    worst = max(table, key=lambda row: abs(float(row[1])))
    assert " ".join(re.findall('class="worst" title="([^"]*)"', text())).split() == worst


# by hand: 1.5 kg at (0, 0, -1); 2 kg whose centre, 0.5 m along its first axis, which points along y, is at (1, 2.5, 3)
def test_masses_are_those_one_finds_by_hand():
    x = [float(v) for v in rows(PAGE, "rigid_body")[0][2:]]
    assert np.allclose(x[:4], [2, 1, 2.5, 3], rtol=1e-14)
    assert np.allclose(sorted(x[4:]), [3, 4, 5], rtol=1e-13)


def test_the_total_too():
    x = [float(v) for v in rows(PAGE, "all")[0][2:]]
    m, c = np.array([1.5, 2]), np.array([[0, 0, -1], [1, 2.5, 3]])
    g = m @ c / 3.5
    own = np.array([4, 3, 5])  # turned by a right angle about z
    j = own + sum(k * (v @ v - v * v) for k, v in zip(m, c - g))
    assert np.allclose(x[:4], [3.5, *g], rtol=1e-14)
    assert np.allclose(x[4:], j, rtol=1e-13)


def test_extremes_are_those_of_the_column():
    table = [line.split(",") for line in limber("export", "strange.h5", "w.position.x").lines[1:]]
    least = min(table, key=lambda row: float(row[1]))
    assert [float(v) for v in rows(PAGE, "w.position.x")[0][3:5]] == [float(least[1]), float(least[0])]


# energy, losses, account; Newton, iterations, joints; the shape; and one for each quantity and unit of the probes
def test_every_quantity_has_its_chart():
    head = limber("export", "strange.h5", "w", "held").lines[0].split(",")[1:]
    quantities = {(*re.split("[. ]", name)[:2], name[name.index("["):]) for name in head}
    assert len(quantities) > 3
    assert tool("report.py", PAGE, "charts") == str(3 + 3 + 1 + len(quantities))


# ---- runs that need a look ----
def marked(page):
    return tool("report.py", page, "table", "look here")


def test_a_run_that_failed_is_marked():
    shutil.copy(models / "failing/lock.yaml", ".")
    limber("run", "lock.yaml", "-q")
    limber("report", "lock.h5", "-o", "lock.html")
    assert count("^end,not reached: it stopped at t = 0.52", marked("lock.html")) == 1


def test_a_scheme_without_proof_is_marked():
    run("strange.yaml", "alpha.h5", *settings("run.scheme=generalized_alpha"))
    limber("report", "alpha.h5")
    assert count("^balance,no theorem covers this scheme", marked("alpha.report.html")) == 1


def test_every_scheme_has_its_words():
    _, _, told = limber("describe", "run").out.partition("\nschemes:")
    schemes = re.findall("^  ([a-z_]+) ", told, re.M)
    written = "".join(file.read_text() for file in source.glob("src/**/report*.c"))
    assert len(schemes) > 3
    assert [scheme for scheme in schemes if '{"%s"' % scheme not in written] == []


# ---- paper ----
def test_it_is_printed_as_pdf():
    needs("chromium")
    assert limber("report", "strange.h5", "-o", "paper.html", "--pdf").code == 0
    assert pathlib.Path("paper.pdf").read_bytes()[:5] == b"%PDF-"


def test_without_chromium_it_says_what_to_do():
    said = limber("report", "strange.h5", "--pdf", PATH="/nowhere")
    assert said.code == 2
    assert count("apt install chromium, or open strange.report.html", said.err) == 1


# ---- what is refused ----
def test_a_model_has_no_report():
    said = limber("report", "strange.yaml")
    assert said.code == 2
    assert count("'strange.yaml' is no HDF5 file", said.err) == 1


def test_a_page_ends_in_html():
    said = limber("report", "strange.h5", "-o", "page.txt")
    assert (said.code, said.err) == (2, "limber report: a page ends in .html, not as 'page.txt'")
