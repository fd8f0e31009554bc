# SPDX-License-Identifier: Apache-2.0
"""Differences of two runs: numbers, times, models, exit codes."""
import re

import numpy as np
import pytest

from support import count, edited, h5, limber, models, run, settings, tool, with_column, write

SAME = "the runs are bit-for-bit identical"


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    write("swing.yaml", """limber: 1
title: A weight on a spring
nodes: {O: {at: [0, 0, 0], kind: fixed}, w: {at: [1, 0, 0], kind: point, velocity: [0, 1, 0]}}
elements:
  - mass: {node: w, mass: 1}
  - spring: {nodes: [O, w], stiffness: 100}
probes:
  - {name: w, node: w}
run: {step: 10 ms, end: 1 s}
""")
    run("swing.yaml", "a.h5")
    run("swing.yaml", "b.h5")
    run(edited("swing.yaml", "stiffness: 100", "stiffness: 101", "stiff.yaml"), "stiff.h5")
    run("swing.yaml", "fine.h5", *settings("run.step=5ms"))
    run("swing.yaml", "short.h5", *settings("run.end=0.5"))
    run(edited("swing.yaml", "{name: w, node: w}", "{name: w, node: w, record: [position]}", "less.yaml"), "less.h5")


def compare(*words):
    return limber("compare", *words)


def row(said, name):
    """The numbers of a column's line, after its name and unit."""
    line, = [line.removeprefix("*").split() for line in said.lines if line.removeprefix("*").split()[:1] == [name]]
    return [float(x) for x in line[2:]]


def changed_lines(said):
    return [line for line in said.lines if re.match("  [-+]", line)]


def refused(*words):
    said = compare(*words)
    assert said.code == 2
    return said.err


def test_the_same_run_is_the_same_to_the_bit():
    said = compare("a.h5", "b.h5")
    assert (said.code, said.lines[-1]) == (0, SAME)


def test_the_same_model_is_told():
    assert count("^the model is the same$", compare("a.h5", "b.h5").out) == 1


# ---- numbers ----
@pytest.fixture(scope="module")
def stiff(files):
    return compare("a.h5", "stiff.h5")


def test_another_stiffness_is_a_difference(stiff):
    assert stiff.code == 1
    assert stiff.lines[-1].startswith("the runs differ:")


def test_the_line_that_changed_is_shown(stiff):
    assert changed_lines(stiff) == ["  - model:6:   - spring: {nodes: [O, w], stiffness: 100}",
                                    "  + model:6:   - spring: {nodes: [O, w], stiffness: 101}"]


def test_its_numbers_are_right(stiff):
    with h5("a.h5") as f, h5("stiff.h5") as g:
        p, q, t = f["history/probes/w/position"][()], g["history/probes/w/position"][()], f["history/time"][()]
    d, scale = np.abs(p[:, 0] - q[:, 0]), max(np.abs(p).max(), np.abs(q).max())
    wanted = [d.max(), t[d.argmax()], np.sqrt(np.mean(d**2)), np.linalg.norm(d) / np.linalg.norm(p[:, 0]), d.max() / scale]
    assert np.allclose(row(stiff, "w.position.x"), wanted, rtol=6e-3)


def test_within_the_tolerance_the_code_is_0(stiff):
    said = compare("a.h5", "stiff.h5", "w.x", "--tolerance", 1.01 * row(stiff, "w.position.x")[-1])
    assert said.code == 0
    assert said.lines[-1].startswith("the runs agree within")


def test_beyond_the_tolerance_it_is_1(stiff):
    said = compare("a.h5", "stiff.h5", "w.x", "--tolerance", 0.99 * row(stiff, "w.position.x")[-1])
    assert said.code == 1
    assert said.lines[-1].startswith("the runs differ: 1")
    assert count(r"^\* w.position.x", said.out) == 1


# ---- times ----
def test_other_times_are_resampled_and_told():
    said = compare("a.h5", "fine.h5", "--tolerance", "0.05")
    assert said.code == 0
    assert said.lines[-1].startswith("the runs agree within")
    assert count("^their times differ: fine.h5 is interpolated linearly at the 101 times of a.h5$", said.out) == 1


def test_changes_of_the_command_line_are_shown():
    assert changed_lines(compare("a.h5", "fine.h5", "--tolerance", "0.05")) == ["  + --set:1: run.step=5ms"]


