// SPDX-License-Identifier: Apache-2.0
// The turn of the increments that points remember, in products with multipliers (product.h). The increment of a point is
// turned by the mean rotation theta of the vectors r around it (assembly/step_memory.c),
//   K theta = l,   K = (1 + shift) sum r.r I - sum r r,   l = sum r x (r_1 - r_0),
// so that with kappa = K^-1 (derivative by theta) items add  kappa . (l - K theta)  over their vectors.
// Equations: eq-decaying-point-rotation (4.8).
#include "gradient/product.h"

#include "base/rotation.h"

static const double shift = 1e-6; // as the state has it

static bool turns(const Layout *layout, PetscInt i) {
  return layout->node_block[i] >= 0 && model_node(layout->model, layout->node[i])->kind == NODE_POINT &&
         !layout_is_abstract(layout, i);
}

// ---- vectors around the points of an item ----

enum { MOST_VECTORS = MAX_Y + MAX_LOCAL_NODES };

typedef struct {
  PetscInt count, node[MAX_LOCAL_NODES]; // those that turn
  PetscInt moving[MAX_LOCAL_NODES], movings;
  int vectors, rows; // the first `rows` are of the table of a joint, the others of moving nodes about their mean
  int y[MAX_Y];      // of the table
  Vec3 r[2][MOST_VECTORS], of_r[2][MOST_VECTORS];
} Around;

static Vec3 place_of(const StepProduct *p, int side, PetscInt i, int v) {
  return side ? p->moved[i].x[v] : p->motion->state.x[4 * i + v];
}

static void add_moving(const StepProduct *p, Around *a) {
  if (a->movings < 2) return;
  for (int side = 0; side < 2; side++) {
    Vec3 mean = vec3_zero();
    for (PetscInt k = 0; k < a->movings; k++)
      mean = vec3_axpy(mean, 1.0 / (double)a->movings, place_of(p, side, a->moving[k], 0));
    for (PetscInt k = 0; k < a->movings; k++)
      a->r[side][a->vectors + k] = vec3_sub(place_of(p, side, a->moving[k], 0), mean);
  }
  a->vectors += (int)a->movings;
}

static void find_around_element(const StepProduct *p, PetscInt e, Around *a) {
  const Layout *layout = &p->motion->layout;
  a->count = a->movings = a->vectors = a->rows = 0;
  for (PetscInt k = layout->element_node_start[e]; k < layout->element_node_start[e + 1]; k++) {
    PetscInt i = layout->element_node[k];
    a->moving[a->movings++] = i;
    if (turns(layout, i)) a->node[a->count++] = i;
  }
  if (a->count > 0) add_moving(p, a);
}

static const Rows *find_around_joint(const StepProduct *p, PetscInt j, Around *a) {
  const Layout *layout = &p->motion->layout;
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  const Rows *rows = &m->joint.rows;
  Vec3 x[2][MAX_LOCAL_VECTORS], y[2][MAX_Y];
  bool point[MAX_LOCAL_VECTORS] = {false};
  int n = 0;
  a->count = a->movings = a->vectors = a->rows = 0;
  if (model_joint_is_abstract(m)) return rows;
  for (int k = 0; k < m->nnode; k++) {
    PetscInt i = layout->joint_node[j][k];
    NodeKind kind = model_node(layout->model, layout->node[i])->kind;
    if (kind != NODE_FIXED) a->moving[a->movings++] = i;
    if (turns(layout, i)) a->node[a->count++] = i;
    point[n] = kind == NODE_POINT;
    for (int v = 0; v < node_vectors(kind); v++, n++) x[0][n] = place_of(p, 0, i, v), x[1][n] = place_of(p, 1, i, v);
  }
  if (a->count == 0) return rows;
  for (int side = 0; side < 2; side++) rows_interpolate(rows, x[side], y[side]);
  for (int i = 0; i < rows->ny; i++) {
    bool has = false;
    for (int e = rows->start[i]; e < rows->start[i + 1]; e++) has = has || point[rows->vec[e]];
    if (!has) continue;
    a->y[a->vectors] = i;
    a->r[0][a->vectors] = y[0][i], a->r[1][a->vectors++] = y[1][i];
  }
  a->rows = a->vectors;
  add_moving(p, a);
  return rows;
}

