// SPDX-License-Identifier: Apache-2.0
// `limber body`: reduces the meshes of a model, or one of a file, and reports the reduced bodies.
#include "console/library_commands.h"
#include "console/output.h"
#include "input/importers/mesh.h"
#include "input/yaml/files.h"
#include "input/yaml/names.h"
#include "post/body/body.h"
#include "post/picture/picture.h"
#include "post/picture/scene.h"

#include <stdlib.h>
#include <string.h>

static const char command_name[] = "body";

typedef struct {
  const Arguments *a;
  const char *file, *picture, *output;
  BodyChoices choices;
  Store store;
  BodyReport *report;
  int reports;
} BodyCommand;

// ---- words ----

static bool read_choices(BodyCommand *c) {
  const char *count = argument_value(c->a, "count");
  char *end;
  Refusal wrong;
  c->choices.count = count ? (int)strtol(count, &end, 10) : 10;
  c->choices.holds = arguments_of(c->a, "hold", c->choices.held);
  if (count && (!*count || *end || c->choices.count < 1 || c->choices.count > REDUCED_COMPARED))
    return print_command_error(command_name, "--count is a number of modes, 1 to %d, not '%s'", REDUCED_COMPARED,
                               count),
           false;
  if (!c->picture) return true;
  if (!canvas_takes(c->picture, &wrong)) return print_command_error(command_name, "%s", wrong.text), false;
  return check_output(command_name, c->a, c->picture, canvas_kind_or(c->picture, &canvas_png)->file);
}

// An option that the other sort of file has; NULL: there is none.
static const char *misplaced_option(const Arguments *a, bool model) {
  static const char *const of_mesh[] = {"interface", "averaging", "material", "cells",    "modes",  "unit",
                                        "hexahedra", "stiffness", "mass",     "unknowns", "output", NULL};
  static const char *const of_model[] = {"name", "set", "allow-outside", NULL};
  for (const char *const *o = model ? of_mesh : of_model; *o; o++)
    if (argument_value(a, *o)) return *o;
  return NULL;
}

// ---- reading ----

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash + 1 - path) : 0;
}

// The name that the model has from whose folder the mesh is found; false after a message.
static bool place_model(const BodyCommand *c, BodyFile *f) {
  size_t mesh = folder_length(c->file), own = c->output ? folder_length(c->output) : 0;
  if (!c->output || is_device(c->output) || (mesh == own && !strncmp(c->file, c->output, mesh))) return true;
  if (!own && c->file[0] != '/') return f->by = c->output, true;
  print_command_error(command_name, "write the model next to its mesh, %.*sbody.yaml", (int)mesh, c->file);
  return false;
}

// Messages about a text that the user did not write have no place.
static Error PrintComposed(const Input *in) {
  for (int i = 0; i < in->diagnostics.count; i++)
    if (in->diagnostics.diagnostic[i].level == DIAGNOSTIC_ERROR)
      print_command_error(command_name, "%s", in->diagnostics.diagnostic[i].text);
  return 0;
}

static ExitCode write_model(const BodyCommand *c, const char *text) {
  OutputFile f;
  if (!c->output) return EXIT_GOOD;
  if (!begin_output(command_name, c->a, c->output, FILE_MODEL, &f)) return EXIT_MISTAKE;
  fputs(text, f.out);
  return end_output(command_name, &f) ? EXIT_GOOD : EXIT_MACHINE;
}

static Error ReadBody(BodyCommand *c, const SourceText *file, Input **in, ExitCode *code) {
  BodyFile f = {c->file, NULL, file->text, file->length};
  const InputOptions o = {.read = SourceRead};
  char *text, name[5000];
  size_t length;
  *code = EXIT_MISTAKE;
  if (c->output && !check_output(command_name, c->a, c->output, FILE_MODEL)) return 0;
  if (!place_model(c, &f)) return 0;
  TRY(ComposeBody(c->a, &f, &c->store, &text, &length));
  if (!text) return 0;
  snprintf(name, sizeof name, "%.*sbody.yaml", (int)folder_length(c->file), c->file); // one name more in its folder
  Error error = InputRead(f.by ? f.by : name, text, length, &o, in);
  if (!error) error = PrintComposed(*in);
  if (!error && !(*in)->diagnostics.errors) *code = write_model(c, text);
  memory_free(&text);
  return error;
}

static Error ReadModel(BodyCommand *c, const SourceText *file, Input **in, ExitCode *code) {
  const char *change[MAX_GIVEN];
  const InputOptions o = {.read = SourceRead,
                          .change = change,
                          .changes = arguments_of(c->a, "set", change),
                          .allow_outside = argument_value(c->a, "allow-outside") != NULL};
  *code = EXIT_MISTAKE;
  TRY(InputRead(c->file, file->text, file->length, &o, in));
  TRY(DiagnosticsPrint(&(*in)->diagnostics, stderr, style_diagnostic));
  if (!(*in)->diagnostics.errors) *code = EXIT_GOOD;
  return 0;
}

