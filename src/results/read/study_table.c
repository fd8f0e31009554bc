// SPDX-License-Identifier: Apache-2.0
#include "results/read/study_table.h"

#include "results/read/results_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  StudyColumnKind kind;
  bool many; // it has several columns, with names
} StudySet;

static const StudySet sets[] = {
    {"/parameters", STUDY_PARAMETER, true},   {"/status", STUDY_OUTCOME, false},
    {"/steps", STUDY_OUTCOME, false},         {"/time", STUDY_OUTCOME, false},
    {"/balance_error", STUDY_OUTCOME, false}, {"/constraint", STUDY_OUTCOME, false},
    {"/statistics", STUDY_STATISTIC, true},   {"/companions", STUDY_COMPANION, true},
};
enum { SETS = sizeof sets / sizeof sets[0] };

struct StudyTable {
  Results guarded; // path and size, for the guard
  hid_t file;
  long runs, first, block;
  char blocks[4200]; // folder of the blocks; "": the rows stand in this file
  StudyColumn *column;
  int columns;
  char **name[SETS], **units[SETS];
  int names[SETS], unit_count[SETS];
  char **status;
  int statuses;
};

// ---- opening ----

static bool add_columns(StudyTable *t, int s) {
  hid_t set = object_open(t->file, sets[s].path);
  if (set < 0) return true; // it has no such columns
  t->units[s] = attribute_texts(set, "units", &t->unit_count[s]);
  if (sets[s].many) t->name[s] = attribute_texts(set, "columns", &t->names[s]);
  if (!strcmp(sets[s].path, "/status")) t->status = attribute_texts(set, "names", &t->statuses);
  H5Oclose(set);
  int count = sets[s].many ? t->names[s] : 1;
  StudyColumn *grown = realloc(t->column, (size_t)(t->columns + count + 1) * sizeof *grown);
  if (!grown) return false;
  t->column = grown;
  for (int i = 0; i < count; i++)
    t->column[t->columns++] = (StudyColumn){.name = sets[s].many ? t->name[s][i] : sets[s].path + 1,
                                            .units = i < t->unit_count[s] ? t->units[s][i] : "",
                                            .kind = sets[s].kind,
                                            .set = sets[s].path,
                                            .index = i};
  return true;
}

static bool load_head(StudyTable *t) {
  char text[400];
  double runs = attribute_real(t->file, "runs", -1);
  if (!attribute_text(t->file, "analysis", text, sizeof text) || strcmp(text, "study")) return false;
  if (!(runs >= 1 && runs < 1e15)) return false;
  t->runs = (long)runs, t->first = (long)attribute_real(t->file, "first", 0);
  if (attribute_text(t->file, "blocks", text, sizeof text)) {
    const char *slash = strrchr(t->guarded.path, '/');
    int folder = slash ? (int)(slash + 1 - t->guarded.path) : 0;
    t->block = (long)attribute_real(t->file, "block", 0);
    if (strchr(text, '/') || t->block < 1) return false; // beside this file, nowhere else
    snprintf(t->blocks, sizeof t->blocks, "%.*s%s", folder, t->guarded.path, text);
  }
  for (int s = 0; s < SETS; s++)
    if (!add_columns(t, s)) return false;
  return true;
}

bool study_table_open(const char *path, StudyTable **out, char *wrong, size_t size) {
  StudyTable *t = calloc(1, sizeof *t);
  bool good = false;
  *out = NULL;
  if (!t || !(t->guarded.path = strdup(path))) return free(t), snprintf(wrong, size, "out of memory"), false;
  t->file = -1;
  if (stat(path, &t->guarded.seen)) {
    snprintf(wrong, size, "cannot read '%s': there is no such file", path);
  } else {
    HDF5_BEGIN(&t->guarded) {
      t->file = file_open(path);
      good = t->file >= 0 && load_head(t);
    }
    HDF5_END;
    if (!good) snprintf(wrong, size, "'%s' is not the table of a study", path);
  }
  if (!good) study_table_close(&t);
  *out = t;
  return good;
}

