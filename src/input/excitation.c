// SPDX-License-Identifier: Apache-2.0
#include "input/excitation.h"

#include "base/functions/function.h"
#include "model/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 32768, LEAST_TIMES = 4096, MOST_VALUES = 1 << 20 }; // samples of the run; of all functions together
enum { PART_TIMES = 512, PARTS = 8, LEVELS = 3, SHORTER = 16 };    // parts of 1/16, 1/256, 1/4096
enum { KNOT_TIMES = 32, WINDOWS = 1024, ZOOMS = 64, ZOOM_TIMES = 64, MOST_NAMES = 32, MOST_KNOTS = 1 << 16 };
static const double swing_part = 0.05; // of the range: smaller ways up and down do not count
static const double rare_part = 0.1;   // of the run, in which a function changes

// ---- a function of the time ----

typedef struct {
  double value;
  int function; // LIMBER_NONE: a constant
} NamedValue;

typedef struct {
  const Input *in;
  int function;     // an amplitude; LIMBER_NONE: the formula
  Formula *formula; // of a control block
  NamedValue name[MOST_NAMES];
  int names;
  double time;
  bool timed; // the formula contains the time
} Course;

static double course_value(Course *c, double t) {
  Model m = c->in->model;
  if (!c->formula) return model_amplitude(m, c->function, t);
  c->time = t;
  for (int i = 0; i < c->names; i++)
    if (c->name[i].function != LIMBER_NONE) c->name[i].value = model_amplitude(m, c->name[i].function, t);
  return formula_value(c->formula);
}

static int find_function(Model m, const char *name) {
  for (int i = 0; i < m->functions.count; i++) {
    const ModelFunction *f = model_function(m, i);
    if (f->name && f->kind != &function_signal && !strcmp(f->name, name)) return i;
  }
  return LIMBER_NONE;
}

// What a run measures has some value here: none that others cancel.
static const double *find_name(void *owner, const char *name) {
  Course *c = owner;
  if (!strcmp(name, "t") || !strcmp(name, "time")) return c->timed = true, &c->time;
  for (int i = 0; i < c->in->constants; i++)
    if (!strcmp(c->in->constant[i].name, name)) return &c->in->constant[i].value;
  if (c->names == MOST_NAMES) return NULL;
  NamedValue *n = &c->name[c->names++];
  *n = (NamedValue){0.618 + 0.1 * sqrt(c->names), find_function(c->in->model, name)};
  c->timed = c->timed || n->function != LIMBER_NONE;
  return &n->value;
}

// ---- times that functions name ----

typedef struct {
  double *at, end;
  int count, room;
  Error error;
} Knots;

static void add_knot(Knots *k, double t) {
  if (!(t > 0) || !(t < k->end) || k->count >= MOST_KNOTS) return;
  if (k->count == k->room && !k->error) {
    k->error = MemoryResize((size_t)(2 * k->room + 64) * sizeof *k->at, &k->at);
    if (!k->error) k->room = 2 * k->room + 64;
  }
  if (!k->error) k->at[k->count++] = t;
}

// Numbers of a formula and its parameters, their sums and differences.
static void add_formula_knots(Knots *k, const char *text, int constants, const double *constant) {
  enum { MOST = 24 };
  double x[MOST];
  int n = 0;
  for (int i = 0; i < constants && n < MOST / 2; i++) x[n++] = constant[i];
  for (const char *p = text; *p && n < MOST;) {
    char *after = NULL;
    bool inside = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '.');
    if (!inside && (isdigit((unsigned char)*p) || *p == '.')) x[n] = strtod(p, &after);
    if (after && after > p) n++, p = after;
    else p++;
  }
  for (int i = 0; i < n; i++) {
    add_knot(k, x[i]);
    for (int j = 0; j < i; j++) add_knot(k, x[i] + x[j]), add_knot(k, fabs(x[i] - x[j]));
  }
}

