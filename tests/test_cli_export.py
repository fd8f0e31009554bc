# SPDX-License-Identifier: Apache-2.0
"""Columns of results as tables, through the command."""
import csv
import pathlib
import re
import signal
import time

import h5py
import numpy as np
import pytest

from support import Going, edited, h5, limber, models, run, until


@pytest.fixture(scope="module", autouse=True)
def swing(folder):
    run(models / "swing.yaml", "swing.h5")


def export(*words, **options):
    return limber("export", "swing.h5", *words, **options)


def refused(*words):
    said = limber("export", *words)
    assert said.code == 2
    return said.err


# ---- tables ----
def test_a_table_of_everything_has_every_number_of_the_file():
    said = export("-o", "all.csv")
    head, *rows = csv.reader(open("all.csv"))
    assert (said.code, said.out) == (0, f"all.csv: 101 rows of {len(head)} columns")
    table = dict(zip(head, np.array(rows, float).T))
    wrong, names = [], []

    def visit(path, x):
        if not isinstance(x, h5py.Dataset):
            return
        units, columns = x.attrs["units"].split(", "), list(x.attrs.get("columns", [""]))
        for k, name in enumerate(columns):
            part = path.removeprefix("probes/").replace("/", ".") + ("." + name if name else "")
            key = "%s [%s]" % (part, units[min(k, len(units) - 1)])
            names.append(key)
            if key not in table or not np.array_equal(table[key], x[:, k] if x.ndim == 2 else x[:]):
                wrong.append(key)

    with h5("swing.h5") as f:
        f["history"].visititems(visit)
    assert wrong == []
    assert len(names) == len(head)
    assert head[0] == "time [s]"


def test_columns_come_as_they_were_asked_for():
    assert export("B.z", "ledger.kinetic", "push.work", "B.velocity").lines[0] == (
        "time [s],B.z [m],ledger.kinetic [J],push.work [J],B.velocity.x [m s-1],B.velocity.y [m s-1],B.velocity.z [m s-1]")


def test_time_comes_once():
    assert export("B.z", "time").lines[0] == "time [s],B.z [m]"


def test_rows_are_chosen_by_time_and_number():
    said = export("time", "--from", "0.0101", "--to", "0.0135", "--every", "3")
    assert ["%.4f" % float(t) for t in said.lines[1:]] == ["0.0105", "0.0120", "0.0135"]


def test_the_list_names_units_and_descriptions():
    lines = [re.sub(" +", " ", line) for line in export("--list").lines if re.match("swing|mid.force.M1|push|B.position.z", line)]
    assert lines == ["swing.h5, Swing: 101 rows from t = 0 s to 0.05 s; status: finished", "B.position.z B.z m position in ground axes",
                     "mid.force.M1 mid.M1 N m forces and moments in section axes"]


def test_under_mpiexec_one_process_prints():
    assert len(export("B.x", ranks=2).lines) == 102


# ---- mistakes ----
def test_a_wrong_name_gets_a_suggestion():
    assert refused("swing.h5", "B.x", "ledger.kinetc") == (
        "limber export: swing.h5 has no column 'ledger.kinetc'; did you mean 'ledger.kinetic'?")


def test_a_wrong_part_gets_a_list():
    assert refused("swing.h5", "B.w").startswith("limber export: swing.h5 has no column 'B.w'; there are B.x, B.y, B.z, B.displacemen")


def test_a_missing_file_is_a_mistake():
    assert refused("none.h5") == "limber export: cannot read 'none.h5': No such file or directory"


def test_a_model_is_no_result():
    model = models / "swing.yaml"
    assert refused(model) == f"limber export: '{model}' is not an HDF5 file; `limber run {model}` writes swing.h5"


def test_an_hdf5_file_of_others_is_no_result():
    with h5py.File("other.h5", "w") as f:
        f["x"] = [1, 2]
    assert refused("other.h5") == "limber export: 'other.h5' is not a result of `limber run`"


def test_results_are_not_overwritten():
    assert refused("swing.h5", "-o", "swing.h5") == "limber export: 'swing.h5' is an input of this command, so it is not overwritten; give another name"


def test_an_interval_without_rows_is_a_mistake():
    assert refused("swing.h5", "--from", "3") == (
        "limber export: swing.h5 has no rows in that interval; it reaches from 0 to 0.05 s")


def test_numbers_are_numbers():
    assert refused("swing.h5", "--from", "soon") == "limber export: --from needs a number, not 'soon'"
    assert refused("swing.h5", "--every", "0") == "limber export: --every needs a whole number from 1 on"


def test_a_table_that_cannot_be_written_is_a_mistake():
    assert refused("swing.h5", "-o", "nowhere/x.csv") == (
        "limber export: cannot write 'nowhere/x.csv': No such file or directory\n"
        "  There is no folder 'nowhere': make it (mkdir -p nowhere), or give another with -o")


# ---- a run that goes on, one that was killed, a file that was cut off ----
@pytest.fixture(scope="module")
def endless(swing):
    """Tables of a run that goes on, and how many rows it had before it was killed."""
    edited(models / "swing.yaml", "^(run:.*)end: .*}", r"\1end: 1000 s}", "endless.yaml")
    with Going("run", "endless.yaml", "-q", "-o", "endless.h5", "--", "-limber_flush", "0.05") as going:
        def rows():
            n = len(limber("export", "endless.h5", "time").lines)
            return n if n > 300 else 0
        found, tables = until(rows), []
        for _ in range(5):
            tables.append(limber("export", "endless.h5", "B.x", "ledger.exchanged", "push.work").lines)
            time.sleep(0.1)
        going.stop(signal.SIGKILL)
    return found, tables


def test_whole_rows_are_read_while_the_run_goes_on(endless):
    for lines in endless[1]:  # every number of a row but the first is there: a row that is half written is not shown
        table = np.array([line.split(",") for line in lines[1:]], float)
        assert len(lines) >= 300
        assert np.all(np.diff(table[:, 0]) > 0)
        assert np.all(table[1:, 1:] != 0)


def test_a_killed_run_leaves_its_rows(endless):
    said = limber("export", "endless.h5", "B.x")
    assert said.code == 0
    assert len(said.lines) >= endless[0] > 300
    assert limber("export", "endless.h5", "-l").lines[0].endswith("status: running, or killed")


def test_a_file_that_was_cut_off_is_refused():
    pathlib.Path("cut.h5").write_bytes(pathlib.Path("swing.h5").read_bytes()[:20000])
    assert refused("cut.h5") == "limber export: 'cut.h5' is damaged: HDF5 cannot read it"
