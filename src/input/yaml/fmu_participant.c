// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/fmu_participant.h"

#include "input/yaml/fmu.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/block.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const FmuVariable *variable;
  const char *name; // in the model
} Named;

typedef struct FmuParticipant {
  FmuUse *use;
  Named input[BLOCK_INPUTS], output[BLOCK_OUTPUTS]; // that connections name, or `outputs`
  int inputs, outputs;
  FmuChannel *constant, *parameter;
  int constants, parameters;
  const Tree *file;
} FmuParticipant;

// ---- names ----

// A name of the model for a variable: letters, digits and '_' alone, and no other's.
static Error MakeName(Reader *r, const char *begin, const Named *list, int count, const char *variable,
                      const char **out) {
  char text[120];
  size_t n = strlen(strcpy(text, begin));
  if (!n && !isalpha((unsigned char)*variable)) text[n++] = 'v';
  for (; *variable && n < 80; variable++)
    text[n++] = (unsigned char)*variable < 128 && isalnum((unsigned char)*variable) ? *variable : '_';
  text[n] = 0;
  for (int try = 2, i = 0; i < count; i++) {
    if (strcmp(list[i].name, text)) continue;
    snprintf(text + n, sizeof text - n, "_%d", try++);
    i = -1;
  }
  return StoreText(&r->model->store, text, strlen(text), out);
}

static Error AddNamed(Reader *r, const FmuParticipant *f, SourceLocation at, bool input, const FmuVariable *v,
                      Named *list, int *count, const char **name, bool *good) {
  int most = input ? BLOCK_INPUTS : BLOCK_OUTPUTS;
  for (int i = 0; i < *count; i++)
    if (list[i].variable == v) return *name = list[i].name, 0;
  if (*count == most) {
    *good = false;
    return ReportError(r, at, "at most %d %s of the FMU '%s' can be used", most, input ? "inputs" : "outputs",
                       f->use->file);
  }
  TRY(MakeName(r, input ? "in_" : "", list, *count, v->name, name)); // formulae have names of their own, such as t
  list[(*count)++] = (Named){v, *name};
  return 0;
}

// ---- reading ----

static Error ReadOutputsToRecord(Reader *r, FmuParticipant *f, const Tree *outputs, bool *good) {
  const char *name;
  if (!outputs) return 0;
  if (outputs->kind == TREE_MAP) {
    *good = false;
    return ReportError(r, outputs->at, "'outputs' must be a list of variables of the FMU");
  }
  bool list = outputs->kind == TREE_LIST;
  for (int i = 0; i < (list ? outputs->count : 1); i++) {
    const Tree *word = list ? outputs->entry[i] : outputs;
    const FmuVariable *v;
    bool fine;
    TRY(FindFmuVariable(r, f->use, word, false, &v, &fine));
    if (fine) TRY(AddNamed(r, f, word->at, false, v, f->output, &f->outputs, &name, &fine));
    *good = *good && fine;
    if (f->outputs == BLOCK_OUTPUTS && !fine) break;
  }
  return 0;
}

Error ReadFmuParticipant(Reader *r, Participant *p, const Tree *map) {
  FmuParticipant *f;
  bool good;
  TRY(ModelAllocate(r->model, sizeof *f, &f));
  f->file = tree_find(map, "fmu");
  TRY(ReadFmuFile(r, f->file, &f->use, &good));
  if (!good) return 0;
  TRY(ReadFmuNumbers(r, tree_find(map, "inputs"), true, f->use, &f->constant, &f->constants, &good));
  TRY(ReadFmuNumbers(r, tree_find(map, "parameters"), false, f->use, &f->parameter, &f->parameters, &good));
  TRY(ReadOutputsToRecord(r, f, tree_find(map, "outputs"), &good));
  p->fmu = f;
  return 0;
}

