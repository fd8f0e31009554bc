// SPDX-License-Identifier: Apache-2.0
#include "post/plot/canvas.h"

#include <string.h>

const CanvasKind *canvas_kind(const char *path) {
  static const CanvasKind *const kinds[] = {&canvas_png, &canvas_svg, &canvas_pdf};
  size_t n = strlen(path);
  for (int i = 0; i < 3; i++) {
    size_t m = strlen(kinds[i]->ending);
    if (n > m && !strcmp(path + n - m, kinds[i]->ending)) return kinds[i];
  }
  return NULL;
}

int dash_lengths(int dash, double length[4]) {
  static const double lengths[][4] = {{4, 2.5}, {1, 2}, {4, 2, 1, 2}, {8, 3}};
  if (dash <= 0) return 0;
  dash = (dash - 1) % 4;
  memcpy(length, lengths[dash], sizeof lengths[dash]);
  return lengths[dash][2] > 0 ? 4 : 2;
}
