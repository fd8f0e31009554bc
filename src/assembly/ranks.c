// SPDX-License-Identifier: Apache-2.0
#include "assembly/ranks.h"

#include "limber/limber.h"
#include "model/error.h"

#include <locale.h>
#include <petsctime.h>
#include <string.h>
#include <time.h>

static bool off;
static int depth;             // public functions that call each other
static const char *outermost; // of them

void agreement_turn_off(void) { off = true; }

const char *agreement_function(const char *self) { return depth ? outermost : self; }

// Numbers in files have a point, whatever the locale of the program that calls. Messages are in English.
static locale_t plain, before;

static void enter(const char *function) {
  if (depth++) return;
  outermost = function;
  if (!plain) plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  before = plain ? uselocale(plain) : (locale_t)0;
}

static void leave(void) {
  if (--depth) return;
  if (before) uselocale(before);
}

#ifdef PETSC_HAVE_MPIUNI
PetscErrorCode AgreementBegin(MPI_Comm comm, const char *function) { return (void)comm, enter(function), 0; }
PetscErrorCode AgreementEnd(MPI_Comm comm, PetscErrorCode error) { return (void)comm, leave(), error; }
PetscErrorCode AgreementEndEarly(MPI_Comm comm, PetscErrorCode error) { return (void)comm, leave(), error; }
PetscErrorCode CheckOtherRanks(MPI_Comm comm) { return (void)comm, 0; }
#else

static bool settled;             // all ranks know that the outermost of them has failed
static double failure_wait = 10; // s
static int key = MPI_KEYVAL_INVALID;

// ---- the communicator for agreements, an attribute of the one that ranks compute on ----

typedef struct {
  MPI_Comm comm;
} Link;

static int free_link(MPI_Comm comm, int keyval, void *value, void *extra) {
  Link *link = value;
  (void)comm, (void)keyval, (void)extra;
  int error = MPI_Comm_free(&link->comm);
  memory_free(&link);
  return error;
}

static PetscErrorCode FindLink(MPI_Comm comm, Link **link) {
  int found = 0;
  PetscMPIInt size = 1;
  PetscFunctionBegin;
  *link = NULL;
  if (off) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size > 1 && key != MPI_KEYVAL_INVALID) PetscCallMPI(MPI_Comm_get_attr(comm, key, link, &found));
  if (!found) *link = NULL;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateLink(MPI_Comm comm) {
  Link *link = NULL, own;
  PetscMPIInt size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (off || size == 1) PetscFunctionReturn(0);
  if (key == MPI_KEYVAL_INVALID) {
    PetscCallMPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_link, &key, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-limber_failure_wait", &failure_wait, NULL));
  }
  PetscCall(FindLink(comm, &link));
  if (link) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Comm_dup(comm, &own.comm));
  PetscCall(MemoryNew(sizeof *link, &link));
  *link = own;
  PetscCallMPI(MPI_Comm_set_attr(comm, key, link));
  PetscFunctionReturn(0);
}

// ---- agreements ----

static void end_all_ranks(MPI_Comm comm, PetscErrorCode error) {
  fprintf(stderr, "limber: %s\nlimber: this process failed and the others did not answer within %g s: all are ended\n",
          limber_error(), failure_wait);
  fflush(stderr);
  MPI_Abort(comm, error > 0 && error < 128 ? error : 1);
}

