// SPDX-License-Identifier: Apache-2.0
#include "post/export/openfast.h"

#include "files/output_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, NAME = 400, SHORT_NAME = 10 }; // rows that are read at once, characters of a name

typedef struct {
  char name[NAME], unit[NAME];
  double least, most; // of the numbers among its values; NAN: there is none
  float scale, offset;
} Channel;

typedef struct {
  const char *command;
  Results *r;
  const ColumnSelection *c;
  RowSelection rows;
  int form, length; // of names and units
  Channel *channel; // of each column; the first is the time
  int *cut;         // channels whose name was shortened
  int cuts;
  double start, step, time_scale, time_offset;
  FILE *out;
} Writer;

bool is_openfast_path(const char *path) {
  size_t n = path ? strlen(path) : 0;
  return n > 5 && !strcmp(path + n - 5, ".outb");
}

bool parse_openfast_form(const char *command, const char *text, int *form) {
  *form = OPENFAST_AUTOMATIC;
  if (!text) return true;
  if (strlen(text) == 1 && *text >= '1' && *text <= '4') return *form = *text - '0', true;
  print_command_error(command, "--file-id is 1, 2, 3 or 4, a format of OpenFAST's binary files, not '%s'", text);
  return false;
}

// ---- numbers ----

static void put_bytes(const Writer *w, uint64_t bits, int size) {
  for (int i = 0; i < size; i++) fputc((int)(bits >> 8 * i & 0xff), w->out); // an error is seen at the end
}
static void put_int(const Writer *w, int64_t value, int size) { put_bytes(w, (uint64_t)value, size); }
static void put_double(const Writer *w, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_bytes(w, bits, 8);
}
static void put_float(const Writer *w, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_bytes(w, bits, 4);
}
static void put_text(const Writer *w, const char *text) {
  int n = (int)strlen(text);
  for (int i = 0; i < w->length; i++) fputc(i < n ? text[i] : ' ', w->out);
}

static bool is_packed(const Writer *w) { return w->form != OPENFAST_DOUBLES; }

// Visits all columns in blocks of rows.
static bool visit_blocks(Writer *w, void (*visit)(Writer *w, double *const *values, int count)) {
  double **values = calloc((size_t)w->c->count, sizeof *values);
  bool good = values != NULL;
  for (int done = 0; good && done < w->rows.count; done += BLOCK) {
    RowSelection block = {w->rows.first + done * w->rows.every, w->rows.count - done, w->rows.every};
    if (block.count > BLOCK) block.count = BLOCK;
    for (int k = 0; good && k < w->c->count; k++)
      good = read_selected_values(w->command, w->r, w->c->column[k], &block, &values[k]);
    if (good) visit(w, values, block.count);
    for (int k = 0; k < w->c->count; k++) free(values[k]), values[k] = NULL;
  }
  free(values);
  return good;
}

// ---- scales ----

static void note_range(Writer *w, double *const *values, int count) {
  for (int k = 1; k < w->c->count; k++)
    for (int i = 0; i < count; i++) {
      Channel *c = &w->channel[k];
      if (!isfinite(values[k][i])) continue;
      if (!(c->least <= values[k][i])) c->least = values[k][i];
      if (!(c->most >= values[k][i])) c->most = values[k][i];
    }
}

// Integers -32256 to 32256 for all values: room for the round-off of the offset, a float. Where a column hardly changes
// the offset would be too large for a float to tell integers apart; the range is then 65536/2^31 of its size.
static void set_scale(Channel *c) {
  const double span = 2 * 32256, widest = 0x1p-15;
  double middle = c->least / 2 + c->most / 2, range = c->most / 2 - c->least / 2; // half of it: no overflow
  c->scale = 1, c->offset = 0;
  if (isnan(middle)) return;
  range = fmax(2 * range, widest * fabs(middle));
  if (range == 0) return;
  double scale = span / range;
  scale = fmin(fmax(scale, 1e-37), 1e37);
  c->scale = (float)scale;
  c->offset = (float)(-middle * (double)c->scale);
}

