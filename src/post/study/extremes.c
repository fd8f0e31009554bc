// SPDX-License-Identifier: Apache-2.0
// Extreme loads as engineers print them: for each channel its largest and smallest value over all runs, with all other
// channels at that instant, the run, the time and what the run was made of.
#include "post/page/page.h"
#include "post/plot/diagram.h"
#include "post/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int channels_of(const Survey *s) { return s->channels < STUDY_CHANNELS ? s->channels : STUDY_CHANNELS; }

static bool fill_row(Survey *s, ExtremeRow *e) {
  const ChannelSurvey *c = &s->channel[e->channel];
  int time = e->high ? c->high_time : c->low_time, column;
  char name[1000];
  e->at = calloc((size_t)s->channels + 1, sizeof *e->at);
  e->parameter = calloc((size_t)s->parameters + 1, sizeof *e->parameter);
  if (!e->at || !e->parameter) return print_command_error(s->command, "not enough memory"), false;
  e->time = NAN;
  if (time >= 0 && !survey_value(s, s->column[time].column, e->row, &e->time)) return false;
  for (int k = 0; k < channels_of(s); k++) {
    snprintf(name, sizeof name, "%s at %s of %s", s->channel[k].name, e->high ? "max" : "min", c->name);
    e->at[k] = k == e->channel ? e->value : NAN;
    column = study_table_find(s->table, name);
    if (column >= 0 && !survey_value(s, column, e->row, &e->at[k])) return false;
  }
  for (int k = 0; k < s->parameters; k++)
    if (!survey_value(s, s->column[k].column, e->row, &e->parameter[k])) return false;
  return true;
}

bool extremes_find(Survey *s, ExtremeRow **out, int *count) {
  ExtremeRow *rows = calloc(2 * (size_t)s->channels + 1, sizeof *rows);
  *out = rows, *count = 0;
  if (!rows) return print_command_error(s->command, "not enough memory"), false;
  for (int c = 0; c < channels_of(s); c++)
    for (int high = 1; high >= 0; high--) {
      int column = high ? s->channel[c].high : s->channel[c].low;
      if (column < 0 || !s->column[column].count) continue;
      const ColumnSurvey *k = &s->column[column];
      ExtremeRow *e = &rows[(*count)++];
      *e = (ExtremeRow){c, high, high ? k->high_row : k->low_row, high ? k->high : k->low, NAN, NULL, NULL};
      if (!fill_row(s, e)) return false;
    }
  return true;
}

void extremes_free(ExtremeRow *rows, int count) {
  for (int i = 0; i < count; i++) free(rows[i].at), free(rows[i].parameter);
  free(rows);
}

// ---- as text ----

static void csv_text(FILE *out, const char *text) {
  bool quoted = strpbrk(text, ",\"\n") != NULL;
  if (quoted) fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  if (quoted) fputc('"', out);
}

static void csv_name(FILE *out, const char *name, const char *units) {
  char text[1000];
  snprintf(text, sizeof text, "%s [%s]", name, units);
  fputc(',', out);
  csv_text(out, text);
}

void extremes_csv(const Survey *s, const ExtremeRow *rows, int count, FILE *out) {
  fputs("run [1],time [s],channel [1],extreme [1],value [1],units [1],factor [1],value times factor [1]", out);
  for (int k = 0; k < channels_of(s); k++) csv_name(out, s->channel[k].name, s->channel[k].units);
  for (int k = 0; k < s->parameters; k++) csv_name(out, survey_column(s, k)->name, survey_column(s, k)->units);
  fputc('\n', out);
  for (int i = 0; i < count; i++) {
    const ExtremeRow *e = &rows[i];
    const ChannelSurvey *c = &s->channel[e->channel];
    fprintf(out, "%ld,%.17g,", e->row + study_table_first(s->table), e->time);
    csv_text(out, c->name);
    fprintf(out, ",%s,%.17g,", e->high ? "max" : "min", e->value + 0.0);
    csv_text(out, c->units);
    fprintf(out, ",%.17g,%.17g", c->factor, c->factor * e->value + 0.0);
    for (int k = 0; k < channels_of(s); k++) fprintf(out, ",%.17g", e->at[k] + 0.0);
    for (int k = 0; k < s->parameters; k++) fprintf(out, ",%.17g", e->parameter[k] + 0.0);
    fputc('\n', out);
  }
}

// ---- on the page ----

enum { PART = 7, PARAMETERS = 5 }; // channels, parameters beside each other

