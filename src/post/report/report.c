// SPDX-License-Identifier: Apache-2.0
// Equations: eq-scheme-theorem (3.3).
#include "post/report/report.h"

#include "console/library_commands.h"
#include "model/steps.h"
#include "post/study/study.h"
#include "schemes/scheme.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const report_name = "report";

// What docs/theory proves of a scheme, in two sentences.
static const struct {
  LimberScheme scheme;
  const char *text;
} proofs[] = {
    {LIMBER_SCHEME_DECAYING,
     "In every step the energy, including the stored scheme energy, changes by the work of the loads minus a loss that "
     "is never negative, for every model and every step length, and the stored scheme energy starts with at most that "
     "of the rotation of bodies: the run cannot blow up. Numerical damping removes waves that the step does not "
     "resolve, down to rho_inf of them per step; the scheme is of second order, also in mechanisms and for forces."},
    {LIMBER_SCHEME_PRESERVING,
     "In every step the energy changes by the work of the loads and by nothing else, and both momenta are preserved, "
     "for every model and every step length. There is no numerical damping: waves that the step does not resolve "
     "continue for ever, and the scheme is of second order."},
    {LIMBER_SCHEME_DECAYING_A,
     "In every step the energy changes by the work of the loads minus a loss that is never negative, for every model "
     "and every step length: the run cannot blow up. Numerical damping removes waves that the step does not resolve, "
     "all of them at infinite frequency; the scheme is of second order, also in mechanisms."},
    {LIMBER_SCHEME_DECAYING_B, "In every step the energy changes by the work of the loads minus a loss that is never "
                               "negative, for every model and every step length: the run cannot blow up. beta moves "
                               "the frequency where losses begin; the scheme is of second order, also in mechanisms."},
    {LIMBER_SCHEME_DECAYING_C,
     "In every step the energy changes by the work of the loads minus a loss that is never negative, for every model "
     "and every step length: the run cannot blow up. Numerical damping removes waves that the step does not resolve, "
     "down to rho_inf of them per step; the scheme is of second order, also in mechanisms."},
    {LIMBER_SCHEME_GENERALIZED_ALPHA,
     "No theorem bounds its energy: the dissipated energy is found by difference and may have either sign, so that the "
     "energy balance closes by construction and proves nothing. The scheme is of second order, and on linear problems "
     "damps the fastest waves down to rho_inf per step."},
    {LIMBER_SCHEME_EXPONENTIAL,
     "Every mode of the structure about its reference is propagated in closed form, and joints are satisfied in "
     "position and velocity at the end of each step. No theorem bounds its energy: the dissipated energy is found by "
     "difference, so that the energy balance closes by construction and proves nothing."},
    {LIMBER_SCHEME_EXPONENTIAL_PAPER,
     "Every mode of the structure about its reference is propagated in closed form; forces of joints are expanded at "
     "the start of a step, so that joints drift. No theorem bounds its energy: the dissipated energy is found by "
     "difference, and the energy balance proves nothing."},
    {LIMBER_SCHEME_NEWMARK_PAPER, "Newmark's method as a predictor and one corrector, for comparison; joints are "
                                  "satisfied in acceleration, so that they drift. No theorem bounds its energy: the "
                                  "dissipated energy is found by difference, and the energy balance proves nothing."},
};

static bool is_proved(const Report *r) {
  const SchemeKind *kind = scheme_kind(r->in->options.scheme);
  StepRule rule = {0};
  return kind && !kind->make(&r->in->options, &rule).text && rule.proved;
}

static double sum_of(Report *r, LedgerId id) {
  double sum = 0, *x = report_values(r, id);
  for (int i = 0; x && i < r->rows; i++) sum += x[i];
  free(x);
  return sum;
}

static double largest_of(Report *r, LedgerId id) {
  double most = 0, *x = report_values(r, id);
  for (int i = 0; x && i < r->rows; i++) most = fmax(most, fabs(x[i]));
  free(x);
  return most;
}

static double last_of(Report *r, LedgerId id) {
  double *x = report_values(r, id), last = x ? x[r->rows - 1] : NAN;
  free(x);
  return last;
}

static void write_verdict(Report *r, bool good, const char *what, const char *format, ...) PRINTF_LIKE(4, 5);
static void write_verdict(Report *r, bool good, const char *what, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fputs("<tr>", r->out);
  page_text(r->out, "td", good ? "good" : "look", "%s", good ? "good" : "look here");
  page_text(r->out, "th", "", "%s", what);
  page_text(r->out, "td", "", "%s", text);
  fputs("</tr>\n", r->out);
}

