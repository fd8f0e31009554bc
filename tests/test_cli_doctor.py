# SPDX-License-Identifier: Apache-2.0
"""The console: `limber doctor`, what `limber` alone shows, and colours on a terminal."""
import os
import pathlib
import pty
import re
import subprocess

from support import command, environment, limber, write

ESCAPE = "\033["
WRONG = "limber: 1\nnodes: {a: {at: [0, 0, 0]}}\nelements:\n  - mass: {node: a, mas: 1}\n"


def on_terminal(*words, **changes):
    """What a command writes to a terminal, both streams together."""
    master, slave = pty.openpty()
    env = environment(TERM="xterm", **changes)
    if "NO_COLOR" not in changes:
        env.pop("NO_COLOR", None)
    process = subprocess.Popen(command(*words), env=env, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    text = b""
    try:
        while piece := os.read(master, 4096):
            text += piece
    except OSError:  # the other end is closed
        pass
    os.close(master)
    process.wait()
    return text.decode().replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\033\[[0-9;]*m", "", text)


def programs(folder, *names):
    """A folder with programs of these names, and Python, as the only search path."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


def findings(**changes):
    """{name: found or missing}, and the text."""
    said = limber("doctor", **changes)
    assert (said.code, said.err) == (0, "")
    return dict((name, state) for state, name in re.findall(r"^  (found|missing) +(\S+)", said.out, re.M)), said.out


def test_limber_alone_shows_the_four_commands_to_start_with():
    said = limber()
    assert said.code == 2
    assert re.findall(r"^  ([a-z]+)  +[A-Z]", said.out, re.M) == ["new", "check", "run", "view"]
    assert said.lines[-1] == "limber --help lists all commands."


def test_help_begins_with_the_same_commands():
    first, all_others = limber("--help").out.split("All other commands:")
    assert re.findall(r"^  ([a-z]+)  +[A-Z]", first, re.M) == ["new", "check", "run", "view"]
    assert "doctor" in re.findall(r"^  ([a-z]+)  +[A-Z]", all_others, re.M)


def test_doctor_tells_found_from_missing(tmp_path):
    found, _ = findings(PATH=programs(tmp_path / "all", "chromium", "ffmpeg", "gnuplot", "mpiexec"))
    assert [found[name] for name in ("Chromium", "FFmpeg", "gnuplot", "mpiexec", "Python")] == 4 * ["found"] + ["missing"]
    found, text = findings(PATH=programs(tmp_path / "none"))
    assert [found[name] for name in ("Chromium", "FFmpeg", "gnuplot", "mpiexec")] == 4 * ["missing"]
    assert "  missing  FFmpeg    would add: limber view --video (apt install ffmpeg)" in text.split("\n")


def test_doctor_asks_python_for_packages(tmp_path):
    """A Python that answers is believed, bit by bit; one that fails has no packages."""
    folder = pathlib.Path(programs(tmp_path / "bin", "python3"))
    (folder / "python3").write_text("#!/bin/sh\nexit 66\n")  # 64: it answers; 2: the second package, numpy, is missing
    found, _ = findings(PATH=folder)
    assert [found[name] for name in ("Python", "limber", "numpy", "h5py")] == ["found", "found", "missing", "found"]
    (folder / "python3").write_text("#!/bin/sh\nexit 1\n")
    found, _ = findings(PATH=folder)
    assert [found[name] for name in ("Python", "limber", "numpy", "h5py")] == ["found"] + 3 * ["missing"]


def test_doctor_names_libraries_as_the_list_of_licences_does():
    found, _ = findings()
    licences = limber("--version", "--licenses").out
    for name, listed in (("MPI", r"^(Open MPI|MPICH) "), ("MUMPS", "^MUMPS "), ("SLEPc", "^SLEPc "), ("Scotch", "^Scotch ")):
        assert (found[name] == "found") == bool(re.search(listed, licences, re.M)), name


def test_a_terminal_has_colours(tmp_path):
    model = write(tmp_path / "wrong.yaml", WRONG)
    shown = on_terminal("check", model)
    assert "\033[1;31merror:\033[0m mass has no field 'mas'" in shown
    said = limber("check", model)
    assert plain(shown).rstrip("\n") == said.err


def test_no_color_and_pipes_have_none(tmp_path):
    model = write(tmp_path / "wrong.yaml", WRONG)
    assert ESCAPE not in on_terminal("check", model, NO_COLOR="1")
    assert ESCAPE not in on_terminal("--help", NO_COLOR="1")
    assert ESCAPE not in limber("check", model).err + limber("--help").out
    assert ESCAPE in on_terminal("--help")

