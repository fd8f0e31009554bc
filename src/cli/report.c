// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "page.html", "the page; default: the run's name with .report.html, in this folder", OPTION_ONCE},
    {"pdf", NULL, NULL, "print it as PDF beside the page, through Chromium", OPTION_ONCE},
    {0},
};

const Command command_report = {
    "report",
    "Writes a page on a run, to check and to print.",
    "report run.h5 [-o page.html] [--pdf]",
    "The page holds what a reader needs to trust a run or not: masses, centre of mass and\n"
    "inertia to check by hand, the scheme and what is proved of it, the account of energy with\n"
    "its worst step, lengths of steps, what Newton did, by what joints are off, warnings and\n"
    "remarks, charts and extremes of all probes, the model's picture and its file. It is one\n"
    "file that needs no network and no other program (docs/report.md).",
    "  limber report pendulum.h5\n"
    "  limber report pendulum.h5 -o report.html --pdf",
    options,
    1,
    1,
    "run",
    false,
    NULL,
    "limber_command_report"};
