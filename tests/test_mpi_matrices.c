// SPDX-License-Identifier: Apache-2.0
// Matrices of small motions about a state, without a stepper: against differences of forces, the energy of the model, and the
// nutation of a free top in the frame that rotates with it.
#include "check_petsc.h"

#include "analyses/stepping/ledger.h"
#include "assembly/matrices.h"
#include "base/rotation.h"

#include <math.h>

static System *system_of(LimberModel model, StepRule *rule) {
  System *s = NULL;
  *rule = (StepRule){.order = 0};
  scheme_without_inertia(rule);
  CHECK_OK(SystemCreate(model, rule, &s));
  return s;
}

// A bent beam on a hinge with a spring and a damper, a rigid body off its node at its tip, a follower force, gravity.
static LimberModel mechanism(void) {
  LimberModel m;
  LimberNodeId tip;
  LimberSectionId section;
  LimberElementId beam;
  LimberNodeId root;
  LimberSection q = {.mass = 2, .stiffness = {{4e4}}, .inertia = {{0.02}}};
  const double stiffness[6] = {4e4, 2e4, 1e4, 30, 50, 80}, inertia[3] = {0.02, 0.01, 0.01};
  for (int i = 0; i < 6; i++) q.stiffness[i][i] = stiffness[i];
  for (int i = 0; i < 3; i++) q.inertia[i][i] = inertia[i];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "root", (double[]){0, 0, 0}, NULL, &root));
  CHECK_OK(LimberModelAddFrame(m, "tip", (double[]){1, 0.2, 0}, NULL, &tip));
  CHECK_OK(LimberModelAddSection(m, "s", 1, &q, &section));
  CHECK_OK(LimberModelAddBeam(m, "beam",
                              &(LimberBeam){.from = root,
                                            .to = tip,
                                            .section = section,
                                            .elements = 3,
                                            .order = 2,
                                            .up = {0, 0, 1},
                                            .damping = 0.01,
                                            .mass_damping = 0.7},
                              &beam));
  CHECK_OK(LimberModelAddRigidBody(
      m, "load", &(LimberRigidBody){.node = tip, .mass = 3, .centre = {0.1, 0.05, -0.02}, .inertia = {0.1, 0.2, 0.3}},
      NULL));
  CHECK_OK(LimberModelAddRevolute(
      m, "hinge",
      &(LimberRevolute){.nodes = {LIMBER_GROUND, root}, .axis = {0, 0, 1}, .law = {{.stiffness = 20, .damping = 0.5}}},
      NULL));
  CHECK_OK(LimberModelAddGravity(
      m, NULL, &(LimberGravity){.acceleration = {0, -9.81, 0}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_OK(LimberModelAddFollowerForce(
      m, NULL, &(LimberFollower){.node = tip, .direction = {3, 1, 2}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

// Bends and turns what the model gives, the same on every rank, and pulls the joint.
static void deform(const Layout *layout, State *state) {
  for (PetscInt i = 1; i < layout->nnode; i++) {
    Vec3 *x = state->x + 4 * i;
    double a = 0.1 * (double)layout->node[i];
    if (layout->node_block[i] < 0) continue;
    Mat3 r = rotation_exponential((Vec3){0.1 * sin(a), 0.2 * cos(2 * a), 0.15 * a});
    x[0] = vec3_add(x[0], (Vec3){0.02 * sin(a), 0.03 * cos(3 * a), 0.01 * a});
    for (int j = 1; j < 4; j++) x[j] = mat3_apply(r, x[j]);
  }
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int r = 0; r < 5; r++) state->multiplier[j][r] = 5 + 3 * r;
}

// Moves every node by t times a direction of unknowns, and multipliers and coordinates with it; the state of every rank.
static void move(const Layout *layout, State *state, const double *dir, double t) {
  for (PetscInt i = 1; i < layout->nnode; i++) {
    Vec3 *x = state->x + 4 * i;
    if (layout->node_block[i] < 0) continue;
    const double *d = dir + 6 * layout->node[i];
    x[0] = vec3_axpy(x[0], t, vec3_of(d));
    Mat3 r = rotation_exponential(vec3_scale(t, vec3_of(d + 3)));
    for (int j = 1; j < 4; j++) x[j] = mat3_apply(r, x[j]);
  }
}

// A vector of the system's rows from the values of model nodes.
static void put(const Layout *layout, const double *dir, Vec out) {
  double *q;
  CHECK_OK(VecZeroEntries(out));
  CHECK_OK(VecGetArray(out, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int k = 0; k < 6 && layout->node_block[i] >= 0; k++)
      q[3 * layout->node_block[i] + k] = dir[6 * layout->node[i] + k];
  CHECK_OK(VecRestoreArray(out, &q));
}

enum { MOST = 6 * 32 };
static void direction(double *dir) {
  for (int i = 0; i < MOST; i++) dir[i] = sin(1.7 * i + 0.3);
}

// Away from equilibrium, too, where K is not symmetric: moments are those about the node as it turns.
TEST(stiffness_is_the_derivative_of_forces_with_spin_and_without) {
  StepRule rule;
  LimberModel m = mechanism();
  for (int spins = 0; spins < 2; spins++) {
    System *s = system_of(m, &rule);
    const Spin spin = {.axis = {0, 0.6, 0.8}, .centre = {-0.3, 0.1, 0}, .rate = spins ? 4 : 0};
    double dir[MOST], e = 1e-6, diff, scale;
    Vec d, kd, f[2];
    Mat k;
    deform(&s->motion.layout, &s->motion.state);
    direction(dir);
    CHECK_OK(CreateStiffness(&s->motion, &s->equations, &spin, &k));
    CHECK_OK(MatCreateVecs(k, &d, &kd));
    for (int i = 0; i < 2; i++) CHECK_OK(VecDuplicate(d, &f[i]));
    put(&s->motion.layout, dir, d);
    CHECK_OK(MatMult(k, d, kd));
    for (int i = 0; i < 2; i++) {
      move(&s->motion.layout, &s->motion.state, dir, i ? -e : e);
      CHECK_OK(EvaluateForces(&s->motion, &s->equations, &spin, f[i]));
      move(&s->motion.layout, &s->motion.state, dir, i ? e : -e);
    }
    CHECK_OK(VecAXPY(f[0], -1, f[1]));
    CHECK_OK(VecScale(f[0], 0.5 / e));
    CHECK_OK(VecNorm(kd, NORM_2, &scale));
    CHECK_OK(VecAXPY(f[0], -1, kd));
    CHECK_OK(VecNorm(f[0], NORM_2, &diff));
    CHECK_NOTE("K d differs from the difference of forces by %.1e", diff / scale);
    CHECK_LE(diff / scale, 1e-9); // 2e-10, of the second order in e
    CHECK_OK(VecDestroy(&d));
    CHECK_OK(VecDestroy(&kd));
    for (int i = 0; i < 2; i++) CHECK_OK(VecDestroy(&f[i]));
    CHECK_OK(MatDestroy(&k));
    CHECK_OK(SystemDestroy(&s));
  }
  CHECK_OK(LimberModelDestroy(&m));
}

// Frames are evaluated side by side without a rotation, one by one with it.
TEST(a_system_gives_the_same_matrices_after_those_of_a_rotation) {
  StepRule rule;
  LimberModel m = mechanism();
  System *s = system_of(m, &rule);
  const Spin spin = {.axis = {0, 0.6, 0.8}, .centre = {-0.3, 0.1, 0}, .rate = 4};
  Mat k[3], turning[2];
  double off, size;
  deform(&s->motion.layout, &s->motion.state);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(CreateStiffness(&s->motion, &s->equations, NULL, &k[i]));
    if (i < 2) CHECK_OK(CreateStiffness(&s->motion, &s->equations, &spin, &turning[i]));
  }
  CHECK_OK(MatNorm(k[0], NORM_FROBENIUS, &size));
  CHECK_OK(MatAXPY(turning[1], -1, turning[0], SAME_NONZERO_PATTERN));
  CHECK_OK(MatNorm(turning[1], NORM_FROBENIUS, &off));
  CHECK_LE(off, 0);
  CHECK_OK(MatAXPY(turning[0], -1, k[0], SAME_NONZERO_PATTERN));
  CHECK_OK(MatNorm(turning[0], NORM_FROBENIUS, &off));
  CHECK_LT(1e-6 * size, off);
  for (int i = 2; i >= 0; i--) {
    CHECK_OK(MatAXPY(k[i], -1, k[0], SAME_NONZERO_PATTERN));
    CHECK_OK(MatNorm(k[i], NORM_FROBENIUS, &off));
    CHECK_LE(off, 0);
    CHECK_OK(MatDestroy(&k[i]));
  }
  for (int i = 0; i < 2; i++) CHECK_OK(MatDestroy(&turning[i]));
  CHECK_OK(SystemDestroy(&s));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(mass_gives_the_kinetic_energy_of_the_model) {
  StepRule rule;
  LimberModel m = mechanism();
  System *s = system_of(m, &rule);
  double dir[MOST], energy, kinetic, strain, potential;
  Vec d, md;
  Mat mass;
  deform(&s->motion.layout, &s->motion.state);
  direction(dir);
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++) {
    const double *v = dir + 6 * s->motion.layout.node[i];
    if (s->motion.layout.node_block[i] < 0) continue;
    s->motion.state.v[4 * i] = vec3_of(v);
    for (int j = 1; j < 4; j++) s->motion.state.v[4 * i + j] = vec3_cross(vec3_of(v + 3), s->motion.state.x[4 * i + j]);
  }
  CHECK_OK(LedgerEnergies(&s->motion, NULL, &kinetic, &strain, &potential));
  CHECK_OK(CreateMass(&s->motion.layout, &s->motion.state, &mass));
  CHECK_OK(MatCreateVecs(mass, &d, &md));
  put(&s->motion.layout, dir, d);
  CHECK_OK(MatMult(mass, d, md));
  CHECK_OK(VecDot(d, md, &energy));
  CHECK_NOTE("%.16g J by the ledger, %.16g J by the matrix", kinetic, 0.5 * energy);
  CHECK_REL(0.5 * energy, kinetic, 1e-14);
  CHECK_OK(VecDestroy(&d));
  CHECK_OK(VecDestroy(&md));
  CHECK_OK(MatDestroy(&mass));
  CHECK_OK(SystemDestroy(&s));
  CHECK_OK(LimberModelDestroy(&m));
}

// x^T A y + sign y^T A x over sqrt of both
static double asymmetry(const Layout *layout, Mat a, double sign) {
  double dir[MOST], xay, yax;
  Vec x, y, z;
  CHECK_OK(MatCreateVecs(a, &x, &y));
  CHECK_OK(VecDuplicate(x, &z));
  direction(dir);
  put(layout, dir, x);
  for (int i = 0; i < MOST; i++) dir[i] = cos(0.9 * i);
  put(layout, dir, y);
  CHECK_OK(MatMult(a, y, z));
  CHECK_OK(VecDot(x, z, &xay));
  CHECK_OK(MatMult(a, x, z));
  CHECK_OK(VecDot(y, z, &yax));
  CHECK_OK(VecDestroy(&x));
  CHECK_OK(VecDestroy(&y));
  CHECK_OK(VecDestroy(&z));
  CHECK(fabs(xay) > 1e-3);
  return fabs(xay + sign * yax) / fabs(xay);
}

TEST(mass_and_damping_are_symmetric_and_gyroscopic_forces_do_no_work) {
  StepRule rule;
  LimberModel m = mechanism();
  System *s = system_of(m, &rule);
  const Spin spin = {.axis = {0, 0.6, 0.8}, .centre = {-0.3, 0.1, 0}, .rate = 4};
  Mat a[3];
  deform(&s->motion.layout, &s->motion.state);
  CHECK_OK(CreateMass(&s->motion.layout, &s->motion.state, &a[0]));
  CHECK_OK(CreateDamping(&s->motion, &s->equations, NULL, &a[1]));
  CHECK_OK(CreateGyroscopic(&s->motion, &spin, &a[2]));
  for (int i = 0; i < 3; i++) {
    double off = asymmetry(&s->motion.layout, a[i], i == 2 ? 1 : -1);
    CHECK_NOTE("%s %.1e", i == 0 ? "mass" : i == 1 ? "damping" : "gyroscopic", off);
    CHECK_LE(off, i == 1 ? 1e-10 : 1e-13); // damping is a difference of two tangents
    CHECK_OK(MatDestroy(&a[i]));
  }
  CHECK_OK(SystemDestroy(&s));
  CHECK_OK(LimberModelDestroy(&m));
}

// A free top of moments A, A, C turns about its axis by Omega. In the frame that turns with it, its small motions about the other
// axes are theta_1 + i theta_2 = exp(i lambda t) with lambda = (C/A - 1) Omega, the nutation, or -Omega, another axis of rotation.
TEST(a_free_top_nutates_as_the_matrices_say) {
  const double a = 0.7, c = 1.9, rate = 3;
  StepRule rule;
  LimberModel m;
  LimberNodeId node;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFrame(m, "top", (double[]){0, 0, 0}, NULL, &node));
  CHECK_OK(LimberModelAddRigidBody(m, "top", &(LimberRigidBody){.node = node, .mass = 5, .inertia = {a, a, c}}, NULL));
  System *s = system_of(m, &rule);
  const Spin spin = {.axis = {0, 0, 1}, .rate = rate};
  Mat mat[3];
  Vec d, y, sum;
  CHECK_OK(CreateMass(&s->motion.layout, &s->motion.state, &mat[0]));
  CHECK_OK(CreateGyroscopic(&s->motion, &spin, &mat[1]));
  CHECK_OK(CreateStiffness(&s->motion, &s->equations, &spin, &mat[2]));
  CHECK_OK(MatCreateVecs(mat[0], &d, &y));
  CHECK_OK(VecDuplicate(d, &sum));
  for (int i = 0; i < 2; i++) {
    double lambda = i ? -rate : (c / a - 1) * rate, left, dir[MOST] = {0};
    const double part[3][2] = {{-lambda * lambda, 0}, {0, lambda}, {1, 0}}; // at t = 0: theta'', theta', theta
    CHECK_OK(VecZeroEntries(sum));
    for (int k = 0; k < 3; k++) {
      dir[6 * node.index + 3] = part[k][0], dir[6 * node.index + 4] = part[k][1];
      put(&s->motion.layout, dir, d);
      CHECK_OK(MatMult(mat[k], d, y));
      CHECK_OK(VecAXPY(sum, 1, y));
    }
    CHECK_OK(VecNorm(sum, NORM_2, &left));
    CHECK_NOTE("lambda %.3g: %.1e N m left", lambda, left);
    CHECK_LE(left, 1e-13 * c * rate * rate);
  }
  for (int k = 0; k < 3; k++) CHECK_OK(MatDestroy(&mat[k]));
  CHECK_OK(VecDestroy(&d));
  CHECK_OK(VecDestroy(&y));
  CHECK_OK(VecDestroy(&sum));
  CHECK_OK(SystemDestroy(&s));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
