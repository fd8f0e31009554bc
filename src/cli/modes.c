// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "blade.h5", "results file; default: the model's name with .modes.h5, in this folder", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_modes = {
    "modes",
    "Finds modes of small motions about the equilibrium, and names them.",
    "modes model.yaml [-o blade.h5] [-q] [--set modes.count=20 ...] [-- PETSc options]",
    "The equilibrium under all loads is found first, rotating where `motion` or a drive sets all nodes in rotation.\n"
    "Modes are damped where the model has dampers, and gyroscopic where it rotates. Each gets a name: the part that\n"
    "moves most, how, and the part with most strain; modes of equal frequency are a pair, a triple and so on. Damping\n"
    "within its error bound is 0. Rigid motions are counted and left out, with the frequency below which they are.\n"
    "Rows of the results are modes; limber view shows their shapes. The part `modes` of the model has the\n"
    "options.",
    "  limber modes blade.yaml\n"
    "  limber modes blade.yaml --set modes.count=20 --set modes.damped=no\n"
    "  limber view blade.modes.h5\n"
    "  mpiexec -n 4 limber modes wheel.yaml",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_modes"};
