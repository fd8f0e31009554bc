// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"
#include "input/blades/blade.h"
#include "input/robots/robot.h"
#include "mechanics/section_matrix.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static ExitCode print_formats(void) {
#define BLADE_FORMAT(name, NAME, help) printf("  %-10s %s\n", #name, help);
  if (is_printing_process()) {
#include "input/blades/formats.def"
    printf("  %-10s %s\n", "urdf", "a robot: links, joints, shapes");
  }
#undef BLADE_FORMAT
  return EXIT_GOOD;
}

// The words of the command line; false after a message.
static bool read_choices(const Arguments *a, BladeChoices *out) {
  const char *gyration = argument_value(a, "gyration");
  char known[200];
  *out = (BladeChoices){.format = argument_value(a, "format"),
                        .part = argument_value(a, "part"),
                        .data = argument_value(a, "sections"),
                        .about_mass_centre = gyration && !strcmp(gyration, "mass_centre")};
  if (out->format && !blade_format(out->format, "", 0))
    return print_command_error("import", "there is no format '%s'; there are %s, urdf", out->format,
                               blade_formats_text(known, sizeof known)),
           false;
  if (gyration && strcmp(gyration, "mass_centre") != 0 && strcmp(gyration, "elastic_centre") != 0)
    return print_command_error("import", "--gyration is elastic_centre or mass_centre, not '%s'", gyration), false;
  return true;
}

static Error WriteModel(const Arguments *a, const BladeChoices *choices, const Blade *b, ExitCode *code) {
  const char *file = argument_value(a, "output");
  OutputFile f;
  if (!file) return BladeWriteModel(b, a->word[0], choices->part, stdout);
  *code = EXIT_MISTAKE;
  if (!begin_output("import", a, file, FILE_MODEL, &f)) return 0;
  Error error = BladeWriteModel(b, a->word[0], choices->part, f.out);
  if (error) output_discard(&f);
  TRY(error);
  *code = end_output("import", &f) ? EXIT_GOOD : EXIT_MACHINE;
  if (*code != EXIT_GOOD || is_device(file)) return 0;
  printf("%s was written: %d section%s", file, b->sections, b->sections == 1 ? "" : "s");
  if (b->sections_only) puts(" and no axis. Include it in a model.");
  else printf(" along %d points of the axis. Next:\n\n  limber modes %s\n", b->points, file);
  return 0;
}

// Whether a beam can have the sections; false after a message.
static bool check_sections(const Arguments *a, const Blade *b, const char *part) {
  char lacks[200];
  for (int i = 0; i < b->sections; i++) {
    if (!*section_lacks(&b->section[i], lacks, sizeof lacks)) continue;
    print_command_error(
        "import",
        "%s:%d: the sections of '%s' have no %s, which a beam needs: add them to the file (in WindIO, an outer "
        "diameter with layers is enough); 'limber section %s%s%s' shows what the file contains",
        b->section_file, b->line[i], part ? part : "blade", lacks, a->word[0], part ? " --part " : "",
        part ? part : "");
    return false;
  }
  return true;
}

static Error ImportBlade(const Arguments *a, const BladeChoices *choices, ExitCode *code) {
  Store store = {0};
  Diagnostics diagnostics = {0};
  Blade b;
  bool good;
  *code = EXIT_MISTAKE;
  TRY(BladeOpen(a->word[0], choices, &store, &diagnostics, &b, &good));
  if (is_printing_process()) TRY(DiagnosticsPrint(&diagnostics, stderr, style_diagnostic));
  good = good && check_sections(a, &b, choices->part);
  if (good) *code = EXIT_GOOD;
  if (good && is_printing_process()) TRY(WriteModel(a, choices, &b, code));
  TRY(DiagnosticsDestroy(&diagnostics));
  TRY(StoreDestroy(&store));
  return 0;
}

// ---- robots ----

static bool is_robot(const Arguments *a) {
  const char *format = argument_value(a, "format"), *dot = strrchr(a->word[0], '.');
  return format ? !strcmp(format, "urdf") : dot && !strcmp(dot, ".urdf");
}

