// SPDX-License-Identifier: Apache-2.0
#include "output/output.h"

#include "base/rotation.h"
#include "output/file.h"

#include <string.h>
#include <time.h>

typedef struct {
  hid_t table;
  int first, width; // in a row
} Column;

struct Output {
  const Input *in;
  bool writes; // this rank has the file
  hid_t file;
  Column *column;
  int columns, room, width;
  double *rows; // not yet written: up to the next multiple of FILE_CHUNK
  int waiting;
  hsize_t written;
  int64_t step;
  double seconds, flushed; // between flushes; when the last one was
  struct {                 // since the last row
    int steps, iterations, substeps;
    double residual, constraint;
  } since;
  double (*start)[12]; // of each probed node: position, axes
  Vec3 *turn;          // of each probed node: the last rotation vector
};

const char *output_library(void) {
  static char text[40];
  unsigned major, minor, release;
  H5get_libversion(&major, &minor, &release);
  snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
  return text;
}

// ---- columns ----

static PetscErrorCode AddColumn(Output *o, const char *group, const char *name, int width, hid_t type,
                                const char *units, const char *description, const char *const *names) {
  char path[512];
  PetscFunctionBegin;
  if (o->writes) {
    if (o->columns == o->room) {
      o->room = o->room ? 2 * o->room : 32;
      PetscCall(PetscRealloc((size_t)o->room * sizeof *o->column, &o->column));
    }
    Column *c = &o->column[o->columns++];
    c->first = o->width, c->width = width;
    PetscCall(PetscSNPrintf(path, sizeof path, "%s/%s", group, name));
    PetscCall(FileTable(o->file, path, width, names, type, units, description, &c->table));
  }
  o->width += width;
  PetscFunctionReturn(0);
}

#define REAL H5T_IEEE_F64LE

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

static PetscErrorCode AddLedger(Output *o) {
  const char *group = "/history/ledger";
  int loads = (int)o->in->model->loads.count;
  const char **names;
  PetscFunctionBegin;
  if (o->writes) PetscCall(FileGroup(o->file, group, "account of energy"));
  for (int i = 0; i < LEDGER_COLUMNS; i++)
    PetscCall(AddColumn(o, group, ledger_columns[i].name, 1, REAL, ledger_columns[i].units,
                        ledger_columns[i].description, NULL));
  PetscCall(PetscMalloc1(loads, &names));
  for (int i = 0; i < loads; i++) names[i] = model_load(o->in->model, i)->name;
  if (loads) PetscCall(AddColumn(o, group, "load_work", loads, REAL, "J", "work of each load since the start", names));
  PetscCall(PetscFree(names));
  if (o->writes) PetscCall(FileGroup(o->file, "/history/steps", "what the solver did since the row before"));
  PetscCall(AddColumn(o, "/history/steps", "iterations", 1, H5T_STD_I32LE, "1", "Newton iterations", NULL));
  PetscCall(AddColumn(o, "/history/steps", "substeps", 1, H5T_STD_I32LE, "1",
                      "steps taken; more than the steps asked for where one had to be cut", NULL));
  PetscFunctionReturn(0);
}

// Units of rows by the letter of their names: M for a moment, anything else for a force; and of what they work on.
static const char *row_units(int rows, const char *const *names, bool strain, char *text, size_t size) {
  text[0] = 0;
  for (int i = 0; i < rows; i++) {
    bool moment = names[i][0] == 'M';
    const char *unit = strain ? (moment ? "m-1" : "1") : moment ? "N m" : "N";
    snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", unit);
  }
  return text;
}

