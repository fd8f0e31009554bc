// SPDX-License-Identifier: Apache-2.0
// Integrates the motion of a model in time with the scheme of a tableau: the schemes with proven energy behaviour, and
// generalized-alpha.
#include "analyses/dynamic/dynamic.h"

#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "assembly/state_values.h"
#include "model/refusal.h"

// Solves a short step from the start, forward or back, with the given rule; the state does not move.
static PetscErrorCode ShortStep(Stepper *p, const StepRule *rule, double h, NewtonOutcome *o) {
  System *s = p->s;
  PetscFunctionBegin;
  s->motion.layout.rule = rule;
  PetscCall(MotionBeginStep(&s->motion, h));
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(SystemSolveAugmented(s, 0, 1e-14, p->options.iterations, o));
  if (o->singular && o->iterations > 1) // the remaining residual is round-off
    o->singular = false, o->converged = true;
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscFunctionReturn(0);
}

// Initial accelerations for a scheme that needs them: (v_1 - v_-1)/2h from two short energy-preserving steps, forward
// and back, with joints and loads included. Their error is of second order in h.
static PetscErrorCode StartAccelerations(Stepper *p) {
  System *s = p->s;
  double h = 0.01 * p->options.step;
  StepRule rule = {0};
  const double *q;
  Vec local;
  Vec3 *sum;
  NewtonOutcome o;
  bool good = true;
  PetscFunctionBegin;
  scheme_preserving.make(&p->options, &rule);
  PetscCall(PetscCalloc1(4 * s->motion.layout.nnode, &sum));
  for (int back = 0; back < 2 && good; back++) {
    double step = back ? -h : h;
    PetscCall(ShortStep(p, &rule, step, &o));
    good = o.converged;
    PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
    for (PetscInt i = 1; i < s->motion.layout.nnode && good; i++) {
      NodeKind kind = model_node(s->motion.layout.model, s->motion.layout.node[i])->kind;
      NodeState n = step_node_state(&s->motion.state, &s->motion.step, i);
      Vec3 u[MAX_STAGES], c[MAX_STAGES], vk[MAX_STAGES][4];
      NodeMotion m;
      layout_increments(&s->motion.layout, q, i, u, c);
      node_move(kind, n.x, u[0], c[0], &m);
      ambient_velocity(&rule.tableau, step, node_vectors(kind), n.v, &m, vk);
      for (int j = 0; j < node_vectors(kind); j++)
        sum[4 * i + j] = vec3_axpy(sum[4 * i + j], 0.5 / step, vec3_sub(vk[0][j], n.v[j]));
    }
    PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  }
  for (PetscInt i = 4; i < 4 * s->motion.layout.nnode && good; i++)
    s->motion.state.a[i] = s->motion.state.w[i] = sum[i];
  PetscCall(PetscFree(sum));
  s->motion.layout.rule = &p->rule;
  PetscFunctionReturn(0);
}

static PetscErrorCode Start(Stepper *p, Refusal *wrong) {
  PetscFunctionBegin;
  if (p->rule.accelerations) PetscCall(StartAccelerations(p));
  if (p->s->motion.layout.model->joints.count > 0 && !p->without_start_forces &&
      !p->options.equilibrium) // statics gives those of an equilibrium
    PetscCall(StartConsistentMultipliers(p, wrong));
  PetscFunctionReturn(0);
}

const AnalysisKind analysis_dynamic = {
    .name = "dynamic",
    .help = "Integrates the motion in time with a scheme whose energy balance closes in every step.",
    .start = Start,
    .advance = DynamicAdvance,
    .accept = DynamicAccept,
    .energies = DynamicEnergies,
    .undoes = true,
    .follows_drives = true,
    .has_residual = true,
};
