/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The catalogue described by itself: kinds, and the fields of each, as `limber describe` prints them. */
#ifndef LIMBER_DESCRIBE_H
#define LIMBER_DESCRIBE_H

#include <limber/version.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Parts of a model that have kinds. */
typedef enum {
  LIMBER_ELEMENTS,  /**< beam, rigid_body ... */
  LIMBER_JOINTS,    /**< revolute ... */
  LIMBER_LOADS,     /**< force, gravity ... */
  LIMBER_FUNCTIONS, /**< sine, table ... */
  LIMBER_SHAPES,    /**< shapes of sections: rectangle ... */
  LIMBER_EVENTS     /**< conditions of events: time, coordinate ... */
} LimberPart;

/** What a field contains in a model file. */
typedef enum {
  LIMBER_NUMBER,        /**< a number */
  LIMBER_INTEGER,       /**< a whole number */
  LIMBER_NUMBERS,       /**< `count` numbers; 0: any number of them */
  LIMBER_MATRIX,        /**< `count` rows of `count` numbers, or its diagonal */
  LIMBER_ROWS,          /**< rows of `count` numbers */
  LIMBER_NAME,          /**< the name of a node, element, joint, section or function, as `refers_to` says */
  LIMBER_NAMES,         /**< `count` names; 0: any number of them */
  LIMBER_TEXT,          /**< a word or formula */
  LIMBER_MAP,           /**< fields of its own */
  LIMBER_MAPS,          /**< a list of maps */
  LIMBER_OTHER,         /**< as the model file has it (docs/model.md) */
  LIMBER_NUMBER_OR_MAP, /**< a number, or fields of its own */
  LIMBER_FLAG           /**< true or false */
} LimberFieldType;

/** A field of a kind. */
typedef struct {
  const char *name;      /**< as in the model file */
  LimberFieldType type;  /**< what it contains */
  int count;             /**< of numbers or names */
  const char *unit;      /**< SI; "" of a pure number, "any" where any unit may be written */
  const char *refers_to; /**< "node", "element", "joint", "section", "function"; "" of what is no name */
  bool required;         /**< there is no default */
  double value;          /**< default of a number */
  const char *help;      /**< what it is */
} LimberField;

/** The name of the i-th kind of a part; NULL after the last. */
LIMBER_API const char *limber_kind(LimberPart part, int i);
/** What a kind is, in a sentence; NULL: there is no such kind. */
LIMBER_API const char *limber_kind_help(LimberPart part, const char *kind);
/** The i-th field of a kind; false after the last. */
LIMBER_API bool limber_kind_field(LimberPart part, const char *kind, int i, LimberField *field);
/** The i-th word that may stand in a field of text; NULL after the last, and where any text may. */
LIMBER_API const char *limber_kind_word(LimberPart part, const char *kind, const char *field, int i);

#ifdef __cplusplus
}
#endif

#endif
