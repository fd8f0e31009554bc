// SPDX-License-Identifier: Apache-2.0
// Blade files of other programs: what is read of them, and what is said of wrong ones.
#include "check.h"

#include "input/blades/blade.h"
#include "input/input.h"

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
  char why[200];
  snprintf(why, sizeof why, "cannot read '%s': no such file", name);
  TRY(StoreText(o->store, why, strlen(why), &out->why));
  TRY(StoreText(o->store, name, strlen(name), &out->path));
  for (const File *f = r->file; f->name; f++)
    if (!strcmp(f->name, name)) {
      out->text = f->text, out->length = strlen(f->text);
      TRY(DiagnosticsAddFile(o->diagnostics, out->path, out->text, out->length, &out->file));
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
  CHECK_INT(b->points, 41); // 20 pieces of BeamDyn's polynomial between two key points
  CHECK_INT(b->sections, 2);
  if (r.good && b->points == 41 && b->sections == 2) {
    const LimberSection *s = &b->section[0];
    CHECK_NEAR(b->point[20].at[0], 0.5, 0);
    CHECK_NEAR(b->point[10].at[0], 0.375, 1e-15);
    CHECK_REL(b->point[20].twist, 5 * acos(-1) / 180, 1e-15);
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

// The text with one piece replaced; kept until 20 more are made.
static const char *with(const char *text, const char *piece, const char *other) {
  static char room[20][4000];
  static int next;
  const char *at = strstr(text, piece);
  if (!at || strlen(text) + strlen(other) >= sizeof room[0]) {
    printf("there is no '%s', or no room\n", piece);
    abort();
  }
  char *out = room[next++ % 20], *end = out + (at - text);
  memcpy(out, text, (size_t)(at - text));
  strcpy(stpcpy(end, other), at + strlen(piece));
  return out;
}

static void check_same_section(const LimberSection *a, const LimberSection *b, double tol) {
  for (int i = 0; i < 36; i++) {
    double size = sqrt(b->stiffness[i / 6][i / 6] * b->stiffness[i % 6][i % 6]);
    CHECK_NEAR(a->stiffness[i / 6][i % 6], b->stiffness[i / 6][i % 6], tol * size);
  }
  CHECK_NEAR(a->mass, b->mass, tol * b->mass);
  for (int i = 0; i < 2; i++) CHECK_NEAR(a->centre[i], b->centre[i], tol);
  for (int i = 0; i < 9; i++) CHECK_NEAR(a->inertia[i / 3][i % 3], b->inertia[i / 3][i % 3], tol * b->inertia[0][0]);
}

// ---- BeamDyn: other versions, mistakes ----

TEST(beamdyn_version_5_with_modal_damping_has_the_same_sections) {
  const char *text = with(blade4, " ---------------------- DISTRIBUTED PROPERTIES----\n",
                          "---------------------- MODAL DAMPING [used only if damp_type=2] -----\n"
                          "     2   n_modes     - Number of modal damping coefficients (-)\n"
                          "0.1, 0.2             zeta     - Damping coefficients for mode 1 through n_modes\n"
                          "---------------------- Distributed Properties ----------\n");
  const File files[] = {{"primary.dat", primary}, {"blade.dat", text}, {NULL, NULL}};
  const File modal[] = {
      {"primary.dat", primary}, {"blade.dat", with(text, " 1   damp_type", " 2   damp_type")}, {NULL, NULL}};
  const File none[] = {
      {"primary.dat", primary}, {"blade.dat", with(blade4, " 1   damp_type", " 0   DAMP_TYPE")}, {NULL, NULL}};
  Read a, b, c, d;
  read_files(files4, NULL, &a), read_files(files, NULL, &b), read_files(modal, NULL, &c), read_files(none, NULL, &d);
  CHECK(a.good && b.good && c.good && d.good);
  if (a.good && b.good && c.good && d.good) {
    CHECK_INT(b.blade.sections, 2);
    check_same_section(&b.blade.section[1], &a.blade.section[1], 0);
    CHECK_NEAR(b.blade.damping[4], 0.04, 0);
    CHECK_NEAR(c.blade.damping[4], 0, 0);
    CHECK(strstr(c.blade.damping_remark, "damp_type 2") != NULL);
    CHECK_NEAR(d.blade.damping[4], 0, 0);
    CHECK_STR(d.blade.damping_remark, "");
  }
  done(&a), done(&b), done(&c), done(&d);
}

TEST(a_blade_file_alone_has_sections_and_no_axis) {
  static const File files[] = {{"blade.dat", blade4}, {NULL, NULL}};
  Read r;
  read_files(files, NULL, &r);
  CHECK(r.good && r.blade.sections_only);
  CHECK_INT(r.blade.sections, 2);
  done(&r);
}

static void check_primary(const char *piece, const char *other, int line, const char *text) {
  const File files[] = {{"primary.dat", with(primary, piece, other)}, {"blade.dat", blade4}, {NULL, NULL}};
  check_refused(files, NULL, "primary.dat", line, text);
}

static void check_blade(const char *piece, const char *other, int line, const char *text) {
  const File files[] = {{"primary.dat", primary}, {"blade.dat", with(blade4, piece, other)}, {NULL, NULL}};
  check_refused(files, NULL, "blade.dat", line, text);
}

TEST(mistakes_of_beamdyn_files_are_told_with_their_lines) {
  static const File files[] = {{"primary.dat", primary}, {NULL, NULL}};
  check_refused(files, NULL, "primary.dat", 18, "cannot read 'blade.dat': no such file");
  check_primary("     1   member_total", "     2   member_total", 7,
                "the axis has 2 members, which meet at kinks: give each member a file and a beam of its own");
  check_primary("     3   kp_total", "   2000   kp_total", 8,
                "kp_total is '2000'; a number of at least 2 is expected, with as many rows below");
  check_primary("     3   kp_total", "   99999999999999999999   kp_total", 8,
                "kp_total is '99999999999999999999'; a number of at least 2 is expected, with as many rows below");
  check_primary(" 0.5 0.0 5.0 5.0", " 0.5 0.0 5.0 nan", 13,
                "'nan' is not a number; the initial twist of a key point is expected");
  check_primary(" 0.5 0.0 5.0 5.0", " 0.5 1e400 5.0 5.0", 13,
                "'1e400' is not a number; a coordinate of a key point is expected");
  check_primary(" 0.5 0.0 5.0 5.0 of the middle", " 0.5 0.0 5.0", 13,
                "a key point is four numbers in a line: kp_xr kp_yr kp_zr initial_twist");
  check_primary(" 0.5 0.0 5.0", " 0.0 0.0 0.0", 13, "the point of the axis coincides with the previous one");
  check_primary("BldFile", "BlFile", 19, "the file has no line 'BldFile'");
  check_blade("2   station_total", "-2   station_total", 4,
              "station_total is '-2'; a number of at least 2 is expected, with as many rows below");
  check_blade(" 0.02 ", " abc ", 9, "'abc' is not a number; a damping coefficient mu is expected");
  check_blade("1e8 1e3", "1e8", 12, "a row of a matrix is six numbers in a line");
  check_blade("  1.0\n", "  0.0\n", 26, "the stations of sections must increase along the axis");
  check_blade("  1.0\n", "  1.5\n", 26, "the station of a section must be in 0 .. 1, a fraction of the length");
  check_blade("9e8", "9e108", 11, "a number is too large: at most 1e100");
  check_blade("DISTRIBUTED", "DISTRIBUTE", 40, "the file has no line with 'distributed properties'");
}

TEST(files_of_no_known_format_are_refused) {
  static const File files[] = {{"model.yaml", "limber: 1\n"}, {NULL, NULL}};
  const BladeChoices other = {.format = "flex"};
  check_refused(files, NULL, "model.yaml", 1,
                "the format of the file is not recognised; there are beamdyn, windio, hawc2, vabs, elastodyn");
  check_refused(files, &other, "model.yaml", 1,
                "there is no such format; there are beamdyn, windio, hawc2, vabs, elastodyn");
}

// ---- the axis ----

TEST(a_straight_axis_turns_against_the_twist_of_the_file) {
  const File files[] = {
      {"primary.dat", with(primary, " 0.5 0.0 5.0", " 0.0 0.0 5.0")}, {"blade.dat", blade4}, {NULL, NULL}};
  LimberStation station[41];
  bool good;
  Read r;
  read_files(files, NULL, &r);
  CHECK(r.good);
  if (r.good && !BladeStations(&r.blade, station, &good)) {
    CHECK(good);
    CHECK_REL(station[0].twist, -10 * acos(-1) / 180, 1e-14);
    CHECK_REL(station[20].twist, -5 * acos(-1) / 180, 1e-14);
    CHECK_NEAR(station[40].twist, 0, 1e-15);
    CHECK_NEAR(station[40].at[2], 10, 0);
  }
  done(&r);
}

TEST(an_axis_that_runs_back_is_told) {
  check_primary(" 0.0 0.0 10.0 0.0", " 0.0 0.0 1.0 0.0", 12, "the axis must run from the root along z, and never back");
}

// ---- WindIO ----

#define AXIS \
  "reference_axis: {x: {grid: [0, 0.5, 1], values: [0, 0.5, 0]}, y: {grid: [0, 1], values: [0, 0]},\n" \
  "          z: {grid: [0, 0.5, 1], values: [0, 5, 10]}}"
static const char windio2[] =
    "windIO_version: '2.0'\n"
    "name: tests\n"
    "components:\n"
    "  blade:\n"
    "    " AXIS "\n"
    "    outer_shape:\n"
    "      twist: {grid: [0, 0.5, 1], values: [10, 5, 0]}\n"
    "      chord: {grid: [0, 1], values: [3, 1]}\n"
    "    structure:\n"
    "      elastic_properties:\n"
    "        stiffness_matrix: {grid: [0, 1], K11: [1e8, 3e8], K12: [1000.1, 1000.1], K16: [7, 7], K22: [2e8, 2e8],\n"
    "          K33: [9e8, 9e8], K34: [20, 20], K35: [30, 30], K44: [4e9, 4e9], K45: [50, 50], K55: [5e8, 5e8],\n"
    "          K66: [6e7, 6e7]}\n"
    "        inertia_matrix: {grid: [0, 1], mass: [100, 100], cm_x: [0.05, 0.05], cm_y: [0.2, 0.2], i_edge: [400, "
    "400],\n"
    "          i_flap: [40, 40], i_plr: [440, 440], i_cp: [3, 3]}\n"
    "        structural_damping: {mu: [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]}\n"
    "  tower:\n"
    "    reference_axis: {z: {grid: [0, 1], values: [15, 100]}}\n"
    "    structure:\n"
    "      elastic_properties:\n"
    "        stiffness_matrix: {grid: [0, 1], K11: [1e8, 3e8], K22: [2e8, 2e8], K33: [9e8, 9e8], K44: [4e9, 4e9],\n"
    "          K55: [5e8, 5e8], K66: [6e7, 6e7]}\n"
    "        inertia_matrix: {grid: [0, 0.5, 1], mass: [100, 90, 100]}\n"
    "  drivetrain:\n"
    "    shaft:\n"
    "      reference_axis: {z: {grid: [0, 1], values: [0, 3]}}\n"
    "      elastic_properties:\n"
    "        stiffness_matrix: {grid: [0, 1], K11: [1e8, 3e8], K22: [2e8, 2e8], K33: [9e8, 9e8], K44: [4e9, 4e9],\n"
    "          K55: [5e8, 5e8], K66: [6e7, 6e7]}\n"
    "        inertia_matrix: {grid: [0, 1], mass: [100, 90]}\n";

#define V1_K(a) "[" a ", 1000.1, 0, 0, 0, 7, 2e8, 0, 0, 0, 0, 9e8, 20, 30, 0, 4e9, 50, 0, 5e8, 0, 6e7]"
#define V1_M    "[100, 0, 0, 0, 0, -20, 100, 0, 0, 0, 5, 100, 20, -5, 0, 400, -3, 0, 40, 0, 440]"
static const char windio1[] = "name: tests\n"
                              "components:\n"
                              "  blade:\n"
                              "    elastic_properties_mb:\n"
                              "      six_x_six:\n"
                              "        " AXIS "\n"
                              "        twist: {grid: [0, 1], values: [0.17453292519943295, 0]}\n"
                              "        stiff_matrix: {grid: [0, 1], values: [" V1_K("1e8") ", " V1_K(
                                  "3e8") "]}\n"
                                         "        inertia_matrix: {grid: [0, 1], values: [" V1_M ", " V1_M "]}\n";

static const File windio_files[] = {{"turbine.yaml", windio2}, {NULL, NULL}};

TEST(both_versions_of_windio_have_the_blade_of_beamdyn) {
  static const File first[] = {{"turbine.yaml", windio1}, {NULL, NULL}};
  Read b, one, two;
  read_files(files4, NULL, &b), read_files(first, NULL, &one), read_files(windio_files, NULL, &two);
  CHECK_STR(one.mistake.text, "");
  CHECK_STR(two.mistake.text, "");
  const Read *both[] = {&one, &two};
  for (int k = 0; k < 2 && b.good; k++) {
    CHECK(both[k]->good);
    if (!both[k]->good) continue;
    const Blade *w = &both[k]->blade;
    CHECK_INT(w->points, 3);
    CHECK_INT(w->sections, 2);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(w->point[i].twist, b.blade.point[20 * i].twist, 1e-15);
      for (int j = 0; j < 3; j++) CHECK_NEAR(w->point[i].at[j], b.blade.point[20 * i].at[j], 0);
    }
    for (int i = 0; i < 2; i++) check_same_section(&w->section[i], &b.blade.section[i], 1e-15);
  }
  if (two.good) {
    CHECK(two.blade.chord && two.blade.chord[1] == 1);
    for (int i = 0; i < 6; i++) CHECK_NEAR(two.blade.damping[i], b.blade.damping[i], 0);
  }
  done(&b), done(&one), done(&two);
}

TEST(towers_and_shafts_of_windio_are_parts) {
  const BladeChoices tower = {.part = "tower"}, shaft = {.part = "drivetrain.shaft"}, hub = {.part = "hub"};
  Read t, s;
  read_files(windio_files, &tower, &t), read_files(windio_files, &shaft, &s);
  CHECK(t.good && s.good);
  if (t.good && s.good) {
    CHECK_INT(t.blade.points, 2);
    CHECK_NEAR(t.blade.point[0].at[2], 15, 0);
    CHECK_INT(t.blade.sections, 3); // the grids of stiffness and inertia together
    CHECK_NEAR(t.blade.section[1].stiffness[1][1], 2e8, 0);
    CHECK_NEAR(t.blade.section[1].mass, 90, 0);
    CHECK_NEAR(s.blade.point[1].at[2], 3, 0);
    CHECK_NEAR(s.blade.section[1].mass, 90, 0);
  }
  done(&t), done(&s);
  check_refused(windio_files, &hub, "turbine.yaml", 1, "there is no component 'hub'");
}

// ---- shapes for pictures ----

// The extent of the outer line along y (k = 0) or z (k = 1).
static void check_extent(const Outline *o, int k, double low, double high) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < o->end[0]; i++) least = fmin(least, o->corner[i][k]), most = fmax(most, o->corner[i][k]);
  CHECK_NEAR(least, low, 1e-9);
  CHECK_NEAR(most, high, 1e-9);
}

