// SPDX-License-Identifier: Apache-2.0
// Writes linear models as HDF5 results and as MAT-files (linear_file.h).
#include "results/write/linear_file.h"

#include "files/output_file.h"
#include "model/refusal.h"
#include "results/write/grid.h"
#include "results/write/hdf5_file.h"
#include "results/write/table.h"

#include <math.h>
#include <petscsys.h>
#include <stdint.h>
#include <string.h>

// Level 5 MAT-files without compression: real matrices and lists of texts, as read by MATLAB, Octave and
// scipy.io.loadmat. Format: "MAT-File Format", The MathWorks, level 5. The library libmatio would load a second HDF5
// into the process.

typedef struct {
  OutputFile file;
} MatFile;

enum { TYPE_INT8 = 1, TYPE_UINT16 = 4, TYPE_INT32 = 5, TYPE_UINT32 = 6, TYPE_DOUBLE = 9, TYPE_MATRIX = 14 };
enum { CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_DOUBLE = 6 };

static PetscErrorCode PutBytes(MatFile *m, const void *data, size_t size) {
  PetscFunctionBegin;
  fwrite(data, 1, size, m->file.out); // errors are reported at the end
  PetscFunctionReturn(0);
}

static size_t padded_size(size_t size) { return (size + 7) / 8 * 8; }

static PetscErrorCode PutTag(MatFile *m, uint32_t type, size_t size) {
  const uint32_t tag[2] = {type, (uint32_t)size};
  PetscFunctionBegin;
  PetscCheck(size < UINT32_MAX, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "too large for a MAT-file of level 5");
  PetscCall(PutBytes(m, tag, sizeof tag));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutElement(MatFile *m, uint32_t type, const void *data, size_t size) {
  static const char zeros[8] = {0};
  PetscFunctionBegin;
  PetscCall(PutTag(m, type, size));
  PetscCall(PutBytes(m, data, size));
  PetscCall(PutBytes(m, zeros, padded_size(size) - size));
  PetscFunctionReturn(0);
}

// Bytes before the data of an array.
static size_t head_size(const char *name) { return 16 + 16 + 8 + padded_size(strlen(name)); }

static PetscErrorCode PutHead(MatFile *m, uint32_t class, int rows, int columns, const char *name, size_t data) {
  const uint32_t flags[2] = {class, 0};
  const int32_t size[2] = {rows, columns};
  PetscFunctionBegin;
  PetscCall(PutTag(m, TYPE_MATRIX, head_size(name) + data));
  PetscCall(PutElement(m, TYPE_UINT32, flags, sizeof flags));
  PetscCall(PutElement(m, TYPE_INT32, size, sizeof size));
  PetscCall(PutElement(m, TYPE_INT8, name, strlen(name)));
  PetscFunctionReturn(0);
}

static PetscErrorCode MatFileCreate(const char *path, const char *description, MatFile *m) {
  char head[128];
  Refusal wrong;
  const uint16_t version = 0x0100, order = ('M' << 8) | 'I';
  PetscFunctionBegin;
  PetscCheck(output_open(path, &(OutputRules){.kind = FILE_MAT, .force = output_force()}, &m->file, &wrong),
             PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong.text);
  memset(head, ' ', sizeof head);
  snprintf(head, 116, "MATLAB 5.0 MAT-file, %.90s", description);
  head[strlen(head)] = ' ';
  memset(head + 116, 0, 8);
  memcpy(head + 124, &version, 2), memcpy(head + 126, &order, 2);
  PetscCall(PutBytes(m, head, sizeof head));
  PetscFunctionReturn(0);
}

// Writes a matrix that is stored by rows.
static PetscErrorCode MatFileMatrix(MatFile *m, const char *name, int rows, int columns, const double *by_rows) {
  size_t count = (size_t)rows * (size_t)columns;
  double *by_columns;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &by_columns));
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) by_columns[(size_t)j * rows + i] = by_rows[(size_t)i * columns + j];
  PetscCall(PutHead(m, CLASS_DOUBLE, rows, columns, name, 8 + 8 * count));
  PetscCall(PutElement(m, TYPE_DOUBLE, by_columns, 8 * count));
  PetscCall(PetscFree(by_columns));
  PetscFunctionReturn(0);
}

static size_t text_size(const char *text) { return 8 + padded_size(2 * strlen(text)); }

