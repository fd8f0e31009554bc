// SPDX-License-Identifier: Apache-2.0
// Products with multipliers (product.h) of joints: the forces of their multipliers, their rows at the end of the step, and
// the balances of their coordinates. By the vectors and by the multipliers derivatives are exact, as those of elements; by
// the few coordinates, on which rows, laws, loads and drives depend in many ways, and by what friction depends on, they are
// central differences of fourth order.
#include "gradient/product.h"

#include "assembly/evaluate.h"
#include "assembly/state_values.h"

#include <math.h>
#include <string.h>

static double row_factor(RowFactor f, double z) {
  switch (f) {
  case FACTOR_SIN: return sin(z);
  case FACTOR_COS: return cos(z);
  case FACTOR_LINEAR: return z;
  case FACTOR_SQUARE: return z * z;
  case FACTOR_ONE:
  case FACTOR_COUNT: break;
  }
  return 1;
}

// (f(z1) - f(z0))/(z1 - z0), as rows have it
static double row_factor_secant(RowFactor f, double z0, double z1) {
  double d = 0.5 * (z1 - z0), m = 0.5 * (z0 + z1), sinc = fabs(d) < 1e-4 ? 1 - d * d / 6 : sin(d) / d;
  switch (f) {
  case FACTOR_SIN: return sinc * cos(m);
  case FACTOR_COS: return -sinc * sin(m);
  case FACTOR_LINEAR: return 1;
  case FACTOR_SQUARE: return z0 + z1;
  case FACTOR_ONE:
  case FACTOR_COUNT: break;
  }
  return 0;
}

typedef struct {
  StepProduct *p;
  PetscInt j;
  const Joint *joint;
  int nvec;
  PetscInt place[MAX_LOCAL_VECTORS];
  Vec3 yn[MAX_Y], yk[MAX_Y], ym[MAX_Y], yw[MAX_Y];
  double lambda[MAX_STAGES][MAX_ROWS]; // multipliers of the rows in the step
  double on_row[MAX_ROWS];             // mu of the rows; 0 where a row is left out
  double on_coord[MAX_COORDS];         // mu of the balances of coordinates
  double mean[MAX_ROWS];               // of lengths
  Coords z[3];                         // at the start, at the end, remembered
} JointProduct;

// Where unknown i of the joint lies.
static PetscInt unknown_at(const Layout *layout, PetscInt j, int i) {
  return (layout->joint_block[j] + i / 3) * layout->bs + i % 3;
}

static void take_vectors(JointProduct *q) {
  const StepProduct *p = q->p;
  const Layout *layout = &p->motion->layout;
  const Rows *rows = &q->joint->rows;
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_LOCAL_VECTORS], w[MAX_LOCAL_VECTORS];
  for (int a = 0; a < model_joint(layout->model, layout->joint[q->j])->nnode; a++) {
    PetscInt i = layout->joint_node[q->j][a];
    for (int v = 0; v < node_vectors(model_node(layout->model, layout->node[i])->kind); v++, q->nvec++) {
      q->place[q->nvec] = 4 * i + v;
      xn[q->nvec] = p->motion->state.x[4 * i + v], xk[q->nvec] = p->moved[i].x[v], w[q->nvec] = p->weight[4 * i + v];
    }
  }
  rows_interpolate(rows, xn, q->yn), rows_interpolate(rows, xk, q->yk), rows_interpolate(rows, w, q->yw);
  for (int i = 0; i < rows->ny; i++) q->ym[i] = vec3_mean(q->yn[i], q->yk[i]);
}

static void begin(StepProduct *p, PetscInt j, JointProduct *q) {
  const Layout *layout = &p->motion->layout;
  Coords zk[MAX_STAGES];
  *q = (JointProduct){.p = p, .j = j, .joint = layout_joint(layout, j)};
  take_vectors(q);
  state_joint_unknowns(layout, &p->motion->state, p->unknown, j, q->lambda, zk);
  q->z[0] = p->motion->state.coord[j], q->z[1] = zk[0];
  if (p->motion->state.coord_increment[0]) q->z[2] = p->motion->state.coord_increment[0][j];
  for (int r = 0; r < q->joint->rows.nrow; r++)
    q->on_row[r] = p->motion->row_off[j][r] ? 0 : p->residual[unknown_at(layout, j, r)];
  for (int c = 0; c < q->joint->ncoord; c++)
    q->on_coord[c] = p->residual[unknown_at(layout, j, q->joint->rows.nrow + c)];
}

