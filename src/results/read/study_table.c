// SPDX-License-Identifier: Apache-2.0
// Reads the table of a study (study_table.h).
#include "results/read/study_table.h"

#include "model/refusal.h"
#include "results/read/results_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  StudyColumnKind kind;
  bool many; // several columns, with names
} StudySet;

static const StudySet sets[] = {
    {"/parameters", STUDY_PARAMETER, true},   {"/status", STUDY_OUTCOME, false},
    {"/steps", STUDY_OUTCOME, false},         {"/time", STUDY_OUTCOME, false},
    {"/balance_error", STUDY_OUTCOME, false}, {"/constraint", STUDY_OUTCOME, false},
    {"/statistics", STUDY_STATISTIC, true},   {"/concurrent", STUDY_CONCURRENT, true},
    {"/errors", STUDY_ERROR, true},           {"/gradients", STUDY_GRADIENT, true},
    {"/gradient_errors", STUDY_ERROR, true},  {"/chosen", STUDY_OUTCOME, true},
};
enum { SETS = sizeof sets / sizeof sets[0] };

struct StudyTable {
  char *path;
  Stored *stored;
  long runs, first, block;
  char blocks[4200]; // folder of the blocks; "": the rows are in this file
  StudyColumn *column;
  int columns;
  char **name[SETS], **units[SETS];
  int names[SETS], unit_count[SETS];
  char **status;
  int statuses;
  char **change, **channel, **words; // from the command line; names; words of each parameter, one per line
  int changes, channels, word_count;
  double *factor, *weight_value, *weight; // of the channels; weights by value of a parameter
  int factors, weight_values, weights, weight_column;
};

// ---- opening ----

static bool add_columns(StudyTable *t, int s) {
  const char *path = sets[s].path;
  if (!stored_exists(t->stored, path)) return true; // the study has no such columns
  t->units[s] = stored_attribute_texts(t->stored, path, "units", &t->unit_count[s]);
  if (sets[s].many) t->name[s] = stored_attribute_texts(t->stored, path, "columns", &t->names[s]);
  if (!strcmp(path, "/status")) t->status = stored_attribute_texts(t->stored, path, "names", &t->statuses);
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

// Loads what the table records about its study file.
static void load_facts(StudyTable *t) {
  char text[400];
  t->change = stored_attribute_texts(t->stored, "/", "changes", &t->changes);
  t->words = stored_attribute_texts(t->stored, "/", "words", &t->word_count);
  t->channel = stored_attribute_texts(t->stored, "/", "channels", &t->channels);
  t->factor = stored_attribute_reals(t->stored, "/", "factors", &t->factors);
  t->weight_value = stored_attribute_reals(t->stored, "/", "weight_values", &t->weight_values);
  t->weight = stored_attribute_reals(t->stored, "/", "weights", &t->weights);
  t->weight_column =
      stored_attribute_text(t->stored, "/", "weights_of", text, sizeof text) ? study_table_find(t, text) : -1;
  if (t->weights != t->weight_values || !t->weights) t->weight_column = -1;
}

static bool load_head(StudyTable *t) {
  char text[400];
  double runs = stored_attribute_real(t->stored, "/", "runs", -1);
  if (!stored_attribute_text(t->stored, "/", "analysis", text, sizeof text) || strcmp(text, "study")) return false;
  if (!(runs >= 1 && runs < 1e15)) return false;
  double first = stored_attribute_real(t->stored, "/", "first", 0),
         block = stored_attribute_real(t->stored, "/", "block", 0);
  if (!(first >= 0 && first < 1e15 && block < 1e15)) return false;
  t->runs = (long)runs, t->first = (long)first;
  if (stored_attribute_text(t->stored, "/", "blocks", text, sizeof text)) {
    const char *slash = strrchr(t->path, '/');
    int folder = slash ? (int)(slash + 1 - t->path) : 0;
    if (strchr(text, '/') || !(block >= 1)) return false; // only beside this file
    t->block = (long)block;
    snprintf(t->blocks, sizeof t->blocks, "%.*s%s", folder, t->path, text);
  }
  for (int s = 0; s < SETS; s++)
    if (!add_columns(t, s)) return false;
  load_facts(t);
  return true;
}

// Starts the child and opens the file; NULL, with the reason, if that fails.
static Stored *start_reading(const char *path, Refusal *wrong) {
  struct stat file;
  if (stat(path, &file)) return refuse(wrong, "cannot read '%s': there is no such file", path), NULL;
  if (!S_ISREG(file.st_mode)) return refuse(wrong, "cannot read '%s': it is not a regular file", path), NULL;
  Stored *s = stored_start(path);
  if (!s) return refuse(wrong, "cannot start the process that reads '%s': %s", path, strerror(errno)), NULL;
  StoredState state = stored_open(s);
  if (state == STORED_OPEN) return s;
  refuse(wrong, "'%s' is %s", path,
         state == STORED_DAMAGED ? "damaged: HDF5 cannot read it" : "not the table of a study");
  return stored_end(&s), NULL;
}

bool study_table_open(const char *path, StudyTable **out, Refusal *wrong) {
  StudyTable *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t || !(t->path = strdup(path))) return free(t), refuse(wrong, "out of memory"), false;
  t->stored = start_reading(path, wrong);
  bool good = t->stored && load_head(t);
  if (t->stored && !good)
    refuse(wrong, "'%s' %s", path,
           stored_is_lost(t->stored) ? "is damaged: HDF5 cannot read it"
                                     : "is not the table of a study, or is damaged");
  if (!good) study_table_close(&t);
  *out = t;
  return good;
}

