// SPDX-License-Identifier: Apache-2.0
// Models without a narrow band: a net of beams, by factors that are kept, and a solid, by GMRES, against the direct solver with new
// factors for every system.
#include "check_petsc.h"

#include "limber/limber.h"
#include "stepping/stepper.h"

typedef enum { USUAL, NEW_FACTORS, ROBUST } Way;

typedef struct {
  PetscInt count;
  Vec3 *x; // of the rank's own nodes
  double open;
  int falls, iterations;
  bool wide;
} Motion;

// n x n meshes of 0.3 m of steel wire, held at two corners; it falls.
static LimberModel net(int n) {
  static const LimberSection wire = {
      .stiffness = {{2.1e7}, {0, 6.73e6}, {0, 0, 6.73e6}, {0, 0, 0, 113.6}, {0, 0, 0, 0, 175}, {0, 0, 0, 0, 0, 175}},
      .mass = 0.78,
      .inertia = {{1.3e-5}, {0, 6.5e-6}, {0, 0, 6.5e-6}}};
  LimberModel m;
  LimberId section, node[40 * 40];
  int side = n + 1;
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "wire", 1, &wire, &section));
  for (int i = 0; i < side * side; i++)
    CHECK_OK(LimberModelAddFrame(m, NULL, (double[]){0.3 * (i % side), 0.3 * (i / side), 0}, NULL, &node[i]));
  for (int i = 0; i < side * side; i++)
    for (int d = 0; d < 2; d++) {
      if ((d ? i / side : i % side) == n) continue;
      LimberBeam b = {.from = node[i], .to = node[i + (d ? side : 1)], .section = section, .elements = 1, .order = 1};
      b.up[2] = 1;
      CHECK_OK(LimberModelAddElement(m, "beam", NULL, &b, NULL));
    }
  CHECK_OK(LimberModelAddJoint(m, "clamp", "left", &(LimberClamp){node[0]}, NULL));
  CHECK_OK(LimberModelAddJoint(m, "clamp", "right", &(LimberClamp){node[n]}, NULL));
  CHECK_OK(LimberModelAddLoad(m, "gravity", "g",
                              &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NONE}, NULL));
  return m;
}

// A cube of 1 m of rubber, n^3 hexahedra, on the ground; its top is pushed aside.
static LimberModel cube(int n) {
  LimberModel m;
  LimberId node[12 * 12 * 12], corner[8 * 11 * 11 * 11];
  LimberCellShape shape[11 * 11 * 11];
  int side = n + 1, cells = 0, stride[3] = {1, side, side * side};
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < side * side * side; i++) {
    double at[3] = {(double)(i % side) / n, (double)(i / side % side) / n, (double)(i / side / side) / n};
    if (i < stride[2]) CHECK_OK(LimberModelAddFixed(m, NULL, at, NULL, &node[i]));
    else {
      CHECK_OK(LimberModelAddPoint(m, NULL, at, &node[i]));
      CHECK_OK(LimberModelSetVelocity(m, node[i], (double[]){5 * at[2], 0, 0}, NULL));
    }
  }
  for (int i = 0; i < side * side * side; i++) {
    static const int order[8] = {0, 1, 3, 2, 4, 5, 7, 6}; // bits are x, y, z
    if (i % side == n || i / side % side == n || i / side / side == n) continue;
    for (int a = 0; a < 8; a++) {
      int b = order[a];
      corner[8 * cells + a] = node[i + (b & 1) * stride[0] + (b >> 1 & 1) * stride[1] + (b >> 2) * stride[2]];
    }
    shape[cells++] = LIMBER_HEXAHEDRON;
  }
  CHECK_OK(LimberModelAddElement(
      m, "solid", "cube",
      &(LimberSolid){.cells = {shape, corner, cells}, .material = {.E = 1e6, .nu = 0.3, .density = 1000}}, NULL));
  return m;
}

static Motion moved(LimberModel m, double step, Way way) {
  Motion out = {0};
  Stepper *p;
  char wrong[1024];
  LimberOutcome o = {0};
  CHECK_OK(StepperCreate(m, &(LimberOptions){.scheme = "preserving", .step = step}, &p, wrong, sizeof wrong));
  System *s = p->s;
  out.wide = s->wide;
  if (way == NEW_FACTORS) s->wide = false; // which is what keeps them
  if (way == ROBUST) s->wide = false, s->falls = 4;
  for (int i = 0; i < 8; i++) {
    CHECK_OK(StepperStep(p, &o));
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    out.iterations += o.iterations;
  }
  out.open = p->ledger.worst_residual / p->ledger.exchanged, out.falls = s->falls, out.count = s->nnode_own;
  CHECK_OK(PetscMalloc1(s->nnode_own, &out.x));
  for (PetscInt i = 0; i < s->nnode_own; i++) out.x[i] = s->x[4 * i];
  CHECK_OK(StepperDestroy(&p));
  return out;
}

static double apart(Motion *a, Motion *b) {
  double most = 0;
  CHECK_INT(a->count, b->count);
  for (PetscInt i = 0; i < a->count; i++) most = PetscMax(most, vec3_norm(vec3_sub(a->x[i], b->x[i])));
  CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
  return most;
}

static void forget(int n, Motion *list) {
  for (int i = 0; i < n; i++) CHECK_OK(PetscFree(list[i].x));
}

// The usual way, twice to the bit, and another come to the same.
static void agree(LimberModel m, Way other, const char *size, double allowed) {
  Motion a[3] = {moved(m, 1e-2, USUAL), moved(m, 1e-2, other), moved(m, 1e-2, USUAL)};
  CHECK(a[0].wide);
  CHECK_INT(a[0].iterations, a[1].iterations);
  CHECK_INT(a[0].falls, 0);
  double d = apart(&a[0], &a[1]), again = apart(&a[0], &a[2]);
  CHECK_NOTE("apart by %.1e m of %s, account open by %.1e and %.1e", d, size, a[0].open, a[1].open);
  CHECK_LE(d, allowed);
  CHECK_LE(a[0].open, 1e-12);
  CHECK_NEAR(again, 0, 0);
  forget(3, a);
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_net_moves_by_kept_factors_as_by_new_ones) { agree(net(37), NEW_FACTORS, "15 m", 2e-13); } // 1.1e-14
TEST(a_solid_moves_by_gmres_as_by_mumps) { agree(cube(9), ROBUST, "1 m", 2e-14); }               // 9e-16

TEST(gmres_that_does_not_converge_gives_way_to_mumps) {
  LimberModel m = cube(9);
  CHECK_OK(PetscOptionsSetValue(NULL, "-ksp_max_it", "3"));
  Motion a[2] = {moved(m, 1e-2, USUAL)};
  CHECK_OK(PetscOptionsClearValue(NULL, "-ksp_max_it"));
  a[1] = moved(m, 1e-2, ROBUST);
  CHECK_INT(a[0].falls, 4);
  double d = apart(&a[0], &a[1]);
  CHECK_NOTE("apart by %.1e m", d);
  CHECK_LE(d, 2e-14); // 1.2e-15
  forget(2, a);
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
