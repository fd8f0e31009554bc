/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Campbell diagrams: modes followed over a speed, or over any number of a model file. */
#ifndef LIMBER_CAMPBELL_H
#define LIMBER_CAMPBELL_H

#include <limber/modes.h>
#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is asked for. A program starts from limber_campbell_options_default. */
typedef struct {
  int cookie;             /**< the mark of limber_campbell_options_default: leave it */
  const char *vary;       /**< what is varied, written as for --set: let.speed; a plain word is a parameter of `let` */
  double from;            /**< first value */
  double to;              /**< last value */
  const char *unit;       /**< of both; NULL: none */
  int steps;              /**< from the first to the last; more are taken where modes change much; 0: 24 */
  int modes;              /**< how many are followed; 0: 8 */
  int multiples;          /**< of the speed: how many */
  const double *multiple; /**< those whose crossings with frequencies are sought */
} LimberCampbellOptions;
/** 8 modes in 24 steps, no multiples; what is varied and its range must be given. */
LIMBER_API LimberCampbellOptions limber_campbell_options_default(void);
/** Those of the part `campbell` of a file, or the defaults. */
LIMBER_API LimberCampbellOptions limber_file_campbell_options(LimberFile file);

/** A frequency that is a multiple of the speed. */
typedef struct {
  int branch; /**< the mode that is followed, from 0 on */
  /** Of the speed. 0: the frequency of the mode in the rotating frame is zero, a critical speed of whirl. */
  double multiple;
  double value;     /**< of what is varied */
  double rate;      /**< rad/s: speed */
  double frequency; /**< Hz */
} LimberCampbellCrossing;

/** Modes tracked over a range. */
typedef struct LimberCampbellData *LimberCampbell;

/** Tracks modes over a parameter. options NULL: those of the file's part `campbell`; names of modes follow its part
 * `modes`. *campbell is NULL where that is not possible; a diagnostic of the file's model says why. Collective. */
LIMBER_API int LimberCampbellCreate(LimberFile file, const LimberCampbellOptions *options, LimberCampbell *campbell);
/** Destroys the diagram and sets the pointer to NULL. Collective. */
LIMBER_API int LimberCampbellDestroy(LimberCampbell *campbell);
/** The number of rows: values of the varied number at which modes are known. */
LIMBER_API int limber_campbell_rows(LimberCampbell campbell);
/** How many modes are followed. */
LIMBER_API int limber_campbell_modes(LimberCampbell campbell);
/** The value of a row; they increase. */
LIMBER_API double limber_campbell_value(LimberCampbell campbell, int row);
/** The speed in a row, rad/s. */
LIMBER_API double limber_campbell_rate(LimberCampbell campbell, int row);
/** Real and imaginary part, 1/s, of the eigenvalue of a mode in a row, NAN where it was lost. The imaginary part has
 * the other sign beyond a speed at which it was zero. */
LIMBER_API void limber_campbell_eigenvalue(LimberCampbell campbell, int row, int mode, double out[2]);
/** Hz: of a rotor on a support, in the frame of the rotor; otherwise the frequency of the eigenvalue. */
LIMBER_API double limber_campbell_rotor_frequency(LimberCampbell campbell, int row, int mode);
/** The name of a mode. */
LIMBER_API const char *limber_campbell_name(LimberCampbell campbell, int mode);
/** How many crossings with multiples of the speed there are. */
LIMBER_API int limber_campbell_crossings(LimberCampbell campbell);
/** The i-th crossing, from 0 on. */
LIMBER_API LimberCampbellCrossing limber_campbell_crossing(LimberCampbell campbell, int i);
/** Remarks about the diagram: "" or one per line. */
LIMBER_API const char *limber_campbell_remarks(LimberCampbell campbell);

#ifdef __cplusplus
}
#endif

#endif
