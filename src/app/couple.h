// SPDX-License-Identifier: Apache-2.0
// A coupled run: `limber couple` starts a process for each participant and exchanges waves and signals between them
// after each step. Messages are numbers of known length, in a fixed order, so that the same system gives the same bits.
#ifndef LIMBER_APP_COUPLE_H
#define LIMBER_APP_COUPLE_H

#include "analyses/stepping/lines.h"
#include "app/simulate.h"

#include <sys/types.h>

enum { COUPLE_STOP = 1, COUPLE_SAVE = 2 }; // orders of the first process to the others

// The first numbers of the messages of a participant; waves and what it puts out follow.
enum { READY_GOOD, READY_NOW, READY_BEFORE, READY_SIZE }; // it can write; times of its last two checkpoints, -1: none
enum { START_STEPS, START_STEP, START_WAVES };            // steps taken; length of a step

typedef struct {
  const char *name;  // of the participant
  char command[300]; // in whose name errors are reported
  char path[4200];   // of its results
  Input *in;         // its model
  int outputs;
  const char **output;   // columns of probes, of the ledger, signals; in the order of the connections, as the next
  int inputs, *function; // functions of the kind `signal`
  int waves;
  pid_t process;
  int socket; // to the other process; -1: closed
  // what it sent last, and what it gets
  double *in_wave, *out_wave, *value, *signal;
  double steps, step, *velocity, *acceleration, *compliance;
} CoupledSide;

bool couple_send(int socket, const double *number, size_t count);
// False: the other process has ended. `process`: of the other side, which is continued if the user wants to stop while it
// is waited for, because it may be suspended (SIGSTOP); 0: none.
bool couple_receive(int socket, pid_t process, double *number, size_t count);

typedef struct {
  uint64_t identity;
  bool resume, allow_library;
  double checkpoint, end;
} CoupledOptions;

typedef struct { // between numbers of two sides
  const double *from;
  double *to;
} PassedSignal;

typedef struct {
  const Arguments *arguments;
  SourceReader read; // of its files
  Input *in;         // the system
  char path[4200];
  CoupledSide *side;
  int sides;
  CoupledOptions options;
  PassedSignal *signal;
  int signals;
  LimberConnection *line;
  LineSide *ends; // of all sides
  int lines;
  double time; // that all have reached
  int64_t steps;
} Couple;

// Reads the system and its models, and checks how they fit; mistakes are reported.
Error CoupleRead(Couple *c, ExitCode *code);

// Of the process of a participant, from its start to its end; the exit code.
int participant_main(CoupledSide *side, const CoupledOptions *options, const Arguments *a);

#endif
