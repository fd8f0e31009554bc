# SPDX-License-Identifier: Apache-2.0
"""Pictures and tables of runs, by the program `limber`."""
import os
import shutil
import subprocess
import tempfile

from .library import Error, _find


def _program():
    """The program beside the library, in a build folder or where both are installed; else that of the path."""
    folder = os.path.dirname(os.path.realpath(_find()))
    for place in (os.path.join(folder, "bin"), os.path.join(folder, "..", "bin"), os.path.join(folder, "..", "..", "bin")):
        path = os.path.join(place, "limber")
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("limber")
    if not found:
        raise Error("the program `limber` is neither beside the library nor on the path")
    return found


def picture(results, path, at=None, size=None, view=None, force=False):
    """Draws the mechanism of a results file as PNG, as `limber view --picture` does; needs Chromium.

    at: a time, or several of which all but the last are shadows [s]; default: the end. size: width and height in pixels.
    view: "x", "y", "z", "iso", or a direction that points at the reader. force: in place of a file that Limber did not write, too."""
    options = {"at": at, "size": size, "view": view}
    words = []
    for name, value in options.items():
        if value is None:
            continue
        if not isinstance(value, str):
            value = ("x" if name == "size" else ",").join(f"{x:.12g}" for x in (value if hasattr(value, "__iter__") else [value]))
        words += [f"--{name}", value]
    words += ["--force"] if force else []
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        done = subprocess.run([_program(), "view", os.fspath(results), "-o", page, "--picture", os.fspath(path), *words],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        raise Error(done.stderr.strip().removeprefix("limber view: "))


def export(results, path, *columns, file_id=None, force=False):
    """Writes columns of a results file as `limber export` does: a table (.csv), or OpenFAST's binary format (.outb).

    columns: names as of `limber export`; default: all. file_id: form of an .outb file, 1 to 4 (docs/pictures.md). force: in place
    of a file that Limber did not write, too."""
    words = ["--file-id", str(file_id)] if file_id is not None else []
    words += ["--force"] if force else []
    done = subprocess.run([_program(), "export", os.fspath(results), *columns, "-o", os.fspath(path), *words],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Error(done.stderr.strip().removeprefix("limber export: "))
