/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ids of the parts of a model. Each part has a type of its own: a compiler refuses a joint where a node is meant.
 * The functions that add a part return its id; limber_model_find_node and the like find it by its name. An id is valid
 * in its model only. Functions take it by value.
 *
 *     LimberNodeId tip = limber_model_find_node(model, "tip");
 *     if (LIMBER_IS_NONE(tip)) ... */
#ifndef LIMBER_IDS_H
#define LIMBER_IDS_H

/** A frame, a point or the ground. */
typedef struct {
  int index; /**< from 0 in the order of addition; the ground is 0; LIMBER_NONE: no node */
} LimberNodeId;

/** The section of a beam. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no section */
} LimberSectionId;

/** A function of time. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no function */
} LimberFunctionId;

/** An element: a body, a beam, a spring ... */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no element */
} LimberElementId;

/** A joint. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no joint */
} LimberJointId;

/** A load or a drive. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no load */
} LimberLoadId;

/** A surface that can touch others. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no surface */
} LimberSurfaceId;

/** A contact between surfaces. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no contact */
} LimberContactId;

/** An event. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no event */
} LimberEventId;

/** A port to another model. */
typedef struct {
  int index; /**< from 0 in the order of addition; LIMBER_NONE: no port */
} LimberPortId;

/** The index of nothing: of an id that names no part, and of a column that results do not have. */
#define LIMBER_NONE (-1)
/** Whether an id names no part. */
#define LIMBER_IS_NONE(id) ((id).index == LIMBER_NONE)

/** The id of that type with this index. */
#ifdef __cplusplus
#define LIMBER_ID(type, index) (type{index})
#else
#define LIMBER_ID(type, index) ((type){index})
#endif

/** The node that never moves. */
#define LIMBER_GROUND LIMBER_ID(LimberNodeId, 0)
/** A body of points (simplex_body), by its element, in the place of a node of a joint. */
#define LIMBER_BODY(element) LIMBER_ID(LimberNodeId, -1000 - (element).index)

#define LIMBER_NO_NODE     LIMBER_ID(LimberNodeId, LIMBER_NONE)     /**< no node */
#define LIMBER_NO_SECTION  LIMBER_ID(LimberSectionId, LIMBER_NONE)  /**< no section */
#define LIMBER_NO_FUNCTION LIMBER_ID(LimberFunctionId, LIMBER_NONE) /**< no function */
#define LIMBER_NO_ELEMENT  LIMBER_ID(LimberElementId, LIMBER_NONE)  /**< no element */
#define LIMBER_NO_JOINT    LIMBER_ID(LimberJointId, LIMBER_NONE)    /**< no joint */
#define LIMBER_NO_LOAD     LIMBER_ID(LimberLoadId, LIMBER_NONE)     /**< no load */
#define LIMBER_NO_SURFACE  LIMBER_ID(LimberSurfaceId, LIMBER_NONE)  /**< no surface */
#define LIMBER_NO_CONTACT  LIMBER_ID(LimberContactId, LIMBER_NONE)  /**< no contact */
#define LIMBER_NO_PORT     LIMBER_ID(LimberPortId, LIMBER_NONE)     /**< no port */
#define LIMBER_NO_EVENT    LIMBER_ID(LimberEventId, LIMBER_NONE)    /**< no event */

#endif
