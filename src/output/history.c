// SPDX-License-Identifier: Apache-2.0
#include "output/history.h"

#include "base/rotation.h"

#include <string.h>

typedef struct {
  char *path;
  hid_t table;
  int first, width; // in a row
} Column;

struct History {
  const Input *in;
  File *file;
  Column *column;
  int columns, room, width;
  double *rows; // not yet written
  int waiting;
  hsize_t written;
  int64_t step;
  struct { // since the last row
    int steps, iterations, substeps;
    double residual, constraint;
  } since;
  double (*start)[12]; // of each probed node: position, axes
  Vec3 *turn;          // of each probed node: the last rotation vector
};

// ---- columns ----

static PetscErrorCode AddColumn(History *h, const char *group, const char *name, int width, hid_t type,
                                const char *units, const char *description, const char *const *names) {
  char path[512];
  PetscFunctionBegin;
  if (h->columns == h->room) {
    h->room = h->room ? 2 * h->room : 32;
    PetscCall(PetscRealloc((size_t)h->room * sizeof *h->column, &h->column));
  }
  Column *c = &h->column[h->columns++];
  *c = (Column){.table = -1, .first = h->width, .width = width};
  PetscCall(PetscSNPrintf(path, sizeof path, "%s/%s", group, name));
  PetscCall(PetscStrallocpy(path, &c->path));
  FileTable table = {.path = path,
                     .width = width,
                     .columns = names,
                     .type = type,
                     .chunk = FILE_CHUNK,
                     .units = units,
                     .description = description};
  if (h->file->rank == 0) PetscCall(FileTableCreate(h->file->id, &table));
  h->width += width;
  PetscFunctionReturn(0);
}

static PetscErrorCode AddGroup(History *h, const char *path, const char *description) {
  PetscFunctionBegin;
  if (h->file->rank == 0) PetscCall(FileGroup(h->file->id, path, description));
  PetscFunctionReturn(0);
}

#define REAL H5T_IEEE_F64LE

static const char *const xyz[] = {"x", "y", "z"};

static const struct {
  const char *name, *units, *description;
  size_t offset;
} ledger_columns[] = {
    {"kinetic", "J", "kinetic energy", offsetof(LimberLedger, kinetic)},
    {"strain", "J", "strain energy", offsetof(LimberLedger, strain)},
    {"potential", "J", "potential of constant fields, such as gravity", offsetof(LimberLedger, potential)},
    {"work", "J", "work of all loads without potential, since the start", offsetof(LimberLedger, work)},
    {"joints", "J", "work of all joints since the start: zero but for round-off", offsetof(LimberLedger, joints)},
    {"dissipated", "J", "energy that the scheme took out, since the start", offsetof(LimberLedger, dissipated)},
    {"residual", "J", "by what the account of a step is open: the worst since the row before",
     offsetof(LimberLedger, residual)},
    {"exchanged", "J", "energy exchanged so far: the scale of the residual", offsetof(LimberLedger, exchanged)},
    {"constraint", "1", "largest violation of a joint's equations since the row before",
     offsetof(LimberLedger, constraint)},
};
enum { LEDGER_COLUMNS = sizeof ledger_columns / sizeof ledger_columns[0] };

static PetscErrorCode AddLedger(History *h) {
  const char *group = "/history/ledger";
  int loads = (int)h->in->model->loads.count;
  const char **names;
  PetscFunctionBegin;
  PetscCall(AddGroup(h, group, "account of energy, and momentum"));
  for (int i = 0; i < LEDGER_COLUMNS; i++)
    PetscCall(AddColumn(h, group, ledger_columns[i].name, 1, REAL, ledger_columns[i].units,
                        ledger_columns[i].description, NULL));
  PetscCall(PetscMalloc1(loads, &names));
  for (int i = 0; i < loads; i++) names[i] = model_load(h->in->model, i)->name;
  if (loads) PetscCall(AddColumn(h, group, "load_work", loads, REAL, "J", "work of each load since the start", names));
  PetscCall(PetscFree(names));
  PetscCall(AddColumn(h, group, "momentum", 3, REAL, "N s", "momentum of all masses, in ground axes", xyz));
  PetscCall(AddColumn(h, group, "angular_momentum", 3, REAL, "N m s",
                      "angular momentum of all masses about the ground's origin, in ground axes", xyz));
  PetscCall(AddGroup(h, "/history/steps", "what the solver did since the row before"));
  PetscCall(AddColumn(h, "/history/steps", "iterations", 1, H5T_STD_I32LE, "1", "Newton iterations", NULL));
  PetscCall(AddColumn(h, "/history/steps", "substeps", 1, H5T_STD_I32LE, "1",
                      "steps taken; more than the steps asked for where one had to be cut", NULL));
  PetscFunctionReturn(0);
}

// "N, N, N m"
static const char *joined(int count, const char *const *unit, char *text, size_t size) {
  text[0] = 0;
  for (int i = 0; i < count; i++) snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", unit[i]);
  return text;
}