Error ConnectFmu(Reader *r, Participant *p, const Tree *word, bool wave, bool input, const char **name, bool *good) {
  FmuParticipant *f = p->fmu;
  const FmuVariable *v;
  Tree variable = *word;
  *good = !wave;
  if (wave)
    return ReportError(r, word->at, "the FMU '%s' has no wave ports: use signals, or a bond in a model", f->use->file);
  variable.text = *name;
  TRY(FindFmuVariable(r, f->use, &variable, input, &v, good));
  for (int i = 0; i < f->constants && *good && input; i++)
    if (f->constant[i].variable == v) {
      *good = false;
      TRY(ReportError(r, word->at, "the input '%s' has a number already, in `inputs`", v->name));
    }
  if (!*good) return 0;
  return input ? AddNamed(r, f, word->at, true, v, f->input, &f->inputs, name, good)
               : AddNamed(r, f, word->at, false, v, f->output, &f->outputs, name, good);
}

// ---- the model ----

// In SI units, as the model wants them.
static void print_numbers(FILE *out, const FmuChannel *list, int count, bool more) {
  for (int i = 0; i < count; i++) {
    fputs(i || more ? ", " : "", out);
    tree_print_quoted(out, list[i].variable->name);
    fprintf(out, ": %.17g", list[i].value * list[i].factor + list[i].offset);
  }
}

// ", unit: kg m s-2"; nothing of a pure number or one that is not known.
static void print_unit(FILE *out, const FmuUnit *u) {
  static const char *const base[FMU_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  bool any = false;
  for (int i = 0; u && i < FMU_BASES; i++) {
    if (u->power[i] == 0 || u->power[i] != rint(u->power[i])) continue;
    fprintf(out, "%s%s", any ? " " : ", unit: ", base[i]);
    if (u->power[i] != 1) fprintf(out, "%.0f", u->power[i]);
    any = true;
  }
}

static void print_model(const FmuParticipant *f, const char *file, FILE *out) {
  fputs("limber: 1\ntitle: ", out);
  tree_print_quoted(out, file);
  if (f->inputs) fputs("\nfunctions:\n", out);
  for (int i = 0; i < f->inputs; i++) fprintf(out, "%s  %s: {signal: {value: 0}}", i ? "\n" : "", f->input[i].name);
  fputs("\ncontrol:\n  fmu:\n    fmu:\n      file: ", out);
  tree_print_quoted(out, file);
  fputs("\n      inputs: {", out);
  for (int i = 0; i < f->inputs; i++) {
    fputs(i ? ", " : "", out);
    tree_print_quoted(out, f->input[i].variable->name);
    fprintf(out, ": %s", f->input[i].name);
  }
  print_numbers(out, f->constant, f->constants, f->inputs > 0);
  fputs("}\n      outputs: [", out);
  for (int i = 0; i < f->outputs; i++) {
    fputs(i ? ", " : "", out);
    tree_print_quoted(out, f->output[i].variable->name);
  }
  fputs("]\n      parameters: {", out);
  print_numbers(out, f->parameter, f->parameters, false);
  fputs("}\nprobes:\n", out);
  for (int i = 0; i < f->outputs; i++) {
    fprintf(out, "  - {name: %s, formula: fmu", f->output[i].name);
    if (f->outputs > 1) fprintf(out, ".%d", i + 1);
    print_unit(out, f->output[i].variable->unit);
    fputs("}\n", out);
  }
  fputs("run: {step: 1 s, end: 1 s}\n", out); // those of the system take their place
}

static Error WriteModel(Reader *r, Participant *p) {
  const char *path = p->fmu->use->file, *slash = strrchr(path, '/');
  char *text = NULL, *name;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ENSURE(out, ERROR_MEMORY, "out of memory");
  print_model(p->fmu, slash ? slash + 1 : path, out);
  bool good = !ferror(out);
  if (fclose(out) || !good) return free(text), ERROR_MEMORY;
  Error error = StoreText(&r->model->store, text, size, &p->text);
  free(text);
  TRY(error);
  TRY(ModelAllocate(r->model, strlen(path) + 6, &name)); // beside the FMU, which it names
  sprintf(name, "%s.yaml", path);
  p->path = name;
  return 0;
}

Error FinishFmuParticipants(Reader *r) {
  for (int i = 0; i < r->in->participants; i++) {
    Participant *p = &r->in->participant[i];
    if (!p->fmu) continue;
    if (!p->fmu->outputs)
      TRY(ReportError(r, p->at, "nothing comes from the FMU: connect an output, or name some in `outputs`"));
    else TRY(WriteModel(r, p));
  }
  return 0;
}
