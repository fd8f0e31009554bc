# SPDX-License-Identifier: Apache-2.0
"""Licences of what the binaries hold and load, against what their files say of themselves."""
import pathlib
import re
import subprocess

import pytest

from support import limber, program, source

# Licences that a binary under Apache-2.0 may hold or be linked with. LGPL only as a library that is loaded.
HELD = {"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "BSD-3-Clause-Open-MPI", "mpich2", "LicenseRef-HDF5", "CECILL-C",
        "UCAR", "Zlib", "BSL-1.0", "Bitstream-Vera", "GPL-3.0-or-later WITH GCC-exception-3.1"}
LOADED = HELD | {"LGPL-2.1-or-later"}
# Functions that only libraries under the GPL bring.
FORBIDDEN = r"(fftw|fftwf|umfpack|cholmod|spqr|gsl)_\w+|SuiteSparseQR\w*"
GLIBC = {"libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def listed():
    """Rows of the table: those that Limber holds or is linked with, and those that these load."""
    said = limber("--version", "--licenses")
    assert (said.code, said.err) == (0, "")
    parts = said.out.split("\nloaded by these:\n")
    rows = [[re.split(r"\s{2,}", line) for line in part.split("\n")] for part in parts]
    return rows[0][1:rows[0].index([""])] if [""] in rows[0] else rows[0][1:], rows[1] if len(rows) > 1 else []


def binaries():
    folder = pathlib.Path(program).resolve().parent.parent
    found = [pathlib.Path(program)] + sorted(folder.glob("liblimber.so")) + sorted(folder.glob("lib/**/liblimber.so"))
    return [str(f) for f in found]


def needed(path):
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def defined(path):
    """Names of functions that a file holds itself."""
    text = ""
    for option in [], ["-D"]:
        text += subprocess.run(["nm", "--defined-only", *option, path], capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip()}


def complaints(rows, libraries, names):
    """What is wrong with a binary that needs these libraries and holds functions of these names."""
    out = [f"{name} is not listed" for name in libraries if name not in GLIBC and name not in {row[3] for row in rows}]
    out += [f"{row[0]} is {row[2]}" for row in rows if not set(row[2].split(" AND ")) <= (HELD if row[3].startswith("in ") else LOADED)]
    return out + [f"holds {name}" for name in sorted(names) if re.fullmatch(FORBIDDEN, name)]


@pytest.mark.parametrize("path", binaries(), ids=lambda path: pathlib.Path(path).name)
def test_everything_is_listed_and_nothing_is_under_the_gpl(path):
    assert complaints(listed()[0], needed(path), defined(path)) == []


def test_what_would_be_wrong_is_found():
    rows = [["A", "1", "MIT", "liba.so.1"], ["B", "1", "GPL-2.0-or-later", "libb.so.1"], ["C", "1", "LGPL-2.1-or-later", "in limber"],
            ["D", "1", "LGPL-2.1-or-later", "libd.so.1"]]
    found = complaints(rows, ["liba.so.1", "libb.so.1", "libfftw3.so.3", "libpthread.so.0"], {"main", "fftw_execute", "shift_fftw_"})
    assert found == ["libfftw3.so.3 is not listed", "B is GPL-2.0-or-later", "C is LGPL-2.1-or-later", "holds fftw_execute"]


def test_functions_of_a_binary_are_seen():
    assert {name for path in binaries() for name in defined(path)} & {"rfft_forward", "limber_command_licenses"}


def test_only_the_program_controls_a_browser():
    """A program that uses the library never starts one."""
    found = {pathlib.Path(path).name: b"--remote-debugging-pipe" in pathlib.Path(path).read_bytes() for path in binaries()}
    assert found.pop("limber") and set(found.values()) == {False}


def test_libraries_tell_their_versions():
    rows = {row[0]: row for row in listed()[0]}
    for name in "Limber", "PETSc", "HDF5", "libfyaml", "Expat":
        assert re.fullmatch(r"\d+(\.\d+)+", rows[name][1]), name


def test_parts_have_their_texts():
    """Every part that the sources hold has a text that is installed, and the version that the text tells."""
    held = [row for row in listed()[0] if "(" in row[3]]
    install = (source / "cmake/Install.cmake").read_text()
    assert len(held) >= 3
    for row in held:
        file = re.search(r"\((.*)\)", row[3]).group(1)
        assert f"RENAME {file})" in install
    viewer = (source / "viewer/THIRD-PARTY.md").read_text()
    versions = {row[0]: row[1] for row in held}
    assert f"## three {versions['three.js']}\n" in viewer and f"## uplot {versions['uPlot']}\n" in viewer


def test_other_words_are_refused():
    said = limber("--version", "--licence")
    assert (said.code, said.err) == (2, "limber: --version takes no '--licence'; limber --version --licenses lists licences")
