// SPDX-License-Identifier: Apache-2.0
// Nodes: what forces on vectors become, and the two inertias of a frame, over stages with turns up to 2.5 rad.
#include "check.h"
#include "contract.h"

// A node alone over one step.
typedef struct {
  NodeKind kind;
  Tableau t;
  double h;
  Inertia inertia;
  Vec3 centre_velocity, xn[4],
      vn[4]; // vn: rates of the vectors (ambient), or velocity and spin in the node's axes (material)
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
} Step;

static Step step_random(NodeKind kind, Tableau t) {
  Step q = {.kind = kind, .t = t, .h = 0.4, .inertia = random_inertia(), .centre_velocity = random_vector(2)};
  random_frame(q.xn);
  for (int i = 0; i < 4; i++) q.vn[i] = random_vector(1);
  for (int k = 0; k < t.s; k++) q.u[k] = random_vector(1), q.c[k] = random_turn(2.5);
  return q;
}

static int step_unknowns(Step *q, double **unknown) {
  int s = q->t.s, blocks = node_blocks(q->kind);
  for (int b = 0; b < blocks; b++)
    for (int k = 0; k < s; k++) {
      Vec3 *v = b ? &q->c[k] : &q->u[k];
      double **at = &unknown[3 * (s * b + k)];
      at[0] = &v->x, at[1] = &v->y, at[2] = &v->z;
    }
  return 3 * s * blocks;
}

static void step_motion(const Step *q, NodeMotion *m) {
  for (int k = 0; k < q->t.s; k++) node_motion(q->kind, q->t.force_rule, q->xn, q->u[k], q->c[k], &m[k]);
}

// sum_k w_k residual_k . increment_k; carry is taken off u over stages with b_k. *scale: the sum of magnitudes.
static double step_work(const Step *q, const Local *out, Vec3 centre_velocity, double *scale) {
  double sum = 0;
  for (int k = 0; k < q->t.s; k++) {
    Vec3 u = vec3_axpy(q->u[k], -q->h * q->t.b[k], centre_velocity), turn = conjugate_turn(q->t.force_rule, q->c[k]);
    double f = vec3_dot(u, vec3_of(&out->r[local_at(out, 0, k)])), m = 0;
    if (q->kind == NODE_FRAME) m = vec3_dot(turn, vec3_of(&out->r[local_at(out, 1, k)]));
    sum += q->t.weight[k] * (f + m), *scale += fabs(q->t.weight[k]) * (fabs(f) + fabs(m));
  }
  return sum;
}

// ---- vectors ----

