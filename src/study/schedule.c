// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "study/schedule.h"

#include "console/console.h"
#include "study/row.h"

#include <errno.h>
#include <limber/limber.h>
#include <petscsys.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define NO_TASK UINT64_MAX
enum { CODE_RUN = 40, CODE_MACHINE = 41, MOST_RESTARTS = 3 };
static const double SECONDS_TO_STOP = 10; // then a worker is killed
static const long SLEEP = 10000000;       // ns
static const long IDLE = 1000000;         // ns between two looks of a worker for a task

typedef struct {                           // of one worker, in shared memory
  _Atomic uint64_t task, run;              // NO_TASK: none
  _Atomic double began;                    // of the run
  _Atomic uint64_t done, failed;           // of tasks that are finished
  _Atomic uint64_t task_done, task_failed; // of this one: a process that ends leaves less
  char cause[STUDY_CAUSE];
} Slot;

typedef struct {
  _Atomic uint64_t next, count, ended; // places in the list of tasks: the next to be done, its end; tasks that are done
  _Atomic int stop, closed;            // closed: workers that find no task leave
  uint64_t *task;                      // the list, in shared memory, too
  Slot slot[];
} Shared;

typedef struct {
  pid_t pid;      // 0: has ended
  bool late;      // killed because of the time limit
  uint64_t again; // run that ended its process by a signal from outside, which may be chance
  int restarts;   // without a run that could be blamed
} Worker;

struct StudyPool {
  const StudyTasks *t;
  Shared *shared;
  size_t shared_size;
  Worker *worker;
  int workers, started; // at most; so many processes were started first
  StudyFate *fate;
  int fates, room;
  bool broken;
  double stop_since;
  struct sigaction before; // of SIGCHLD
};
typedef struct StudyPool Pool;

// ---- a worker ----

typedef struct {
  StudyWatch watch;
  Shared *shared;
  Slot *slot;
  pid_t parent;
  unsigned looks;
} ForkWatch;

static bool fork_must_stop(StudyWatch *w) {
  enum { EVERY = 64 }; // a look at the first process takes as long as a look at the clock
  ForkWatch *f = (ForkWatch *)w;
  if (f->looks++ % EVERY == 0 && getppid() != f->parent) return true;
  return atomic_load_explicit(&f->shared->stop, memory_order_relaxed);
}

static void begin_forked_run(StudyWatch *w, uint64_t run) {
  Slot *slot = ((ForkWatch *)w)->slot;
  atomic_store(&slot->began, clock_seconds());
  atomic_store(&slot->run, run);
}

static void end_forked_run(StudyWatch *w, uint64_t rows, uint64_t failed) {
  Slot *slot = ((ForkWatch *)w)->slot;
  atomic_store(&slot->run, NO_TASK);
  atomic_fetch_add(&slot->task_done, rows);
  atomic_fetch_add(&slot->task_failed, failed);
}

static void end_task(Shared *shared, Slot *slot) {
  atomic_fetch_add(&slot->done, atomic_exchange(&slot->task_done, 0));
  atomic_fetch_add(&slot->failed, atomic_exchange(&slot->task_failed, 0));
  atomic_store(&slot->task, NO_TASK);
  atomic_fetch_add(&shared->ended, 1);
}

// The task that ended an earlier process comes first, then the next of the list.
static uint64_t next_task(ForkWatch *f, uint64_t first) {
  Shared *shared = f->shared;
  uint64_t task = first, at = atomic_load(&shared->next);
  while (task == NO_TASK) {
    bool closed = atomic_load(&shared->closed); // read before the end of the list, which is final then
    if (at >= atomic_load(&shared->count)) {
      if (closed || fork_must_stop(&f->watch)) break;
      nanosleep(&(struct timespec){.tv_nsec = IDLE}, NULL);
      at = atomic_load(&shared->next);
    } else if (atomic_compare_exchange_weak(&shared->next, &at, at + 1)) task = shared->task[at];
  }
  atomic_store(&f->slot->task, task);
  return task;
}

