/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Error bars: a model is run with shorter and shorter steps (docs/error_bars.md):
 *
 *     LimberConverge("swing.yaml", 0.01, 6, false, 0, NULL, &c);
 *     for (int i = 0; i < limber_convergence_rows(c); i++) {
 *       LimberConvergenceGetRow(c, i, &row);
 *       printf("%s %g +- %g %s\n", row.column, row.value, row.error, row.units);
 *     }
 *     LimberConvergenceDestroy(&c); */
#ifndef LIMBER_CONVERGE_H
#define LIMBER_CONVERGE_H

#include <limber/version.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Error bars of a model. */
typedef struct LimberConvergenceData *LimberConvergence;

/** What of a column has an error bar. */
typedef enum {
  LIMBER_MEASURE_END = 0, /**< the value at the end */
  LIMBER_MEASURE_MIN,     /**< the smallest value */
  LIMBER_MEASURE_MAX,     /**< the largest value */
  LIMBER_MEASURE_MEAN,    /**< the mean over time */
  LIMBER_MEASURE_RMS,     /**< the root mean square */
  LIMBER_MEASURE_HISTORY  /**< all values: the error is the largest of them, the value is their range */
} LimberMeasure;

/** How the runs approach each other. */
typedef enum {
  LIMBER_VERDICT_CONVERGED = 0,  /**< with the order of the scheme, or they are equal */
  LIMBER_VERDICT_ORDER_NOT_SEEN, /**< with another order: the error bar is wider */
  LIMBER_VERDICT_NOT_CONVERGED   /**< they do not: there is no error bar */
} LimberVerdict;

/** A value with its error bar. */
typedef struct {
  const char *column; /**< tip.position.x; valid up to LimberConvergenceDestroy */
  const char *units;  /**< m; valid up to LimberConvergenceDestroy */
  int measure;        /**< a LimberMeasure */
  int verdict;        /**< a LimberVerdict */
  double value;       /**< of the run with the shortest step */
  double error;       /**< of this value; NAN: no error bar */
  double relative;    /**< the error over the range of the quantity; NAN: none */
  double spread;      /**< largest difference between the last three runs */
  double order;       /**< observed; NAN: none */
  double mesh;        /**< error of the mesh of the model file; NAN: none, or not asked for */
} LimberErrorBar;

/** Does what `limber converge` does: runs a model file with its own step and with halves of it, at most `runs` (0: 6),
 * until all errors are within `accuracy`, a part of the range of each quantity. With `mesh`, it also runs twice and four
 * times the elements of beams and cables. Changes are such as "run.step=1ms". The runs are processes made by fork that
 * start MPI themselves: call it before LimberInitialize. Fails if the model is wrong or a run fails; stderr says why.
 * Not collective. */
LIMBER_API int LimberConverge(const char *model, double accuracy, int runs, bool mesh, int changes,
                              const char *const *change, LimberConvergence *convergence);
/** Frees the error bars and makes the pointer NULL. */
LIMBER_API int LimberConvergenceDestroy(LimberConvergence *convergence);
/** How many values have an error bar, or have none because they did not converge. */
LIMBER_API int limber_convergence_rows(LimberConvergence convergence);
/** One of them, from 0. */
LIMBER_API int LimberConvergenceGetRow(LimberConvergence convergence, int row, LimberErrorBar *out);
/** The longest of the steps with which all errors are within the accuracy; 0: none [s]. */
LIMBER_API double limber_convergence_step(LimberConvergence convergence);
/** The time up to which the last two runs agree within the accuracy [s]. */
LIMBER_API double limber_convergence_horizon(LimberConvergence convergence);

#ifdef __cplusplus
}
#endif

#endif
