// SPDX-License-Identifier: Apache-2.0
// Sections of beams: stiffness and inertia per length, as numbers or from a material and a shape, at one station or at
// several along the span.
#include "input/yaml/blade_section.h"
#include "input/yaml/form.h"
#include "input/yaml/lookup.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/shape.h"

#include <string.h>

#define SHAPE(name, structure, type, count, help) \
  extern const ShapeKind shape_##name; \
  static const FieldMore name##_more = {&shape_##name.fields, NULL};
#include "sections/sections.def"
#undef SHAPE

typedef struct {
  double at, stiffness[6][6], mass, centre[2], inertia[3][3];
  const char *name; // of the material
  LimberMaterial material;
  double shear[2], offset[2];
  BladeFile file;
  struct {
#define SHAPE(name, structure, type, count, help) structure name;
#include "sections/sections.def"
#undef SHAPE
  } shape;
} SectionText;

static const Field section_fields[] = {
    {"at", FIELD_REAL, 1, offsetof(SectionText, at), "", false, 0, "position along the span, 0 .. 1, of one of several",
     NULL},
    {"stiffness", FIELD_MATRIX, 6, offsetof(SectionText, stiffness), "N|N|N|N m2|N m2|N m2", false, 0,
     "axial, shear 2, shear 3, torsion, bending about e2, about e3", NULL},
    {"mass", FIELD_REAL, 1, offsetof(SectionText, mass), "kg m-1", false, 0, "per length", NULL},
    {"centre", FIELD_REALS, 2, offsetof(SectionText, centre), "m", false, 0, "mass centre along e2, e3", NULL},
    {"inertia", FIELD_MATRIX, 3, offsetof(SectionText, inertia), "kg m", false, 0,
     "moments of inertia per length about the reference line", NULL},
    {"material", FIELD_TEXT, 1, offsetof(SectionText, name), "", false, 0,
     "with a shape: the name of one of the file's materials, or ...", NULL},
    {"E", FIELD_REAL, 1, offsetof(SectionText, material.E), "Pa", false, 0, "Young's modulus, with a shape", NULL},
    {"G", FIELD_REAL, 1, offsetof(SectionText, material.G), "Pa", false, 0, "shear modulus, with a shape; or nu", NULL},
    {"nu", FIELD_REAL, 1, offsetof(SectionText, material.nu), "", false, 0, "Poisson's ratio, with a shape; or G",
     NULL},
    {"density", FIELD_REAL, 1, offsetof(SectionText, material.density), "kg m-3", false, 0,
     "mass per volume, with a shape", NULL},
    {"shear", FIELD_REALS, 2, offsetof(SectionText, shear), "", false, 0,
     "shear factors along e2, e3 in place of the shape's", NULL},
    {"offset", FIELD_REALS, 2, offsetof(SectionText, offset), "m", false, 0,
     "of the reference line along e2, e3, from the shape's", NULL},
    {"from_file", FIELD_MAP, 1, offsetof(SectionText, file), "", false, 0,
     "all stations of a file of another program; of one of several: the only one that it has", &blade_section_fields},
#define SHAPE(name, structure, type, count, help) \
  {#name, type, count,       offsetof(SectionText, shape.name), (type) == FIELD_REALS ? "m" : "", false, \
   0,     help, &name##_more},
#include "sections/sections.def"
#undef SHAPE
};
static const FieldTable section_table = FIELDS(section_fields, SectionText);
static const Kind kind_section = {
    "section", "Stiffness and inertia of a beam per length, as numbers or from a material and a shape.",
    &section_table};

static const char *const material_names[] = {"E", "G", "nu", "density"};

// ---- one station ----

static Error RequireField(Reader *r, const Form *form, SourceLocation at, const char *why, const char *field,
                          bool *good) {
  if (form_given(form, field)) return 0;
  *good = false;
  TRY(ReportError(r, at, "%s needs '%s' (%s)", why, field, field_find(form->fields, field)->help));
  return 0;
}

static Error RefuseField(Reader *r, const Form *form, const Tree *map, const char *why, const char *field, bool *good) {
  if (!form_given(form, field)) return 0;
  *good = false;
  TRY(ReportError(r, tree_find(map, field)->at, "'%s' %s", field, why));
  return 0;
}

static Error FromNumbers(Reader *r, const Form *form, const Tree *map, SourceLocation at, LimberSection *out,
                         bool *good) {
  static const char *const needed[] = {"stiffness", "mass", "inertia"}, *const more[] = {"material", "shear", "offset"};
  const SectionText *t = form->out;
  for (int i = 0; i < 4 && *good; i++)
    TRY(RefuseField(r, form, map, "goes with a shape, such as rectangle", material_names[i], good));
  for (int i = 0; i < 3 && *good; i++)
    TRY(RefuseField(r, form, map, "goes with a shape, such as rectangle", more[i], good));
  if (*good)
    for (int i = 0; i < 3; i++) TRY(RequireField(r, form, at, "a section without shape", needed[i], good));
  memcpy(out->stiffness, t->stiffness, sizeof out->stiffness);
  memcpy(out->inertia, t->inertia, sizeof out->inertia);
  memcpy(out->centre, t->centre, sizeof out->centre);
  out->mass = t->mass;
  return 0;
}

// The material by its name, or by its numbers in the section.
static Error TakeMaterial(Reader *r, const ShapeKind *kind, const Form *form, const Tree *map, SourceLocation at,
                          LimberMaterial *out, bool *good) {
  const SectionText *t = form->out;
  *out = t->material;
  if (!form_given(form, "material")) {
    TRY(RequireField(r, form, at, kind->name, "E", good));
    TRY(RequireField(r, form, at, kind->name, "density", good));
    if (!form_given(form, "G")) TRY(RequireField(r, form, at, kind->name, "nu", good));
    else TRY(RefuseField(r, form, map, "follows from E and G: give G or nu", "nu", good));
    return 0;
  }
  LimberId id;
  for (int i = 0; i < 4; i++)
    TRY(RefuseField(r, form, map, "follows from the material: give one or the other", material_names[i], good));
  TRY(FindName(r, "material", &r->materials, tree_find(map, "material"), &id));
  if (id == BROKEN) *good = false;
  else *out = r->material[id];
  return 0;
}

static Error FromShape(Reader *r, const ShapeKind *kind, size_t offset, const Form *form, const Tree *map,
                       SourceLocation at, LimberSection *out, bool *good) {
  static const char *const follow[] = {"stiffness", "mass", "centre", "inertia"};
  const SectionText *t = form->out;
  LimberMaterial material;
  for (int i = 0; i < 4; i++)
    TRY(RefuseField(r, form, map, "follows from material and shape: give one or the other", follow[i], good));
  bool known = true;
  SectionShape shape = {0};
  TRY(TakeMaterial(r, kind, form, map, at, &material, &known));
  const char *measures = (const char *)t + offset, *error;
  if (known)
    error = section_of_shape(kind, measures, &material, t->offset, form_given(form, "shear") ? t->shear : NULL, out);
  else error = kind->make(measures, 0, &shape);
  *good = *good && known;
  if (!error) return 0;
  *good = false;
  SourceLocation location = tree_find(map, kind->name)->at;
  for (int i = 0; i < map->count; i++) // a text may begin with the field that it is about
    if (!strncmp(error, map->key[i]->text, strcspn(error, " "))) location = map->entry[i]->at;
  TRY(ReportError(r, location, "%s", error));
  return 0;
}

// One of several stations.
static Error FromFile(Reader *r, const Tree *map, const BladeFile *file, LimberSection *out, bool *good) {
  const LimberSection *station;
  int count;
  TRY(ReadBladeSection(r, map, file, &count, &station, good));
  if (*good && count != 1) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "from_file")->at,
                    "the file has %d stations: make it the whole section, {from_file: {...}}", count));
  }
  if (*good) *out = station[0];
  return 0;
}

