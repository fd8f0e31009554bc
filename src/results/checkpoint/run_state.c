// SPDX-License-Identifier: Apache-2.0
// Writes the state of a run to a checkpoint and restores it, on any number of ranks (run_state.h).
#include "results/checkpoint/run_state.h"

#include "analyses/stepping/stepper.h"
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/saved_state.h"
#include "analyses/stepping/start.h"
#include "assembly/contacts.h"
#include "assembly/step_memory.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <math.h>
#include <petscsf.h>
#include <string.h>

// ---- arrays divided among ranks ----

// Moves an array of the state between the ranks that own its items and a file, which stores them in the order of the
// model. Each rank gets a contiguous share of the rows of the file; rank 0 writes or reads the shares one after the
// other, in pieces. No rank needs the whole array.

enum { PIECE = 1 << 23 }; // bytes sent at once

// ---- between owners and shares ----

// Shares are multiples of 8 rows, and so of 8 bytes.
static PetscInt padded_total(const OwnerRows *r) { return (r->total + 7) / 8 * 8; }
static PetscErrorCode ShareRows(MPI_Comm comm, const OwnerRows *r, PetscLayout *map) {
  PetscFunctionBegin;
  PetscCall(PetscLayoutCreateFromSizes(comm, PETSC_DECIDE, padded_total(r), 8, map));
  PetscFunctionReturn(0);
}

