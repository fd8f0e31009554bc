// SPDX-License-Identifier: Apache-2.0
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OBJECTS = 200000, MOST_COLUMNS = 1 << 17, DEPTH = 8 }; // of all tables; groups in groups

// Part i of texts separated by commas; the last one goes on for all that follow.
static char *unit_of(const char *units, int i) {
  const char *comma;
  while (i-- > 0 && (comma = strchr(units, ','))) units = comma + 1 + strspn(comma + 1, " ");
  return strndup(units, strcspn(units, ","));
}

typedef struct { // the group that is visited
  Results *r;
  const char *path, *name;
  char subject[400];
  int depth, *objects;
} Visit;

static bool add_column(Results *r, const Visit *v, const char *group, const char *quantity, const char *component,
                       const char *units, const char *description, int i) {
  ResultColumn *more = realloc(r->column, ((size_t)r->columns + 1) * sizeof *more);
  if (!more) return false;
  r->column = more;
  ResultColumn *c = &r->column[r->columns++];
  *c = (ResultColumn){.table = r->tables - 1, .index = i};
  c->group = strdup(group), c->subject = strdup(v->subject), c->quantity = strdup(quantity);
  c->component = strdup(component), c->units = unit_of(units, i), c->description = strdup(description);
  return c->group && c->subject && c->quantity && c->component && c->units && c->description;
}

static bool add_table(Results *r, const Visit *v, const char *path, const char *group, const char *quantity) {
  ResultTable *more = realloc(r->table, ((size_t)r->tables + 1) * sizeof *more);
  char units[400], description[400];
  int names;
  if (!more) return false;
  r->table = more;
  ResultTable *t = &r->table[r->tables++];
  *t = (ResultTable){.path = strdup(path), .numbers = {.set = -1}};
  if (!t->path || !numbers_open(r->file, t->path, &t->numbers)) return false;
  char **texts = attribute_texts(t->numbers.set, "columns", &names);
  bool good = (texts ? names : 1) == t->numbers.width && r->columns <= MOST_COLUMNS - t->numbers.width;
  attribute_text(t->numbers.set, "units", units, sizeof units);
  attribute_text(t->numbers.set, "description", description, sizeof description);
  for (int i = 0; good && i < t->numbers.width; i++)
    good = add_column(r, v, group, quantity, texts ? texts[i] : "", units, description, i);
  texts_free(texts, names);
  return good;
}

static bool add_group(Results *r, const char *path, const char *name, int depth, int *objects);

// Visits the datasets below a group: /history/ledger/kinetic, /history/probes/tip/position. The group of a column is the
// last name of the path above its dataset; that of a probe lies one level lower than the others.
static herr_t add_link(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  Visit *v = context;
  char below[1024], clean[300];
  hid_t object = -1;
  bool good = info->type == H5L_TYPE_HARD && ++*v->objects <= MOST_OBJECTS && strlen(name) < sizeof clean &&
              snprintf(below, sizeof below, "%s/%s", v->path, name) < (int)sizeof below;
  if (good) object = H5Oopen(group, name, H5P_DEFAULT);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  if (object >= 0) H5Oclose(object);
  snprintf(clean, sizeof clean, "%s", name);
  text_clean(clean, false);
  if (type == H5I_GROUP) good = add_group(v->r, below, clean, v->depth + 1, v->objects);
  else if (type == H5I_DATASET && *v->name) good = add_table(v->r, v, below, v->name, clean);
  else if (type == H5I_DATASET) good = add_table(v->r, v, below, clean, "");
  else good = false;
  return good ? 0 : -1;
}

static bool add_group(Results *r, const char *path, const char *name, int depth, int *objects) {
  Visit v = {.r = r, .path = path, .name = name, .depth = depth, .objects = objects};
  hid_t id = depth < DEPTH ? object_open(r->file, path) : -1;
  bool good = id >= 0 && H5Iget_type(id) == H5I_GROUP;
  if (good && *name) attribute_text(id, "description", v.subject, sizeof v.subject);
  if (good) good = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, add_link, &v) >= 0;
  if (id >= 0) H5Oclose(id);
  return good;
}

bool load_tables(Results *r) {
  int objects = 0;
  return add_group(r, "/history", "", 0, &objects);
}

bool tables_reopen(Results *r) {
  for (int i = 0; i < r->tables; i++) numbers_close(&r->table[i].numbers);
  if (r->file >= 0) H5Fclose(r->file);
  r->file = file_open(r->path);
  for (int i = 0; i < r->tables; i++)
    if (r->file < 0 || !numbers_open(r->file, r->table[i].path, &r->table[i].numbers)) return false;
  return true;
}

bool table_read(const ResultTable *t, int index, int from, int count, double *values) {
  return numbers_read(&t->numbers, H5T_NATIVE_DOUBLE, from, count, index, 1, values);
}
