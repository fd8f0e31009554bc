// SPDX-License-Identifier: Apache-2.0
// Parameters and formulae of model files, files that include others, changes to them. What is said of mistakes in them is checked by test_cli_check.py.
#include "check.h"

#include "input/input.h"
#include "input/yaml/parts.h"
#include "input/yaml/units.h"
#include "model/formula.h"

#include <errno.h>
#include <stdlib.h>

static Input *read_text(const char *text) {
  Input *in = NULL;
  CHECK_INT(InputRead("text.yaml", text, strlen(text), NULL, &in), 0);
  return in;
}

// A model with parameters, and the place of its only node by formulae.
static Input *read_place(const char *let, const char *x) {
  char text[2000];
  snprintf(text, sizeof text,
           "limber: 1\nlet: %s\nnodes: {a: [%s, 0, 0]}\nelements: [mass: {node: a, mass: 1}]\n"
           "run: {step: 1 ms, end: 1 s}\n",
           let, x);
  return read_text(text);
}

static double place(const char *let, const char *x) {
  Input *in = read_place(let, x);
  if (!CHECK_INT(in->diagnostics.errors, 0)) CHECK_NOTE("%s, %s: %s", let, x, in->diagnostics.diagnostic[0].text);
  double value = in->diagnostics.errors ? NAN : model_node(in->model, 1)->x[0].x;
  CHECK_INT(InputDestroy(&in), 0);
  return value;
}

TEST(formulae_stand_for_their_values) {
  static const char let[] = "{R: 50 cm, L: 2*R, n: 8, z: 0 m, alpha: 30 deg, pull: 3 N, k: 6 N/m, omega: 120 rpm}";
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"R", 0.5},
               {"-R", -0.5},
               {"2*R", 1},
               {"L", 1},
               {"L/n", 0.125},
               {"R*sin(30/180*pi)", 0.25},
               {"R*sin(alpha)", 0.25},
               {"(R + L)/2", 0.75},
               {"pull/k", 0.5},
               {"sqrt(R^2 + L^2)", 1.118033988749895},
               {"R + 0.1", 0.6},
               {"n", 8},
               {"5/8", 0.625},
               {"3*z", 0},
               {"\"max(R, L)\"", 1},
               {"1e-3*n", 8e-3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (!CHECK_NEAR(place(let, cases[i].text), cases[i].value, 4e-16 * (1 + cases[i].value)))
      CHECK_NOTE("%s", cases[i].text);
}

TEST(parameters_come_in_any_order_and_in_chains) {
  CHECK_NEAR(place("{a: 2*b, b: c + 1, c: 3}", "a"), 8, 0);
  enum { LINKS = 20000 }; // far more than the stack would bear
  char *text = malloc(LINKS * 24 + 200), *p = text;
  p += sprintf(p, "limber: 1\nrun: {step: 1, end: 1}\nlet:\n");
  for (int i = 0; i < LINKS; i++) p += sprintf(p, "  p%d: p%d + 1\n", i, i + 1);
  sprintf(p, "  p%d: 1\nnodes: {a: [p0, 0, 0]}\nelements: [mass: {node: a, mass: 1}]\n", LINKS);
  Input *in = read_text(text);
  CHECK_INT(in->diagnostics.count, 0);
  CHECK_NEAR(model_node(in->model, 1)->x[0].x, LINKS + 1, 0);
  CHECK_INT(InputDestroy(&in), 0);
  free(text);
}

