/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Modes: small motions about an equilibrium, standing or rotating. */
#ifndef LIMBER_MODES_H
#define LIMBER_MODES_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether modes are those of the damped model. */
typedef enum {
  LIMBER_DAMPED_AUTO, /**< where it has dampers or rotates */
  LIMBER_DAMPED_NO,   /**< dampers and Coriolis forces are left out */
  LIMBER_DAMPED_YES,  /**< complex modes in any case */
} LimberDamped;

/** What is asked for. A program starts from limber_modes_default. */
typedef struct {
  int count;           /**< modes, beside rigid motions */
  double target;       /**< Hz: modes nearest to it; 0: the lowest */
  LimberDamped damped; /**< dampers and Coriolis forces */
  int left;            /**< 1: left vectors too */
} LimberModesOptions;

/** Fills in the defaults: the 10 lowest. */
LIMBER_API void limber_modes_default(LimberModesOptions *options);

#ifdef __cplusplus
}
#endif

#endif