// ---- rotations ----

static void add_sums(const Around *a, RotationSums *to) {
  for (int k = 0; k < a->vectors; k++) {
    Vec3 r = vec3_mean(a->r[0][k], a->r[1][k]);
    to->l = vec3_add(to->l, vec3_cross(r, vec3_sub(a->r[1][k], a->r[0][k])));
    to->xx += r.x * r.x, to->yy += r.y * r.y, to->zz += r.z * r.z;
    to->yz += r.y * r.z, to->zx += r.z * r.x, to->xy += r.x * r.y;
  }
}

// K^-1 b
static Vec3 solve(const RotationSums *a, Vec3 b) {
  double trace = a->xx + a->yy + a->zz, more = shift * trace;
  if (!(trace > 0)) return vec3_zero();
  Vec3 k1 = vec3(a->yy + a->zz + more, -a->xy, -a->zx), k2 = vec3(-a->xy, a->xx + a->zz + more, -a->yz);
  Vec3 k3 = vec3(-a->zx, -a->yz, a->xx + a->yy + more), c = vec3_cross(k2, k3);
  Vec3 x = vec3(vec3_dot(b, c), vec3_dot(b, vec3_cross(k3, k1)), vec3_dot(b, vec3_cross(k1, k2)));
  return vec3_scale(1 / vec3_dot(k1, c), x);
}

void product_find_rotations(StepProduct *p) {
  const Layout *layout = &p->motion->layout;
  Around a;
  for (PetscInt i = 0; i < layout->nnode; i++) p->sums[i] = (RotationSums){.xx = 0};
  for (int kind = 0; kind < 2; kind++)
    for (PetscInt i = 0; i < (kind ? layout->njoint : layout->nelement); i++) {
      if (kind) find_around_joint(p, i, &a);
      else find_around_element(p, i, &a);
      for (PetscInt k = 0; k < a.count; k++) add_sums(&a, &p->sums[a.node[k]]);
    }
  for (PetscInt i = 0; i < layout->nnode; i++) p->rotation[i] = solve(&p->sums[i], p->sums[i].l);
}

// (I - theta~/2)^-1 (I + theta~/2) v
static Vec3 cayley_rotate(Vec3 theta, Vec3 v) {
  double f = 1 / (1 + 0.25 * vec3_dot(theta, theta));
  return vec3_axpy(v, f, vec3_cross(theta, vec3_axpy(v, 0.5, vec3_cross(theta, v))));
}

Vec3 product_turn_back(StepProduct *p, PetscInt i, Vec3 increment, Vec3 multiplier) {
  Vec3 theta = p->rotation[i];
  double f = 1 / (1 + 0.25 * vec3_dot(theta, theta));
  if (!turns(&p->motion->layout, i)) return multiplier;
  Vec3 w = vec3_axpy(increment, 0.5, vec3_cross(theta, increment));
  Vec3 by = vec3_scale(-0.5 * f * f * vec3_dot(multiplier, vec3_cross(theta, w)), theta);
  by = vec3_axpy(by, f, vec3_cross(w, multiplier));
  by = vec3_axpy(by, 0.5 * f, vec3_cross(increment, vec3_cross(multiplier, theta)));
  p->kappa[i] = solve(&p->sums[i], by);
  return cayley_rotate(vec3_scale(-1, theta), multiplier);
}

// ---- what items add ----

