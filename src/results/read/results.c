// SPDX-License-Identifier: Apache-2.0
// Reads the columns, snapshots and events of a results file (results.h).
#include "results/read/results.h"

#include "files/folder.h"
#include "input/yaml/names.h"
#include "model/refusal.h"
#include "model/steps.h"
#include "quantities/ledger.h"
#include "quantities/probe.h"
#include "results/read/results_private.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COLUMNS = 1 << 17 }; // of all tables

// Entry i of a comma-separated list; the last entry applies to all that follow.
static char *unit_of(const char *units, int i) {
  const char *comma;
  while (i-- > 0 && (comma = strchr(units, ','))) units = comma + 1 + strspn(comma + 1, " ");
  return strndup(units, strcspn(units, ","));
}

// Adds column i of the last table. The group of a column is the last name of the path above its dataset: ledger for
// /history/ledger/kinetic, tip for /history/probes/tip/position.
static bool add_column(Results *r, const StoredTable *t, int i) {
  ResultColumn *c = &r->column[r->columns++];
  *c = (ResultColumn){.table = r->tables - 1, .index = i};
  c->group = strdup(*t->group ? t->group : t->name), c->quantity = strdup(*t->group ? t->name : "");
  c->subject = strdup(t->subject), c->component = strdup(t->columns ? t->columns[i] : "");
  c->units = unit_of(t->units, i), c->description = strdup(t->description);
  return c->group && c->subject && c->quantity && c->component && c->units && c->description;
}

static bool add_table(Results *r, StoredTable *t) {
  bool good = (t->columns ? t->names : 1) == t->size.width && t->size.rows >= 0;
  r->table[r->tables++] = (ResultTable){.path = t->path, .rows = t->size.rows};
  t->path = NULL;
  for (int i = 0; good && i < t->size.width; i++) good = add_column(r, t, i);
  return good;
}

// Reads all datasets under /history with their columns. The caller sets names and order.
static bool load_tables(Results *r) {
  StoredTable *table;
  int count, columns = 0;
  if (!stored_tables(r->stored, "/history", &table, &count)) return false;
  for (int i = 0; i < count && columns <= MOST_COLUMNS; i++)
    columns = table[i].size.width < 1 || table[i].size.width > MOST_COLUMNS ? MOST_COLUMNS + 1
                                                                            : columns + table[i].size.width;
  bool good = columns > 0 && columns <= MOST_COLUMNS;
  r->table = calloc((size_t)count + 1, sizeof *r->table);
  r->column = good ? calloc((size_t)columns, sizeof *r->column) : NULL;
  good = good && r->table && r->column;
  for (int i = 0; i < count && good; i++) good = add_table(r, &table[i]);
  stored_tables_free(table, count);
  return good;
}

static bool table_read(const Results *r, int table, int index, int from, int count, double *values) {
  return stored_rows(r->stored, r->table[table].path, table, STORED_REAL, from, count, index, 1, values);
}

enum { MOST_BRIEF = 4096 };         // most columns of a group with short names
enum { ATTEMPTS = 40, PAUSE = 25 }; // while a run writes: number of retries, and ms between them

static void pause_briefly(void) { nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000L}, NULL); }

static bool same_file(const struct stat *a, const struct stat *b) {
  return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

// Whether the file was written to within the last `ms` milliseconds.
static bool written_within(const struct stat *s, double ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)(t.tv_sec - s->st_mtim.tv_sec) * 1e3 + (double)(t.tv_nsec - s->st_mtim.tv_nsec) * 1e-6 < ms;
}

// Whether this is certainly not a file that a run has begun to write: those are empty, begin with zeros or are HDF5.
static bool is_foreign(const char *path) {
  FILE *f = found_fopen(path);
  int first = f ? fgetc(f) : EOF;
  if (f) fclose(f);
  return first != EOF && first != 0 && first != 0x89;
}

// ---- names ----

static char *join_names(const char *a, const char *b, const char *c) {
  size_t size = strlen(a) + strlen(b) + strlen(c) + 3;
  char *text = malloc(size);
  if (text) snprintf(text, size, "%s%s%s%s%s", a, *b ? "." : "", b, *c ? "." : "", c);
  return text;
}

