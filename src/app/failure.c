// SPDX-License-Identifier: Apache-2.0
#include "app/failure.h"

#include "results/checkpoint/checkpoint.h"
#include "input/input.h"
#include "mechanics/element.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void trail_add(Trail *t, double time, const LimberOutcome *o, const LimberLedger *l) {
  t->moment[t->count++ % TRAIL] =
      (struct TrailEntry){time, o->step, {l->kinetic, l->strain, l->potential, l->work}, o->iterations};
}

static double shortest_step(const LimberOptions *o) {
  return o->control.on ? o->control.smallest : ldexp(o->step, o->halvings > 0 ? -o->halvings : 0);
}

// Which energy grew most in the last steps, beside the others, and how hard Newton worked.
static void print_trail(const Trail *t, double exchanged) {
  static const char *const name[] = {"kinetic energy", "strain energy", "potential energy", "work of the loads"};
  int n = t->count < TRAIL ? (int)t->count : TRAIL, most = 0;
  if (t->count <= 2) fprintf(stderr, "  It is the first step: check the initial conditions of the model.\n");
  const struct TrailEntry *first = &t->moment[(t->count - n) % TRAIL], *last = &t->moment[(t->count - 1) % TRAIL];
  for (int i = 1; i < 4; i++)
    if (fabs(last->energy[i]) - fabs(first->energy[i]) > fabs(last->energy[most]) - fabs(first->energy[most])) most = i;
  double grown = fabs(last->energy[most]) - fabs(first->energy[most]);
  fprintf(stderr, "  From t = %.6g s to %.6g s (%d step%s) ", first->time, last->time, n - 1, n == 2 ? "" : "s");
  if (grown <= 1e-6 * exchanged) fprintf(stderr, "no energy grew");
  else fprintf(stderr, "%s grew most, from %.3g J to %.3g J", name[most], first->energy[most], last->energy[most]);
  fprintf(stderr, "; at the end");
  for (int i = 0, said = 0; i < 4; i++)
    if (i != most || grown <= 1e-6 * exchanged)
      fprintf(stderr, "%s %s %.3g J", said++ ? "," : "", name[i], last->energy[i]);
  fprintf(stderr, ".\n  Newton took");
  for (int64_t k = t->count - n + 1; k < t->count; k++) fprintf(stderr, " %d", t->moment[k % TRAIL].iterations);
  fprintf(stderr, " iterations in these steps; the last number counts all attempts.\n");
}

// Which joints were in a singular position at the start; false: none were.
static bool say_singular_position(const Failure *f) {
  if (!f->singular) return false;
  fprintf(stderr,
          "  At the start, %.*s.\n  There the joints do not determine which way it moves, and a driven linkage can "
          "lock: no step length solves this.\n",
          (int)strcspn(f->singular, "\n"), f->singular);
  input_point_at(f->in, f->singular, stderr);
  return true;
}

static void say_no_convergence(const char *command, const Failure *f, const char *where) {
  const LimberOutcome *o = f->outcome;
  print_command_error(command, "the step from t = %.8g s did not converge%s", o->time, where);
  fprintf(stderr, "  Newton did not converge, although the step was reduced to %.2g s", shortest_step(&f->in->options));
  if (o->unbalanced > 0)
    fprintf(stderr, ": the last residual was %.2g J, of %.2g J exchanged so far", o->unbalanced, f->ledger->exchanged);
  fprintf(stderr, ".\n");
  print_trail(f->trail, f->ledger->exchanged);
  if (say_singular_position(f)) return;
  fprintf(stderr,
          "  Look at the motion at that time (limber view %s). Possible causes:\n"
          "  - the mechanism is at the end of its stroke, or a drive moves it further: it has locked;\n"
          "  - a load jumps: let it rise over some steps (smooth_step);\n"
          "  - a stiffness or an inertia has the wrong magnitude or unit: limber check;\n",
          f->path);
  if (f->in->model->contacts.count)
    fprintf(stderr, "  - bodies collide, or overlap at the start: use a shorter 'step', a smaller 'stiffness', or\n    "
                    "'stick_stiffness' instead of 'slip_speed' (docs/contact.md);\n");
  fprintf(stderr,
          "  - a part snaps through: use a shorter 'step', or more 'halvings' or 'iterations' in the part 'run'.\n");
}

