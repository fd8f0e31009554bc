// SPDX-License-Identifier: Apache-2.0
#include "console/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

OutputRules output_rules(const Arguments *a, FileKind kind) {
  return (OutputRules){kind, argument_value(a, "force") != NULL, a->word, a->words};
}

static bool can_write(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[OUTPUT_NAME];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  return !access(path, F_OK) ? !access(path, W_OK) : !access(folder, W_OK);
}

bool check_output(const char *command, const Arguments *a, const char *path, FileKind kind) {
  char wrong[2 * OUTPUT_NAME];
  const OutputRules rules = output_rules(a, kind);
  if (!output_allowed(path, &rules, wrong, sizeof wrong)) return print_command_error(command, "%s", wrong), false;
  if (is_device(path) || can_write(path)) return true;
  explain_unwritable(path, errno, wrong, sizeof wrong);
  return print_command_error(command, "%s", wrong), false;
}

bool begin_output(const char *command, const Arguments *a, const char *path, FileKind kind, OutputFile *f) {
  char wrong[2 * OUTPUT_NAME];
  const OutputRules rules = output_rules(a, kind);
  return output_open(path, &rules, f, wrong, sizeof wrong) || (print_command_error(command, "%s", wrong), false);
}

bool end_output(const char *command, OutputFile *f) {
  char wrong[2 * OUTPUT_NAME];
  return output_finish(f, wrong, sizeof wrong) || (print_command_error(command, "%s", wrong), false);
}

// ---- stdout ----

void open_standard_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      int opened = open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY); // the lowest that is free
      (void)opened;
    }
}

static bool is_readable_only(int fd) { return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY; }

// A pipe without a reader, a terminal that was closed.
static bool has_no_reader(int fd) {
  struct pollfd stream = {.fd = fd, .events = POLLOUT};
  return poll(&stream, 1, 0) > 0 && (stream.revents & (POLLERR | POLLHUP));
}

// What is still printed goes nowhere: libraries that flush stdout at their end find nothing wrong.
static void silence_stdout(void) {
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDOUT_FILENO);
  close(null);
  clearerr(stdout);
}

ExitCode end_stdout(const char *command, bool makes_results, ExitCode code) {
  errno = 0;
  bool good = !fflush(stdout) && !ferror(stdout);
  int error = errno;
  if (good) return code;
  bool gone = has_no_reader(STDOUT_FILENO), unwanted = gone || is_readable_only(STDOUT_FILENO);
  if (makes_results) silence_stdout();
  if (makes_results && unwanted) return code;
  if (gone) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  print_command_error(command, "cannot write to stdout: %s%s", error ? strerror(error) : "the disk may be full",
                      makes_results && code == EXIT_GOOD ? "; the results are complete" : "");
  return code == EXIT_GOOD ? EXIT_MACHINE : code;
}
