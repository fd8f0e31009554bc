// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "table.csv", "output file, .csv or .outb; default: stdout", OPTION_ONCE},
    {"list", "l", NULL, "lists all columns, with units and descriptions", OPTION_ONCE},
    {"from", NULL, "0.1", "leaves out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leaves out rows after this time [s]", OPTION_ONCE},
    {"every", NULL, "10", "keeps every 10th of these rows", OPTION_ONCE},
    {"extremes", NULL, NULL,
     "for a study: the largest and smallest value of each channel, with the concurrent values of the others",
     OPTION_ONCE},
    {"file-id", NULL, "4", "format of an .outb file: 1, 2, 3 or 4; default: 4, or 1 if the times are not evenly spaced",
     OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_export = {
    "export",
    "Writes columns of a run as a table (CSV or OpenFAST binary).",
    "export run.h5 [column ...] [-o table.csv] [--list]",
    "A column is time, a column of the energy ledger (energy balance: ledger.kinetic), of the solver\n"
    "(steps.iterations) or of a probe: tip.position.x, or tip.x for short. If you leave out the\n"
    "quantity, positions and forces are searched first: tip.x, root.N, but tip.velocity.z.\n"
    "push.work is the work of load push. A quantity (tip.position), a probe (tip) or a part\n"
    "(ledger) selects all of its columns. Without columns the table contains all of them.\n"
    "\n"
    "Time is the first column. Numbers have 17 digits, so that no digit is lost. The run may still be\n"
    "running, or may have been interrupted.\n"
    "\n"
    "A file that ends in .outb is in OpenFAST's binary format, for pyDatView, pCrunch and\n"
    "openfast_toolbox. --file-id 3 keeps all digits, with names of 10 characters; 4, the default,\n"
    "keeps the names and rounds values to 1/64512 of the range of their column.\n"
    "\n"
    "In the table of a study (limber study) each row is a run. Its columns are the run's number, its\n"
    "parameters, its status and the statistics of its channels: tip.z.max, or tip.z for all of a channel.\n"
    "--extremes writes the table of extreme loads.",
    "  limber export pendulum.h5 --list\n"
    "  limber export pendulum.h5 tip.x tip.z hinge.angle -o tip.csv\n"
    "  limber export pendulum.h5 ledger --from 1 --to 1.5 --every 10 | column -s, -t\n"
    "  limber export blade.h5 root tip -o blade.outb\n"
    "  limber export study.h5 let.wind root.M2.max -o study.csv\n"
    "  limber export study.h5 --extremes -o extremes.csv",
    options,
    1,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_export"};
