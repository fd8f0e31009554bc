// SPDX-License-Identifier: Apache-2.0
// Models without a narrow band: a net of beams, by factors that are kept, a lattice and a solid, by GMRES, against the direct solver with new
// factors for every system.
#include "base/cookie.h"
#include <limits.h>
#include "check_petsc.h"

#include "limber/limber.h"
#include "analyses/stepping/stepper.h"
#include "model/refusal.h"

typedef enum { USUAL, NEW_FACTORS, ROBUST } Way;

typedef struct {
  PetscInt count;
  Vec3 *x;          // of the rank's own nodes
  double open, sum; // of the account, of all places, each node's with a weight of its own
  int falls, iterations;
  bool wide;
  PetscBool direct;
} MovedModel;

static const LimberSection wire = {
    .stiffness = {{2.1e7}, {0, 6.73e6}, {0, 0, 6.73e6}, {0, 0, 0, 113.6}, {0, 0, 0, 0, 175}, {0, 0, 0, 0, 0, 175}},
    .mass = 0.78,
    .inertia = {{1.3e-5}, {0, 6.5e-6}, {0, 0, 6.5e-6}}};

// n x n meshes, or n x n x n cells, of 0.3 m of steel wire, held at two corners; it falls.
static LimberModel beams(int n, int layers, LimberNodeId *node, LimberSectionId *section) {
  LimberModel m;
  int side = n + 1, stride[3] = {1, side, side * side};
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddSection(m, "wire", 1, &wire, section));
  for (int i = 0; i < side * side * (layers + 1); i++) {
    double at[3] = {0.3 * (i % side), 0.3 * (i / side % side), 0.3 * (i / side / side)};
    CHECK_OK(LimberModelAddFrame(m, NULL, at, NULL, &node[i]));
  }
  for (int i = 0; i < side * side * (layers + 1); i++)
    for (int d = 0; d < 3; d++) {
      if (i / stride[d] % side == (d < 2 ? n : layers)) continue;
      LimberBeam b = {.from = node[i], .to = node[i + stride[d]], .section = *section, .elements = 1, .order = 1};
      b.up[d == 2 ? 0 : 2] = 1;
      CHECK_OK(LimberModelAddBeam(m, NULL, &b, NULL));
    }
  CHECK_OK(LimberModelAddClamp(m, "left", &(LimberClamp){node[0]}, NULL));
  CHECK_OK(LimberModelAddClamp(m, "right", &(LimberClamp){node[n]}, NULL));
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  return m;
}

static LimberModel net(int n) {
  LimberSectionId section;
  LimberNodeId node[40 * 40];
  return beams(n, 0, node, &section);
}

// A block of n^3 cells with a rod on a hinge and one on a ball in its middle.
static LimberModel lattice(int n) {
  LimberSectionId section;
  LimberNodeId node[13 * 13 * 13], rod[2];
  LimberModel m = beams(n, n, node, &section);
  int side = n + 1, up = side * side, middle = n / 2 * (1 + side + up);
  for (int k = 0; k < 2; k++) { // above and below the middle, a third of a cell long
    double end[3] = {0.3 * (n / 2), 0.3 * (n / 2), 0.3 * (n / 2) + (k ? -0.1 : 0.1)};
    LimberNodeId at = node[middle], free;
    CHECK_OK(LimberModelAddFrame(m, NULL, (double[]){end[0], end[1], 0.3 * (n / 2)}, NULL, &rod[k]));
    CHECK_OK(LimberModelAddFrame(m, NULL, end, NULL, &free));
    LimberBeam b = {.from = rod[k], .to = free, .section = section, .elements = 2, .order = 2, .up = {1, 0, 0}};
    CHECK_OK(LimberModelAddBeam(m, NULL, &b, NULL));
    if (k) CHECK_OK(LimberModelAddSpherical(m, "ball", &(LimberSpherical){.nodes = {at, rod[k]}}, NULL));
    else {
      LimberRevolute hinge = {.nodes = {at, rod[k]}, .axis = {0, 1, 0}};
      CHECK_OK(LimberModelAddRevolute(m, "hinge", &hinge, NULL));
    }
  }
  return m;
}

// A cube of 1 m of rubber, n^3 hexahedra, on the ground; its top is pushed aside.
static LimberModel cube(int n) {
  LimberModel m;
  LimberNodeId node[12 * 12 * 12], corner[8 * 11 * 11 * 11];
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
  CHECK_OK(LimberModelAddSolid(
      m, "cube",
      &(LimberSolid){.cells = {shape, corner, cells, NULL}, .material = {.E = 1e6, .nu = 0.3, .density = 1000}}, NULL));
  return m;
}

