// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"
#include "cli/command.h"
#include "console/output.h"
#include "input/analyses/point_analysis.h"
#include "input/yaml/names.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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
  if (!o->argument_value && equal) return print_command_error(c->name, "--%s takes no value after '='", o->name), false;
  const char **value = &out->given[out->givens].value;
  out->given[out->givens++].option = o;
  *value = equal ? equal + 1 : "";
  if (!o->argument_value || equal) return true;
  if (*i + 1 >= argc || !strcmp(argv[*i + 1], "--"))
    return print_command_error(c->name, "%s needs an argument, such as %s", text, o->argument_value), false;
  *value = argv[++*i];
  return true;
}

// Fills `out`; false, with a message on stderr, if the command line is wrong.
static bool arguments_read(const Command *c, int argc, char **argv, Arguments *out) {
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

#define POINT_ANALYSIS(name, help) &analysis_of_##name.command,
#define COMMAND(name)              &command_##name,
const Command *const commands[] = {
#include "cli/commands.def"
    NULL};
#undef COMMAND
#undef POINT_ANALYSIS

enum { FIRST_COMMANDS = 4 }; // in commands.def: those that a beginner needs

static void print_summary(const Command *c) {
  set_style(stdout, STYLE_STRONG);
  printf("  %-11s ", c->name);
  set_style(stdout, STYLE_PLAIN);
  puts(c->summary);
}

static void print_first_help(void) {
  puts("Limber simulates flexible multibody systems, with schemes that never create energy.\n\n"
       "usage: limber <command> ...\n\nStart with these four commands:\n");
  for (int i = 0; i < FIRST_COMMANDS; i++) print_summary(commands[i]);
  puts("\n  limber new pendulum && limber run pendulum.yaml && limber view pendulum.h5\n");
}

static void print_help(void) {
  print_first_help();
  puts("All other commands:\n");
  for (int i = FIRST_COMMANDS; commands[i]; i++) print_summary(commands[i]);
  puts("\n"
       "  limber <command> --help explains a command, with an example\n"
       "  limber --version        prints the version and the libraries; with --licenses, those of all parts\n"
       "\n"
       "exit codes: 0 success; 1 the run did not reach its end, a quantity of verify failed, or compare found\n"
       "a difference; 2 an error in the model file or on the command line; 3 an error of the system or of Limber");
}

static void print_command_help(const Command *c) {
  set_style(stdout, STYLE_STRONG);
  puts(c->summary);
  set_style(stdout, STYLE_PLAIN);
  printf("\nusage: limber %s\n\n%s\n", c->usage, c->help);
  if (c->options[0].name) puts("");
  for (const Option *o = c->options; o->name; o++) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s--%s%s%s", o->letter ? "-" : "", o->letter ? o->letter : "",
             o->letter ? ", " : "", o->name, o->argument_value ? " " : "", o->argument_value ? o->argument_value : "");
    printf("  %-22s %s\n", left, o->help);
  }
  printf("\nexample:\n%s\n", c->example);
}

ExitCode call_engine(const char *function, const Arguments *a) {
  void *library = dlopen(LIMBER_LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
  int (*engine)(const Arguments *a) = NULL;
  if (library) *(void **)&engine = dlsym(library, function);
  if (engine) return (ExitCode)engine(a);
  print_command_error(NULL, "cannot load the engine: %s\n  Install Limber again, with its library.", dlerror());
  return EXIT_MACHINE;
}

static const Command *find_command(const char *name) {
  for (int i = 0; commands[i]; i++)
    if (!strcmp(commands[i]->name, name)) return commands[i];
  return NULL;
}

static ExitCode unknown_command(const char *name) {
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; commands[i]; i++) nearest_try(&n, commands[i]->name);
  print_command_error(NULL, "there is no command '%s'%s", name, nearest_hint(&n, "there are"));
  return EXIT_MISTAKE;
}

// ---- the stack ----

typedef struct {
  const Command *command;
  const Arguments *arguments;
  ExitCode code;
} Call;

static void *make_call(void *self) {
  Call *call = self;
  const Command *c = call->command;
  call->code = c->engine ? call_engine(c->engine, call->arguments) : c->run(call->arguments);
  return NULL;
}

// Libraries take what a shell usually gives, 8 MB. Where that is less, the command runs on a thread with a stack of its
// own, and so do the threads of libraries.
static ExitCode call_command(const Command *c, const Arguments *a) {
  Call call = {c, a, EXIT_MACHINE};
  struct rlimit limit;
  pthread_attr_t attributes;
  pthread_t thread;
  bool small = !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < LIMIT_STACK;
  if (small && !pthread_attr_init(&attributes)) {
    bool started =
        !pthread_attr_setstacksize(&attributes, LIMIT_STACK) && !pthread_create(&thread, &attributes, make_call, &call);
    pthread_attr_destroy(&attributes);
    if (started && !pthread_join(thread, NULL)) return call.code;
    print_command_error(NULL, "not enough memory for a stack of %zu MB", LIMIT_STACK >> 20);
    return EXIT_MACHINE;
  }
  make_call(&call);
  return call.code;
}

static bool is_help(const char *s) { return !strcmp(s, "--help") || !strcmp(s, "-h"); }

static ExitCode tell_version(int argc, char **argv) {
  bool licenses = argc == 3 && (!strcmp(argv[2], "--licenses") || !strcmp(argv[2], "--licences"));
  if (argc > 2 && !licenses) {
    print_command_error(NULL, "--version takes no '%s'; limber --version --licenses lists licences", argv[argc - 1]);
    return EXIT_MISTAKE;
  }
  if (!is_printing_process()) return EXIT_GOOD;
  return call_engine(licenses ? "limber_command_licenses" : "limber_command_version", NULL);
}

static ExitCode run_command(int argc, char **argv) {
  if (argc < 2) {
    if (is_printing_process()) print_first_help(), puts("limber --help lists all commands.");
    return EXIT_MISTAKE;
  }
  if (is_help(argv[1]) || (argc == 2 && !strcmp(argv[1], "help"))) {
    if (is_printing_process()) print_help();
    return EXIT_GOOD;
  }
  if (!strcmp(argv[1], "--version")) return tell_version(argc, argv);
  bool help = !strcmp(argv[1], "help");
  const Command *c = find_command(argv[help ? 2 : 1]);
  if (!c) return unknown_command(argv[help ? 2 : 1]);
  for (int i = 2; i < argc && strcmp(argv[i], "--"); i++) help = help || is_help(argv[i]);
  if (help) {
    if (is_printing_process()) print_command_help(c);
    return EXIT_GOOD;
  }
  Arguments arguments;
  if (!arguments_read(c, argc, argv, &arguments)) return EXIT_MISTAKE;
  return call_command(c, &arguments);
}

int main(int argc, char **argv) {
  open_standard_streams();
  protect_terminal();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is met where it is written
  ExitCode code = run_command(argc, argv);
  const char *name = argc > 1 && find_command(argv[1]) ? argv[1] : NULL;
  return end_stdout(name, false, code);
}