static PetscErrorCode AddProbe(Output *o, const Probe *p) {
  static const char *const xyz[] = {"x", "y", "z"};
  const LimberModel m = o->in->model;
  char group[300], units[200], about[300];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof group, "/history/probes/%s", p->name));
  switch (p->kind) {
  case PROBE_NODE:
    model_name_node(m, p->id, about, sizeof about);
    if (o->writes) PetscCall(FileGroup(o->file, group, about));
    PetscCall(AddColumn(o, group, "position", 3, REAL, "m", "in ground axes", xyz));
    PetscCall(AddColumn(o, group, "displacement", 3, REAL, "m", "from the start, in ground axes", xyz));
    PetscCall(AddColumn(o, group, "velocity", 3, REAL, "m s-1", "in ground axes", xyz));
    if (model_node(m, p->id)->kind == NODE_POINT) break;
    PetscCall(AddColumn(o, group, "angular", 3, REAL, "rad s-1", "angular velocity in ground axes", xyz));
    PetscCall(AddColumn(o, group, "rotation", 3, REAL, "rad",
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
    if (o->writes) PetscCall(FileGroup(o->file, group, about));
    PetscCall(AddColumn(o, group, "force", rows, REAL, row_units(rows, names, false, units, sizeof units),
                        "forces and moments in section axes", names));
    PetscCall(AddColumn(o, group, "strain", rows, REAL, row_units(rows, names, true, units, sizeof units),
                        "what each force works on: strains and curvatures less their reference", names));
    break;
  }
  case PROBE_JOINT: {
    const ModelJoint *j = model_joint(m, p->id);
    int rows = j->joint.rows.nrow;
    snprintf(about, sizeof about, "%s '%s'", j->kind->name, j->name);
    if (o->writes) PetscCall(FileGroup(o->file, group, about));
    PetscCall(AddColumn(o, group, "multiplier", rows, REAL,
                        row_units(rows, j->kind->row_names, false, units, sizeof units),
                        "of the joint's equations over the last step: what the joint carries", j->kind->row_names));
    if (j->joint.angle) PetscCall(AddColumn(o, group, "angle", 1, REAL, "rad", "turn of the second node", NULL));
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

static PetscErrorCode ProbeNode(Output *o, LimberRun run, int k, double **out) {
  const Probe *p = &o->in->probe[k];
  double x[3], axes[9], v[3], w[3];
  PetscFunctionBegin;
  PetscCall(LimberRunGetNode(run, p->id, x, axes, v, w));
  if (!o->written && !o->waiting) {
    memcpy(o->start[k], x, sizeof x);
    memcpy(o->start[k] + 3, axes, sizeof axes);
  }
  for (int i = 0; i < 3; i++) (*out)[i] = x[i], (*out)[3 + i] = x[i] - o->start[k][i], (*out)[6 + i] = v[i];
  *out += 9;
  if (model_node(o->in->model, p->id)->kind == NODE_POINT) PetscFunctionReturn(0);
  Mat3 r = mat3_zero(); // sum_j d_j(t) d_j(0)^T
  for (int j = 1; j < 4; j++) r = mat3_add(r, mat3_outer(vec3_of(axes + 3 * (j - 1)), vec3_of(o->start[k] + 3 * j)));
  o->turn[k] = unwrapped(rotation_vector(r), o->turn[k]);
  memcpy(*out, w, sizeof w);
  vec3_to(o->turn[k], *out + 3);
  *out += 6;
  PetscFunctionReturn(0);
}

static PetscErrorCode ProbeValues(Output *o, LimberRun run, int k, double **out) {
  const Probe *p = &o->in->probe[k];
  int rows;
  double first[MAX_ROWS], second[MAX_ROWS];
  PetscFunctionBegin;
  switch (p->kind) {
  case PROBE_NODE: PetscCall(ProbeNode(o, run, k, out)); break;
  case PROBE_ELEMENT:
    PetscCall(LimberRunGetForces(run, p->id, p->point, &rows, second, first));
    memcpy(*out, first, (size_t)rows * sizeof **out), *out += rows;
    memcpy(*out, second, (size_t)rows * sizeof **out), *out += rows;
    break;
  case PROBE_JOINT:
    PetscCall(LimberRunGetJoint(run, p->id, &rows, first, second));
    memcpy(*out, first, (size_t)rows * sizeof **out), *out += rows;
    if (model_joint(o->in->model, p->id)->joint.angle) *(*out)++ = second[0];
    break;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteRows(Output *o) {
  PetscFunctionBegin;
  if (o->writes)
    for (int i = 0; i < o->columns; i++) {
      const Column *c = &o->column[i];
      PetscCall(FileRows(c->table, o->written, o->waiting, o->rows, o->width, c->first, c->width));
    }
  o->written += (hsize_t)o->waiting, o->waiting = 0;
  PetscFunctionReturn(0);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PetscErrorCode RecordRow(Output *o, LimberRun run) {
  double *row = o->rows + (size_t)o->waiting * (size_t)o->width, *at = row;
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  ledger.residual = o->since.residual, ledger.constraint = o->since.constraint;
  *at++ = limber_run_time(run);
  for (int i = 0; i < LEDGER_COLUMNS; i++) *at++ = *(double *)((char *)&ledger + ledger_columns[i].offset);
  for (int i = 0; i < (int)o->in->model->loads.count; i++) PetscCall(LimberRunGetLoadWork(run, i, at++));
  *at++ = o->since.iterations, *at++ = o->since.substeps;
  for (int k = 0; k < o->in->probes; k++) PetscCall(ProbeValues(o, run, k, &at));
  PetscCheck(at == row + o->width, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a row has %d numbers, its columns %d",
             (int)(at - row), o->width);
  memset(&o->since, 0, sizeof o->since);
  o->waiting++;
  bool full = (o->written + (hsize_t)o->waiting) % FILE_CHUNK == 0, late = now() - o->flushed >= o->seconds;
  if (full || late) { // a flush gives chunks their place in the file: at the latest when all tables have filled one
    PetscCall(WriteRows(o));
    if (o->writes) H5Call(H5Fflush(o->file, H5F_SCOPE_GLOBAL));
    o->flushed = now();
  }
  PetscFunctionReturn(0);
}

// ---- the file ----

static PetscErrorCode WriteHead(Output *o) {
  const Input *in = o->in;
  const LimberOptions *p = &in->options;
  PetscFunctionBegin;
  PetscCall(FileText(o->file, "limber", limber_version()));
  PetscCall(FileInt(o->file, "format", 1));
  PetscCall(FileText(o->file, "title", in->title));
  PetscCall(FileText(o->file, "scheme", p->scheme));
  PetscCall(FileReal(o->file, "rho_inf", p->rho_inf));
  PetscCall(FileReal(o->file, "beta", p->beta));
  PetscCall(FileReal(o->file, "step", p->step));
  PetscCall(FileReal(o->file, "end", in->end));
  PetscCall(FileInt(o->file, "every", in->every));
  PetscCall(FileReal(o->file, "tolerance", p->tolerance));
  PetscCall(FileInt(o->file, "iterations", p->iterations));
  PetscCall(FileInt(o->file, "halvings", p->halvings));
  PetscCall(FileText(o->file, "ended", "running"));
  PetscCall(FileLongText(o->file, "/model", in->text, "the model file"));
  PetscCall(FileGroup(o->file, "/history", "rows in time: the first dimension of every dataset"));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputCreate(const char *path, const Input *in, LimberRun run, Output **out) {
  PetscMPIInt rank;
  Output *o;
  PetscFunctionBegin;
  PetscCall(PetscNew(&o));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  o->in = in, o->writes = rank == 0, o->seconds = 1, o->flushed = now();
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-limber_flush", &o->seconds, NULL));
  if (o->writes) {
    PetscCall(FileCreate(path, &o->file));
    PetscCall(WriteHead(o));
  }
  PetscCall(AddColumn(o, "/history", "time", 1, REAL, "s", "time", NULL));
  PetscCall(AddLedger(o));
  if (o->writes) PetscCall(FileGroup(o->file, "/history/probes", "what the model file asks to record"));
  for (int k = 0; k < in->probes; k++) PetscCall(AddProbe(o, &in->probe[k]));
  PetscCall(PetscMalloc1(FILE_CHUNK * o->width, &o->rows));
  PetscCall(PetscCalloc1(in->probes, &o->start));
  PetscCall(PetscCalloc1(in->probes, &o->turn));
  PetscCall(RecordRow(o, run));
  if (o->writes) H5Call(H5Fflush(o->file, H5F_SCOPE_GLOBAL));
  *out = o;
  PetscFunctionReturn(0);
}

PetscErrorCode OutputStep(Output *o, LimberRun run, const LimberOutcome *step) {
  LimberLedger ledger;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  o->since.steps++, o->since.iterations += step->iterations, o->since.substeps += step->substeps;
  if (fabs(ledger.residual) > fabs(o->since.residual)) o->since.residual = ledger.residual;
  o->since.constraint = PetscMax(o->since.constraint, ledger.constraint);
  if (++o->step % o->in->every == 0) PetscCall(RecordRow(o, run));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputClose(Output **out, LimberRun run, const char *ended) {
  Output *o = *out;
  PetscFunctionBegin;
  if (!o) PetscFunctionReturn(0);
  if (o->since.steps) PetscCall(RecordRow(o, run));
  PetscCall(WriteRows(o));
  if (o->writes) {
    PetscCall(FileText(o->file, "ended", ended));
    for (int i = 0; i < o->columns; i++) H5Call(H5Dclose(o->column[i].table));
    H5Call(H5Fclose(o->file));
  }
  PetscCall(PetscFree(o->column));
  PetscCall(PetscFree(o->rows));
  PetscCall(PetscFree(o->start));
  PetscCall(PetscFree(o->turn));
  PetscCall(PetscFree(o));
  *out = NULL;
  PetscFunctionReturn(0);
}
