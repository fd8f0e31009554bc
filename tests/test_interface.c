// SPDX-License-Identifier: Apache-2.0
// The public interface: defaults, adders, sizes and the catalogue described by itself.
#include "check.h"
#include "model/model.h"
#include "mechanics/shape.h"

#include <stdlib.h>
#include <string.h>

static LimberModel new_model(void) {
  LimberModel m = NULL;
  CHECK(!LimberModelCreate(&m));
  return m;
}

static LimberSection steel(void) {
  LimberSection s;
  LimberRectangle r = limber_rectangle_default();
  r.width = 0.1, r.height = 0.02;
  const LimberMaterial material = {.E = 2.1e11, .nu = 0.3, .density = 7850};
  CHECK(!limber_rectangle_section(&r, &material, NULL, NULL, &s));
  return s;
}

// ---- defaults ----

// Of structures within structures zero is the default, or means it (the damping of friction).
static void check_parts(const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (!f->more || !f->more->fields) continue;
    for (int k = 0; k < f->more->fields->count; k++) {
      const Field *part = &f->more->fields->field[k];
      bool means_it = !strcmp(f->name, "friction") && !strcmp(part->name, "damping");
      if (!CHECK(part->value == 0 || means_it)) CHECK_NOTE("%s.%s", f->name, part->name);
    }
    check_parts(f->more->fields);
  }
}

TEST(defaults_are_those_of_the_field_tables) {
  LimberBeam beam = limber_beam_default();
  CHECK_INT(beam.elements, 4);
  CHECK_INT(beam.order, 3);
  CHECK(LIMBER_IS_NONE(beam.from));
  CHECK(LIMBER_IS_NONE(beam.section));
  CHECK(LIMBER_IS_NONE(limber_gravity_default().amplitude));
  CHECK_INT(limber_torque_default().value, 1);
  CHECK_INT(limber_smooth_step_default().to, 1);
  CHECK_INT(limber_revolute_default().nodes[0].index, 0);
  CHECK_INT(limber_tube_default().thickness, 0);
}

TEST(parts_of_structures_have_zero_as_their_default) {
  for (int i = 0; element_kinds[i]; i++) check_parts(&element_kinds[i]->fields);
  for (int i = 0; joint_kinds[i]; i++) check_parts(&joint_kinds[i]->fields);
  for (int i = 0; load_kinds[i]; i++) check_parts(&load_kinds[i]->fields);
}

// ---- adders ----

TEST(a_beam_with_defaults_is_added) {
  LimberModel m = new_model();
  LimberSection s = steel();
  LimberBeam beam = limber_beam_default();
  LimberElementId id;
  CHECK(!LimberModelAddSection(m, "steel", 1, &s, &beam.section));
  beam.end[0] = 1;
  CHECK(!LimberModelAddBeam(m, "strip", &beam, &id));
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_INT(limber_model_find_element(m, "strip").index, id.index);
  CHECK_INT(limber_model_nodes(m), 1 + 13);
  CHECK(!LimberModelDestroy(&m));
}

TEST(a_zeroed_beam_is_told_which_defaults_it_lacks) {
  LimberModel m = new_model();
  LimberSection s = steel();
  LimberBeam beam = {.to = LIMBER_NO_NODE, .end = {1}};
  CHECK(!LimberModelAddSection(m, "steel", 1, &s, &beam.section));
  CHECK(!LimberModelAddBeam(m, "strip", &beam, NULL));
  CHECK(strstr(limber_model_diagnostics(m), "beam 'strip': "));
  CHECK(strstr(limber_model_diagnostics(m), " (`elements`, `order` are 0; limber_beam_default() has 4, 3)\n"));
  CHECK(!LimberModelDestroy(&m));
}

