// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

typedef struct {
  const Tree *inputs, *outputs;
  LimberResponseOptions options;
} ResponseText;

static const char *const spacing_words[] = {"log", "linear", NULL};
static const char *spacing_word(int i) { return spacing_words[i]; } // of LimberSpacing
static const FieldMore spacings = {NULL, spacing_word};

static const Field fields[] = {
    {"from", FIELD_REAL, 1, offsetof(ResponseText, options.from), "Hz", true, 0, "first frequency", NULL},
    {"to", FIELD_REAL, 1, offsetof(ResponseText, options.to), "Hz", true, 0, "last frequency", NULL},
    {"points", FIELD_INT, 1, offsetof(ResponseText, options.points), "", false, 200, "number of frequencies", NULL},
    {"spacing", FIELD_WORD, 1, offsetof(ResponseText, options.spacing), "", false, 0,
     "`log`: equal ratios; `linear`: equal differences; default: log", &spacings},
    {"inputs", FIELD_ANY, 1, offsetof(ResponseText, inputs), "", false, 0,
     "loads, drives and signals by name; default: all", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(ResponseText, outputs), "", false, 0,
     "probes, or what they record: tip, tip.position, tip.x; default: all", NULL},
};

static Error CompleteResponse(Reader *r, const Tree *map, const Form *form, bool good) {
  ResponseText *t = form->out;
  LimberResponseOptions *o = &t->options;
  const Rule rules[] = {{o->from < 0, "from", "must not be negative"},
                        {o->spacing == LIMBER_SPACING_LOGARITHMIC && o->from == 0, "from",
                         "must be positive if frequencies have equal ratios"},
                        {o->to < o->from, "to", "must not be below 'from'"},
                        {o->points < 1, "points", "must be at least 1"},
                        {o->points > LIMIT_POINTS, "points", LIMIT_POINTS_TEXT}};
  TRY(APPLY(r, map, form, rules, &good));
  TRY(ReadInputNames(r, t->inputs, &o->inputs, &o->input));
  return ReadOutputNames(r, t->outputs, &o->outputs, &o->output);
}

static const char help[] = "At each frequency of the part `response` of the model, the command solves the equations of "
                           "small motions about the\n"
                           "equilibrium directly, with dampers and gyroscopic forces, for models of any size "
                           "(docs/linear_models.md). Each row\n"
                           "of the results is a frequency; each pair of an input and an output has its amplitude, "
                           "phase, real and imaginary part.";
static const char example[] = "  limber response beam.yaml\n"
                              "  limber plot beam.response.h5 --bode -o bode.svg\n"
                              "  limber export beam.response.h5 push.tip.displacement.y";

static const Option options[] = {POINT_OPTIONS("beam.h5", ".response.h5")};

const PointAnalysis analysis_of_response = {
    .command = {.summary = "Finds transfer functions from loads and drives to probes over a range of frequencies.",
                POINT_COMMAND("response", "", "beam.h5", "'response.to=50 Hz'")},
    .ending = ".response.h5",
    .needed = "response: {from: 0.1 Hz, to: 20 Hz}",
    .picture = "--bode",
    .fields = FIELDS(fields, ResponseText),
    .offset = offsetof(ResponseText, options),
    POINT_PLACE(response, LimberResponseOptions, response),
    .complete = CompleteResponse,
};

LimberResponseOptions limber_response_options_default(void) {
  LimberResponseOptions o;
  point_analysis_defaults(&analysis_of_response, &o, sizeof o);
  o.from = 0.1, o.to = 10; // a file gives its own
  return o;
}
