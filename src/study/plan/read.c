// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/include.h"
#include "input/yaml/parts.h"
#include "input/yaml/report.h"
#include "input/yaml/units.h"
#include "model/formula.h"
#include "study/plan/reader.h"

#include <string.h>

static int word_index(const char *text, const char *(*word)(int i)) {
  for (int i = 0; text && word(i); i++)
    if (!strcmp(word(i), text)) return i;
  return 0;
}

// ---- the part `study` ----

static Error ReadLimits(PlanReader *x) {
  const Tree *map = tree_find(x->map, "limits");
  const LimitsText *t = &x->text.limits;
  if (!map || !form_good(&x->form, "limits")) return 0;
  const Tree *time = tree_find(map, "time"), *steps = tree_find(map, "steps");
  if (time && !(t->time > 0)) TRY(ReportError(&x->reader, time->at, "'time' must be positive"));
  if (steps && !(t->steps >= 1 && t->steps < 1e15))
    TRY(ReportError(&x->reader, steps->at, "'steps' must be at least 1 and below 1e15"));
  else x->plan->step_limit = (int64_t)t->steps;
  x->plan->time_limit = t->time;
  return 0;
}

static Error ReadStudy(PlanReader *x, SourceLocation at) {
  Plan *p = x->plan;
  bool good;
  x->form = (Form){&study_table, &x->text, 0, 0, 0};
  TRY(FormsRead(&x->reader, "study", at, x->map, 1, &x->form, &good));
  if (x->map->kind != TREE_MAP) return 0;
  p->design = (PlanDesign)word_index(x->text.design, study_design);
  p->stop_at_failure = x->text.on_failure && !strcmp(x->text.on_failure, "stop");
  TRY(ReadWhole(x, "seed", x->text.seed, 0, 0x1p53, &p->seed));
  TRY(StoreAllocate(&p->store, LIMIT_VARIABLES * sizeof *p->variable, &p->variable));
  TRY(StoreAllocate(&p->store, (LIMIT_VARIABLES + 1) * sizeof *p->axis, &p->axis));
  if (form_good(&x->form, "table")) TRY(ReadTable(x));
  TRY(ReadVariables(x));
  TRY(CountRuns(x));
  TRY(ReadChannels(x));
  TRY(ReadKeep(x));
  TRY(ReadLimits(x));
  TRY(ReadWeights(x));
  return 0;
}

// ---- the file ----

// A file with `of` is a plan alone; else it is the model, too.
static Error FindModel(PlanReader *x, const Tree *root) {
  Plan *p = x->plan;
  const char *slash = strrchr(p->file, '/');
  if (!x->text.of) {
    p->model = slash ? slash + 1 : p->file;
    return 0;
  }
  p->model = x->text.of;
  for (int i = 0; i < root->count; i++) {
    const char *key = root->key[i]->text;
    if (strcmp(key, "limber") && strcmp(key, "title") && strcmp(key, "study"))
      TRY(ReportError(&x->reader, root->key[i]->at, "'%s' belongs to the model, which is '%s' as 'of' says", key,
                      x->text.of));
  }
  return 0;
}

static Error ReadFile(PlanReader *x, const Tree *root) {
  FileText text;
  Form form = {kind_file.fields, &text, 0, 0, 0};
  bool good;
  TRY(FormsRead(&x->reader, "a plan", (SourceLocation){0, 0, 0}, root, 1, &form, &good));
  if (root->kind != TREE_MAP) return 0;
  if (text.limber) TRY(CheckVersion(&x->reader, tree_find(root, "limber"), text.limber));
  x->plan->title = text.title ? text.title : "";
  x->map = text.part_study;
  if (!x->map) {
    TRY(ReportError(&x->reader, (SourceLocation){0, 0, 0}, "this file has no part 'study': what varies, and how"));
    return 0;
  }
  TRY(ReadStudy(x, x->map->at));
  TRY(FindModel(x, root));
  return 0;
}

Error PlanRead(const char *file, const char *text, size_t length, SourceReader read, Diagnostics *d, Plan **out) {
  Plan *p = NULL;
  Tree *root;
  char *copy, *name;
  int index;
  ENSURE(!d->files, ERROR_PROGRAM, "the diagnostics of a plan begin with it");
  TRY(MemoryNew(sizeof *p, &p));
  p->weight_variable = -1, p->repeat = 1;
  TRY(StoreAllocate(&p->store, length + 1, &copy));
  if (length) memcpy(copy, text, length);
  TRY(StoreAllocate(&p->store, strlen(file) + 1, &name));
  p->file = strcpy(name, file), p->text = copy, p->model = p->title = "";
  TRY(DiagnosticsAddFile(d, p->file, p->text, length, &index));
  TRY(MemoryNew(sizeof *p->in, &p->in)); // the sources of the plan: itself and its tables
  TRY(LimberModelCreate(&p->in->model));
  TRY(MemoryNew(sizeof *p->in->source, &p->in->source));
  const char *base = strrchr(p->file, '/');
  char *own = NULL;
  TRY(MemoryNew(1, &own)); // the text itself is the plan's
  p->in->file = p->file,
  p->in->source[p->in->sources++] = (InputSource){.name = base ? base + 1 : p->file, .text = own};
  PlanReader x = {
      .reader = {.in = p->in, .model = p->in->model, .read = read, .field_reader = field_readers, .diagnostics = d},
      .plan = p};
  count_bytes(&x.reader, length);
  TRY(TreeRead(&p->store, d, (SourceLocation){0, length, 0}, &x.reader.count, &root));
  if (root) TRY(ReadFile(&x, root));
  else if (!d->errors) TRY(ReportError(&x.reader, (SourceLocation){0, 0, 0}, "the file is empty"));
  TRY(UnitsDestroy(&x.reader.units));
  p->values = x.reader.store;
  *out = p;
  return 0;
}

Error PlanDestroy(Plan **p) {
  if (!*p) return 0;
  TRY(InputDestroy(&(*p)->in));
  TRY(StoreDestroy(&(*p)->store));
  TRY(StoreDestroy(&(*p)->values));
  memory_free(p);
  return 0;
}
