// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/files.h"

#include "input/yaml/kept.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <ctype.h>
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

Error AddSource(Reader *r, const char *name, const char *path, SourceText *text, bool kept, int *source, int *file) {
  Input *in = r->in;
  TRY(MemoryResize((size_t)(in->sources + 1) * sizeof *in->source, &in->source));
  in->source[in->sources] = (InputSource){name, text->text, text->length, kept};
  *source = in->sources++;
  TRY(DiagnosticsAddFile(r->diagnostics, path, text->text, text->length, file));
  return 0;
}

// The changes of the command line are relative to the model file.
int source_of(const Reader *r, int file) {
  if (!r->changes || file < r->changes) return file;
  return file == r->changes ? 0 : file - 1;
}

// What a model may read: files below the folder of the model file, and no more bytes than are left.
static Error MakeRule(Reader *r, SourceRule *rule) {
  const char *file = r->in->file, *slash = strrchr(file, '/'), *folder = ".";
  size_t left = LIMIT_MODEL_BYTES > r->bytes ? LIMIT_MODEL_BYTES - r->bytes : 1;
  if (slash) TRY(StoreText(&r->store, file, slash == file ? 1 : (size_t)(slash - file), &folder));
  *rule = (SourceRule){r->in->allow_outside ? NULL : folder, left < LIMIT_FILE_BYTES ? left : LIMIT_FILE_BYTES};
  return 0;
}

Error CountScanned(Reader *r, const Tree *word, long long count, bool *good) {
  bool before = r->scanned > LIMIT_SCANNED;
  r->scanned += count;
  *good = r->scanned <= LIMIT_SCANNED;
  if (!*good && !before)
    TRY(ReportError(r, word->at, "tables and meshes are used too often: more than %lld bytes and cells are read",
                    LIMIT_SCANNED));
  return 0;
}

void count_bytes(Reader *r, size_t length) {
  r->bytes += length;
  unsigned long long most = LIMIT_MADE + LIMIT_MADE_PER_BYTE * (unsigned long long)r->bytes;
  r->model->most_elements = most < LIMBER_MOST_ELEMENTS ? (int)most : LIMBER_MOST_ELEMENTS;
}

static Error ReadNewSource(Reader *r, const char *name, const char *path, int *source, int *error, char *why,
                           size_t size) {
  SourceText got = {0};
  SourceRule rule;
  int file;
  const SourceText *before = r->kept ? kept_text(r->kept, path) : NULL;
  if (!r->read) {
    snprintf(why, size, "no file can be read here");
    return 0;
  }
  if (r->in->sources > LIMIT_FILES) {
    snprintf(why, size, "a model names at most %d files", LIMIT_FILES);
    return 0;
  }
  TRY(MakeRule(r, &rule));
  if (before && (!rule.most || before->length <= rule.most)) got = *before;
  else TRY(r->read(path, &rule, &got));
  if (!got.text) {
    *error = got.error;
    snprintf(why, size, "cannot read '%s': %s", path, source_error(got.error));
    return 0;
  }
  count_bytes(r, got.length);
  if (r->kept && got.text != (before ? before->text : NULL)) TRY(KeepText(r->kept, path, &got));
  TRY(AddSource(r, name, path, &got, r->kept, source, &file));
  return 0;
}

Error TrySource(Reader *r, int by, const char *text, FoundSource *out) {
  Input *in = r->in;
  const char *name;
  int i = 0;
  *out = (FoundSource){.source = -1};
  TRY(JoinNames(&in->model->store, in->source[by].name, text, &name));
  TRY(JoinNames(&in->model->store, in->file, name, &out->path));
  if (!strcmp(out->path, "-")) out->path = "./-"; // the name of stdin
  while (i < in->sources && strcmp(in->source[i].name, name)) i++;
  out->fresh = i == in->sources;
  if (out->fresh) TRY(ReadNewSource(r, name, out->path, &out->source, &out->error, out->why, sizeof out->why));
  else out->source = i;
  out->file = r->changes && out->source >= r->changes ? out->source + 1 : out->source;
  return 0;
}

Error FindSource(Reader *r, const Tree *word, const char **path, int *source, bool *fresh) {
  FoundSource found;
  TRY(TrySource(r, source_of(r, word->at.file), word->text, &found));
  if (found.source < 0) TRY(ReportError(r, word->at, "%s", found.why));
  *path = found.path, *source = found.source, *fresh = found.fresh;
  return 0;
}

Error ReadSource(Reader *r, const Tree *word, const char **path, const char **text, size_t *length) {
  int source;
  bool fresh;
  TRY(FindSource(r, word, path, &source, &fresh));
  *text = source < 0 ? NULL : r->in->source[source].text;
  if (source >= 0) *length = r->in->source[source].length;
  return 0;
}

// A binary file as results hold it: two digits a byte behind this line.
static const char hexadecimal[] = "limber: bytes\n";

Error UnpackSource(Store *s, const char **text, size_t *length) {
  size_t head = sizeof hexadecimal - 1, n;
  char *bytes;
  if (*length < head || memcmp(*text, hexadecimal, head)) return 0;
  n = (*length - head) / 2;
  TRY(StoreAllocate(s, n + 1, &bytes));
  for (size_t i = 0; i < 2 * n; i++) {
    int c = tolower((unsigned char)(*text)[head + i]);
    if (!isxdigit(c)) return 0;
    bytes[i / 2] = (char)(16 * (unsigned char)bytes[i / 2] + (c <= '9' ? c - '0' : c - 'a' + 10));
  }
  *text = bytes, *length = n;
  return 0;
}

// ---- whether a text is a model ----

// After a key: "limber: 1", "limber": 1
static bool is_version(const char *p, const char *end) {
  if (p < end && (*p == '"' || *p == '\'')) p++;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  if (p == end || *p++ != ':') return false;
  while (p < end && (*p == ' ' || *p == '\t' || *p == '"' || *p == '\'')) p++;
  return p < end && *p >= '0' && *p <= '9';
}

bool text_is_model(const char *text, size_t length) {
  static const char key[] = "limber";
  const char *end = text + length;
  for (const char *p = text; (p = memchr(p, key[0], (size_t)(end - p))); p++) {
    if ((size_t)(end - p) < sizeof key - 1 || memcmp(p, key, sizeof key - 1)) continue;
    bool begins = p == text || strchr(" \t\r\n{,\"'", p[-1]) || (unsigned char)p[-1] == 0xBF; // after the mark of UTF-8
    if (begins && is_version(p + sizeof key - 1, end)) return true;
  }
  return false;
}
