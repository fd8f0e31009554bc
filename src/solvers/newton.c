// SPDX-License-Identifier: Apache-2.0
// Newton's method for the unknowns of a step. The measure is sum_i |r_i dx_i|, an energy for every row (force times
// displacement, constraint times multiplier), against the energy of the system, together with the increments of
// displacement and rotation, and those of the coordinates of joints: one that carries no force has no energy. Increments at round-off
// are accepted in any case. An iteration is a tangent with the corrections that it serves for.
// Equations: eq-newton-measure (12.1), eq-newton-violation (12.2), eq-newton-next (12.3),
// eq-newton-next-linear (12.4).
#include "assembly/contacts.h"
#include "assembly/evaluate.h"
#include "assembly/reduce.h"
#include "assembly/state_values.h"
#include "assembly/step_values.h"
#include "solvers/solvers.h"

#include <float.h>

// The largest increment of the coordinates that stand in an own block of a joint.
static double measure_coords(const Layout *layout, const State *state, PetscInt b, const double *d) {
  PetscInt j = layout->block_joint[b], block_offset = b - layout->joint_block[j];
  const Joint *joint = layout_joint(layout, j);
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  double most = 0;
  for (int i = 0; i < layout->bs && joint->ncoord > 0; i++) {
    int c = 3 * (int)block_offset + i % 3 - joint->rows.nrow;
    if (c < 0 || c >= joint->ncoord) continue;
    double size = m->kind->coord_units[c][0] == 'm' ? layout->length : 1;
    most = PetscMax(most, PetscAbsReal(d[i]) / PetscMax(size, PetscAbsReal(state->coord[j].z[c])));
  }
  return most;
}

// What a block carries of the sum, to find the largest: a residual that is no number is the source of all others.
static double block_part(double part, PetscInt bs, const double *r) {
  if (isfinite(part)) return part;
  for (PetscInt i = 0; i < bs; i++)
    if (!isfinite(r[i])) return (double)INFINITY;
  return DBL_MAX;
}

