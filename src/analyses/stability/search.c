// SPDX-License-Identifier: Apache-2.0
// Scans a range of the parameter and searches for the value at which stability is lost.
#include "analyses/stability/stability.h"
#include "model/refusal.h"

#include "analyses/modes/modes.h"

#include <string.h>

static void add_remark(LimberStability f, const char *text) {
  size_t used = strlen(f->remarks);
  snprintf(f->remarks + used, sizeof f->remarks - used, "%s\n", text);
}

static const char *options_error(const LimberStabilityOptions *o) {
  if (!o->vary || !*o->vary) return "name the parameter to vary, such as let.P";
  if (!(o->to > o->from)) return "`to` must be above `from`";
  if (o->points < 2) return "there must be at least 2 points";
  if (o->digits < 1 || o->digits > 15) return "digits must be from 1 to 15";
  if (o->modes < 1) return "at least 1 mode is needed";
  return NULL;
}

// ---- between a stable and an unstable sample ----

enum { STEPS = 200, MOST_SAMPLES = 3 * STEPS + 2 }; // of a search; with the ends after each

typedef struct {
  const StabilityProblem *p;
  Sample reference;        // the last stable one of the scan
  Sample stable, unstable; // both ends; at first `stable` is the reference itself
  CrossingFunction f;
  double fa, fb; // f at both ends
  bool smooth;   // fa and fb differ in sign, so f guides the search; otherwise only whether a sample is stable
  double seen[MOST_SAMPLES][2]; // values of the parameter and of f
  int nseen;
  Refusal *wrong;
} Bracket;

// PETSC_INFINITY, of a sample without a mode of that kind, is a finite number.
static bool is_known(double f) { return PetscAbsReal(f) < PETSC_INFINITY; }

static void note_value(Bracket *b, double at, double f) {
  if (b->nseen == MOST_SAMPLES || !is_known(f)) return;
  b->seen[b->nseen][0] = at, b->seen[b->nseen][1] = f;
  b->nseen++;
}

// A mode that neither grows nor decays has an f of round-off at both ends: it cannot guide the search.
static PetscErrorCode Reconsider(Bracket *b) {
  LimberInstability before = b->f.kind;
  PetscFunctionBegin;
  b->f = crossing_function(&b->stable, &b->unstable);
  if (b->f.kind != before) b->nseen = 0;
  b->f.rounds = true;
  b->fa = crossing_value(&b->f, &b->stable), b->fb = crossing_value(&b->f, &b->unstable);
  b->smooth = b->fa > 0 && b->fb < 0 && is_known(b->fa) && is_known(b->fb);
  b->f.rounds = false;
  note_value(b, b->stable.value, b->fa);
  note_value(b, b->unstable.value, b->fb);
  PetscFunctionReturn(0);
}

static double width(const Bracket *b) { return PetscAbsReal(b->unstable.value - b->stable.value); }

static bool is_narrow(const Bracket *b) {
  double size = PetscMax(PetscAbsReal(b->unstable.value), PetscAbsReal(b->stable.value));
  return width(b) <= pow(10, -b->p->options.digits) * size ||
         width(b) <= 1e-15 * (b->p->options.to - b->p->options.from);
}

// Replaces one of the ends by the sample.
static PetscErrorCode Narrow(Bracket *b, Sample *s, bool stays, double f) {
  Sample *end = stays ? &b->stable : &b->unstable;
  PetscFunctionBegin;
  if (end->modes != b->reference.modes) PetscCall(SampleDestroy(end));
  *end = *s;
  if (stays) b->fa = f;
  else b->fb = f;
  PetscFunctionReturn(0);
}

// Moves the ends as close as possible to a value at which there is no equilibrium: the stiffness is singular there up
// to round-off.
static PetscErrorCode SurroundSingular(Bracket *b, double at) {
  PetscFunctionBegin;
  for (int side = 0; side < 2; side++) {
    Sample s;
    double end = side ? b->unstable.value : b->stable.value, away = PetscAbsReal(end - at);
    for (double d = pow(10, -b->p->options.digits) * PetscAbsReal(at); d < away; d *= 4) {
      PetscCall(SampleTake(b->p, at + copysign(d, end - at), &b->reference, &s, b->wrong));
      if (is_refused(b->wrong)) continue;
      double f = crossing_value(&b->f, &s);
      PetscCall(Narrow(b, &s, b->smooth ? f > 0 : s.unstable < 0, f));
      break;
    }
    b->wrong->text[0] = 0;
  }
  PetscFunctionReturn(0);
}

