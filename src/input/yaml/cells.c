// SPDX-License-Identifier: Apache-2.0
// Fields that are cells, of a mesh or written out, and bodies made of cells.
#include "input/importers/mesh.h"
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/meshes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <string.h>

// A node of the mesh as one of the model.
static Error TakeNode(Reader *r, const Mesh *m, MeshNode *n, LimberNodeId *id) {
  char name[300];
  double at[3];
  if (n->id == LIMBER_NONE) {
    snprintf(name, sizeof name, "%.250s.%ld", m->name, n->number);
    vec3_to(n->at, at);
    if (n->fixed) TRY(LimberModelAddFixed(r->model, name, at, NULL, id));
    else TRY(LimberModelAddPoint(r->model, name, at, id));
    n->id = id->index;
  }
  id->index = n->id;
  return 0;
}

// How many there are, with how many nodes; 0: none, or some of which no element is made.
static Error CountCells(Reader *r, const Mesh *m, const MeshGroup *g, int dimension, const Tree *word, int *cells,
                        int *nodes) {
  char type[80];
  *cells = *nodes = 0;
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (c->dimension != dimension || !mesh_has(m, c, g)) continue;
    if (c->shape == CELL_WITHOUT_SHAPE) {
      *cells = 0;
      TRY(ReportError(r, word->at, "'%s' has cells of the type %s of %s, which no element supports; supported are %s",
                      word->text, mesh_type_name(m, c, type, sizeof type), m->importer->program,
                      dimension == 3 ? "tetrahedra of 4 and 10 nodes and hexahedra of 8 and 20"
                                     : "triangles of 3 and quadrilaterals of 4 nodes"));
      return 0;
    }
    ++*cells, *nodes += c->count;
  }
  if (!*cells) TRY(ReportError(r, word->at, "'%s' has no %s", word->text, mesh_dimensions[dimension]));
  return 0;
}

static Error TakeCells(Reader *r, const Mesh *m, const MeshGroup *g, int dimension, const Tree *word,
                       LimberCells *out) {
  LimberCellShape *shape;
  LimberHexahedra *how;
  LimberNodeId *node;
  int count, nodes;
  TRY(CountCells(r, m, g, dimension, word, &count, &nodes));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *shape, &shape));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *how, &how));
  TRY(StoreAllocate(&r->store, (size_t)nodes * sizeof *node, &node));
  *out = (LimberCells){shape, node, count, how};
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (c->dimension != dimension || !mesh_has(m, c, g) || c->shape == CELL_WITHOUT_SHAPE) continue;
    for (int a = 0; a < c->count; a++) TRY(TakeNode(r, m, &m->node[m->cell_node[c->first + a]], node++));
    *shape++ = (CellShape)c->shape, *how++ = c->hexahedra;
  }
  return 0;
}

// {tetrahedron: [a, b, c, d]}
static Error ReadCell(Reader *r, const Tree *t, CellShape *shape, LimberNodeId *node, int *nodes, bool *good) {
  char name[200];
  Nearest n;
  const Tree *list = t->kind == TREE_MAP && t->count == 1 ? t->entry[0] : NULL;
  *nodes = 0;
  if (t->broken || !list) {
    *good = false;
    if (!t->broken)
      TRY(ReportError(r, t->at, "a cell is written as its shape and its nodes, {tetrahedron: [a, b, c, d]}, not as %s",
                      tree_name(t, name, sizeof name)));
    return 0;
  }
  int s = 0;
  nearest_begin(&n, t->key[0]->text);
  for (int i = 0; i < CELL_SHAPES; i++) nearest_try(&n, cell_name((CellShape)i));
  while (s < CELL_SHAPES && strcmp(cell_name((CellShape)s), t->key[0]->text)) s++;
  if (s == CELL_SHAPES) {
    *good = false;
    TRY(ReportError(r, t->key[0]->at, "there is no cell '%s'%s", t->key[0]->text, nearest_hint(&n, "there are")));
    return 0;
  }
  *shape = (CellShape)s;
  if (list->kind != TREE_LIST || list->count != cell_nodes(*shape)) {
    *good = false;
    TRY(ReportError(r, list->at, "a %s is a list of %d nodes, not %s", cell_name(*shape), cell_nodes(*shape),
                    tree_name(list, name, sizeof name)));
    return 0;
  }
  *nodes = list->count;
  for (int a = 0; a < list->count; a++) {
    TRY(FindNode(r, list->entry[a], &node[a].index));
    if (node[a].index == BROKEN) *good = false;
  }
  return 0;
}

