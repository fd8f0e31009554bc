// SPDX-License-Identifier: Apache-2.0
// The part `run`: scheme, step and end.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "schemes/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { START_GIVEN, START_EQUILIBRIUM } Start;

typedef struct {
  double loss, smallest, largest, rows;
} ControlText;

typedef struct {
  LimberScheme scheme;
  Start start;
  LimberStartIncrements start_increments;
  LimberMomentum momentum;
  double rho_inf, beta, step, end, accuracy, tolerance, snapshots, kappa1, kappa2;
  int order, every, iterations, halvings, literal_jump, end_forces, linear, modes, terms, power1, power2, free_start;
  ControlText control;
} RunText;

static const FieldMore schemes = {NULL, scheme_name};

static const char *start_word(int i) {
  static const char *const words[] = {"given", "equilibrium", NULL};
  return words[i];
}
static const FieldMore starts = {NULL, start_word};

static const char *increments_word(int i) { // of LimberStartIncrements
  static const char *const words[] = {"rotation", "momentum", "zero", NULL};
  return words[i];
}
static const FieldMore increments = {NULL, increments_word};

static const char *momentum_word(int i) { // of LimberMomentum
  static const char *const words[] = {"unchecked", "checked", "exact", NULL};
  return words[i];
}
static const FieldMore momenta = {NULL, momentum_word};

static const Field control_fields[] = {
    {"loss", FIELD_REAL, 1, offsetof(ControlText, loss), "W", false, 0,
     "at every time t the scheme has lost at most loss t; default: only the convergence of Newton's method decides",
     NULL},
    {"smallest", FIELD_REAL, 1, offsetof(ControlText, smallest), "s", false, 0,
     "shortest step; default: 1/4096 of `step`", NULL},
    {"largest", FIELD_REAL, 1, offsetof(ControlText, largest), "s", false, 0, "longest step; default: 8 times `step`",
     NULL},
    {"rows", FIELD_REAL, 1, offsetof(ControlText, rows), "s", false, 0,
     "time between two rows of the history, at which steps then end; default: set by `every`", NULL},
};
static const FieldTable control_table = FIELDS(control_fields, ControlText);
static const FieldMore control_more = {&control_table, NULL};

