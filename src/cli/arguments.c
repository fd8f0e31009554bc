// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "input/names.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The rank that mpiexec gave to this process, as text; NULL without mpiexec.
static const char *rank_text(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  const char *text = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !text; i++) text = getenv(names[i]);
  return text;
}

bool prints(void) {
  const char *rank = rank_text();
  return !rank || !strcmp(rank, "0");
}

// mpiexec shows its processes a terminal even where its own output goes to a file.
bool on_terminal(void) { return !rank_text() && isatty(STDOUT_FILENO); }

void complain(const char *command, const char *format, ...) {
  va_list args;
  if (!prints()) return;
  fflush(stdout);
  fprintf(stderr, "limber%s%s: ", command ? " " : "", command ? command : "");
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

static int find_option(const Command *c, const char *text, size_t length) {
  for (int i = 0; c->options[i].name; i++) {
    const Option *o = &c->options[i];
    if (!strncmp(text, "--", 2) && strlen(o->name) == length - 2 && !strncmp(o->name, text + 2, length - 2)) return i;
    if (text[1] != '-' && o->letter && length == 2 && text[1] == o->letter[0]) return i;
  }
  return -1;
}

static bool unknown_option(const Command *c, const char *text) {
  Nearest n;
  nearest_begin(&n, text + strspn(text, "-"));
  for (const Option *o = c->options; o->name; o++) nearest_try(&n, o->name);
  if (n.best) complain(c->name, "there is no option %s; did you mean --%s?", text, n.best);
  else if (c->petsc) complain(c->name, "there is no option %s; PETSc's options stand after --", text);
  else complain(c->name, "there is no option %s; limber %s --help lists them", text, c->name);
  return false;
}

// One option at argv[*i]; its argument is the next word or follows '='.
static bool read_option(const Command *c, int argc, char **argv, int *i, Arguments *out) {
  const char *text = argv[*i], *equal = strncmp(text, "--", 2) ? NULL : strchr(text, '=');
  int k = find_option(c, text, equal ? (size_t)(equal - text) : strlen(text));
  if (k < 0) return unknown_option(c, text);
  const Option *o = &c->options[k];
  if (out->option[k]) return complain(c->name, "--%s is given twice", o->name), false;
  if (!o->argument && equal) return complain(c->name, "--%s takes nothing after '='", o->name), false;
  out->option[k] = equal ? equal + 1 : "";
  if (!o->argument || equal) return true;
  if (*i + 1 >= argc || !strcmp(argv[*i + 1], "--"))
    return complain(c->name, "%s needs an argument, such as %s", text, o->argument), false;
  out->option[k] = argv[++*i];
  return true;
}

bool arguments_read(const Command *c, int argc, char **argv, Arguments *out) {
  memset(out, 0, sizeof *out);
  int i = 2;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (argv[i][0] == '-' && argv[i][1]) {
      if (!read_option(c, argc, argv, &i, out)) return false;
    } else if (out->words == c->most) return complain(c->name, "'%s' is one %s too many", argv[i], c->word), false;
    else out->word[out->words++] = argv[i];
  }
  if (i < argc && !c->petsc) return complain(c->name, "nothing may follow --"), false;
  if (out->words < c->least) return complain(c->name, "a %s is missing\nusage: limber %s", c->word, c->usage), false;
  // PETSc sees the program's name and what follows `--`
  out->petsc_argv = i < argc ? argv + i : argv;
  out->petsc_argv[0] = argv[0];
  out->petsc_argc = i < argc ? argc - i : 1;
  return true;
}
