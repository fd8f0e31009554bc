// SPDX-License-Identifier: Apache-2.0
// A system structure (SSP) as a system of `limber couple`: the archive is read as if it were a folder with the file
// system.yaml, whose participants are the FMUs.
#include "app/couple_ssp.h"

#include "base/limits.h"
#include "fmu/read/ssp.h"
#include "input/yaml/tree.h"
#include "mechanics/block.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DESCRIPTION = 64 << 20 }; // bytes of a modelDescription.xml

static struct { // one command runs in a process
  char path[4200];
  Store store;
  SourceText file;
  Zip zip;
  char *text; // of system.yaml
  size_t size;
  size_t unpacked; // bytes of the FMUs of all components
} archive;

// ---- the text ----

typedef struct {
  const SspSystem *s;
  const char **name;          // of the participants
  const FmuDescription **fmu; // of the components
} Naming;

static bool is_connected(const SspSystem *s, int component, const char *input) {
  for (int i = 0; i < s->connections; i++)
    if (s->connection[i].to == component && !strcmp(s->connection[i].input, input)) return true;
  return false;
}

// Whether another one of that name has priority: the last of the system, else the last of the component.
static bool is_replaced(const SspSystem *s, int k) {
  const SspParameter *p = &s->parameter[k];
  for (int i = 0; i < s->parameters; i++) {
    const SspParameter *q = &s->parameter[i];
    if (i == k || q->component != p->component || strcmp(q->name, p->name)) continue;
    if (q->of_system > p->of_system || (q->of_system == p->of_system && i > k)) return true;
  }
  return false;
}

// In SI units, from the unit that is written, else from that of the FMU's variable.
static double si_value(const SspSystem *s, const SspParameter *p, const FmuVariable *v, Refusal *wrong) {
  const FmuUnit *own = v ? v->unit : NULL, *given = p->unit ? ssp_unit(s, p->unit) : NULL;
  bool same = p->unit && v && v->unit_name && !strcmp(p->unit, v->unit_name);
  if (p->unit && !given && !same)
    refuse(wrong, "the parameter '%s' is in '%s', which no unit of the archive defines", p->name, p->unit);
  for (int i = 0; given && own && i < FMU_BASES; i++)
    if (given->power[i] != own->power[i] && !is_refused(wrong))
      refuse(wrong, "the parameter '%s' is in '%s', and '%s' of the FMU is in '%s'", p->name, given->name, v->name,
             own->name);
  if (!given) given = own;
  return given ? p->value * given->factor + given->offset : p->value;
}

// Inputs that nothing is connected to, or all else.
static void print_parameters(const Naming *n, int component, bool inputs, FILE *out, Refusal *wrong) {
  const SspSystem *s = n->s;
  int count = 0;
  for (int i = 0; i < s->parameters; i++) {
    const SspParameter *p = &s->parameter[i];
    if (p->component != component || is_replaced(s, i)) continue;
    const FmuVariable *v = fmu_variable(n->fmu[component], p->name);
    bool input = v && v->causality == FMU_INPUT;
    if (input != inputs || (input && is_connected(s, component, p->name))) continue;
    fputs(count++ ? ", " : inputs ? ", inputs: {" : ", parameters: {", out);
    tree_print_quoted(out, p->name);
    fprintf(out, ": %.17g", si_value(s, p, v, wrong));
  }
  if (count) putc('}', out);
}

static bool is_source(const SspSystem *s, int component, const char *output) {
  for (int k = 0; k < s->connections; k++)
    if (s->connection[k].from == component && (!output || !strcmp(s->connection[k].output, output))) return true;
  return false;
}

// Connectors beside those that are connected, as many as can be recorded; where there is none at all, the first output
// of the FMU.
static void print_outputs(const Naming *n, int component, FILE *out) {
  const SspComponent *c = &n->s->component[component];
  const FmuDescription *d = n->fmu[component];
  int count = 0, used = 0;
  for (int i = 0; i < c->outputs; i++) used += is_source(n->s, component, c->output[i]);
  for (int i = 0; i < c->outputs && used + count < BLOCK_OUTPUTS; i++) {
    if (is_source(n->s, component, c->output[i])) continue;
    fputs(count++ ? ", " : ", outputs: [", out);
    tree_print_quoted(out, c->output[i]);
  }
  for (int i = 0; i < d->variables && !count && !is_source(n->s, component, NULL); i++) {
    if (d->variable[i].causality != FMU_OUTPUT || d->variable[i].type >= FMU_STRING || d->variable[i].array) continue;
    fputs(", outputs: [", out), count++;
    tree_print_quoted(out, d->variable[i].name);
  }
  if (count) putc(']', out);
}

static void print_system(const Naming *n, FILE *out, Refusal *wrong) {
  const SspSystem *s = n->s;
  fputs("limber: 1\ntitle: ", out);
  tree_print_quoted(out, s->name);
  fputs("\nparticipants:\n", out);
  for (int i = 0; i < s->components; i++) {
    fprintf(out, "  %s: {fmu: ", n->name[i]);
    tree_print_quoted(out, s->component[i].source);
    print_parameters(n, i, false, out, wrong);
    print_parameters(n, i, true, out, wrong);
    print_outputs(n, i, out);
    fputs("}\n", out);
  }
  if (s->connections) fputs("connections:\n", out);
  for (int i = 0; i < s->connections; i++) {
    char text[2200];
    fputs("  - signal: {from: ", out);
    snprintf(text, sizeof text, "%s.%.2000s", n->name[s->connection[i].from], s->connection[i].output);
    tree_print_quoted(out, text);
    fputs(", to: ", out);
    snprintf(text, sizeof text, "%s.%.2000s", n->name[s->connection[i].to], s->connection[i].input);
    tree_print_quoted(out, text);
    fputs("}\n", out);
  }
  fprintf(out, "run: {step: 1 s, end: %.17g s}\n", s->end > 0 ? s->end : 1);
}

