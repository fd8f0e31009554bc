// SPDX-License-Identifier: Apache-2.0
// The linear oscillator  u'' + omega^2 u = 0, T = 2 pi/omega = 1 s, as a model of Limber, and the amplification matrix of
// one step of the real stepper. Two carriers:
//   SHEAR  a mass between two shear-flexible beam elements whose far ends are clamped. It moves across the beam, by
//          symmetry it does not turn, so the shear strain r'.d2 = u/L is linear; the axial strain (u/L)^2/2 adds a force
//          EA/GA (u/L)^2/2 times smaller than the shear force, below round-off. A frame: material velocities in the decaying
//          schemes, ambient ones in the others.
//   BAR    a mass on one bar, along it. A point: ambient velocities in all schemes. The strain u/L + (u/L)^2/2 is not
//          linear; amplitudes of both signs cancel the square.
// The state of one step is (u, v/omega) and for generalized-alpha (u, v/omega, a/omega^2); its columns are stepped one by
// one and scaled back by the amplitude.
#ifndef LIMBER_EXAMPLES_OSCILLATOR_H
#define LIMBER_EXAMPLES_OSCILLATOR_H

#include "base/cookie.h"
#include "analyses/stepping/stepper.h"
#include "analyses/stepping/ledger.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef struct {
  const char *name, *label, *scheme;
  double rho_inf, beta;
  double limit; // of the spectral radius for h/T -> infinity
  int order;    // on a linear oscillator
} OscillatorScheme;

static const OscillatorScheme oscillator_schemes[] = {
    {"preserving", "preserving", "preserving", 0, 0, 1, 2},
    {"a", "decaying A", "decaying_a", 0, 0, 0, 3},
    {"b_6", "decaying B(1/6)", "decaying_b", 0, 1.0 / 6, 0, 3},
    {"b_36", "decaying B(1/36)", "decaying_b", 0, 1.0 / 36, 0, 2},
    {"b_216", "decaying B(1/216)", "decaying_b", 0, 1.0 / 216, 0, 2},
    {"c_1", "decaying C(1)", "decaying_c", 1, 0, 1, 4},
    {"c_2_3", "decaying C(2/3)", "decaying_c", 2.0 / 3, 0, 2.0 / 3, 3},
    {"c_1_3", "decaying C(1/3)", "decaying_c", 1.0 / 3, 0, 1.0 / 3, 3},
    {"c_0", "decaying C(0)", "decaying_c", 0, 0, 0, 3},
    {"g_9", "generalized-alpha(0.9)", "generalized_alpha", 0.9, 0, 0.9, 2},
    {"g_5", "generalized-alpha(0.5)", "generalized_alpha", 0.5, 0, 0.5, 2},
    {"g_0", "generalized-alpha(0)", "generalized_alpha", 0, 0, 0, 2},
};
enum { OSCILLATOR_SCHEMES = sizeof oscillator_schemes / sizeof oscillator_schemes[0] };

static inline const OscillatorScheme *oscillator_find(const char *name) {
  for (int i = 0; i < OSCILLATOR_SCHEMES; i++)
    if (!strcmp(oscillator_schemes[i].name, name)) return &oscillator_schemes[i];
  return NULL;
}

typedef enum { OSCILLATOR_SHEAR, OSCILLATOR_BAR } OscillatorKind;

static const double oscillator_omega = 6.283185307179586477;

// The model; `speed` sets the mass in motion along its degree of freedom.
static inline PetscErrorCode OscillatorModel(OscillatorKind kind, double speed, LimberModel *model,
                                             LimberNodeId *mass) {
  double k = oscillator_omega * oscillator_omega; // of a mass of 1 kg
  LimberSectionId section = LIMBER_NO_SECTION;
  LimberElementId beam = LIMBER_NO_ELEMENT;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(model));
  if (kind == OSCILLATOR_BAR) {
    PetscCall(LimberModelAddPoint(*model, "mass", (double[]){1, 0, 0}, mass));
    PetscCall(LimberModelAddMass(*model, "mass", &(LimberMass){.node = *mass, .mass = 1}, NULL));
    PetscCall(LimberModelAddBar(*model, "bar", &(LimberBar){.nodes = {LIMBER_GROUND, *mass}, .stiffness = k}, NULL));
    PetscCall(LimberModelSetVelocity(*model, *mass, (double[]){speed, 0, 0}, NULL));
    PetscFunctionReturn(0);
  }
  double ga = k / 2; // two springs GA/L, L = 1 m
  LimberSection s = {
      .stiffness = {{1e-3 * ga}, {0, ga}, {0, 0, ga}, {0, 0, 0, ga}, {0, 0, 0, 0, ga}, {0, 0, 0, 0, 0, ga}}};
  PetscCall(LimberModelAddSection(*model, "section", 1, &s, &section));
  LimberBeam b = {.from = LIMBER_NO_NODE,
                  .to = LIMBER_NO_NODE,
                  .section = section,
                  .elements = 2,
                  .order = 1,
                  .start = {-1, 0, 0},
                  .end = {1, 0, 0},
                  .up = {0, 1, 0}};
  PetscCall(LimberModelAddBeam(*model, "springs", &b, &beam));
  *mass = limber_model_element_node(*model, beam, 1);
  PetscCall(LimberModelAddRigidBody(*model, "mass", &(LimberRigidBody){.node = *mass, .mass = 1, .inertia = {1, 1, 1}},
                                    NULL));
  for (int end = 0; end < 3; end += 2)
    PetscCall(LimberModelAddClamp(*model, end ? "right" : "left",
                                  &(LimberClamp){limber_model_element_node(*model, beam, end)}, NULL));
  PetscCall(LimberModelSetVelocity(*model, *mass, (double[]){0, speed, 0}, NULL));
  PetscFunctionReturn(0);
}

