// SPDX-License-Identifier: Apache-2.0
// Builds the solid elements of a mesh without a model, and reduces them (mechanics/reduction.h).
#include "base/limits.h"
#include "mechanics/reduction.h"
#include "mechanics/shape.h"
#include "model/adders.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  LimberModel model;
  Store scratch;
  const LimberMesh *mesh;
  const ElementKind *kind;
  ReductionElement *element;
  int count, most;
  bool too_many_nodes;
  Error error;
} Building;

// Cells live as long as the model: stresses need them.
static void *keep_cell(ElementBuilder *b, size_t size) {
  Building *q = b->self;
  void *out = NULL;
  if (!q->error) q->error = ModelAllocate(q->model, size ? size : 1, &out);
  return q->error ? NULL : out;
}

static NodeKind mesh_node(ElementBuilder *b, LimberNodeId id, Vec3 x[4]) {
  const Building *q = b->self;
  x[0] = vec3_of(&q->mesh->at[3 * (id.index - 1)]), x[1] = x[2] = x[3] = vec3_zero();
  return NODE_POINT;
}

static void *mesh_element(ElementBuilder *b, int nnode, const LimberNodeId *nodes) {
  Building *q = b->self;
  int *node = keep_cell(b, (size_t)nnode * sizeof *node);
  void *data = keep_cell(b, q->kind->data_size);
  if (nnode > REDUCED_NODES) q->too_many_nodes = true;
  if (!node || !data || q->count >= q->most || q->too_many_nodes) return NULL;
  for (int a = 0; a < nnode; a++) node[a] = nodes[a].index - 1;
  q->element[q->count++] = (ReductionElement){q->kind, data, nnode, node};
  return data;
}

static const char *mesh_say(ElementBuilder *b, const char *format, ...) {
  char text[400];
  const char *out = NULL;
  Building *q = b->self;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!q->error) q->error = ModelCopyString(q->model, text, &out);
  return out;
}

// Indices of an interface's nodes among those of the mesh, both by growing numbers.
static Error FindNodes(Building *q, const LimberInterface *of, const Vec3 *at, ReductionInterface *out, Reason *wrong) {
  int *node;
  TRY(ModelAllocate(q->model, (size_t)of->group.nodes * sizeof *node + 1, &node));
  *out = (ReductionInterface){of->group.nodes, node, *at, of->node.index, of->kind == LIMBER_INTERFACE_AVERAGING};
  for (int i = 0, k = 0; i < of->group.nodes; i++) {
    while (k < q->mesh->nodes && q->mesh->number[k] < of->group.number[i]) k++;
    bool same = k < q->mesh->nodes && q->mesh->number[k] == of->group.number[i];
    for (int c = 0; c < 3; c++) same = same && q->mesh->at[3 * k + c] == of->group.at[3 * i + c];
    if (!same)
      *wrong = reason(REASON_VALUE, "interfaces", "the cells of its `mesh` do not have all nodes of an interface");
    else node[i] = k;
  }
  return 0;
}

// Whether the cells, as a program may have made them, have known shapes and nodes that are there; the number of nodes of
// all.
static bool count_nodes(const LimberMesh *m, int *ids) {
  const int *node = m->cell_node;
  *ids = 0;
  for (int i = 0; i < m->cells; i++) {
    if ((int)m->shape[i] < 0 || (int)m->shape[i] >= CELL_SHAPES || *ids > INT_MAX / 2) return false;
    for (int a = 0; a < cell_nodes(m->shape[i]); a++, node++, ++*ids)
      if (*node < 0 || *node >= m->nodes) return false;
  }
  return true;
}

// Every node belongs to a cell: no others are in the lists of the reader; a program may have made others.
static bool nodes_are_used(Building *q, bool *used) {
  for (int i = 0; i < q->count; i++)
    for (int a = 0; a < q->element[i].nnode; a++) used[q->element[i].node[a]] = true;
  for (int i = 0; i < q->mesh->nodes; i++)
    if (!used[i]) return false;
  return true;
}

// The mesh for output, with the cells at each node.
static Error KeepMesh(Building *q, const Vec3 *at, Reduction *r) {
  int nodes = q->mesh->nodes, *number, *start, *ring;
  TRY(ModelAllocate(q->model, (size_t)nodes * sizeof *number, &number));
  TRY(ModelAllocate(q->model, (size_t)(nodes + 2) * sizeof *start, &start));
  memcpy(number, q->mesh->number, (size_t)nodes * sizeof *number);
  for (int i = 0; i < q->count; i++)
    for (int a = 0; a < q->element[i].nnode; a++) start[q->element[i].node[a] + 2]++;
  for (int i = 2; i <= nodes + 1; i++) start[i] += start[i - 1];
  TRY(ModelAllocate(q->model, (size_t)start[nodes + 1] * sizeof *ring, &ring));
  for (int i = 0; i < q->count; i++)
    for (int a = 0; a < q->element[i].nnode; a++) ring[start[q->element[i].node[a] + 1]++] = i;
  r->mesh = (CarriedMesh){.points = nodes,
                          .cells = q->count,
                          .nodes = r->points,
                          .number = number,
                          .at = at,
                          .cell = q->element,
                          .weight = r->function,
                          .strains = r->rows,
                          .mode = r->mode,
                          .start = start,
                          .ring = ring,
                          .reduction = r};
  return 0;
}

static bool material_is_none(const LimberMaterial *m) { return m->E == 0 && m->G == 0 && m->density == 0; }

