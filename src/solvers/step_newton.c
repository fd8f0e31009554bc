// SPDX-License-Identifier: Apache-2.0
// Newton's method for the unknowns of a step. The energy of a correction is compared with the energy of the system, and
// corrections of displacement, rotation and coordinates with the model's size and a turn of 1. Corrections at round-off
// are accepted in any case.
// Equations: eq-newton-violation (12.2), eq-newton-next (12.3), eq-newton-next-linear (12.4).
#include "assembly/contact_hard.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/newton.h"

// Near the solution a tangent is reused as long as each correction reduces the energy by this factor. Far from it each
// correction has a new tangent.
static const double still_good = 1e-3; // of the energy before
static const double near = 1e-4;       // of the energy of the system, or of bodies that touch of the energy before

// Corrections below which Newton may stop, relative to the model size or 1 rad.
static const double small = 1e-7;            // if the energy is below the tolerance
static const double at_floor = 1e-9;         // if they no longer shrink
static const double negligible = 1e-12;      // if a tangent that converged well suddenly does not
static const double round_off = 4e-16;       // always accepted
static const double hard_round_off = 2e-15;  // with penalties of contacts, if a tangent that serves no longer does
static const double coord_round_off = 1e-12; // for coordinates, relative to their own value

// With exact momentum: the resultant that a correction leaves, relative to momentum over the length of the step.
static const double left_in_forces = 1e-14;
enum { FORCE_CORRECTIONS = 8 }; // for the resultant alone; then it is round-off

static const double next_energy = 1e-7;   // of the next correction, relative to the square of the tolerance
static const double left_in_rows = 1e-12; // error left in the quadratic rows of joints
static const double no_less = 0.25;       // of the last energy: above this, corrections no longer shrink
static const double floor_energy = 1e-20; // of the system energy, below which an old tangent is at the floor too
static const double sudden = 100;         // times the usual rate: the tangent no longer converges
static const double inexact_rate = 1e-7;  // least rate with iterative linear solvers
static const double circling = 1e4; // times the square of the tolerance: energy at which the balance of the step closes

// Corrections beyond which Newton has failed.
static const double farthest_turn = 8, farthest_way = 1e3; // rad; of the model's size
static const double diverged = 1e8;                        // times the initial energies, after this many corrections:
enum { FIRST_CORRECTIONS = 6 };

enum { IDLE = 2 };    // after this many corrections without progress, they are at the floor
enum { CIRCLES = 6 }; // after this many corrections without progress, Newton cycles
// A step takes one correction if its second one would be round-off.
static const double unneeded = 1e-14;               // second correction, relative to the model size or 1 rad, and its
static const double unneeded_energy = 1e-25;        // energy, of that of the system: as good as round-off
static const double more_energy = 4, more_size = 2; // of the first correction, compared with the step that was checked
static const double curved = 10;                    // second correction over the square of the first, as fractions
static const double left_by_one = 1e-31;            // of the energy of the system: energy of the second correction
enum { UNCHECKED = 15 };                            // steps with one correction before a second one is made again

enum { TRIALS = 8 };                   // to shorten a correction
static const double half_least = 0.5;  // of the least energy: a correction that leaves more makes no progress
static const double near_root = 0.1;   // of the first product: the shorter correction is accepted
static const double short_step = 0.02; // of the usual step: below it, corrections are shortened instead of steps

typedef struct {
  double scale, tolerance;
  int limit;
  double first, before;   // energies of the first correction and of the last
  double first_size;      // the largest correction of the first
  double least;           // of all
  double rate, last_rate; // ratio of the energies of consecutive corrections
  double travel;          // sum of corrections since the tangent was new, relative to the model size
  bool fresh, was_fresh;  // the tangent is new; the last one was
  bool known, exact;      // the last correction was good; all linear solutions were exact
  bool careful;           // Newton cycled: each correction has a new tangent and is shortened if too long
  bool hard;              // there are contacts without penetration
  int idle;               // consecutive corrections that left more than half of the least
  // With exact momentum: momenta over the length of the step, or the first resultants; the resultant of the forces that the
  // last correction left, over these, and over that before it
  double most_force[2], force, force_rate;
  int force_corrections, force_idle; // that were made for it alone; of these, those whose new tangent did not help
  int tangents;
} StepProgress;