static Error ReadCellList(Reader *r, const Tree *list, LimberCells *out, bool *good) {
  CellShape *shape;
  LimberNodeId *node;
  int nodes = 0, count;
  TRY(StoreAllocate(&r->store, (size_t)list->count * sizeof *shape, &shape));
  TRY(StoreAllocate(&r->store, (size_t)list->count * CELL_NODES * sizeof *node, &node));
  for (int i = 0; i < list->count; i++, nodes += count)
    TRY(ReadCell(r, list->entry[i], &shape[i], node + nodes, &count, good));
  *out = (LimberCells){shape, node, list->count, NULL};
  return 0;
}

// The cells that a word names, MESH or MESH.GROUP; `group` is NULL for all. The field says of how many dimensions they
// are, 0 for any. Notes a mistake.
static Error FindCells(Reader *r, const Field *f, const Tree *t, const Mesh **out, const MeshGroup **group,
                       bool *good) {
  char name[200], hint[200];
  const char *rest;
  int dimension = f->count, groups = 0, cells = 0, nodes;
  if (t->kind != TREE_WORD) {
    *good = false;
    TRY(ReportError(r, t->at, "'%s' must be a mesh, MESH or MESH.GROUP, not %s", f->name,
                    tree_name(t, name, sizeof name)));
    return 0;
  }
  const Name *found = mesh_named(r, t->text, &rest);
  if (!found || found->id == BROKEN) {
    *good = false;
    if (!found) {
      snprintf(name, sizeof name, "%.*s", (int)(rest ? rest - 1 - t->text : 199), t->text);
      TRY(ReportError(r, t->at, "there is no mesh '%s'%s", name,
                      did_you_mean(r, part_names(r, &part_meshes), name, hint, sizeof hint)));
    }
    return 0;
  }
  const Mesh *m = mesh_of_file(r, found->id);
  bool counted;
  TRY(CountScanned(r, t, mesh_scan_cost(m), &counted));
  *good = *good && counted;
  if (!counted) return 0;
  const MeshGroup *g = rest ? mesh_group(m, rest, dimension ? dimension : -1) : NULL;
  if (!dimension) { // nodes of a group
    if (!g && rest) TRY(ReportGroup(r, m, t, rest, -1));
    else if (!g)
      TRY(ReportError(r, t->at, "name a %s of the mesh '%s', %s.GROUP", m->importer->group, m->name, m->name));
    *out = m, *group = g, *good = *good && g;
    return 0;
  }
  for (int i = 0; i < m->groups; i++) groups += m->group[i].dimension == dimension;
  *out = m, *group = g;
  if (!rest && dimension == 3 && f->type == FIELD_MESH && m->stiffness.count) return 0; // the cells are for stresses
  if (rest && !g) TRY(ReportGroup(r, m, t, rest, dimension));
  else if (!rest && groups > 1)
    TRY(ReportError(r, t->at, "mesh '%s' has %d %ss of %s: name one, %s.GROUP", m->name, groups, m->importer->group,
                    mesh_dimensions[dimension], m->name));
  else TRY(CountCells(r, m, g, dimension, t, &cells, &nodes));
  *out = m, *group = g, *good = *good && cells > 0;
  return 0;
}

Error ReadCellsField(Reader *r, FieldValue *v, void *out) {
  const Mesh *m;
  const MeshGroup *g;
  bool named = true;
  if (v->tree->kind == TREE_LIST && v->tree->count) return ReadCellList(r, v->tree, out, &v->good);
  TRY(FindCells(r, v->field, v->tree, &m, &g, &named));
  v->good = v->good && named;
  if (named) TRY(TakeCells(r, m, g, v->field->count, v->tree, out));
  return 0;
}

