// SPDX-License-Identifier: Apache-2.0
// Error bars as a table and as JSON; an accuracy in words.
#include "post/converge/converge.h"

#include "console/console.h"
#include "model/steps.h"
#include "post/picture/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool converge_accuracy(const char *text, double *accuracy) {
  char *end;
  double x = strtod(text, &end);
  if (end == text) return false;
  while (*end == ' ') end++;
  if (*end == '%') x /= 100, end++;
  *accuracy = x;
  return !*end && x > 0 && x < 1;
}

void converge_free(Convergence *c) {
  free(c->row), free(c->still);
  c->row = NULL, c->still = NULL, c->rows = c->stills = 0;
}

// ---- the table ----

static const char *percent(double part, char *text, size_t size) {
  if (isfinite(part)) snprintf(text, size, "%.2g %%", 100 * part);
  else snprintf(text, size, "-");
  return text;
}

static void print_runs(const Convergence *c) {
  char text[32], spent[32];
  printf("  %-14s %9s %10s  %s\n", "step", "steps", "took", "largest error");
  for (int k = 0; k < c->runs; k++) {
    const ConvergeRun *r = &c->run[k];
    printf("  %-12.6g s %9lld %10s  ", r->step, (long long)r->steps, format_duration(r->seconds, spent, sizeof spent));
    if (k < c->first)
      printf("%s at t = %.6g s%s%s\n", run_status_words[r->status], r->time, *r->cause ? ": " : "", r->cause);
    else if (r->worst < 0) printf("-\n");
    else if (!isfinite(r->error))
      printf("no error bar: %s, %s\n", c->row[r->worst].label, converge_measures[c->row[r->worst].measure]);
    else
      printf("%s of the range: %s, %s\n", percent(r->error, text, sizeof text), c->row[r->worst].label,
             converge_measures[c->row[r->worst].measure]);
  }
}

static int label_width(const Convergence *c) {
  int width = 6;
  for (int i = 0; i < c->rows; i++) {
    int own = (int)strlen(c->row[i].label);
    if (own > width) width = own;
  }
  return width < 40 ? width : 40;
}

static void print_row(const Convergence *c, const ConvergeRow *r, int width) {
  char error[60], part[32], order[32], units[64];
  bool bar = isfinite(r->error);
  double relative = bar && r->scale > 0 ? r->error / r->scale : NAN;
  snprintf(units, sizeof units, "%s", strcmp(r->units, "1") ? r->units : "");
  snprintf(error, sizeof error, bar ? "%.2g" : "none", r->error);
  if (isfinite(r->order)) snprintf(order, sizeof order, "%.1f", r->order);
  else snprintf(order, sizeof order, "-");
  printf("  %-*.*s %-8s %14.8g %10s %-8s %9s %6s  ", width, width, r->label, converge_measures[r->measure], r->value,
         error, units, percent(relative, part, sizeof part), order);
  if (c->mesh_step > 0)
    printf("%9s  ", percent(r->scale > 0 ? r->mesh / r->scale : isfinite(r->mesh) ? 0 : NAN, part, sizeof part));
  set_style(stdout, r->verdict == VERDICT_CONVERGED ? STYLE_GOOD : bar ? STYLE_WARNING : STYLE_ERROR);
  printf("%s", converge_verdicts[r->verdict]);
  set_style(stdout, STYLE_PLAIN);
  if (!bar) printf("; spread %.2g", r->spread);
  else if (relative > c->accuracy) printf("; above %s", percent(c->accuracy, part, sizeof part));
  printf("\n");
}

static void print_still(const Convergence *c) {
  enum { MOST = 12 };
  if (!c->stills) return;
  printf("  constant    ");
  for (int i = 0; i < c->stills && i < MOST; i++) printf("%s%s", i ? ", " : "", c->still[i]);
  printf("%s: within round-off\n", c->stills > MOST ? ", ..." : "");
}

// Columns that no step of the family gives well enough.
static void print_missing(const Convergence *c) {
  enum { MOST = 6 };
  const char *last = "";
  int count = 0;
  for (int i = 0; i < c->rows; i++) {
    const ConvergeRow *r = &c->row[i];
    if ((isfinite(r->error) && r->error <= c->accuracy * r->scale) || !strcmp(last, r->label)) continue;
    last = r->label;
    if (count++ < MOST) printf("%s%s", count > 1 ? ", " : "", last);
  }
  printf("%s", count > MOST ? ", ..." : "");
}

