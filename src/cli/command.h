// SPDX-License-Identifier: Apache-2.0
// The commands of `limber`. A command is one file that ends in one descriptor, and one line in commands.def.
#ifndef LIMBER_CLI_COMMAND_H
#define LIMBER_CLI_COMMAND_H

#include "input/input.h"

#include <stdbool.h>

typedef enum {
  EXIT_GOOD = 0,
  EXIT_FAILED = 1,  // the run did not reach its end
  EXIT_MISTAKE = 2, // in the model file or on the command line
  EXIT_MACHINE = 3, // the machine or the program is broken
} ExitCode;

typedef struct {
  const char *name;     // without the dashes
  const char *letter;   // "o" for -o, or NULL
  const char *argument; // what follows, for the help; NULL: nothing does
  const char *help;
} Option;

enum { MAX_OPTIONS = 8, MAX_WORDS = 64 };

typedef struct {
  const char *option[MAX_OPTIONS]; // argument of each option of the command ("" if it takes none), NULL: not given
  const char *word[MAX_WORDS];     // the rest
  int words;
  int petsc_argc; // the command's name and what follows `--`
  char **petsc_argv;
} Arguments;

typedef struct {
  const char *name, *summary, *usage, *help, *example;
  const Option *options; // ends with a NULL name
  int least, most;       // words
  const char *word;      // what a word is, for messages
  bool petsc;            // takes PETSc's options after `--`
  ExitCode (*run)(const Arguments *a);
} Command;

#define COMMAND(name) extern const Command command_##name;
#include "cli/commands.def"
#undef COMMAND
extern const Command *const commands[]; // ends with NULL

// Whether this process prints: the first of those that mpiexec started, known without MPI.
bool prints(void);
// Whether a line that is drawn anew makes sense on stdout.
bool on_terminal(void);

// Fills `out`; false, with a message on stderr, if the command line is wrong.
bool arguments_read(const Command *c, int argc, char **argv, Arguments *out);

// Prints to stderr, from one process: "limber run: " and the message.
void complain(const char *command, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

// Reads a model file, checks it and prints all notes. `exit` is EXIT_GOOD if it may be run; `in` may be NULL otherwise.
PetscErrorCode LoadModelFile(const char *command, const char *path, Input **in, ExitCode *exit);

#endif
