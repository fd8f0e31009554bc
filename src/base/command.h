// SPDX-License-Identifier: Apache-2.0
// A command of the program `limber` as data: its help, its options, and the words that it is given.
#ifndef LIMBER_BASE_COMMAND_H
#define LIMBER_BASE_COMMAND_H

#include <stdbool.h>

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

enum { MAX_GIVEN = 320, MAX_WORDS = 256 };

typedef struct BrowserControl BrowserControl; // console/browser.h

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

typedef struct {
  const char *name, *summary, *usage, *help, *example;
  const Option *options; // ends with a NULL name
  int least, most;       // words
  const char *word;      // what a word is, for messages
  bool petsc;            // takes PETSc's options after `--`
  ExitCode (*run)(const Arguments *a);
  const char *engine; // in place of `run`: a function of liblimber with the same arguments
} Command;

// What every command that reads a model offers: --set.
#define OPTION_SET \
  { "set", NULL, "run.step=1ms", "sets a field of the model to another value; may be repeated", OPTION_MANY }
// ... of those that run it: --allow-library.
#define OPTION_LIBRARY \
  { \
    "allow-library", NULL, NULL, "control blocks may load shared libraries, which run with your permissions", \
        OPTION_ONCE \
  }
// ... and --allow-outside.
#define OPTION_OUTSIDE \
  { "allow-outside", NULL, NULL, "the model may read files outside of its folder", OPTION_ONCE }
// What commands that take steps offer.
#define OPTION_MONITOR \
  { \
    "monitor", NULL, NULL, "prints every Newton iteration: residual, largest correction and where they occur", \
        OPTION_ONCE \
  }
// What commands that run on clusters offer.
#define OPTION_SCRIPT \
  { "script", NULL, "slurm", "prints a script for the batch system Slurm instead, see docs/clusters.md", OPTION_ONCE }
// What every command that writes a file offers.
#define OPTION_FORCE \
  { "force", NULL, NULL, "overwrites a file that Limber did not write", OPTION_ONCE }

#endif
