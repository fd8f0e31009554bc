// SPDX-License-Identifier: Apache-2.0
// The contract of joints, as errors of the joint of a model.
#include "contract.h"

static void evaluate_joint(void *self, Local *out) {
  const Case *c = self;
  LocalMotion it;
  motion_item(c->m, c->q, c->e, c->t->force_rule, &it);
  local_clear(out, it.s, it.nblock + joint_blocks(&c->m->joint));
  joint_evaluate(&c->m->joint, c->t, 0.01, c->recall ? c->recall : &no_recall, c->coords, NULL, &it, &c->q->zn,
                 c->q->zk, c->q->lambda, c->q->torque, out);
}

double joint_table_error(const Mock *m) {
  int nvec = 0;
  for (int a = 0; a < m->item[0].nnode; a++) nvec += node_vectors(m->node[m->item[0].node[a]]);
  return nvec <= MAX_LOCAL_VECTORS && rows_in_bounds(&m->joint.rows, nvec) && m->joint.rows.nrow > 0 ? 0 : 1;
}

double joint_reference_error(const Mock *m) {
  double worst = 0, g[MAX_ROWS];
  Vec3 x[MAX_LOCAL_VECTORS];
  mock_vectors(m, &m->item[0], (Vec3(*)[4])m->x, x);
  rows_value(&m->joint.rows, x, no_coords, g);
  for (int r = 0; r < m->joint.rows.nrow; r++) worst = worse(worst, fabs(g[r]));
  return worst;
}

double joint_identity_error(const Mock *m) {
  double worst = 0;
  MockMotion q;
  LocalMotion it;
  for (int s = 1; s <= MAX_STAGES; s++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++)
      for (int trial = 0; trial < 3; trial++) { // angles far apart, close, and the same
        motion_random(m, s, &q);
        for (int k = 0; trial && k < s; k++)
          for (int c = 0; c < MAX_COORDS; c++) q.zk[k].z[c] = q.zn.z[c] + (2 - trial) * 1e-4 * (k + 1);
        motion_item(m, &q, &m->item[0], (ForceRule)force_rule, &it);
        worst = worse(worst, rows_identity_error(&m->joint.rows, &it, &m->item[0], &q));
      }
  return worst;
}

double joint_work_error(const Mock *m) {
  static Local out;
  static RowsState st;
  double worst = 0, increment[3 * MAX_LOCAL_BLOCKS] = {0};
  int nrow = m->joint.rows.nrow;
  MockMotion q;
  LocalMotion it;
  for (int s = 1; s <= MAX_STAGES; s++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++) {
      Tableau t = tableau_any(s, (ForceRule)force_rule);
      motion_random(m, s, &q);
      Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
      evaluate_joint(&c, &out);
      motion_item(m, &q, &m->item[0], t.force_rule, &it);
      rows_evaluate(&m->joint.rows, &it, &q.zn, q.zk, true, &st);
      for (int k = 0; k < s; k++) {
        double sum = 0, scale = 0;
        motion_increments(&it, &m->item[0], &q, k, increment);
        for (int b = 0; b < 3 * it.nblock; b++) {
          double w = out.r[local_at(&out, b / 3, k) + b % 3] * increment[b];
          sum += w, scale += fabs(w);
        }
        for (int i = 0; i < m->joint.ncoord; i++) {
          int at = nrow + i;
          double force = out.r[local_at(&out, it.nblock + at / 3, k) + at % 3] + q.torque[k].z[i];
          sum += force * (q.zk[k].z[i] - q.zn.z[i]), scale += fabs(force);
        }
        for (int r = 0; r < nrow; r++) {
          sum -= q.lambda[k][r] * (st.ek[k][r] - st.en[r]), scale += fabs(q.lambda[k][r] * st.ek[k][r]);
          worst = worse(worst, fabs(out.r[local_at(&out, it.nblock + r / 3, k) + r % 3] - st.ek[k][r]));
        }
        worst = worse(worst, fabs(sum) / scale);
      }
    }
  return worst;
}

// Padding must be the identity.
static double padding_error(const Mock *m, int nblock, const Local *out) {
  double worst = 0;
  for (int k = 0; k < out->s; k++)
    for (int i = joint_unknowns(&m->joint); i < 3 * joint_blocks(&m->joint); i++) {
      int at = local_at(out, nblock + i / 3, k) + i % 3;
      worst = worse(worst, fabs(out->r[at]));
      for (int j = 0; j < out->n; j++) {
        worst = worse(worst, fabs(out->k[at * out->n + j] - (at == j)));
        worst = worse(worst, fabs(out->k[j * out->n + at] - (at == j)));
      }
    }
  return worst;
}

double joint_tangent_error(const Mock *m) {
  static Local out;
  double worst = 0;
  int nrow = m->joint.rows.nrow;
  MockMotion q;
  LocalMotion it;
  for (int s = 1; s <= 2; s++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_END; force_rule++)
      for (int near = 0; near < 2; near++) { // far apart; and angles so close that sin and cos go by series
        Tableau t = tableau_any(s, (ForceRule)force_rule);
        double *unknown[MAX_LOCAL] = {NULL};
        motion_random(m, s, &q);
        for (int k = 0; near && k < s; k++)
          for (int i = 0; i < MAX_COORDS; i++) q.zk[k].z[i] = q.zn.z[i] + 0.008 * (k + 1);
        Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
        motion_item(m, &q, c.e, t.force_rule, &it);
        motion_unknowns(&it, c.e, &q, unknown);
        for (int k = 0; k < s; k++)
          for (int i = 0; i < joint_unknowns(&m->joint); i++)
            unknown[3 * (s * (it.nblock + i / 3) + k) + i % 3] = i < nrow ? &q.lambda[k][i] : &q.zk[k].z[i - nrow];
        evaluate_joint(&c, &out);
        worst = worse(worst, padding_error(m, it.nblock, &out));
        worst = worse(worst, tangent_error(out.n, unknown, evaluate_joint, &c));
      }
  return worst;
}

