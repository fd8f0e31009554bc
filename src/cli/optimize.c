// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"json", NULL, NULL, "prints everything as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_OUTSIDE,
    {0},
};

const Command command_optimize = {
    "optimize",
    "Finds numbers of a model that make a result best.",
    "optimize model.yaml [--json]",
    "The part `optimize` of the model file names a quantity to minimize or maximize, the parameters that\n"
    "may change, with bounds, and constraints: limits of other quantities, such as a largest stress or a\n"
    "lowest frequency. Quantities are those of `limber gradient`, such as mass.\n"
    "\n"
    "It prints the optimum, the values of all constraints, and by how much the optimum changes with each\n"
    "limit that it meets (Lagrange multipliers). The last line starts a run with the optimum. The search\n"
    "goes downhill from the start values: it finds the best values nearby. Derivatives are those of\n"
    "`limber gradient`; of models that it does not support they are differences of whole analyses, and a\n"
    "note says so (docs/optimize.md).\n"
    "\n"
    "The exit code is 1 if no optimum is found.",
    "  limber optimize crank.yaml\n"
    "  limber optimize crank.yaml --set \"optimize.constraints.1.to=140 MPa\"\n"
    "  mpiexec -n 2 limber optimize crank.yaml --json",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_optimize"};
