// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/instances.h"

#include "input/yaml/part.h"
#include "input/yaml/fields.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <math.h>
#include <string.h>

// ---- what is written ----

enum { MOST_FIELDS = 64 };

typedef struct {
  const void *field[MOST_FIELDS];
} PartText;

// Fields of a part: parameters and let, and what parts.def has that may stand in one.
static const FieldTable *part_fields(void) {
  static Field all[MOST_FIELDS];
  static FieldTable table;
  if (table.count) return &table;
  int n = 0;
  all[n] = (Field){"parameters",
                   FIELD_ANY,
                   1,
                   offsetof(PartText, field[0]),
                   "",
                   false,
                   0,
                   "parameters that an instance may set: a map of name to default (a number, a formula or the name of "
                   "a component); without a default every instance must set it",
                   NULL};
  n++;
  all[n] = (Field){"let", FIELD_ANY, 1, offsetof(PartText, field[1]),
                   "",    false,     0, "the part's own parameters: a map of name to number or formula",
                   NULL};
  n++;
  for (int i = 0; parts[i] && n < MOST_FIELDS; i++) {
    if (!parts[i]->scoped) continue;
    const Field *f = field_find(kind_file.fields, parts[i]->key);
    all[n] = *f, all[n].offset = offsetof(PartText, field) + (size_t)n * sizeof(void *);
    n++;
  }
  table = (FieldTable){all, n, sizeof(PartText)};
  return &table;
}

static bool part_kind_of(int i, Kind *out) {
  if (i > 0) return false;
  *out = (Kind){"part", "A reusable piece of a model, in its own axes.", part_fields()};
  return true;
}

typedef struct {
  const char *part;
  double at[3], axes[9];
  RotateText rotate;
  const void *parameters;
} InstanceText;

static const Field instance_fields[] = {
    {"part", FIELD_TEXT, 1, offsetof(InstanceText, part), "", true, 0, "a name of `parts`", NULL},
    {"at", FIELD_REALS, 3, offsetof(InstanceText, at), "m", false, 0, "position of the origin of the part",
     &field_position},
    {"axes", FIELD_REALS, 9, offsetof(InstanceText, axes), "", false, 0,
     "the three axes of the part; default: those of the enclosing part or model", NULL},
    {"rotate", FIELD_MAP, 1, offsetof(InstanceText, rotate), "", false, 0,
     "rotates the part about its origin: {about: [x, y, z], by: 90 deg}", &rotate_more},
    {"parameters", FIELD_ANY, 1, offsetof(InstanceText, parameters), "", false, 0,
     "a map of name to number, formula or name, instead of the defaults of the part", NULL},
};
static const FieldTable instance_table = FIELDS(instance_fields, InstanceText);
static const Kind kind_instance = {"instance", "A use of a part: its names become NAME.name.", &instance_table};
ONE_KIND(instance_kind_of, kind_instance)

// ---- scopes ----

// "a contains b, b contains a"
static Error ReportCycle(Reader *r, const Scope *s, const Tree *word) {
  const char *chain[LIMIT_INSTANCE_DEPTH + 1];
  char text[1200] = "";
  int n = 0;
  for (; s; s = s->parent) {
    chain[n++] = s->part;
    if (!strcmp(s->part, word->text)) break;
  }
  for (int i = n - 1; i >= 0; i--) {
    size_t used = strlen(text);
    if (used < sizeof text - 200)
      snprintf(text + used, sizeof text - used, "%s%.80s contains %.80s", used ? ", " : "", chain[i],
               i ? chain[i - 1] : word->text);
  }
  return ReportError(r, word->at, "part '%.80s' contains itself: %s", word->text, text);
}

// Whether there is room for one more; what is beyond the limits is told once.
static Error CountInstance(Reader *r, const Tree *part, const Tree *key, int depth, bool *good) {
  long long most = LIMIT_ALIASED + (long long)LIMIT_ALIASED_PER_NODE * r->count.nodes;
  *good = false;
  if (r->incomplete) return 0;
  if (depth > LIMIT_INSTANCE_DEPTH)
    return ReportError(r, key->at, "instances are nested more than %d deep", LIMIT_INSTANCE_DEPTH);
  r->count.aliased += part->size;
  *good = r->count.aliased <= most && r->scope_count < LIMIT_INSTANCES;
  if (*good) return 0;
  r->incomplete = true;
  return ReportError(r, key->at, "the model has more than %d instances of parts, or they contain more than %lld words",
                     LIMIT_INSTANCES, most);
}