static const Field run_fields[] = {
    {"scheme", FIELD_WORD, 1, offsetof(RunText, scheme), "", false, 0, "time integration scheme; default: decaying",
     &schemes},
    {"rho_inf", FIELD_REAL, 1, offsetof(RunText, rho_inf), "", false, 0.5,
     "fraction of the fastest waves that remains after a step: decaying 1/3 .. 1; decaying_c, generalized_alpha 0 .. 1",
     NULL},
    {"order", FIELD_INT, 1, offsetof(RunText, order), "", false, 2,
     "preserving: 2, 4 or 6; a step of order 4 solves 10 steps, one of order 6 solves 18, some of them backwards in "
     "time",
     NULL},
    {"beta", FIELD_REAL, 1, offsetof(RunText, beta), "", false, 1.0 / 6, "decaying_b: where losses begin", NULL},
    {"step", FIELD_REAL, 1, offsetof(RunText, step), "s", false, 0,
     "length of a step; with `accuracy` the longest that is tried; default: `limber run` chooses it", NULL},
    {"end", FIELD_REAL, 1, offsetof(RunText, end), "s", true, 0, "time at the end; the start is 0", NULL},
    {"accuracy", FIELD_REAL, 1, offsetof(RunText, accuracy), "", false, 0,
     "largest error of each probe, relative to its range, such as 1 %: `limber run` halves the step until the error is "
     "smaller, and adds error bars to the results; default: 1 % without `step`, none with it",
     NULL},
    {"every", FIELD_INT, 1, offsetof(RunText, every), "", false, 1, "steps between two rows of the history", NULL},
    {"snapshots", FIELD_REAL, 1, offsetof(RunText, snapshots), "s", false, 0,
     "time between two snapshots of the whole model; default: a hundredth of the run; 0: none", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(RunText, tolerance), "", false, 1e-12,
     "tolerance of Newton's method, relative to the energy", NULL},
    {"iterations", FIELD_INT, 1, offsetof(RunText, iterations), "", false, 20,
     "largest number of Newton iterations; twice as many if corrections cycle", NULL},
    {"halvings", FIELD_INT, 1, offsetof(RunText, halvings), "", false, 12,
     "how often a failed step may be halved; -1: never", NULL},
    {"literal_jump", FIELD_INT, 1, offsetof(RunText, literal_jump), "", false, 0,
     "1: decaying_a, _b, _c enforce joints in the start-of-step impulse (jump) as printed in the papers; first order "
     "in mechanisms",
     NULL},
    {"end_forces", FIELD_INT, 1, offsetof(RunText, end_forces), "", false, 0,
     "1: section forces of decaying_a, _b, _c are those at the end of each step, as in the papers; biased where stiff "
     "parts rotate fast",
     NULL},
    {"start", FIELD_WORD, 1, offsetof(RunText, start), "", false, 0,
     "given: nodes as in the file; equilibrium: under the loads at t = 0, or, if `motion` gives all nodes a rotation, "
     "in steady rotation; default: given",
     &starts},
    {"start_increments", FIELD_WORD, 1, offsetof(RunText, start_increments), "", false, 0,
     "increments that `decaying` stores at the start. rotation: those of a previous step with the same rotation, so "
     "that given angular velocities are rates of angles; momentum: the same, but given velocities are those of the "
     "scheme, with exact momenta, for gyroscopes; zero: as momentum, without increments; default: rotation",
     &increments},
    {"momentum", FIELD_WORD, 1, offsetof(RunText, momentum), "", false, 0,
     "exact: only loads and reactions change momentum and angular momentum, for spacecraft and other free bodies; "
     "`decaying` alone changes angular momentum by an amount that shrinks with the square of the step; checked: the "
     "ledger contains the momentum balance error, as with exact; for `decaying` and `preserving`; default: unchecked",
     &momenta},
    {"linear", FIELD_INT, 1, offsetof(RunText, linear), "", false, 0,
     "exponential: 1: elastic forces are linear about the reference; frames need it", NULL},
    {"modes", FIELD_INT, 1, offsetof(RunText, modes), "", false, 0,
     "exponential: number of the lowest modes that represent a large model, besides shapes of its loads and joints; "
     "default: all",
     NULL},
    {"terms", FIELD_INT, 1, offsetof(RunText, terms), "", false, 2,
     "exponential_paper: terms of the expansion of forces after the first, 1 or 2", NULL},
    {"kappa1", FIELD_REAL, 1, offsetof(RunText, kappa1), "", false, 0,
     "exponential_paper: stabilises joints, times |rate|^power1 of a constraint equation", NULL},
    {"kappa2", FIELD_REAL, 1, offsetof(RunText, kappa2), "", false, 0,
     "exponential_paper: stabilises joints, times |gap|^power2 of a constraint equation", NULL},
    {"power1", FIELD_INT, 1, offsetof(RunText, power1), "", false, 1, "exponential_paper: exponent of kappa1", NULL},
    {"power2", FIELD_INT, 1, offsetof(RunText, power2), "", false, 1, "exponential_paper: exponent of kappa2", NULL},
    {"free_start", FIELD_INT, 1, offsetof(RunText, free_start), "", false, 0,
     "newmark_paper: 1: the first accelerations omit the forces of joints", NULL},
    {"control", FIELD_MAP, 1, offsetof(RunText, control), "", false, 0,
     "lets the run choose its steps; `step` is the length of its first attempt", &control_more},
};
static const FieldTable run_table = FIELDS(run_fields, RunText);
static const Kind kind_run = {"run", "A simulation in time, with its scheme and its steps.", &run_table};

static Error CheckScheme(Reader *r, const Tree *map, SourceLocation at) {
  const LimberOptions *o = &r->in->options;
  const SchemeKind *kind = scheme_kind(o->scheme);
  StepRule rule = {0};
  Reason wrong = kind ? scheme_make(kind, o, &rule) : no_reason();
  if (wrong.text) TRY(ReportError(r, locate_reason(&wrong, map, at), "%s", wrong.text));
  if (rule.drifts) r->in->options.halvings = -1; // it knows its steps to be equal
  return 0;
}

