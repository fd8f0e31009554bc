// SPDX-License-Identifier: Apache-2.0
// Materials, for sections and for solids.
#include "input/yaml/material.h"

#include "input/yaml/form.h"
#include "input/yaml/meshes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "mechanics/shape.h"

#include <string.h>

typedef struct {
  bool is_ply; // there is no isotropic one
  LimberMaterial isotropic;
  Orthotropic ply;
} MaterialOfFile;

typedef struct { // while a file is read
  MaterialOfFile *material;
  int count, room;
} Materials;

static const char *law_word(int i) { return material_laws[i]; }
static const FieldMore law_words = {NULL, law_word};

typedef struct {
  double Xt, Xc, Yt, Yc, Zt, Zc, S, S13, S23;
} StrengthText;

typedef struct {
  double E[3], nu[3], G[3], density;
  LimberMaterialLaw law;
  StrengthText strength;
} MaterialText;

#define STRENGTH(name, required, help) \
  { #name, FIELD_REAL, 1, offsetof(StrengthText, name), "Pa", required, 0, help, NULL }
static const Field strength_fields[] = {
    STRENGTH(Xt, true, "along the fibres, in tension"),
    STRENGTH(Xc, true, "along the fibres, in compression; positive, like all strengths"),
    STRENGTH(Yt, true, "across them in the plane of the ply, in tension"),
    STRENGTH(Yc, true, "across them in the plane of the ply, in compression"),
    STRENGTH(S, true, "in shear 12, in the plane of the ply"),
    STRENGTH(Zt, false, "across the ply, in tension; default: Yt"),
    STRENGTH(Zc, false, "across the ply, in compression; default: Yc"),
    STRENGTH(S13, false, "in shear 13; default: S"),
    STRENGTH(S23, false, "in shear 23; default: S"),
};
static const FieldTable strength_table = FIELDS(strength_fields, StrengthText);
static const FieldMore strength_more = {&strength_table, NULL};

static const Field material_fields[] = {
    {"E", FIELD_ONE_OR_REALS, 3, offsetof(MaterialText, E), "Pa", true, 0,
     "Young's modulus; of a ply [E1, E2, E3]: along its fibres, across them, across the ply", NULL},
    {"nu", FIELD_ONE_OR_REALS, 3, offsetof(MaterialText, nu), "", false, 0,
     "Poisson's ratio; or G; of a ply [nu12, nu13, nu23]", NULL},
    {"G", FIELD_ONE_OR_REALS, 3, offsetof(MaterialText, G), "Pa", false, 0,
     "shear modulus; or nu; of a ply [G12, G13, G23]", NULL},
    {"density", FIELD_REAL, 1, offsetof(MaterialText, density), "kg m-3", true, 0, "mass per volume", NULL},
    {"law", FIELD_WORD, 1, offsetof(MaterialText, law), "", false, 0,
     "of solids and membranes: linear in Green's strain, or neo_hookean, for large strain; default: linear",
     &law_words},
    {"strength", FIELD_MAP, 1, offsetof(MaterialText, strength), "", false, 0,
     "for Tsai-Wu's index of sections with a mesh: {Xt, Xc, Yt, Yc, S}", &strength_more},
};
static const FieldTable material_table = FIELDS(material_fields, MaterialText);
static const Kind kind_material = {
    "material", "Material of a section or solid: isotropic, or a fibre ply for meshes of sections.", &material_table};

static bool is_list(const Tree *map, const char *key) {
  const Tree *t = tree_find(map, key);
  return t && t->kind == TREE_LIST;
}

static Error ReadStrength(Reader *r, const Tree *map, const StrengthText *t, Strength *out, bool *good) {
  const double value[] = {t->Xt, t->Xc, t->Yt, t->Yc, t->Zt, t->Zc, t->S, t->S13, t->S23};
  for (int i = 0; i < map->count; i++) {
    const Field *f = field_find(&strength_table, map->key[i]->text);
    if (value[f->offset / sizeof(double)] > 0) continue;
    *good = false;
    TRY(ReportError(r, map->entry[i]->at, "'%s' must be positive: strengths in compression are also given without sign",
                    f->name));
  }
  *out = (Strength){{t->Xt, t->Yt, t->Zt > 0 ? t->Zt : t->Yt},
                    {t->Xc, t->Yc, t->Zc > 0 ? t->Zc : t->Yc},
                    {t->S, t->S13 > 0 ? t->S13 : t->S, t->S23 > 0 ? t->S23 : t->S}};
  return 0;
}

// A ply: nine numbers, of which one may stand for three.
static Error ReadPly(Reader *r, const Tree *key, const Tree *map, const Form *form, MaterialOfFile *out, bool *good) {
  static const char *const needed[] = {"nu", "G"};
  const MaterialText *t = form->out;
  PlaneMaterial turned;
  out->is_ply = true;
  for (int i = 0; i < 2; i++)
    if (!form_given(form, needed[i])) {
      *good = false;
      TRY(ReportError(r, key->at, "a ply needs '%s' (%s)", needed[i], field_find(&material_table, needed[i])->help));
    }
  if (*good && form_given(form, "law")) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "law")->at,
                    "'law' is for solids and membranes, which need an isotropic material"));
  }
  if (*good && !(t->density >= 0)) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "density")->at, "density must not be negative"));
  }
  memcpy(out->ply.E, t->E, sizeof t->E);
  memcpy(out->ply.G, t->G, sizeof t->G);
  memcpy(out->ply.nu, t->nu, sizeof t->nu);
  out->ply.density = t->density;
  if (*good && !plane_ply(&out->ply, 0, &turned)) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "E")->at,
                    "these constants are impossible: E and G must be positive, and nu12 < sqrt(E1/E2) and so on; the "
                    "order is nu12, nu13, nu23 and G12, G13, G23"));
  }
  return 0;
}

