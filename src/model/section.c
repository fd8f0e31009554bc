// SPDX-License-Identifier: Apache-2.0
#include "limber/limber.h"
#include "mechanics/shape.h"

#include <string.h>

const char *limber_section(const char *shape, const void *params, const LimberMaterial *material, const double *offset,
                           const double *shear, LimberSection *out) {
  for (int i = 0; shape_kinds[i]; i++)
    if (!strcmp(shape_kinds[i]->name, shape))
      return section_of_shape(shape_kinds[i], params, material, offset, shear, out);
  return "there is no such shape";
}
