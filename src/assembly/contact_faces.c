// SPDX-License-Identifier: Apache-2.0
// A point of a face is one point of its pair, y = sum_a N_a x_a. The pair is evaluated with that point, and its force and tangent
// go to the nodes of the face: f_a = N_a f, K_ab = N_a N_b K. Equation: eq-contact-faces (22.15).
#include "assembly/contacts.h"
#include "assembly/state_values.h"

bool contact_is_of_face(const SurfacePoint *p) { return p->nnode > 2; }

static const SurfacePoint *face_of(const Layout *layout, const ContactItem *c, int a) {
  if (c->node[a] >= 0) return NULL;
  return model_point(layout->model, a == 0 ? c->point : c->other);
}

static bool node_moves(const Layout *layout, int node) { return model_node(layout->model, node)->kind != NODE_FIXED; }

NodeKind contact_face_kind(const Layout *layout, const SurfacePoint *p) {
  for (int a = 0; a < p->nnode; a++)
    if (node_moves(layout, p->node[a])) return NODE_POINT;
  return NODE_FIXED;
}

void contact_vectors(const Layout *layout, const ContactItem *c, const Vec3 *x, ContactRoom *room, const Vec3 **out) {
  for (int a = 0; a < c->pair.nnode; a++) {
    const SurfacePoint *p = face_of(layout, c, a);
    out[a] = p ? room->x[a] : x + 4 * c->node[a];
    for (int j = 0; j < 4 && p; j++) room->x[a][j] = vec3_zero();
    for (int b = 0; p && b < p->nnode; b++)
      room->x[a][0] = vec3_axpy(room->x[a][0], p->coef[b][0], x[4 * layout->local_node[p->node[b]]]);
  }
}

// Velocity of a node's place and of its axes.
static void node_rates(const Motion *motion, PetscInt i, NodeKind kind, Vec3 *rate) {
  Vec3 x[4], w;
  for (int j = 0; j < 4; j++) rate[j] = vec3_zero();
  if (kind == NODE_FIXED) return;
  motion_node_values(motion, i, x, &rate[0], &w);
  for (int j = 1; j < 4; j++) rate[j] = vec3_cross(w, x[j]);
}

void contact_rates(const Motion *motion, const ContactItem *c, ContactRoom *room, const Vec3 **out) {
  for (int a = 0; a < c->pair.nnode; a++) {
    const SurfacePoint *p = face_of(&motion->layout, c, a);
    out[a] = room->x[a];
    if (!p) node_rates(motion, c->node[a], c->pair.node[a], room->x[a]);
    else node_rates(motion, 0, NODE_FIXED, room->x[a]);
    for (int b = 0; p && b < p->nnode; b++) {
      Vec3 rate[4];
      node_rates(motion, motion->layout.local_node[p->node[b]], model_node(motion->layout.model, p->node[b])->kind,
                 rate);
      room->x[a][0] = vec3_axpy(room->x[a][0], p->coef[b][0], rate[0]);
    }
  }
}

void contact_motion(const Motion *motion, const ContactItem *c, ContactRoom *room, ContactMotion *out) {
  int stages = motion->layout.rule->tableau.s;
  contact_vectors(&motion->layout, c, motion->state.x, room, out->xn);
  for (int a = 0; a < c->pair.nnode; a++) {
    const SurfacePoint *p = face_of(&motion->layout, c, a);
    out->motion[a] = p ? &room->motion[a] : &motion->step.motion[c->node[a] * stages];
    if (!p) continue;
    Vec3 chord = vec3_zero();
    for (int b = 0; b < p->nnode; b++)
      if (node_moves(&motion->layout, p->node[b]))
        chord = vec3_axpy(chord, p->coef[b][0],
                          motion->step.motion[motion->layout.local_node[p->node[b]] * stages].chord[0]);
    room->motion[a].chord[0] = chord, room->motion[a].x[0] = vec3_add(out->xn[a][0], chord);
  }
}

// Blocks of the nodes behind each block of a pair, and their part of it.
typedef struct {
  int count, of[MAX_LOCAL_BLOCKS];
  double part[MAX_LOCAL_BLOCKS];
} Spread;