static const double usual_accuracy = 0.01;
enum { LEAST_STEPS = 200 };

// A run that chooses its step by error bars. The first step follows when the model is known (first_step.h).
static Error ReadAccuracy(Reader *r, const Tree *map, RunText *t, bool *good) {
  bool given = tree_find(map, "accuracy"), step = tree_find(map, "step"), control = tree_find(map, "control");
  const Rule rules[] = {
      {given && !(t->accuracy > 0 && t->accuracy < 1), "accuracy",
       "is a part of the range between 0 and 1, such as 1 % or 0.01"},
      {given && control, "accuracy", "needs equal steps, which 'control' does not take: leave one out"},
      {control && !step, "control", "needs 'step', the length of its first attempt"},
      {!step && t->end > 0 && !(t->end / LEAST_STEPS > 0), "end", "is too short"},
  };
  TRY(APPLY(r, map, NULL, rules, good));
  r->in->first_step = !step, r->in->accuracy = given ? t->accuracy : step ? 0 : usual_accuracy;
  if (!step) t->step = t->end / LEAST_STEPS;
  return 0;
}

// What `control` leaves open follows from the rest.
static Error ReadControl(Reader *r, const Tree *run, const RunText *t, bool *good) {
  const Tree *map = tree_find(run, "control");
  const ControlText *c = &t->control;
  LimberControl *out = &r->in->options.control;
  double largest = tree_find(map, "largest") ? c->largest : 8 * t->step;
  double smallest = tree_find(map, "smallest") ? c->smallest : t->step / 4096;
  const Rule rules[] = {
      {!(c->loss > 0), "loss", "must be positive; without it any loss is tolerated"},
      {!(c->smallest > 0), "smallest", "must be positive"},
      {!(c->largest > 0), "largest", "must be positive"},
      {!(c->rows > 0), "rows", "must be positive"},
      {c->largest > 0 && c->smallest > c->largest, "smallest", "is longer than 'largest'"},
      {c->smallest > t->step, "smallest", "is longer than 'step', the first that is tried"},
      {c->largest > 0 && t->step > c->largest, "largest", "is shorter than 'step', the first that is tried"},
  };
  const Rule beside[] = {
      {t->order > 2, "control",
       "chooses lengths of steps, and those of order 4 and 6 are equal: leave out 'control' or 'order'"},
      {true, "halvings", "has no effect with 'control', whose 'smallest' limits the step"},
      {c->rows > 0, "every", "counts steps, but 'rows' of 'control' sets the time between rows: leave one out"},
  };
  if (!*good) return 0;
  TRY(APPLY(r, map, NULL, rules, good));
  TRY(APPLY(r, run, NULL, beside, good));
  *out = (LimberControl){.on = true, .loss = c->loss, .smallest = smallest, .largest = largest, .end = t->end};
  out->meet[0] = c->rows, out->meet[1] = tree_find(run, "snapshots") ? t->snapshots : 0;
  r->in->rows = c->rows;
  return 0;
}

static bool is_bare_number(const Tree *word) {
  char *end = NULL;
  if (word && word->kind == TREE_WORD) strtod(word->text, &end);
  return end && end != word->text && !*end;
}

// A run of one step whose length has no unit, and whose end has one.
static Error WarnAboutOneStep(Reader *r, const Tree *map, const RunText *t) {
  const Tree *step = tree_find(map, "step"), *end = tree_find(map, "end");
  if (is_bare_number(step) && end && !is_bare_number(end))
    TRY(ReportWarning(r, step->at,
                      "'step' is %g s, so the run is over after one step: which unit was meant, as in '%g ms'?",
                      t->step, t->step));
  return 0;
}

