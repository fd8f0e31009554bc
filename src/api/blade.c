// SPDX-License-Identifier: Apache-2.0
// The public interface to blade files.
#include "base/cookie.h"
#include "input/blades/blade.h"
#include "limber/limber.h"
#include "mechanics/section_matrix.h"

#include <stdlib.h>
#include <string.h>

struct LimberBladeData {
  Store store;
  Diagnostics diagnostics;
  Blade blade;
  LimberStation *station;
  int stations;
  char *text; // of the diagnostics
  char remarks[800];
};

static Error PrintDiagnostics(LimberBlade b) {
  size_t size = 0;
  FILE *out = open_memstream(&b->text, &size);
  ENSURE(out, ERROR_MEMORY, "no memory to print into");
  Error error = DiagnosticsPrint(&b->diagnostics, out, NULL);
  ENSURE(!fclose(out), ERROR_MEMORY, "no memory to print into");
  return error;
}

static Error FillStations(LimberBlade b) {
  const Blade *blade = &b->blade;
  bool good;
  if (blade->sections_only) return 0;
  TRY(StoreAllocate(&b->store, (size_t)blade->points * sizeof *b->station, &b->station));
  TRY(BladeStations(blade, b->station, &good));
  b->stations = blade->points;
  return 0;
}

static Error ReadBlade(const char *path, const LimberBladeOptions *options, LimberBlade b) {
  BladeChoices choices = {0};
  bool good;
  if (options) {
    ENSURE((unsigned)options->format <= LIMBER_BLADE_ELASTODYN, ERROR_ARGUMENT, "there is no blade format %d",
           (int)options->format);
    const char *format = options->format ? blade_formats[options->format - 1]->name : NULL;
    ENSURE(options->torsion >= 0 && options->stretch >= 0, ERROR_ARGUMENT,
           "LimberBladeRead is given a negative stiffness of %s", options->torsion >= 0 ? "stretch" : "torsion");
    choices = (BladeChoices){format,           options->part,   options->sections, options->about_mass_centre,
                             options->torsion, options->stretch};
  }
  TRY(BladeOpen(path, &choices, &b->store, &b->diagnostics, &b->blade, &good));
  if (good) TRY(FillStations(b));
  if (b->diagnostics.errors) b->blade.sections = b->stations = 0;
  TRY(PrintDiagnostics(b));
  const char *const remark[] = {b->blade.remark, b->blade.damping_remark};
  for (int i = 0; i < 2; i++) {
    size_t n = strlen(b->remarks);
    if (remark[i][0]) snprintf(b->remarks + n, sizeof b->remarks - n, "%s%s", n ? "\n" : "", remark[i]);
  }
  return 0;
}

int LimberBladeRead(const char *path, const LimberBladeOptions *options, LimberBlade *blade) {
  LimberBlade b;
  ENSURE(path && blade, ERROR_ARGUMENT, "LimberBladeRead is given NULL for %s", path ? "blade" : "path");
  ENSURE(!options || options->cookie == OPTIONS_COOKIE, ERROR_ARGUMENT,
         "LimberBladeRead is given options that limber_blade_options_default did not make");
  *blade = NULL;
  TRY(MemoryNew(sizeof *b, &b));
  Error error = ReadBlade(path, options, b);
  if (error) TRY(LimberBladeDestroy(&b));
  *blade = b;
  return error;
}

int LimberBladeDestroy(LimberBlade *blade) {
  if (!blade || !*blade) return 0;
  LimberBlade b = *blade;
  TRY(DiagnosticsDestroy(&b->diagnostics));
  TRY(StoreDestroy(&b->store));
  free(b->text);
  memory_free(blade);
  return 0;
}

int limber_blade_errors(LimberBlade b) { return b->diagnostics.errors; }
const char *limber_blade_diagnostics(LimberBlade b) { return b->text ? b->text : ""; }
const char *limber_blade_format(LimberBlade b) { return b->blade.format ? b->blade.format->name : ""; }
const char *limber_blade_remarks(LimberBlade b) { return b->remarks; }
const double *limber_blade_damping(LimberBlade b) { return b->blade.damping; }

int limber_blade_stations(LimberBlade b, const LimberStation **station) {
  if (station) *station = b->station;
  return b->stations;
}

int limber_blade_sections(LimberBlade b, const LimberSection **section) {
  if (section) *section = b->blade.section;
  return b->blade.sections;
}

double limber_blade_asymmetry(LimberBlade b, int i) {
  return i >= 0 && i < b->blade.sections ? b->blade.asymmetry[i] : 0;
}

double limber_blade_chord(LimberBlade b, int i) {
  return b->blade.chord && i >= 0 && i < b->blade.sections ? b->blade.chord[i] : 0;
}

// The public interface to centres and principal axes of sections.

bool limber_section_frame(const LimberSection *section, LimberSectionFrame *frame) {
  return section_frame(section, frame);
}
