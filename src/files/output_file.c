// SPDX-License-Identifier: Apache-2.0
#include "files/output_file.h"

#include "files/found.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool force;

bool output_allow_overwrite(bool allow) {
  bool before = force;
  force = allow;
  return before;
}

bool output_force(void) { return force; }

// ---- what is there ----

bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool is_null_device(const char *path) {
  struct stat x, null;
  return !stat(path, &x) && !stat("/dev/null", &null) && S_ISCHR(x.st_mode) && x.st_rdev == null.st_rdev;
}

// The stream whose file this is, or -1. As in other programs `-` is stdout.
static int standard_stream(const char *path) {
  struct stat x, stream;
  if (!strcmp(path, "-")) return STDOUT_FILENO;
  if (stat(path, &x)) return -1;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (!fstat(fd, &stream) && x.st_dev == stream.st_dev && x.st_ino == stream.st_ino && !is_null_device(path))
      return fd;
  return -1;
}

bool is_standard_stream(const char *path) { return standard_stream(path) >= 0; }

bool is_device(const char *path) {
  struct stat x;
  return is_standard_stream(path) || (!stat(path, &x) && !S_ISREG(x.st_mode) && !S_ISDIR(x.st_mode));
}

void explain_unwritable(const char *path, int error, char *wrong, size_t size) {
  const char *slash = strrchr(path, '/');
  char folder[OUTPUT_NAME];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (!*folder) snprintf(folder, sizeof folder, "/");
  size_t used = (size_t)snprintf(wrong, size, "cannot write '%s': %s", path, found_error(error));
  if (used >= size) return;
  if (error == ENOENT && slash && access(folder, F_OK))
    snprintf(wrong + used, size - used, "\n  There is no folder '%s': make it (mkdir -p %s), or give another with -o",
             folder, folder);
  else if (error == EACCES || error == EROFS || error == EPERM)
    snprintf(wrong + used, size - used, "\n  The folder '%s' is not writable for you: choose another folder", folder);
  else snprintf(wrong + used, size - used, "\n  Choose another folder or name with -o");
}

static bool is_link(const char *path) {
  struct stat x;
  return !lstat(path, &x) && S_ISLNK(x.st_mode);
}

bool output_allowed(const char *path, const OutputRules *rules, char *wrong, size_t size) {
  struct stat there;
  wrong[0] = 0;
  if (strlen(path) >= OUTPUT_NAME - 200) return explain_unwritable("...", ENAMETOOLONG, wrong, size), false;
  if (is_device(path)) return true;
  bool exists = !stat(path, &there);
  if (exists && S_ISDIR(there.st_mode)) return explain_unwritable(path, EISDIR, wrong, size), false;
  for (int i = 0; i < rules->inputs; i++) {
    if (!same_file(path, rules->input[i])) continue;
    snprintf(wrong, size, "'%s' is an input of this command, so it is not overwritten; give another name", path);
    return false;
  }
  if (is_link(path)) return explain_unwritable(path, ELOOP, wrong, size), false;
  if (!exists || rules->force || !there.st_size || file_is_ours(path, rules->kind)) return true;
  snprintf(wrong, size,
           rules->kind == FILE_MODEL ? "'%s' exists already; --force overwrites it, -o gives another name"
                                     : "'%s' is not %s that Limber wrote, so it is not overwritten; --force overwrites "
                                       "it, or give another name",
           path, file_kind_name(rules->kind));
  return false;
}

// ---- what must not be left ----

enum { MOST_OPEN = 16, ENDINGS = 6 };
static const int ending[ENDINGS] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
static char *volatile unfinished[MOST_OPEN]; // names of files
static struct sigaction before[ENDINGS];
static bool caught[ENDINGS];

void output_discard_all(void) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (unfinished[i]) unlink(unfinished[i]);
}

static void on_ending(int number) {
  output_discard_all();
  signal(number, SIG_DFL);
  raise(number);
}

static int count_unfinished(void) {
  int count = 0;
  for (int i = 0; i < MOST_OPEN; i++) count += unfinished[i] != NULL;
  return count;
}

