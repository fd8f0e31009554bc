// SPDX-License-Identifier: Apache-2.0
// The account of energy, and what the solver did.
#include "post/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double *report_values(const Report *r, LedgerId id) { return column_values(r->run, ledger_path(id)); }

ChartAxis report_axis(const Report *r) { return (ChartAxis){results_axis(r->run), results_axis_units(r->run)}; }

// A chart of columns of the ledger over time; those that are not there are left out. `label` NULL: their paths.
static void report_chart(Report *r, const char *title, ChartAxis y, ChartKind kind, int count, const LedgerId *column,
                         const char *const *label) {
  Chart c = {
      .title = title, .x = report_axis(r), .y = y, .kind = kind, .event = r->events.time, .events = r->events.count};
  double *values[CHART_LINES] = {0};
  for (int i = 0; i < count && c.lines < CHART_LINES; i++)
    if ((values[c.lines] = report_values(r, column[i]))) {
      c.line[c.lines] = (ChartLine){
          .name = label ? label[i] : ledger_path(column[i]), .x = r->t, .y = values[c.lines], .count = r->rows};
      c.lines++;
    }
  if (c.lines) chart_write(&c, r->out);
  for (int i = 0; i < c.lines; i++) free(values[i]);
}

// ---- the account ----

typedef struct {
  double start, end;
} EndValues;

static EndValues end_values(const Report *r, double *x) {
  EndValues e = x ? (EndValues){x[0], x[r->rows - 1]} : (EndValues){0, 0};
  free(x);
  return e;
}

static EndValues ends_of(const Report *r, LedgerId id) { return end_values(r, report_values(r, id)); }

static void write_entry(Report *r, const char *style, const char *name, EndValues e) {
  fprintf(r->out, *style ? "<tr class=\"%s\">" : "<tr>", style);
  page_text(r->out, "td", "", "%s", name);
  page_number(r->out, e.start);
  page_number(r->out, e.end);
  page_number(r->out, e.end - e.start);
  fputs("</tr>\n", r->out);
}

static void write_balance(Report *r) {
  static const char *const head[] = {"", "start [J]", "end [J]", "change [J]"};
  static const LedgerId part[] = {LEDGER_KINETIC, LEDGER_STRAIN, LEDGER_POTENTIAL, LEDGER_SCHEME_ENERGY};
  EndValues sum = {0, 0}, work = ends_of(r, LEDGER_WORK), damping = ends_of(r, LEDGER_DAMPING),
            dissipated = ends_of(r, LEDGER_DISSIPATED), events = ends_of(r, LEDGER_EVENTS),
            ports = ends_of(r, LEDGER_PORT_WORK);
  char name[400];
  page_head(r->out, 4, head);
  for (int i = 0; i < 4; i++) {
    EndValues e = ends_of(r, part[i]);
    sum.start += e.start, sum.end += e.end;
    if (i == 3 && e.end == 0) continue;
    snprintf(name, sizeof name, "%s energy", i < 3 ? ledger_columns[part[i]].name : "stored scheme");
    write_entry(r, "", name, e);
  }
  write_entry(r, "sum", "energy", sum);
  write_entry(r, "", "work of loads and drives", work);
  if (ends_of(r, LEDGER_DRIVES).end != 0) write_entry(r, "", "\u2003of that, of drives", ends_of(r, LEDGER_DRIVES));
  double changed = results_real(r->run, "changed_work", 0);
  if (changed != 0)
    write_entry(r, "", "\u2003of that, the change of stored energy where the model was changed",
                (EndValues){0, changed});
  write_entry(r, "", "dissipated by dampers and friction", damping);
  write_entry(r, "", "dissipated by the scheme", dissipated);
  if (events.end != 0) write_entry(r, "", "removed by events", events);
  if (ports.end != 0) write_entry(r, "", "to other models, through ports", ports);
  write_entry(r, "", "work of joints (round-off)", ends_of(r, LEDGER_JOINTS));
  EndValues open = {0, sum.end - sum.start - work.end + work.start + damping.end - damping.start + dissipated.end -
                           dissipated.start + events.end + ports.end - ports.start};
  write_entry(r, "sum",
              events.end != 0  ? "imbalance: energy - work + damping + dissipated + events"
              : ports.end != 0 ? "imbalance: energy - work + damping + dissipated + ports"
                               : "imbalance: energy - work + damping + dissipated",
              open);
  fputs("</tbody></table>\n", r->out);
}

