// SPDX-License-Identifier: Apache-2.0
// Public functions that add parts to a model.
#include "model/adders.h"

#include "mechanics/shape.h"

#include <stdio.h>
#include <string.h>

Error ModelReportUnknownKind(LimberModel m, const char *what, const char *kind, const char *name) {
  TRY(ModelReportError(m, NULL, "'%s': there is no %s of the kind '%s'", shown_name(name), what, kind));
  return 0;
}

static bool has_node(Model m, int id) { return id >= 0 && id < m->nodes.count; }

Error ModelCheckNodes(LimberModel m, const char *what, const char *name, const FieldTable *t, const void *params,
                      bool bodies, bool *good) {
  *good = true;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type == FIELD_MAPS) {
      bool right = true;
      const char *map = *(const char *const *)((const char *)params + f->offset);
      int count = *(const int *)((const char *)params + f->offset + sizeof map);
      for (int k = 0; map && k < count && right; k++, map += f->more->fields->size)
        TRY(ModelCheckNodes(m, what, name, f->more->fields, map, bodies, &right));
      *good = *good && right;
    }
    if (f->type != FIELD_NODE && f->type != FIELD_NODES) continue;
    const int *id = (const int *)((const char *)params + f->offset);
    for (int k = 0; k < (f->type == FIELD_NODE ? 1 : f->count); k++) {
      bool none = id[k] == LIMBER_NONE && !f->required && f->value == LIMBER_NONE;
      if (has_node(m, id[k]) || none || (bodies && model_body(m, id[k]) >= 0)) continue;
      TRY(ModelReportError(m, f->name, "%s '%s': its '%s' is not a node of the model", what, shown_name(name),
                           f->name));
      *good = false;
    }
  }
  return 0;
}

// The adders check sizes of structures, and report fields that are zero though their default is not.

typedef Error (*AddFunction)(LimberModel m, const char *kind, const char *name, const void *params, int *id);

// Whether the default of a field is a value other than zero; `text`: that default.
static bool has_default(const Field *f, char *text, size_t size) {
  switch (f->type) {
  case FIELD_REAL:
  case FIELD_INT: snprintf(text, size, "%g", f->value); return !f->required && f->value != 0;
  case FIELD_FUNCTION: snprintf(text, size, "LIMBER_NO_FUNCTION"); return !f->required && f->value != 0;
  case FIELD_REALS:
  case FIELD_ONE_OR_REALS:
  case FIELD_OPTIONAL_REALS:
  case FIELD_MATRIX:
  case FIELD_TENSOR:
  case FIELD_LIST:
  case FIELD_ROWS:
  case FIELD_NODE:
  case FIELD_NODES:
  case FIELD_SECTION:
  case FIELD_FUNCTIONS:
  case FIELD_FORMULA:
  case FIELD_JOINT:
  case FIELD_LOAD:
  case FIELD_EVENT:
  case FIELD_ELEMENT:
  case FIELD_ELEMENTS:
  case FIELD_SURFACES:
  case FIELD_MATERIAL:
  case FIELD_CELLS:
  case FIELD_BULK:
  case FIELD_MESH:
  case FIELD_TEXT:
  case FIELD_WORD:
  case FIELD_FLAG:
  case FIELD_MAP:
  case FIELD_MAPS:
  case FIELD_DAMPING:
  case FIELD_ANY: return false;
  }
  return false;
}

static bool is_zero(const Field *f, const void *params) {
  const void *at = (const char *)params + f->offset;
  return f->type == FIELD_REAL ? *(const double *)at == 0 : *(const int *)at == 0;
}

// Adds to the last diagnostic which fields are zero though their default is not.
static Error ReportZeroes(LimberModel m, const char *kind, const char *part, const FieldTable *t, const void *params) {
  char fields[400] = "", values[400] = "", value[40];
  int count = 0;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (!has_default(f, value, sizeof value) || !is_zero(f, params)) continue;
    size_t n = strlen(fields), k = strlen(values);
    snprintf(fields + n, sizeof fields - n, "%s`%s`", count ? ", " : "", f->name);
    snprintf(values + k, sizeof values - k, "%s%s", count++ ? ", " : "", value);
  }
  if (!count) return 0;
  m->diagnostics_length--; // removes the end of the line
  TRY(ModelReportError(m, NULL, " (%s %s 0; limber_%s%s_default() has %s)", fields, count > 1 ? "are" : "is", kind,
                       part, values));
  return 0;
}

// Checks that every enumeration has one of its enumerators.
static Error CheckEnumerators(const char *kind, const char *name, const FieldTable *t, const void *params) {
  for (int i = 0; i < t->count; i++)
    ENSURE(t->field[i].type != FIELD_WORD || field_has_word(&t->field[i], params), ERROR_ARGUMENT,
           "%s '%s': `%s` is no enumerator of its type", kind, shown_name(name), t->field[i].name);
  return 0;
}

static Error AddComponent(AddFunction add, const FieldTable *t, LimberModel m, const char *kind, const char *name,
                          const void *params, size_t size, int *id) {
  size_t before = m->diagnostics_length;
  if (t)
    ENSURE(size == t->size, ERROR_ARGUMENT,
           "%s '%s': a structure of %zu bytes is given, that of the kind has %zu: it is another structure, or one of "
           "another version of the headers",
           kind, shown_name(name), size, t->size);
  if (t) TRY(CheckEnumerators(kind, name, t, params));
  TRY(add(m, kind, name, params, id));
  const char *part = add == ModelAddSurface ? "_surface" : add == ModelAddEvent ? "_event" : "";
  if (t && m->diagnostics_length > before) TRY(ReportZeroes(m, kind, part, t, params));
  return 0;
}

