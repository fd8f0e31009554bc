// SPDX-License-Identifier: Apache-2.0
#include "study/row.h"

#include "console/console.h"
#include "files/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- layout ----

// A channel alone has no concurrent values.
static bool has_concurrent(const Plan *p, int channel) {
  return p->channels > 1 && p->channel[channel].summary.extremes;
}

int study_concurrent(const Plan *p, const StudyLayout *l, int channel) {
  int at = l->parameters + l->statistics;
  for (int c = 0; c < channel; c++)
    if (has_concurrent(p, c)) at += 2 * p->channels;
  return has_concurrent(p, channel) ? at : -1;
}

typedef struct {
  Store *store;
  const char **name, **unit;
  int count;
} Columns;

static Error AddColumn(Columns *c, const char *name, const char *unit) {
  TRY(StoreText(c->store, name, strlen(name), &c->name[c->count]));
  TRY(StoreText(c->store, unit, strlen(unit), &c->unit[c->count]));
  c->count++;
  return 0;
}

static Error AddStatistics(const PlanChannel *channel, const char *unit, Columns *c) {
  char name[400], statistic[60];
  SummaryUnit kind;
  for (int i = 0; i < summary_width(&channel->summary); i++) {
    summary_column(&channel->summary, i, statistic, sizeof statistic, &kind);
    snprintf(name, sizeof name, "%s %s", channel->column, statistic);
    TRY(AddColumn(c, name, kind == SUMMARY_UNIT_CHANNEL ? unit : kind == SUMMARY_UNIT_TIME ? "s" : "1"));
  }
  return 0;
}

static Error AddConcurrent(const Plan *p, int channel, const char *const *unit, Columns *c) {
  char name[800];
  for (int k = 0; k < 2 * p->channels; k++) {
    snprintf(name, sizeof name, "%s at %s of %s", p->channel[k % p->channels].column, k < p->channels ? "max" : "min",
             p->channel[channel].column);
    TRY(AddColumn(c, name, unit[k % p->channels]));
  }
  return 0;
}

// The value of each quantity and its derivatives; then the errors of these.
static Error AddGradients(const StudyGradients *g, bool errors, Columns *c) {
  char name[900], unit[200];
  for (int i = 0; i < g->quantities; i++) {
    if (!errors) TRY(AddColumn(c, g->quantity[i], g->quantity_unit[i]));
    for (int k = 0; k < g->parameters; k++) {
      snprintf(name, sizeof name, "d %s / d %s%s", g->quantity[i], g->parameter[k], errors ? " error" : "");
      TRY(AddColumn(c, name, study_gradient_unit(g->quantity_unit[i], g->parameter_unit[k], unit, sizeof unit)));
    }
  }
  return 0;
}

int study_errors_at(const StudyLayout *l) { return l->parameters + l->statistics + l->concurrent; }

int study_gradients_at(const StudyLayout *l) { return study_errors_at(l) + l->errors; }

int study_chosen_at(const StudyLayout *l) { return study_gradients_at(l) + l->gradients + l->gradient_errors; }

