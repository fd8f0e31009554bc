// SPDX-License-Identifier: Apache-2.0
#include "results/read/results.h"
#include "results/read/results_private.h"

#include "files/found.h"
#include "input/yaml/names.h"
#include "quantities/ledger.h"
#include "quantities/probe.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BRIEF = 4096 };         // columns of a group that have short names
enum { ATTEMPTS = 40, PAUSE = 25 }; // while a run writes: how often, and after how many ms, to read again

static void pause_briefly(void) { nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000L}, NULL); }

static bool same_file(const struct stat *a, const struct stat *b) {
  return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

// Was the file written to within these ms?
static bool written_within(const struct stat *s, double ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)(t.tv_sec - s->st_mtim.tv_sec) * 1e3 + (double)(t.tv_nsec - s->st_mtim.tv_nsec) * 1e-6 < ms;
}

// Is it certainly no file that a run has begun to write? Such a one is empty, begins with zeros or is HDF5.
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

// The order in which quantities are listed and in which a component is looked for: that of their tables.
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

// The short name of column i: that of its component, if no column of the group before it has one of that name.
static char *brief_name(const Results *r, int i) {
  const ResultColumn *c = &r->column[i];
  if (!strcmp(c->quantity, "load_work") && is_ledger(c)) return join_names(c->component, "work", "");
  if (!strcmp(c->quantity, "value") && !*c->component) return join_names(c->group, "", ""); // of a formula
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

// The rows that all tables have. A table may be ahead of its numbers where a run was killed: there the time stands still.
static bool load_time(Results *r) {
  int first;
  long rows = r->tables ? r->table[0].rows : 0;
  char wrong[8];
  for (int i = 1; i < r->tables; i++) rows = r->table[i].rows < rows ? r->table[i].rows : rows;
  if (results_find(r, "time", &first, wrong, sizeof wrong) != 1 || r->column[first].name[4]) return false;
  r->time = malloc(((size_t)rows + 1) * sizeof *r->time);
  if (!r->time || !table_read(r, r->column[first].table, 0, 0, (int)rows, r->time)) return false;
  for (r->rows = rows ? 1 : 0; r->rows < rows && r->time[r->rows] > r->time[r->rows - 1];) r->rows++;
  while (r->rows > 1 && !isfinite(r->time[r->rows - 1])) r->rows--;
  return !r->rows || isfinite(r->time[0]);
}

// The name of the axis: that which the dataset `time` carries, else the time of a run, else its description.
static void load_axis(Results *r) {
  if (stored_attribute_text(r->stored, "/history/time", "name", r->axis, sizeof r->axis)) return;
  const char *text = strcmp(results_axis_units(r), "s") ? results_column(r, 0)->description : "time";
  snprintf(r->axis, sizeof r->axis, "%s", text);
}

// Why the file cannot be read, or NULL.
static const char *load_results(Results *r) {
  static char text[200];
  char ended[40] = "", version[80];
  switch (stored_open(r->stored)) {
  case STORED_OPEN: break;
  case STORED_NO_HDF5: return "is no HDF5 file";
  case STORED_DAMAGED: return "is damaged: HDF5 cannot read it";
  }
  if (!stored_exists(r->stored, "/")) return "is damaged: HDF5 cannot read it";
  if (stored_attribute_text(r->stored, "/", "analysis", ended, sizeof ended) && !strcmp(ended, "study"))
    return "is the table of a study, not a run. limber report makes a page of it, limber plot and limber\n"
           "  export draw and write its columns; limber study PLAN --run 7 makes the results of one run";
  if (!stored_attribute_text(r->stored, "/", "limber", version, sizeof version) ||
      !stored_exists(r->stored, "/history"))
    return "is no result of `limber run`";
  double format = stored_attribute_real(r->stored, "/", "format", 1);
  if (format != 1) {
    snprintf(text, sizeof text,
             "has format %g, of Limber %s; this Limber %s reads format 1: read it with the version that wrote it",
             format, version, LIMBER_VERSION);
    return text;
  }
  r->running = stored_attribute_text(r->stored, "/", "ended", ended, sizeof ended) && !strcmp(ended, "running");
  if (!load_tables(r) || !finish_names(r) || !load_time(r)) return "is damaged: its history cannot be read";
  load_axis(r);
  return r->rows ? NULL : "holds no row yet";
}

// Tells how results come to be, where there is a model of that name.
static void add_advice(const char *path, char *wrong, size_t size) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  int stem = dot ? (int)(dot - path) : (int)strlen(path);
  size_t used = strlen(wrong);
  char model[4096];
  if (snprintf(model, sizeof model, "%.*s.yaml", stem, path) < (int)sizeof model && !access(model, R_OK))
    snprintf(wrong + used, size - used, "; `limber run %s` writes %.*s.h5", model, stem - (int)(base - path), base);
}

