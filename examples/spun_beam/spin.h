// SPDX-License-Identifier: Apache-2.0
// Things that turn steadily about the vertical axis z through the ground's origin, and a beam in free flight.
//   SPIN_BEAM   a flexible beam hinged at its root: the hinged beam of Bauchau & Theron 1996 (beams), 4 cubic elements
//   SPIN_BODY   a uniform rigid rod hinged at its end, its frame at the mass centre
//   SPIN_LINKS  two such rods in line, hinged to each other
//   SPIN_PIVOT  the rod with its frame at the hinge
//   SPIN_POINT  a point mass on a rigid link
//   SPIN_BAR    a point mass on an elastic bar: points carry ambient velocities and this one does lose
// A turn by phi = omega h a step is a solution of the decaying schemes without any jump if
//   v* = sin(phi)/h z x r,   w* = 4 tan(phi/4)/h z,   stretch of a beam as under the angular velocity 2 sin(phi/2)/h,
// because the chord of r is 2 r sin(phi/2) long and the mean of two axes phi apart is shorter by cos(phi/2).
#ifndef LIMBER_EXAMPLES_SPIN_H
#define LIMBER_EXAMPLES_SPIN_H

#include "base/cookie.h"
#include "mechanics/cell.h"
#include "analyses/stepping/stepper.h"
#include "analyses/stepping/ledger.h"

#include <math.h>
#include <string.h>

typedef enum { SPIN_BEAM, SPIN_BODY, SPIN_LINKS, SPIN_PIVOT, SPIN_POINT, SPIN_BAR } SpinKind;
typedef enum {
  START_RIGID,    // v = omega x r on the unloaded shape
  START_STEADY,   // v = omega x r on the shape stretched by the rotation
  START_DISCRETE, // the scheme's own steady rotation
} SpinStart;

static const char *const spin_names[] = {"beam spun about its root",
                                         "rigid body, frame at mass centre",
                                         "two links",
                                         "rigid body, frame at pivot",
                                         "point mass on a link",
                                         "point mass on a bar"};

static const char *const spin_columns[] = {"beam", "body", "links", "pivot", "point", "bar"};

enum { SPIN_ELEMENTS = 4, SPIN_ORDER = 3, SPIN_NODES = SPIN_ELEMENTS * SPIN_ORDER + 1 };
static const double spin_length = 2.4, spin_mass = 1.6092;
static const double spin_pi = 3.14159265358979323846;

static inline LimberSection spin_section(void) {
  return (LimberSection){.stiffness = {{4.35080e7},
                                       {0, 1.40385e7},
                                       {0, 0, 2.80769e6},
                                       {0, 0, 0, 2.80514e4},
                                       {0, 0, 0, 0, 2.32577e4},
                                       {0, 0, 0, 0, 0, 2.98731e5}},
                         .mass = spin_mass,
                         .inertia = {{1.19092e-2}, {0, 8.602e-4}, {0, 0, 1.1049e-2}}};
}

