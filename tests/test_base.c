// SPDX-License-Identifier: Apache-2.0
// Field tables, functions of time, quadrature.
#include "base/field.h"
#include "base/functions/function.h"
#include "check.h"
#include "contract.h"
#include "mechanics/cell.h"
#include "model/model.h"

// ---- fields ----

TEST(distance_counts_edits) {
  const struct {
    const char *a, *b;
    int edits;
  } pairs[] = {
      {"", "", 0},
      {"", "mass", 4},
      {"mass", "mass", 0},
      {"stiffnes", "stiffness", 1},
      {"lenght", "length", 1},
      {"lnegth", "length", 1},
      {"beam", "bar", 2},
      {"centre", "center", 1},
      {"ab", "ba", 1},
      {"ca", "abc", 3},
      {"amplitude", "aplitdue", 2},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    CHECK_INT(field_distance(pairs[i].a, pairs[i].b), pairs[i].edits);
    CHECK_INT(field_distance(pairs[i].b, pairs[i].a), pairs[i].edits);
  }
}

// The definition, by recursion on the last letters.
static int edits(const char *a, int i, const char *b, int j) {
  if (i == 0 || j == 0) return i + j;
  int best = edits(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]), other = edits(a, i - 1, b, j) + 1;
  if (other < best) best = other;
  if ((other = edits(a, i, b, j - 1) + 1) < best) best = other;
  if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && (other = edits(a, i - 2, b, j - 2) + 1) < best)
    best = other;
  return best;
}

TEST(distance_agrees_with_its_definition) {
  random_restart(1);
  for (int trial = 0; trial < 200; trial++) {
    char word[2][8] = {"", ""};
    int n[2];
    for (int w = 0; w < 2; w++) {
      n[w] = (int)random_in(0, 6);
      for (int i = 0; i < n[w]; i++) word[w][i] = (char)('a' + (int)random_in(0, 3));
    }
    CHECK_INT(field_distance(word[0], word[1]), edits(word[0], n[0], word[1], n[1]));
  }
}

TEST(distance_of_words_of_any_length_is_safe) {
  char longer[301];
  memset(longer, 'x', 300), longer[300] = 0;
  CHECK_INT(field_distance(longer, longer), 0);
  CHECK_LE(1, field_distance(longer, "mass"));
  CHECK_LE(1, field_distance("mass", longer));
}

TEST(defaults_are_those_of_the_table) {
  LimberSine sine = {9, 9, 9, 9};
  field_defaults(&function_sine.fields, &sine);
  CHECK(sine.amplitude == 1 && sine.frequency == 0 && sine.phase == 0 && sine.mean == 0);
  LimberBeam beam;
  memset(&beam, 1, sizeof beam);
  for (int i = 0; element_kinds[i]; i++)
    if (!strcmp(element_kinds[i]->name, "beam")) field_defaults(&element_kinds[i]->fields, &beam);
  CHECK(LIMBER_IS_NONE(beam.from) && LIMBER_IS_NONE(beam.to) && beam.elements == 4 && beam.order == 3);
  CHECK(beam.up[0] == 0 && beam.curvature[2] == 0 && beam.twist == 0);
}

TEST(field_is_found_by_name_alone) {
  CHECK(field_find(&function_sine.fields, "phase") == &function_sine.fields.field[2]);
  CHECK(field_find(&function_sine.fields, "phas") == NULL);
}