static Error MakeMatrices(Building *q, const LimberReducedBody *p, ReductionMesh *mesh, Reason *wrong) {
  ReductionMatrices *out;
  char text[400];
  const char *copy;
  TRY(ModelAllocate(q->model, sizeof *out, &out));
  const char *said = model_make_matrices(p->mesh.stiffness, p->mesh.mass, mesh->nodes, mesh->at, p->mesh.number,
                                         (Allocator){allocate_of_store, &q->model->store},
                                         (Allocator){allocate_of_store, &q->scratch}, out, text, sizeof text);
  mesh->matrices = out;
  if (!said) return 0;
  TRY(ModelCopyString(q->model, said, &copy));
  *wrong = reason(REASON_VALUE, "mesh", copy);
  return 0;
}

static Error Reduce(Building *q, const LimberReducedBody *p, Reduction *out, Reason *wrong) {
  LimberNodeId *id;
  Vec3 *at;
  bool *used;
  ReductionInterface *interface;
  int ids;
  if (!count_nodes(&p->mesh, &ids)) {
    *wrong = reason(REASON_VALUE, "mesh", "a cell of its mesh has a shape or a node that is not there");
    return 0;
  }
  // without a material the matrices do without the cells
  bool cells = p->mesh.cells > 0 && !(p->mesh.stiffness && material_is_none(&p->material));
  TRY(StoreAllocate(&q->scratch, (size_t)ids * sizeof *id + 1, &id));
  TRY(ModelAllocate(q->model, (size_t)p->mesh.nodes * sizeof *at + 1, &at));
  TRY(StoreAllocate(&q->scratch, (size_t)p->mesh.nodes * sizeof *used + 1, &used));
  TRY(ModelAllocate(q->model, (size_t)p->mesh.cells * sizeof *q->element + 1, &q->element));
  TRY(ModelAllocate(q->model, (size_t)p->interfaces * sizeof *interface + 1, &interface));
  for (int i = 0; i < ids; i++) id[i].index = p->mesh.cell_node[i] + 1; // 0 is the ground
  for (int i = 0; i < p->mesh.nodes; i++) at[i] = vec3_of(&p->mesh.at[3 * i]);
  LimberSolid solid = {.cells = {p->mesh.shape, id, p->mesh.cells, p->mesh.hexahedra},
                       .material = p->material,
                       .hexahedra = p->hexahedra};
  ElementBuilder b = {
      .self = q, .node = mesh_node, .add_element = mesh_element, .keep = keep_cell, .say = mesh_say, .most = q->most};
  if (cells) *wrong = q->kind->build(&solid, &b);
  TRY(q->error);
  if (wrong->text) return 0;
  if (q->too_many_nodes)
    *wrong = reason(REASON_LIMIT, "mesh", "its cells have more nodes than a reduced body can take");
  else if (!p->mesh.stiffness && !nodes_are_used(q, used))
    *wrong = reason(REASON_VALUE, "mesh", "its mesh has a node that belongs to no cell");
  for (int k = 0; k < p->interfaces && !wrong->text; k++)
    TRY(FindNodes(q, &p->interface[k], &model_node(q->model, p->interface[k].node.index)->x[0], &interface[k], wrong));
  if (wrong->text) return 0;
  ReductionMesh mesh = {p->mesh.nodes, q->count, p->interfaces, p->modes, at, q->element, interface, NULL};
  if (p->mesh.stiffness) TRY(MakeMatrices(q, p, &mesh, wrong));
  if (wrong->text) return 0;
  KeptValue kept = {0};
  const char *text = NULL;
  bool keep = is_reduction_kept(q->model, &mesh), found = false;
  if (keep) TRY(MakeReductionKey(&q->scratch, p, &mesh, &kept));
  if (keep) TRY(FindReduction(q->model, &mesh, &kept, out, &found));
  if (!found)
    text = reduction_compute(&mesh, LIMIT_REDUCED_WORK - q->model->reduction_work,
                             (Allocator){allocate_of_store, &q->model->store},
                             (Allocator){allocate_of_store, &q->scratch}, out);
  if (keep && !found && !text) TRY(KeepReduction(q->model, &q->scratch, &mesh, out, &kept));
  q->model->reduction_work += out->work;
  if (text) *wrong = reason(REASON_VALUE, "mesh", text);
  else out->source = mesh;
  if (!text) TRY(KeepMesh(q, at, out));
  return 0;
}

Error ModelReduce(LimberModel m, const LimberReducedBody *p, const Reduction **out, Reason *wrong) {
  Building q = {.model = m, .mesh = &p->mesh, .most = p->mesh.cells};
  Reduction *r;
  *out = NULL;
  FIND_KIND(element_kinds, "solid", q.kind);
  TRY(ModelAllocate(m, sizeof *r, &r));
  if (p->mesh.cells < 1 && !p->mesh.stiffness)
    *wrong = reason(REASON_VALUE, "mesh", "it has neither cells nor matrices");
  else if (!p->mesh.stiffness != !p->mesh.mass)
    *wrong = reason(REASON_VALUE, "mesh", "a mesh has both matrices, `stiffness` and `mass`, or none");
  else if (material_is_neo_hookean(&p->material)) *wrong = reason(REASON_VALUE, "material", material_linear_only);
  else TRY(Reduce(&q, p, r, wrong));
  TRY(StoreDestroy(&q.scratch));
  if (!wrong->text) *out = r;
  return 0;
}
