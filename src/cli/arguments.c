// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "input/yaml/names.h"

#include <string.h>

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
  if (n.best) print_command_error(c->name, "there is no option %s; did you mean --%s?", text, n.best);
  else if (c->petsc) print_command_error(c->name, "there is no option %s; PETSc options go after --", text);
  else print_command_error(c->name, "there is no option %s; limber %s --help lists them", text, c->name);
  return false;
}

// One option at argv[*i]; its argument is the next word or follows '='.
static bool read_option(const Command *c, int argc, char **argv, int *i, Arguments *out) {
  const char *text = argv[*i], *equal = strncmp(text, "--", 2) ? NULL : strchr(text, '=');
  int k = find_option(c, text, equal ? (size_t)(equal - text) : strlen(text));
  if (k < 0) return unknown_option(c, text);
  const Option *o = &c->options[k];
  if (argument_value(out, o->name) && o->times == OPTION_ONCE)
    return print_command_error(c->name, "--%s is given twice", o->name), false;
  if (out->givens == MAX_GIVEN) return print_command_error(c->name, "more than %d options", MAX_GIVEN), false;
  if (!o->argument_value && equal) return print_command_error(c->name, "--%s takes nothing after '='", o->name), false;
  const char **value = &out->given[out->givens].value;
  out->given[out->givens++].option = o;
  *value = equal ? equal + 1 : "";
  if (!o->argument_value || equal) return true;
  if (*i + 1 >= argc || !strcmp(argv[*i + 1], "--"))
    return print_command_error(c->name, "%s needs an argument, such as %s", text, o->argument_value), false;
  *value = argv[++*i];
  return true;
}

bool arguments_read(const Command *c, int argc, char **argv, Arguments *out) {
  memset(out, 0, sizeof *out);
  out->command = c->name;
  int i = 2;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (argv[i][0] == '-' && argv[i][1]) {
      if (!read_option(c, argc, argv, &i, out)) return false;
    } else if (out->words == c->most)
      return print_command_error(c->name, "unexpected %s '%s'", c->word, argv[i]), false;
    else out->word[out->words++] = argv[i];
  }
  if (i < argc && !c->petsc) return print_command_error(c->name, "nothing may follow --"), false;
  if (out->words < c->least)
    return print_command_error(c->name, "a %s is missing\nusage: limber %s", c->word, c->usage), false;
  // PETSc sees the program's name and what follows `--`
  out->petsc_argv = i < argc ? argv + i : argv;
  out->petsc_argv[0] = argv[0];
  out->petsc_argc = i < argc ? argc - i : 1;
  out->browser = &browser_control;
  return true;
}
