// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "fitted.csv", "writes measured and fitted values", OPTION_ONCE},
    {"picture", NULL, "fit.svg", "draws measured histories and the fitted model: SVG, PNG or PDF", OPTION_ONCE},
    {"json", NULL, NULL, "prints everything as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_fit = {
    "fit",
    "Finds numbers of a model from measured data.",
    "fit model.yaml [-o fitted.csv] [--picture fit.svg] [--json]",
    "The part `fit` of the model file lists parameters, with bounds, and measured data: histories in CSV\n"
    "files, frequencies and other quantities. The command finds the values of the parameters with which\n"
    "the model comes closest to the data, by least squares: each residual is divided by its noise, which\n"
    "is given or estimated.\n"
    "\n"
    "It prints estimates with standard errors and correlations, the residuals of all data, chi-square,\n"
    "and combinations of parameters that the data cannot tell. The last line starts a run with the\n"
    "estimates. Derivatives are those of `limber gradient`; of models that it does not support they are\n"
    "differences of whole analyses, and a note says so (docs/fit.md).\n"
    "\n"
    "The exit code is 1 if no minimum is found.",
    "  limber fit pendulum.yaml\n"
    "  limber fit pendulum.yaml -o fitted.csv --picture fit.svg\n"
    "  mpiexec -n 2 limber fit blade.yaml --json",
    options,
    1,
    1,
    "model file",
    true,
    NULL,
    "limber_command_fit"};