# the middle between two rows of the coarse run is their mean
def test_between_rows_values_are_straight():
    found = row(compare("fine.h5", "a.h5", "w.y"), "w.position.y")[0]
    with h5("fine.h5") as f, h5("a.h5") as g:
        f, g = f["history"], g["history"]
        straight = np.interp(f["time"][()], g["time"][()], g["probes/w/position"][:, 1])
        assert np.allclose(found, np.abs(f["probes/w/position"][:, 1] - straight).max(), rtol=6e-3)


def test_runs_that_do_not_end_together_differ():
    said = compare("a.h5", "short.h5", "--tolerance", "1")
    assert (said.code, said.lines[-1]) == (
        1, "the runs differ: 0 columns by more than 1 of their largest value; they end at different times")
    assert count("^the runs end at different times: they are compared up to t = 0.5 s$", said.out) == 1


def test_up_to_a_time_they_are_the_same():
    said = compare("a.h5", "short.h5", "--to", "0.5")
    assert (said.code, said.lines[-1]) == (0, SAME)


# ---- columns ----
def test_columns_of_one_run_are_told():
    said = compare("a.h5", "less.h5")
    assert (said.code, said.lines[-1]) == (
        1, "the runs differ: 0 columns by more than 0 of their largest value; 6 columns are in one run only")
    assert count(r"^only in a.h5: w\.", said.out) == 6


def test_named_columns_alone_are_judged():
    said = compare("a.h5", "less.h5", "w.position")
    assert (said.code, said.lines[-1]) == (0, SAME)


def test_a_column_that_is_not_there_is_a_mistake():
    assert refused("a.h5", "b.h5", "w.q").startswith("limber compare: a.h5 has no column 'w.q'; there are w.")


# ---- two processes ----
def test_two_processes_agree_with_one(measured):
    run(models / "four_bar.yaml", "one.h5")
    run(models / "four_bar.yaml", "two.h5", ranks=2)
    said = compare("one.h5", "two.h5", "--tolerance", "1e-7")
    measured(said.lines[-1].partition("; ")[2])
    assert said.code == 0
    assert said.lines[-1].startswith("the runs agree within")


# ---- pages ----
@pytest.fixture(scope="module")
def page(files):
    return compare("a.h5", "stiff.h5", "--html", "d.html")


def test_a_page_draws_both(page):
    assert page.code == 1
    assert page.lines[-1].startswith("the runs differ:")
    assert (tool("report.py", "d.html", "whole"), tool("report.py", "d.html", "outside")) == ("whole", "nothing")


def test_with_a_chart_for_each_that_differs(page):
    charts = count(r"^[* ] (ledger|steps|w)\.", page.out)
    text = open("d.html").read()
    still = re.search("Round-off alone, and not drawn:(.*)", text)
    assert charts > 0
    assert int(tool("report.py", "d.html", "charts")) == charts - (still.group(1).count("<span") if still else 0)


def test_round_off_is_named_and_not_drawn(files):
    for name, size in ("noise.h5", 1e-32), ("other.h5", 3e-32):
        with_column("a.h5", name, "w/velocity", 0, size)
    compare("noise.h5", "other.h5", "--html", "noise.html")
    text = open("noise.html").read()
    assert "Round-off alone, and not drawn:" in text and "w.velocity.x</span>" in text
    assert tool("report.py", "noise.html", "charts") == "0"
    with_column("a.h5", "moves.h5", "w/velocity", 0, 1e-3)
    compare("noise.h5", "moves.h5", "--html", "moves.html")
    assert tool("report.py", "moves.html", "charts") == "1" and "Round-off alone" not in open("moves.html").read()


def test_a_page_must_be_named_so():
    assert refused("a.h5", "b.h5", "--html", "d.txt") == "limber compare: a page ends in .html, not as 'd.txt'"


# ---- mistakes ----
def test_a_model_is_no_run():
    assert refused("a.h5", "swing.yaml") == "limber compare: 'swing.yaml' is not an HDF5 file; `limber run swing.yaml` writes swing.h5"


def test_a_tolerance_is_a_number():
    assert refused("a.h5", "b.h5", "--tolerance", "small").startswith("limber compare: --tolerance need")


def test_one_run_is_not_enough():
    assert refused("a.h5").startswith("limber compare:")
