// SPDX-License-Identifier: Apache-2.0
// What commands share: the words of the command line, messages, exit codes, the way to a model file.
#ifndef LIMBER_CONSOLE_CONSOLE_H
#define LIMBER_CONSOLE_CONSOLE_H

#include "base/command.h"
#include "input/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

// The value of an option ("" if it takes none), or NULL: not given. Of one that may be given several times, the i-th.
const char *argument_value(const Arguments *a, const char *option);
const char *argument_of_many(const Arguments *a, const char *option, int i);
// All values of an option, in order, room for MAX_GIVEN; how many.
int arguments_of(const Arguments *a, const char *option, const char **value);

// Whether mpiexec or srun started this process together with others, known without MPI.
bool is_launched(void);
// Whether this process prints: the first of those that mpiexec started, known without MPI.
bool is_printing_process(void);
// Whether a line that is drawn anew makes sense on stdout.
bool on_terminal(void);

double clock_seconds(void); // s, from some start on: for differences
// "7.3 s", "12 min"
const char *format_duration(double seconds, char *text, size_t size);

// Styles of text on a terminal. Nothing is written for a stream that is not one, with NO_COLOR, or under mpiexec.
typedef enum { STYLE_PLAIN, STYLE_STRONG, STYLE_GOOD, STYLE_WARNING, STYLE_ERROR } ConsoleStyle;
void set_style(FILE *out, ConsoleStyle style);                        // of stdout or stderr, for what is printed next
void style_diagnostic(FILE *out, DiagnosticLevel level, bool begins); // a DiagnosticStyle (input/diagnostic.h)

// A line of `limber doctor`: where something was found, or, if `where` is NULL, what it would add and how to get it.
void print_finding(const char *name, const char *where, const char *adds, const char *package);

// Prints a text whose control characters, but for the ends of lines, are written out: names of files and titles may
// come from anyone, and must not command a terminal.
void print_plain(FILE *out, const char *text);
// Prints a word as a shell takes it, in single quotes if need be.
void print_shell_word(FILE *out, const char *word);
// Prints a command line as a shell takes it: the words that were given, `more`, and the options of PETSc. Options of
// `without`, a list that ends with NULL, are omitted.
void print_command_line(FILE *out, const Arguments *a, const char *const *without, const char *more);
// Prints to stderr, from one process: "limber run: " and the message.
void print_command_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

// Reads a model file, checks it and prints all diagnostics. `exit` is EXIT_GOOD if it may be run; `in` may be NULL
// otherwise. The file itself is read by `options->read`, too.
Error LoadModelFile(const char *command, const char *path, const InputOptions *options, Input **in, ExitCode *exit);

// Other programs that a command runs.

// The path of the first program that is installed. `names` ends with NULL. False: there is none.
bool program_find(const char *const *names, char *out, size_t size);

// Starts a program with descriptors: fd[i][0] becomes fd[i][1]; the list ends with -1. False: it cannot be started.
bool program_start(char *const *argv, const int (*fd)[2], pid_t *process);

#endif
