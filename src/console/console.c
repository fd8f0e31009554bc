// SPDX-License-Identifier: Apache-2.0
#include "console/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

bool is_printing_process(void) {
  const char *rank = rank_text();
  return !rank || !strcmp(rank, "0");
}

// mpiexec shows its processes a terminal even where its own output goes to a file.
bool on_terminal(void) { return !rank_text() && isatty(STDOUT_FILENO); }

void print_plain(FILE *out, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    bool c1 = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; // control characters of Latin 1, in UTF-8
    if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f || c1) fprintf(out, "\\x%02x", *c);
    else fputc(*c, out);
  }
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
  fprintf(stderr, "limber%s%s: ", command ? " " : "", command ? command : "");
  print_plain(stderr, text);
  fputc('\n', stderr);
  free(text);
}
