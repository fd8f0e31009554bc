// SPDX-License-Identifier: Apache-2.0
#include "results/write/joined.h"

#include "files/output_file.h"
#include "quantities/ledger.h"
#include "results/read/results.h"
#include "results/write/hdf5_file.h"
#include "results/write/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 14 }; // rows that are copied at once

typedef struct {
  File file;
  int count, rows;
  bool bonded;
  const char *const *name;
  Results **part;
  double *piece;
} Joined;

// A column that a table begins with, and how many it has.
static int table_width(const Results *r, int first) {
  int width = 1;
  const ResultColumn *c = results_column(r, first);
  while (first + width < results_columns(r) && results_column(r, first + width)->table == c->table) width++;
  return width;
}

static PetscErrorCode CreateTable(Joined *j, const char *path, int width, const char *const *names, const char *units,
                                  const char *about, hid_t *table) {
  PetscFunctionBegin;
  PetscCall(FileTableCreate(j->file.id, &(FileTable){.path = path,
                                                     .width = width,
                                                     .columns = names,
                                                     .type = H5T_IEEE_F64LE,
                                                     .chunk = FILE_CHUNK,
                                                     .units = units,
                                                     .description = about,
                                                     .axis = "time"}));
  H5Make(*table, H5Dopen2(j->file.id, path, H5P_DEFAULT));
  PetscFunctionReturn(0);
}