PetscErrorCode SystemMeasureIncrement(const System *s, NewtonMeasure *out) {
  const double *r, *d;
  double local[5] = {0};
  PetscInt block = -1;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  PetscCall(VecGetArrayRead(s->linear.increment, &d));
  for (PetscInt b = 0; b < s->motion.layout.nblock_own; b++) {
    double part = 0, step = 0;
    for (PetscInt i = b * s->motion.layout.bs; i < (b + 1) * s->motion.layout.bs; i++)
      part += PetscAbsReal(r[i] * d[i]), step = PetscMax(step, PetscAbsReal(d[i]));
    local[0] += part;
    if (s->motion.layout.block_node[b] >= 0) { // blocks of the projection, then u, c
      PetscInt i = s->motion.layout.block_node[b], block_offset = b - s->motion.layout.node_block[i];
      if (block_offset >= 0 &&
          block_offset < node_blocks(model_node(s->motion.layout.model, s->motion.layout.node[i])->kind))
        local[1 + block_offset] = PetscMax(local[1 + block_offset], step);
    } else if (s->motion.layout.block_joint[b] >= 0)
      local[3] =
          PetscMax(local[3], measure_coords(&s->motion.layout, &s->motion.state, b, d + b * s->motion.layout.bs));
    part = block_part(part, s->motion.layout.bs, r + b * s->motion.layout.bs);
    if (part > local[4]) local[4] = part, block = s->motion.layout.block_global[b];
  }
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  PetscCall(ReduceArray(s->motion.layout.comm, &local[0], 1, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(s->motion.layout.comm, &local[1], 3, MPI_DOUBLE, MPI_MAX));
  PetscCall(ReduceLargest(s->motion.layout.comm, &local[4], &block, NULL));
  *out = (NewtonMeasure){local[0], local[1], local[2], local[3], block};
  PetscFunctionReturn(0);
}

// A tangent serves on near the solution, as long as each correction with it leaves so much less; far from it each has its own.
static const double STILL_GOOD = 1e-3, NEAR = 1e-4; // of the energy left; of the energy of the system

enum { CIRCLES = 6 }; // so many corrections in a row that leave no less do not converge but circle

typedef struct {
  double first, before;   // measures of the first correction and of the last
  double least;           // of all
  double rate, last_rate; // of the last correction's measure to that before it
  double travel;          // by corrections since the tangent was new, of the model's size
  bool fresh, was_fresh;  // its tangent is new; that of the one before it was
  bool known, exact;      // the one before it was a good one; all solutions were
  bool careful;           // they circled: each is shortened where it goes too far, with a tangent of its own
  int count, idle;        // corrections; those in a row that left no less than half of the least
} NewtonProgress;

// The largest increment, of the model's size or of a turn of 1.
static double size_of(const Layout *layout, const NewtonMeasure *m) {
  return PetscMax(m->length / layout->length, PetscMax(m->angle, m->coord));
}

// What a correction leaves in the rows of joints, which are quadratic: energies do not tell it of light bodies beside heavy ones.
static double left_in_rows(const Layout *layout, const NewtonMeasure *m, const NewtonProgress *c) {
  return (c->travel + size_of(layout, m)) * size_of(layout, m);
}

// What a correction tells. True: it was the last.
static bool has_converged(const Layout *layout, const LinearSolver *linear, double scale, double tolerance,
                          const NewtonMeasure *m, NewtonProgress *c) {
  // What the next correction would be: increments shrink as their square with a fresh tangent, else as they just did.
  double next = m->energy * c->rate * (c->fresh && !linear->inexact ? c->rate : 1), most = PetscMax(scale, c->first);
  bool small = m->energy <= tolerance * most && next <= 1e-7 * tolerance * tolerance * most &&
               m->length <= 1e-7 * layout->length && m->angle <= 1e-7 && m->coord <= 1e-7 &&
               left_in_rows(layout, m, c) <= 1e-12;
  bool round_off = m->length <= 4e-16 * layout->length && m->angle <= 4e-16 && m->coord <= 1e-12;
  // where the energy at stake is itself near round-off, as in first steps from rest, increments circle at its floor; with a
  // tangent of long ago they may as well stand before the kink of a law, and what that leaves is seen in the account
  bool at_floor = c->count > 1 && c->known && m->energy > 0.25 * c->before && m->length <= 1e-9 * layout->length &&
                  m->angle <= 1e-9 && m->coord <= 1e-9 && (c->fresh || c->was_fresh || m->energy <= 1e-20 * most);
  // and where a tangent that served well suddenly does not, with increments of next to nothing; solutions by iterations
  // leave 1e-9 in any case
  double usual = c->exact ? c->last_rate : PetscMax(c->last_rate, 1e-7);
  bool stalls = c->count > 2 && !c->fresh && c->rate > 100 * usual && m->length <= 1e-12 * layout->length &&
                m->angle <= 1e-12 && m->coord <= 1e-12;
  // and where corrections circle about a kink, though they are so small that the account of the step closes: r . u is the root of
  // their energy times that of the system
  bool circles = c->careful && m->energy <= 1e4 * tolerance * tolerance * most && m->length <= 1e-7 * layout->length &&
                 m->angle <= 1e-7 && m->coord <= 1e-7;
  return small || round_off || at_floor || stalls || circles;
}

// Corrections may circle about the kinks of laws, such as those of cables that go slack and taut. Then each goes only as far as the
// residual works on it, if that is less than the whole way: a root of increment . residual, by the rule of false position.
static PetscErrorCode ShortenIncrement(System *s) {
  enum { TRIALS = 8 };
  double begin, end, first, share = 1, from = 0, to = 1, beyond = 0;
  PetscFunctionBegin;
  PetscCall(VecDot(s->equations.residual, s->linear.increment, &begin));
  first = begin;
  for (int i = 0; i < TRIALS; i++) {
    PetscCall(VecAXPY(s->equations.unknown, -share, s->linear.increment));
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, false));
    PetscCall(VecAXPY(s->equations.unknown, share, s->linear.increment));
    PetscCall(VecDot(s->equations.residual, s->linear.increment, &end));
    if (PetscIsInfOrNanReal(end) || (i == 0 && end * first >= 0)) { // the whole way does not go too far
      share = 1;
      break;
    }
    if (PetscAbsReal(end) <= 0.1 * PetscAbsReal(first)) break;
    if (end * first > 0) from = share, begin = end, beyond /= 2; // halved, as in the Illinois form of the rule
    else to = share, beyond = end, begin /= i > 0 ? 2 : 1;
    share = from + (to - from) * begin / (begin - beyond);
  }
  PetscCall(VecScale(s->linear.increment, share));
  PetscFunctionReturn(0);
}

