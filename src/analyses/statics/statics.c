// SPDX-License-Identifier: Apache-2.0
// The analysis `static`: equilibria under loads that a factor multiplies.
// Equations: eq-static-equilibrium (16.1).
#include "analyses/statics/statics.h"

#include "analyses/statics/operating_point.h"
#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "model/refusal.h"

#include <string.h>

// ---- options ----

// Increments are given as fractions of the whole path. Along an arc, this is that of the factor until the first
// direction is known.
static void complete_options(LimberStatics *o) {
  if (o->to == 0) o->to = 1;
  double way = o->control == LIMBER_CONTROL_NODE || o->control == LIMBER_CONTROL_JOINT ? fabs(o->target) : fabs(o->to);
  if (!(o->step > 0)) o->step = 0.1;
  if (!(o->smallest > 0)) o->smallest = 1e-6 * o->step;
  if (!(o->largest > 0)) o->largest = o->control == LIMBER_CONTROL_LOAD ? 1 : 10 * o->step;
  o->step *= way, o->smallest *= way, o->largest *= way;
  if (o->steps <= 0) o->steps = 1000;
}

static PetscErrorCode CheckOptions(Stepper *p, const LimberStatics *o, Refusal *wrong) {
  Model m = p->s->motion.layout.model;
  const char *why = NULL;
  PetscFunctionBegin;
  if (o->control == LIMBER_CONTROL_NODE) {
    if (o->node.index <= 0 || o->node.index >= m->nodes.count || p->s->motion.layout.model == NULL)
      why = "there is no such node to control";
    else if (model_node(m, o->node.index)->kind == NODE_FIXED) why = "the controlled node is fixed";
    else if (!(vec3_norm(vec3_of(o->direction)) > 0)) why = "the controlled displacement needs a direction";
  } else if (o->control == LIMBER_CONTROL_JOINT) {
    if (o->joint.index < 0 || o->joint.index >= m->joints.count) why = "there is no such joint to control";
    else if (o->coordinate < 0 || o->coordinate >= model_joint(m, o->joint.index)->joint.ncoord)
      why = "the controlled joint has no such coordinate";
    else if (model_joint(m, o->joint.index)->joint.prescribed[o->coordinate])
      why = "a drive prescribes the controlled coordinate: control the load instead, which scales the drive";
  }
  if (!why && o->control >= LIMBER_CONTROL_NODE && o->target == 0) why = "the controlled displacement needs a target";
  for (int i = 0; i < o->constant && !why; i++)
    if (o->constants[i].index < 0 || o->constants[i].index >= m->loads.count)
      why = "there is no such load to hold constant";
  if (!why && p->s->motion.augmented.at)
    why = "elements with `enforcement: augmented` have no static analysis; use `enforcement: multipliers`";
  if (why) refuse(wrong, "static: %s", why);
  PetscFunctionReturn(0);
}

// ---- vectors ----

// Displacements are weighted relative to the model's size, rotations in rad, both as mean squares over all nodes.
static PetscErrorCode CreateVectors(Stepper *p, Statics *x) {
  const System *s = p->s;
  double *w, nodes = (double)PetscMax(1, s->motion.layout.model->nodes.count - 1);
  Vec *const all[] = {&x->weight, &x->direction, &x->border, &x->secant};
  PetscFunctionBegin;
  for (int i = 0; i < 4; i++) {
    PetscCall(VecDuplicate(s->equations.residual, all[i]));
    PetscCall(VecZeroEntries(*all[i]));
  }
  PetscCall(VecGetArray(x->weight, &w));
  for (PetscInt b = 0; b < s->motion.layout.nblock_own; b++) {
    PetscInt node = s->motion.layout.block_node[b];
    if (node < 0) continue;
    double size = b == s->motion.layout.node_block[node] ? s->motion.layout.length : 1;
    for (int i = 0; i < 3; i++) w[3 * b + i] = 1 / (size * size * nodes);
  }
  PetscCall(VecRestoreArray(x->weight, &w));
  PetscFunctionReturn(0);
}

// Marks the controlled unknown in the border.
static PetscErrorCode FillBorder(Stepper *p, Statics *x) {
  const Layout *layout = &p->s->motion.layout;
  double *a;
  PetscFunctionBegin;
  PetscCall(VecGetArray(x->border, &a));
  for (PetscInt b = 0; b < layout->nblock_own && x->options.control == LIMBER_CONTROL_NODE; b++) {
    PetscInt node = layout->block_node[b];
    if (node < 0 || layout->node[node] != x->options.node.index || b != layout->node_block[node]) continue;
    for (int i = 0; i < 3; i++) a[3 * b + i] = x->options.direction[i];
  }
  for (PetscInt j = 0; j < layout->njoint && x->options.control == LIMBER_CONTROL_JOINT; j++) {
    PetscInt b = layout->joint_block[j];
    if (layout->joint[j] != x->options.joint.index || b < 0 || b >= layout->nblock_own) continue;
    a[3 * b + model_joint(layout->model, x->options.joint.index)->joint.rows.nrow + x->options.coordinate] = 1;
  }
  PetscCall(VecRestoreArray(x->border, &a));
  PetscFunctionReturn(0);
}