static MovedModel moved(LimberModel m, const char *scheme, double step, int steps, Way way) {
  MovedModel out = {0};
  Stepper *p;
  Refusal wrong;
  LimberOutcome o = {0};
  CHECK_OK(StepperCreate(
      m, &(LimberOptions){.cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .step = step}, &p, &wrong));
  System *s = p->s;
  out.wide = s->motion.layout.is_wide;
  CHECK_OK(PetscObjectTypeCompare((PetscObject)s->linear.ksp, KSPPREONLY, &out.direct));
  if (way == NEW_FACTORS) s->motion.layout.is_wide = false; // which is what keeps them
  if (way == ROBUST) s->motion.layout.is_wide = false, s->linear.nfallback = INT_MAX / 2;
  for (int i = 0; i < steps; i++) {
    CHECK_OK(StepperStep(p, &o));
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    out.iterations += o.iterations;
  }
  out.open = p->ledger.worst_residual / p->ledger.exchanged, out.falls = (int)s->linear.fallbacks,
  out.count = s->motion.layout.nnode_own;
  CHECK_OK(PetscMalloc1(s->motion.layout.nnode_own, &out.x));
  for (PetscInt i = 0; i < s->motion.layout.nnode_own; i++) {
    out.x[i] = s->motion.state.x[4 * i];
    if (i > 0) out.sum += (1 + s->motion.layout.node[i] % 7) * vec3_dot(out.x[i], (Vec3){1, 2, 3});
  }
  CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, &out.sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  CHECK_OK(StepperDestroy(&p));
  return out;
}

static double apart(MovedModel *a, MovedModel *b) {
  double most = 0;
  CHECK_INT(a->count, b->count);
  for (PetscInt i = 0; i < a->count; i++) most = PetscMax(most, vec3_norm(vec3_sub(a->x[i], b->x[i])));
  CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
  return most;
}

static void forget(int n, MovedModel *list) {
  for (int i = 0; i < n; i++) CHECK_OK(PetscFree(list[i].x));
}

// The usual way, twice to the bit, and another come to the same.
static void agree(LimberModel m, const char *scheme, double step, int steps, Way other, const char *size,
                  double allowed) {
  MovedModel a[3];
  for (int i = 0; i < 3; i++) a[i] = moved(m, scheme, step, steps, i == 1 ? other : USUAL);
  CHECK(a[0].wide);
  CHECK(a[0].direct == (other == NEW_FACTORS));
  CHECK_INT(a[0].iterations, a[1].iterations);
  CHECK_INT(a[0].falls, 0);
  double d = apart(&a[0], &a[1]), again = apart(&a[0], &a[2]);
  CHECK_NOTE("apart by %.1e m of %s, energy balance error by %.1e and %.1e", d, size, a[0].open, a[1].open);
  CHECK_LE(d, allowed);
  CHECK_LE(a[0].open, steps > 2 ? 1e-12 : 5e-9); // first steps from rest exchange little: 7e-10 by MUMPS
  CHECK_NEAR(again, 0, 0);
  forget(3, a);
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_net_moves_by_kept_factors_as_by_new_ones) {
  agree(net(37), "preserving", 1e-2, 4, NEW_FACTORS, "15 m", 2e-13); // 1.1e-14
}
TEST(a_solid_moves_by_gmres_as_by_mumps) { agree(cube(9), "preserving", 1e-2, 4, ROBUST, "1 m", 2e-14); } // 9e-16
TEST(a_lattice_moves_by_gmres_as_by_mumps) {
  agree(lattice(9), "preserving", 1e-3, 2, ROBUST, "5 m", 2e-14);
} // 1.4e-15
TEST(a_lattice_moves_by_gmres_as_by_mumps_where_it_decays) {
  agree(lattice(9), "decaying_c", 1e-3, 1, ROBUST, "5 m", 2e-14);
}

TEST(gmres_that_does_not_converge_gives_way_to_mumps) {
  LimberModel m = cube(9);
  CHECK_OK(PetscOptionsSetValue(NULL, "-limber_ksp_max_it", "3"));
  MovedModel a[2] = {moved(m, "preserving", 1e-2, 4, USUAL)};
  CHECK_OK(PetscOptionsClearValue(NULL, "-limber_ksp_max_it"));
  a[1] = moved(m, "preserving", 1e-2, 4, ROBUST);
  CHECK_INT(a[0].falls, 4);
  double d = apart(&a[0], &a[1]);
  CHECK_NOTE("apart by %.1e m", d);
  CHECK_LE(d, 2e-14); // 1.2e-15
  forget(2, a);
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(pieces_by_graph_move_as_slices) {
  LimberModel m = cube(9);
  MovedModel a[2];
  a[0] = moved(m, "preserving", 1e-2, 4, USUAL);
  CHECK_OK(PetscOptionsSetValue(NULL, "-limber_cut_graph", "0"));
  a[1] = moved(m, "preserving", 1e-2, 4, USUAL);
  CHECK_OK(PetscOptionsClearValue(NULL, "-limber_cut_graph"));
  CHECK_NOTE("sums of places apart by %.1e of %.1e", PetscAbsReal(a[0].sum - a[1].sum), a[0].sum);
  CHECK_LE(PetscAbsReal(a[0].sum - a[1].sum), 1e-14 * a[0].sum);
  forget(2, a);
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