// Quantities are listed, and components searched, in the order of their tables.
static int rank_in_group(const ResultColumn *c) {
  int rank = ledger_rank(c->group, c->quantity);
  return rank < LEDGER_COLUMNS ? rank : quantity_rank(c->quantity);
}

static int group_rank(const ResultColumn *c) {
  static const char *const order[] = {"time", "ledger", "steps"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(order[i], c->group)) return i;
  return 3;
}

static int compare_by_rank(const void *left, const void *right) {
  const ResultColumn *a = left, *b = right;
  int d = group_rank(a) - group_rank(b);
  if (!d) d = strcmp(a->group, b->group);
  if (!d) d = rank_in_group(a) - rank_in_group(b);
  if (!d) d = strcmp(a->quantity, b->quantity);
  return d ? d : a->index - b->index;
}

static bool is_ledger(const ResultColumn *c) { return group_rank(c) < 3; }

// The short name of column i: its component, if no earlier column of the group has the same component.
static char *brief_name(const Results *r, int i) {
  const ResultColumn *c = &r->column[i];
  if (!strcmp(c->quantity, "load_work") && is_ledger(c)) return join_names(c->component, "work", "");
  if (!strcmp(c->quantity, "value") && !*c->component) return join_names(c->group, "", ""); // a formula
  if (!*c->component || is_ledger(c)) return join_names(c->name, "", "");
  for (int k = i - 1; k >= 0 && !strcmp(r->column[k].group, c->group); k--)
    if (i - k > MOST_BRIEF || !strcmp(r->column[k].component, c->component)) return join_names(c->name, "", "");
  return join_names(c->group, c->component, "");
}

static bool finish_names(Results *r) {
  qsort(r->column, (size_t)r->columns, sizeof *r->column, compare_by_rank);
  for (int i = 0; i < r->columns; i++) {
    ResultColumn *c = &r->column[i];
    c->name = join_names(c->group, c->quantity, c->component);
    if (!c->name || !(c->brief = brief_name(r, i))) return false;
  }
  return true;
}

// ---- open and close ----

static void free_contents(Results *r) {
  for (int i = 0; i < r->columns; i++) {
    const ResultColumn *c = &r->column[i];
    const char *text[] = {c->name, c->brief, c->group, c->quantity, c->component, c->units, c->description, c->subject};
    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) free((void *)text[k]);
  }
  for (int i = 0; i < r->tables; i++) free(r->table[i].path);
  free(r->column), free(r->table), free(r->time), free(r->snapshot_time);
  r->column = NULL, r->table = NULL, r->time = NULL, r->snapshot_time = NULL;
  r->columns = r->tables = r->rows = r->snapshots = 0;
}

// Finds the rows that all tables have. If a run was killed, a table may be longer than its data: time does not increase
// there.
static bool load_time(Results *r) {
  int first;
  long rows = r->tables ? r->table[0].rows : 0;
  Refusal wrong;
  for (int i = 1; i < r->tables; i++) rows = r->table[i].rows < rows ? r->table[i].rows : rows;
  if (results_find(r, "time", &first, &wrong) != 1 || r->column[first].name[4]) return false;
  r->time = malloc(((size_t)rows + 1) * sizeof *r->time);
  if (!r->time || !table_read(r, r->column[first].table, 0, 0, (int)rows, r->time)) return false;
  for (r->rows = rows ? 1 : 0; r->rows < rows && r->time[r->rows] > r->time[r->rows - 1];) r->rows++;
  while (r->rows > 1 && !isfinite(r->time[r->rows - 1])) r->rows--;
  return !r->rows || isfinite(r->time[0]);
}

// The name of the axis: attribute `name` of the dataset `time`; otherwise "time" if its units are s; otherwise its
// description.
static void load_axis(Results *r) {
  if (stored_attribute_text(r->stored, "/history/time", "name", r->axis, sizeof r->axis)) return;
  const char *text = strcmp(results_axis_units(r), "s") ? results_column(r, 0)->description : "time";
  snprintf(r->axis, sizeof r->axis, "%s", text);
}

