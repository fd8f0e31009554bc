// SPDX-License-Identifier: Apache-2.0
// `limber fit`: numbers of a model file from measured data, as a table, a file with the fitted values and a picture.
#include "fit/fit.h"

#include "app/command.h"
#include "app/failure.h"
#include "app/tuned.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "post/picture/scene.h"
#include "post/plot/diagram.h"
#include "results/shared_file.h"

#include <math.h>
#include <string.h>

static const char name[] = "fit";

// ---- the table ----

static void print_or_dash(const char *format, int width, double value) {
  if (isfinite(value)) printf(format, width, value);
  else printf("%*s", width, "-");
}

static void print_correlations(LimberFit f) {
  bool any = false;
  for (int a = 0; a < f->parameters; a++)
    for (int b = 0; b < a; b++) {
      double c = f->correlation[a * f->parameters + b];
      if (!(fabs(c) >= 0.005)) continue;
      if (!any) printf("\ncorrelations\n");
      any = true;
      printf("  %s, %s: %.2f\n", f->parameter[b].path, f->parameter[a].path, c);
    }
}

// Changes of parameters, the largest of 1 %, which change nothing that was measured.
static void print_unknown(LimberFit f) {
  for (int k = 0; k < f->unknown; k++) {
    const double *v = f->direction + (size_t)k * f->parameters;
    double most = 0;
    for (int i = 0; i < f->parameters; i++)
      if (fabs(v[i]) > fabs(most)) most = v[i];
    printf("\nthe data cannot tell: the same fit with");
    for (int i = 0, any = 0; i < f->parameters; i++)
      if (fabs(v[i]) > 1e-3 * fabs(most)) printf("%s %s %+.3g %%", any++ ? "," : "", f->parameter[i].path, v[i] / most);
    printf("\n");
  }
}

static void print_table(LimberFit f) {
  int width = 9;
  for (int k = 0; k < f->parameters; k++) width = PetscMax(width, (int)strlen(f->parameter[k].path));
  print_remarks(f->remarks);
  printf("%-*s  %14s  %14s  %14s  %s\n", width, "parameter", "start", "estimate", "standard error", "unit");
  for (int k = 0; k < f->parameters; k++) {
    printf("%-*s  %14.8g  %14.8g  ", width, f->parameter[k].path, f->start[k], f->parameter[k].value);
    print_or_dash("%*.3g", 14, f->error[k]);
    printf("  %s\n", f->parameter[k].unit);
  }
  print_correlations(f);
  print_unknown(f);
  printf("\n%-24s  %6s  %12s  %12s  %s\n", "data", "points", "noise", "residual", "unit");
  for (int k = 0; k < f->entries; k++) {
    const FitEntry *e = &f->entry[k];
    printf("%-24s  %6d  %12.4g  %12.4g  %s%s\n", e->of, e->count, e->noise, e->rms, e->unit,
           e->estimated ? "  noise estimated" : "");
  }
  printf("\nchi-square %.6g of %d degrees of freedom\n", f->chi_square, f->freedom);
  printf("%d analyses and %d with derivatives\n", f->runs, f->gradients);
}

static void print_list(const char *key, int count, const double *value) {
  printf(", \"%s\": [", key);
  for (int i = 0; i < count; i++) printf("%s", i ? ", " : ""), print_json_number(value[i]);
  printf("]");
}

static void print_json(const Arguments *a, LimberFit f) {
  int p = f->parameters;
  printf("{\"model\": "), json_text(stdout, a->word[0]);
  printf(", \"remarks\": "), json_text(stdout, f->remarks);
  printf(", \"chi_square\": "), print_json_number(f->chi_square);
  printf(", \"freedom\": %d, \"differences\": %s, \"runs\": %d, \"gradients\": %d,\n \"parameters\": [", f->freedom,
         f->differences ? "true" : "false", f->runs, f->gradients);
  for (int k = 0; k < p; k++) {
    printf("%s\n  {\"name\": ", k ? "," : ""), json_text(stdout, f->parameter[k].path);
    printf(", \"units\": "), json_text(stdout, f->parameter[k].unit);
    printf(", \"start\": "), print_json_number(f->start[k]);
    printf(", \"value\": "), print_json_number(f->parameter[k].value);
    printf(", \"error\": "), print_json_number(f->error[k]);
    printf(", \"half_step_change\": "), print_json_number(f->shift[k]);
    printf(", \"at_bound\": %s", f->bound[k] ? "true" : "false");
    print_list("correlations", p, f->correlation + (size_t)k * p);
    printf("}");
  }
  printf("],\n \"unknown\": [");
  for (int k = 0; k < f->unknown; k++) {
    printf("%s[", k ? ", " : "");
    for (int i = 0; i < p; i++) printf("%s", i ? ", " : ""), print_json_number(f->direction[k * p + i]);
    printf("]");
  }
  printf("],\n \"data\": [");
  for (int k = 0; k < f->entries; k++) {
    const FitEntry *e = &f->entry[k];
    printf("%s\n  {\"of\": ", k ? "," : ""), json_text(stdout, e->of);
    printf(", \"units\": "), json_text(stdout, e->unit);
    printf(", \"noise\": "), print_json_number(e->noise);
    printf(", \"estimated\": %s, \"residual\": ", e->estimated ? "true" : "false"), print_json_number(e->rms);
    print_list("time", e->file ? e->count : 0, f->time + e->first);
    print_list("measured", e->count, f->measured + e->first);
    print_list("fitted", e->count, f->fitted + e->first);
    printf("}");
  }
  printf("]}\n");
}

// ---- files ----

