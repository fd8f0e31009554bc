// SPDX-License-Identifier: Apache-2.0
// Sections of beams: stiffness and inertia per length, as numbers, from a material and a shape, or solved on a mesh, at one
// station or at several along the span.
#include "input/yaml/blades.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "input/yaml/material.h"
#include "input/yaml/section_mesh.h"
#include "mechanics/shape.h"

#include <string.h>

#define SHAPE(name, structure, type, count, help) \
  extern const ShapeKind shape_##name; \
  static const FieldMore name##_more = {&shape_##name.fields, NULL};
#include "sections/sections.def"
#undef SHAPE

typedef struct {
  double at, stiffness[6][6], mass, centre[2], inertia[3][3];
  const double *outline; // followed by how many points it has
  int points;
  const char *name; // of the material
  LimberMaterial material;
  double shear[2], offset[2];
  SectionMeshText mesh;
  LayupText layup;
  const void *solve;
  int cells;
  BladeFile file;
  struct {
#define SHAPE(name, structure, type, count, help) structure name;
#include "sections/sections.def"
#undef SHAPE
  } shape;
} SectionText;

static const FieldMore mesh_more = {&section_mesh_table, NULL}, layup_more = {&section_layup_table, NULL};

static const Field section_fields[] = {
    {"at", FIELD_REAL, 1, offsetof(SectionText, at), "", false, 0,
     "position along the span, 0 .. 1, for one of several stations", NULL},
    {"stiffness", FIELD_MATRIX, 6, offsetof(SectionText, stiffness), "N|N|N|N m2|N m2|N m2", false, 0,
     "axial, shear 2, shear 3, torsion, bending about e2, about e3", NULL},
    {"mass", FIELD_REAL, 1, offsetof(SectionText, mass), "kg m-1", false, 0, "per length", NULL},
    {"centre", FIELD_REALS, 2, offsetof(SectionText, centre), "m", false, 0, "mass centre along e2, e3", NULL},
    {"inertia", FIELD_MATRIX, 3, offsetof(SectionText, inertia), "kg m", false, 0,
     "moments of inertia per length about the reference line", NULL},
    {"outline", FIELD_ROWS, 2, offsetof(SectionText, outline), "m", false, 0,
     "with stiffness: points [y, z] of the line around the section, along e2, e3, for pictures only", NULL},
    {"material", FIELD_TEXT, 1, offsetof(SectionText, name), "", false, 0,
     "with a shape: the name of one of the file's materials, or ...", NULL},
    {"E", FIELD_REAL, 1, offsetof(SectionText, material.E), "Pa", false, 0, "Young's modulus, with a shape", NULL},
    {"G", FIELD_REAL, 1, offsetof(SectionText, material.G), "Pa", false, 0, "shear modulus, with a shape; or nu", NULL},
    {"nu", FIELD_REAL, 1, offsetof(SectionText, material.nu), "", false, 0, "Poisson's ratio, with a shape; or G",
     NULL},
    {"density", FIELD_REAL, 1, offsetof(SectionText, material.density), "kg m-3", false, 0,
     "mass per volume, with a shape", NULL},
    {"shear", FIELD_REALS, 2, offsetof(SectionText, shear), "", false, 0,
     "shear factors along e2, e3 instead of the shape's", NULL},
    {"offset", FIELD_REALS, 2, offsetof(SectionText, offset), "m", false, 0,
     "offset of the reference line along e2, e3, from the shape's", NULL},
    {"mesh", FIELD_MAP, 1, offsetof(SectionText, mesh), "", false, 0,
     "solved on a mesh from a file, of any shape and materials: {file, unit, materials}", &mesh_more},
    {"layup", FIELD_MAP, 1, offsetof(SectionText, layup), "", false, 0,
     "solved on a mesh of plies along an outer line, with webs: {outline or airfoil, stacks, regions, webs}",
     &layup_more},
    {"solve", FIELD_ANY, 1, offsetof(SectionText, solve), "", false, 0,
     "with a shape: true solves it on a mesh, instead of using closed forms for thin walls and shear factors", NULL},
    {"cells", FIELD_INT, 1, offsetof(SectionText, cells), "", false, 0,
     "with solve: cells across the thinnest wall; default: 4, more for a solid shape", NULL},
    {"from_file", FIELD_MAP, 1, offsetof(SectionText, file), "", false, 0,
     "all stations from a file of another program; for one of several stations: the only one in the file",
     &blade_section_fields},
#define SHAPE(name, structure, type, count, help) \
  {#name, type, count,       offsetof(SectionText, shape.name), (type) == FIELD_REALS ? "m" : "", false, \
   0,     help, &name##_more},
#include "sections/sections.def"
#undef SHAPE
};
static const FieldTable section_table = FIELDS(section_fields, SectionText);
static const Kind kind_section = {
    "section",
    "Stiffness and inertia of a beam per length: as numbers, from a material and a shape, or solved on a mesh.",
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
  static const char *const needed[] = {"stiffness", "mass", "inertia"}, *const more[] = {"material", "shear", "offset",
                                                                                         "solve", "cells"};
  const SectionText *t = form->out;
  for (int i = 0; i < 4 && *good; i++)
    TRY(RefuseField(r, form, map, "goes with a shape, such as rectangle", material_names[i], good));
  for (int i = 0; i < 5 && *good; i++)
    TRY(RefuseField(r, form, map, "goes with a shape, such as rectangle", more[i], good));
  if (*good)
    for (int i = 0; i < 3; i++) TRY(RequireField(r, form, at, "a section without shape", needed[i], good));
  memcpy(out->stiffness, t->stiffness, sizeof out->stiffness);
  memcpy(out->inertia, t->inertia, sizeof out->inertia);
  memcpy(out->centre, t->centre, sizeof out->centre);
  out->mass = t->mass;
  return 0;
}

// The line around a section of numbers, for pictures; anticlockwise, whichever way it is given.
static Error TakeOutline(Reader *r, const SectionText *t, const Tree *map, Outline *out, bool *good) {
  double centroid[2];
  if (!t->outline || !*good) return 0;
  if (t->points < 3 || t->points > OUTLINE_CORNERS) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "outline")->at, "an outline has 3 to %d points", OUTLINE_CORNERS));
    return 0;
  }
  *out = (Outline){.numbers = true};
  outline_add(out, t->points, (const double(*)[2])t->outline);
  if (outline_area(out, centroid) >= 0) return 0;
  for (int i = 0; i < t->points; i++)
    memcpy(out->corner[i], t->outline + 2 * (t->points - 1 - i), sizeof out->corner[i]);
  return 0;
}

