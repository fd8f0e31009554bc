// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/turn.h"

#include "base/rotation.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

static const Field rotate_fields[] = {
    {"about", FIELD_REALS, 3, offsetof(RotateText, about), "", true, 0, "axis of the turn", NULL},
    {"by", FIELD_REAL, 1, offsetof(RotateText, by), "rad", true, 0, "angle", NULL},
};
static const FieldTable rotate_table = FIELDS(rotate_fields, RotateText);
const FieldMore rotate_more = {&rotate_table, NULL};

Error ReadAxes(Reader *r, const char *what, const Form *form, const Tree *entry, const RotateText *turn, double axes[9],
               bool *has, bool *good) {
  *has = form_given(form, "axes");
  if (!form_good(form, "rotate")) return 0;
  const Tree *rotate = tree_find(entry, "rotate");
  double length = vec3_norm(vec3_of(turn->about));
  if (*has) TRY(ReportError(r, rotate->at, "give %s either 'axes' or 'rotate'", what));
  else if (!(length > 0)) TRY(ReportError(r, tree_find(rotate, "about")->at, "the axis of a turn must not be zero"));
  *good = *good && !*has && length > 0;
  if (!*good) return 0;
  Mat3 m = rotation_exponential(vec3_scale(turn->by / length, vec3_of(turn->about)));
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(m, j), axes + 3 * j);
  *has = true;
  return 0;
}
