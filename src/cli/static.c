// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "arch.h5", "results file; default: the model's name with .static.h5, in this folder", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_MONITOR,
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_static = {
    "static",
    "Finds the equilibrium under loads, or a path of them as loads grow.",
    "static model.yaml [-o arch.h5] [-q] [--monitor] [--set static.control=arc ...] [-- PETSc options]",
    "Loads grow by a factor from 0 to 1, or as the part `static` of the model says. The factor leads, or the length\n"
    "along the path (`control: arc`), or a displacement (`probe: tip.z`): these pass limit points. Limit points and\n"
    "bifurcations are found and told. Every state is a row of the results, whose time is the load factor or the step.\n"
    "Where `motion` sets all nodes in rotation, equilibrium is that in the rotating frame.",
    "  limber static arch.yaml\n"
    "  limber static arch.yaml --set static.control=arc -o arch.h5\n"
    "  limber plot arch.h5 ledger.load_factor --over tip.z\n"
    "  mpiexec -n 4 limber static tower.yaml",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_static"};