// Signals that would end the process; one that the program catches or ignores is left to it.
static void catch_endings(void) {
  for (int i = 0; i < ENDINGS; i++) {
    struct sigaction action = {.sa_handler = on_ending, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    caught[i] = !sigaction(ending[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL &&
                !sigaction(ending[i], &action, NULL);
  }
}

static void release_endings(void) {
  for (int i = 0; i < ENDINGS; i++) {
    if (caught[i]) sigaction(ending[i], &before[i], NULL);
    caught[i] = false;
  }
}

static void remember(char *part) {
  if (!count_unfinished()) catch_endings();
  for (int i = 0; i < MOST_OPEN; i++) {
    if (unfinished[i]) continue;
    unfinished[i] = part;
    return;
  }
}

static void forget(const char *part) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (unfinished[i] == part) unfinished[i] = NULL;
  if (!count_unfinished()) release_endings();
}

// ---- writing ----

// A pipe needs a reader; nobody means to write over a disk.
static int open_device(const char *path, mode_t mode) {
  if (!S_ISCHR(mode) && !S_ISFIFO(mode)) return errno = ENXIO, -1;
  int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  else if (errno == ENXIO) errno = EPIPE;
  return fd;
}

// A new file in the folder of the file, with its ending, for programs that look at that.
static int open_beside(OutputFile *f) {
  const char *slash = strrchr(f->path, '/'), *dot = strrchr(slash ? slash : f->path, '.');
  struct stat there;
  int fd = -1;
  for (int i = 0; fd < 0 && i < 1000; i++) {
    snprintf(f->part, sizeof f->part, "%.*s.limber-%ld-%d%.20s", slash ? (int)(slash - f->path) + 1 : 0, f->path,
             (long)getpid(), i, dot ? dot : "");
    fd = open(f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd >= 0 && !stat(f->path, &there)) fchmod(fd, there.st_mode & 0777); // as the file that it replaces
  return fd;
}

// The same, without a moment in which the file is there and a signal would leave it there.
static int begin_beside(OutputFile *f) {
  sigset_t endings, mask;
  sigemptyset(&endings);
  for (int i = 0; i < ENDINGS; i++) sigaddset(&endings, ending[i]);
  pthread_sigmask(SIG_BLOCK, &endings, &mask);
  int fd = open_beside(f), error = errno;
  if (fd >= 0) remember(f->part);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
  return fd;
}

// A file that may be replaced, but not be written, is left alone.
static bool is_protected(const char *path) { return !access(path, F_OK) && access(path, W_OK); }

bool output_open(const char *path, const OutputRules *rules, OutputFile *f, char *wrong, size_t size) {
  struct stat there;
  *f = (OutputFile){.kind = rules->kind, .given = path};
  if (!output_allowed(path, rules, wrong, size)) return false;
  int stream = standard_stream(path), fd = -1;
  if (stream >= 0) {
    fflush(stdout);
    fd = dup(stream);
    snprintf(f->path, sizeof f->path, "%s", path), snprintf(f->part, sizeof f->part, "%s", path);
  } else if (!stat(path, &there) && !S_ISREG(there.st_mode)) {
    fd = open_device(path, there.st_mode);
    snprintf(f->path, sizeof f->path, "%s", path), snprintf(f->part, sizeof f->part, "%s", path);
  } else if (is_protected(path)) errno = EACCES;
  else {
    snprintf(f->path, sizeof f->path, "%s", path);
    fd = begin_beside(f);
    int error = errno;
    if (fd < 0 && (error == EACCES || error == EPERM) && !access(path, W_OK)) { // the folder takes no new files
      fd = own_open(path, O_WRONLY | O_TRUNC);
      snprintf(f->part, sizeof f->part, "%s", f->path);
    } else errno = error;
  }
  f->out = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!f->out) {
    explain_unwritable(path, errno, wrong, size);
    if (fd >= 0) close(fd);
    if (fd >= 0 && strcmp(f->path, f->part)) unlink(f->part), forget(f->part);
    return false;
  }
  return true;
}

static void sync_folder(const char *path) {
  char folder[OUTPUT_NAME];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  int fd = open(folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd); // where that cannot be done the file is there all the same
  close(fd);
}

bool output_finish(OutputFile *f, char *wrong, size_t size) {
  bool beside = strcmp(f->path, f->part) != 0, lasting = f->kind == FILE_CHECKPOINT || !access(f->path, F_OK);
  errno = 0;
  bool good = !fflush(f->out) && !ferror(f->out);
  int error = errno;
  if (good && beside && !file_sign(f->part, f->kind)) good = false, error = errno;
  if (good && beside && lasting && f->kind != FILE_XDMF && fsync(fileno(f->out))) good = false, error = errno;
  if (fclose(f->out) && good) good = false, error = errno;
  f->out = NULL;
  if (good && beside && rename(f->part, f->path)) good = false, error = errno;
  if (good && beside && f->kind == FILE_CHECKPOINT) sync_folder(f->path);
  if (!good && beside) unlink(f->part);
  if (beside) forget(f->part);
  if (!good) snprintf(wrong, size, "cannot write '%s': %s", f->given, error ? strerror(error) : "the disk may be full");
  return good;
}

void output_discard(OutputFile *f) {
  if (!f->out) return;
  fclose(f->out);
  f->out = NULL;
  if (!strcmp(f->path, f->part)) return;
  unlink(f->part);
  forget(f->part);
}