// Whether all corrections are below a limit.
static bool is_within(const Layout *layout, const NewtonMeasure *m, double limit, double coord_limit) {
  return m->length <= limit * layout->length && m->angle <= limit && m->coord <= coord_limit;
}

// The error that a correction leaves in the quadratic rows of joints. Energies do not show it for light bodies next to
// heavy ones.
static double rows_after(const NewtonMeasure *m, const StepProgress *c) { return (c->travel + m->size) * m->size; }

// Adds the force that is left on an own node, and its moment about the ground's origin as the balance of momentum has it.
static void add_force_left(const Motion *motion, const double *r, PetscInt i, double sum[6]) {
  const Layout *layout = &motion->layout;
  const double *at = r + layout->node_block[i] * layout->bs;
  Vec3 f = vec3_of(at), m = vec3_cross(vec3_mean(motion->state.x[4 * i], motion->step.motion[i].x[0]), f);
  if (node_blocks(model_node(layout->model, layout->node[i])->kind) > 1) m = vec3_add(m, vec3_of(at + layout->bs));
  vec3_to(vec3_add(vec3_of(sum), f), sum), vec3_to(vec3_add(vec3_of(sum + 3), m), sum + 3);
}

// With exact momentum: the resultant of the forces that are left on all nodes and its moment. Times the length of the step
// these are what the momenta change by beyond the impulses of loads and reactions. Forces between nodes have no resultant,
// so that round-off of stiff parts hardly adds to it.
static PetscErrorCode MeasureResultant(System *s, double out[2]) {
  const Layout *layout = &s->motion.layout;
  const double *r;
  double sum[6] = {0};
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if (layout->node_block[i] >= 0 && !layout_is_abstract(layout, i)) add_force_left(&s->motion, r, i, sum);
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(ReduceArray(layout->comm, sum, 6, MPI_DOUBLE, MPI_SUM));
  out[0] = vec3_norm(vec3_of(sum)), out[1] = vec3_norm(vec3_of(sum + 3));
  PetscFunctionReturn(0);
}

// The sizes of the momenta of all nodes over the length of the step. A body that only spins has some of the first too.
static PetscErrorCode MeasureMomenta(const Motion *motion, double out[2]) {
  const Layout *layout = &motion->layout;
  double sum[3] = {0}, h = motion->step.h;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    Vec3 momentum, angular;
    if (layout->node_block[i] < 0 || layout_is_abstract(layout, i)) continue;
    state_node_momentum(layout, &motion->state, i, &momentum, &angular);
    sum[0] += vec3_norm(momentum), sum[1] += vec3_norm(angular);
    sum[2] += vec3_norm(vec3_sub(angular, vec3_cross(motion->state.x[4 * i], momentum)));
  }
  PetscCall(ReduceArray(layout->comm, sum, 3, MPI_DOUBLE, MPI_SUM));
  out[0] = (sum[0] + sum[2] / layout->length) / h, out[1] = (sum[1] + layout->length * sum[0]) / h;
  PetscFunctionReturn(0);
}

// With exact momentum: what the last correction left of the resultant, as a fraction of what matters and of what it was.
static PetscErrorCode NoteForces(System *s, const Newton *n, StepProgress *c) {
  double left[2] = {0, 0};
  PetscFunctionBegin;
  if (!s->motion.layout.rule->balances_forces) PetscFunctionReturn(0);
  PetscCall(MeasureResultant(s, left));
  if (n->corrections == 1) {
    PetscCall(MeasureMomenta(&s->motion, c->most_force));
    for (int k = 0; k < 2; k++) c->most_force[k] = PetscMax(c->most_force[k], left[k]);
  }
  double before = c->force;
  c->force = 0;
  for (int k = 0; k < 2; k++)
    if (left[k] > 0) c->force = PetscMax(c->force, left[k] / c->most_force[k]);
  c->force_rate = n->corrections > 1 && before > 0 ? PetscMin(1, c->force / before) : 1;
  PetscFunctionReturn(0);
}

