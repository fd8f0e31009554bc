// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"all", NULL, NULL, "all examples, also those that take long", OPTION_ONCE},
    {"json", NULL, NULL, "the table as JSON", OPTION_ONCE},
    {"keep", NULL, "folder", "leaves the results of the runs there", OPTION_ONCE},
    {0},
};

const Command command_verify = {
    "verify",
    "Runs examples and compares them with what is expected.",
    "verify [example ...] [--all] [--json] [--keep folder] [-- PETSc options]",
    "An example is a folder with model files and an expected.yaml (docs/verify.md): which runs to\n"
    "make, what to measure in them, the reference, its source and the tolerance. The table shows\n"
    "each quantity beside its reference. Without names all examples are run that together take\n"
    "less than 300 s. The exit code is 1 if any quantity falls short of what is expected.",
    "  limber verify hinged_beam swing\n"
    "  limber verify --all --json >verified.json",
    options,
    0,
    MAX_WORDS,
    "example",
    true,
    NULL,
    "limber_command_verify"};