// Returns why the file cannot be read, or NULL.
static const char *load_results(Results *r) {
  static char text[200];
  char word[40] = "", version[80];
  switch (stored_open(r->stored)) {
  case STORED_OPEN: break;
  case STORED_NO_HDF5: return "is not an HDF5 file";
  case STORED_DAMAGED: return "is damaged: HDF5 cannot read it";
  }
  if (!stored_exists(r->stored, "/")) return "is damaged: HDF5 cannot read it";
  if (stored_attribute_text(r->stored, "/", "analysis", word, sizeof word) && !strcmp(word, "study"))
    return "is the table of a study, not a run. limber report writes a page about it, limber plot and limber\n  export "
           "draw and write its columns; limber study STUDY.yaml --run 7 writes the results of one run";
  if (!stored_attribute_text(r->stored, "/", "limber", version, sizeof version) ||
      !stored_exists(r->stored, "/history"))
    return "is not a result of `limber run`";
  double format = stored_attribute_real(r->stored, "/", "format", 1);
  if (format != 1) {
    snprintf(text, sizeof text,
             "has format %g, of Limber %s; this Limber %s reads format 1: read it with the version that wrote it",
             format, version, LIMBER_VERSION);
    return text;
  }
  r->running = stored_attribute_text(r->stored, "/", "status", word, sizeof word) &&
               !strcmp(word, run_status_words[RUN_RUNNING]);
  if (!load_tables(r) || !finish_names(r) || !load_time(r)) return "is damaged: its history cannot be read";
  load_axis(r);
  return r->rows ? NULL : "contains no row yet";
}

// Adds how to create the results if there is a model of that name.
static void add_advice(const char *path, Refusal *wrong) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  int stem = dot ? (int)(dot - path) : (int)strlen(path);
  char model[4096];
  if (snprintf(model, sizeof model, "%.*s.yaml", stem, path) < (int)sizeof model && !access(model, R_OK))
    refuse_also(wrong, "; `limber run %s` writes %.*s.h5", model, stem - (int)(base - path), base);
}

bool results_open(const char *path, Results **out, Refusal *wrong) {
  Results *r = calloc(1, sizeof *r);
  struct stat after;
  *out = NULL;
  if (!r || !(r->path = join_names(path, "", ""))) return free(r), refuse(wrong, "not enough memory"), false;
  for (int attempt = 0;; attempt++) {
    if (stat(path, &r->seen) || access(path, R_OK)) {
      refuse(wrong, "cannot read '%s': %s", path, strerror(errno));
      add_advice(path, wrong);
      break;
    }
    if (!S_ISREG(r->seen.st_mode)) {
      refuse(wrong, "'%s' is a %s; the results of a run are a file", path,
             S_ISDIR(r->seen.st_mode) ? "folder" : "device or a pipe");
      break;
    }
    const char *bad = NULL;
    if (!r->stored && !(r->stored = stored_start(path))) {
      refuse(wrong, "cannot start the process that reads '%s': %s", path, strerror(errno));
      break;
    }
    bad = load_results(r);
    if (stored_is_lost(r->stored)) bad = "is damaged: HDF5 cannot read it";
    bool still = !stat(path, &after) && same_file(&r->seen, &after) && !(r->running && written_within(&after, PAUSE));
    if (!bad && (still || attempt == ATTEMPTS)) return *out = r, true;
    free_contents(r);
    if (bad) stored_end(&r->stored); // a child that has ended cannot answer
    if (bad && (attempt == ATTEMPTS || is_foreign(path) || !written_within(&r->seen, ATTEMPTS * PAUSE))) {
      refuse(wrong, "'%s' %s", path, bad);
      if (strstr(path, ".yaml")) add_advice(path, wrong);
      break;
    }
    pause_briefly();
  }
  results_close(&r);
  return false;
}

void results_close(Results **r) {
  if (!*r) return;
  free_contents(*r);
  stored_end(&(*r)->stored);
  free((*r)->path);
  free(*r);
  *r = NULL;
}

// ---- contents ----

const char *results_path(const Results *r) { return r->path; }
const char *results_file(const Results *r) {
  const char *slash = strrchr(r->path, '/');
  return slash ? slash + 1 : r->path;
}
int results_rows(const Results *r) { return r->rows; }
const char *results_table(const Results *r, int column) { return r->table[r->column[column].table].path; }

