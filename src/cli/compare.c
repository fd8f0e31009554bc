// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"tolerance", NULL, "1e-6", "relative to the largest value of a quantity; default: 0, identical bits", OPTION_ONCE},
    {"html", NULL, "page.html", "writes a page with a chart of both runs for every column that differs", OPTION_ONCE},
    {"from", NULL, "0.1", "leaves out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leaves out rows after this time [s]", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_compare = {
    "compare",
    "Prints the differences between two runs.",
    "compare a.h5 b.h5 [column ...] [--tolerance 1e-6] [--html page.html]",
    "For every column that is in both runs, the command prints the largest difference and its time,\n"
    "the root mean square, the norm relative to that of the first run, and the largest difference\n"
    "relative to the largest value of the quantity in both runs. If the times differ, the second run\n"
    "is interpolated linearly at the times of the first. Lines of the model files that differ are\n"
    "listed.\n"
    "\n"
    "The exit code is 0 if all columns, or all named columns, are in both runs and agree within the\n"
    "tolerance, and the runs end at the same time; otherwise it is 1. With a tolerance, columns of the\n"
    "solver (steps) and columns that are only round-off (ledger.residual, joints, constraint,\n"
    "momentum_error) are ignored.",
    "  limber compare a.h5 b.h5 --tolerance 1e-6\n"
    "  limber compare coarse.h5 fine.h5 tip.x tip.z --html differences.html",
    options,
    2,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_compare"};
