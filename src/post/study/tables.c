// SPDX-License-Identifier: Apache-2.0
// Tables of the page: failures, damage-equivalent loads, the worst runs, numbers over all runs, correlations.
#include "post/study/study.h"

#include "post/plot/diagram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- cells ----

void study_number(FILE *out, double x) {
  if (isfinite(x)) page_number(out, x);
  else fputs("<td class=\"n\">–</td>", out);
}

void study_error(StudyPage *p, const ChannelSurvey *c, bool high, long row) {
  char name[500];
  double error = NAN;
  snprintf(name, sizeof name, "%s %s error", c->name, high ? "max" : "min");
  int at = study_table_find(p->survey.table, name);
  if (at >= 0 && !survey_value(&p->survey, at, row, &error)) p->failed = true;
  study_number(p->out, error);
}

void study_parameter(const StudyPage *p, int column, double x) {
  char word[400];
  if (study_table_word(p->survey.table, p->survey.column[column].column, x, word, sizeof word))
    page_text(p->out, "td", "n", "%s", word);
  else study_number(p->out, x);
}

void study_run_cell(FILE *out, long run) { fprintf(out, "<td class=\"n\"><b data-run=\"%ld\">%ld</b></td>", run, run); }

void study_head(FILE *out, const char *name, const char *units) {
  char text[100];
  pretty_units(units, text, sizeof text);
  page_text(out, "th", "n", "%s%s%s%s", name, *text ? " [" : "", text, *text ? "]" : "");
}

