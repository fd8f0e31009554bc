// SPDX-License-Identifier: Apache-2.0
// The public interface to the field tables, and to the sizes of structures.
#include "base/functions/function.h"
#include "input/yaml/parts.h"
#include "limber/limber.h"
#include "mechanics/element.h"
#include "mechanics/event.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "mechanics/shape.h"
#include "model/steps.h"

#include <string.h>

typedef struct {
  const char *name, *help;
  const FieldTable *fields;
} KindEntry;

#define ENTRY(kinds) \
  do { \
    for (int k_ = 0; k_ <= i; k_++) \
      if (!kinds[k_]) return (KindEntry){0}; \
    return (KindEntry){kinds[i]->name, kinds[i]->help, &kinds[i]->fields}; \
  } while (0)

// Shapes have their help in their list.
static const char *const shape_help[] = {
#define SHAPE(name, structure, type, count, help) help,
#include "sections/sections.def"
#undef SHAPE
};

// Elements have fields of model files that their structures have not.
static KindEntry element_at(int i) {
  Kind kind;
  for (int k = 0; k <= i; k++)
    if (!part_elements.kind(k, &kind)) return (KindEntry){0};
  return (KindEntry){kind.name, kind.help, kind.fields};
}

// The i-th kind of a part; without a name after the last.
static KindEntry kind_at(LimberPart part, int i) {
  switch (part) {
  case LIMBER_ELEMENTS: return element_at(i);
  case LIMBER_JOINTS: ENTRY(joint_kinds);
  case LIMBER_LOADS: ENTRY(load_kinds);
  case LIMBER_EVENTS: ENTRY(event_kinds);
  case LIMBER_FUNCTIONS: ENTRY(function_kinds);
  case LIMBER_SHAPES: break;
  }
  for (int k = 0; k <= i; k++)
    if (!shape_kinds[k]) return (KindEntry){0};
  return (KindEntry){shape_kinds[i]->name, shape_help[i] + strlen("shape: "), &shape_kinds[i]->fields};
}

static KindEntry find_kind(LimberPart part, const char *name) {
  for (int i = 0;; i++) {
    KindEntry k = kind_at(part, i);
    if (!k.name || !strcmp(k.name, name)) return k;
  }
}

const char *limber_kind(LimberPart part, int i) { return i < 0 ? NULL : kind_at(part, i).name; }
const char *limber_kind_help(LimberPart part, const char *kind) { return find_kind(part, kind).help; }

// ---- fields ----

static LimberFieldType public_type(FieldType type) {
  switch (type) {
  case FIELD_REAL: return LIMBER_NUMBER;
  case FIELD_INT: return LIMBER_INTEGER;
  case FIELD_REALS:
  case FIELD_ONE_OR_REALS:
  case FIELD_OPTIONAL_REALS:
  case FIELD_TENSOR:
  case FIELD_LIST: return LIMBER_NUMBERS;
  case FIELD_MATRIX: return LIMBER_MATRIX;
  case FIELD_ROWS: return LIMBER_ROWS;
  case FIELD_NODE:
  case FIELD_SECTION:
  case FIELD_FUNCTION:
  case FIELD_JOINT:
  case FIELD_LOAD:
  case FIELD_EVENT:
  case FIELD_MATERIAL:
  case FIELD_ELEMENT: return LIMBER_NAME;
  case FIELD_NODES:
  case FIELD_FUNCTIONS:
  case FIELD_ELEMENTS:
  case FIELD_SURFACES: return LIMBER_NAMES;
  case FIELD_FORMULA:
  case FIELD_WORD:
  case FIELD_TEXT: return LIMBER_TEXT;
  case FIELD_FLAG: return LIMBER_FLAG;
  case FIELD_DAMPING: return LIMBER_NUMBER_OR_MAP;
  case FIELD_MAP: return LIMBER_MAP;
  case FIELD_MAPS: return LIMBER_MAPS;
  case FIELD_CELLS:
  case FIELD_BULK:
  case FIELD_MESH:
  case FIELD_ANY: return LIMBER_OTHER;
  }
  return LIMBER_OTHER;
}

static const char *referred(FieldType type) {
  switch (type) {
  case FIELD_NODE:
  case FIELD_NODES: return "node";
  case FIELD_SECTION: return "section";
  case FIELD_FUNCTION:
  case FIELD_FUNCTIONS: return "function";
  case FIELD_JOINT: return "joint";
  case FIELD_LOAD: return "load";
  case FIELD_EVENT: return "event";
  case FIELD_ELEMENT:
  case FIELD_ELEMENTS: return "element";
  case FIELD_SURFACES: return "surface";
  case FIELD_MATERIAL: return "material";
  case FIELD_REAL:
  case FIELD_INT:
  case FIELD_REALS:
  case FIELD_ONE_OR_REALS:
  case FIELD_OPTIONAL_REALS:
  case FIELD_MATRIX:
  case FIELD_TENSOR:
  case FIELD_LIST:
  case FIELD_ROWS:
  case FIELD_FORMULA:
  case FIELD_CELLS:
  case FIELD_BULK:
  case FIELD_MESH:
  case FIELD_TEXT:
  case FIELD_WORD:
  case FIELD_FLAG:
  case FIELD_MAP:
  case FIELD_MAPS:
  case FIELD_DAMPING:
  case FIELD_ANY: return "";
  }
  return "";
}