// Factors of the terms: means over the step, at the end, and the part of coordinates in the balances of these, each times
// its multiplier.
typedef struct {
  double mean[PRODUCT_TERMS], end[PRODUCT_TERMS], along[PRODUCT_TERMS];
} Factors;

static void find_factors(const JointProduct *q, const Coords z[3], Factors *f) {
  for (int t = 0; t < q->joint->rows.nterm; t++) {
    const RowTerm *k = &q->joint->rows.term[t];
    double zn = z[0].z[k->coord], zk = z[1].z[k->coord];
    bool balanced = k->factor != FACTOR_ONE && !q->joint->prescribed[k->coord];
    f->end[t] = row_factor(k->factor, zk), f->mean[t] = 0.5 * (row_factor(k->factor, zn) + f->end[t]);
    f->along[t] = balanced ? q->on_coord[k->coord] * row_factor_secant(k->factor, zn, zk) : 0;
  }
}

// The target of a prescribed coordinate that is zn at the start: where it is locked, or where a drive that acts takes it.
static double target_from(const JointProduct *q, int c, double zn) {
  const Motion *motion = q->p->motion;
  const Switches *now = &motion->switches;
  double target = zn;
  if (now->any && now->joint[motion->layout.joint[q->j]].locked[c] != 0) {
    double at = now->joint[motion->layout.joint[q->j]].lock_at[c];
    return isnan(at) ? zn : at;
  }
  for (PetscInt i = motion->layout.joint_load_start[q->j]; i < motion->layout.joint_load_start[q->j + 1]; i++) {
    PetscInt load = motion->layout.joint_load[i];
    const Load *l = &model_load(motion->layout.model, load)->load;
    double since = now->any ? now->load[load].since : 0;
    if (!load_prescribes(l) || l->coord != c || !switches_load_acts(now, load)) continue;
    target = model_drive(motion->layout.model, l, motion->state.time - since, motion->step.h, zn);
    if (now->any && l->drive == DRIVE_MOTION) target += now->load[load].from;
  }
  return target;
}

static double deflection_of(const JointProduct *q, int c) {
  return q->p->motion->state.bristles[q->j].of[c].deflection;
}

// The deflection with which the bristle slides.
static double sliding_deflection(const Joint *joint, const double *lambda, int c) {
  const Friction *f = &joint->law[c].friction;
  double bears = f->kinetic_coefficient * (f->radius > 0 ? f->radius : 1) * joint_reaction_size(joint, lambda);
  return (f->kinetic + bears) / f->stiffness;
}

// A bristle that slides is just where it begins to: a kink, which parameters move together with the deflection. So its deflection
// is a function of the limit there, and no number of the state.
static bool at_limit(const JointProduct *q, int c) { return q->p->sliding[q->j] >> c & 1; }

static void find_sliding(const JointProduct *q) {
  q->p->sliding[q->j] = 0;
  for (int c = 0; c < q->joint->ncoord; c++) {
    double x = fabs(deflection_of(q, c)), most;
    if (!friction_acts(&q->joint->law[c].friction)) continue;
    most = sliding_deflection(q->joint, q->lambda[0], c);
    if (q->p->motion->state.bristles[q->j].of[c].slips == BRISTLE_SLIDES && fabs(x - most) <= 1e-9 * most)
      q->p->sliding[q->j] |= (unsigned char)(1 << c);
  }
}

