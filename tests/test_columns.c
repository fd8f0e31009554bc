// SPDX-License-Identifier: Apache-2.0
// Columns by name, on a file that is made here as docs/results.md describes it.
#include "check.h"
#include "model/refusal.h"
#include "results/read/results.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 5 };
static char path[200];

static void text(hid_t object, const char *name, int count, const char *const *values) {
  hsize_t n = (hsize_t)count;
  hid_t type = H5Tcopy(H5T_C_S1), space = count ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, values);
  H5Aclose(attribute), H5Sclose(space), H5Tclose(type);
}

// A table of numbers 100 a + 10 column + row, or of the rows' times.
static void table(hid_t file, const char *name, int rows, int width, const char *const *columns, const char *units,
                  double a) {
  const char *about = "about it";
  double value[ROWS * 6] = {0};
  hsize_t size[2] = {(hsize_t)rows, (hsize_t)width};
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(columns ? 2 : 1, size, NULL);
  H5Pset_create_intermediate_group(links, 1);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < width; k++) value[i * width + k] = a ? 100 * a + 10 * k + i : 0.1 * i;
  hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
  text(set, "units", 0, &units);
  text(set, "description", 0, &about);
  if (columns) text(set, "columns", width, columns);
  H5Dclose(set), H5Sclose(space), H5Pclose(links);
}

