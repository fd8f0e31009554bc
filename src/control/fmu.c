// SPDX-License-Identifier: Apache-2.0
// The FMU of a control block. Its record is that of src/blocks/fmu.c: the present time, that of the last call, the
// length of a step, the inputs, the outputs.
#include "control/library.h"
#include "fmu/load.h"

#include <math.h>
#include <string.h>

enum { NOW, BEFORE, STEP, FIRST };

typedef struct {
  ControlLibrary base; // comes first
  const FmuUse *use;
  Fmu *fmu; // on rank 0
  const char *name;
  bool started;
  int warnings;             // that were told
  bool marked;              // it can be set back ...
  double mark, mark_before; // ... to this time, and that of the call before
} ControlFmu;

// The time to go on by. Steps that differ by round-off are equal; an FMU may need that they are.
static bool find_step(ControlFmu *f, double *record, double *step) {
  double elapsed = record[NOW] - record[BEFORE];
  if (!(record[STEP] > 0)) record[STEP] = elapsed;
  bool equal = fabs(elapsed - record[STEP]) <= 1e-9 * record[STEP];
  *step = equal ? record[STEP] : elapsed;
  if (equal || f->use->interface->variable_step) return true;
  snprintf(f->base.message, sizeof f->base.message,
           "it needs steps of equal length, and this one is %.8g s after one of %.8g s: let 'period' be a multiple of "
           "'step'",
           elapsed, record[STEP]);
  return false;
}

static bool run_fmu(ControlFmu *f, double *record) {
  const double *in = record + FIRST;
  double *out = record + FIRST + f->use->inputs, step;
  if (f->started && !find_step(f, record, &step)) return false;
  bool good = f->started ? fmu_step(f->fmu, record[BEFORE], step, in) : fmu_start(f->fmu, record[NOW], in);
  good = good && fmu_get(f->fmu, out);
  if (!good) snprintf(f->base.message, sizeof f->base.message, "%s", fmu_message(f->fmu));
  return good;
}

// Tells of the first call with a warning.
static void tell_warning(ControlFmu *f) {
  if (f->warnings || !fmu_warnings(f->fmu)) return;
  f->warnings = 1;
  fprintf(stderr, "warning: control block '%s': %s\n", f->name, fmu_warning(f->fmu));
}

static bool call_fmu(BlockLibrary *self, int records, double *record) {
  ControlFmu *f = (ControlFmu *)self;
  ControlLibrary *l = &f->base;
  if (f->fmu) {
    l->fail = run_fmu(f, record) ? 0 : -1;
    tell_warning(f);
  }
  f->started = true;
  // if a broadcast fails, the FMU counts as failed and the run ends
  if (MPI_Bcast(record, records, MPI_DOUBLE, 0, l->comm) || MPI_Bcast(&l->fail, 1, MPI_INT, 0, l->comm) ||
      (l->fail < 0 && MPI_Bcast(l->message, sizeof l->message, MPI_CHAR, 0, l->comm)))
    l->fail = -1;
  return l->fail >= 0;
}

// ---- bonds ----

PetscErrorCode ControlFmuFollows(const ControlLibrary *l, bool *follows) {
  const ControlFmu *f = (const ControlFmu *)l;
  int yes = f->fmu && fmu_follows(f->fmu);
  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(&yes, 1, MPI_INT, 0, l->comm));
  *follows = yes;
  PetscFunctionReturn(0);
}

// From its mark, if it has one at this time.
static bool return_to(ControlFmu *f, double from, double h, double *record) {
  bool again = f->marked && fabs(from - f->mark) <= 1e-9 * h;
  if (again) record[NOW] = f->mark, record[BEFORE] = f->mark_before;
  if (!fmu_follows(f->fmu)) return true;
  if (again) return fmu_go_back(f->fmu);
  f->marked = true, f->mark = from, f->mark_before = record[BEFORE];
  return fmu_mark(f->fmu);
}

