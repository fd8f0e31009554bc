// SPDX-License-Identifier: Apache-2.0
#include "app/signals.h"

#include "console/console.h"
#include "files/output_file.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t stop; // a signal came: finish the step and close the file

static const char *volatile last_words;

void set_last_words(const char *words) { last_words = words; }

static void on_timer(int number) {
  const char *words = last_words;
  (void)number;
  if (!words) return;
  if (write(STDERR_FILENO, words, strlen(words)) < 0) {} // nobody reads
  output_discard_all();
  _exit(EXIT_FAILED);
}

static void on_signal(int number) {
  static const struct itimerval soon = {.it_value = {.tv_usec = 500000}, .it_interval = {.tv_usec = 100000}};
  if (!stop) {
    stop = number;
    setitimer(ITIMER_REAL, &soon, NULL);
    return;
  }
  output_discard_all();
  signal(number, SIG_DFL);
  raise(number);
}

// A run that is started with nohup outlives its terminal.
static bool is_ignored(int number) {
  struct sigaction now;
  return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

void catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESTART | (int)SA_NODEFER};
  struct sigaction timer = {.sa_handler = on_timer, .sa_flags = (int)SA_RESTART};
  sigemptyset(&action.sa_mask), sigemptyset(&timer.sa_mask);
  sigaction(SIGALRM, &timer, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, NULL);
}

bool stop_requested(void) { return stop != 0; }

PetscErrorCode StopRequestedAnywhere(MPI_Comm comm, bool *out) {
  int any = stop != 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm));
  *out = any;
  PetscFunctionReturn(0);
}

void restore_signals(void) {
  signal(SIGPIPE, SIG_IGN); // nobody reads on: the results are written all the same
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is met where it is written
  signal(SIGTERM, SIG_DFL); // PETSc would trace them
  if (!is_ignored(SIGHUP)) signal(SIGHUP, SIG_DFL);
}
