// SPDX-License-Identifier: Apache-2.0
// Blade files of other programs: what is read of them, and what is said of wrong ones.
#include "check.h"

#include "input/blades/open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- files in memory ----

typedef struct {
  const char *name, *text;
} File;

typedef struct {
  BladeOpener opener;
  const File *file;
  Store store;
  Diagnostics diagnostics;
  TreeCount count;
  Blade blade;
  ImportMistake mistake;
  bool good;
} Read;

static Error OpenMemory(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  const Read *r = (const Read *)(void *)o;
  (void)by;
  *out = (BladeSource){.path = name, .why = "cannot read 'blade.dat': no such file"};
  for (const File *f = r->file; f->name; f++)
    if (!strcmp(f->name, name)) {
      out->text = f->text, out->length = strlen(f->text);
      TRY(DiagnosticsAddFile(o->diagnostics, name, out->text, out->length, &out->file));
    }
  return 0;
}

static Read read_files(const File *file, const BladeChoices *choices, Read *r) {
  static const BladeChoices none = {0};
  *r = (Read){.file = file};
  r->opener = (BladeOpener){OpenMemory, &r->store, &r->diagnostics, &r->count};
  if (BladeRead(&r->opener, file[0].name, choices ? choices : &none, &r->blade, &r->mistake, &r->good)) abort();
  return *r;
}

static void done(Read *r) {
  if (StoreDestroy(&r->store) || DiagnosticsDestroy(&r->diagnostics)) abort();
}

// The text is refused with that message.
static void check_refused(const File *file, const BladeChoices *choices, const char *in, int line, const char *text) {
  Read r;
  read_files(file, choices, &r);
  CHECK(!r.good);
  CHECK_STR(r.mistake.text, text);
  CHECK_STR(r.mistake.file ? r.mistake.file : "", in);
  CHECK_INT(r.mistake.line, line);
  done(&r);
}

// ---- BeamDyn ----

static const char primary[] = "--------- BEAMDYN with OpenFAST INPUT FILE -------\n"
                              "a blade of tests\n"
                              "---------------------- SIMULATION CONTROL ----------\n"
                              "True          Echo            - Echo input data (flag)\n"
                              "\"DEFAULT\"     DTBeam          - Time step size (s)\n"
                              "---------------------- GEOMETRY PARAMETER ----------\n"
                              "     1   member_total    - Total number of members (-)\n"
                              "     3   kp_total        - Total number of key points (-)\n"
                              "     1     3             - Member number\n"
                              "\t\t kp_xr \t\t kp_yr \t kp_zr \t initial_twist\n"
                              "\t\t  (m)  \t\t  (m)  \t (m)  \t (deg)\n"
                              " 0.0 0.0 0.0 10.0\n"
                              " 0.5 0.0 5.0 5.0 of the middle\n"
                              " 0.0 0.0 10.0 0.0\n"
                              "---------------------- MESH PARAMETER -------------\n"
                              "     5     order_elem     - Order\n"
                              "---------------------- BLADE PARAMETER ------------\n"
                              "\"blade.dat\"  BldFile - Name of file\n";
#define ROWS_K(a) \
  a " 1e3 0 0 0 7\n1.0002e3 2e8 0 0 0 0\n0 0 9e8 20 30 0\n0 0 20 4e9 50 0\n0 0 30 50 5e8 0\n7 0 0 0 0 6e7\n"
#define ROWS_M "100 0 0 0 0 -20\n0 100 0 0 0 5\n0 0 100 20 -5 0\n0 0 20 400 -3 0\n0 0 -5 -3 40 0\n-20 5 0 0 0 440\n"

static const char blade4[] = " ------- BEAMDYN V1.00.* INDIVIDUAL BLADE INPUT FILE -----\n"
                             "of tests\n"
                             " ---------------------- BLADE PARAMETERS ----------\n"
                             "2   station_total    - Number of blade input stations (-)\n"
                             " 1   damp_type        - Damping type\n"
                             "  ---------------------- DAMPING COEFFICIENT-------\n"
                             "   mu1  mu2  mu3  mu4  mu5  mu6\n"
                             "   (-)  (-)  (-)  (-)  (-)  (-)\n"
                             " 0.01 0.02 0.03 0.04 0.05 0.06\n"
                             " ---------------------- DISTRIBUTED PROPERTIES----\n"
                             "  0.0\n" ROWS_K("1e8") "\n" ROWS_M "\n  1.0\n" ROWS_K("3D8") "\n" ROWS_M;

static const File files4[] = {{"primary.dat", primary}, {"blade.dat", blade4}, {NULL, NULL}};

TEST(beamdyn_axis_matrices_and_damping_are_in_the_axes_of_the_root) {
  Read r;
  read_files(files4, NULL, &r);
  const Blade *b = &r.blade;
  CHECK(r.good);
  CHECK_STR(r.mistake.text, "");
  CHECK_INT(b->points, 3);
  CHECK_INT(b->sections, 2);
  if (r.good && b->points == 3 && b->sections == 2) {
    const LimberSection *s = &b->section[0];
    CHECK_NEAR(b->point[1].at[0], 0.5, 0);
    CHECK_REL(b->point[1].twist, 5 * acos(-1) / 180, 1e-15);
    // axial, shear along e2 = x, e3 = y, torsion, bending about e2, e3
    const double diagonal[6] = {9e8, 1e8, 2e8, 6e7, 4e9, 5e8};
    for (int i = 0; i < 6; i++) CHECK_NEAR(s->stiffness[i][i], diagonal[i], 0);
    CHECK_NEAR(s->stiffness[1][2], 1000.1, 1e-12); // the mean of 1000 and 1000.2
    CHECK_NEAR(s->stiffness[1][3], 7, 0);
    CHECK_NEAR(s->stiffness[0][4], 20, 0);
    CHECK_NEAR(s->stiffness[0][5], 30, 0);
    CHECK_NEAR(s->stiffness[4][5], 50, 0);
    CHECK_REL(b->asymmetry[0], 0.2 / sqrt(2e16), 1e-12);
    CHECK_NEAR(b->section[1].stiffness[1][1], 3e8, 0);
    CHECK_NEAR(s->mass, 100, 0);
    CHECK_NEAR(s->centre[0], 0.05, 1e-16);
    CHECK_NEAR(s->centre[1], 0.2, 1e-16);
    const double inertia[3] = {440, 400, 40};
    for (int i = 0; i < 3; i++) CHECK_NEAR(s->inertia[i][i], inertia[i], 0);
    CHECK_NEAR(s->inertia[1][2], -3, 0);
    const double damping[6] = {0.03, 0.01, 0.02, 0.06, 0.04, 0.05};
    for (int i = 0; i < 6; i++) CHECK_NEAR(b->damping[i], damping[i], 0);
    CHECK_INT(b->line[1], 26);
  }
  done(&r);
}

TEST(a_missing_blade_file_is_told_at_the_line_that_names_it) {
  static const File files[] = {{"primary.dat", primary}, {NULL, NULL}};
  check_refused(files, NULL, "primary.dat", 18, "cannot read 'blade.dat': no such file");
}

TEST(files_of_no_known_format_are_refused) {
  static const File files[] = {{"model.yaml", "limber: 1\n"}, {NULL, NULL}};
  char known[200], text[300];
  snprintf(text, sizeof text, "the file is of no format that is recognised; there are %s",
           blade_formats_text(known, sizeof known));
  check_refused(files, NULL, "model.yaml", 1, text);
}

CHECK_MAIN
