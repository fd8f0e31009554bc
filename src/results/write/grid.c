// SPDX-License-Identifier: Apache-2.0
// Builds points, cells and names of a model for visualisation (grid.h).
#include "results/write/grid.h"

#include <string.h>

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_POLY_LINE = 4, XDMF_VERTEX = 1, XDMF_LINE = 2 };

// VTK and XDMF types of cells with a shape.
static const struct {
  uint8_t vtk, xdmf;
} shapes[CELL_SHAPES] = {
    [LIMBER_TETRAHEDRON] = {10, 6}, [LIMBER_HEXAHEDRON] = {12, 9},   [LIMBER_TETRAHEDRON_10] = {24, 38},
    [LIMBER_TRIANGLE] = {5, 4},     [LIMBER_QUADRILATERAL] = {9, 5}, [LIMBER_HEXAHEDRON_20] = {25, 48},
};

// The points of a cell: its nodes except the ground.
static int points_of(const int *node, int nnode, int64_t *point) {
  int n = 0;
  for (int a = 0; a < nnode; a++)
    if (node[a] != GROUND) point[n++] = node[a] - 1;
  return n;
}

// The nodes of the k-th cell of an element.
static int nodes_of(const ElementKind *kind, int nnode, int k, int *from) {
  *from = nnode > 1 ? k : 0;
  return kind->drawing.cell ? nnode : nnode > 1 ? 2 : 1;
}

bool grid_has_cell(const ElementKind *kind, const void *data, const int *node, int nnode, int k) {
  int from, n = nodes_of(kind, nnode, k, &from);
  if (element_mesh(kind, data)) return true;
  return node[from] != GROUND || (n > 1 && node[from + 1] != GROUND);
}

typedef struct {
  PetscInt component;
  int kind, point;
  int shape; // -1: a line or a vertex
} GridCell;

// Adds a cell, or counts it if there are no arrays yet.
static void add_cell(Grid *g, const int *node, int nnode, GridCell cell) {
  int64_t point[MAX_LOCAL_NODES];
  int n = points_of(node, nnode, point);
  if (!n) return;
  if (g->types) {
    memcpy(g->connectivity + g->ids, point, (size_t)n * sizeof *point);
    g->offsets[g->cells + 1] = g->ids + n;
    int line = n == 1 ? VTK_VERTEX : n == 2 ? VTK_LINE : VTK_POLY_LINE;
    g->types[g->cells] = cell.shape < 0 ? (uint8_t)line : shapes[cell.shape].vtk;
    g->component[g->cells] = (int32_t)cell.component, g->kind[g->cells] = cell.kind, g->point[g->cells] = cell.point;
    int64_t *mixed = g->mixed + g->mixed_length;
    mixed[0] = cell.shape >= 0 ? shapes[cell.shape].xdmf : n == 1 ? XDMF_VERTEX : XDMF_LINE;
    if (cell.shape < 0) mixed[1] = n; // XDMF knows the number of points of a shape
    memcpy(mixed + 1 + (cell.shape < 0), point, (size_t)n * sizeof *point);
  }
  g->cells++, g->ids += n, g->mixed_length += n + 1 + (cell.shape < 0);
}

// The cells of a mesh that an element carries; `first`: its first point among those of the grid.
static void add_carried(Grid *g, const CarriedMesh *m, PetscInt first, PetscInt component, int kind) {
  int node[CARRIED_NODES];
  for (int k = 0; k < m->cells; k++) {
    const CarriedCell *c = &m->cell[k];
    for (int a = 0; a < c->nnode; a++) node[a] = (int)first + 1 + c->node[a]; // as if they were nodes of the model
    add_cell(g, node, c->nnode, (GridCell){component, kind, -1, (int)c->kind->drawing.cell(c->data)});
  }
}

static int element_kind_index(const ElementKind *kind) {
  int i = 0;
  while (element_kinds[i] != kind) i++;
  return i;
}

// The inertia of coordinates and interfaces have indices after the catalogue.
static int joint_kind_index(const JointKind *kind) {
  int i = 0, n = 0;
  while (element_kinds[n]) n++;
  while (joint_kinds[i] && joint_kinds[i] != kind) i++;
  return n + i + (kind == &joint_interface) + 2 * (kind == &joint_interface_rotation);
}