// With exact momentum: whether the resultant that a correction leaves is negligible. Energies do not show forces that do no
// work.
static bool is_balanced(const StepProgress *c) { return c->force * c->force_rate <= left_in_forces; }

// Whether Newton's method, which has converged but for the resultant, makes it no smaller: new tangents did not, or it took
// many corrections. The rest is round-off.
static bool is_force_floor(const Newton *n, StepProgress *c) {
  c->force_corrections++;
  if (c->was_fresh && c->force_rate > no_less && n->corrections > 1) c->force_idle++;
  return c->force_idle >= IDLE || c->force_corrections > FORCE_CORRECTIONS || c->tangents >= n->limit;
}

// Whether the resultant matters, and an old tangent no longer makes it smaller.
static bool tangent_fails_forces(const StepProgress *c) {
  return !c->fresh && !is_balanced(c) && c->force_rate > no_less;
}

// Whether a correction was the last.
static bool has_converged(const Layout *layout, const LinearSolver *linear, const Newton *n, StepProgress *c) {
  const NewtonMeasure *m = &n->measure;
  double tolerance = c->tolerance, most = PetscMax(c->scale, c->first);
  // What the next correction would be: increments shrink as their square with a fresh tangent, else as they just did.
  double next = m->energy * c->rate * (c->fresh && !linear->inexact ? c->rate : 1);
  bool is_small = m->energy <= tolerance * most && next <= next_energy * tolerance * tolerance * most &&
                  is_within(layout, m, small, small) && rows_after(m, c) <= left_in_rows;
  bool is_round_off = is_within(layout, m, round_off, coord_round_off);
  // The energy itself may be near round-off, as in first steps from rest: corrections then cycle at its floor. Those
  // that shrink slowly, as about kinks of laws, are not there yet.
  bool is_at_floor = n->corrections > 1 && c->known && m->energy > no_less * c->before &&
                     is_within(layout, m, at_floor, at_floor) &&
                     (m->energy <= floor_energy * most || ((c->fresh || c->was_fresh) && c->idle >= IDLE));
  // A tangent that converged well may suddenly stop doing so at negligible corrections; iterative linear solvers always
  // leave 1e-9.
  double usual = c->exact ? c->last_rate : PetscMax(c->last_rate, inexact_rate);
  bool stalls =
      n->corrections > 2 && !c->fresh && c->rate > sudden * usual && is_within(layout, m, negligible, negligible);
  // and where penalties multiply the round-off of positions; before that the tangent may lack pairs that push
  if (c->hard)
    stalls =
        n->corrections > 1 && !c->fresh && c->rate > still_good && is_within(layout, m, hard_round_off, hard_round_off);
  // Corrections may cycle about a kink and yet be so small that the energy balance of the step closes: r . u is the
  // square root of their energy times that of the system.
  bool circles =
      c->careful && m->energy <= circling * tolerance * tolerance * most && is_within(layout, m, small, small);
  if (circles) return true;
  return (is_small || is_round_off || is_at_floor || stalls) && (is_balanced(c) || is_force_floor(n, c));
}

