// SPDX-License-Identifier: Apache-2.0
// Tangents of contacts side by side, pairs of one kind between nodes of the same kinds: in vectors of half the width,
// as many models have few pairs.
// Equations: eq-contact-gap (22.1), eq-contact-pressure (22.2), eq-contact-stick (22.5).
#define NARROW_BATCH
#include "mechanics/batch3.h"
#include "mechanics/contact.h"

typedef struct { // as PairStep begins
  Batch3 yk[CONTACT_Y], mean[CONTACT_Y];
  BatchReal gn, gk, c[CONTACT_PRODUCTS], dc[CONTACT_PRODUCTS][CONTACT_PRODUCTS], end[CONTACT_PRODUCTS];
  BatchReal elastic, pressure, rate;
  Batch3 traction;
  Batch9 by_slip;
  Batch3 by_pressure;
} BatchPairStep;
_Static_assert(sizeof(BatchPairStep) == 59 * sizeof(BatchReal) && offsetof(PairStep, friction) == 59 * sizeof(double),
               "as PairStep");

enum { // numbers of a step after its vectors: of the gap, and with friction
  OF_GAP = (offsetof(BatchPairStep, traction) - offsetof(BatchPairStep, gn)) / sizeof(BatchReal),
  WITH_FRICTION = (sizeof(BatchPairStep) - offsetof(BatchPairStep, gn)) / sizeof(BatchReal)
};

// How a vector y moves with a node: dy = weight du - arm x spin dc; a force f on y works weight f on u, lever x f on c.
typedef struct {
  BatchReal weight;
  Batch3 lever, arm;
  Batch3 start; // the arm by which the lever changes: that at t_n where the lever is that of a chord
  bool turns;   // it turns with the node in some lane
} BatchPart;

// Numbers of the displacements and rotations of the nodes.
typedef struct {
  Batch3 of[CONTACT_NODES][2];
} BatchPairRow;

typedef struct {
  const ContactTangent *of[LANES];
  const GapKind *kind; // this and the nodes are those of all lanes
  int nnode, nblock, block[CONTACT_NODES];
  bool moves[CONTACT_NODES], frame[CONTACT_NODES];
  ForceRule force_rule;
  BatchPairStep s;
  Batch3 xn[CONTACT_NODES][4];
  BatchMotion motion[CONTACT_NODES];
  BatchPart y[CONTACT_Y][CONTACT_NODES], slip[CONTACT_NODES];
  Batch9 k[CONTACT_BLOCKS * CONTACT_BLOCKS]; // transposed
} BatchPair;

// ---- what the tangent is made of ----

INLINE void find_parts(const BatchPair *p, const ContactVector *const y[LANES], BatchPart *out) {
  const double *from[LANES];
  BatchReal coef[CONTACT_NODES][4];
  for (int l = 0; l < LANES; l++) from[l] = y[l]->coef[0];
  batch_gather(from, 4 * p->nnode, coef[0]);
  for (int a = 0; a < p->nnode; a++) {
    BatchPart part = {p->moves[a] ? coef[a][0] : batch_fill(0), batch3_zero(), batch3_zero(), batch3_zero(), false};
    for (int l = 0; l < LANES && p->frame[a]; l++)
      part.turns = part.turns || from[l][4 * a + 1] != 0 || from[l][4 * a + 2] != 0 || from[l][4 * a + 3] != 0;
    for (int j = 1; j < 4 && part.turns; j++) {
      const BatchMotion *m = &p->motion[a];
      part.lever = batch3_axpy(part.lever, coef[a][j], m->rho[j]),
      part.arm = batch3_axpy(part.arm, coef[a][j], m->x[j]);
      if (p->force_rule == FORCE_CHORD) part.start = batch3_axpy(part.start, coef[a][j], p->xn[a][j]);
    }
    if (p->force_rule != FORCE_CHORD) part.start = part.arm;
    out[a] = part;
  }
}

// The vectors that the kind of gap has, the gap and the pressure, and friction where there is some.
INLINE void gather_steps(BatchPair *p, bool friction) {
  const double *from[LANES], *step[LANES];
  for (int l = 0; l < LANES; l++) step[l] = &p->of[l]->step.yk[0].x;
  for (int first = 0; first < 2; first++) {
    for (int l = 0; l < LANES; l++) from[l] = step[l] + 3 * CONTACT_Y * first;
    batch_gather(from, 3 * p->kind->ny, first ? &p->s.mean[0].x : &p->s.yk[0].x);
  }
  for (int l = 0; l < LANES; l++) from[l] = step[l] + 6 * CONTACT_Y;
  batch_gather(from, friction ? WITH_FRICTION : OF_GAP, &p->s.gn);
}

