// SPDX-License-Identifier: Apache-2.0
// Meshes of Gmsh, formats 2.2 and 4.1 in ASCII. A file is sections, $Nodes to $EndNodes, of words divided by blanks and
// lines; sections that are not known are passed over. Every count is held against what is left of the file.
#include "input/importers/importer.h"
#include "input/yaml/names.h"
#include "model/model.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *p, *end;
  int line; // of the last word
  bool good;
  ImportMistake *mistake;
  Mesh *m;
  Names entities, groups; // "3 17", dimension and number: the set of groups of an entity; a group of the mesh
  int set, dimension;     // the entity that was found last
  long tag;
} Gmsh;

static const struct {
  int dimension, nodes;
} types[] = {{-1, 0}, {1, 2},  {2, 3},  {2, 4},  {3, 4}, {3, 8}, {3, 6},  {3, 5},  {1, 3},  {2, 6}, {2, 9},
             {3, 10}, {3, 27}, {3, 18}, {3, 14}, {0, 1}, {2, 8}, {3, 20}, {3, 15}, {3, 13}, {2, 9}, {2, 10},
             {2, 12}, {2, 15}, {2, 15}, {2, 21}, {1, 4}, {1, 5}, {1, 6},  {3, 20}, {3, 35}, {3, 56}};
enum { TYPES = sizeof types / sizeof types[0] };

static int dimension_of(long type) { return type > 0 && type < TYPES ? types[type].dimension : -1; }

static int shape_of(long type) {
  switch (type) {
  case 2: return LIMBER_TRIANGLE;
  case 3: return LIMBER_QUADRILATERAL;
  case 4: return LIMBER_TETRAHEDRON;
  case 5: return LIMBER_HEXAHEDRON;
  case 11: return LIMBER_TETRAHEDRON_10;
  default: return CELL_WITHOUT_SHAPE;
  }
}

