// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "table.csv", "the table; default: stdout", OPTION_ONCE},
    {"list", "l", NULL, "print what there is, with units and descriptions", OPTION_ONCE},
    {"from", NULL, "0.1", "leave out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leave out rows after this time [s]", OPTION_ONCE},
    {"every", NULL, "10", "take every 10th of these rows", OPTION_ONCE},
    {0},
};

const Command command_export = {
    "export",
    "Writes columns of a run as a table (CSV).",
    "export run.h5 [column ...] [-o table.csv] [--list]",
    "A column is time, a part of the account (ledger.kinetic), of the solver's work\n"
    "(steps.iterations) or of a probe: tip.position.x, in short tip.x. A component without its\n"
    "quantity is looked for in positions and forces first: tip.x, root.N, but tip.velocity.z.\n"
    "push.work is the work of load push. A quantity (tip.position), a probe (tip) or a part\n"
    "(ledger) is all that it holds. Without columns the table holds everything.\n\n"
    "Time is the first column. Numbers have 17 digits: they are read back as they were. The file\n"
    "may belong to a run that goes on, or to one that was interrupted.",
    "  limber export pendulum.h5 --list\n"
    "  limber export pendulum.h5 tip.x tip.z hinge.angle -o tip.csv\n"
    "  limber export pendulum.h5 ledger --from 1 --to 1.5 --every 10 | column -s, -t",
    options,
    1,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_export"};