// The ground is last; one node and the ground: a clamp.
static bool is_tied(const Mock *m) {
  bool tied = m->item[0].nnode == 2;
  for (int a = 0; a + 1 < m->item[0].nnode; a++) tied = tied || m->node[m->item[0].node[a]] == NODE_FIXED;
  return tied;
}

// All nodes that move, as one rigid body: the joint is closed at both ends of the step.
static void motion_rigid(const Mock *m, MockMotion *q) {
  Mat3 start = random_rotation(), turn;
  Vec3 shift = random_vector(1), on = random_vector(1), c = random_turn(2);
  turn = rotation_matrix(c);
  motion_rest(m, 1, q);
  for (int i = 0; i < m->nnode; i++) {
    if (m->node[i] == NODE_FIXED) continue;
    for (int j = 0; j < 4; j++) q->xn[i][j] = vec3_add(mat3_apply(start, m->x[i][j]), j ? vec3_zero() : shift);
    q->u[i][0] = vec3_add(on, vec3_sub(mat3_apply(turn, q->xn[i][0]), q->xn[i][0])), q->c[i][0] = c;
  }
  for (int r = 0; r < MAX_ROWS; r++) q->lambda[0][r] = random_in(-1, 1);
}

double joint_momentum_error(const Mock *m) {
  static Local out;
  double force_scale = 0, moment_scale = 0;
  Vec3 force = vec3_zero(), moment = vec3_zero();
  Tableau t = tableau_any(1, FORCE_MEAN);
  MockMotion q;
  LocalMotion it;
  if (is_tied(m)) return 0;
  motion_rigid(m, &q);
  Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
  evaluate_joint(&c, &out);
  motion_item(m, &q, c.e, t.force_rule, &it);
  for (int a = 0; a < it.nnode; a++) {
    if (it.kind[a] == NODE_FIXED) continue;
    Vec3 r = vec3_mean(it.xk[0][it.first[a]], it.xn[it.first[a]]), f = vec3_of(&out.r[local_at(&out, it.block[a], 0)]);
    Vec3 own = it.kind[a] == NODE_FRAME ? vec3_of(&out.r[local_at(&out, it.block[a] + 1, 0)]) : vec3_zero();
    force = vec3_add(force, f), moment = vec3_add(moment, vec3_add(own, vec3_cross(r, f)));
    force_scale += vec3_norm(f), moment_scale += vec3_norm(r) * vec3_norm(f) + vec3_norm(own);
  }
  return worse(force_scale > 0 ? vec3_norm(force) / force_scale : 0,
               moment_scale > 0 ? vec3_norm(moment) / moment_scale : 0);
}

// Elimination with exchange of rows and columns.
static int rank(int rows, int cols, double a[MAX_ROWS][MAX_LOCAL]) {
  for (int n = 0;; n++) {
    int p = n, q = n;
    for (int i = n; i < rows; i++)
      for (int j = n; j < cols; j++)
        if (fabs(a[i][j]) > fabs(a[p][q])) p = i, q = j;
    if (n == rows || n == cols || fabs(a[p][q]) < 1e-10) return n;
    for (int j = 0; j < cols; j++) {
      double x = a[n][j];
      a[n][j] = a[p][j], a[p][j] = x;
    }
    for (int i = 0; i < rows; i++) {
      double x = a[i][n];
      a[i][n] = a[i][q], a[i][q] = x;
    }
    for (int i = n + 1; i < rows; i++) {
      double f = a[i][n] / a[n][n];
      for (int j = n; j < cols; j++) a[i][j] -= f * a[n][j];
    }
  }
}

int joint_rank(const Mock *m) {
  static Local out;
  double a[MAX_ROWS][MAX_LOCAL], free[MAX_ROWS][MAX_LOCAL];
  int nrow = m->joint.rows.nrow, ncoord = m->joint.ncoord;
  Tableau t = tableau_end();
  MockMotion q;
  LocalMotion it;
  motion_rest(m, 1, &q);
  Case c = {.m = m, .e = &m->item[0], .t = &t, .q = &q};
  evaluate_joint(&c, &out);
  motion_item(m, &q, c.e, t.force_rule, &it);
  int own = 3 * it.nblock, z = own + nrow;
  for (int r = 0; r < nrow; r++) {
    const double *row = &out.k[(own + r) * out.n];
    for (int j = 0; j < own; j++) a[r][j] = row[j];
    for (int k = 0; k < ncoord; k++) a[r][own + k] = free[r][k] = row[z + k];
  }
  int all = rank(nrow, own + ncoord, a), free_of = ncoord ? rank(nrow, ncoord, free) : 0;
  return all == nrow ? all - free_of : -1;
}