double results_error(Results *r, int column, const char *of) {
  char name[40] = "error";
  int count;
  if (of) snprintf(name, sizeof name, "error_%.30s", of);
  double *all = stored_attribute_reals(r->stored, results_table(r, column), name, &count);
  int index = r->column[column].index;
  double error = index < count && all[index] >= 0 ? all[index] : NAN;
  free(all);
  return error;
}

const char *results_axis(const Results *r) { return r->axis; }

// Time is the first column.
const char *results_axis_units(const Results *r) { return r->column[0].units; }

const char *results_at(const Results *r, double at, char *text, size_t size) {
  const char *units = results_axis_units(r);
  if (!strcmp(units, "s")) snprintf(text, size, "t = %.8g s", at);
  else snprintf(text, size, "%s %.8g%s%s", r->axis, at, strcmp(units, "1") ? " " : "", strcmp(units, "1") ? units : "");
  return text;
}

const double *results_time(const Results *r) { return r->time; }
int results_columns(const Results *r) { return r->columns; }
const ResultColumn *results_column(const Results *r, int i) { return &r->column[i]; }

bool results_text(const Results *r, const char *attribute, char *text, size_t size) {
  return stored_attribute_text(r->stored, "/", attribute, text, size);
}

const char *results_status(const Results *r, char *text, size_t size) {
  if (!results_text(r, "status", text, size)) *text = 0;
  if (!strcmp(text, run_status_words[RUN_RUNNING])) snprintf(text, size, "running, or killed");
  return text;
}

double results_real(const Results *r, const char *attribute, double otherwise) {
  return stored_attribute_real(r->stored, "/", attribute, otherwise);
}

int results_time_range(const Results *r, double from, double to, int *first) {
  double slack = r->rows > 1 ? 1e-6 * (r->time[r->rows - 1] - r->time[0]) / (r->rows - 1) : 0;
  int end = r->rows;
  *first = 0;
  while (*first < r->rows && r->time[*first] < from - slack) ++*first;
  while (end > *first && r->time[end - 1] > to + slack) end--;
  return end - *first;
}

// Data read while a run writes may be inconsistent: then it is read again.
bool results_read(Results *r, int column, int from, int count, double *values) {
  const ResultColumn *c = &r->column[column];
  struct stat after;
  bool good = false;
  for (int attempt = 0; attempt <= ATTEMPTS; attempt++) {
    good =
        (!attempt || stored_open(r->stored) == STORED_OPEN) && table_read(r, c->table, c->index, from, count, values);
    if (!r->running || stat(r->path, &after) || (good && same_file(&r->seen, &after))) return good;
    pause_briefly();
    if (stat(r->path, &r->seen)) return good;
  }
  return good;
}

// ---- columns by name ----

// The number of columns from `i` on in the same group and, if `quantity`, of the same quantity.
static int run_of(const Results *r, int i, bool quantity) {
  const ResultColumn *c = &r->column[i];
  int n = 1;
  while (i + n < r->columns && !strcmp(c[n].group, c->group) && (!quantity || !strcmp(c[n].quantity, c->quantity))) n++;
  return n;
}

// Whether `name` is group.quantity of a column.
static bool is_quantity(const ResultColumn *c, const char *name) {
  size_t n = strlen(c->group);
  return *c->component && !strncmp(name, c->group, n) && name[n] == '.' && !strcmp(name + n + 1, c->quantity);
}

// Suggests names: columns of the group that the name begins with, if there is one; otherwise groups.
static void explain_unknown_name(const Results *r, const char *name, Refusal *wrong) {
  Nearest n;
  char quantity[300];
  const char *group = NULL, *last = "";
  nearest_begin(&n, name);
  for (int i = 0; i < r->columns; i++) {
    const ResultColumn *c = &r->column[i];
    size_t length = strlen(c->group);
    nearest_try(&n, c->name);
    if (strcmp(c->brief, c->name)) nearest_try(&n, c->brief);
    if (!strncmp(name, c->group, length) && name[length] == '.' && (!group || strlen(group) < length)) group = c->group;
  }
  if (!n.best) {
    nearest_begin(&n, name);
    for (int i = 0; i < r->columns; i++) {
      const ResultColumn *c = &r->column[i];
      if (group && !strcmp(group, c->group)) {
        snprintf(quantity, sizeof quantity, "%s.%s", c->group, c->quantity);
        if (strcmp(c->brief, c->name) || !*c->component) nearest_try(&n, c->brief);
        else if (!strcmp(last, c->quantity)) continue;
        else nearest_try(&n, quantity);
        last = c->quantity;
      } else if (!group && strcmp(last, c->group)) nearest_try(&n, last = c->group);
    }
    n.best = group ? NULL : n.best;
  }
  refuse(wrong, "%s has no column '%s'%s", r->path, name, nearest_hint(&n, "there are"));
}