// The material by its numbers in the section.
static Error MaterialOfNumbers(Reader *r, const ShapeKind *kind, const Form *form, const Tree *map, SourceLocation at,
                               LimberMaterial *out, bool *good) {
  *out = ((const SectionText *)form->out)->material;
  TRY(RequireField(r, form, at, kind->name, "E", good));
  TRY(RequireField(r, form, at, kind->name, "density", good));
  if (!form_given(form, "G")) TRY(RequireField(r, form, at, kind->name, "nu", good));
  else TRY(RefuseField(r, form, map, "follows from E and G: give G or nu", "nu", good));
  return 0;
}

// Or by its name.
static Error TakeMaterial(Reader *r, const ShapeKind *kind, const Form *form, const Tree *map, SourceLocation at,
                          LimberMaterial *out, bool *good) {
  bool known;
  if (!form_given(form, "material")) return MaterialOfNumbers(r, kind, form, map, at, out, good);
  for (int i = 0; i < 4; i++)
    TRY(RefuseField(r, form, map, "follows from the material: give one or the other", material_names[i], good));
  TRY(FindIsotropic(r, tree_find(map, "material"), out, &known));
  *good = *good && known;
  return 0;
}

// What is wrong with a section of a shape: a field of the shape, or one beside it.
static Error ReportShapeError(Reader *r, const ShapeKind *kind, const Tree *map, const Reason *wrong, bool *good) {
  *good = false;
  const Tree *shape = tree_find(map, kind->name);
  TRY(ReportError(r, locate_reason(wrong, map, locate_reason(wrong, shape, shape->at)), "%s", wrong->text));
  return 0;
}