// Files of shapes are looked for beside the model, as `visuals` will.
static void warn_of_shapes(const Robot *r, const char *file) {
  const char *slash = strrchr(file, '/'), *first = NULL;
  char path[4400];
  int missing = 0;
  for (int l = 0; l < r->links; l++)
    for (int i = 0; i < r->link[l].visuals; i++) {
      const char *shape = robot_shape_file(&r->link[l].visual[i]);
      if (!shape) continue;
      snprintf(path, sizeof path, "%.*s%s", slash && *shape != '/' ? (int)(slash + 1 - file) : 0, file, shape);
      if (!access(path, R_OK)) continue;
      missing++;
      if (!first) first = shape;
    }
  if (missing)
    print_command_error("import",
                        "warning: there is no file '%s' next to %s (%d shape%s without a file): copy it there, or "
                        "remove its line under `visuals`",
                        first, file, missing, missing == 1 ? "" : "s");
}

static Error WriteRobot(const Arguments *a, const Robot *r, ExitCode *code) {
  const char *file = argument_value(a, "output");
  OutputFile f;
  *code = EXIT_GOOD;
  if (!file) return RobotWriteModel(r, a->word[0], stdout);
  *code = EXIT_MISTAKE;
  if (!begin_output("import", a, file, FILE_MODEL, &f)) return 0;
  Error error = RobotWriteModel(r, a->word[0], f.out);
  if (error) output_discard(&f);
  TRY(error);
  *code = end_output("import", &f) ? EXIT_GOOD : EXIT_MACHINE;
  if (*code == EXIT_GOOD && !is_device(file)) warn_of_shapes(r, file);
  if (*code == EXIT_GOOD && !is_device(file))
    printf("%s was written: %d links and %d joints. Next:\n\n  limber check %s --picture robot.svg\n", file, r->links,
           r->joints, file);
  return 0;
}

static Error ImportRobot(const Arguments *a, ExitCode *code) {
  Store store = {0};
  Diagnostics diagnostics = {0};
  Robot r;
  bool good;
  *code = EXIT_MISTAKE;
  TRY(RobotRead(a->word[0], &store, &diagnostics, &r, &good));
  if (is_printing_process()) TRY(DiagnosticsPrint(&diagnostics, stderr, style_diagnostic));
  if (good) *code = EXIT_GOOD;
  if (good && is_printing_process()) TRY(WriteRobot(a, &r, code));
  TRY(DiagnosticsDestroy(&diagnostics));
  TRY(StoreDestroy(&store));
  return 0;
}

static ExitCode run(const Arguments *a) {
  BladeChoices choices;
  ExitCode code;
  if (argument_value(a, "list")) return print_formats();
  if (!a->words) {
    print_command_error("import", "the name of a file is missing; limber import --list lists the formats");
    return EXIT_MISTAKE;
  }
  if (is_robot(a)) return ImportRobot(a, &code) ? EXIT_MACHINE : code;
  if (!read_choices(a, &choices)) return EXIT_MISTAKE;
  return ImportBlade(a, &choices, &code) ? EXIT_MACHINE : code;
}

static const Option options[] = {
    {"output", "o", "blade.yaml", "output file; default: stdout", OPTION_ONCE},
    {"format", NULL, "beamdyn", "format of the file; default: detected", OPTION_ONCE},
    {"part", "p", "tower", "part of a file with several: tower, another WindIO component, a HAWC2 main body",
     OPTION_ONCE},
    {"sections", NULL, "blade.st", "HAWC2: section file instead of the one that the .htc names", OPTION_ONCE},
    {"gyration", NULL, "mass_centre", "HAWC2: reference point of the radii of gyration; default: elastic_centre",
     OPTION_ONCE},
    {"list", "l", NULL, "lists the formats", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_import = {
    "import",
    "Converts a blade, tower or shaft of another program, or a robot of a URDF file, to a model.",
    "import blade.dat [-o blade.yaml] [--part tower] [--format beamdyn], or import --list",
    "The model has the axis, the sections and the damping of the file, and a clamped root. Comments give the\n"
    "source of each number. Numbers have as many digits as in the file; matrices are made symmetric. A model can\n"
    "also read the file directly: beam: {from_file: {beamdyn: blade.dat}} (docs/blades.md).\n"
    "\n"
    "From a URDF file (.urdf) the model gets the links as rigid bodies, the joints with limits, damping and\n"
    "friction, motors limited to their effort, shapes and collision shapes, gravity, and a root that is\n"
    "fixed to the ground (docs/robots.md).",
    "  limber import NRELOffshrBsline5MW_BeamDyn.dat -o blade.yaml\n"
    "  limber import IEA-15-240-RWT.yaml --part tower -o tower.yaml\n"
    "  limber import robot.urdf -o robot.yaml\n"
    "  limber import --list",
    options,
    0,
    1,
    "file",
    false,
    run,
    NULL};
