// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // F_OFD_SETLK; on other systems flock is taken in its place
#include "files/claim.h"

#include "files/folder.h"
#include "files/output_file.h"
#include "model/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char path[OUTPUT_NAME];
  int fd;
  dev_t device;
  ino_t number;
  bool created, writing;
} Claim;

enum { MOST_CLAIMS = 32 };
static Claim claims[MOST_CLAIMS]; // with an empty path: free

// ---- the lock ----

#define LOCK_AT ((off_t)1 << 61)
enum { PROCESS_BITS = 31, HOST_BITS = 20 };

static uint64_t host_number(void) {
  char name[256] = "";
  uint64_t sum = 14695981039346656037u;
  gethostname(name, sizeof name - 1);
  for (const char *c = name; *c; c++) sum = (sum ^ (unsigned char)*c) * 1099511628211u;
  return sum >> (64 - HOST_BITS);
}

#ifdef F_OFD_SETLK
static struct flock lock_of_this_process(void) {
  uint64_t who = host_number() << PROCESS_BITS | (uint64_t)getpid();
  return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = (off_t)who + 1};
}

// The lock of another that forbids the one wanted.
static void name_holder(const struct flock *l, char *text, size_t size) {
  uint64_t who = (uint64_t)l->l_len - 1, process = who & (((uint64_t)1 << PROCESS_BITS) - 1);
  if (l->l_start != LOCK_AT || l->l_len <= 0) snprintf(text, size, "another process");
  else if (who >> PROCESS_BITS != host_number())
    snprintf(text, size, "process %lld on another machine", (long long)process);
  else if (process == (uint64_t)getpid()) snprintf(text, size, "this process");
  else snprintf(text, size, "process %lld", (long long)process);
}

static bool holder_has_ended(const struct flock *l) {
  uint64_t who = (uint64_t)l->l_len - 1, process = who & (((uint64_t)1 << PROCESS_BITS) - 1);
  return l->l_start == LOCK_AT && l->l_len > 0 && who >> PROCESS_BITS == host_number() && kill((pid_t)process, 0) &&
         errno == ESRCH;
}

// Processes that the holder has started share its lock. If it was killed, they are about to end.
static bool is_locked(int fd, char *holder, size_t size) {
  struct flock l;
  for (int i = 0; i < 200; i++) {
    l = lock_of_this_process();
    if (fcntl(fd, F_OFD_GETLK, &l) || l.l_type == F_UNLCK) return false;
    if (!holder_has_ended(&l)) break;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  name_holder(&l, holder, size);
  return true;
}

static int set_lock(int fd) {
  struct flock l = lock_of_this_process();
  return fcntl(fd, F_OFD_SETLK, &l);
}
#else
static int set_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }
static bool is_locked(int fd, char *holder, size_t size) {
  if (!flock(fd, LOCK_EX | LOCK_NB)) return flock(fd, LOCK_UN), false;
  snprintf(holder, size, "another process");
  return errno == EWOULDBLOCK;
}
#endif

static void say_held(const char *path, const char *holder, Refusal *wrong) {
  refuse(wrong,
         "'%s' is being written by %s, so it is not touched\n"
         "  Wait for its end, or write to another file with -o",
         path, holder);
}

// ---- claims ----

static Claim *find_claim(const char *path) {
  struct stat there;
  if (stat(path, &there)) return NULL;
  for (int i = 0; i < MOST_CLAIMS; i++)
    if (*claims[i].path && claims[i].device == there.st_dev && claims[i].number == there.st_ino) return &claims[i];
  return NULL;
}

// By its name, also where the file has gone.
static Claim *named_claim(const char *path) {
  for (int i = 0; i < MOST_CLAIMS; i++)
    if (*claims[i].path && !strcmp(claims[i].path, path)) return &claims[i];
  return find_claim(path);
}

static void end_claim(Claim *c) {
  close(c->fd);
  *c->path = 0;
}

// Opens the file that bears the name at the time when the lock is held: another process may just have removed it.
static bool open_locked(Claim *c, Refusal *wrong) {
  struct stat there, now;
  char holder[80] = "another process";
  for (int i = 0; i < 100; i++) {
    c->created = access(c->path, F_OK) != 0;
    c->fd = own_open(c->path, O_RDWR | O_CREAT);
    if (c->fd < 0) return explain_unwritable(c->path, errno, wrong), false;
    bool failed = set_lock(c->fd) && (errno == EAGAIN || errno == EACCES); // any other error: there are no locks
    if (failed && is_locked(c->fd, holder, sizeof holder)) {
      say_held(c->path, holder, wrong);
      return close(c->fd), false;
    }
    if (failed) { // it has just been released
      close(c->fd);
      continue;
    }
    if (!fstat(c->fd, &there) && !stat(c->path, &now) && there.st_dev == now.st_dev && there.st_ino == now.st_ino) {
      c->device = there.st_dev, c->number = there.st_ino;
      return true;
    }
    close(c->fd);
  }
  return say_held(c->path, holder, wrong), false;
}

static Claim *take_claim(const char *path, Refusal *wrong) {
  Claim *c = find_claim(path);
  if (c && c->writing) return say_held(path, "this process", wrong), NULL;
  if (c) return c;
  for (c = claims; c < claims + MOST_CLAIMS && *c->path;) c++;
  if (c == claims + MOST_CLAIMS)
    return refuse(wrong, "more than %d results files are written at once", MOST_CLAIMS), NULL;
  snprintf(c->path, sizeof c->path, "%s", path);
  c->writing = false;
  if (open_locked(c, wrong)) return c;
  *c->path = 0;
  return NULL;
}

bool claim_take(const char *path, Refusal *wrong) { return take_claim(path, wrong) != NULL; }

bool claim_begin(const char *path, Refusal *wrong) {
  Claim *c = take_claim(path, wrong);
  if (c) c->writing = true;
  return c != NULL;
}

void claim_release(const char *path) {
  Claim *c = named_claim(path);
  if (c) end_claim(c);
}

void claims_abandon(void) {
  for (Claim *c = claims; c < claims + MOST_CLAIMS; c++)
    if (*c->path) end_claim(c);
}

void claim_drop_unused(void) {
  for (Claim *c = claims; c < claims + MOST_CLAIMS; c++) {
    struct stat there;
    if (!*c->path || c->writing) continue;
    if (c->created && find_claim(c->path) == c && !stat(c->path, &there) && !there.st_size) unlink(c->path);
    end_claim(c);
  }
}

bool claim_is_intact(const char *path) {
  Claim *c = named_claim(path);
  return !c || find_claim(path) == c;
}

bool claim_is_held(const char *path, Refusal *wrong) {
  char holder[80];
  struct stat there;
  if (stat(path, &there) || !S_ISREG(there.st_mode) || find_claim(path)) return false;
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  bool held = fd >= 0 && is_locked(fd, holder, sizeof holder);
  if (fd >= 0) close(fd);
  if (held) say_held(path, holder, wrong);
  return held;
}
