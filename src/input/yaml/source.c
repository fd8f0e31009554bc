// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/source.h"

#include "base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const SourceRule source_rule_model = {NULL, LIMIT_FILE_BYTES};

const char *source_error(int error) {
  static char text[100];
  switch (error) {
  case SOURCE_OUTSIDE: return "it is not below the folder of the model; the option --allow-outside permits that";
  case SOURCE_NO_FILE: return "it is a pipe or a device, not a file";
  case SOURCE_TOO_LARGE:
    snprintf(text, sizeof text, "a file has at most %zu MB, all of a model together %zu MB", LIMIT_FILE_BYTES >> 20,
             LIMIT_MODEL_BYTES >> 20);
    return text;
  default: return strerror(error);
  }
}

// ---- which file ----

// Whether a path without symbolic links is below a folder.
static bool is_below(const char *path, const char *folder) {
  size_t n = strlen(folder);
  if (n && folder[n - 1] == '/') n--; // the root
  return !strncmp(path, folder, n) && path[n] == '/';
}

// Whether the folder in which a file is missing is below another: else nothing is told of what there is.
static bool is_missing_below(const char *path, const char *folder) {
  char part[PATH_MAX], *slash, *real = NULL;
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) return false;
  while (!real && (slash = strrchr(part, '/'))) {
    *slash = 0;
    real = realpath(*part ? part : "/", NULL);
  }
  if (!real) real = realpath(".", NULL);
  bool below = real && (!strcmp(real, folder) || is_below(real, folder));
  free(real);
  return below;
}

// Resolves a path, and says what the file is: 0, or why it is not to be read.
static int examine_file(const char *path, const SourceRule *rule, struct stat *file) {
  char *folder = rule->folder ? realpath(rule->folder, NULL) : NULL, *real = realpath(path, NULL);
  int error = real ? 0 : errno;
  if (!real && !stat(path, file)) error = SOURCE_NO_FILE; // such as /dev/stdin of a pipe
  if (rule->folder && !folder) error = SOURCE_OUTSIDE;
  else if (folder && !(real ? is_below(real, folder) : is_missing_below(path, folder))) error = SOURCE_OUTSIDE;
  if (!error && lstat(real, file)) error = errno;
  if (!error && S_ISDIR(file->st_mode)) error = EISDIR;
  else if (!error && !S_ISREG(file->st_mode)) error = SOURCE_NO_FILE;
  else if (!error && rule->most && (unsigned long long)file->st_size > rule->most) error = SOURCE_TOO_LARGE;
  free(folder), free(real);
  return error;
}

// Opens a file that has been examined, and examines what is open: another may have taken its place. -1: not opened.
static int open_file(const char *path, const SourceRule *rule, int *error) {
  struct stat file, open_one;
  *error = examine_file(path, rule, &file);
  if (*error) return -1;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); // a pipe would wait for its writer
  if (fd < 0) return *error = errno, -1;
  *error = examine_file(path, rule, &file);
  if (!*error && fstat(fd, &open_one)) *error = errno;
  if (!*error && (open_one.st_dev != file.st_dev || open_one.st_ino != file.st_ino)) *error = SOURCE_NO_FILE;
  if (*error) close(fd), fd = -1;
  return fd;
}

// ---- its text ----

// To the end, or to one byte more than is allowed. A text has no zeros: reading from stdin ends at the first.
static Error ReadBytes(int fd, size_t most, SourceText *out) {
  struct stat file;
  bool sized = !fstat(fd, &file) && file.st_size > 0 && (!most || (size_t)file.st_size <= most);
  size_t room = sized ? (size_t)file.st_size + 2 : 1 << 16;
  ssize_t got = 1;
  while (got > 0 && (!most || out->length <= most)) {
    if (out->length + 1 >= room) room *= 2;
    TRY(MemoryResize(room, &out->text));
    got = read(fd, out->text + out->length, room - 1 - out->length);
    if (got < 0 && errno == EINTR) got = 1;
    else if (got < 0) out->error = errno;
    else {
      bool ends = fd == STDIN_FILENO && memchr(out->text + out->length, 0, (size_t)got);
      out->length += (size_t)got;
      if (ends) break;
    }
  }
  out->text[out->length] = 0;
  if (!out->error && most && out->length > most) out->error = SOURCE_TOO_LARGE;
  return 0;
}

Error SourceRead(const char *path, const SourceRule *rule, SourceText *out) {
  bool stdin_is_meant = !strcmp(path, "-");
  *out = (SourceText){0};
  int fd = stdin_is_meant ? STDIN_FILENO : open_file(path, rule, &out->error);
  if (fd < 0) return 0;
  TRY(ReadBytes(fd, rule->most, out));
  if (!stdin_is_meant) close(fd);
  if (out->error) memory_free(&out->text);
  return 0;
}