// Whether what was lost grew or stayed in every row.
static bool never_gained(Report *r, double scale) {
  double *x = report_values(r, LEDGER_DISSIPATED);
  bool good = x != NULL;
  for (int i = 1; i < r->rows && good; i++) good = x[i] >= x[i - 1] - 1e-12 * scale;
  free(x);
  return good;
}

bool report_is_static(const Report *r) {
  char analysis[40] = "";
  results_text(r->run, "analysis", analysis, sizeof analysis);
  return !strcmp(analysis, "static");
}

bool report_in_time(const Report *r) { return !strcmp(results_axis_units(r->run), "s"); }

// What holds of steps of any analysis.
static void write_step_verdicts(Report *r) {
  double violation = largest_of(r, LEDGER_CONSTRAINT), rejected = sum_of(r, LEDGER_REJECTED);
  write_verdict(r, violation < 1e-6, "joints", "constraint violation of at most %.2g", violation);
  write_verdict(r, rejected == 0, "steps", "%.0f attempts were repeated with a shorter step, of %.0f steps in all",
                rejected, sum_of(r, LEDGER_SUBSTEPS));
  write_verdict(r, !r->in->diagnostics.count, "model", "%d warning%s", r->in->diagnostics.count,
                r->in->diagnostics.count == 1 ? "" : "s");
}

static void write_static_verdicts(Report *r) {
  char status[40], at[120];
  bool reached = !strcmp(results_status(r->run, status, sizeof status), run_status_words[RUN_FINISHED]);
  page_section(r->out, "Can it be trusted?");
  fputs("<table class=\"verdicts\"><tbody>\n", r->out);
  write_verdict(r, reached, "end", reached ? "reached, %s" : "not reached: it stopped at %s",
                results_at(r->run, r->t[r->rows - 1], at, sizeof at));
  write_step_verdicts(r);
  fputs("</tbody></table>\n", r->out);
}

// If the momentum balance is checked.
static void write_momentum_verdict(Report *r) {
  double scale = last_of(r, LEDGER_MOMENTUM_SCALE), angular_scale = last_of(r, LEDGER_ANGULAR_MOMENTUM_SCALE);
  double error = scale > 0 ? largest_of(r, LEDGER_MOMENTUM_ERROR) / scale : 0;
  double angular_error = angular_scale > 0 ? largest_of(r, LEDGER_ANGULAR_MOMENTUM_ERROR) / angular_scale : 0;
  if (r->in->options.momentum == LIMBER_MOMENTUM_UNCHECKED) return;
  write_verdict(r, r->in->options.momentum != LIMBER_MOMENTUM_EXACT || fmax(error, angular_error) < 1e-9, "momentum",
                "balance error of a step of at most %.2g of the momentum and %.2g of the angular momentum exchanged",
                error, angular_error);
}

// Of a run that chose its step: how far its histories are to be trusted.
static void write_accuracy(Report *r) {
  double accuracy = results_real(r->run, "accuracy", 0), horizon = results_real(r->run, "horizon", 0);
  char column[200] = "";
  if (!(accuracy > 0)) return;
  results_text(r->run, "horizon_column", column, sizeof column);
  if (!*column)
    write_verdict(r, true, "accuracy",
                  "runs with this step and with twice this step agree within %.2g %% up to the end", 100 * accuracy);
  else
    write_verdict(r, false, "accuracy",
                  "runs with this step and with twice this step agree within %.2g %% until t = %.4g s; %s is the first "
                  "to differ",
                  100 * accuracy, horizon, column);
}

