// SPDX-License-Identifier: Apache-2.0
//   fmu: {file: valve.fmu, inputs: {u: error, x: rail.slide}, outputs: [force], parameters: {k: 3 kN/m}}
#include "input/yaml/fmu.h"

#include "fmu/read/description.h"
#include "input/yaml/files.h"
#include "input/yaml/number.h"
#include "input/yaml/part.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "quantities/probe.h"

#include <math.h>
#include <string.h>

enum { MOST_PARAMETERS_SET = 1000 }; // of a block

// ---- its file ----

// `bad`: why it cannot be used, or "".
static Error ReadDescription(Reader *r, const Tree *file, FmuUse *u, Refusal *bad, bool *good) {
  FmuDescription *d;
  size_t length;
  TRY(StoreAllocate(&r->model->store, sizeof *d, &d));
  u->description = d;
  TRY(CountScanned(r, file, (long long)u->size, good));
  if (!*good) return 0;
  TRY(FmuDescriptionUnpack(&r->model->store, u->bytes, u->size, d, &length, bad));
  return CountScanned(r, file, (long long)length, good);
}

static Error ReadFile(Reader *r, const Tree *file, FmuUse *u, bool *good) {
  Refusal bad = {0};
  const char *path, *bytes;
  size_t size = 0;
  TRY(ReadSource(r, file, &path, &bytes, &size));
  *good = bytes != NULL;
  if (!*good) return 0;
  TRY(UnpackSource(&r->model->store, &bytes, &size));
  u->file = path, u->bytes = bytes, u->size = size;
  TRY(ReadDescription(r, file, u, &bad, good));
  if (!is_refused(&bad)) return 0;
  *good = false;
  return ReportError(r, file->at, "cannot use '%s': %s", path, bad.text);
}

// Co-simulation where it is made for it, unless the file says otherwise.
static Error ChooseInterface(Reader *r, const Tree *map, int word, double tolerance, FmuUse *u, bool *good) {
  const FmuDescription *d = u->description;
  const Tree *file = tree_find(map, "file"), *given = tree_find(map, "tolerance");
  bool exchange = word == FMU_MODEL_EXCHANGE || (word == FMU_ANY_INTERFACE && !d->step.identifier);
  u->interface = exchange ? &d->exchange : &d->step, u->tolerance = tolerance;
  *good = false;
  if (!u->interface->identifier)
    return ReportError(r, word ? tree_find(map, "interface")->at : file->at, "'%s' is not made for %s%s", u->file,
                       word && exchange ? "model exchange" : "co-simulation", word ? "" : ", nor for model exchange");
  if (u->interface->needs_tool)
    return ReportError(r, file->at, "'%s' needs the tool that made it, which Limber does not start", u->file);
  if (given && !exchange)
    return ReportError(r, given->at, "'tolerance' is for model exchange; for co-simulation the FMU has its own solver");
  if (given && !(tolerance > 0 && tolerance < 1))
    return ReportError(r, given->at, "'tolerance' must be between 0 and 1");
  *good = true;
  return 0;
}

// ---- its variables ----

typedef enum { AS_INPUT, AS_OUTPUT, AS_PARAMETER } Role;

static bool has_role(const FmuVariable *v, Role role) {
  if (v->type >= FMU_STRING || v->array) return false;
  if (role == AS_INPUT) return v->causality == FMU_INPUT;
  if (role == AS_OUTPUT) return v->causality != FMU_INPUT;
  return !v->constant && v->exact && v->causality != FMU_CALCULATED && v->causality != FMU_INPUT;
}

// Finds a variable by its name.
static Error FindVariable(Reader *r, const FmuUse *u, const Tree *word, Role role, FmuChannel *out, bool *good) {
  static const char *const what[] = {"input", "output", "parameter or start value"};
  const FmuDescription *d = u->description;
  const FmuVariable *v = word->kind == TREE_WORD ? fmu_variable(d, word->text) : NULL;
  char name[200];
  Nearest n;
  *good = v && has_role(v, role);
  *out = (FmuChannel){.variable = v, .factor = 1};
  if (*good && v->unit) out->factor = v->unit->factor, out->offset = v->unit->offset;
  if (*good) return 0;
  if (word->kind != TREE_WORD)
    return ReportError(r, word->at, "the name of a variable of the FMU is expected, not %s",
                       tree_name(word, name, sizeof name));
  if (v && v->array)
    return ReportError(r, word->at, "'%s' of '%s' is an array; only single numbers can be used", v->name, u->file);
  if (v && v->type >= FMU_STRING)
    return ReportError(r, word->at, "'%s' of '%s' is a %s, not a number", v->name, u->file, fmu_type_name(v->type));
  nearest_begin(&n, word->text);
  for (int i = 0; i < d->variables && !diagnostics_are_full(r->diagnostics); i++)
    if (has_role(&d->variable[i], role) &&
        (role != AS_OUTPUT || d->variable[i].causality == FMU_OUTPUT || d->variable[i].causality == FMU_LOCAL))
      nearest_try(&n, d->variable[i].name);
  return ReportError(r, word->at, "'%s' has no %s '%s'%s", u->file, what[role], word->text,
                     *n.all ? nearest_hint(&n, "it has") : "");
}