static const char shapes[] =
    "      airfoils: [{name: round, spanwise_position: 0}, {name: wedge, spanwise_position: 0.5},\n"
    "                 {name: thin, spanwise_position: 1}]\n"
    "      section_offset_y: {grid: [0, 1], values: [1.5, 0.25]}\n"
    "      section_offset_x: {grid: [0, 1], values: [0, 0.125]}\n"
    "    structure:\n";
static const char airfoils[] = "airfoils:\n"
                               "- {name: round, relative_thickness: 1}\n"
                               "- {name: thin, relative_thickness: 0.1}\n"
                               "- name: wedge\n"
                               "  coordinates: {x: [1, 0, 1], y: [0.2, 0, -0.2]}\n";

static const char *with_shapes(const char *piece, const char *other) {
  static char text[20000];
  snprintf(text, sizeof text, "%s%s", with(windio2, "    structure:\n", shapes), airfoils);
  return *piece ? with(text, piece, other) : text;
}

TEST(a_blade_of_windio_has_chord_airfoil_and_offset_for_pictures) {
  const File files[] = {{"turbine.yaml", with_shapes("", "")}, {NULL, NULL}};
  Read r;
  Outline o;
  read_files(files, NULL, &r);
  CHECK(r.good && r.blade.shape);
  if (r.good && r.blade.shape) {
    blade_outline(&r.blade, 0, &o); // a circle with the chord as its diameter, the axis in its middle
    CHECK_INT(o.lines, 1);
    CHECK(o.numbers);
    check_extent(&o, 0, -1.5, 1.5);
    check_extent(&o, 1, -1.5, 1.5);
    double centroid[2], area = outline_area(&o, centroid);
    CHECK(area > 0.98 * acos(-1) * 2.25 && area < acos(-1) * 2.25); // anticlockwise
    blade_outline(&r.blade, 1, &o);                                 // chord 1, the leading edge 0.25 before the axis
    check_extent(&o, 1, -0.25, 0.75);
    area = outline_area(&o, centroid);
    CHECK(area > 0.06 && area < 0.07); // 0.685 t of the airfoils with four digits
    CHECK_NEAR(centroid[0], 0.125, 1e-3);
  }
  done(&r);
}

