// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/lookup.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <string.h>

// The search for the nearest name is given up after many mistakes: it takes time for each.
const char *did_you_mean(Reader *r, const Names *names, const char *word, char *text, size_t size) {
  const char *nearest = r->diagnostics->count < 200 ? scope_nearest(r, names, word) : NULL;
  text[0] = 0;
  if (nearest) snprintf(text, size, "; did you mean '%s'?", nearest);
  return text;
}

// A name begins with a letter; '.' and '/' divide names of nodes and of results.
static bool is_name(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_' && !((unsigned char)*s & 0x80)) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-' && *s != '#' && !((unsigned char)*s & 0x80)) return false;
  return true;
}

Error CheckName(Reader *r, const char *what, const Names *names, const char *text, SourceLocation at, bool *good) {
  const char *full;
  char where[300];
  *good = false;
  if (r->scope && strlen(r->scope->prefix) + strlen(text) > LIMIT_SCOPED_NAME)
    return ReportError(r, at, "the name '%.40s...' in an instance has more than %d letters", text, LIMIT_SCOPED_NAME);
  TRY(ScopeName(r, text, &full));
  const Name *old = names_find(names, full);
  if (!is_name(text))
    TRY(ReportError(r, at, "'%s' is no name: a letter comes first, then letters, digits, '_' and '-'", text));
  else if (!strcmp(text, "ground"))
    TRY(ReportError(r, at, "'ground' is taken: it names the ground, which is there without being written"));
  else if (old)
    TRY(ReportError(r, at, "there is already %s %s '%s', %s", article_of(what), what, text,
                    diagnostics_describe_location(r->diagnostics, old->at, at, where, sizeof where)));
  else *good = true;
  return 0;
}

Error FindName(Reader *r, const char *what, const Names *names, const Tree *word, LimberId *id) {
  char hint[200], name[200];
  *id = BROKEN;
  if (word->broken) return 0;
  if (word->kind != TREE_WORD || tree_empty(word)) {
    TRY(ReportError(r, word->at, "the name of %s %s is wanted here, not %s", article_of(what), what,
                    tree_name(word, name, sizeof name)));
    return 0;
  }
  const Name *found = scope_find(r, names, word->text);
  const char *given = scope_word(r, word->text);
  if (found) *id = found->id;
  else if (given != word->text)
    TRY(ReportError(r, word->at, "there is no %s '%s', which '%s' stands for%s", what, given, word->text,
                    did_you_mean(r, names, given, hint, sizeof hint)));
  else
    TRY(ReportError(r, word->at, "there is no %s '%s'%s", what, word->text,
                    did_you_mean(r, names, word->text, hint, sizeof hint)));
  return 0;
}
