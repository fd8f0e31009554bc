/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Linear models of a model file about its equilibrium (docs/linear_models.md):
 *
 *     x' = A x + B u,   y = C x + D u
 *
 * The states x are independent coordinates of the model and their rates, the inputs u amplitudes of loads and drives,
 * the outputs y what probes record; all are changes from the operating point, in SI units.
 *
 *     LimberFileRead("arm.yaml", NULL, &file);
 *     LimberLinearCreate(file, NULL, &linear);
 *     if (limber_linear_wrong(linear)[0]) ...
 *     const double *a = limber_linear_matrix(linear, 'A', &rows, &columns);
 * */
#ifndef LIMBER_LINEARIZE_H
#define LIMBER_LINEARIZE_H

#include <limber/results.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is linearised. A program starts from limber_linear_options_default. */
typedef struct {
  int cookie;                /**< the mark of limber_linear_options_default: leave it */
  int modes;                 /**< how many of the lowest modes stand for the coordinates; 0: all coordinates */
  int inputs;                /**< how many loads and signals are inputs; 0: all */
  const char *const *input;  /**< their names */
  int outputs;               /**< how many names of probes are outputs; 0: all that probes record */
  const char *const *output; /**< each a probe, a quantity or a component: tip, tip.position, tip.x */
} LimberLinearOptions;

/** A linear model. */
typedef struct LimberLinearModelData *LimberLinearModel;

/** Of which names are asked. */
typedef enum {
  LIMBER_STATES,  /**< x */
  LIMBER_INPUTS,  /**< u */
  LIMBER_OUTPUTS, /**< y */
} LimberLinearPart;

/** All coordinates, inputs and outputs. */
LIMBER_API LimberLinearOptions limber_linear_options_default(void);
/** What the part `linearize` of a file asks for. */
LIMBER_API LimberLinearOptions limber_file_linear_options(LimberFile file);
/** Finds the operating point of a file and linearises about it. options NULL: those of the file. A model that has no
 * operating point, or cannot be linearised, is no error: limber_linear_wrong says why. Collective. */
LIMBER_API int LimberLinearCreate(LimberFile file, const LimberLinearOptions *options, LimberLinearModel *linear);
/** Frees it and sets the pointer to NULL. Collective. */
LIMBER_API int LimberLinearDestroy(LimberLinearModel *linear);
/** "", or why there is no linear model: then it has no states. */
LIMBER_API const char *limber_linear_wrong(LimberLinearModel linear);
/** "" or what a reader should know, one remark a line. */
LIMBER_API const char *limber_linear_remarks(LimberLinearModel linear);
/** How many states, inputs or outputs there are. */
LIMBER_API int limber_linear_count(LimberLinearModel linear, LimberLinearPart part);
/** The name of the i-th: "hinge.angle", "hinge.angle.rate"; "motor"; "tip.position.x". */
LIMBER_API const char *limber_linear_name(LimberLinearModel linear, LimberLinearPart part, int i);
/** Its units. */
LIMBER_API const char *limber_linear_units(LimberLinearModel linear, LimberLinearPart part, int i);
/** Its value at the operating point; 0 of states, which are changes. */
LIMBER_API double limber_linear_at(LimberLinearModel linear, LimberLinearPart part, int i);
/** The matrix 'A', 'B', 'C' or 'D', by rows; it belongs to the model. Another letter: NULL. */
LIMBER_API const double *limber_linear_matrix(LimberLinearModel linear, char which, int *rows, int *columns);
/** The i-th eigenvalue of A, 1/s, by modulus. 0 if there are too many states to find them. */
LIMBER_API int limber_linear_eigenvalue(LimberLinearModel linear, int i, double *re, double *im);
/** What LimberLinearWrite writes. */
typedef enum {
  LIMBER_LINEAR_HDF5,   /**< the results file of `limber linearize` */
  LIMBER_LINEAR_MATLAB, /**< a MAT-file of level 5 */
  LIMBER_LINEAR_FMU_2,  /**< an FMU of version 2.0, for model exchange and co-simulation (docs/fmu.md) */
  LIMBER_LINEAR_FMU_3   /**< the same of version 3.0 */
} LimberLinearFormat;

/** Writes the model to a file. `overwrite`: also over a file that Limber did not write. Collective. */
LIMBER_API int LimberLinearWrite(LimberLinearModel linear, const char *path, LimberLinearFormat format, bool overwrite);

#ifdef __cplusplus
}
#endif

#endif