static Error ListInstances(Reader *r, const Scope *parent, const Tree *map, const Tree *parts_of_file);

static Error ListInstance(Reader *r, const Scope *parent, const Tree *map, int i, const Tree *parts_of_file) {
  const Tree *key = map->key[i], *entry = map->entry[i];
  const Tree *word = entry->kind == TREE_MAP ? tree_find(entry, "part") : NULL;
  char *prefix, *name;
  Scope *s;
  int part;
  bool good;
  TRY(CheckPartName(r, &part_instances, key->text, key->at, &good));
  if (!good) return 0;
  if (!word || word->kind != TREE_WORD || tree_empty(word)) { // to be told with its other fields
    InstanceText text;
    Form form = {&instance_table, &text, 0, 0, 0};
    return FormsRead(r, "instance", key->at, entry, 1, &form, &good);
  }
  const Scope *outer = r->scope;
  r->scope = NULL; // parts are the file's
  TRY(FindPartName(r, &part_parts, word, &part));
  r->scope = outer;
  if (part == BROKEN) return 0;
  for (const Scope *p = parent; p; p = p->parent)
    if (!strcmp(p->part, word->text)) return ReportCycle(r, parent, word);
  const Tree *tree = parts_of_file->entry[part];
  TRY(CountInstance(r, tree, key, parent ? parent->depth + 1 : 1, &good));
  if (!good) return 0;
  size_t length = (parent ? strlen(parent->prefix) : 0) + strlen(key->text);
  TRY(StoreAllocate(&r->store, sizeof *s, &s));
  TRY(StoreAllocate(&r->store, length + 2, &prefix));
  TRY(StoreAllocate(&r->store, length + 1, &name));
  snprintf(name, length + 1, "%s%s", parent ? parent->prefix : "", key->text);
  snprintf(prefix, length + 2, "%s.", name);
  *s = (Scope){parent,
               name,
               prefix,
               word->text,
               tree,
               key,
               entry,
               false,
               vec3(0, 0, 0),
               mat3_identity(),
               parent ? parent->depth + 1 : 1};
  TRY(NamesAdd(part_names(r, &part_instances), name, r->scope_count, key->at));
  TRY(StoreGrow(&r->store, sizeof(Scope *), r->scope_count, r->scope_count + 1, &r->scope_room, &r->scopes));
  r->scopes[r->scope_count++] = s;
  const Tree *inner = tree_find(tree, "instances");
  if (inner) TRY(ListInstances(r, s, inner, parts_of_file));
  return 0;
}

static Error ListInstances(Reader *r, const Scope *parent, const Tree *map, const Tree *parts_of_file) {
  char name[200];
  const Scope *outer = r->scope;
  r->scope = parent;
  if (map->kind != TREE_MAP && !map->broken)
    TRY(ReportError(r, map->at, "'instances' must be a map of name to instance, not %s",
                    tree_name(map, name, sizeof name)));
  for (int i = 0; map->kind == TREE_MAP && i < map->count; i++) TRY(ListInstance(r, parent, map, i, parts_of_file));
  r->scope = outer;
  return 0;
}

// Each part is looked at once, used or not.
static Error ListParts(Reader *r, const Tree *map) {
  char name[200];
  if (map->kind != TREE_MAP)
    return ReportError(r, map->at, "'parts' must be a map of name to part, not %s", tree_name(map, name, sizeof name));
  for (int i = 0; i < map->count; i++) {
    PartText text;
    Form form = {part_fields(), &text, 0, 0, 0};
    bool fresh, good;
    TRY(CheckPartName(r, &part_parts, map->key[i]->text, map->key[i]->at, &fresh));
    TRY(FormsRead(r, "part", map->key[i]->at, map->entry[i], 1, &form, &good));
    const Tree *parameters = good ? text.field[0] : NULL;
    if (parameters && parameters->kind != TREE_MAP) {
      good = false;
      TRY(ReportError(r, parameters->at, "'parameters' must be a map of name to default, not %s",
                      tree_name(parameters, name, sizeof name)));
    }
    if (fresh) TRY(NamesAdd(part_names(r, &part_parts), map->key[i]->text, good ? i : BROKEN, map->key[i]->at));
  }
  return 0;
}

