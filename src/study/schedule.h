// SPDX-License-Identifier: Apache-2.0
// Who does which task of a study: forked processes on one machine, or ranks of MPI. Tasks are taken in order, by
// whoever is free.
#ifndef LIMBER_STUDY_SCHEDULE_H
#define LIMBER_STUDY_SCHEDULE_H

#include "study/study.h"

#include <petscsys.h>

typedef struct {
  uint64_t count;       // of tasks; of a pool: at most
  const uint64_t *task; // their numbers: blocks, or runs that are kept
  Error (*work)(void *self, uint64_t task, StudyWatch *w, bool *stopped);
  Error (*start)(void *self); // in each process of a worker, before its first task
  Error (*end)(void *self);
  void *self;
  double time_limit; // s of a run; 0: none
  bool stop_at_failure;
  // Called by the process that started the workers, some times a second: runs that are done and failed since the start.
  void (*progress)(void *self, uint64_t done, uint64_t failed);
  bool (*stopped)(void); // a signal came
} StudyTasks;

typedef enum {
  STUDY_ALL_DONE,
  STUDY_STOPPED,       // by a signal
  STUDY_FAILED_RUN,    // by a run that failed, as the plan asks for
  STUDY_BROKEN_MACHINE // already reported
} StudyEnd;

// In `workers` forked processes; this one starts neither MPI nor PETSc. A run that ends its process has status crashed,
// one that takes too long has status timeout, and a new process continues.
Error StudyFork(const StudyTasks *t, int workers, StudyEnd *end);

// The same in several lots: workers wait for the next one, so that MPI and PETSc start only once in each. The pool has no
// tasks at first, and has to be ended, also after an error. `t` has to live as long.
typedef struct StudyPool StudyPool;
Error StudyPoolStart(const StudyTasks *t, int workers, StudyPool **out);
Error StudyPoolDo(StudyPool *p, uint64_t count, const uint64_t *task, StudyEnd *end);
Error StudyPoolEnd(StudyPool **p, StudyEnd *end);

// On the ranks of `world`, where those of each `comm` do a run together. All have the same tasks. Collective.
Error StudyOnRanks(MPI_Comm world, MPI_Comm comm, const StudyTasks *t, StudyEnd *end);

#endif
