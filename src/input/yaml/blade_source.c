// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/blade_source.h"

#include "input/yaml/files.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/symmetric.h"

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
  if (found.fresh) r->diagnostics->file[found.file].hidden = true;
  return 0;
}

static Error ReadBladeSource(Reader *r, const Tree *word, const BladeChoices *choices, Blade *out, bool *good) {
  SourceOpener s = {{OpenSource, &r->store, r->diagnostics, &r->count}, r, word};
  ImportMistake mistake;
  TRY(BladeRead(&s.opener, word->text, choices, out, &mistake, good));
  if (!mistake.text[0]) return 0;
  if (!out->format) TRY(ReportError(r, word->at, "%s", mistake.text));
  else TRY(ReportError(r, word->at, "line %d of '%s': %s", mistake.line, mistake.file, mistake.text));
  return 0;
}

static const char *const gyration_words[] = {"elastic_centre", "mass_centre", NULL};
static const char *gyration_word(int i) { return gyration_words[i]; }
const FieldMore blade_gyrations = {NULL, gyration_word};

// The one format that is given.
static Error FindFormat(Reader *r, const Tree *map, BladeChoices *choices, const Tree **word) {
  char known[200];
  const Tree *second = NULL;
  *word = NULL;
  for (int i = 0; blade_formats[i]; i++) {
    const Tree *found = tree_find(map, blade_formats[i]->name);
    if (found && *word) second = found;
    else if (found) *word = found, choices->format = blade_formats[i]->name;
  }
  if (second) TRY(ReportError(r, second->at, "'from_file' takes one file"));
  else if (!*word)
    TRY(ReportError(r, map->at, "'from_file' needs a file: one of %s", blade_formats_text(known, sizeof known)));
  if (second) *word = NULL;
  return 0;
}

Error ReadBladeFile(Reader *r, const Tree *map, const BladeFile *file, Blade *out, const Tree **word, bool *good) {
  BladeChoices choices = {NULL, file->part, file->sections, false};
  choices.about_mass_centre = file->gyration && !strcmp(file->gyration, "mass_centre");
  TRY(FindFormat(r, map, &choices, word));
  *good = *word != NULL;
  if (*good) TRY(ReadBladeSource(r, *word, &choices, out, good));
  return 0;
}

Error CheckBladeSections(Reader *r, const Blade *b, const Tree *word, bool *good) {
  double inverse[6][6];
  for (int i = 0; i < b->sections && *good; i++) {
    *good = symmetric_inverse(b->section[i].stiffness, inverse);
    if (!*good)
      TRY(ReportError(r, word->at,
                      "line %d of '%s': the stiffness at %g of the length is not positive definite; `limber section` "
                      "says more about it",
                      b->line[i], b->section_file, b->section[i].at));
  }
  return 0;
}

Error WarnAboutBladeFile(Reader *r, const Blade *b, const Tree *word) {
  int worst = 0;
  for (int i = 1; i < b->sections; i++)
    if (b->asymmetry[i] > b->asymmetry[worst]) worst = i;
  if (b->asymmetry[worst] > 1e-9)
    TRY(ReportWarning(
        r, word->at,
        "line %d of '%s': the stiffness at %g of the length is not symmetric, by %.2g of its diagonal; its "
        "symmetric part is taken",
        b->line[worst], b->section_file, b->section[worst].at, b->asymmetry[worst]));
  if (b->remark[0]) TRY(ReportWarning(r, word->at, "'%s': %s", b->section_file, b->remark));
  return 0;
}