// The place among the nodes of a shape of the a-th that stands in the file: of the last two edges Gmsh has the other first.
static int place_of(int shape, int a) {
  static const int place[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  return shape == LIMBER_TETRAHEDRON_10 ? place[a] : a;
}

// ---- words ----

// The first mistake is told, and ends the reading.
static Error ReportGmshError(Gmsh *g, const char *format, ...) {
  va_list args;
  if (!g->good) return 0;
  va_start(args, format);
  vsnprintf(g->mistake->text, sizeof g->mistake->text, format, args);
  va_end(args);
  g->good = false, g->mistake->line = g->line;
  return 0;
}

static bool next_word(Gmsh *g, char *out, size_t size) {
  size_t n = 0;
  while (g->p < g->end && isspace((unsigned char)*g->p)) g->line += *g->p++ == '\n';
  for (; g->p < g->end && !isspace((unsigned char)*g->p); g->p++)
    if (n + 1 < size) out[n++] = *g->p;
  out[n] = 0;
  return n > 0;
}

static Error NextReal(Gmsh *g, const char *what, double *out) {
  char word[64], *end;
  *out = 0;
  if (!g->good) return 0;
  if (!next_word(g, word, sizeof word)) {
    TRY(ReportGmshError(g, "the file ends where %s is wanted", what));
    return 0;
  }
  *out = strtod(word, &end);
  if (*end || !isfinite(*out) || strspn(word, "+-.0123456789eE") < strlen(word))
    TRY(ReportGmshError(g, "'%s' is no number; %s is wanted", word, what));
  return 0;
}

static Error NextInt(Gmsh *g, const char *what, long *out) {
  char word[64], *end;
  *out = 0;
  if (!g->good) return 0;
  if (!next_word(g, word, sizeof word)) {
    TRY(ReportGmshError(g, "the file ends where %s is wanted", what));
    return 0;
  }
  *out = strtol(word, &end, 10);
  if (*end || *out == LONG_MAX || *out == LONG_MIN)
    TRY(ReportGmshError(g, "'%s' is no whole number; %s is wanted", word, what));
  if (!g->good) *out = 0;
  return 0;
}

// A number of things, each of two bytes or more.
static Error NextCount(Gmsh *g, const char *what, long *out) {
  TRY(NextInt(g, what, out));
  if (*out < 0 || *out > (g->end - g->p) / 2 + 1 || *out > LIMBER_MOST_ELEMENTS)
    TRY(ReportGmshError(g, "%s is %ld, which the rest of the file cannot hold", what, *out));
  if (!g->good) *out = 0;
  return 0;
}

// ---- groups ----

// A dimension and a number as a name.
static const char *tag_name(long dimension, long tag, char *text, size_t size) {
  snprintf(text, size, "%ld %ld", dimension, tag);
  return text;
}

static Error AddTag(Gmsh *g, Names *names, long dimension, long tag, int id) {
  char name[64];
  const char *own;
  tag_name(dimension, tag, name, sizeof name);
  TRY(StoreText(g->m->store, name, strlen(name), &own));
  TRY(NamesAdd(names, own, id, (SourceLocation){0, 0, 0}));
  return 0;
}

// The group of that number, which is made if there is none; its name is its number where it has none.
static Error FindGroup(Gmsh *g, long dimension, long tag, const char *name, int *group) {
  char key[64];
  const Name *found = names_find(&g->groups, tag_name(dimension, tag, key, sizeof key));
  if (found) return *group = found->id, 0;
  snprintf(key, sizeof key, "%ld", tag);
  TRY(MeshAddGroup(g->m, (int)dimension, name ? name : key, group));
  TRY(AddTag(g, &g->groups, dimension, tag, *group));
  return 0;
}

static Error ReadPhysicalNames(Gmsh *g) {
  long count, dimension, tag;
  int group;
  TRY(NextCount(g, "the number of physical names", &count));
  for (long i = 0; i < count && g->good; i++) {
    TRY(NextInt(g, "the dimension of a physical group", &dimension));
    TRY(NextInt(g, "the number of a physical group", &tag));
    while (g->p < g->end && *g->p != '"' && *g->p != '\n') g->p++;
    const char *from = g->p + 1, *to = g->p < g->end && *g->p == '"' ? from : g->end;
    while (to < g->end && *to != '"' && *to != '\n') to++;
    if (g->good && (to >= g->end || *to != '"'))
      TRY(ReportGmshError(g, "the name of a physical group stands in quotes"));
    char name[256];
    if (!g->good) break;
    snprintf(name, sizeof name, "%.*s", (int)(to - from < 255 ? to - from : 255), from);
    g->p = to + 1;
    TRY(FindGroup(g, dimension, tag, name, &group));
  }
  return 0;
}

static Error AddEntity(Gmsh *g, int dimension, long tag) {
  TRY(MeshAddSet(g->m, &g->set));
  TRY(AddTag(g, &g->entities, dimension, tag, g->set));
  g->dimension = dimension, g->tag = tag;
  return 0;
}

// To the entity that was added last.
static Error AddPhysical(Gmsh *g, long tag) {
  int group;
  tag = tag < 0 ? -tag : tag; // the sign tells of the orientation
  TRY(FindGroup(g, g->dimension, tag, NULL, &group));
  TRY(MeshAddMember(g->m, group));
  return 0;
}

// The set of groups of an entity; -1: there is no such entity.
static int find_set(Gmsh *g, int dimension, long tag) {
  char name[64];
  if (g->set >= 0 && g->dimension == dimension && g->tag == tag) return g->set;
  const Name *found = names_find(&g->entities, tag_name(dimension, tag, name, sizeof name));
  if (found) g->set = found->id, g->dimension = dimension, g->tag = tag;
  return found ? found->id : -1;
}

static Error ReadEntities(Gmsh *g) {
  long count[4], tag, n;
  double x;
  for (int d = 0; d < 4; d++) TRY(NextCount(g, "the number of entities", &count[d]));
  for (int d = 0; d < 4; d++)
    for (long i = 0; i < count[d] && g->good; i++) {
      TRY(NextInt(g, "the number of an entity", &tag));
      for (int k = 0; k < (d ? 6 : 3); k++) TRY(NextReal(g, "a coordinate of an entity", &x));
      TRY(AddEntity(g, d, tag));
      TRY(NextCount(g, "the number of physical groups of an entity", &n));
      if (n > LIMIT_GROUPS_OF_ENTITY)
        TRY(ReportGmshError(g, "an entity belongs to at most %d physical groups", LIMIT_GROUPS_OF_ENTITY));
      for (long k = 0; k < n && g->good; k++) {
        TRY(NextInt(g, "the number of a physical group", &tag));
        TRY(AddPhysical(g, tag));
      }
      if (d) TRY(NextCount(g, "the number of entities that bound another", &n));
      for (long k = 0; d && k < n && g->good; k++) TRY(NextInt(g, "the number of an entity", &tag));
    }
  return 0;
}

// ---- nodes ----

static Error ReadPosition(Gmsh *g, Vec3 *at) {
  double x[3];
  for (int k = 0; k < 3; k++) TRY(NextReal(g, "a coordinate of a node", &x[k]));
  *at = vec3_of(x);
  return 0;
}

// Blocks: all tags, then all places, with their parameters on curves and surfaces.
static Error ReadNodeBlocks(Gmsh *g) {
  long blocks, all, dimension, tag, parametric, count;
  double x;
  TRY(NextCount(g, "the number of blocks of nodes", &blocks));
  for (int i = 0; i < 3; i++) TRY(NextInt(g, "the number of nodes", &all));
  for (long i = 0; i < blocks && g->good; i++) {
    TRY(NextInt(g, "a dimension", &dimension));
    TRY(NextInt(g, "the number of an entity", &tag));
    TRY(NextInt(g, "0 or 1", &parametric));
    TRY(NextCount(g, "the number of nodes of a block", &count));
    int first = g->m->nodes;
    for (long k = 0; k < count && g->good; k++) {
      TRY(NextInt(g, "the number of a node", &tag));
      TRY(MeshAddNode(g->m, tag, vec3_zero()));
    }
    for (long k = 0; k < count && g->good; k++) {
      TRY(ReadPosition(g, &g->m->node[first + k].at));
      for (long d = 0; parametric && d < dimension && d < 3; d++) TRY(NextReal(g, "a parameter of a node", &x));
    }
  }
  return 0;
}

static Error ReadNodeLines(Gmsh *g) {
  long count, tag;
  Vec3 at;
  TRY(NextCount(g, "the number of nodes", &count));
  for (long i = 0; i < count && g->good; i++) {
    TRY(NextInt(g, "the number of a node", &tag));
    TRY(ReadPosition(g, &at));
    TRY(MeshAddNode(g->m, tag, at));
  }
  return 0;
}

static Error SortNodes(Gmsh *g) {
  long twice;
  if (!mesh_sort_nodes(g->m, &twice)) TRY(ReportGmshError(g, "two nodes have the number %ld", twice));
  return 0;
}

// ---- cells ----

static Error AddCell(Gmsh *g, long type, int set) {
  long tag;
  int node[CELL_MOST_NODES], shape = shape_of(type);
  if (dimension_of(type) < 0) {
    TRY(ReportGmshError(g, "there is no type of cells %ld, or it is not known here", type));
    return 0;
  }
  for (int a = 0; a < types[type].nodes && g->good; a++) {
    TRY(NextInt(g, "the number of a node", &tag));
    int found = mesh_node(g->m, tag);
    if (found < 0) TRY(ReportGmshError(g, "there is no node %ld before this line", tag));
    node[place_of(shape, a)] = found;
  }
  MeshCell cell = {.dimension = dimension_of(type), .shape = shape, .type = (int)type, .set = set};
  if (g->good) TRY(MeshAddCell(g->m, cell, types[type].nodes, node));
  return 0;
}

static Error ReadCellBlocks(Gmsh *g) {
  long blocks, all, dimension, tag, type, count;
  TRY(NextCount(g, "the number of blocks of cells", &blocks));
  for (int i = 0; i < 3; i++) TRY(NextInt(g, "the number of cells", &all));
  for (long i = 0; i < blocks && g->good; i++) {
    TRY(NextInt(g, "a dimension", &dimension));
    TRY(NextInt(g, "the number of an entity", &tag));
    TRY(NextInt(g, "the type of cells", &type));
    TRY(NextCount(g, "the number of cells of a block", &count));
    int set = find_set(g, (int)dimension, tag);
    for (long k = 0; k < count && g->good; k++) {
      TRY(NextInt(g, "the number of a cell", &tag));
      TRY(AddCell(g, type, set));
    }
  }
  return 0;
}

// The first tag of a cell is its physical group, which stands for its entity.
static Error ReadCellLines(Gmsh *g) {
  long count, tag, type, tags, physical = 0;
  TRY(NextCount(g, "the number of cells", &count));
  for (long i = 0; i < count && g->good; i++) {
    TRY(NextInt(g, "the number of a cell", &tag));
    TRY(NextInt(g, "the type of a cell", &type));
    TRY(NextCount(g, "the number of tags", &tags));
    for (long k = 0; k < tags && g->good; k++) {
      TRY(NextInt(g, "a tag of a cell", &tag));
      if (k == 0) physical = tag < 0 ? -tag : tag;
    }
    if (tags == 0) physical = 0;
    int dimension = dimension_of(type), set = physical && dimension >= 0 ? find_set(g, dimension, physical) : -1;
    if (physical && dimension >= 0 && set < 0 && g->good) {
      TRY(AddEntity(g, dimension, physical));
      TRY(AddPhysical(g, physical));
      set = g->set;
    }
    if (g->good) TRY(AddCell(g, type, set));
  }
  return 0;
}

// ---- the file ----

static Error ReadFormat(Gmsh *g, bool *blocks) {
  char word[64];
  long kind, size;
  double version;
  if (!next_word(g, word, sizeof word) || strcmp(word, "$MeshFormat")) {
    TRY(ReportGmshError(g, "a mesh of Gmsh begins with $MeshFormat"));
    return 0;
  }
  TRY(NextReal(g, "the version of the format", &version));
  TRY(NextInt(g, "the kind of file", &kind));
  TRY(NextInt(g, "the size of a number", &size));
  *blocks = fabs(version - 4.1) < 1e-9;
  if (!*blocks && !(version >= 2 && version < 3))
    TRY(ReportGmshError(g, "format %g is not read: save the mesh as 4.1 or 2.2 (`gmsh -format msh41`)", version));
  if (kind != 0) TRY(ReportGmshError(g, "the file is binary: save the mesh as ASCII (without `-bin`)"));
  if (g->good && memchr(g->p, 0, (size_t)(g->end - g->p))) TRY(ReportGmshError(g, "the file is no text from here on"));
  return 0;
}

static Error PassSection(Gmsh *g, const char *name) {
  char end[80], word[80];
  snprintf(end, sizeof end, "$End%s", name + 1);
  while (next_word(g, word, sizeof word))
    if (!strcmp(word, end)) return 0;
  TRY(ReportGmshError(g, "the file ends within %s", name));
  return 0;
}

static Error ReadBody(Gmsh *g, bool blocks) {
  char word[64];
  bool nodes = false, cells = false;
  TRY(PassSection(g, "$MeshFormat"));
  while (g->good && next_word(g, word, sizeof word)) {
    if (word[0] != '$') TRY(ReportGmshError(g, "a section such as $Nodes is wanted, not '%s'", word));
    else if (!strcmp(word, "$PhysicalNames")) TRY(ReadPhysicalNames(g));
    else if (!strcmp(word, "$Entities") && blocks) TRY(ReadEntities(g));
    else if (!strcmp(word, "$PartitionedEntities"))
      TRY(ReportGmshError(g, "the mesh is partitioned: save it in one piece"));
    else if (!strcmp(word, "$Nodes") && nodes) TRY(ReportGmshError(g, "$Nodes is given twice"));
    else if (!strcmp(word, "$Nodes")) {
      TRY(blocks ? ReadNodeBlocks(g) : ReadNodeLines(g));
      TRY(SortNodes(g));
      nodes = true;
    } else if (!strcmp(word, "$Elements")) {
      TRY(blocks ? ReadCellBlocks(g) : ReadCellLines(g));
      cells = true;
    }
    if (g->good) TRY(PassSection(g, word));
  }
  if (g->good && !nodes) TRY(ReportGmshError(g, "the file has no $Nodes"));
  if (g->good && !cells) TRY(ReportGmshError(g, "the file has no $Elements"));
  return 0;
}

static bool recognises(const char *first, size_t length) {
  static const char begin[] = "$MeshFormat";
  while (length && isspace((unsigned char)*first)) first++, length--;
  return length >= sizeof begin - 1 && !memcmp(first, begin, sizeof begin - 1);
}

static Error ReadFile(const char *text, size_t length, Mesh *m, ImportMistake *mistake) {
  Gmsh g = {.p = text, .end = text + length, .line = 1, .good = true, .mistake = mistake, .m = m, .set = -1};
  bool blocks = false;
  TRY(ReadFormat(&g, &blocks));
  if (g.good) TRY(ReadBody(&g, blocks));
  TRY(NamesDestroy(&g.entities));
  TRY(NamesDestroy(&g.groups));
  return 0;
}

static const char *const extensions[] = {".msh", NULL};

const Importer importer_gmsh = {.name = "gmsh",
                                .help = "meshes of Gmsh, formats 2.2 and 4.1, as text",
                                .program = "Gmsh",
                                .group = "physical group",
                                .extensions = extensions,
                                .recognises = recognises,
                                .read = ReadFile};