static void write_verdicts(Report *r) {
  char status[40];
  double exchanged = last_of(r, LEDGER_EXCHANGED), scale = exchanged > 0 ? exchanged : 1;
  double open = largest_of(r, LEDGER_RESIDUAL) / scale, lost = last_of(r, LEDGER_DISSIPATED) / scale;
  bool proved = is_proved(r),
       reached = !strcmp(results_status(r->run, status, sizeof status), run_status_words[RUN_FINISHED]);
  page_section(r->out, "Can it be trusted?");
  fputs("<table class=\"verdicts\"><tbody>\n", r->out);
  write_verdict(r, reached, "end",
                reached ? "reached, t = %.6g s of %.6g s" : "not reached: it stopped at t = %.6g s of %.6g s",
                r->t[r->rows - 1], r->in->end);
  write_accuracy(r);
  if (proved)
    write_verdict(r, open < 1e-9, "balance", "energy balance error of at most %.2g of the energy exchanged (%.6g J)",
                  open, exchanged);
  else
    write_verdict(r, false, "balance", "no theorem covers this scheme: that it closes to %.2g of %.6g J proves nothing",
                  open, exchanged);
  write_verdict(r, never_gained(r, scale), "energy",
                "the scheme dissipated %.2g of the energy exchanged, %.6g J, in total", lost, lost * scale);
  if (lost > 0.05 || lost < -0.01)
    write_verdict(r, false, "loss",
                  "%.2g of the energy exchanged: compare with a run of half the step (limber compare)", lost);
  write_momentum_verdict(r);
  write_step_verdicts(r);
  fputs("</tbody></table>\n", r->out);
}

static void write_scheme(Report *r) {
  const LimberOptions *o = &r->in->options;
  page_section(r->out, "The scheme and its proved properties");
  fputs("<table><tbody>\n", r->out);
  page_fact(r->out, "scheme", "%s", limber_scheme_name(o->scheme));
  if (o->order > 2) page_fact(r->out, "order", "%d", o->order);
  if (o->scheme == LIMBER_SCHEME_DECAYING || o->scheme == LIMBER_SCHEME_DECAYING_C ||
      o->scheme == LIMBER_SCHEME_GENERALIZED_ALPHA)
    page_fact(r->out, "rho_inf", "%.6g", o->rho_inf);
  if (o->scheme == LIMBER_SCHEME_DECAYING_B) page_fact(r->out, "beta", "%.6g", o->beta);
  if (o->momentum == LIMBER_MOMENTUM_EXACT) page_fact(r->out, "momentum", "exact");
  page_fact(r->out, "step", "%.6g s%s", o->step, o->control.on ? ", the first; the run chose the others" : "");
  if (o->control.on && o->control.loss > 0) page_fact(r->out, "loss tolerated", "%.6g W", o->control.loss);
  page_fact(r->out, "end", "%.6g s", r->in->end);
  page_fact(r->out, "tolerance of Newton", "%.2g of the energy", o->tolerance > 0 ? o->tolerance : 1e-12);
  fputs("</tbody></table>\n", r->out);
  for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++)
    if (proofs[i].scheme == o->scheme) page_text(r->out, "p", "", "%s", proofs[i].text);
  if (o->order > 2)
    page_text(
        r->out, "p", "",
        "Each step is composed of several of that scheme, some of them backwards in time, so that it is of order %d; "
        "what is proved for one step is true for all of them. Forces of joints are means over the whole step.",
        o->order);
  if (o->literal_jump)
    page_text(r->out, "p", "",
              "With literal_jump, joints are enforced in the start-of-step impulse (jump) as in the papers: in "
              "mechanisms the scheme is then of first order.");
}

static void write_notes(Report *r) {
  char remarks[4096] = "";
  const Diagnostics *n = &r->in->diagnostics;
  results_text(r->run, "remarks", remarks, sizeof remarks);
  page_section(r->out, "Warnings and remarks");
  if (!n->count && !*remarks && !r->in->changes) page_text(r->out, "p", "", "There are none.");
  for (int i = 0; i < n->count; i++) {
    char where[300];
    page_text(r->out, "p", "", "Warning %s: %s",
              diagnostics_describe_location(n, n->diagnostic[i].at, (SourceLocation){0, 0, n->diagnostic[i].at.file},
                                            where, sizeof where),
              n->diagnostic[i].text);
  }
  for (char *line = strtok(remarks, "\n"); line; line = strtok(NULL, "\n"))
    page_text(r->out, "p", "", "Remark: %s", line);
  for (int i = 0; i < r->in->changes; i++)
    page_text(r->out, "p", "", "Changed on the command line: %s", r->in->change[i]);
}

static void write_events(Report *r) {
  static const char *const head[] = {"event", "time [s]", "energy removed [J]"};
  const ResultEvents e = r->events;
  if (e.count) page_section(r->out, "Events");
  if (e.count) page_head(r->out, 3, head);
  for (int i = 0; i < e.count; i++) {
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%s", e.name[i]);
    page_number(r->out, e.time[i]);
    page_number(r->out, e.loss[i]);
    fputs("</tr>\n", r->out);
  }
  if (e.count) fputs("</tbody></table>\n", r->out);
}

