// SPDX-License-Identifier: Apache-2.0
// The folder of the blocks: whose it is, who writes there. The folder of the runs that are kept.
#include "files/claim.h"
#include "files/found.h"
#include "study/study.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char claimed[4200];

static void path_in(const Study *s, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/%s", s->folder, name);
}

static void describe(const Study *s, char *text, size_t size) {
  snprintf(text, size, "blocks of a study of Limber\nidentity %s\nruns %llu\nblock %llu\nrow %zu\n", s->identity,
           (unsigned long long)s->runs, (unsigned long long)s->block, study_row_size(&s->layout));
}

static bool write_identity(const Study *s, char *wrong, size_t size) {
  char text[400], path[4200], part[4300];
  describe(s, text, sizeof text);
  path_in(s, "identity", path, sizeof path);
  snprintf(part, sizeof part, "%s.%ld.tmp", path, (long)getpid());
  bool good = own_create(part);
  int fd = good ? own_open_below(part, O_WRONLY) : -1;
  good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  if (fd >= 0 && close(fd)) good = false;
  if (good && !rename(part, path)) return true;
  snprintf(wrong, size, "cannot write '%s': %s", path, found_error(errno));
  unlink(part);
  return false;
}

// 0: there is none; -1: of another study; 1: of this one.
static int read_identity(const Study *s) {
  char text[400], there[400], path[4200];
  describe(s, text, sizeof text);
  path_in(s, "identity", path, sizeof path);
  int fd = own_open_below(path, O_RDONLY);
  if (fd < 0) return errno == ENOENT ? 0 : -1;
  ssize_t got = read(fd, there, sizeof there - 1);
  close(fd);
  there[got > 0 ? got : 0] = 0;
  return strcmp(text, there) ? -1 : 1;
}

// A number of at least so many digits, and one of some endings.
static bool is_numbered(const char *name, int digits, const char *const *ending) {
  size_t length = strspn(name, "0123456789");
  for (; length >= (size_t)digits && *ending; ending++)
    if (!strcmp(name + length, *ending)) return true;
  return false;
}

// Whether a name is one that a study gives: 000012.rows, 000012.part, identity, lock.
static bool is_ours(const char *name) {
  static const char *const ending[] = {".h5", ".rows", ".part", ".tmp", NULL};
  if (!strncmp(name, "identity", 8) || !strcmp(name, "lock") || !strncmp(name, "lock.", 5)) return true;
  return is_numbered(name, 1, ending);
}

static DIR *open_folder(const char *path) {
  int fd = own_folder_open(path);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  if (fd >= 0 && !d) close(fd);
  return d;
}

typedef bool (*Visit)(const Study *s, const char *path, const char *name, void *self);

// Calls `visit` with all files of ours until it gives false.
static bool for_files(const Study *s, Visit visit, void *self) {
  char path[4700];
  DIR *d = open_folder(s->folder);
  bool good = true;
  if (!d) return true;
  for (struct dirent *e; good && (e = readdir(d));) {
    if (!is_ours(e->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", s->folder, e->d_name);
    good = visit(s, path, e->d_name, self);
  }
  closedir(d);
  return good;
}

static bool remove_file(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)self;
  if (strncmp(name, "lock", 4)) unlink(path);
  return true;
}

static bool remove_lock(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)self;
  if (!strncmp(name, "lock", 4)) unlink(path);
  return true;
}

void study_folder_remove(const Study *s) {
  for_files(s, remove_file, NULL);
  for_files(s, remove_lock, NULL);
  rmdir(s->folder); // it stays where somebody else has put a file
}

// Locks and what tells whose the folder is say nothing of runs.
static bool is_no_block(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)path, (void)self;
  return !strncmp(name, "lock", 4) || !strncmp(name, "identity", 8);
}

bool study_folder_is_new(const Study *s) { return read_identity(s) != 1; }

// ---- runs that are kept ----

// 000123.h5, and what stands beside it.
static bool is_kept_run(const char *name) {
  static const char *const ending[] = {".h5", ".xdmf", ".html", NULL};
  return is_numbered(name, 6, ending);
}

int study_kept_runs(const char *folder, bool remove) {
  char path[4700];
  int count = 0;
  DIR *d = open_folder(folder);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (!is_kept_run(e->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (remove) unlink(path);
    count++;
  }
  closedir(d);
  return count;
}

// ---- the folder of the blocks ----

// Files are those that a study writes: no links, pipes or files of others.
static bool check_file(const Study *s, const char *path, const char *name, void *self) {
  char *wrong = self;
  (void)s, (void)name;
  int fd = own_open_below(path, O_RDONLY);
  if (fd >= 0) return close(fd), true;
  if (errno == ENOENT) return true; // another part of the study has just finished with it
  snprintf(wrong, 4600, "cannot use '%.4000s': %s\n  Remove it, or write to another file with -o", path,
           found_error(errno));
  return false;
}

static bool make_folder(const Study *s, char *wrong, size_t size) {
  return own_folder_make(s->folder) ||
         (snprintf(wrong, size, "cannot make the folder '%s': %s", s->folder, found_error(errno)), false);
}

bool study_folder_open(const Study *s, bool force, char *wrong, size_t size) {
  char text[4600];
  if (!make_folder(s, wrong, size)) return false;
  if (!for_files(s, check_file, text)) return snprintf(wrong, size, "%s", text), false;
  int state = read_identity(s);
  if (state < 0 && !force)
    return snprintf(wrong, size,
                    "'%s' has runs of another plan, of another model or of another version of Limber\n"
                    "  Write to another file with -o, or begin anew with --force, which removes them",
                    s->folder),
           false;
  if (state == 1 && !force) return true;
  if (!force && !for_files(s, is_no_block, NULL))
    return snprintf(wrong, size,
                    "'%s' has files with names of blocks, and nothing says of which study\n"
                    "  Write to another file with -o, or remove them with --force",
                    s->folder),
           false;
  for_files(s, remove_file, NULL);
  return write_identity(s, wrong, size);
}

// Another study or part that would do the same blocks.
static bool check_lock(const Study *s, const char *path, const char *name, void *self) {
  char *wrong = self, text[4600];
  (void)s;
  if (strncmp(name, "lock", 4) || !claim_is_held(path, text, sizeof text)) return true;
  const char *who = strstr(text, " by "), *end = strchr(text, ',');
  snprintf(wrong, 4600, "the study is under way already%.*s: wait for its end, or write to another file with -o",
           who && end ? (int)(end - who) : 0, who ? who : "");
  return false;
}

bool study_folder_claim(const Study *s, int part, int parts, char *wrong, size_t size) {
  char text[4600] = "", name[60], path[4200];
  if (!make_folder(s, wrong, size)) return false;
  if (parts) snprintf(name, sizeof name, "lock.%d-%d", part + 1, parts);
  else snprintf(name, sizeof name, "lock");
  path_in(s, name, path, sizeof path);
  if (!parts && !for_files(s, check_lock, text)) return snprintf(wrong, size, "%s", text), false;
  path_in(s, "lock", claimed, sizeof claimed);
  if (parts && !check_lock(s, claimed, "lock", text)) return snprintf(wrong, size, "%s", text), false;
  snprintf(claimed, sizeof claimed, "%s", path);
  if (claim_begin(path, text, sizeof text)) return true;
  check_lock(s, path, name, text);
  return snprintf(wrong, size, "%s", text), false;
}

void study_folder_release(void) {
  if (!*claimed) return;
  unlink(claimed);
  claim_release(claimed);
  *claimed = 0;
}
