// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "console/output.h"
#include "input/yaml/names.h"
#include "post/picture/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_counts(const char *path, const Input *in) {
  const LimberModel m = in->model;
  int named = 0, unknowns = 0;
  for (int i = 1; i < m->nodes.count; i++) {
    named += model_node_is_named(model_node(m, i));
    unknowns += 3 * node_blocks(model_node(m, i)->kind);
  }
  for (int j = 0; j < m->joints.count; j++) unknowns += joint_step_unknowns(&model_joint(m, j)->joint);
  printf("%s: no errors%s%s%s\n", path, *in->title ? " in '" : "", in->title, *in->title ? "'" : "");
  if (in->participants) {
    printf("  system      %d participants, %d connections; limber couple reads their models\n", in->participants,
           in->connections);
    return;
  }
  printf("  nodes       %d, %d of them named; %d unknowns\n", (int)m->nodes.count - 1, (int)named, (int)unknowns);
  printf("  elements    %d, made of %d finite elements\n", (int)m->components.count, (int)m->elements.count);
  printf("  joints      %d\n  loads       %d\n", (int)m->joints.count, (int)m->loads.count - model_waves(m));
  if (m->ports.count) printf("  ports       %d\n", (int)m->ports.count);
  if (m->surfaces.count) printf("  surfaces    %d\n", (int)m->surfaces.count);
  if (m->contacts.count) printf("  contacts    %d\n", (int)m->contacts.count);
  if (m->events.count) printf("  events      %d\n", (int)m->events.count);
  printf("  probes      %d\n", in->probes);
  const LimberControl *c = &in->options.control;
  if (!(in->end > 0)) {
    printf("  run         none: the file has no part `run`\n");
    return;
  }
  printf("  run         %s", limber_scheme_name(in->options.scheme));
  if (in->options.order > 2) printf(" of order %d", in->options.order);
  if (c->on) printf(", steps of %g s to %g s", c->smallest, c->largest);
  else printf(", %lld steps of %g s", (long long)in->steps, in->options.step);
  printf(" to %g s", in->end);
  if (in->accuracy > 0)
    printf(", halved by `limber run` until lengths and angles are within %g %%", 100 * in->accuracy);
  if (c->on && c->loss > 0) printf(", loss of at most %g W", c->loss);
  putchar('\n');
}

// The word of --view is one of those that there are.
static bool view_is_good(const char *view) {
  Nearest n;
  if (!view) return true;
  nearest_begin(&n, view);
  for (int i = 0; picture_views[i]; i++) {
    if (!strcmp(picture_views[i], view)) return true;
    nearest_try(&n, picture_views[i]);
  }
  print_command_error("check", "there is no view '%s'%s", view, nearest_hint(&n, "there are"));
  return false;
}

// Whether a file of the model, which is no word of the command line, would be overwritten.
static bool is_source(const Input *in, const char *file) {
  const char *slash = strrchr(in->file, '/');
  char name[OUTPUT_NAME];
  for (int i = 1; i < in->sources; i++) {
    const char *source = in->source[i].name;
    snprintf(name, sizeof name, "%.*s%s", slash && *source != '/' ? (int)(slash - in->file) + 1 : 0, in->file, source);
    if (!same_file(name, file)) continue;
    print_command_error("check", "'%s' is an input of this command, so it is not overwritten; give another name", file);
    return true;
  }
  return false;
}

static Error DrawPicture(const Arguments *a, const Input *in, const char *file, ExitCode *code) {
  OutputFile f;
  Refusal wrong;
  *code = EXIT_MISTAKE;
  if (is_source(in, file) || !check_output("check", a, file, canvas_kind_or(file, &canvas_svg)->file)) return 0;
  if (!canvas_takes(file, &wrong)) return print_command_error("check", "%s", wrong.text), 0;
  if (!begin_output("check", a, file, canvas_kind_or(file, &canvas_svg)->file, &f)) return 0;
  Error error = PictureWrite(in->model, in->title, argument_value(a, "view"), canvas_kind_or(file, &canvas_svg), f.out);
  if (error) output_discard(&f);
  TRY(error);
  *code = end_output("check", &f) ? EXIT_GOOD : EXIT_MACHINE;
  if (*code == EXIT_GOOD && !is_device(file)) printf("  picture     %s\n", file);
  return 0;
}

