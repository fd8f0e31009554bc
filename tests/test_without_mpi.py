# SPDX-License-Identifier: Apache-2.0
"""A Limber that was built without MPI, SLEPc and MUMPS: what it refuses, and what it finds by other means."""
import os
import subprocess
import sys

import pytest

from support import environment, limber, models, program, run

pytestmark = pytest.mark.skipif(not os.environ.get("LIMBER_WITHOUT_MPI"), reason="with MPI")


@pytest.fixture(scope="module")
def without_slepc():
    if "without SLEPc" not in limber("--version").out:
        pytest.skip("with SLEPc")


def test_the_version_says_so():
    assert "  without MPI" in limber("--version").lines


@pytest.mark.parametrize("launcher", ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"])
def test_one_of_several_processes_refuses_to_run(launcher):
    said = limber("run", models / "four_bar.yaml", "-q", "-o", "refused.h5", **{launcher: 2})
    assert said.code == 3
    assert said.complaints[0].startswith("limber: this Limber was built without MPI and runs as one process; 2 processes were started.")
    assert not os.path.exists("refused.h5")


def test_a_single_process_of_a_launcher_runs():
    run(models / "four_bar.yaml", "alone.h5", "--set", "run.end=0.01")
    assert limber("run", models / "four_bar.yaml", "-q", "-o", "one.h5", "--set", "run.end=0.01", OMPI_COMM_WORLD_SIZE=1).code == 0


def test_python_raises_where_several_processes_were_started():
    code = "import limber\ntry: limber.version()\nexcept limber.Error as e: print(e)"
    path = os.path.join(os.path.dirname(program), "..", "python")
    said = subprocess.run([sys.executable, "-B", "-c", code], env=environment(PYTHONPATH=path, PMI_SIZE=4), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    assert said.startswith("this Limber was built without MPI")


def test_modes_beyond_those_of_lapack_are_refused_with_a_word(without_slepc):
    limber("new", "pendulum", "-o", "large.yaml")
    said = limber("modes", "large.yaml", "--set", "let.pieces=400", "-o", "large.h5")
    assert said.code != 0
    assert " unknowns with mass, and this Limber was built without SLEPc: it finds modes of at most 2000" in said.err + said.out
