// SPDX-License-Identifier: Apache-2.0
// `limber section`: reads a blade file or a model and reports its sections.
#include "console/library_commands.h"
#include "console/output.h"
#include "input/blades/open.h"
#include "input/yaml/files.h"
#include "input/yaml/names.h"
#include "post/picture/scene.h"
#include "post/picture/section_mesh.h"
#include "post/plot/canvas.h"
#include "post/section/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    TRY(DiagnosticsPrint(&(*in)->diagnostics, stderr));
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
  TRY(DiagnosticsPrint(n, stderr));
  if (!good) return 0;
  TRY(StoreAllocate(&c->store, sizeof *c->report, &c->report));
  TRY(ReportBlade(&c->store, &blade, choices.part, &c->report[c->reports++]));
  *code = EXIT_GOOD;
  return 0;
}

// ---- what is made of it ----

static FileKind picture_kind(const CanvasKind *kind) {
  return kind == &canvas_svg ? FILE_SVG : kind == &canvas_pdf ? FILE_PDF : FILE_PNG;
}

static bool picture_is_good(const SectionCommand *c) {
  if (!c->picture) return true;
  if (!canvas_kind(c->picture) && !is_device(c->picture))
    return print_command_error(command_name, "a picture ends in .png, .svg or .pdf, not as '%s'", c->picture), false;
  return check_output(command_name, c->a, c->picture, picture_kind(canvas_kind(c->picture)));
}

// Of the sections that were asked for, the one with several stations.
static const SectionReport *drawn(const SectionCommand *c) {
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

typedef struct {
  Canvas canvas;
  CanvasPoint point[8];
} MeshCanvas;

static int copy_points(MeshCanvas *m, int n, const double (*p)[2]) {
  if (n > 8) n = 8;
  for (int i = 0; i < n; i++) m->point[i] = (CanvasPoint){p[i][0], p[i][1]};
  return n;
}

static void fill_area(void *self, int n, const double (*p)[2], unsigned colour) {
  MeshCanvas *m = self;
  m->canvas.kind->fill(&m->canvas, copy_points(m, n, p), m->point, colour);
}

static void stroke_line(void *self, int n, const double (*p)[2], unsigned colour, double width) {
  MeshCanvas *m = self;
  m->canvas.kind->stroke(&m->canvas, copy_points(m, n, p), m->point, &(Pen){colour, width, 0});
}

static void write_words(void *self, double x, double y, double size, const char *text) {
  MeshCanvas *m = self;
  m->canvas.kind->text(&m->canvas, &(TextStyle){x, y, size, TEXT_START, false, 0x222222}, text);
}

// The section whose mesh is drawn: the only one that was asked for, if it was solved on a mesh. With several stations its
// values along the span are drawn, unless --mesh asks for the mesh.
static const ModelSection *meshed(const SectionCommand *c) {
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
  MeshCanvas m = {.canvas = {.kind = kind, .out = out, .width = SECTION_MESH_WIDTH}};
  const MeshPen pen = {fill_area, stroke_line, write_words, &m};
  double height = 20;
  int drawn = 0;
  for (int i = 0; i < s->count && drawn < MOST_STATIONS; i++)
    if (has_section_mesh(s, i)) height += section_mesh_height(s, i), drawn++;
  m.canvas.height = (int)ceil(height);
  if (!kind->begin(&m.canvas, title)) return false;
  height = 0, drawn = 0;
  for (int i = 0; i < s->count && drawn < MOST_STATIONS; i++) {
    if (!has_section_mesh(s, i)) continue;
    draw_section_mesh(s, i, height, &pen);
    height += section_mesh_height(s, i), drawn++;
  }
  return kind->finish(&m.canvas);
}

static bool draw_values(const SectionReport *r, const char *title, const CanvasKind *kind, FILE *out) {
  Diagram *d = calloc(1, sizeof *d);
  if (d) draw_section(r, title, d);
  bool good = d && diagram_draw(d, kind, out);
  if (d) diagram_free(d);
  return good;
}

static ExitCode write_picture(const SectionCommand *c) {
  const ModelSection *mesh = meshed(c);
  bool wanted = argument_value(c->a, "mesh") != NULL;
  const SectionReport *r = mesh || wanted ? NULL : drawn(c);
  const CanvasKind *kind = canvas_kind(c->picture) ? canvas_kind(c->picture) : canvas_kind("picture.png");
  OutputFile picture;
  char title[400];
  if (!(r || mesh) || !begin_output(command_name, c->a, c->picture, picture_kind(kind), &picture)) return EXIT_MISTAKE;
  const char *slash = strrchr(c->file, '/');
  const char *name = mesh ? mesh->name : r->name;
  snprintf(title, sizeof title, "%s%s%s", slash ? slash + 1 : c->file, *name ? ", " : "", name);
  bool good = mesh ? draw_mesh(mesh, title, kind, picture.out) : draw_values(r, title, kind, picture.out);
  if (!good) {
    print_command_error(command_name, "there is not enough memory");
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

static Error Report(SectionCommand *c, ExitCode *code) {
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
  if (picture_is_good(&c) && Report(&c, &code)) code = EXIT_MACHINE;
  if (StoreDestroy(&c.store)) code = EXIT_MACHINE;
  return code;
}