TEST(airfoils_are_what_their_points_say) {
  Airfoil a, b;
  static const double x[] = {1, 0.5, 0, 0.5, 1}, y[] = {0, 0.1, 0, -0.02, 0}, back[] = {0, -0.02, 0, 0.1, 0};
  CHECK(airfoil_of_points(5, x, y, &a) && airfoil_of_points(5, x, back, &b)); // either side first
  for (int i = 0; i < AIRFOIL_CORNERS; i++) CHECK_NEAR(a.height[i], b.height[i], 1e-15);
  CHECK_NEAR(a.height[AIRFOIL_CORNERS / 4], -0.02, 1e-12); // x = 1/2
  CHECK_NEAR(a.height[3 * AIRFOIL_CORNERS / 4], 0.1, 1e-12);
  CHECK_NEAR(a.height[AIRFOIL_CORNERS / 2], 0, 1e-15);
  CHECK(!airfoil_of_points(2, x, y, &a));                                                  // one side
  CHECK(!airfoil_of_points(3, (const double[]){0, 0, 0}, y, &a));                          // no chord
  CHECK(!airfoil_of_points(3, (const double[]){1, 0, 1}, (const double[]){9, 0, -9}, &a)); // higher than long
  airfoil_of_thickness(0.2, &a);
  double most = 0;
  for (int i = 0; i < AIRFOIL_CORNERS; i++) most = fmax(most, a.height[i]);
  CHECK_NEAR(most, 0.1, 1e-3);
}