// Waits until all ranks have said how they are; a rank that failed does so for some seconds only.
static PetscErrorCode AwaitRanks(MPI_Comm comm, MPI_Request *request, PetscErrorCode error) {
  const struct timespec pause = {.tv_nsec = 1000000};
  PetscLogDouble began, now;
  int done = 0;
  PetscFunctionBegin;
  if (!error) PetscCallMPI(MPI_Wait(request, MPI_STATUS_IGNORE));
  if (!error) PetscFunctionReturn(0);
  PetscCall(PetscTime(&began));
  while (!done) {
    PetscCallMPI(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    PetscCall(PetscTime(&now));
    if (!done && now - began > failure_wait) end_all_ranks(comm, error);
    if (!done) nanosleep(&pause, NULL);
  }
  PetscFunctionReturn(0);
}

// What limber_error says on the rank that failed, on all that did not.
static PetscErrorCode ShareMessage(MPI_Comm comm, int from, PetscErrorCode error) {
  char text[1000], told[1100];
  PetscFunctionBegin;
  snprintf(text, sizeof text, "%s", limber_error());
  PetscCallMPI(MPI_Bcast(text, sizeof text, MPI_CHAR, from, comm));
  snprintf(told, sizeof told, "process %d failed: %s", from, text);
  if (!error) error_store(told);
  PetscFunctionReturn(0);
}

// The largest error code of all ranks.
static PetscErrorCode Agree(MPI_Comm comm, PetscErrorCode error) {
  struct {
    int error, rank;
  } mine = {error, 0}, most;
  Link *link;
  MPI_Request request;
  PetscFunctionBegin;
  PetscCall(FindLink(comm, &link));
  if (!link || settled) PetscFunctionReturn(error);
  PetscCallMPI(MPI_Comm_rank(link->comm, &mine.rank));
  PetscCallMPI(MPI_Iallreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, link->comm, &request));
  PetscCall(AwaitRanks(link->comm, &request, error));
  if (!most.error) PetscFunctionReturn(0);
  settled = depth > 0;
  PetscCall(ShareMessage(link->comm, most.rank, error));
  PetscFunctionReturn(error ? error : most.error);
}

PetscErrorCode AgreementBegin(MPI_Comm comm, const char *function) { return enter(function), CreateLink(comm); }

PetscErrorCode AgreementEnd(MPI_Comm comm, PetscErrorCode error) {
  error = Agree(comm, error);
  leave();
  settled = settled && depth;
  return error;
}

PetscErrorCode AgreementEndEarly(MPI_Comm comm, PetscErrorCode error) {
  if (error) error = Agree(comm, error);
  leave();
  settled = settled && depth;
  return error;
}

PetscErrorCode CheckOtherRanks(MPI_Comm comm) { return Agree(comm, 0); }
#endif

MPI_Comm model_communicator(Model m) {
  return m && m->communicator ? *(const MPI_Comm *)m->communicator : PETSC_COMM_WORLD;
}

// A model may outlive MPI.
static void release_communicator(void *communicator) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) MPI_Comm_free(communicator);
}

PetscErrorCode ModelSetCommunicator(LimberModel m, MPI_Comm comm) {
  MPI_Comm own;
  PetscFunctionBegin;
  PetscCheck(!m->communicator, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model has a communicator already");
  PetscCallMPI(MPI_Comm_dup(comm, &own));
  PetscCall(ModelAllocate(m, sizeof own, &m->communicator));
  *(MPI_Comm *)m->communicator = own;
  m->release = release_communicator;
  PetscFunctionReturn(0);
}

void model_share_communicator(LimberModel m, MPI_Comm *comm) { m->communicator = comm; }

PetscErrorCode RefusalSend(MPI_Comm comm, Refusal *wrong) {
  PetscMPIInt rank, size, first;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  first = is_refused(wrong) ? rank : size;
  PetscCall(ReduceArray(comm, &first, 1, MPI_INT, MPI_MIN));
  if (size > 1 && first < size) PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, first, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode ReduceArray(MPI_Comm comm, void *values, PetscInt64 count, MPI_Datatype type, MPI_Op op) {
  const PetscInt64 part = 1 << 30;
  PetscMPIInt size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Type_size(type, &size));
  for (PetscInt64 from = 0; from < count; from += part)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, (char *)values + (size_t)from * (size_t)size,
                               (PetscMPIInt)PetscMin(part, count - from), type, op, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode ReduceLargest(MPI_Comm comm, double *value, PetscInt *at, PetscMPIInt *rank) {
  struct {
    double value;
    int rank;
  } mine = {number_or_infinity(*value), 0}, best;
  PetscMPIInt size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) {
    *value = mine.value;
    if (rank) *rank = 0;
    PetscFunctionReturn(0);
  }
  PetscCallMPI(MPI_Comm_rank(comm, &mine.rank));
  PetscCallMPI(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
  if (at) {
    if (mine.value != best.value) *at = PETSC_MAX_INT;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, at, 1, MPIU_INT, MPI_MIN, comm));
  }
  *value = best.value;
  if (rank) *rank = best.rank;
  PetscFunctionReturn(0);
}
