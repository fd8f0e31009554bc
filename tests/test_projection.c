// SPDX-License-Identifier: Apache-2.0
// The slip of nodes at joints (mechanics/projection.h), over every line of joints.def: on random velocities, slips and
// multipliers, for schemes of two and three stages, with every choice of coordinates that are driven.
#include "check.h"
#include "contract.h"
#include "mechanics/projection.h"

// The nodes of a joint over one step. Blocks: u, c of the nodes; y of the nodes; mu.
typedef struct {
  const Mock *m;
  Tableau t;
  double h, rho;
  MockMotion q;
  Inertia inertia[MAX_LOCAL_NODES];
  Vec3 centre_velocity, vn[MAX_LOCAL_NODES][2];
  ProjectionVelocity y[MAX_LOCAL_NODES];
  double mu[MAX_STAGES][MAX_ROWS];
  Coords zdot; // of prescribed coordinates
} Step;

static void step_random(Step *p, const Mock *m, Tableau t) {
  memset(p, 0, sizeof *p);
  p->m = m, p->t = t, p->h = 0.4, p->rho = 0.3, p->centre_velocity = random_vector(1);
  motion_random(m, t.s, &p->q);
  for (int a = 0; a < m->item[0].nnode; a++) {
    p->inertia[a] = random_inertia();
    for (int i = 0; i < 2; i++) p->vn[a][i] = random_vector(1);
    for (int k = 0; k < t.s; k++) p->y[a].v[k] = random_vector(1), p->y[a].w[k] = random_vector(1);
  }
  for (int k = 0; k < t.s; k++)
    for (int i = 0; i < MAX_ROWS; i++) p->mu[k][i] = random_in(-1, 1);
  for (int c = 0; c < MAX_COORDS; c++) p->zdot.z[c] = m->joint.prescribed[c] ? random_in(-1, 1) : 0;
}

// Velocities of all nodes, and where their blocks lie. Returns the first block of mu.
static int step_nodes(const Step *p, ProjectionNode *node, int *first) {
  const MockItem *e = &p->m->item[0];
  int block = 0, projection = 0, vec = 0;
  for (int a = 0; a < e->nnode; a++) projection += node_blocks(p->m->node[e->node[a]]);
  for (int a = 0; a < e->nnode; a++) {
    int id = e->node[a], blocks = node_blocks(p->m->node[id]);
    node[a] = (ProjectionNode){.kind = p->m->node[id], .block = block, .projection = projection, .y = p->y[a]};
    node[a].start[0] = p->vn[a][0], node[a].start[1] = p->vn[a][1];
    if (node[a].kind == NODE_FRAME)
      material_velocity(&p->t, p->h, p->centre_velocity, p->q.xn[id], p->vn[a], &p->y[a], p->q.u[id], p->q.c[id],
                        &node[a].frame);
    if (node[a].kind == NODE_POINT) point_velocity(&p->t, p->h, p->vn[a][0], &p->y[a], p->q.u[id], &node[a].point);
    first[a] = vec, vec += node_vectors(node[a].kind), block += blocks, projection += blocks;
  }
  return projection;
}

static void rows_of_step(Step *p, const ProjectionNode *node, const int *first, ProjectionRows *out) {
  Vec3 x[MAX_LOCAL_VECTORS], turning[MAX_LOCAL_NODES];
  NodeKind kind[MAX_LOCAL_NODES];
  int n = p->m->item[0].nnode;
  mock_vectors(p->m, &p->m->item[0], p->q.xn, x);
  for (int a = 0; a < n; a++) kind[a] = node[a].kind, turning[a] = node[a].start[1];
  projection_build_rows(&p->m->joint, n, kind, first, x, &p->q.zn, &p->zdot, p->h, turning, out);
}

static void evaluate_slip(void *self, Local *out) {
  Step *p = self;
  ProjectionNode node[MAX_LOCAL_NODES];
  ProjectionRows projection_rows;
  int first[MAX_LOCAL_NODES], mu = step_nodes(p, node, first);
  rows_of_step(p, node, first, &projection_rows);
  local_clear(out, p->t.s, mu + projection_blocks(&p->m->joint));
  projection_evaluate(&p->m->joint, &p->t, p->h, p->rho, p->m->item[0].nnode, node, &projection_rows, NULL, p->mu, mu,
                      out);
}

static void vector_at(Vec3 *v, double **at) { at[0] = &v->x, at[1] = &v->y, at[2] = &v->z; }

