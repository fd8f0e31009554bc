// SPDX-License-Identifier: Apache-2.0
// Meshes of Gmsh, formats 2.2 and 4.1 in ASCII. A file is sections, $Nodes to $EndNodes, of words divided by blanks and
// lines; sections that are not known are passed over. Every count is held against what is left of the file.
#include "input/importers/mesh.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Reader *r;
  SourceLocation at; // of diagnostics
  const char *path, *p, *end;
  int line; // of the last word
  bool good;
  Mesh *m;
  int nodes_room, cells_room, cell_nodes_room, entities_room, physicals_room, groups_room;
} Gmsh;

static const struct {
  int dimension, nodes;
} types[] = {{-1, 0}, {1, 2},  {2, 3},  {2, 4},  {3, 4}, {3, 8}, {3, 6},  {3, 5},  {1, 3},  {2, 6}, {2, 9},
             {3, 10}, {3, 27}, {3, 18}, {3, 14}, {0, 1}, {2, 8}, {3, 20}, {3, 15}, {3, 13}, {2, 9}, {2, 10},
             {2, 12}, {2, 15}, {2, 15}, {2, 21}, {1, 4}, {1, 5}, {1, 6},  {3, 20}, {3, 35}, {3, 56}};
enum { TYPES = sizeof types / sizeof types[0], CELL_MOST = 56 };

int gmsh_dimension(int type) { return type > 0 && type < TYPES ? types[type].dimension : -1; }

bool gmsh_shape(int type, CellShape *out) {
  switch (type) {
  case 2: return *out = LIMBER_TRIANGLE, true;
  case 3: return *out = LIMBER_QUADRILATERAL, true;
  case 4: return *out = LIMBER_TETRAHEDRON, true;
  case 5: return *out = LIMBER_HEXAHEDRON, true;
  case 11: return *out = LIMBER_TETRAHEDRON_10, true;
  default: return false;
  }
}

// ---- words ----

// The first mistake is told, and ends the reading.
static Error ReportGmshError(Gmsh *g, const char *format, ...) {
  char text[500];
  va_list args;
  if (!g->good) return 0;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  g->good = false;
  TRY(ReportError(g->r, g->at, "line %d of '%s': %s", g->line, g->path, text));
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

static Error GrowList(int need, int *room, size_t size, void *list) {
  if (need <= *room) return 0;
  while (*room < need) *room = *room > INT_MAX / 2 ? INT_MAX : *room ? 2 * *room : 64;
  TRY(MemoryResize((size_t)*room * size, list));
  return 0;
}

// ---- groups ----

static Error AddGroup(Gmsh *g, long dimension, long tag, const char *name) {
  Mesh *m = g->m;
  char number[32], *keep;
  for (int i = 0; i < m->groups; i++)
    if (m->group[i].dimension == dimension && m->group[i].tag == tag) return 0;
  snprintf(number, sizeof number, "%ld", tag);
  if (!name) name = number;
  TRY(GrowList(m->groups + 1, &g->groups_room, sizeof *m->group, &m->group));
  TRY(StoreAllocate(&g->r->store, strlen(name) + 1, &keep));
  m->group[m->groups++] = (MeshGroup){(int)dimension, tag, strcpy(keep, name)};
  return 0;
}

static Error ReadPhysicalNames(Gmsh *g) {
  long count, dimension, tag;
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
    TRY(AddGroup(g, dimension, tag, name));
  }
  return 0;
}

static Error AddEntity(Gmsh *g, int dimension, long tag) {
  Mesh *m = g->m;
  TRY(GrowList(m->entities + 1, &g->entities_room, sizeof *m->entity, &m->entity));
  m->entity[m->entities++] = (MeshEntity){dimension, tag, m->physicals, 0};
  return 0;
}

// To the entity that was added last.
static Error AddPhysical(Gmsh *g, long tag) {
  Mesh *m = g->m;
  MeshEntity *e = &m->entity[m->entities - 1];
  tag = tag < 0 ? -tag : tag; // the sign tells of the orientation
  TRY(GrowList(m->physicals + 1, &g->physicals_room, sizeof *m->physical, &m->physical));
  m->physical[m->physicals++] = tag, e->count++;
  TRY(AddGroup(g, e->dimension, tag, NULL));
  return 0;
}