// Bytes that a field of a structure takes.
static size_t field_bytes(const Field *f) {
  switch (f->type) {
  case FIELD_REAL: return sizeof(double);
  case FIELD_DAMPING:
  case FIELD_ONE_OR_REALS:
  case FIELD_REALS: return (size_t)f->count * sizeof(double);
  case FIELD_MATRIX: return (size_t)(f->count * f->count) * sizeof(double);
  case FIELD_TENSOR: return 6 * sizeof(double);
  case FIELD_MATERIAL: return sizeof(LimberMaterial);
  case FIELD_CELLS: return sizeof(LimberCells);
  case FIELD_BULK: return sizeof(LimberBulk);
  case FIELD_MESH: return sizeof(LimberMesh);
  case FIELD_OPTIONAL_REALS:
  case FIELD_LIST: return sizeof(double *);
  case FIELD_TEXT: return sizeof(char *);
  case FIELD_FLAG: return sizeof(bool);
  case FIELD_MAP: return f->more->fields->size;
  case FIELD_FORMULA: return sizeof(LimberFormula);
  case FIELD_ELEMENTS:
  case FIELD_SURFACES:
  case FIELD_FUNCTIONS:
  case FIELD_ROWS:
  case FIELD_MAPS: return sizeof(void *) + sizeof(int);
  case FIELD_ANY: return sizeof(void *);
  case FIELD_INT:
  case FIELD_WORD:
  case FIELD_NODE:
  case FIELD_ELEMENT:
  case FIELD_SECTION:
  case FIELD_FUNCTION:
  case FIELD_JOINT:
  case FIELD_LOAD:
  case FIELD_EVENT: return sizeof(int);
  case FIELD_NODES: return (size_t)f->count * sizeof(int);
  }
  return 0;
}

// Names are words, nothing repeats or overlaps, everything is explained.
static void check_description(const char *name, const char *help, const FieldTable *t) {
  CHECK(name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name));
  CHECK(help && strlen(help) > 1 && help[strlen(help) - 1] == '.');
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    CHECK(strspn(f->name, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(f->name) && *f->name);
    CHECK(f->help && *f->help && f->unit);
    CHECK(field_find(t, f->name) == f);
    CHECK(f->offset + field_bytes(f) <= t->size);
    for (int j = 0; j < i; j++) {
      const Field *g = &t->field[j];
      CHECK(f->offset >= g->offset + field_bytes(g) || g->offset >= f->offset + field_bytes(f));
    }
  }
}

TEST(every_kind_describes_itself) {
  for (int i = 0; function_kinds[i]; i++)
    check_description(function_kinds[i]->name, function_kinds[i]->help, &function_kinds[i]->fields);
  for (int i = 0; element_kinds[i]; i++)
    check_description(element_kinds[i]->name, element_kinds[i]->help, &element_kinds[i]->fields);
  for (int i = 0; surface_kinds[i]; i++)
    check_description(surface_kinds[i]->name, surface_kinds[i]->help, &surface_kinds[i]->fields);
  check_description("contact", contact_help, &contact_fields);
  for (int i = 0; joint_kinds[i]; i++)
    check_description(joint_kinds[i]->name, joint_kinds[i]->help, &joint_kinds[i]->fields);
  for (int i = 0; load_kinds[i]; i++)
    check_description(load_kinds[i]->name, load_kinds[i]->help, &load_kinds[i]->fields);
}

// ---- functions of time ----

TEST(constant_does_not_change) {
  LimberConstant p = {2.5};
  CHECK_NEAR(function_constant.at(&p, NULL, -1).value, 2.5, 0);
  CHECK_NEAR(function_constant.at(&p, NULL, 1e9).value, 2.5, 0);
}

TEST(triangle_goes_straight_up_and_straight_down) {
  LimberTriangle p = {.peak = 8, .start = 1, .at = 2, .end = 4};
  const double at[][2] = {{0, 0}, {1, 0}, {1.25, 2}, {1.5, 4}, {2, 8}, {3, 4}, {3.5, 2}, {4, 0}, {9, 0}};
  for (int i = 0; i < 9; i++) CHECK_NEAR(function_triangle.at(&p, NULL, at[i][0]).value, at[i][1], 8 * EPS);
  CHECK_STR(function_triangle.check(&p).text, NULL);
  p.at = 4;
  CHECK(function_triangle.check(&p).text);
  p.at = NAN;
  CHECK(function_triangle.check(&p).text);
}