static const JointKind *joint_kind_at(PetscInt i) {
  int n = 0;
  while (joint_kinds[n]) n++;
  if (i < n) return joint_kinds[i];
  return i == n ? &joint_coordinate_inertia : i == n + 1 ? &joint_interface : &joint_interface_rotation;
}

static void add_cells(Model m, Grid *g) {
  PetscInt carried = m->nodes.count - 1;
  g->cells = g->ids = g->mixed_length = 0;
  for (PetscInt e = 0, component = -1, before = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    const int *node = model_element_nodes(m, el);
    int points = el->kind->points(el->data);
    const CarriedMesh *mesh = element_mesh(el->kind, el->data);
    if (el->component != component) component = el->component, before = 0; // points are numbered along the item
    if (g->first) g->first[e] = g->cells;
    if (mesh) add_carried(g, mesh, carried, component, element_kind_index(el->kind)), carried += mesh->points;
    for (int k = 0; !mesh && k < element_cells(el->kind, el->data, el->nnode); k++) {
      int from, n = nodes_of(el->kind, el->nnode, k, &from), last = el->nnode - 1;
      GridCell cell = {component, element_kind_index(el->kind), k < points ? (int)before + k : -1,
                       el->kind->drawing.cell ? (int)el->kind->drawing.cell(el->data) : -1};
      if (cell.shape >= 0) n = cell_nodes((CellShape)cell.shape);
      bool face = el->kind->body && last > 1; // a face of a body of points
      int corner[3] = {node[0]};
      for (int c = 1; c < 3 && face; c++) corner[c] = node[1 + (k + c - 1) % last], cell.shape = LIMBER_TRIANGLE;
      add_cell(g, face ? corner : node + from, face ? 3 : n, cell);
    }
    before += points;
  }
  for (PetscInt j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    if (g->first) g->first[m->elements.count + j] = g->cells;
    GridCell cell = {m->components.count + j, joint_kind_index(q->kind), -1, -1};
    int still[2] = {q->node[q->last], q->node[q->last]}; // bodies are drawn: the joint is a line of length zero
    if (still[0] == GROUND) still[0] = still[1] = q->node[0];
    bool short_line = q->bodies || model_joint_is_abstract(q);
    add_cell(g, short_line ? still : q->node, short_line ? 2 : q->nnode, cell);
  }
  if (g->first) g->first[m->elements.count + m->joints.count] = g->cells;
}

PetscErrorCode GridCreate(Model m, Grid *g) {
  PetscFunctionBegin;
  memset(g, 0, sizeof *g);
  g->points = m->nodes.count - 1 + model_mesh_points(m);
  add_cells(m, g);
  PetscCall(PetscMalloc4(g->ids, &g->connectivity, g->cells + 1, &g->offsets, g->cells, &g->types, g->mixed_length,
                         &g->mixed));
  PetscCall(PetscMalloc4(g->cells, &g->component, g->cells, &g->kind, g->cells, &g->point,
                         m->elements.count + m->joints.count + 1, &g->first));
  g->offsets[0] = 0;
  add_cells(m, g);
  PetscFunctionReturn(0);
}

PetscErrorCode GridDestroy(Grid *g) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(g->connectivity, g->offsets, g->types, g->mixed));
  PetscCall(PetscFree4(g->component, g->kind, g->point, g->first));
  PetscFunctionReturn(0);
}

// ---- names ----

typedef void (*NameOf)(void *self, PetscInt i, char *text, size_t size);

// Two passes: find the longest name, then write all.
static PetscErrorCode MakeNames(PetscInt count, NameOf name, void *self, GridNames *out) {
  char text[512];
  PetscFunctionBegin;
  out->count = count, out->length = 1;
  for (PetscInt i = 0; i < count; i++) {
    name(self, i, text, sizeof text);
    out->length = PetscMax(out->length, strlen(text));
  }
  PetscCall(PetscCalloc1((size_t)count * out->length + 1, &out->text));
  for (PetscInt i = 0; i < count; i++) {
    name(self, i, text, sizeof text);
    memcpy(out->text + (size_t)i * out->length, text, strlen(text));
  }
  PetscFunctionReturn(0);
}

typedef struct {
  Model m;
  PetscInt first; // first node created by the current item
} Points;

