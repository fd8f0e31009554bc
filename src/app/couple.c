// SPDX-License-Identifier: Apache-2.0
// A coupled run: a file with participants and connections in, the results of each participant and those of the whole
// out.
#define _GNU_SOURCE // SOCK_CLOEXEC
#include "app/couple.h"
#include "app/couple_ssp.h"

#include "app/command.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "results/checkpoint/checkpoint.h"
#include "results/write/joined.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

static const char name[] = "couple";
static const double SECONDS_TO_STOP = 10; // then a participant is killed

// Only one command runs in a process, and CommandStart hands no data on.
static Couple couple;

// ---- processes ----

static Error StartParticipants(Couple *c) {
  pid_t parent = getpid();
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    int both[2];
    ENSURE(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), ERROR_LIBRARY, "cannot start a process: %s",
           strerror(errno));
    fflush(stdout), fflush(stderr);
    s->process = fork();
    ENSURE(s->process >= 0, ERROR_LIBRARY, "cannot start a process: %s", strerror(errno));
    if (!s->process) {
#ifdef __linux__
      prctl(PR_SET_PDEATHSIG, SIGKILL); // also where the first process is killed
#endif
      for (int k = 0; k < i; k++) close(c->side[k].socket); // else the others do not learn that it has ended
      close(both[0]);
      s->socket = both[1];
      int code = getppid() == parent ? participant_main(s, &c->options, c->arguments) : EXIT_MACHINE;
      fflush(stdout), fflush(stderr);
      _exit(code);
    }
    close(both[1]);
    s->socket = both[0];
  }
  return 0;
}

static void leave(CoupledSide *s) {
  if (s->socket >= 0) close(s->socket);
  s->socket = -1;
}

static bool tell(CoupledSide *s, const double *number, size_t count) {
  return s->socket >= 0 && couple_send(s->socket, number, count);
}

static bool hear(CoupledSide *s, double *number, size_t count) {
  if (s->socket >= 0 && couple_receive(s->socket, s->process, number, count)) return true;
  return leave(s), false;
}

// Waits for all; the worst exit code.
static ExitCode wait_for_all(Couple *c) {
  ExitCode worst = EXIT_GOOD;
  double begun = clock_seconds();
  for (int i = 0; i < c->sides; i++) leave(&c->side[i]);
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    int status = 0;
    if (s->process <= 0) continue;
    while (!waitpid(s->process, &status, WNOHANG)) {
      if (clock_seconds() - begun > SECONDS_TO_STOP && stop_requested()) kill(s->process, SIGKILL);
      usleep(1000);
    }
    s->process = 0;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_MACHINE;
    if (WIFSIGNALED(status))
      print_command_error(name, "the process of participant '%s' was ended by signal %d (%s)", s->name,
                          WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (code > (int)worst) worst = (ExitCode)code;
  }
  return worst;
}

// ---- exchange ----

// The time of the last step after which all wrote a checkpoint; 0: none was asked for; -1: there is none.
static double common_time(const Couple *c, const double (*ready)[READY_SIZE]) {
  double time = ready[0][READY_NOW];
  if (!c->options.resume) return 0;
  for (int try = 0; try < 2; try++) {
    bool all = time >= 0;
    for (int i = 0; i < c->sides; i++) all = all && (ready[i][READY_NOW] == time || ready[i][READY_BEFORE] == time);
    if (all) return time;
    time = ready[0][READY_BEFORE];
  }
  return -1;
}

static PetscErrorCode MeetReady(Couple *c, bool *good) {
  double(*ready)[READY_SIZE], time;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(c->sides, &ready));
  for (int i = 0; i < c->sides; i++) *good = hear(&c->side[i], ready[i], READY_SIZE) && ready[i][READY_GOOD] && *good;
  time = *good ? common_time(c, (const double(*)[READY_SIZE])ready) : -1;
  if (*good && time < 0)
    print_command_error(name, "the participants have no checkpoint of the same time: start again without --resume");
  *good = time >= 0;
  for (int i = 0; i < c->sides; i++) tell(&c->side[i], &time, 1);
  PetscCall(PetscFree(ready));
  PetscFunctionReturn(0);
}

