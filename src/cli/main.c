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

#define POINT_ANALYSIS(name, help) &analysis_of_##name.command,
#define COMMAND(name) &command_##name,
const Command *const commands[] = {
#include "cli/commands.def"
    NULL};
#undef COMMAND
#undef POINT_ANALYSIS

static void print_help(void) {
  puts("Limber simulates flexible multibody systems, with schemes that never create energy.\n\n"
       "usage: limber <command> ...\n");
  for (int i = 0; commands[i]; i++) printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
  puts("\n"
       "  limber <command> --help explains a command, with an example\n"
       "  limber --version        prints the version and the libraries; with --licenses, those of all parts\n"
       "\n"
       "exit codes: 0 success; 1 the run did not reach its end, a quantity of verify failed, or compare found\n"
       "a difference; 2 an error in the model file or on the command line; 3 an error of the system or of Limber");
}

static void print_command_help(const Command *c) {
  printf("%s\n\nusage: limber %s\n\n%s\n", c->summary, c->usage, c->help);
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

// Libraries take what a shell usually gives, 8 MB. Where that is less, the command runs on a thread with a stack of its own, and so
// do the threads of libraries.
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
    print_command_error(NULL, "there is no memory for a stack of %zu MB", LIMIT_STACK >> 20);
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
  if (argc < 2 || is_help(argv[1]) || (argc == 2 && !strcmp(argv[1], "help"))) {
    if (is_printing_process()) print_help();
    return argc < 2 ? EXIT_MISTAKE : EXIT_GOOD;
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