TEST(a_zeroed_gravity_is_told_which_default_it_lacks) {
  LimberModel m = new_model();
  CHECK(!LimberModelAddGravity(m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "gravity 'g': its amplitude is not a function of the model (`amplitude` is 0; "
                                         "limber_gravity_default() has LIMBER_NO_FUNCTION)\n");
  CHECK(!LimberModelDestroy(&m));
}

TEST(a_structure_of_another_size_is_an_error) {
  LimberModel m = new_model();
  LimberMass mass = limber_mass_default();
  limber_error_print(0);
  CHECK_INT(LimberModelAddElementByKind(m, "beam", "b", &mass, sizeof mass, NULL), LIMBER_ERROR_ARGUMENT);
  CHECK(strstr(limber_error(), "beam 'b': a structure of 16 bytes is given"));
  CHECK_INT(LimberModelAddJointByKind(m, "hinge", "h", &mass, sizeof mass, NULL), LIMBER_ERROR_ARGUMENT);
  limber_error_print(1);
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK(!LimberModelDestroy(&m));
}

TEST(an_unknown_kind_is_a_diagnostic) {
  LimberModel m = new_model();
  CHECK(!LimberModelAddLoadByKind(m, "wind", "w", NULL, 0, NULL));
  CHECK_STR(limber_model_diagnostics(m), "'w': there is no load of the kind 'wind'\n");
  CHECK(!LimberModelDestroy(&m));
}

// ---- described by itself ----

TEST(sizes_of_structures_are_those_of_the_field_tables) {
  CHECK_INT(limber_sizeof("LimberOutcome"), sizeof(LimberOutcome));
  CHECK_INT(limber_sizeof("LimberBeam"), sizeof(LimberBeam));
  CHECK_INT(limber_sizeof("LimberNothing"), 0);
#define ELEMENT(name, Name) \
  extern const ElementKind element_##name; \
  CHECK_INT(limber_sizeof("Limber" #Name), element_##name.fields.size);
#include "elements/elements.def"
#undef ELEMENT
#define JOINT(name, Name) \
  extern const JointKind joint_##name; \
  CHECK_INT(limber_sizeof("Limber" #Name), joint_##name.fields.size);
#include "joints/joints.def"
#undef JOINT
#define LOAD(name, Name) \
  extern const LoadKind load_##name; \
  CHECK_INT(limber_sizeof("Limber" #Name), load_##name.fields.size);
#include "loads/loads.def"
#undef LOAD
}

TEST(every_kind_is_described) {
  const LimberPart parts[] = {LIMBER_ELEMENTS, LIMBER_JOINTS, LIMBER_LOADS, LIMBER_FUNCTIONS, LIMBER_SHAPES};
  int kinds = 0, fields = 0;
  LimberField f;
  for (int p = 0; p < 5; p++)
    for (int i = 0; limber_kind(parts[p], i); i++, kinds++) {
      const char *kind = limber_kind(parts[p], i);
      CHECK(strlen(limber_kind_help(parts[p], kind)) > 5);
      for (int k = 0; limber_kind_field(parts[p], kind, k, &f); k++, fields++) CHECK(f.name && f.help && f.unit);
    }
  CHECK_NOTE("%d kinds, %d fields", kinds, fields);
  CHECK(kinds >= 61 && fields >= 250);
  CHECK(limber_kind_field(LIMBER_ELEMENTS, "beam", 3, &f));
  CHECK_STR(f.name, "elements");
  CHECK_INT(f.type, LIMBER_INTEGER);
  CHECK_INT(f.value, 4);
  CHECK_STR(limber_kind_word(LIMBER_ELEMENTS, "spring", "side", LIMBER_SIDE_ABOVE), "tension");
  CHECK(!limber_kind_help(LIMBER_JOINTS, "beam"));
  CHECK(!limber_kind_word(LIMBER_ELEMENTS, "beam", "section", 0));
}

TEST(reasons_have_names) {
  CHECK_STR(limber_reason_name(LIMBER_CONVERGED), "converged");
  CHECK_STR(limber_reason_name(LIMBER_INVERTED_ELEMENT), "inverted_element");
  CHECK_STR(limber_reason_name(LIMBER_LARGE_ROTATION), "large_rotation");
  CHECK_STR(limber_cause_name(LIMBER_CAUSE_JOINT), "joint");
}

CHECK_MAIN