static Error ReadStation(Reader *r, const Tree *map, SourceLocation at, bool is_list, LimberSection *out,
                         Outline *outline, bool *good) {
  SectionText text;
  Form form = {&section_table, &text, 0, 0, 0};
  const ShapeKind *shape = NULL;
  size_t offset = 0;
  memset(out, 0, sizeof *out);
  TRY(FormsRead(r, "section", at, map, 1, &form, good));
  if (is_list) TRY(RequireField(r, &form, at, "one of several stations", "at", good));
  else TRY(RefuseField(r, &form, map, "is for one of several stations", "at", good));
  for (int i = 0; shape_kinds[i]; i++) {
    if (!form_given(&form, shape_kinds[i]->name)) continue;
    if (shape) {
      *good = false;
      TRY(ReportError(r, tree_find(map, shape_kinds[i]->name)->at, "a section has one shape: '%s' or '%s'", shape->name,
                      shape_kinds[i]->name));
    }
    shape = shape_kinds[i], offset = field_find(&section_table, shape->name)->offset;
  }
  if (!*good) return 0;
  if (form_given(&form, "from_file")) TRY(FromFile(r, map, &text.file, out, good));
  else if (shape) TRY(FromShape(r, shape, offset, &form, map, at, out, good));
  else TRY(FromNumbers(r, &form, map, at, out, good));
  out->at = text.at;
  if (!shape || !*good) return 0;
  shape->outline((const char *)&text + offset, outline);
  outline_move(outline, text.offset[0], text.offset[1]);
  return 0;
}