static int pack_value(const Channel *c, double value) {
  if (!isfinite(value)) value = 0; // there is no integer for it
  double x = nearbyint(value * (double)c->scale + (double)c->offset);
  return (int)fmin(fmax(x, INT16_MIN), INT16_MAX);
}

// ---- times ----

static bool are_times_even(Writer *w) {
  const double *t = results_time(w->r) + w->rows.first;
  int n = w->rows.count;
  w->start = t[0], w->step = n > 1 ? (t[(size_t)(n - 1) * (size_t)w->rows.every] - t[0]) / (n - 1) : 1;
  for (int i = 0; i < n; i++)
    if (!(fabs(t[(size_t)i * (size_t)w->rows.every] - w->start - i * w->step) <= 1e-4 * w->step)) return false;
  return true;
}

static bool choose_form(Writer *w) {
  bool even = are_times_even(w);
  if (w->form == OPENFAST_AUTOMATIC) w->form = even ? OPENFAST_NAMES : OPENFAST_WITH_TIME;
  if (even || w->form == OPENFAST_WITH_TIME) return true;
  print_command_error(w->command,
                      "rows of '%s' are not evenly spaced, and files of FileID %d have no times; leave out --file-id "
                      "(that is 1), or choose rows by --from, --to and --every",
                      results_path(w->r), w->form);
  return false;
}

static void set_time_scale(Writer *w) {
  const double *t = results_time(w->r) + w->rows.first;
  double last = t[(size_t)(w->rows.count - 1) * (size_t)w->rows.every], range = last - t[0];
  w->time_scale = range > 0 ? 4294967294.0 / range : 1;
  w->time_offset = -(t[0] / 2 + last / 2) * w->time_scale;
}

static void put_times(const Writer *w) {
  const double *t = results_time(w->r) + w->rows.first;
  for (int i = 0; i < w->rows.count; i++) {
    double x = nearbyint(t[(size_t)i * (size_t)w->rows.every] * w->time_scale + w->time_offset);
    put_int(w, (int64_t)fmin(fmax(x, INT32_MIN), INT32_MAX), 4);
  }
}

// ---- names ----

// Blanks and letters beyond ASCII as '_'.
static void plain_name(const char *text, char out[NAME]) {
  int n = 0;
  for (const char *p = text; *p && n + 1 < NAME; p++)
    if ((unsigned char)*p < 0x80) out[n++] = *p > ' ' && *p < 0x7f ? *p : '_';
    else if ((unsigned char)*p >= 0xc0) out[n++] = '_'; // the first byte of a letter
  out[n] = 0;
}

static bool is_taken(const Writer *w, int k) {
  for (int i = 0; i < k; i++)
    if (!strcmp(w->channel[i].name, w->channel[k].name)) return true;
  return false;
}

// A name that none before it has, of at most `most` characters: its beginning, ~ and a number.
static void shorten_name(Writer *w, int k, int most) {
  char number[12], *name = w->channel[k].name;
  int length = (int)strlen(name);
  if (length <= most && !is_taken(w, k)) return;
  for (int i = 1; i < 1000000; i++) {
    int digits = snprintf(number, sizeof number, "~%d", i), kept = length;
    if (kept > most - digits) kept = most - digits;
    memcpy(name + kept, number, (size_t)digits + 1);
    if (!is_taken(w, k)) break;
  }
  w->cut[w->cuts++] = k;
}

// m s-1 as (m/s), N m as (N-m), m s-2 as (m/s^2), 1 as (-).
static void openfast_unit(const char *unit, char out[NAME]) {
  char above[NAME] = "", below[NAME] = "", word[40];
  int used;
  for (const char *p = unit; sscanf(p, " %39s%n", word, &used) == 1; p += used) {
    char *minus = strchr(word, '-'), *side = minus ? below : above;
    size_t at = strlen(side), letters = strcspn(word, "-0123456789");
    const char *power = minus ? minus + 1 : word + letters;
    if (!strcmp(word, "1")) continue;
    snprintf(side + at, NAME - at, "%s%.*s%s%s", at ? "-" : "", (int)letters, word,
             *power && strcmp(power, "1") ? "^" : "", strcmp(power, "1") ? power : "");
  }
  snprintf(out, NAME, "(%.150s%s%.150s)", *above ? above : *below ? "1" : "-", *below ? "/" : "", below);
}

