// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // fopencookie
#include "console/output.h"
#include "model/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The words of the command line are what the command reads.
static OutputRules output_rules(const Arguments *a, FileKind kind) {
  return (OutputRules){kind, argument_value(a, "force") != NULL, a->word, a->words};
}

static bool can_write(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[OUTPUT_NAME];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  return !access(path, F_OK) ? !access(path, W_OK) : !access(folder, W_OK);
}

bool check_output(const char *command, const Arguments *a, const char *path, FileKind kind) {
  Refusal wrong;
  const OutputRules rules = output_rules(a, kind);
  if (!output_allowed(path, &rules, &wrong)) return print_command_error(command, "%s", wrong.text), false;
  if (is_device(path) || can_write(path)) return true;
  explain_unwritable(path, errno, &wrong);
  return print_command_error(command, "%s", wrong.text), false;
}

bool begin_output(const char *command, const Arguments *a, const char *path, FileKind kind, OutputFile *f) {
  Refusal wrong;
  const OutputRules rules = output_rules(a, kind);
  return output_open(path, &rules, f, &wrong) || (print_command_error(command, "%s", wrong.text), false);
}

bool end_output(const char *command, OutputFile *f) {
  Refusal wrong;
  return output_finish(f, &wrong) || (print_command_error(command, "%s", wrong.text), false);
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

// Keeps control characters from a terminal. Titles, names and messages come from files of anyone; escape sequences in
// them could change its title, its colours or its answers. Files and pipes get every byte as it is.

#if defined(__GLIBC__)
typedef struct {
  int fd;
  unsigned seen; // letters of the one sequence that is allowed
  bool latin;    // half of a control character of Latin 1, in UTF-8
} TerminalStream;

static const char clear_line[] = "\033[K"; // progress draws its line anew

static void add_byte(char *out, size_t *n, unsigned char c) { out[(*n)++] = (char)c; }

// One byte more; up to four come out of it.
static size_t filter_byte(TerminalStream *t, unsigned char c, char *out) {
  size_t n = 0;
  if (t->latin) {
    t->latin = false;
    add_byte(out, &n, c < 0xa0 ? '?' : 0xc2);
    if (c >= 0xa0 || c < 0x80) add_byte(out, &n, c);
    return n;
  }
  if (c == (unsigned char)clear_line[t->seen]) {
    if (clear_line[++t->seen]) return 0;
    t->seen = 0;
    memcpy(out, clear_line, sizeof clear_line - 1);
    return sizeof clear_line - 1;
  }
  if (t->seen) {
    add_byte(out, &n, '?');
    for (unsigned i = 1; i < t->seen; i++) add_byte(out, &n, (unsigned char)clear_line[i]);
    t->seen = c == '\033';
    if (t->seen) return n;
  }
  t->latin = c == 0xc2;
  if (!t->latin) add_byte(out, &n, (c < 0x20 && !strchr("\n\r\t", c)) || c == 0x7f ? '?' : c);
  return n;
}

static ssize_t write_filtered(void *stream, const char *text, size_t size) {
  TerminalStream *t = stream;
  char block[4096];
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    n += filter_byte(t, (unsigned char)text[i], block + n);
    if (n + 8 < sizeof block && i + 1 < size) continue;
    for (size_t done = 0; done < n;) {
      ssize_t wrote = write(t->fd, block + done, n - done);
      if (wrote < 0) return 0; // an error, in the language of fopencookie
      done += (size_t)wrote;
    }
    n = 0;
  }
  return (ssize_t)size;
}

static FILE *open_filtered(int fd, TerminalStream *t, int mode) {
  *t = (TerminalStream){.fd = fd};
  FILE *f = isatty(fd) ? fopencookie(t, "w", (cookie_io_functions_t){.write = write_filtered}) : NULL;
  if (f) setvbuf(f, NULL, mode, BUFSIZ);
  return f;
}

void protect_terminal(void) {
  static TerminalStream stream[2];
  FILE *out = open_filtered(STDOUT_FILENO, &stream[0], _IOLBF), *err = open_filtered(STDERR_FILENO, &stream[1], _IONBF);
  if (out) stdout = out;
  if (err) stderr = err;
}
#else
void protect_terminal(void) {}
#endif
