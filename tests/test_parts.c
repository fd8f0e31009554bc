// SPDX-License-Identifier: Apache-2.0
// Parts that are used again: a field in ground axes is marked, so that the pose of an instance turns it.
#include "check.h"

#include "base/field.h"
#include "input/yaml/part.h"
#include "input/yaml/parts.h"

#include <string.h>

static bool is_marked(const Field *f) {
  return f->more == &field_position || f->more == &field_point || f->more == &field_direction ||
         f->more == &field_load_direction;
}

static bool is_vector(const Field *f) {
  return (f->type == FIELD_REALS || f->type == FIELD_OPTIONAL_REALS) && (f->count == 3 || f->count == 9);
}

// Those in other axes, lengths of boxes and the like.
static bool is_free(const char *kind, const char *field) {
  static const char *const list[][2] = {{"rigid_body", "centre"},
                                        {"mass", "centre"},
                                        {"follower_force", "direction"},
                                        {"follower_moment", "direction"},
                                        {"simplex_body", "box"},
                                        {"beam", "curvature"},
                                        {"node", "axes"},
                                        {"instance", "axes"},
                                        {"visual", "box"},
                                        {"visual", "at"},
                                        {"visual", "axes"},
                                        {"box", "size"},
                                        {"coupler", "factors"}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    if (!strcmp(list[i][0], kind) && !strcmp(list[i][1], field)) return true;
  return false;
}

TEST(every_vector_of_a_part_is_posed_or_known_to_be_in_other_axes) {
  int posed = 0;
  for (int i = 0; parts[i]; i++) {
    Kind kind;
    for (int k = 0; parts[i]->scoped && parts[i]->kind(k, &kind); k++)
      for (int n = 0; n < kind.fields->count; n++) {
        const Field *f = &kind.fields->field[n];
        if (!is_vector(f)) continue;
        CHECK_NOTE("%s of %s: %s", f->name, kind.name, f->help);
        CHECK(is_marked(f) != is_free(kind.name, f->name));
        posed += is_marked(f);
      }
  }
  CHECK(posed > 40);
}

CHECK_MAIN