INLINE void gather_pairs(int filled, ContactTangent *const list[LANES], bool friction, BatchPair *p) {
  const ContactPair *pair = list[0]->pair;
  const ContactVector *y[LANES];
  const double *from[LANES];
  p->kind = pair->kind, p->nnode = pair->nnode, p->nblock = 0;
  for (int l = 0; l < LANES; l++) p->of[l] = list[l < filled ? l : 0];
  gather_steps(p, friction);
  for (int a = 0; a < p->nnode; a++) {
    p->moves[a] = pair->node[a] != NODE_FIXED, p->frame[a] = pair->node[a] == NODE_FRAME;
    p->block[a] = p->nblock, p->nblock += node_blocks(pair->node[a]);
    if (!p->frame[a]) continue;
    for (int l = 0; l < LANES; l++) from[l] = &p->of[l]->motion.motion[a]->x[0].x;
    batch_gather(from, 36, &p->motion[a].x[0].x);
    for (int l = 0; l < LANES; l++) from[l] = &p->of[l]->motion.xn[a]->x;
    if (p->force_rule == FORCE_CHORD) batch_gather(from, 12, &p->xn[a][0].x);
  }
  for (int i = 0; i < p->kind->ny; i++) {
    for (int l = 0; l < LANES; l++) y[l] = &p->of[l]->pair->y[i];
    find_parts(p, y, p->y[i]);
  }
  for (int i = 0; i < p->nblock * p->nblock; i++) p->k[i] = batch9_zero();
}

// ---- parts of the tangent ----

INLINE Batch9 *block_at(BatchPair *p, int a, int i, int b, int j) {
  return &p->k[(p->block[a] + i) * p->nblock + p->block[b] + j];
}

INLINE void add_block(Batch9 *to, Batch9 m) { *to = batch9_add(*to, batch9_transpose(m)); }

// v x the columns of m
INLINE Batch9 cross_columns(Batch3 v, Batch9 m) {
  return (Batch9){batch3_sub(batch3_scale(v.y, m.z), batch3_scale(v.z, m.y)),
                  batch3_sub(batch3_scale(v.z, m.x), batch3_scale(v.x, m.z)),
                  batch3_sub(batch3_scale(v.x, m.y), batch3_scale(v.y, m.x))};
}

// d y / d c of a vector that turns with a node.
INLINE Batch9 find_turn(const BatchPair *p, const BatchPart *y, int a) {
  return cross_columns(batch3_scale(batch_fill(-1), y[a].arm), p->motion[a].spin);
}

INLINE void clear_row(BatchPairRow *out) {
  for (int a = 0; a < CONTACT_NODES; a++) out->of[a][0] = out->of[a][1] = batch3_zero();
}

INLINE void add_work(const BatchPair *p, const BatchPart *y, Batch3 f, BatchPairRow *out) {
  for (int a = 0; a < p->nnode; a++) {
    out->of[a][0] = batch3_axpy(out->of[a][0], y[a].weight, f);
    if (y[a].turns) out->of[a][1] = batch3_add(out->of[a][1], batch3_cross(y[a].lever, f));
  }
}

// sum_m f_m d p_m / d y_i at the vectors y
INLINE void find_gradient(const GapKind *kind, const BatchReal *f, const Batch3 *y, Batch3 *out) {
  for (int i = 0; i < kind->ny; i++) out[i] = batch3_zero();
  for (int m = 0; m < kind->nproduct; m++) {
    int b = kind->product[m];
    out[0] = batch3_axpy(out[0], f[m], y[b]), out[b] = batch3_axpy(out[b], f[m], y[0]);
  }
}

// The derivatives of sum_i w_i . y_i by the unknowns.
INLINE void find_derivatives(const BatchPair *p, const Batch3 *w, BatchPairRow *out) {
  clear_row(out);
  for (int a = 0; a < p->nnode; a++) {
    Batch3 turn = batch3_zero();
    bool turns = false;
    for (int i = 0; i < p->kind->ny; i++) {
      out->of[a][0] = batch3_axpy(out->of[a][0], p->y[i][a].weight, w[i]);
      if (p->y[i][a].turns) turn = batch3_add(turn, batch3_cross(p->y[i][a].arm, w[i])), turns = true;
    }
    if (turns) out->of[a][1] = batch9_row(turn, p->motion[a].spin);
  }
}