// What is wrong with an airfoil leaves out the outlines, not the blade.
static void check_no_shape(const char *piece, const char *other) {
  const File files[] = {{"turbine.yaml", with_shapes(piece, other)}, {NULL, NULL}};
  Read r;
  read_files(files, NULL, &r);
  CHECK(r.good && !r.blade.shape);
  done(&r);
}

TEST(a_broken_airfoil_leaves_out_the_outlines_only) {
  check_no_shape("- {name: round", "- {name: square");
  check_no_shape("x: [1, 0, 1]", "x: [1, 0]");
  check_no_shape("x: [1, 0, 1]", "x: [1, 0, nan]");
  check_no_shape("y: [0.2, 0, -0.2]", "y: [[0.2], 0, -0.2]");
  check_no_shape("spanwise_position: 0.5", "spanwise_position: 7");
  check_no_shape("relative_thickness: 0.1", "relative_thickness: thin");
}

TEST(a_tower_of_windio_has_its_diameter_for_pictures) {
  const char *text =
      with(windio2, "name: tests\n", "name: tests\nmaterials: [{name: steel, E: 2e11, nu: 0.3, rho: 7850}]\n");
  text = with(text, "values: [15, 100]}}\n    structure:\n",
              "values: [15, 100]}}\n"
              "    outer_shape: {outer_diameter: {grid: [0, 1], values: [6, 4]}}\n"
              "    structure:\n"
              "      layers: [{material: steel, thickness: {grid: [0, 1], values: [0.03, 0.02]}}]\n");
  const File files[] = {{"turbine.yaml", text}, {NULL, NULL}};
  const BladeChoices tower = {.part = "tower"};
  Read r;
  Outline o;
  read_files(files, &tower, &r);
  CHECK_STR(r.mistake.text, "");
  CHECK(r.good && r.blade.shape);
  if (r.good && r.blade.shape) {
    blade_outline(&r.blade, 1, &o); // half way up
    CHECK_INT(o.lines, 2);
    check_extent(&o, 0, -2.5, 2.5);
    CHECK_NEAR(o.corner[o.end[0]][0], 2.475, 1e-12);
  }
  done(&r);
}

static void check_windio(const char *piece, const char *other, int line, const char *text) {
  const File files[] = {{"turbine.yaml", with(windio2, piece, other)}, {NULL, NULL}};
  check_refused(files, NULL, "turbine.yaml", line, text);
}

