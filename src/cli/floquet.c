// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "floquet.h5", "results file; default: the model's name with .floquet.h5, in this folder",
     OPTION_ONCE},
    {"count", "n", "10", "how many multipliers are printed; default: 10; 0: all", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_floquet = {
    "floquet",
    "Tells whether a periodic motion is stable, by its Floquet multipliers.",
    "floquet model.yaml [-o floquet.h5] [-n 10] [-q] [--set floquet.steps=400 ...] [-- PETSc options]",
    "The part `floquet` of the model gives the period of the motion with which the model starts. What\n"
    "is left of a small disturbance after the period is a matrix times the disturbance; its eigenvalues\n"
    "are the multipliers. The motion is unstable if one is larger than 1. The exit code is 0 in either\n"
    "case. The results file holds all multipliers (docs/stability.md).",
    "  limber floquet shaken.yaml\n"
    "  limber floquet shaft.yaml --set let.speed=300rpm --set floquet.steps=400",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_floquet"};
