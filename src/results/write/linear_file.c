// SPDX-License-Identifier: Apache-2.0
#include "results/write/linear_file.h"

#include "results/write/grid.h"
#include "results/write/hdf5_file.h"
#include "results/write/mat_file.h"
#include "results/write/table.h"

#include <math.h>
#include <string.h>

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
  enum { REAL, IMAGINARY, FREQUENCY, DAMPING }; // as its descriptor has them
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
