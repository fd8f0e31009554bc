// SPDX-License-Identifier: Apache-2.0
// `limber report` of a study: one page.
#include "console/library_commands.h"
#include "post/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const name = "report";

const char study_style[] =
    "<style>\n"
    "body{max-width:1010px}th.n{text-align:right}table.small{font-size:.8em;display:block;overflow-x:auto}\n"
    "tbody th{border-bottom:1px solid "
    "#dde3ea;white-space:nowrap}td.own{font-weight:700;background:#eaf1f9}.status{color:#b04a00}.cause h3 "
    "span+span{font-weight:400}\n"
    "table.sort thead th{cursor:pointer}table.sort thead th[data-way]:after{content:' ▾'}"
    "table.sort thead th[data-way='1']:after{content:' ▴'}\n"
    "svg{max-width:100%;height:auto;display:block}.three{display:grid;grid-template-columns:repeat(3,1fr);gap:.6em}\n"
    "b[data-run]{font-weight:400;cursor:default}b[data-run].on{background:#ffe9a8}code{font-size:.95em}\n"
    "g[data-run].on path{stroke:#e6007e;stroke-width:3.5}g[data-run].on{opacity:1}\n"
    "svg g[opacity]:has(.on){opacity:1}#tip{position:fixed;background:#1c2733;color:#fff;font-size:12px;padding:.2em "
    ".6em;pointer-events:none;display:none}\n"
    "@media print{p.sub{break-after:avoid}table.small{display:table;font-size:7pt}th,td{padding:.15em "
    ".35em}pre{font-size:7pt}"
    ".three svg{break-inside:avoid}#tip{display:none!important}}\n"
    "</style>\n";

// Sorts a table by a click on a head of it; emphasises everything that stands for the run under the pointer.
const char study_script[] =
    "<div id=\"tip\"></div>\n<script>\n"
    "'use strict';\n"
    "for (const head of document.querySelectorAll('table.sort thead th')) head.addEventListener('click', () => {\n"
    "  const body = head.closest('table').tBodies[0], at = head.cellIndex, way = head.dataset.way === '-1' ? 1 : -1;\n"
    "  const key = row => { const c = row.cells[at], x = parseFloat(c.title || c.textContent.replace('−', '-'));\n"
    "    return isNaN(x) ? c.textContent : x; };\n"
    "  for (const other of head.parentNode.cells) delete other.dataset.way;\n"
    "  head.dataset.way = way;\n"
    "  const rows = [...body.rows].map((row, i) => [key(row), i, row]);\n"
    "  rows.sort(([a, i], [b, k]) => (typeof a !== typeof b ? (typeof a === 'number' ? -1 : 1)\n"
    "    : way * (a < b ? -1 : a > b ? 1 : 0)) || i - k);\n"
    "  for (const r of rows) body.appendChild(r[2]);\n"
    "});\n"
    "const tip = document.getElementById('tip'), of = new Map();\n"
    "for (const e of document.querySelectorAll('[data-run]'))\n"
    "  of.has(e.dataset.run) ? of.get(e.dataset.run).push(e) : of.set(e.dataset.run, [e]);\n"
    "let now = null;\n"
    "const show = run => { if (run === now) return;\n"
    "  for (const [r, on] of [[now, false], [run, true]]) for (const e of of.get(r) || []) e.classList.toggle('on', "
    "on);\n"
    "  now = run; };\n"
    "addEventListener('mousemove', event => {\n"
    "  const e = event.target.closest && event.target.closest('[data-run]');\n"
    "  show(e ? e.dataset.run : null);\n"
    "  tip.style.display = e && e.tagName === 'g' ? 'block' : 'none';\n"
    "  if (e) { tip.textContent = 'run ' + e.dataset.run; tip.style.left = event.clientX + 14 + 'px';\n"
    "    tip.style.top = event.clientY + 10 + 'px'; }\n"
    "});\n"
    "</script>\n";

// ---- the command that does a run again ----

// A word as a shell reads it.
static void write_word(FILE *out, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:+-,@%";
  char piece[2] = "";
  if (*word && word[strspn(word, plain)] == 0) {
    html_text(out, word);
    return;
  }
  fputc('\'', out);
  for (; *word; word++)
    if (*word == '\'') fputs("'\\''", out);
    else if ((unsigned char)*word < 0x80) piece[0] = *word, html_text(out, piece);
    else fputc(*word, out);
  fputc('\'', out);
}

