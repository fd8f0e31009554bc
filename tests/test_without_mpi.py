# SPDX-License-Identifier: Apache-2.0
"""A Limber that was built without MPI, SLEPc and MUMPS: what it refuses, and what it finds by other means."""
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

from support import environment, h5, limber, models, program, run, settings, source, write

pytestmark = pytest.mark.skipif(not os.environ.get("LIMBER_WITHOUT_MPI"), reason="with MPI")


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


def frequencies(*words):
    said = limber("modes", "large.yaml", *settings(*words), "--force", "-o", "large.h5")
    assert said.code == 0, said.err
    with h5("large.h5") as f:
        return f["history/mode/frequency"][:]


@pytest.mark.parametrize("damping", [0, 0.02])
def test_modes_of_more_unknowns_than_a_dense_matrix_can_have(damping, measured):
    """400 pieces have 7200 unknowns, 6 pieces have 108 and a dense matrix."""
    limber("new", "pendulum", "-o", "large.yaml", "--force")
    few, many = (frequencies(f"let.pieces={n}", f"joints.hinge.angle.damping={damping}") for n in (6, 400))
    worst = np.max(np.abs(many[:3] / few[:3] - 1))
    measured(f"the lowest frequencies differ by {worst:.1e}")
    assert worst < 2e-5  # 6e-6


def test_a_net_of_beams_keeps_its_pivots_on_the_diagonal(measured):
    """Where pivots must be at least half of their column, the factors fill up: 16 times as long."""
    net = subprocess.run([sys.executable, source / "benchmarks/net.py", "40", "1"], text=True, stdout=subprocess.PIPE).stdout
    write("net.yaml", net + "run: {step: 10 ms, end: 10 ms}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run("net.yaml", "net.h5")
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    measured(f"{taken:.1f} s of CPU")
    assert taken < 8