// ---- loads ----

// Constant loads act in full at a factor of zero. `first`: only they act, and the factor scales them from zero.
static void set_shares(const Stepper *p, Statics *x, bool first) {
  PetscInt loads = p->s->motion.layout.model->loads.count;
  for (PetscInt l = 0; l <= loads; l++) {
    bool constant = false;
    for (int i = 0; i < x->options.constant && l < loads; i++)
      constant = constant || x->options.constants[i].index == l;
    x->share[l][0] = !first && constant, x->share[l][1] = first ? constant : !constant;
  }
}

static Spin spin_of(Model m) {
  Vec3 velocity = m->rigid[0], angular = m->rigid[1];
  double omega = vec3_norm(angular);
  if (!(omega > 0)) return (Spin){.rate = 0};
  return (Spin){.axis = vec3_scale(1 / omega, angular),
                .centre = vec3_scale(1 / (omega * omega), vec3_cross(angular, velocity)),
                .rate = omega};
}

// Without `motion`, a drive of constant rate sets the rotation. If the model cannot rotate with it, all of it stands.
static PetscErrorCode SpinByDrive(Stepper *p, Statics *x) {
  Model m = p->s->motion.layout.model;
  int drive = statics_find_drive(m, x->options.time, true);
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  if (drive < 0 || x->loads.spin.rate > 0) PetscFunctionReturn(0);
  PetscCall(DrivenRotation(p, x->options.time, false, &x->loads.spin, &wrong));
  if (!is_refused(&wrong)) PetscFunctionReturn(0);
  x->loads.spin = (Spin){.rate = 0};
  p->remark_at[REMARK_ROTOR_STANDS] = strlen(p->remarks) + 1;
  start_remark(p,
               "%s '%s' moves at a constant rate, but the model cannot rotate steadily with it: all of it stands still",
               model_load(m, drive)->kind->name, shown_name(model_load(m, drive)->name));
  PetscFunctionReturn(0);
}

// Whether all loads that the factor multiplies are zero, so that nothing would happen.
static bool has_no_load(const Stepper *p, const Statics *x) {
  Model m = p->s->motion.layout.model;
  bool none = x->loads.spin.rate == 0 && !x->surrounded;
  for (PetscInt l = 0; l < m->loads.count; l++) {
    int f = model_load(m, l)->load.amplitude;
    double now = model_amplitude(m, f, x->options.time);
    if (load_prescribes(&model_load(m, l)->load)) now -= model_amplitude(m, f, 0);
    none = none && now == 0;
  }
  return none;
}

// ---- the functions of the analysis ----