INLINE void add_product(BatchPair *p, const BatchPairRow *row, const BatchPairRow *column) {
  for (int a = 0; a < p->nnode; a++)
    for (int i = 0; i < p->moves[a] + p->frame[a]; i++)
      for (int b = 0; b < p->nnode; b++)
        for (int j = 0; j < p->moves[b] + p->frame[b]; j++) {
          Batch9 *to = block_at(p, a, i, b, j);
          *to = batch9_outer(*to, column->of[b][j], row->of[a][i]);
        }
}

// Adds the 3 x 3 matrix k between the forces on y and the change of z.
INLINE void add_matrix(BatchPair *p, const BatchPart *y, const BatchPart *z, Batch9 k) {
  for (int b = 0; b < p->nnode; b++) {
    Batch9 column[2] = {batch9_scale(z[b].weight, k), batch9_zero()};
    if (z[b].turns) column[1] = batch9_mul(k, find_turn(p, z, b));
    for (int a = 0; a < p->nnode; a++)
      for (int j = 0; j < p->moves[b] + z[b].turns && p->moves[a]; j++) {
        add_block(block_at(p, a, 0, b, j), batch9_scale(y[a].weight, column[j]));
        if (y[a].turns) add_block(block_at(p, a, 1, b, j), cross_columns(y[a].lever, column[j]));
      }
  }
}

// The same of the matrix f I.
INLINE void add_scalar(BatchPair *p, const BatchPart *y, const BatchPart *z, BatchReal f) {
  for (int b = 0; b < p->nnode; b++) {
    Batch9 turn = batch9_zero();
    BatchReal weight = f * z[b].weight;
    if (!p->moves[b]) continue;
    if (z[b].turns) turn = batch9_scale(f, find_turn(p, z, b));
    for (int a = 0; a < p->nnode; a++) {
      if (!p->moves[a]) continue;
      Batch9 *to = block_at(p, a, 0, b, 0);
      *to = batch9_shift(*to, y[a].weight * weight);
      if (z[b].turns) add_block(block_at(p, a, 0, b, 1), batch9_scale(y[a].weight, turn));
      if (y[a].turns) add_block(block_at(p, a, 1, b, 0), batch9_cross(batch3_scale(weight, y[a].lever)));
      if (y[a].turns && z[b].turns) add_block(block_at(p, a, 1, b, 1), cross_columns(y[a].lever, turn));
    }
  }
}

// The change of the forces -N c_m as the vectors y_0 and y_b turn: products of y_0 with itself and with
// z = sum_m c_m y_b / 2.
INLINE void add_turning(BatchPair *p) {
  BatchPart z[CONTACT_NODES];
  bool others = false;
  for (int a = 0; a < p->nnode; a++)
    z[a] = (BatchPart){batch_fill(0), batch3_zero(), batch3_zero(), batch3_zero(), false};
  for (int q = 0; q < p->kind->nproduct; q++) {
    const BatchPart *with = p->y[p->kind->product[q]];
    BatchReal half = batch_fill(0.5) * p->s.c[q];
    if (with == p->y[0]) add_scalar(p, p->y[0], p->y[0], -p->s.pressure * p->s.c[q]);
    for (int a = 0; a < p->nnode && with != p->y[0]; a++) {
      z[a].weight += half * with[a].weight, z[a].turns = z[a].turns || with[a].turns;
      z[a].lever = batch3_axpy(z[a].lever, half, with[a].lever), z[a].arm = batch3_axpy(z[a].arm, half, with[a].arm);
      others = others || p->moves[a];
    }
  }
  if (!others) return;
  add_scalar(p, p->y[0], z, -p->s.pressure);
  add_scalar(p, z, p->y[0], -p->s.pressure);
}

INLINE bool are_zero(BatchReal a) {
  for (int l = 0; l < LANES; l++)
    if (a[l] != 0) return false;
  return true;
}

