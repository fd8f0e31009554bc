// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"vary", NULL, "let.P", "what is varied; default: as the part `stability` says", OPTION_ONCE},
    {"from", NULL, "0", "first value of the range", OPTION_ONCE},
    {"to", NULL, "30", "last value of the range", OPTION_ONCE},
    {"output", "o", "stability.h5", "results file; default: the model's name with .stability.h5, in this folder",
     OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_stability = {
    "stability",
    "Finds the value of a parameter at which the equilibrium gets unstable.",
    "stability model.yaml [--vary let.P] [--from 0] [--to 30] [-o stability.h5] [-q] [--set ...] [-- PETSc options]",
    "At each value of a range the equilibrium is found, standing or rotating, and the eigenvalues of\n"
    "small motions about it. Between the last stable and the first unstable value the crossing is\n"
    "found to the digits of the part `stability`: divergence (buckling), flutter, or two frequencies\n"
    "that meet. The results file holds the eigenvalues over the parameter (docs/stability.md).",
    "  limber stability column.yaml\n"
    "  limber stability rotor.yaml --vary let.speed --from '10 rpm' --to '900 rpm'\n"
    "  limber plot column.stability.h5 eigenvalue.frequency",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_stability"};