static int find_entity(const Mesh *m, int dimension, long tag) {
  for (int i = 0; i < m->entities; i++)
    if (m->entity[i].dimension == dimension && m->entity[i].tag == tag) return i;
  return -1;
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

static Error AddNodeOf(Gmsh *g, long tag, Vec3 at) {
  Mesh *m = g->m;
  TRY(GrowList(m->nodes + 1, &g->nodes_room, sizeof *m->node, &m->node));
  m->node[m->nodes++] = (MeshNode){tag, at, LIMBER_NONE, false};
  return 0;
}

static int by_tag(const void *a, const void *b) {
  long x = ((const MeshNode *)a)->tag, y = ((const MeshNode *)b)->tag;
  return x < y ? -1 : x > y;
}

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
      TRY(AddNodeOf(g, tag, vec3_zero()));
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
    TRY(AddNodeOf(g, tag, at));
  }
  return 0;
}

static Error SortNodes(Gmsh *g) {
  Mesh *m = g->m;
  if (m->nodes) qsort(m->node, (size_t)m->nodes, sizeof *m->node, by_tag);
  for (int i = 1; i < m->nodes; i++)
    if (m->node[i].tag == m->node[i - 1].tag) TRY(ReportGmshError(g, "two nodes have the number %ld", m->node[i].tag));
  return 0;
}

// ---- cells ----

static Error AddCell(Gmsh *g, long type, int entity) {
  Mesh *m = g->m;
  long tag;
  if (gmsh_dimension(type < TYPES && type > 0 ? (int)type : 0) < 0) {
    TRY(ReportGmshError(g, "there is no type of cells %ld, or it is not known here", type));
    return 0;
  }
  int count = types[type].nodes;
  TRY(GrowList(m->cells + 1, &g->cells_room, sizeof *m->cell, &m->cell));
  ENSURE(m->cell_nodes <= INT_MAX - count, ERROR_MEMORY, "the cells of a mesh have at most %d nodes together", INT_MAX);
  TRY(GrowList(m->cell_nodes + count, &g->cell_nodes_room, sizeof *m->cell_node, &m->cell_node));
  for (int a = 0; a < count && g->good; a++) {
    TRY(NextInt(g, "the number of a node", &tag));
    const MeshNode key = {.tag = tag},
                   *node = m->nodes ? bsearch(&key, m->node, (size_t)m->nodes, sizeof key, by_tag) : NULL;
    if (!node) TRY(ReportGmshError(g, "there is no node %ld before this line", tag));
    m->cell_node[m->cell_nodes + a] = node ? (int)(node - m->node) : 0;
  }
  m->cell[m->cells++] = (MeshCell){(int)type, entity, m->cell_nodes, count};
  m->cell_nodes += count;
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
    int entity = find_entity(g->m, (int)dimension, tag);
    for (long k = 0; k < count && g->good; k++) {
      TRY(NextInt(g, "the number of a cell", &tag));
      TRY(AddCell(g, type, entity));
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
    int dimension = gmsh_dimension(type > 0 && type < TYPES ? (int)type : 0);
    int entity = physical && dimension >= 0 ? find_entity(g->m, dimension, physical) : -1;
    if (physical && dimension >= 0 && entity < 0 && g->good) {
      entity = g->m->entities;
      TRY(AddEntity(g, dimension, physical));
      TRY(AddPhysical(g, physical));
    }
    if (g->good) TRY(AddCell(g, type, entity));
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

// What was read moves to the memory of the reader.
static Error MoveToReader(Reader *r, size_t size, void *list) {
  void *own, **at = list;
  TRY(StoreAllocate(&r->store, size ? size : 1, &own));
  if (size) memcpy(own, *at, size);
  memory_free(list);
  *at = own;
  return 0;
}

Error ReadGmsh(Reader *r, SourceLocation at, const char *path, const char *text, size_t length, Mesh *m, bool *good) {
  Gmsh g = {.r = r, .at = at, .path = path, .p = text, .end = text + length, .line = 1, .good = true, .m = m};
  bool blocks = false;
  TRY(ReadFormat(&g, &blocks));
  if (g.good) TRY(ReadBody(&g, blocks));
  TRY(MoveToReader(r, (size_t)m->nodes * sizeof *m->node, &m->node));
  TRY(MoveToReader(r, (size_t)m->cells * sizeof *m->cell, &m->cell));
  TRY(MoveToReader(r, (size_t)m->cell_nodes * sizeof *m->cell_node, &m->cell_node));
  TRY(MoveToReader(r, (size_t)m->entities * sizeof *m->entity, &m->entity));
  TRY(MoveToReader(r, (size_t)m->physicals * sizeof *m->physical, &m->physical));
  TRY(MoveToReader(r, (size_t)m->groups * sizeof *m->group, &m->group));
  *good = g.good;
  return 0;
}
