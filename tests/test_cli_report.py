# SPDX-License-Identifier: Apache-2.0
"""Pages on runs: whole, alone, and with the numbers of the results."""
import html
import pathlib
import re
import shutil

import numpy as np
import pytest

from support import count, limber, models, needs, run, settings, source, tool, with_column, write

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
    ("work of loads and drives", "work"), ("dissipated by dampers and friction", "damping"), ("dissipated by the scheme", "dissipated")])
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


def charts(page):
    """The charts of a page by their titles: their texts, and the corners of their lines."""
    found = re.findall('<svg class="chart".*?</svg>', pathlib.Path(page).read_text(), re.S)
    out = {}
    for c in found:
        lines = [re.findall(r"[ML]([0-9.]+) ([0-9.]+)", d) for d in re.findall(r'stroke-width="2.6"[^>]*d="([^"]*)"/>', c)]
        lines = [np.array(line, float) for line in lines if len(line) > 2]  # those of the legend have two points
        out.setdefault(html.unescape(re.search("<title>(.*?)</title>", c).group(1)), []).append(
            ([html.unescape(t) for t in re.findall("<text[^>]*>(.*?)</text>", c)], lines))
    return out


def test_round_off_is_drawn_as_a_constant():
    with_column("strange.h5", "noise.h5", "w/position", 1, 1e-32)
    assert limber("report", "noise.h5").code == 0
    texts, lines = charts("noise.report.html")["w position"][0]
    assert "y: 0 within round-off" in texts and "x" in texts and "z" in texts
    assert len(lines) == 3 and np.ptp(lines[1][:, 1]) == 0 and np.ptp(lines[2][:, 1]) > 2
    assert rows("noise.report.html", "w.position.y")[0][:4] == ["m", "0", "0", "0"]


def test_a_chart_of_round_off_alone_stands_on_the_scale_of_the_run():
    for k in range(3):
        with_column("strange.h5" if k == 0 else "noise.h5", "noise.h5", "w/displacement", k, 1e-18)
    assert limber("report", "noise.h5").code == 0
    texts, lines = charts("noise.report.html")["w displacement"][0]
    assert "0 within round-off: at most 1.0e-18 m" in texts
    assert "\u22121" in texts and "1" in texts  # the weight hangs 1 m below O
    assert all(np.ptp(line[:, 1]) == 0 for line in lines)


def test_a_quantity_is_named_once_with_its_unit():
    for title, all_of_it in charts(PAGE).items():
        for texts, _ in all_of_it:
            assert texts[0] == title and texts.count(title) == 1
            assert sum("[m/s]" in t for t in texts) == (title == "w velocity")
            assert not any("s-1" in t for t in texts)


def test_long_names_are_shortened():
    model = MODEL.replace("name: w, node: w", "name: " + 12 * "the_weight_" + ", node: w")
    run(write("named.yaml", model), "named.h5", *settings("run.end=0.1 s"))
    assert limber("report", "named.h5").code == 0
    found = charts("named.report.html")
    texts = found[12 * "the_weight_" + " velocity"][0][0]
    assert "…" in texts[0] and texts[0].startswith("the_weight") and texts[0].endswith("velocity")
    assert 9 * len(texts[0]) < 830 and texts.count("[m/s]") == 1


def test_axes_of_a_path_of_equilibria_are_no_time():
    shutil.copy(source / "examples/static_star_dome/dome.yaml", ".")
    assert limber("static", "dome.yaml", "-o", "dome.h5").code == 0
    assert limber("report", "dome.h5").code == 0
    texts = charts("dome.report.html")["apex displacement"][0][0]
    assert not any("[s]" in t for t in texts)
    assert "at t [s]" not in pathlib.Path("dome.report.html").read_text()


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
    assert [scheme for scheme in schemes if '{LIMBER_SCHEME_%s,' % scheme.upper() not in written] == []


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
    assert count("'strange.yaml' is not an HDF5 file", said.err) == 1


def test_a_page_ends_in_html():
    said = limber("report", "strange.h5", "-o", "page.txt")
    assert (said.code, said.err) == (2, "limber report: a page ends in .html, not as 'page.txt'")
