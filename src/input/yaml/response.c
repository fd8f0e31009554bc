// SPDX-License-Identifier: Apache-2.0
// The parts `linearize`: inputs and outputs of a linear model; and `response`: frequencies of transfer functions.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <string.h>

// ---- lists of names: loads and signals that are inputs, probes that are outputs ----

typedef Error (*NameCheck)(Reader *r, const Tree *word);

static Error ReadNames(Reader *r, const Tree *tree, NameCheck check, int *count, const char *const **names) {
  char text[200];
  const char **list;
  *count = 0, *names = NULL;
  if (!tree) return 0;
  int n = tree->kind == TREE_LIST ? tree->count : 1;
  TRY(ModelAllocate(r->model, (size_t)(n + 1) * sizeof *list, &list));
  for (int i = 0; i < n; i++) {
    const Tree *word = tree->kind == TREE_LIST ? tree->entry[i] : tree;
    if (word->kind != TREE_WORD || tree_empty(word)) {
      TRY(ReportError(r, word->at, "a name, or a list of names, must stand here, not %s",
                      tree_name(word, text, sizeof text)));
      continue;
    }
    if (!r->diagnostics->errors) TRY(check(r, word)); // what is named may have been given wrongly
    TRY(ModelCopyString(r->model, word->text, &list[(*count)++]));
  }
  *names = list;
  return 0;
}

// A load without a name is called by its kind and number: force#2
static bool is_load(Reader *r, const char *text) {
  for (int i = 0; i < r->model->loads.count; i++) {
    const char *name = model_load(r->model, i)->name;
    if (name && !strcmp(name, text)) return true;
  }
  return false;
}

static Error CheckInput(Reader *r, const Tree *word) {
  char hint[700];
  if (names_find(part_names(r, &part_loads), word->text) || names_find(part_names(r, &part_functions), word->text))
    return 0;
  size_t n = strlen(word->text), end = strlen(".signal");
  if (is_load(r, word->text) || (n > end && !strcmp(word->text + n - end, ".signal"))) return 0;
  return ReportError(r, word->at, "there is no load or signal '%s'%s", word->text,
                     did_you_mean(r, part_names(r, &part_loads), word->text, hint, sizeof hint));
}

static Error CheckOutput(Reader *r, const Tree *word) {
  size_t n = strcspn(word->text, ".");
  char probe[200];
  Nearest nearest;
  snprintf(probe, sizeof probe, "%.*s", (int)n, word->text);
  nearest_begin(&nearest, probe);
  for (int i = 0; i < r->in->probes; i++) {
    if (strlen(r->in->probe[i].name) == n && !strncmp(r->in->probe[i].name, word->text, n)) return 0;
    nearest_try(&nearest, r->in->probe[i].name);
  }
  return ReportError(r, word->at, "there is no probe '%.*s'%s", (int)n, word->text,
                     nearest_hint(&nearest, "probes are"));
}

// A name or a list of names; NULL: none are given. What names no load or signal is reported.
static Error ReadInputNames(Reader *r, const Tree *tree, int *count, const char *const **names) {
  return ReadNames(r, tree, CheckInput, count, names);
}

// The same of probes.
static Error ReadOutputNames(Reader *r, const Tree *tree, int *count, const char *const **names) {
  return ReadNames(r, tree, CheckOutput, count, names);
}

// ---- linear models ----

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

static void begin_linearize(Reader *r) { r->in->linearize = limber_linear_options_default(); }

const Part part_linearize = {.key = "linearize",
                             .one = "linearize",
                             .form = PART_ONE,
                             .kind = linearize_kind_of,
                             .begin = begin_linearize,
                             .read = ReadLinearize};

// ---- transfer functions ----

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
