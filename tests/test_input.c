// SPDX-License-Identifier: Apache-2.0
// The model reader: units, sections by shape, every kind of every catalogue, and texts that are none. What is said of
// mistakes is checked by test_cli_check.py.
#include "check_petsc.h"

#include "input/input.h"
#include "input/yaml/parts.h"
#include "input/yaml/names.h"
#include "input/yaml/units.h"

#include <stdlib.h>

static Input *read_text(const char *text) {
  Input *in = NULL;
  CHECK_OK(InputRead("text.yaml", text, strlen(text), NULL, &in));
  return in;
}

static void no_notes(const Input *in) {
  CHECK_INT(in->diagnostics.errors, 0);
  for (int i = 0; in->diagnostics.errors && i < in->diagnostics.count; i++)
    CHECK_NOTE("%s", in->diagnostics.diagnostic[i].text);
}

// ---- units ----

TEST(numbers_with_units_become_SI) {
  static const struct {
    const char *text, *si;
    double value;
  } cases[] = {
      {"5", "m", 5},
      {"-1.5e3", "m", -1500},
      {".5", "m", 0.5},
      {"+2", "", 2},
      {"5 mm", "m", 0.005},
      {"5mm", "m", 0.005},
      {"73 GPa", "Pa", 73e9},
      {"90 deg", "rad", 1.5707963267948966},
      {"90 degrees", "rad", 1.5707963267948966},
      {"120 rpm", "rad s-1", 12.566370614359172},
      {"1 turn", "rad", 6.283185307179586},
      {"0.5 rev", "rad", 3.141592653589793},
      {"50 Hz", "Hz", 50},
      {"2 kHz", "Hz", 2000},
      {"3 kg/m", "kg m-1", 3},
      {"3 kg m-1", "kg m-1", 3},
      {"2700 kg/m^3", "kg m-3", 2700},
      {"10 cm/s", "m s-1", 0.1},
      {"36 km/h", "m s-1", 10},
      {"2 N*m", "N m", 2},
      {"2 Nm", "N m", 2},
      {"2 N.m", "N m", 2},
      {"2 N m/rad", "N m", 2},
      {"1 tonne", "kg", 1000},
      {"1 inch", "m", 0.0254},
      {"1 lbf", "N", 4.4482216152605},
      {"50 %", "", 0.5},
      {"2 µm", "m", 2e-6},
      {"1 g", "kg", 1e-3},
      {"2 min", "s", 120},
  };
  Units *units = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double value = 0;
    const char *unit;
    UnitsResult result;
    CHECK_OK(UnitsRead(&units, cases[i].text, cases[i].si, &value, &unit, &result));
    if (!CHECK_INT(result, UNITS_GOOD) || !CHECK_REL(value, cases[i].value, 4e-15)) CHECK_NOTE("%s", cases[i].text);
  }
  CHECK_OK(UnitsDestroy(&units));
}

TEST(what_is_no_number_or_no_unit_is_told_apart) {
  static const struct {
    const char *text, *si;
    UnitsResult result;
  } cases[] = {
      {"", "m", UNITS_NO_NUMBER},         {"mm", "m", UNITS_NO_NUMBER},
      {"nan", "", UNITS_NO_NUMBER},       {"inf", "", UNITS_NO_NUMBER},
      {"1e999", "", UNITS_NO_NUMBER},     {"0x10", "", UNITS_NO_NUMBER},
      {"--1", "", UNITS_NO_NUMBER},       {"5 mmm", "m", UNITS_UNKNOWN},
      {"1 2", "", UNITS_UNKNOWN},         {"1,5", "", UNITS_UNKNOWN},
      {"1 +2", "", UNITS_UNKNOWN},        {"5 kg", "m", UNITS_DIMENSION},
      {"10 Hz", "s", UNITS_DIMENSION},    {"5 m", "", UNITS_DIMENSION},
      {"5 N", "N m", UNITS_DIMENSION},    {"1 Hz", "rad s-1", UNITS_REVOLUTION},
      {"60 rpm", "Hz", UNITS_REVOLUTION}, {"1 rad/s", "Hz", UNITS_REVOLUTION},
  };
  Units *units = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double value = 0;
    const char *unit;
    UnitsResult result;
    CHECK_OK(UnitsRead(&units, cases[i].text, cases[i].si, &value, &unit, &result));
    if (!CHECK_INT(result, cases[i].result)) CHECK_NOTE("%s in %s", cases[i].text, cases[i].si);
  }
  CHECK_OK(UnitsDestroy(&units));
}