// Whether the second correction of a step would be round-off: it was in an earlier step whose first correction was about as
// large, and Newton's quadratic convergence leaves as little. Now and then the second correction is made to check this.
static bool needs_one_correction(const System *s, const Newton *n, const StepProgress *c) {
  const SingleCorrection *single = &s->single;
  const NewtonMeasure *m = &n->measure;
  double next = m->energy * PetscSqr(curved * m->size);
  return n->corrections == 1 && c->fresh && !s->linear.inexact && single->size > 0 && single->since < UNCHECKED &&
         m->energy <= PetscMin(n->accepted, more_energy * single->energy) && m->size <= more_size * single->size &&
         next <= left_by_one * PetscMax(c->scale, c->first) && rows_after(m, c) <= left_in_rows;
}

// Remembers the first correction of a step if the second one was round-off. With contacts, or multipliers that take several
// solutions, a step says nothing about the next one.
static void remember_corrections(System *s, const Newton *n, const StepProgress *c) {
  const NewtonMeasure *m = &n->measure;
  bool smooth = !s->motion.contacts && !s->motion.augmented.at && c->exact && c->force <= 10 * left_in_forces;
  bool is_round_off = is_within(&s->motion.layout, m, round_off, coord_round_off) ||
                      (is_within(&s->motion.layout, m, unneeded, coord_round_off) &&
                       m->energy <= unneeded_energy * PetscMax(c->scale, c->first));
  if (n->corrections == 1) s->single.since++;
  else if (smooth && n->corrections == 2 && !c->fresh && is_round_off)
    s->single = (SingleCorrection){c->first, c->first_size, 0};
  else s->single = (SingleCorrection){0};
}

// Corrections may cycle about the kinks of laws, such as cables that go slack and taut. Each correction then goes only
// to the root of increment . residual, found by false position, if that lies within the full length.
static PetscErrorCode ShortenIncrement(System *s) {
  double begin, end, first, share = 1, from = 0, to = 1, beyond = 0;
  PetscFunctionBegin;
  PetscCall(VecDot(s->equations.residual, s->linear.increment, &begin));
  first = begin;
  for (int i = 0; i < TRIALS; i++) {
    PetscCall(VecAXPY(s->equations.unknown, -share, s->linear.increment));
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, false));
    PetscCall(VecAXPY(s->equations.unknown, share, s->linear.increment));
    PetscCall(VecDot(s->equations.residual, s->linear.increment, &end));
    if (PetscIsInfOrNanReal(end) || (i == 0 && end * first >= 0)) { // the full correction is not too long
      share = 1;
      break;
    }
    if (PetscAbsReal(end) <= near_root * PetscAbsReal(first)) break;
    if (end * first > 0) from = share, begin = end, beyond /= 2; // halved, as in the Illinois form of the rule
    else to = share, beyond = end, begin /= i > 0 ? 2 : 1;
    share = from + (to - from) * begin / (begin - beyond);
  }
  PetscCall(VecScale(s->linear.increment, share));
  PetscFunctionReturn(0);
}

// A shorter step is cheaper as long as it is possible. Contacts without penetration choose their pairs in another way.
static bool shortens_increments(const StepContext *step, const ContactSet *contacts) {
  return step->h < short_step * step->usual && !(contacts && contacts->hard);
}

static PetscErrorCode CorrectStep(System *s, Newton *n, PetscBool *good) {
  PetscFunctionBegin;
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, n->fresh));
  PetscCall(SystemSolve(s, good));
  if (!s->motion.step.component || s->motion.layout.ncomponent == 0 || !*good) PetscFunctionReturn(0);
  if (n->fresh) PetscCall(SystemMakeMomentumColumns(s, good));
  if (*good) PetscCall(SystemCompleteCorrection(s));
  PetscFunctionReturn(0);
}

// Updates the progress with a correction before it is applied.
static void note_correction(const System *s, Newton *n, StepProgress *c) {
  double energy = n->measure.energy;
  if (c->fresh) c->travel = 0;
  c->exact = c->exact && !s->linear.inexact;
  if (n->corrections == 1) c->first = c->least = energy, c->first_size = n->measure.size;
  n->accepted = c->tolerance * PetscMax(c->scale, c->first);
  c->idle = energy > half_least * c->least && n->corrections > 1 ? c->idle + 1 : 0;
  c->careful =
      c->careful || (c->idle > CIRCLES && c->fresh && shortens_increments(&s->motion.step, s->motion.contacts));
  n->limit = (c->careful ? 2 : 1) * c->limit;
  if (!(energy > c->least)) n->worst = n->measure.block, c->least = energy; // where it was nearest to balance
}