int results_find(const Results *r, const char *name, int *first, Refusal *wrong) {
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].name, name)) return *first = i, 1;
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].brief, name)) return *first = i, 1;
  for (int i = 0; i < r->columns; i++)
    if (is_quantity(&r->column[i], name)) return *first = i, run_of(r, i, true);
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].group, name)) return *first = i, run_of(r, i, false);
  explain_unknown_name(r, name, wrong);
  return 0;
}

// The model files stored in the results.

bool results_source(Results *r, int file, char **name, char **text) {
  char path[40] = "/model", word[4096] = "";
  int count;
  *name = *text = NULL;
  if (file) snprintf(path, sizeof path, "/included/%d", file);
  if (file) stored_attribute_text(r->stored, path, "name", word, sizeof word);
  char **texts = stored_texts(r->stored, path, &count);
  *name = count == 1 ? strdup(file ? word : "model") : NULL;
  if (*name) *text = texts[0], texts[0] = NULL;
  texts_free(texts, count);
  return *name != NULL;
}

char **results_changes(Results *r, int *count) { return stored_attribute_texts(r->stored, "/", "changes", count); }

char **results_texts(Results *r, const char *path, int *count) { return stored_texts(r->stored, path, count); }

enum { MOST_EVENTS = 1 << 20 };

static bool read_numbers(Stored *s, const char *path, long count, double *out) {
  return stored_rows(s, path, -1, STORED_REAL, 0, count, 0, 1, out);
}

static bool read_events(Stored *s, ResultEvents *e) {
  StoredSize size;
  if (!stored_size(s, "/events/time", &size) || size.rank != 1 || size.rows < 1 || size.rows > MOST_EVENTS)
    return false;
  size_t count = (size_t)size.rows;
  e->name = calloc(count, sizeof *e->name);
  e->time = malloc(count * sizeof *e->time), e->loss = malloc(count * sizeof *e->loss);
  bool good = e->name && e->time && e->loss && read_numbers(s, "/events/time", size.rows, e->time) &&
              read_numbers(s, "/events/loss", size.rows, e->loss) &&
              stored_fixed_texts(s, "/events/name", 0, size.rows, sizeof *e->name, e->name[0]);
  e->count = good ? (int)count : 0;
  return good;
}

ResultEvents results_events(Results *r) {
  ResultEvents e = {0};
  if (!read_events(r->stored, &e)) result_events_free(&e);
  return e;
}

void result_events_free(ResultEvents *e) {
  free(e->name), free(e->time), free(e->loss);
  *e = (ResultEvents){0};
}

// Snapshots in the VTKHDF format for an unstructured grid in time: step s has NumberOfPoints[part] points from
// PointOffsets[s] on and cells from CellOffsets[s] on, with part = PartOffsets[s].

static bool rows_read(Stored *f, const char *path, StoredType type, long from, long count, int width, void *out) {
  StoredSize s;
  return stored_size(f, path, &s) && s.width == width && stored_rows(f, path, -1, type, from, count, 0, width, out);
}

// Reads one entry of a dataset of counts or offsets.
static long read_one(Stored *f, const char *path, long row, bool *good) {
  long value = 0;
  *good = *good && rows_read(f, path, STORED_LONG, row, 1, 1, &value) && value >= 0;
  return value;
}

// Whether a dataset has rows `from` to `from + count - 1`; checked before memory is allocated for them.
static bool has_rows(Stored *f, const char *path, long from, long count) {
  StoredSize s;
  return count >= 0 && count < INT_MAX && stored_size(f, path, &s) && from <= s.rows - count;
}