static void check_units(Units **units, const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    char list[100], text[120], *rest = list;
    snprintf(list, sizeof list, "%s", t->field[i].unit);
    for (char *si; (si = strtok_r(rest, "|", &rest));) {
      double value;
      const char *unit;
      UnitsResult result;
      bool pure = !strcmp(si, "1"); // in a list of units
      snprintf(text, sizeof text, "2 %s", pure ? "" : strcmp(si, UNIT_ANY) ? si : "N m");
      CHECK_OK(UnitsRead(units, text, si, &value, &unit, &result));
      CHECK(result == UNITS_GOOD && value == 2);
    }
  }
}

TEST(every_unit_of_every_field_table_is_known) {
  Units *units = NULL;
  Kind kind;
  for (const Part *const *at = parts, *p = *at; p; p = *++at)
    for (int i = 0; p->kind(i, &kind); i++) check_units(&units, kind.fields);
  CHECK_OK(UnitsDestroy(&units));
}

// ---- names ----

TEST(near_words_are_suggested_and_far_ones_are_not) {
  static const char *const cases[][3] = {
      {"lenght", "length", "length"},        {"Mass", "mass", "mass"},       {"Q", "C", NULL},          {"c", "C", "C"},
      {"rho", "rho_inf", "rho_inf"},         {"point_mass", "mass", "mass"}, {"massive", "mass", NULL}, {"x", "", NULL},
      {"stifness", "stiffness", "stiffness"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Nearest n;
    nearest_begin(&n, cases[i][0]);
    nearest_try(&n, cases[i][1]);
    CHECK_STR(n.best, cases[i][2]);
  }
  Nearest n;
  nearest_begin(&n, "decaying_d");
  nearest_try(&n, "decaying_a");
  nearest_try(&n, "decaying_b");
  CHECK_STR(nearest_hint(&n, "there are"), "; there are decaying_a, decaying_b");
}

TEST(names_are_found_among_many) {
  static char text[20000][16];
  Names names = {0};
  for (int i = 0; i < 20000; i++) {
    snprintf(text[i], sizeof text[i], "n%d", i);
    CHECK_OK(NamesAdd(&names, text[i], i, (SourceLocation){0, 0, 0}));
  }
  int found = 0;
  for (int i = 0; i < 20000; i++) found += names_find(&names, text[i])->id == i;
  CHECK_INT(found, 20000);
  CHECK(names_find(&names, "n20000") == NULL);
  CHECK_OK(NamesDestroy(&names));
}

// ---- sections ----

// The torsion constant of a rectangle, J = k a b^3 (Timoshenko & Goodier, section 109, the series summed to 10^4 terms).
TEST(rectangle_gives_the_stiffness_of_theory) {
  static const struct {
    double ratio, k;
  } cases[] = {{1, 0.1405770149551555}, {2, 0.2286816771195724}, {4, 0.2808129583076782}, {10, 0.3123250374572057}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[400];
    double a = 0.02 * cases[i].ratio, b = 0.02, E = 70e9, G = E / 2.5, rho = 2700;
    snprintf(text, sizeof text,
             "limber: 1\nsections:\n  s: {E: 70 GPa, nu: 0.25, density: 2700, rectangle: [%.17g, 20 mm]}\n"
             "run: {step: 1, end: 1}\n",
             a);
    Input *in = read_text(text);
    no_notes(in);
    const LimberSection *s = model_section(in->model, 0)->station;
    CHECK_REL(s->stiffness[0][0], E * a * b, 1e-14);
    CHECK_REL(s->stiffness[1][1], 12.5 / 14.75 * G * a * b, 1e-14);
    CHECK_REL(s->stiffness[2][2], 12.5 / 14.75 * G * a * b, 1e-14); // Cowper: 10 (1 + nu)/(12 + 11 nu)
    CHECK_REL(s->stiffness[3][3], cases[i].k * G * a * b * b * b, 1e-12);
    CHECK_REL(s->stiffness[4][4], E * a * b * b * b / 12, 1e-14); // about e2: heights along e3 count
    CHECK_REL(s->stiffness[5][5], E * b * a * a * a / 12, 1e-14);
    CHECK_REL(s->mass, rho * a * b, 1e-14);
    CHECK_REL(s->inertia[0][0], rho * a * b * (a * a + b * b) / 12, 1e-14);
    CHECK_REL(s->inertia[1][1], rho * a * b * b * b / 12, 1e-14);
    CHECK_REL(s->inertia[2][2], rho * b * a * a * a / 12, 1e-14);
    CHECK_OK(InputDestroy(&in));
  }
}

// ---- every kind is read by its field table ----

static bool is_none(const Field *t, const void *params) {
  if (t->type == FIELD_BULK || t->type == FIELD_MESH) return true;
  if (t->type == FIELD_MAPS || t->type == FIELD_ELEMENTS || t->type == FIELD_SURFACES || t->type == FIELD_FUNCTIONS)
    return !*(const char *const *)((const char *)params + t->offset);
  if (t->type == FIELD_OPTIONAL_REALS || t->type == FIELD_TEXT || t->type == FIELD_FORMULA || t->type == FIELD_ROWS)
    return !*(const void *const *)((const char *)params + t->offset);
  bool id = t->type == FIELD_NODE || t->type == FIELD_SECTION || t->type == FIELD_JOINT || t->type == FIELD_FUNCTION ||
            t->type == FIELD_LOAD || t->type == FIELD_EVENT || t->type == FIELD_ELEMENT;
  return id && *(const int *)((const char *)params + t->offset) == LIMBER_NONE;
}

static void write_value(FILE *f, const Field *t, const void *params);

static void write_map(FILE *f, const FieldTable *t, const void *params) {
  int written = 0;
  fputc('{', f);
  for (int i = 0; i < t->count; i++) {
    if (is_none(&t->field[i], params)) continue;
    fprintf(f, "%s%s: ", written++ ? ", " : "", t->field[i].name);
    write_value(f, &t->field[i], params);
  }
  fprintf(f, "}");
}

static void write_value(FILE *f, const Field *t, const void *params) {
  const void *at = (const char *)params + t->offset;
  const double *x = at;
  const int *id = at;
  int n = 0;
  switch (t->type) {
  case FIELD_REAL: fprintf(f, "%.17g", x[0]); return;
  case FIELD_DAMPING:
    if (t->count > 1) fprintf(f, "{stiffness: %.17g, mass: %.17g}", x[0], x[1]);
    else fprintf(f, "%.17g", x[0]);
    return;
  case FIELD_INT: fprintf(f, "%d", id[0]); return;
  case FIELD_NODE: fprintf(f, "n%d", id[0]); return;
  case FIELD_SECTION: fprintf(f, "s%d", id[0]); return;
  case FIELD_JOINT: fprintf(f, "j%d", id[0]); return;
  case FIELD_LOAD: fprintf(f, "l%d", id[0]); return;
  case FIELD_EVENT: fprintf(f, "v%d", id[0]); return;
  case FIELD_ELEMENT: fprintf(f, "e%d", id[0]); return;
  case FIELD_FUNCTION: fprintf(f, "f%d", id[0]); return;
  case FIELD_FORMULA: fprintf(f, "%s", *(const char *const *)at); return;
  case FIELD_ELEMENTS:
  case FIELD_SURFACES:
  case FIELD_FUNCTIONS: {
    const int *of;
    memcpy(&of, at, sizeof of); // the index is all that an id has
    int count = *(const int *)((const char *)at + sizeof of);
    for (int i = 0; i < count; i++) fprintf(f, "%s%c%d", i ? ", " : "[", t->type == FIELD_ELEMENTS ? 'e' : 'f', of[i]);
    fprintf(f, "]");
    return;
  }
  case FIELD_MAP: write_map(f, t->more->fields, at); return;
  case FIELD_MAPS: {
    const char *map = *(const char *const *)at;
    int count = *(const int *)((const char *)at + sizeof map);
    for (int i = 0; i < count; i++) {
      fprintf(f, "%s", i ? ", " : "[");
      write_map(f, t->more->fields, map + (size_t)i * t->more->fields->size);
    }
    fprintf(f, count ? "]" : "[]");
    return;
  }
  case FIELD_ROWS: {
    const double *row = *(const double *const *)at;
    int count = *(const int *)((const char *)at + sizeof row);
    for (int i = 0; i < count * t->count; i++)
      fprintf(f, "%s%.17g%s", i % t->count ? ", " : i ? ", [" : "[[", row[i], (i + 1) % t->count ? "" : "]");
    fprintf(f, "]");
    return;
  }
  case FIELD_MATERIAL: fprintf(f, "m0"); return;
  case FIELD_CELLS: {
    const LimberCells *c = at;
    const LimberNodeId *node = c->nodes;
    for (int i = 0; i < c->count; i++) {
      fprintf(f, "%s{%s: ", i ? ", " : "[", cell_name(c->shape[i]));
      for (int a = 0; a < cell_nodes(c->shape[i]); a++) fprintf(f, "%sn%d", a ? ", " : "[", (node++)->index);
      fprintf(f, "]}");
    }
    fprintf(f, "]");
    return;
  }
  case FIELD_NODES: fprintf(f, "[n%d, n%d]", id[0], id[1]); return;
  case FIELD_TEXT: fprintf(f, "%s", *(const char *const *)at); return;
  case FIELD_WORD: fprintf(f, "%s", t->more->word(*(const int *)at)); return;
  case FIELD_FLAG: fprintf(f, "%s", *(const bool *)at ? "true" : "false"); return;
  case FIELD_BULK: // of a file
  case FIELD_MESH:
  case FIELD_ANY: return;
  case FIELD_ONE_OR_REALS:
  case FIELD_REALS: n = t->count; break;
  case FIELD_OPTIONAL_REALS: n = t->count, x = *(const double *const *)at; break;
  case FIELD_TENSOR: n = 6; break;
  case FIELD_LIST: n = *(const int *)params, x = *(const double *const *)at; break;
  case FIELD_MATRIX:
    for (int i = 0; i < t->count; i++) {
      fprintf(f, "%s", i ? ", [" : "[[");
      for (int j = 0; j < t->count; j++) fprintf(f, "%s%.17g", j ? ", " : "", x[i * t->count + j]);
      fprintf(f, "]");
    }
    fprintf(f, "]");
    return;
  }
  for (int i = 0; i < n; i++) fprintf(f, "%s%.17g", i ? ", " : "[", x[i]);
  fprintf(f, "]");
}

// Written out, it would not be what is not given.

static const char *const some_nodes =
    "limber: 1\nrun: {step: 1 ms, end: 1 s}\nfunctions: {f0: 1}\nmaterials: {m0: {E: 70, nu: 0.3, density: "
    "3}}\nsections:\n"
    "  s0: {stiffness: [1e6, 4e5, 4e5, 10, 20, 30], mass: 0.1, inertia: [3e-6, 1e-6, 2e-6]}\nnodes:\n";

// A model of a kind's example, every field written out, gives a model and no note.
static void check_example(const char *part, const char *kind, const FieldTable *t, const char *nodes,
                          const void *example, const char *more) {
  static const double any[5][3] = {
      {0.1, 0.2, -0.3}, {1.3, -0.4, 0.6}, {0.4, 0.8, 1.1}, {0.9, 1.1, 0.2}, {0.5, 0.1, 0.7}};
  static const double corner[8][3] = {{0, 0, 0},   {1, 0, 0},   {1, 0.8, 0},   {0, 0.8, 0},
                                      {0, 0, 0.3}, {1, 0, 0.3}, {1, 0.8, 0.3}, {0, 0.8, 0.3}};
  const double(*at)[3] = nodes[0] == 'C' ? corner : any;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  fputs(some_nodes, f);
  for (int i = 0; nodes[i]; i++)
    fprintf(f, "  n%d: {at: [%g, %g, %g], kind: %s}\n", i + 1, at[i][0], at[i][1], at[i][2],
            nodes[i] == 'F' ? "frame" : "point");
  fprintf(f, "  last: {at: [9, 9, 9]}\nelements:\n  - mass: {node: last, mass: 1}\n");
  for (int i = 0; nodes[i]; i++) fprintf(f, "  - mass: {node: n%d, mass: 1}\n", i + 1);
  fputs(more, f);
  if (strcmp(part, "elements") && strncmp(more, part, strlen(part))) fprintf(f, "%s:\n", part);
  fprintf(f, "  - %s:\n      name: it\n", kind);
  for (int i = 0; i < t->count; i++) {
    if (is_none(&t->field[i], example)) continue;
    fprintf(f, "      %s: ", t->field[i].name);
    write_value(f, &t->field[i], example);
    fputc('\n', f);
  }
  fclose(f);
  Input *in = read_text(text);
  no_notes(in);
  if (in->diagnostics.count) CHECK_NOTE("%s", text);
  CHECK_OK(InputDestroy(&in));
  free(text);
}

// Joints for couplings; the list goes on with the coupling.
static const char *const tied_joints = "joints:\n  - revolute: {name: j0, nodes: [ground, last], axis: [0, 0, 1]}\n"
                                       "  - cylindrical: {name: j1, nodes: [ground, last], axis: [0, 0, 1]}\n"
                                       "  - revolute: {name: j2, nodes: [ground, last], axis: [0, 0, 1]}\n";

TEST(every_element_joint_and_load_is_read_by_its_table) {
  for (const ElementKind *const *k = element_kinds; *k; k++)
    if ((*k)->fields.field[0].type != FIELD_MESH) // of a file: test_reduced_body.py
      check_example("elements", (*k)->name, &(*k)->fields, (*k)->example.nodes, (*k)->example.item,
                    (*k)->around ? "  - beam: {name: e0, end: [1, 0, 0], section: s0}\n" : "");
  for (const JointKind *const *k = joint_kinds; *k; k++)
    check_example("joints", (*k)->name, &(*k)->fields, (*k)->ties ? "" : (*k)->example_nodes, (*k)->example,
                  (*k)->ties ? tied_joints : "");
  for (const LoadKind *const *k = load_kinds; *k; k++)
    check_example("loads", (*k)->name, &(*k)->fields, (*k)->example_nodes, (*k)->example,
                  "  - beam: {name: e0, end: [1, 0, 0], section: s0}\n"
                  "joints:\n  - revolute: {name: j0, nodes: [ground, last], axis: [0, 0, 1]}\n");
}

TEST(values_arrive_in_the_structure_that_the_table_names) {
  Input *in = read_text("limber: 1\n"
                        "nodes: {a: {at: [1, 2, 3], velocity: [4, 5, 6]}, p: {at: [0, 0, 7], kind: point}}\n"
                        "functions: {f: {table: {time: [0, 1, 3], value: [2, 4, 8]}}}\n"
                        "elements:\n"
                        "  - rigid_body: {node: a, mass: 2 kg, centre: [1 cm, 0, 0], inertia: [1, 2, 3]}\n"
                        "  - bar: {nodes: [a, p], stiffness: 5}\n"
                        "loads:\n  - force: {node: p, direction: [0, 0, 2 kN], amplitude: f}\n"
                        "motion: {angular_velocity: [0, 0, 1], at: [0, 0, 0]}\n"
                        "run: {step: 1 ms, end: 1 s, halvings: 0}\n");
  no_notes(in);
  Inertia inertia;
  const ModelElement *e = model_element(in->model, 0);
  e->kind->inertia(e->data, 0, &inertia);
  CHECK_REL(inertia.m, 2, 0);
  CHECK_REL(inertia.s.x, 0.02, 1e-15);
  CHECK_REL(inertia.j.m[1][1], 2 + 2e-4, 1e-15); // Steiner
  Vec3 v, w;
  model_velocity(in->model, 1, &v, &w); // its own velocity, and the angular velocity of all
  CHECK(v.x == 4 && v.y == 5 && v.z == 6 && w.z == 1);
  model_velocity(in->model, 2, &v, &w);
  CHECK(v.x == 0 && v.y == 0);
  CHECK_REL(model_load(in->model, 0)->load.force.z, 2000, 1e-15);
  CHECK_REL(model_amplitude(in->model, model_load(in->model, 0)->load.amplitude, 2), 6, 1e-15);
  CHECK_INT(in->options.halvings, -1); // none
  CHECK_INT(in->steps, 1000);
  CHECK_OK(InputDestroy(&in));
}

TEST(a_run_without_options_has_the_defaults_of_the_library) {
  LimberOptions o;
  Input *in = read_text("limber: 1\nrun: {step: 1 ms, end: 1 s}\n");
  o = limber_options_default();
  CHECK_INT(in->options.scheme, o.scheme);
  CHECK(in->options.rho_inf == o.rho_inf && in->options.beta == o.beta && in->options.step == o.step);
  CHECK_OK(InputDestroy(&in));
}

// ---- texts that are no models ----

static unsigned long long seed = 1;
static unsigned random_below(unsigned n) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(seed >> 33) % n;
}