static Error ReadInputsOf(Reader *r, const Tree *inputs, FmuUse *u, BlockUse *use, const Tree **formula, bool *good) {
  char name[200];
  if (!inputs) return 0;
  if (inputs->kind != TREE_MAP || inputs->count > BLOCK_INPUTS) {
    *good = false;
    return ReportError(r, inputs->at, "'inputs' must be a map of at most %d inputs of the FMU to formulae, not %s",
                       BLOCK_INPUTS, tree_name(inputs, name, sizeof name));
  }
  TRY(ModelAllocate(r->model, ((size_t)inputs->count + 1) * sizeof *u->input, &u->input));
  for (int i = 0; i < inputs->count; i++) {
    const Tree *one = inputs->entry[i];
    bool fine;
    TRY(FindVariable(r, u, inputs->key[i], AS_INPUT, &u->input[i], &fine));
    *good = *good && fine;
    fine = one->kind == TREE_WORD && one->text[0] && strlen(one->text) <= LIMIT_FORMULA;
    if (!fine)
      TRY(ReportError(r, one->at, "the input '%s' must be a formula of signals, not %s", inputs->key[i]->text,
                      tree_name(one, name, sizeof name)));
    *good = *good && fine;
    formula[use->inputs++] = one;
  }
  u->inputs = use->given[0] = inputs->count;
  return 0;
}

static Error ReadOutputsOf(Reader *r, const Tree *outputs, FmuUse *u, bool *good) {
  bool list = outputs->kind == TREE_LIST;
  int count = list ? outputs->count : 1;
  if (count < 1 || count > BLOCK_OUTPUTS || outputs->kind == TREE_MAP) {
    *good = false;
    return ReportError(r, outputs->at, "'outputs' must be a list of 1 to %d variables of the FMU", BLOCK_OUTPUTS);
  }
  TRY(ModelAllocate(r->model, (size_t)count * sizeof *u->output, &u->output));
  for (int i = 0; i < count; i++) {
    bool fine;
    TRY(FindVariable(r, u, list ? outputs->entry[i] : outputs, AS_OUTPUT, &u->output[i], &fine));
    *good = *good && fine;
  }
  u->outputs = count;
  return 0;
}

_Static_assert((int)FMU_BASES == (int)BASES, "an FMU has the base units of a Dimension");

// Radians count as a pure number: many FMUs state an angular velocity in 1/s.
static bool same_dimension(const FmuUnit *u, const Dimension *d) {
  bool same = true;
  for (int b = 0; b < RADIAN; b++) same = same && fabs(u->power[b] - d->power[b]) < 1e-9;
  return same;
}

static Error ReadParameter(Reader *r, const Tree *key, const Tree *entry, FmuChannel *c, bool *good) {
  NumberValue v;
  bool pure = true;
  if (entry->kind == TREE_WORD && c->variable->type == FMU_BOOLEAN &&
      (!strcmp(entry->text, "true") || !strcmp(entry->text, "false"))) {
    c->value = entry->text[0] == 't';
    return 0;
  }
  TRY(ReadNumberValue(r, key->text, entry, UNIT_ANY, &v, good));
  if (!*good) return 0;
  for (int b = 0; b < RADIAN; b++) pure = pure && v.dimension.power[b] == 0;
  const FmuUnit *u = c->variable->unit;
  if (u && v.definite && (v.unit || !pure) && !same_dimension(u, &v.dimension)) {
    char is[100];
    *good = false;
    return ReportError(r, entry->at, "'%s' of the FMU is in %s, and this is in %s", key->text, u->name,
                       v.unit ? v.unit : dimension_text(&v.dimension, is, sizeof is));
  }
  c->value = (v.value - c->offset) / c->factor;
  return 0;
}

static Error ReadParametersOf(Reader *r, const Tree *parameters, FmuUse *u, bool *good) {
  if (!parameters) return 0;
  if (parameters->kind != TREE_MAP || parameters->count > MOST_PARAMETERS_SET) {
    *good = false;
    return ReportError(r, parameters->at, "'parameters' must be a map of at most %d parameters of the FMU to numbers",
                       MOST_PARAMETERS_SET);
  }
  TRY(ModelAllocate(r->model, ((size_t)parameters->count + 1) * sizeof *u->parameter, &u->parameter));
  for (int i = 0; i < parameters->count; i++) {
    bool fine;
    TRY(FindVariable(r, u, parameters->key[i], AS_PARAMETER, &u->parameter[i], &fine));
    if (fine) TRY(ReadParameter(r, parameters->key[i], parameters->entry[i], &u->parameter[i], &fine));
    *good = *good && fine;
  }
  u->parameters = parameters->count;
  return 0;
}

static const void *field_of(const BlockKind *k, const void *params, const char *name) {
  return *(const void *const *)((const char *)params + field_find(&k->fields, name)->offset);
}