int results_snapshots(Results *r, const double **times) {
  static const char path[] = "/VTKHDF/Steps/Values";
  if (!r->snapshot_time) {
    StoredSize s;
    int n = stored_size(r->stored, path, &s) && s.rows > 0 && s.rows < INT_MAX ? (int)s.rows : 0;
    r->snapshot_time = malloc(((size_t)n + 1) * sizeof *r->snapshot_time);
    bool good = n && r->snapshot_time && rows_read(r->stored, path, STORED_REAL, 0, n, 1, r->snapshot_time);
    r->snapshots = good ? n : 0;
  }
  *times = r->snapshot_time;
  return r->snapshots;
}

// The number of points of a cell with faces, by its VTK type; 0 for all others.
static int points_of(int type) {
  static const int count[][2] = {{5, 3}, {9, 4}, {10, 4}, {12, 8}, {24, 10}};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
    if (count[i][0] == type) return count[i][1];
  return 0;
}

static bool cells_good(const SnapshotGeometry *s, int ids) {
  if (s->first[0] < 0) return false;
  for (int c = 0; c < s->cells; c++)
    if (s->first[c] > s->first[c + 1] || s->first[c + 1] > ids || s->first[c + 1] - s->first[c] < points_of(s->type[c]))
      return false;
  for (int i = 0; i < ids; i++)
    if (s->ids[i] < 0 || s->ids[i] >= s->points) return false;
  return true;
}

static bool load_shape(Stored *f, int k, SnapshotGeometry *s) {
  bool good = true;
  long part = read_one(f, "/VTKHDF/Steps/PartOffsets", k, &good);
  long point = read_one(f, "/VTKHDF/Steps/PointOffsets", k, &good);
  long cell = read_one(f, "/VTKHDF/Steps/CellOffsets", k, &good);
  long id = read_one(f, "/VTKHDF/Steps/ConnectivityIdOffsets", k, &good);
  long points = read_one(f, "/VTKHDF/NumberOfPoints", part, &good);
  long cells = read_one(f, "/VTKHDF/NumberOfCells", part, &good);
  long count = read_one(f, "/VTKHDF/NumberOfConnectivityIds", part, &good);
  if (!good || !has_rows(f, "/VTKHDF/Points", point, points) || !has_rows(f, "/VTKHDF/Types", cell, cells) ||
      !has_rows(f, "/VTKHDF/Connectivity", id, count))
    return false;
  int ids = (int)count;
  s->points = (int)points, s->cells = (int)cells;
  s->at = malloc(((size_t)s->points + 1) * sizeof *s->at);
  s->type = malloc(((size_t)s->cells + 1) * sizeof *s->type);
  s->point = calloc((size_t)s->cells + 1, sizeof *s->point);
  s->first = malloc(((size_t)s->cells + 1) * sizeof *s->first);
  s->ids = malloc(((size_t)ids + 1) * sizeof *s->ids);
  if (!s->at || !s->type || !s->point || !s->first || !s->ids) return false;
  if (stored_exists(f, "/VTKHDF/CellData/point"))
    good = rows_read(f, "/VTKHDF/CellData/point", STORED_INT, cell, s->cells, 1, s->point);
  // a part has one offset more than cells
  return good && rows_read(f, "/VTKHDF/Points", STORED_REAL, point, s->points, 3, s->at) &&
         rows_read(f, "/VTKHDF/Types", STORED_INT, cell, s->cells, 1, s->type) &&
         rows_read(f, "/VTKHDF/Offsets", STORED_INT, cell + part, s->cells + 1, 1, s->first) &&
         rows_read(f, "/VTKHDF/Connectivity", STORED_INT, id, ids, 1, s->ids) && cells_good(s, ids);
}

bool results_snapshot_geometry(Results *r, int snapshot, SnapshotGeometry *s) {
  memset(s, 0, sizeof *s);
  bool good = load_shape(r->stored, snapshot, s);
  if (!good) snapshot_geometry_free(s);
  return good;
}

void snapshot_geometry_free(SnapshotGeometry *s) {
  free(s->at), free(s->type), free(s->point), free(s->first), free(s->ids);
  memset(s, 0, sizeof *s);
}

bool results_block(Results *r, const char *array, int snapshot, int count, int width, double *out) {
  char path[128];
  snprintf(path, sizeof path, "/VTKHDF/%s", array);
  return rows_read(r->stored, path, STORED_REAL, (long)snapshot * count, count, width, out);
}
