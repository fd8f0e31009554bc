// SPDX-License-Identifier: Apache-2.0
// Faces of solids that touch every kind of surface: the assembled tangent against differences of the assembled residual, and the balance
// of energy and momentum.
#include "base/cookie.h"
#include "tangent_difference.h"

#include "analyses/stepping/stepper.h"
#include "analyses/stepping/ledger.h"
#include "assembly/contacts.h"
#include "assembly/state_values.h"
#include "assembly/evaluate.h"
#include "model/refusal.h"

#include <string.h>

static const LimberMaterial material = {.E = 200, .nu = 0.3, .density = 2};

// Two hexahedra in a row, from the corner `at`.
static LimberElementId add_block(LimberModel m, const char *name, const double *at) {
  LimberNodeId node[12], cell[16];
  LimberElementId id;
  static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int i = 0; i < 12; i++)
    CHECK_OK(LimberModelAddPoint(
        m, name, (double[]){at[0] + 0.5 * (i % 3), at[1] + 0.4 * (i / 3 % 2), at[2] + 0.3 * (i / 6)}, &node[i]));
  for (int c = 0; c < 2; c++)
    for (int a = 0; a < 8; a++) cell[8 * c + a] = node[c + corner[a][0] + 3 * corner[a][1] + 6 * corner[a][2]];
  const LimberCellShape shape[] = {LIMBER_HEXAHEDRON, LIMBER_HEXAHEDRON};
  CHECK_OK(LimberModelAddSolid(m, name, &(LimberSolid){.cells = {shape, cell, 2, NULL}, .material = material}, &id));
  return id;
}

// A tetrahedron of ten nodes.
static LimberElementId add_tetrahedron(LimberModel m, const double *at) {
  static const double corner[4][3] = {{0, 0, 0}, {0.7, 0, 0}, {0, 0.7, 0}, {0, 0, 0.7}};
  static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  const LimberCellShape shape[] = {LIMBER_TETRAHEDRON_10};
  LimberNodeId node[10];
  LimberElementId id;
  for (int i = 0; i < 10; i++) {
    double x[3];
    const double *a = corner[i < 4 ? i : edge[i - 4][0]], *b = corner[i < 4 ? i : edge[i - 4][1]];
    for (int k = 0; k < 3; k++) x[k] = at[k] + 0.5 * (a[k] + b[k]);
    CHECK_OK(LimberModelAddPoint(m, "t", x, &node[i]));
  }
  CHECK_OK(LimberModelAddSolid(m, "t", &(LimberSolid){.cells = {shape, node, 1, NULL}, .material = material}, &id));
  return id;
}

static LimberNodeId add_body(LimberModel m, const char *name, const double *at) {
  LimberNodeId node;
  CHECK_OK(LimberModelAddFrame(m, name, at, NULL, &node));
  CHECK_OK(
      LimberModelAddRigidBody(m, name, &(LimberRigidBody){.node = node, .mass = 1, .inertia = {0.1, 0.2, 0.15}}, NULL));
  return node;
}

#define ADD_SURFACE(kind, Type, name, ...) \
  CHECK_OK(LimberModelAddSurfaceByKind(m, kind, name, &(Type){__VA_ARGS__}, sizeof(Type), NULL))