static void step_unknowns(Step *p, double **unknown) {
  ProjectionNode node[MAX_LOCAL_NODES];
  int s = p->t.s, first[MAX_LOCAL_NODES], mu = step_nodes(p, node, first);
  for (int k = 0; k < s; k++) {
    for (int a = 0; a < p->m->item[0].nnode; a++) {
      int id = p->m->item[0].node[a], u = 3 * (s * node[a].block + k), y = 3 * (s * node[a].projection + k);
      if (node[a].kind == NODE_FIXED) continue;
      vector_at(&p->q.u[id][k], &unknown[u]), vector_at(&p->y[a].v[k], &unknown[y]);
      if (node[a].kind == NODE_POINT) continue;
      vector_at(&p->q.c[id][k], &unknown[u + 3 * s]), vector_at(&p->y[a].w[k], &unknown[y + 3 * s]);
    }
    for (int i = 0; i < p->m->joint.nprojection; i++) unknown[3 * (s * (mu + i / 3) + k) + i % 3] = &p->mu[k][i];
  }
}

// The joint with the coordinates of `driven` prescribed beside those that it prescribes itself.
static void drive_coords(Mock *m, const bool *own, int driven) {
  for (int c = 0; c < m->joint.ncoord; c++) m->joint.prescribed[c] = own[c] || driven >> c & 1;
  joint_complete(&m->joint);
}

static void over_joints(double (*error)(const Mock *), double tolerance) {
  static Mock m;
  double params[MOCK_PARAMS / sizeof(double)], worst = 0;
  for (int j = 0; joint_kinds[j]; j++) {
    const JointKind *kind = joint_kinds[j];
    for (int i = 0; mock_variant(&m, &i, kind->name, &kind->fields, kind->example_nodes, kind->example, params); i++) {
      if (mock_joint(&m, kind, params) || !mock_moves(&m)) continue;
      bool own[MAX_COORDS];
      memcpy(own, m.joint.prescribed, sizeof own);
      for (int driven = 0; driven < 1 << m.joint.ncoord; driven++) {
        drive_coords(&m, own, driven);
        if (!m.joint.nprojection) continue; // it holds nothing
        double e = error(&m);
        if (!CHECK_LE(e, tolerance)) CHECK_NOTE("%s, driven %x", m.name, (unsigned)driven);
        worst = worse(worst, e);
      }
    }
  }
  CHECK_NOTE("%.1e", worst);
}

static double slip_tangent_error(const Mock *m) {
  static Step p;
  double worst = 0;
  for (int s = 2; s <= MAX_STAGES; s++) {
    double *unknown[MAX_LOCAL] = {NULL};
    static Local out;
    step_random(&p, m, tableau_any(s, FORCE_CHORD));
    step_unknowns(&p, unknown);
    evaluate_slip(&p, &out);
    worst = worse(worst, tangent_error(out.n, unknown, evaluate_slip, &p));
  }
  return worst;
}

TEST(slip_tangent_is_the_derivative_of_its_residual) { over_joints(slip_tangent_error, 1e-11); } // 6e-13

// Over a jump: sum over nodes of (Ghat^T mu) . (v_k - v_n) = mu . Ghat (v_k - v_n), which the rows of mu set to zero.
static double slip_work_error(const Mock *m) {
  static Step p;
  static Local out;
  double worst = 0;
  for (int s = 2; s <= MAX_STAGES; s++) {
    ProjectionNode node[MAX_LOCAL_NODES];
    int first[MAX_LOCAL_NODES];
    step_random(&p, m, tableau_any(s, FORCE_CHORD));
    int mu = step_nodes(&p, node, first);
    evaluate_slip(&p, &out);
    for (int k = 1; k < s; k++) {
      double sum = 0, scale = 0;
      for (int a = 0; a < m->item[0].nnode; a++) {
        if (node[a].kind == NODE_FIXED) continue;
        bool frame = node[a].kind == NODE_FRAME;
        const Vec3 *vk = frame ? node[a].frame.vk[k] : &node[a].point.vk[k];
        const Vec3 *vn = frame ? node[a].frame.vn : &node[a].point.vn;
        for (int i = 0; i < 1 + frame; i++) {
          Vec3 f = vec3_of(&out.r[local_at(&out, node[a].projection + i, k)]), dv = vec3_sub(vk[i], vn[i]);
          sum -= vec3_dot(f, dv), scale += vec3_norm(f) * vec3_norm(dv);
        }
      }
      for (int i = 0; i < m->joint.nprojection; i++) sum -= p.mu[k][i] * out.r[local_at(&out, mu + i / 3, k) + i % 3];
      worst = worse(worst, fabs(sum) / scale);
    }
  }
  return worst;
}

TEST(slip_works_multiplier_times_what_the_joint_forbids) { over_joints(slip_work_error, 50 * EPS); }