static PetscErrorCode AddProbe(History *h, const Probe *p) {
  const LimberModel m = h->in->model;
  char group[300], units[200], about[300];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof group, "/history/probes/%s", p->name));
  switch (p->kind) {
  case PROBE_NODE:
    model_name_node(m, p->id, about, sizeof about);
    PetscCall(AddGroup(h, group, about));
    PetscCall(AddColumn(h, group, "position", 3, REAL, "m", "in ground axes", xyz));
    PetscCall(AddColumn(h, group, "displacement", 3, REAL, "m", "from the start, in ground axes", xyz));
    PetscCall(AddColumn(h, group, "velocity", 3, REAL, "m s-1", "in ground axes", xyz));
    if (model_node(m, p->id)->kind == NODE_POINT) break;
    PetscCall(AddColumn(h, group, "angular", 3, REAL, "rad s-1", "angular velocity in ground axes", xyz));
    PetscCall(AddColumn(h, group, "rotation", 3, REAL, "rad",
                        "rotation vector from the start, in ground axes; it goes on past a full turn", xyz));
    break;
  case PROBE_ELEMENT: {
    const ModelItem *item = model_item(m, p->id);
    const char *const *names = item->kind->row_names;
    int point = p->point;
    ElementPoint at = {0};
    const ModelElement *el = model_item_point(m, p->id, &point);
    el->kind->point(el->data, point, &at);
    int rows = at.rows.nrow;
    snprintf(about, sizeof about, "%s '%s', integration point %d", item->kind->name, item->name, p->point);
    PetscCall(AddGroup(h, group, about));
    PetscCall(AddColumn(h, group, "force", rows, REAL, joined(rows, item->kind->row_units, units, sizeof units),
                        "forces and moments in section axes", names));
    PetscCall(AddColumn(h, group, "strain", rows, REAL, joined(rows, item->kind->strain_units, units, sizeof units),
                        "what each force works on: strains and curvatures less their reference", names));
    break;
  }
  case PROBE_JOINT: {
    const ModelJoint *j = model_joint(m, p->id);
    int rows = j->joint.rows.nrow;
    snprintf(about, sizeof about, "%s '%s'", j->kind->name, j->name);
    PetscCall(AddGroup(h, group, about));
    PetscCall(AddColumn(h, group, "multiplier", rows, REAL, joined(rows, j->kind->row_units, units, sizeof units),
                        "of the joint's equations over the last step: what the joint carries", j->kind->row_names));
    if (j->joint.angle) PetscCall(AddColumn(h, group, "angle", 1, REAL, "rad", "turn of the second node", NULL));
    break;
  }
  }
  PetscFunctionReturn(0);
}

// ---- rows ----

// Of the vectors that describe a rotation, (phi + 2 pi k) n, the one nearest to the last.
static Vec3 unwrapped(Vec3 phi, Vec3 last) {
  const double turn = 6.283185307179586;
  double angle = vec3_norm(phi), before = vec3_norm(last);
  if (!(angle > 0)) return before > 3 ? vec3_scale(turn * floor(before / turn + 0.5) / before, last) : phi;
  Vec3 n = vec3_scale(1 / angle, phi);
  return vec3_scale(angle + turn * floor((vec3_dot(n, last) - angle) / turn + 0.5), n);
}

static PetscErrorCode ProbeNode(History *h, LimberRun run, int k, double **out) {
  const Probe *p = &h->in->probe[k];
  double x[3], axes[9], v[3], w[3];
  PetscFunctionBegin;
  PetscCall(LimberRunGetNode(run, p->id, x, axes, v, w));
  if (!h->written && !h->waiting) {
    memcpy(h->start[k], x, sizeof x);
    memcpy(h->start[k] + 3, axes, sizeof axes);
  }
  for (int i = 0; i < 3; i++) (*out)[i] = x[i], (*out)[3 + i] = x[i] - h->start[k][i], (*out)[6 + i] = v[i];
  *out += 9;
  if (model_node(h->in->model, p->id)->kind == NODE_POINT) PetscFunctionReturn(0);
  Mat3 r = mat3_zero(); // sum_j d_j(t) d_j(0)^T
  for (int j = 1; j < 4; j++) r = mat3_add(r, mat3_outer(vec3_of(axes + 3 * (j - 1)), vec3_of(h->start[k] + 3 * j)));
  h->turn[k] = unwrapped(rotation_vector(r), h->turn[k]);
  memcpy(*out, w, sizeof w);
  vec3_to(h->turn[k], *out + 3);
  *out += 6;
  PetscFunctionReturn(0);
}

