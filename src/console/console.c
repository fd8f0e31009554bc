// SPDX-License-Identifier: Apache-2.0
#include "console/console.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *argument_of_many(const Arguments *a, const char *option, int i) {
  for (int k = 0; k < a->givens; k++)
    if (!strcmp(a->given[k].option->name, option) && i-- == 0) return a->given[k].value;
  return NULL;
}

int arguments_of(const Arguments *a, const char *option, const char **value) {
  int count = 0;
  while (count < MAX_GIVEN && (value[count] = argument_of_many(a, option, count))) count++;
  return count;
}

const char *argument_value(const Arguments *a, const char *option) { return argument_of_many(a, option, 0); }

// The rank that mpiexec gave to this process, as text; NULL without mpiexec.
static const char *rank_text(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  const char *text = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !text; i++) text = getenv(names[i]);
  return text;
}

// The script of a job of Slurm is started alone.
bool is_launched(void) {
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD"};
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (getenv(marks[i])) return true;
  return tasks && atoi(tasks) > 1;
}

bool is_printing_process(void) {
  const char *rank = rank_text();
  return !rank || !strcmp(rank, "0");
}

// mpiexec shows its processes a terminal even where its own output goes to a file.
bool on_terminal(void) { return !rank_text() && isatty(STDOUT_FILENO); }

// The sequence goes past the stream, which keeps all others from a terminal (protect_terminal).
void set_style(FILE *out, ConsoleStyle style) {
  static const char *const sequence[] = {"\033[0m", "\033[1m", "\033[32m", "\033[1;33m", "\033[1;31m"};
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  int fd = out == stderr ? STDERR_FILENO : STDOUT_FILENO;
  if (rank_text() || !isatty(fd) || (none && *none) || (terminal && !strcmp(terminal, "dumb"))) return;
  fflush(out);
  ssize_t written = write(fd, sequence[style], strlen(sequence[style]));
  (void)written;
}

void style_diagnostic(FILE *out, DiagnosticLevel level, bool begins) {
  set_style(out, !begins ? STYLE_PLAIN : level == DIAGNOSTIC_ERROR ? STYLE_ERROR : STYLE_WARNING);
}

void print_finding(const char *name, const char *where, const char *adds, const char *package) {
  set_style(stdout, where ? STYLE_GOOD : STYLE_WARNING);
  printf("  %-8s", where ? "found" : "missing");
  set_style(stdout, STYLE_PLAIN);
  if (where) printf(" %-9s %s\n", name, where);
  else printf(" %-9s would add: %s (%s)\n", name, adds, package);
}

void print_plain(FILE *out, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    bool c1 = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; // control characters of Latin 1, in UTF-8
    if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f || c1) fprintf(out, "\\x%02x", *c);
    else fputc(*c, out);
  }
}

void print_shell_word(FILE *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-";
  if (*word && !word[strspn(word, plain)]) {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word; word++)
    if (*word == '\'') fputs("'\\''", out);
    else fputc(*word, out);
  fputc('\'', out);
}

static bool is_listed(const char *name, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(*list, name)) return true;
  return false;
}

void print_command_line(FILE *out, const Arguments *a, const char *const *without, const char *more) {
  fprintf(out, "limber %s", a->command);
  for (int i = 0; i < a->words; i++) fputc(' ', out), print_shell_word(out, a->word[i]);
  for (int i = 0; i < a->givens; i++) {
    const Option *o = a->given[i].option;
    if (is_listed(o->name, without)) continue;
    fprintf(out, o->letter ? " -%s" : " --%s", o->letter ? o->letter : o->name);
    if (o->argument_value) fputc(' ', out), print_shell_word(out, a->given[i].value);
  }
  if (*more) fprintf(out, " %s", more);
  if (a->petsc_argc > 1) fputs(" --", out);
  for (int i = 1; i < a->petsc_argc; i++) fputc(' ', out), print_shell_word(out, a->petsc_argv[i]);
  fputc('\n', out);
}

void print_command_error(const char *command, const char *format, ...) {
  char *text = NULL;
  va_list args;
  if (!is_printing_process()) return;
  fflush(stdout);
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0 || !(text = malloc((size_t)n + 1))) return;
  va_start(args, format);
  vsnprintf(text, (size_t)n + 1, format, args);
  va_end(args);
  set_style(stderr, STYLE_ERROR);
  fprintf(stderr, "limber%s%s: ", command ? " " : "", command ? command : "");
  set_style(stderr, STYLE_PLAIN);
  print_plain(stderr, text);
  fputc('\n', stderr);
  free(text);
}

double clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *format_duration(double s, char *text, size_t size) {
  if (s < 100) snprintf(text, size, "%.*f s", s < 10, s);
  else if (s < 6000) snprintf(text, size, "%.0f min", s / 60);
  else snprintf(text, size, "%.1f h", s / 3600);
  return text;
}

extern char **environ;

bool program_find(const char *const *names, char *out, size_t size) {
  const char *path = getenv("PATH");
  for (int i = 0; names[i]; i++)
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
      size_t n = strcspn(at, ":");
      snprintf(out, size, "%.*s/%s", (int)n, at, names[i]);
      if (n && !access(out, X_OK)) return true;
      at += n + (at[n] == ':');
    }
  return false;
}

bool program_start(char *const *argv, const int (*fd)[2], pid_t *process) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return false;
  bool good = true;
  for (int i = 0; fd[i][0] >= 0; i++) good = good && !posix_spawn_file_actions_adddup2(&actions, fd[i][0], fd[i][1]);
  good = good && !posix_spawn(process, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return good;
}

// Is there the file with the ending that was left away?
static bool has_yaml(const char *path) {
  char full[4096];
  return snprintf(full, sizeof full, "%s.yaml", path) < (int)sizeof full && !access(full, R_OK);
}

Error LoadModelFile(const char *command, const char *path, const InputOptions *options, Input **in, ExitCode *code) {
  SourceText file;
  *in = NULL, *code = EXIT_MISTAKE;
  TRY(options->read(path, &source_rule_model, &file));
  if (!file.text) {
    bool named = file.error == ENOENT && has_yaml(path);
    print_command_error(command, named ? "there is no file '%s'; did you mean '%s.yaml'?" : "cannot read '%s': %s",
                        path, named ? path : source_error(file.error));
    return 0;
  }
  TRY(InputRead(path, file.text, file.length, options, in));
  memory_free(&file.text);
  const Diagnostics *n = &(*in)->diagnostics;
  if (is_printing_process()) {
    fflush(stdout);
    TRY(DiagnosticsPrint(n, stderr, style_diagnostic));
    if (n->errors) fprintf(stderr, "%s: %d error%s\n", path, n->errors, n->errors == 1 ? "" : "s");
  }
  if (!n->errors) *code = EXIT_GOOD;
  return 0;
}