// Friction along a coordinate, and the deflection of its bristle at the end.
static double friction_value(const JointProduct *q, const Coords z[3], double deflection, const double *lambda, int c) {
  const Motion *motion = q->p->motion;
  Bristles bristles = motion->state.bristles[q->j];
  FrictionStep s;
  bristles.of[c].deflection =
      at_limit(q, c) ? copysign(sliding_deflection(q->joint, lambda, c), deflection) : deflection;
  joint_friction(q->joint, c, &motion->layout.rule->tableau, motion->step.h, &bristles, lambda, z[0].z[c], z[1].z[c],
                 &s);
  double on = q->joint->prescribed[c] ? 0 : q->on_coord[c];
  return on * s.force + q->p->next->bristles[q->j].of[c].deflection * s.next.deflection;
}

// Laws and loads along a coordinate, and what is remembered of it.
static double coordinate_value(const JointProduct *q, const Coords z[3], int c) {
  const Motion *motion = q->p->motion;
  const Tableau *t = &motion->layout.rule->tableau;
  double zn = z[0].z[c], zk = z[1].z[c], force = 0, sum = 0;
  if (law_acts(&q->joint->law[c])) {
    LawState s;
    law_evaluate(&q->joint->law[c], t, motion->step.h, &motion->step.recall, z[2].z[c], zn, &zk, &s);
    force += s.force[0];
    if (q->p->next->coord_next) sum += s.next * q->p->next->coord_next[q->j].z[c];
  }
  if (q->joint->prescribed[c]) return sum + q->on_coord[c] * (zk - target_from(q, c, zn));
  for (PetscInt i = motion->layout.joint_load_start[q->j]; i < motion->layout.joint_load_start[q->j + 1]; i++) {
    PetscInt load = motion->layout.joint_load[i];
    const Load *l = &model_load(motion->layout.model, load)->load;
    CoordLoad on;
    if (l->coord != c || load_prescribes(l) || !switches_load_acts(&motion->switches, load)) continue;
    load_on_coord(l, t, motion->step.h, motion->step.end_amplitude[load], zn, &zk, &on);
    force -= on.force[0];
  }
  return sum + q->on_coord[c] * force;
}

// Rows at other coordinates; lengths have their mean.
static double rows_at(const JointProduct *q, const Coords z[3]) {
  const Rows *rows = &q->joint->rows;
  double sum = 0;
  Factors f;
  find_factors(q, z, &f);
  for (int t = 0; t < rows->nterm; t++) {
    const RowTerm *k = &rows->term[t];
    double end = vec3_dot(q->yk[k->i], q->yk[k->j]), start = vec3_dot(q->yn[k->i], q->yn[k->j]);
    double middle = vec3_dot(q->ym[k->i], q->yw[k->j]) + vec3_dot(q->ym[k->j], q->yw[k->i]);
    double lambda = q->lambda[0][k->row];
    sum += k->c * (lambda / q->mean[k->row] * f.mean[t] * middle + 0.5 * lambda * f.along[t] * (start + end));
    if (k->row >= rows->nroot) sum += k->c * q->on_row[k->row] * f.end[t] * end;
  }
  if (!rows->formula) return sum;
  CoordSecant s;
  Jet jet;
  tape_evaluate(rows->formula, &z[1].z[1], &jet);
  coord_formula_secant(rows->formula, FORCE_MEAN, &z[0], &z[1], &s);
  sum += q->on_row[0] * jet.value;
  for (int c = 1; c < q->joint->ncoord; c++)
    if (!q->joint->prescribed[c]) sum += q->on_coord[c] * q->lambda[0][0] * s.along[c];
  return sum;
}

// Lengths at start and end.
static void find_lengths(JointProduct *q, double length[2][MAX_ROWS]) {
  const Rows *rows = &q->joint->rows;
  rows_product(rows, NULL, q->yn, q->yn, length[0]);
  rows_product(rows, NULL, q->yk, q->yk, length[1]);
  for (int r = 0; r < rows->nrow; r++) {
    if (r < rows->nroot) length[0][r] = sqrt(length[0][r]), length[1][r] = sqrt(length[1][r]);
    q->mean[r] = r < rows->nroot ? 0.5 * (length[0][r] + length[1][r]) : 1;
  }
}

