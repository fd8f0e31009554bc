// SPDX-License-Identifier: Apache-2.0
// Equations: eq-load-follower (11.1).
#include "mechanics/load.h"

#include "base/rotation.h"

#include <string.h>

static const char *const axes_words[] = {"ground", "section", NULL};
static const char *axes_word(int i) { return axes_words[i]; } // of LimberLoadAxes
const FieldMore load_axes = {NULL, axes_word};

const LoadKind load_wheel_motor = {
    .name = "motor", .help = "The motor of a wheel: its torque or its speed.", .target = LOAD_WHEEL};

const LoadKind load_held = {
    .name = "aerodynamics", .help = "Force and moment of the air on a node, held over a step.", .target = LOAD_NODE};

// sum_j p_j d_j
static Vec3 combine_axes(Vec3 p, const Vec3 *d) {
  return vec3_axpy(vec3_axpy(vec3_scale(p.x, d[0]), p.y, d[1]), p.z, d[2]);
}

// A pattern over the stages; its axes are d_n at the start and d_l at the end of stage l.
static void pass_through_tableau(const Tableau *t, Amplitude a, bool follower, Vec3 pattern, const Vec3 *dn,
                                 const Vec3 *const *dl, Vec3 *out) {
  if (!follower) {
    for (int k = 0; k < t->s; k++) out[k] = vec3_scale(amplitude_of(t, a, k), pattern);
    return;
  }
  Vec3 start = vec3_scale(a.now, combine_axes(pattern, dn));
  for (int k = 0; k < t->s; k++) out[k] = vec3_scale(t->b[k], start);
  for (int l = 0; l < t->s; l++) {
    Vec3 change = vec3_sub(vec3_scale(l ? a.now : a.next, combine_axes(pattern, dl[l])), start);
    for (int k = 0; k < t->s; k++) out[k] = vec3_axpy(out[k], t->a[k][l], change);
  }
}

void load_on_node(const Load *l, const Tableau *t, Amplitude a, const Vec3 *xn, const NodeMotion *m, NodeLoad *out) {
  const Vec3 *d[MAX_STAGES] = {0};
  if (l->wave) {
    *out = (NodeLoad){{{0, 0, 0}}, {{0, 0, 0}}};
    out->force[0] = vec3_scale(wave_force(a, vec3_dot(l->force, m[0].chord[0])), l->force);
    return;
  }
  for (int k = 0; k < t->s; k++) d[k] = m[k].x + 1;
  Vec3 force = l->held ? vec3_of(l->held) : l->force, moment = l->held ? vec3_of(l->held + 3) : l->moment;
  pass_through_tableau(t, a, l->follower, force, xn + 1, d, out->force);
  pass_through_tableau(t, a, l->follower, moment, xn + 1, d, out->moment);
}

// Adds to the tangent, at the rows of a force's stage k and the columns of the turn of stage l, f sum_j p_j d d_j/dc.
static void add_rotation_tangent(Local *out, int row, int col, double f, Vec3 p, const NodeMotion *m) {
  local_add_mat(out, row, col, -f, mat3_mul(mat3_cross(combine_axes(p, m->x + 1)), m->spin));
}

void load_add_node(const Load *l, const Tableau *t, Amplitude a, NodeKind kind, const Vec3 *xn, const NodeMotion *m,
                   Local *out) {
  NodeLoad q;
  load_on_node(l, t, a, xn, m, &q);
  for (int k = 0; k < t->s; k++) {
    int row = local_at(out, 0, k), turn = local_at(out, 1, k);
    local_add_vec(out, row, vec3_scale(-1, q.force[k]));
    if (l->wave && k == 0) local_add_mat(out, row, row, a.impedance_over_h, mat3_outer(l->force, l->force));
    if (kind != NODE_FRAME || l->wave) continue;
    local_add_vec(out, turn, vec3_scale(-1, q.moment[k]));
    for (int i = 0; l->follower && i < t->s; i++) {
      double f = -t->a[k][i] * (i ? a.now : a.next);
      add_rotation_tangent(out, row, local_at(out, 1, i), f, l->force, &m[i]);
      add_rotation_tangent(out, turn, local_at(out, 1, i), f, l->moment, &m[i]);
    }
  }
}

// ---- along an element ----

typedef struct {                        // an integration point
  Rows y;                               // place and axes of the section
  double weight;                        // length that it stands for
  double nodal_weight[MAX_LOCAL_NODES]; // of each node in what acts here
} LoadPoint;

static void load_point(const ElementKind *kind, const void *data, int g, const LocalMotion *it, LoadPoint *p) {
  double at;
  element_point_position(kind, data, g, &p->weight, &at);
  p->y.ny = p->y.start[0] = 0;
  kind->line.station(data, at, &p->y);
  for (int a = 0; a < it->nnode; a++) {
    p->nodal_weight[a] = 0;
    for (int e = p->y.start[0]; e < p->y.start[1]; e++)
      if (p->y.vec[e] == it->first[a]) p->nodal_weight[a] += p->weight * p->y.coef[e];
  }
}

