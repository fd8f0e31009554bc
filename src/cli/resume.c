// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"end", NULL, "30s", "goes on to this time in place of the end that the run had", OPTION_ONCE},
    {"output", "o", "other.h5", "a branch: goes on in a copy of the results, and leaves them as they are", OPTION_ONCE},
    {"checkpoint", NULL, "60s", "of the clock between two checkpoints; 0: none (default: 60s)", OPTION_ONCE},
    {"quiet", "q", NULL, "print nothing but mistakes", OPTION_ONCE},
    OPTION_SET,
    {0},
};

const Command command_resume = {
    "resume",
    "Goes on with a run that was interrupted, killed or ended.",
    "resume run.h5 [--end 30s] [-o other.h5] [--set loads.push.amplitude=2 ...] [--checkpoint 60s] [-q]",
    "Takes the results back to the last checkpoint (run.checkpoint, beside run.h5) and steps on from there: what\n"
    "comes out has the same bits as if nothing had happened, on the same number of processes. The model is the\n"
    "one that the run was started with, also if its file has changed since. With --set the numbers of the model\n"
    "change from there on, in a file of its own (-o); what the model is made of must stay (docs/resume.md).",
    "  limber resume swing.h5\n"
    "  limber resume swing.h5 --end 30s\n"
    "  limber resume swing.h5 --set loads.push.amplitude=2 -o harder.h5\n"
    "  mpiexec -n 4 limber resume rotor.h5",
    options,
    1,
    1,
    "results file",
    true,
    NULL,
    "limber_command_resume"};