// A beam along x from `start`; e2 horizontal, e3 vertical.
static inline PetscErrorCode SpinAddBeam(LimberModel m, double start, LimberElementId *beam) {
  LimberSection s = spin_section();
  LimberSectionId section;
  PetscFunctionBegin;
  PetscCall(LimberModelAddSection(m, "section", 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = SPIN_ELEMENTS,
                  .order = SPIN_ORDER,
                  .start = {start, 0, 0},
                  .end = {start + spin_length, 0, 0},
                  .up = {0, 1, 0}};
  PetscCall(LimberModelAddBeam(m, "beam", &b, beam));
  PetscFunctionReturn(0);
}

// A uniform rod of spin_length along x, from `start`, with its frame at `at`.
static inline PetscErrorCode SpinAddRod(LimberModel m, const char *name, double start, double at, LimberNodeId *node) {
  double mass = spin_mass * spin_length, j = mass * spin_length * spin_length / 12;
  PetscFunctionBegin;
  PetscCall(LimberModelAddFrame(m, name, (double[]){at, 0, 0}, NULL, node));
  LimberRigidBody body = {
      .node = *node, .mass = mass, .centre = {start + spin_length / 2 - at, 0, 0}, .inertia = {1e-3 * j, j, j}};
  PetscCall(LimberModelAddRigidBody(m, name, &body, NULL));
  PetscFunctionReturn(0);
}

static inline PetscErrorCode SpinHinge(LimberModel m, const char *name, LimberNodeId first, LimberNodeId second) {
  PetscFunctionBegin;
  PetscCall(LimberModelAddRevolute(m, name, &(LimberRevolute){.nodes = {first, second}, .axis = {0, 0, 1}}, NULL));
  PetscFunctionReturn(0);
}

static inline PetscErrorCode SpinModel(SpinKind kind, LimberModel *m) {
  LimberElementId beam;
  LimberNodeId body, pin, other;
  double l = spin_length;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(m));
  switch (kind) {
  case SPIN_BEAM:
    PetscCall(SpinAddBeam(*m, 0, &beam));
    PetscCall(SpinHinge(*m, "hinge", LIMBER_GROUND, limber_model_element_node(*m, beam, 0)));
    break;
  case SPIN_BODY:
    PetscCall(SpinAddRod(*m, "rod", 0, l / 2, &body));
    PetscCall(SpinHinge(*m, "hinge", body, LIMBER_GROUND)); // where the second node stands
    break;
  case SPIN_LINKS:
    PetscCall(SpinAddRod(*m, "inner", 0, l / 2, &body));
    PetscCall(SpinAddRod(*m, "outer", l, 3 * l / 2, &other));
    PetscCall(SpinHinge(*m, "hinge", body, LIMBER_GROUND));
    // a frame where the links meet, welded to the inner one, with a millionth of its inertia
    PetscCall(LimberModelAddFrame(*m, "pin", (double[]){l, 0, 0}, NULL, &pin));
    PetscCall(LimberModelAddRigidBody(
        *m, "pin", &(LimberRigidBody){.node = pin, .mass = 1e-6, .inertia = {1e-6, 1e-6, 1e-6}}, NULL));
    PetscCall(LimberModelAddWeld(*m, "arm", &(LimberWeld){{body, pin}}, NULL));
    PetscCall(SpinHinge(*m, "elbow", other, pin));
    break;
  case SPIN_PIVOT:
    PetscCall(SpinAddRod(*m, "rod", 0, 0, &body));
    PetscCall(SpinHinge(*m, "hinge", LIMBER_GROUND, body));
    break;
  case SPIN_POINT:
    PetscCall(LimberModelAddPoint(*m, "mass", (double[]){l, 0, 0}, &body));
    PetscCall(LimberModelAddMass(*m, "mass", &(LimberMass){body, spin_mass * l}, NULL));
    PetscCall(LimberModelAddDistance(*m, "link", &(LimberDistance){.nodes = {LIMBER_GROUND, body}}, NULL));
    break;
  case SPIN_BAR:
    PetscCall(LimberModelAddPoint(*m, "mass", (double[]){l, 0, 0}, &body));
    PetscCall(LimberModelAddMass(*m, "mass", &(LimberMass){body, spin_mass * l}, NULL));
    PetscCall(LimberModelAddBar(
        *m, "bar", &(LimberBar){.nodes = {LIMBER_GROUND, body}, .stiffness = spin_section().stiffness[0][0]}, NULL));
    break;
  }
  PetscFunctionReturn(0);
}

// Where the nodes of the hinged beam stand when it turns with `omega`: Newton on  dV/dx_i = m_i omega^2 x_i, x_0 = 0,
// with the element's own rows: V = sum EA/2 e^2 w, e = (x'^2 - 1)/2. x holds the unloaded places and receives the answer.
static inline void spin_stretch(double omega, const double *mass, double x[SPIN_NODES]) {
  double ea = spin_section().stiffness[0][0], jacobian = spin_length / SPIN_ELEMENTS / 2, shape[4], slope[4];
  for (int iteration = 0; iteration < 8; iteration++) {
    double r[SPIN_NODES] = {0}, k[SPIN_NODES][SPIN_NODES] = {{0}};
    for (int i = 0; i < SPIN_NODES; i++) r[i] = -mass[i] * omega * omega * x[i], k[i][i] = -mass[i] * omega * omega;
    for (int e = 0; e < SPIN_ELEMENTS; e++)
      for (int g = 0; g < SPIN_ORDER; g++) {
        int first = e * SPIN_ORDER;
        double t = 0, w = gauss_weight[SPIN_ORDER][g] * jacobian;
        lobatto_shape(SPIN_ORDER, gauss_point[SPIN_ORDER][g], shape, slope);
        for (int a = 0; a <= SPIN_ORDER; a++) t += slope[a] / jacobian * x[first + a];
        double strain = (t * t - 1) / 2;
        for (int a = 0; a <= SPIN_ORDER; a++) {
          double da = slope[a] / jacobian;
          r[first + a] += w * ea * strain * t * da;
          for (int b = 0; b <= SPIN_ORDER; b++)
            k[first + a][first + b] += w * ea * (t * t + strain) * da * slope[b] / jacobian;
        }
      }
    // x_0 stays; the rest by elimination (the matrix is positive definite)
    for (int p = 1; p < SPIN_NODES; p++)
      for (int i = p + 1; i < SPIN_NODES; i++) {
        double f = k[i][p] / k[p][p];
        for (int j = p; j < SPIN_NODES; j++) k[i][j] -= f * k[p][j];
        r[i] -= f * r[p];
      }
    for (int i = SPIN_NODES - 1; i > 0; i--) {
      for (int j = i + 1; j < SPIN_NODES; j++) r[i] -= k[i][j] * r[j];
      x[i] -= r[i] /= k[i][i];
    }
  }
}