// ---- reading ----

static Error NameParticipants(Store *store, Naming *n) {
  const SspSystem *s = n->s;
  for (int i = 0; i < s->components; i++) {
    char text[120];
    size_t size = 0;
    const char *from = s->component[i].name;
    if (!isalpha((unsigned char)*from)) text[size++] = 'c';
    for (; *from && size < 80; from++)
      text[size++] = (unsigned char)*from < 128 && isalnum((unsigned char)*from) ? *from : '_';
    text[size] = 0;
    for (int k = 0, try = 2; k < i; k++) {
      if (strcmp(n->name[k], text)) continue;
      snprintf(text + size, sizeof text - size, "_%d", try++);
      k = -1;
    }
    TRY(StoreText(store, text, strlen(text), &n->name[i]));
  }
  return 0;
}

// What the FMU of a component says of itself.
static Error ReadComponent(Store *store, const SspComponent *c, const FmuDescription **out, Refusal *wrong) {
  static const char file[] = "modelDescription.xml";
  const ZipEntry *e = zip_find(&archive.zip, c->source), *inner;
  FmuDescription *d;
  char *bytes = NULL, *text = NULL;
  Refusal why = {.text = ""};
  Zip z;
  TRY(StoreAllocate(store, sizeof *d, &d));
  *out = d;
  if (!e) return refuse(wrong, "it has no %.300s, the source of the component '%.100s'", c->source, c->name), 0;
  archive.unpacked += e->size;
  if (archive.unpacked > LIMIT_MODEL_BYTES)
    return refuse(wrong, "the FMUs of its components have more than %zu bytes together", LIMIT_MODEL_BYTES), 0;
  TRY(ZipUnpack(e, &bytes, wrong));
  if (is_refused(wrong)) return 0;
  Error error = ZipRead(store, bytes, e->size, &z, &why);
  inner = error || is_refused(&why) ? NULL : zip_find(&z, file);
  if (!error && !is_refused(&why) && !inner) refuse(&why, "it has no %s", file);
  if (inner && inner->size > MOST_DESCRIPTION) refuse(&why, "its %s is too large", file), inner = NULL;
  if (inner) error = ZipUnpack(inner, &text, &why);
  if (text) error = FmuDescriptionRead(store, text, inner->size, d, &why);
  memory_free(&text);
  memory_free(&bytes);
  if (is_refused(&why)) refuse(wrong, "%.300s: %.600s", c->source, why.text);
  return error;
}

static Error MakeText(const SspSystem *s, Refusal *wrong) {
  Naming n = {.s = s};
  TRY(StoreAllocate(&archive.store, ((size_t)s->components + 1) * sizeof *n.name, &n.name));
  TRY(StoreAllocate(&archive.store, ((size_t)s->components + 1) * sizeof *n.fmu, &n.fmu));
  TRY(NameParticipants(&archive.store, &n));
  for (int i = 0; i < s->components && !is_refused(wrong); i++)
    TRY(ReadComponent(&archive.store, &s->component[i], &n.fmu[i], wrong));
  if (is_refused(wrong)) return 0;
  FILE *out = open_memstream(&archive.text, &archive.size);
  ENSURE(out, ERROR_MEMORY, "out of memory");
  print_system(&n, out, wrong);
  bool good = !ferror(out);
  return fclose(out) || !good ? ERROR_MEMORY : 0;
}

bool is_ssp(const char *path) {
  size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".ssp");
}

Error SspOpen(const char *path, SspInfo *info, Refusal *wrong) {
  SspSystem s;
  *info = (SspInfo){0};
  wrong->text[0] = 0;
  snprintf(archive.path, sizeof archive.path, "%s", path);
  TRY(SourceRead(path, &source_rule_model, &archive.file));
  if (!archive.file.text) return refuse(wrong, "cannot read '%s': %s", path, source_error(archive.file.error)), 0;
  Refusal why = {.text = ""};
  TRY(ZipRead(&archive.store, archive.file.text, archive.file.length, &archive.zip, &why));
  if (!is_refused(&why)) TRY(SspRead(&archive.store, &archive.zip, &s, &why));
  if (!is_refused(&why)) TRY(MakeText(&s, &why));
  if (is_refused(&why)) return refuse(wrong, "cannot use '%s': %s", path, why.text), 0;
  info->ignored = s.ignored, info->has_end = s.end > 0;
  snprintf(info->system, sizeof info->system, "%s/system.yaml", path);
  return 0;
}

Error SspSource(const char *path, const SourceRule *rule, SourceText *out) {
  size_t n = strlen(archive.path);
  *out = (SourceText){0};
  if (strncmp(path, archive.path, n) || path[n] != '/') return out->error = SOURCE_OUTSIDE, 0;
  const char *name = path + n + 1;
  if (!strcmp(name, "system.yaml")) {
    TRY(MemoryNew(archive.size + 1, &out->text));
    memcpy(out->text, archive.text, archive.size);
    return out->length = archive.size, 0;
  }
  const ZipEntry *e = zip_find(&archive.zip, name);
  Refusal why = {.text = ""};
  if (!e) return out->error = SOURCE_NO_FILE, 0;
  if (rule->most && e->size > rule->most) return out->error = SOURCE_TOO_LARGE, 0;
  TRY(ZipUnpack(e, &out->text, &why));
  if (!out->text) return out->error = SOURCE_NO_FILE, 0;
  return out->length = e->size, 0;
}

Error SspClose(void) {
  free(archive.text);
  memory_free(&archive.file.text);
  TRY(StoreDestroy(&archive.store));
  memset(&archive, 0, sizeof archive);
  return 0;
}