TEST(moment_of_forces_on_directors_works_what_they_work) {
  random_restart(1);
  double worst = 0;
  static Local out;
  for (int trial = 0; trial < 50; trial++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++) {
      Step q = step_random(NODE_FRAME, tableau_any(1, (ForceRule)force_rule));
      NodeMotion m[MAX_STAGES];
      Vec3 f[4];
      double work = 0, scale = 0;
      step_motion(&q, m);
      for (int i = 0; i < 4; i++) {
        f[i] = random_vector(1);
        work += vec3_dot(f[i], vec3_sub(m[0].x[i], q.xn[i])), scale += fabs(work);
      }
      local_clear(&out, 1, 2);
      node_add_force(&out, NODE_FRAME, 0, &m[0], 0, f);
      worst = worse(worst, fabs(step_work(&q, &out, vec3_zero(), &scale) - work) / scale);
    }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(fixed_node_stays_and_takes_no_force) {
  static Local out;
  Vec3 x[4], f[4] = {{1, 2, 3}};
  NodeMotion m;
  random_frame(x);
  node_motion(NODE_FIXED, FORCE_CHORD, x, vec3(1, 1, 1), vec3(1, 1, 1), &m);
  CHECK(memcmp(m.x, x, sizeof x) == 0);
  local_clear(&out, 1, 2);
  node_add_force(&out, NODE_FIXED, -1, &m, 0, f);
  for (int i = 0; i < out.n; i++) CHECK(out.r[i] == 0);
}

// ---- the inertia of a body ----

TEST(inertia_of_a_body_is_that_of_its_particles) {
  random_restart(2);
  Vec3 x[5], centre = vec3_zero();
  double m[5], mass = 0;
  Inertia sum = {0, {0, 0, 0}, {{{0}}}};
  for (int i = 0; i < 5; i++) {
    x[i] = random_vector(1), m[i] = random_in(0.1, 1), mass += m[i];
    centre = vec3_axpy(centre, m[i], x[i]);
    Inertia p = inertia_of_body(m[i], x[i], mat3_zero());
    inertia_add(&sum, &p);
  }
  centre = vec3_scale(1 / mass, centre);
  Mat3 jc = mat3_zero(), axes = random_rotation();
  for (int i = 0; i < 5; i++) {
    Mat3 d = mat3_cross(vec3_sub(x[i], centre));
    jc = mat3_axpy(jc, -m[i], mat3_mul(d, d));
  }
  Inertia body = inertia_of_body(mass, centre, jc), turned = inertia_turned(&body, axes);
  CHECK_NEAR(body.m, sum.m, 8 * EPS);
  CHECK_LE(vec3_norm(vec3_sub(body.s, sum.s)), 8 * EPS);
  CHECK_LE(mat3_distance(body.j, sum.j), 20 * EPS);
  // velocity and spin of the particles: momenta and energy are sums
  Vec3 v = random_vector(1), w = random_vector(1), p = vec3_zero(), h = vec3_zero();
  double energy = 0, euler[3][3] = {{0}}, ambient[4][4];
  for (int i = 0; i < 5; i++) {
    Vec3 at = vec3_add(v, vec3_cross(w, x[i]));
    p = vec3_axpy(p, m[i], at), h = vec3_axpy(h, m[i], vec3_cross(x[i], at));
    energy += 0.5 * m[i] * vec3_dot(at, at);
    Mat3 e = mat3_outer(x[i], x[i]);
    for (int k = 0; k < 9; k++) euler[k / 3][k % 3] += m[i] * e.m[k / 3][k % 3];
  }
  CHECK_LE(vec3_norm(vec3_sub(inertia_momentum(&body, v, w), p)), 20 * EPS);
  CHECK_LE(vec3_norm(vec3_sub(inertia_angular(&body, v, w), h)), 20 * EPS);
  CHECK_NEAR(inertia_energy(&body, v, w), energy, 20 * EPS);
  Vec3 tv = mat3_apply(axes, v), tw = mat3_apply(axes, w);
  CHECK_NEAR(inertia_energy(&turned, tv, tw), energy, 20 * EPS);
  inertia_ambient(&body, ambient);
  CHECK_NEAR(ambient[0][0], mass, 8 * EPS);
  const double s[3] = {body.s.x, body.s.y, body.s.z};
  for (int i = 0; i < 3; i++) {
    CHECK(ambient[0][i + 1] == s[i] && ambient[i + 1][0] == s[i]);
    for (int j = 0; j < 3; j++) CHECK_NEAR(ambient[i + 1][j + 1], euler[i][j], 20 * EPS);
  }
}

// Rates of the vectors of a frame with velocity v and spin w in its own axes.
static void rates(const Vec3 x[4], Vec3 v, Vec3 w, Vec3 out[4]) {
  Mat3 r = mat3_columns(x[1], x[2], x[3]);
  out[0] = mat3_apply(r, v);
  for (int j = 1; j < 4; j++) out[j] = vec3_cross(mat3_apply(r, w), x[j]);
}

TEST(both_inertias_give_the_same_kinetic_energy) {
  random_restart(3);
  for (int trial = 0; trial < 50; trial++) {
    Inertia q = random_inertia();
    Vec3 x[4], v = random_vector(1), w = random_vector(1), xdot[4];
    double mass[4][4];
    random_frame(x);
    rates(x, v, w, xdot);
    inertia_ambient(&q, mass);
    CHECK_REL(ambient_energy(4, mass, xdot), inertia_energy(&q, v, w), 50 * EPS);
  }
}

// ---- material inertia ----

static void evaluate_material(void *self, Local *out) {
  const Step *q = self;
  local_clear(out, q->t.s, 2);
  material_inertia(&q->t, q->h, &q->inertia, q->centre_velocity, q->xn, q->vn, NULL, q->u, q->c, out);
}

// (u - h b carry) . F + c . M = h (vhat . (p_k - p_n) + what . (h_k - h_n)),  vhat = b v_n + sum a (v_l - v_n)
static void material_velocities(const Step *q, Vec3 vk[][4]) {
  MaterialVelocity m;
  material_velocity(&q->t, q->h, q->centre_velocity, q->xn, q->vn, NULL, q->u, q->c, &m);
  for (int k = 0; k < q->t.s; k++) vk[k][0] = m.vk[k][0], vk[k][1] = m.vk[k][1];
}

TEST(material_inertia_keeps_its_identity_in_each_interval) {
  static Local out;
  double worst = 0;
  random_restart(4);
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 10; trial++) {
      Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_CHORD));
      if (trial % 2) q.centre_velocity = vec3_zero();
      Vec3 vk[MAX_STAGES][4];
      evaluate_material(&q, &out);
      material_velocities(&q, vk);
      Mat3 rn = mat3_columns(q.xn[1], q.xn[2], q.xn[3]);
      for (int k = 0; k < q.t.s; k++) {
        Vec3 projection = vec3_axpy(q.u[k], -q.h * q.t.b[k], q.centre_velocity), vhat[2], dv[2];
        for (int j = 0; j < 2; j++) {
          vhat[j] = vec3_scale(q.t.b[k], q.vn[j]), dv[j] = vec3_sub(vk[k][j], q.vn[j]);
          for (int l = 0; l < q.t.s; l++) vhat[j] = vec3_axpy(vhat[j], q.t.a[k][l], vec3_sub(vk[l][j], q.vn[j]));
        }
        Mat3 mean = mat3_scale(0.5, mat3_add(rn, mat3_mul(rotation_matrix(q.c[k]), rn)));
        Vec3 kin = mat3_apply_transpose(mean, vec3_scale(1 / q.h, projection)); // ((Rn + Rk)/2)^T slip/h
        Vec3 turn = vec3_scale(1 / q.h, mat3_apply_transpose(rn, q.c[k]));
        double size = 0;
        for (int l = 0; l < q.t.s; l++) size += vec3_norm(vk[l][0]) + vec3_norm(vk[l][1]);
        worst = worse(worst, vec3_norm(vec3_sub(vhat[0], kin)) / size);
        worst = worse(worst, vec3_norm(vec3_sub(vhat[1], turn)) / size);
        double left[2] = {vec3_dot(projection, vec3_of(&out.r[local_at(&out, 0, k)])),
                          vec3_dot(q.c[k], vec3_of(&out.r[local_at(&out, 1, k)]))};
        double right[2] = {vec3_dot(vhat[0], inertia_momentum(&q.inertia, dv[0], dv[1])),
                           vec3_dot(vhat[1], inertia_angular(&q.inertia, dv[0], dv[1]))};
        double scale = fabs(left[0]) + fabs(left[1]) + size * size * q.inertia.m;
        worst = worse(worst, fabs(left[0] + left[1] - right[0] - right[1]) / scale);
      }
    }
  CHECK_LE(worst, 100 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(material_work_is_change_of_kinetic_energy_plus_losses_in_every_scheme) {
  static Local out;
  double worst = 0;
  random_restart(5);
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 10; trial++) {
      Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_CHORD));
      Vec3 vk[MAX_STAGES][4];
      evaluate_material(&q, &out);
      material_velocities(&q, vk);
      double before = inertia_energy(&q.inertia, q.vn[0], q.vn[1]);
      double after = inertia_energy(&q.inertia, vk[0][0], vk[0][1]), scale = before + after, loss = 0;
      for (int k = 0; k < q.t.s; k++)
        loss += q.t.loss[k] * inertia_energy(&q.inertia, vec3_sub(vk[k][0], q.vn[0]), vec3_sub(vk[k][1], q.vn[1]));
      double work = step_work(&q, &out, q.centre_velocity, &scale);
      worst = worse(worst, fabs(work - (after - before + loss)) / scale);
      CHECK_LE(0, loss);
    }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(material_tangent_is_the_derivative_of_its_residual) {
  double worst = 0, *unknown[MAX_LOCAL];
  random_restart(6);
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 4; trial++) {
      Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_CHORD));
      if (trial == 0) q.centre_velocity = vec3_zero();
      if (trial == 1) memset(q.c, 0, sizeof q.c);
      int n = step_unknowns(&q, unknown);
      worst = worse(worst, tangent_error(n, unknown, evaluate_material, &q));
    }
  CHECK_LE(worst, 1e-11); // 1.4e-12
  CHECK_NOTE("%.1e", worst);
}