// A shorter step is the cheaper cure, as long as there is one. Pairs that push without penetration are chosen in another way.
static bool shortens_increments(const StepContext *step, const ContactSet *contacts) {
  return step->h < 0.02 * step->usual && !(contacts && contacts->hard);
}

PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  NewtonProgress c = {.rate = 1, .exact = true};
  NewtonMeasure m;
  PetscBool good;
  bool serves = false; // the tangent, for another correction
  PetscFunctionBegin;
  *out = (NewtonOutcome){.worst = -1};
  while (serves || out->iterations < (c.careful ? 2 : 1) * limit) {
    c.was_fresh = c.fresh, c.known = c.fresh || c.rate <= STILL_GOOD;
    c.fresh = !serves, out->iterations += c.fresh, c.count++;
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, c.fresh));
    PetscCall(SystemSolve(s, &good));
    if (!good) {
      out->singular = true;
      PetscFunctionReturn(0);
    }
    PetscCall(SystemMeasureIncrement(s, &m));
    if (!c.fresh && s->motion.contacts && s->motion.contacts->hard &&
        m.energy > c.before) { // other pairs push: that tangent lacks them
      serves = false;
      continue;
    }
    if (c.fresh) c.travel = 0;
    c.exact = c.exact && !s->linear.inexact;
    if (c.count == 1) c.first = c.least = m.energy;
    c.idle = m.energy > 0.5 * c.least && c.count > 1 ? c.idle + 1 : 0;
    c.careful = c.careful || (c.idle > CIRCLES && c.fresh && shortens_increments(&s->motion.step, s->motion.contacts));
    if (!(m.energy > c.least))
      out->worst = m.block, c.least = m.energy; // what is said where it was nearest to a balance
    if (PetscIsInfOrNanReal(m.energy) || m.angle > 8 || m.length > 1e3 * s->motion.layout.length)
      PetscFunctionReturn(0);
    if (c.count > 6 && m.energy > 1e8 * (c.first + scale)) PetscFunctionReturn(0);
    if (c.careful) PetscCall(ShortenIncrement(s));
    PetscCall(VecAXPY(s->equations.unknown, -1, s->linear.increment));
    c.last_rate = c.rate, c.rate = c.count > 1 ? m.energy / c.before : 1;
    out->converged = has_converged(&s->motion.layout, &s->linear, scale, tolerance, &m, &c);
    if (out->converged) PetscFunctionReturn(0);
    serves = c.careful ? false
             : c.fresh ? m.energy <= NEAR * scale || c.rate <= STILL_GOOD * STILL_GOOD
                       : c.rate <= STILL_GOOD;
    c.before = m.energy, c.travel += size_of(&s->motion.layout, &m);
  }
  PetscFunctionReturn(0);
}

// The block with the largest entry; joints count only where nodes have next to nothing, since forces are large numbers.
static PetscErrorCode LargestBlock(const Layout *layout, Vec x, PetscInt *block) {
  const double *q;
  double most = 0;
  PetscFunctionBegin;
  *block = -1;
  PetscCall(VecGetArrayRead(x, &q));
  for (PetscInt b = 0; b < layout->nblock_own; b++)
    for (PetscInt i = b * layout->bs; i < (b + 1) * layout->bs; i++) {
      double value = number_or_infinity(PetscAbsReal(q[i]) * (layout->block_joint[b] >= 0 ? 1e-12 : 1));
      if (value > most) most = value, *block = layout->block_global[b];
    }
  PetscCall(VecRestoreArrayRead(x, &q));
  PetscCall(ReduceLargest(layout->comm, &most, block, NULL));
  PetscFunctionReturn(0);
}

// The first block whose residual is no number; -1: all are.
static PetscErrorCode FindNotFinite(const Layout *layout, const Equations *equations, PetscInt *block) {
  const double *r;
  double found = 0;
  PetscFunctionBegin;
  *block = -1;
  PetscCall(VecGetArrayRead(equations->residual, &r));
  for (PetscInt i = 0; i < layout->nblock_own * layout->bs && !found; i++)
    if (PetscIsInfOrNanReal(r[i])) found = 1, *block = layout->block_global[i / layout->bs];
  PetscCall(VecRestoreArrayRead(equations->residual, &r));
  PetscCall(ReduceLargest(layout->comm, &found, block, NULL));
  PetscFunctionReturn(0);
}