// One of several stations.
static Error FromFile(Reader *r, const Tree *map, const BladeFile *file, LimberSection *out, bool *good) {
  Blade b = {0};
  TRY(ReadBladeSection(r, map, file, &b, good));
  if (*good && b.sections != 1) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "from_file")->at,
                    "the file has %d stations: make it the whole section, {from_file: {...}}", b.sections));
  }
  if (*good) *out = b.section[0];
  return 0;
}

static const double thickest_wall = 0.2; // of its shorter side: errors of 10 % and more

static Error FromShape(Reader *r, const ShapeKind *kind, size_t offset, const Form *form, const Tree *map,
                       SourceLocation at, LimberSection *out, bool *good) {
  const SectionText *t = form->out;
  LimberMaterial material;
  bool known = true;
  SectionShape shape = {0};
  TRY(TakeMaterial(r, kind, form, map, at, &material, &known));
  const char *measures = (const char *)t + offset;
  Reason wrong;
  if (known)
    wrong = section_of_shape(kind, measures, &material, t->offset, form_given(form, "shear") ? t->shear : NULL, out);
  else wrong = kind->make(measures, 0, &shape);
  *good = *good && known;
  if (wrong.text) TRY(ReportShapeError(r, kind, map, &wrong, good));
  else if (known && kind->thickness && kind->thickness(measures) > thickest_wall)
    TRY(ReportWarning(
        r, tree_find(map, kind->name)->at,
        "the walls of this %s are as thick as %.2g of its shorter side: its torsion and shear are estimates "
        "for thin walls; `solve: true` gives them exactly",
        kind->name, kind->thickness(measures)));
  return 0;
}

// ---- on a mesh ----

typedef struct {
  const ShapeKind *kind;
  const void *measures;
  int cells;
} ShapeMesh;

static const char *mesh_shape(const void *self, PlaneBuilder *b) {
  const ShapeMesh *s = self;
  return s->kind->mesh(s->measures, s->cells, b);
}

// Measures of a profile are held by its mesh, which may enclose cells.
static Error FromSolvedShape(Reader *r, const ShapeKind *kind, size_t offset, const Form *form, const Tree *map,
                             SourceLocation at, LimberSection *out, StationDetails *details, bool *good) {
  enum { MOST_CELLS = 64 };
  const SectionText *t = form->out;
  const ShapeMesh s = {kind, (const char *)t + offset, t->cells};
  MaterialList list = {0};
  LimberMaterial material;
  PlaneMaterial ply;
  SectionShape shape = {0};
  int index;
  Reason wrong = kind->fields.field[0].type == FIELD_ROWS ? no_reason() : kind->make(s.measures, 0, &shape);
  if (wrong.text) TRY(ReportShapeError(r, kind, map, &wrong, good));
  TRY(RefuseField(r, form, map, "follows from the mesh: leave out shear factors or 'solve'", "shear", good));
  if (t->cells < 0 || t->cells > MOST_CELLS) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "cells")->at, "'cells' must be 1 to %d", MOST_CELLS));
  }
  if (!*good) return 0;
  if (form_given(form, "material")) {
    for (int i = 0; i < 4; i++)
      TRY(RefuseField(r, form, map, "follows from the material: give one or the other", material_names[i], good));
    if (*good) TRY(AddMaterial(r, tree_find(map, "material"), 0, &list, &index, good));
  } else {
    static const char *name = "its own";
    TRY(MaterialOfNumbers(r, kind, form, map, at, &material, good));
    Orthotropic o = *good ? ply_of_isotropic(&material) : (Orthotropic){.E = {0}};
    wrong = *good ? material_error(&material) : no_reason();
    if (!wrong.text && *good && !plane_ply(&o, 0, &ply))
      wrong = reason(REASON_VALUE, "nu", "nu of a section on a mesh lies between -1 and 0.5");
    if (wrong.text) TRY(ReportShapeError(r, kind, map, &wrong, good));
    list = (MaterialList){1, &ply, &name};
  }
  if (!*good) return 0;
  kind->outline(s.measures, &details->outline);
  outline_move(&details->outline, t->offset[0], t->offset[1]);
  return MakeAndSolveSection(r, tree_find(map, kind->name)->at, mesh_shape, NULL, &s, &list, t->offset, out, details,
                             good);
}