Error StudyLayoutCreate(const Plan *p, const char *const *unit, const StudyGradients *g, Store *store,
                        StudyLayout *out) {
  Columns c = {.store = store};
  StudyLayout l = {.parameters = p->variables};
  for (int i = 0; i < p->channels; i++) {
    l.statistics += summary_width(&p->channel[i].summary);
    if (has_concurrent(p, i)) l.concurrent += 2 * p->channels;
  }
  l.errors = p->error_bars || p->accuracy ? l.statistics : 0, l.chosen = p->accuracy ? 2 : 0;
  l.gradients = g->quantities * (1 + g->parameters), l.gradient_errors = g->quantities * g->parameters;
  l.width = l.parameters + l.statistics + l.concurrent + l.errors + l.gradients + l.gradient_errors + l.chosen;
  TRY(StoreAllocate(store, (size_t)l.width * sizeof *c.name, &c.name));
  TRY(StoreAllocate(store, (size_t)l.width * sizeof *c.unit, &c.unit));
  for (int i = 0; i < p->variables; i++)
    TRY(AddColumn(&c, p->variable[i].path, *p->variable[i].unit ? p->variable[i].unit : "1"));
  for (int i = 0; i < p->channels; i++) TRY(AddStatistics(&p->channel[i], unit[i], &c));
  for (int i = 0; i < p->channels; i++)
    if (has_concurrent(p, i)) TRY(AddConcurrent(p, i, unit, &c));
  for (int i = 0; i < l.errors; i++) {
    char name[500];
    snprintf(name, sizeof name, "%s error", c.name[l.parameters + i]);
    TRY(AddColumn(&c, name, c.unit[l.parameters + i]));
  }
  TRY(AddGradients(g, false, &c));
  TRY(AddGradients(g, true, &c));
  if (l.chosen) TRY(AddColumn(&c, "step", "s"));
  if (l.chosen) TRY(AddColumn(&c, "relative error", "1"));
  l.name = c.name, l.unit = c.unit;
  *out = l;
  return 0;
}

// ---- rows ----

size_t study_row_size(const StudyLayout *l) { return sizeof(StudyRow) + (size_t)l->width * sizeof(double); }

void study_row_clear(const StudyLayout *l, uint64_t run, StudyRow *row) {
  memset(row, 0, sizeof *row);
  row->run = run;
  for (int i = 0; i < l->width; i++) row->value[i] = NAN;
}

void study_row_end(StudyRow *row, RunStatus status, const char *cause) {
  size_t length = strcspn(cause, "\n");
  row->status = status;
  memset(row->cause, 0, sizeof row->cause);
  if (length >= sizeof row->cause) length = sizeof row->cause - 1;
  while (length && (cause[length] & 0xc0) == 0x80) length--; // no half of a character
  memcpy(row->cause, cause, length);
}