static double value_of(const StepProduct *p, const Around *a) {
  double sum = 0;
  for (PetscInt k = 0; k < a->count; k++) {
    Vec3 kappa = p->kappa[a->node[k]], theta = p->rotation[a->node[k]];
    for (int i = 0; i < a->vectors; i++) {
      Vec3 r = vec3_mean(a->r[0][i], a->r[1][i]);
      sum += vec3_dot(kappa, vec3_cross(r, vec3_sub(a->r[1][i], a->r[0][i])));
      sum -= (1 + shift) * vec3_dot(r, r) * vec3_dot(kappa, theta) - vec3_dot(kappa, r) * vec3_dot(r, theta);
    }
  }
  return sum;
}

double product_of_turns(const StepProduct *p, PetscInt joint) {
  Around a;
  find_around_joint(p, joint, &a);
  return value_of(p, &a);
}

static void differentiate(const StepProduct *p, Around *a) {
  for (int i = 0; i < a->vectors; i++) {
    Vec3 r = vec3_mean(a->r[0][i], a->r[1][i]), d = vec3_sub(a->r[1][i], a->r[0][i]), by = vec3_zero(), way = by;
    for (PetscInt k = 0; k < a->count; k++) {
      Vec3 kappa = p->kappa[a->node[k]], theta = p->rotation[a->node[k]];
      by = vec3_add(by, vec3_cross(d, kappa)), way = vec3_add(way, vec3_cross(kappa, r));
      by = vec3_axpy(by, -2 * (1 + shift) * vec3_dot(kappa, theta), r);
      by = vec3_axpy(vec3_axpy(by, vec3_dot(r, theta), kappa), vec3_dot(kappa, r), theta);
    }
    a->of_r[0][i] = vec3_axpy(vec3_scale(0.5, by), -1, way), a->of_r[1][i] = vec3_axpy(vec3_scale(0.5, by), 1, way);
  }
}

static void add_to_moving(StepProduct *p, const Around *a) {
  for (int side = 0; side < 2; side++) {
    Vec3 *to = side ? p->end : p->state->x, mean = vec3_zero();
    for (int i = a->rows; i < a->vectors; i++) mean = vec3_axpy(mean, 1.0 / (double)a->movings, a->of_r[side][i]);
    for (int i = a->rows; i < a->vectors; i++) {
      PetscInt node = 4 * a->moving[i - a->rows];
      to[node] = vec3_add(to[node], vec3_sub(a->of_r[side][i], mean));
    }
  }
}

static void add_to_rows(StepProduct *p, PetscInt j, const Rows *rows, const Around *a) {
  const Layout *layout = &p->motion->layout;
  for (int side = 0; side < 2; side++) {
    Vec3 on[MAX_Y], sum[MAX_LOCAL_VECTORS], *to = side ? p->end : p->state->x;
    int n = 0;
    for (int i = 0; i < rows->ny; i++) on[i] = vec3_zero();
    for (int i = 0; i < MAX_LOCAL_VECTORS; i++) sum[i] = vec3_zero();
    for (int i = 0; i < a->rows; i++) on[a->y[i]] = a->of_r[side][i];
    rows_add_to_vectors(rows, on, sum);
    for (int k = 0; k < model_joint(layout->model, layout->joint[j])->nnode; k++) {
      PetscInt i = layout->joint_node[j][k];
      for (int v = 0; v < node_vectors(model_node(layout->model, layout->node[i])->kind); v++, n++)
        to[4 * i + v] = vec3_add(to[4 * i + v], sum[n]);
    }
  }
}

void product_differentiate_turns(StepProduct *p, int kind, PetscInt i) {
  const Rows *rows = NULL;
  Around a;
  if (kind == OF_NODES) return;
  if (kind == OF_JOINTS) rows = find_around_joint(p, i, &a);
  else find_around_element(p, i, &a);
  if (!a.count) return;
  differentiate(p, &a), add_to_moving(p, &a);
  if (rows) add_to_rows(p, i, rows, &a);
}
