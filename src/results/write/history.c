// SPDX-License-Identifier: Apache-2.0
// Writes the history: rows of the ledger, the solver steps and the probes (history.h).
#include "results/write/history.h"

#include "analyses/stepping/events.h"
#include "assembly/contacts.h"
#include "quantities/ledger.h"
#include "results/write/probes.h"

#include <string.h>

typedef struct {
  char *path, *units;
  char **names; // of its components; NULL: one number
  hid_t table;
  int first, width; // position in a row
} HistoryColumn;

struct History {
  const Input *in;
  File *file;
  HistoryColumn *column;
  int columns, room, width;
  hsize_t chunk; // rows per chunk
  double *rows;  // not yet written
  int waiting;
  struct HistoryState { // position in the run
    hsize_t written;
    int64_t step;
    double reached;                            // multiple of the row interval reached so far
    int steps, iterations, substeps, rejected; // these and the following: since the last row
    double residual, constraint, shortest, momentum_error, angular_momentum_error;
  } at;
  Probes *probes;
  hid_t *extremes; // table of each probe with extremes
};

// Whether this rank creates groups and tables.
static bool makes_tables(const History *h) { return h->file && h->file->rank == 0 && !h->file->exists; }

// ---- columns ----

static PetscErrorCode AddColumn(History *h, const char *group, const char *name, int width, hid_t type,
                                const char *units, const char *description, const char *const *names) {
  char path[512];
  PetscFunctionBegin;
  if (h->columns == h->room) {
    h->room = h->room ? 2 * h->room : 32;
    PetscCall(PetscRealloc((size_t)h->room * sizeof *h->column, &h->column));
  }
  HistoryColumn *c = &h->column[h->columns++];
  *c = (HistoryColumn){.table = -1, .first = h->width, .width = width};
  PetscCall(PetscSNPrintf(path, sizeof path, "%s/%s", group, name));
  PetscCall(PetscStrallocpy(path, &c->path));
  PetscCall(PetscStrallocpy(units, &c->units));
  if (names) PetscCall(PetscMalloc1(width, &c->names));
  for (int k = 0; names && k < width; k++) PetscCall(PetscStrallocpy(names[k], &c->names[k]));
  FileTable table = {.path = path,
                     .width = width,
                     .columns = names,
                     .type = type,
                     .chunk = h->chunk,
                     .units = units,
                     .description = description,
                     .axis = "time"};
  if (makes_tables(h)) PetscCall(FileTableCreate(h->file->id, &table));
  h->width += width;
  PetscFunctionReturn(0);
}

static PetscErrorCode AddGroup(History *h, const char *path, const char *description) {
  PetscFunctionBegin;
  if (makes_tables(h)) PetscCall(FileGroup(h->file->id, path, description));
  PetscFunctionReturn(0);
}

#define REAL H5T_IEEE_F64LE

static const char *const xyz[] = {"x", "y", "z"};

// Whether this is a static analysis.
static bool is_static(const Input *in) { return in->options.analysis == LIMBER_ANALYSIS_STATIC; }

static bool has_events(const Input *in) { return in->model->events.count > 0 && !is_static(in); }

static bool has_column(const Input *in, const LedgerColumn *c) {
  switch (c->when) {
  case LEDGER_WITH_EVENTS: return has_events(in);
  case LEDGER_OF_STATICS: return is_static(in);
  case LEDGER_WITH_CONTACTS: return in->model->contacts.count > 0;
  case LEDGER_WITH_WAVES: return in->model->ports.count > 0;
  case LEDGER_WITH_PORTS: return in->model->ports.count > 0 || in->model->bonds.count > 0;
  case LEDGER_WITH_BONDS: return in->model->bonds.count > 0;
  case LEDGER_WITH_AIR: return (in->aerodyn && !is_static(in)) || model_has_flow(in->model);
  case LEDGER_WITH_AERODYNAMICS: return in->aerodyn && !is_static(in);
  case LEDGER_WITH_MOMENTUM: return in->options.momentum != LIMBER_MOMENTUM_UNCHECKED && !is_static(in);
  default: return c->width || in->model->loads.count > 0;
  }
}

static PetscErrorCode AddLedger(History *h) {
  int loads = (int)h->in->model->loads.count;
  const char **names;
  char path[64];
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(loads, &names));
  for (int i = 0; i < loads; i++) names[i] = model_load(h->in->model, i)->name;
  PetscCall(AddGroup(h, "/history/ledger", "energy ledger and momentum"));
  PetscCall(AddGroup(h, "/history/steps", "solver statistics since the previous row"));
  for (int i = 0; i < LEDGER_COLUMNS; i++) {
    const LedgerColumn *c = &ledger_columns[i];
    snprintf(path, sizeof path, "/history/%s", c->group);
    if (has_column(h->in, c))
      PetscCall(AddColumn(h, path, c->name, c->width ? c->width : loads, c->counts ? H5T_STD_I32LE : REAL, c->unit,
                          c->description,
                          c->width == 0   ? names
                          : c->width == 3 ? xyz
                                          : NULL));
  }
  PetscCall(PetscFree(names));
  PetscFunctionReturn(0);
}

