// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "system.h5", "results file; default: the system's name with .h5, in this folder", OPTION_ONCE},
    {"resume", NULL, NULL, "continues from the last checkpoint of all participants", OPTION_ONCE},
    {"checkpoint", NULL, "60s", "wall time between two checkpoints; 0: none; default: 60s", OPTION_ONCE},
    {"ssp", NULL, "out.ssp", "writes the system as a system structure (SSP 1.0) and does not run it", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    OPTION_LIBRARY,
    {0},
};

const Command command_couple = {
    "couple",
    "Runs several models together, each in a process of its own.",
    "couple system.yaml [-o system.h5] [--resume] [--ssp out.ssp] [--set NAME.run.scheme=preserving ...]",
    "The file of a system has the parts `participants` (model files), `connections` and `run` (step and\n"
    "end of all). After each step wave ports exchange waves, which never adds energy, and signals go\n"
    "from columns of probes to functions of the kind `signal` (docs/ports.md). A participant may be an\n"
    "FMU, which needs --allow-library.\n"
    "\n"
    "system.h5 has all columns of all participants, with their names before them, and the energy ledger\n"
    "of the whole; system.NAME.h5 are the results of each participant, as limber run writes them.\n"
    "Ctrl-C ends the run after the current step; --resume continues it, also after it was killed,\n"
    "with bit-for-bit identical results.\n"
    "\n"
    "A system structure (SSP 1.0) can take the place of system.yaml, with --set run.step=1ms. --ssp\n"
    "writes one, with each model as an FMU, for other programs.\n"
    "\n"
    "--set NAME.path=value changes the model of a participant, --set run.step=1ms the system.",
    "  limber couple crane_system.yaml\n"
    "  limber couple crane_system.yaml --set run.step=1ms --set crane.let.load=\"2 t\" -o heavy.h5\n"
    "  limber couple crane_system.yaml --resume\n"
    "  limber couple plant.ssp --set run.step=1ms --allow-library",
    options,
    1,
    1,
    "system file",
    true,
    NULL,
    "limber_command_couple"};
