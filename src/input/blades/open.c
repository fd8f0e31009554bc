// SPDX-License-Identifier: Apache-2.0
#include "input/blades/open.h"

#include "input/yaml/files.h"

#include <errno.h>
#include <math.h>
#include <string.h>

const char *blade_formats_text(char *text, size_t size) {
  text[0] = 0;
  for (int i = 0; blade_formats[i]; i++) {
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", i ? ", " : "", blade_formats[i]->name);
  }
  return text;
}

// ---- through an opener ----

static SourceLocation whole(const BladeSource *s) { return (SourceLocation){0, s->length, s->file}; }

// A file that another names.
static Error OpenNamed(const BladeText *by, const char *name, BladeText *out) {
  BladeOpener *o = by->self;
  BladeSource source = {0};
  *out = *by;
  TRY(o->open(o, by->path, name, &source));
  if (!source.text) {
    if (by->path) by->mistake->file = by->path;
    snprintf(by->mistake->text, sizeof by->mistake->text, "%s", source.why);
    return 0;
  }
  out->path = source.path, out->text = source.text, out->length = source.length, out->all = whole(&source);
  out->mistake->file = source.path;
  return 0;
}

static bool is_small(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) < 1e100)) return false;
  return true;
}

static void complain(ImportMistake *m, const char *file, int line, const char *text) {
  if (m->text[0]) return;
  m->file = file, m->line = line;
  snprintf(m->text, sizeof m->text, "%s", text);
}

static const char too_large[] = "a number is too large: at most 1e100";

static void check_axis(const Blade *b, ImportMistake *m) {
  for (int i = 0; i < b->points; i++) {
    const BladePoint *p = &b->point[i];
    if (!is_small(p->at, 3) || !is_small(&p->twist, 1)) complain(m, b->axis_file, p->line, too_large);
    double away = 0;
    for (int k = 0; i && k < 3; k++) away = fmax(away, fabs(p->at[k] - p[-1].at[k]));
    if (i && !(away > 0)) complain(m, b->axis_file, p->line, "the point of the axis is that of the one before");
  }
  if (b->points < 2) complain(m, b->axis_file, 1, "the axis needs two points or more");
}

static Error CheckDirection(const Blade *b, ImportMistake *m) {
  LimberStation *station;
  bool good = true;
  if (m->text[0] || b->sections_only) return 0;
  TRY(StoreAllocate(b->store, (size_t)b->points * sizeof *station, &station));
  TRY(BladeStations(b, station, &good));
  if (!good) complain(m, b->axis_file, b->point[0].line, "the axis must run from the root along z, and never back");
  return 0;
}

static void check_sections(const Blade *b, ImportMistake *m) {
  for (int i = 0; i < b->sections; i++) {
    const LimberSection *s = &b->section[i];
    bool small = is_small(s->stiffness[0], 36) && is_small(s->inertia[0], 9) && is_small(&s->mass, 1);
    if (!small || !is_small(s->centre, 2)) complain(m, b->section_file, b->line[i], too_large);
    if (i && !(s[-1].at < s->at))
      complain(m, b->section_file, b->line[i], "the stations of sections must grow along the axis");
    if (!(s->at >= 0 && s->at <= 1 + 1e-9))
      complain(m, b->section_file, b->line[i], "the station of a section must be in 0 .. 1, a part of the length");
  }
  if (b->sections < 1) complain(m, b->section_file, 1, "there is no section");
}

static Error ReadText(BladeOpener *o, const BladeSource *source, const BladeChoices *c, Blade *out,
                      ImportMistake *mistake) {
  char known[200];
  int errors = o->diagnostics->errors;
  out->axis_file = out->section_file = source->path;
  out->format = blade_format(c->format, source->text, source->length);
  mistake->file = source->path, mistake->line = 1;
  if (!out->format) {
    snprintf(mistake->text, sizeof mistake->text, "%s; there are %s",
             c->format ? "there is no such format" : "the file is of no format that is recognised",
             blade_formats_text(known, sizeof known));
    return 0;
  }
  const BladeText text = {.path = source->path,
                          .text = source->text,
                          .length = source->length,
                          .all = whole(source),
                          .diagnostics = o->diagnostics,
                          .count = o->count,
                          .part = c->part,
                          .data = c->data,
                          .about_mass_centre = c->about_mass_centre,
                          .mistake = mistake,
                          .open = OpenNamed,
                          .self = o};
  TRY(out->format->read(&text, out));
  if (mistake->text[0] || o->diagnostics->errors > errors) return 0;
  check_axis(out, mistake);
  TRY(CheckDirection(out, mistake));
  check_sections(out, mistake);
  return 0;
}