void study_command(const StudyPage *p, long row, FILE *out) {
  char text[4000];
  Survey *s = (Survey *)&p->survey;
  fputs("limber run ", out);
  study_table_text(s->table, "model", text, sizeof text);
  write_word(out, text);
  for (int i = 0; study_table_change(s->table, row, i, text, sizeof text); i++) {
    fputs(" --set ", out);
    write_word(out, text);
  }
  fputc('\n', out);
}

// ---- what is shown ----

// One result of each channel, its extreme of largest absolute value; then damage-equivalent loads and the rest.
static void choose_results(StudyPage *p) {
  const Survey *s = &p->survey;
  for (int pass = 0; pass < 3; pass++)
    for (int c = 0; c < s->channels; c++) {
      const ChannelSurvey *k = &s->channel[c];
      for (int i = k->first; i < k->first + k->count && p->results < STUDY_DRAWN; i++) {
        const char *statistic = survey_statistic(s, i);
        bool extremes = k->high >= 0 && k->low >= 0;
        int extreme = extremes && fabs(s->column[k->low].low) > fabs(s->column[k->high].high) ? k->low : k->high;
        bool taken = false;
        for (int r = 0; r < p->results; r++) taken = taken || p->result[r] == i;
        bool first_del =
            !strncmp(statistic, "del ", 4) && (i == k->first || strncmp(survey_statistic(s, i - 1), "del ", 4));
        bool wanted = pass == 0   ? (extreme >= 0 ? i == extreme : i == k->first)
                      : pass == 1 ? first_del
                                  : !strcmp(statistic, "deviation") || !strcmp(statistic, "mean");
        if (wanted && !taken && s->column[i].count) p->result[p->results++] = i;
      }
    }
}

// Parameters that vary; where there are many, those that the results depend on most.
static void choose_parameters(StudyPage *p) {
  Survey *s = &p->survey;
  double strength[SURVEY_COLUMNS];
  for (int k = 0; k < s->parameters; k++) {
    strength[k] = s->column[k].high > s->column[k].low || !s->finished ? 0 : -1;
    for (int r = 0; r < p->results && strength[k] >= 0 && s->parameters > STUDY_DRAWN; r++) {
      double c = survey_correlation(s, p->result[r], k, true);
      if (isfinite(c)) strength[k] = fmax(strength[k], fabs(c));
    }
  }
  while (p->parameters < STUDY_DRAWN) {
    int best = -1;
    for (int k = 0; k < s->parameters; k++)
      if (strength[k] >= 0 && (best < 0 || strength[k] > strength[best])) best = k;
    if (best < 0) break;
    strength[best] = -1;
    p->parameter[p->parameters++] = best;
  }
}

// ---- the page ----

static void write_head(StudyPage *p) {
  const Survey *s = &p->survey;
  char title[400] = "", text[4000], version[80] = "";
  study_table_text(s->table, "title", title, sizeof title);
  study_table_text(s->table, "limber", version, sizeof version);
  page_begin(p->out, *title ? title : "A study");
  fputs(study_style, p->out);
  page_text(p->out, "h1", "", "%s", *title ? title : "A study");
  page_text(p->out, "p", "sub", "%s: a study of %ld runs. Computed by Limber %s, reported by %s.", p->path, s->runs,
            version, limber_version());
  fputs("<table><tbody>\n", p->out);
  if (study_table_text(s->table, "model", text, sizeof text)) page_fact(p->out, "model", "%s", text);
  if (study_table_text(s->table, "plan", text, sizeof text)) page_fact(p->out, "study file", "%s", text);
  if (study_table_text(s->table, "design", text, sizeof text)) page_fact(p->out, "design", "%s", text);
  page_fact(p->out, "runs", "%ld", s->runs);
  page_fact(p->out, "finished", "%ld (%.4g %%)", s->finished, 100 * (double)s->finished / (double)s->runs);
  page_fact(p->out, "failed", "%ld", s->runs - s->finished);
  page_fact(p->out, "parameters", "%d", s->parameters);
  page_fact(p->out, "channels", "%d", s->channels);
  fputs("</tbody></table>\n", p->out);
}

static void write_source(StudyPage *p) {
  char *text = study_table_source(p->survey.table, "/plan");
  if (!text) return;
  page_section(p->out, "The study file");
  fputs("<pre>", p->out);
  html_text(p->out, text);
  fputs("</pre>\n", p->out);
  free(text);
}

static void write_study(StudyPage *p) {
  static void (*const parts[])(StudyPage *) = {study_failures,   study_extremes,   study_fatigue, study_worst_runs,
                                               study_gradients,  study_parallel,   study_scatter, study_correlations,
                                               study_histograms, study_statistics, write_source};
  write_head(p);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !p->failed; i++) parts[i](p);
  fputs(study_script, p->out);
  page_end(p->out);
}