static Error AddOfSize(AddFunction add, const FieldTable *t, LimberModel m, const char *kind, const char *name,
                       const void *params, size_t size, int *id) {
  if (id) *id = LIMBER_NONE;
  return MODEL_CALL(m, AddComponent(add, t, m, kind, name, params, size, id));
}

// ---- by kind ----

#define FIND_FIELDS(kinds, text, out) \
  for (int i_ = 0; kinds[i_]; i_++) \
    if (!strcmp(kinds[i_]->name, text)) out = &kinds[i_]->fields

int LimberModelAddFunctionByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                                 LimberFunctionId *id) {
  const FieldTable *t = NULL;
  FIND_FIELDS(function_kinds, kind, t);
  return AddOfSize(ModelAddFunction, t, m, kind, name, params, size, INDEX_OF(id));
}

int LimberModelAddElementByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                                LimberElementId *id) {
  const FieldTable *t = NULL;
  FIND_FIELDS(element_kinds, kind, t);
  return AddOfSize(ModelAddElement, t, m, kind, name, params, size, INDEX_OF(id));
}

int LimberModelAddJointByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                              LimberJointId *id) {
  const JointKind *k = joint_find(kind);
  return AddOfSize(ModelAddJoint, k ? &k->fields : NULL, m, kind, name, params, size, INDEX_OF(id));
}

int LimberModelAddLoadByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                             LimberLoadId *id) {
  const FieldTable *t = NULL;
  FIND_FIELDS(load_kinds, kind, t);
  return AddOfSize(ModelAddLoad, t, m, kind, name, params, size, INDEX_OF(id));
}

int LimberModelAddSurfaceByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                                LimberSurfaceId *id) {
  const FieldTable *t = NULL;
  FIND_FIELDS(surface_kinds, kind, t);
  return AddOfSize(ModelAddSurface, t, m, kind, name, params, size, INDEX_OF(id));
}

LimberWave limber_wave_default(void) {
  LimberWave out;
  field_defaults(&load_wave.fields, &out);
  return out;
}

int LimberModelAddWave(LimberModel m, const char *name, const LimberWave *params, LimberPortId *id) {
  return AddOfSize(ModelAddPort, &load_wave.fields, m, load_wave.name, name, params, sizeof *params, INDEX_OF(id));
}

LimberContact limber_contact_default(void) {
  LimberContact out;
  field_defaults(&contact_fields, &out);
  return out;
}

int LimberModelAddContact(LimberModel m, const char *name, const LimberContact *params, LimberContactId *id) {
  return AddOfSize(ModelAddContact, &contact_fields, m, "contact", name, params, sizeof *params, INDEX_OF(id));
}

int LimberModelAddEventByKind(LimberModel m, const char *kind, const char *name, const void *params, size_t size,
                              LimberEventId *id) {
  const FieldTable *t = NULL;
  FIND_FIELDS(event_kinds, kind, t);
  return AddOfSize(ModelAddEvent, t, m, kind, name, params, size, INDEX_OF(id));
}

LimberEventAction limber_event_action_default(void) {
  LimberEventAction out;
  field_defaults(event_action_fields.fields, &out);
  return out;
}

// ---- one of each kind ----

#define ADDER(part, Part, kind_name, Name) \
  Limber##Name limber_##kind_name##_default(void) { \
    Limber##Name out; \
    field_defaults(&part##_##kind_name.fields, &out); \
    return out; \
  } \
  int LimberModelAdd##Name(LimberModel model, const char *name, const Limber##Name *params, Limber##Part##Id *id) { \
    return AddOfSize(ModelAdd##Part, &part##_##kind_name.fields, model, #kind_name, name, params, sizeof *params, \
                     INDEX_OF(id)); \
  }

#define ELEMENT(name, Name) \
  extern const ElementKind element_##name; \
  ADDER(element, Element, name, Name)
#include "elements/elements.def"
#undef ELEMENT

#define JOINT(name, Name) \
  extern const JointKind joint_##name; \
  ADDER(joint, Joint, name, Name)
#include "joints/joints.def"
#undef JOINT

#define LOAD(name, Name) \
  extern const LoadKind load_##name; \
  ADDER(load, Load, name, Name)
#include "loads/loads.def"
#undef LOAD

#define FUNCTION(name, Name) ADDER(function, Function, name, Name)
#include "base/functions/functions.def"
#undef FUNCTION

// Kinds whose names are used for other parts too: LimberBoxSurface has limber_box_surface_default.
#define ADDER_OF(part, Part, kind_name, Name) \
  extern const Part##Kind part##_##kind_name; \
  Limber##Name limber_##kind_name##_##part##_default(void) { \
    Limber##Name out; \
    field_defaults(&part##_##kind_name.fields, &out); \
    return out; \
  } \
  int LimberModelAdd##Name(LimberModel model, const char *name, const Limber##Name *params, Limber##Part##Id *id) { \
    return AddOfSize(ModelAdd##Part, &part##_##kind_name.fields, model, #kind_name, name, params, sizeof *params, \
                     INDEX_OF(id)); \
  }

#define SURFACE(name, Name) ADDER_OF(surface, Surface, name, Name)
#include "surfaces/surfaces.def"
#undef SURFACE

#define EVENT(name, Name) ADDER_OF(event, Event, name, Name)
#include "events/events.def"
#undef EVENT

#define SHAPE(name, structure, ...) \
  extern const ShapeKind shape_##name; \
  structure limber_##name##_default(void) { \
    structure out; \
    field_defaults(&shape_##name.fields, &out); \
    return out; \
  } \
  const char *limber_##name##_section(const structure *params, const LimberMaterial *material, const double *offset, \
                                      const double *shear, LimberSection *out) { \
    return section_of_shape(&shape_##name, params, material, offset, shear, out).text; \
  }
#include "sections/sections.def"
#undef SHAPE