static int do_tasks(const Pool *p, Slot *slot, uint64_t first, StudyFate *fate, pid_t parent) {
  ForkWatch f = {.watch = {fork_must_stop, begin_forked_run, end_forked_run, NULL, true, true, fate, 0},
                 .shared = p->shared,
                 .slot = slot,
                 .parent = parent};
  bool stopped = false;
  if (p->t->start && p->t->start(p->t->self)) return CODE_MACHINE;
  signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN); // the first process decides when to stop
  for (uint64_t task; !stopped && (task = next_task(&f, first)) != NO_TASK; first = NO_TASK) {
    f.watch.fates = 0;
    for (int i = 0; i < p->fates; i++)
      if (p->fate[i].task == task) fate[f.watch.fates++] = p->fate[i];
    Error error = p->t->work(p->t->self, task, &f.watch, &stopped);
    if (error) {
      bool in_run = atomic_load(&slot->run) != NO_TASK && error != PETSC_ERR_FILE_WRITE;
      snprintf(slot->cause, sizeof slot->cause, "%.*s", STUDY_CAUSE - 1, limber_error());
      if (error == PETSC_ERR_FILE_WRITE) fprintf(stderr, "limber: %s\n", limber_error());
      return in_run ? CODE_RUN : CODE_MACHINE;
    }
    end_task(p->shared, slot);
  }
  return p->t->end && p->t->end(p->t->self) ? CODE_MACHINE : 0;
}

static Error StartWorker(Pool *p, int i, uint64_t first) {
  Slot *slot = &p->shared->slot[i];
  StudyFate *fate = NULL;
  pid_t parent = getpid();
  TRY(MemoryNew((size_t)(p->fates + 1) * sizeof *fate, &fate));
  atomic_store(&slot->run, NO_TASK), atomic_store(&slot->task, first);
  atomic_store(&slot->task_done, 0), atomic_store(&slot->task_failed, 0);
  fflush(stdout), fflush(stderr);
  pid_t pid = fork();
  ENSURE(pid >= 0, ERROR_LIBRARY, "cannot start a process: %s", strerror(errno));
  if (!pid) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // also where the first process is killed
#endif
    int code = getppid() == parent ? do_tasks(p, slot, first, fate, parent) : 0;
    fflush(stdout), fflush(stderr);
    _exit(code);
  }
  memory_free(&fate);
  p->worker[i] = (Worker){.pid = pid, .again = p->worker[i].again, .restarts = p->worker[i].restarts};
  return 0;
}

// ---- the pool ----

static void stop_all(Pool *p) {
  if (!p->stop_since) p->stop_since = clock_seconds();
  atomic_store(&p->shared->stop, 1);
}

static Error AddFate(Pool *p, uint64_t task, uint64_t run, RunStatus status, const char *cause) {
  if (p->fates == p->room) {
    p->room = p->room ? 2 * p->room : 16;
    TRY(MemoryResize((size_t)p->room * sizeof *p->fate, &p->fate));
  }
  StudyFate *f = &p->fate[p->fates++];
  *f = (StudyFate){.task = task, .run = run, .status = status};
  snprintf(f->cause, sizeof f->cause, "%s", cause);
  return 0;
}

// Signals that come from outside: somebody killed the process, or memory was used up.
static bool is_from_outside(int status) {
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

static void describe_end(const Slot *slot, int status, char *text, size_t size) {
  if (WIFSIGNALED(status))
    snprintf(text, size, "ended by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
             WTERMSIG(status) == SIGKILL ? ", twice: too little memory?" : "");
  else if (WEXITSTATUS(status) == CODE_RUN) snprintf(text, size, "%s", slot->cause);
  else snprintf(text, size, "ended its process with code %d", WEXITSTATUS(status));
}

// A process ended in the middle of a task: what caused it, and who continues.
static Error ReplaceWorker(Pool *p, int i, int status) {
  Slot *slot = &p->shared->slot[i];
  Worker *w = &p->worker[i];
  uint64_t task = atomic_load(&slot->task), run = atomic_load(&slot->run);
  char text[STUDY_CAUSE];
  if (w->late && run != NO_TASK) {
    snprintf(text, sizeof text, "a step took more than the time limit of %g s", p->t->time_limit);
    TRY(AddFate(p, task, run, RUN_TIMEOUT, text));
  } else if (run != NO_TASK && is_from_outside(status) && w->again != run) {
    w->again = run;
  } else if (run != NO_TASK) {
    describe_end(slot, status, text, sizeof text);
    TRY(AddFate(p, task, run, RUN_CRASHED, text));
  } else if (++w->restarts > MOST_RESTARTS) {
    describe_end(slot, status, text, sizeof text);
    fprintf(stderr, "limber: a worker cannot continue: %s\n", text);
    p->broken = true, stop_all(p);
    return 0;
  }
  return StartWorker(p, i, task);
}

static Error CollectWorkers(Pool *p, int *left) {
  *left = 0;
  for (int i = 0; i < p->workers; i++) {
    int status;
    if (!p->worker[i].pid) continue;
    if (waitpid(p->worker[i].pid, &status, WNOHANG) != p->worker[i].pid) {
      (*left)++;
      continue;
    }
    p->worker[i].pid = 0;
    if (WIFEXITED(status) && !WEXITSTATUS(status)) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CODE_MACHINE) {
      p->broken = true, stop_all(p);
    } else if (!p->stop_since) {
      TRY(ReplaceWorker(p, i, status));
      (*left)++;
    }
  }
  return 0;
}