// In a file with participants `run` has the steps and the rows of all of them, and nothing else.
static Error CheckRunOfSystem(Reader *r, const Tree *map) {
  static const char *const used[] = {"step", "end", "every"};
  for (int i = 0; i < map->count; i++) {
    bool good = false;
    for (size_t k = 0; k < sizeof used / sizeof used[0]; k++) good = good || !strcmp(map->key[i]->text, used[k]);
    if (!good)
      TRY(ReportError(
          r, map->key[i]->at,
          "'%s' has no effect in a file with participants: write it in the `run` of a participant's file, or "
          "use --set %s.run.%s=...",
          map->key[i]->text, r->in->participant[0].name, map->key[i]->text));
  }
  return 0;
}

static Error ReadRun(Reader *r, const Tree *map, SourceLocation at) {
  Input *in = r->in;
  RunText t;
  Form form = {&run_table, &t, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "run", at, map, 1, &form, &good));
  if (good) TRY(ReadAccuracy(r, map, &t, &good));
  const Rule rules[] = {
      {!(t.step > 0) && tree_find(map, "step"), "step", "must be positive"},
      {!(t.end > 0), "end", "must be positive"},
      {t.every < 1, "every", "must be at least 1"},
      {!(t.snapshots >= 0), "snapshots", "must not be negative"},
      {t.tolerance <= 0, "tolerance", "must be positive"},
      {t.iterations < 1, "iterations", "must be at least 1"},
      {t.halvings < -1, "halvings", "must be at least -1"},
      {t.literal_jump < 0 || t.literal_jump > 1, "literal_jump", "is 0 or 1"},
      {t.end_forces < 0 || t.end_forces > 1, "end_forces", "is 0 or 1"},
      {t.linear < 0 || t.linear > 1, "linear", "is 0 or 1"},
      {t.free_start < 0 || t.free_start > 1, "free_start", "is 0 or 1"},
      {good && t.step > 0 && t.end / t.step > 1e12, "step", "makes more than 1e12 steps up to the end"},
  };
  TRY(APPLY(r, map, &form, rules, &good));
  in->options = (LimberOptions){.cookie = in->options.cookie,
                                .scheme = t.scheme,
                                .rho_inf = t.rho_inf,
                                .order = t.order,
                                .beta = t.beta,
                                .step = t.step,
                                .tolerance = t.tolerance,
                                .iterations = t.iterations,
                                .halvings = t.halvings ? t.halvings : -1,
                                .literal_jump = t.literal_jump,
                                .end_forces = t.end_forces,
                                .equilibrium = t.start == START_EQUILIBRIUM,
                                .start_increments = t.start_increments,
                                .momentum = t.momentum,
                                .linear = t.linear,
                                .modes = t.modes,
                                .paper = {t.terms, t.kappa1, t.kappa2, t.power1, t.power2, t.free_start}};
  if (map->kind == TREE_MAP) TRY(CheckScheme(r, map, at));
  if (map->kind == TREE_MAP && in->participants) TRY(CheckRunOfSystem(r, map));
  bool controlled = form_given(&form, "control");
  if (controlled) TRY(ReadControl(r, map, &t, &good));
  if (!good) return 0;
  double steps = t.end / t.step, whole = fmax(1, floor(steps + 0.5));
  if (fabs(steps - whole) > 1e-6 * whole && !controlled) {
    whole = ceil(steps);
    TRY(DiagnosticsAdd(r->diagnostics, DIAGNOSTIC_WARNING, tree_find(map, "end")->at,
                       "'end' is not a multiple of 'step': the run ends at %g s, after %.0f steps", whole * t.step,
                       whole));
  }
  if (whole == 1 && !controlled) TRY(WarnAboutOneStep(r, map, &t));
  in->steps = controlled ? 0 : (int64_t)whole, in->end = controlled ? t.end : whole * t.step, in->every = t.every;
  in->given_end = t.end;
  in->snapshots = tree_find(map, "snapshots") ? t.snapshots : in->end / 100;
  return 0;
}

ONE_KIND(run_kind_of, kind_run)

static void begin_run(Reader *r) { r->in->options = limber_options_default(), r->in->every = 1; }

const Part part_run = {
    .key = "run", .one = "run", .form = PART_ONE, .kind = run_kind_of, .begin = begin_run, .read = ReadRun};
