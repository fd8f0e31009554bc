// SPDX-License-Identifier: Apache-2.0
// Meshes of Gmsh, formats 2.2 and 4.1 in ASCII. A file is sections, $Nodes to $EndNodes, of words divided by blanks and
// lines; sections that are not known are passed over. Every count is held against what is left of the file.
#include "input/importers/mesh.h"
#include "input/yaml/names.h"
#include "model/model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Words words;
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
  case 17: return LIMBER_HEXAHEDRON_20;
  default: return CELL_WITHOUT_SHAPE;
  }
}

// Cells of the plane of a section: their nodes stand in the same order.
static int plane_of(long type) {
  switch (type) {
  case 2: return 3;
  case 3: return 4;
  case 9: return 6;
  case 16: return 8;
  case 10: return 9;
  default: return 0;
  }
}

// The place in a shape of the a-th node in the file: Gmsh lists edges in another order.
static int place_of(int shape, int a) {
  static const int tetrahedron[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  static const int hexahedron[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14};
  return shape == LIMBER_TETRAHEDRON_10 ? tetrahedron[a] : shape == LIMBER_HEXAHEDRON_20 ? hexahedron[a] : a;
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
  TRY(NextCount(&g->words, "the number of physical names", &count));
  for (long i = 0; i < count && g->words.good; i++) {
    TRY(NextInt(&g->words, "the dimension of a physical group", &dimension));
    TRY(NextInt(&g->words, "the number of a physical group", &tag));
    while (g->words.p < g->words.end && *g->words.p != '"' && *g->words.p != '\n') g->words.p++;
    const char *from = g->words.p + 1, *to = g->words.p < g->words.end && *g->words.p == '"' ? from : g->words.end;
    while (to < g->words.end && *to != '"' && *to != '\n') to++;
    if (g->words.good && (to >= g->words.end || *to != '"'))
      TRY(ReportMistake(&g->words, "the name of a physical group must be in quotes"));
    char name[256];
    if (!g->words.good) break;
    snprintf(name, sizeof name, "%.*s", (int)(to - from < 255 ? to - from : 255), from);
    g->words.p = to + 1;
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
  tag = tag < 0 ? -tag : tag; // the sign is that of the orientation
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
  for (int d = 0; d < 4; d++) TRY(NextCount(&g->words, "the number of entities", &count[d]));
  for (int d = 0; d < 4; d++)
    for (long i = 0; i < count[d] && g->words.good; i++) {
      TRY(NextInt(&g->words, "the number of an entity", &tag));
      for (int k = 0; k < (d ? 6 : 3); k++) TRY(NextReal(&g->words, "a coordinate of an entity", &x));
      TRY(AddEntity(g, d, tag));
      TRY(NextCount(&g->words, "the number of physical groups of an entity", &n));
      if (n > LIMIT_GROUPS_OF_ENTITY)
        TRY(ReportMistake(&g->words, "an entity belongs to at most %d physical groups", LIMIT_GROUPS_OF_ENTITY));
      for (long k = 0; k < n && g->words.good; k++) {
        TRY(NextInt(&g->words, "the number of a physical group", &tag));
        TRY(AddPhysical(g, tag));
      }
      if (d) TRY(NextCount(&g->words, "the number of entities that bound another", &n));
      for (long k = 0; d && k < n && g->words.good; k++) TRY(NextInt(&g->words, "the number of an entity", &tag));
    }
  return 0;
}

// ---- nodes ----

static Error ReadPosition(Gmsh *g, Vec3 *at) {
  double x[3];
  for (int k = 0; k < 3; k++) TRY(NextReal(&g->words, "a coordinate of a node", &x[k]));
  *at = vec3_of(x);
  return 0;
}

// Blocks: all tags, then all places, with their parameters on curves and surfaces.
static Error ReadNodeBlocks(Gmsh *g) {
  long blocks, all, dimension, tag, parametric, count;
  double x;
  TRY(NextCount(&g->words, "the number of blocks of nodes", &blocks));
  for (int i = 0; i < 3; i++) TRY(NextInt(&g->words, "the number of nodes", &all));
  for (long i = 0; i < blocks && g->words.good; i++) {
    TRY(NextInt(&g->words, "a dimension", &dimension));
    TRY(NextInt(&g->words, "the number of an entity", &tag));
    TRY(NextInt(&g->words, "0 or 1", &parametric));
    TRY(NextCount(&g->words, "the number of nodes of a block", &count));
    int first = g->m->nodes;
    for (long k = 0; k < count && g->words.good; k++) {
      TRY(NextInt(&g->words, "the number of a node", &tag));
      TRY(MeshAddNode(g->m, tag, vec3_zero()));
    }
    for (long k = 0; k < count && g->words.good; k++) {
      TRY(ReadPosition(g, &g->m->node[first + k].at));
      for (long d = 0; parametric && d < dimension && d < 3; d++) TRY(NextReal(&g->words, "a parameter of a node", &x));
    }
  }
  return 0;
}

static Error ReadNodeLines(Gmsh *g) {
  long count, tag;
  Vec3 at;
  TRY(NextCount(&g->words, "the number of nodes", &count));
  for (long i = 0; i < count && g->words.good; i++) {
    TRY(NextInt(&g->words, "the number of a node", &tag));
    TRY(ReadPosition(g, &at));
    TRY(MeshAddNode(g->m, tag, at));
  }
  return 0;
}

static Error SortNodes(Gmsh *g) {
  long twice;
  if (!mesh_sort_nodes(g->m, &twice)) TRY(ReportMistake(&g->words, "two nodes have the number %ld", twice));
  return 0;
}

// ---- cells ----

static Error AddCell(Gmsh *g, long type, int set) {
  long tag;
  int node[CELL_MOST_NODES], shape = shape_of(type);
  if (dimension_of(type) < 0) {
    TRY(ReportMistake(&g->words, "cells of type %ld are not supported", type));
    return 0;
  }
  for (int a = 0; a < types[type].nodes && g->words.good; a++) {
    TRY(NextInt(&g->words, "the number of a node", &tag));
    int found = mesh_node(g->m, tag);
    if (found < 0) TRY(ReportMistake(&g->words, "there is no node %ld before this line", tag));
    node[place_of(shape, a)] = found;
  }
  MeshCell cell = {
      .dimension = dimension_of(type), .shape = shape, .plane = plane_of(type), .type = (int)type, .set = set};
  if (g->words.good) TRY(MeshAddCell(g->m, cell, types[type].nodes, node));
  return 0;
}

static Error ReadCellBlocks(Gmsh *g) {
  long blocks, all, dimension, tag, type, count;
  TRY(NextCount(&g->words, "the number of blocks of cells", &blocks));
  for (int i = 0; i < 3; i++) TRY(NextInt(&g->words, "the number of cells", &all));
  for (long i = 0; i < blocks && g->words.good; i++) {
    TRY(NextInt(&g->words, "a dimension", &dimension));
    TRY(NextInt(&g->words, "the number of an entity", &tag));
    TRY(NextInt(&g->words, "the type of cells", &type));
    TRY(NextCount(&g->words, "the number of cells of a block", &count));
    int set = find_set(g, (int)dimension, tag);
    for (long k = 0; k < count && g->words.good; k++) {
      TRY(NextInt(&g->words, "the number of a cell", &tag));
      TRY(AddCell(g, type, set));
    }
  }
  return 0;
}

// The first tag of a cell is its physical group, which stands for its entity.
static Error ReadCellLines(Gmsh *g) {
  long count, tag, type, tags, physical = 0;
  TRY(NextCount(&g->words, "the number of cells", &count));
  for (long i = 0; i < count && g->words.good; i++) {
    TRY(NextInt(&g->words, "the number of a cell", &tag));
    TRY(NextInt(&g->words, "the type of a cell", &type));
    TRY(NextCount(&g->words, "the number of tags", &tags));
    for (long k = 0; k < tags && g->words.good; k++) {
      TRY(NextInt(&g->words, "a tag of a cell", &tag));
      if (k == 0) physical = tag < 0 ? -tag : tag;
    }
    if (tags == 0) physical = 0;
    int dimension = dimension_of(type), set = physical && dimension >= 0 ? find_set(g, dimension, physical) : -1;
    if (physical && dimension >= 0 && set < 0 && g->words.good) {
      TRY(AddEntity(g, dimension, physical));
      TRY(AddPhysical(g, physical));
      set = g->set;
    }
    if (g->words.good) TRY(AddCell(g, type, set));
  }
  return 0;
}

// ---- the file ----

static Error ReadFormat(Gmsh *g, bool *blocks) {
  char word[64];
  long kind, size;
  double version;
  if (!words_next(&g->words, word, sizeof word) || strcmp(word, "$MeshFormat")) {
    TRY(ReportMistake(&g->words, "a mesh of Gmsh begins with $MeshFormat"));
    return 0;
  }
  TRY(NextReal(&g->words, "the version of the format", &version));
  TRY(NextInt(&g->words, "the kind of file", &kind));
  TRY(NextInt(&g->words, "the size of a number", &size));
  *blocks = fabs(version - 4.1) < 1e-9;
  if (!*blocks && !(version >= 2 && version < 3))
    TRY(ReportMistake(&g->words, "format %g is not supported: save the mesh as 4.1 or 2.2 (`gmsh -format msh41`)",
                      version));
  if (kind != 0) TRY(ReportMistake(&g->words, "the file is binary: save the mesh as ASCII (without `-bin`)"));
  if (g->words.good && memchr(g->words.p, 0, (size_t)(g->words.end - g->words.p)))
    TRY(ReportMistake(&g->words, "the file is not text from here on"));
  return 0;
}

static Error PassSection(Gmsh *g, const char *name) {
  char end[80], word[80];
  snprintf(end, sizeof end, "$End%s", name + 1);
  while (words_next(&g->words, word, sizeof word))
    if (!strcmp(word, end)) return 0;
  TRY(ReportMistake(&g->words, "the file ends within %s", name));
  return 0;
}

static Error ReadBody(Gmsh *g, bool blocks) {
  char word[64];
  bool nodes = false, cells = false;
  TRY(PassSection(g, "$MeshFormat"));
  while (g->words.good && words_next(&g->words, word, sizeof word)) {
    if (word[0] != '$') TRY(ReportMistake(&g->words, "a section such as $Nodes is expected, not '%s'", word));
    else if (!strcmp(word, "$PhysicalNames")) TRY(ReadPhysicalNames(g));
    else if (!strcmp(word, "$Entities") && blocks) TRY(ReadEntities(g));
    else if (!strcmp(word, "$PartitionedEntities"))
      TRY(ReportMistake(&g->words, "the mesh is partitioned: save it in one piece"));
    else if (!strcmp(word, "$Nodes") && nodes) TRY(ReportMistake(&g->words, "$Nodes is given twice"));
    else if (!strcmp(word, "$Nodes")) {
      TRY(blocks ? ReadNodeBlocks(g) : ReadNodeLines(g));
      TRY(SortNodes(g));
      nodes = true;
    } else if (!strcmp(word, "$Elements")) {
      TRY(blocks ? ReadCellBlocks(g) : ReadCellLines(g));
      cells = true;
    }
    if (g->words.good) TRY(PassSection(g, word));
  }
  if (g->words.good && !nodes) TRY(ReportMistake(&g->words, "the file has no $Nodes"));
  if (g->words.good && !cells) TRY(ReportMistake(&g->words, "the file has no $Elements"));
  return 0;
}

static bool recognises(const char *first, size_t length) {
  static const char begin[] = "$MeshFormat";
  while (length && isspace((unsigned char)*first)) first++, length--;
  return length >= sizeof begin - 1 && !memcmp(first, begin, sizeof begin - 1);
}

static Error ReadFile(const char *text, size_t length, Mesh *m, ImportMistake *mistake) {
  Gmsh g = {.words = words_of(text, length, mistake), .m = m, .set = -1};
  bool blocks = false;
  TRY(ReadFormat(&g, &blocks));
  if (g.words.good) TRY(ReadBody(&g, blocks));
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