// ---- bodies ----

// What a body is as a whole, from the cells of a mesh: volume, centre, and second moments about it. No node is made of
// it.

// sum over a tetrahedron of x x^T, x from `origin`: V/20 (sum_a x_a x_a^T + (sum_a x_a)(sum_b x_b)^T)
static Mat3 tetrahedron_moments(const Vec3 *x, double volume) {
  Vec3 all = vec3_add(vec3_add(x[0], x[1]), vec3_add(x[2], x[3]));
  Mat3 sum = mat3_outer(all, all);
  for (int a = 0; a < 4; a++) sum = mat3_add(sum, mat3_outer(x[a], x[a]));
  return mat3_scale(volume / 20, sum);
}

typedef struct {
  double volume;
  Vec3 first;
  Mat3 second;
} Moments;

// Of cells with straight edges exact; of others as their integration points have it.
static void add_cell(CellShape shape, const Vec3 *x, Moments *m) {
  double n[CELL_NODES], turned = 0;
  Vec3 dn[CELL_NODES], normal, first = vec3_zero();
  Mat3 second = mat3_zero();
  for (int g = 0; g < cell_points(shape); g++) {
    double w = cell_derive(shape, x, g, n, dn, &normal);
    Vec3 at = vec3_zero();
    for (int a = 0; a < cell_nodes(shape); a++) at = vec3_axpy(at, n[a], x[a]);
    turned += w, first = vec3_axpy(first, w, at), second = mat3_axpy(second, w, mat3_outer(at, at));
  }
  if (shape == LIMBER_TETRAHEDRON) second = tetrahedron_moments(x, turned);
  double sign = turned < 0 ? -1 : 1; // a mirrored cell
  m->volume += fabs(turned), m->first = vec3_axpy(m->first, sign, first),
                             m->second = mat3_axpy(m->second, sign, second);
}

Error ReadBulkField(Reader *r, FieldValue *v, void *out) {
  const Tree *t = v->tree;
  const Mesh *m;
  const MeshGroup *group;
  Moments sum = {0, {0, 0, 0}, {{{0}}}};
  Vec3 x[CELL_NODES], origin = vec3_zero();
  bool named = true;
  TRY(FindCells(r, v->field, t, &m, &group, &named));
  v->good = v->good && named;
  if (!named) return 0;
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (c->dimension != v->field->count || !mesh_has(m, c, group) || c->shape == CELL_WITHOUT_SHAPE) continue;
    if (sum.volume == 0) origin = m->node[m->cell_node[c->first]].at; // near the body, wherever that is
    for (int a = 0; a < c->count; a++) x[a] = vec3_sub(m->node[m->cell_node[c->first + a]].at, origin);
    add_cell((CellShape)c->shape, x, &sum);
  }
  if (!(sum.volume > 0)) {
    v->good = false;
    TRY(ReportError(r, t->at, "'%s' has no volume", t->text));
    return 0;
  }
  Vec3 centre = vec3_scale(1 / sum.volume, sum.first);
  Mat3 s = mat3_axpy(sum.second, -sum.volume, mat3_outer(centre, centre));
  LimberBulk *bulk = out;
  *bulk =
      (LimberBulk){.volume = sum.volume, .second = {s.m[0][0], s.m[1][1], s.m[2][2], s.m[0][1], s.m[0][2], s.m[1][2]}};
  vec3_to(vec3_add(origin, centre), bulk->centre);
  return 0;
}

// ---- meshes as they are ----

// A matrix between the nodes with an index, which is one more than their place.
static Error TakeMatrix(Reader *r, const LimberMatrix *of, const int *index, const LimberMatrix **out) {
  LimberMatrix *m;
  int *row, *column;
  TRY(StoreAllocate(&r->store, sizeof *m, &m));
  TRY(StoreAllocate(&r->store, (size_t)of->count * sizeof *row + 1, &row));
  TRY(StoreAllocate(&r->store, (size_t)of->count * sizeof *column + 1, &column));
  for (int i = 0; i < of->count; i++) {
    row[i] = 3 * (index[of->row[i] / 3] - 1) + of->row[i] % 3;
    column[i] = 3 * (index[of->column[i] / 3] - 1) + of->column[i] % 3;
  }
  *m = (LimberMatrix){of->count, row, column, of->value};
  *out = m;
  return 0;
}

