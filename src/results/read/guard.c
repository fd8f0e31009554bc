// SPDX-License-Identifier: Apache-2.0
// HDF5 trusts what stands in a file: bytes that are wrong can lead it round for ever, let it ask for all memory, or let it
// read where nothing is. A command that reads results therefore calls it with a limit of CPU time and of memory, and ends
// with a message where it goes wrong.
#include "results/read/results_private.h"

#include "console/console.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { SECONDS = 3, BYTES_A_SECOND = 20 << 20 }; // CPU time of a call, and for each so many bytes of the file more
enum { ROOM = 1 << 30, ROOM_A_BYTE = 4, ALTERNATE = 1 << 16 }; // bytes of memory, and for each byte of the file more

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
enum { FAULTS = sizeof faults / sizeof faults[0] };

static struct {
  const char *command; // NULL: no command reads, and its process is not ours to end
  char message[5000];
  struct sigaction before[FAULTS];
  struct rlimit memory;
  bool limited;
  int depth;
} guard;

void results_guard(const char *command) {
#ifndef LIMBER_NO_GUARD // a fuzzer tells by itself what went wrong
  guard.command = command;
#else
  (void)command;
#endif
}

static void end_process(int number) {
  (void)number;
  if (write(STDERR_FILENO, guard.message, strlen(guard.message)) < 0) _exit(EXIT_MACHINE);
  _exit(EXIT_MISTAKE);
}

// The memory that the process may have; where the system does not tell what it has, there is no limit.
static void limit_memory(double size) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  guard.limited = f && fscanf(f, "%lu", &pages) == 1 && !getrlimit(RLIMIT_AS, &guard.memory);
  if (f) fclose(f);
  if (!guard.limited) return;
  struct rlimit least = guard.memory;
  double most = (double)pages * (double)sysconf(_SC_PAGESIZE) + ROOM + ROOM_A_BYTE * size;
  if (most < (double)least.rlim_cur) least.rlim_cur = (rlim_t)most;
  setrlimit(RLIMIT_AS, &least);
}

static void limit_time(double seconds) {
  struct itimerval limit = {.it_value = {.tv_sec = (time_t)seconds}};
  setitimer(ITIMER_PROF, &limit, NULL);
}

void guard_enter(const Results *r) {
  static char stack[ALTERNATE]; // a fault may be one of the stack itself
  if (!guard.command || guard.depth++) return;
  double size = (double)r->seen.st_size;
  struct sigaction action = {.sa_handler = end_process, .sa_flags = SA_ONSTACK};
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  snprintf(guard.message, sizeof guard.message, "limber %s: '%s' is damaged: HDF5 cannot read it\n", guard.command,
           r->path);
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &action, &guard.before[i]);
  limit_memory(size);
  limit_time(SECONDS + size / BYTES_A_SECOND);
}

void guard_leave(void) {
  if (!guard.command || --guard.depth) return;
  limit_time(0);
  if (guard.limited) setrlimit(RLIMIT_AS, &guard.memory);
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &guard.before[i], NULL);
}
