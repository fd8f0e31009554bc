// SPDX-License-Identifier: Apache-2.0
// `limber section`: reads a blade file or a model, reports its sections and draws them.
#include "console/library_commands.h"
#include "console/output.h"
#include "input/blades/blade.h"
#include "input/yaml/files.h"
#include "input/yaml/names.h"
#include "post/picture/scene.h"
#include "post/picture/picture.h"
#include "post/picture/canvas.h"
#include "post/plot/diagram.h"
#include "post/section/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The picture of the report: panels over the span, for stiffnesses in N and in N m2, mass, centres along both axes,
// angles.

enum { WIDTH = 1150, RIGHT = 900, LEFT = 130, TOP = 65, HIGH = 190, GAP = 26, BOTTOM = 85 };

typedef enum { EA, GA_MIN, GA_MAX, EI_MIN, EI_MAX, GJ, MASS, TENSION, SHEAR, CENTRE, BENDING, INERTIA } Value;

static double value_of(const StationValues *v, Value what, int axis) {
  switch (what) {
  case EA: return v->axial;
  case GA_MIN: return v->shear[0];
  case GA_MAX: return v->shear[1];
  case EI_MIN: return v->bending[0];
  case EI_MAX: return v->bending[1];
  case GJ: return v->torsion;
  case MASS: return v->mass;
  case TENSION: return v->tension[axis];
  case SHEAR: return v->shear_centre[axis];
  case CENTRE: return v->mass_centre[axis];
  case BENDING: return v->bending_angle;
  case INERTIA: return v->inertia_angle;
  }
  return NAN;
}

typedef struct {
  Value what;
  const char *legend;
} Line;

typedef struct {
  const SectionReport *r;
  Diagram *d;
  double *x, *y;
} Drawing;

// Fills the points of a line; false where it has none.
static bool fill_line(const Drawing *w, Value what, int axis, bool log, double range[2]) {
  bool some = false;
  for (int i = 0; i < w->r->series.count; i++) {
    StationValues v = station_values(w->r, i);
    w->x[i] = w->r->length > 0 ? v.at * w->r->length : 100 * v.at;
    w->y[i] = value_of(&v, what, axis);
    if (log && !(w->y[i] > 0)) w->y[i] = NAN;
    if (fabs(w->y[i]) < 1e-9) w->y[i] = 0;
    some = some || !isnan(w->y[i]);
    range[0] = fmin(range[0], w->y[i]), range[1] = fmax(range[1], w->y[i]);
  }
  return some;
}

static void add_line(const Drawing *w, Panel *p, const char *legend, int number) {
  Curve *c = panel_curve(w->d, p, CURVE_LINE, w->r->series.count, w->x, w->y, NULL);
  curve_name(c, "data", 10 * w->d->panels + number);
  c->colour = series_colour(number), c->dash = number == 2 ? 1 : 0, c->width = 2.4;
  snprintf(c->legend, sizeof c->legend, "%s", legend);
}

static void set_range(Panel *p, const char *name, const char *units, const double range[2]) {
  double air = fmax(0.07 * (range[1] - range[0]), 0.02 * fmax(fabs(range[0]), fabs(range[1])));
  if (p->y.log) axis_set(&p->y, name, units, range[0] / 1.5, range[1] * 1.5);
  else axis_set(&p->y, name, units, range[0] - (air > 0 ? air : 1), range[1] + (air > 0 ? air : 1));
}

// Nothing where there is no value.
static void add_panel(const Drawing *w, const char *name, const char *units, bool log, const Line *line, int lines,
                      int axis) {
  int top = TOP + w->d->panels * (HIGH + GAP), n = w->r->series.count;
  double range[2] = {INFINITY, -INFINITY};
  Panel *p = NULL;
  for (int i = 0; i < lines; i++) {
    if (!fill_line(w, line[i].what, axis, log, range)) continue;
    if (!p) p = diagram_panel(w->d, LEFT, top, RIGHT, top + HIGH);
    add_line(w, p, line[i].legend, i);
  }
  if (!p) return;
  p->y.log = log, p->legend = LEGEND_RIGHT, p->x.bare = true;
  set_range(p, name, units, range);
  axis_set(&p->x, w->r->length > 0 ? "along the axis" : "along the span", w->r->length > 0 ? "m" : "%", w->x[0],
           w->x[n - 1]);
}