static inline LimberOptions oscillator_options(const OscillatorScheme *q, double step) {
  return (LimberOptions){.cookie = OPTIONS_COOKIE,
                         .scheme = limber_scheme_find(q->scheme),
                         .rho_inf = q->rho_inf,
                         .beta = q->beta,
                         .step = step,
                         .halvings = -1};
}

typedef struct {
  int n;
  double a[3][3];
  double complex lambda[3]; // eigenvalues: the pair of the oscillation first, the upper one leading
  double radius;            // the largest modulus
} Amplification;

// The roots of x^2 - trace x + det, the upper or larger one first.
static inline void quadratic_roots(double trace, double det, double complex root[2]) {
  double d = trace * trace / 4 - det;
  root[0] = d < 0 ? trace / 2 + I * sqrt(-d) : trace / 2 + copysign(sqrt(d), trace);
  root[1] = d < 0 ? conj(root[0]) : trace - root[0];
}

// Eigenvalues; those of a 3 x 3 matrix from the cubic's real root, found between -2 and 2 by bisection.
static inline void amplification_eigen(Amplification *m) {
  double(*a)[3] = m->a, trace = a[0][0] + a[1][1], det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  if (m->n == 3) {
    double minors = det + a[0][0] * a[2][2] - a[0][2] * a[2][0] + a[1][1] * a[2][2] - a[1][2] * a[2][1];
    double all = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                 a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    double low = -2, high = 2, x = 0;
    trace += a[2][2];
    for (int i = 0; i < 100; i++) {
      x = (low + high) / 2;
      if (((x - trace) * x + minors) * x - all < 0) low = x;
      else high = x;
    }
    m->lambda[2] = x, trace -= x, det = minors - x * trace;
  }
  quadratic_roots(trace, det, m->lambda);
  m->radius = 0;
  for (int i = 0; i < m->n; i++) m->radius = fmax(m->radius, cabs(m->lambda[i]));
}

