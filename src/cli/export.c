// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "table.csv", "output file; default: stdout", OPTION_ONCE},
    {"list", "l", NULL, "lists all columns, with units and descriptions", OPTION_ONCE},
    {"from", NULL, "0.1", "leaves out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leaves out rows after this time [s]", OPTION_ONCE},
    {"every", NULL, "10", "takes every 10th of these rows", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_export = {
    "export",
    "Writes columns of a run as a table (CSV).",
    "export run.h5 [column ...] [-o table.csv] [--list]",
    "A column is time, a column of the energy ledger (ledger.kinetic), of the solver\n"
    "(steps.iterations) or of a probe: tip.position.x, or tip.x for short. A component without its\n"
    "quantity is searched in positions and forces first: tip.x, root.N, but tip.velocity.z.\n"
    "push.work is the work of load push. A quantity (tip.position), a probe (tip) or a part\n"
    "(ledger) stands for all of its columns. Without columns the table contains all of them.\n"
    "\n"
    "Time is the first column. Numbers have 17 digits, so that no digit is lost. The run may be\n"
    "under way, or it may have been interrupted.",
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