// Writes the start into the state of a fresh stepper, for every node on its radius along x.
static inline PetscErrorCode SpinSetState(Stepper *p, SpinKind kind, double omega, SpinStart start) {
  Motion *motion = &p->s->motion;
  double h = p->options.step, phi = omega * h, rate = start == START_DISCRETE ? sin(phi) / h : omega;
  double turn = start == START_DISCRETE ? 4 * tan(phi / 4) / h : omega;
  PetscFunctionBegin;
  if (kind == SPIN_BEAM && start != START_RIGID) {
    double x[SPIN_NODES], mass[SPIN_NODES]; // the beam's nodes are those of the model, in order
    for (int i = 0; i < SPIN_NODES; i++) {
      PetscInt n = motion->layout.local_node[i + 1];
      x[i] = motion->state.x[4 * n].x, mass[i] = motion->layout.inertia[n].m;
    }
    spin_stretch(start == START_DISCRETE ? 2 * sin(phi / 2) / h : omega, mass, x);
    for (int i = 0; i < SPIN_NODES; i++) motion->state.x[4 * motion->layout.local_node[i + 1]].x = x[i];
  }
  if (kind == SPIN_BAR && start != START_RIGID) { // EA (l^2 - 1)/2 l = m omega^2 L l
    double strain = spin_mass * spin_length * spin_length * omega * omega / spin_section().stiffness[0][0];
    motion->state.x[4 * motion->layout.local_node[1]].x = spin_length * sqrt(1 + 2 * strain);
  }
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    n.v[0] = vec3(0, rate * n.x[0].x, 0);
    if (layout_is_material(&motion->layout, i)) n.v[1] = vec3(0, 0, turn);
    else
      for (int j = 1; j < node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind); j++)
        n.v[j] = vec3_cross(vec3(0, 0, turn), n.x[j]);
  }
  LimberLedger *l = &p->ledger;
  PetscCall(LedgerEnergies(motion, NULL, &l->kinetic, &l->strain, &l->potential));
  l->exchanged = l->kinetic + l->strain;
  PetscFunctionReturn(0);
}

static inline double ledger_energy(const LimberLedger *l) { return l->kinetic + l->strain + l->potential; }

typedef struct {
  double lost[3]; // relative, by differences of energy: first turn, second, the last of `turns`
  double booked;  // relative, what the ledger says was dissipated in the last turn
} SpinLoss;