void study_table_close(StudyTable **table) {
  StudyTable *t = *table;
  if (!t) return;
  stored_end(&t->stored);
  for (int s = 0; s < SETS; s++) texts_free(t->name[s], t->names[s]), texts_free(t->units[s], t->unit_count[s]);
  texts_free(t->status, t->statuses);
  texts_free(t->change, t->changes), texts_free(t->channel, t->channels), texts_free(t->words, t->word_count);
  free(t->factor), free(t->weight_value), free(t->weight);
  free(t->path);
  free(t->column);
  free(t);
  *table = NULL;
}

bool is_study_table(const char *path) {
  char text[40] = "";
  Refusal wrong;
  Stored *s = start_reading(path, &wrong);
  if (s) stored_attribute_text(s, "/", "analysis", text, sizeof text);
  stored_end(&s);
  return !strcmp(text, "study");
}

void study_table_identity(const char *path, char *identity, size_t size) {
  StudyTable *t;
  Refusal wrong;
  *identity = 0;
  if (!study_table_open(path, &t, &wrong)) return;
  study_table_text(t, "identity", identity, size);
  study_table_close(&t);
}

// ---- contents ----

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
  return stored_attribute_text(t->stored, "/", attribute, text, size);
}

char *study_table_source(const StudyTable *t, const char *path) {
  int count;
  char **text = stored_texts(t->stored, path, &count), *first = NULL;
  if (count > 0) first = text[0], text[0] = NULL;
  texts_free(text, count);
  return first;
}

// ---- rows ----

typedef struct {
  const char *set;
  int index;
  double *values;                 // numbers, or ...
  char (*text)[STUDY_CAUSE_TEXT]; // ... texts
} Wanted;

static bool read_rows(Stored *s, const Wanted *w, long from, long count, long at) {
  if (w->text) return stored_fixed_texts(s, w->set, from, count, STUDY_CAUSE_TEXT, (char *)(w->text + at));
  return stored_rows(s, w->set, -1, STORED_REAL, from, count, w->index, 1, w->values + at);
}

// Reads rows from the files of the blocks, one after the other.
static bool read_blocks(StudyTable *t, const Wanted *w, long from, long count) {
  char path[4300];
  bool good = true;
  for (long done = 0, n; good && done < count; done += n) {
    long block = (from + done) / t->block, first = (from + done) % t->block;
    n = count - done < t->block - first ? count - done : t->block - first;
    snprintf(path, sizeof path, "%s/%06ld.h5", t->blocks, block);
    good = stored_use(t->stored, path) && read_rows(t->stored, w, first, n, done);
  }
  return stored_use(t->stored, NULL) && good;
}

static bool read_wanted(StudyTable *t, const Wanted *w, long from, long count) {
  if (from < 0 || count < 0 || count > t->runs - from) return false;
  return *t->blocks ? read_blocks(t, w, from, count) : read_rows(t->stored, w, from, count, 0);
}

bool study_table_read(StudyTable *t, int column, long from, long count, double *values) {
  const StudyColumn *c = &t->column[column];
  return read_wanted(t, &(Wanted){.set = c->set, .index = c->index, .values = values}, from, count);
}

bool study_table_causes(StudyTable *t, long from, long count, char (*text)[STUDY_CAUSE_TEXT]) {
  return read_wanted(t, &(Wanted){.set = "/cause", .text = text}, from, count);
}

// ---- data from the study file ----

bool study_table_is_weighted(const StudyTable *t) { return t->weight_column >= 0; }

bool study_table_weights(StudyTable *t, long from, long count, double *weight) {
  if (t->weight_column >= 0 && !study_table_read(t, t->weight_column, from, count, weight)) return false;
  for (long i = 0; i < count; i++) {
    double value = weight[i];
    weight[i] = t->weight_column >= 0 ? 0 : 1 / (double)t->runs;
    for (int k = 0; t->weight_column >= 0 && k < t->weights; k++)
      if (t->weight_value[k] == value) {
        weight[i] = t->weight[k];
        break;
      }
  }
  return true;
}

double study_table_factor(const StudyTable *t, const char *channel) {
  for (int i = 0; i < t->channels && i < t->factors; i++)
    if (!strcmp(t->channel[i], channel)) return t->factor[i];
  return 1;
}

const char *study_table_word(const StudyTable *t, int column, double value, char *text, size_t size) {
  const StudyColumn *c = &t->column[column];
  if (c->kind != STUDY_PARAMETER || c->index >= t->word_count || !*t->words[c->index] || !(value >= 0)) return NULL;
  const char *line = t->words[c->index];
  for (double k = 0; k + 1 <= value && line; k++) line = strchr(line, '\n'), line = line ? line + 1 : NULL;
  if (!line) return NULL;
  snprintf(text, size, "%.*s", (int)strcspn(line, "\n"), line);
  return text;
}

// The shortest text that reads as the same number.
static void print_exactly(double value, char *text, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value) return;
  }
}

bool study_table_change(StudyTable *t, long row, int i, char *text, size_t size) {
  char number[400];
  double value;
  if (i < t->changes) return snprintf(text, size, "%s", t->change[i]), true;
  i -= t->changes;
  if (i >= t->columns || t->column[i].kind != STUDY_PARAMETER) return false;
  const StudyColumn *c = &t->column[i];
  if (!study_table_read(t, i, row, 1, &value)) return false;
  bool word = study_table_word(t, i, value, number, sizeof number),
       plain = word || !*c->units || !strcmp(c->units, "1");
  if (!word) print_exactly(value, number, sizeof number);
  snprintf(text, size, "%s=%s%s%s", c->name, number, plain ? "" : " ", plain ? "" : c->units);
  return true;
}
