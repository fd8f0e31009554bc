// SPDX-License-Identifier: Apache-2.0
#include "files/cache.h"

#include "base/limits.h"
#include "base/mix.h"
#include "files/folder.h"
#include "model/error.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t most_bytes = (size_t)LIMIT_CACHE_BYTES;
static const char name_begins[] = "value-";

typedef struct { // how a file begins; key and value follow
  char sign[16];
  uint64_t key_size, size, sum;
} FileHead;
static const char sign[16] = "limber cache 1\n";

static uint64_t sum_of(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
    sum = random_mix(sum + word + 0x9E3779B97F4A7C15u);
  }
  return sum;
}

// False: nothing is kept.
static bool find_folder(char *out, size_t size) {
  const char *own = getenv("LIMBER_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = 0;
  if (own && *own) n = snprintf(out, size, "%s", own);
  else if (cache && *cache == '/') n = snprintf(out, size, "%s/limber", cache);
  else if (home && *home == '/') n = snprintf(out, size, "%s/.cache/limber", home);
  return n > 0 && (size_t)n < size && *out == '/'; // "off" is none
}

static bool find_path(const KeptValue *e, char *out, size_t size) {
  char folder[4000];
  if (!find_folder(folder, sizeof folder)) return false;
  snprintf(out, size, "%s/%s%016llx%016llx", folder, name_begins, (unsigned long long)sum_of(1, e->key, e->key_size),
           (unsigned long long)sum_of(2, e->key, e->key_size));
  return true;
}

static bool read_all(int fd, void *out, size_t size) {
  char *at = out;
  while (size) {
    ssize_t n = read(fd, at, size);
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static bool write_all(int fd, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    ssize_t n = write(fd, at, size);
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

// Key and value of a file whose head fits to its length.
static void *read_file(int fd, size_t key_size, FileHead *head) {
  struct stat s;
  char *bytes;
  if (fstat(fd, &s) || s.st_size < 0 || (uint64_t)s.st_size > most_bytes || !read_all(fd, head, sizeof *head))
    return NULL;
  if (memcmp(head->sign, sign, sizeof sign) || head->key_size != key_size || head->size > most_bytes) return NULL;
  if ((uint64_t)s.st_size != sizeof *head + head->key_size + head->size) return NULL;
  if (MemoryNew(key_size + head->size + 1, &bytes)) return NULL;
  if (read_all(fd, bytes, key_size + head->size) && sum_of(3, bytes, key_size + head->size) == head->sum) return bytes;
  memory_free(&bytes);
  return NULL;
}

static bool find_value(KeptValue *e) {
  char path[4100];
  FileHead head;
  e->value = NULL, e->size = 0;
  if (!find_path(e, path, sizeof path)) return false;
  int fd = own_open_below(path, O_RDONLY);
  if (fd < 0) return false;
  char *bytes = read_file(fd, e->key_size, &head);
  if (bytes && !memcmp(bytes, e->key, e->key_size)) {
    memmove(bytes, bytes + e->key_size, head.size);
    e->value = bytes, e->size = head.size;
    futimens(fd, NULL); // it was used
  } else memory_free(&bytes);
  close(fd);
  return e->value;
}

// Removes the values that were used longest ago until `size` bytes more have room.
static void make_room(const char *path, size_t size) {
  enum { MOST_FILES = 10000 };
  int folder = own_folder_open(path);
  for (int removed = 0; folder >= 0 && removed < MOST_FILES; removed++) {
    DIR *all = fdopendir(dup(folder));
    char oldest[256] = "";
    struct timespec least = {0, 0};
    size_t bytes = size;
    if (!all) break;
    rewinddir(all);
    for (struct dirent *d = readdir(all); d; d = readdir(all)) {
      struct stat s;
      if (strncmp(d->d_name, name_begins, strlen(name_begins)) != 0) continue;
      if (fstatat(folder, d->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode)) continue;
      bytes += (size_t)s.st_size;
      if (*oldest &&
          (s.st_mtim.tv_sec > least.tv_sec || (s.st_mtim.tv_sec == least.tv_sec && s.st_mtim.tv_nsec >= least.tv_nsec)))
        continue;
      snprintf(oldest, sizeof oldest, "%s", d->d_name), least = s.st_mtim;
    }
    closedir(all);
    if (bytes <= most_bytes || !*oldest || unlinkat(folder, oldest, 0)) break;
  }
  if (folder >= 0) close(folder);
}

// All folders above, too: a new account has no ~/.cache.
static bool make_folder(const char *path) {
  char above[4000];
  const char *slash = strrchr(path, '/');
  snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
  if (*above) mkdir(above, 0700);
  if (!mkdir(path, 0700)) return true;
  return own_folder_make(path);
}

static void keep_value(const KeptValue *e) {
  char folder[4000], path[4100], made[4200];
  FileHead head = {.key_size = e->key_size, .size = e->size};
  size_t all = sizeof head + e->key_size + e->size;
  memcpy(head.sign, sign, sizeof sign);
  if (all > most_bytes / 4 || !find_folder(folder, sizeof folder) || !find_path(e, path, sizeof path)) return;
  if (!make_folder(folder)) return;
  make_room(folder, all);
  char *bytes;
  if (MemoryNew(e->key_size + e->size + 1, &bytes)) return;
  memcpy(bytes, e->key, e->key_size), memcpy(bytes + e->key_size, e->value, e->size);
  head.sum = sum_of(3, bytes, e->key_size + e->size);
  snprintf(made, sizeof made, "%s.%ld", path, (long)getpid()); // a reader finds a whole file or none
  int fd = own_open_below(made, O_WRONLY | O_CREAT | O_EXCL);
  bool good = fd >= 0 && write_all(fd, &head, sizeof head) && write_all(fd, bytes, e->key_size + e->size);
  if (fd >= 0 && (close(fd) || !good || rename(made, path))) unlink(made);
  memory_free(&bytes);
}

const KeptValues cached_values = {find_value, keep_value};