static Error FromMeshOrLayup(Reader *r, const Form *form, const Tree *map, LimberSection *out, StationDetails *details,
                             bool *good) {
  static const char *const without[] = {"material", "E", "G", "nu", "density", "shear", "solve", "cells"};
  const SectionText *t = form->out;
  bool mesh = form_given(form, "mesh");
  for (int i = 0; i < 8; i++)
    TRY(RefuseField(r, form, map, "goes with a shape, such as rectangle: mesh and layup name their materials",
                    without[i], good));
  if (!*good) return 0;
  if (mesh) return ReadSectionMesh(r, tree_find(map, "mesh"), &t->mesh, t->offset, out, details, good);
  return ReadSectionLayup(r, tree_find(map, "layup"), &t->layup, t->offset, out, details, good);
}

// ---- which of them ----

typedef struct {
  const ShapeKind *shape;
  size_t offset; // of its measures
  bool solve, plane;
} SectionForm;

static Error ReadSolve(Reader *r, const Tree *word, bool *solve, bool *good) {
  static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};
  char name[200];
  for (int i = 0; word && i < 3 && word->kind == TREE_WORD; i++) {
    if (!strcmp(word->text, yes[i])) return *solve = true, 0;
    if (!strcmp(word->text, no[i])) return 0;
  }
  if (!word) return 0;
  *good = false;
  TRY(ReportError(r, word->at, "'solve' must be true or false, not %s", tree_name(word, name, sizeof name)));
  return 0;
}

static Error ChooseForm(Reader *r, const Form *form, const Tree *map, SectionForm *out, bool *good) {
  static const char *const follow[] = {"stiffness", "mass", "centre", "inertia", "outline"}, *const plane[] = {"mesh",
                                                                                                               "layup"};
  const char *first = NULL;
  for (int i = 0; i < 2 || shape_kinds[i - 2]; i++) {
    const char *name = i < 2 ? plane[i] : shape_kinds[i - 2]->name;
    if (!form_given(form, name)) continue;
    if (first) {
      *good = false;
      TRY(ReportError(r, tree_find(map, name)->at, "a section has one shape: '%s' or '%s'", first, name));
    }
    first = name;
    if (i < 2) out->plane = true;
    else out->shape = shape_kinds[i - 2], out->offset = field_find(&section_table, name)->offset;
  }
  for (int i = 0; first && i < 5; i++)
    TRY(RefuseField(r, form, map,
                    out->plane ? "follows from the mesh: give one or the other"
                               : "follows from material and shape: give one or the other",
                    follow[i], good));
  TRY(ReadSolve(r, ((const SectionText *)form->out)->solve, &out->solve, good));
  if (first && !out->plane && !out->solve) TRY(RefuseField(r, form, map, "goes with `solve: true`", "cells", good));
  return 0;
}

