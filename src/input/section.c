// SPDX-License-Identifier: Apache-2.0
// Sections of beams: stiffness and inertia per length, as numbers or from a material and a shape, at one station or at
// several along the span.
#include "input/kinds.h"
#include "input/reader.h"

#include <math.h>
#include <string.h>

typedef struct {
  double at, stiffness[6][6], mass, centre[2], inertia[3][3];
  double E, G, nu, density, rectangle[2];
} SectionText;

static const Field section_fields[] = {
    {"at", FIELD_REAL, 1, offsetof(SectionText, at), "", false, 0, "place along the span, 0 .. 1, of one of several",
     NULL},
    {"stiffness", FIELD_MATRIX, 6, offsetof(SectionText, stiffness), "N|N|N|N m2|N m2|N m2", false, 0,
     "axial, shear 2, shear 3, torsion, bending about e2, about e3", NULL},
    {"mass", FIELD_REAL, 1, offsetof(SectionText, mass), "kg m-1", false, 0, "per length", NULL},
    {"centre", FIELD_REALS, 2, offsetof(SectionText, centre), "m", false, 0, "mass centre along e2, e3", NULL},
    {"inertia", FIELD_MATRIX, 3, offsetof(SectionText, inertia), "kg m", false, 0,
     "moments of inertia per length about the reference line", NULL},
    {"E", FIELD_REAL, 1, offsetof(SectionText, E), "Pa", false, 0, "Young's modulus, with a shape", NULL},
    {"G", FIELD_REAL, 1, offsetof(SectionText, G), "Pa", false, 0, "shear modulus, with a shape; or nu", NULL},
    {"nu", FIELD_REAL, 1, offsetof(SectionText, nu), "", false, 0, "Poisson's ratio, with a shape; or G", NULL},
    {"density", FIELD_REAL, 1, offsetof(SectionText, density), "kg m-3", false, 0, "mass per volume, with a shape",
     NULL},
    {"rectangle", FIELD_REALS, 2, offsetof(SectionText, rectangle), "m", false, 0,
     "shape: width along e2, height along e3", NULL},
};
static const FieldTable section_table = FIELDS(section_fields, SectionText);
const Kind kind_section = {"section",
                           "Stiffness and inertia of a beam per length, as numbers or from a material and a shape.",
                           &section_table};

// ---- shapes ----

typedef struct {
  double area, i2, i3, torsion; // second moments about e2, e3; Saint-Venant's constant
  double shear2, shear3;        // shear factors
} Shape;

typedef struct {
  const char *name; // of the field with its measures
  int measures;
  size_t offset;
  const char *(*make)(const double *measure, Shape *out); // NULL, or what is wrong
} ShapeKind;

// Saint-Venant's constant of a rectangle with sides a >= b (Timoshenko & Goodier, Theory of Elasticity, section 109):
//   J = a b^3 (1/3 - 64/pi^5 b/a sum_{n odd} tanh(n pi a/(2 b))/n^5)
// with tanh x = 1 - 2/(exp(2 x) + 1), so that few terms stand beside sum_{n odd} 1/n^5 = 31/32 zeta(5).
static double rectangle_torsion(double a, double b) {
  const double pi = 3.14159265358979323846, zeta5 = 1.03692775514336992633;
  double sum = 31.0 / 32 * zeta5;
  for (int n = 1; n < 20; n += 2) sum -= 2 / (exp(n * pi * a / b) + 1) / pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / pow(pi, 5) * b / a * sum);
}

static const char *make_rectangle(const double *m, Shape *out) {
  double b = m[0], h = m[1];
  if (!(b > 0 && h > 0)) return "the sides of a rectangle must be positive";
  *out = (Shape){b * h,  b * h * h * h / 12, h * b * b * b / 12, rectangle_torsion(fmax(b, h), fmin(b, h)), 5.0 / 6,
                 5.0 / 6};
  return NULL;
}

static const ShapeKind shapes[] = {
    {"rectangle", 2, offsetof(SectionText, rectangle), make_rectangle},
};

// ---- one station ----

static Error Need(Reader *r, const Form *form, Place at, const char *why, const char *field, bool *good) {
  if (form_given(form, field)) return 0;
  *good = false;
  TRY(Wrong(r, at, "%s needs '%s' (%s)", why, field, field_find(form->fields, field)->help));
  return 0;
}

static Error Refuse(Reader *r, const Form *form, const Tree *map, const char *why, const char *field, bool *good) {
  if (!form_given(form, field)) return 0;
  *good = false;
  TRY(Wrong(r, tree_find(map, field)->at, "'%s' %s", field, why));
  return 0;
}

