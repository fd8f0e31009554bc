// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that makes one allocation of a process fail, so that tests see what the process does then.
// Only calls from Limber, PETSc and SLEPc are counted: other libraries, MPI above all, may end the process where memory
// is short. What is set in the environment:
//
//   LIMBER_FAULT_AT     the number of the call that fails, from 1 on; 0 or nothing: none
//   LIMBER_FAULT_LASTS  1: all calls after it fail, too
//   LIMBER_FAULT_RANK   the rank on which it fails; nothing: every process
//   LIMBER_FAULT_COUNT  a file to which each process appends how many calls it made, when it ends by exit
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long calls;
static long fails_at;
static bool lasts, ready;

static const char *rank_of_process(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return rank ? rank : getenv("PMI_RANK");
}

__attribute__((constructor)) static void read_environment(void) {
  const char *at = getenv("LIMBER_FAULT_AT"), *wanted = getenv("LIMBER_FAULT_RANK"), *rank = rank_of_process();
  bool here = !wanted || !*wanted || !strcmp(wanted, rank ? rank : "0");
  fails_at = at && here ? atol(at) : 0;
  lasts = getenv("LIMBER_FAULT_LASTS") != NULL;
  ready = strncmp(program_invocation_short_name, "mpi", 3) && strncmp(program_invocation_short_name, "orte", 4) &&
          strncmp(program_invocation_short_name, "prte", 4);
}

__attribute__((destructor)) static void write_count(void) {
  const char *path = getenv("LIMBER_FAULT_COUNT"), *rank = rank_of_process();
  char text[100];
  int fd = ready && path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return;
  int size = snprintf(text, sizeof text, "%s %ld\n", rank ? rank : "0", (long)calls);
  if (write(fd, text, (size_t)size) != size) _exit(1);
  close(fd);
}

// The program itself has no name here; Python is not Limber.
static bool is_limber(const void *caller) {
  struct dl_find_object found;
  if (_dl_find_object((void *)caller, &found)) return false;
  const char *name = found.dlfo_link_map->l_name;
  if (!*name) return strncmp(program_invocation_short_name, "python", 6) != 0;
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  return strstr(name, "limber") || strstr(name, "petsc") || strstr(name, "slepc");
}

// Counts a call and says whether it has to fail.
static bool fails(const void *caller) {
  if (!ready || !is_limber(caller)) return false;
  long n = atomic_fetch_add(&calls, 1) + 1;
  bool now = fails_at > 0 && (n == fails_at || (lasts && n > fails_at));
  if (now) errno = ENOMEM;
  return now;
}
#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t size) { return FAILS ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return FAILS ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return FAILS ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return FAILS ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return FAILS ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *new = FAILS ? NULL : __libc_memalign(alignment, size);
  if (new) *out = new;
  return new ? 0 : ENOMEM;
}

static char *copy_text(const char *text, size_t length) {
  char *out = __libc_malloc(length + 1);
  if (out) memcpy(out, text, length), out[length] = 0;
  return out;
}

char *strdup(const char *text) { return FAILS ? NULL : copy_text(text, strlen(text)); }
char *strndup(const char *text, size_t most) { return FAILS ? NULL : copy_text(text, strnlen(text, most)); }
