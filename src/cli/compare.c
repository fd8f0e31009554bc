// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"tolerance", NULL, "1e-6", "of the largest value of a quantity; default: 0, the same bits", OPTION_ONCE},
    {"html", NULL, "page.html", "a page with both runs in one chart for every column that differs", OPTION_ONCE},
    {"from", NULL, "0.1", "leave out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leave out rows after this time [s]", OPTION_ONCE},
    {0},
};

const Command command_compare = {
    "compare",
    "Says by what two runs differ.",
    "compare a.h5 b.h5 [column ...] [--tolerance 1e-6] [--html page.html]",
    "For every column that both have: the largest difference and when, its root mean square, its\n"
    "norm over that of the first run, and the largest difference over the largest value of the\n"
    "quantity in both. Where times differ the second run is taken at those of the first, straight\n"
    "between its rows. Lines in which the models differ are listed.\n\n"
    "The exit code is 0 if all columns, or those that are named, agree within the tolerance, both\n"
    "runs have them and the runs end together; else 1. With a tolerance, what the solver did\n"
    "(steps) and what is round-off in itself (ledger.residual, joints, constraint) does not count.",
    "  limber compare a.h5 b.h5 --tolerance 1e-6\n"
    "  limber compare coarse.h5 fine.h5 tip.x tip.z --html differences.html",
    options,
    2,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_compare"};