// The resisting force is -N sum_m c_m B_m with the gradients B_m of the products at the mean vectors; N and c_m change
// with the products at the end.
INLINE void add_gap_tangent(BatchPair *p) {
  const GapKind *kind = p->kind;
  for (int q = 0; q < kind->nproduct; q++) {
    BatchReal rate[CONTACT_PRODUCTS];
    Batch3 by[CONTACT_Y];
    BatchPairRow force, change;
    bool changes = kind->nproduct == 1;
    for (int l = 0; l < kind->nproduct; l++) {
      rate[l] = -p->s.rate * p->s.c[q] * p->s.end[l] - p->s.pressure * p->s.dc[q][l];
      changes = changes || !are_zero(rate[l]);
    }
    if (!changes) continue;
    clear_row(&force);
    add_work(p, p->y[0], p->s.mean[kind->product[q]], &force);
    add_work(p, p->y[kind->product[q]], p->s.mean[0], &force);
    find_gradient(kind, rate, p->s.yk, by);
    find_derivatives(p, by, &change);
    add_product(p, &force, &change);
  }
  add_turning(p);
}

INLINE void add_friction_tangent(BatchPair *p) {
  const ContactVector *slip[LANES];
  Batch3 by[CONTACT_Y], n = p->s.by_pressure;
  BatchPairRow force, change;
  for (int l = 0; l < LANES; l++) slip[l] = &p->of[l]->pair->slip;
  find_parts(p, slip, p->slip);
  add_matrix(p, p->slip, p->slip, batch9_scale(batch_fill(-1), p->s.by_slip));
  if (are_zero(n.x) && are_zero(n.y) && are_zero(n.z)) return;
  clear_row(&force);
  add_work(p, p->slip, batch3_scale(-p->s.rate, n), &force);
  find_gradient(p->kind, p->s.end, p->s.yk, by);
  find_derivatives(p, by, &change);
  add_product(p, &force, &change);
}

// The levers turn with the nodes, under forces g_i on the vectors y_i and the traction on the slip.
INLINE void add_lever_tangent(BatchPair *p, bool friction) {
  Batch3 g[CONTACT_Y], back = friction ? batch3_scale(batch_fill(-1), p->s.traction) : batch3_zero();
  find_gradient(p->kind, p->s.c, p->s.mean, g);
  for (int a = 0; a < p->nnode; a++) {
    Batch9 sum = batch9_zero();
    Batch3 moment = batch3_zero();
    if (!p->frame[a]) continue;
    for (int i = 0; i < p->kind->ny; i++) {
      if (!p->y[i][a].turns) continue;
      Batch3 f = batch3_scale(-p->s.pressure, g[i]);
      sum = batch9_outer(sum, f, p->y[i][a].start), moment = batch3_add(moment, batch3_cross(p->y[i][a].lever, f));
    }
    if (friction)
      sum = batch9_outer(sum, back, p->slip[a].start),
      moment = batch3_add(moment, batch3_cross(p->slip[a].lever, back));
    add_block(block_at(p, a, 1, a, 1), batch_turn_derivative(p->force_rule, &p->motion[a], sum, moment));
  }
}

TARGET_CLONES static void evaluate_batch(ForceRule force_rule, int filled, ContactTangent *const list[LANES]) {
  BatchPair p;
  double *to[LANES];
  bool friction = list[0]->pair->law.friction > 0;
  p.force_rule = force_rule;
  gather_pairs(filled, list, friction, &p);
  add_gap_tangent(&p);
  if (friction) add_friction_tangent(&p);
  add_lever_tangent(&p, friction);
  for (int l = 0; l < LANES; l++) to[l] = l < filled ? list[l]->k : NULL;
  batch_put(&p.k[0].x.x, 9 * p.nblock * p.nblock, to);
}

// ---- which are alike ----

static bool are_alike(const ContactPair *a, const ContactPair *b) {
  bool alike = a->kind == b->kind && a->nnode == b->nnode && (a->law.friction > 0) == (b->law.friction > 0);
  for (int i = 0; i < a->nnode && alike; i++) alike = a->node[i] == b->node[i];
  return alike;
}

typedef struct {
  int filled;
  ContactTangent *of[LANES];
} Group;

void contact_tangents(ForceRule force_rule, int count, ContactTangent *list) {
  Group group[CONTACT_TANGENTS];
  int groups = 0;
  for (int i = 0; i < count; i++) {
    int g = 0;
    while (g < groups && !are_alike(group[g].of[0]->pair, list[i].pair)) g++;
    if (g == groups) group[groups++].filled = 0;
    group[g].of[group[g].filled++] = &list[i];
    if (group[g].filled < LANES) continue;
    evaluate_batch(force_rule, LANES, group[g].of);
    group[g].filled = 0;
  }
  for (int g = 0; g < groups; g++)
    if (group[g].filled) evaluate_batch(force_rule, group[g].filled, group[g].of);
}
