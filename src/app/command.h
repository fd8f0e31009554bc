// SPDX-License-Identifier: Apache-2.0
// What the commands of the library share: how they start and end under MPI, the results that they make, and signals
// that end a run in order.
#ifndef LIMBER_APP_COMMAND_H
#define LIMBER_APP_COMMAND_H

#include "app/simulate.h"
#include "console/console.h"
#include "files/output_file.h"

#include <petscsys.h>
#include <stdbool.h>

// Commands under MPI: how they start and end.

// Does the work of a command between the start and the end of MPI and PETSc; the exit code.
int CommandStart(const Arguments *a, Error (*work)(const Arguments *a, ExitCode *code));

// The results file of a model: `given`, or in the present folder the model's name with another ending, swing.h5 of
// a/swing.yaml.
void results_path_of(const char *model, const char *given, const char *ending, char *path, size_t size);

// Whether results of a model can be written there; else it is said why. From then on no other process writes them.
// Collective.
Error CanWriteResults(const char *command, const char *path, const Input *in, bool *can);
// The same of one process, in which MPI need not have started.
Error CanWriteResultsAlone(const char *command, const char *path, const Input *in, bool *can);
// Whether a model has a step, for commands that do not choose one. False after a message.
bool check_step(const char *command, const char *model, const Input *in);
// The same of another kind of file.
Error CanWriteFile(const char *command, const char *path, FileKind kind, const Input *in, bool *can);

// Commands that make a results file of a model file, as `limber verify` runs them.

typedef struct {
  const char *command; // in whose name errors are reported
  const char *model;   // file
  InputOptions input;  // with changes of the model
  const char *path;    // of the results
  Talk talk;
  bool frames;      // states for `limber view` are written too
  bool takes_steps; // those of `run`
  bool monitor;     // prints each correction of Newton's method
} ResultsRequest;

// What a command line asks for; it stays in its place, to which the request points. `ending` is that of the results
// file where none is named. There is room for a few more changes than can be given.
enum { MOST_MORE_CHANGES = 3 };
typedef struct {
  ResultsRequest request;
  char path[4096];
  const char *change[MAX_GIVEN + MOST_MORE_CHANGES];
} CommandRequest;
void command_request(const Arguments *a, const char *command, const char *ending, CommandRequest *out);
// Reads the model, and asks whether the results can be written. Mistakes are reported. Collective.
PetscErrorCode RequestLoad(const ResultsRequest *r, Input **in, ExitCode *code);

// The whole number of an option, from 1 to `most`. False: it is none, and has been reported.
bool parse_count(const char *command, const char *option, const char *text, int most, int *value);

// Scripts for the batch system Slurm, printed to stdout.

// Whether the other options agree with --script; `size` is one that only a script has. Mistakes are reported.
bool check_script_options(const Arguments *a, const char *size);
// Options of sbatch for all jobs of a model or study file, and one `option` more.
void print_script_head(const char *file, const char *option);
// The shell function `work`, which does a command in a job, and the folder of all jobs: the present one.
void print_script_work(void);

// Lines of a summary, each behind the same word.
void print_lines(const char *head, const char *lines);

// Of `limber run`. Collective.
PetscErrorCode MakeRunResults(const ResultsRequest *r, ExitCode *code);

// Signals that end a run in order: Ctrl-C, kill, a terminal that is closed.

// From now on the first signal only makes stop_requested true; a second one ends the process at once.
void catch_signals(void);
bool stop_requested(void);
// From now on a signal ends the command within half a second, with a message: for commands that write at their end only.
void end_at_signal(const char *command);
// While there are last words, a signal that stop_requested has not led to an end of within half a second, as inside a
// factorisation, ends the process with these words and EXIT_FAILED. Give them where nothing is being written; NULL: not
// now.
void set_last_words(const char *words);
PetscErrorCode StopRequestedAnywhere(MPI_Comm comm, bool *stop); // on any rank: all must do the same. Collective.
// Call it after MPI and PETSc have started: it removes their signal handlers, and makes a closed pipe no reason to end.
void restore_signals(void);

#endif