TEST(mistakes_of_windio_files_are_told_with_their_lines) {
  check_windio("K12: [1000.1, 1000.1]", "K12: [1000.1]", 12, "'K12' and 'grid' must be lists of the same length");
  check_windio("K12: [1000.1, 1000.1]", "K12: [1000.1, .nan]", 12, "'K12' contains an entry that is not a number");
  check_windio("K12: [1000.1, 1000.1]", "K12: [1000.1, 1e400]", 12, "'K12' contains an entry that is not a number");
  check_windio("values: [0, 5, 10]", "values: [0, 5, [10]]", 6, "'values' contains an entry that is not a number");
  check_windio("grid: [0, 1], mass", "grid: [1, 0], mass", 15, "'grid' must increase");
  check_windio("stiffness_matrix", "stiffness", 12, "'stiffness_matrix' is missing");
  check_windio("elastic_properties", "elastic", 5,
               "'blade' has no 6x6 matrices: neither structure.elastic_properties nor elastic_properties_mb.six_x_six, "
               "nor an outer diameter with layers");
}

TEST(a_windio_file_that_is_no_yaml_is_told_by_the_reader_of_yaml) {
  const File files[] = {{"turbine.yaml", with(windio2, "blade:", "blade: [}")}, {NULL, NULL}};
  Read r;
  read_files(files, NULL, &r);
  CHECK(!r.good);
  CHECK_INT(r.diagnostics.errors, 1);
  done(&r);
}

// ---- HAWC2 ----

static const char htc[] = "begin new_htc_structure;\n"
                          "  begin main_body;\n"
                          "    name tower ;\n"
                          "    begin timoschenko_input;\n"
                          "      filename ./data/tower.st ;\n"
                          "      set 1 1 ;\n"
                          "    end timoschenko_input;\n"
                          "    begin c2_def;\n"
                          "      nsec 2;\n"
                          "      sec 1 0.0 0.0 0.0 0.0 ;\n"
                          "      sec 2 0.0 0.0 -10.0 0.0 ;\n"
                          "    end c2_def ;\n"
                          "  end main_body;\n"
                          "  continue_in_file blade.htc ;\n"
                          "end new_htc_structure;\n";
static const char blade_htc[] = ";  the blade\n"
                                "begin main_body;\n"
                                "  name        blade1 ;\n"
                                "  damping_posdef 0 0 0 1e-3 1e-3 4e-4 ;\n"
                                "  begin timoschenko_input;\n"
                                "    filename ./data/blade.st ; with a comment\n"
                                "    set 1 2 ;\n"
                                "  end timoschenko_input;\n"
                                "  begin c2_def; Definition of centerline\n"
                                "    nsec 3 ;\n"
                                "    sec 1  0.0 0.0 0.0 -10.0 ;\n"
                                "    sec 2  0.0 0.5 5.0 -5.0 ;\n"
                                "    sec 3  0.0 0.0 10.0 0.0 ;\n"
                                "  end c2_def ;\n"
                                "end main_body;\n";
// r m x_cg y_cg ri_x ri_y x_sh y_sh E G I_x I_y K k_x k_y A pitch x_e y_e
#define PLAIN_ROW(r) r " 100 0.1 0.02 0.3 1.2 0.05 0.01 2e10 8e9 0.01 0.09 0.004 0.5 0.25 0.2 "
static const char plain_st[] = "1 number of sets\n"
                               "#1 a blade\n"
                               "$1 2 another subset\n" PLAIN_ROW("0") "0 0 0\n" PLAIN_ROW(
                                   "10") "0 0 0\n"
                                         "$2 2\n" PLAIN_ROW("0") "30 0.04 -0.01\n" PLAIN_ROW("10") "30 0.04 -0.01\n";

static const File hawc2_files[] = {
    {"main.htc", htc}, {"blade.htc", blade_htc}, {"./data/blade.st", plain_st}, {NULL, NULL}};

// A blade of HAWC2 with this file of chords, for the body `link`; whether it has outlines, of which the last is `o`.
static bool read_chords(const char *link, const char *chords, Outline *o) {
  static const char aero[] = "end new_htc_structure;\n"
                             "begin aero;\n"
                             "  link 1 mbdy_c2_def blade1;\n"
                             "  ae_filename ./data/blade_ae.dat ;\n"
                             "end aero;\n";
  const File files[] = {{"main.htc", with(htc, "end new_htc_structure;\n", with(aero, "blade1", link))},
                        {"blade.htc", blade_htc},
                        {"./data/blade.st", plain_st},
                        {chords ? "./data/blade_ae.dat" : NULL, chords},
                        {NULL, NULL}};
  Read r;
  read_files(files, NULL, &r);
  bool known = r.blade.shape && r.blade.chord;
  CHECK(r.good);
  if (known) {
    CHECK_NEAR(r.blade.chord[0], 3, 1e-12);
    CHECK_NEAR(r.blade.chord[1], 1.5, 1e-12);
    blade_outline(&r.blade, 1, o);
  }
  done(&r);
  return known;
}

TEST(a_blade_of_hawc2_has_chord_and_thickness_about_half_the_chord_for_pictures) {
  Outline o;
  double centroid[2];
  bool known = read_chords("blade1", "1 sets\n1 3 rows\n0 3 100 1\n8 2 30 1\n12 1 10 1\n", &o);
  CHECK(known);
  if (known) {
    check_extent(&o, 1, -0.75, 0.75);
    double area = outline_area(&o, centroid); // 0.685 t c of the airfoils with four digits, t = 0.2 c
    CHECK(area > 0.29 && area < 0.315);
  }
}

