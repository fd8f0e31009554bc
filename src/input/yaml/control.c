// SPDX-License-Identifier: Apache-2.0
// The part `control`: named blocks between sensors, which are columns of probes, and loads, whose amplitudes are signals.
//   control:
//     error: ref - hinge.coordinate
//     motor: {pid: {input: error, kp: 20, ki: 5}}
#include "input/yaml/control.h"

#include "input/yaml/part.h"
#include "input/yaml/fmu.h"
#include "input/yaml/form.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/probe_formula.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/network.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  SourceLocation at;
  const Scope *scope;
  const Tree *formula[BLOCK_INPUTS];
} BlockText;

typedef struct { // where each block and its formulae are written
  BlockText *block;
  int room;
} ControlTexts;

static ControlTexts *texts_of(const Reader *r) { return part_data(r, &part_control); }

int control_signal(const Reader *r, const char *word) {
  const Name *name = scope_find(r, part_names(r, &part_control), word);
  if (!name) return LIMBER_NONE;
  return name->id == BROKEN ? BROKEN : r->in->network.signal[name->id];
}

bool names_column(const char *text) {
  for (const char *p = text; *p; p++) {
    if (!isalpha((unsigned char)*p) && *p != '_') {
      while (isdigit((unsigned char)*p) || *p == '.') p++; // a number has no columns: 1.e3
      if (!*p) break;
      if (!isalpha((unsigned char)*p) && *p != '_') continue;
    }
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    if (*p == '.' && (isalpha((unsigned char)p[1]) || p[1] == '_')) return true;
    if (!*p) break;
  }
  return false;
}

// ---- reading a block ----

static Error StoreBlock(Reader *r, const BlockKind *kind, const char *name, SourceLocation at, const BlockUse *use,
                        const Tree *const *formula, int *index) {
  const char *text[BLOCK_INPUTS];
  BlockText *bigger;
  ControlTexts *t = texts_of(r);
  for (int i = 0; i < use->inputs; i++) text[i] = formula[i]->text;
  TRY(NetworkAdd(r->model, &r->in->network, kind, name, use, text, index));
  if (*index >= t->room) {
    int room = 2 * *index + 8;
    TRY(StoreAllocate(&r->store, (size_t)room * sizeof *bigger, &bigger));
    if (t->room) memcpy(bigger, t->block, (size_t)t->room * sizeof *bigger);
    t->block = bigger, t->room = room;
  }
  t->block[*index] = (BlockText){.at = at, .scope = r->scope};
  memcpy(t->block[*index].formula, formula, (size_t)use->inputs * sizeof *formula);
  return 0;
}

// The formulae of a field: a word, or a list of them.
static Error ReadInputs(Reader *r, const Field *f, const Tree *tree, BlockUse *use, int field, const Tree **formula,
                        bool *good) {
  char name[200];
  bool list = tree->kind == TREE_LIST, many = !strcmp(f->name, "inputs");
  int count = list ? tree->count : 1;
  if ((list && !many) || (list && !count) || tree->kind == TREE_MAP || use->inputs + count > BLOCK_INPUTS) {
    *good = false;
    if (use->inputs + count > BLOCK_INPUTS)
      return ReportError(r, tree->at, "a block has at most %d inputs", BLOCK_INPUTS);
    return ReportError(r, tree->at, "'%s' must be a formula of signals%s, not %s", f->name,
                       many ? " or a list of them" : "", tree_name(tree, name, sizeof name));
  }
  for (int i = 0; i < count; i++) {
    const Tree *one = list ? tree->entry[i] : tree;
    if (one->kind != TREE_WORD || !one->text[0]) {
      *good = false;
      return ReportError(r, one->at, "'%s' must be a formula of signals, not %s", f->name,
                         tree_name(one, name, sizeof name));
    }
    if (strlen(one->text) > LIMIT_FORMULA) {
      *good = false;
      return ReportError(r, one->at, "a formula has at most %d characters", LIMIT_FORMULA);
    }
    formula[use->inputs++] = one;
  }
  use->given[field] = count;
  return 0;
}

// A number, a list of them, or rows of equal length.
static Error ReadMatrix(Reader *r, const Field *f, const Tree *tree, const BlockMatrix **out, bool *good) {
  BlockMatrix *m;
  double *value;
  bool list = tree->kind == TREE_LIST, rows = list && tree->count && tree->entry[0]->kind == TREE_LIST;
  int most = BLOCK_ORDER + 1, count = rows ? tree->count : 1,
      columns = rows   ? tree->entry[0]->count
                : list ? tree->count
                       : 1;
  bool right = tree->kind != TREE_MAP && columns > 0 && count <= most && columns <= most;
  for (int i = 0; right && rows && i < count; i++)
    right = tree->entry[i]->kind == TREE_LIST && tree->entry[i]->count == columns;
  if (!right) {
    *good = false;
    return ReportError(r, tree->at, "'%s' must be numbers: a list, or rows of equal length, at most %d by %d", f->name,
                       most, most);
  }
  TRY(ModelAllocate(r->model, sizeof *m, &m));
  TRY(ModelAllocate(r->model, (size_t)(count * columns) * sizeof *value, &value));
  for (int i = 0; i < count * columns; i++) {
    const Tree *one = rows ? tree->entry[i / columns]->entry[i % columns] : list ? tree->entry[i] : tree;
    bool fine;
    TRY(ReadNumber(r, f->name, one, UNIT_ANY, &value[i], &fine));
    *good = *good && fine;
  }
  *m = (BlockMatrix){count, columns, value};
  *out = m;
  return 0;
}