static void integers(hid_t file, const char *name, int rows, int width, const int *values) {
  hsize_t size[2] = {(hsize_t)rows, (hsize_t)width};
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(width > 1 ? 2 : 1, size, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t set = H5Dcreate2(file, name, H5T_STD_I64LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set), H5Sclose(space), H5Pclose(links);
}

static hid_t begin(void) {
  const char *folder = getenv("TMPDIR"), *version = "0.1", *title = "A file", *status = "finished";
  snprintf(path, sizeof path, "%s/limber_columns_XXXXXX", folder ? folder : "/tmp");
  close(mkstemp(path));
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  text(file, "limber", 0, &version);
  text(file, "title", 0, &title);
  text(file, "status", 0, &status);
  return file;
}

// The usual file; `late` rows fewer in its table of velocities.
static Results *open_usual(int late) {
  static const char *const xyz[] = {"x", "y", "z"}, *const six[] = {"N", "V2", "V3", "M1", "M2", "M3"};
  static const char *const loads[] = {"push", "gravity#2"};
  Results *r = NULL;
  Refusal wrong;
  hid_t file = begin();
  table(file, "/history/time", ROWS, 1, NULL, "s", 0);
  table(file, "/history/ledger/kinetic", ROWS, 1, NULL, "J", 1);
  table(file, "/history/ledger/load_work", ROWS, 2, loads, "J", 2);
  table(file, "/history/steps/iterations", ROWS, 1, NULL, "1", 3);
  table(file, "/history/probes/tip/velocity", ROWS - late, 3, xyz, "m s-1", 4);
  table(file, "/history/probes/tip/position", ROWS, 3, xyz, "m", 5);
  table(file, "/history/probes/tip/angular_velocity", ROWS, 3, xyz, "rad s-1", 6);
  table(file, "/history/probes/root/strain", ROWS, 6, six, "1, 1, 1, m-1, m-1, m-1", 7);
  table(file, "/history/probes/root/force", ROWS, 6, six, "N, N, N, N m, N m, N m", 8);
  table(file, "/history/probes/hinge/angle", ROWS, 1, NULL, "rad", 9);
  table(file, "/history/probes/arm.3/position", ROWS, 3, xyz, "m", 10);
  table(file, "/history/probes/arm/force", ROWS, 6, six, "N, N, N, N m, N m, N m", 11);
  H5Fclose(file);
  if (!results_open(path, &r, &wrong)) CHECK_STR(wrong.text, "");
  unlink(path);
  return r;
}

// The only column that a name means, or "" if it means none or several.
static const char *meant(const Results *r, const char *name) {
  Refusal wrong;
  int first;
  return results_find(r, name, &first, &wrong) == 1 ? results_column(r, first)->name : "";
}

TEST(a_component_is_looked_for_in_positions_and_forces_first) {
  Results *r = open_usual(0);
  CHECK_STR(meant(r, "tip.x"), "tip.position.x");
  CHECK_STR(meant(r, "tip.velocity.x"), "tip.velocity.x");
  CHECK_STR(meant(r, "root.M2"), "root.force.M2");
  CHECK_STR(meant(r, "root.strain.M2"), "root.strain.M2");
  CHECK_STR(meant(r, "hinge.angle"), "hinge.angle");
  CHECK_STR(meant(r, "time"), "time");
  CHECK_STR(meant(r, "ledger.kinetic"), "ledger.kinetic");
  CHECK_STR(meant(r, "push.work"), "ledger.load_work.push");
  CHECK_STR(meant(r, "gravity#2.work"), "ledger.load_work.gravity#2");
  results_close(&r);
}

TEST(names_of_probes_may_have_dots) {
  Results *r = open_usual(0);
  CHECK_STR(meant(r, "arm.3.y"), "arm.3.position.y");
  CHECK_STR(meant(r, "arm.N"), "arm.force.N");
  results_close(&r);
}

TEST(quantities_and_groups_are_all_that_they_hold) {
  static const struct {
    const char *name;
    int count;
  } all[] = {{"tip.velocity", 3},     {"tip", 9},   {"root", 12}, {"arm", 6}, {"ledger", 3},
             {"ledger.load_work", 2}, {"steps", 1}, {"x", 0},     {"", 0},    {"tip.", 0}};
  Results *r = open_usual(0);
  Refusal wrong;
  int first;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    CHECK_INT(results_find(r, all[i].name, &first, &wrong), all[i].count);
  CHECK_INT(results_find(r, "tip", &first, &wrong), 9);
  CHECK_STR(results_column(r, first)->name, "tip.position.x"); // positions first
  results_close(&r);
}

TEST(columns_have_their_numbers_units_and_texts) {
  Results *r = open_usual(0);
  Refusal wrong;
  char title[20];
  double value[ROWS];
  int first;
  CHECK_INT(results_find(r, "root.strain.M1", &first, &wrong), 1);
  CHECK_STR(results_column(r, first)->units, "m-1");
  CHECK_STR(results_column(r, first)->description, "about it");
  CHECK(results_read(r, first, 1, 3, value));
  for (int i = 0; i < 3; i++) CHECK_NEAR(value[i], 730 + 1 + i, 0);
  CHECK(!results_read(r, first, 3, 3, value)); // there are 5
  CHECK_INT(results_rows(r), ROWS);
  CHECK(results_text(r, "title", title, sizeof title));
  CHECK_STR(title, "A file");
  CHECK(!results_text(r, "nothing", title, sizeof title));
  CHECK_NEAR(results_real(r, "nothing", 7), 7, 0);
  results_close(&r);
}

TEST(rows_are_those_that_all_tables_have) {
  Results *r = open_usual(2);
  int first;
  CHECK_INT(results_rows(r), ROWS - 2);
  CHECK_INT(results_time_range(r, 0.1, 9, &first), 2);
  CHECK_INT(first, 1);
  CHECK_INT(results_time_range(r, -1, 0.1 + 1e-9, &first), 2); // round-off is forgiven
  CHECK_INT(results_time_range(r, 0.11, 0.19, &first), 0);
  results_close(&r);
}

TEST(a_wrong_name_is_answered_by_the_nearest_or_by_a_list) {
  static const struct {
    const char *name, *answer;
  } wrong[] = {{"tpi.x", "; did you mean 'tip.x'?"},
               {"push.wrk", "; did you mean 'push.work'?"},
               {"ledger.kinetik", "; did you mean 'ledger.kinetic'?"},
               {"hing.angle", "; did you mean 'hinge.angle'?"},
               {"tip.rotation", "; there are tip.x, tip.y, tip.z, tip.velocity, tip.angular_velocity"},
               {"nonsense", "; there are time, ledger, steps, arm, arm.3, hinge, root, tip"}};
  Results *r = open_usual(0);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    Refusal found;
    char expected[1000];
    int first;
    CHECK_INT(results_find(r, wrong[i].name, &first, &found), 0);
    snprintf(expected, sizeof expected, "%s has no column '%s'%s", path, wrong[i].name, wrong[i].answer);
    CHECK_STR(found.text, expected);
  }
  results_close(&r);
}

