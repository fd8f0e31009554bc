/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Structures of events (docs/events.md): a condition and what happens then. limber/adders.h has a function for
 * each kind.
 *
 *     LimberEventAction catch_it = limber_event_action_default();
 *     LimberCoordinateEvent latch = limber_coordinate_event_default();
 *     catch_it.lock = hinge, latch.joint = hinge, latch.angle = &ninety_degrees;
 *     latch.event.action = &catch_it, latch.event.actions = 1;
 *     LimberModelAddCoordinateEvent(model, "latch", &latch, NULL); */
#ifndef LIMBER_EVENTS_H
#define LIMBER_EVENTS_H

#include <limber/catalogue.h>
#include <stdbool.h>

/** What happens: one of the ids is given, the others name nothing (LIMBER_NO_JOINT, LIMBER_NO_LOAD). */
typedef struct {
  LimberJointId lock;     /**< joint whose coordinates are held at their present values */
  LimberJointId unlock;   /**< joint whose lock ends */
  LimberJointId release;  /**< joint that breaks */
  LimberJointId engage;   /**< joint that connects its bodies as they are then */
  LimberLoadId begin;     /**< load or drive that acts from then on */
  LimberLoadId end;       /**< load or drive that ends */
  const char *coordinate; /**< which coordinate is locked or unlocked; NULL: all of the joint */
} LimberEventAction;

/** What every event has. */
typedef struct {
  bool repeat;                     /**< it may happen again; false: it happens once */
  const LimberEventAction *action; /**< what happens; copied */
  int actions;                     /**< how many */
} LimberEvent;

/** From which side a value is reached. */
typedef enum {
  LIMBER_EITHER, /**< from either side */
  LIMBER_RISING, /**< from below */
  LIMBER_FALLING /**< from above */
} LimberDirection;

/** Happens at a time. */
typedef struct {
  LimberEvent event; /**< what happens */
  double at;         /**< s */
} LimberTimeEvent;

/** Happens together with another event, or a while after it. */
typedef struct {
  LimberEvent event;   /**< what happens */
  LimberEventId other; /**< an event that was added before */
  double delay;        /**< s after it */
} LimberAfterEvent;

/** Happens where a coordinate of a joint, or its rate, reaches a value. */
typedef struct {
  LimberEvent event;         /**< what happens */
  LimberJointId joint;       /**< a joint with a coordinate */
  const char *coordinate;    /**< its coordinate; NULL: its first */
  LimberDirection direction; /**< from which side the value is reached */
  const double *angle;       /**< value of an angle, rad or rad/s; NULL: of a slide */
  const double *slide;       /**< value of a slide, m or m/s; NULL: of an angle */
  double tolerance; /**< distance from the value at which the step ends: of the value, or of 1 if that is more */
} LimberCoordinateEvent;
typedef LimberCoordinateEvent LimberRateEvent; /**< of the rate */

/** Happens where the position of a node along a direction, or its velocity, reaches a value. */
typedef struct {
  LimberEvent event; /**< what happens */
  LimberNodeId node; /**< that moves */
  double along[3];   /**< direction, in ground axes */
  double value;      /**< m or m/s */
  double tolerance;  /**< distance from the value at which the step ends: of the value, or of 1 if that is more */
  LimberDirection direction; /**< from which side the value is reached */
} LimberPositionEvent;
typedef LimberPositionEvent LimberVelocityEvent; /**< of the velocity */

/** Happens where the force or the moment of a joint gets as large as a value. */
typedef struct {
  LimberEvent event;    /**< what happens */
  LimberJointId joint;  /**< whose force is watched */
  const double *force;  /**< N; NULL: the moment is watched */
  const double *moment; /**< N m; NULL: the force is watched */
} LimberJointForceEvent;

/** Happens where a force in an element, such as N of a beam, gets as large as a value. */
typedef struct {
  LimberEvent event;       /**< what happens */
  LimberElementId element; /**< with section forces */
  double at;               /**< place along it, 0 to 1 of its length */
  double value;            /**< N or N m, of either sign */
  const char *component;   /**< which of its forces, named as in the results; NULL: the first */
} LimberSectionForceEvent;

/** Happens where a quantity of a probe, or a formula of such, reaches a value. Files have probes: it happens in runs of
 * LimberFileStart, never in those of LimberRunCreate. */
typedef struct {
  LimberEvent event;         /**< what happens */
  const char *probe;         /**< a column of a probe, such as tip.velocity.x, or a formula of columns */
  LimberDirection direction; /**< from which side the value is reached */
  double value;              /**< SI, of the unit of the column */
  double tolerance; /**< distance from the value at which the step ends: of the value, or of 1 if that is more */
} LimberProbeEvent;

#endif