static Error FromNumbers(Reader *r, const Form *form, const Tree *map, Place at, LimberSection *out, bool *good) {
  static const char *const needed[] = {"stiffness", "mass", "inertia"}, *const material[] = {"E", "G", "nu", "density"};
  const SectionText *t = form->out;
  for (int i = 0; i < 4 && *good; i++)
    TRY(Refuse(r, form, map, "goes with a shape, such as rectangle", material[i], good));
  if (*good)
    for (int i = 0; i < 3; i++) TRY(Need(r, form, at, "a section without shape", needed[i], good));
  memcpy(out->stiffness, t->stiffness, sizeof out->stiffness);
  memcpy(out->inertia, t->inertia, sizeof out->inertia);
  memcpy(out->centre, t->centre, sizeof out->centre);
  out->mass = t->mass;
  return 0;
}

static Error FromShape(Reader *r, const ShapeKind *kind, const Form *form, const Tree *map, Place at,
                       LimberSection *out, bool *good) {
  static const char *const follow[] = {"stiffness", "mass", "centre", "inertia"};
  const SectionText *t = form->out;
  Shape s;
  for (int i = 0; i < 4; i++)
    TRY(Refuse(r, form, map, "follows from material and shape: give one or the other", follow[i], good));
  TRY(Need(r, form, at, kind->name, "E", good));
  TRY(Need(r, form, at, kind->name, "density", good));
  if (!form_given(form, "G")) TRY(Need(r, form, at, kind->name, "nu", good));
  else TRY(Refuse(r, form, map, "follows from E and G: give G or nu", "nu", good));
  const char *wrong = kind->make((const double *)((const char *)t + kind->offset), &s);
  if (wrong) {
    *good = false;
    TRY(Wrong(r, tree_find(map, kind->name)->at, "%s", wrong));
  }
  if (!*good) return 0;
  double G = form_given(form, "G") ? t->G : t->E / (2 * (1 + t->nu));
  double stiffness[6] = {t->E * s.area, G * s.shear2 * s.area, G * s.shear3 * s.area,
                         G * s.torsion, t->E * s.i2,           t->E * s.i3};
  double inertia[3] = {t->density * (s.i2 + s.i3), t->density * s.i2, t->density * s.i3};
  for (int i = 0; i < 6; i++) out->stiffness[i][i] = stiffness[i];
  for (int i = 0; i < 3; i++) out->inertia[i][i] = inertia[i];
  out->mass = t->density * s.area;
  return 0;
}

static Error ReadStation(Reader *r, const Tree *map, Place at, bool several, LimberSection *out, bool *good) {
  SectionText text;
  Form form = {&section_table, &text, 0, 0, 0};
  const ShapeKind *shape = NULL;
  memset(out, 0, sizeof *out);
  TRY(FormsRead(r, "section", at, map, 1, &form, good));
  if (several) TRY(Need(r, &form, at, "one of several stations", "at", good));
  else TRY(Refuse(r, &form, map, "is for one of several stations", "at", good));
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    if (form_given(&form, shapes[i].name)) shape = &shapes[i];
  if (!*good) return 0;
  if (shape) TRY(FromShape(r, shape, &form, map, at, out, good));
  else TRY(FromNumbers(r, &form, map, at, out, good));
  out->at = text.at;
  return 0;
}

// ---- the part of the file ----

static Error ReadSection(Reader *r, const Tree *key, const Tree *entry, LimberId *id) {
  bool several = entry->kind == TREE_LIST, good = true;
  int count = several ? entry->count : 1;
  LimberSection *station;
  *id = BROKEN;
  TRY(StoreKeep(&r->store, (size_t)count * sizeof *station, &station));
  for (int i = 0; i < count; i++) {
    bool right;
    TRY(ReadStation(r, several ? entry->entry[i] : entry, several ? entry->entry[i]->at : key->at, several, &station[i],
                    &right));
    good = good && right;
  }
  if (!good) return 0;
  size_t before = strlen(limber_model_notes(r->model));
  TRY(LimberModelAddSection(r->model, key->text, count, station, id));
  if (limber_model_notes(r->model)[before]) *id = BROKEN;
  TRY(TakeModelNotes(r, before, NULL, key->at));
  return 0;
}

Error ReadSections(Reader *r, const Tree *map) {
  char name[200];
  if (map->kind != TREE_MAP) {
    TRY(Wrong(r, map->at, "'sections' must be a map, one name to a section, not %s",
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