static PetscErrorCode ExchangeHere(const OwnerRows *r, bool write, size_t size, void *data, void *share) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < r->count; i++) {
    char *here = (char *)data + (size_t)r->local[i] * size, *there = (char *)share + (size_t)r->row[i] * size;
    memcpy(write ? there : here, write ? here : there, size);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ExchangeRows(MPI_Comm comm, const OwnerRows *r, PetscLayout map, bool write, size_t size,
                                   void *data, void *share) {
  PetscMPIInt ranks;
  MPI_Datatype unit;
  PetscSF sf;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  if (ranks == 1) {
    PetscCall(ExchangeHere(r, write, size, data, share));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscSFCreate(comm, &sf));
  PetscCall(PetscSFSetGraphLayout(sf, map, r->count, r->local, PETSC_USE_POINTER, r->row));
  PetscCallMPI(MPI_Type_contiguous((int)size, MPI_BYTE, &unit));
  PetscCallMPI(MPI_Type_commit(&unit));
  if (write) {
    PetscCall(PetscSFReduceBegin(sf, unit, data, share, MPI_REPLACE));
    PetscCall(PetscSFReduceEnd(sf, unit, data, share, MPI_REPLACE));
  } else {
    PetscCall(PetscSFBcastBegin(sf, unit, share, data, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(sf, unit, share, data, MPI_REPLACE));
  }
  PetscCallMPI(MPI_Type_free(&unit));
  PetscCall(PetscSFDestroy(&sf));
  PetscFunctionReturn(0);
}

// ---- between shares and the file ----

// Writes or reads the share of each rank in pieces.
static PetscErrorCode PassShares(MPI_Comm comm, PetscLayout map, size_t size, FILE *file, bool write, char *share,
                                 DividedPlace *place) {
  const PetscInt *range;
  PetscMPIInt rank, ranks;
  char *piece = NULL;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(PetscLayoutGetRanges(map, &range));
  if (!rank && ranks > 1) PetscCall(PetscMalloc1(PIECE, &piece));
  for (PetscMPIInt r = 0; r < ranks; r++) {
    size_t all = (size_t)(range[r + 1] - range[r]) * size;
    for (size_t at = 0; at < all; at += PIECE) {
      size_t n = PetscMin(all - at, (size_t)PIECE);
      if (write && r && rank == r) PetscCallMPI(MPI_Send(share + at, (int)n, MPI_BYTE, 0, r, comm));
      if (!write && r && rank == r) PetscCallMPI(MPI_Recv(share + at, (int)n, MPI_BYTE, 0, r, comm, MPI_STATUS_IGNORE));
      if (rank) continue;
      char *here = r ? piece : share + at;
      if (write && r) PetscCallMPI(MPI_Recv(here, (int)n, MPI_BYTE, r, r, comm, MPI_STATUS_IGNORE));
      if (write) checkpoint_file_add(file, here, n, place);
      else if (fread(here, 1, n, file) != n) memset(here, 0, n); // the file was checked, but can no longer be read
      if (!write && r) PetscCallMPI(MPI_Send(here, (int)n, MPI_BYTE, r, r, comm));
    }
  }
  PetscCall(PetscFree(piece));
  PetscFunctionReturn(0);
}

// The rows of an owner, divided for a file.
typedef struct {
  OwnerRows rows;
  size_t size; // of a row
  PetscLayout map;
  char *data; // rows in the share of this rank
} Share;

static PetscErrorCode ShareCreate(Stepper *p, const StateArray *a, bool read, Share *share) {
  PetscInt own;
  PetscFunctionBegin;
  PetscCall(OwnerRowsCreate(p, a->owner, read, &share->rows));
  share->size = a->item * (size_t)share->rows.items;
  PetscCall(ShareRows(p->s->motion.layout.comm, &share->rows, &share->map));
  PetscCall(PetscLayoutGetLocalSize(share->map, &own));
  PetscCall(PetscCalloc1((size_t)own * share->size, &share->data));
  PetscFunctionReturn(0);
}

static PetscErrorCode ShareDestroy(Share *share) {
  PetscFunctionBegin;
  PetscCall(PetscFree(share->data));
  PetscCall(PetscLayoutDestroy(&share->map));
  PetscCall(OwnerRowsDestroy(&share->rows));
  PetscFunctionReturn(0);
}

// Writes an array. `file` is NULL except on rank 0, which gets its place. Collective.
static PetscErrorCode OwnerRowsWrite(Stepper *p, const StateArray *a, FILE *file, DividedPlace *place) {
  MPI_Comm comm = p->s->motion.layout.comm;
  Share share;
  PetscFunctionBegin;
  PetscCall(ShareCreate(p, a, false, &share));
  PetscCall(ExchangeRows(comm, &share.rows, share.map, true, share.size, a->data, share.data));
  if (file) *place = checkpoint_file_place(file, a->name);
  PetscCall(PassShares(comm, share.map, share.size, file, true, share.data, place));
  PetscCall(ShareDestroy(&share));
  PetscFunctionReturn(0);
}

// Reads an array, including ghosts. `good`: it has the size that the model requires. Collective.
static PetscErrorCode OwnerRowsRead(Stepper *p, const StateArray *a, FILE *file, const DividedPlace *place,
                                    bool *good) {
  MPI_Comm comm = p->s->motion.layout.comm;
  Share share;
  PetscFunctionBegin;
  PetscCall(ShareCreate(p, a, true, &share));
  *good = place->size == (size_t)padded_total(&share.rows) * share.size;
  if (*good) {
    if (file) fseeko(file, (off_t)place->at, SEEK_SET);
    PetscCall(PassShares(comm, share.map, share.size, file, false, share.data, NULL));
    PetscCall(ExchangeRows(comm, &share.rows, share.map, false, share.size, a->data, share.data));
  }
  PetscCall(ShareDestroy(&share));
  PetscFunctionReturn(0);
}

static bool is_divided(const StateArray *a) { return !a->packing && a->owner != OWNER_RUN; }

// Gathers the bytes of all ranks on rank 0, in rank order.
static PetscErrorCode GatherBytes(MPI_Comm comm, StateCopy *bytes) {
  enum { TAG = 7 };
  PetscMPIInt rank, ranks;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  unsigned long long size = bytes->size;
  if (rank) {
    PetscCallMPI(MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG, comm));
    PetscCallMPI(MPI_Send(bytes->data, (int)size, MPI_BYTE, 0, TAG, comm));
  }
  for (PetscMPIInt r = 1; r < ranks && !rank; r++) {
    PetscCallMPI(MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, r, TAG, comm, MPI_STATUS_IGNORE));
    size_t at = bytes->size;
    PetscCall(StateCopyAdd(bytes, NULL, (size_t)size));
    PetscCallMPI(MPI_Recv(bytes->data + at, (int)size, MPI_BYTE, r, TAG, comm, MPI_STATUS_IGNORE));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode WritePacked(const Stepper *p, const StateArray *a, CheckpointContainer *container) {
  StateCopy bytes = {0};
  PetscFunctionBegin;
  if (a->packing->divided || !p->s->motion.layout.rank) PetscCall(a->packing->pack(p, true, &bytes));
  if (a->packing->divided) PetscCall(GatherBytes(p->s->motion.layout.comm, &bytes));
  if (!p->s->motion.layout.rank) PetscCall(ContainerPut(container, a->name, 0, bytes.data, bytes.size));
  memory_free(&bytes.data);
  PetscFunctionReturn(0);
}

PetscErrorCode RunWrite(LimberRun run, FILE *file, CheckpointContainer *container) {
  Stepper *p = run->stepper;
  StateArray list[MOST_STATE_ARRAYS];
  int count, divided = 0;
  PetscFunctionBegin;
  PetscCall(RotationReduce(p));
  PetscCall(StateList(p, SAVED, list, &count));
  for (int i = 0; i < count; i++) {
    DividedPlace place;
    if (is_divided(&list[i])) {
      PetscCall(OwnerRowsWrite(p, &list[i], file, &place));
      if (file) PetscCall(ContainerPut(container, CHECKPOINT_DIVIDED, divided++, &place, sizeof place));
    } else if (list[i].packing) PetscCall(WritePacked(p, &list[i], container));
    else if (file) PetscCall(ContainerPut(container, list[i].name, 0, list[i].data, state_array_bytes(&list[i])));
  }
  PetscFunctionReturn(0);
}

// ---- restoring ----

// A model to which contacts were added starts with a new list.
static PetscErrorCode ListContacts(Stepper *p, const CheckpointContainer *container) {
  Motion *motion = &p->s->motion;
  DividedPlace place;
  PetscFunctionBegin;
  if (!motion->contacts) PetscFunctionReturn(0);
  if (!checkpoint_file_find(container, "list_at", &place) || !isfinite(motion->contacts->skin) ||
      motion->contacts->skin < 0) {
    PetscCall(PetscArraycpy(motion->contacts->at, motion->state.x, 4 * motion->layout.nnode));
    motion->contacts->skin = 0;
  }
  PetscCall(StateListContacts(p));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestorePacked(Stepper *p, const StateArray *a, const CheckpointContainer *container, bool *good) {
  size_t size;
  PetscFunctionBegin;
  *good = true;
  if (a->packing->attached) PetscFunctionReturn(0);
  const unsigned char *bytes = container_find(container, a->name, 0, &size);
  if (a->packing == &packed_pairs) PetscCall(ListContacts(p, container));
  *good = bytes || (a->kept & LOOSE) == LOOSE;
  if (*good) PetscCall(a->packing->unpack(p, bytes, size, good));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreStepper(Stepper *p, const CheckpointContainer *container, bool *good) {
  LimberControl limits = p->control.limits; // the end time may have changed
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, SAVED, list, &count));
  *good = true;
  for (int i = 0; i < count && *good; i++) {
    StateArray *a = &list[i];
    bool loose = (a->kept & LOOSE) == LOOSE;
    DividedPlace place;
    if (a->packing) PetscCall(RestorePacked(p, a, container, good));
    else if (!is_divided(a)) *good = container_take(container, a->name, 0, a->data, state_array_bytes(a)) || loose;
    else if (checkpoint_file_find(container, a->name, &place)) {
      PetscCall(OwnerRowsRead(p, a, container->file, &place, good));
      *good = *good || loose;
    } else *good = loose;
  }
  p->control.limits = limits;
  if (*good) PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}

// In a changed model the same state has other energies. No load or loss accounts for the difference, so it is counted
// as work of the change. The energy scale of the ledger ignores it, because the zero of a potential is arbitrary.
static PetscErrorCode RecordEnergyChange(Stepper *p) {
  LimberLedger *l = &p->ledger, old = *l;
  PetscFunctionBegin;
  if (p->kind->resume) PetscCall(p->kind->resume(p));
  PetscCall(StateForget(&p->s->motion.layout, &p->s->motion.state, NULL)); // increments of another model
  l->dissipated += l->scheme_energy, old.dissipated = l->dissipated, l->scheme_energy = old.scheme_energy = 0;
  PetscCall(StepperUpdateEnergies(p, NULL));
  double kinetic = l->kinetic - old.kinetic, strain = l->strain - old.strain, potential = l->potential - old.potential;
  double change = kinetic + strain + potential, most = fmax(fabs(kinetic), fmax(fabs(strain), fabs(potential)));
  if (most <= 1e-14 * (old.exchanged + fabs(old.potential))) { // round-off of the summation order
    *l = old;
    PetscFunctionReturn(0);
  }
  l->work += change, p->branched += change, p->potential_start += potential;
  l->exchanged = PetscMax(l->exchanged, l->kinetic + l->strain);
  start_remark(p,
               "at t = %.8g s, where the model was changed, the stored energy changes by %.6g J (kinetic %.6g J, "
               "strain %.6g J, potential %.6g J), which is counted as work",
               p->s->motion.state.time, change, kinetic, strain, potential);
  PetscFunctionReturn(0);
}

PetscErrorCode RunRestore(Model model, const LimberOptions *options, const CheckpointContainer *p, bool changed,
                          LimberRun *run, Refusal *wrong) {
  Stepper *stepper;
  bool good = false;
  PetscFunctionBegin;
  *run = NULL;
  PetscCall(StepperPrepare(model, options, &stepper, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  control_begin(&stepper->control, &options->control, options->step, stepper->rule.order);
  PetscCall(RestoreStepper(stepper, p, &good));
  if (good && changed) PetscCall(RecordEnergyChange(stepper));
  if (good) {
    PetscCall(PetscNew(run));
    (*run)->stepper = stepper;
  } else {
    refuse(wrong, "its state does not fit the model");
    PetscCall(StepperDestroy(&stepper));
  }
  PetscFunctionReturn(0);
}
