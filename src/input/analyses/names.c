// SPDX-License-Identifier: Apache-2.0
// Names of inputs, which are loads and signals, and of outputs, which are probes, in parts of the model file.
#include "input/analyses/point_analysis.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <string.h>

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
      TRY(ReportError(r, word->at, "a name or a list of names is expected here, not %s",
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

Error ReadInputNames(Reader *r, const Tree *tree, int *count, const char *const **names) {
  return ReadNames(r, tree, CheckInput, count, names);
}

Error ReadOutputNames(Reader *r, const Tree *tree, int *count, const char *const **names) {
  return ReadNames(r, tree, CheckOutput, count, names);
}
