# SPDX-License-Identifier: Apache-2.0
"""Columns of results in OpenFAST's binary format, read back by a reader of its own, written from the format."""
import csv
import io
import struct

import h5py
import numpy as np
import pytest

from support import limber, models, run, write


@pytest.fixture(scope="module", autouse=True)
def swing(folder):
    run(models / "swing.yaml", "swing.h5")


class Outb:
    def __init__(self, path):
        self.bytes, self.at = open(path, "rb").read(), 0
        self.id = self.take("h")
        length = self.take("h") if self.id == 4 else 10
        columns, rows = self.take("ii")
        clock = self.take("dd")
        scale = np.ones(columns), np.zeros(columns)
        if self.id != 3:
            scale = [np.array(self.take(f"{columns}f", many=True)) for _ in range(2)]
        self.description = self.text(self.take("i"))
        self.names = [self.text(length).rstrip(" ") for _ in range(columns + 1)]
        self.units = [self.text(length).rstrip(" ") for _ in range(columns + 1)]
        if self.id == 1:
            self.time = (np.array(self.take(f"{rows}i", many=True)) - clock[1]) / clock[0]
        else:
            self.time = clock[0] + clock[1] * np.arange(rows)
        raw = np.array(self.take(f"{rows * columns}{'d' if self.id == 3 else 'h'}", many=True)).reshape(rows, columns)
        self.values = (raw - scale[1]) / scale[0]
        assert self.at == len(self.bytes)

    def take(self, form, many=False):
        size = struct.calcsize("<" + form)
        values = struct.unpack("<" + form, self.bytes[self.at:self.at + size])
        self.at += size
        return values if many or len(values) > 1 else values[0]

    def text(self, size):
        return self.take(f"{size}s").decode("ascii")


def export(*words, results="swing.h5"):
    return limber("export", results, *words)


def table(*words, results="swing.h5"):
    head, *rows = csv.reader(io.StringIO(export(*words, results=results).out))
    return head, np.array(rows, float)


def assert_rounded(file, exact):
    """To half of 1/64512 of the range of each column, or of 2^-15 of its size where it hardly changes."""
    size = np.maximum(np.ptp(exact, axis=0), 2.0**-15 * np.abs(exact).max(axis=0))
    assert (np.abs(file.values - exact) <= 0.501 / 64512 * size + 1e-300).all()


def test_a_table_of_everything_has_every_name_and_number():
    said = export("-o", "all.outb")
    file, (head, rows) = Outb("all.outb"), table()
    assert (said.code, said.out) == (0, f"all.outb: 101 rows of {len(head)} columns, FileID 4")
    assert (file.id, file.names[0], file.units[0]) == (4, "Time", "(s)")
    assert file.names[1:] == [name.split(" [")[0] for name in head[1:]]
    assert np.abs(file.time - rows[:, 0]).max() < 1e-15
    assert_rounded(file, rows[:, 1:])


def test_doubles_are_those_of_the_run():
    words = "B.position", "ledger.kinetic", "mid.force.M1"
    assert export(*words, "-o", "exact.outb", "--file-id", "3").code == 0
    file, (head, rows) = Outb("exact.outb"), table(*words)
    assert file.id == 3
    assert np.array_equal(file.values, rows[:, 1:])


def test_names_of_ten_characters_are_unique_and_told_in_full():
    for form in "2", "3":
        assert export("-o", "short.outb", "--file-id", form, "--force").code == 0
        file, (head, rows) = Outb("short.outb"), table()
        assert len(set(file.names)) == len(file.names) == len(head)
        told = dict(part.split(" = ") for part in file.description.split("; ")[1:])
        full = [name.split(" [")[0] for name in head[1:]]
        assert [told[name] for name in file.names if name in told] == [f for f, n in zip(full, file.names[1:]) if n in told]
        assert told["ledger.k~1"] == "ledger.kinetic"
        assert "B.x" in file.names and "B.x" not in told


