/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Floquet multipliers: whether a periodic motion is stable. What is left of a small disturbance after one period
 * is M times the disturbance; the eigenvalues of M are the multipliers. */
#ifndef LIMBER_FLOQUET_H
#define LIMBER_FLOQUET_H

#include <limber/results.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program starts from limber_floquet_options_default. */
typedef struct {
  int cookie;       /**< the mark of limber_floquet_options_default: leave it */
  double period;    /**< s: the motion repeats after this time */
  int steps;        /**< of the period; errors fall with their square or faster */
  double after;     /**< s: the period begins then, so that a motion with damping can settle; in whole steps */
  double tolerance; /**< a magnitude up to 1 + tolerance, with its error, does not count as growth */
  int count;        /**< find this many multipliers, the largest; 0: all. Few are much faster for a large model */
} LimberFloquetOptions;
/** 200 steps, from the start, tolerance 1e-5, all multipliers; the period must be given. */
LIMBER_API LimberFloquetOptions limber_floquet_options_default(void);
/** Those of the part `floquet` of a file, or the defaults. */
LIMBER_API LimberFloquetOptions limber_file_floquet_options(LimberFile file);

/** One multiplier. */
typedef struct {
  double real;         /**< of the multiplier */
  double imag;         /**< of the multiplier */
  double magnitude;    /**< of it: above 1 the disturbance grows */
  double growth;       /**< 1/s: ln(magnitude)/period */
  double frequency;    /**< Hz, 0 .. 1/(2 period): its angle; a motion may be faster by a multiple of 1/period */
  double error;        /**< bound of the magnitude: steps, round-off, closure of the motion */
  const char *largest; /**< the node that moves most, such as "node 'disk'" */
} LimberMultiplier;

/** Whether a periodic motion is stable. */
typedef enum {
  LIMBER_MOTION_STABLE = 0, /**< no magnitude, with its error, is above 1 by more than the tolerance */
  LIMBER_MOTION_UNSTABLE,   /**< a magnitude is above 1 by more than the tolerance and its error */
  LIMBER_MOTION_UNDECIDED   /**< neither, or the motion does not repeat */
} LimberMotionVerdict;

/** The multipliers of a periodic motion. */
typedef struct LimberFloquetData *LimberFloquet;

/** Finds the multipliers of the motion with which a model starts. NULL, with a diagnostic of the model, where the
 * motion cannot be computed. Collective. */
LIMBER_API int LimberFloquetCreate(LimberModel model, const LimberFloquetOptions *options, LimberFloquet *floquet);
/** Destroys the multipliers and sets the pointer to NULL. Collective. */
LIMBER_API int LimberFloquetDestroy(LimberFloquet *floquet);
/** How many were found: twice the degrees of freedom, unless the options ask for fewer. The largest magnitude comes
 * first. */
LIMBER_API int limber_floquet_count(LimberFloquet floquet);
/** The i-th, from 0 on. */
LIMBER_API LimberMultiplier limber_floquet_multiplier(LimberFloquet floquet, int i);
/** What the motion is short of being periodic, over the size of the model: displacements and, times a step, velocities.
 */
LIMBER_API double limber_floquet_closure(LimberFloquet floquet);
/** Whether the motion repeats well enough for a verdict: limber_floquet_closure is at most 1e-3. */
LIMBER_API bool limber_floquet_repeats(LimberFloquet floquet);
/** Whether the motion is stable. */
LIMBER_API LimberMotionVerdict limber_floquet_verdict(LimberFloquet floquet);

#ifdef __cplusplus
}
#endif

#endif
