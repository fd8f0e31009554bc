# SPDX-License-Identifier: Apache-2.0
"""`limber run --monitor`: the table of Newton's method, on the command line and from Python."""
import pathlib
import subprocess
import sys

import pytest

from support import environment, limber, models, program, same_bytes, sanitizer, source, write

HEAD = "  step   time or load factor  iteration  tangent  residual (J)  accepted (J)  residual at                 correction  correction at"
# two bars that fall, of different lengths and masses, so that no two nodes have corrections of the same size
FALL = """limber: 1
nodes: {one: [0.3, 0, 0], two: [1, 0, 0.1]}
elements:
  - rigid_body: {name: a, node: one, mass: 1, inertia: [0.1, 0.2, 0.3]}
  - rigid_body: {name: b, node: two, mass: 3, inertia: [0.3, 0.1, 0.2]}
joints:
  - revolute: {name: pin, nodes: [ground, one], axis: [0, 1, 0], at: [0, 0, 0]}
  - revolute: {name: knee, nodes: [one, two], axis: [0, 1, 0], at: [0.6, 0, 0]}
loads: [gravity: {acceleration: [0, 0, -9.81]}]
run: {step: 10 ms, end: 0.2 s}
"""


def table(text):
    """The rows of the table, as (step, time, iteration, tangent, residual, accepted, where, correction, where)."""
    lines = text.split("\n")
    width = [6, 22, 11, 9, 14, 14, 28, 12]
    rows = []
    for line in lines[lines.index(HEAD) + 1:]:
        cells, at = [], 0
        for w in width:
            cells.append(line[at:at + w].strip())
            at += w
        cells.append(line[at:].strip())
        rows.append((int(cells[0]), float(cells[1]), int(cells[2]), cells[3], *cells[4:]))
    return rows


def last_of_steps(rows):
    """The last row of each step."""
    return [row for row, after in zip(rows, rows[1:] + [(None,)]) if row[0] != after[0]]


@pytest.fixture(scope="module")
def fall(folder):
    write("fall.yaml", FALL)
    return limber("run", "fall.yaml", "-q", "--monitor", "-o", "fall.h5")


def test_the_last_row_of_each_step_has_a_residual_below_the_tolerance(fall):
    last = last_of_steps(table(fall.out))
    assert (fall.code, fall.err, [row[0] for row in last]) == (0, "", list(range(1, 21)))
    assert all(float(row[4]) <= float(row[5]) and float(row[7]) <= 1e-7 for row in last)


def test_the_first_row_of_each_step_is_above_the_tolerance_and_has_a_new_tangent(fall):
    first = [row for row in table(fall.out) if row[2] == 1]
    assert len(first) == 20 and all(float(row[4]) > float(row[5]) and row[3] == "new" for row in first)


# Measured: 181 of 200 steps have one correction, and the balance error is 1.1e-15.
def test_smooth_motion_takes_one_correction_where_a_second_would_be_round_off():
    write("smooth.yaml", FALL.replace("step: 10 ms", "step: 1 ms"))
    said = limber("run", "smooth.yaml", "--monitor", "-o", "smooth.h5")
    counts = [0] * 201
    for row in (line.split() for line in said.out.split("\n")):
        if row[3:4] in (["new"], ["same"]):
            counts[int(row[0])] += 1
    assert counts[1:].count(1) > 160 and max(counts[20:]) <= 2
    alone = "".join("1" if n == 1 else " " for n in counts).split()
    assert max(map(len, alone)) <= 15  # then a second correction checks that it is round-off
    balance = said.out.split("energy balance error of ")[1].split(" in the worst step, ")[1]
    assert float(balance.split()[0]) < 1e-14


def test_new_tangents_are_the_iterations_of_the_summary():
    write("fall.yaml", FALL)
    said = limber("run", "fall.yaml", "--monitor", "-o", "counted.h5")
    rows = [line.split() for line in said.out.split("\n")]
    assert f"  Newton      {sum(row[3:4] == ['new'] for row in rows)} iterations" in said.out


def test_the_table_is_the_same_on_2_ranks(fall):
    two = limber("run", "fall.yaml", "-q", "--monitor", "-o", "two.h5", ranks=2)
    one, two = table(fall.out), table(two.out)
    assert [row[:4] for row in one] == [row[:4] for row in two]
    # below 1e-20 J numbers, and where they are, are those of round-off
    for a, b in zip(one, two):
        assert a[4:] == b[4:] or (max(float(a[4]), float(b[4])) < 1e-20)
    assert sum(float(row[4]) >= 1e-20 for row in one) > 20


def test_the_monitor_does_not_change_results(fall):
    assert limber("run", "fall.yaml", "-q", "-o", "without.h5").code == 0
    assert same_bytes("fall.h5", "without.h5")


def test_a_step_that_fails_names_the_joint():
    said = limber("run", models / "failing/lock.yaml", "-q", "--monitor", "-o", "lock.h5")
    rows = table(said.out)
    failed = [row for row in rows if row[0] == rows[-1][0]]
    assert said.code == 1 and "did not converge, at revolute 'pin'" in said.err
    assert sum(row[6] == "revolute 'pin'" for row in failed) > len(failed) / 2
    assert float(failed[-1][4]) > float(failed[-1][5] if failed[-1][5] != "-" else 0)
    assert len({row[1] for row in failed}) > 5  # shorter and shorter attempts of the same step


def test_a_static_analysis_shows_load_factors():
    said = limber("static", source / "examples/static_elastica/elastica.yaml", "-q", "--monitor", "-o", "bend.h5")
    last = last_of_steps(table(said.out))
    assert said.code == 0, said.err
    assert last[-1][1] == 16 and all(row[5] == "-" and float(row[7]) <= 1e-7 for row in last)


def python(text, **env):
    build = pathlib.Path(program).resolve().parent.parent
    done = subprocess.run([sys.executable, "-B", "-c", text], env=environment(PYTHONPATH=build / "python", **sanitizer(), **env), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.rstrip("\n"), done.stderr


def test_true_in_python_prints_the_table_of_the_command(fall):
    out, err = python("import limber; limber.Model('fall.yaml').start(monitor=True).advance()")
    assert (out, err) == (fall.out, "")


def test_a_function_in_python_gets_each_correction(fall):
    out, err = python("""
import limber
all = []
limber.Model('fall.yaml').start(monitor=all.append).advance()
for i in all:
    print(i.step, i.iteration, i.new_tangent, i.residual <= i.accepted, i.residual_at, sep=';')
""")
    rows = [line.split(";") for line in out.split("\n")]
    told = table(fall.out)
    assert err == "" and [(int(r[0]), int(r[1]), r[2] == "True", r[4]) for r in rows] == \
        [(r[0], r[2], r[3] == "new", r[6]) for r in told]
    assert [r[3] for r in rows] == [str(float(r[4]) <= float(r[5])) for r in told]


def test_an_exception_of_the_function_ends_the_step():
    write("fall.yaml", FALL)
    out, err = python("""
import limber
def fail(iteration): raise KeyError('enough')
run = limber.Model('fall.yaml').start(monitor=fail)
try: run.advance()
except KeyError as error: print('raised', error, run.outcome)
""")
    assert (out, err) == ("raised 'enough' None", "")


def test_a_monitor_that_is_no_function_is_refused():
    out, err = python("import limber; limber.Model('fall.yaml').start(monitor='yes')")
    assert "TypeError: the monitor is 'yes', and neither True nor a function" in err
