// SPDX-License-Identifier: Apache-2.0
// Ranks of MPI as workers: groups of ranks that do a run together take the next task from a counter on rank 0, which nobody has
// to serve. Rank 0 works, too.
#include "study/ranks.h"

#include "study/journal.h"
#include "console/console.h"

#include <limber/limber.h>

#include <string.h>

#ifndef PETSC_HAVE_MPIUNI

enum { COUNT_NEXT, COUNT_DONE, COUNT_FAILED, COUNT_STOP, COUNTS }; // in the window
static const double SECONDS = 0.2;                                 // between two looks at the window

typedef struct {
  StudyWatch watch;
  const StudyTasks *t;
  MPI_Comm world, comm; // all; those of one run
  PetscMPIInt rank, size;
  MPI_Win window;
  int64_t *count; // on rank 0
  int64_t done, failed;
  double looked;
  bool stop;
} RankWatch;

static PetscErrorCode AddCount(RankWatch *r, int which, int64_t value, int64_t *before) {
  int64_t none = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Fetch_and_op(&value, before ? before : &none, MPI_INT64_T, 0, which, MPI_SUM, r->window));
  PetscCallMPI(MPI_Win_flush(0, r->window));
  PetscFunctionReturn(0);
}

static PetscErrorCode GetCount(RankWatch *r, int which, int64_t *value) {
  int64_t none = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Fetch_and_op(&none, value, MPI_INT64_T, 0, which, MPI_NO_OP, r->window));
  PetscCallMPI(MPI_Win_flush(0, r->window));
  PetscFunctionReturn(0);
}

// Tells what this group has done, and learns whether somebody stops.
static PetscErrorCode Look(RankWatch *r) {
  int64_t stop = 0, done, failed;
  PetscFunctionBegin;
  r->looked = clock_seconds();
  if (r->done) PetscCall(AddCount(r, COUNT_DONE, r->done, NULL));
  if (r->failed) PetscCall(AddCount(r, COUNT_FAILED, r->failed, NULL));
  if (r->failed && r->t->stop_at_failure) PetscCall(AddCount(r, COUNT_STOP, 2, NULL));
  if (r->t->stopped && r->t->stopped() && !r->stop) PetscCall(AddCount(r, COUNT_STOP, 1, NULL));
  r->done = r->failed = 0;
  PetscCall(GetCount(r, COUNT_STOP, &stop));
  r->stop = stop != 0;
  if (r->rank || !r->t->progress) PetscFunctionReturn(0);
  PetscCall(GetCount(r, COUNT_DONE, &done));
  PetscCall(GetCount(r, COUNT_FAILED, &failed));
  r->t->progress(r->t->self, (uint64_t)done, (uint64_t)failed);
  PetscFunctionReturn(0);
}

// After every step. Rank 0 lets MPI move: some networks need the target of a message for it.
static bool must_stop(StudyWatch *w) {
  RankWatch *r = (RankWatch *)w;
  int flag, stop;
  if (!r->rank) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, r->world, &flag, MPI_STATUS_IGNORE);
  if (r->watch.first && clock_seconds() - r->looked > SECONDS && Look(r)) r->stop = true;
  stop = r->stop;
  if (r->size > 1) MPI_Bcast(&stop, 1, MPI_INT, 0, r->comm);
  r->stop = stop;
  return stop;
}

static void begin_run(StudyWatch *w, uint64_t run) { (void)w, (void)run; }

static void end_run(StudyWatch *w, uint64_t rows, uint64_t failed) {
  RankWatch *r = (RankWatch *)w;
  if (w->first) r->done += (int64_t)rows, r->failed += (int64_t)failed;
}

static Error ShareValue(StudyWatch *w, double *value) {
  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(value, 1, MPI_DOUBLE, 0, ((RankWatch *)w)->comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode NextTask(RankWatch *r, bool *any, uint64_t *task) {
  int64_t at = 0;
  PetscFunctionBegin;
  if (r->watch.first) PetscCall(AddCount(r, COUNT_NEXT, 1, &at));
  if (r->size > 1) PetscCallMPI(MPI_Bcast(&at, 1, MPI_INT64_T, 0, r->comm));
  *any = (uint64_t)at < r->t->count;
  if (*any) *task = r->t->task[at];
  PetscFunctionReturn(0);
}

static PetscErrorCode DoTasks(RankWatch *r) {
  bool any = true, stopped = false;
  uint64_t task = 0;
  PetscFunctionBegin;
  if (r->t->start) PetscCall(r->t->start(r->t->self));
  while (!must_stop(&r->watch) && !stopped) {
    PetscCall(NextTask(r, &any, &task));
    if (!any) break;
    PetscCall(r->t->work(r->t->self, task, &r->watch, &stopped));
  }
  if (r->watch.first) PetscCall(Look(r));
  if (r->t->end) PetscCall(r->t->end(r->t->self));
  PetscFunctionReturn(0);
}

// While others work, rank 0 tells how far they are.
static PetscErrorCode WaitForAll(RankWatch *r) {
  MPI_Request request;
  int flag = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Ibarrier(r->world, &request));
  for (double wait = 1e-4; !flag; wait = PetscMin(2 * wait, 0.02)) {
    PetscCallMPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    if (!flag) PetscCall(PetscSleep(wait));
    if (r->watch.first && clock_seconds() - r->looked > SECONDS) PetscCall(Look(r));
  }
  if (!r->rank) PetscCall(Look(r));
  PetscFunctionReturn(0);
}

Error StudyOnRanks(MPI_Comm world, MPI_Comm comm, const StudyTasks *t, StudyEnd *end) {
  RankWatch r = {
      .watch = {must_stop, begin_run, end_run, NULL, true, false, NULL, 0}, .t = t, .world = world, .comm = comm};
  PetscMPIInt group_rank;
  int64_t stop = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(world, &r.rank));
  PetscCallMPI(MPI_Comm_size(comm, &r.size));
  PetscCallMPI(MPI_Comm_rank(comm, &group_rank));
  r.watch.first = !group_rank;
  if (r.size > 1) r.watch.share = ShareValue;
  PetscCallMPI(MPI_Win_allocate(r.rank ? 0 : COUNTS * (MPI_Aint)sizeof *r.count, sizeof *r.count, MPI_INFO_NULL, world,
                                &r.count, &r.window));
  if (!r.rank) memset(r.count, 0, COUNTS * sizeof *r.count);
  PetscCallMPI(MPI_Barrier(world));
  PetscCallMPI(MPI_Win_lock_all(0, r.window));
  PetscCall(DoTasks(&r));
  PetscCall(WaitForAll(&r));
  PetscCall(GetCount(&r, COUNT_STOP, &stop));
  PetscCallMPI(MPI_Win_unlock_all(r.window));
  PetscCallMPI(MPI_Win_free(&r.window));
  *end = !stop ? STUDY_ALL_DONE : stop % 2 ? STUDY_STOPPED : STUDY_FAILED_RUN;
  PetscFunctionReturn(0);
}

#else

Error StudyOnRanks(MPI_Comm world, MPI_Comm comm, const StudyTasks *t, StudyEnd *end) {
  PetscFunctionBegin;
  (void)world, (void)comm, (void)t;
  *end = STUDY_BROKEN_MACHINE;
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_SUP, "this Limber was built without MPI");
}

#endif
