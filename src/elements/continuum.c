// SPDX-License-Identifier: Apache-2.0
#include "elements/continuum.h"

#include "elements/enhanced.h"
#include "mechanics/shape.h"

Reason continuum_constants(const LimberMaterial *m, double *lambda, double *mu) {
  Reason error = material_error(m);
  if (error.text) return reason_within("material", error);
  *mu = m->G > 0 ? m->G : m->E / (2 * (1 + m->nu));
  double nu = m->G > 0 ? m->E / (2 * m->G) - 1 : m->nu;
  if (!(nu > -1 && nu < 0.5))
    return reason(REASON_VALUE, "material", "its `material` must have -1 < nu < 0.5, or G above E/3");
  *lambda = 2 * *mu * nu / (1 - 2 * nu);
  if (!(m->density > 0))
    return reason(REASON_CONFLICT, "material", "its `material` needs a density: its points have no other mass");
  return no_reason();
}

// -1, 1: how all of a cell is turned; 0: parts of it are inverted, or have no volume.
static int cell_orientation(CellShape s, const Vec3 *at) {
  double n[CELL_NODES];
  Vec3 dn[CELL_NODES], normal, first = vec3_zero();
  int up = 0, count = cell_points(s);
  double size = 0, least;
  for (int a = 1; a < cell_nodes(s); a++) size = fmax(size, vec3_norm(vec3_sub(at[a], at[0])));
  least = 1e-10 * (cell_dimension(s) == 2 ? size * size : size * size * size);
  for (int g = 0; g < count; g++) {
    double w = cell_derive(s, at, g, n, dn, &normal);
    if (g == 0) first = normal;
    if (!(fabs(w) > least)) return 0;
    if (cell_dimension(s) == 2 ? vec3_dot(normal, first) > 0 : w > 0) up++;
  }
  return up == count ? 1 : up == 0 ? -1 : 0;
}

static const char *const formulations[] = {"as_meshed", "full", "enhanced", NULL};
static const char *formulation_word(int i) { return formulations[i]; } // of LimberHexahedra
const FieldMore hexahedra_words = {NULL, formulation_word};

// How a cell deforms; none but hexahedra of 8 nodes has a choice.
static Reason find_formulation(const LimberCells *cells, int i, const ContinuumPlan *plan, LimberHexahedra *out) {
  *out = plan->hexahedra || !cells->hexahedra ? plan->hexahedra : cells->hexahedra[i];
  if (cells->shape[i] != LIMBER_HEXAHEDRON) *out = LIMBER_HEXAHEDRA_FULL;
  if (*out == LIMBER_HEXAHEDRA_ENHANCED && material_is_neo_hookean(plan->material))
    return reason(
        REASON_CONFLICT, "hexahedra",
        "enhanced hexahedra need a linear `material`; with the law neo_hookean use `hexahedra: full`, or cells "
        "with nodes on their edges");
  return no_reason();
}

static Reason build_cell(CellShape s, int index, const LimberNodeId *nodes, const ContinuumPlan *plan,
                         LimberHexahedra how, const Hyper *hyper, ElementBuilder *b) {
  Vec3 x[4], at[CELL_NODES];
  LimberNodeId id[CELL_NODES];
  int count = cell_nodes(s), first[CELL_NODES], vec = 0, blocks = 0, turn = 1;
  double part[CELL_NODES], n[CELL_NODES], volume = 0;
  for (int pass = 0; pass < 2; pass++) { // the second for a cell that is mirrored
    for (int a = 0; a < count; a++) {
      id[a] = nodes[turn < 0 ? cell_mirrored(s, a) : a];
      b->node(b, id[a], x);
      at[a] = x[0];
    }
    if (pass == 0) turn = cell_orientation(s, at);
    if (turn == 0)
      return reason(REASON_GEOMETRY, "mesh",
                    b->say(b, "its cell %d, a %s, has no volume or is an inverted element", index + 1, cell_name(s)));
    if (turn > 0) break;
  }
  for (int a = 0; a < count; a++) {
    NodeKind kind = b->node(b, id[a], x);
    if (id[a].index == GROUND)
      return reason(REASON_VALUE, "mesh", "its nodes must be points or fixed nodes, not the ground");
    first[a] = vec, vec += node_vectors(kind), blocks += node_blocks(kind);
  }
  if (blocks > MAX_LOCAL_BLOCKS)
    return reason(REASON_LIMIT, "mesh", b->say(b, "its cell %d has too many frames: use points", index + 1));
  Continuum *data = b->add_element(b, count, id);
  ContinuumNode *node = data ? b->keep(b, (size_t)count * sizeof *node) : NULL;
  if (!node) return no_reason();
  Vec3 dn[CELL_NODES], normal;
  for (int g = 0; g < cell_points(s); g++) volume += cell_derive(s, at, g, n, dn, &normal);
  cell_masses(s, at, part);
  double mass = plan->material->density * plan->thickness;
  for (int a = 0; a < count; a++) node[a] = (ContinuumNode){at[a], mass * volume * part[a], first[a]};
  *data = (Continuum){s, node, plan->stiffness, hyper, NULL, plan->damping, plan->thickness};
  if (how != LIMBER_HEXAHEDRA_ENHANCED) return no_reason();
  Enhanced *enhanced = b->keep(b, sizeof *enhanced);
  if (!enhanced) return no_reason();
  if (!enhanced_make(at, plan->stiffness, enhanced))
    return reason(REASON_GEOMETRY, "mesh", b->say(b, "its cell %d is too distorted to be enhanced", index + 1));
  data->enhanced = enhanced;
  return no_reason();
}