Error ReadFmu(Reader *r, const BlockKind *k, const Tree *map, const void *params, BlockUse *use, const Tree **formula,
              bool *good) {
  FmuUse *u;
  BlockUnit *unit;
  TRY(ModelAllocate(r->model, sizeof *u, &u));
  TRY(ModelAllocate(r->model, sizeof *unit, &unit));
  TRY(ReadFile(r, tree_find(map, "file"), u, good));
  const BlockKind *own = k; // its parameters have the choice of the interface
  int word;
  double tolerance;
  memcpy(&word, (const char *)params + field_find(&own->fields, "interface")->offset, sizeof word);
  memcpy(&tolerance, (const char *)params + field_find(&own->fields, "tolerance")->offset, sizeof tolerance);
  if (*good) TRY(ChooseInterface(r, map, word, tolerance, u, good));
  if (!*good) return 0;
  TRY(ReadInputsOf(r, field_of(k, params, "inputs"), u, use, formula, good));
  TRY(ReadOutputsOf(r, field_of(k, params, "outputs"), u, good));
  TRY(ReadParametersOf(r, field_of(k, params, "parameters"), u, good));
  *unit = (BlockUnit){.outputs = u->outputs, .use = u};
  for (int i = 0; i < u->outputs && *good; i++) unit->direct = unit->direct || u->output[i].variable->direct;
  use->unit = unit;
  return 0;
}

// ---- units ----

// The unit of a column of the probes; NULL: there is none of that name, or it is not known.
static const char *column_unit(const Reader *r, const char *name) {
  for (int p = 0; p < r->in->probes; p++) {
    const Probe *probe = &r->in->probe[p];
    int column = probes_find(r->model, 1, probe, name);
    if (column < 0) continue;
    ProbeColumns c;
    for (int i = 0; probe_columns(r->model, probe, i, &c); i++, column -= c.width) {
      if (column >= c.width) continue;
      const char *unit = c.units ? c.units[column] : c.unit;
      return unit && probe->kind == PROBE_FORMULA && !strcmp(unit, "1") ? NULL : unit;
    }
  }
  return NULL;
}

static Error CompareUnits(Reader *r, const char *unit, const FmuVariable *v, SourceLocation at, const char *what) {
  Dimension d;
  if (!unit || !v->unit) return 0;
  TRY(UnitsDimension(&r->units, unit, &d));
  if (same_dimension(v->unit, &d)) return 0;
  return ReportError(r, at, "'%s' is in %s, and '%s' of the FMU is in %s", what, unit, v->name, v->unit->name);
}

Error CheckFmuUnits(Reader *r, const NetworkBlock *b, const Tree *const *formula) {
  const FmuUse *u = b->use.unit ? b->use.unit->use : NULL;
  if (!u) return 0;
  for (int i = 0; i < u->inputs; i++)
    TRY(CompareUnits(r, column_unit(r, b->formula[i]), u->input[i].variable, formula[i]->at, formula[i]->text));
  for (int p = 0; p < r->in->probes; p++) {
    const Probe *probe = &r->in->probe[p];
    const Name *name = names_find(part_names(r, &part_probes), probe->name);
    if (probe->kind != PROBE_FORMULA || !name || !probe->unit || !strcmp(probe->unit, "1")) continue;
    for (int i = 0; i < u->outputs; i++)
      if (!strcmp(probe->formula, r->in->network.signal_name[b->first + i]))
        TRY(CompareUnits(r, probe->unit, u->output[i].variable, name->at, probe->name));
  }
  return 0;
}

// ---- of a participant of a system ----

Error ReadFmuFile(Reader *r, const Tree *file, FmuUse **out, bool *good) {
  TRY(ModelAllocate(r->model, sizeof **out, out));
  return ReadFile(r, file, *out, good);
}

Error FindFmuVariable(Reader *r, const FmuUse *u, const Tree *word, bool input, const FmuVariable **out, bool *good) {
  FmuChannel c;
  TRY(FindVariable(r, u, word, input ? AS_INPUT : AS_OUTPUT, &c, good));
  *out = c.variable;
  return 0;
}

Error ReadFmuNumbers(Reader *r, const Tree *map, bool inputs, FmuUse *u, FmuChannel **out, int *count, bool *good) {
  char name[200];
  *count = 0;
  if (!map) return 0;
  if (map->kind != TREE_MAP || map->count > MOST_PARAMETERS_SET) {
    *good = false;
    return ReportError(r, map->at, "'%s' must be a map of at most %d variables of the FMU to numbers, not %s",
                       inputs ? "inputs" : "parameters", MOST_PARAMETERS_SET, tree_name(map, name, sizeof name));
  }
  TRY(ModelAllocate(r->model, ((size_t)map->count + 1) * sizeof **out, out));
  for (int i = 0; i < map->count; i++) {
    FmuChannel *c = &(*out)[i];
    bool fine;
    TRY(FindVariable(r, u, map->key[i], inputs ? AS_INPUT : AS_PARAMETER, c, &fine));
    if (fine) TRY(ReadParameter(r, map->key[i], map->entry[i], c, &fine));
    *good = *good && fine;
  }
  *count = map->count;
  return 0;
}