static void say_control(const char *command, const Failure *f) {
  const LimberOutcome *o = f->outcome;
  print_command_error(command, "%s at t = %.8g s: %s",
                      o->cause.kind == LIMBER_CAUSE_BLOCK ? "control ends the run" : "the run ends", o->time,
                      o->cause.name);
  if (o->reason == LIMBER_LIBRARY_FAILURE) return;
  fprintf(
      stderr,
      "  An input left the domain of a function (a root of a negative number, a division by zero), or a loop grows\n"
      "  without limit. A probe with its formula records it: {name: look, formula: ...}.\n");
}

static void say_loss(const char *command, const Failure *f) {
  const LimberOutcome *o = f->outcome;
  print_command_error(
      command, "the step from t = %.8g s loses more energy than is tolerated, although it was reduced to %.2g s%s%s",
      o->time, shortest_step(&f->in->options), *o->cause.name ? "; most of it in " : "", o->cause.name);
  print_trail(f->trail, f->ledger->exchanged);
  fprintf(stderr,
          "  The scheme damps waves that this step does not resolve: there was an impact, a snap-through or a sudden\n"
          "  start, or the step before was too long. Tolerate a larger 'loss' (%.2g W on average so far), make\n"
          "  'smallest' shorter, or make the load or the start smoother.\n",
          o->time > 0 ? f->lost / o->time : 0);
}

static void say_inverted(const char *command, const Failure *f, const char *where) {
  const ModelComponent *component = model_component(f->in->model, f->outcome->cause.index);
  const char *own = element_inverted_help(component->kind, model_element(f->in->model, component->first)->data);
  if (own) {
    print_command_error(command, "the step from t = %.8g s has no solution%s\n  %s", f->outcome->time, where, own);
    return;
  }
  print_command_error(command,
                      "the step from t = %.8g s gives an inverted element%s, although it was reduced to %.2g s",
                      f->outcome->time, where, shortest_step(&f->in->options));
  print_trail(f->trail, f->ledger->exchanged);
  fprintf(
      stderr,
      "  The material is compressed to zero volume, or a sheet folds over within a step: the load is too large for\n"
      "  the stiffness, a modulus has the wrong unit, or the mesh is too coarse for the bending. Try a tenth of the\n"
      "  load first, then more cells.\n");
}

static void say_large_rotation(const char *command, const Failure *f) {
  const LimberOutcome *o = f->outcome;
  double h = shortest_step(&f->in->options), degree = acos(-1) / 180;
  print_command_error(command, "%s turns too far in the step from t = %.8g s: by %.4g rad (%.4g degrees) in %.2g s",
                      o->cause.name, o->time, o->rotation, o->rotation / degree, h);
  print_trail(f->trail, f->ledger->exchanged);
  fprintf(
      stderr,
      "  Newton converged, but a step cannot contain half a turn (180 degrees) or more, and it was not allowed to be\n"
      "  shorter. Use a shorter 'step', or a smaller 'smallest' or more 'halvings' in the part 'run'. Model a rotor\n"
      "  that spins fast about its axis with the element 'wheel', whose spin need not be resolved (docs/rotors.md).\n");
}

static void say_balance_error(const char *command, const Failure *f) {
  print_command_error(
      command, "the energy balance of the step to t = %.8g s is not satisfied, although its equations are solved",
      f->outcome->time);
  fprintf(stderr, "  The energy balance error is %.2g J, %.2g of the energy exchanged.\n", fabs(f->ledger->residual),
          f->ledger->exchanged > 0 ? fabs(f->ledger->residual) / f->ledger->exchanged : 0);
  print_trail(f->trail, f->ledger->exchanged);
  if (say_singular_position(f)) return;
  fprintf(
      stderr,
      "  The step is too long for the motion: divide it by ten. If the run printed a message on redundant joints at\n"
      "  the start, they may have locked now: remove one. Otherwise this is an error in Limber: please report it.\n");
}

