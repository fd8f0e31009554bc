// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "run.h5", "the results; default: the model's name with .h5, in this folder", OPTION_ONCE},
    {"checkpoint", NULL, "60s", "of the clock between two checkpoints, see limber resume; 0: none (default: 60s)",
     OPTION_ONCE},
    {"quiet", "q", NULL, "print nothing but mistakes", OPTION_ONCE},
    OPTION_SET,
    {0},
};

const Command command_run = {
    "run",
    "Runs a model in time and writes its results.",
    "run model.yaml [-o run.h5] [--checkpoint 60s] [-q] [--set run.step=1ms ...] [-- PETSc options]",
    "Steps the model from 0 to the end that its part `run` gives. The history goes into an\n"
    "HDF5 file that can be read while the run goes on (docs/results.md). Ctrl-C ends the run\n"
    "after the step under way. Under mpiexec the model is spread over the processes. Whatever\n"
    "ends the run, limber resume run.h5 goes on from the last checkpoint.",
    "  limber run swing.yaml -o swing.h5\n"
    "  limber run swing.yaml --set run.scheme=preserving --set let.n=16\n"
    "  limber run rotor.yaml --checkpoint 10min\n"
    "  mpiexec -n 4 limber run rotor.yaml -o rotor.h5 -- -log_view",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_run"};
