// SPDX-License-Identifier: Apache-2.0
// Neo-Hookean bodies in motion, at large strain: energy is kept or falls, momentum is kept, a stretched block finds its
// closed-form stress, and no cell is inverted.
#include "base/cookie.h"
#include "solid.h"

#include "model/model.h"

static const LimberMaterial rubber = {.E = 1e5, .nu = 0.4, .density = 1000, .law = LIMBER_LAW_NEO_HOOKEAN};
static const CellShape all_shapes[CELL_SHAPES] = {LIMBER_TETRAHEDRON, LIMBER_HEXAHEDRON,    LIMBER_TETRAHEDRON_10,
                                                  LIMBER_TRIANGLE,    LIMBER_QUADRILATERAL, LIMBER_HEXAHEDRON_20};

typedef struct {
  double energy, grown, momentum, angular, account, lost, strain; // in parts of the energy or momentum at the start
} Flight;

// A free block thrown with a spin and so stretched that it pulls itself together by a third and flies apart again.
static Flight fly(const char *scheme, CellShape s, int steps) {
  bool flat = cell_dimension(s) == 2;
  const Box box = {s, {3, 2, box_has_edges(s) ? 1 : 2}, {0.3, 0.2, 0.2}, 0.1, false};
  const LimberOptions options = {.cookie = OPTIONS_COOKIE,
                                 .scheme = limber_scheme_find(scheme),
                                 .rho_inf = 0.5,
                                 .beta = 0.3,
                                 .step = 2e-3,
                                 .tolerance = 1e-16};
  const double centre[3] = {0.15, 0.1, flat ? 0 : 0.1};
  BoxModel b;
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  Flight out = {0};
  double p0[3], j0[3], p[3], j[3];
  CHECK_OK(BoxCreate(&box, &rubber, "strain", &b));
  for (int i = 1; i < limber_model_nodes(b.model); i++) {
    double x[3], v[3];
    vec3_to(model_node(b.model, i)->x[0], x);
    for (int d = 0; d < 3; d++) x[d] -= centre[d];
    v[0] = -30 * x[0] - 20 * x[1] + 1, v[1] = 20 * x[0] + 25 * x[1], v[2] = flat ? 0 : 10 * x[2] + 5 * x[0];
    CHECK_OK(LimberModelSetVelocity(b.model, (LimberNodeId){i}, v, NULL));
  }
  CHECK_OK(LimberRunCreate(b.model, &options, &run));
  CHECK_OK(LimberRunGetLedger(run, &l));
  CHECK_OK(LimberRunGetMomentum(run, p0, j0));
  double start = l.kinetic + l.strain, before = start;
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    CHECK_OK(LimberRunGetLedger(run, &l));
    CHECK_OK(LimberRunGetMomentum(run, p, j));
    double energy = l.kinetic + l.strain + l.scheme_energy;
    out.grown = fmax(out.grown, (energy - before) / start), before = energy;
    out.energy = fmax(out.energy, fabs(energy / start - 1)), out.strain = fmax(out.strain, l.strain / start);
    for (int d = 0; d < 3; d++) {
      out.momentum = fmax(out.momentum, fabs(p[d] - p0[d]) / vec3_norm(vec3_of(p0)));
      out.angular = fmax(out.angular, fabs(j[d] - j0[d]) / vec3_norm(vec3_of(j0)));
    }
  }
  out.account = l.worst_residual / l.exchanged, out.lost = l.dissipated / start;
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(BoxDestroy(&b));
  return out;
}

TEST(a_block_at_large_strain_keeps_energy_and_momentum) {
  for (int i = 0; i < CELL_SHAPES; i++) {
    Flight f = fly("preserving", all_shapes[i], 150);
    CHECK_NOTE("%s: energy %.1e, momentum %.1e, angular %.1e, up to %.2f of it in strain", cell_name(all_shapes[i]),
               f.energy, f.momentum, f.angular, f.strain);
    CHECK_LE(f.energy, 1e-11);
    CHECK_LE(f.momentum, 1e-12);
    CHECK_LE(f.angular, 1e-12);
    CHECK_LT(0.3, f.strain);
  }
}