// The row axis of a static analysis: the load factor if it increases, otherwise the step.
static const char *static_axis(const LimberStatics *o) {
  return o->control == LIMBER_CONTROL_LOAD && !(o->to < 0) ? "load factor" : "step";
}

// ---- probes ----

static PetscErrorCode ProbeGroup(void *self, const char *path, const char *description) {
  PetscFunctionBegin;
  PetscCall(AddGroup(self, path, description));
  PetscFunctionReturn(0);
}

static PetscErrorCode ProbeColumn(void *self, const char *group, const char *name, int width, const char *units,
                                  const char *description, const char *const *names) {
  PetscFunctionBegin;
  PetscCall(AddColumn(self, group, name, width, REAL, units, description, names));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddExtremes(History *h) {
  static const char *const columns[] = {"min", "time of min", "max", "time of max"};
  const ProbeExtremes *e;
  char path[512];
  int count;
  hid_t table;
  PetscFunctionBegin;
  e = probes_extremes(h->probes, &count);
  if (count)
    PetscCall(AddGroup(h, "/extremes", "smallest and largest values over all steps, also those without a row"));
  PetscCall(PetscMalloc1(count, &h->extremes));
  for (int i = 0; i < count && makes_tables(h); i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, "/extremes/%s", e[i].probe));
    PetscCall(FileTableCreate(
        h->file->id, &(FileTable){.path = path,
                                  .width = 4,
                                  .columns = columns,
                                  .type = REAL,
                                  .chunk = (hsize_t)e[i].rows,
                                  .units = e[i].units,
                                  .description = "a row for each column of the probe, in its units; times in s"}));
    H5Make(table, H5Dopen2(h->file->id, path, H5P_DEFAULT));
    PetscCall(FileTexts(table, "rows", e[i].rows, e[i].names));
    H5Call(H5Dclose(table));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenExtremes(History *h) {
  const ProbeExtremes *e;
  char path[512];
  int count;
  PetscFunctionBegin;
  e = probes_extremes(h->probes, &count);
  for (int i = 0; i < count; i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, "/extremes/%s", e[i].probe));
    H5Make(h->extremes[i], H5Dopen2(h->file->id, path, H5P_DEFAULT));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteExtremes(History *h) {
  const ProbeExtremes *e;
  int count;
  PetscFunctionBegin;
  e = probes_extremes(h->probes, &count);
  for (int i = 0; i < count; i++) {
    hsize_t rows = (hsize_t)e[i].rows;
    PetscCall(FileWrite(h->file, h->extremes[i],
                        &(FileRows){.total = rows,
                                    .count = h->file->rank == 0 ? rows : 0,
                                    .type = H5T_NATIVE_DOUBLE,
                                    .values = e[i].values,
                                    .stride = 4,
                                    .width = 4}));
  }
  PetscFunctionReturn(0);
}

void history_stresses(const History *h, char *text, size_t size) {
  probes_stresses(h->probes, is_static(h->in) ? static_axis(&h->in->options.statics) : NULL, text, size);
}

// ---- rows ----

PetscErrorCode HistoryWrite(History *h) {
  FileRows rows = {.total = h->at.written + (hsize_t)h->waiting,
                   .at = h->at.written,
                   .count = h->file->rank == 0 ? (hsize_t)h->waiting : 0,
                   .type = H5T_NATIVE_DOUBLE,
                   .values = h->rows,
                   .stride = h->width};
  PetscFunctionBegin;
  PetscCall(WriteExtremes(h));
  if (!h->waiting) PetscFunctionReturn(0);
  for (int i = 0; i < h->columns; i++) {
    rows.first = h->column[i].first, rows.width = h->column[i].width;
    PetscCall(FileWrite(h->file, h->column[i].table, &rows));
  }
  h->at.written = rows.total, h->waiting = 0;
  PetscFunctionReturn(0);
}

// The values of a column that is not in LimberLedger.
static PetscErrorCode LedgerNumbers(const History *h, LimberRun run, LedgerId id, double *out) {
  const Stepper *p = run->stepper;
  PetscFunctionBegin;
  switch (id) {
  case LEDGER_EVENTS: *out = p->events ? p->events->loss : 0; break;
  case LEDGER_CONTACT: *out = p->s->motion.contacts->energies.stored; break;
  case LEDGER_IMPACT: *out = p->s->motion.contacts->energies.impact; break;
  case LEDGER_CONTACT_FRICTION: *out = p->s->motion.contacts->energies.friction; break;
  case LEDGER_TOUCHING: *out = contacts_touching(&p->s->motion.layout, p->s->motion.contacts); break;
  case LEDGER_LOAD_WORK:
    for (int i = 0; i < h->in->model->loads.count; i++)
      PetscCall(LimberRunGetLoadWork(run, (LimberLoadId){i}, out + i));
    break;
  case LEDGER_MOMENTUM: PetscCall(LimberRunGetMomentum(run, out, out + 3)); break;
  case LEDGER_ANGULAR_MOMENTUM: break; // written with the momentum, the previous column
  case LEDGER_ITERATIONS: *out = h->at.iterations; break;
  case LEDGER_SUBSTEPS: *out = h->at.substeps; break;
  case LEDGER_REJECTED: *out = h->at.rejected; break;
  case LEDGER_STEP: *out = h->at.shortest; break;
  default: SETERRQ(PETSC_COMM_SELF, PETSC_ERR_PLIB, "no numbers for the column %s", ledger_columns[id].path);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryRow(History *h, LimberRun run, double *row) {
  double *at = row;
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  ledger.residual = h->at.residual, ledger.constraint = h->at.constraint;
  ledger.momentum_error = h->at.momentum_error, ledger.angular_momentum_error = h->at.angular_momentum_error;
  *at++ = limber_run_time(run);
  for (int i = 0; i < LEDGER_COLUMNS; i++) {
    const LedgerColumn *c = &ledger_columns[i];
    if (!has_column(h->in, c)) continue;
    if (c->offset >= 0) *at = *(const double *)((const char *)&ledger + c->offset);
    else PetscCall(LedgerNumbers(h, run, (LedgerId)i, at));
    at += c->width ? c->width : (int)h->in->model->loads.count;
  }
  PetscCall(ProbesRow(h->probes, run, &at));
  PetscCheck(at == row + h->width, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a row has %d numbers, its columns %d",
             (int)(at - row), h->width);
  h->at = (struct HistoryState){.written = h->at.written, .step = h->at.step, .reached = h->at.reached};
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryRecord(History *h, LimberRun run) {
  PetscFunctionBegin;
  PetscCall(HistoryRow(h, run, h->rows + (size_t)h->waiting * (size_t)h->width));
  h->waiting++;
  // Tables grow into a chunk with its first row, however often they are flushed.
  hsize_t row_in_chunk = (h->at.written + (hsize_t)h->waiting) % h->chunk;
  if (row_in_chunk <= 1) PetscCall(HistoryWrite(h));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryRestart(History *h, LimberRun run) {
  PetscFunctionBegin;
  h->at.written = 0, h->waiting = 0;
  PetscCall(HistoryRecord(h, run));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryStep(History *h, LimberRun run, const LimberOutcome *step, bool *due) {
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  h->at.steps++, h->at.iterations += step->iterations, h->at.substeps += step->substeps;
  if (fabs(ledger.residual) > fabs(h->at.residual)) h->at.residual = ledger.residual;
  h->at.constraint = PetscMax(h->at.constraint, ledger.constraint);
  h->at.momentum_error = PetscMax(h->at.momentum_error, ledger.momentum_error);
  h->at.angular_momentum_error = PetscMax(h->at.angular_momentum_error, ledger.angular_momentum_error);
  PetscCall(ProbesStep(h->probes, run));
  h->at.rejected += step->rejected;
  if (h->at.steps == 1 || step->step < h->at.shortest) h->at.shortest = step->step;
  double reached = h->in->rows > 0 ? floor(limber_run_time(run) / h->in->rows * (1 + 1e-12) + 1e-9) : 0;
  *due = h->in->rows > 0 ? reached > h->at.reached : ++h->at.step % h->in->every == 0;
  h->at.reached = reached;
  PetscFunctionReturn(0);
}

int history_width(const History *h) { return h->width; }

// The name of a column, "tip.position.x" for /history/probes/tip/position, as in limber export and limber plot.
void history_column(const History *h, int i, char *name, size_t size) {
  static const char *const above[] = {"/history/probes/", "/history/"};
  const HistoryColumn *c = h->column;
  while (i >= c->first + c->width) c++;
  const char *path = c->path;
  for (int k = 0; k < 2; k++)
    if (!strncmp(path, above[k], strlen(above[k]))) path += strlen(above[k]);
  snprintf(name, size, "%s%s%s", path, c->names ? "." : "", c->names ? c->names[i - c->first] : "");
  char *slash = strchr(name, '/');
  if (slash) *slash = '.';
}

// The units of a dataset are a list if its components have different units.
void history_units(const History *h, int i, char *units, size_t size) {
  const HistoryColumn *c = h->column;
  while (i >= c->first + c->width) c++;
  const char *own = c->units;
  for (int k = c->first; k < i && strchr(own, ','); k++) own = strchr(own, ',') + 2;
  snprintf(units, size, "%.*s", (int)(c->width > 1 ? strcspn(own, ",") : strlen(own)), own);
}

bool history_waits(const History *h) { return h->at.steps > 0; }

PetscErrorCode HistorySave(const History *h, CheckpointContainer *p) {
  PetscFunctionBegin;
  PetscCall(ContainerPut(p, "history", 0, &h->at, sizeof h->at));
  PetscCall(ContainerPut(p, "width", 0, &h->width, sizeof h->width));
  PetscCall(ProbesSave(h->probes, p));
  PetscFunctionReturn(0);
}

bool history_restore(History *h, const CheckpointContainer *p) {
  int width;
  return container_take(p, "history", 0, &h->at, sizeof h->at) && container_take(p, "width", 0, &width, sizeof width) &&
         width == h->width && probes_restore(h->probes, p);
}

// ---- creating and closing ----

// Rows per chunk: fewer for wide rows, so that the open chunks need 8 MB, or more only for the widest.
static hsize_t chunk_of(const Input *in) {
  enum { NUMBERS = 1 << 20, LEAST = 16 };
  long width = 1;
  hsize_t rows = FILE_CHUNK;
  for (int i = 0; i < in->probes; i++) width += probe_width(in->model, &in->probe[i]);
  while (rows > LEAST && rows * (hsize_t)width > NUMBERS) rows /= 2;
  return rows;
}

PetscErrorCode HistoryCreate(const Input *in, File *f, History **out) {
  History *h;
  PetscFunctionBegin;
  PetscCall(PetscNew(&h));
  h->in = in, h->file = f, h->chunk = chunk_of(in);
  PetscCall(AddGroup(h, "/history", "rows in time: the first dimension of every dataset"));
  const char *axis = !is_static(in) ? "time" : static_axis(&in->options.statics);
  PetscCall(AddColumn(h, "/history", "time", 1, REAL, is_static(in) ? "1" : "s", axis, NULL));
  PetscCall(AddLedger(h));
  PetscCall(AddGroup(h, "/history/probes", "quantities that the model file asks to record"));
  PetscCall(ProbesCreate(in, &h->probes));
  PetscCall(ProbesDeclare(h->probes, &(ProbeTables){h, ProbeGroup, ProbeColumn}));
  PetscCall(AddExtremes(h));
  if (f) PetscCall(PetscMalloc1(h->chunk * (hsize_t)h->width, &h->rows));
  *out = h;
  PetscFunctionReturn(0);
}

// The cache needs one open chunk per table.
PetscErrorCode HistoryOpen(History *h) {
  hid_t access;
  PetscFunctionBegin;
  H5Make(access, H5Pcreate(H5P_DATASET_ACCESS));
  H5Call(H5Pset_chunk_cache(access, 1, H5D_CHUNK_CACHE_NBYTES_DEFAULT, H5D_CHUNK_CACHE_W0_DEFAULT));
  for (int i = 0; i < h->columns; i++) H5Make(h->column[i].table, H5Dopen2(h->file->id, h->column[i].path, access));
  H5Call(H5Pclose(access));
  PetscCall(OpenExtremes(h));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryClose(History *h) {
  int count;
  PetscFunctionBegin;
  for (int i = 0; i < h->columns; i++) H5Call(H5Dclose(h->column[i].table));
  probes_extremes(h->probes, &count);
  for (int i = 0; i < count; i++) H5Call(H5Dclose(h->extremes[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryDestroy(History **history) {
  History *h = *history;
  PetscFunctionBegin;
  for (int i = 0; i < h->columns; i++) {
    HistoryColumn *c = &h->column[i];
    PetscCall(PetscFree(c->path));
    PetscCall(PetscFree(c->units));
    for (int k = 0; c->names && k < c->width; k++) PetscCall(PetscFree(c->names[k]));
    PetscCall(PetscFree(c->names));
  }
  PetscCall(PetscFree(h->column));
  PetscCall(PetscFree(h->rows));
  PetscCall(PetscFree(h->extremes));
  PetscCall(ProbesDestroy(&h->probes));
  PetscCall(PetscFree(*history));
  PetscFunctionReturn(0);
}