TEST(chords_of_hawc2_that_are_missing_or_wrong_leave_out_the_outlines_only) {
  Outline o;
  CHECK(!read_chords("blade1", NULL, &o));
  CHECK(!read_chords("hub1", "1 sets\n1 2 rows\n0 3 100 1\n10 1.5 20 1\n", &o));
  CHECK(!read_chords("blade1", "1 sets\n1 3 rows\n0 3 100 1\n10 1.5 20 1\n", &o));     // a row is missing
  CHECK(!read_chords("blade1", "1 sets\n1 2 rows\n0 3 100 1\n0 1.5 20 1\n", &o));      // not rising
  CHECK(!read_chords("blade1", "1 sets\n1 2 rows\n0 3 100 1\n10 -1 20 1\n", &o));      // no chord
  CHECK(!read_chords("blade1", "1 sets\n1 2 rows\n0 3 100 1\n10 1.5 nan 1\n", &o));    // no number
  CHECK(!read_chords("blade1", "1 sets\n1 9999999 rows\n0 3 100 1\n10 1 20 1\n", &o)); // more than there may be
}

// The section of PLAIN_ROW in HAWC2's axes by hand: energy of the strains of a section, in 2 x 2 blocks.
static void expect_plain(double pitch, const double e[2], bool about_mass_centre, double k[6][6], double m[6][6]) {
  const double E = 2e10, G = 8e9, A = 0.2, s[2] = {0.05, 0.01}, g[2] = {0.1, 0.02}, I[2] = {0.01, 0.09};
  const double c = cos(pitch), n = sin(pitch), shear[2] = {0.5 * G * A, 0.25 * G * A}, ri[2] = {0.3, 1.2};
  memset(k, 0, 36 * sizeof(double)), memset(m, 0, 36 * sizeof(double));
  // axes x = (c, n), y = (-n, c): a tensor diag(a, b) there is this here
  double xx = c * c * shear[0] + n * n * shear[1], yy = n * n * shear[0] + c * c * shear[1],
         xy = c * n * (shear[0] - shear[1]);
  // shear strains at the shear centre: g_x - y t, g_y + x t
  k[0][0] = xx, k[1][1] = yy, k[0][1] = xy;
  k[0][5] = -xx * s[1] + xy * s[0], k[1][5] = -xy * s[1] + yy * s[0];
  k[5][5] = G * 0.004 + xx * s[1] * s[1] - 2 * xy * s[0] * s[1] + yy * s[0] * s[0];
  // axial strain e_z + y k_x - x k_y, bending about the elastic centre
  k[2][2] = E * A, k[2][3] = E * A * e[1], k[2][4] = -E * A * e[0];
  k[3][3] = E * (c * c * I[0] + n * n * I[1]) + E * A * e[1] * e[1];
  k[4][4] = E * (n * n * I[0] + c * c * I[1]) + E * A * e[0] * e[0];
  k[3][4] = E * c * n * (I[0] - I[1]) - E * A * e[0] * e[1];
  double mass = 100, ix = mass * ri[0] * ri[0], iy = mass * ri[1] * ri[1];
  double dx = about_mass_centre ? 0 : g[0] - e[0], dy = about_mass_centre ? 0 : g[1] - e[1];
  m[3][3] = c * c * ix + n * n * iy + mass * (g[1] * g[1] - dy * dy);
  m[4][4] = n * n * ix + c * c * iy + mass * (g[0] * g[0] - dx * dx);
  m[3][4] = c * n * (ix - iy) - mass * (g[0] * g[1] - dx * dy);
}

// x = y_H, y = -x_H; the order is axial, shear along x, y, torsion, bending about x, y.
static void check_plain(const LimberSection *s, double pitch, const double e[2], bool about_mass_centre) {
  static const int from[6] = {2, 1, 0, 5, 4, 3};
  static const double sign[6] = {1, 1, -1, 1, 1, -1};
  double k[6][6], m[6][6];
  expect_plain(pitch, e, about_mass_centre, k, m);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      int a = from[i], b = from[j], low = a < b ? a : b, high = a < b ? b : a;
      CHECK_NEAR(s->stiffness[i][j], sign[i] * sign[j] * k[low][high], 1e-14 * sqrt(k[a][a] * k[b][b]));
    }
  CHECK_NEAR(s->mass, 100, 0);
  CHECK_NEAR(s->centre[0], 0.02, 1e-15);
  CHECK_NEAR(s->centre[1], -0.1, 1e-15);
  CHECK_REL(s->inertia[1][1], m[4][4], 1e-14);
  CHECK_REL(s->inertia[2][2], m[3][3], 1e-14);
  CHECK_NEAR(s->inertia[1][2], -m[3][4], 1e-14 * m[4][4]);
  CHECK_REL(s->inertia[0][0], m[3][3] + m[4][4], 1e-14);
}

TEST(hawc2_rows_of_19_columns_are_sections_about_the_half_chord_point) {
  const double e[2] = {0.04, -0.01};
  const BladeChoices choices = {.about_mass_centre = true};
  Read r, about;
  read_files(hawc2_files, NULL, &r), read_files(hawc2_files, &choices, &about);
  CHECK_STR(r.mistake.text, "");
  CHECK(r.good && about.good);
  if (r.good && about.good) {
    CHECK_INT(r.blade.points, 3);
    CHECK_NEAR(r.blade.point[1].at[0], 0.5, 0);
    CHECK_REL(r.blade.point[0].twist, 10 * acos(-1) / 180, 1e-15);
    CHECK_STR(r.blade.axis_file, "blade.htc");
    CHECK_STR(r.blade.damping_remark, "damping_posdef is not supported: give the beam a `damping`");
    CHECK_INT(r.blade.point[2].line, 13);
    check_plain(&r.blade.section[1], acos(-1) / 6, e, false);
    check_plain(&about.blade.section[1], acos(-1) / 6, e, true);
    CHECK_INT(r.blade.line[1], 8);
  }
  done(&r), done(&about);
}

