/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stability over a parameter: the first value at which an eigenvalue of the small motions about the equilibrium
 * gets a positive real part. */
#ifndef LIMBER_STABILITY_H
#define LIMBER_STABILITY_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program starts from limber_stability_options_default. */
typedef struct {
  int cookie;       /**< the mark of limber_stability_options_default: leave it */
  const char *vary; /**< what is varied, as after --set: "let.P" */
  double from;      /**< first value of the range */
  double to;        /**< last value */
  const char *unit; /**< of both, such as "rpm"; NULL: none */
  int points;       /**< of the scan, `from` and `to` among them */
  int digits;       /**< digits to which the crossing is found */
  int modes;        /**< how many of the lowest are looked at */
  double time;      /**< s: loads are those at this time */
} LimberStabilityOptions;
/** 31 points, 9 digits, 10 modes; what is varied and its range must be given. */
LIMBER_API LimberStabilityOptions limber_stability_options_default(void);
/** Those of the part `stability` of a file, or the defaults. */
LIMBER_API LimberStabilityOptions limber_file_stability_options(LimberFile file);

/** How stability is lost. */
typedef enum {
  LIMBER_STABLE = 0,  /**< it is not lost in the range */
  LIMBER_DIVERGENCE,  /**< a real eigenvalue passes zero: buckling */
  LIMBER_FLUTTER,     /**< a pair of eigenvalues gets a positive real part: oscillations that grow */
  LIMBER_COALESCENCE, /**< flutter without damping: two frequencies meet, and one of both modes grows from there on */
  LIMBER_UNSTABLE     /**< the start of the range is unstable */
} LimberInstability;

/** Where stability is lost first. */
typedef struct {
  LimberInstability kind; /**< how it is lost */
  double value;           /**< of the parameter, in its unit */
  double width;           /**< error bound of it, with the round-off of the stiffness */
  double frequency;       /**< Hz, of the mode that becomes unstable; 0 for divergence */
  char mode[256];         /**< its name, such as "column bending y 1" */
  char direction[256];    /**< what moves most in it, such as "node 'top' moves most, along (1, 0, 0)" */
} LimberCrossing;

/** The outcome of a search. */
typedef struct LimberStabilityData *LimberStability;

/** Searches for the first loss of stability. options NULL: those of the file's part `stability`. *stability is NULL
 * where that is not possible; a diagnostic of the file's model says why. Collective. */
LIMBER_API int LimberStabilityCreate(LimberFile file, const LimberStabilityOptions *options,
                                     LimberStability *stability);
/** Destroys the outcome and sets the pointer to NULL. Collective. */
LIMBER_API int LimberStabilityDestroy(LimberStability *stability);
/** Where stability is lost first. */
LIMBER_API LimberCrossing limber_stability_crossing(LimberStability stability);
/** At how many values of the parameter the eigenvalues are known. */
LIMBER_API int limber_stability_rows(LimberStability stability);
/** How many eigenvalues are known at each. */
LIMBER_API int limber_stability_modes(LimberStability stability);
/** The value of the parameter of a row; values increase. */
LIMBER_API double limber_stability_value(LimberStability stability, int row);
/** Real and imaginary part, 1/s, of a mode that is followed from row to row; NAN where it is not known. */
LIMBER_API void limber_stability_eigenvalue(LimberStability stability, int row, int mode, double out[2]);
/** Remarks about the search: "" or one per line. */
LIMBER_API const char *limber_stability_remarks(LimberStability stability);

#ifdef __cplusplus
}
#endif

#endif
