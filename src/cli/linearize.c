// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "abcd.h5", "results file; default: the model's name with .linear.h5, in this folder", OPTION_ONCE},
    {"mat", NULL, "abcd.mat", "the same matrices as a MAT-file of level 5, for MATLAB, Octave and SciPy", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_linearize = {
    "linearize",
    "Finds the linear model x' = A x + B u, y = C x + D u about the equilibrium.",
    "linearize model.yaml [-o abcd.h5] [--mat abcd.mat] [-q] [--set linearize.modes=10 ...] [-- PETSc options]",
    "The states are as many coordinates of nodes and joints as are independent, and their rates; inputs are the\n"
    "amplitudes of loads, drives and signals, outputs what probes record (docs/linear_models.md). The part "
    "`linearize`\n"
    "of the model chooses among them. The equilibrium is that of limber static under all loads in full; where "
    "`motion`\n"
    "sets all nodes in rotation it is that in the rotating frame.",
    "  limber linearize arm.yaml\n"
    "  limber linearize arm.yaml -o arm.h5 --mat arm.mat\n"
    "  limber linearize blade.yaml --set linearize.modes=20",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_linearize"};