TEST(table_is_straight_between_entries_and_constant_outside) {
  const double time[] = {-1, 0, 0.5, 2, 10}, value[] = {3, 1, -1, 5, 4};
  LimberTable p = {5, time, value};
  CHECK_STR(function_table.check(&p).text, NULL);
  for (int i = 0; i < 5; i++) CHECK_NEAR(function_table.at(&p, NULL, time[i]).value, value[i], 0);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(function_table.at(&p, NULL, 0.75 * time[i] + 0.25 * time[i + 1]).value,
               0.75 * value[i] + 0.25 * value[i + 1], 16 * EPS);
  CHECK_NEAR(function_table.at(&p, NULL, -5).value, 3, 0);
  CHECK_NEAR(function_table.at(&p, NULL, 50).value, 4, 0);
  LimberTable one = {1, time, value}, none = {0, NULL, NULL};
  const double back[] = {0, 1, 1};
  LimberTable repeated = {3, back, value};
  CHECK_NEAR(function_table.at(&one, NULL, 7).value, 3, 0);
  CHECK_STR(function_table.check(&one).text, NULL);
  CHECK(function_table.check(&none).text);
  CHECK(function_table.check(&repeated).text);
}

TEST(sine_swings_about_its_mean) {
  LimberSine p = {.amplitude = 2, .frequency = 0.5, .phase = 0.3, .mean = 1};
  CHECK_NEAR(function_sine.at(&p, NULL, 0).value, 1 + 2 * sin(0.3), 4 * EPS);
  CHECK_NEAR(function_sine.at(&p, NULL, 2).value, 1 + 2 * sin(0.3), 20 * EPS);
  CHECK_NEAR(function_sine.at(&p, NULL, 1).value, 1 - 2 * sin(0.3), 20 * EPS);
  CHECK_NEAR(function_sine.at(&p, NULL, 0.5).value, 1 + 2 * cos(0.3), 20 * EPS);
}

// ---- quadrature ----

static double moment(int n, const double *point, const double *weight, int power) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += weight[i] * pow(point[i], power);
  return sum;
}

TEST(gauss_and_lobatto_are_exact_to_degree_2p_minus_1_and_no_further) {
  for (int p = 1; p <= MAX_ORDER; p++)
    for (int power = 0; power <= 2 * p; power++) {
      double exact = power % 2 ? 0 : 2.0 / (power + 1);
      double gauss = moment(p, gauss_point[p], gauss_weight[p], power);
      double lobatto = moment(p + 1, lobatto_node[p], lobatto_weight[p], power);
      if (power < 2 * p) {
        CHECK_NEAR(gauss, exact, 4 * EPS);
        CHECK_NEAR(lobatto, exact, 4 * EPS);
      } else {
        CHECK_LE(0.04, fabs(gauss - exact));
        CHECK_LE(0.04, fabs(lobatto - exact));
      }
    }
}

TEST(lagrange_functions_reproduce_polynomials_and_their_slopes) {
  random_restart(2);
  for (int p = 1; p <= MAX_ORDER; p++) {
    double n[MAX_ORDER + 1], dn[MAX_ORDER + 1];
    for (int a = 0; a <= p; a++) {
      lobatto_shape(p, lobatto_node[p][a], n, dn);
      for (int b = 0; b <= p; b++) CHECK_NEAR(n[b], a == b, 4 * EPS);
    }
    for (int trial = 0; trial < 20; trial++) {
      double x = random_in(-1, 1);
      lobatto_shape(p, x, n, dn);
      for (int power = 0; power <= p; power++) {
        double value = 0, slope = 0;
        for (int a = 0; a <= p; a++) {
          value += n[a] * pow(lobatto_node[p][a], power);
          slope += dn[a] * pow(lobatto_node[p][a], power);
        }
        CHECK_NEAR(value, pow(x, power), 16 * EPS);
        CHECK_NEAR(slope, power ? power * pow(x, power - 1) : 0, 32 * EPS);
      }
    }
  }
}

CHECK_MAIN
