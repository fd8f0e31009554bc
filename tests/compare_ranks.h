// SPDX-License-Identifier: Apache-2.0
// One model on all ranks, on all ranks again, and on each rank alone: the first two give the same bits, the third agrees
// to round-off and its growth. No stored numbers.
#ifndef LIMBER_TESTS_COMPARE_RANKS_H
#define LIMBER_TESTS_COMPARE_RANKS_H

#include "check_petsc.h"

#include <limber/limber.h>
#include <stdbool.h>

// Round-off counts against what it is made of: a velocity is a way in a step h, a strain a difference of unit vectors
// (the force of a stiff beam has EA times its round-off), so their scales are length/h, 1/h and 1.
enum { POSITION, AXES, VELOCITY, SPIN, STRAIN, MOMENT, ENERGY, GROUPS };
static const char *const group_names[GROUPS] = {"position", "axes",   "velocity", "angular velocity",
                                                "strain",   "moment", "energy"};

enum { MAX_ANSWER = 8192 };

typedef struct {
  int count, cut;
  double step;
  double value[MAX_ANSWER];
  int group[MAX_ANSWER];
} StateSample;

static inline void answer_add(StateSample *a, int group, int n, const double *values) {
  for (int i = 0; i < n && a->count < MAX_ANSWER; i++, a->count++)
    a->value[a->count] = values[i], a->group[a->count] = group;
}

// Steps the run and reads every node, every integration point of the beam and the ledger.
static inline PetscErrorCode AnswerOfRun(LimberModel model, LimberRun run, LimberElementId beam, int steps,
                                         StateSample *out) {
  LimberOutcome o;
  LimberLedger l;
  double x[3], axes[9], v[3], w[3], strain[6] = {0}, force[6] = {0};
  PetscFunctionBegin;
  out->count = out->cut = 0;
  for (int i = 0; i < steps; i++) {
    PetscCall(LimberRunStep(run, &o));
    CHECK_INT(o.reason, LIMBER_CONVERGED);
    out->cut += o.substeps > 1;
  }
  out->step = o.time / steps;
  for (int i = 1; i < limber_model_nodes(model); i++) {
    PetscCall(LimberRunGetNode(run, (LimberNodeId){i}, x, axes, v, w));
    answer_add(out, POSITION, 3, x);
    answer_add(out, AXES, 9, axes);
    answer_add(out, VELOCITY, 3, v);
    answer_add(out, SPIN, 3, w);
  }
  for (int i = 0; i < limber_model_element_points(model, beam); i++) {
    LimberSectionForces section_state;
    PetscCall(LimberRunGetForces(run, beam, i, &section_state));
    memcpy(strain, section_state.strain, sizeof strain);
    memcpy(force, section_state.force, sizeof force);
    answer_add(out, STRAIN, 3, strain);
    answer_add(out, MOMENT, 3, force + 3);
  }
  PetscCall(LimberRunGetLedger(run, &l));
  answer_add(out, ENERGY, 5, (double[]){l.kinetic, l.strain, l.potential, l.work, l.dissipated});
  PetscCheck(out->count < MAX_ANSWER, PETSC_COMM_SELF, PETSC_ERR_PLIB, "MAX_ANSWER is too small");
  PetscFunctionReturn(0);
}

static inline double group_size(const StateSample *a, int group) {
  double size = 0;
  for (int i = 0; i < a->count; i++)
    if (a->group[i] == group) size = fmax(size, fabs(a->value[i]));
  return size;
}

// The largest difference within a group against the group's scale.
static inline double answers_differ(const StateSample *a, const StateSample *b, int group) {
  const double scale[GROUPS] = {[POSITION] = group_size(b, POSITION),
                                [AXES] = 1,
                                [VELOCITY] = group_size(b, POSITION) / b->step,
                                [SPIN] = 1 / b->step,
                                [STRAIN] = 1,
                                [MOMENT] = group_size(b, MOMENT),
                                [ENERGY] = group_size(b, ENERGY)};
  double off = 0;
  for (int i = 0; i < a->count; i++)
    if (a->group[i] == group) off = fmax(off, fabs(a->value[i] - b->value[i]));
  return off > 0 ? off / scale[group] : off;
}

// Of meshes MUMPS adds up large fronts in the order in which messages come: twice on all ranks agrees to round-off only.
static bool same_bits = true;

static inline void compare_ranks(const char *name, PetscErrorCode (*compute)(const void *, StateSample *),
                                 const void *what, double tolerance) {
  static StateSample all, again, alone;
  MPI_Comm world = PETSC_COMM_WORLD;
  int ranks;
  MPI_Comm_size(world, &ranks);
  CHECK_OK(compute(what, &all));
  CHECK_OK(compute(what, &again));
  CHECK_INT(again.count, all.count);
  if (same_bits) CHECK_INT(memcmp(all.value, again.value, (size_t)all.count * sizeof(double)), 0);
  for (int g = 0; g < GROUPS; g++) CHECK_LE(answers_differ(&again, &all, g), tolerance);
  PETSC_COMM_WORLD = PETSC_COMM_SELF; // systems are made on this communicator
  CHECK_OK(compute(what, &alone));
  PETSC_COMM_WORLD = world;
  CHECK_INT(alone.count, all.count);
  CHECK_INT(all.cut + alone.cut, 0);
  for (int g = 0; g < GROUPS; g++) {
    double off = answers_differ(&all, &alone, g);
    if (ranks > 1) CHECK_NOTE("%s, %d ranks, %s: off by %.1e", name, ranks, group_names[g], off);
    CHECK_LE(off, ranks > 1 ? tolerance : 0);
  }
}

#endif