// ---- what is made of it ----

static Error ReportBodies(BodyCommand *c, LimberModel m, ExitCode *code) {
  const char *wanted = argument_value(c->a, "name");
  char wrong[600];
  ModelMesh it = {.element = -1};
  Nearest near;
  int bodies = 0;
  nearest_begin(&near, wanted ? wanted : "");
  while (model_next_mesh(m, &it)) bodies++;
  TRY(StoreAllocate(&c->store, (size_t)(bodies + 1) * sizeof *c->report, &c->report));
  it = (ModelMesh){.element = -1};
  while (model_next_mesh(m, &it)) {
    const char *name = model_component(m, model_element(m, it.element)->component)->name;
    nearest_try(&near, name);
    if (wanted && strcmp(name, wanted) != 0) continue;
    TRY(ReportBody(m, &it, &c->choices, &c->report[c->reports++], wrong, sizeof wrong));
    if (!*wrong) continue;
    print_command_error(command_name, "%s", wrong);
    *code = EXIT_MISTAKE;
    return 0;
  }
  if (c->reports) return 0;
  *code = EXIT_MISTAKE;
  if (bodies)
    print_command_error(command_name, "there is no reduced body '%s'%s", wanted, nearest_hint(&near, "there are"));
  else print_command_error(command_name, "the model has no reduced_body");
  return 0;
}

static void print_all(const BodyCommand *c) {
  bool json = argument_value(c->a, "json") != NULL;
  if (json) printf("{\"file\":"), json_text(stdout, c->file), printf(",\n \"bodies\":[\n  ");
  for (int i = 0; i < c->reports; i++) {
    if (i) printf(json ? ",\n  " : "\n");
    if (json) print_body_json(&c->report[i], stdout);
    else print_body(&c->report[i]);
  }
  if (json) printf("]}\n");
  else if (c->output && !is_device(c->output))
    printf("\n%s was written. Next:\n\n  limber view %s\n", c->output, c->output);
}

static Error WritePicture(const BodyCommand *c, LimberModel m, ExitCode *code) {
  const char *slash = strrchr(c->file, '/');
  const CanvasKind *kind = canvas_kind_or(c->picture, &canvas_png);
  OutputFile f;
  *code = EXIT_MISTAKE;
  if (!begin_output(command_name, c->a, c->picture, kind->file, &f)) return 0;
  Error error = PictureWrite(m, slash ? slash + 1 : c->file, NULL, kind, f.out);
  if (error) output_discard(&f);
  TRY(error);
  *code = end_output(command_name, &f) ? EXIT_GOOD : EXIT_MACHINE;
  if (*code == EXIT_GOOD && !argument_value(c->a, "json") && !is_device(c->picture)) printf("\n%s\n", c->picture);
  return 0;
}

static Error ReportFile(BodyCommand *c, ExitCode *code) {
  SourceText file;
  Input *in = NULL;
  char known[500];
  *code = EXIT_MISTAKE;
  TRY(SourceRead(c->file, &source_rule_model, &file));
  if (!file.text)
    return print_command_error(command_name, "cannot read '%s': %s", c->file, source_error(file.error)), 0;
  bool model = text_is_model(file.text, file.length);
  const char *misplaced = misplaced_option(c->a, model);
  Error error = 0;
  if (!model && !importer_find(importers, c->file, file.text, file.length))
    print_command_error(command_name, "'%s' is neither a model nor a mesh; meshes are %s", c->file,
                        importers_text(importers, known, sizeof known));
  else if (misplaced)
    print_command_error(command_name, "--%s is for %s", misplaced,
                        model ? "a file with a mesh; change the model, or use --set" : "models");
  else error = model ? ReadModel(c, &file, &in, code) : ReadBody(c, &file, &in, code);
  memory_free(&file.text);
  if (!error && *code == EXIT_GOOD) error = ReportBodies(c, in->model, code);
  if (!error && *code == EXIT_GOOD) {
    print_all(c);
    if (c->picture) error = WritePicture(c, in->model, code);
  }
  Error last = InputDestroy(&in);
  return error ? error : last;
}

int limber_command_body(const Arguments *a) {
  BodyCommand c = {
      .a = a, .file = a->word[0], .picture = argument_value(a, "picture"), .output = argument_value(a, "output")};
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process()) return EXIT_GOOD;
  if (read_choices(&c) && ReportFile(&c, &code)) code = EXIT_MACHINE;
  if (StoreDestroy(&c.store)) code = EXIT_MACHINE;
  return code;
}
