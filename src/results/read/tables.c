// SPDX-License-Identifier: Apache-2.0
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hid_t file_open(const char *path) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access < 0) return -1;
  if (H5Pset_file_locking(access, 0, 1) >= 0) file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

// ---- attributes ----

char **texts_read(hid_t object, const char *name, int *count) {
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute), type = H5Tcopy(H5T_C_S1), stored = -1;
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  char **text = NULL;
  if (n > 0 && (stored = H5Aget_type(attribute)) >= 0 && H5Tis_variable_str(stored) > 0) {
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(stored));
    text = calloc((size_t)n, sizeof *text);
    if (text && H5Aread(attribute, type, text) < 0) free(text), text = NULL;
  }
  *count = text ? (int)n : 0;
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  H5Tclose(type);
  return text;
}

void texts_free(char **text, int count) {
  for (int i = 0; i < count; i++) H5free_memory(text[i]);
  free(text);
}

bool attribute_text(hid_t object, const char *name, char *text, size_t size) {
  int count;
  char **all = texts_read(object, name, &count);
  snprintf(text, size, "%s", count && all[0] ? all[0] : "");
  texts_free(all, count);
  return count > 0;
}

double attribute_real(hid_t object, const char *name, double otherwise) {
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  double value = otherwise;
  if (attribute < 0) return otherwise;
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) value = otherwise;
  H5Aclose(attribute);
  return value;
}

// ---- tables ----

// Part i of texts separated by commas; the last one goes on for all that follow.
static char *unit_of(const char *units, int i) {
  const char *comma;
  while (i-- > 0 && (comma = strchr(units, ','))) units = comma + 1 + strspn(comma + 1, " ");
  return strndup(units, strcspn(units, ","));
}

static bool add_column(Results *r, const char *group, const char *subject, const char *quantity, char *const *texts,
                       int i) {
  char units[400], description[400];
  hid_t set = r->table[r->tables - 1].set;
  ResultColumn *more = realloc(r->column, ((size_t)r->columns + 1) * sizeof *more);
  if (!more) return false;
  r->column = more;
  attribute_text(set, "units", units, sizeof units);
  attribute_text(set, "description", description, sizeof description);
  ResultColumn *c = &r->column[r->columns++];
  *c = (ResultColumn){.table = r->tables - 1, .index = i};
  c->group = strdup(group), c->subject = strdup(subject), c->quantity = strdup(quantity);
  c->component = strdup(texts ? texts[i] : ""), c->units = unit_of(units, i), c->description = strdup(description);
  return c->group && c->subject && c->quantity && c->component && c->units && c->description;
}

static bool table_open(Results *r, ResultTable *t) {
  hsize_t size[2] = {0, 1};
  t->set = H5Dopen2(r->file, t->path, H5P_DEFAULT);
  hid_t space = t->set < 0 ? -1 : H5Dget_space(t->set);
  int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
  if (rank == 1 || rank == 2) H5Sget_simple_extent_dims(space, size, NULL);
  t->rows = (int)size[0], t->width = (int)size[1];
  if (space >= 0) H5Sclose(space);
  return rank == 1 || rank == 2;
}

static bool add_table(Results *r, const char *path, const char *group, const char *subject, const char *quantity) {
  ResultTable *more = realloc(r->table, ((size_t)r->tables + 1) * sizeof *more);
  int names;
  bool good = true;
  if (!more) return false;
  r->table = more;
  ResultTable *t = &r->table[r->tables++];
  *t = (ResultTable){.path = strdup(path), .set = -1};
  if (!t->path || !table_open(r, t)) return false;
  char **texts = texts_read(t->set, "columns", &names);
  if (texts ? names != t->width : t->width != 1) good = false;
  for (int i = 0; good && i < t->width; i++) good = add_column(r, group, subject, quantity, texts, i);
  texts_free(texts, names);
  return good;
}

// Visits the datasets below a group: /history/ledger/kinetic, /history/probes/tip/position. `group` is the last name of
// the path above a dataset; that of a probe lies one level lower than the others.
static bool add_group(Results *r, const char *path, const char *group) {
  char name[300], below[1024], subject[400];
  H5G_info_t info;
  hid_t id = H5Gopen2(r->file, path, H5P_DEFAULT);
  bool good = id >= 0 && H5Gget_info(id, &info) >= 0;
  if (good) attribute_text(id, "description", subject, sizeof subject);
  for (hsize_t i = 0; good && i < info.nlinks; i++) {
    good = H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) > 0;
    int length = snprintf(below, sizeof below, "%s/%s", path, name);
    hid_t object = good && length < (int)sizeof below ? H5Oopen(id, name, H5P_DEFAULT) : -1;
    H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
    if (object >= 0) H5Oclose(object);
    if (type == H5I_GROUP) good = add_group(r, below, name);
    else if (type == H5I_DATASET && *group) good = add_table(r, below, group, subject, name);
    else if (type == H5I_DATASET) good = add_table(r, below, name, "", "");
    else good = false;
  }
  if (id >= 0) H5Gclose(id);
  return good;
}

bool load_tables(Results *r) { return add_group(r, "/history", ""); }

bool tables_reopen(Results *r) {
  for (int i = 0; i < r->tables; i++) {
    if (r->table[i].set >= 0) H5Dclose(r->table[i].set);
    r->table[i].set = -1;
  }
  if (r->file >= 0) H5Fclose(r->file);
  r->file = file_open(r->path);
  for (int i = 0; i < r->tables; i++)
    if (r->file < 0 || !table_open(r, &r->table[i])) return false;
  return true;
}

bool table_read(const ResultTable *t, int index, int from, int count, double *values) {
  hsize_t at[2] = {(hsize_t)from, (hsize_t)index}, size[2] = {(hsize_t)count, 1}, all = (hsize_t)count;
  if (from + count > t->rows || t->set < 0) return false;
  if (!count) return true;
  hid_t space = H5Dget_space(t->set), memory = H5Screate_simple(1, &all, NULL);
  bool good = space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 &&
              H5Dread(t->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  return good;
}
