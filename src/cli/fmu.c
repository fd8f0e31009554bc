// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "model.fmu", "output file; default: the model's name with .fmu, in this folder", OPTION_ONCE},
    {"fmi", NULL, "3", "version of the standard: 2 or 3; default: 3", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    {0},
};

const Command command_fmu = {
    "fmu",
    "Writes a model as an FMU, which other programs run together with theirs.",
    "fmu model.yaml [-o model.fmu] [--fmi 2|3] [--set run.step=1ms ...]",
    "An FMU (Functional Mock-up Unit, fmi-standard.org) is a zip file with the model and a library that\n"
    "runs it. A host, such as OpenModelica, FMPy or Simulink, sets its inputs and reads its outputs at\n"
    "times of its own choice (co-simulation). Its steps are those of the part `run` of the model; with\n"
    "communication steps of that length results equal those of limber run bit for bit.\n"
    "\n"
    "Inputs are the functions of the kind `signal`; outputs are the columns of the history: the energy\n"
    "ledger and all probes; parameters are the numbers of `let`. The state can be saved, restored and\n"
    "serialised. All files that the model reads are in the FMU; a model that reads files outside of its\n"
    "folder or loads a shared library is refused (docs/fmu.md).\n"
    "\n"
    "An FMU that the Limber of the Python package or of the tarball writes contains all that it needs.\n"
    "One that another Limber writes needs a Limber of the same version where it runs.",
    "  limber fmu pendulum.yaml -o pendulum.fmu\n"
    "  limber fmu crane.yaml --fmi 2 --set run.step=5ms",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_fmu"};