// Also of those that are in the potential energy.
static void write_loads(Report *r) {
  static const char *const head[] = {"work of", "[J]"};
  bool any = false;
  for (int i = 0; i < results_columns(r->run); i++) {
    const ResultColumn *c = results_column(r->run, i);
    if (ledger_rank(c->group, c->quantity) != LEDGER_LOAD_WORK) continue;
    if (!any) page_head(r->out, 2, head);
    any = true;
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%s", c->component);
    page_number(r->out, end_values(r, column_values(r->run, c->name)).end);
    fputs("</tr>\n", r->out);
  }
  if (any) fputs("</tbody></table>\n", r->out);
  if (any)
    page_text(r->out, "p", "sub", "The work of constant fields, such as gravity, is part of the potential energy.");
}

static void write_worst(Report *r) {
  double *open = report_values(r, LEDGER_RESIDUAL), *exchanged = report_values(r, LEDGER_EXCHANGED);
  int worst = 0;
  for (int i = 1; open && i < r->rows; i++)
    if (fabs(open[i]) > fabs(open[worst])) worst = i;
  if (open && exchanged) {
    double all = exchanged[r->rows - 1];
    fputs("<p>The worst step, up to t = ", r->out);
    fprintf(r->out, "<span class=\"worst\" title=\"%.17g\">%.6g</span> s, has an energy balance error of ", r->t[worst],
            r->t[worst]);
    fprintf(r->out, "<span class=\"worst\" title=\"%.17g\">%.3g</span> J, %.2g of the %.6g J exchanged.</p>\n",
            open[worst], open[worst], all > 0 ? fabs(open[worst]) / all : 0, all);
  }
  free(open), free(exchanged);
}

// Energies and losses on each other are the energy at the start and the work, the dashed line.
static void chart_energies(Report *r) {
  enum { KINETIC, STRAIN, POTENTIAL, SCHEME_ENERGY, DAMPERS, DISSIPATED, WORK, LINES };
  static const LedgerId name[LINES] = {LEDGER_KINETIC, LEDGER_STRAIN,     LEDGER_POTENTIAL, LEDGER_SCHEME_ENERGY,
                                       LEDGER_DAMPING, LEDGER_DISSIPATED, LEDGER_WORK};
  static const char *const label[LINES] = {"kinetic", "strain",     "potential above minimum", "stored scheme energy",
                                           "dampers", "dissipated", "start and work"};
  Chart c = {.title = "Where the energy is",
             .x = report_axis(r),
             .y = {"energy", "J"},
             .kind = CHART_STACKED,
             .lines = LINES,
             .event = r->events.time,
             .events = r->events.count};
  static const unsigned colour[LINES] = {0x4095c5, 0x40b696, 0xecb740, 0xf4eb72, 0xd99bbd, 0xcacaca, 0};
  double *x[LINES], least = INFINITY;
  bool good = true;
  for (int k = 0; k < LINES; k++) good = (x[k] = report_values(r, name[k])) && good;
  double *events = report_values(r, LEDGER_EVENTS);   // of models with events
  double *ports = report_values(r, LEDGER_PORT_WORK); // of models with ports: work that others did
  for (int i = 0; i < r->rows && good && ports; i++) x[WORK][i] -= ports[i];
  for (int i = 0; i < r->rows && good && events; i++) x[DISSIPATED][i] += events[i];
  for (int i = 0; i < r->rows && good; i++) least = fmin(least, x[POTENTIAL][i]);
  for (int i = 0; i < r->rows && good; i++) x[POTENTIAL][i] -= least;
  double start = good ? x[KINETIC][0] + x[STRAIN][0] + x[POTENTIAL][0] : 0;
  for (int i = 0; i < r->rows && good; i++) x[WORK][i] += start;
  for (int k = 0; k < LINES; k++) c.line[k] = (ChartLine){label[k], r->t, x[k], r->rows, k == WORK, colour[k]};
  if (events) c.line[DISSIPATED].name = "dissipated, events";
  if (ports) c.line[WORK].name = "start, work, ports";
  if (good) chart_write(&c, r->out);
  free(events), free(ports);
  for (int k = 0; k < LINES; k++) free(x[k]);
}

