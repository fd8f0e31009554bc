// SPDX-License-Identifier: Apache-2.0
// A blade as a model file that a user can go on with: sections, axis, a clamped root, modes.
#include "input/blades/blade.h"

#include <math.h>

static void print_numbers(FILE *out, int count, const double *x) {
  fputc('[', out);
  for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? ", " : "", x[i] == 0 ? 0 : x[i]); // no -0
  fputc(']', out);
}

static void print_matrix(FILE *out, int size, const double *x, const char *indent) {
  for (int i = 0; i < size; i++) {
    fputs(i ? indent : "[", out);
    print_numbers(out, size, x + i * size);
    fputs(i + 1 < size ? ",\n" : "]", out);
  }
}

static void print_sections(FILE *out, const Blade *b, const char *name) {
  fprintf(out, "sections:\n  %s:  # axial, shear 2, shear 3, torsion, bending about e2, e3; e2 to the suction side\n",
          name);
  for (int i = 0; i < b->sections; i++) {
    const LimberSection *s = &b->section[i];
    fprintf(out, "    - at: %.17g\n      stiffness: ", s->at);
    print_matrix(out, 6, s->stiffness[0], "                  ");
    fprintf(out, "\n      mass: %.17g\n      centre: ", s->mass);
    print_numbers(out, 2, s->centre);
    fputs("\n      inertia: ", out);
    print_matrix(out, 3, s->inertia[0], "                ");
    fputc('\n', out);
  }
}

static void print_beam(FILE *out, const Blade *b, const char *name, const LimberStation *station) {
  fprintf(out,
          "elements:\n  - beam:\n      name: %s\n      from: root\n      section: %s\n      elements: %d\n      up: "
          "[1, 0, 0]\n",
          name, name, b->sections < 20 ? 20 : b->sections);
  fputs("      stations:  # position, m; twist, rad\n", out);
  for (int i = 0; i < b->points; i++) {
    fputs("        - {at: ", out);
    print_numbers(out, 3, station[i].at);
    fprintf(out, ", twist: %.17g}\n", station[i].twist == 0 ? 0 : station[i].twist);
  }
}

Error BladeWriteModel(const Blade *b, const char *file, const char *name, const LimberStation *station, FILE *out) {
  fprintf(out, "# From %s (%s). Axes: z towards the tip, x towards the suction side, y towards the trailing edge.\n",
          file, b->format->program);
  if (b->remark[0]) fprintf(out, "# %s\n", b->remark);
  fprintf(out, "limber: 1\ntitle: %s of %s\n\n", name, file);
  fputs("nodes:\n  root: ", out);
  print_numbers(out, 3, station[0].at);
  fputs("\n\n", out);
  print_sections(out, b, name);
  fputc('\n', out);
  print_beam(out, b, name, station);
  fputs("\njoints:\n  - weld: {name: clamp, nodes: [ground, root]}\n\nmodes: {count: 10}\n", out);
  return 0;
}