// Writes a path as an address.
static void study_link(FILE *out, const char *path) {
  for (const unsigned char *c = (const unsigned char *)path; *c; c++)
    if (strchr("-._~/", *c) || (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z'))
      fputc(*c, out);
    else fprintf(out, "%%%02X", *c);
}

bool study_kept(const StudyPage *p, long row, const char *ending, char *path, size_t size, char *link,
                size_t link_size) {
  const char *slash = strrchr(p->path, '/'), *base = slash ? slash + 1 : p->path;
  struct stat s;
  size_t n = strlen(base);
  long run = row + study_table_first(p->survey.table);
  if (n > 3 && !strcmp(base + n - 3, ".h5")) n -= 3;
  if (link) snprintf(link, link_size, "%s%.*s.runs/%06ld%s", p->beside, (int)n, base, run, ending);
  snprintf(path, size, "%.*s.runs/%06ld%s", (int)(base - p->path) + (int)n, p->path, run, ending);
  return !stat(path, &s) && S_ISREG(s.st_mode);
}

static void write_open(const StudyPage *p, long row) {
  char path[8300], link[16800];
  fputs("<td>", p->out);
  if (study_kept(p, row, ".html", path, sizeof path, link, sizeof link)) {
    fputs("<a href=\"", p->out);
    study_link(p->out, link);
    fputs("\">view</a>", p->out);
  } else if (study_kept(p, row, ".h5", path, sizeof path, link, sizeof link)) {
    page_text(p->out, "code", "", "limber view %s", path);
  } else fputs("–", p->out); // not kept
  fputs("</td>", p->out);
}

static void write_name_and_units(FILE *out, const char *name, const char *units) {
  char text[100];
  page_text(out, "th", "", "%s", name);
  page_text(out, "td", "", "%s", pretty_units(units, text, sizeof text));
}

static void write_parameter_heads(const StudyPage *p) {
  for (int k = 0; k < p->parameters; k++) {
    const StudyColumn *c = survey_column(&p->survey, p->parameter[k]);
    study_head(p->out, c->name, c->units);
  }
}

static void write_parameters(StudyPage *p, long row) {
  for (int k = 0; k < p->parameters; k++) {
    double x = NAN;
    if (!survey_value(&p->survey, p->survey.column[p->parameter[k]].column, row, &x)) p->failed = true;
    study_parameter(p, p->parameter[k], x);
  }
}

// ---- failures ----

static void write_failure(StudyPage *p, const FailureGroup *g) {
  Survey *s = &p->survey;
  int time = study_table_find(s->table, "time"), steps = study_table_find(s->table, "steps");
  const char *status = study_table_status(s->table, g->status);
  fputs("<div class=\"cause\"><h3>", p->out);
  fprintf(p->out, "%ld × ", g->count);
  page_text(p->out, "span", "status", "%s", *status ? status : "unknown status");
  if (*g->kind) page_text(p->out, "span", "", " %s", g->count > 1 ? g->kind : g->cause);
  fputs("</h3>\n<table class=\"small\"><thead><tr><th class=\"n\">run</th><th class=\"n\">reached t [s]</th><th "
        "class=\"n\">steps</th>",
        p->out);
  write_parameter_heads(p);
  fputs("<th>history</th></tr></thead><tbody>\n", p->out);
  for (int i = 0; i < g->firsts; i++) {
    double t = NAN, n = NAN;
    if (time >= 0 && !survey_value(s, time, g->first[i], &t)) p->failed = true;
    if (steps >= 0 && !survey_value(s, steps, g->first[i], &n)) p->failed = true;
    fputs("<tr>", p->out);
    study_run_cell(p->out, g->first[i] + study_table_first(s->table));
    study_number(p->out, t), study_number(p->out, n);
    write_parameters(p, g->first[i]);
    write_open(p, g->first[i]);
    fputs("</tr>\n", p->out);
  }
  fputs("</tbody></table>\n", p->out);
  if (strcmp(g->kind, g->cause) && g->count > 1) page_text(p->out, "p", "sub", "The first: %s", g->cause);
  fputs("<pre>", p->out);
  for (int i = 0; i < g->firsts; i++) study_command(p, g->first[i], p->out);
  fputs("</pre></div>\n", p->out);
}

void study_failures(StudyPage *p) {
  enum { SHOWN = 20 };
  const Survey *s = &p->survey;
  long failed = s->runs - s->finished;
  page_section(p->out, "Runs that failed");
  if (!failed) {
    page_text(p->out, "p", "", "All %ld runs finished.", s->runs);
    return;
  }
  page_text(p->out, "p", "",
            "%ld of %ld runs failed, from %d cause%s. Each command repeats a run, with bit-for-bit identical results.",
            failed, s->runs, s->groups,
            s->other_failures ? "s and more"
            : s->groups == 1  ? ""
                              : "s");
  for (int i = 0; i < s->groups && i < SHOWN; i++) write_failure(p, &s->group[i]);
  long rest = s->other_failures;
  for (int i = SHOWN; i < s->groups; i++) rest += s->group[i].count;
  if (rest) page_text(p->out, "p", "", "%ld more runs failed from other causes; limber export lists them.", rest);
}

// ---- damage-equivalent loads ----

void study_fatigue(StudyPage *p) {
  const Survey *s = &p->survey;
  bool any = false, weighted = study_table_is_weighted(s->table);
  for (int i = s->parameters; i < s->columns; i++) {
    const ColumnSurvey *c = &s->column[i];
    const StudyColumn *column = survey_column(s, i);
    const char *statistic = survey_statistic(s, i);
    if (strncmp(statistic, "del ", 4) || !c->count) continue;
    if (!any) {
      page_section(p->out, "Damage-equivalent loads");
      page_text(p->out, "p", "sub",
                "Ranges of load cycles, from rainflow counting. The last column is for the lifetime, %s.",
                weighted ? "weighted as the study file says" : "to which all runs contribute equally");
      fputs(
          "<table><thead><tr><th>channel</th><th>unit</th><th class=\"n\">exponent</th><th class=\"n\">largest</th><th "
          "class=\"n\">run</th><th class=\"n\">mean</th><th class=\"n\">median</th><th "
          "class=\"n\">lifetime</th></tr></thead><tbody>\n",
          p->out);
    }
    any = true;
    char name[400];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(column->name, " "), column->name);
    fputs("<tr>", p->out);
    write_name_and_units(p->out, name, column->units);
    page_text(p->out, "td", "n", "%s", statistic + 4);
    study_number(p->out, c->high);
    study_run_cell(p->out, c->high_row + study_table_first(s->table));
    study_number(p->out, c->mean), study_number(p->out, c->quantile[2]), study_number(p->out, c->lifetime);
    fputs("</tr>\n", p->out);
  }
  if (any) fputs("</tbody></table>\n", p->out);
}

// ---- the worst runs ----

typedef struct {
  RunValue at;
  bool high;
} WorstRun;

// Those with the largest |value| of a channel, by its maximum or its minimum; each run once.
static int worst_of_channel(const Survey *s, const ChannelSurvey *c, int most, WorstRun *out) {
  int count = 0, next[2] = {0, 0};
  const ColumnSurvey *side[2] = {c->low < 0 ? NULL : &s->column[c->low], c->high < 0 ? NULL : &s->column[c->high]};
  while (count < most) {
    int best = -1;
    for (int k = 0; k < 2; k++)
      if (side[k] && next[k] < side[k]->worsts &&
          (best < 0 || fabs(side[k]->worst[next[k]].value) >= fabs(side[best]->worst[next[best]].value)))
        best = k;
    if (best < 0) break;
    RunValue v = side[best]->worst[next[best]++];
    bool again = false;
    for (int i = 0; i < count; i++) again = again || out[i].at.row == v.row;
    if (!again) out[count++] = (WorstRun){v, best == 1};
  }
  return count;
}

enum { WORST_CHANNELS = 8 };

static int worst_each(const Survey *s) { return s->channels <= 2 ? 10 : s->channels <= 4 ? 5 : 3; }

static void note_worst(StudyPage *p, long row) {
  for (int i = 0; i < p->worsts; i++)
    if (p->worst[i] == row) return;
  if (p->worsts < STUDY_EMPHASISED) p->worst[p->worsts++] = row;
}

void study_find_worst(StudyPage *p) {
  WorstRun run[SURVEY_WORST];
  for (int c = 0; c < p->survey.channels && c < WORST_CHANNELS; c++)
    for (int i = 0, n = worst_of_channel(&p->survey, &p->survey.channel[c], worst_each(&p->survey), run); i < n; i++)
      note_worst(p, run[i].at.row);
}

void study_worst_runs(StudyPage *p) {
  Survey *s = &p->survey;
  WorstRun run[SURVEY_WORST];
  char name[500], units[100], plan[400] = "PLAN";
  if (!p->worsts) return;
  study_table_text(s->table, "plan", plan, sizeof plan);
  page_section(p->out, "Worst runs");
  page_text(p->out, "p", "sub",
            "Runs with the largest absolute values of %s. Click a column head to sort. The run under the pointer is "
            "highlighted in the pictures. limber study %s --run N writes the results of any run.",
            s->channels > WORST_CHANNELS ? "the first channels"
            : s->channels > 1            ? "each channel"
                                         : "the channel",
            plan);
  fputs("<table class=\"small sort\"><thead><tr><th>channel</th><th class=\"n\">value</th>", p->out);
  if (p->errors) fputs("<th class=\"n\">error</th>", p->out);
  fputs("<th>unit</th><th class=\"n\">at t [s]</th><th class=\"n\">run</th>", p->out);
  write_parameter_heads(p);
  fputs("<th>history</th></tr></thead><tbody>\n", p->out);
  for (int c = 0; c < s->channels && c < WORST_CHANNELS; c++) {
    const ChannelSurvey *k = &s->channel[c];
    for (int i = 0, n = worst_of_channel(s, k, worst_each(s), run); i < n; i++) {
      double t = NAN;
      int time = run[i].high ? k->high_time : k->low_time;
      if (time >= 0 && !survey_value(s, s->column[time].column, run[i].at.row, &t)) p->failed = true;
      snprintf(name, sizeof name, "%s %s", k->name, run[i].high ? "max" : "min");
      fputs("<tr>", p->out);
      page_text(p->out, "th", "", "%s", name);
      study_number(p->out, run[i].at.value);
      if (p->errors) study_error(p, k, run[i].high, run[i].at.row);
      page_text(p->out, "td", "", "%s", pretty_units(k->units, units, sizeof units));
      study_number(p->out, t);
      study_run_cell(p->out, run[i].at.row + study_table_first(s->table));
      write_parameters(p, run[i].at.row);
      write_open(p, run[i].at.row);
      fputs("</tr>\n", p->out);
    }
  }
  fputs("</tbody></table>\n", p->out);
}

// ---- numbers over all runs ----

static void write_statistics(StudyPage *p, const Survey *s) {
  fputs("<table class=\"small sort\"><thead><tr><th>column</th><th>unit</th><th class=\"n\">lowest</th><th "
        "class=\"n\">mean</th><th class=\"n\">deviation</th><th class=\"n\">highest</th>",
        p->out);
  for (int q = 0; q < SURVEY_QUANTILES; q++) fprintf(p->out, "<th class=\"n\">%g %%</th>", 100 * survey_quantile[q]);
  fputs("</tr></thead><tbody>\n", p->out);
  for (int i = 0; i < s->columns; i++) {
    const ColumnSurvey *c = &s->column[i];
    fputs("<tr>", p->out);
    write_name_and_units(p->out, survey_column(s, i)->name, survey_column(s, i)->units);
    study_number(p->out, c->low), study_number(p->out, c->mean), study_number(p->out, c->deviation);
    study_number(p->out, c->high);
    for (int q = 0; q < SURVEY_QUANTILES; q++) study_number(p->out, c->quantile[q]);
    fputs("</tr>\n", p->out);
  }
  fputs("</tbody></table>\n", p->out);
}

// Values of quantities and their derivatives.
void study_gradients(StudyPage *p) {
  StudyTable *t = p->survey.table;
  int *column = calloc((size_t)study_table_columns(t) + 1, sizeof *column), count = 0;
  Survey s = {.table = NULL};
  for (int i = 0; column && i < study_table_columns(t) && count < SURVEY_COLUMNS; i++)
    if (study_table_column(t, i)->kind == STUDY_GRADIENT) column[count++] = i;
  if (!column) p->failed = true, print_command_error(p->survey.command, "not enough memory");
  else if (count) p->failed = !survey_make(p->survey.command, t, count, column, &s);
  if (count && !p->failed) {
    long least = s.finished;
    for (int i = 0; i < s.columns; i++) least = s.column[i].count < least ? s.column[i].count : least;
    page_section(p->out, "Gradients");
    page_text(p->out, "p", "sub", "Over the %ld runs that have them%s.", least,
              least < s.finished ? "; limber study PLAN --show all prints why the others have none" : "");
    write_statistics(p, &s);
  }
  survey_free(&s);
  free(column);
}

void study_statistics(StudyPage *p) {
  const Survey *s = &p->survey;
  page_section(p->out, "Statistics over all runs");
  page_text(p->out, "p", "sub", "Over the %ld runs that finished. Deviation: standard deviation%s.", s->finished,
            s->finished > 4096 ? "; quantiles are to 0.1 % of the runs" : "");
  write_statistics(p, s);
  if (s->left_out)
    page_text(p->out, "p", "", "%d more columns are left out here; limber export lists them.", s->left_out);
}

// ---- correlations ----

static void write_correlation(FILE *out, double ranks, double linear) {
  if (!isfinite(ranks)) {
    fputs("<td class=\"n\">–</td>", out);
    return;
  }
  double strength = fabs(ranks); // white to a colour of its sign
  const int full[2][3] = {{213, 94, 0}, {0, 114, 178}};
  fprintf(out, "<td class=\"n\" style=\"background:rgba(%d,%d,%d,%.2f)\">%.2f / %.2f</td>", full[ranks > 0][0],
          full[ranks > 0][1], full[ranks > 0][2], 0.6 * strength * strength, ranks, linear);
}

void study_correlations(StudyPage *p) {
  enum { PARAMETERS = 10, RESULTS = 60 };
  Survey *s = &p->survey;
  int parameters = s->parameters < PARAMETERS ? s->parameters : PARAMETERS, rows = 0;
  if (!parameters || s->columns == s->parameters || s->finished < 3) return;
  page_section(p->out, "Correlations of results with parameters");
  page_text(p->out, "p", "sub",
            "Rank correlation (1: one rises whenever the other does) / linear correlation (1: all runs lie on a line), "
            "over %s%d runs that finished. A strong colour marks what a result depends on.",
            s->samples < s->finished ? "a sample of " : "", s->samples);
  fputs("<table class=\"small sort\"><thead><tr><th>result</th>", p->out);
  for (int k = 0; k < parameters; k++) page_text(p->out, "th", "n", "%s", survey_column(s, k)->name);
  fputs("</tr></thead><tbody>\n", p->out);
  for (int i = s->parameters; i < s->columns && rows < RESULTS; i++) {
    if (strstr(survey_statistic(s, i), " time")) continue;
    rows++;
    fputs("<tr>", p->out);
    page_text(p->out, "th", "", "%s", survey_column(s, i)->name);
    for (int k = 0; k < parameters; k++)
      write_correlation(p->out, survey_correlation(s, i, k, true), survey_correlation(s, i, k, false));
    fputs("</tr>\n", p->out);
  }
  fputs("</tbody></table>\n", p->out);
  if (s->parameters > parameters)
    page_text(p->out, "p", "", "%d more parameters are left out here.", s->parameters - parameters);
}
