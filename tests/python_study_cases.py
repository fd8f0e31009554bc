# SPDX-License-Identifier: Apache-2.0
"""What the Python module promises of studies; a part of python_cases.py."""
import os
import subprocess

import numpy as np

import limber

CASES = []
MODEL = """limber: 1
let: {stiffness: 100, damping: 0}
nodes:
  O: {at: [0, 0, 0], kind: fixed}
  w: {at: [1, 0, 0], kind: point, velocity: [1, 0, 0]}
elements:
  - mass: {name: weight, node: w, mass: 1}
  - spring: {name: coil, nodes: [O, w], stiffness: stiffness, damping: damping}
probes: [{name: w, node: w, record: position}]
run: {step: 5 ms, end: 0.5 s}
"""
PLAN = """limber: 1
title: Springs
study:
  model: springs.yaml
  vary: {let.stiffness: [100, 200, 400, 800], let.damping: [0, -1]}
  summary: [{channel: w.position.x}]
"""


def case(function):
    CASES.append(function)
    return function


def caught(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


def write(plan=PLAN, path="springs_plan.yaml"):
    for name, text in (("springs.yaml", MODEL), (path, plan)):
        with open(name, "w") as f:
            f.write(text)


@case
def rows_of_a_study_are_those_of_its_table():
    write()
    rows = {row.run: row for row in limber.study("springs_plan.yaml", workers=2)}
    table = limber.StudyTable("springs_plan.h5")
    assert sorted(rows) == list(range(8)) and len(table) == 8 and table.title == "Springs"
    assert table.parameters == ("let.stiffness", "let.damping") and table.units["w.position.x max"] == "m"
    bad = table["let.damping"] < 0
    assert table.failed().tolist() == np.flatnonzero(bad).tolist() == [r for r in sorted(rows) if not rows[r].finished]
    assert set(table.status[bad]) == {"not_started"} and all("damping" in table.cause(int(r)) for r in table.failed())
    for name in table.statistics + table.parameters:
        assert all(rows[r][name] == table[name][r] for r in rows if rows[r].finished)
    most = table["w.position.x max"][~bad]
    assert np.allclose(most - 1, 1 / np.sqrt(table["let.stiffness"][~bad]), rtol=2e-2)  # v sqrt(m/k), at the steps
    assert table.worst("w.position.x", 2).tolist() == np.flatnonzero(~bad)[np.argsort(-most)[:2]].tolist()
    assert np.array_equal(table.read("let.stiffness", 3, 2), table["let.stiffness"][3:5])


@case
def a_run_of_a_study_is_that_of_its_changes():
    table = limber.StudyTable("springs_plan.h5")
    run = int(table.worst("w.position.x", 1)[0])
    model = limber.Model(table.model, table.changes(run))
    assert model.start().advance()["w.position.x"].max() == table["w.position.x max"][run]


@case
def a_study_that_was_closed_goes_on():
    write(PLAN.replace("[0, -1]", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"), "many.yaml")
    rows = limber.study("many.yaml", "stopped_study.h5", workers=1)
    first = next(rows)
    rows.close()
    again = {row.run: row for row in limber.study("many.yaml", "stopped_study.h5", workers=1)}
    assert sorted(again) == list(range(40)) and again[first.run]["w.position.x max"] == first["w.position.x max"]
    assert sorted(row.run for row in limber.study("many.yaml", "stopped_study.h5")) == list(range(40))  # all is there already
    list(limber.study("many.yaml", "whole_study.h5", workers=2))
    with open("stopped_study.h5", "rb") as a, open("whole_study.h5", "rb") as b:
        assert a.read() == b.read()


@case
def rows_come_while_the_study_works():
    write(PLAN.replace("[100, 200, 400, 800]", "[100]").replace("let.damping: [0, -1]", "run.end: [1 s, 1e6 s]"), "endless.yaml")
    for _ in range(2):  # the second continues the first
        rows = limber.study("endless.yaml", workers=1)
        assert next(rows).run == 0 and not os.path.exists("endless.h5")
        rows.close()


@case
def gradients_of_a_study_are_columns():
    plan = PLAN.replace("[0, -1]", "[0, 1]").replace("  summary", "  gradients: {of: w.position.x@end, wrt: stiffness}\n  summary")
    write(plan, "rates.yaml")
    rows = list(limber.study("rates.yaml", workers=1))
    table = limber.StudyTable("rates.h5")
    assert table.gradients == ("w.position.x@end", "d w.position.x@end / d let.stiffness") and len(rows) == 8
    undamped = table["let.damping"] == 0
    rate, omega, t = table[table.gradients[1]][undamped], np.sqrt(table["let.stiffness"][undamped]), 0.5  # x = 1 + sin(omega t)/omega
    exact = (t * np.cos(omega * t) / omega - np.sin(omega * t) / omega**2) / 2 / omega
    assert np.allclose(rate, exact, rtol=0, atol=0.02 * t / 2 / omega.min()**2)
    assert all(row.cause == "" and row["d w.position.x@end / d let.stiffness error"] >= 0 for row in rows)


@case
def rows_of_another_study_are_not_taken():
    write(PLAN.replace("[0, -1]", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"), "other.yaml")
    rows = limber.study("other.yaml", "other_study.h5", workers=1)
    next(rows)
    rows.close()  # blocks are left
    write(path="other.yaml")
    seen = []
    caught(limber.Error, lambda: seen.extend(limber.study("other.yaml", "other_study.h5", workers=1)))
    assert seen == []


@case
def mistakes_of_studies_are_exceptions():
    assert "nowhere.yaml" in str(caught(limber.ModelError, lambda: list(limber.study("nowhere.yaml"))))
    assert "not the table of a study" in str(caught(limber.Error, lambda: limber.StudyTable("springs.yaml")))
    table = limber.StudyTable("whole_study.h5")
    assert "let.stiffness" in str(caught(KeyError, lambda: table["let.stifness"]))
    table.close()
    assert str(caught(limber.Error, lambda: table["status"])) == "the table is closed"


@case
def scripts_for_clusters_are_those_of_the_command():
    write()
    words = [limber.pictures._program(), "study", "springs_plan.yaml", "-o", "a b.h5", "--set", "run.step=1 ms", "--jobs", "3", "--script", "slurm"]
    printed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert limber.study_script("springs_plan.yaml", jobs=3, output="a b.h5", changes={"run.step": "1 ms"}) == printed
    assert "--array=1-3" in printed and "-o 'a b.h5'" in printed
    script = limber.run_script("springs.yaml", ranks=4, checkpoint="10min")
    assert "#SBATCH --ntasks=4" in script and "limber run springs.yaml --checkpoint 10min" in script
    assert "nowhere.yaml" in str(caught(limber.ModelError, lambda: limber.run_script("nowhere.yaml")))
    assert str(caught(limber.ModelError, lambda: limber.study_script("springs_plan.yaml", jobs=0))).startswith("--jobs needs")