Orthotropic ply_of_isotropic(const LimberMaterial *m) {
  double G = m->G > 0 ? m->G : m->E / (2 * (1 + m->nu)), nu = m->E / (2 * G) - 1;
  return (Orthotropic){.E = {m->E, m->E, m->E}, .G = {G, G, G}, .nu = {nu, nu, nu}, .density = m->density};
}

static Error ReadIsotropic(Reader *r, const Tree *key, const Tree *map, const Form *form, MaterialOfFile *out,
                           bool *good) {
  const MaterialText *t = form->out;
  bool nu = form_given(form, "nu"), G = form_given(form, "G");
  out->isotropic = (LimberMaterial){t->E[0], t->nu[0], t->G[0], t->density, t->law};
  if (*good && nu == G) {
    *good = false;
    TRY(ReportError(r, key->at,
                    nu ? "give a material 'G' or 'nu': one follows from the other and E"
                       : "material needs 'nu' (Poisson's ratio) or 'G' (shear modulus)"));
  }
  Reason wrong = *good ? material_error(&out->isotropic) : no_reason();
  if (wrong.text) {
    *good = false;
    TRY(ReportError(r, locate_reason(&wrong, map, key->at), "%s", wrong.text));
  }
  if (*good) out->ply = ply_of_isotropic(&out->isotropic);
  return 0;
}