// ---- derivatives ----

static const double difference = 1e-3; // rad, or of the size of the model

typedef struct { // a function of one number: coordinate `c` of z[k], or what friction along it depends on
  const JointProduct *q;
  Coords z[3];
  int c, k, row;
} OneNumber;

static double rows_by_coord(const void *self, double x) {
  OneNumber at = *(const OneNumber *)self;
  at.z[at.k].z[at.c] = x;
  return rows_at(at.q, at.z);
}

static double law_by_coord(const void *self, double x) {
  OneNumber at = *(const OneNumber *)self;
  at.z[at.k].z[at.c] = x;
  return coordinate_value(at.q, at.z, at.c);
}

static double friction_by_coord(const void *self, double x) {
  OneNumber at = *(const OneNumber *)self;
  at.z[at.k].z[at.c] = x;
  return friction_value(at.q, at.z, deflection_of(at.q, at.c), at.q->lambda[0], at.c);
}

static double friction_by_deflection(const void *self, double x) {
  const OneNumber *at = self;
  return friction_value(at->q, at->z, x, at->q->lambda[0], at->c);
}

static double friction_by_multiplier(const void *self, double x) {
  const OneNumber *at = self;
  double lambda[MAX_ROWS];
  memcpy(lambda, at->q->lambda[0], sizeof lambda);
  lambda[at->row] = x;
  return friction_value(at->q, at->z, deflection_of(at->q, at->c), lambda, at->c);
}

static void differentiate_coords(JointProduct *q, Coords slope[3]) {
  const Layout *layout = &q->p->motion->layout;
  OneNumber at = {.q = q};
  memcpy(at.z, q->z, sizeof at.z);
  for (at.c = 0; at.c < q->joint->ncoord; at.c++)
    for (at.k = 0; at.k < 3; at.k++) {
      double x = q->z[at.k].z[at.c], *to = &slope[at.k].z[at.c];
      double d = difference * (joint_coord_is_angle(q->joint, at.c) ? 1 : layout->length > 0 ? layout->length : 1);
      if (at.k < 2) *to += smooth_slope(rows_by_coord, &at, x, d);
      if (at.k == 2 && !law_acts(&q->joint->law[at.c])) continue;
      *to += law_is_kinked(&q->joint->law[at.c]) ? kinked_slope(law_by_coord, &at, x, d, &q->p->kinks)
                                                 : smooth_slope(law_by_coord, &at, x, d);
    }
}

// What a bristle counts: by the coordinate, by its deflection, and by the multipliers that make the reaction.
static void differentiate_friction(JointProduct *q, Coords slope[3]) {
  StepProduct *p = q->p;
  const Joint *joint = q->joint;
  OneNumber at = {.q = q};
  memcpy(at.z, q->z, sizeof at.z);
  for (at.c = 0; at.c < joint->ncoord; at.c++) {
    const Friction *f = &joint->law[at.c].friction;
    if (!friction_acts(f)) continue;
    double size = joint_reaction_size(joint, q->lambda[0]), most = sliding_deflection(joint, q->lambda[0], at.c);
    double d = most > 0 ? 0.1 * most : difference, *bristle = &p->state->bristles[q->j].of[at.c].deflection;
    for (at.k = 0; at.k < 2; at.k++)
      slope[at.k].z[at.c] += kinked_slope(friction_by_coord, &at, q->z[at.k].z[at.c], d, &p->kinks);
    if (!at_limit(q, at.c)) *bristle += kinked_slope(friction_by_deflection, &at, deflection_of(q, at.c), d, &p->kinks);
    for (int i = 0; i < joint->nreaction && friction_bears(f); i++) {
      at.row = joint->reaction_row[i];
      p->of_unknown[unknown_at(&p->motion->layout, q->j, at.row)] +=
          kinked_slope(friction_by_multiplier, &at, q->lambda[0][at.row], size > 0 ? difference * size : 1, &p->kinks);
    }
  }
}