static bool has_diverged(const System *s, const Newton *n, const StepProgress *c) {
  const NewtonMeasure *m = &n->measure;
  return PetscIsInfOrNanReal(m->energy) || m->angle > farthest_turn ||
         m->length > farthest_way * s->motion.layout.length ||
         (n->corrections > FIRST_CORRECTIONS && m->energy > diverged * (c->first + c->scale));
}

static bool tangent_serves(const System *s, const Newton *n, const StepProgress *c) {
  if (c->careful || tangent_fails_forces(c)) return false;
  if (!c->fresh) return c->rate <= still_good || (n->corrections == 1 && c->hard);
  // of many bodies that touch it costs little, and pairs that begin to push change it
  if (s->linear.inexact && s->motion.contacts && s->motion.contacts->linked) return c->rate <= near;
  return n->measure.energy <= near * c->scale || c->rate <= still_good * still_good;
}

static NewtonVerdict choose_tangent(const System *s, const Newton *n, const StepProgress *c) {
  return tangent_serves(s, n, c) ? NEWTON_SAME_TANGENT : NEWTON_NEW_TANGENT;
}

// Beyond a kink an old tangent leads back, or lacks pairs that push by now: its correction is not taken.
static bool leads_back(const System *s, const Newton *n, const StepProgress *c) {
  const NewtonMeasure *m = &n->measure;
  if (c->fresh) return false;
  if (!c->hard) return m->energy > no_less * c->before && !is_within(&s->motion.layout, m, at_floor, at_floor);
  return n->corrections > 1 && m->energy > c->before &&
         !is_within(&s->motion.layout, m, hard_round_off, hard_round_off);
}

static PetscErrorCode TakeStepCorrection(System *s, Newton *n) {
  StepProgress *c = n->data;
  double energy = n->measure.energy;
  PetscFunctionBegin;
  c->was_fresh = c->fresh, c->known = c->fresh || c->rate <= still_good, c->fresh = n->fresh, c->tangents += n->fresh;
  n->verdict = NEWTON_NEW_TANGENT;
  if (leads_back(s, n, c)) PetscFunctionReturn(0);
  PetscCall(NoteForces(s, n, c));
  note_correction(s, n, c);
  if (has_diverged(s, n, c)) {
    n->verdict = NEWTON_FAILED;
    PetscFunctionReturn(0);
  }
  if (c->careful) PetscCall(ShortenIncrement(s));
  PetscCall(VecAXPY(s->equations.unknown, -1, s->linear.increment));
  c->last_rate = c->rate, c->rate = n->corrections > 1 ? energy / c->before : 1;
  bool last = has_converged(&s->motion.layout, &s->linear, n, c) || needs_one_correction(s, n, c);
  n->verdict = last ? NEWTON_CONVERGED : choose_tangent(s, n, c);
  if (last) remember_corrections(s, n, c);
  c->before = energy, c->travel += n->measure.size;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  bool hard = s->motion.contacts && s->motion.contacts->hard;
  StepProgress c = {.scale = scale, .tolerance = tolerance, .limit = limit, .rate = 1, .exact = true, .hard = hard};
  Newton n = {.correct = CorrectStep,
              .keeps_tangent = hard && s->motion.contacts->hard->keeps_tangent,
              .take = TakeStepCorrection,
              .data = &c,
              .limit = limit,
              .at = s->motion.state.time + s->motion.step.h};
  PetscFunctionBegin;
  PetscCall(NewtonIterate(s, &n, out));
  PetscFunctionReturn(0);
}
