// SPDX-License-Identifier: Apache-2.0
// The part `elements`: what has mass or stiffness.
#include "model/model.h"
#include "input/yaml/blade_beam.h"
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "mechanics/element.h"

#include <math.h>
#include <string.h>

CATALOGUE_KINDS(catalogue_kind, element_kinds)

static bool element_kind(int i, Kind *out) {
  if (!catalogue_kind(i, out)) return false;
  if (!strcmp(out->name, "beam")) out->fields = blade_beam_fields(out->fields);
  return true;
}

// What acts on nodes of other elements is read after them.
static bool is_around(const Tree *entry) {
  bool around = false;
  if (entry->kind != TREE_MAP || entry->count < 1) return false;
  for (int i = 0; element_kinds[i]; i++)
    around = around || (element_kinds[i]->around && !strcmp(element_kinds[i]->name, entry->key[0]->text));
  return around;
}

// `up` of a beam that has none, chosen by the axes of the part that it is in, as curve_axes chooses it by the ground's.
static Error ChooseUp(Reader *r, SourceLocation at, const Form *form) {
  LimberBeam *b = form->out;
  bool straight = !form_given(form, "curvature") && !form_given(form, "arc") && !form_given(form, "helix") &&
                  !form_given(form, "stations");
  if (!r->scope || !r->scope->posed || form_given(form, "up") || form_given(form, "from_file")) return 0;
  if (!straight) {
    static const double zero[3];
    Vec3 z = vec3(0, 0, 1);
    if (vec3_norm(vec3_sub(scope_direction(r->scope, z), z)) > 1e-12 && !memcmp(b->up, zero, sizeof zero))
      TRY(ReportWarning(r, at, "a curved beam without 'up' in a turned instance has it by the ground's axes"));
    return 0;
  }
  bool from = b->from >= 0, to = b->to >= 0;
  Vec3 start = from ? model_node(r->model, b->from)->x[0] : vec3_of(b->start);
  Vec3 end = to ? model_node(r->model, b->to)->x[0] : vec3_of(b->end), along = vec3_sub(end, start);
  if (!(vec3_norm(along) > 0)) return 0; // told by the beam
  Vec3 e1 = vec3_unit(mat3_apply_transpose(r->scope->turn, along));
  vec3_to(scope_direction(r->scope, fabs(e1.z) < 0.9 ? vec3_cross(vec3(0, 0, 1), e1) : vec3(0, 1, 0)), b->up);
  return 0;
}

static Error CompleteElement(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  if (!strcmp(kind->name, "beam")) TRY(CompleteBladeBeam(r, name, at, fields, form, good));
  if (!strcmp(kind->name, "beam") && *good) TRY(ChooseUp(r, at, form));
  return 0;
}

// Names of joints that elements have for others, ELEMENT.NAME, stand where the element does.
static Error AddJointsOfElements(Reader *r, int first, SourceLocation at) {
  for (int i = first; i < r->model->joints.count; i++) {
    const ModelJoint *j = model_joint(r->model, i);
    char element[256];
    if (!j->named || strlen(j->name) >= sizeof element) continue;
    strcpy(element, j->name);
    char *dot = strrchr(element, '.');
    if (!dot) continue; // a long name was cut
    *dot = 0;
    const Name *of = names_find(part_names(r, &part_elements), element);
    TRY(NamesAdd(part_names(r, &part_joints), j->name, i, of ? of->at : at));
  }
  return 0;
}

static Error ReadElements(Reader *r, const Tree *list, SourceLocation at) {
  int before = r->model->joints.count;
  TRY(ReadComponents(r, &part_elements, list));
  TRY(AddJointsOfElements(r, before, at));
  return 0;
}

const Part part_elements = {.key = "elements",
                            .one = "element",
                            .form = PART_LIST,
                            .kind = element_kind,
                            .add = ModelAddElement,
                            .complete = CompleteElement,
                            .named = true,
                            .later = is_around,
                            .scoped = true,
                            .read = ReadElements};
