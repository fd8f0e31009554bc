// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "rotor.h5", "results file; default: the model's name with .campbell.h5, in this folder",
     OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_campbell = {
    "campbell",
    "Follows modes over a speed or another parameter: a Campbell diagram.",
    "campbell model.yaml [-o rotor.h5] [-q] [--set campbell.to=20rpm ...] [-- PETSc options]",
    "The part `campbell` of the model says what is varied and how far. At each value the equilibrium and modes about\n"
    "it are found; modes are followed by their left and right vectors, with shorter steps where they change much.\n"
    "Crossings of frequencies with multiples of the speed are found, and speeds at which a whirl has no frequency in\n"
    "the rotating frame. limber plot --campbell draws the diagram.",
    "  limber campbell rotor.yaml\n"
    "  limber campbell rotor.yaml --set campbell.modes=12\n"
    "  limber plot rotor.campbell.h5 --campbell -o rotor.svg",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_campbell"};