static bool exchange(ControlFmu *f, double from, double h, int parts, const double *in, double *record, double *mean) {
  bool good = return_to(f, from, h, record);
  double step = 0, *out = record + FIRST + f->use->inputs;
  memcpy(record + FIRST, in, (size_t)f->use->inputs * sizeof *in);
  good = good && fmu_look(f->fmu, in, mean);
  for (int i = 0; i < f->use->outputs; i++) mean[i] /= 2 * parts;
  for (int k = 0; k < parts && good; k++) {
    record[BEFORE] = from + h * k / parts, record[NOW] = from + h * (k + 1) / parts;
    if (!find_step(f, record, &step)) return false;
    good = fmu_step(f->fmu, record[BEFORE], step, in) && fmu_get(f->fmu, out);
    for (int i = 0; i < f->use->outputs; i++) mean[i] += out[i] / (k + 1 < parts ? parts : 2 * parts);
  }
  record[BEFORE] = from;
  if (!good) snprintf(f->base.message, sizeof f->base.message, "%s", fmu_message(f->fmu));
  return good;
}

PetscErrorCode ControlFmuExchange(ControlLibrary *l, double from, double h, int parts, const double *in, double *record,
                                  double *mean) {
  ControlFmu *f = (ControlFmu *)l;
  PetscFunctionBegin;
  if (f->fmu) {
    l->fail = exchange(f, from, h, parts, in, record, mean) ? 0 : -1;
    tell_warning(f);
  }
  PetscCallMPI(MPI_Bcast(record, FIRST + f->use->inputs + f->use->outputs, MPI_DOUBLE, 0, l->comm));
  PetscCallMPI(MPI_Bcast(mean, f->use->outputs, MPI_DOUBLE, 0, l->comm));
  PetscCallMPI(MPI_Bcast(&l->fail, 1, MPI_INT, 0, l->comm));
  if (l->fail < 0) PetscCallMPI(MPI_Bcast(l->message, sizeof l->message, MPI_CHAR, 0, l->comm));
  PetscFunctionReturn(0);
}

// ---- its state ----

static PetscErrorCode SaveFmu(ControlLibrary *l, unsigned char **bytes, size_t *size, Refusal *why) {
  ControlFmu *f = (ControlFmu *)l;
  PetscFunctionBegin;
  why->text[0] = 0, *bytes = NULL, *size = 0;
  if (!f->fmu) PetscFunctionReturn(0);
  bool good = fmu_can_save(f->fmu);
  if (good) PetscCall(FmuSave(f->fmu, bytes, size, &good));
  if (!good) refuse(why, "%s", fmu_message(f->fmu));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreFmu(ControlLibrary *l, const double *record, const void *bytes, size_t size,
                                 Refusal *why) {
  ControlFmu *f = (ControlFmu *)l;
  PetscFunctionBegin;
  if (f->fmu && !is_refused(why)) {
    bool good = f->started || fmu_start(f->fmu, 0, record + FIRST); // where its run began
    good = good && fmu_restore(f->fmu, bytes, size);
    f->marked = false;
    if (!good) refuse(why, "%s", fmu_message(f->fmu));
  }
  f->started = true;
  PetscCallMPI(MPI_Bcast(why->text, REFUSAL_SIZE, MPI_CHAR, 0, l->comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode CloseFmu(ControlLibrary *l) {
  ControlFmu *f = (ControlFmu *)l;
  PetscFunctionBegin;
  if (f->fmu && fmu_warnings(f->fmu) > 1)
    fprintf(stderr, "warning: control block '%s': %d calls returned a warning\n", f->name, fmu_warnings(f->fmu));
  fmu_close(&f->fmu);
  PetscFunctionReturn(0);
}

PetscErrorCode ControlFmuOpen(MPI_Comm comm, const char *name, const BlockUse *block, ControlLibrary **out,
                              Refusal *wrong) {
  ControlFmu *f;
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCall(PetscNew(&f));
  *out = &f->base;
  f->base = (ControlLibrary){
      .library = {call_fmu}, .what = "FMU", .comm = comm, .save = SaveFmu, .restore = RestoreFmu, .close = CloseFmu};
  f->name = name, f->use = block->unit->use;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  wrong->text[0] = 0;
  if (rank == 0) PetscCall(FmuOpen(f->use, name, &f->fmu, wrong));
  if (is_refused(wrong)) fmu_close(&f->fmu);
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}