// Writes a column of texts; the i-th is at first + i stride.
static PetscErrorCode MatFileTexts(MatFile *m, const char *name, int count, const char *first, size_t stride) {
  size_t data = 0;
  PetscFunctionBegin;
  for (int i = 0; i < count; i++) data += 8 + head_size("") + text_size(first + (size_t)i * stride);
  PetscCall(PutHead(m, CLASS_CELL, count, 1, name, data));
  for (int i = 0; i < count; i++) {
    const char *text = first + (size_t)i * stride;
    size_t n = strlen(text);
    uint16_t letter[512];
    for (size_t k = 0; k < n && k < 512; k++) letter[k] = (unsigned char)text[k];
    PetscCall(PutHead(m, CLASS_CHAR, n > 0, (int)n, "", text_size(text)));
    PetscCall(PutElement(m, TYPE_UINT16, letter, 2 * n));
  }
  PetscFunctionReturn(0);
}

// Moves the finished file to its place and reports write errors. If an earlier step failed, use output_discard instead.
static PetscErrorCode MatFileClose(MatFile *m) {
  Refusal wrong;
  PetscFunctionBegin;
  PetscCheck(output_finish(&m->file, &wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong.text);
  PetscFunctionReturn(0);
}

typedef struct {
  const Input *in;
  const LinearModel *m;
  const LinearOperatingPoint *at;
} LinearContents;

static PetscErrorCode WriteMatrix(hid_t file, const char *path, int rows, int columns, const double *value,
                                  const char *units, const char *description) {
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns};
  hid_t space, set;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(2, size, NULL));
  H5Make(set, H5Dcreate2(file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (rows > 0 && columns > 0) H5Call(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
  if (units) PetscCall(FileText(set, "units", units));
  PetscCall(FileText(set, "description", description));
  H5Call(H5Dclose(set));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteNames(hid_t file, const char *what, int count, const LinearName *list, const char *about) {
  char path[100], text[200], *names, *units;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2((PetscInt)sizeof list->name * PetscMax(count, 1), &names,
                         (PetscInt)sizeof list->unit * PetscMax(count, 1), &units));
  for (int i = 0; i < count; i++) {
    memcpy(names + (size_t)i * sizeof list->name, list[i].name, sizeof list->name);
    memcpy(units + (size_t)i * sizeof list->unit, list[i].unit, sizeof list->unit);
  }
  snprintf(path, sizeof path, "/linear_model/%s_names", what);
  snprintf(text, sizeof text, "names of %s", about);
  PetscCall(FileNames(file, path, (hsize_t)count, sizeof list->name, names, text));
  snprintf(path, sizeof path, "/linear_model/%s_units", what);
  snprintf(text, sizeof text, "units of %s", about);
  PetscCall(FileNames(file, path, (hsize_t)count, sizeof list->unit, units, text));
  PetscCall(PetscFree2(names, units));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteOperatingPoint(hid_t file, const LinearContents *c) {
  const LinearOperatingPoint *at = c->at;
  double axis[3], centre[3];
  GridNames names;
  hid_t group;
  PetscFunctionBegin;
  PetscCall(FileGroup(file, "/operating_point", "the equilibrium about which the model is linear"));
  H5Make(group, H5Gopen2(file, "/operating_point", H5P_DEFAULT));
  PetscCall(FileReal(group, "time", at->time));
  PetscCall(FileReal(group, "rotation_rate", at->spin.rate));
  H5Call(H5Gclose(group));
  vec3_to(at->spin.axis, axis), vec3_to(at->spin.centre, centre);
  PetscCall(WriteMatrix(file, "/operating_point/rotation_axis", 1, 3, axis, "1", "axis of the steady rotation"));
  PetscCall(WriteMatrix(file, "/operating_point/rotation_centre", 1, 3, centre, "m", "a point of that axis"));
  PetscCall(WriteMatrix(file, "/operating_point/position", (int)at->nodes, 3, at->position, "m", "of every node"));
  PetscCall(WriteMatrix(file, "/operating_point/axes", (int)at->nodes, 9, at->axes, "1",
                        "the three axes of every node, one after the other"));
  PetscCall(GridNamePoints(c->in->model, &names));
  PetscCall(FileNames(file, "/operating_point/node_names", (hsize_t)names.count, names.length, names.text, "of nodes"));
  PetscCall(PetscFree(names.text));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteMore(void *self, hid_t file) {
  const LinearContents *c = self;
  const LinearModel *m = c->m;
  hid_t group;
  PetscFunctionBegin;
  PetscCall(FileGroup(file, "/linear_model", "x' = A x + B u, y = C x + D u about the operating point"));
  H5Make(group, H5Gopen2(file, "/linear_model", H5P_DEFAULT));
  PetscCall(FileInts(group, "first_order_states", 0, &m->first_order));
  PetscCall(FileReal(group, "stiffness_difference", m->difference));
  if (m->compared) PetscCall(FileReal(group, "mode_difference", m->mode_difference));
  H5Call(H5Gclose(group));
  PetscCall(WriteMatrix(file, "/linear_model/A", m->states, m->states, m->a, NULL, "rates of states by states"));
  PetscCall(WriteMatrix(file, "/linear_model/B", m->states, m->inputs, m->b, NULL, "rates of states by inputs"));
  PetscCall(WriteMatrix(file, "/linear_model/C", m->outputs, m->states, m->c, NULL, "outputs by states"));
  PetscCall(WriteMatrix(file, "/linear_model/D", m->outputs, m->inputs, m->d, NULL, "outputs by inputs"));
  PetscCall(WriteNames(file, "state", m->states, m->state, "states"));
  PetscCall(WriteNames(file, "input", m->inputs, m->input, "inputs"));
  PetscCall(WriteNames(file, "output", m->outputs, m->output, "outputs"));
  PetscCall(WriteMatrix(file, "/linear_model/input_at", m->inputs, 1, m->at_input, NULL,
                        "inputs at the operating point, in their units"));
  PetscCall(WriteMatrix(file, "/linear_model/output_at", m->outputs, 1, m->at_output, NULL,
                        "outputs at the operating point, in their units"));
  PetscCall(WriteOperatingPoint(file, c));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearFileWrite(const char *path, const Input *in, MPI_Comm comm, const LinearModel *m,
                               const LinearOperatingPoint *at, const char *remarks) {
  enum { REAL, IMAGINARY, FREQUENCY, DAMPING }; // in the order of its descriptor
  LinearContents contents = {in, m, at};
  ResultsTable table = {.axis = "eigenvalue",
                        .units = "1",
                        .description = "number of the eigenvalue of A",
                        .remarks = remarks,
                        .more = WriteMore,
                        .self = &contents};
  PetscFunctionBegin;
  PetscCall(TableCreate(&analysis_of_linearize, analysis_of_linearize.columns, NULL, m->has_eigenvalues ? m->states : 0,
                        &table));
  for (int i = 0; i < table.rows; i++) {
    double re = m->eigen[0][i], im = m->eigen[1][i], size = hypot(re, im);
    table.at[i] = i + 1;
    table.column[REAL].values[i] = re, table.column[IMAGINARY].values[i] = im;
    table.column[FREQUENCY].values[i] = fabs(im) / (2 * M_PI);
    table.column[DAMPING].values[i] = size > 0 ? -re / size : 0;
  }
  PetscCall(TableWrite(path, in, comm, &table));
  PetscCall(TableDestroy(&table));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteMatlab(MatFile *f, const LinearModel *m) {
  const struct {
    const char *name, *units, *at;
    int count;
    const LinearName *list;
    const double *value;
  } part[] = {{"state_names", "state_units", NULL, m->states, m->state, NULL},
              {"input_names", "input_units", "input_at", m->inputs, m->input, m->at_input},
              {"output_names", "output_units", "output_at", m->outputs, m->output, m->at_output}};
  PetscFunctionBegin;
  PetscCall(MatFileMatrix(f, "A", m->states, m->states, m->a));
  PetscCall(MatFileMatrix(f, "B", m->states, m->inputs, m->b));
  PetscCall(MatFileMatrix(f, "C", m->outputs, m->states, m->c));
  PetscCall(MatFileMatrix(f, "D", m->outputs, m->inputs, m->d));
  for (int i = 0; i < 3; i++) {
    PetscCall(MatFileTexts(f, part[i].name, part[i].count, part[i].list ? part[i].list->name : "", sizeof(LinearName)));
    PetscCall(
        MatFileTexts(f, part[i].units, part[i].count, part[i].list ? part[i].list->unit : "", sizeof(LinearName)));
    if (part[i].at) PetscCall(MatFileMatrix(f, part[i].at, part[i].count, 1, part[i].value));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode LinearFileWriteMatlab(const char *path, const LinearModel *m) {
  MatFile f;
  PetscFunctionBegin;
  PetscCall(MatFileCreate(path, "a linear model by Limber: x' = A x + B u, y = C x + D u", &f));
  PetscErrorCode error = WriteMatlab(&f, m);
  if (error) output_discard(&f.file);
  PetscCall(error);
  PetscCall(MatFileClose(&f));
  PetscFunctionReturn(0);
}
