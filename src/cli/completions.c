// SPDX-License-Identifier: Apache-2.0
// What shells need to complete a command line of limber, from the table of commands.
#include "cli/command.h"
#include "input/yaml/names.h"

#include <stdio.h>
#include <string.h>

// A text in single quotes, with a backslash before each of these; `quote` is what stands for a single quote.
static void print_quoted(const char *text, const char *escaped, const char *quote) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs(quote, stdout);
      continue;
    }
    if (strchr(escaped, *text)) putchar('\\');
    putchar(*text);
  }
}

// ---- bash ----

static void print_bash(void) {
  puts("# Completion of limber for bash.\n_limber() {\n"
       "  local word=${COMP_WORDS[COMP_CWORD]} options= words=\n"
       "  case $((COMP_CWORD > 1)),${COMP_WORDS[1]} in");
  printf("  0,*) options=\"--help --version\" words=\"help");
  for (int i = 0; commands[i]; i++) printf(" %s", commands[i]->name);
  puts("\" ;;");
  for (int i = 0; commands[i]; i++) {
    printf("  1,%s) options=\"", commands[i]->name);
    for (const Option *o = commands[i]->options; o->name; o++)
      printf("--%s %s%s%s", o->name, o->letter ? "-" : "", o->letter ? o->letter : "", o->letter ? " " : "");
    printf("--help\"");
    if (!strcmp(commands[i]->name, "new")) {
      printf(" words=\"");
      for (const Template *t = templates; t->name; t++) printf("%s%s", t == templates ? "" : " ", t->name);
      printf("\"");
    }
    puts(" ;;");
  }
  puts("  esac\n"
       "  if [[ $word == -* ]]; then words=$options; fi\n"
       "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") # without any: names of files\n"
       "}\n"
       "complete -o default -F _limber limber");
}

// ---- zsh ----

static void zsh_text(const char *text) { print_quoted(text, "[]:\\", "'\\''"); }

static void zsh_option(const Option *o) {
  printf(" \\\n    '%s", o->times == OPTION_MANY ? "*" : "");
  if (o->letter) printf("(-%s --%s)'{-%s,--%s}'", o->letter, o->name, o->letter, o->name);
  else printf("--%s", o->name);
  printf("[");
  zsh_text(o->help);
  printf("]");
  if (o->argument_value) printf(":"), zsh_text(o->argument_value), printf(":_files");
  printf("'");
}

static void print_zsh(void) {
  puts("#compdef limber\n# Completion of limber for zsh.\n_limber() {\n  local -a commands\n  commands=(");
  for (int i = 0; commands[i]; i++) {
    printf("    '%s:", commands[i]->name);
    zsh_text(commands[i]->summary);
    puts("'");
  }
  puts("  )\n"
       "  if ((CURRENT == 2)); then\n"
       "    _describe command commands\n"
       "    _arguments '--help[explains the commands]' '--version[prints the version and the libraries]'\n"
       "    return\n"
       "  fi\n"
       "  shift words\n"
       "  ((CURRENT--))\n"
       "  case $words[1] in");
  for (int i = 0; commands[i]; i++) {
    printf("  %s) _arguments '--help[explains the command]'", commands[i]->name);
    for (const Option *o = commands[i]->options; o->name; o++) zsh_option(o);
    printf(" \\\n    '*:%s:", commands[i]->word ? commands[i]->word : "");
    if (!strcmp(commands[i]->name, "new")) {
      printf("(");
      for (const Template *t = templates; t->name; t++) printf("%s%s", t == templates ? "" : " ", t->name);
      printf(")");
    } else printf("_files");
    puts("' ;;");
  }
  puts("  esac\n}\n_limber \"$@\"");
}

// ---- fish ----

static void fish_text(const char *text) { print_quoted(text, "\\", "\\'"); }

static void print_fish(void) {
  puts("# Completion of limber for fish.\n"
       "complete -c limber -n __fish_use_subcommand -l help -d 'explains the commands'\n"
       "complete -c limber -n __fish_use_subcommand -l version -d 'prints the version and the libraries'");
  for (int i = 0; commands[i]; i++) {
    const Command *c = commands[i];
    printf("complete -c limber -f -n __fish_use_subcommand -a %s -d '", c->name);
    fish_text(c->summary);
    printf("'\ncomplete -c limber -n '__fish_seen_subcommand_from %s' -l help -d 'explains the command'\n", c->name);
    for (const Option *o = c->options; o->name; o++) {
      printf("complete -c limber -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
      if (o->letter) printf(" -s %s", o->letter);
      printf("%s -d '", o->argument_value ? " -r" : "");
      fish_text(o->help);
      puts("'");
    }
  }
  for (const Template *t = templates; t->name; t++)
    printf("complete -c limber -f -n '__fish_seen_subcommand_from new' -a %s\n", t->name);
}

static ExitCode run(const Arguments *a) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  Nearest n;
  nearest_begin(&n, a->word[0]);
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
    if (!strcmp(shells[i].name, a->word[0])) {
      if (is_printing_process()) shells[i].print();
      return EXIT_GOOD;
    }
    nearest_try(&n, shells[i].name);
  }
  print_command_error("completions", "there are no completions for the shell '%s'%s", a->word[0],
                      nearest_hint(&n, "there are"));
  return EXIT_MISTAKE;
}

static const Option options[] = {{0}};

const Command command_completions = {
    "completions",
    "Prints a script that completes commands in a shell.",
    "completions bash|zsh|fish",
    "The installation puts it where shells look for it. Otherwise:",
    "  source <(limber completions bash)                                # in ~/.bashrc\n"
    "  limber completions zsh >~/.zfunc/_limber                         # with fpath+=~/.zfunc in ~/.zshrc\n"
    "  limber completions fish >~/.config/fish/completions/limber.fish",
    options,
    1,
    1,
    "shell",
    false,
    run,
    NULL};
