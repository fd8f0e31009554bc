// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/blade_source.h"

#include "input/yaml/files.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <errno.h>
#include <string.h>

typedef struct {
  BladeOpener opener;
  Reader *r;
  const Tree *word;
} SourceOpener;

// The source that has this path; the model itself where there is none.
static Error FindPath(Reader *r, const char *path, int *source) {
  for (*source = r->in->sources - 1; *source > 0; --*source) {
    const char *other;
    TRY(JoinNames(&r->store, r->in->file, r->in->source[*source].name, &other));
    if (!strcmp(path, other)) break;
  }
  return 0;
}

static Error OpenSource(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  const SourceOpener *s = (const SourceOpener *)(void *)o;
  Reader *r = s->r;
  FoundSource found, above;
  int source = source_of(r, s->word->at.file);
  bool good;
  if (by) TRY(FindPath(r, by, &source));
  TRY(TrySource(r, source, name, &found));
  if (found.source < 0 && by && found.error == ENOENT && *name != '/') { // the folder above, in which HAWC2 is started
    char text[1100];
    snprintf(text, sizeof text, "../%s", name);
    TRY(TrySource(r, source, text, &above));
    if (above.source >= 0) found = above;
  }
  *out = (BladeSource){.path = found.path};
  if (found.source < 0) {
    TRY(StoreText(&r->store, found.why, strlen(found.why), &out->why));
    return 0;
  }
  const InputSource *text = &r->in->source[found.source];
  TRY(CountScanned(r, s->word, (long long)text->length, &good));
  if (!good) {
    out->why = "too much is looked at";
    return 0;
  }
  out->text = text->text, out->length = text->length, out->file = found.file;
  r->diagnostics->file[found.file].hidden = true;
  return 0;
}

Error ReadBladeSource(Reader *r, const Tree *word, const BladeChoices *choices, Blade *out, bool *good) {
  SourceOpener s = {{OpenSource, &r->store, r->diagnostics, &r->count}, r, word};
  ImportMistake mistake;
  TRY(BladeRead(&s.opener, word->text, choices, out, &mistake, good));
  if (!mistake.text[0]) return 0;
  if (!out->format) TRY(ReportError(r, word->at, "%s", mistake.text));
  else TRY(ReportError(r, word->at, "line %d of '%s': %s", mistake.line, mistake.file, mistake.text));
  return 0;
}