static const BlockKind *find_block_kind(const char *name) {
  for (int i = 0; block_kinds[i]; i++)
    if (!strcmp(block_kinds[i]->name, name)) return block_kinds[i];
  return NULL;
}

static Error CompleteBlock(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *map,
                           Form *form, bool *good) {
  const BlockKind *k = find_block_kind(kind->name);
  const Tree *formula[BLOCK_INPUTS];
  BlockUse use = {.params = form->out};
  int index;
  if (!*good) return 0;
  for (int i = 0; i < BLOCK_INPUT_FIELDS && k->input[i]; i++) {
    const Field *f = field_find(&k->fields, k->input[i]);
    const Tree *tree = *(const Tree **)((char *)form->out + f->offset);
    if (tree) TRY(ReadInputs(r, f, tree, &use, i, formula, good));
  }
  if (k->loads == BLOCK_LOADS_UNIT) TRY(ReadFmu(r, k, map, form->out, &use, formula, good));
  for (int i = 0; i < BLOCK_MATRIX_FIELDS && k->matrix[i]; i++) {
    const Field *f = field_find(&k->fields, k->matrix[i]);
    void *place = (char *)form->out + f->offset;
    const Tree *tree = *(const Tree **)place;
    if (tree) TRY(ReadMatrix(r, f, tree, place, good));
  }
  if (!*good) return 0;
  Reason wrong = k->check ? k->check(&use) : no_reason();
  double period = *(double *)((char *)form->out + field_find(&k->fields, "period")->offset);
  if (!wrong.text && period != 0 && !(period >= 1e-9))
    wrong = reason(REASON_VALUE, "period", "`period` must be at least 1 ns");
  if (wrong.text) {
    *good = false;
    return ReportError(r, locate_reason(&wrong, map, at), "%s '%s': %s", k->name, name, wrong.text);
  }
  if (r->in->network.blocks >= LIMIT_BLOCKS) {
    *good = false;
    return ReportError(r, at, "a model has at most %d blocks", LIMIT_BLOCKS);
  }
  if (r->in->network.states + block_states(k, &use) > LIMIT_BLOCK_STATES) {
    *good = false;
    return ReportError(r, at, "with this block the control has more than %d states", LIMIT_BLOCK_STATES);
  }
  TRY(StoreBlock(r, k, name, at, &use, formula, &index));
  return 0;
}

static int AddNothing(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  (void)m, (void)kind, (void)name, (void)params;
  *id = 0;
  return 0;
}

// error: ref - hinge.coordinate stands for {formula: {input: ...}}
static Error ReadBlock(Reader *r, const Tree *key, const Tree *entry) {
  Network *n = &r->in->network;
  const char *name;
  int id;
  int before = n->signals;
  Tree kind = {.kind = TREE_WORD, .at = entry->at, .text = "formula"},
       map = {.kind = TREE_MAP, .at = entry->at, .text = ""};
  Tree *keys[] = {&kind}, *entries[] = {(Tree *)entry};
  map.count = 1, map.key = keys, map.entry = entries;
  bool word = entry->kind == TREE_WORD && !tree_empty(entry);
  TRY(ScopeName(r, key->text, &name));
  TRY(ReadUnlisted(r, &part_control, word ? &map : entry, name, &id));
  if (n->signals == before) return NamesAdd(part_names(r, &part_control), name, BROKEN, key->at);
  texts_of(r)->block[n->signal_block[before]].at = key->at;
  for (int i = before; i < n->signals; i++) TRY(NamesAdd(part_names(r, &part_control), n->signal_name[i], i, key->at));
  return 0;
}

static Error ReadControl(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP)
    return ReportError(r, map->at, "'control' must be a map of name to block, not %s",
                       tree_name(map, name, sizeof name));
  for (int i = 0; i < map->count; i++) {
    const Tree *key = map->key[i];
    bool good;
    TRY(CheckName(r, "signal", part_names(r, &part_control), key->text, key->at, &good));
    if (good && (!strcmp(key->text, "t") || !strcmp(key->text, "time"))) {
      good = false;
      TRY(ReportError(r, key->at, "'%s' is the time; give the signal another name", key->text));
    }
    if (good) TRY(ReadBlock(r, key, map->entry[i]));
  }
  return 0;
}