TEST(hawc2_rows_of_30_columns_have_the_same_section) {
  const double e[2] = {0.04, -0.01}, origin[2] = {0, 0}, pitch = acos(-1) / 6;
  // At the elastic centre, in principal axes: shear and torsion at the shear centre seen from there.
  double k[6][6], m[6][6];
  expect_plain(0, origin, false, k, m);
  const double c = cos(pitch), s = sin(pitch), x = c * (0.05 - e[0]) + s * (0.01 - e[1]),
               y = -s * (0.05 - e[0]) + c * (0.01 - e[1]), gx = 0.5 * 8e9 * 0.2, gy = 0.25 * 8e9 * 0.2;
  k[0][5] = -gx * y, k[1][5] = gy * x, k[5][5] = 8e9 * 0.004 + gx * y * y + gy * x * x;
  char row[2][2000], text[5000];
  for (int i = 0; i < 2; i++) {
    int n = snprintf(row[i], sizeof row[i], "%d 100 0.1 0.02 0.3 1.2 30 0.04 -0.01", 10 * i);
    for (int a = 0; a < 6; a++)
      for (int b = a; b < 6; b++) n += snprintf(row[i] + n, sizeof row[i] - (size_t)n, " %.17g", k[a][b]);
  }
  snprintf(text, sizeof text, "#1\n$2 2\n%s\n%s\n", row[0], row[1]);
  const File files[] = {{"main.htc", htc}, {"blade.htc", blade_htc}, {"./data/blade.st", text}, {NULL, NULL}};
  Read r;
  read_files(files, NULL, &r);
  CHECK_STR(r.mistake.text, "");
  if (r.good) check_plain(&r.blade.section[0], pitch, e, false);
  done(&r);
}

TEST(files_of_hawc2_sections_alone_or_chosen_by_the_user_are_read) {
  const File alone[] = {{"blade.st", plain_st}, {NULL, NULL}};
  const File files[] = {{"main.htc", htc}, {"blade.htc", blade_htc}, {"mine.st", plain_st}, {NULL, NULL}};
  const BladeChoices choices = {.data = "mine.st"}, tower = {.part = "tower", .data = "mine.st"};
  const double origin[2] = {0, 0};
  Read a, b, t;
  read_files(alone, NULL, &a), read_files(files, &choices, &b), read_files(files, &tower, &t);
  CHECK(a.good && b.good && t.good && a.blade.sections_only && !b.blade.sections_only);
  if (a.good && t.good) {
    check_plain(&a.blade.section[0], 0, origin, false);
    CHECK_NEAR(a.blade.point[1].at[2], 10, 0);
    CHECK_NEAR(t.blade.point[1].at[2], 10, 0); // turned over
    CHECK(strstr(t.blade.remark, "runs along -z") != NULL);
  }
  done(&a), done(&b), done(&t);
}

static void check_hawc2(int file, const char *piece, const char *other, const char *in, int line, const char *text) {
  File files[4];
  memcpy(files, hawc2_files, sizeof files);
  files[file].text = with(files[file].text, piece, other);
  check_refused(files, NULL, in, line, text);
}

TEST(mistakes_of_hawc2_files_are_told_with_their_lines) {
  const BladeChoices hub = {.part = "hub1"};
  check_hawc2(0, "continue_in_file blade.htc", "continue_in_file other.htc", "main.htc", 14,
              "cannot read 'other.htc': no such file");
  check_hawc2(0, "continue_in_file blade.htc", "continue_in_file main.htc", "main.htc", 14,
              "continued in more than 30 files");
  check_hawc2(1, "filename ./data/blade.st", "filename ./data/none.st", "blade.htc", 6,
              "cannot read './data/none.st': no such file");
  check_hawc2(1, "nsec 3", "nsec 3000", "blade.htc", 10,
              "nsec is '3000'; a number of at least 2 is expected, with as many lines below");
  check_hawc2(1, "nsec 3", "nsec 2", "blade.htc", 13,
              "a section of c2_def is 'sec NUMBER x y z twist', as often as nsec says");
  check_hawc2(1, "0.5 5.0", "nan 5.0", "blade.htc", 12, "'nan' is not a number");
  check_hawc2(1, "nsec 3", "nsec 4", "main.htc", 1, "there is no main_body 'blade1' with a c2_def and a filename");
  check_refused(hawc2_files, &hub, "main.htc", 1, "there is no main_body 'hub1' with a c2_def and a filename");
  check_hawc2(1, "set 1 2", "set 1 3", "./data/blade.st", 9, "the file has no set '#1' with '$3 ROWS'");
  check_hawc2(2, "$2 2", "$2 2000000000", "./data/blade.st", 6, "a set has 2 rows or more, not -1");
  check_hawc2(2, "0.01\n", "\n", "./data/blade.st", 7, "row 1 has 18 numbers; 19 or 30 are expected, in all rows");
}

// ---- VABS ----