// Rows of mu over the step with rho = 0, no velocity at the start and y^0 = (v, w): the rate of the joint's rows, combined so
// that free coordinates drop out, while the prescribed ones move.
static double slip_rate_error(const Mock *m) {
  static Step p;
  static Local out;
  ProjectionNode node[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  double worst = 0, g[4][MAX_ROWS];
  ProjectionRows projection_rows;
  step_random(&p, m, tableau_any(2, FORCE_CHORD));
  memset(p.vn, 0, sizeof p.vn);
  p.h = 1e-7, p.rho = 0;
  int mu = step_nodes(&p, node, first);
  evaluate_slip(&p, &out);
  rows_of_step(&p, node, first, &projection_rows);
  for (int e = 0; e < 4; e++) {
    Coords z = p.q.zn;
    for (int c = 0; c < MAX_COORDS; c++) z.z[c] += difference_step(e) * p.zdot.z[c];
    Vec3 x[MOCK_NODES][4], v[MAX_LOCAL_VECTORS];
    memcpy(x, p.q.xn, sizeof x);
    for (int a = 0; a < m->item[0].nnode; a++) {
      int id = m->item[0].node[a];
      if (node[a].kind == NODE_FIXED) continue;
      Vec3 *n = x[id], velocity = p.y[a].v[0];
      if (node[a].kind == NODE_FRAME) {
        Mat3 r = mat3_columns(n[1], n[2], n[3]),
             turn = rotation_exponential(vec3_scale(difference_step(e), p.y[a].w[0]));
        velocity = mat3_apply(r, velocity), r = mat3_mul(r, turn);
        for (int j = 0; j < 3; j++) n[j + 1] = mat3_column(r, j);
      }
      n[0] = vec3_axpy(n[0], difference_step(e), velocity);
    }
    mock_vectors(m, &m->item[0], x, v);
    rows_value(&m->joint.rows, v, &z, g[e]);
  }
  for (int i = 0; i < m->joint.nprojection; i++) {
    double f[4] = {0};
    for (int e = 0; e < 4; e++)
      for (int r = 0; r < m->joint.rows.nrow; r++) f[e] += projection_rows.part[i][r] * g[e][r];
    worst = worse(worst, fabs(out.r[local_at(&out, mu + i / 3, 0) + i % 3] - extrapolated(f)));
  }
  return worst;
}

TEST(slip_rows_are_the_rates_of_the_joint) { over_joints(slip_rate_error, 2e-9); } // 9.9e-10, by differences

// All nodes turn together by phi a step about z: v = sin(phi)/h z x r, w = 4 tan(phi/4)/h z, each in its own axes.
static double slip_steady_error(const Mock *m) {
  static Step p;
  static Local out;
  ProjectionNode node[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  double worst = 0;
  for (int a = 0; a + 1 < m->item[0].nnode; a++)
    if (m->node[m->item[0].node[a]] == NODE_FIXED) return 0;
  if (m->item[0].nnode < 3) return 0; // tied to the ground, which does not turn
  for (double phi = 1e-9; phi < 2.5; phi = 2 * phi + 0.1) {
    Vec3 z = vec3_unit(random_vector(1));
    step_random(&p, m, tableau_any(2, FORCE_CHORD));
    memcpy(p.q.xn, m->x, sizeof p.q.xn);
    memset(p.y, 0, sizeof p.y);
    p.q.zn = p.zdot = (Coords){{0}}, p.rho = 0;
    for (int a = 0; a < m->item[0].nnode; a++) {
      int id = m->item[0].node[a];
      const Vec3 *x = m->x[id];
      bool frame = m->node[id] == NODE_FRAME;
      Mat3 r = frame ? mat3_columns(x[1], x[2], x[3]) : mat3_identity();
      p.vn[a][0] = mat3_apply_transpose(r, vec3_scale(sin(phi) / p.h, vec3_cross(z, x[0])));
      p.vn[a][1] = mat3_apply_transpose(r, vec3_scale(4 * tan(phi / 4) / p.h, z));
    }
    int mu = step_nodes(&p, node, first);
    evaluate_slip(&p, &out);
    for (int i = 0; i < m->joint.nprojection; i++)
      worst = worse(worst, fabs(out.r[local_at(&out, mu + i / 3, 0) + i % 3]));
  }
  return worst;
}

TEST(steady_turn_lies_along_every_joint) { over_joints(slip_steady_error, 100 * EPS); }

// ---- inertia with a slip ----

typedef struct {
  NodeKind kind;
  Tableau t;
  double h;
  Inertia inertia;
  Vec3 centre_velocity, xn[4], vn[2], u[MAX_STAGES], c[MAX_STAGES];
  ProjectionVelocity y;
} NodeStep;

static NodeStep node_step_random(NodeKind kind, Tableau t) {
  NodeStep q = {.kind = kind, .t = t, .h = 0.4, .inertia = random_inertia()};
  if (kind == NODE_FRAME) q.centre_velocity = random_vector(1);
  random_frame(q.xn);
  for (int i = 0; i < 2; i++) q.vn[i] = random_vector(1);
  for (int k = 0; k < t.s; k++) {
    q.u[k] = random_vector(1), q.c[k] = random_turn(2.5);
    q.y.v[k] = random_vector(1), q.y.w[k] = random_vector(1);
  }
  return q;
}

static void evaluate_inertia(void *self, Local *out) {
  const NodeStep *q = self;
  local_clear(out, q->t.s, 2 * node_blocks(q->kind));
  if (q->kind == NODE_FRAME)
    material_inertia(&q->t, q->h, &q->inertia, q->centre_velocity, q->xn, q->vn, &q->y, q->u, q->c, out);
  else point_inertia(&q->t, q->h, q->inertia.m, q->vn[0], &q->y, q->u, out);
}

TEST(inertia_with_a_slip_has_its_derivative_as_tangent) {
  double worst = 0;
  random_restart(1);
  for (int kind = NODE_POINT; kind <= NODE_FRAME; kind++)
    for (int i = 0; i < TABLEAUX; i++) {
      NodeStep q = node_step_random((NodeKind)kind, tableau_sample(i, FORCE_CHORD));
      double *unknown[MAX_LOCAL];
      int s = q.t.s, blocks = node_blocks(q.kind);
      for (int k = 0; k < s; k++) {
        vector_at(&q.u[k], &unknown[3 * k]), vector_at(&q.y.v[k], &unknown[3 * (s * blocks + k)]);
        if (kind == NODE_POINT) continue;
        vector_at(&q.c[k], &unknown[3 * (s + k)]), vector_at(&q.y.w[k], &unknown[3 * (3 * s + k)]);
      }
      worst = worse(worst, tangent_error(6 * s * blocks, unknown, evaluate_inertia, &q));
    }
  CHECK_LE(worst, 1e-11); // 2.8e-13
  CHECK_NOTE("%.1e", worst);
}

// sum_k w_k residual . increment = change of kinetic energy from v_n + y^0 on, plus losses, less the work w_k y^k . M
// (v_k - v_n) over the jumps, which is zero where the joint's rows hold.
TEST(inertia_with_a_slip_works_change_of_energy_plus_losses_less_the_slips_work) {
  static Local out;
  double worst = 0;
  random_restart(2);
  for (int kind = NODE_POINT; kind <= NODE_FRAME; kind++)
    for (int i = 0; i < TABLEAUX; i++)
      for (int trial = 0; trial < 5; trial++) {
        NodeStep q = node_step_random((NodeKind)kind, tableau_sample(i, FORCE_CHORD));
        bool frame = kind == NODE_FRAME;
        if (!frame) { // a point is a frame that has no spin and no moment
          Inertia point = {q.inertia.m, {0, 0, 0}, {{{0}}}};
          q.inertia = point;
        }
        MaterialVelocity v = {0};
        PointVelocity p = {0};
        if (frame) material_velocity(&q.t, q.h, q.centre_velocity, q.xn, q.vn, &q.y, q.u, q.c, &v);
        else {
          point_velocity(&q.t, q.h, q.vn[0], &q.y, q.u, &p);
          v.vn[0] = p.vn;
          for (int k = 0; k < q.t.s; k++) v.vk[k][0] = p.vk[k];
        }
        evaluate_inertia(&q, &out);
        double before = inertia_energy(&q.inertia, v.vn[0], v.vn[1]);
        double after = inertia_energy(&q.inertia, v.vk[0][0], v.vk[0][1]), sum = before - after, scale = before + after;
        for (int k = 0; k < q.t.s; k++) {
          Vec3 dv = vec3_sub(v.vk[k][0], v.vn[0]), dw = vec3_sub(v.vk[k][1], v.vn[1]);
          Vec3 u = vec3_axpy(q.u[k], -q.h * q.t.b[k], q.centre_velocity);
          double work = vec3_dot(u, vec3_of(&out.r[local_at(&out, 0, k)])), projection = 0;
          if (frame) work += vec3_dot(q.c[k], vec3_of(&out.r[local_at(&out, 1, k)]));
          if (k > 0)
            projection = vec3_dot(q.y.v[k], inertia_momentum(&q.inertia, dv, dw)) +
                         vec3_dot(q.y.w[k], inertia_angular(&q.inertia, dv, dw));
          sum += q.t.weight[k] * (work + projection) - q.t.loss[k] * inertia_energy(&q.inertia, dv, dw);
          scale += q.t.weight[k] * (fabs(work) + fabs(projection));
        }
        worst = worse(worst, fabs(sum) / scale);
      }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

CHECK_MAIN
