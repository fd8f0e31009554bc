// SPDX-License-Identifier: Apache-2.0
// Materials, for sections with a shape and for solids.
#include "input/yaml/form.h"
#include "input/yaml/lookup.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/shape.h"

#include <string.h>

static const char *law_word(int i) { return material_laws[i]; }
static const FieldMore law_words = {NULL, law_word};

static const Field material_fields[] = {
    {"E", FIELD_REAL, 1, offsetof(LimberMaterial, E), "Pa", true, 0, "Young's modulus", NULL},
    {"nu", FIELD_REAL, 1, offsetof(LimberMaterial, nu), "", false, 0, "Poisson's ratio; or G", NULL},
    {"G", FIELD_REAL, 1, offsetof(LimberMaterial, G), "Pa", false, 0, "shear modulus; or nu", NULL},
    {"density", FIELD_REAL, 1, offsetof(LimberMaterial, density), "kg m-3", true, 0, "mass per volume", NULL},
    {"law", FIELD_TEXT, 1, offsetof(LimberMaterial, law), "", false, 0,
     "of solids and membranes: linear in Green's strain, or neo_hookean, for large strain; default: linear",
     &law_words},
};
static const FieldTable material_table = FIELDS(material_fields, LimberMaterial);
static const Kind kind_material = {"material", "What a section with a shape or a solid is made of; isotropic.",
                                   &material_table};

static Error ReadMaterials(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'materials' must be a map, one name to a material, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)map->count * sizeof *r->material, &r->material));
  for (int i = 0; i < map->count; i++) {
    const Tree *key = map->key[i];
    Form form = {&material_table, &r->material[i], 0, 0, 0};
    bool fresh, good, nu, G;
    TRY(CheckName(r, "material", &r->materials, key->text, key->at, &fresh));
    TRY(FormsRead(r, "material", key->at, map->entry[i], 1, &form, &good));
    nu = form_given(&form, "nu"), G = form_given(&form, "G");
    if (good && nu == G) {
      good = false;
      TRY(ReportError(r, key->at,
                      nu ? "give a material 'G' or 'nu': one follows from the other and E"
                         : "material needs 'nu' (Poisson's ratio) or 'G' (shear modulus)"));
    }
    const char *error = good ? material_error(&r->material[i]) : NULL;
    if (error) {
      char field[20];
      snprintf(field, sizeof field, "%.*s", (int)strcspn(error, " "), error);
      good = false;
      TRY(ReportError(r, tree_find(map->entry[i], field)->at, "%s", error));
    }
    if (fresh) TRY(NamesAdd(&r->materials, key->text, good ? i : BROKEN, key->at));
  }
  return 0;
}

ONE_KIND(material_kind_of, kind_material)

const Part part_materials = {
    .key = "materials", .one = "material", .form = PART_NAMED, .kind = material_kind_of, .read = ReadMaterials};
