// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/files.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <string.h>

Error JoinNames(Store *s, const char *by, const char *name, const char **out) {
  const char *slash = strrchr(by, '/');
  size_t folder = slash && *name != '/' ? (size_t)(slash - by) + 1 : 0, n = 0;
  char *all, *to;
  TRY(StoreAllocate(s, folder + strlen(name) + 1, &all));
  TRY(StoreAllocate(s, folder + strlen(name) + 3, &to));
  memcpy(all, by, folder);
  strcpy(all + folder, name);
  if (*all == '/') to[n++] = '/';
  size_t root = n;
  for (const char *p = all; *p;) {
    size_t length = strcspn(p, "/");
    const char *last = n > root + 1 ? to + n - 1 : NULL; // the slash after the last folder
    while (last && last > to + root && last[-1] != '/') last--;
    bool up = length == 2 && !strncmp(p, "..", 2);
    if (up && last && strncmp(last, "../", 3)) n = (size_t)(last - to);
    else if (length && !(length == 1 && *p == '.')) {
      memcpy(to + n, p, length);
      n += length;
      if (p[length]) to[n++] = '/';
    }
    p += length + (p[length] == '/');
  }
  to[n] = 0;
  *out = to;
  return 0;
}

Error AddSource(Reader *r, const char *name, const char *path, SourceText *text, int *source, int *file) {
  Input *in = r->in;
  TRY(MemoryResize((size_t)(in->sources + 1) * sizeof *in->source, &in->source));
  in->source[in->sources] = (InputSource){name, text->text, text->length};
  *source = in->sources++;
  TRY(DiagnosticsAddFile(r->diagnostics, path, text->text, text->length, file));
  return 0;
}

// The file of the diagnostics that a source is; the changes of the command line are relative to the model file.
static int source_of(const Reader *r, int file) {
  if (!r->changes || file < r->changes) return file;
  return file == r->changes ? 0 : file - 1;
}

Error ReadSource(Reader *r, const Tree *word, const char **path, const char **text, size_t *length) {
  Input *in = r->in;
  const char *name;
  int source = 0, file;
  SourceText got = {0};
  *text = NULL;
  if (!r->read) {
    TRY(ReportError(r, word->at, "no file can be read here"));
    return 0;
  }
  TRY(JoinNames(&in->model->store, in->source[source_of(r, word->at.file)].name, word->text, &name));
  TRY(JoinNames(&in->model->store, in->file, name, path));
  if (!strcmp(*path, "-")) *path = "./-";
  while (source < in->sources && strcmp(in->source[source].name, name)) source++;
  if (source == in->sources) {
    TRY(r->read(*path, &got));
    if (!got.text) TRY(ReportError(r, word->at, "cannot read '%s': %s", *path, strerror(got.error)));
    if (!got.text) return 0;
    TRY(AddSource(r, name, *path, &got, &source, &file));
  }
  *text = in->source[source].text, *length = in->source[source].length;
  return 0;
}
