// SPDX-License-Identifier: Apache-2.0
// Any text is read as a blade file of each format, and as a polar, or refused: a target for libFuzzer, run by run.sh. The files that it names
// have the same text. A blade that was read is written as a model.
#include "input/blades/polar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

typedef struct {
  BladeOpener opener;
  const char *text;
  size_t length;
} Same;

static Error OpenSame(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  const Same *s = (const Same *)(void *)o;
  (void)by;
  *out = (BladeSource){.text = s->text, .length = s->length};
  TRY(StoreText(o->store, name, strlen(name), &out->path));
  TRY(DiagnosticsAddFile(o->diagnostics, out->path, out->text, out->length, &out->file));
  return 0;
}

static void read_as(const char *format, const char *text, size_t length) {
  const BladeChoices choices = {.format = format};
  Store store = {0};
  Diagnostics diagnostics = {0};
  TreeCount count = {0};
  Same same = {{OpenSame, &store, &diagnostics, &count}, text, length};
  ImportMistake mistake;
  Blade b;
  bool good;
  if (BladeRead(&same.opener, "blade", &choices, &b, &mistake, &good)) abort();
  if (!good && !mistake.text[0] && !diagnostics.errors) abort();
  if (good) {
    char *written = NULL;
    size_t all = 0;
    FILE *out = open_memstream(&written, &all);
    if (!out || BladeWriteModel(&b, "blade", NULL, out) || fclose(out)) abort();
    free(written);
  }
  if (DiagnosticsDestroy(&diagnostics) || StoreDestroy(&store)) abort();
}

// Coefficients of airfoils: angles increase, all numbers are finite.
static void read_polar(bool windio, const char *all, size_t length) {
  Store store = {0};
  Diagnostics diagnostics = {0};
  TreeCount count = {0};
  ImportMistake mistake = {0};
  PolarRows rows;
  int file;
  if (DiagnosticsAddFile(&diagnostics, "polar", all, length, &file)) abort();
  const BladeText text = {.path = "polar",
                          .text = all,
                          .length = length,
                          .all = {0, length, file},
                          .diagnostics = &diagnostics,
                          .count = &count,
                          .mistake = &mistake};
  if (windio ? PolarReadWindio(&text, &store, "thick", 0, &rows) : PolarReadAerodyn(&text, &store, 0, &rows)) abort();
  if (!rows.row && !mistake.text[0] && !diagnostics.errors) abort();
  for (int i = 0; i < 4 * rows.rows; i++)
    if (!(fabs(rows.row[i]) < HUGE_VAL) || (i % 4 == 0 && i && !(rows.row[i] > rows.row[i - 4]))) abort();
  if (DiagnosticsDestroy(&diagnostics) || StoreDestroy(&store)) abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) abort();
  if (size) memcpy(text, data, size);
  text[size] = 0;
  read_as(NULL, text, size);
  for (int i = 0; blade_formats[i]; i++) read_as(blade_formats[i]->name, text, size);
  for (int windio = 0; windio < 2; windio++) read_polar(windio, text, size);
  free(text);
  return 0;
}
