// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "page.html", "output file; default: the run's name with .report.html, in this folder", OPTION_ONCE},
    {"pdf", NULL, NULL, "also prints the page as PDF, with Chromium", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_report = {
    "report",
    "Writes a report on a run, to check and to print.",
    "report run.h5 [-o page.html] [--pdf]",
    "The report shows whether you can trust a run: masses, centre of mass and inertia to check by\n"
    "hand, the scheme and its proved properties, the energy ledger (energy balance) with the worst\n"
    "step, step lengths, Newton iterations, constraint violations, warnings, charts and extremes of\n"
    "all probes, a picture of the model and the model file. It is one file that needs no network and\n"
    "no other program (docs/report.md).\n"
    "\n"
    "For the table of a study (limber study) the page shows causes of failures, extreme and\n"
    "damage-equivalent loads, the worst runs, and pictures of results over parameters\n"
    "(docs/reading_studies.md).",
    "  limber report pendulum.h5\n"
    "  limber report pendulum.h5 -o report.html --pdf\n"
    "  limber report study.h5",
    options,
    1,
    1,
    "run",
    false,
    NULL,
    "limber_command_report"};
