// SPDX-License-Identifier: Apache-2.0
// The part `motion`: the velocities of all nodes at the start. Those of single nodes go on top of it.
#include "base/vec3.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"

typedef struct {
  double velocity[3], angular[3], at[3];
} MotionText;

static const Field motion_fields[] = {
    {"velocity", FIELD_REALS, 3, offsetof(MotionText, velocity), "m s-1", false, 0, "of the point `at`", NULL},
    {"angular", FIELD_REALS, 3, offsetof(MotionText, angular), "rad s-1", false, 0, "angular velocity", NULL},
    {"at", FIELD_REALS, 3, offsetof(MotionText, at), "m", false, 0, "a point; default: the ground's origin", NULL},
};
static const FieldTable motion_table = FIELDS(motion_fields, MotionText);
static const Kind kind_motion = {"motion", "Sets all nodes in motion as one rigid body at the start.", &motion_table};

// `map` may be NULL: then only the nodes' own velocities are set.
static Error ReadMotion(Reader *r, const Tree *map, SourceLocation at) {
  MotionText text;
  Form form = {&motion_table, &text, 0, 0, 0};
  bool good;
  if (map) {
    double v[3];
    TRY(FormsRead(r, "motion", at, map, 1, &form, &good));
    vec3_to(vec3_sub(vec3_of(text.velocity), vec3_cross(vec3_of(text.angular), vec3_of(text.at))), v);
    if (good) TRY(LimberModelSetRigidVelocity(r->model, v, text.angular));
  }
  for (int i = 0; i < r->movings; i++) {
    Vec3 v, w;
    double velocity[3];
    model_velocity(r->model, r->moving[i], &v, &w);
    vec3_to(r->moves[i] & 1 ? vec3_of(r->initial[i][0]) : v, velocity);
    TRY(LimberModelSetVelocity(r->model, r->moving[i], velocity, r->moves[i] & 2 ? r->initial[i][1] : NULL));
  }
  return 0;
}

ONE_KIND(motion_kind_of, kind_motion)

const Part part_motion = {
    .key = "motion", .one = "motion", .form = PART_ONE, .kind = motion_kind_of, .always = true, .read = ReadMotion};