static bool write_csv(const Arguments *a, LimberFit f) {
  const char *path = argument_value(a, "output");
  OutputFile out;
  if (!path) return true;
  if (!begin_output(name, a, path, FILE_CSV, &out)) return false;
  fprintf(out.out, "of,units,time,measured,noise,fitted\n");
  for (int k = 0; k < f->entries; k++) {
    const FitEntry *e = &f->entry[k];
    for (int i = e->first; i < e->first + e->count; i++) {
      fprintf(out.out, "\"%s\",%s,", e->of, e->unit);
      if (e->file) fprintf(out.out, "%.17g", f->time[i]);
      fprintf(out.out, ",%.17g,%.17g,%.17g\n", f->measured[i], e->noise, f->fitted[i]);
    }
  }
  return end_output(name, &out);
}

enum { LEFT = 90, RIGHT = 30, TOP = 50, BOTTOM = 60, WIDTH = 900, HIGH = 260, GAP = 60 };

// A panel for each history: data as dots, the fitted model as a line.
static bool fill_diagram(LimberFit f, Diagram *d) {
  double top = TOP, range[2];
  for (int k = 0; k < f->entries && d->panels < MAX_PANELS; k++) {
    const FitEntry *e = &f->entry[k];
    const double *t = f->time + e->first, *const y[] = {f->measured + e->first, f->fitted + e->first};
    if (!e->file) continue;
    Panel *p = diagram_panel(d, LEFT, top, WIDTH - RIGHT, top + HIGH);
    range[0] = INFINITY, range[1] = -INFINITY;
    for (int i = 0; i < 2 * e->count; i++)
      range[0] = fmin(range[0], y[i % 2][i / 2]), range[1] = fmax(range[1], y[i % 2][i / 2]);
    double air = range[1] > range[0] ? 0.05 * (range[1] - range[0]) : 1;
    axis_set(&p->x, "time", "s", t[0], e->count > 1 ? t[e->count - 1] : t[0] + 1);
    axis_set(&p->y, e->of, e->unit, range[0] - air, range[1] + air);
    p->legend = LEGEND_CORNER;
    for (int i = 0; i < 2; i++) {
      Curve *c = panel_curve(d, p, i ? CURVE_LINE : CURVE_DOTS, e->count, t, y[i], NULL);
      curve_name(c, i ? "fit" : "data", k);
      c->colour = series_colour(i), c->width = i ? 2 : 4;
      snprintf(c->legend, sizeof c->legend, "%s", i ? "fitted" : "measured");
    }
    top += HIGH + GAP;
  }
  d->width = WIDTH, d->height = (int)top - GAP + BOTTOM, d->fit_left = true;
  return d->panels > 0;
}

static bool write_picture(const Arguments *a, const Input *in, LimberFit f) {
  const char *path = argument_value(a, "picture");
  Diagram *d;
  OutputFile out;
  bool good;
  if (!path) return true;
  const CanvasKind *kind = canvas_kind_or(path, &canvas_png);
  if (MemoryNew(sizeof *d, &d)) return print_command_error(name, "not enough memory"), false;
  snprintf(d->title, sizeof d->title, "%s", in->title);
  good = fill_diagram(f, d);
  if (!good) print_command_error(name, "--picture: there is no measured history to draw");
  good = good && begin_output(name, a, path, kind->file, &out);
  if (good && !diagram_draw(d, kind, out.out)) {
    print_command_error(name, "not enough memory");
    output_discard(&out), good = false;
  }
  diagram_free(d);
  return good && end_output(name, &out);
}

// ---- the command ----

static PetscErrorCode Work(const Arguments *a, const InputOptions *o, Input *in, ExitCode *code) {
  LimberFit f;
  Refusal wrong;
  int good = 1;
  PetscFunctionBegin;
  end_at_signal(name);
  PetscCall(FitFind(in, o->read, &f, &wrong));
  set_last_words(NULL);
  if (!f) {
    print_command_error(name, "%s", wrong.text);
    *code = in->fit.parameters ? EXIT_FAILED : EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  if (is_printing_process()) {
    if (argument_value(a, "json")) print_json(a, f);
    else print_table(f), print_run_with(a->word[0], f->parameters, f->parameter);
    good = write_csv(a, f) && write_picture(a, in, f);
  }
  PetscCallMPI(MPI_Bcast(&good, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  if (!good) *code = EXIT_MISTAKE;
  PetscCall(FitDestroy(&f));
  PetscFunctionReturn(0);
}

static PetscErrorCode CheckFiles(const Arguments *a, const Input *in, ExitCode *code) {
  const char *path = argument_value(a, "output"), *picture = argument_value(a, "picture");
  Refusal wrong;
  bool can = true;
  PetscFunctionBegin;
  if (picture && !canvas_takes(picture, &wrong)) print_command_error(name, "%s", wrong.text), can = false;
  if (can && path) PetscCall(CanWriteFile(name, path, FILE_CSV, in, &can));
  if (can && picture) PetscCall(CanWriteFile(name, picture, canvas_kind_or(picture, &canvas_png)->file, in, &can));
  if (!can) *code = EXIT_MISTAKE;
  PetscFunctionReturn(0);
}

static PetscErrorCode Fit(const Arguments *a, ExitCode *code) {
  const char *change[MAX_GIVEN];
  InputOptions o = {.read = ReadOnAllRanks, .change = change, .changes = arguments_of(a, "set", change)};
  Input *in = NULL;
  PetscFunctionBegin;
  o.allow_outside = argument_value(a, "allow-outside") != NULL;
  *code = EXIT_MISTAKE;
  PetscCall(LoadModelFile(name, a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD) PetscCall(CheckFiles(a, in, code));
  if (*code == EXIT_GOOD) PetscCall(Work(a, &o, in, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_fit(const Arguments *a) { return CommandStart(a, Fit); }
