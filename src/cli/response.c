// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "beam.h5", "results file; default: the model's name with .response.h5, in this folder",
     OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_response = {
    "response",
    "Finds transfer functions from loads and drives to probes over a range of frequencies.",
    "response model.yaml [-o beam.h5] [-q] [--set 'response.to=50 Hz' ...] [-- PETSc options]",
    "At each frequency of the part `response` of the model the equations of small motions about the equilibrium are\n"
    "solved directly, with dampers and gyroscopic forces, for models of any size (docs/linear_models.md). Rows of the\n"
    "results are frequencies; each pair of an input and an output has its amplitude, phase, real and imaginary part.",
    "  limber response beam.yaml\n"
    "  limber plot beam.response.h5 --bode -o bode.svg\n"
    "  limber export beam.response.h5 push.tip.displacement.y",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_response"};
