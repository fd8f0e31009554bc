// SPDX-License-Identifier: Apache-2.0
#include "files/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { QUIET = O_NONBLOCK | O_NOCTTY | O_CLOEXEC }; // a pipe would wait for its other end

const char *found_error(int error) {
  switch (error) {
  case ELOOP: return "it is a symbolic link, and Limber does not write through links; name the target file";
  case ENXIO: return "it is not a regular file";
  case EMLINK: return "it is a hard link, and the file under its other name would change";
  case EPIPE: return "no process reads from this pipe";
  case EOWNERDEAD: return "it belongs to another user";
  default: return strerror(error);
  }
}

static int fail_with(int fd, int error) {
  if (fd >= 0) close(fd);
  errno = error;
  return -1;
}

int found_open(const char *path) {
  struct stat file;
  int fd = open(path, O_RDONLY | QUIET);
  if (fd < 0) return -1;
  if (fstat(fd, &file)) return fail_with(fd, errno);
  if (!S_ISREG(file.st_mode)) return fail_with(fd, S_ISDIR(file.st_mode) ? EISDIR : ENXIO);
  return fd;
}

FILE *found_fopen(const char *path) {
  int fd = found_open(path);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
  if (fd >= 0 && !f) fail_with(fd, errno);
  return f;
}

// Where a file system gives all files to one user, that is whom the folder belongs to.
static bool is_owner(const struct stat *file, const struct stat *folder) {
  return file->st_uid == geteuid() || (folder && file->st_uid == folder->st_uid);
}

static int open_at(int at, const char *name, int flags, const struct stat *folder) {
  struct stat file;
  int fd = openat(at, name, (flags & ~O_TRUNC) | O_NOFOLLOW | QUIET, 0666);
  if (fd < 0) return -1;
  if (fstat(fd, &file)) return fail_with(fd, errno);
  if (!S_ISREG(file.st_mode)) return fail_with(fd, S_ISDIR(file.st_mode) ? EISDIR : ENXIO);
  if (file.st_nlink > 1) return fail_with(fd, EMLINK);
  if (folder && !is_owner(&file, folder)) return fail_with(fd, EOWNERDEAD);
  if (flags & O_TRUNC && ftruncate(fd, 0)) return fail_with(fd, errno);
  return fd;
}

int own_open(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, NULL); }

int own_folder_open(const char *path) {
  struct stat folder, above;
  char name[4200];
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | QUIET);
  if (fd < 0) return errno == ENOTDIR && !lstat(path, &folder) && S_ISLNK(folder.st_mode) ? fail_with(-1, ELOOP) : -1;
  snprintf(name, sizeof name, "%s/..", path);
  if (fstat(fd, &folder)) return fail_with(fd, errno);
  return is_owner(&folder, stat(name, &above) ? NULL : &above) ? fd : fail_with(fd, EOWNERDEAD);
}

int own_open_below(const char *path, int flags) {
  char name[4200];
  const char *slash = strrchr(path, '/');
  struct stat above;
  if (strlen(path) >= sizeof name) return fail_with(-1, ENAMETOOLONG);
  snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  int folder = own_folder_open(name);
  if (folder < 0) return -1;
  int fd = fstat(folder, &above) ? -1 : open_at(folder, slash ? slash + 1 : path, flags, &above), error = errno;
  close(folder);
  errno = error;
  return fd;
}

bool own_create(const char *path) {
  if (unlink(path) && errno != ENOENT) return false;
  int fd = own_open(path, O_RDWR | O_CREAT | O_EXCL);
  return fd >= 0 && !close(fd);
}

bool own_folder_make(const char *path) {
  if (!mkdir(path, 0777)) return true;
  int fd = errno == EEXIST ? own_folder_open(path) : -1;
  return fd >= 0 && !close(fd);
}

enum { LONGEST_NAME = 200, LEAST_ROOM = 1 << 16 }; // letters; bytes

static bool is_usable(const char *folder) {
  struct stat there;
  struct statvfs room;
  return folder && *folder && strlen(folder) <= LONGEST_NAME && !stat(folder, &there) && S_ISDIR(there.st_mode) &&
         !access(folder, W_OK | X_OK) && !statvfs(folder, &room) && !(room.f_flag & ST_RDONLY) &&
         (unsigned long long)room.f_bavail * room.f_frsize >= LEAST_ROOM;
}

static const char *usual_folder(void) {
  const char *given = getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

const char *temporary_folder(void) {
  const char *const folders[] = {usual_folder(), getenv("XDG_RUNTIME_DIR"), "/tmp", "/dev/shm", "."};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (is_usable(folders[i])) return folders[i];
  return usual_folder();
}

bool temporary_folder_differs(void) { return strcmp(temporary_folder(), usual_folder()) != 0; }

// ---- private folders ----

typedef struct PrivateFolder PrivateFolder;
struct PrivateFolder {
  PrivateFolder *next;
  pid_t owner; // processes that it forks leave the folder when they end
  char path[];
};
static PrivateFolder *private_folders;

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *at) {
  (void)file, (void)kind, (void)at;
  remove(path); // what cannot be removed stays
  return 0;
}

static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

void private_folder_remove(const char *path) {
  remove_tree(path);
  for (PrivateFolder **f = &private_folders; *f; f = &(*f)->next) {
    PrivateFolder *found = *f;
    if (strcmp(found->path, path)) continue;
    *f = found->next;
    free(found);
    return;
  }
}

void private_folders_remove(void) {
  for (PrivateFolder *f; (f = private_folders);) {
    if (f->owner == getpid()) remove_tree(f->path);
    private_folders = f->next;
    free(f);
  }
}

bool private_folder_make(const char *command, char *path, size_t size) {
  static bool registered;
  char *folder = realpath(temporary_folder(), NULL);
  bool made = folder && snprintf(path, size, "%s/limber-%s-XXXXXX", folder, command) < (int)size && mkdtemp(path);
  size_t length = made ? strlen(path) + 1 : 0;
  PrivateFolder *f = made ? malloc(sizeof *f + length) : NULL;
  if (made && !f) rmdir(path);
  free(folder);
  if (!f) return path[0] = 0, false;
  f->next = private_folders, f->owner = getpid();
  memcpy(f->path, path, length);
  private_folders = f;
  if (!registered) atexit(private_folders_remove);
  return registered = true;
}