// A run that takes longer than it may does not look at the clock: its process is killed.
static void watch_time(Pool *p) {
  double now = clock_seconds(), most = 1.1 * p->t->time_limit + 1;
  for (int i = 0; i < p->workers; i++) {
    Slot *slot = &p->shared->slot[i];
    bool late = p->t->time_limit > 0 && atomic_load(&slot->run) != NO_TASK && now - atomic_load(&slot->began) > most;
    if (!p->worker[i].pid) continue;
    if (p->stop_since && now - p->stop_since > SECONDS_TO_STOP) late = true;
    if (late) p->worker[i].late = true, kill(p->worker[i].pid, SIGKILL);
  }
}

static void report_progress(Pool *p, StudyEnd *end) {
  uint64_t done = 0, failed = 0;
  for (int i = 0; i < p->workers; i++) {
    Slot *slot = &p->shared->slot[i];
    done += atomic_load(&slot->done) + atomic_load(&slot->task_done);
    failed += atomic_load(&slot->failed) + atomic_load(&slot->task_failed);
  }
  if (p->t->progress) p->t->progress(p->t->self, done, failed);
  if (failed && p->t->stop_at_failure && !p->stop_since) *end = STUDY_FAILED_RUN, stop_all(p);
}

// Until all tasks are done; in a closed pool, until all workers have left.
static Error WaitForWorkers(Pool *p, StudyEnd *end) {
  const Shared *shared = p->shared;
  for (int left;;) {
    bool done = !atomic_load(&shared->closed) && atomic_load(&shared->ended) == atomic_load(&shared->count);
    TRY(CollectWorkers(p, &left));
    if (p->t->stopped && p->t->stopped() && !p->stop_since) *end = STUDY_STOPPED, stop_all(p);
    watch_time(p);
    report_progress(p, end);
    if (!left || (done && !p->stop_since)) break;
    nanosleep(&(struct timespec){.tv_nsec = SLEEP}, NULL);
  }
  if (p->broken) *end = STUDY_BROKEN_MACHINE;
  return 0;
}

static size_t list_size(const StudyTasks *t) { return (size_t)t->count * sizeof *t->task; }