static void print_mesh(const Convergence *c) {
  char part[32];
  if (!(c->mesh_step > 0)) return;
  printf("  mesh        ");
  if (c->mesh_worst < 0) printf("no quantity that counts");
  else if (isfinite(c->mesh_error))
    printf("errors of at most %s of the range", percent(c->mesh_error, part, sizeof part));
  else printf("no error bar");
  if (c->mesh_worst >= 0)
    printf(": %s, %s", c->row[c->mesh_worst].label, converge_measures[c->row[c->mesh_worst].measure]);
  printf("; from 2 and 4 times the elements with steps of %.6g s\n", c->mesh_step);
}

void converge_print(const Convergence *c) {
  char part[32], spent[32];
  int width = label_width(c);
  const ConvergeRun *finest = &c->run[c->runs - 1];
  printf("%s: %d runs with steps of %.6g s to %.6g s, in %s; the order of the scheme is %g\n", c->model,
         c->runs - c->first, c->run[c->first].step, finest->step, format_duration(c->seconds, spent, sizeof spent),
         c->order);
  print_runs(c);
  printf("  %-*s %-8s %14s %10s %-8s %9s %6s  %s%s\n", width, "column", "quantity", "value", "error", "", "of range",
         "order", c->mesh_step > 0 ? "     mesh  " : "", "verdict");
  for (int i = 0; i < c->rows; i++) print_row(c, &c->row[i], width);
  print_still(c);
  percent(c->accuracy, part, sizeof part);
  if (!*c->horizon_column && c->parted)
    printf("  horizon     histories are within %s up to the end, t = %.6g s\n", part, c->end);
  else if (!*c->horizon_column)
    printf("  horizon     the last two runs agree within %s up to the end, t = %.6g s\n", part, c->end);
  else
    printf("  horizon     t = %.6g s of %.6g s: then the last two runs differ by more than %s, first in %s\n",
           c->horizon, c->end, part, c->horizon_column);
  if (c->chosen >= 0)
    printf("  step        %.6g s is the longest of these steps with all errors within %s\n", c->run[c->chosen].step,
           part);
  else if (converge_misses_load(c))
    printf("  step        none of these steps is short enough for '%s', which needs %.2g s: errors may be larger than "
           "their bars\n",
           c->shortest_load, c->longest);
  else {
    printf("  step        none of these steps has all errors within %s; beyond it or without an error bar: ", part);
    print_missing(c);
    printf("\n");
  }
  print_mesh(c);
}

// ---- JSON ----

static void json_number(const char *key, double x, const char *after) {
  if (isfinite(x)) printf("\"%s\": %.17g%s", key, x, after);
  else printf("\"%s\": null%s", key, after);
}

static void json_string(const char *key, const char *text, const char *after) {
  printf("\"%s\": ", key);
  json_text(stdout, text);
  printf("%s", after);
}

static void json_row(const ConvergeRow *r) {
  printf("\n  {");
  json_string("column", r->column, ", ");
  json_string("label", r->label, ", ");
  json_string("units", r->units, ", ");
  json_string("quantity", converge_measures[r->measure], ", ");
  json_number("value", r->value, ", ");
  json_number("error", r->error, ", ");
  json_number("relative", r->scale > 0 ? r->error / r->scale : NAN, ", ");
  json_number("spread", r->spread, ", ");
  json_number("order", r->order, ", ");
  json_number("mesh", r->mesh, ", ");
  json_string("verdict", converge_verdicts[r->verdict], "}");
}

void converge_print_json(const Convergence *c) {
  printf("{");
  json_string("model", c->model, ", ");
  json_number("accuracy", c->accuracy, ", ");
  json_number("order", c->order, ", ");
  json_number("end", c->end, ", ");
  json_number("horizon", c->horizon, ", ");
  json_string("horizon_column", c->horizon_column, ", ");
  json_number("step", c->chosen >= 0 ? c->run[c->chosen].step : NAN, ", ");
  json_number("mesh_step", c->mesh_step > 0 ? c->mesh_step : NAN, ", ");
  json_number("mesh_error", c->mesh_step > 0 ? c->mesh_error : NAN, ",\n ");
  printf("\"runs\": [");
  for (int k = 0; k < c->runs; k++) {
    const ConvergeRun *r = &c->run[k];
    printf("%s\n  {", k ? "," : "");
    json_number("step", r->step, ", ");
    printf("\"steps\": %lld, ", (long long)r->steps);
    json_number("seconds", r->seconds, ", ");
    json_number("time", r->time, ", ");
    json_string("status", run_status_words[r->status], ", ");
    json_string("cause", r->cause, ", ");
    json_number("error", k < c->first || r->worst < 0 ? NAN : r->error, "}");
  }
  printf("],\n \"quantities\": [");
  for (int i = 0; i < c->rows; i++) printf("%s", i ? "," : ""), json_row(&c->row[i]);
  printf("],\n \"constant\": [");
  for (int i = 0; i < c->stills; i++) printf("%s", i ? ", " : ""), json_text(stdout, c->still[i]);
  printf("]}\n");
}