Reason continuum_build(const LimberCells *cells, int dimension, const ContinuumPlan *plan, ElementBuilder *b) {
  const LimberNodeId *at = cells->nodes;
  Hyper *hyper = NULL;
  if (plan->damping < 0) return reason(REASON_VALUE, "damping", "negative `damping` would create energy");
  if (cells->count < 1) return reason(REASON_VALUE, "mesh", "it has no cells");
  if (material_is_neo_hookean(plan->material)) {
    if (plan->lambda < 0)
      return reason(REASON_VALUE, "material",
                    "its `material` must have nu >= 0, or G <= E/2, with the law neo_hookean");
    hyper = b->keep(b, sizeof *hyper);
    if (!hyper) return no_reason();
    *hyper = hyper_solid(dimension == 3 ? 6 : 3, plan->lambda, plan->mu, plan->plane_stress);
  }
  for (int i = 0; i < cells->count; i++) {
    CellShape s = cells->shape[i];
    if (cell_dimension(s) != dimension)
      return reason(REASON_VALUE, "mesh",
                    b->say(b, "its cell %d is a %s, which has %d dimensions", i + 1, cell_name(s), cell_dimension(s)));
    LimberHexahedra how;
    Reason error = find_formulation(cells, i, plan, &how);
    if (!error.text) error = build_cell(s, i, at, plan, how, hyper, b);
    if (error.text) return error;
    at += cell_nodes(s);
  }
  return no_reason();
}

void continuum_material(const Continuum *c, ElementPoint *p) {
  p->stiffness = c->stiffness, p->damping = c->damping;
  if (c->hyper) p->response = &response_hyper, p->of = c->hyper;
}

int continuum_points(const void *data) { return cell_points(((const Continuum *)data)->shape); }
CellShape continuum_cell(const void *data) { return ((const Continuum *)data)->shape; }

void continuum_visual(const void *data, double at, ElementVisual *out) {
  (void)at;
  visual_cell(out, ((const Continuum *)data)->shape);
}

void continuum_inertia(const void *data, int node, Inertia *out) {
  *out = (Inertia){((const Continuum *)data)->node[node].mass, {0, 0, 0}, {{{0}}}};
}

double continuum_at(const Continuum *c, int g, Vec3 *dn, Vec3 *normal) {
  Vec3 at[CELL_NODES];
  double n[CELL_NODES];
  for (int a = 0; a < cell_nodes(c->shape); a++) at[a] = c->node[a].at;
  return c->thickness * cell_derive(c->shape, at, g, n, dn, normal);
}

void continuum_column(const Continuum *c, const Vec3 *dn, Vec3 axis, Rows *rows) {
  rows_y(rows);
  for (int a = 0; a < cell_nodes(c->shape); a++) rows_y_add(rows, c->node[a].first, vec3_dot(dn[a], axis));
}

void continuum_sheet_axes(Vec3 normal, Vec3 e[2]) {
  double most = fabs(normal.x) > fabs(normal.y) ? normal.x : normal.y;
  if (fabs(normal.z) >= fabs(most)) most = normal.z;
  if (most < 0) normal = vec3_scale(-1, normal); // the same for both ways round the cell
  Vec3 x = fabs(normal.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  e[0] = vec3_unit(vec3_axpy(x, -vec3_dot(x, normal), normal));
  e[1] = vec3_cross(normal, e[0]);
}
