// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

typedef struct {
  const Tree *inputs, *outputs;
  LimberLinearOptions options;
} LinearizeText;

static const Field fields[] = {
    {"modes", FIELD_INT, 1, offsetof(LinearizeText, options.modes), "", false, 0,
     "how many of the lowest modes stand for the coordinates; default: all coordinates", NULL},
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
    {"eigenvalues", "real", "s-1", "of A, by modulus"},
    {"eigenvalues", "imaginary", "s-1", "of A, by modulus"},
    {"eigenvalues", "frequency", "Hz", "modulus of the imaginary part over 2 pi"},
    {"eigenvalues", "damping", "1", "ratio: -real part over the modulus"},
    {0},
};

static const char help[] =
    "The states are as many coordinates of nodes and joints as are independent, and their rates; inputs are the\n"
    "amplitudes of loads, drives and signals, outputs what probes record (docs/linear_models.md). The part "
    "`linearize`\n"
    "of the model chooses among them. The equilibrium is that of limber static under all loads in full; where "
    "`motion`\n"
    "sets all nodes in rotation it is that in the rotating frame.";
static const char example[] = "  limber linearize arm.yaml\n"
                              "  limber linearize arm.yaml -o arm.h5 --mat arm.mat\n"
                              "  limber linearize blade.yaml --set linearize.modes=20";

static const Option options[] = {
    {"mat", NULL, "abcd.mat", "the same matrices as a MAT-file of level 5, for MATLAB, Octave and SciPy", OPTION_ONCE},
    POINT_OPTIONS("abcd.h5", ".linear.h5")};

const PointAnalysis analysis_of_linearize = {
    .command = {.summary = "Finds the linear model x' = A x + B u, y = C x + D u about the equilibrium.",
                POINT_COMMAND("linearize", "[--mat abcd.mat] ", "abcd.h5", "linearize.modes=10")},
    .ending = ".linear.h5",
    .columns = columns,
    .fields = FIELDS(fields, LinearizeText),
    .offset = offsetof(LinearizeText, options),
    POINT_PLACE(linearize, LimberLinearOptions, linearize),
    .complete = CompleteLinearize,
};

POINT_DEFAULTS(LimberLinearOptions, limber_linear_options_default, linearize)