static void add_function_knots(Knots *k, Model m, int function, int depth) {
  const ModelFunction *f = model_function(m, function);
  for (int i = 0; i < f->kind->fields.count; i++) {
    const Field *field = &f->kind->fields.field[i];
    const void *at = (const char *)f->params + field->offset;
    bool time = field->unit && !strcmp(field->unit, "s");
    if (field->type == FIELD_REAL && time) add_knot(k, *(const double *)at);
    if (field->type == FIELD_LIST && time)
      for (int j = 0; j < *(const int *)f->params; j++) add_knot(k, (*(const double *const *)at)[j]);
    if (field->type == FIELD_FORMULA && ((const LimberFormula *)at)->text) {
      const LimberFormula *g = at;
      double x[12];
      int n = g->parameters < 12 ? g->parameters : 12;
      for (int j = 0; j < n; j++) x[j] = g->parameter[j].value;
      add_formula_knots(k, g->text, n, x);
    }
    if (field->type != FIELD_FUNCTIONS || !depth) continue;
    const LimberCombination *c = f->params;
    for (int j = 0; j < c->count; j++) add_function_knots(k, m, c->of[j].index, depth - 1);
  }
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static Error FindKnots(const Course *c, const char *text, double end, Knots *k) {
  *k = (Knots){.end = end};
  if (c->formula) add_formula_knots(k, text, 0, NULL);
  else add_function_knots(k, c->in->model, c->function, LIMIT_FUNCTION_DEPTH);
  for (int i = 0; i < c->names; i++)
    if (c->name[i].function != LIMBER_NONE)
      add_function_knots(k, c->in->model, c->name[i].function, LIMIT_FUNCTION_DEPTH);
  TRY(k->error);
  if (k->count) qsort(k->at, (size_t)k->count, sizeof *k->at, compare_times);
  return 0;
}

// ---- ways up and down ----

// An extreme of a sampled function: the first and the last sample with this value.
typedef struct {
  double value;
  int first, last;
} Extreme;

static void extreme_extend(Extreme *e, double y, int i, int sign) {
  if (sign * (y - e->value) > 0) *e = (Extreme){y, i, i};
  else if (y == e->value) e->last = i;
}

typedef struct {
  double begin, length;
  int samples;
  bool from_start, to_end; // of the run: nothing comes before or after
  int level;
} Window;

typedef struct {
  Course *course;
  double end, low, high;
  double *y;            // samples of a window
  double swing, period; // the shortest way from one extreme to the next, and the period that it gives
  int swings;           // of at most twice this length, in the run as a whole
  bool jumps;
  double hold; // the shortest time between two jumps
  int zooms;
} Search;

static double time_of(const Window *w, double i) { return w->begin + w->length * i / w->samples; }

static void read_window(Search *s, const Window *w) {
  for (int i = 0; i <= w->samples; i++) {
    s->y[i] = course_value(s->course, time_of(w, i));
    if (!isfinite(s->y[i])) s->y[i] = i ? s->y[i - 1] : 0;
    s->low = fmin(s->low, s->y[i]), s->high = fmax(s->high, s->y[i]);
  }
}

// Whether most of the change within an interval remains when it is halved again and again.
static bool is_jump(Search *s, double from, double to) {
  double a = course_value(s->course, from), b = course_value(s->course, to), change = fabs(b - a);
  for (int i = 0; i < 30; i++) {
    double middle = 0.5 * (from + to), y = course_value(s->course, middle);
    if (fabs(y - a) > fabs(b - y)) to = middle, b = y;
    else from = middle, a = y;
  }
  return fabs(b - a) > 0.5 * change;
}

static void search_window(Search *s, const Window *w, int least_swings);

enum { BLOW = 2 }; // ways up and down; one alone is a jump if it is short

// A look at some samples from near by.
static void zoom(Search *s, const Window *w, int first, int last) {
  double from = fmax(time_of(w, first - 2), 0), to = fmin(time_of(w, last + 2), s->end), *y = s->y;
  if (w->level > 2 || s->zooms++ >= ZOOMS) return;
  Window near = {from, to - from, ZOOM_TIMES, from <= 0, to >= s->end, w->level + 1};
  double own[ZOOM_TIMES + 1];
  s->y = own;
  search_window(s, &near, BLOW);
  s->y = y;
}

typedef struct {
  double shortest, period;
  int count, all;
} Swings;

static void add_swing(Swings *n, double length, double period) {
  if (length < 0.5 * n->shortest) n->count = 0;
  n->count += length < 2 * n->shortest, n->all++;
  if (length < n->shortest) n->shortest = length;
  n->period = fmin(n->period, period);
}

// Twice the time from one extreme to the next; four times if the first is the value at the start, which need not be one.
// No step resolves a jump: between two of them the time from one to the other counts. `in`: samples of the way to the
// first extreme; 0: there is none.
static void take_swing(Search *s, const Window *w, const Extreme *from, const Extreme *to, int in, Swings *n) {
  int out = to->first - from->last, stay = from->last - from->first;
  double sample = w->length / w->samples;
  if (out > 2 && !from->first && from->last == 0 && !w->from_start) return; // it may have begun before
  if (out > 2) return add_swing(n, out * sample, (from->first ? 2.0 : 4.0) * out * sample);
  if (!s->jumps) s->jumps = is_jump(s, time_of(w, from->last), time_of(w, to->first));
  if (!in || in > 2) return;
  if (stay > 2) s->hold = fmin(s->hold, stay * sample), n->all++, add_swing(n, stay * sample, 2 * stay * sample);
  else zoom(s, w, from->first, from->last);
}

static void merge(Search *s, const Swings *n) {
  if (n->shortest < 0.5 * s->swing) s->swings = n->count;
  else if (n->shortest < 2 * s->swing) s->swings += n->count;
  s->swing = fmin(s->swing, n->shortest), s->period = fmin(s->period, n->period);
}

static void search_window(Search *s, const Window *w, int least_swings) {
  read_window(s, w);
  double least = swing_part * (s->high - s->low);
  Extreme from = {0, 0, 0}, at[2] = {{s->y[0], 0, 0}, {s->y[0], 0, 0}}; // smallest and largest since the last turn
  Swings n = {INFINITY, INFINITY, 0, 0};
  int sign = 0, in = 0; // 1: it rises, -1: it falls; 0: it has not moved yet
  for (int i = 1; i <= w->samples; i++) {
    extreme_extend(&at[0], s->y[i], i, -1), extreme_extend(&at[1], s->y[i], i, 1);
    for (int up = 0; up < 2; up++) {
      int now = up ? 1 : -1;
      if (sign == now || now * (s->y[i] - at[!up].value) <= least) continue;
      if (sign) take_swing(s, w, &from, &at[!up], in, &n), in = at[!up].first - from.last;
      from = at[!up], at[up] = (Extreme){s->y[i], i, i}, sign = now;
    }
  }
  const Extreme *last = &at[sign > 0]; // reached, or still on the way
  bool reached = last->last > last->first;
  if (sign && (reached || (w->to_end && n.period == INFINITY))) take_swing(s, w, &from, last, in, &n);
  if (n.all < least_swings || !(n.shortest < INFINITY)) return;
  merge(s, &n);
}

// Parts of the run show a period that is too short for samples of all of it.
static void search_parts(Search *s) {
  enum { LEAST_SWINGS = 6 };
  double length = s->end, active = s->swings;
  for (int level = 0; level < LEVELS; level++) {
    length /= SHORTER;
    for (int k = 0; k < PARTS; k++) {
      double before = s->swing;
      Window w = {(s->end - length) * k / (PARTS - 1), length, PART_TIMES, false, false, 9};
      search_window(s, &w, LEAST_SWINGS);
      if (s->swing < 0.5 * before) active = s->end / s->swing; // as if it went on like this
    }
  }
  s->swings = (int)fmin(fmax(active, s->swings), 1e9);
}

// Around each interval between two times that the function names.
static void search_knots(Search *s, const Knots *k) {
  int windows = 0;
  for (int i = 0; i <= k->count && windows < WINDOWS; i++) {
    double from = i ? k->at[i - 1] : 0, to = i < k->count ? k->at[i] : s->end, length = to - from;
    if (!(length > 1e-12 * s->end) || length > 64 * s->end / TIMES) continue;
    double a = course_value(s->course, from), low = a, high = a;
    for (int j = -4; j <= 12; j++) {
      double y = course_value(s->course, fmax(0, fmin(s->end, from + length * j / 8)));
      if (isfinite(y)) low = fmin(low, y), high = fmax(high, y);
    }
    s->low = fmin(s->low, low), s->high = fmax(s->high, high);
    if (!(high - low > swing_part * (s->high - s->low))) continue;
    double begin = fmax(from - length, 0), end = fmin(to + length, s->end);
    Window w = {begin, end - begin, (int)rint(KNOT_TIMES * (end - begin) / length), begin <= 0, end >= s->end, 1};
    if (w.samples > 3 * KNOT_TIMES) w.samples = 3 * KNOT_TIMES;
    search_window(s, &w, BLOW), windows++;
  }
}

static Error SearchCourse(Course *c, const char *text, int times, double *period, Excitation *out) {
  Search s = {.course = c, .end = c->in->end, .low = INFINITY, .high = -INFINITY, .swing = INFINITY, .hold = INFINITY};
  Knots knots = {0};
  Window all = {0, s.end, times, true, true, 0};
  s.period = *period = INFINITY;
  TRY(FindKnots(c, text, s.end, &knots));
  Error error = MemoryNew((size_t)(TIMES + 1) * sizeof *s.y, &s.y);
  for (int i = 0; i < knots.count && !error; i++) { // they may show the range alone
    double next = i + 1 < knots.count ? knots.at[i + 1] : s.end;
    for (int j = 0; j < 2; j++) {
      double y = course_value(c, knots.at[i] + 0.5 * j * (next - knots.at[i]));
      if (isfinite(y)) s.low = fmin(s.low, y), s.high = fmax(s.high, y);
    }
  }
  if (!error) {
    search_window(&s, &all, 1);
    bool changes = s.high - s.low > 1e-9 * fmax(fabs(s.low), fabs(s.high));
    if (changes) search_knots(&s, &knots), search_parts(&s);
    else s.jumps = false, s.hold = s.period = s.swing = INFINITY;
    out->jumps = out->jumps || s.jumps, out->hold = fmin(out->hold, s.hold);
    bool rare = s.swing < INFINITY && s.swings * s.swing < rare_part * s.end;
    *period = rare ? 10 * s.swing : s.period;
  }
  memory_free(&s.y), memory_free(&knots.at);
  return error;
}

// ---- all of them ----

static bool is_amplitude(const Input *in, const ModelLoad *l) {
  int f = l->load.amplitude;
  return !l->load.wave && !model_amplitude_constant(in->model, f) && !model_amplitude_set(in->model, f);
}

static Error AddCourse(Course *c, const char *text, int times, const char *name, int load, Excitation *out) {
  double period;
  TRY(SearchCourse(c, text, times, &period, out));
  if (period < out->period) out->period = period, out->name = name, out->load = load;
  return 0;
}

// A block with a period sees the time at its samples, which are ends of steps.
static Error AddBlocks(const Input *in, int times, Excitation *out) {
  const Network *n = &in->network;
  for (int b = 0; b < n->blocks; b++)
    for (int i = 0; i < n->block[b].use.inputs && !(n->block[b].period > 0); i++) {
      Course c = {.in = in, .function = LIMBER_NONE};
      FormulaMistake mistake;
      const char *text = n->block[b].formula[i];
      TRY(FormulaCreate(text, find_name, &c, &c.formula, &mistake));
      Error error = c.formula && c.timed ? AddCourse(&c, text, times, n->block[b].name, -1, out) : 0;
      formula_destroy(&c.formula);
      TRY(error);
    }
  return 0;
}

Error FindExcitation(const Input *in, Excitation *out) {
  Model m = in->model;
  double values = 1;
  bool *seen = NULL;
  *out = (Excitation){.period = INFINITY, .load = -1, .hold = INFINITY};
  if (!(in->end > 0)) return 0;
  TRY(MemoryNew((size_t)(m->functions.count + 1) * sizeof *seen, &seen));
  for (int pass = 0; pass < 2; pass++) {
    int times = (int)fmax(LEAST_TIMES, fmin(TIMES, MOST_VALUES / (values + in->network.blocks)));
    for (int i = 0; i < m->functions.count; i++) seen[i] = false;
    for (int i = 0; i < m->loads.count; i++) {
      const ModelLoad *l = model_load(m, i);
      int f = l->load.amplitude;
      if (!is_amplitude(in, l) || seen[f]) continue;
      Course c = {.in = in, .function = f};
      seen[f] = true, values += model_function(m, f)->size;
      if (pass) TRY(AddCourse(&c, NULL, times, l->name, i, out));
    }
    if (pass) TRY(AddBlocks(in, times, out));
  }
  memory_free(&seen);
  return 0;
}

bool input_motion_impacts(const Input *in) {
  bool impacts = false;
  for (int i = 0; i < in->model->contacts.count; i++) impacts = impacts || model_contact(in->model, i)->hard;
  return impacts;
}

bool input_motion_jumps(const Input *in, const Excitation *e) {
  return e->jumps || in->model->events.count > 0 || input_motion_impacts(in);
}
