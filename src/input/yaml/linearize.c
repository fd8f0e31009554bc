// SPDX-License-Identifier: Apache-2.0
// The part `linearize`: what a linear model has as inputs and outputs.
#include "input/yaml/form.h"
#include "input/yaml/name_list.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

typedef struct {
  int modes;
  const Tree *inputs, *outputs;
} LinearizeText;

static const Field linearize_fields[] = {
    {"modes", FIELD_INT, 1, offsetof(LinearizeText, modes), "", false, 0,
     "how many of the lowest modes stand for the coordinates; default: all coordinates", NULL},
    {"inputs", FIELD_ANY, 1, offsetof(LinearizeText, inputs), "", false, 0,
     "loads, drives and signals by name; default: all", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(LinearizeText, outputs), "", false, 0,
     "probes, or what they record: tip, tip.position, tip.x; default: all", NULL},
};
static const FieldTable linearize_table = FIELDS(linearize_fields, LinearizeText);
static const Kind kind_linearize = {"linearize", "A linear model about the equilibrium.", &linearize_table};

static Error ReadLinearize(Reader *r, const Tree *map, SourceLocation at) {
  LinearizeText t;
  Form form = {&linearize_table, &t, 0, 0, 0};
  LimberLinearOptions *out = &r->in->linearize;
  bool good;
  TRY(FormsRead(r, "linearize", at, map, 1, &form, &good));
  if (!good) return 0;
  if (t.modes < 0) TRY(ReportError(r, tree_find(map, "modes")->at, "'modes' must not be negative"));
  out->modes = t.modes;
  TRY(ReadInputNames(r, t.inputs, &out->inputs, &out->input));
  TRY(ReadOutputNames(r, t.outputs, &out->outputs, &out->output));
  return 0;
}

ONE_KIND(linearize_kind_of, kind_linearize)

const Part part_linearize = {
    .key = "linearize", .one = "linearize", .form = PART_ONE, .kind = linearize_kind_of, .read = ReadLinearize};