static PetscErrorCode Prepare(Stepper *p, Refusal *wrong) {
  Statics *x;
  PetscFunctionBegin;
  PetscCall(PetscNew(&x));
  p->data = x;
  x->options = p->options.statics;
  PetscCall(CheckOptions(p, &x->options, wrong));
  complete_options(&x->options);
  double norm = vec3_norm(vec3_of(x->options.direction));
  for (int i = 0; i < 3 && norm > 0; i++) x->options.direction[i] /= norm;
  for (int i = 0; i < p->s->motion.layout.model->components.count; i++)
    x->surrounded = x->surrounded || model_component(p->s->motion.layout.model, i)->kind->around;
  x->length = x->options.step, x->negative = 0; // without loads nothing is unstable
  PetscCall(PetscCalloc2(p->s->motion.layout.model->loads.count + 1, &x->share, p->s->motion.layout.njoint, &x->start));
  PetscCall(CreateVectors(p, x));
  PetscCall(FillBorder(p, x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(Stepper *p) {
  Statics *x = p->data;
  PetscFunctionBegin;
  PetscCall(VecDestroy(&x->weight));
  PetscCall(VecDestroy(&x->direction));
  PetscCall(VecDestroy(&x->border));
  PetscCall(VecDestroy(&x->secant));
  PetscCall(VecDestroy(&x->critical_direction));
  PetscCall(FreeMotionsDestroy(&x->free_motions));
  PetscCall(PetscFree2(x->share, x->start));
  PetscCall(PetscFree(x->critical));
  PetscCall(RotorDestroy(&x->rotor));
  PetscCall(PetscFree(p->data));
  PetscFunctionReturn(0);
}

// Constant loads act before the first step.
static PetscErrorCode Start(Stepper *p, Refusal *wrong) {
  Statics *x = statics_of(p);
  System *s = p->s;
  Settled settled;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) x->start[j] = s->motion.state.coord[j];
  x->loads = (StaticLoads){.time = x->options.time,
                           .share = (const double(*)[2])x->share,
                           .spin = spin_of(s->motion.layout.model),
                           .start = x->start};
  PetscCall(RotorFind(s->motion.layout.model, x->options.time, &x->rotor));
  PetscCall(StartStanding(&s->motion, &x->loads.spin, wrong));
  if (is_refused(wrong) && x->rotor.turns) {
    wrong->text[0] = 0;
    x->loads.spin = (Spin){.rate = 0};
    p->remark_at[REMARK_ROTOR_STANDS] = strlen(p->remarks) + 1;
    start_remark(p, "only a part of the model can rotate as `motion` says: all of it stands still");
    PetscCall(StartStanding(&s->motion, &x->loads.spin, wrong));
  }
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(SpinByDrive(p, x));
  if (has_no_load(p, x)) {
    p->remark_at[REMARK_UNLOADED] = strlen(p->remarks) + 1;
    start_remark(
        p, "every load is zero at t = %g s: nothing will move. `static: {time: ...}` evaluates loads at another time",
        x->options.time);
  }
  if (x->options.constant > 0) {
    set_shares(p, x, true);
    PetscCall(SystemSettle(s, &x->loads, &settled));
    if (!settled.found)
      refuse(wrong, "static: no equilibrium was found under the constant loads; %s is out of balance",
             settled.cause.name);
  }
  set_shares(p, x, false);
  PetscCall(StaticsControlled(p, &x->controlled));
  p->ledger.load_factor = 0, p->ledger.negative = 0;
  PetscFunctionReturn(0);
}

// A step of the factor by h.
static PetscErrorCode Advance(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  Statics *x = statics_of(p);
  double factor = x->factor + h;
  StaticProblem problem = {.loads = &x->loads, .limit = p->options.iterations};
  PetscFunctionBegin;
  PetscCall(EquationsBeginStatic(&p->s->motion, &p->s->equations));
  PetscCall(SystemStaticNewton(p->s, &problem, &factor, o));
  *iterations += o->iterations;
  PetscFunctionReturn(0);
}

// In equilibrium the work of the loads equals the change of energy.
static PetscErrorCode Accept(Stepper *p, double *work, StepBalance *balance) {
  double kinetic, strain, potential, before = p->ledger.strain + p->ledger.potential;
  PetscFunctionBegin;
  PetscCall(EquationsMoveNodes(&p->s->motion, &p->s->equations));
  PetscCall(StepperMoveState(p));
  PetscCall(LedgerEnergies(&p->s->motion, NULL, &kinetic, &strain, &potential));
  balance->elements = strain;
  *work = strain + potential - before;
  PetscFunctionReturn(0);
}

static PetscErrorCode Energies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential) {
  (void)balance;
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(&p->s->motion, NULL, kinetic, strain, potential));
  PetscFunctionReturn(0);
}

static bool finished(const Stepper *p) { return statics_of(p)->finished; }

static void static_rule(StepRule *rule) { scheme_without_inertia(rule), rule->analysis = "static"; }

const AnalysisKind analysis_static = {
    .name = "static",
    .help = "Finds equilibria under increasing loads, past limit points, and reports critical points.",
    .rule = static_rule,
    .prepare = Prepare,
    .destroy = Destroy,
    .start = Start,
    .advance = Advance,
    .accept = Accept,
    .energies = Energies,
    .step = StaticsStep,
    .finished = finished,
    .remark = StaticsRemark,
    .stands = true,
    .has_residual = true,
};

// An unloaded model without stiffness (slack cables, what hangs freely) has no path: all of its loads are applied at
// once.

PetscErrorCode StaticsRest(Stepper *p, LimberOutcome *out, bool *found) {
  Statics *x = statics_of(p);
  PetscInt loads = p->s->motion.layout.model->loads.count;
  Settled settled;
  PetscFunctionBegin;
  *found = false;
  if (x->options.control != LIMBER_CONTROL_LOAD || x->count > 0) PetscFunctionReturn(0);
  for (PetscInt l = 0; l <= loads; l++) x->share[l][1] *= x->options.to;
  PetscCall(SystemSettle(p->s, &x->loads, &settled));
  for (PetscInt l = 0; l <= loads; l++) x->share[l][1] /= x->options.to;
  out->iterations += settled.iterations;
  if (!settled.found) {
    out->reason = LIMBER_NO_CONVERGENCE;
    out->cause = settled.cause;
    PetscFunctionReturn(0);
  }
  *found = x->finished = true;
  x->count++, p->count++, x->factor = p->ledger.load_factor = x->options.to;
  double before = p->ledger.strain + p->ledger.potential;
  PetscCall(EquationsBeginStatic(&p->s->motion, &p->s->equations));
  PetscCall(MotionSetFactor(&p->s->motion, &x->loads, x->factor));
  PetscCall(StepperUpdateEnergies(p, NULL));
  p->ledger.work += p->ledger.strain + p->ledger.potential - before;
  p->s->motion.state.time = x->options.to > 0 ? x->factor : x->count;
  PetscCall(StaticsJudgeRest(p));
  out->substeps++, out->step = x->options.to, out->time = p->s->motion.state.time;
  x->came_to_rest = true;
  PetscCall(PetscStrncpy(x->free, settled.free.name, sizeof x->free));
  PetscFunctionReturn(0);
}