static Error CheckModel(const Arguments *a, ExitCode *code) {
  Input *in;
  const char *change[MAX_GIVEN];
  const InputOptions o = {.read = SourceRead,
                          .change = change,
                          .changes = arguments_of(a, "set", change),
                          .allow_outside = argument_value(a, "allow-outside") != NULL};
  const char *picture = argument_value(a, "picture");
  *code = EXIT_MISTAKE;
  if (!view_is_good(argument_value(a, "view"))) return 0;
  if (picture && a->words > 1) return print_command_error("check", "--picture draws one model, not %d", a->words), 0;
  if (argument_value(a, "view") && !picture) return print_command_error("check", "--view needs --picture model.svg"), 0;
  *code = EXIT_GOOD;
  for (int i = 0; i < a->words; i++) {
    ExitCode one;
    TRY(LoadModelFile("check", a->word[i], &o, &in, &one));
    if (one != EXIT_GOOD) *code = one;
    else if (is_printing_process()) {
      print_counts(a->word[i], in);
      if (picture) TRY(DrawPicture(a, in, picture, code));
    }
    TRY(InputDestroy(&in));
  }
  return 0;
}

static ExitCode run(const Arguments *a) {
  bool frequencies = argument_value(a, "frequencies") || argument_value(a, "resolve");
  ExitCode code;
  if (frequencies && (a->words > 1 || !strcmp(a->word[0], "-"))) {
    print_command_error("check", "--frequencies and --resolve read one model, from a file");
    return EXIT_MISTAKE;
  }
  if (CheckModel(a, &code)) return EXIT_MACHINE;
  fflush(stdout);
  return frequencies && code == EXIT_GOOD ? call_engine("limber_command_check", a) : code;
}

static const Option options[] = {
    {"picture", "p", "model.svg", "draws the model in its initial state, as .svg, .png or .pdf", OPTION_ONCE},
    {"view", NULL, "iso", "direction of view of the picture: x, y or z (along that axis), or iso (isometric)",
     OPTION_ONCE},
    {"frequencies", "f", NULL, "prints the lowest frequencies, their damping, and the highest frequency", OPTION_ONCE},
    {"resolve", "r", "5",
     "prints the step that resolves this mode, counted from the lowest, or a frequency such as 20Hz", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_check = {
    "check",
    "Checks model files and reports all errors.",
    "check model.yaml ... [--frequencies] [--resolve 5] [--picture model.svg [--view iso]] [--set run.step=1ms ...]",
    "The command reports all errors of a file, each with file, line and column. If there are none,\n"
    "it prints a short summary of the model. It does not run the model.\n"
    "\n"
    "Frequencies are those of small motions about the equilibrium under the loads, at rest or rotating;\n"
    "if there is no equilibrium, about the model as written. The highest frequency is that of single\n"
    "finite elements: no step has to resolve it. A step resolves a mode if there are 20 steps per period;\n"
    "the command then prints the errors of period and amplitude that the scheme of the model makes.\n"
    "\n"
    "The picture shows beams and bodies to scale, joints and loads as symbols (docs/pictures.md), and below\n"
    "them the meshes of sections with their plies and regions.\n"
    "A planar model is drawn in its plane, any other model in an isometric view; --view chooses another.",
    "  limber check swing.yaml\n"
    "  limber check swing.yaml --picture swing.svg\n"
    "  limber check robot.yaml --picture robot.png --view iso\n"
    "  limber check crane.yaml --frequencies\n"
    "  limber check crane.yaml --resolve 5\n"
    "  limber check crane.yaml --resolve 20Hz\n"
    "  limber check rotor.yaml --set let.blades=5",
    options,
    1,
    MAX_WORDS,
    "model file",
    false,
    run,
    NULL};
