// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "run.h5", "results file; default: the model's name with .h5, in this folder", OPTION_ONCE},
    {"checkpoint", NULL, "60s", "wall time between two checkpoints, see limber resume; 0: none; default: 60s",
     OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_MONITOR,
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    OPTION_LIBRARY,
    OPTION_SCRIPT,
    {"ranks", NULL, "64", "of a script: number of MPI processes; default: 1", OPTION_ONCE},
    {0},
};

const Command command_run = {
    "run",
    "Simulates a model in time and writes the results.",
    "run model.yaml [-o run.h5] [--checkpoint 60s] [-q] [--monitor] [--set run.step=1ms ...] [-- PETSc options]",
    "The run goes from t = 0 to the end given in the part `run` of the model. The results are an\n"
    "HDF5 file that can be read during the run (docs/results.md). Ctrl-C ends the run\n"
    "after the current step. Under mpiexec the model is distributed over the processes. If the run\n"
    "ends early, limber resume run.h5 continues from the last checkpoint. --monitor shows why a\n"
    "step does not converge (docs/failures.md).\n"
    "\n"
    "Without a step in the part `run`, or with `accuracy`, the command runs the model with shorter and\n"
    "shorter steps, side by side, until lengths and angles are within 1 % or the accuracy, and writes\n"
    "the run with the shortest step, with error bars (docs/error_bars.md). The exit code is 1 if the\n"
    "accuracy is not reached. Such a run has no checkpoints.\n"
    "\n"
    "--script slurm prints a job for clusters: the run on --ranks processes, which continues from its\n"
    "checkpoint after its time limit and after a requeue (docs/clusters.md).",
    "  limber run swing.yaml -o swing.h5\n"
    "  limber run swing.yaml --set run.scheme=preserving --set let.n=16\n"
    "  limber run swing.yaml --monitor -q\n"
    "  limber run swing.yaml --set run.accuracy=0.1%\n"
    "  limber run rotor.yaml --checkpoint 10min\n"
    "  mpiexec -n 4 limber run rotor.yaml -o rotor.h5 -- -log_view\n"
    "  limber run rotor.yaml --script slurm --ranks 64 >rotor.sh && sbatch rotor.sh",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_run"};
