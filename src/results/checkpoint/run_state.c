// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint/run_state.h"

#include "analyses/stepping/create.h"
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/start.h"
#include "assembly/contacts.h"
#include "assembly/step_memory.h"
#include "results/checkpoint/owner_rows.h"

#include <math.h>
#include <string.h>

static bool is_divided(const StateArray *a) { return !a->packing && a->owner != OWNER_RUN; }

// What ranks have of a list, one after the other, on the first.
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
    else if (file) PetscCall(ContainerPut(container, list[i].name, 0, list[i].data, list[i].item * list[i].count));
  }
  PetscFunctionReturn(0);
}

// ---- back ----

// A model that got contacts since begins with a list of its own.
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
  LimberControl limits = p->control.limits; // the end may be another
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
    else if (!is_divided(a)) *good = container_take(container, a->name, 0, a->data, a->item * a->count) || loose;
    else if (checkpoint_file_find(container, a->name, &place)) {
      PetscCall(OwnerRowsRead(p, a, container->file, &place, good));
      *good = *good || loose;
    } else *good = loose;
  }
  p->control.limits = limits;
  if (*good) PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}

// Another model gives the same state other energies. No load and no loss accounts for it: it is the work of whoever made the
// change. The scale of the account does not count it, for a potential may have its zero anywhere.
static PetscErrorCode RecordEnergyChange(Stepper *p) {
  LimberLedger *l = &p->ledger, old = *l;
  PetscFunctionBegin;
  if (p->kind->resume) PetscCall(p->kind->resume(p));
  PetscCall(StateForget(&p->s->motion.layout, &p->s->motion.state, NULL)); // what was remembered is of another model
  l->dissipated += l->memory, old.dissipated = l->dissipated, l->memory = old.memory = 0;
  PetscCall(StepperUpdateEnergies(p, NULL));
  double kinetic = l->kinetic - old.kinetic, strain = l->strain - old.strain, potential = l->potential - old.potential;
  double change = kinetic + strain + potential, most = fmax(fabs(kinetic), fmax(fabs(strain), fabs(potential)));
  if (most <= 1e-14 * (old.exchanged + fabs(old.potential))) { // other ranks add in another order
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
                          LimberRun *run, char *wrong, size_t size) {
  Stepper *stepper;
  bool good = false;
  PetscFunctionBegin;
  *run = NULL;
  PetscCall(StepperPrepare(model, options, &stepper, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  control_begin(&stepper->control, &options->control, options->step, stepper->rule.order);
  PetscCall(RestoreStepper(stepper, p, &good));
  if (good && changed) PetscCall(RecordEnergyChange(stepper));
  if (good) {
    PetscCall(PetscNew(run));
    (*run)->stepper = stepper;
  } else {
    PetscCall(PetscSNPrintf(wrong, size, "its state does not fit the model"));
    PetscCall(StepperDestroy(&stepper));
  }
  PetscFunctionReturn(0);
}
