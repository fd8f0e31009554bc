/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Campbell diagrams: modes followed over a speed, or over any number of a model file. */
#ifndef LIMBER_CAMPBELL_H
#define LIMBER_CAMPBELL_H

#include <limber/modes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is asked for. */
typedef struct {
  const char *vary;       /**< what is varied, written as for --set: let.speed; a plain word is a parameter of `let` */
  double from;            /**< first value */
  double to;              /**< last value */
  const char *unit;       /**< of both; NULL: none */
  int steps;              /**< from the first to the last; more are taken where modes change much; 0: 24 */
  int modes;              /**< how many are followed; 0: 8 */
  int multiples;          /**< of the speed: how many */
  const double *multiple; /**< those whose crossings with frequencies are sought */
} LimberCampbellOptions;

/** A frequency that is a multiple of the speed. */
typedef struct {
  int branch; /**< the mode that is followed, from 0 on */
  double
      multiple; /**< of the speed; 0: the mode's frequency in the rotating frame is zero, a critical speed of whirl */
  double value; /**< of what is varied */
  double rate;  /**< rad/s: speed */
  double frequency; /**< Hz */
} LimberCampbellCrossing;

/** Modes followed over a range. */
typedef struct LimberCampbellData *LimberCampbell;

#ifdef __cplusplus
}
#endif

#endif