TEST(a_block_at_large_strain_never_gains_energy_in_decaying_schemes) {
  static const char *const schemes[] = {"decaying", "decaying_a", "decaying_b", "decaying_c"};
  for (int i = 0; i < 4; i += CHECK_EVERY(3))
    for (int s = 0; s < CELL_SHAPES; s++) {
      Flight f = fly(schemes[i], all_shapes[s], 40);
      CHECK_NOTE("%s, %s: lost %.2e, largest gain %.1e, account %.1e, momentum %.1e", schemes[i],
                 cell_name(all_shapes[s]), f.lost, f.grown, f.account, f.momentum);
      CHECK_LE(f.grown, 1e-13);
      CHECK_LE(f.account, 1e-12);
      CHECK_LE(f.momentum, 1e-12);
      CHECK_LT(0, f.lost);
    }
}

// A cube on a wall, thrown at it; its far nodes would pass the wall in one step of `step`.
static LimberOutcome hit(CellShape s, double speed, double step, int halvings, double *least, int *cuts) {
  const Box box = {s, {1, 1, 1}, {0.1, 0.1, 0.1}, 0, true};
  const LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = step, .halvings = halvings};
  BoxModel b;
  LimberRun run;
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  CHECK_OK(BoxCreate(&box, &rubber, "strain", &b));
  for (int i = 1; i < limber_model_nodes(b.model); i++)
    if (model_node(b.model, i)->kind != NODE_FIXED)
      CHECK_OK(LimberModelSetVelocity(b.model, (LimberNodeId){i}, (double[]){-speed, 0, 0}, NULL));
  CHECK_OK(LimberRunCreate(b.model, &options, &run));
  *least = 1, *cuts = 0;
  for (int i = 0; i < 20 && o.reason == LIMBER_CONVERGED; i++) {
    double x[3];
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(LimberRunGetNode(run, box_node(&b, b.m[0] - 1, 0, 0), x, NULL, NULL, NULL));
    *least = fmin(*least, x[0] / 0.1), *cuts += o.rejected;
  }
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(BoxDestroy(&b));
  return o;
}

// The same steps of 5 ms, in which the far face flies through the wall.
TEST(a_step_that_would_turn_a_cell_inside_out_is_cut) {
  static const CellShape shape[] = {LIMBER_HEXAHEDRON, LIMBER_QUADRILATERAL};
  double least;
  int cuts;
  for (int i = 0; i < 2; i++) {
    LimberOutcome o = hit(shape[i], 60, 5e-3, 0, &least, &cuts);
    CHECK_NOTE("%s: pressed to %.3f of its length, %d tries rejected", cell_name(shape[i]), least, cuts);
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    CHECK_LT(0, least);
    CHECK_LT(least, 0.5);
    CHECK_LT(0, cuts);
  }
}

TEST(a_cell_that_no_step_keeps_right_side_out_is_named) {
  double least;
  int cuts;
  LimberOutcome o = hit(LIMBER_HEXAHEDRON, 60, 5e-3, -1, &least, &cuts);
  CHECK_INT(o.reason, LIMBER_INVERTED_ELEMENT);
  CHECK_STR(o.cause.name, "solid 'box'");
  CHECK_INT(o.cause.kind, LIMBER_CAUSE_ELEMENT);
  CHECK_INT(o.cause.index, 0);
  o = hit(LIMBER_QUADRILATERAL, 60, 5e-3, -1, &least, &cuts);
  CHECK_INT(o.reason, LIMBER_INVERTED_ELEMENT);
  CHECK_STR(o.cause.name, "membrane 'box'");
}

CHECK_MAIN_PETSC
