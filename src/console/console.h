// SPDX-License-Identifier: Apache-2.0
// What commands share: the words of the command line, messages, exit codes, the way to a model file.
#ifndef LIMBER_CONSOLE_CONSOLE_H
#define LIMBER_CONSOLE_CONSOLE_H

#include "input/input.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum {
  EXIT_GOOD = 0,
  EXIT_FAILED = 1,  // the run did not reach its end, or a quantity falls short of what is expected
  EXIT_MISTAKE = 2, // in the model file or on the command line
  EXIT_MACHINE = 3, // the machine or the program is broken
} ExitCode;

typedef struct {
  const char *name;           // without the dashes
  const char *letter;         // "o" for -o, or NULL
  const char *argument_value; // what follows, for the help; NULL: nothing does
  const char *help;
  enum { OPTION_ONCE, OPTION_MANY } times; // whether it may be given several times
} Option;

enum { MAX_GIVEN = 64, MAX_WORDS = 256 };

typedef struct BrowserControl BrowserControl; // browser.h

typedef struct {
  const char *command;
  struct {
    const Option *option;
    const char *value; // "" if it takes none
  } given[MAX_GIVEN];
  int givens;
  const char *word[MAX_WORDS]; // the rest
  int words;
  int petsc_argc; // the command's name and what follows `--`
  char **petsc_argv;
  const BrowserControl *browser; // NULL: none, as in other programs than `limber`
} Arguments;

// The value of an option ("" if it takes none), or NULL: not given. Of one that may be given several times, the i-th.
const char *argument_value(const Arguments *a, const char *option);
const char *argument_of_many(const Arguments *a, const char *option, int i);
// All values of an option, in order, room for MAX_GIVEN; how many.
int arguments_of(const Arguments *a, const char *option, const char **value);

// Whether this process prints: the first of those that mpiexec started, known without MPI.
bool is_printing_process(void);
// Whether a line that is drawn anew makes sense on stdout.
bool on_terminal(void);

double clock_seconds(void); // s, from some start on: for differences
// "7.3 s", "12 min"
const char *format_duration(double seconds, char *text, size_t size);

// Prints a text whose control characters, but for the ends of lines, are written out: names of files and titles may come from
// anyone, and must not command a terminal.
void print_plain(FILE *out, const char *text);
// Prints to stderr, from one process: "limber run: " and the message.
void print_command_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

// What every command that reads a model offers: --set.
#define OPTION_SET \
  { "set", NULL, "run.step=1ms", "sets a field of the model to another value; may be repeated", OPTION_MANY }
// ... of those that run it: --allow-library.
#define OPTION_LIBRARY \
  { \
    "allow-library", NULL, NULL, "control blocks may load shared libraries, which can do all that you can", \
        OPTION_ONCE \
  }
// ... and --allow-outside.
#define OPTION_MONITOR \
  { \
    "monitor", NULL, NULL, "prints a table of Newton's method: residual, largest correction and where they are", \
        OPTION_ONCE \
  }
#define OPTION_OUTSIDE \
  { "allow-outside", NULL, NULL, "the model may read files outside of its folder", OPTION_ONCE }

// Reads a model file, checks it and prints all diagnostics. `exit` is EXIT_GOOD if it may be run; `in` may be NULL otherwise.
// The file itself is read by `options->read`, too.
Error LoadModelFile(const char *command, const char *path, const InputOptions *options, Input **in, ExitCode *exit);

#endif