// ---- the part of the file ----

// All stations of a file.
static Error AddFromFile(Reader *r, const Tree *key, const Tree *map, LimberId *id) {
  SectionText text;
  Form form = {&section_table, &text, 0, 0, 0};
  const LimberSection *station = NULL;
  int count = 0;
  bool good;
  TRY(FormsRead(r, "section", key->at, map, 1, &form, &good));
  TRY(RefuseField(r, &form, map, "is for one of several stations", "at", &good));
  if (good) TRY(ReadBladeSection(r, map, &text.file, &count, &station, &good));
  if (!good) return 0;
  size_t before = strlen(limber_model_diagnostics(r->model));
  TRY(LimberModelAddSection(r->model, key->text, count, station, id));
  if (limber_model_diagnostics(r->model)[before]) *id = BROKEN;
  TRY(TakeModelDiagnostics(r, before, NULL, key->at));
  return 0;
}

static Error ReadSection(Reader *r, const Tree *key, const Tree *entry, LimberId *id) {
  bool is_list = entry->kind == TREE_LIST, good = true;
  int count = is_list ? entry->count : 1;
  LimberSection *station;
  Outline *outline;
  *id = BROKEN;
  if (entry->kind == TREE_MAP && tree_find(entry, "from_file")) return AddFromFile(r, key, entry, id);
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *station, &station));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *outline, &outline));
  for (int i = 0; i < count; i++) {
    bool right;
    TRY(ReadStation(r, is_list ? entry->entry[i] : entry, is_list ? entry->entry[i]->at : key->at, is_list, &station[i],
                    &outline[i], &right));
    good = good && right;
  }
  if (!good) return 0;
  size_t before = strlen(limber_model_diagnostics(r->model));
  TRY(LimberModelAddSection(r->model, key->text, count, station, id));
  if (limber_model_diagnostics(r->model)[before]) *id = BROKEN;
  for (int i = 0; i < count && *id != BROKEN; i++)
    if (outline[i].lines) TRY(ModelOutline(r->model, *id, i, &outline[i]));
  TRY(TakeModelDiagnostics(r, before, NULL, key->at));
  return 0;
}

static Error ReadSections(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'sections' must be a map, one name to a section, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  for (int i = 0; i < map->count; i++) {
    LimberId id;
    bool good;
    TRY(CheckName(r, "section", &r->sections, map->key[i]->text, map->key[i]->at, &good));
    TRY(ReadSection(r, map->key[i], map->entry[i], &id));
    if (good) TRY(NamesAdd(&r->sections, map->key[i]->text, id, map->key[i]->at));
  }
  return 0;
}

ONE_KIND(section_kind_of, kind_section)

const Part part_sections = {.key = "sections",
                            .one = "section",
                            .form = PART_NAMED,
                            .kind = section_kind_of,
                            .list_allowed = true,
                            .read = ReadSections};