static void name_channels(Writer *w) {
  bool any = w->form == OPENFAST_NAMES;
  w->length = SHORT_NAME;
  for (int k = 0; k < w->c->count; k++) {
    const ResultColumn *column = results_column(w->r, w->c->column[k]);
    Channel *c = &w->channel[k];
    bool time = k == 0 && !strcmp(results_axis(w->r), "time");
    plain_name(time ? "Time" : k == 0 ? results_axis(w->r) : any ? w->c->label[k] : column->brief, c->name);
    openfast_unit(column->units, c->unit);
    shorten_name(w, k, any ? NAME - 1 : SHORT_NAME);
    if (!any && strlen(c->unit) > SHORT_NAME) strcpy(c->unit + SHORT_NAME - 1, ")");
    int name = (int)strlen(c->name), unit = (int)strlen(c->unit);
    if (name > w->length) w->length = name;
    if (unit > w->length) w->length = unit;
  }
}

// What wrote the file, the title of the run, and the whole of each name that was shortened.
static char *describe_file(const Writer *w) {
  char title[200];
  size_t size = 300 + (size_t)w->cuts * 2 * NAME, used;
  char *text = malloc(size);
  if (!text) return NULL;
  results_text(w->r, "title", title, sizeof title);
  snprintf(text, size, "%s%s%s", file_openfast_sign, *title ? ": " : "", title);
  for (int i = 0; i < w->cuts; i++) {
    int k = w->cut[i];
    used = strlen(text);
    snprintf(text + used, size - used, "; %s = %.390s", w->channel[k].name,
             k ? results_column(w->r, w->c->column[k])->name : results_axis(w->r));
  }
  return text;
}

// ---- the file ----

static void put_values(Writer *w, double *const *values, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 1; k < w->c->count; k++)
      if (is_packed(w)) put_int(w, pack_value(&w->channel[k], values[k][i]), 2);
      else put_double(w, values[k][i] + 0.0); // no -0
}

static bool put_file(Writer *w) {
  bool with_time = w->form == OPENFAST_WITH_TIME;
  char *text = describe_file(w);
  if (!text) return false;
  put_int(w, w->form, 2);
  if (w->form == OPENFAST_NAMES) put_int(w, w->length, 2);
  put_int(w, w->c->count - 1, 4), put_int(w, w->rows.count, 4);
  put_double(w, with_time ? w->time_scale : w->start), put_double(w, with_time ? w->time_offset : w->step);
  for (int k = 1; is_packed(w) && k < w->c->count; k++) put_float(w, w->channel[k].scale);
  for (int k = 1; is_packed(w) && k < w->c->count; k++) put_float(w, w->channel[k].offset);
  put_int(w, (int64_t)strlen(text), 4);
  fputs(text, w->out);
  free(text);
  for (int k = 0; k < w->c->count; k++) put_text(w, w->channel[k].name);
  for (int k = 0; k < w->c->count; k++) put_text(w, w->channel[k].unit);
  if (with_time) put_times(w);
  return visit_blocks(w, put_values);
}

bool write_openfast(const char *command, Results *r, const ColumnSelection *c, const RowSelection *rows, int *form,
                    FILE *out) {
  Writer w = {.command = command, .r = r, .c = c, .rows = *rows, .form = *form, .out = out};
  w.channel = calloc((size_t)c->count, sizeof *w.channel);
  w.cut = calloc((size_t)c->count, sizeof *w.cut);
  bool good = w.channel && w.cut && choose_form(&w);
  for (int k = 0; good && k < c->count; k++) w.channel[k].least = w.channel[k].most = NAN;
  if (good && is_packed(&w)) good = visit_blocks(&w, note_range);
  for (int k = 0; good && k < c->count; k++) set_scale(&w.channel[k]);
  if (good) set_time_scale(&w), name_channels(&w);
  good = good && put_file(&w);
  *form = w.form;
  free(w.channel), free(w.cut);
  return good;
}