static PetscErrorCode ProbeValues(History *h, LimberRun run, int k, double **out) {
  const Probe *p = &h->in->probe[k];
  int rows;
  double first[MAX_ROWS], second[MAX_ROWS];
  PetscFunctionBegin;
  switch (p->kind) {
  case PROBE_NODE: PetscCall(ProbeNode(h, run, k, out)); break;
  case PROBE_ELEMENT:
    PetscCall(LimberRunGetForces(run, p->id, p->point, &rows, second, first));
    memcpy(*out, first, (size_t)rows * sizeof **out), *out += rows;
    memcpy(*out, second, (size_t)rows * sizeof **out), *out += rows;
    break;
  case PROBE_JOINT:
    PetscCall(LimberRunGetJoint(run, p->id, &rows, first, second));
    memcpy(*out, first, (size_t)rows * sizeof **out), *out += rows;
    if (model_joint(h->in->model, p->id)->joint.angle) *(*out)++ = second[0];
    break;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryWrite(History *h) {
  FileRows rows = {.total = h->written + (hsize_t)h->waiting,
                   .at = h->written,
                   .count = h->file->rank == 0 ? (hsize_t)h->waiting : 0,
                   .type = H5T_NATIVE_DOUBLE,
                   .values = h->rows,
                   .stride = h->width};
  PetscFunctionBegin;
  if (!h->waiting) PetscFunctionReturn(0);
  for (int i = 0; i < h->columns; i++) {
    rows.first = h->column[i].first, rows.width = h->column[i].width;
    PetscCall(FileWrite(h->file, h->column[i].table, &rows));
  }
  h->written = rows.total, h->waiting = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryRecord(History *h, LimberRun run) {
  double *row = h->rows + (size_t)h->waiting * (size_t)h->width, *at = row;
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  ledger.residual = h->since.residual, ledger.constraint = h->since.constraint;
  *at++ = limber_run_time(run);
  for (int i = 0; i < LEDGER_COLUMNS; i++) *at++ = *(double *)((char *)&ledger + ledger_columns[i].offset);
  for (int i = 0; i < (int)h->in->model->loads.count; i++) PetscCall(LimberRunGetLoadWork(run, i, at++));
  PetscCall(LimberRunGetMomentum(run, at, at + 3));
  at += 6;
  *at++ = h->since.iterations, *at++ = h->since.substeps;
  for (int k = 0; k < h->in->probes; k++) PetscCall(ProbeValues(h, run, k, &at));
  PetscCheck(at == row + h->width, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a row has %d numbers, its columns %d",
             (int)(at - row), h->width);
  memset(&h->since, 0, sizeof h->since);
  h->waiting++;
  // Tables grow into a chunk with its first row, however often they are brought up to date.
  hsize_t place = (h->written + (hsize_t)h->waiting) % FILE_CHUNK;
  if (place <= 1) PetscCall(HistoryWrite(h));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryStep(History *h, LimberRun run, const LimberOutcome *step, bool *due) {
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  h->since.steps++, h->since.iterations += step->iterations, h->since.substeps += step->substeps;
  if (fabs(ledger.residual) > fabs(h->since.residual)) h->since.residual = ledger.residual;
  h->since.constraint = PetscMax(h->since.constraint, ledger.constraint);
  *due = ++h->step % h->in->every == 0;
  PetscFunctionReturn(0);
}

bool history_waits(const History *h) { return h->since.steps > 0; }

// ---- from beginning to end ----

PetscErrorCode HistoryCreate(const Input *in, File *f, History **out) {
  History *h;
  PetscFunctionBegin;
  PetscCall(PetscNew(&h));
  h->in = in, h->file = f;
  PetscCall(AddGroup(h, "/history", "rows in time: the first dimension of every dataset"));
  PetscCall(AddColumn(h, "/history", "time", 1, REAL, "s", "time", NULL));
  PetscCall(AddLedger(h));
  PetscCall(AddGroup(h, "/history/probes", "what the model file asks to record"));
  for (int k = 0; k < in->probes; k++) PetscCall(AddProbe(h, &in->probe[k]));
  PetscCall(PetscMalloc1(FILE_CHUNK * h->width, &h->rows));
  PetscCall(PetscCalloc1(in->probes, &h->start));
  PetscCall(PetscCalloc1(in->probes, &h->turn));
  *out = h;
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryOpen(History *h) {
  PetscFunctionBegin;
  for (int i = 0; i < h->columns; i++)
    H5Make(h->column[i].table, H5Dopen2(h->file->id, h->column[i].path, H5P_DEFAULT));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryClose(History *h) {
  PetscFunctionBegin;
  for (int i = 0; i < h->columns; i++) H5Call(H5Dclose(h->column[i].table));
  PetscFunctionReturn(0);
}

PetscErrorCode HistoryDestroy(History **history) {
  History *h = *history;
  PetscFunctionBegin;
  for (int i = 0; i < h->columns; i++) PetscCall(PetscFree(h->column[i].path));
  PetscCall(PetscFree(h->column));
  PetscCall(PetscFree(h->rows));
  PetscCall(PetscFree(h->start));
  PetscCall(PetscFree(h->turn));
  PetscCall(PetscFree(*history));
  PetscFunctionReturn(0);
}
