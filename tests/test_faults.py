# SPDX-License-Identifier: Apache-2.0
"""Memory that ends at any allocation, on one process and on one of two: an error that says so, and never a hang, a crash or results
that look complete. `faults/sweep.py` takes more samples; benchmarks/results/faults.csv has those of a long run."""
import pathlib
import subprocess
import sys

import pytest
from support import command, limber, models, settings, source

sys.path.insert(0, str(source / "tests/faults"))
import sweep  # noqa: E402

if "__asan_init" in subprocess.run(["nm", "-D", str(pathlib.Path(sweep.program).parent.parent / "liblimber.so")],
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout:
    pytest.skip("sanitizers have allocations of their own", allow_module_level=True)


@pytest.fixture(scope="module")
def place():
    """A folder with models and the library that makes an allocation fail."""
    folder = pathlib.Path("faults").resolve()
    folder.mkdir()
    library = sweep.build(folder)
    sweep.prepare(folder)
    return folder, library


@pytest.mark.parametrize("name", list(sweep.CASES))
def test_a_process_without_memory_ends_with_an_error(place, name):
    found = sweep.sweep(*place, name, 1, 6, 3, lambda *row: None)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", list(sweep.CASES))
def test_two_processes_end_where_one_has_no_memory(place, name):
    command(ranks=2)  # skips without MPI
    found = sweep.sweep(*place, name, 2, 4, 3, lambda *row: None)
    assert not found, "\n".join(found)


def python_program(place, **fault):
    """What two processes of Python say, the last of which has no memory."""
    return sweep.Sweep(*place, "python", 2).run(RANK=1, **fault)


def test_both_processes_of_python_get_an_exception(place):
    command(ranks=2)
    calls = sweep.Sweep(*place, "python", 2).count()
    assert calls[1] > 700
    texts = [python_program(place, AT=n).said for n in range(400, 700, 100)]  # while the model is read and prepared
    both = [text for text in texts if "rank 0 has an error: process 1 failed: out of memory" in text and
            "rank 1 has an error: out of memory" in text]
    assert len(both) >= 2, texts[-1]


@pytest.mark.parametrize("model, end, ranks", [
    (models / "swing.yaml", "0.02", 2), (models / "four_bar.yaml", "0.02", 3), (models / "contact.yaml", "0.2", 2),
    (source / "examples/crane/crane.yaml", "0.05", 2), (source / "examples/boom/boom.yaml", "0.02", 3),
    (source / "examples/flying_beam/flying_beam.yaml", "0.02", 2)])  # without joints
def test_ranks_know_the_same_of_what_they_share(model, end, ranks):
    said = limber("run", model, "-q", "-o", "shared.h5", *settings(f"run.end={end}"), "--", "-limber_check_ghosts", ranks=ranks)
    assert said.code == 0, said.err


def test_an_option_of_the_check_is_known():
    """An option that nothing reads would make the test before it an empty one."""
    said = limber("run", models / "swing.yaml", "-q", "-o", "known.h5", *settings("run.end=0.005"), "--", "-limber_check_ghosts",
                  "-options_left", "-limber_no_option", ranks=2)
    assert said.code == 0 and "unused" in said.out and "name:-limber_check_ghosts" not in said.out