Error AddAmplitudeFormula(Reader *r, const Tree *word, int *id) {
  static const BlockCommon every_step[4]; // as large as the parameters of a formula, all of them 0
  const BlockKind *k = find_block_kind("formula");
  BlockUse use = {.params = every_step, .inputs = 1, .given = {1}};
  char name[40];
  int index;
  *id = BROKEN;
  if (strlen(word->text) > LIMIT_FORMULA || r->in->network.blocks >= LIMIT_BLOCKS)
    return ReportError(r, word->at, "a formula has at most %d characters, a model at most %d blocks", LIMIT_FORMULA,
                       LIMIT_BLOCKS);
  snprintf(name, sizeof name, "amplitude#%d", r->in->network.blocks + 1);
  TRY(StoreBlock(r, k, name, word->at, &use, &word, &index));
  *id = r->in->network.signal[r->in->network.block[index].first];
  return 0;
}

// ---- checking them together ----

typedef struct {
  Reader *r;
  int *list, count, room; // blocks that are named; the count stands before them
  Error error;
} Needs;

static void see_signal(void *self, int signal) {
  Needs *s = self;
  int block = s->r->in->network.signal_block[signal];
  for (int i = 1; i <= s->count; i++)
    if (s->list[i] == block) return;
  if (s->count + 1 >= s->room) {
    int *bigger, room = 2 * s->room + 8;
    if (!s->error) s->error = StoreAllocate(&s->r->store, (size_t)room * sizeof *bigger, &bigger);
    if (s->error) return;
    if (s->room) memcpy(bigger, s->list, (size_t)s->room * sizeof *bigger);
    s->list = bigger, s->room = room;
  }
  s->list[++s->count] = block, s->list[0] = s->count;
}

// "motor needs error, error needs motor"
static Error ReportLoop(Reader *r, const int *loop) {
  const Network *n = &r->in->network;
  char text[800] = "";
  for (int i = 0; loop[i] >= 0; i++) {
    size_t used = strlen(text);
    int next = loop[i + 1] >= 0 ? loop[i + 1] : loop[0];
    if (used < sizeof text - 220)
      snprintf(text + used, sizeof text - used, "%s'%.80s' needs '%.80s'", i ? ", " : "", n->block[loop[i]].name,
               n->block[next].name);
  }
  return ReportError(r, texts_of(r)->block[loop[0]].at,
                     "an algebraic loop of control blocks: %s; put a delay, a low pass or a strictly proper transfer "
                     "function between them",
                     text);
}

// Samples come at the ends of steps: of several within a step one is taken.
static Error WarnAboutPeriods(Reader *r) {
  const Network *n = &r->in->network;
  double step = r->in->options.step;
  for (int b = 0; b < n->blocks && !r->kept && r->in->steps && !r->in->first_step; b++)
    if (n->block[b].period > 0 && n->block[b].period < step * (1 - 1e-9))
      TRY(ReportWarning(r, texts_of(r)->block[b].at,
                        "the period of '%s', %g s, is shorter than a step of %g s: it is evaluated once per step",
                        n->block[b].name, n->block[b].period, step));
  return 0;
}

// All formulae, and the order of the blocks.
static Error CheckControl(Reader *r) {
  Network *n = &r->in->network;
  int errors = r->diagnostics->errors;
  const int **needs, *loop;
  static const int none[] = {0};
  if (!n->blocks) return 0;
  const Names *signals = part_names(r, &part_control);
  for (int i = 0; i < signals->count; i++) {
    const Name *name = &signals->name[i];
    if (names_find(part_names(r, &part_functions), name->text))
      TRY(ReportError(r, name->at, "a function is called '%s' too; give the signal another name", name->text));
    if (names_find(part_names(r, &part_probes), name->text))
      TRY(ReportError(r, name->at, "a probe is called '%s' too; give the signal another name", name->text));
  }
  TRY(StoreAllocate(&r->store, (size_t)n->blocks * sizeof *needs, &needs));
  for (int b = 0; b < n->blocks; b++) {
    Needs seen = {.r = r};
    r->scope = texts_of(r)->block[b].scope;
    for (int i = 0; i < n->block[b].use.inputs; i++)
      TRY(ReadSignalFormula(r, texts_of(r)->block[b].formula[i], see_signal, &seen, &n->block[b].formula[i]));
    if (r->diagnostics->errors == errors) TRY(CheckFmuUnits(r, &n->block[b], texts_of(r)->block[b].formula));
    r->scope = NULL;
    TRY(seen.error);
    needs[b] = seen.list ? seen.list : none;
  }
  if (r->diagnostics->errors > errors) return 0;
  TRY(WarnAboutPeriods(r));
  TRY(NetworkOrder(r->model, n, needs, &loop));
  if (loop) TRY(ReportLoop(r, loop));
  return 0;
}

CATALOGUE_KINDS(block_kind, block_kinds)

const Part part_control = {.key = "control",
                           .one = "block",
                           .form = PART_NAMED,
                           .kind = block_kind,
                           .add = AddNothing,
                           .value_allowed = true,
                           .scoped = true,
                           .complete = CompleteBlock,
                           .size = sizeof(ControlTexts),
                           .read = ReadControl,
                           .check = CheckControl};