static void write_source(Report *r) {
  page_section(r->out, "The model file");
  for (int i = 0; i < r->in->sources; i++) {
    int line = 0;
    if (i) page_text(r->out, "h3", "", "%s", r->in->source[i].name);
    fputs("<pre>", r->out);
    for (const char *at = r->in->source[i].text; *at;) {
      size_t n = strcspn(at, "\n");
      char *copy = strndup(at, n);
      fprintf(r->out, "%4d  ", ++line);
      if (copy) html_text(r->out, copy);
      fputc('\n', r->out);
      free(copy);
      at += n + (at[n] == '\n');
    }
    fputs("</pre>\n", r->out);
  }
}

static void write_head(Report *r, const char *status) {
  char version[80] = "", first[80], last[80];
  results_text(r->run, "limber", version, sizeof version);
  page_text(r->out, "p", "sub", "%s: %d row%s from %s to %s; status: %s. Computed by Limber %s, reported by %s.",
            results_file(r->run), r->rows, r->rows == 1 ? "" : "s", results_at(r->run, r->t[0], first, sizeof first),
            results_at(r->run, r->t[r->rows - 1], last, sizeof last), status, version, limber_version());
}

static void write_report(Report *r) {
  char title[400] = "", status[40];
  const char *file = results_file(r->run);
  results_text(r->run, "title", title, sizeof title);
  results_status(r->run, status, sizeof status);
  page_begin(r->out, *title ? title : file);
  page_text(r->out, "h1", "", "%s", *title ? title : file);
  write_head(r, status);
  if (report_in_time(r)) write_verdicts(r);
  if (report_is_static(r)) write_static_verdicts(r);
  report_pictures(r);
  if (!strcmp(results_axis(r->run), "mode")) report_modes(r);
  report_model(r);
  if (report_in_time(r)) write_scheme(r);
  if (report_in_time(r)) write_events(r);
  if (report_in_time(r)) report_ledger(r);
  if (report_in_time(r) || report_is_static(r)) report_steps(r);
  write_notes(r);
  report_probes(r);
  write_source(r);
  page_end(r->out);
}

static bool write_page(Report *r, const Arguments *a, const char *path) {
  OutputFile f;
  if (!begin_output(report_name, a, path, FILE_HTML, &f)) return false;
  r->out = f.out;
  r->rows = results_rows(r->run), r->t = results_time(r->run), r->events = results_events(r->run);
  if (report_in_time(r)) snprintf(r->axis, sizeof r->axis, "t [s]");
  else
    snprintf(r->axis, sizeof r->axis, *results_axis_units(r->run) ? "%.80s [%.80s]" : "%.80s", results_axis(r->run),
             results_axis_units(r->run));
  r->machine = !curve_scales_begin(report_name, r->run, &(RowSelection){0, r->rows, 1}, &r->scales);
  if (!r->machine) write_report(r);
  curve_scales_end(&r->scales);
  if (r->machine) return output_discard(&f), false;
  r->machine = !end_output(report_name, &f);
  return !r->machine;
}

int limber_command_report(const Arguments *a) {
  Report r = {0};
  char page[4200], pdf[4300];
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process()) return EXIT_GOOD;
  if (is_study_table(a->word[0])) return study_report(a);
  if (open_results(report_name, a->word[0], &r.run) &&
      page_path(report_name, a, argument_value(a, "output"), r.run, ".report.html", page, sizeof page) &&
      run_model(report_name, r.run, &r.in, &r.machine) && write_page(&r, a, page)) {
    if (!is_device(page)) printf("%s: open it in a browser, or print it\n", page);
    snprintf(pdf, sizeof pdf, "%.*s.pdf", (int)strlen(page) - 5, page);
    code = argument_value(a, "pdf") ? page_print(report_name, a, page, pdf) : EXIT_GOOD;
    if (argument_value(a, "pdf") && code == EXIT_GOOD) printf("%s: the same as PDF\n", pdf);
  }
  if (r.machine) code = EXIT_MACHINE;
  if (r.in) InputDestroy(&r.in);
  result_events_free(&r.events);
  if (r.run) results_close(&r.run);
  return code;
}