// Illinois method: false position in which the value at an end is halved from the second time that it stays. Bisects if
// three such steps have not reduced the interval to an eighth.
static PetscErrorCode NarrowDown(Bracket *b) {
  int side = 0;
  double before = width(b);
  PetscFunctionBegin;
  PetscCall(Reconsider(b));
  for (int i = 0; i < STEPS && !is_narrow(b); i++) {
    double a = b->stable.value, c = b->unstable.value, at = 0.5 * (a + c), f = 0;
    bool bisects = !b->smooth || (i % 4 == 3 && width(b) > 0.125 * before);
    Sample s;
    if (i % 4 == 0) before = width(b);
    if (!bisects) at = (a * b->fb - c * b->fa) / (b->fb - b->fa);
    double least = 0.25 * pow(10, -b->p->options.digits) * PetscMax(PetscAbsReal(a), PetscAbsReal(c)),
           low = PetscMin(a, c);
    at = PetscMin(PetscMax(at, low + least), low + width(b) - least); // so that both ends move
    PetscCall(SampleTake(b->p, at, &b->reference, &s, b->wrong));
    if (is_refused(b->wrong)) {
      PetscCall(SurroundSingular(b, at));
      break;
    }
    f = crossing_value(&b->f, &s);
    note_value(b, at, f);
    if (b->smooth && !is_known(f)) f = s.unstable < 0 ? b->fa : b->fb;
    bool other = b->smooth && f > 0 && s.unstable >= 0; // stability is lost earlier, in another way
    int now = !other && (b->smooth ? f > 0 : s.unstable < 0) ? 1 : -1;
    PetscCall(Narrow(b, &s, now > 0, f));
    if (b->smooth && now == side && !bisects && !other) {
      if (now > 0) b->fb *= 0.5;
      else b->fa *= 0.5;
    }
    side = now;
    if (!b->smooth || other) PetscCall(Reconsider(b));
  }
  PetscFunctionReturn(0);
}

// ---- what was found ----

// The mode that grows, or the one nearest to growing at that frequency.
static int critical_mode(const Sample *s, double omega) {
  double nearest = PETSC_INFINITY;
  int at = -1;
  if (s->unstable >= 0) return s->unstable;
  for (int i = 0; i < s->modes->count; i++) {
    const Mode *m = &s->modes->mode[i];
    double away = hypot(m->im - omega, PetscMin(m->re, 0));
    if (away < nearest) at = i, nearest = away;
  }
  return at;
}

// Moves the sample into the result, with the name of its critical mode.
static PetscErrorCode KeepCritical(LimberStability f, Sample *s, double omega) {
  const char *const words[2] = {s->in->modes.options.bending_y, s->in->modes.options.bending_z};
  ModeShapes shapes;
  PetscFunctionBegin;
  f->critical = *s, *s = (Sample){0};
  f->critical_mode = critical_mode(&f->critical, omega);
  f->crossing.frequency = omega / (2 * PETSC_PI);
  if (f->critical_mode < 0) PetscFunctionReturn(0);
  PetscCall(ModeShapesFind(f->critical.modes, words, &shapes));
  PetscCall(PetscStrncpy(f->crossing.mode, shapes.shape[f->critical_mode].name, sizeof f->crossing.mode));
  PetscCall(ModeShapesDestroy(&shapes));
  f->crossing.mode[strcspn(f->crossing.mode, ",")] = 0; // drops the shares of strain energy, which is almost zero here
  PetscCall(ModeDescribeDirection(&f->critical.point.s->motion.layout,
                                  f->critical.modes->mode[f->critical_mode].right[0], f->crossing.direction,
                                  sizeof f->crossing.direction));
  PetscFunctionReturn(0);
}

// How far the crossing may be from `at` for an error of f: f(at) = 0, and the slope to the nearest sample at which f is
// clearly larger than its error. Without such a sample the reference is all that is known.
static double distance_of_error(const Bracket *b, double at, double error) {
  double nearest = PETSC_INFINITY, out = error > 0 ? PetscAbsReal(at - b->reference.value) : 0;
  for (int i = 0; i < b->nseen; i++) {
    double away = PetscAbsReal(b->seen[i][0] - at), f = PetscAbsReal(b->seen[i][1]);
    if (f > 3 * error && away > 0 && away < nearest) nearest = away, out = error / f * away;
  }
  return out;
}

// The change of the value at which a mode passes zero, due to the error of its eigenvalue, which contains the round-off
// of the stiffness.
static PetscErrorCode FindRoundOff(const Bracket *b, double at, double omega, double *out) {
  int i = critical_mode(&b->unstable, omega);
  double error = 0;
  PetscFunctionBegin;
  if (i >= 0) PetscCall(CrossingError(&b->f, &b->unstable, i, &error));
  *out = distance_of_error(b, at, error);
  PetscFunctionReturn(0);
}