// One step of the real stepper from each state of the basis, times the amplitude (m); h = step times T.
static inline PetscErrorCode OscillatorAmplify(OscillatorKind kind, const OscillatorScheme *q, double step,
                                               double amplitude, Amplification *out) {
  LimberModel model;
  LimberNodeId mass = LIMBER_NO_NODE;
  Stepper *p;
  Refusal wrong;
  LimberOutcome outcome;
  LimberOptions options = oscillator_options(q, step);
  double w = oscillator_omega, both = kind == OSCILLATOR_BAR ? 2 : 1;
  PetscFunctionBegin;
  PetscCall(OscillatorModel(kind, 0, &model, &mass));
  PetscCall(StepperCreate(model, &options, &p, &wrong));
  PetscCheck(p, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", wrong.text);
  Motion *motion = &p->s->motion;
  NodeState n = step_node_state(&motion->state, &motion->step, motion->layout.local_node[mass.index]);
  Vec3 along = kind == OSCILLATOR_BAR ? vec3(1, 0, 0) : vec3(0, 1, 0), rest[4];
  int nvec = kind == OSCILLATOR_BAR ? 1 : 4;
  for (int i = 0; i < nvec; i++) rest[i] = n.x[i];
  *out = (Amplification){.n = p->rule.accelerations ? 3 : 2};
  for (int j = 0; j < out->n; j++)
    for (int sign = 1; sign >= (both > 1 ? -1 : 1); sign -= 2) {
      double state[3] = {0};
      state[j] = sign * amplitude;
      for (int i = 0; i < nvec; i++) {
        n.x[i] = rest[i], n.v[i] = vec3_zero();
        if (p->rule.accelerations) n.a[i] = n.w[i] = vec3_zero();
      }
      n.x[0] = vec3_axpy(rest[0], state[0], along);
      n.v[0] = vec3_scale(w * state[1], along);
      if (p->rule.accelerations) { // the true acceleration is that of the balance at t_n
        n.a[0] = vec3_scale(w * w * state[2], along);
        n.w[0] = vec3_scale(-w * w * state[0], along);
      }
      p->previous_step[0] = p->previous_step[1] = 0; // no starting values from another column
      PetscCall(LedgerEnergies(motion, NULL, &p->ledger.kinetic, &p->ledger.strain,
                               &p->ledger.potential)); // of the state written
      p->ledger.exchanged = 0.5 * w * w * amplitude * amplitude;
      PetscCall(StepperStep(p, &outcome));
      PetscCheck(outcome.reason == LIMBER_CONVERGED, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED,
                 "%s: no convergence at h/T = %g", q->name, step);
      double end[3] = {vec3_dot(along, vec3_sub(n.x[0], rest[0])), vec3_dot(along, n.v[0]) / w,
                       p->rule.accelerations ? vec3_dot(along, n.a[0]) / (w * w) : 0};
      for (int i = 0; i < out->n; i++) out->a[i][j] += end[i] / (both * sign * amplitude);
    }
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&model));
  amplification_eigen(out);
  PetscFunctionReturn(0);
}

// Frequency and damping of the discrete motion, lambda = exp(Omega (i sqrt(1 - xi^2) - xi)): relative period error
// T_h/T - 1 with T_h = 2 pi h/arg(lambda), and damping ratio xi.
static inline double amplification_period(const Amplification *m, double step) {
  return oscillator_omega * step / fabs(carg(m->lambda[0])) - 1;
}
static inline double amplification_damping(const Amplification *m) {
  double decay = -log(cabs(m->lambda[0]));
  return decay / hypot(decay, carg(m->lambda[0]));
}
// |log(lambda)/(i omega h) - 1|: of the order of the scheme while |omega h| < pi
static inline double amplification_error(const Amplification *m, double step) {
  return cabs(clog(m->lambda[0]) / (I * oscillator_omega * step) - 1);
}

// What lambda must be. A tableau: y_k - y_n = z (b_k y_n + sum_l a_kl (y_l - y_n)), so lambda = 1 + e_1.(I - z a)^-1 z b
// with z = i omega h. Generalized-alpha: the characteristic polynomial at lambda, relative to its terms; see residual.
static inline double complex oscillator_theory(const OscillatorScheme *q, double step) {
  StepRule rule = {0};
  LimberOptions o = oscillator_options(q, step);
  const Tableau *t = &rule.tableau;
  double complex z = I * oscillator_omega * step;
  (void)scheme_kind(limber_scheme_find(q->scheme))->make(&o, &rule);
  if (t->s == 1) return 1 + z * t->b[0] / (1 - z * t->a[0][0]);
  double complex m00 = 1 - z * t->a[0][0], m01 = -z * t->a[0][1], m10 = -z * t->a[1][0], m11 = 1 - z * t->a[1][1];
  return 1 + z * (m11 * t->b[0] - m01 * t->b[1]) / (m00 * m11 - m01 * m10);
}

// The matrix of generalized-alpha on u'' = -omega^2 u written out: (1 - am) a1 + am a0 = -W^2 ((1 - af) u1 + af u0) with
// u1 = u0 + v0 + (1/2 - beta) a0 + beta a1, v1 = v0 + (1 - gamma) a0 + gamma a1; W = omega h, unit of time h.
static inline void generalized_alpha_theory(double rho, double step, double out[3][3]) {
  double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am, beta = 0.25 * pow(gamma + 0.5, 2);
  double omega = oscillator_omega * step, w2 = omega * omega, d = (1 - am) + w2 * (1 - af) * beta;
  double a1[3] = {-w2 / d, -w2 * (1 - af) / d, -(am + w2 * (1 - af) * (0.5 - beta)) / d};
  double from[3][3] = {{1, 1, 0.5 - beta}, {0, 1, 1 - gamma}, {0, 0, 0}}, with[3] = {beta, gamma, 1};
  double unit[3] = {1, omega, w2}; // (u, v h, a h^2) = unit (u, v/omega, a/omega^2)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i][j] = (from[i][j] + with[i] * a1[j]) * unit[j] / unit[i];
}

#endif