static void mark_nodes(const LimberMatrix *m, int *index) {
  for (int i = 0; i < m->count; i++) index[m->row[i] / 3] = index[m->column[i] / 3] = 1;
}

// Whether elements can be made of all cells; with matrices there need not be any.
static bool cells_have_shapes(const Mesh *m, const MeshGroup *g, int dimension) {
  for (int i = 0; i < m->cells; i++)
    if (m->cell[i].dimension == dimension && mesh_has(m, &m->cell[i], g) && m->cell[i].shape == CELL_WITHOUT_SHAPE)
      return false;
  return true;
}

// Nodes of the cells of a group, and the cells where dimensions are asked for; and those of matrices. No node of the
// model is made of them.
static Error TakeMesh(Reader *r, const Mesh *m, const MeshGroup *g, int dimension, LimberMesh *out) {
  int *index, *number, *cell_node;
  double *at;
  LimberCellShape *shape;
  LimberHexahedra *how;
  int nodes = 0, cells = 0, of_cells = 0;
  bool large = m->nodes > 0 && m->node[m->nodes - 1].number > INT_MAX; // then nodes have their places in the file
  bool matrices = dimension == 3 && m->stiffness.count, none = matrices && !cells_have_shapes(m, g, dimension);
  TRY(StoreAllocate(&r->store, (size_t)m->nodes * sizeof *index + 1, &index)); // one more than the place; 0: not used
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (none || (dimension && c->dimension != dimension) || !mesh_has(m, c, g)) continue;
    cells++, of_cells += c->count;
    for (int a = 0; a < c->count; a++) index[m->cell_node[c->first + a]] = 1;
  }
  if (matrices) mark_nodes(&m->stiffness, index), mark_nodes(&m->mass, index);
  for (int i = 0; i < m->nodes; i++)
    if (index[i]) index[i] = ++nodes;
  TRY(StoreAllocate(&r->store, (size_t)nodes * sizeof *number + 1, &number));
  TRY(StoreAllocate(&r->store, (size_t)nodes * 3 * sizeof *at + 1, &at));
  for (int i = 0; i < m->nodes; i++)
    if (index[i])
      number[index[i] - 1] = large ? i : (int)m->node[i].number, vec3_to(m->node[i].at, &at[3 * (index[i] - 1)]);
  *out = (LimberMesh){.nodes = nodes, .number = number, .at = at};
  if (!dimension) return 0;
  if (matrices) TRY(TakeMatrix(r, &m->stiffness, index, &out->stiffness));
  if (matrices) TRY(TakeMatrix(r, &m->mass, index, &out->mass));
  TRY(StoreAllocate(&r->store, (size_t)cells * sizeof *shape + 1, &shape));
  TRY(StoreAllocate(&r->store, (size_t)of_cells * sizeof *cell_node + 1, &cell_node));
  TRY(StoreAllocate(&r->store, (size_t)cells * sizeof *how + 1, &how));
  out->cells = cells, out->shape = shape, out->cell_node = cell_node, out->hexahedra = how;
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (none || c->dimension != dimension || !mesh_has(m, c, g)) continue;
    for (int a = 0; a < c->count; a++) *cell_node++ = index[m->cell_node[c->first + a]] - 1;
    *shape++ = (LimberCellShape)c->shape, *how++ = c->hexahedra;
  }
  return 0;
}

Error ReadMeshField(Reader *r, FieldValue *v, void *out) {
  const Mesh *m = NULL;
  const MeshGroup *group = NULL;
  bool named = true;
  TRY(FindCells(r, v->field, v->tree, &m, &group, &named));
  v->good = v->good && named;
  if (named) TRY(TakeMesh(r, m, group, v->field->count, out));
  return 0;
}
