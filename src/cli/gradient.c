// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"of", NULL, "max(tip.z)", "quantity to differentiate; may be repeated", OPTION_MANY},
    {"wrt", NULL, "let.length", "parameter: a number of `let`, or PATH=VALUE of any field; may be repeated",
     OPTION_MANY},
    {"method", NULL, "adjoint", "forward (default) or adjoint: the time hardly depends on the number of parameters",
     OPTION_ONCE},
    {"states", NULL, "100", "states of a run that the adjoint method keeps; default: what fits in 500 MB", OPTION_ONCE},
    {"check", NULL, NULL, "compares with central differences of four whole analyses per parameter", OPTION_ONCE},
    {"output", "o", "gradient.csv", "writes the table", OPTION_ONCE},
    {"json", NULL, NULL, "prints the table as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_gradient = {
    "gradient",
    "Finds how results change with parameters of the model.",
    "gradient model.yaml --of max(tip.z) ... --wrt let.length ... [--check] [-o gradient.csv] [--json]",
    "The command prints derivatives of quantities with respect to parameters, and elasticities: by how\n"
    "many percent the quantity changes if the parameter grows by 1 %.\n"
    "\n"
    "Quantities of a run in time are columns of probes or of the ledger:\n"
    "  tip.z@end, tip.z@0.5     value at the end, or at a time (s)\n"
    "  max(tip.z), min(tip.z)   extremes\n"
    "  mean(..), rms(..)        means over time\n"
    "  norm(tip.z, 8)           smooth maximum: (mean of |z|^8)^(1/8)\n"
    "Quantities of the equilibrium under all loads, and of its modes:\n"
    "  static(tip.z)            value at rest\n"
    "  frequency(1), damping(1) of a mode as `limber modes` counts them\n"
    "And mass, of all elements.\n"
    "\n"
    "The derivatives are those of the equations with their steps and mesh, not differences of runs. Each\n"
    "has an estimate of its error; --check adds differences of whole analyses. Runs need the scheme\n"
    "`decaying` or `preserving` with equal steps. Both methods differentiate control blocks, events,\n"
    "contact and friction; docs/gradients.md lists what is refused.",
    "  limber gradient beam.yaml --of \"static(tip.z)\" --of \"frequency(1)\" --wrt let.length --wrt let.E\n"
    "  limber gradient swing.yaml --of tip.z@end --of \"max(tip.z)\" --wrt let.mass --check\n"
    "  limber gradient swing.yaml --of tip.z@end --wrt \"joints.hinge.damping=2 N m s\" --json",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_gradient"};