static PetscErrorCode Describe(Bracket *b, LimberStability f) {
  PetscFunctionBegin;
  double at = 0.5 * (b->stable.value + b->unstable.value), part = b->fa / (b->fa - b->fb);
  if (b->smooth && part >= 0 && part <= 1) // not if both ends are round-off
    at = b->stable.value + part * (b->unstable.value - b->stable.value);
  double omega = crossing_frequency(&b->f, b->f.kind == LIMBER_COALESCENCE ? &b->stable : &b->unstable);
  double round_off = 0;
  PetscCall(FindRoundOff(b, at, omega, &round_off));
  f->crossing = (LimberCrossing){.kind = b->f.kind, .value = at, .width = width(b) + round_off};
  PetscCall(KeepCritical(f, &b->unstable, omega));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindCrossing(const StabilityProblem *p, LimberStability f, Sample *stable, Sample *unstable,
                                   Refusal *wrong) {
  Bracket b = {.p = p, .reference = *stable, .stable = *stable, .unstable = *unstable, .wrong = wrong};
  PetscFunctionBegin;
  PetscCall(NarrowDown(&b));
  if (!is_refused(wrong)) PetscCall(Describe(&b, f));
  if (b.stable.modes != b.reference.modes) PetscCall(SampleDestroy(&b.stable));
  PetscCall(SampleDestroy(&b.unstable));
  PetscCall(SampleDestroy(&b.reference));
  PetscFunctionReturn(0);
}

// ---- the scan ----

static double scan_value(const LimberStabilityOptions *o, int i) {
  return i == o->points - 1 ? o->to : o->from + (o->to - o->from) * i / (o->points - 1);
}

// Says once that growth is not known.
static void remark_doubt(LimberStability f, const Sample *s) {
  if (s->doubtful < 0 || s->unstable >= 0 || strstr(f->remarks, "is not known")) return;
  char text[300];
  const Mode *m = &s->modes->mode[s->doubtful];
  snprintf(
      text, sizeof text,
      "at %s = %g the growth rate of a mode of %.4g Hz has an error of up to %.2g 1/s: whether it grows is not known",
      f->options.vary, s->value, m->frequency, m->error[0]);
  add_remark(f, text);
}

// Samples the whole range. `first`: the first unstable point; the samples around it are taken again for the search
// between them.
static PetscErrorCode Scan(const StabilityProblem *p, LimberStability f, int *first, Refusal *wrong) {
  const LimberStabilityOptions *o = &f->options;
  Sample before = {0}, s;
  int *order;
  PetscFunctionBegin;
  *first = -1;
  PetscCall(PetscMalloc1(f->modes, &order));
  for (int i = 0; i < o->points && !is_refused(wrong); i++) {
    PetscCall(SampleTake(p, scan_value(o, i), i ? &before : NULL, &s, wrong));
    if (is_refused(wrong)) break;
    PetscCall(StabilityAddRow(f, i ? &before : NULL, &s, order));
    if (s.unstable >= 0 && *first < 0) *first = i;
    remark_doubt(f, &s);
    PetscCall(SampleDestroy(&before));
    before = s;
  }
  if (!is_refused(wrong) && *first < 0 && before.passing > 0)
    add_remark(
        f, "at the end of the range the stiffness of a mode is only round-off: whether it grows there is undecided");
  if (is_refused(wrong) && *first >= 0) { // the crossing was found before
    char text[1024];
    snprintf(text, sizeof text, "the scan ends before %g: %.900s", scan_value(o, f->rows), wrong->text);
    add_remark(f, text);
    wrong->text[0] = 0;
  }
  PetscCall(SampleDestroy(&before));
  PetscCall(PetscFree(order));
  PetscFunctionReturn(0);
}

PetscErrorCode StabilitySearch(const StabilityProblem *p, LimberStability *out, Refusal *wrong) {
  const LimberStabilityOptions *o = &p->options;
  const char *why = options_error(o);
  LimberStability f;
  Sample stable, unstable;
  int first;
  PetscFunctionBegin;
  *out = NULL;
  refuse(wrong, "%s%s", why ? "stability: " : "", why ? why : "");
  if (why) PetscFunctionReturn(0);
  PetscCall(PetscNew(&f));
  f->options = *o, f->modes = o->modes;
  PetscCall(Scan(p, f, &first, wrong));
  if (!is_refused(wrong) && first == 0) {
    PetscCall(SampleTake(p, o->from, NULL, &unstable, wrong));
    f->crossing = (LimberCrossing){.kind = LIMBER_UNSTABLE, .value = o->from};
    if (!is_refused(wrong)) PetscCall(KeepCritical(f, &unstable, unstable.modes->mode[unstable.unstable].im));
  } else if (!is_refused(wrong) && first > 0) {
    PetscCall(SampleTake(p, scan_value(o, first - 1), NULL, &stable, wrong));
    if (!is_refused(wrong)) PetscCall(SampleTake(p, scan_value(o, first), &stable, &unstable, wrong));
    if (!is_refused(wrong)) PetscCall(FindCrossing(p, f, &stable, &unstable, wrong));
    else PetscCall(SampleDestroy(&stable));
  }
  if (is_refused(wrong)) PetscCall(StabilityDestroy(&f));
  *out = f;
  PetscFunctionReturn(0);
}

PetscErrorCode StabilityDestroy(LimberStability *f) {
  PetscFunctionBegin;
  if (!*f) PetscFunctionReturn(0);
  PetscCall(SampleDestroy(&(*f)->critical));
  PetscCall(PetscFree((*f)->value));
  PetscCall(PetscFree((*f)->lambda));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(0);
}