static const char vabs[] = " The 6X6 Mass Matrix\n"
                           " ==============================\n\n"
                           "  1.0E+02 0 0 0 2.0E+01 -5.0E+00\n 0 100 0 -20 0 0\n 0 0 100 5 0 0\n 0 -20 5 440 0 0\n"
                           " 20 0 0 0 400 -3\n -5 0 0 0 -3 40\n\n"
                           " The 6X6 Mass Matrix at the Mass Center\n"
                           " ==============================\n\n 1 2 3\n\n"
                           " Timoshenko Stiffness Matrix (1-extension; 2,3-shear, 4-twist; 5,6-bending)\n"
                           " ------------------------------\n\n"
                           " 9e8 0 0 0 20 30\n 0 1e8 1e3 7 0 0\n 0 1.0002e3 2e8 0 0 0\n 0 7 0 6e7 0 0\n"
                           " 20 0 0 0 4e9 50\n 30 0 0 0 50 5e8\n";

TEST(a_section_of_vabs_is_that_of_beamdyn) {
  static const File files[] = {{"a.K", vabs}, {NULL, NULL}};
  Read b, v;
  read_files(files4, NULL, &b), read_files(files, NULL, &v);
  CHECK_STR(v.mistake.text, "");
  CHECK(b.good && v.good && v.blade.sections_only);
  if (b.good && v.good) check_same_section(&v.blade.section[0], &b.blade.section[0], 1e-15);
  done(&b), done(&v);
  const File classical[] = {{"a.K", with(vabs, "Timoshenko", "Classical")}, {NULL, NULL}};
  const File short_one[] = {{"a.K", with(vabs, "50 5e8", "50")}, {NULL, NULL}};
  check_refused(classical, NULL, "a.K", 25, "the file has no 'Timoshenko Stiffness Matrix'");
  check_refused(short_one, NULL, "a.K", 25, "the file ends where an entry of a 6x6 matrix is expected");
}

// ---- ElastoDyn ----

static const char elastodyn[] = "------- ELASTODYN for OpenFAST INPUT FILE -----\n"
                                "  12   TipRad - tip\n   2   HubRad - root\n"
                                "\"b.dat\"    BldFile(1) - blade 1\n";
static const char elastodyn_blade[] = "------- ELASTODYN V1.00.* INDIVIDUAL BLADE INPUT FILE -----\n"
                                      "of tests\n 2 NBlInpSt\n 1.05 AdjBlMs\n 1 AdjFlSt\n 2 AdjEdSt\n"
                                      "  BlFract StrcTwst BMassDen FlpStff EdgStff\n (-) (deg)\n"
                                      " 0.0 13.3 680 1.8e10 1.9e10\n 1.0 0 10 1.7e5 5e6\n";
static const File elastodyn_files[] = {{"turbine.dat", elastodyn}, {"b.dat", elastodyn_blade}, {NULL, NULL}};

// ---- any bytes ----

TEST(every_beginning_of_a_file_is_read_or_refused_with_a_line) {
  const File *const all[] = {files4,          files4 + 1,      windio_files,    hawc2_files,
                             hawc2_files + 1, hawc2_files + 2, elastodyn_files, elastodyn_files + 1};
  int refused = 0, texts = 0;
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
    for (size_t n = 0; n <= strlen(all[k]->text); n += 7, texts++) {
      File files[4] = {{0}};
      for (int i = 0; all[k][i].name; i++) files[i] = all[k][i];
      char *text = malloc(n + 1);
      if (!text) abort();
      memcpy(text, all[k]->text, n), text[n] = 0;
      files[0].text = text;
      Read r;
      read_files(files, NULL, &r);
      CHECK(r.good || r.diagnostics.errors || (r.mistake.text[0] && r.mistake.line >= 1 && r.mistake.file));
      refused += !r.good;
      done(&r);
      free(text);
    }
  CHECK_NOTE("%d texts, %d of them refused", texts, refused);
  CHECK_LE(texts / 2, refused);
}

// ---- written as models ----

static void check_round_trip(const File *files, const BladeChoices *choices) {
  Read r;
  Input *in;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  read_files(files, choices, &r);
  CHECK(r.good);
  if (!out || !r.good) abort();
  if (BladeWriteModel(&r.blade, files[0].name, NULL, out) || fclose(out)) abort();
  if (InputRead("blade.yaml", text, size, NULL, &in)) abort();
  CHECK_INT(in->diagnostics.errors, 0);
  if (in->diagnostics.errors && DiagnosticsPrint(&in->diagnostics, stdout, NULL)) abort();
  CHECK_INT(in->model->sections.count, 1);
  if (in->model->sections.count == 1) {
    const ModelSection *s = model_section(in->model, 0);
    CHECK_INT(s->count, r.blade.sections);
    for (int i = 0; i < s->count && i < r.blade.sections; i++) {
      check_same_section(&s->station[i], &r.blade.section[i], 0);
      CHECK_NEAR(s->station[i].at, r.blade.section[i].at, 0);
    }
  }
  if (InputDestroy(&in)) abort();
  free(text);
  done(&r);
}

TEST(blades_of_all_formats_come_back_from_models_to_the_last_digit) {
  const BladeChoices tower = {.part = "tower"};
  const File vabs_files[] = {{"a.K", vabs}, {NULL, NULL}};
  check_round_trip(files4, NULL);
  check_round_trip(windio_files, NULL);
  check_round_trip(windio_files, &tower);
  check_round_trip(hawc2_files, NULL);
  check_round_trip(hawc2_files + 2, NULL);
  check_round_trip(vabs_files, NULL);
  check_round_trip(elastodyn_files, NULL);
}

CHECK_MAIN