// All words of the row but the sum itself.
static uint64_t study_row_sum(const StudyLayout *l, const StudyRow *row) {
  const char *byte = (const char *)row;
  size_t words = study_row_size(l) / sizeof(uint64_t);
  uint64_t sum = 14695981039346656037u, word;
  for (size_t i = 0; i < words; i++) {
    if (i == offsetof(StudyRow, checksum) / sizeof word) continue;
    memcpy(&word, byte + i * sizeof word, sizeof word);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  return sum;
}

enum { BUFFER = 1 << 16, HEAD = 128 };
static const double SECONDS = 0.5; // rows wait so long at most

static Error WriteAll(const Journal *j, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(j->fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    ENSURE(n > 0, ERROR_LIBRARY, "cannot write '%s': %s", j->path, strerror(errno));
    data += n, size -= (size_t)n;
  }
  return 0;
}

static Error ReadAt(const Journal *j, void *data, size_t size, off_t at, size_t *got) {
  *got = 0;
  while (*got < size) {
    ssize_t n = pread(j->fd, (char *)data + *got, size - *got, at + (off_t)*got);
    if (n < 0 && errno == EINTR) continue;
    ENSURE(n >= 0, ERROR_LIBRARY, "cannot read '%s': %s", j->path, strerror(errno));
    if (!n) break;
    *got += (size_t)n;
  }
  return 0;
}

static off_t place_of(const Journal *j, uint64_t row) { return HEAD + (off_t)(row * j->row_size); }

// How many rows from the first on are whole.
static Error CountRows(Journal *j, uint64_t most) {
  uint64_t slice = BUFFER / j->row_size ? BUFFER / j->row_size : 1;
  size_t got;
  char *rows = NULL;
  bool good = true;
  TRY(MemoryNew((size_t)slice * j->row_size, &rows));
  for (j->rows = 0; good && j->rows < most;) {
    TRY(ReadAt(j, rows, (size_t)slice * j->row_size, place_of(j, j->rows), &got));
    uint64_t whole = got / j->row_size;
    good = whole == slice;
    for (uint64_t i = 0; i < whole && j->rows < most; i++) {
      const StudyRow *row = (const StudyRow *)(rows + i * j->row_size);
      bool intact = row->run == j->first + j->rows && row->checksum == study_row_sum(j->layout, row) &&
                    row->status >= 0 && row->status < RUN_STATUSES;
      good = good && intact;
      if (!intact) break;
      j->rows++;
    }
  }
  memory_free(&rows);
  return 0;
}

// `good`: its head is that of this block.
static Error OpenFile(const char *path, int flags, const char *identity, const StudyLayout *l, uint64_t first,
                      Journal *j, char head[HEAD], bool *good) {
  char there[HEAD];
  size_t got;
  *good = false;
  *j = (Journal){.fd = -1, .layout = l, .row_size = study_row_size(l), .first = first};
  snprintf(j->path, sizeof j->path, "%s", path);
  memset(head, 0, HEAD);
  snprintf(head, HEAD, "LIMBERst 1 %s %zu %llu", identity, j->row_size, (unsigned long long)first);
  j->fd = own_open_below(path, flags);
  ENSURE(j->fd >= 0, ERROR_LIBRARY, "cannot open '%s': %s", path, found_error(errno));
  TRY(ReadAt(j, there, HEAD, 0, &got));
  *good = got == HEAD && !memcmp(head, there, HEAD);
  return 0;
}

Error JournalOpen(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                  Journal *j) {
  char head[HEAD];
  bool good;
  TRY(OpenFile(path, O_RDWR | O_CREAT, identity, l, first, j, head, &good));
  if (good) TRY(CountRows(j, most));
  else {
    ENSURE(!ftruncate(j->fd, 0) && lseek(j->fd, 0, SEEK_SET) == 0, ERROR_LIBRARY, "cannot write '%s': %s", path,
           strerror(errno));
    TRY(WriteAll(j, head, HEAD));
  }
  off_t end = place_of(j, j->rows);
  ENSURE(!ftruncate(j->fd, end) && lseek(j->fd, end, SEEK_SET) == end, ERROR_LIBRARY, "cannot write '%s': %s", path,
         strerror(errno));
  TRY(MemoryNew(BUFFER + j->row_size, &j->buffer));
  j->written = clock_seconds();
  return 0;
}

Error JournalOpenComplete(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                          Journal *j) {
  char head[HEAD];
  bool good;
  TRY(OpenFile(path, O_RDONLY, identity, l, first, j, head, &good));
  return good ? CountRows(j, most) : 0;
}

Error JournalFlush(Journal *j) {
  size_t used = j->used;
  j->used = 0;
  TRY(WriteAll(j, j->buffer, used));
  j->written = clock_seconds();
  return 0;
}

Error JournalAppend(Journal *j, StudyRow *row) {
  ENSURE(row->run == j->first + j->rows, ERROR_PROGRAM, "row %llu of '%s' is that of run %llu",
         (unsigned long long)j->rows, j->path, (unsigned long long)row->run);
  row->checksum = study_row_sum(j->layout, row);
  memcpy(j->buffer + j->used, row, j->row_size);
  j->used += j->row_size, j->rows++;
  if (j->used >= BUFFER || clock_seconds() - j->written > SECONDS) TRY(JournalFlush(j));
  return 0;
}

Error JournalRead(const Journal *j, uint64_t from, uint64_t count, void *rows) {
  size_t got, size = (size_t)count * j->row_size;
  TRY(ReadAt(j, rows, size, place_of(j, from), &got));
  ENSURE(got == size, ERROR_LIBRARY, "'%s' is shorter than what was written", j->path);
  return 0;
}

Error JournalClose(Journal *j) {
  Error error = j->fd >= 0 && j->used ? JournalFlush(j) : 0;
  if (j->fd >= 0) close(j->fd);
  j->fd = -1;
  memory_free(&j->buffer);
  return error;
}
