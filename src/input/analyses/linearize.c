// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

typedef struct {
  const Tree *inputs, *outputs;
  LimberLinearOptions options;
} LinearizeText;

static const Field fields[] = {
    {"modes", FIELD_INT, 1, offsetof(LinearizeText, options.modes), "", false, 0,
     "number of the lowest modes used as coordinates; default: all coordinates", NULL},
    {"inputs", FIELD_ANY, 1, offsetof(LinearizeText, inputs), "", false, 0,
     "loads, drives and signals by name; default: all", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(LinearizeText, outputs), "", false, 0,
     "probes, or what they record: tip, tip.position, tip.x; default: all", NULL},
};

static Error CompleteLinearize(Reader *r, const Tree *map, const Form *form, bool good) {
  LinearizeText *t = form->out;
  LimberLinearOptions *o = &t->options;
  const Rule rules[] = {{o->modes < 0, "modes", "must not be negative"}};
  TRY(APPLY(r, map, form, rules, &good));
  TRY(ReadInputNames(r, t->inputs, &o->inputs, &o->input));
  return ReadOutputNames(r, t->outputs, &o->outputs, &o->output);
}

static const PointColumn columns[] = {
    {"eigenvalues", "real", "s-1", "real part of the eigenvalues of A, sorted by modulus"},
    {"eigenvalues", "imaginary", "s-1", "imaginary part of the eigenvalues of A, sorted by modulus"},
    {"eigenvalues", "frequency", "Hz", "modulus of the imaginary part over 2 pi"},
    {"eigenvalues", "damping", "1", "damping ratio: -real part over the modulus"},
    {0},
};

static const char help[] =
    "The states are the independent coordinates of nodes and joints, and their rates; inputs are the amplitudes of\n"
    "loads, drives and signals, outputs are the columns of probes (docs/linear_models.md). The part `linearize` of "
    "the\n"
    "model selects among them. The equilibrium is that of limber static under all loads; if `motion` sets all nodes "
    "in\n"
    "rotation, it is the equilibrium in the rotating frame.";
static const char example[] = "  limber linearize arm.yaml\n"
                              "  limber linearize arm.yaml -o arm.h5 --mat arm.mat\n"
                              "  limber linearize blade.yaml --set linearize.modes=20\n"
                              "  limber linearize blade.yaml --fmu plant.fmu --fmi 2";

static const Option options[] = {
    {"mat", NULL, "abcd.mat", "also writes the matrices as a MAT-file of level 5, for MATLAB, Octave and SciPy",
     OPTION_ONCE},
    {"fmu", NULL, "plant.fmu", "also writes the linear model as an FMU for model exchange and co-simulation",
     OPTION_ONCE},
    {"fmi", NULL, "2|3", "version of the FMU; default: 3", OPTION_ONCE},
    POINT_OPTIONS("abcd.h5", ".linear.h5")};

const PointAnalysis analysis_of_linearize = {
    .command = {.summary = "Finds the linear model x' = A x + B u, y = C x + D u about the equilibrium.",
                POINT_COMMAND("linearize", "[--mat abcd.mat] [--fmu plant.fmu] ", "abcd.h5", "linearize.modes=10")},
    .ending = ".linear.h5",
    .columns = columns,
    .fields = FIELDS(fields, LinearizeText),
    .offset = offsetof(LinearizeText, options),
    POINT_PLACE(linearize, LimberLinearOptions, linearize),
    .complete = CompleteLinearize,
};

POINT_DEFAULTS(LimberLinearOptions, limber_linear_options_default, linearize)