// Everything about the block `a`. On the ground there is a plane, or nothing.
static LimberModel scene(bool ground, double friction, bool sticks) {
  LimberModel m;
  LimberSectionId section;
  LimberElementId beam;
  unsigned seed = 5;
  CHECK_OK(LimberModelCreate(&m));
  LimberElementId a = add_block(m, "a", (double[]){0, 0, 0});
  LimberElementId b = add_block(m, "b", (double[]){0.2, 0.1, 0.33});
  LimberElementId t = add_tetrahedron(m, (double[]){1.02, 0.1, 0.05});
  LimberNodeId ball = add_body(m, "ball", (double[]){0.3, -0.25, 0.15});
  LimberNodeId brick = add_body(m, "brick", (double[]){-0.2, 0.2, 0});
  LimberNodeId rod = add_body(m, "rod", (double[]){0.7, 0.6, 0});
  LimberSection s = {.mass = 1, .inertia = {{0.02, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}};
  for (int i = 0; i < 6; i++) s.stiffness[i][i] = 100;
  CHECK_OK(LimberModelAddSection(m, "s", 1, &s, &section));
  LimberBeam line = {.from = LIMBER_NO_NODE,
                     .to = LIMBER_NO_NODE,
                     .section = section,
                     .elements = 1,
                     .order = 2,
                     .start = {0, 0.2, -0.1},
                     .end = {1, 0.25, -0.12}};
  CHECK_OK(LimberModelAddBeam(m, "line", &line, &beam));
  ADD_SURFACE("faces", LimberFacesSurface, "a", .element = a, .radius = 0.06, .points = 2);
  ADD_SURFACE("faces", LimberFacesSurface, "b", .element = b, .radius = 0.07, .points = 1);
  ADD_SURFACE("faces", LimberFacesSurface, "t", .element = t, .radius = 0.05, .points = 3);
  ADD_SURFACE("sphere", LimberSphereSurface, "ball", .node = ball, .radius = 0.3);
  ADD_SURFACE("box", LimberBoxSurface, "brick", .node = brick, .size = {0.3, 0.5, 0.4}, .rounding = 0.12);
  ADD_SURFACE("cylinder", LimberCylinderSurface, "rod", .node = rod, .axis = {1, 0, 0.3}, .radius = 0.2, .length = 0.5);
  ADD_SURFACE("beam", LimberBeamSurface, "line", .element = beam, .radius = 0.1, .points = 3);
  if (ground) ADD_SURFACE("plane", LimberPlaneSurface, "floor", .node = LIMBER_GROUND, .normal = {0.1, 0, 1});
  LimberContact law = {.stiffness = 300,
                       .restitution = 0.7,
                       .rest_speed = 0.01,
                       .friction = friction,
                       .slip_speed = 0.3,
                       .stick_stiffness = sticks ? 100 : 0};
  CHECK_OK(LimberModelAddContact(m, "c", &law, NULL));
  for (int i = 1; i < limber_model_nodes(m); i++) {
    double v[3], w[3];
    for (int k = 0; k < 3; k++) v[k] = 0.2 * noise(&seed), w[k] = 0.2 * noise(&seed);
    CHECK_OK(LimberModelSetVelocity(m, (LimberNodeId){i}, v, w));
  }
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

static double worst_difference(const char *scheme, double friction, bool sticks, double *touching) {
  LimberModel m = scene(true, friction, sticks);
  Stepper *p;
  Refusal wrong;
  LimberOptions o = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.4, .beta = 0.2, .step = 0.1};
  CHECK_OK(StepperCreate(m, &o, &p, &wrong));
  System *s = p->s;
  CHECK_OK(MotionFindCentreVelocities(&s->motion));
  CHECK_OK(MotionBeginStep(&s->motion, 0.1));
  double worst = tangent_difference(s, 0.02, 1e-7);
  *touching = 0;
  for (PetscInt i = 0; i < s->motion.contacts->count; i++)
    *touching += s->motion.contacts->item[i].touches && s->motion.contacts->item[i].primary;
  CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, touching, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  CHECK_OK(StepperDestroy(&p));
  CHECK_OK(LimberModelDestroy(&m));
  return worst;
}

TEST(the_tangent_of_faces_in_contact_is_the_derivative_of_the_residual) {
  static const char *const schemes[] = {"preserving", "decaying", "decaying_c"};
  for (int i = 0; i < 3; i++)
    for (int law = 0; law < 3; law++) {
      double touching, e = worst_difference(schemes[i], law ? 0.3 : 0, law == 2, &touching);
      CHECK_NOTE("%-12s %-12s %.1e, %g pairs touch", schemes[i],
                 law == 0   ? "smooth"
                 : law == 1 ? "regularised"
                            : "sticks",
                 e, touching);
      CHECK_LE(e, 3e-7); // round-off of the differences
      CHECK(touching >= 20);
    }
}

TEST(faces_in_contact_keep_the_balance_of_energy_and_momentum) {
  static const char *const schemes[] = {"preserving", "decaying"};
  for (int i = 0; i < 2; i++)
    for (int law = 0; law < 3; law++) {
      LimberModel m = scene(false, law ? 0.3 : 0, law == 2);
      LimberOptions o = {.cookie = OPTIONS_COOKIE,
                         .scheme = limber_scheme_find(schemes[i]),
                         .rho_inf = 0.4,
                         .beta = 0.2,
                         .step = 0.005};
      Stepper *p;
      Refusal wrong;
      LimberOutcome out = {0};
      CHECK_OK(StepperCreate(m, &o, &p, &wrong));
      Vec3 start[2], now[2];
      double worst = 0, turned = 0, touching = 0;
      for (int k = 0; k < 60 && CHECK_INT(out.reason, LIMBER_CONVERGED); k++) {
        CHECK_OK(StepperStep(p, &out));
        CHECK_OK(LedgerMomentum(&p->s->motion, &now[0], &now[1]));
        if (k == 0) memcpy(start, now, sizeof start);
        worst = PetscMax(worst, vec3_norm(vec3_sub(now[0], start[0])));
        turned = PetscMax(turned, vec3_norm(vec3_sub(now[1], start[1])));
        touching = PetscMax(touching, contacts_touching(&p->s->motion.layout, p->s->motion.contacts));
      }
      LimberLedger *l = &p->ledger;
      CHECK_NOTE("%-12s worst step %.1e of %.3g J, momentum %.1e, angular %.1e, up to %g touch", schemes[i],
                 l->worst_residual, l->exchanged, worst, turned, touching);
      CHECK_LE(l->worst_residual, 1e-12 * l->exchanged);
      CHECK_LE(worst, 1e-12);
      if (law == 0 && i == 0) CHECK_LE(turned, 1e-12); // without friction, by the scheme that keeps it
      CHECK(touching >= 20);
      CHECK_OK(StepperDestroy(&p));
      CHECK_OK(LimberModelDestroy(&m));
    }
}

// A surface of each line of the list is in the scene.
TEST(the_scene_has_every_kind_of_surface) {
  LimberModel m = scene(true, 0, false);
  for (int k = 0; surface_kinds[k]; k++) {
    bool there = false;
    for (int i = 0; i < m->surfaces.count; i++) there = there || model_surface(m, i)->kind == surface_kinds[k];
    CHECK(there);
  }
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
