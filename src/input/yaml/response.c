// SPDX-License-Identifier: Apache-2.0
// The part `response`: over which frequencies transfer functions are found.
#include "input/yaml/form.h"
#include "input/yaml/name_list.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/rules.h"

#include <string.h>

typedef struct {
  double from, to;
  int points;
  LimberSpacing spacing;
  const Tree *inputs, *outputs;
} ResponseText;

static const char *const spacing_words[] = {"log", "linear", NULL};
static const char *spacing_word(int i) { return spacing_words[i]; } // of LimberSpacing
static const FieldMore spacings = {NULL, spacing_word};

static const Field response_fields[] = {
    {"from", FIELD_REAL, 1, offsetof(ResponseText, from), "Hz", true, 0, "first frequency", NULL},
    {"to", FIELD_REAL, 1, offsetof(ResponseText, to), "Hz", true, 0, "last frequency", NULL},
    {"points", FIELD_INT, 1, offsetof(ResponseText, points), "", false, 200, "frequencies from the first to the last",
     NULL},
    {"spacing", FIELD_WORD, 1, offsetof(ResponseText, spacing), "", false, 0,
     "`log`: by equal factors; `linear`: by equal differences; default: log", &spacings},
    {"inputs", FIELD_ANY, 1, offsetof(ResponseText, inputs), "", false, 0,
     "loads, drives and signals by name; default: all", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(ResponseText, outputs), "", false, 0,
     "probes, or what they record: tip, tip.position, tip.x; default: all", NULL},
};
static const FieldTable response_table = FIELDS(response_fields, ResponseText);
static const Kind kind_response = {"response", "Transfer functions over a range of frequencies.", &response_table};

static Error ReadResponse(Reader *r, const Tree *map, SourceLocation at) {
  ResponseText t;
  Form form = {&response_table, &t, 0, 0, 0};
  LimberResponseOptions *out = &r->in->response;
  bool good;
  TRY(FormsRead(r, "response", at, map, 1, &form, &good));
  if (!good) return 0;
  const Rule rules[] = {{t.from < 0, "from", "must not be negative"},
                        {t.spacing == LIMBER_SPACING_LOGARITHMIC && t.from == 0, "from",
                         "must be positive where frequencies grow by equal factors"},
                        {t.to < t.from, "to", "must not be below 'from'"},
                        {t.points < 1, "points", "must be at least 1"},
                        {t.points > LIMIT_POINTS, "points", LIMIT_POINTS_TEXT}};
  TRY(APPLY(r, map, &form, rules, &good));
  *out = limber_response_options_default();
  out->from = t.from, out->to = t.to, out->points = t.points, out->spacing = t.spacing;
  TRY(ReadInputNames(r, t.inputs, &out->inputs, &out->input));
  TRY(ReadOutputNames(r, t.outputs, &out->outputs, &out->output));
  return 0;
}

ONE_KIND(response_kind_of, kind_response)

const Part part_response = {
    .key = "response", .one = "response", .form = PART_ONE, .kind = response_kind_of, .read = ReadResponse};
