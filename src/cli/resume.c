// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"end", NULL, "30s", "continues to this time instead of the end of the run", OPTION_ONCE},
    {"output", "o", "other.h5", "branches: continues in a copy of the results, and leaves the results unchanged",
     OPTION_ONCE},
    {"checkpoint", NULL, "60s", "wall time between two checkpoints; 0: none; default: 60s", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_MONITOR,
    OPTION_SET,
    OPTION_FORCE,
    OPTION_LIBRARY,
    {0},
};

const Command command_resume = {
    "resume",
    "Continues a run that was interrupted, was killed or has ended.",
    "resume run.h5 [--end 30s] [-o other.h5] [--set loads.push.amplitude=2 ...] [--checkpoint 60s] [-q] [--monitor]",
    "The command goes back to the last checkpoint (run.checkpoint, next to run.h5) and continues from there. The\n"
    "results are bit-for-bit identical to those of an uninterrupted run on the same number of processes. The\n"
    "command uses the model with which the run was started, even if its file has changed since. --set changes\n"
    "numbers of the model from there on and needs another results file (-o); components cannot be added or\n"
    "removed (docs/resume.md).",
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