static Error ReadStation(Reader *r, const Tree *map, SourceLocation at, bool is_list, LimberSection *out,
                         StationDetails *details, bool *good) {
  SectionText text;
  Form form = {&section_table, &text, 0, 0, 0};
  SectionForm f = {0};
  memset(out, 0, sizeof *out);
  TRY(FormsRead(r, "section", at, map, 1, &form, good));
  if (is_list) TRY(RequireField(r, &form, at, "one of several stations", "at", good));
  else TRY(RefuseField(r, &form, map, "is for one of several stations", "at", good));
  bool readable = *good;
  if (readable) TRY(ChooseForm(r, &form, map, &f, good));
  if (!readable || (!*good && !f.shape)) return 0;
  if (form_given(&form, "from_file")) TRY(FromFile(r, map, &text.file, out, good));
  else if (f.plane) {
    if (*good) TRY(FromMeshOrLayup(r, &form, map, out, details, good));
  } else if (f.shape && f.solve) TRY(FromSolvedShape(r, f.shape, f.offset, &form, map, at, out, details, good));
  else if (f.shape) TRY(FromShape(r, f.shape, f.offset, &form, map, at, out, good));
  else TRY(FromNumbers(r, &form, map, at, out, good));
  if (!f.plane && !f.shape) TRY(TakeOutline(r, &text, map, &details->outline, good));
  out->at = text.at;
  if (!f.shape || f.solve || !*good) return 0;
  f.shape->outline((const char *)&text + f.offset, &details->outline);
  outline_move(&details->outline, text.offset[0], text.offset[1]);
  return 0;
}

// ---- the part of the file ----

// All stations of a file.
static Error AddFromFile(Reader *r, const Tree *key, const char *name, const Tree *map, int *id) {
  SectionText text;
  Form form = {&section_table, &text, 0, 0, 0};
  Blade b = {0};
  bool good;
  TRY(FormsRead(r, "section", key->at, map, 1, &form, &good));
  TRY(RefuseField(r, &form, map, "is for one of several stations", "at", &good));
  if (good) TRY(ReadBladeSection(r, map, &text.file, &b, &good));
  if (!good) return 0;
  int before = r->model->reasons.count;
  LimberSectionId section;
  TRY(LimberModelAddSection(r->model, name, b.sections, b.section, &section));
  *id = r->model->reasons.count > before ? BROKEN : section.index;
  if (*id != BROKEN) TRY(AddBladeOutlines(r, *id, &b));
  TRY(TakeModelDiagnostics(r, before, NULL, key->at));
  return 0;
}

static Error ReadSection(Reader *r, const Tree *key, const char *name, const Tree *entry, int *id) {
  bool is_list = entry->kind == TREE_LIST, good = true;
  int count = is_list ? entry->count : 1;
  LimberSection *station;
  StationDetails *details;
  *id = BROKEN;
  if (entry->kind == TREE_MAP && tree_find(entry, "from_file")) return AddFromFile(r, key, name, entry, id);
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *station, &station));
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *details, &details));
  for (int i = 0; i < count; i++) {
    bool right;
    TRY(ReadStation(r, is_list ? entry->entry[i] : entry, is_list ? entry->entry[i]->at : key->at, is_list, &station[i],
                    &details[i], &right));
    good = good && right;
  }
  if (!good) return 0;
  int before = r->model->reasons.count;
  LimberSectionId section;
  TRY(LimberModelAddSection(r->model, name, count, station, &section));
  *id = r->model->reasons.count > before ? BROKEN : section.index;
  for (int i = 0; i < count && *id != BROKEN; i++) {
    if (details[i].outline.lines) TRY(ModelOutline(r->model, *id, i, &details[i].outline));
    if (details[i].solution) TRY(ModelSolution(r->model, *id, i, details[i].solution));
    if (details[i].marks.count) TRY(ModelMarks(r->model, *id, i, &details[i].marks));
  }
  TRY(TakeModelDiagnostics(r, before, entry, key->at));
  return 0;
}

static Error ReadSections(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'sections' must be a map of name to section, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  for (int i = 0; i < map->count; i++) {
    const char *full;
    int id;
    bool good;
    TRY(CheckPartName(r, &part_sections, map->key[i]->text, map->key[i]->at, &good));
    TRY(ScopeName(r, map->key[i]->text, &full));
    TRY(ReadSection(r, map->key[i], full, map->entry[i], &id));
    if (good) TRY(NamesAdd(part_names(r, &part_sections), full, id, map->key[i]->at));
  }
  return 0;
}

ONE_KIND(section_kind_of, kind_section)

const Part part_sections = {.key = "sections",
                            .one = "section",
                            .form = PART_NAMED,
                            .kind = section_kind_of,
                            .list_allowed = true,
                            .scoped = true,
                            .read = ReadSections};
