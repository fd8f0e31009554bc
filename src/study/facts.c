// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/study.h"
#include "results/write/hdf5_file.h"
#include "study/file.h"

#include <stdio.h>
#include <string.h>

static PetscErrorCode WriteChannels(hid_t file, const Plan *p, Store *store) {
  const char **name;
  double *factor;
  PetscFunctionBegin;
  if (!p->channels) PetscFunctionReturn(0);
  PetscCall(StoreAllocate(store, (size_t)p->channels * sizeof *name, &name));
  PetscCall(StoreAllocate(store, (size_t)p->channels * sizeof *factor, &factor));
  for (int i = 0; i < p->channels; i++) name[i] = p->channel[i].column, factor[i] = p->channel[i].factor;
  PetscCall(FileTexts(file, "channels", p->channels, name));
  PetscCall(FileReals(file, "factors", p->channels, factor));
  PetscFunctionReturn(0);
}

// The words of each parameter, a line each; "" where it has numbers.
static PetscErrorCode WriteWords(hid_t file, const Plan *p, Store *store) {
  const char **words;
  bool any = false;
  PetscFunctionBegin;
  PetscCall(StoreAllocate(store, (size_t)(p->variables + 1) * sizeof *words, &words));
  for (int i = 0; i < p->variables; i++) {
    const PlanVariable *v = &p->variable[i];
    size_t size = 1, used = 0;
    char *text;
    words[i] = "";
    if (!v->word) continue;
    any = true;
    for (int k = 0; k < v->count; k++) size += strlen(v->word[k]) + 1;
    PetscCall(StoreAllocate(store, size, &text));
    for (int k = 0; k < v->count; k++)
      used += (size_t)snprintf(text + used, size - used, "%s%s", k ? "\n" : "", v->word[k]);
    words[i] = text;
  }
  if (any) PetscCall(FileTexts(file, "words", p->variables, words));
  PetscFunctionReturn(0);
}

// The part of the lifetime that one run stands for, by the value of one parameter.
static PetscErrorCode WriteWeights(hid_t file, const Plan *p, Store *store) {
  const PlanVariable *v = &p->variable[p->weight_variable];
  double *weight;
  PetscFunctionBegin;
  PetscCall(StoreAllocate(store, (size_t)v->count * sizeof *weight, &weight));
  for (int i = 0; i < v->count; i++) weight[i] = p->runs_of[i] ? p->weight_of[i] / (double)p->runs_of[i] : 0;
  PetscCall(FileText(file, "weights_of", v->path));
  PetscCall(FileReals(file, "weight_values", v->count, v->value));
  PetscCall(FileReals(file, "weights", v->count, weight));
  PetscFunctionReturn(0);
}

Error StudyFactsWrite(hid_t file, const Plan *p) {
  Store store = {0};
  char design[100];
  PetscFunctionBegin;
  snprintf(design, sizeof design, p->design == PLAN_PRODUCT || p->design == PLAN_ZIP ? "%s" : "%s, seed %llu",
           study_design((int)p->design), (unsigned long long)p->seed);
  PetscCall(FileText(file, "design", design));
  PetscCall(WriteChannels(file, p, &store));
  PetscCall(WriteWords(file, p, &store));
  if (p->weight_variable >= 0) PetscCall(WriteWeights(file, p, &store));
  PetscCall(StoreDestroy(&store));
  PetscFunctionReturn(0);
}