// A steady turn phi a step about z: v = sin(phi)/h z x r, w = 4 tan(phi/4)/h z in the node's axes do not change, and
// no stage does any work.
TEST(steady_turn_is_an_equilibrium_of_the_velocities_and_costs_nothing) {
  static Local out;
  double worst = 0;
  random_restart(7);
  for (int i = 0; i < TABLEAUX; i++)
    for (double phi = 0.1; phi < 3; phi += 0.3) {
      Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_CHORD));
      Vec3 z = vec3_unit(random_vector(1)), c = vec3_scale(4 * tan(phi / 4), z), vk[MAX_STAGES][4];
      Mat3 rn = mat3_columns(q.xn[1], q.xn[2], q.xn[3]);
      q.vn[0] = mat3_apply_transpose(rn, vec3_scale(sin(phi) / q.h, vec3_cross(z, q.xn[0])));
      q.vn[1] = mat3_apply_transpose(rn, vec3_scale(1 / q.h, c));
      for (int k = 0; k < q.t.s; k++) q.u[k] = q.c[k] = vec3_zero();
      q.centre_velocity = vec3_zero(), q.c[0] = c;
      q.u[0] = vec3_sub(mat3_apply(rotation_matrix(c), q.xn[0]), q.xn[0]);
      material_velocities(&q, vk);
      for (int k = 0; k < q.t.s; k++)
        for (int j = 0; j < 2; j++) worst = worse(worst, vec3_norm(vec3_sub(vk[k][j], q.vn[j])));
      evaluate_material(&q, &out);
      double scale = 0, work = step_work(&q, &out, vec3_zero(), &scale);
      worst = worse(worst, fabs(work) / (1 + scale));
    }
  CHECK_LE(worst, 200 * EPS);
  CHECK_NOTE("%.1e", worst);
}