static void write_start(const StudyPage *p, const ExtremeRow *e) {
  fputs("<tr>", p->out);
  page_text(p->out, "th", "", "%s", p->survey.channel[e->channel].name);
  page_text(p->out, "td", "", "%s", e->high ? "max" : "min");
}

// The value, with and without its factor, the run and the time.
static void write_values(StudyPage *p, const ExtremeRow *rows, int count) {
  const Survey *s = &p->survey;
  bool factors = false;
  char units[100];
  for (int k = 0; k < s->channels; k++) factors = factors || s->channel[k].factor != 1;
  fputs("<table class=\"small\"><thead><tr><th>channel</th><th></th><th class=\"n\">value</th>", p->out);
  if (p->errors) fputs("<th class=\"n\">error</th>", p->out);
  fputs("<th>unit</th>", p->out);
  if (factors) fputs("<th class=\"n\">factor</th><th class=\"n\">value × factor</th>", p->out);
  fputs("<th class=\"n\">run</th><th class=\"n\">at t [s]</th>", p->out);
  for (int k = 0; k < p->parameters && k < PARAMETERS; k++) {
    const StudyColumn *c = survey_column(s, p->parameter[k]);
    study_head(p->out, c->name, c->units);
  }
  fputs("</tr></thead><tbody>\n", p->out);
  for (int i = 0; i < count; i++) {
    const ChannelSurvey *c = &s->channel[rows[i].channel];
    write_start(p, &rows[i]);
    study_number(p->out, rows[i].value);
    if (p->errors) study_error(p, c, rows[i].high, rows[i].row);
    page_text(p->out, "td", "", "%s", pretty_units(c->units, units, sizeof units));
    if (factors) study_number(p->out, c->factor), study_number(p->out, c->factor * rows[i].value);
    study_run_cell(p->out, rows[i].row + study_table_first(s->table));
    study_number(p->out, rows[i].time);
    for (int k = 0; k < p->parameters && k < PARAMETERS; k++)
      study_parameter(p, p->parameter[k], rows[i].parameter[p->parameter[k]]);
    fputs("</tr>\n", p->out);
  }
  fputs("</tbody></table>\n", p->out);
}

// All channels at the instant of each extreme; their own extreme is emphasised.
static void write_instants(const StudyPage *p, const ExtremeRow *rows, int count, int from, int to) {
  fputs("<table class=\"small\"><thead><tr><th>at the instant of</th><th></th>", p->out);
  for (int k = from; k < to; k++) study_head(p->out, p->survey.channel[k].name, p->survey.channel[k].units);
  fputs("<th class=\"n\">run</th><th class=\"n\">at t [s]</th></tr></thead><tbody>\n", p->out);
  for (int i = 0; i < count; i++) {
    write_start(p, &rows[i]);
    for (int k = from; k < to; k++) {
      if (k != rows[i].channel) study_number(p->out, rows[i].at[k]);
      else fprintf(p->out, "<td class=\"n own\" title=\"%.17g\">%.6g</td>", rows[i].at[k] + 0.0, rows[i].at[k] + 0.0);
    }
    study_run_cell(p->out, rows[i].row + study_table_first(p->survey.table));
    study_number(p->out, rows[i].time);
    fputs("</tr>\n", p->out);
  }
  fputs("</tbody></table>\n", p->out);
}

static void write_download(StudyPage *p, const ExtremeRow *rows, int count) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory) return;
  extremes_csv(&p->survey, rows, count, memory);
  fclose(memory);
  fputs("<p><a download=\"extremes.csv\" href=\"data:text/csv;base64,", p->out);
  base64_write(p->out, (const unsigned char *)text, size);
  fputs("\">This table as CSV</a>, with all digits, all channels and all parameters.</p>\n", p->out);
  free(text);
}

void study_extremes(StudyPage *p) {
  Survey *s = &p->survey;
  ExtremeRow *rows;
  int count, shown = channels_of(s);
  bool good = extremes_find(s, &rows, &count);
  if (!good) p->failed = true;
  if (good && count) {
    page_section(p->out, "Extreme loads");
    page_text(p->out, "p", "sub", "The largest and the smallest value of each channel over the %ld runs that finished.",
              s->finished);
    write_values(p, rows, count);
    if (s->channels > shown)
      page_text(p->out, "p", "", "%d more channels are left out here; limber export lists them.", s->channels - shown);
    if (s->channels > 1) {
      page_text(p->out, "h3", "", "All channels at that instant");
      for (int from = 0; from < shown; from += PART)
        write_instants(p, rows, count, from, from + PART < shown ? from + PART : shown);
    }
    write_download(p, rows, count);
  }
  extremes_free(rows, count);
}