// A definite dimension must be the field's; a pure number, and what is not homogeneous, may stand anywhere.
TEST(dimensions_of_formulae_are_found_by_scaling) {
  static const char let[] =
      "{R: 50 cm, n: 8, z: 0 m, M: 2 kg, t: 3 s, alpha: 30 deg, omega: 120 rpm, f: 2 Hz, d: R + 1}";
  static const struct {
    const char *text;
    int errors;
  } cases[] = {{"R", 0},         {"M", 1},       {"R*R", 1},   {"sqrt(R*R)", 0}, {"R^1.5", 1},
               {"M*R/M", 0},     {"R*t", 1},     {"R*t/t", 0}, {"R/R", 0}, // a pure number
               {"R + 1", 0},                                               // not homogeneous
               {"R + M", 0},                                               // likewise
               {"2*z*z", 1},                                               // zero, but of a dimension
               {"M*z", 1},                                                 // likewise
               {"R*omega", 1},                                             // a velocity
               {"R*omega*t", 0}, {"R*alpha", 0}, {"n*t", 1},   {"d*M", 0}, // d has no definite dimension
               {"sin(R)*R", 0},  {"R*f", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Input *in = read_place(let, cases[i].text);
    if (!CHECK_INT(in->diagnostics.errors, cases[i].errors)) CHECK_NOTE("%s", cases[i].text);
    CHECK_INT(InputDestroy(&in), 0);
  }
}

TEST(every_number_of_a_file_may_be_a_formula) {
  Input *in = read_text("limber: 1\n"
                        "let: {n: 4, L: 2 m, E: 70 GPa, b: 10 mm, rho: 2700 kg/m^3, T: 1 s, J: 1e-3, A: 5}\n"
                        "nodes: {a: [0, 0, 0], b: {at: [L, 0, 0], rotate: {about: [0, 0, n/4], by: 2*pi}}}\n"
                        "sections:\n"
                        "  s: {stiffness: [E*b^2, E*b^2/3, E*b^2/3, E*b^4/9, E*b^4/12, E*b^4/12],\n"
                        "      mass: rho*b^2, inertia: [[J, 0, 0], [0, J/2, 0], [0, 0, J/2]]}\n"
                        "functions: {f: {table: {time: [0, T/2, T], value: [0, A, 0]}}, g: A/2}\n"
                        "elements:\n"
                        "  - beam: {name: s, from: a, to: b, section: s, elements: n*2}\n"
                        "  - rigid_body: {node: b, mass: n/8, inertia: [J, J, J, 0, 0, 0]}\n"
                        "joints: [clamp: {node: a}]\n"
                        "loads: [force: {node: b, direction: [0, n, 0], amplitude: 2*A}]\n"
                        "run: {step: T/1000, end: T}\n");
  CHECK_INT(in->diagnostics.count, 0);
  for (int i = 0; i < in->diagnostics.count; i++) CHECK_NOTE("%s", in->diagnostics.diagnostic[i].text);
  CHECK_INT(model_component(in->model, 0)->count, 8);
  CHECK_REL(model_section(in->model, 0)->station->stiffness[0][0], 7e6, 1e-15);
  CHECK_REL(model_section(in->model, 0)->station->mass, 0.27, 1e-15);
  CHECK_NEAR(model_amplitude(in->model, model_load(in->model, 0)->load.amplitude, 0), 10, 0);
  CHECK_NEAR(model_amplitude(in->model, 0, 0.5), 5, 0);
  CHECK_INT(in->steps, 1000);
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(no_function_may_be_a_parameter_and_every_function_is_known) {
  for (int i = 0; formula_function(i); i++) {
    char text[200];
    Formula *f = NULL;
    FormulaMistake m;
    snprintf(text, sizeof text, "%s(%s)", formula_function(i), strcmp(formula_function(i), "atan2") ? "1" : "1, 2");
    CHECK_INT(FormulaCreate(text, NULL, NULL, &f, &m), 0);
    if (!CHECK(f != NULL)) CHECK_NOTE("%s: %s", text, m.text);
    formula_destroy(&f);
    snprintf(text, sizeof text, "limber: 1\nlet: {%s: 1}\nrun: {step: 1, end: 1}\n", formula_function(i));
    Input *in = read_text(text);
    CHECK_INT(in->diagnostics.errors, 1);
    CHECK_INT(InputDestroy(&in), 0);
  }
}

// A parameter is kept in SI base units, so a field's unit must be the product of those.
static void check_table(Units **units, const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    char list[100], text[120], *rest = list;
    if (!strcmp(t->field[i].unit, UNIT_ANY)) continue;
    snprintf(list, sizeof list, "%s", t->field[i].unit);
    for (char *si; (si = strtok_r(rest, "|", &rest));) {
      double value;
      const char *unit;
      Dimension d;
      UnitsResult result;
      if (!strcmp(si, "1")) continue; // a pure number in a row
      snprintf(text, sizeof text, "3 %s", si);
      CHECK_INT(UnitsReadAny(units, text, &value, &d, &unit, &result), 0);
      CHECK(result == UNITS_GOOD && value == 3);
    }
  }
}

TEST(every_unit_of_every_field_table_is_coherent) {
  Units *units = NULL;
  Kind kind;
  for (const Part *const *at = parts, *p = *at; p; p = *++at)
    for (int i = 0; p->kind(i, &kind); i++) check_table(&units, kind.fields);
  CHECK_INT(UnitsDestroy(&units), 0);
}

// ---- files that include others ----

static int reads; // of files

static Error Serve(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule;
  static const char *const files[][2] = {
      {"dir/parts/blade.yaml", "limber: 1\ninclude: common.yaml\nnodes: {tip: [R, 0, 0]}\n"
                               "elements: [mass: {name: first, node: tip, mass: 1}]\n"},
      {"dir/parts/common.yaml", "limber: 1\nlet: {R: 2 m, unused: 1}\nrun: {step: 1 ms, end: 2}\n"},
  };
  *out = (SourceText){.error = ENOENT};
  for (int i = 0; i < 2; i++)
    if (!strcmp(path, files[i][0])) {
      reads++;
      out->error = 0, out->length = strlen(files[i][1]);
      TRY(MemoryNew(out->length + 1, &out->text));
      strcpy(out->text, files[i][1]);
    }
  return 0;
}

static Input *read_with(const char *text, int changes, const char *const *change) {
  Input *in = NULL;
  InputOptions o = {.read = Serve, .change = change, .changes = changes};
  CHECK_INT(InputRead("dir/main.yaml", text, strlen(text), &o, &in), 0);
  return in;
}

static const char *const including = "limber: 1\ninclude: [parts/blade.yaml, ./parts/common.yaml]\n"
                                     "nodes: {a: [0, 0, 0]}\nelements: [mass: {name: second, node: a, mass: R/R}]\n";

TEST(a_file_takes_the_parts_of_those_it_includes_each_read_once) {
  reads = 0;
  Input *in = read_with(including, 0, NULL);
  CHECK_INT(in->diagnostics.errors, 0);
  CHECK_INT(reads, 2);
  CHECK_STR(model_component(in->model, 0)->name, "first");
  CHECK_STR(model_component(in->model, 1)->name, "second");
  CHECK_INT(in->steps, 2000);
  CHECK_INT(in->sources, 3);
  CHECK_STR(in->source[0].name, "main.yaml");
  CHECK_STR(in->source[1].name, "parts/blade.yaml");
  CHECK_STR(in->source[2].name, "parts/common.yaml");
  CHECK(in->text == in->source[0].text && !strcmp(in->text, including));
  CHECK(strstr(in->source[2].text, "unused") != NULL);
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(without_a_reader_nothing_is_included) {
  Input *in = read_text("limber: 1\ninclude: x.yaml\nrun: {step: 1, end: 1}\n");
  CHECK_INT(in->diagnostics.errors, 1);
  CHECK_STR(in->diagnostics.diagnostic[0].text, "no file can be included here");
  CHECK_INT(InputDestroy(&in), 0);
}

// ---- changes ----

TEST(changes_reach_every_part_also_of_included_files) {
  static const char *const change[] = {"let.R=3 m",
                                       "run.scheme=preserving",
                                       "run.step=0.5ms",
                                       "elements.first.mass=7",
                                       "elements.mass#2={mass: {node: a, mass: 9, name: third}}",
                                       "nodes.a.2=4 cm",
                                       "title=x: y",
                                       "title=a word",
                                       "loads=[gravity: {acceleration: [0, 0, -R/R]}]",
                                       "elements.2.name=fourth"};
  enum { CHANGES = sizeof change / sizeof change[0] };
  Input *in = read_with(including, CHANGES, change);
  CHECK_INT(in->diagnostics.count, 1); // "mass#2" has a name: it is no entry
  CHECK_INT(InputDestroy(&in), 0);
  const char *good[CHANGES];
  memcpy(good, change, sizeof good);
  good[4] = "elements.second={mass: {node: a, mass: 9, name: third}}";
  in = read_with(including, CHANGES, good);
  CHECK_INT(in->diagnostics.errors, 0);
  for (int i = 0; in->diagnostics.errors && i < in->diagnostics.count; i++)
    CHECK_NOTE("%s", in->diagnostics.diagnostic[i].text);
  CHECK_NEAR(model_node(in->model, limber_model_find_node(in->model, "tip").index)->x[0].x, 3, 0);
  CHECK_NEAR(model_node(in->model, limber_model_find_node(in->model, "a").index)->x[0].y, 0.04, 1e-17);
  Inertia inertia;
  for (int i = 0; i < 2; i++) {
    const ModelElement *e = model_element(in->model, i);
    e->kind->inertia(e->data, 0, &inertia);
    CHECK_NEAR(inertia.m, i ? 9 : 7, 0);
  }
  CHECK_STR(model_component(in->model, 1)->name, "fourth");
  CHECK_INT(in->options.scheme, LIMBER_SCHEME_PRESERVING);
  CHECK_STR(in->title, "a word");
  CHECK_INT(in->steps, 4000);
  CHECK_INT(in->changes, CHANGES);
  CHECK_STR(in->change[2], "run.step=0.5ms");
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(a_change_touches_one_place_of_an_anchor) {
  const char *change[] = {"nodes.b.at.1=5"};
  Input *in = read_with("limber: 1\nnodes: {a: &n {at: [1, 0, 0]}, b: *n}\nrun: {step: 1, end: 1}\n"
                        "elements: [mass: {node: a, mass: 1}, mass: {node: b, mass: 1}]\n",
                        1, change);
  CHECK_INT(in->diagnostics.errors, 0);
  CHECK_NEAR(model_node(in->model, 1)->x[0].x, 1, 0);
  CHECK_NEAR(model_node(in->model, 2)->x[0].x, 5, 0);
  CHECK_INT(InputDestroy(&in), 0);
}

CHECK_MAIN