static PetscErrorCode WritePiece(Joined *j, hid_t table, int from, int count, int width, const double *values) {
  PetscFunctionBegin;
  PetscCall(FileWrite(&j->file, table,
                      &(FileRows){.total = (hsize_t)(from + count),
                                  .at = (hsize_t)from,
                                  .count = (hsize_t)count,
                                  .type = H5T_NATIVE_DOUBLE,
                                  .values = values,
                                  .stride = width,
                                  .width = width}));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadPiece(Results *r, int column, int from, int count, double *values) {
  PetscFunctionBegin;
  PetscCheck(results_read(r, column, from, count, values), PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "'%s' is damaged",
             results_path(r));
  PetscFunctionReturn(0);
}

// Copies a table of a participant.
static PetscErrorCode CopyTable(Joined *j, Results *r, const char *path, int first, int width) {
  const char **names;
  char *units;
  size_t room = 1;
  double *column;
  hid_t table;
  int rows = PetscMax(1, PIECE / width);
  PetscFunctionBegin;
  for (int k = 0; k < width; k++) room += strlen(results_column(r, first + k)->units) + 2;
  PetscCall(PetscMalloc4(width, &names, room, &units, rows, &column, (size_t)rows * (size_t)width, &j->piece));
  units[0] = 0;
  for (int k = 0; k < width; k++) {
    names[k] = results_column(r, first + k)->component;
    if (k) strcat(units, ", ");
    strcat(units, results_column(r, first + k)->units);
  }
  bool named = *names[0];
  PetscCall(CreateTable(j, path, width, named ? names : NULL, units, results_column(r, first)->description, &table));
  for (int from = 0; from < j->rows; from += rows) {
    int count = PetscMin(rows, j->rows - from);
    for (int k = 0; k < width; k++) {
      PetscCall(ReadPiece(r, first + k, from, count, column));
      for (int i = 0; i < count; i++) j->piece[(size_t)i * (size_t)width + (size_t)k] = column[i];
    }
    PetscCall(WritePiece(j, table, from, count, width, j->piece));
  }
  H5Call(H5Dclose(table));
  PetscCall(PetscFree4(names, units, column, j->piece));
  PetscFunctionReturn(0);
}

static PetscErrorCode CopyParticipant(Joined *j, int p) {
  Results *r = j->part[p];
  char path[1024], group[800], last[800] = "";
  PetscFunctionBegin;
  for (int i = 0, width; i < results_columns(r); i += width) {
    const ResultColumn *c = results_column(r, i);
    width = table_width(r, i);
    if (!strcmp(c->name, "time")) continue;
    snprintf(group, sizeof group, "/history/%.200s.%.500s", j->name[p], c->group);
    if (strcmp(group, last) && *c->quantity) PetscCall(FileGroup(j->file.id, group, c->subject));
    strcpy(last, group);
    snprintf(path, sizeof path, "%s%s%.200s", group, *c->quantity ? "/" : "", c->quantity);
    PetscCall(CopyTable(j, r, path, i, width));
  }
  PetscFunctionReturn(0);
}

// ---- the ledger of the whole ----

static bool is_summed(const LedgerColumn *c) {
  return !strcmp(c->group, "ledger") && c->width == 1 && !strcmp(c->unit, "J") && strcmp(c->name, "residual");
}

// The values of a column, summed over the participants that have it, or the largest. False: none has it.
static PetscErrorCode Combine(Joined *j, const LedgerColumn *c, double *sum, double *own, bool *any) {
  Refusal wrong;
  PetscFunctionBegin;
  *any = false;
  PetscCall(PetscArrayzero(sum, j->rows));
  for (int p = 0; p < j->count; p++) {
    int first;
    if (results_find(j->part[p], c->path, &first, &wrong) != 1) continue;
    PetscCall(ReadPiece(j->part[p], first, 0, j->rows, own));
    for (int i = 0; i < j->rows; i++) sum[i] = is_summed(c) ? sum[i] + own[i] : fmax(sum[i], own[i]);
    *any = true;
  }
  PetscFunctionReturn(0);
}

static void note_energy(JoinedSummary *s, LedgerId id, double last) {
  switch ((int)id) {
  case LEDGER_KINETIC:
  case LEDGER_STRAIN:
  case LEDGER_POTENTIAL:
  case LEDGER_SCHEME_ENERGY: s->stored += last; break;
  case LEDGER_PORTS: s->lines = last; break;
  case LEDGER_WORK: s->work = last; break;
  case LEDGER_DAMPING:
  case LEDGER_DISSIPATED: s->lost += last; break;
  case LEDGER_PORT_LOSS: s->port_loss = last; break;
  case LEDGER_EXCHANGED: s->exchanged = last; break;
  case LEDGER_EXCHANGE: s->created = last; break;
  default: break;
  }
}

// What is constant: stored energy + lines - work + losses, by the sign of each column; 0: it is no part of it. Where
// bonds take energy to FMUs, the ledger has it together with that to lines: then the work of all ports takes the place
// of lines and their losses.
static int sign_in_balance(LedgerId id, bool bonded) {
  static const LedgerId plus[] = {LEDGER_KINETIC,       LEDGER_STRAIN,  LEDGER_POTENTIAL,
                                  LEDGER_SCHEME_ENERGY, LEDGER_DAMPING, LEDGER_DISSIPATED};
  if (id == LEDGER_PORTS || id == LEDGER_PORT_LOSS) return !bonded;
  if (id == LEDGER_PORT_WORK) return bonded;
  for (size_t i = 0; i < sizeof plus / sizeof plus[0]; i++)
    if (id == plus[i]) return 1;
  return id == LEDGER_WORK ? -1 : 0;
}

static PetscErrorCode WriteWhole(Joined *j, const char *path, const LedgerColumn *c, const double *values) {
  hid_t table;
  PetscFunctionBegin;
  PetscCall(CreateTable(j, path, 1, NULL, c ? c->unit : "s", c ? c->description : "time", &table));
  PetscCall(WritePiece(j, table, 0, j->rows, 1, values));
  H5Call(H5Dclose(table));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteLedger(Joined *j, JoinedSummary *s) {
  double *sum, *own, *balance;
  char path[200];
  bool any;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(j->rows, &sum, j->rows, &own, j->rows, &balance));
  PetscCall(PetscArrayzero(balance, j->rows));
  PetscCall(FileGroup(j->file.id, "/history/ledger", "energies of all participants together"));
  for (int id = 0; id < LEDGER_COLUMNS; id++) {
    const LedgerColumn *c = &ledger_columns[id];
    if (!is_summed(c) && id != LEDGER_CONSTRAINT) continue;
    PetscCall(Combine(j, c, sum, own, &any));
    if (!any) continue;
    snprintf(path, sizeof path, "/history/ledger/%s", c->name);
    PetscCall(WriteWhole(j, path, c, sum));
    note_energy(s, (LedgerId)id, sum[j->rows - 1]);
    // all work of ports, but for what waves took
    if (id == LEDGER_PORT_WORK) s->fmus += sum[j->rows - 1];
    if (id == LEDGER_PORTS) s->fmus -= sum[j->rows - 1] - sum[0];
    if (id == LEDGER_PORT_LOSS) s->fmus -= sum[j->rows - 1];
    for (int i = 0; i < j->rows; i++) balance[i] += sign_in_balance((LedgerId)id, j->bonded) * sum[i];
  }
  for (int i = 0; i < j->rows; i++)
    sum[i] = i ? balance[i] - balance[i - 1] : 0, s->worst = fmax(s->worst, fabs(sum[i]));
  PetscCall(WriteWhole(j, "/history/ledger/residual", &ledger_columns[LEDGER_RESIDUAL], sum));
  PetscCall(PetscFree3(sum, own, balance));
  PetscFunctionReturn(0);
}

// ---- the file ----

// Rows that all have: one that failed may have fewer.
static void count_rows(Joined *j, const char *const *file, Refusal *wrong) {
  j->rows = results_rows(j->part[0]);
  for (int p = 1; p < j->count; p++) {
    int rows = results_rows(j->part[p]);
    if (rows < j->rows) j->rows = rows;
    for (int i = 0; i < j->rows; i++)
      if (results_time(j->part[p])[i] != results_time(j->part[0])[i])
        j->rows = i; // the last row of one that was stopped between two others
  }
  if (j->rows < 1) refuse(wrong, "'%s' and the others have no rows in common", file[0]);
}

static PetscErrorCode WriteFile(Joined *j, const char *path, const Input *system, RunStatus status, JoinedSummary *s) {
  PetscFunctionBegin;
  PetscCall(FileCreate(PETSC_COMM_SELF, path, &j->file));
  PetscCall(OutputWriteSources(j->file.id, system, NULL));
  PetscCall(FileGroup(j->file.id, "/history", "rows in time: the first dimension of every dataset"));
  PetscCall(WriteWhole(j, "/history/time", NULL, results_time(j->part[0])));
  PetscCall(WriteLedger(j, s));
  for (int p = 0; p < j->count; p++) PetscCall(CopyParticipant(j, p));
  PetscCall(FileText(j->file.id, "status", run_status_words[status]));
  PetscCall(FileClose(&j->file));
  s->rows = j->rows, s->time = results_time(j->part[0])[j->rows - 1];
  PetscFunctionReturn(0);
}

PetscErrorCode JoinedResultsWrite(const char *path, const Input *system, int count, const char *const *name,
                                  const char *const *file, bool bonded, RunStatus status, JoinedSummary *summary,
                                  Refusal *wrong) {
  Joined j = {.count = count, .name = name, .bonded = bonded};
  bool good = true;
  PetscFunctionBegin;
  *summary = (JoinedSummary){.bonded = bonded};
  PetscCall(PetscCalloc1(count, &j.part));
  for (int p = 0; p < count && good; p++) good = results_open(file[p], &j.part[p], wrong);
  if (good) count_rows(&j, file, wrong);
  if (good && !is_refused(wrong) && !is_null_device(path)) PetscCall(WriteFile(&j, path, system, status, summary));
  for (int p = 0; p < count; p++) results_close(&j.part[p]);
  PetscCall(PetscFree(j.part));
  PetscFunctionReturn(0);
}