static void *share_memory(size_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

Error StudyPoolStart(const StudyTasks *t, int workers, StudyPool **out) {
  Pool *p;
  TRY(MemoryNew(sizeof *p, &p));
  *out = p;
  p->t = t, p->workers = (uint64_t)workers < t->count ? workers : (int)t->count;
  p->shared_size = sizeof *p->shared + (size_t)p->workers * sizeof *p->shared->slot;
  p->shared = share_memory(p->shared_size);
  if (p->shared) p->shared->task = share_memory(list_size(t));
  ENSURE(p->shared && p->shared->task, ERROR_MEMORY, "no shared memory for %d workers: %s", p->workers,
         strerror(errno));
  TRY(MemoryNew((size_t)p->workers * sizeof *p->worker, &p->worker));
  for (int i = 0; i < p->workers; i++) p->worker[i].again = NO_TASK;
  struct sigaction usual = {.sa_handler = SIG_DFL}; // where it is ignored, nobody learns how a process ended
  sigaction(SIGCHLD, &usual, &p->before);
  return 0;
}

Error StudyPoolDo(StudyPool *p, uint64_t count, const uint64_t *task, StudyEnd *end) {
  uint64_t before = atomic_load(&p->shared->count);
  *end = p->stop_since ? STUDY_STOPPED : STUDY_ALL_DONE;
  ENSURE(count <= p->t->count - before, PETSC_ERR_PLIB, "more tasks than the pool has room for");
  memcpy(p->shared->task + before, task, (size_t)count * sizeof *task);
  atomic_store(&p->shared->count, before + count);
  for (; p->started < p->workers && (uint64_t)p->started < count; p->started++)
    TRY(StartWorker(p, p->started, NO_TASK));
  return WaitForWorkers(p, end);
}

Error StudyPoolEnd(StudyPool **pool, StudyEnd *end) {
  Pool *p = *pool;
  Error error = 0;
  if (!p) return 0;
  if (p->started && !atomic_exchange(&p->shared->closed, 1)) error = WaitForWorkers(p, end);
  for (int i = 0; i < p->started; i++)
    if (p->worker[i].pid) kill(p->worker[i].pid, SIGKILL), waitpid(p->worker[i].pid, NULL, 0);
  if (p->worker) sigaction(SIGCHLD, &p->before, NULL);
  if (p->shared && p->shared->task) munmap(p->shared->task, list_size(p->t));
  if (p->shared) munmap(p->shared, p->shared_size);
  memory_free(&p->worker), memory_free(&p->fate), memory_free(pool);
  return error;
}

Error StudyFork(const StudyTasks *t, int workers, StudyEnd *end) {
  Pool *p = NULL;
  *end = STUDY_ALL_DONE;
  if (!t->count) return 0;
  Error error = StudyPoolStart(t, workers, &p);
  if (!error) atomic_store(&p->shared->closed, 1), error = StudyPoolDo(p, t->count, t->task, end);
  return StudyPoolEnd(&p, end), error;
}

// Ranks of MPI as workers: groups of ranks that do a run together take the next task from a counter on rank 0, which
// nobody has to serve. Rank 0 works, too.

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
static PetscErrorCode ShareProgress(RankWatch *r) {
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
static bool rank_must_stop(StudyWatch *w) {
  RankWatch *r = (RankWatch *)w;
  int flag, stop;
  if (!r->rank) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, r->world, &flag, MPI_STATUS_IGNORE);
  if (r->watch.first && clock_seconds() - r->looked > SECONDS && ShareProgress(r)) r->stop = true;
  stop = r->stop;
  if (r->size > 1) MPI_Bcast(&stop, 1, MPI_INT, 0, r->comm);
  r->stop = stop;
  return stop;
}

static void begin_run_on_ranks(StudyWatch *w, uint64_t run) { (void)w, (void)run; }

static void end_run_on_ranks(StudyWatch *w, uint64_t rows, uint64_t failed) {
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
  while (!rank_must_stop(&r->watch) && !stopped) {
    PetscCall(NextTask(r, &any, &task));
    if (!any) break;
    PetscCall(r->t->work(r->t->self, task, &r->watch, &stopped));
  }
  if (r->watch.first) PetscCall(ShareProgress(r));
  if (r->t->end) PetscCall(r->t->end(r->t->self));
  PetscFunctionReturn(0);
}

// While others work, rank 0 reports how far they are.
static PetscErrorCode WaitForAll(RankWatch *r) {
  MPI_Request request;
  int flag = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Ibarrier(r->world, &request));
  for (double wait = 1e-4; !flag; wait = PetscMin(2 * wait, 0.02)) {
    PetscCallMPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    if (!flag) PetscCall(PetscSleep(wait));
    if (r->watch.first && clock_seconds() - r->looked > SECONDS) PetscCall(ShareProgress(r));
  }
  if (!r->rank) PetscCall(ShareProgress(r));
  PetscFunctionReturn(0);
}

Error StudyOnRanks(MPI_Comm world, MPI_Comm comm, const StudyTasks *t, StudyEnd *end) {
  RankWatch r = {.watch = {rank_must_stop, begin_run_on_ranks, end_run_on_ranks, NULL, true, false, NULL, 0},
                 .t = t,
                 .world = world,
                 .comm = comm};
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