bool results_open(const char *path, Results **out, char *wrong, size_t size) {
  Results *r = calloc(1, sizeof *r);
  struct stat after;
  *out = NULL;
  if (!r || !(r->path = join_names(path, "", ""))) return free(r), snprintf(wrong, size, "no memory"), false;
  for (int attempt = 0;; attempt++) {
    if (stat(path, &r->seen) || access(path, R_OK)) {
      snprintf(wrong, size, "cannot read '%s': %s", path, strerror(errno));
      add_advice(path, wrong, size);
      break;
    }
    if (!S_ISREG(r->seen.st_mode)) {
      snprintf(wrong, size, "'%s' is a %s; the results of a run are a file", path,
               S_ISDIR(r->seen.st_mode) ? "folder" : "device or a pipe");
      break;
    }
    const char *bad = NULL;
    if (!r->stored && !(r->stored = stored_start(path))) {
      snprintf(wrong, size, "cannot start the process that reads '%s': %s", path, strerror(errno));
      break;
    }
    bad = load_results(r);
    if (stored_is_lost(r->stored)) bad = "is damaged: HDF5 cannot read it";
    bool still = !stat(path, &after) && same_file(&r->seen, &after) && !(r->running && written_within(&after, PAUSE));
    if (!bad && (still || attempt == ATTEMPTS)) return *out = r, true;
    free_contents(r);
    if (bad) stored_end(&r->stored); // a child that has ended answers nothing
    if (bad && (attempt == ATTEMPTS || is_foreign(path) || !written_within(&r->seen, ATTEMPTS * PAUSE))) {
      snprintf(wrong, size, "'%s' %s", path, bad);
      if (strstr(path, ".yaml")) add_advice(path, wrong, size);
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

// ---- what it holds ----

const char *results_path(const Results *r) { return r->path; }
const char *results_file(const Results *r) {
  const char *slash = strrchr(r->path, '/');
  return slash ? slash + 1 : r->path;
}
int results_rows(const Results *r) { return r->rows; }
const char *results_axis(const Results *r) { return r->axis; }

// The time is the first column.
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

// What was read while a run wrote may be half old, half new: then it is read again.
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

// How many columns from `i` on belong to the group, and to the quantity if it is given.
static int run_of(const Results *r, int i, bool quantity) {
  const ResultColumn *c = &r->column[i];
  int n = 1;
  while (i + n < r->columns && !strcmp(c[n].group, c->group) && (!quantity || !strcmp(c[n].quantity, c->quantity))) n++;
  return n;
}

// Is `name` group.quantity?
static bool is_quantity(const ResultColumn *c, const char *name) {
  size_t n = strlen(c->group);
  return *c->component && !strncmp(name, c->group, n) && name[n] == '.' && !strcmp(name + n + 1, c->quantity);
}

// Lists what might have been meant: of the group that the name begins with, if there is one; else the groups.
static void explain_unknown_name(const Results *r, const char *name, char *wrong, size_t size) {
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
  snprintf(wrong, size, "%s holds no column '%s'%s", r->path, name, nearest_hint(&n, "there are"));
}

int results_find(const Results *r, const char *name, int *first, char *wrong, size_t size) {
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].name, name)) return *first = i, 1;
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].brief, name)) return *first = i, 1;
  for (int i = 0; i < r->columns; i++)
    if (is_quantity(&r->column[i], name)) return *first = i, run_of(r, i, true);
  for (int i = 0; i < r->columns; i++)
    if (!strcmp(r->column[i].group, name)) return *first = i, run_of(r, i, false);
  explain_unknown_name(r, name, wrong, size);
  return 0;
}