// ---- where things are ----

// The folder of a path, whole, with a slash at its end.
static bool folder_of(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/');
  char part[4300], *whole;
  snprintf(part, sizeof part, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
  whole = realpath(part, NULL);
  snprintf(out, size, "%s%s", whole ? whole : "", whole && strcmp(whole, "/") ? "/" : "");
  free(whole);
  return *out;
}

// How to go from the folder of the page to that of the table.
static void find_beside(StudyPage *p) {
  char from[4300], to[4300];
  size_t same = 0, used = 0;
  *p->beside = 0;
  if (!folder_of(p->page, from, sizeof from) || !folder_of(p->path, to, sizeof to)) return;
  for (size_t i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '/') same = i + 1;
  for (const char *c = from + same; *c; c++)
    if (*c == '/' && used + 4 < sizeof p->beside)
      used += (size_t)snprintf(p->beside + used, sizeof p->beside - used, "../");
  snprintf(p->beside + used, sizeof p->beside - used, "%s", to + same);
}

static bool find_page(StudyPage *p) {
  const char *given = argument_value(p->arguments, "output"), *slash = strrchr(p->path, '/');
  const char *base = slash ? slash + 1 : p->path;
  size_t n = strlen(base);
  if (n > 3 && !strcmp(base + n - 3, ".h5")) n -= 3;
  if (given) snprintf(p->page, sizeof p->page, "%s", given);
  else snprintf(p->page, sizeof p->page, "%.*s.report.html", (int)n, base);
  n = strlen(p->page);
  if (!is_device(p->page) && (n < 6 || strcmp(p->page + n - 5, ".html")))
    return print_command_error(name, "a page ends in .html, not as '%s'", p->page), false;
  find_beside(p);
  return check_output(name, p->arguments, p->page, FILE_HTML);
}

// Pages of `limber view` for runs that were kept and that the tables name, where there are none yet.
static void make_views(const StudyPage *p) {
  enum { MOST = 10 };
  char path[8300], view[8300];
  int made = 0;
  for (int i = 0; i < p->worsts && made < MOST; i++) {
    static const Option output = {"output", "o", "page.html", "", OPTION_ONCE};
    if (!study_kept(p, p->worst[i], ".h5", path, sizeof path, NULL, 0)) continue;
    made++;
    if (study_kept(p, p->worst[i], ".html", view, sizeof view, NULL, 0)) continue;
    Arguments *a = calloc(1, sizeof *a);
    if (!a) return;
    a->command = "view", a->words = 1, a->word[0] = path;
    a->givens = 1, a->given[0].option = &output, a->given[0].value = view;
    if (limber_command_view(a) != EXIT_GOOD) made = MOST; // already reported
    free(a);
  }
}

static bool write_page(StudyPage *p) {
  OutputFile f;
  if (!begin_output(name, p->arguments, p->page, FILE_HTML, &f)) return false;
  p->out = f.out;
  write_study(p);
  if (p->failed) return output_discard(&f), false;
  return end_output(name, &f);
}

static ExitCode report_table(StudyPage *p) {
  char pdf[4300];
  study_choose(p);
  make_views(p);
  if (!write_page(p)) return EXIT_MISTAKE;
  if (!is_device(p->page)) printf("%s: open it in a browser, or print it\n", p->page);
  if (!argument_value(p->arguments, "pdf")) return EXIT_GOOD;
  snprintf(pdf, sizeof pdf, "%.*s.pdf", (int)strlen(p->page) - 5, p->page);
  ExitCode code = page_print(name, p->arguments, p->page, pdf);
  if (code == EXIT_GOOD) printf("%s: the same as PDF\n", pdf);
  return code;
}

void study_choose(StudyPage *p) {
  const StudyTable *t = p->survey.table;
  for (int i = 0; i < study_table_columns(t); i++)
    p->errors = p->errors || !strcmp(study_table_column(t, i)->set, "/errors");
  choose_results(p);
  choose_parameters(p);
  study_find_worst(p);
}

ExitCode study_report(const Arguments *a) {
  StudyPage *p = calloc(1, sizeof *p);
  StudyTable *t = NULL;
  ExitCode code = EXIT_MISTAKE;
  if (!p) return EXIT_MACHINE;
  p->arguments = a, p->path = a->word[0];
  if (find_page(p) && open_study(name, p->path, &t)) {
    if (survey_make(name, t, 0, NULL, &p->survey)) code = report_table(p);
    survey_free(&p->survey);
    study_table_close(&t);
  }
  free(p);
  return code;
}