// A good model with pieces cut, doubled, swapped and overwritten: every text is read to its end, with notes or without.
TEST(damaged_files_are_read_to_their_end) {
  static const char marks[] = "{}[]:,-#&*!|>'\"%@` \n\tx0.e";
  char path[1000], *good;
  snprintf(path, sizeof path, "%.*smodels/all.yaml", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
  FILE *f = fopen(path, "rb");
  if (!CHECK(f != NULL)) return;
  good = malloc(1 << 16);
  size_t length = fread(good, 1, 1 << 16, f);
  fclose(f);
  char *text = malloc(2 * length + 1);
  int read = 0, with_notes = 0, rounds = 1500;
  for (int round = 0; round < rounds; round++) {
    size_t n = length;
    memcpy(text, good, n);
    for (int edits = 1 + (int)random_below(4); edits > 0 && n > 100; edits--) {
      unsigned at = random_below((unsigned)n - 50), some = 1 + random_below(40);
      switch (random_below(4)) {
      case 0: memmove(text + at, text + at + some, n - at - some), n -= some; break;
      case 1: text[at] = marks[random_below(sizeof marks - 1)]; break;
      case 2: text[at] = (char)random_below(256); break;
      default:
        if (n + some <= 2 * length) memmove(text + at + some, text + at, n - at), n += some;
      }
    }
    Input *in = NULL;
    read += CHECK_OK(InputRead("damaged.yaml", text, n, NULL, &in));
    with_notes += in->diagnostics.count > 0;
    FILE *sink = fopen("/dev/null", "w");
    CHECK_OK(DiagnosticsPrint(&in->diagnostics, sink, NULL));
    fclose(sink);
    CHECK_OK(InputDestroy(&in));
  }
  CHECK_NOTE("%d texts, %d with notes", read, with_notes);
  CHECK_INT(read, rounds);
  CHECK_LT(rounds / 2, with_notes);
  free(text), free(good);
}

CHECK_MAIN_PETSC
