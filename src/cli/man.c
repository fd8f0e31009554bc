// SPDX-License-Identifier: Apache-2.0
// Pages for man, from the table of commands.
#include "cli/command.h"
#include "input/yaml/names.h"

#include <stdio.h>
#include <string.h>

// A text for troff: a line may not begin with a dot or a quote, and a dash is one to be copied.
static void print_text(const char *text) {
  bool begins = true;
  for (; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '\\') fputs("\\e", stdout);
    else if (*text == '-') fputs("\\-", stdout);
    else putchar(*text);
    begins = *text == '\n';
  }
}

static void print_head(const char *command, const char *summary) {
  printf(".TH LIMBER%s", command ? "\\-" : "");
  for (const char *c = command ? command : ""; *c; c++) putchar(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
  printf(" 1 \"\" \"limber %s\" \"Limber\"\n.SH NAME\nlimber%s%s \\- ", limber_version(), command ? "\\-" : "",
         command ? command : "");
  print_text(summary);
}

static void print_command(const Command *c) {
  print_head(c->name, c->summary);
  printf("\n.SH SYNOPSIS\n.B limber\n");
  print_text(c->usage);
  printf("\n.SH DESCRIPTION\n");
  for (const char *at = c->help, *end; *at; at = end) { // an empty line parts paragraphs
    end = strstr(at, "\n\n");
    char text[4000];
    snprintf(text, sizeof text, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
    print_text(text);
    puts(end ? "\n.PP" : "");
    end = end ? end + 2 : at + strlen(at);
  }
  if (c->options[0].name) puts(".SH OPTIONS");
  for (const Option *o = c->options; o->name; o++) {
    printf(".TP\n");
    if (o->letter) printf("\\fB\\-%s\\fR, ", o->letter);
    printf("\\fB\\-\\-");
    print_text(o->name);
    printf("\\fR");
    if (o->argument_value) printf(" \\fI"), print_text(o->argument_value), printf("\\fR");
    puts("");
    print_text(o->help);
    puts("");
  }
  puts(".SH EXAMPLES\n.EX");
  print_text(c->example);
  puts("\n.EE\n.SH SEE ALSO\n.BR limber (1)");
}

static void print_all(void) {
  print_head(NULL, "simulates flexible multibody systems");
  puts("\n.SH SYNOPSIS\n.B limber\n\\fIcommand\\fR ...\n.SH DESCRIPTION\n"
       "Limber simulates flexible multibody systems, with schemes that never create energy.\n.SH COMMANDS");
  for (int i = 0; commands[i]; i++) {
    printf(".TP\n.BR limber\\-%s (1)\n", commands[i]->name);
    print_text(commands[i]->summary);
    puts("");
  }
  puts(".SH OPTIONS\n"
       ".TP\n"
       "\\fB\\-\\-help\\fR\n"
       "explains the commands, or after a command that command\n"
       ".TP\n"
       "\\fB\\-\\-version\\fR\n"
       "prints the version and the libraries; with \\fB\\-\\-licenses\\fR the licences of everything that the program\n"
       "contains or loads\n"
       ".SH EXIT STATUS\n"
       ".TP\n"
       "0\n"
       "success\n"
       ".TP\n"
       "1\n"
       "the run did not reach its end, a quantity of verify failed, or compare found a difference\n"
       ".TP\n"
       "2\n"
       "an error in the model file or on the command line\n"
       ".TP\n"
       "3\n"
       "an error of the system or of Limber");
}

static ExitCode run(const Arguments *a) {
  Nearest n;
  if (!a->words) {
    if (is_printing_process()) print_all();
    return EXIT_GOOD;
  }
  nearest_begin(&n, a->word[0]);
  for (int i = 0; commands[i]; i++) {
    if (!strcmp(commands[i]->name, a->word[0])) {
      if (is_printing_process()) print_command(commands[i]);
      return EXIT_GOOD;
    }
    nearest_try(&n, commands[i]->name);
  }
  print_command_error("man", "there is no command '%s'%s", a->word[0], nearest_hint(&n, "there are"));
  return EXIT_MISTAKE;
}

static const Option options[] = {{0}};

const Command command_man = {
    "man",
    "Prints the manual page of a command.",
    "man [command]",
    "Without a command it prints the page of limber itself. The installation puts the pages where\n"
    "man looks for them: man limber, man limber-run.",
    "  limber man run | man -l -",
    options,
    0,
    1,
    "command",
    false,
    run,
    NULL};
