// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"all", NULL, NULL, "runs all examples, including the long ones", OPTION_ONCE},
    {"json", NULL, NULL, "prints the table as JSON", OPTION_ONCE},
    {"keep", NULL, "folder", "keeps the results of the runs in this folder", OPTION_ONCE},
    OPTION_FORCE,
    {"allow-outside", NULL, NULL, "models may be outside the example's folder, and read files there", OPTION_ONCE},
    {0},
};

const Command command_verify = {
    "verify",
    "Runs examples and compares the results with references.",
    "verify [example ...] [--all] [--json] [--keep folder] [--allow-outside] [-- PETSc options]",
    "An example is a folder with model files and an expected.yaml (docs/verify.md), which gives the\n"
    "runs, the quantities to measure, their references, sources and tolerances. The table shows each\n"
    "quantity next to its reference. Without names the command runs all examples that take less than\n"
    "300 s together. The exit code is 1 if any quantity fails.",
    "  limber verify hinged_beam swing\n"
    "  limber verify --all --json >verified.json",
    options,
    0,
    MAX_WORDS,
    "example",
    true,
    NULL,
    "limber_command_verify"};