// How many numbers or names stand in a field; 0: any number.
static int public_count(const Field *f) {
  switch (f->type) {
  case FIELD_TENSOR: return 6;
  case FIELD_LIST:
  case FIELD_FUNCTIONS:
  case FIELD_ELEMENTS:
  case FIELD_SURFACES: return 0;
  default: return f->count;
  }
}

bool limber_kind_field(LimberPart part, const char *kind, int i, LimberField *out) {
  const FieldTable *t = find_kind(part, kind).fields;
  *out = (LimberField){0};
  if (!t || i < 0 || i >= t->count) return false;
  const Field *f = &t->field[i];
  bool number = f->type == FIELD_REAL || f->type == FIELD_INT;
  *out = (LimberField){f->name,           public_type(f->type), public_count(f),       f->unit,
                       referred(f->type), f->required,          number ? f->value : 0, f->help};
  return true;
}

const char *limber_kind_word(LimberPart part, const char *kind, const char *field, int i) {
  const FieldTable *t = find_kind(part, kind).fields;
  const Field *f = t ? field_find(t, field) : NULL;
  if (!f || i < 0 || (f->type != FIELD_TEXT && f->type != FIELD_WORD) || !f->more || !f->more->word) return NULL;
  for (int k = 0; k < i; k++)
    if (!f->more->word(k)) return NULL;
  return f->more->word(i);
}

// ---- sizes, and reasons in words ----

size_t limber_sizeof(const char *structure) {
  static const struct {
    const char *name;
    size_t size;
  } all[] = {
#define SIZE(name) {#name, sizeof(name)},
      SIZE(LimberIteration) SIZE(LimberOptions) SIZE(LimberPaperOptions) SIZE(LimberControl) SIZE(LimberStatics)
          SIZE(LimberModesOptions) SIZE(LimberMode) SIZE(LimberCampbellOptions) SIZE(LimberCampbellCrossing)
              SIZE(LimberLinearOptions) SIZE(LimberResponseOptions) SIZE(LimberStabilityOptions) SIZE(LimberCrossing)
                  SIZE(LimberFloquetOptions) SIZE(LimberMultiplier) SIZE(LimberJointState) SIZE(LimberEventRecord)
                      SIZE(LimberOutcome) SIZE(LimberCause) SIZE(LimberLedger) SIZE(LimberField) SIZE(LimberSection)
                          SIZE(LimberSectionFrame) SIZE(LimberBladeOptions) SIZE(LimberReadOptions) SIZE(LimberStation)
                              SIZE(LimberSectionForces) SIZE(LimberMaterial) SIZE(LimberLaw) SIZE(LimberWave)
                                  SIZE(LimberPort) SIZE(LimberPortState) SIZE(LimberBond) SIZE(LimberBondState)
                                      SIZE(LimberCoupleOptions) SIZE(LimberFmuOptions) SIZE(LimberFmuDescription)
                                          SIZE(LimberFmuVariable) SIZE(LimberConnection) SIZE(LimberErrorBar)
                                              SIZE(LimberGradientOptions) SIZE(LimberDerivative)
#undef SIZE
#define ELEMENT(name, Name) {"Limber" #Name, sizeof(Limber##Name)},
#include "elements/elements.def"
#undef ELEMENT
#define JOINT(name, Name) {"Limber" #Name, sizeof(Limber##Name)},
#include "joints/joints.def"
#undef JOINT
#define LOAD(name, Name) {"Limber" #Name, sizeof(Limber##Name)},
#include "loads/loads.def"
#undef LOAD
#define FUNCTION(name, Name) {"Limber" #Name, sizeof(Limber##Name)},
#include "base/functions/functions.def"
#undef FUNCTION
#define SHAPE(name, structure, ...) {#structure, sizeof(structure)},
#include "sections/sections.def"
#undef SHAPE
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!strcmp(all[i].name, structure)) return all[i].size;
  return 0;
}

const char *limber_reason_name(LimberReason reason) {
  if (reason < LIMBER_CONVERGED || reason > LIMBER_LIBRARY_FAILURE) return "unknown";
  return reason == LIMBER_CONVERGED ? "converged" : run_status_words[reason];
}

const char *limber_cause_name(LimberCauseKind kind) {
  switch (kind) {
  case LIMBER_CAUSE_NONE: return "";
  case LIMBER_CAUSE_NODE: return "node";
  case LIMBER_CAUSE_ELEMENT: return "element";
  case LIMBER_CAUSE_JOINT: return "joint";
  case LIMBER_CAUSE_BLOCK: return "control block";
  }
  return "";
}