// By the multipliers of the rows.
static void differentiate_multipliers(const JointProduct *q, const Factors *f) {
  const StepProduct *p = q->p;
  const Rows *rows = &q->joint->rows;
  double by[MAX_ROWS] = {0};
  for (int t = 0; t < rows->nterm; t++) {
    const RowTerm *k = &rows->term[t];
    double ends = vec3_dot(q->yk[k->i], q->yk[k->j]) + vec3_dot(q->yn[k->i], q->yn[k->j]);
    double middle = vec3_dot(q->ym[k->i], q->yw[k->j]) + vec3_dot(q->ym[k->j], q->yw[k->i]);
    by[k->row] += k->c * (f->mean[t] / q->mean[k->row] * middle + 0.5 * f->along[t] * ends);
  }
  if (rows->formula) {
    CoordSecant s;
    coord_formula_secant(rows->formula, FORCE_MEAN, &q->z[0], &q->z[1], &s);
    for (int c = 1; c < q->joint->ncoord; c++)
      if (!q->joint->prescribed[c]) by[0] += q->on_coord[c] * s.along[c];
  }
  for (int r = 0; r < rows->nrow; r++) {
    PetscInt at = unknown_at(&p->motion->layout, q->j, r);
    if (p->motion->row_off[q->j][r]) by[r] += p->residual[at];
    p->of_unknown[at] += by[r] + p->next->multiplier[q->j][r];
  }
}

// Adds a vector's derivatives to those of the start, the end and the weights.
static void add_to_places(const JointProduct *q, const Vec3 *on, Vec3 *to) {
  Vec3 sum[MAX_LOCAL_VECTORS];
  for (int a = 0; a < q->nvec; a++) sum[a] = vec3_zero();
  rows_add_to_vectors(&q->joint->rows, on, sum);
  for (int a = 0; a < q->nvec; a++) to[q->place[a]] = vec3_add(to[q->place[a]], sum[a]);
}

static void differentiate_vectors(const JointProduct *q, const Factors *f, double length[2][MAX_ROWS]) {
  const Rows *rows = &q->joint->rows;
  double lambda[MAX_ROWS], b[MAX_ROWS], ends[2][MAX_ROWS];
  Vec3 on[3][MAX_Y];
  for (int i = 0; i < rows->ny; i++) on[0][i] = on[1][i] = on[2][i] = vec3_zero();
  rows_product(rows, f->mean, q->ym, q->yw, b);
  for (int r = 0; r < rows->nrow; r++) {
    lambda[r] = q->lambda[0][r] / q->mean[r];
    ends[0][r] = 0, ends[1][r] = q->on_row[r];
    if (r >= rows->nroot) continue;
    double shrinks = -0.5 * lambda[r] * b[r] / q->mean[r]; // by the length at either end
    ends[0][r] = shrinks / length[0][r], ends[1][r] = (shrinks + q->on_row[r]) / length[1][r];
  }
  rows_add_slopes(rows, f->mean, lambda, q->ym, on[2]);
  rows_add_slopes(rows, f->mean, lambda, q->yw, on[0]);
  for (int i = 0; i < rows->ny; i++) on[0][i] = on[1][i] = vec3_scale(0.5, on[0][i]);
  rows_add_slopes(rows, NULL, ends[0], q->yn, on[0]);
  rows_add_slopes(rows, f->end, ends[1], q->yk, on[1]);
  for (int r = 0; r < rows->nrow; r++) lambda[r] = 0.5 * q->lambda[0][r];
  rows_add_slopes(rows, f->along, lambda, q->yn, on[0]);
  rows_add_slopes(rows, f->along, lambda, q->yk, on[1]);
  add_to_places(q, on[0], q->p->state->x), add_to_places(q, on[1], q->p->end), add_to_places(q, on[2], q->p->force);
}