void report_ledger(Report *r) {
  static const LedgerId open[] = {LEDGER_RESIDUAL}, lost[] = {LEDGER_DISSIPATED, LEDGER_DAMPING},
                        momentum[] = {LEDGER_MOMENTUM_ERROR}, angular[] = {LEDGER_ANGULAR_MOMENTUM_ERROR};
  static const char *const lost_label[] = {"by the scheme", "by dampers and friction"};
  page_section(r->out, "Energy ledger (energy balance)");
  write_balance(r);
  write_worst(r);
  write_loads(r);
  page_text(r->out, "p", "",
            "The chart stacks energies and losses; the dashed line is the energy at the start plus the work of the "
            "loads. Where the two differ, energy was created or lost that the ledger does not explain.");
  fputs("<div class=\"charts\">\n", r->out);
  chart_energies(r);
  report_chart(r, "Dissipated so far", (ChartAxis){"energy", "J"}, CHART_PLAIN, 2, lost, lost_label);
  report_chart(r, "Energy balance error of a step", (ChartAxis){"|error|", "J"}, CHART_LOG, 1, open, NULL);
  report_chart(r, "Momentum balance error of a step", (ChartAxis){"|error|", "N s"}, CHART_LOG, 1, momentum, NULL);
  report_chart(r, "Angular momentum balance error of a step", (ChartAxis){"|error|", "N m s"}, CHART_LOG, 1, angular,
               NULL);
  fputs("</div>\n", r->out);
}

// ---- the solver ----

enum { BARS = 40 };

// Iterations per step, which a row has for the steps since the row before it.
static void write_newton(Report *r, const double *iterations, const double *substeps) {
  char at[120];
  double count[BARS] = {0}, most = 0, sum = 0, steps = 0, when = 0;
  int last = 1;
  for (int i = 1; i < r->rows; i++) {
    double n = substeps[i] > 0 ? iterations[i] / substeps[i] : iterations[i];
    int bar = (int)fmin(fmax(lround(n), 0), BARS - 1);
    count[bar] += substeps[i] > 0 ? substeps[i] : 1;
    last = bar > last ? bar : last;
    if (n > most) most = n, when = r->t[i];
    sum += iterations[i], steps += substeps[i];
  }
  page_text(r->out, "p", "",
            "%.0f steps with %.0f Newton iterations, %.3g per step; most in the row of %s: %.3g per step.", steps, sum,
            steps > 0 ? sum / steps : 0, results_at(r->run, when, at, sizeof at), most);
  fputs("<div class=\"charts\">\n", r->out);
  chart_bars("Newton", "iterations per step", "steps", 0, last + 1, count, r->out);
}

void report_steps(Report *r) {
  static const LedgerId step[] = {LEDGER_STEP}, iterations[] = {LEDGER_ITERATIONS}, violation[] = {LEDGER_CONSTRAINT};
  double *n = report_values(r, LEDGER_ITERATIONS), *parts = report_values(r, LEDGER_SUBSTEPS),
         *length = report_values(r, LEDGER_STEP), least = INFINITY, most = 0;
  page_section(r->out, "Steps, Newton and joints");
  for (int i = 1; length && i < r->rows; i++) least = fmin(least, length[i]), most = fmax(most, length[i]);
  if (length && r->rows > 1 && report_in_time(r))
    page_text(r->out, "p", "", least < most ? "Steps of %.6g s to %.6g s." : "All steps are of %.6g s.", least, most);
  if (n && parts) {
    write_newton(r, n, parts);
    report_chart(r, "Newton iterations since the previous row", (ChartAxis){"", ""}, CHART_PLAIN, 1, iterations, NULL);
    if (least < most && report_in_time(r))
      report_chart(r, "Shortest step since the previous row", (ChartAxis){"", "s"}, CHART_PLAIN, 1, step, NULL);
    report_chart(r, "Constraint violation", (ChartAxis){"", ""}, CHART_LOG, 1, violation, NULL);
    fputs("</div>\n", r->out);
  }
  free(n), free(parts), free(length);
}