// Energy lost in each turn, relative to that at the start.
static inline PetscErrorCode SpinRun(SpinKind kind, LimberOptions o, double omega, SpinStart start, int turns,
                                     SpinLoss *out) {
  LimberModel m;
  Stepper *p;
  Refusal wrong;
  LimberOutcome outcome;
  int steps = (int)ceil(2 * spin_pi / (omega * o.step));
  PetscFunctionBegin;
  PetscCall(SpinModel(kind, &m));
  PetscCheck(!limber_model_diagnostics(m)[0], PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(m));
  PetscCall(StepperCreate(m, &o, &p, &wrong));
  PetscCheck(p, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", wrong.text);
  PetscCall(SpinSetState(p, kind, omega, start));
  *out = (SpinLoss){{0}, 0};
  double e0 = ledger_energy(&p->ledger);
  for (int turn = 0; turn < turns; turn++) {
    double before = ledger_energy(&p->ledger), booked = p->ledger.dissipated;
    for (int i = 0; i < steps; i++) {
      PetscCall(StepperStep(p, &outcome));
      PetscCheck(outcome.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s",
                 outcome.cause.name);
    }
    out->lost[turn < 2 ? turn : 2] = (before - ledger_energy(&p->ledger)) / e0;
    if (turn < 2) out->lost[2] = out->lost[turn];
    out->booked = (p->ledger.dissipated - booked) / e0;
  }
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

// ---- free flight ----

typedef struct {
  double x[SPIN_NODES][3], axes[SPIN_NODES][9]; // at the end
  double spin;                                  // relative change of the angular momentum about the mass centre
  double energy;                                // relative loss of energy, of the energy without superposed velocity
  int substeps;
} Flight;

// The beam, free, turning about z through its mass centre, with `velocity` superposed. `remedy` false: decaying schemes
// take the velocities relative to the ground, as for parts that are tied to it.
static inline PetscErrorCode FlightRun(LimberOptions o, const double velocity[3], double omega, int steps, bool remedy,
                                       Flight *out) {
  LimberModel m;
  LimberElementId beam;
  Stepper *p;
  Refusal wrong;
  LimberOutcome outcome;
  Vec3 momentum, angular, start;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(SpinAddBeam(m, -spin_length / 2, &beam));
  PetscCall(LimberModelSetRigidVelocity(m, velocity, (double[]){0, 0, omega}));
  PetscCall(StepperCreate(m, &o, &p, &wrong));
  PetscCheck(p, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", wrong.text);
  Motion *motion = &p->s->motion;
  if (!remedy)
    for (PetscInt i = 0; i < motion->layout.nnode; i++) motion->layout.free_body[i] = -1;
  PetscCall(LedgerMomentum(motion, &momentum, &start));
  double e0 = ledger_energy(&p->ledger);
  *out = (Flight){.substeps = 0};
  for (int i = 0; i < steps; i++) {
    PetscCall(StepperStep(p, &outcome));
    PetscCheck(outcome.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s", outcome.cause.name);
    out->substeps += outcome.substeps;
  }
  double mass = 0, carried = vec3_dot(vec3_of(velocity), vec3_of(velocity)) / 2;
  Vec3 centre = vec3_zero();
  for (int i = 0; i < SPIN_NODES; i++) {
    PetscInt n = motion->layout.local_node[i + 1];
    vec3_to(motion->state.x[4 * n], out->x[i]);
    for (int j = 0; j < 3; j++) vec3_to(motion->state.x[4 * n + 1 + j], out->axes[i] + 3 * j);
    mass += motion->layout.inertia[n].m;
    centre = vec3_axpy(centre, motion->layout.inertia[n].m, motion->state.x[4 * n]);
  }
  PetscCall(LedgerMomentum(motion, &momentum, &angular));
  angular = vec3_sub(angular, vec3_cross(vec3_scale(1 / mass, centre), momentum));
  out->spin = angular.z / start.z - 1;
  out->energy = (e0 - ledger_energy(&p->ledger)) / (e0 - mass * carried);
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

// The largest difference of the nodes' positions, after what the superposed velocity has carried b along is taken off.
static inline double flight_apart(const Flight *a, const Flight *b, const double velocity[3], double t) {
  double worst = 0;
  for (int i = 0; i < SPIN_NODES; i++)
    for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(b->x[i][j] - velocity[j] * t - a->x[i][j]));
  return worst;
}

// ---- a free beam that bends ----

typedef struct {
  double energy, momentum, angular; // largest relative change so far
  double strain;                    // largest share of strain energy so far
} Drift;

// A free beam with energy preserving steps: it turns about all its axes, bends in both planes and drifts away slowly.
// `each` is called after every step, if given.
static inline PetscErrorCode FreeRun(double step, int steps, void (*each)(int i, const Drift *d, void *self),
                                     void *self, Drift *out) {
  LimberModel m;
  LimberElementId beam;
  LimberRun run;
  LimberOutcome outcome;
  LimberLedger l;
  LimberOptions o = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_PRESERVING, .step = step, .tolerance = 1e-14};
  double p[2][3], h[2][3];
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(SpinAddBeam(m, -spin_length / 2, &beam));
  for (int i = 0; i < SPIN_NODES; i++) {
    LimberNodeId node = limber_model_element_node(m, beam, i);
    double x = model_node(m, node.index)->x[0].x, bend = pow(2 * x / spin_length, 2) - 1.0 / 3;
    double v[3], w[3] = {4, 3, 10};
    vec3_to(vec3_add(vec3(0.2, -0.3 + 6 * bend, 0.1 + 12 * bend), vec3_cross(vec3_of(w), vec3(x, 0, 0))), v);
    PetscCall(LimberModelSetVelocity(m, node, v, w));
  }
  PetscCall(LimberRunCreate(m, &o, &run));
  PetscCall(LimberRunGetMomentum(run, p[0], h[0]));
  PetscCall(LimberRunGetLedger(run, &l));
  double e0 = ledger_energy(&l);
  *out = (Drift){0};
  for (int i = 1; i <= steps; i++) {
    PetscCall(LimberRunStep(run, &outcome));
    PetscCheck(outcome.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "%s", outcome.cause.name);
    PetscCall(LimberRunGetMomentum(run, p[1], h[1]));
    PetscCall(LimberRunGetLedger(run, &l));
    double dp = vec3_norm(vec3_sub(vec3_of(p[1]), vec3_of(p[0]))) / vec3_norm(vec3_of(p[0]));
    double dh = vec3_norm(vec3_sub(vec3_of(h[1]), vec3_of(h[0]))) / vec3_norm(vec3_of(h[0]));
    out->energy = fmax(out->energy, fabs(ledger_energy(&l) - e0) / e0);
    out->momentum = fmax(out->momentum, dp), out->angular = fmax(out->angular, dh);
    out->strain = fmax(out->strain, l.strain / e0);
    if (each) each(i, out, self);
  }
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&m));
  PetscFunctionReturn(0);
}

#endif