static void say_singular(const char *command, const Failure *f, const char *where) {
  print_command_error(command, "the equations of the step from t = %.8g s cannot be solved%s", f->outcome->time, where);
  print_trail(f->trail, f->ledger->exchanged);
  fprintf(stderr,
          "  A degree of freedom has neither mass nor stiffness: a frame that turns freely needs moments of inertia,\n"
          "  and an unconstrained body needs mass. Add an inertia or a joint.\n");
}

static void say_contradiction(const char *command, const Failure *f, const char *where) {
  print_command_error(command, "joints contradict each other from t = %.8g s on%s", f->outcome->time, where);
  fprintf(stderr, "  Its constraint violation is %.2g.\n", f->ledger->constraint);
  print_trail(f->trail, f->ledger->exchanged);
  if (say_singular_position(f)) return;
  fprintf(stderr,
          "  At the start the joints were redundant, which is harmless; in the present position they contradict each\n"
          "  other: axes that were parallel are not, or a drive violates other joints. Remove the redundant joint, or\n"
          "  replace it by one with fewer equations (a spherical or cylindrical joint in place of a revolute).\n");
}

void explain_failure(const char *command, const Failure *f) {
  const LimberOutcome *o = f->outcome;
  char where[300] = "";
  if (!is_printing_process()) return;
  if (o->cause.name[0]) snprintf(where, sizeof where, ", at %s", o->cause.name);
  switch (o->reason) {
  case LIMBER_CONVERGED: return;
  case LIMBER_NO_CONVERGENCE: say_no_convergence(command, f, where); break;
  case LIMBER_CONTROL_FAILURE:
  case LIMBER_LIBRARY_FAILURE: say_control(command, f); break;
  case LIMBER_LOSS: say_loss(command, f); break;
  case LIMBER_INVERTED_ELEMENT: say_inverted(command, f, where); break;
  case LIMBER_LARGE_ROTATION: say_large_rotation(command, f); break;
  case LIMBER_BALANCE_ERROR: say_balance_error(command, f); break;
  case LIMBER_SINGULAR: say_singular(command, f, where); break;
  case LIMBER_CONTRADICTION: say_contradiction(command, f, where); break;
  }
  print_command_error(command, "%s contains the history up to that time", f->path);
  input_point_at_cause(f->in, &o->cause, stderr);
  if (o->reason == LIMBER_LOSS || o->reason == LIMBER_BALANCE_ERROR)
    input_point_at_run(f->in, "the step and the scheme are given here", stderr);
}

void explain_disk(const char *command, const char *path) {
  char checkpoint[4200];
  struct stat there;
  if (!is_printing_process()) return;
  checkpoint_path(path, checkpoint, sizeof checkpoint);
  if (!stat(checkpoint, &there))
    print_command_error(
        command,
        "the run cannot continue without its results\n"
        "  Free some disk space (df -h shows the disks), then continue from the last checkpoint: limber resume %s",
        path);
  else
    print_command_error(
        command,
        "the run cannot continue without its results\n"
        "  Free some disk space (df -h shows the disks) and start it again, or write elsewhere with -o. 'every' and "
        "'snapshots' in the\n"
        "  part 'run' make results smaller.");
}

void explain_start(const char *command, const Input *in, const char *notes) {
  size_t length = strlen(notes);
  if (!is_printing_process()) return;
  while (length && notes[length - 1] == '\n') length--;
  print_command_error(command, "%.*s", (int)length, notes);
  input_point_at(in, notes, stderr);
  if (!strncmp(notes, "run: ", 5) && !strchr(notes, '\'')) input_point_at_run(in, "the run is given here", stderr);
}
