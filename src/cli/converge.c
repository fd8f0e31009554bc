// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"accuracy", NULL, "1%", "largest error, as a part of the range of each quantity; default: 1 %", OPTION_ONCE},
    {"runs", NULL, "6", "largest number of runs, 3 to 12, each with half the step; default: 6", OPTION_ONCE},
    {"mesh", NULL, NULL, "also runs twice and four times the elements of beams and cables", OPTION_ONCE},
    {"workers", "w", "2", "number of processes; default: the number of cores", OPTION_ONCE},
    {"output", "o", "bars.csv", "writes the histories of the last run, each column with its error bar", OPTION_ONCE},
    {"json", NULL, NULL, "prints the table as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    OPTION_LIBRARY,
    {0},
};

const Command command_converge = {
    "converge",
    "Runs a model with shorter and shorter steps and prints error bars.",
    "converge model.yaml [column ...] [--accuracy 1%] [--runs 6] [--mesh] [-o bars.csv] [--json]",
    "Is the step short enough? The command runs the model with its own step h, with h/2 and with h/4,\n"
    "side by side, and compares every probe, or the columns that are named: the value at the end,\n"
    "smallest and largest value, mean, root mean square, and the whole history. If an error is larger\n"
    "than the accuracy, it adds runs with h/8, h/16, ...\n"
    "\n"
    "Each value of the last run has an error bar, the order with which the runs approach each other,\n"
    "and a verdict: converged (with the order of the scheme), order not seen (the runs approach each\n"
    "other otherwise; the bar is wider), not converged (no error bar). The horizon is the time up to\n"
    "which the last two runs agree; it is short in a chaotic motion. At the end the command prints the\n"
    "longest step with all errors within the accuracy.\n"
    "\n"
    "The error is that of the time steps. With --mesh, the command also runs the model with twice and\n"
    "four times the elements of its beams and cables, with the step that it found, and the column\n"
    "`mesh` has the error of the model's own mesh (docs/error_bars.md).\n"
    "\n"
    "The exit code is 1 if no step is accurate enough, the error of the mesh is larger than the accuracy\n"
    "or a run fails. Results of the runs are not kept.",
    "  limber converge swing.yaml\n"
    "  limber converge swing.yaml tip.x tip.z --accuracy 0.1%\n"
    "  limber converge swing.yaml --set run.step=5ms -o bars.csv\n"
    "  limber converge crane.yaml --mesh\n"
    "  limber converge swing.yaml --json >bars.json",
    options,
    1,
    MAX_WORDS,
    "model file or column",
    true,
    NULL,
    "limber_command_converge"};
