// SPDX-License-Identifier: Apache-2.0
// Field tables: what a user may write of a thing, in one place. The table fills the thing's structure from a
// model file, suggests names, prints `limber describe` and the reference pages.
#ifndef LIMBER_BASE_FIELD_H
#define LIMBER_BASE_FIELD_H

#include "base/reason.h"
#include "limber/ids.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  FIELD_REAL,           // double
  FIELD_INT,            // int
  FIELD_REALS,          // double[count]
  FIELD_ONE_OR_REALS,   // double[count]: a list of `count` numbers, or one number that stands for all
  FIELD_OPTIONAL_REALS, // const double *: `count` numbers, or NULL where nothing is written
  FIELD_MATRIX,         // double[count][count], symmetric; a list of `count` numbers is the diagonal
  FIELD_TENSOR,         // double[6], symmetric: 11 22 33 12 13 23; a list of 3 numbers is the diagonal
  FIELD_LIST,           // const double *; all lists of a structure have the length in its first member, an int
  FIELD_ROWS,      // const double *, rows of `count` numbers, followed by an int: how many rows; with `more`, a map of
                   // a file with them
  FIELD_NODE,      // LimberNodeId
  FIELD_NODES,     // LimberNodeId[count]
  FIELD_SECTION,   // LimberSectionId
  FIELD_FUNCTION,  // LimberFunctionId
  FIELD_FUNCTIONS, // const LimberFunctionId *, followed by an int: how many
  FIELD_FORMULA,   // LimberFormula, of the time t, or of the names in `more->word`
  FIELD_JOINT,     // LimberJointId
  FIELD_LOAD,      // LimberLoadId
  FIELD_EVENT,     // LimberEventId
  FIELD_ELEMENT,   // LimberElementId
  FIELD_ELEMENTS,  // const LimberElementId *, followed by an int: how many
  FIELD_SURFACES,  // const LimberSurfaceId *, followed by an int: how many
  FIELD_MATERIAL,  // LimberMaterial
  FIELD_CELLS,     // LimberCells, of `count` dimensions
  FIELD_BULK,      // LimberBulk, of the cells of `count` dimensions of a mesh
  FIELD_MESH,      // LimberMesh, with its cells of `count` dimensions; 0: nodes of a group, of any dimension
  FIELD_TEXT,      // const char *; one of `more->word`, if there are such
  FIELD_WORD,      // an enumeration: `more->word(i)` is the word of its enumerator i, from 0 without gaps
  FIELD_FLAG,      // bool: true or false
  FIELD_MAP,       // a structure within the structure, with the fields of `more`
  FIELD_MAPS,      // const structure *, a list of such, followed by an int: how many; one map may stand for a list of
                   // one, and in the list the value of the first field for a map
  FIELD_DAMPING, // double, a time of the stiffness, followed by a double where `count` is 2: a rate of the mass. A number is
                 // the time; a map, with the fields of `more`, gives both, or the ratio at one or two frequencies
  FIELD_ANY, // const void *: what was written, left to the owner of the table; with the fields of `more`, a map of names to
             // lists or to maps with these fields
} FieldType;

typedef struct FieldTable FieldTable;

typedef struct {
  const FieldTable *fields;   // of a map
  const char *(*word)(int i); // the i-th of the words that may stand here; NULL after the last
} FieldMore;

// `more` of numbers that are a place or a direction in ground axes. In a part that is used again they are written in
// the axes of the part; its pose moves and turns them. The reader of models finds them by these addresses.
extern const FieldMore field_position;  // 3 numbers; default: the origin
extern const FieldMore field_point;     // 3 numbers; where nothing is written, none
extern const FieldMore field_direction; // 3 numbers: a direction, velocity, force; 9: three axes; default: the ground's
extern const FieldMore field_load_direction; // the same, unless the field `axes` of its table says that they are others

typedef struct {
  const char *name;
  FieldType type;
  int count;        // of numbers or nodes, where the type has several
  size_t offset;    // in the thing's structure
  const char *unit; // SI, as udunits reads it; "" for a pure number; of several, "N|N|N m" where they differ
  bool required;
  double value; // default; for node, section, function: the index (LIMBER_NONE, GROUND)
  const char *help;
  const FieldMore *more; // or NULL
} Field;

// The unit of a number that may be any quantity: what is written is turned into SI units.
#define UNIT_ANY "any"

struct FieldTable {
  const Field *field;
  int count;
  size_t size; // of the structure
};

#define FIELDS(table, type) \
  { table, (int)(sizeof(table) / sizeof((table)[0])), sizeof(type) }

// Writes the defaults of all fields into a structure.
void field_defaults(const FieldTable *t, void *out);

// Whether the enumerator in a structure's FIELD_WORD is one that the field has a word for.
bool field_has_word(const Field *f, const void *structure);

// Its units for a reader: "N|N m2" reads "N, N m2". Returns `text`.
const char *field_units(const Field *f, char *text, size_t size);

// The field of that name, or NULL.
const Field *field_find(const FieldTable *t, const char *name);

// Number of edits (insert, delete, replace, swap neighbours) between two words, for "did you mean".
int field_distance(const char *a, const char *b);

// Inside of the library a node, element, joint ... is an int, its index in the model; LIMBER_NONE: none. The public
// interface has a type for each (limber/ids.h). Public functions and the builders that kinds use take its index.

// The node that never moves.
enum { GROUND = 0 };

#endif