// "rod.17": the number in the file of the mesh.
static void name_carried(Model m, PetscInt point, char *text, size_t size) {
  ModelMesh it = {.element = -1};
  while (model_next_mesh(m, &it) && point >= it.first + it.mesh->points) continue;
  const ModelComponent *component = model_component(m, model_element(m, it.element)->component);
  snprintf(text, size, "%s.%d", component->name ? component->name : component->kind->name,
           it.mesh->number[point - it.first]);
}

static void name_point(void *self, PetscInt i, char *text, size_t size) {
  Points *p = self;
  PetscInt node = i + 1;
  if (node >= p->m->nodes.count) {
    name_carried(p->m, node - p->m->nodes.count, text, size);
    return;
  }
  const ModelNode *n = model_node(p->m, node);
  if (i == 0 || n->component < 0 || model_node(p->m, node - 1)->component != n->component) p->first = node;
  if (n->name || n->component < 0) {
    snprintf(text, size, "%s", n->name ? n->name : "");
    return;
  }
  const ModelComponent *component = model_component(p->m, n->component);
  bool given =
      model_element_nodes(p->m, model_element(p->m, component->first))[0] != p->first; // starts at a node of the user
  snprintf(text, size, "%s.%d", component->name ? component->name : component->kind->name,
           (int)(node - p->first) + given);
}

PetscErrorCode GridNamePoints(Model m, GridNames *out) {
  Points p = {m, 0};
  PetscFunctionBegin;
  PetscCall(MakeNames(m->nodes.count - 1 + model_mesh_points(m), name_point, &p, out));
  PetscFunctionReturn(0);
}

static void name_component(void *self, PetscInt i, char *text, size_t size) {
  Model m = *(Model *)self;
  bool joint = i >= m->components.count;
  const char *name = joint ? model_joint(m, i - m->components.count)->name : model_component(m, i)->name;
  const char *kind = joint ? model_joint(m, i - m->components.count)->kind->name : model_component(m, i)->kind->name;
  snprintf(text, size, "%s", name ? name : kind);
}

PetscErrorCode GridNameComponents(Model m, GridNames *out) {
  PetscFunctionBegin;
  PetscCall(MakeNames(m->components.count + m->joints.count, name_component, &m, out));
  PetscFunctionReturn(0);
}

static PetscInt count_kinds(PetscInt *elements) {
  PetscInt joints = 0;
  *elements = 0;
  while (element_kinds[*elements]) ++*elements;
  while (joint_kinds[joints]) joints++;
  return *elements + joints + 2;
}

static void name_kind(void *self, PetscInt i, char *text, size_t size) {
  PetscInt elements;
  (void)self, count_kinds(&elements);
  snprintf(text, size, "%s", i < elements ? element_kinds[i]->name : joint_kind_at(i - elements)->name);
}

PetscErrorCode GridNameKinds(GridNames *out) {
  PetscInt elements;
  PetscFunctionBegin;
  PetscCall(MakeNames(count_kinds(&elements), name_kind, NULL, out));
  PetscFunctionReturn(0);
}

typedef struct {
  PetscInt elements;
  const int *rows; // of each kind
} RowCounts;

static void name_rows(void *self, PetscInt i, char *text, size_t size) {
  const RowCounts *c = self;
  bool joint = i >= c->elements;
  const char *const *name = joint ? joint_kind_at(i - c->elements)->row_names : element_kinds[i]->output.row_names;
  const char *const *unit = joint ? joint_kind_at(i - c->elements)->row_units : element_kinds[i]->output.row_units;
  text[0] = 0;
  for (int r = 0; r < c->rows[i]; r++)
    snprintf(text + strlen(text), size - strlen(text), "%s%s [%s]", r ? ", " : "", name[r], unit[r]);
}

PetscErrorCode GridNameRows(Model m, GridNames *out) {
  RowCounts c;
  PetscInt count = count_kinds(&c.elements);
  int *rows;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count, &rows));
  for (PetscInt e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    int k = element_kind_index(el->kind);
    ElementPoint p = {0};
    if (rows[k] || !el->kind->points(el->data)) continue;
    el->kind->point(el->data, 0, &p);
    rows[k] = p.rows.nrow;
  }
  for (PetscInt j = 0; j < m->joints.count; j++)
    rows[joint_kind_index(model_joint(m, j)->kind)] =
        PetscMax(rows[joint_kind_index(model_joint(m, j)->kind)], model_joint(m, j)->joint.rows.nrow);
  c.rows = rows;
  PetscCall(MakeNames(count, name_rows, &c, out));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(0);
}