// Through the axes of the section, which the directors of all nodes turn.
static void add_section_rotation_tangent(const Load *l, const Tableau *t, Amplitude amplitude, const LocalMotion *it,
                                         const LoadPoint *p, Local *out) {
  const double force[3] = {l->force.x, l->force.y, l->force.z}, moment[3] = {l->moment.x, l->moment.y, l->moment.z};
  for (int b = 0; b < it->nnode; b++) {
    if (it->kind[b] != NODE_FRAME) continue;
    double part[2][3] = {{0}}; // of the node's directors in force and moment
    for (int j = 0; j < 3; j++)
      for (int e = p->y.start[j + 1]; e < p->y.start[j + 2]; e++) {
        int v = p->y.vec[e] - it->first[b] - 1;
        if (v < 0 || v > 2) continue;
        part[0][v] += p->y.coef[e] * force[j], part[1][v] += p->y.coef[e] * moment[j];
      }
    for (int a = 0; a < it->nnode; a++)
      for (int k = 0; it->block[a] >= 0 && k < t->s; k++)
        for (int i = 0; i < t->s; i++) {
          double f = -p->nodal_weight[a] * t->a[k][i] * (i ? amplitude.now : amplitude.next);
          int col = local_at(out, it->block[b] + 1, i);
          add_rotation_tangent(out, local_at(out, it->block[a], k), col, f, vec3_of(part[0]), &it->motion[i][b]);
          if (it->kind[a] == NODE_FRAME)
            add_rotation_tangent(out, local_at(out, it->block[a] + 1, k), col, f, vec3_of(part[1]), &it->motion[i][b]);
        }
  }
}

void load_on_element(const Load *l, const ElementKind *kind, const void *data, const Tableau *t, Amplitude a,
                     const LocalMotion *it, NodeLoad *node, Local *out) {
  for (int i = 0; i < it->nnode; i++) node[i] = (NodeLoad){{{0, 0, 0}}, {{0, 0, 0}}};
  for (int g = 0; g < kind->points(data); g++) {
    LoadPoint p;
    Vec3 yn[MAX_Y] = {{0, 0, 0}}, yk[MAX_STAGES][MAX_Y], force[MAX_STAGES], moment[MAX_STAGES];
    const Vec3 *d[MAX_STAGES] = {0};
    load_point(kind, data, g, it, &p);
    rows_interpolate(&p.y, it->xn, yn);
    for (int k = 0; k < t->s; k++) rows_interpolate(&p.y, it->xk[k], yk[k]), d[k] = yk[k] + 1;
    pass_through_tableau(t, a, l->follower, l->force, yn + 1, d, force);
    pass_through_tableau(t, a, l->follower, l->moment, yn + 1, d, moment);
    for (int i = 0; i < it->nnode; i++)
      for (int k = 0; k < t->s; k++) {
        node[i].force[k] = vec3_axpy(node[i].force[k], p.nodal_weight[i], force[k]);
        node[i].moment[k] = vec3_axpy(node[i].moment[k], p.nodal_weight[i], moment[k]);
      }
    if (out && l->follower) add_section_rotation_tangent(l, t, a, it, &p, out);
  }
  for (int i = 0; out && i < it->nnode; i++)
    for (int k = 0; it->block[i] >= 0 && k < t->s; k++) {
      local_add_vec(out, local_at(out, it->block[i], k), vec3_scale(-1, node[i].force[k]));
      if (it->kind[i] == NODE_FRAME)
        local_add_vec(out, local_at(out, it->block[i] + 1, k), vec3_scale(-1, node[i].moment[k]));
    }
}

// ---- on masses and coordinates ----

void load_on_mass(Vec3 acceleration, int nvec, const double first[4], Vec3 *f) {
  for (int i = 0; i < nvec; i++) f[i] = vec3_scale(first[i], acceleration);
}

void load_on_coord(const Load *l, const Tableau *t, double h, Amplitude a, double zn, const double *zk,
                   CoordLoad *out) {
  *out = (CoordLoad){.force = {0}};
  if (l->wave) {
    out->force[0] = wave_force(a, zk[0] - zn), out->tangent[0][0] = -a.impedance_over_h;
    return;
  }
  for (int k = 0; k < t->s; k++) {
    double amplitude = amplitude_of(t, a, k);
    if (l->drive == DRIVE_FORCE) out->force[k] = l->torque * amplitude;
    if (l->drive != DRIVE_CONTROL) continue;
    double z = t->b[k] * zn, rate = ((k == 0 ? a.next - a.now : 0) - (zk[k] - zn)) / h;
    for (int i = 0; i < t->s; i++) {
      z += t->a[k][i] * (zk[i] - zn);
      out->tangent[k][i] = -l->gain * t->a[k][i];
    }
    out->force[k] = l->gain * (amplitude - z) + l->derivative_gain * rate;
    out->tangent[k][k] -= l->derivative_gain / h;
  }
}

// A moment M works M.c where balances are conjugate to c, and M.p, p = 2 n tan(phi/2) = c/(1 - |c|^2/16), where they
// are conjugate to p; the balances at the end of the step have no exact conjugate and M.phi stands in the ledger.
double load_work(Vec3 force, Vec3 moment, NodeKind kind, ForceRule force_rule, Vec3 u, Vec3 c) {
  double work = vec3_dot(force, u), turn = 1;
  if (kind == NODE_FRAME) {
    double t = vec3_norm(c) / 4;
    switch (force_rule) {
    case FORCE_CHORD: break;
    case FORCE_MEAN: turn = 1 / (1 - t * t); break;
    case FORCE_END: turn = t < 1e-5 ? 1 - t * t / 3 : atan(t) / t; break;
    }
    work += turn * vec3_dot(moment, c);
  }
  return work;
}