static PetscErrorCode StartLines(Couple *c) {
  PetscFunctionBegin;
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    Model m = s->in->model;
    LinePort *port;
    PetscCall(PetscMalloc1(m->ports.count, &port));
    for (int k = 0; k < m->ports.count; k++) {
      const ModelPort *q = model_port(m, k);
      port[k] = (LinePort){q->name, q->count, q->wave, q->node >= 0, q->mass, q->impedance};
    }
    c->ends[i] = (LineSide){m->ports.count,  s->waves,      port,       s->step,    s->velocity,
                            s->acceleration, s->compliance, s->in_wave, s->out_wave};
  }
  PetscCall(LinesStart(c->sides, c->ends, c->lines, c->line));
  PetscFunctionReturn(0);
}

static void pass_signals(Couple *c) {
  for (int k = 0; k < c->signals; k++) *c->signal[k].to = *c->signal[k].from;
}

static bool hear_start(CoupledSide *s) {
  size_t n = (size_t)s->waves;
  double head[START_WAVES];
  bool good = hear(s, head, START_WAVES) && hear(s, s->velocity, n) && hear(s, s->acceleration, n) &&
              hear(s, s->compliance, n * n) && hear(s, s->in_wave, n) && hear(s, s->out_wave, n) &&
              hear(s, s->value, (size_t)s->outputs);
  s->steps = good ? head[START_STEPS] : 0, s->step = good ? head[START_STEP] : 0;
  return good;
}

static PetscErrorCode MeetStart(Couple *c, bool *good) {
  PetscErrorCode error = 0;
  PetscFunctionBegin;
  for (int i = 0; i < c->sides; i++) *good = hear_start(&c->side[i]) && *good;
  for (int i = 0; i < c->sides && *good; i++) *good = c->side[i].steps == c->side[0].steps;
  if (*good) limber_error_print(0), error = StartLines(c), limber_error_print(1);
  if (error) print_command_error(name, "%s", limber_error()), *good = false;
  c->steps = (int64_t)c->side[0].steps;
  pass_signals(c);
  double order = *good ? 0 : COUPLE_STOP;
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    if (tell(s, &order, 1) && tell(s, s->in_wave, (size_t)s->waves) && tell(s, s->out_wave, (size_t)s->waves))
      tell(s, s->signal, (size_t)s->inputs);
  }
  PetscFunctionReturn(0);
}

static void tell_all(Couple *c, double order) {
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    if (tell(s, &order, 1) && tell(s, s->in_wave, (size_t)s->waves)) tell(s, s->signal, (size_t)s->inputs);
  }
}

static void take_steps(Couple *c, RunProgress *p, bool *good) {
  double saved = clock_seconds(), order = 0;
  p->begun = (double)c->steps / (double)c->in->steps, p->tenth = (int)(10 * p->begun);
  while (c->steps < c->in->steps && !((int)order & COUPLE_STOP)) {
    for (int i = 0; i < c->sides; i++) {
      CoupledSide *s = &c->side[i];
      bool here = hear(s, s->out_wave, (size_t)s->waves) && hear(s, s->value, (size_t)s->outputs);
      if (!here && *good) {
        run_progress_clear(p);
        print_command_error(name, "participant '%s' ended at t = %.8g s", s->name,
                            (double)c->steps * c->in->options.step);
      }
      *good = here && *good;
    }
    c->steps += *good, c->time = (double)c->steps * c->in->options.step;
    lines_exchange(c->ends, c->lines, c->line);
    pass_signals(c);
    bool late = c->options.checkpoint > 0 && clock_seconds() - saved >= c->options.checkpoint;
    order = (!*good || stop_requested() ? COUPLE_STOP : 0) + (late ? COUPLE_SAVE : 0);
    if (late) saved = clock_seconds();
    tell_all(c, order);
    if (*good) run_progress_print(p, (double)c->steps / (double)c->in->steps, c->time);
  }
  run_progress_clear(p);
}

// ---- the whole ----

static void print_summary(const Couple *c, const JoinedSummary *j, double started) {
  char spent[32];
  printf("%s: %lld steps of %.4g s to t = %.6g s, in %s\n", c->path, (long long)c->steps, c->in->options.step, j->time,
         format_duration(clock_seconds() - started, spent, sizeof spent));
  printf("  participants");
  for (int i = 0; i < c->sides; i++) printf(" %s", c->side[i].path);
  printf("\n  energy      stored %.6g J, lines %.6g J\n", j->stored, j->lines);
  printf("  since t = 0 work of loads %.6g J, dampers, scheme and events %.6g J, loss of waves %.6g J\n", j->work,
         j->lost, j->port_loss);
  if (j->bonded) printf("              work to FMUs %.6g J, created by the exchange %.2g J\n", j->fmus, j->created);
  printf("  balance     energy balance error of the whole of at most %.2g J, %.2g of the energy exchanged\n", j->worst,
         j->exchanged > 0 ? j->worst / j->exchanged : 0);
}