TEST(files_that_are_no_results_are_refused) {
  Results *r = NULL;
  Refusal wrong;
  char expected[1000];
  hid_t file = begin();
  H5Fclose(file);
  CHECK(!results_open(path, &r, &wrong));
  snprintf(expected, sizeof expected, "'%s' is not a result of `limber run`", path);
  CHECK_STR(wrong.text, expected);
  FILE *f = fopen(path, "w");
  fputs("limber: 1\n", f), fclose(f);
  CHECK(!results_open(path, &r, &wrong));
  snprintf(expected, sizeof expected, "'%s' is not an HDF5 file", path);
  CHECK_STR(wrong.text, expected);
  unlink(path);
  CHECK(!results_open(path, &r, &wrong));
  snprintf(expected, sizeof expected, "cannot read '%s': No such file or directory", path);
  CHECK_STR(wrong.text, expected);
  CHECK(r == NULL);
}

// Two snapshots of three points, a line and a vertex; the cells stand once.
TEST(snapshots_are_found_by_their_offsets) {
  static const char *const xyz[] = {"x", "y", "z"};
  static const int zero[2], count[] = {3, 2, 3}, types[] = {3, 1}, offsets[] = {0, 2, 3}, ids[] = {0, 1, 2};
  Results *r = NULL;
  SnapshotGeometry s;
  const double *times;
  Refusal wrong;
  hid_t file = begin();
  table(file, "/history/time", ROWS, 1, NULL, "s", 0);
  table(file, "/VTKHDF/Steps/Values", 2, 1, NULL, "s", 0);
  table(file, "/VTKHDF/Points", ROWS, 3, xyz, "m", 1);
  integers(file, "/VTKHDF/Steps/PartOffsets", 2, 1, zero);
  integers(file, "/VTKHDF/Steps/PointOffsets", 2, 1, (const int[]){0, 2});
  integers(file, "/VTKHDF/Steps/CellOffsets", 2, 1, zero);
  integers(file, "/VTKHDF/Steps/ConnectivityIdOffsets", 2, 1, zero);
  integers(file, "/VTKHDF/NumberOfPoints", 1, 1, &count[0]);
  integers(file, "/VTKHDF/NumberOfCells", 1, 1, &count[1]);
  integers(file, "/VTKHDF/NumberOfConnectivityIds", 1, 1, &count[2]);
  integers(file, "/VTKHDF/Types", 2, 1, types);
  integers(file, "/VTKHDF/Offsets", 3, 1, offsets);
  integers(file, "/VTKHDF/Connectivity", 3, 1, ids);
  H5Fclose(file);
  CHECK(results_open(path, &r, &wrong));
  CHECK_INT(results_snapshots(r, &times), 2);
  CHECK_NEAR(times[1], 0.1, 0);
  CHECK(results_snapshot_geometry(r, 1, &s));
  CHECK_INT(s.points, 3);
  CHECK_INT(s.cells, 2);
  CHECK_INT(s.type[1], 1);
  CHECK_INT(s.first[2] - s.first[1], 1);
  CHECK_NEAR(s.at[s.ids[2]][1], 114, 0); // row 2 + 2, column 1
  snapshot_geometry_free(&s);
  CHECK(!results_snapshot_geometry(r, 2, &s)); // there are two
  results_close(&r);
  unlink(path);
}

CHECK_MAIN
