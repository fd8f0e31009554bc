// SPDX-License-Identifier: Apache-2.0
// A participant of a coupled run, in a process of its own: a run as that of `limber run`, which meets the others after
// each step.
#include "app/couple.h"

#include "analyses/stepping/lines.h"
#include "analyses/stepping/stepper.h"
#include "app/command.h"
#include "quantities/ledger.h"
#include "results/checkpoint/checkpoint.h"
#include "results/write/probes.h"

#include "files/claim.h"
#include "files/folder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

bool couple_send(int socket, const double *number, size_t count) {
  const char *at = (const char *)number;
  for (size_t left = count * sizeof *number; left;) {
    ssize_t n = write(socket, at, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, left -= (size_t)n;
  }
  return true;
}

// Waits until there is something to read.
static void wait_for_message(int socket, pid_t process) {
  struct pollfd at = {.fd = socket, .events = POLLIN};
  bool continued = false;
  while (poll(&at, 1, 100) <= 0) {
    if (stop_requested() && !continued) kill(process, SIGCONT), continued = true;
  }
}

bool couple_receive(int socket, pid_t process, double *number, size_t count) {
  char *at = (char *)number;
  for (size_t left = count * sizeof *number; left;) {
    if (process) wait_for_message(socket, process);
    ssize_t n = read(socket, at, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, left -= (size_t)n;
  }
  return true;
}

typedef struct {
  Exchange base; // comes first
  CoupledSide *side;
  const CoupledOptions *options;
  const Input *in; // that it runs
  Probes *probes;  // NULL: nothing is put out
  double *row;
} Meeting;

// The last checkpoint but one. Participants write theirs after the same step, so that one of the two is common to all.
static void previous_path(const char *results, char *path, size_t size) {
  output_beside(results, ".before.h5", path, size);
}

// What it puts out, at the present state. Probes of its own, because rows of the results may be rarer.
static PetscErrorCode SendOutputs(Meeting *m, LimberRun run, bool *good) {
  const CoupledSide *s = m->side;
  PetscFunctionBegin;
  if (s->outputs) PetscCall(ProbesSample(m->probes, run, m->row));
  for (int i = 0; i < s->outputs; i++) {
    int column = probes_find(m->in->model, m->in->probes, m->in->probe, s->output[i]);
    const double *other = model_signal_value(m->in->model, s->output[i]);
    if (!other) other = ledger_value(&run->stepper->ledger, s->output[i]);
    s->value[i] = column >= 0 ? m->row[column] : other ? *other : 0;
  }
  *good = *good && couple_send(s->socket, s->value, (size_t)s->outputs);
  PetscFunctionReturn(0);
}

// The first process was killed. A checkpoint of now would lack the waves that were to come, so none is written.
static void end_as_killed(void) {
  output_discard_all(), private_folders_remove();
  _exit(EXIT_MACHINE);
}

static PetscErrorCode TakeSignals(const Meeting *m, double order) {
  const CoupledSide *s = m->side;
  PetscFunctionBegin;
  if (!couple_receive(s->socket, 0, s->signal, (size_t)s->inputs)) end_as_killed();
  for (int i = 0; i < s->inputs && !((int)order & COUPLE_STOP); i++)
    PetscCall(LimberModelSetSignal(m->in->model, LIMBER_ID(LimberFunctionId, s->function[i]), s->signal[i]));
  PetscFunctionReturn(0);
}

static PetscErrorCode MakeProbes(Meeting *m, const Input *in, const CheckpointContainer *from) {
  PetscFunctionBegin;
  m->in = in;
  if (!m->side->outputs) PetscFunctionReturn(0);
  PetscCall(ProbesCreate(in, &m->probes));
  PetscCall(PetscCalloc1(probes_width(m->probes), &m->row));
  if (from) probes_restore(m->probes, from); // those of the results were as many steps on
  PetscFunctionReturn(0);
}

static PetscErrorCode MeetAtStart(Exchange *self, const Input *in, LimberRun run, const CheckpointContainer *from,
                                  bool *stop) {
  Meeting *m = (Meeting *)self;
  const CoupledSide *s = m->side;
  size_t n = (size_t)s->waves;
  double head[START_WAVES] = {(double)run->stepper->count, run->stepper->options.step}, order = COUPLE_STOP;
  LineSide line;
  PetscFunctionBegin;
  PetscCall(MakeProbes(m, in, from));
  PetscCall(LineSideCreate(run->stepper, &line));
  PetscCheck(line.waves == s->waves, PETSC_COMM_SELF, PETSC_ERR_PLIB, "waves of participant '%s'", s->name);
  bool good = couple_send(s->socket, head, START_WAVES) && couple_send(s->socket, line.velocity, n) &&
              couple_send(s->socket, line.acceleration, n) && couple_send(s->socket, line.compliance, n * n) &&
              couple_send(s->socket, line.in, n) && couple_send(s->socket, line.out, n);
  PetscCall(SendOutputs(m, run, &good));
  good = good && couple_receive(s->socket, 0, &order, 1) && couple_receive(s->socket, 0, s->in_wave, n) &&
         couple_receive(s->socket, 0, s->out_wave, n);
  if (good) PetscCall(TakeSignals(m, order));
  if (!good) end_as_killed();
  *stop = (int)order & COUPLE_STOP;
  if (!*stop) line_take_waves(run->stepper, from ? line.in : s->in_wave, from ? line.out : s->out_wave);
  PetscCall(LineSideDestroy(&line));
  PetscFunctionReturn(0);
}

static PetscErrorCode MeetAfterStep(Exchange *self, LimberRun run, bool last, bool *stop, bool *save) {
  Meeting *m = (Meeting *)self;
  const CoupledSide *s = m->side;
  double order = COUPLE_STOP;
  char now[4200], before[4200], results[4200];
  LineSide line;
  PetscFunctionBegin;
  PetscCall(LineSideCreate(run->stepper, &line));
  bool good = couple_send(s->socket, line.out, (size_t)s->waves);
  PetscCall(LineSideDestroy(&line));
  PetscCall(SendOutputs(m, run, &good));
  good = good && couple_receive(s->socket, 0, &order, 1) && couple_receive(s->socket, 0, s->in_wave, (size_t)s->waves);
  if (good) PetscCall(TakeSignals(m, order));
  else end_as_killed();
  line_take_waves(run->stepper, s->in_wave, NULL);
  *stop = (int)order & COUPLE_STOP, *save = (int)order & COUPLE_SAVE;
  if (*save || *stop || last) { // the next one is written
    previous_path(s->path, results, sizeof results);
    checkpoint_path(results, before, sizeof before), checkpoint_path(s->path, now, sizeof now);
    if (m->options->checkpoint > 0) rename(now, before);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode EndMeeting(Exchange *self) {
  Meeting *m = (Meeting *)self;
  PetscFunctionBegin;
  if (m->probes) PetscCall(ProbesDestroy(&m->probes));
  PetscCall(PetscFree(m->row));
  PetscFunctionReturn(0);
}

// Times of the last two checkpoints, and the end of the run that they are of.
static PetscErrorCode FindCheckpoints(const CoupledSide *s, double *ready, double *end) {
  char results[4200];
  PetscFunctionBegin;
  previous_path(s->path, results, sizeof results);
  for (int i = 0; i < 2; i++) {
    CheckpointContainer c;
    CheckpointHead head;
    Refusal wrong;
    PetscCall(CheckpointRead(i ? results : s->path, &c, &head, &wrong));
    ready[READY_NOW + i] = is_refused(&wrong) ? -1 : head.time;
    if (!is_refused(&wrong)) *end = head.end;
    checkpoint_close(&c);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Work(CoupledSide *s, const CoupledOptions *o, ExitCode *code) {
  char before[4200], now[4200];
  double ready[READY_SIZE] = {1, -1, -1}, time = -1, end = 0;
  bool can = true;
  Meeting m = {.base = {o->identity, MeetAtStart, MeetAfterStep, EndMeeting}, .side = s, .options = o};
  SimulateOptions simulate = {.talk = TALK_NONE, .checkpoint = o->checkpoint, .exchange = &m.base};
  PetscFunctionBegin;
  *code = EXIT_MISTAKE;
  previous_path(s->path, now, sizeof now);
  checkpoint_path(now, before, sizeof before), checkpoint_path(s->path, now, sizeof now);
  if (o->resume) PetscCall(FindCheckpoints(s, ready, &end));
  else PetscCall(CanWriteResults(s->command, s->path, s->in, &can));
  if (can) PetscCall(CanWriteFile(s->command, before, FILE_CHECKPOINT, s->in, &can));
  ready[READY_GOOD] = can;
  if (!couple_send(s->socket, ready, READY_SIZE) || !couple_receive(s->socket, 0, &time, 1) || time < 0)
    PetscFunctionReturn(0);
  if (!o->resume) {
    unlink(before);
    PetscCall(RunSimulation(s->command, s->in, s->path, &simulate, code));
  } else {
    if (time != ready[READY_NOW]) rename(before, now);
    PetscCall(ResumeResults(s->command, s->path, end == o->end ? 0 : o->end, o->allow_library, &simulate, code));
  }
  PetscFunctionReturn(0);
}

int participant_main(CoupledSide *s, const CoupledOptions *o, const Arguments *a) {
  int argc = a->petsc_argc;
  char **argv = a->petsc_argv;
  ExitCode code = EXIT_MACHINE;
  setvbuf(stderr, NULL, _IOLBF, BUFSIZ); // so that lines of several participants do not mix
  if (LimberInitialize(&argc, &argv)) return EXIT_MACHINE;
  PetscPopSignalHandler(); // a fault ends the process, and the first one names the participant
  restore_signals();
  signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN); // the first process decides when to stop
  output_allow_overwrite(argument_value(a, "force") != NULL);
  if (Work(s, o, &code)) return output_discard_all(), private_folders_remove(), EXIT_MACHINE;
  claim_drop_unused();
  return LimberFinalize() ? EXIT_MACHINE : (int)code;
}