// A superposed velocity that is carried along changes neither forces nor velocities.
TEST(carry_makes_the_material_balance_galilean) {
  static Local still, moving;
  random_restart(8);
  double worst = 0;
  for (int i = 0; i < TABLEAUX; i++) {
    Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_CHORD)), p = q;
    q.centre_velocity = vec3_zero();
    for (int k = 0; k < q.t.s; k++) p.u[k] = vec3_axpy(q.u[k], q.h * q.t.b[k], p.centre_velocity);
    evaluate_material(&q, &still), evaluate_material(&p, &moving);
    for (int j = 0; j < still.n; j++) worst = worse(worst, fabs(still.r[j] - moving.r[j]) / (1 + fabs(still.r[j])));
  }
  CHECK_LE(worst, 200 * EPS);
  CHECK_NOTE("%.1e", worst);
}

// ---- ambient inertia ----

static void evaluate_ambient(void *self, Local *out) {
  const Step *q = self;
  double mass[4][4];
  AmbientRates rate;
  NodeMotion m[MAX_STAGES];
  inertia_ambient(&q->inertia, mass);
  ambient_rates(&q->t, q->h, node_vectors(q->kind), q->vn, &rate);
  step_motion(q, m);
  local_clear(out, q->t.s, node_blocks(q->kind));
  ambient_inertia(q->kind, q->t.s, mass, &rate, m, out);
}

static void ambient_velocities(const Step *q, Vec3 vk[][4]) {
  NodeMotion m[MAX_STAGES];
  step_motion(q, m);
  ambient_velocity(&q->t, q->h, node_vectors(q->kind), q->vn, m, vk);
}