def test_units_are_written_as_openfast_writes_them():
    export("B", "mid", "steps", "ledger.kinetic", "-o", "units.outb")
    file = Outb("units.outb")
    unit = dict(zip(file.names, file.units))
    assert [unit[x] for x in ("B.position.x", "B.velocity.x", "B.angular_velocity.x", "mid.force.N", "mid.force.M1",
                              "steps.iterations", "ledger.kinetic")] == ["(m)", "(m/s)", "(rad/s)", "(N)", "(N-m)", "(-)", "(J)"]


def test_rows_are_chosen_as_in_a_table():
    words = "B.x", "--from", "0.01", "--to", "0.03", "--every", "3"
    export(*words, "-o", "some.outb")
    file, (_, rows) = Outb("some.outb"), table(*words)
    assert file.names == ["Time", "B.x"]
    assert np.abs(file.time - rows[:, 0]).max() < 1e-15
    assert_rounded(file, rows[:, 1:])


def test_a_column_that_hardly_changes_keeps_its_digits():
    run(models / "swing.yaml", "wave.h5")
    with h5py.File("wave.h5", "r+") as f:
        x = f["history/probes/B/position"]
        x[:, 0] = 1e6 + 1e-3 * np.sin(np.arange(len(x)))
        x[:, 1] = -7.25
        x[:, 2] = 0
    export("B.position", "-o", "wave.outb", results="wave.h5")
    file, (_, rows) = Outb("wave.outb"), table("B.position", results="wave.h5")
    assert_rounded(file, rows[:, 1:])
    assert np.array_equal(file.values[:, 2], rows[:, 3])


def test_uneven_times_are_stored():
    run(models / "swing.yaml", "uneven.h5")
    with h5py.File("uneven.h5", "r+") as f:
        f["history/time"][-1] += 1e-4
    said = export("B.x", "-o", "uneven.outb", results="uneven.h5")
    assert said.out == "uneven.outb: 101 rows of 2 columns, FileID 1"
    file, (_, rows) = Outb("uneven.outb"), table("B.x", results="uneven.h5")
    assert np.abs(file.time - rows[:, 0]).max() < 1e-9 * rows[-1, 0]
    assert_rounded(file, rows[:, 1:])
    said = export("B.x", "-o", "uneven.outb", "--file-id", "4", results="uneven.h5")
    assert (said.code, said.err) == (2, (
        "limber export: rows of 'uneven.h5' are not evenly spaced, and files of FileID 4 have no times; leave out --file-id "
        "(that is 1), or choose rows by --from, --to and --every"))


def test_mistakes_are_told():
    assert export("-o", "x.outb", "--file-id", "5").err == (
        "limber export: --file-id is 1, 2, 3 or 4, a format of OpenFAST's binary files, not '5'")
    assert export("-o", "x.csv", "--file-id", "4").err == "limber export: --file-id is for files that end in .outb; -o names none"


def test_the_file_of_another_is_kept():
    open("theirs.outb", "wb").write(struct.pack("<hhii", 4, 10, 1, 1))
    assert export("-o", "theirs.outb").code == 2
    assert export("-o", "theirs.outb", "--force").code == export("-o", "theirs.outb").code == 0


def test_statics_have_their_load_factor_in_the_place_of_time():
    write("still.yaml", """limber: 1
nodes: {A: [0, 0, 0], T: [1, 0, 0]}
sections: {bar: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [20 mm, 20 mm]}}
elements: [{beam: {name: arm, from: A, to: T, elements: 2, section: bar}}]
joints: [{clamp: {node: A}}]
loads: [{force: {name: push, node: T, direction: [0, 0, 1], amplitude: 100}}]
probes: [{name: tip, node: T}]
""")
    said = limber("static", "still.yaml", "-q", "-o", "still.h5")
    assert said.code == 0, said.err
    assert export("tip.z", "-o", "still.outb", results="still.h5").code == 0
    file, (_, rows) = Outb("still.outb"), table("tip.z", results="still.h5")
    assert (file.id, file.names, file.units) == (1, ["load_fac~1", "tip.z"], ["(-)", "(m)"])  # rows are not evenly spaced
    assert file.description.endswith("; load_fac~1 = load factor")
    assert np.abs(file.time - rows[:, 0]).max() < 1e-9
    assert_rounded(file, rows[:, 1:])