// Inverse iteration with a trace of the identity, which alone resists what floats.
PetscErrorCode EquationsFindUnconstrained(const Layout *layout, Equations *equations, PetscInt *block) {
  Mat shifted;
  KSP ksp;
  Vec x;
  double largest, norm;
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PetscFunctionBegin;
  PetscCall(FindNotFinite(layout, equations, block));
  if (*block >= 0) PetscFunctionReturn(0);
  PetscCall(MatDuplicate(equations->matrix.tangent, MAT_COPY_VALUES, &shifted));
  PetscCall(MatNorm(shifted, NORM_INFINITY, &largest));
  PetscCall(MatShift(shifted, 1e-14 * largest));
  PetscCall(VecDuplicate(equations->residual, &x));
  PetscCall(VecSet(x, 1));
  PetscCall(KSPCreate(layout->comm, &ksp));
  PetscCall(KSPSetOptionsPrefix(ksp, "limber_singular_"));
  PetscCall(KSPSetOperators(ksp, shifted, shifted));
  PetscCall(SolverUseLU(ksp, true));
  for (int i = 0; i < 3 && reason >= 0; i++) {
    PetscCall(KSPSolve(ksp, x, equations->work));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(VecNormalize(equations->work, &norm));
    PetscCall(VecCopy(equations->work, x));
  }
  if (reason >= 0) PetscCall(LargestBlock(layout, x, block));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&shifted));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

// Of a node at joints the joint that pulls hardest, by the unknowns as they are: -1 where there is none.
static PetscInt pulling_joint(const Layout *layout, const State *state, const double *q, PetscInt node) {
  PetscInt found = -1;
  double most = 0;
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
    double lambda[MAX_STAGES][MAX_ROWS], pull = 0;
    Coords z[MAX_STAGES];
    bool at = false;
    for (int a = 0; a < m->nnode; a++) at = at || layout->joint_node[j][a] == node;
    if (!at) continue;
    state_joint_unknowns(layout, state, q, j, lambda, z);
    for (int r = 0; r < layout_joint(layout, j)->rows.nrow; r++) pull += PetscAbsReal(lambda[0][r]);
    if (pull > most) most = pull, found = j;
  }
  return found;
}

PetscErrorCode EquationsNameResidual(const Motion *motion, Equations *equations, PetscInt block, LimberCause *out) {
  PetscInt b = block - motion->layout.first_block, joint = -1;
  PetscMPIInt owner = -1, rank = -1;
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  if (b >= 0 && b < motion->layout.nblock_own && motion->layout.block_node[b] >= 0)
    joint = pulling_joint(&motion->layout, &motion->state, q, motion->layout.block_node[b]);
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  if (joint >= 0)
    *out = model_joint_cause(motion->layout.model, motion->layout.joint[joint]), rank = motion->layout.rank;
  PetscCallMPI(MPI_Allreduce(&rank, &owner, 1, MPI_INT, MPI_MAX, motion->layout.comm));
  if (owner >= 0) PetscCallMPI(MPI_Bcast(out, (PetscMPIInt)sizeof *out, MPI_BYTE, owner, motion->layout.comm));
  else PetscCall(LayoutNameBlock(&motion->layout, block, out));
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutNameBlock(const Layout *layout, PetscInt block, LimberCause *out) {
  int mine = block >= layout->first_block && block < layout->first_block + layout->nblock_own, owner = -1,
      rank = mine ? layout->rank : -1;
  PetscFunctionBegin;
  *out = (LimberCause){.index = LIMBER_NONE};
  if (mine) {
    PetscInt b = block - layout->first_block;
    if (layout->block_joint[b] >= 0) *out = model_joint_cause(layout->model, layout->joint[layout->block_joint[b]]);
    else if (layout->block_node[b] >= 0) *out = model_node_cause(layout->model, layout->node[layout->block_node[b]]);
  }
  PetscCallMPI(MPI_Allreduce(&rank, &owner, 1, MPI_INT, MPI_MAX, layout->comm));
  if (owner >= 0) PetscCallMPI(MPI_Bcast(out, (PetscMPIInt)sizeof *out, MPI_BYTE, owner, layout->comm));
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsNameUnconstrained(const Layout *layout, Equations *equations, LimberCause *out) {
  PetscInt block;
  PetscFunctionBegin;
  *out = (LimberCause){.index = LIMBER_NONE};
  PetscCall(EquationsFindUnconstrained(layout, equations, &block));
  if (block >= 0) PetscCall(LayoutNameBlock(layout, block, out));
  PetscFunctionReturn(0);
}