void study_table_close(StudyTable **table) {
  StudyTable *t = *table;
  if (!t) return;
  if (t->file >= 0) H5Fclose(t->file);
  for (int s = 0; s < SETS; s++) texts_free(t->name[s], t->names[s]), texts_free(t->units[s], t->unit_count[s]);
  texts_free(t->status, t->statuses);
  free(t->guarded.path);
  free(t->column);
  free(t);
  *table = NULL;
}

bool is_study_table(const char *path) {
  char text[40] = "";
  Results guarded = {.path = (char *)path};
  if (stat(path, &guarded.seen)) return false;
  HDF5_BEGIN(&guarded) {
    hid_t file = file_open(path);
    if (file >= 0) attribute_text(file, "analysis", text, sizeof text), H5Fclose(file);
  }
  HDF5_END;
  return !strcmp(text, "study");
}

// ---- what it holds ----

long study_table_runs(const StudyTable *t) { return t->runs; }
long study_table_first(const StudyTable *t) { return t->first; }
int study_table_columns(const StudyTable *t) { return t->columns; }
const StudyColumn *study_table_column(const StudyTable *t, int i) { return &t->column[i]; }
int study_table_statuses(const StudyTable *t) { return t->statuses; }
const char *study_table_status(const StudyTable *t, int status) {
  return status >= 0 && status < t->statuses ? t->status[status] : "";
}

int study_table_find(const StudyTable *t, const char *name) {
  for (int i = 0; i < t->columns; i++)
    if (!strcmp(t->column[i].name, name)) return i;
  return -1;
}

bool study_table_text(const StudyTable *t, const char *attribute, char *text, size_t size) {
  bool good;
  HDF5_BEGIN(&t->guarded) good = attribute_text(t->file, attribute, text, size);
  HDF5_END;
  return good;
}

char *study_table_source(const StudyTable *t, const char *path) {
  char **text, *first = NULL;
  int count;
  HDF5_BEGIN(&t->guarded) text = dataset_texts(t->file, path, &count);
  HDF5_END;
  if (count > 0) first = text[0], text[0] = NULL;
  texts_free(text, count);
  return first;
}

// ---- rows ----

typedef struct {
  const char *set;
  int index;
  double *values;                   // numbers, or ...
  char (*text)[STUDY_CULPRIT_TEXT]; // ... texts
} Wanted;

static bool read_rows(hid_t file, const Wanted *w, long from, long count, long at) {
  StoredNumbers s;
  if (w->text) return fixed_texts_read(file, w->set, from, count, STUDY_CULPRIT_TEXT, (char *)(w->text + at));
  bool good =
      numbers_open(file, w->set, &s) && numbers_read(&s, H5T_NATIVE_DOUBLE, from, count, w->index, 1, w->values + at);
  numbers_close(&s);
  return good;
}

// From the files of the blocks, one after the other.
static bool read_blocks(StudyTable *t, const Wanted *w, long from, long count) {
  char path[4300];
  bool good = true;
  for (long done = 0, n; good && done < count; done += n) {
    long block = (from + done) / t->block, first = (from + done) % t->block;
    n = count - done < t->block - first ? count - done : t->block - first;
    snprintf(path, sizeof path, "%s/%06ld.h5", t->blocks, block);
    hid_t file = file_open(path);
    good = file >= 0 && read_rows(file, w, first, n, done);
    if (file >= 0) H5Fclose(file);
  }
  return good;
}

static bool read_wanted(StudyTable *t, const Wanted *w, long from, long count) {
  bool good;
  if (from < 0 || count < 0 || count > t->runs - from) return false;
  HDF5_BEGIN(&t->guarded) good = *t->blocks ? read_blocks(t, w, from, count) : read_rows(t->file, w, from, count, 0);
  HDF5_END;
  return good;
}

bool study_table_read(StudyTable *t, int column, long from, long count, double *values) {
  const StudyColumn *c = &t->column[column];
  return read_wanted(t, &(Wanted){.set = c->set, .index = c->index, .values = values}, from, count);
}

bool study_table_culprits(StudyTable *t, long from, long count, char (*text)[STUDY_CULPRIT_TEXT]) {
  return read_wanted(t, &(Wanted){.set = "/culprit", .text = text}, from, count);
}
