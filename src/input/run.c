// SPDX-License-Identifier: Apache-2.0
// What to run: the scheme, its steps, how often a row is recorded.
#include "input/kinds.h"
#include "input/reader.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *scheme;
  double rho_inf, beta, step, end, tolerance;
  int every, iterations, halvings, literal_jump;
} RunText;

static const Field run_fields[] = {
    {"scheme", FIELD_TEXT, 1, offsetof(RunText, scheme), "", false, 0, "how time is stepped; without: decaying_c"},
    {"rho_inf", FIELD_REAL, 1, offsetof(RunText, rho_inf), "", false, 0.5,
     "decaying_c, generalized_alpha: what is left of the fastest waves in a step, 0 .. 1"},
    {"beta", FIELD_REAL, 1, offsetof(RunText, beta), "", false, 1.0 / 6, "decaying_b: where losses begin"},
    {"step", FIELD_REAL, 1, offsetof(RunText, step), "s", true, 0, "length of a step"},
    {"end", FIELD_REAL, 1, offsetof(RunText, end), "s", true, 0, "time at the end; the start is 0"},
    {"every", FIELD_INT, 1, offsetof(RunText, every), "", false, 1, "steps between two rows of the history"},
    {"tolerance", FIELD_REAL, 1, offsetof(RunText, tolerance), "", false, 1e-12, "of Newton, relative energy"},
    {"iterations", FIELD_INT, 1, offsetof(RunText, iterations), "", false, 20, "of Newton at most"},
    {"halvings", FIELD_INT, 1, offsetof(RunText, halvings), "", false, 12, "of a step that fails, at most; -1: none"},
    {"literal_jump", FIELD_INT, 1, offsetof(RunText, literal_jump), "", false, 0,
     "1: decaying schemes hold joints in the jump as the papers print it; first order in mechanisms"},
};
static const FieldTable run_table = FIELDS(run_fields, RunText);
const Kind kind_run = {"run", "A run in time, with its scheme and its steps.", &run_table};

typedef struct {
  bool wrong;
  const char *field, *what;
} Rule;

PetscErrorCode ReadRun(Reader *r, const Tree *map, Place at) {
  Input *in = r->in;
  RunText t;
  Form form = {&run_table, &t, 0, 0, 0};
  bool good;
  char *scheme;
  PetscFunctionBegin;
  in->run_at = at;
  PetscCall(FormsRead(r, "run", at, map, 1, &form, &good));
  for (int i = 0;
       map->kind == TREE_MAP && i < map->count && in->run_keys < (int)(sizeof in->run_key / sizeof in->run_key[0]);
       i++) {
    const Field *f = field_find(&run_table, map->key[i]->text);
    if (f) in->run_key[in->run_keys].key = f->name, in->run_key[in->run_keys++].at = map->entry[i]->at;
  }
  const Rule rules[] = {
      {!(t.step > 0), "step", "must be positive"},
      {!(t.end > 0), "end", "must be positive"},
      {t.every < 1, "every", "must be at least 1"},
      {t.tolerance <= 0, "tolerance", "must be positive"},
      {t.iterations < 1, "iterations", "must be at least 1"},
      {t.halvings < -1, "halvings", "must be at least -1"},
      {t.literal_jump < 0 || t.literal_jump > 1, "literal_jump", "is 0 or 1"},
      {good && t.step > 0 && t.end / t.step > 1e12, "step", "makes more than 1e12 steps up to the end"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (rules[i].wrong && form_good(&form, rules[i].field)) {
      good = false;
      PetscCall(Wrong(r, tree_find(map, rules[i].field)->at, "'%s' %s", rules[i].field, rules[i].what));
    }
  in->options = (LimberOptions){.scheme = in->options.scheme,
                                .rho_inf = t.rho_inf,
                                .beta = t.beta,
                                .step = t.step,
                                .tolerance = t.tolerance,
                                .iterations = t.iterations,
                                .halvings = t.halvings ? t.halvings : -1,
                                .literal_jump = t.literal_jump};
  if (t.scheme) {
    PetscCall(ModelKeep(r->model, strlen(t.scheme) + 1, &scheme));
    in->options.scheme = strcpy(scheme, t.scheme);
  }
  if (!good) PetscFunctionReturn(0);
  double steps = t.end / t.step, whole = fmax(1, floor(steps + 0.5));
  if (fabs(steps - whole) > 1e-6 * whole) {
    whole = ceil(steps);
    PetscCall(NotesAdd(r->notes, NOTE_WARNING, tree_find(map, "end")->at,
                       "'end' is no multiple of 'step': the run ends at %g s, after %.0f steps", whole * t.step,
                       whole));
  }
  in->steps = (int64_t)whole, in->end = whole * t.step, in->every = t.every;
  PetscFunctionReturn(0);
}

PetscErrorCode InputNoteOptions(Input *in, const char *wrong) {
  Place at = in->run_at;
  const char *first = wrong + strlen(wrong);
  PetscFunctionBegin;
  for (int i = 0; i < in->run_keys; i++) {
    const char *found = strstr(wrong, in->run_key[i].key);
    if (found && found < first) first = found, at = in->run_key[i].at;
  }
  PetscCall(NotesAdd(&in->notes, NOTE_ERROR, at, "%s", wrong));
  PetscFunctionReturn(0);
}