static Error ReadMaterials(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind != TREE_MAP) {
    TRY(ReportError(r, map->at, "'materials' must be a map of name to material, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  Materials *all = part_data(r, &part_materials);
  int first = all->count;
  TRY(StoreGrow(&r->store, sizeof *all->material, first, first + map->count, &all->room, &all->material));
  all->count += map->count;
  for (int i = 0; i < map->count; i++) {
    const Tree *key = map->key[i];
    MaterialOfFile *material = &all->material[first + i];
    const char *full;
    MaterialText text;
    Form form = {&material_table, &text, 0, 0, 0};
    const Tree *entry = map->entry[i];
    bool fresh, good;
    TRY(CheckPartName(r, &part_materials, key->text, key->at, &fresh));
    TRY(FormsRead(r, "material", key->at, entry, 1, &form, &good));
    bool is_ply = good && (is_list(entry, "E") || is_list(entry, "nu") || is_list(entry, "G"));
    TRY((is_ply ? ReadPly : ReadIsotropic)(r, key, entry, &form, material, &good));
    if (good && form_given(&form, "strength"))
      TRY(ReadStrength(r, tree_find(entry, "strength"), &text.strength, &material->ply.strength, &good));
    TRY(ScopeName(r, key->text, &full));
    if (fresh) TRY(NamesAdd(part_names(r, &part_materials), full, good ? first + i : BROKEN, key->at));
  }
  return 0;
}

ONE_KIND(material_kind_of, kind_material)

const Part part_materials = {.key = "materials",
                             .one = "material",
                             .form = PART_NAMED,
                             .kind = material_kind_of,
                             .scoped = true,
                             .size = sizeof(Materials),
                             .read = ReadMaterials};

// ---- materials by their names ----

static const MaterialOfFile *material_of(const Reader *r, int id) {
  const Materials *all = part_data(r, &part_materials);
  return &all->material[id];
}

// MESH.MATERIAL, with lengths in the unit of the mesh, forces in N and times in s.
static Error TakeMaterialOfMesh(Reader *r, const Tree *word, const Mesh *mesh, const char *name, LimberMaterial *out,
                                bool *good) {
  const MeshMaterial *m = mesh_material(mesh, name);
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; i < mesh->materials; i++) nearest_try(&n, mesh->material[i].name);
  *good = false;
  if (!m)
    return ReportError(r, word->at, "mesh '%s' has no material '%s'%s", mesh->name, name,
                       *n.all ? nearest_hint(&n, "it has") : "; it has none");
  if (m->more)
    return ReportError(r, word->at,
                       "material '%s' of mesh '%s' has %s, which is not supported: write it in `materials`", name,
                       mesh->name, m->more);
  double u = mesh->unit;
  *out = (LimberMaterial){.E = m->E / (u * u), .nu = m->nu, .density = m->density / (u * u * u * u)};
  Reason wrong = material_error(out);
  *good = !wrong.text;
  if (wrong.text) TRY(ReportError(r, word->at, "material '%s' of mesh '%s': %s", name, mesh->name, wrong.text));
  return 0;
}

Error FindIsotropic(Reader *r, const Tree *word, LimberMaterial *out, bool *good) {
  int id;
  const char *rest;
  const Name *mesh = word->kind == TREE_WORD && !scope_find(r, part_names(r, &part_materials), word->text)
                         ? mesh_named(r, word->text, &rest)
                         : NULL;
  if (mesh && rest) {
    *good = mesh->id != BROKEN;
    return *good ? TakeMaterialOfMesh(r, word, mesh_of_file(r, mesh->id), rest, out, good) : 0;
  }
  TRY(FindPartName(r, &part_materials, word, &id));
  *good = id != BROKEN && !material_of(r, id)->is_ply;
  if (*good) *out = material_of(r, id)->isotropic;
  else if (id != BROKEN)
    TRY(ReportError(r, word->at,
                    "material '%s' is a ply of fibres, which only sections with `mesh`, `layup` or `solve` support: "
                    "give one number for E, and nu or G",
                    word->text));
  return 0;
}

Error FindPly(Reader *r, const Tree *word, Orthotropic *out, bool *good) {
  int id;
  PlaneMaterial turned;
  TRY(FindPartName(r, &part_materials, word, &id));
  *good = id != BROKEN;
  if (!*good) return 0;
  *out = material_of(r, id)->ply;
  if (!material_of(r, id)->is_ply && material_is_neo_hookean(&material_of(r, id)->isotropic)) {
    *good = false;
    TRY(ReportError(r, word->at, "material '%s' has the law neo_hookean: sections are linear", word->text));
  } else if (!plane_ply(out, 0, &turned)) {
    *good = false;
    TRY(ReportError(r, word->at,
                    "the mesh of a section needs a Poisson's ratio between -1 and 0.5, and material '%s' has %g",
                    word->text, out->nu[0]));
  }
  return 0;
}