// (x_l - x_n)/h = b_l v_n + sum_m a_lm (v_m - v_n) for every vector
TEST(ambient_velocities_satisfy_the_kinematics_of_the_tableau) {
  random_restart(9);
  double worst = 0;
  for (int i = 0; i < TABLEAUX; i++) {
    Step q = step_random(NODE_FRAME, tableau_sample(i, FORCE_MEAN));
    Vec3 vk[MAX_STAGES][4];
    NodeMotion m[MAX_STAGES];
    step_motion(&q, m);
    ambient_velocities(&q, vk);
    for (int l = 0; l < q.t.s; l++)
      for (int a = 0; a < 4; a++) {
        Vec3 hat = vec3_scale(q.t.b[l], q.vn[a]), chord = vec3_scale(1 / q.h, vec3_sub(m[l].x[a], q.xn[a]));
        for (int j = 0; j < q.t.s; j++) hat = vec3_axpy(hat, q.t.a[l][j], vec3_sub(vk[j][a], q.vn[a]));
        worst = worse(worst, vec3_norm(vec3_sub(hat, chord)));
      }
  }
  CHECK_LE(worst, 100 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(ambient_work_is_change_of_kinetic_energy_plus_losses_in_every_scheme) {
  static Local out;
  double worst = 0, mass[4][4];
  random_restart(10);
  for (int kind = NODE_POINT; kind <= NODE_FRAME; kind++)
    for (int i = 0; i < TABLEAUX; i++)
      for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++)
        for (int trial = 0; trial < 5; trial++) {
          Step q = step_random((NodeKind)kind, tableau_sample(i, (ForceRule)force_rule));
          Vec3 vk[MAX_STAGES][4];
          int nvec = node_vectors(q.kind);
          inertia_ambient(&q.inertia, mass);
          evaluate_ambient(&q, &out);
          ambient_velocities(&q, vk);
          double before = ambient_energy(nvec, mass, q.vn), after = ambient_energy(nvec, mass, vk[0]), loss = 0;
          for (int k = 0; k < q.t.s; k++) {
            Vec3 dv[4];
            for (int a = 0; a < nvec; a++) dv[a] = vec3_sub(vk[k][a], q.vn[a]);
            loss += q.t.loss[k] * ambient_energy(nvec, mass, dv);
          }
          double scale = before + after, work = step_work(&q, &out, vec3_zero(), &scale);
          worst = worse(worst, fabs(work - (after - before + loss)) / scale);
        }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

TEST(ambient_tangent_is_the_derivative_of_its_residual) {
  double worst = 0, *unknown[MAX_LOCAL];
  random_restart(11);
  for (int kind = NODE_POINT; kind <= NODE_FRAME; kind++)
    for (int i = 0; i < TABLEAUX; i++)
      for (int force_rule = FORCE_CHORD; force_rule <= FORCE_END; force_rule++) {
        Step q = step_random((NodeKind)kind, tableau_sample(i, (ForceRule)force_rule));
        int n = step_unknowns(&q, unknown);
        worst = worse(worst, tangent_error(n, unknown, evaluate_ambient, &q));
      }
  CHECK_LE(worst, 1e-11); // 2.9e-13
  CHECK_NOTE("%.1e", worst);
}

// Sum over vectors of M_ab x_a x v_b.
static Vec3 angular_momentum(const double mass[4][4], const Vec3 *x, const Vec3 *v) {
  Vec3 sum = vec3_zero();
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) sum = vec3_axpy(sum, mass[a][b], vec3_cross(x[a], v[b]));
  return sum;
}

// With r at the middle, r x F + M = (L_1 - L_n)/h exactly: a free frame keeps its angular momentum.
TEST(preserving_scheme_changes_angular_momentum_by_the_moment_alone) {
  static Local out;
  double worst = 0, mass[4][4];
  random_restart(12);
  for (int trial = 0; trial < 20; trial++) {
    Step q = step_random(NODE_FRAME, tableau_any(1, FORCE_MEAN));
    NodeMotion m[MAX_STAGES];
    Vec3 vk[MAX_STAGES][4];
    inertia_ambient(&q.inertia, mass);
    evaluate_ambient(&q, &out);
    ambient_velocities(&q, vk);
    step_motion(&q, m);
    Vec3 before = angular_momentum(mass, q.xn, q.vn), after = angular_momentum(mass, m[0].x, vk[0]);
    Vec3 force = vec3_of(&out.r[0]), moment = vec3_of(&out.r[3]);
    moment = vec3_add(moment, vec3_cross(vec3_mean(q.xn[0], m[0].x[0]), force));
    Vec3 change = vec3_scale(1 / q.h, vec3_sub(after, before));
    worst = worse(worst, vec3_norm(vec3_sub(moment, change)) / (vec3_norm(moment) + vec3_norm(force)));
  }
  CHECK_LE(worst, 50 * EPS);
  CHECK_NOTE("%.1e", worst);
}

// Forces of both inertias on the same smooth motion r = r0 + V t + A t^2/2, spin W + B t, over a short step.
static double difference_of_inertias(double h) {
  static Local material, ambient;
  random_restart(13);
  Step q = step_random(NODE_FRAME, tableau_any(1, FORCE_CHORD)), p;
  Vec3 v = random_vector(1), a = random_vector(1), w = random_vector(1), b = random_vector(1), slow;
  Mat3 rn = mat3_columns(q.xn[1], q.xn[2], q.xn[3]);
  q.h = h, q.u[0] = vec3_axpy(vec3_scale(h, v), h * h / 2, a), q.c[0] = vec3_axpy(vec3_scale(h, w), h * h / 2, b);
  p = q, p.t.force_rule = FORCE_MEAN;
  slow = vec3_sub(v, q.centre_velocity);
  q.vn[0] = mat3_apply_transpose(rn, slow), q.vn[1] = mat3_apply_transpose(rn, w);
  rates(q.xn, mat3_apply_transpose(rn, v), q.vn[1], p.vn);
  evaluate_material(&q, &material), evaluate_ambient(&p, &ambient);
  double worst = 0;
  for (int j = 0; j < 6; j++) worst = worse(worst, fabs(material.r[j] - ambient.r[j]));
  return worst;
}

TEST(both_inertias_tend_to_the_same_forces) {
  double coarse = difference_of_inertias(1e-3), fine = difference_of_inertias(5e-4);
  CHECK_NEAR(coarse / fine, 2, 0.05);
  CHECK_LE(fine, 1e-3); // 3.8e-4
  CHECK_NOTE("%.1e at h = 5e-4, order %.3f", fine, log2(coarse / fine));
}

CHECK_MAIN