// Lists the scope after those within it, from `i`, which comes first of these. Returns what follows them.
static int order_inside(Reader *r, int i, int *count) {
  const Scope *s = r->scopes[i];
  int next = i + 1;
  while (next < r->scope_count && r->scopes[next]->parent == s) next = order_inside(r, next, count);
  r->inside[(*count)++] = s;
  return next;
}

Error ReadInstances(Reader *r, const Tree *parts_of_file, const Tree *instances) {
  int count = 0;
  if (parts_of_file) TRY(ListParts(r, parts_of_file));
  if (instances) TRY(ListInstances(r, NULL, instances, parts_of_file));
  if (r->incomplete) r->scope_count = 0;
  TRY(StoreAllocate(&r->store, (size_t)r->scope_count * sizeof *r->inside, &r->inside));
  for (int i = 0; i < r->scope_count;) i = order_inside(r, i, &count);
  return 0;
}

// ---- poses ----

static bool are_axes(Mat3 m) {
  Mat3 square = mat3_mul(mat3_transpose(m), m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!(fabs(square.m[i][j] - (i == j)) < 1e-9)) return false;
  return vec3_dot(vec3_cross(mat3_column(m, 0), mat3_column(m, 1)), mat3_column(m, 2)) > 0;
}

static Error ReadPose(Reader *r, Scope *s) {
  InstanceText text;
  Form form = {&instance_table, &text, 0, 0, 0};
  bool good, has;
  r->scope = s->parent;
  TRY(FormsRead(r, "instance", s->key->at, s->entry, 1, &form, &good));
  TRY(ReadAxes(r, "an instance", &form, s->entry, &text.rotate, text.axes, &has, &good));
  const Tree *given = good ? text.parameters : NULL;
  if (given && given->kind != TREE_MAP) {
    char name[200];
    TRY(ReportError(r, given->at, "'parameters' must be a map of name to value, not %s",
                    tree_name(given, name, sizeof name)));
  }
  if (!good) return 0;
  Mat3 turn = mat3_columns(vec3_of(text.axes), vec3_of(text.axes + 3), vec3_of(text.axes + 6));
  if (!has) turn = mat3_identity();
  if (!are_axes(turn))
    return ReportError(r, tree_find(s->entry, "axes")->at, "'axes' are not orthonormal and right-handed");
  s->at = vec3_of(text.at); // posed by the form
  s->turn = s->parent ? mat3_mul(s->parent->turn, turn) : turn;
  s->posed = (s->parent && s->parent->posed) || has || form_given(&form, "at");
  return 0;
}

Error ReadPoses(Reader *r) {
  for (int i = 0; i < r->scope_count; i++) TRY(ReadPose(r, r->scopes[i]));
  r->scope = NULL;
  return 0;
}

// ---- their lists ----

Error ReadInInstances(Reader *r, const Part *part) {
  for (int i = 0; i < r->scope_count; i++) {
    r->scope = r->inside[i];
    const Tree *tree = tree_find(r->scope->tree, part->key);
    if (tree && !tree_empty(tree)) TRY(ReadPart(r, part, tree, tree->at));
  }
  r->scope = NULL;
  return 0;
}

// Read before all others: ReadInstances.
static Error ReadNothing(Reader *r, const Tree *tree, SourceLocation at) {
  (void)r, (void)tree, (void)at;
  return 0;
}

const Part part_parts = {.key = "parts", .one = "part", .form = PART_NAMED, .kind = part_kind_of, .read = ReadNothing};
const Part part_instances = {.key = "instances",
                             .one = "instance",
                             .form = PART_NAMED,
                             .kind = instance_kind_of,
                             .scoped = true,
                             .read = ReadNothing};