PetscInt contacts_blocks(const Layout *layout, const ContactItem *c, PetscInt *blocks, int *first) {
  PetscInt count = 0, pair = 0;
  for (int a = 0; a < c->pair.nnode; a++) {
    const SurfacePoint *p = face_of(layout, c, a);
    first[a] = (int)pair, pair += node_blocks(c->pair.node[a]);
    for (int b = 0; b < node_blocks(c->pair.node[a]) && !p; b++) blocks[count++] = layout->node_block[c->node[a]] + b;
    for (int b = 0; p && b < p->nnode; b++)
      if (node_moves(layout, p->node[b])) blocks[count++] = layout->node_block[layout->local_node[p->node[b]]];
  }
  return count;
}

static void find_spread(const Layout *layout, const ContactItem *c, Spread *out) {
  int pair = 0;
  out->count = 0;
  for (int a = 0; a < c->pair.nnode; a++) {
    const SurfacePoint *p = face_of(layout, c, a);
    for (int b = 0; b < node_blocks(c->pair.node[a]) && !p; b++)
      out->of[out->count] = pair + b, out->part[out->count++] = 1;
    for (int b = 0; p && b < p->nnode; b++)
      if (node_moves(layout, p->node[b])) out->of[out->count] = pair, out->part[out->count++] = p->coef[b][0];
    pair += node_blocks(c->pair.node[a]);
  }
}

static bool has_face(const ContactItem *c) {
  for (int a = 0; a < c->pair.nnode; a++)
    if (c->node[a] < 0) return true;
  return false;
}

// From the blocks of the pair to those of the nodes, in place.
static void spread_forces(const Spread *to, int blocks, Local *l) {
  Vec3 r[CONTACT_BLOCKS];
  for (int a = 0; a < blocks; a++) r[a] = vec3_of(l->r + local_at(l, a, 0));
  local_begin(l, l->s, to->count, false);
  for (int a = 0; a < to->count; a++) local_add_vec(l, local_at(l, a, 0), vec3_scale(to->part[a], r[to->of[a]]));
}

static int pair_blocks(const ContactItem *c) {
  int blocks = 0;
  for (int a = 0; a < c->pair.nnode; a++) blocks += node_blocks(c->pair.node[a]);
  return blocks;
}

void contact_evaluate_item(const Layout *layout, const StepContext *step, const ContactItem *c, const ContactMotion *m,
                           const int *first, PairStep *s, Local *out) {
  int blocks = pair_blocks(c);
  local_begin(out, layout->rule->tableau.s, blocks, false);
  contact_evaluate(&c->pair, step->h, m, first, s, out);
  if (!has_face(c)) return;
  Spread to;
  find_spread(layout, c, &to);
  spread_forces(&to, blocks, out);
}

// A contact has rows and columns of stage 0 alone.
static inline void add_to_block(int bs, double part, const double *restrict from, double *restrict to) {
  if (bs == 3 && part == 1) {
    for (int i = 0; i < 8; i++) to[i] += from[i];
    to[8] += from[8];
    return;
  }
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) to[j * bs + i] += part * from[3 * j + i];
}

void contact_add_tangent(const Layout *layout, const MatrixSlots *matrix, const ContactItem *c, const int *slot,
                         const double *k) {
  PetscInt blocks[MAX_LOCAL_BLOCKS];
  int first[CONTACT_NODES], bs = (int)layout->bs, n = pair_blocks(c);
  size_t size = (size_t)(bs * bs);
  Spread to;
  contacts_blocks(layout, c, blocks, first);
  find_spread(layout, c, &to);
  for (int a = 0; a < to.count; a++)
    for (int b = 0; b < to.count && blocks[a] < layout->nblock_own; b++, slot++)
      if (*slot != NO_SLOT)
        add_to_block(bs, to.part[a] * to.part[b], k + 9 * (to.of[a] * n + to.of[b]),
                     *slot < 0 ? matrix->value[1] + size * (size_t) ~*slot : matrix->value[0] + size * (size_t)*slot);
}