// A coordinate that is no unknown follows from its row at the end of the step: dz = -(dg/dx) dx/(dg/dz).
static void differentiate_followed(const StepProduct *p, PetscInt j) {
  const Layout *layout = &p->motion->layout;
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  const Joint *joint = &m->joint;
  const Rows *rows = &joint->rows;
  Vec3 x[MAX_LOCAL_VECTORS], y[MAX_Y], on[MAX_Y], sum[MAX_LOCAL_VECTORS];
  PetscInt place[MAX_LOCAL_VECTORS];
  double factor[PRODUCT_TERMS], weight[MAX_ROWS] = {0};
  int n = 0;
  for (int a = 0; a < m->nnode; a++) {
    PetscInt i = layout->joint_node[j][a];
    for (int v = 0; v < node_vectors(model_node(layout->model, layout->node[i])->kind); v++, n++)
      place[n] = 4 * i + v, x[n] = p->moved[i].x[v], sum[n] = vec3_zero();
  }
  Coords z = p->motion->state.coord[j];
  for (int c = 0; c < joint->ncoord; c++) { // the change is small: of an angle its row at the root does not know turns
    double value, rate, change;
    if (p->next->coord[j].z[c] == 0) continue;
    for (int round = 0; round < 2; round++) {
      bool angle = rows_single(rows, joint->pivot[c], x, z.z[c], &value, &rate);
      change = angle ? atan2(-(rate < 0 ? -1 : 1) * value, fabs(rate)) : -value / rate;
      z.z[c] += change;
    }
    rows_single(rows, joint->pivot[c], x, z.z[c], &value, &rate);
    weight[joint->pivot[c]] = -p->next->coord[j].z[c] / rate;
  }
  for (int t = 0; t < rows->nterm; t++) factor[t] = row_factor(rows->term[t].factor, z.z[rows->term[t].coord]);
  rows_interpolate(rows, x, y);
  for (int i = 0; i < rows->ny; i++) on[i] = vec3_zero();
  rows_add_slopes(rows, factor, weight, y, on);
  rows_add_to_vectors(rows, on, sum);
  for (int a = 0; a < n; a++) p->end[place[a]] = vec3_add(p->end[place[a]], sum[a]);
}

double product_of_joint(StepProduct *p, PetscInt j) {
  const Layout *layout = &p->motion->layout;
  const Joint *whole = &model_joint(layout->model, layout->joint[j])->joint;
  JointProduct q;
  Factors f;
  Coords slope[3] = {{{0}}};
  double length[2][MAX_ROWS];
  begin(p, j, &q);
  find_lengths(&q, length);
  if (p->state) find_sliding(&q);
  double value = rows_at(&q, q.z);
  for (int c = 0; c < q.joint->ncoord; c++) {
    value += coordinate_value(&q, q.z, c);
    if (friction_acts(&q.joint->law[c].friction))
      value += friction_value(&q, q.z, deflection_of(&q, c), q.lambda[0], c);
  }
  for (int r = 0; r < q.joint->rows.nrow; r++) { // what does not depend on coordinates
    double mu = p->residual[unknown_at(layout, j, r)];
    if (p->motion->row_off[j][r]) value += mu * q.lambda[0][r];
    else value += mu * ((r < q.joint->rows.nroot ? length[1][r] : 0) - q.joint->rows.ref[r]);
  }
  if (p->rotation) value += product_of_turns(p, j);
  if (!p->state) return value;
  find_factors(&q, q.z, &f);
  differentiate_multipliers(&q, &f);
  differentiate_vectors(&q, &f, length);
  differentiate_coords(&q, slope);
  differentiate_friction(&q, slope);
  for (int c = 0; c < whole->ncoord; c++) {
    bool unknown = c < q.joint->ncoord;
    double end = slope[1].z[c] + (unknown ? p->next->coord[j].z[c] : 0);
    p->state->coord[j].z[c] += slope[0].z[c] + end + p->next->coord_before[j].z[c];
    if (unknown) p->of_unknown[unknown_at(layout, j, q.joint->rows.nrow + c)] += end;
    if (p->state->coord_next) p->state->coord_next[j].z[c] += slope[2].z[c] + p->next->coord_last[j].z[c];
  }
  if (q.joint->ncoord < whole->ncoord) differentiate_followed(p, j);
  return value;
}