Error BladeRead(BladeOpener *o, const char *name, const BladeChoices *choices, Blade *out, ImportMistake *mistake,
                bool *good) {
  BladeSource source = {0};
  int errors = o->diagnostics->errors;
  *out = (Blade){.store = o->store};
  *mistake = (ImportMistake){0};
  TRY(o->open(o, NULL, name, &source));
  if (source.text) TRY(ReadText(o, &source, choices, out, mistake));
  else if (source.why) {
    mistake->file = source.path;
    snprintf(mistake->text, sizeof mistake->text, "%s", source.why);
  }
  *good = source.text && !mistake->text[0] && o->diagnostics->errors == errors;
  return 0;
}

// ---- from the disk ----

// Of a file that another names no line is printed: it may be anybody's.
static Error ReadDisk(BladeOpener *o, const char *path, bool named, BladeSource *out, int *error) {
  SourceText got = {0};
  const char *copy;
  out->path = path;
  TRY(SourceRead(path, &source_rule_model, &got));
  *error = got.error;
  if (!got.text) {
    char why[1500];
    snprintf(why, sizeof why, "cannot read '%s': %s", path, source_error(got.error));
    TRY(StoreText(o->store, why, strlen(why), &out->why));
    return 0;
  }
  Error failed = StoreText(o->store, got.text, got.length, &copy);
  out->length = got.length;
  memory_free(&got.text);
  TRY(failed);
  out->text = copy;
  TRY(DiagnosticsAddFile(o->diagnostics, path, out->text, out->length, &out->file));
  o->diagnostics->file[out->file].hidden = named;
  return 0;
}

// Relative to the file that names it; HAWC2 has names relative to the folder above, in which it is started.
static Error OpenDisk(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  char above[1100];
  const char *path, *other;
  int error;
  TRY(JoinNames(o->store, by ? by : "", name, &path));
  TRY(ReadDisk(o, by ? path : name, by != NULL, out, &error));
  if (out->text || !by || error != ENOENT || *name == '/') return 0;
  BladeSource second = {0};
  snprintf(above, sizeof above, "../%s", name);
  TRY(JoinNames(o->store, by, above, &other));
  TRY(ReadDisk(o, other, true, &second, &error));
  if (second.text) *out = second;
  return 0;
}

// The place of a line in a file of the diagnostics.
static SourceLocation line_of(const Diagnostics *n, const char *path, int line) {
  int file = n->files - 1;
  while (file > 0 && strcmp(n->file[file].name, path) != 0) file--;
  const char *text = n->file[file].text, *end = text + n->file[file].length, *p = text;
  for (int i = 1; i < line && p; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  if (!p) p = end;
  const char *stop = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
  return (SourceLocation){(size_t)(p - text), (size_t)((stop ? stop : end) - text), file};
}

Error BladeOpen(const char *path, const BladeChoices *choices, Store *store, Diagnostics *n, Blade *out, bool *good) {
  static const BladeChoices none = {0};
  TreeCount count = {0};
  BladeOpener o = {OpenDisk, store, n, &count};
  ImportMistake mistake;
  int files = n->files, file;
  TRY(BladeRead(&o, path, choices ? choices : &none, out, &mistake, good));
  if (!mistake.text[0]) return 0;
  if (n->files == files) TRY(DiagnosticsAddFile(n, path, "", 0, &file));
  TRY(DiagnosticsAdd(n, DIAGNOSTIC_ERROR, line_of(n, mistake.file, mistake.line), "%s", mistake.text));
  return 0;
}
