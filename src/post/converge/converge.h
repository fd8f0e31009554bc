// SPDX-License-Identifier: Apache-2.0
// Error bars: runs of one model whose steps are h, h/2, h/4, ... are compared with each other.
//
// Of a quantity Q with the values Q1, Q2, Q3 of the last three runs, d1 = |Q1 - Q2| and d2 = |Q2 - Q3|, the observed
// order is p = log2(d1/d2). Where p is within 0.5 of the order q of the scheme, the error of Q3 is
//   1.25 d2/(2^min(p, q) - 1)                                                                   (Roache 1997),
// where the runs approach each other otherwise, p >= 0.5, it is 3 max(d2, d1/2^q); else there is no error bar.
// docs/error_bars.md explains the rules.
#ifndef LIMBER_POST_CONVERGE_CONVERGE_H
#define LIMBER_POST_CONVERGE_CONVERGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CONVERGE_LEAST = 3, CONVERGE_USUAL = 6, CONVERGE_MOST = 12 }; // runs of a family
enum { CONVERGE_NAME = 160, CONVERGE_CAUSE = 96 };

typedef enum {
  CONVERGE_END,
  CONVERGE_MIN,
  CONVERGE_MAX,
  CONVERGE_MEAN,
  CONVERGE_RMS,
  CONVERGE_HISTORY
} ConvergeMeasure;
enum { CONVERGE_MEASURES = CONVERGE_HISTORY + 1 };
extern const char *const converge_measures[CONVERGE_MEASURES];

typedef enum {
  VERDICT_CONVERGED,      // with the order of the scheme, or equal within the tolerance of the solver
  VERDICT_ORDER_NOT_SEEN, // the runs approach each other, but not with that order
  VERDICT_NOT_CONVERGED,  // they do not: there is no error bar
} ConvergeVerdict;
extern const char *const converge_verdicts[VERDICT_NOT_CONVERGED + 1];

typedef struct {
  char column[CONVERGE_NAME], label[CONVERGE_NAME], units[60]; // tip.position.x; tip.x
  ConvergeMeasure measure;
  double value;  // of the last run; of a history its range
  double error;  // of this value; NAN: no error bar
  double spread; // largest minus smallest value of the last three runs; of a history their largest difference
  double order;  // observed; NAN: none
  double scale;  // to which the error is relative: the range of the quantity
  double first;  // error of the first run: 1.25 times its distance from the last, and the error of that; NAN: none
  double mesh;   // error of the mesh of the model file; NAN: none, or not asked for
  bool counts;   // for the accuracy
  ConvergeVerdict verdict;
} ConvergeRow;

typedef struct { // plain data, in memory that processes share
  double step;
  int64_t steps;
  double time, seconds;       // s, reached; s of the clock
  double balance, constraint; // errors, the largest of all steps
  int status;                 // a RunStatus
  char cause[CONVERGE_CAUSE];
  double error; // largest relative error of all quantities that count; INFINITY: one has no error bar
  int worst;    // row of that
} ConvergeRun;

typedef struct Convergence {
  char model[4096];
  double accuracy; // asked for, relative ...
  bool motion;     // ... of lengths and angles alone, where there are any
  bool counting;   // only these are compared for now
  double order;    // of the scheme
  bool meshes;     // not the step is halved, but `refine` is doubled: errors may shrink faster than with `order`
  bool jumps;      // hard contact, events, loads that jump
  bool impacts;    // hard contact: no bar is narrower than twice what a column does in a step
  double hold;     // s: the shortest time between two jumps of a load, whose impulse is known to a step; INFINITY: none
  double longest;  // s: a longer step misses a load; 0: any resolves them
  char shortest_load[CONVERGE_NAME]; // the load that asks for it
  double end;                        // s
  int first, runs;                   // those before `first` did not come to their end
  ConvergeRun run[CONVERGE_MOST];
  int chosen; // the longest step whose errors are all within the accuracy; -1: none
  // s, up to which the last two runs agree within the accuracy in all columns whose error bar is not within it, and the
  // column that differs then; "": none
  double horizon;
  char horizon_column[CONVERGE_NAME];
  bool parted; // the last two runs differ by more than the accuracy; without such a column, error bars are within it
  int rows, stills;
  ConvergeRow *row;
  char (*still)[CONVERGE_NAME]; // columns that are constant within round-off
  double seconds;
  struct Results *result[CONVERGE_MOST]; // of each run that was compared; open until converge_close
  double mesh_step;                      // s, of runs with finer meshes; 0: there are none
  double mesh_error; // largest of the mesh, relative, of all quantities that count; INFINITY: one has no error bar
  int mesh_worst;    // row of that; -1: none counts
} Convergence;

// The error bar of one value.
typedef struct {
  double error, order; // NAN: none
  ConvergeVerdict verdict;
} ConvergeBar;
// Orders that may be seen.
typedef struct {
  double order[2]; // the first is that of the scheme
  int count;
  bool faster; // higher ones are seen, too
  bool jumps;  // the motion has jumps: what looks like an order may be chance
} ConvergeOrders;
// `d`: differences of the last runs, the latest first; the third is NAN if there are only three runs. `monotone`: the
// first two have the same sign.
ConvergeBar converge_bar(const double d[3], bool monotone, const ConvergeOrders *o, double scale);
// The same of a value that comes from a history with an error bar of its own: an extreme, a mean.
typedef struct {
  ConvergeBar bar;
  bool parts; // the last two runs differ by more than the accuracy before the end
} ConvergeHistory;
ConvergeBar converge_value_bar(const double d[3], bool monotone, const ConvergeOrders *o, double scale,
                               const ConvergeHistory *history);
// How far the extreme of a smooth curve may be beyond the i-th of three rows: 1.5 times the distance of the vertex of a
// parabola, if that is between them.
double converge_beyond(const double t[3], const double y[3], int i);

// "1 %", "0.01".
bool converge_accuracy(const char *text, double *accuracy);

// Compares the runs from `first` on, at least three, whose results are in path[0] .. path[runs - 1]. Columns: those
// that `word` names, or those of all probes. With a `table`, the history of the last run is written there, each column
// with its error up to then. False after a message in the name of `command`.
bool converge_compare(const char *command, const char (*path)[4200], int words, const char *const *word, FILE *table,
                      Convergence *c);
// Takes the errors of the mesh from runs with finer meshes, which were compared.
void converge_add_mesh(const Convergence *meshes, Convergence *c);
// Whether the shortest step is too long for a load: then no step is good enough.
bool converge_misses_load(const Convergence *c);
void converge_print(const Convergence *c);
void converge_print_json(const Convergence *c);
void converge_close(Convergence *c);
void converge_free(Convergence *c); // its rows

#endif