// Stiffnesses, centres and principal angles along the span.
static void draw_section(const SectionReport *r, const char *title, Diagram *d) {
  static const Line newtons[] = {{EA, "EA"}, {GA_MAX, "GA, larger"}, {GA_MIN, "GA, smaller"}};
  static const Line bending[] = {{EI_MAX, "EI, larger"}, {EI_MIN, "EI, smaller"}, {GJ, "GJ"}};
  static const Line mass[] = {{MASS, ""}};
  static const Line centres[] = {{TENSION, "tension centre"}, {SHEAR, "shear centre"}, {CENTRE, "mass centre"}};
  static const Line angles[] = {{BENDING, "bending"}, {INERTIA, "inertia"}};
  size_t n = (size_t)r->series.count;
  char name[100];
  Drawing w = {r, d, malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  if (!w.x || !w.y) d->failed = true;
  else {
    snprintf(d->title, sizeof d->title, "%s", title);
    add_panel(&w, "stiffness", "N", true, newtons, 3, 0);
    add_panel(&w, "stiffness", "N m²", true, bending, 3, 0);
    add_panel(&w, "mass", "kg m-1", false, mass, 1, 0);
    for (int k = 0; k < 2; k++) {
      int axis = k == 0 ? chord_axis(r) : !chord_axis(r);
      snprintf(name, sizeof name, "%s of centres", r->series.axes->axis[axis]);
      add_panel(&w, name, "m", false, centres, 3, axis);
    }
    snprintf(name, sizeof name, "angle from %s", r->series.axes->axis[r->angle_from]);
    add_panel(&w, name, "deg", false, angles, 2, 0);
    d->panel[d->panels - 1].x.bare = false; // there is always one of the mass
    d->width = WIDTH, d->height = TOP + d->panels * (HIGH + GAP) - GAP + BOTTOM, d->fit_left = true;
  }
  free(w.x), free(w.y);
}

static const char command_name[] = "section";

typedef struct {
  const Arguments *a;
  const char *file, *picture;
  Store store;
  SectionReport *report;
  int reports;
  Model model; // or NULL: a file of another program
} SectionCommand;

// ---- reading ----

static Error ReadModel(SectionCommand *c, const SourceText *file, Input **in, ExitCode *code) {
  const char *change[MAX_GIVEN], *name = argument_value(c->a, "name");
  const InputOptions o = {.read = SourceRead,
                          .change = change,
                          .changes = arguments_of(c->a, "set", change),
                          .allow_outside = argument_value(c->a, "allow-outside") != NULL};
  Nearest near;
  *code = EXIT_MISTAKE;
  TRY(InputRead(c->file, file->text, file->length, &o, in));
  if ((*in)->diagnostics.errors) { // warnings about sections are findings of the report
    TRY(DiagnosticsPrint(&(*in)->diagnostics, stderr, style_diagnostic));
    return 0;
  }
  const LimberModel m = (*in)->model;
  c->model = m;
  nearest_begin(&near, name ? name : "");
  TRY(StoreAllocate(&c->store, (size_t)m->sections.count * sizeof *c->report, &c->report));
  for (int i = 0; i < m->sections.count; i++) {
    nearest_try(&near, model_section(m, i)->name);
    if (!name || !strcmp(name, model_section(m, i)->name))
      TRY(ReportModelSection(&c->store, m, i, &c->report[c->reports++]));
  }
  if (c->reports) *code = EXIT_GOOD;
  else if (name)
    print_command_error(command_name, "the model has no section '%s'%s", name, nearest_hint(&near, "there are"));
  else print_command_error(command_name, "the model has no sections");
  return 0;
}

// The words of the command line; false after a message.
static bool read_choices(const Arguments *a, BladeChoices *out) {
  const char *gyration = argument_value(a, "gyration");
  char known[200];
  *out = (BladeChoices){.format = argument_value(a, "format"),
                        .part = argument_value(a, "part"),
                        .data = argument_value(a, "sections"),
                        .about_mass_centre = gyration && !strcmp(gyration, "mass_centre")};
  if (argument_value(a, "name"))
    print_command_error(command_name, "--name is of a model; parts of other files are chosen by --part");
  else if (out->format && !blade_format(out->format, "", 0))
    print_command_error(command_name, "there is no format '%s'; there are %s", out->format,
                        blade_formats_text(known, sizeof known));
  else if (gyration && !out->about_mass_centre && strcmp(gyration, "elastic_centre") != 0)
    print_command_error(command_name, "--gyration is elastic_centre or mass_centre, not '%s'", gyration);
  else return true;
  return false;
}

static Error ReadBlade(SectionCommand *c, Diagnostics *n, ExitCode *code) {
  BladeChoices choices;
  Blade blade;
  bool good;
  *code = EXIT_MISTAKE;
  if (!read_choices(c->a, &choices)) return 0;
  TRY(BladeOpen(c->file, &choices, &c->store, n, &blade, &good));
  TRY(DiagnosticsPrint(n, stderr, style_diagnostic));
  if (!good) return 0;
  TRY(StoreAllocate(&c->store, sizeof *c->report, &c->report));
  TRY(ReportBlade(&c->store, &blade, choices.part, &c->report[c->reports++]));
  *code = EXIT_GOOD;
  return 0;
}

// ---- what is made of it ----

static bool picture_is_good(const SectionCommand *c) {
  Refusal wrong;
  if (!c->picture) return true;
  if (!canvas_takes(c->picture, &wrong)) return print_command_error(command_name, "%s", wrong.text), false;
  return check_output(command_name, c->a, c->picture, canvas_kind_or(c->picture, &canvas_png)->file);
}

// Of the sections that were asked for, the one with several stations.
static const SectionReport *find_drawn_section(const SectionCommand *c) {
  const SectionReport *found = NULL;
  int count = 0;
  for (int i = 0; i < c->reports; i++)
    if (c->report[i].series.count > 1) found = &c->report[i], count++;
  if (count == 1) return found;
  print_command_error(command_name,
                      count ? "%d sections have several stations: choose the one of the picture by --name"
                            : "a picture needs a section with several stations; there are %d",
                      count);
  return NULL;
}

// ---- the mesh of a section ----

// The section whose mesh is drawn: the only one that was asked for, if it was solved on a mesh. With several stations
// its values along the span are drawn, unless --mesh asks for the mesh.
static const ModelSection *find_meshed_section(const SectionCommand *c) {
  const ModelSection *found = NULL;
  int count = 0;
  bool wanted = argument_value(c->a, "mesh");
  for (int i = 0; c->model && i < c->reports; i++)
    for (int k = 0; k < c->model->sections.count; k++) {
      const ModelSection *s = model_section(c->model, k);
      if (strcmp(s->name, c->report[i].name) != 0 || !s->solution || (s->count > 1 && !wanted)) continue;
      found = s, count++;
    }
  if (count > 1) print_command_error(command_name, "%d sections have meshes: choose one with --name", count);
  if (!count && wanted)
    print_command_error(command_name, "no section was solved on a mesh, so --mesh has nothing to draw");
  return count == 1 ? found : NULL;
}

enum { MOST_STATIONS = 12 };

static bool draw_mesh(const ModelSection *s, const char *title, const CanvasKind *kind, FILE *out) {
  Canvas canvas = {.kind = kind, .out = out, .width = SECTION_MESH_WIDTH};
  double height = 20;
  int drawn = 0;
  for (int i = 0; i < s->count && drawn < MOST_STATIONS; i++)
    if (has_section_mesh(s, i)) height += section_mesh_height(s, i), drawn++;
  canvas.height = (int)ceil(height);
  if (!kind->begin(&canvas, title)) return false;
  height = 0, drawn = 0;
  for (int i = 0; i < s->count && drawn < MOST_STATIONS; i++) {
    if (!has_section_mesh(s, i)) continue;
    draw_section_mesh(s, i, height, &canvas, 1);
    height += section_mesh_height(s, i), drawn++;
  }
  return kind->finish(&canvas);
}

static bool draw_values(const SectionReport *r, const char *title, const CanvasKind *kind, FILE *out) {
  Diagram *d = calloc(1, sizeof *d);
  if (d) draw_section(r, title, d);
  bool good = d && diagram_draw(d, kind, out);
  if (d) diagram_free(d);
  return good;
}

static ExitCode write_picture(const SectionCommand *c) {
  const ModelSection *mesh = find_meshed_section(c);
  bool wanted = argument_value(c->a, "mesh") != NULL;
  const SectionReport *r = mesh || wanted ? NULL : find_drawn_section(c);
  const CanvasKind *kind = canvas_kind_or(c->picture, &canvas_png);
  OutputFile picture;
  char title[400];
  if (!(r || mesh) || !begin_output(command_name, c->a, c->picture, kind->file, &picture)) return EXIT_MISTAKE;
  const char *slash = strrchr(c->file, '/');
  const char *name = mesh ? mesh->name : r->name;
  snprintf(title, sizeof title, "%s%s%s", slash ? slash + 1 : c->file, *name ? ", " : "", name);
  bool good = mesh ? draw_mesh(mesh, title, kind, picture.out) : draw_values(r, title, kind, picture.out);
  if (!good) {
    print_command_error(command_name, "not enough memory");
    return output_discard(&picture), EXIT_MACHINE;
  }
  if (!end_output(command_name, &picture)) return EXIT_MACHINE;
  if (!argument_value(c->a, "json") && !is_device(c->picture)) printf("\n%s\n", c->picture);
  return EXIT_GOOD;
}

static void print_all(const SectionCommand *c) {
  bool json = argument_value(c->a, "json") != NULL;
  if (json) printf("{\"file\":"), json_text(stdout, c->file), printf(",\n \"sections\":[\n  ");
  for (int i = 0; i < c->reports; i++) {
    if (json && i) printf(",\n  ");
    if (!json && i) puts("");
    if (json) print_section_json(&c->report[i], stdout);
    else print_section(&c->report[i], c->file);
  }
  if (json) printf("]}\n");
}

static Error ReportSections(SectionCommand *c, ExitCode *code) {
  SourceText file;
  Input *in = NULL;
  Diagnostics n = {0};
  *code = EXIT_MISTAKE;
  TRY(SourceRead(c->file, &source_rule_model, &file));
  if (!file.text)
    return print_command_error(command_name, "cannot read '%s': %s", c->file, source_error(file.error)), 0;
  bool is_model = !argument_value(c->a, "format") && text_is_model(file.text, file.length);
  Error error = is_model ? ReadModel(c, &file, &in, code) : ReadBlade(c, &n, code);
  memory_free(&file.text);
  if (!error && *code == EXIT_GOOD) {
    print_all(c);
    if (c->picture) *code = write_picture(c);
  }
  TRY(InputDestroy(&in));
  TRY(DiagnosticsDestroy(&n));
  return error;
}

int limber_command_section(const Arguments *a) {
  SectionCommand c = {.a = a, .file = a->word[0], .picture = argument_value(a, "picture")};
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process()) return EXIT_GOOD;
  if (picture_is_good(&c) && ReportSections(&c, &code)) code = EXIT_MACHINE;
  if (StoreDestroy(&c.store)) code = EXIT_MACHINE;
  return code;
}