static PetscErrorCode JoinResults(Couple *c, RunStatus status, double started, bool quiet, ExitCode *code) {
  const char **names, **files;
  bool bonded = false;
  JoinedSummary j;
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(c->sides, &names, c->sides, &files));
  for (int i = 0; i < c->sides; i++) names[i] = c->side[i].name, files[i] = c->side[i].path;
  for (int i = 0; i < c->sides; i++) bonded = bonded || c->side[i].in->model->bonds.count;
  PetscCall(JoinedResultsWrite(c->path, c->in, c->sides, names, files, bonded, status, &j, &wrong));
  PetscCall(PetscFree2(names, files));
  if (is_refused(&wrong)) print_command_error(name, "%s", wrong.text), *code = EXIT_FAILED;
  else if (!quiet) print_summary(c, &j, started);
  PetscFunctionReturn(0);
}

static PetscErrorCode RunSystem(const Arguments *a, ExitCode *code) {
  Couple *c = &couple;
  bool quiet = argument_value(a, "quiet"), good = true, can = true;
  RunProgress p = {.talk = quiet ? TALK_NONE : TALK_ALL, .terminal = on_terminal(), .started = clock_seconds()};
  PetscFunctionBegin;
  catch_signals();
  if (c->options.resume) output_allow_overwrite(true); // what it wrote itself
  PetscCall(CanWriteResults(name, c->path, c->in, &can));
  output_allow_overwrite(argument_value(a, "force") != NULL);
  if (can) PetscCall(MeetReady(c, &good));
  if (can && good) PetscCall(MeetStart(c, &good));
  if (!can || !good) {
    ExitCode theirs = wait_for_all(c);
    *code = theirs == EXIT_MACHINE ? EXIT_MACHINE : EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  take_steps(c, &p, &good);
  ExitCode theirs = wait_for_all(c);
  bool done = good && c->steps == c->in->steps;
  *code = done ? theirs : EXIT_FAILED;
  PetscCall(JoinResults(c, *code == EXIT_GOOD ? RUN_FINISHED : RUN_INTERRUPTED, p.started, quiet, code));
  if (good && !done)
    print_command_error(name, "interrupted at t = %.8g s; %s contains the history up to that time%s%s%s", c->time,
                        c->path, c->options.checkpoint > 0 ? ", and continues with: limber couple " : "",
                        c->options.checkpoint > 0 ? a->word[0] : "", c->options.checkpoint > 0 ? " --resume" : "");
  PetscFunctionReturn(0);
}

// In place of a run.
static PetscErrorCode WriteSystem(const Arguments *a, ExitCode *code) {
  const char *path = argument_value(a, "ssp");
  Refusal wrong;
  PetscFunctionBegin;
  output_allow_overwrite(argument_value(a, "force") != NULL);
  PetscCall(SspWrite(&couple, path, &wrong));
  *code = is_refused(&wrong) ? EXIT_MISTAKE : EXIT_GOOD;
  if (is_refused(&wrong)) print_command_error(name, "%s", wrong.text);
  else if (!argument_value(a, "quiet") && !is_standard_stream(path))
    printf("%s: system structure (SSP 1.0) with %d components and %d connections\n", path, couple.sides,
           couple.in->connections);
  PetscFunctionReturn(0);
}

int limber_command_couple(const Arguments *a) {
  ExitCode code = EXIT_MISTAKE;
  const char *interval = argument_value(a, "checkpoint");
  couple = (Couple){.arguments = a,
                    .options = {.checkpoint = CHECKPOINT_SECONDS,
                                .resume = argument_value(a, "resume"),
                                .allow_library = argument_value(a, "allow-library")}};
  if (is_launched()) {
    print_command_error(name, "it starts a process for each participant itself: call it without mpiexec");
    return EXIT_MISTAKE;
  }
  if (interval && !checkpoint_interval(interval, &couple.options.checkpoint)) {
    print_command_error(name, "--checkpoint needs a time, such as 60s, 5min or 0 for none, not '%s'", interval);
    return EXIT_MISTAKE;
  }
  if (CoupleRead(&couple, &code)) return EXIT_MACHINE;
  if (code != EXIT_GOOD) return (int)code;
  if (argument_value(a, "ssp")) return CommandStart(a, WriteSystem);
  if (StartParticipants(&couple)) return wait_for_all(&couple), EXIT_MACHINE;
  return CommandStart(a, RunSystem);
}
