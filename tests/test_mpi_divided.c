// SPDX-License-Identifier: Apache-2.0
// Chains and a net that are large enough to be divided: each rank eliminates its own part and all solve for the nodes
// between ranks (solvers/divided_lu.c). The cuts go through cubic elements, supports and hinges.
#include "compare_ranks.h"

#include "analyses/stepping/stepper.h"
#include "solvers/solvers.h"

enum { STEPS = 3, EVERY = 41, SIDE = 60 }; // every such node is compared; nodes along a side of the net

typedef struct {
  PetscErrorCode (*create)(LimberModel m);
  const char *scheme;
  bool gives_way; // to the solver with pivots
  bool whole;     // MUMPS divides its work instead
} DividedCase;

static const LimberSection section = {
    .stiffness =
        {{4.35e7}, {0, 1.40e7}, {0, 0, 2.81e6}, {0, 0, 0, 2.81e4}, {0, 0, 0, 0, 2.33e4}, {0, 0, 0, 0, 0, 2.99e5}},
    .mass = 1.61,
    .inertia = {{1.19e-2}, {0, 8.6e-4}, {0, 0, 1.1e-2}}};

// A cantilever of cubic elements. Every third node, and so at least one between two ranks, is held by the ground: the
// equations of such a support contain no node but that one.
static PetscErrorCode CreateBeam(LimberModel m, int elements, bool supports) {
  LimberSectionId s;
  LimberElementId beam;
  PetscFunctionBegin;
  PetscCall(LimberModelAddSection(m, "section", 1, &section, &s));
  LimberBeam line = {.from = LIMBER_NO_NODE,
                     .to = LIMBER_NO_NODE,
                     .section = s,
                     .elements = elements,
                     .order = 3,
                     .end = {0.1 * elements, 0, 0}};
  PetscCall(LimberModelAddBeam(m, "beam", &line, &beam));
  LimberClamp clamp = {.node = limber_model_element_node(m, beam, 0)};
  PetscCall(LimberModelAddClamp(m, "root", &clamp, NULL));
  for (int i = 2; i <= 3 * elements && supports; i += 3) {
    LimberSpherical support = {.nodes = {LIMBER_GROUND, limber_model_element_node(m, beam, i)}};
    PetscCall(LimberModelAddSpherical(m, NULL, &support, NULL));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateSupported(LimberModel m) { return CreateBeam(m, 1100, true); }
static PetscErrorCode CreateLong(LimberModel m) { return CreateBeam(m, 600, false); }

// Rigid links with hinges between them, whose axes alternate.
static PetscErrorCode CreateLinks(LimberModel m) {
  LimberNodeId before = LIMBER_GROUND, node;
  PetscFunctionBegin;
  for (int i = 0; i < 2000; i++) {
    double at[3] = {0.1 * (i + 0.5), 0, 0}, hinge[3] = {0.1 * i, 0, 0};
    PetscCall(LimberModelAddFrame(m, NULL, at, NULL, &node));
    PetscCall(LimberModelAddRigidBody(
        m, NULL, &(LimberRigidBody){.node = node, .mass = 0.2, .inertia = {1e-4, 2e-4, 2e-4}}, NULL));
    LimberRevolute axis = {.nodes = {before, node}, .axis = {0, i % 2, 1 - i % 2}, .at = hinge};
    PetscCall(LimberModelAddRevolute(m, NULL, &axis, NULL));
    before = node;
  }
  PetscFunctionReturn(0);
}

// The same with a mass that hangs on a point without mass.
static PetscErrorCode CreateHook(LimberModel m) {
  LimberNodeId hook, bob;
  PetscFunctionBegin;
  PetscCall(CreateLinks(m));
  PetscCall(LimberModelAddPoint(m, NULL, (double[]){200, 0, 0}, &hook));
  PetscCall(LimberModelAddPoint(m, NULL, (double[]){200, 0, -1}, &bob));
  PetscCall(LimberModelAddMass(m, NULL, &(LimberMass){bob, 0.3}, NULL));
  PetscCall(LimberModelAddSpherical(m, NULL, &(LimberSpherical){.nodes = {{2000}, hook}}, NULL));
  PetscCall(LimberModelAddDistance(m, NULL, &(LimberDistance){.nodes = {hook, bob}}, NULL));
  PetscFunctionReturn(0);
}

// A square net that hangs on two corners, with a hinge in every tenth of its beams along x.
static PetscErrorCode CreateNet(LimberModel m) {
  LimberNodeId node[SIDE][SIDE], end;
  LimberSectionId s;
  PetscFunctionBegin;
  PetscCall(LimberModelAddSection(m, "section", 1, &section, &s));
  for (int i = 0; i < SIDE * SIDE; i++)
    PetscCall(LimberModelAddFrame(m, NULL, (double[]){i / SIDE, i % SIDE, 0}, NULL, &node[i / SIDE][i % SIDE]));
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j + 1 < SIDE; j++) {
      LimberBeam across = {.from = node[i][j], .to = node[i][j + 1], .section = s, .elements = 1, .order = 1};
      LimberBeam along = {.from = node[j][i], .to = node[j + 1][i], .section = s, .elements = 1, .order = 1};
      across.up[2] = along.up[2] = 1;
      if ((i + j) % 10 == 0) {
        PetscCall(LimberModelAddFrame(m, NULL, (double[]){j + 1, i, 0}, NULL, &end));
        LimberRevolute hinge = {.nodes = {along.to, end}, .axis = {0, 1, 0}};
        PetscCall(LimberModelAddRevolute(m, NULL, &hinge, NULL));
        along.to = end;
      }
      PetscCall(LimberModelAddBeam(m, NULL, &across, NULL));
      PetscCall(LimberModelAddBeam(m, NULL, &along, NULL));
    }
  for (int j = 0; j < SIDE; j += SIDE - 1)
    PetscCall(LimberModelAddClamp(m, NULL, &(LimberClamp){.node = node[0][j]}, NULL));
  PetscFunctionReturn(0);
}

static void check_solver(const DividedCase *c, const System *s) {
  const char *name = "";
  PC pc;
  CHECK_OK(KSPGetPC(s->linear.ksp, &pc));
  bool divided = s->motion.layout.size > 1 && !c->whole;
  if (divided) CHECK_OK(PCShellGetName(pc, &name));
  CHECK_STR(name, divided ? "LU on each rank" : "");
  CHECK((s->linear.fallbacks > 0) == c->gives_way);
}

static PetscErrorCode Fall(const void *what, StateSample *out) {
  const DividedCase *c = what;
  LimberModel m;
  LimberRun run;
  LimberOutcome o;
  LimberLedger l;
  double x[3], axes[9], v[3], w[3];
  PetscFunctionBegin;
  *out = (StateSample){.step = 5e-3};
  PetscCall(LimberModelCreate(&m));
  PetscCall(c->create(m));
  for (int i = 1; i < limber_model_nodes(m); i += 50) { // so that all parts bend
    LimberForce push = {.node = {i}, .direction = {0, 3 * cos(i), 3 * sin(i)}, .amplitude = LIMBER_NO_FUNCTION};
    PetscCall(LimberModelAddForce(m, NULL, &push, NULL));
  }
  LimberGravity gravity = {.acceleration = {0, 2, -9.81}, .amplitude = LIMBER_NO_FUNCTION};
  PetscCall(LimberModelAddGravity(m, "gravity", &gravity, NULL));
  LimberOptions options = limber_options_default();
  options.scheme = limber_scheme_find(c->scheme), options.step = out->step;
  PetscCall(LimberRunCreate(m, &options, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(m));
  for (int i = 0; i < STEPS; i++) {
    PetscCall(LimberRunStep(run, &o));
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    out->cut += o.substeps > 1;
  }
  check_solver(c, run->stepper->s);
  for (int i = 1; i < limber_model_nodes(m); i += EVERY) {
    PetscCall(LimberRunGetNode(run, (LimberNodeId){i}, x, axes, v, w));
    answer_add(out, POSITION, 3, x);
    answer_add(out, AXES, 9, axes);
    answer_add(out, VELOCITY, 3, v);
    answer_add(out, SPIN, 3, w);
  }
  PetscCall(LimberRunGetLedger(run, &l));
  answer_add(out, ENERGY, 5, (double[]){l.kinetic, l.strain, l.potential, l.work, l.dissipated});
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

TEST(a_divided_beam_on_supports_moves_as_on_one_rank) {
  compare_ranks("supports", Fall, &(DividedCase){CreateSupported, "preserving", .gives_way = false}, 1e-11);
}
TEST(a_divided_beam_moves_as_on_one_rank_with_two_stages) {
  compare_ranks("two stages", Fall, &(DividedCase){CreateLong, "decaying_c", .gives_way = false}, 1e-11);
}
TEST(divided_links_move_as_on_one_rank) {
  compare_ranks("links", Fall, &(DividedCase){CreateLinks, "decaying", .gives_way = false}, 1e-11);
}
TEST(divided_links_with_a_massless_point_move_as_on_one_rank) {
  same_bits = false;
  compare_ranks("hook", Fall, &(DividedCase){CreateHook, "decaying", .gives_way = true}, 1e-11);
  same_bits = true;
}
TEST(a_divided_net_moves_as_on_one_rank) {
  same_bits = net_elimination() != NULL;
  compare_ranks("net", Fall, &(DividedCase){CreateNet, "decaying", .whole = !same_bits}, 1e-11);
  same_bits = true;
}

CHECK_MAIN_PETSC
