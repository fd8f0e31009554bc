# SPDX-License-Identifier: Apache-2.0
"""Notes: every file of models/broken earns exactly the notes beside it, and exit code 2; those of models/lint earn
warnings and exit code 0. Folders in them hold what they include. What the commands that start no run say.
`python3 -m pytest tests/test_cli_check.py --write` writes the notes anew."""
import os
import re
import subprocess

import pytest

from support import count, environment, limber, models, program, settings, source


@pytest.fixture(autouse=True)
def among_models():
    """Notes name files as they were given: relative to the models."""
    before = os.getcwd()
    os.chdir(models)
    yield
    os.chdir(before)


def says(*words, cwd=None, **env):
    """What a command prints on both channels, and its exit code."""
    done = subprocess.run([program, *map(str, words)], cwd=cwd, env=environment(**env), stdin=subprocess.DEVNULL, text=True, errors="surrogateescape",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out = done.stdout.rstrip("\n")
    return out + ("\n" if out else "") + f"exit {done.returncode}"


def of(folder):
    return sorted(file.stem for file in (models / folder).glob("*.yaml"))


@pytest.mark.parametrize("folder_of, name", [(f, n) for f in ("broken", "lint") for n in of(f)])
def test_a_file_earns_its_notes(request, folder_of, name):
    here = models / folder_of
    changes, notes = here / (name + ".set"), here / (name + ".txt")  # each line of a .set file is a change
    found = says("check", name + ".yaml", *settings(*(changes.read_text().splitlines() if changes.exists() else [])), cwd=here)
    if request.config.getoption("--write"):
        notes.write_text(found + "\n", errors="surrogateescape")
    assert found == notes.read_text(errors="surrogateescape").rstrip("\n")


def test_at_least_75_broken_files():
    assert len(of("broken")) >= 75


@pytest.mark.parametrize("name", of("."))
def test_a_model_has_no_mistakes(name):
    lines = says("check", name + ".yaml").split("\n")
    assert re.sub(" in .*", "", lines[0]) == name + ".yaml: no errors"
    assert lines[-1] == "exit 0"


def test_several_files_are_checked_at_once():
    assert count("no errors|: [0-9]+ error", says("check", "spin.yaml", "broken/unit_unknown.yaml", "all.yaml")) == 3


def test_a_run_refuses_a_broken_file():
    assert says("run", "broken/unit_unknown.yaml", "-o", "/dev/null").split("\n")[-2:] == ["broken/unit_unknown.yaml: 1 error", "exit 2"]


# ---- the command line ----
def test_a_missing_file_is_a_mistake():
    assert says("check", "nothing.yaml") == "limber check: cannot read 'nothing.yaml': No such file or directory\nexit 2"


def test_a_command_is_suggested():
    assert says("rnu") == "limber: there is no command 'rnu'; did you mean 'run'?\nexit 2"


def test_an_option_is_suggested():
    assert says("run", "spin.yaml", "--ouput", "x") == "limber run: there is no option --ouput; did you mean --output?\nexit 2"


def test_options_of_petsc_stand_after_dashes():
    assert says("run", "spin.yaml", "-log_view") == "limber run: there is no option -log_view; PETSc options go after --\nexit 2"


def test_an_option_needs_its_argument():
    assert says("run", "spin.yaml", "-o") == "limber run: -o needs an argument, such as run.h5\nexit 2"


def test_a_run_takes_one_model():
    assert says("run", "spin.yaml", "all.yaml") == "limber run: unexpected model file 'all.yaml'\nexit 2"


def test_a_kind_is_suggested():
    assert says("describe", "baem") == "limber describe: there is no 'baem'; did you mean 'beam'?\nexit 2"


def test_no_command_is_a_mistake():
    assert says().endswith("exit 2")


def test_help_is_no_mistake():
    lines = says("--help").split("\n")
    assert (lines[2], lines[-1]) == ("usage: limber <command> ...", "exit 0")


def test_version_names_the_libraries():
    assert count(r"^limber [0-9.]+$|^  (PETSc|SLEPc|HDF5|libfyaml) [0-9]+\.[0-9.]+$|^exit 0$", says("--version")) == (5 if os.environ.get("LIMBER_WITHOUT_MPI") else 6)


def listed(name):
    """The names of a .def list of the sources, and its folder."""
    file, = source.glob(f"src/**/{name}.def")
    names = re.findall(r"^[A-Z]+\((\w+)(?:, \w+)?\)$", file.read_text(), re.M)
    assert names
    return names, file.parent


def test_every_command_has_help_with_an_example():
    for command in listed("commands")[0]:
        said = says(command, "--help")
        assert f"usage: limber {command}" in said
        assert re.search(f"example:.*limber {command}", said, re.S), command
        assert said.endswith("exit 0")


# Every name of every field table of the catalogue is in what `describe` prints of its kind.
def test_describe_knows_every_field_of_every_kind():
    fields = 0
    for name in "functions", "elements", "joints", "loads":
        kinds, folder = listed(name)
        for kind in kinds:
            said = limber("describe", kind)
            assert said.code == 0, kind
            file = next(f for f in (folder / f"{kind}.c", folder / f"function_{kind}.c") if f.exists())
            for field in re.findall(r'^    \{"([a-z_]*)", FIELD_', file.read_text(), re.M):
                assert count(f"^  {field} ", said.out), f"{kind}.{field}"
                fields += 1
    assert fields > 50


# A broken MPI stops a run, but not what only reads.
def test_check_describe_and_help_start_no_mpi():
    if "Open MPI" not in limber("--version").out:
        pytest.skip("this is not Open MPI")
    for words in ["check", "spin.yaml"], ["describe"], ["run", "--help"], ["--version"]:
        assert limber(*words, OMPI_MCA_pml="nothing").code == 0, words
