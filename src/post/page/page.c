// SPDX-License-Identifier: Apache-2.0
#include "post/page/page.h"

#include "console/browser.h"
#include "model/refusal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;color:#1c2733;max-width:1000px;margin:2em auto;padding:0 "
    "1.5em;background:#fff}\n"
    "h1{font-size:1.7em;margin:0 0 .1em}h2{font-size:1.2em;margin:1.9em 0 .5em;border-bottom:2px solid "
    "#1f5fa8;padding-bottom:.15em}\n"
    "h3{font-size:1em;margin:1.3em 0 .3em}p{margin:.4em 0}.sub{color:#5c6b7a}\n"
    "table{border-collapse:collapse;margin:.6em 0;font-size:.88em}\n"
    "th,td{padding:.18em .7em;border-bottom:1px solid #dde3ea;text-align:left;vertical-align:top}\n"
    "th{border-bottom:1.5px solid #8fa0b2}thead{display:table-header-group}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tr.sum "
    "td{font-weight:600;border-top:1.5px solid #8fa0b2}\n"
    "td.good{color:#1f7a3f;font-weight:600}td.look{color:#b04a00;font-weight:600}\n"
    "pre{font:12px/1.4 "
    "ui-monospace,monospace;background:#f5f7f9;padding:.8em;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(430px,1fr));gap:.8em 1.2em}\n"
    "svg.chart,img.model{display:block}svg.shape{max-width:420px}svg.chart{width:100%;height:auto;font-family:DejaVu "
    "Sans,Verdana,Geneva,sans-serif;stroke-linecap:round;stroke-linejoin:round}\n"
    "svg.chart>title+text{font-weight:600}\n"
    "svg.chart .l{fill:none;stroke-width:1.5;stroke-linejoin:round}img.model{max-width:100%;border:1px solid #dde3ea}\n"
    "@page{size:A4;margin:16mm 14mm}\n"
    "@media "
    "print{body{margin:0;padding:0;max-width:none;font-size:10.5pt}h2,h3{break-after:avoid}svg.chart,img,tr{break-"
    "inside:avoid}\n"
    ".charts{grid-template-columns:1fr "
    "1fr}a{color:inherit}body,td,svg{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n"
    "</style>\n";

void html_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<') fputs("&lt;", out);
    else if (c == '>') fputs("&gt;", out);
    else if (c == '&') fputs("&amp;", out);
    else if (c == '"') fputs("&quot;", out);
    else if (c == '\'') fputs("&#39;", out);
    else if (c >= 0x20 || c == '\n' || c == '\t') fputc(c, out); // a page holds no others
  }
}

void page_begin(FILE *out, const char *title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        out);
  html_text(out, title);
  fputs("</title>\n", out);
  fputs(style, out);
  fputs("</head>\n<body>\n", out);
}

void page_end(FILE *out) { fputs("</body>\n</html>\n", out); }

void page_section(FILE *out, const char *title) { page_text(out, "h2", "", "%s", title); }

static void print_escaped(FILE *out, const char *format, va_list args) {
  char *text = NULL;
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n >= 0 && (text = malloc((size_t)n + 1))) {
    vsnprintf(text, (size_t)n + 1, format, args);
    html_text(out, text);
  }
  free(text);
}

void page_text(FILE *out, const char *tag, const char *class, const char *format, ...) {
  va_list args;
  fprintf(out, *class ? "<%s class=\"%s\">" : "<%s>", tag, class);
  va_start(args, format);
  print_escaped(out, format, args);
  va_end(args);
  fprintf(out, "</%s>%s", tag, strcmp(tag, "td") && strcmp(tag, "th") ? "\n" : "");
}

void page_number(FILE *out, double x) { fprintf(out, "<td class=\"n\" title=\"%.17g\">%.6g</td>", x + 0.0, x + 0.0); }

void page_head(FILE *out, int count, const char *const *name) {
  fputs("<table><thead><tr>", out);
  for (int i = 0; i < count; i++) page_text(out, "th", "", "%s", name[i]);
  fputs("</tr></thead><tbody>\n", out);
}

void page_fact(FILE *out, const char *name, const char *format, ...) {
  va_list args;
  fputs("<tr>", out);
  page_text(out, "th", "", "%s", name);
  fputs("<td>", out);
  va_start(args, format);
  print_escaped(out, format, args);
  va_end(args);
  fputs("</td></tr>\n", out);
}

bool page_path(const char *command, const Arguments *a, const char *given, const Results *run, const char *ending,
               char *out, size_t size) {
  const char *base = results_file(run);
  size_t n = strlen(base);
  if (n > 3 && !strcmp(base + n - 3, ".h5")) n -= 3;
  if (given) snprintf(out, size, "%s", given);
  else snprintf(out, size, "%.*s%s", (int)n, base, ending);
  n = strlen(out);
  if (!is_device(out) && (n < 6 || strcmp(out + n - 5, ".html")))
    return print_command_error(command, "a page ends in .html, not as '%s'", out), false;
  return check_output(command, a, out, FILE_HTML);
}

double *column_values(Results *r, const char *name) {
  Refusal wrong;
  int at, rows = results_rows(r);
  double *x = calloc((size_t)rows + 1, sizeof *x);
  if (x && results_find(r, name, &at, &wrong) == 1 && results_read(r, at, 0, rows, x)) return x;
  return free(x), NULL;
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *f, const unsigned char *data, size_t size) {
  for (size_t i = 0; i < size; i += 3) {
    unsigned long x = 0;
    int n = size - i < 3 ? (int)(size - i) : 3;
    for (int k = 0; k < 3; k++) x = x << 8 | (k < n ? data[i + (size_t)k] : 0u);
    for (int k = 0; k < 4; k++) fputc(k <= n ? digits[x >> (18 - 6 * k) & 63] : '=', f);
  }
}

// A page as PDF, printed by Chromium.

static bool write_bytes(const char *command, const Arguments *a, const char *path, const char *text) {
  OutputFile f;
  if (!begin_output(command, a, path, FILE_PDF, &f)) return false;
  if (a->browser->save(fileno(f.out), text)) return end_output(command, &f);
  return output_discard(&f), false;
}

ExitCode page_print(const char *command, const Arguments *a, const char *page, const char *pdf) {
  static const char loaded[] =
      "new Promise(done => document.readyState === 'complete' && location.protocol === 'file:' ? "
      "done(1) : addEventListener('load', () => done(1)))";
  char program[4200];
  if (!browser_find(a, program, sizeof program))
    return print_command_error(command,
                               "printing a PDF needs Chromium, which is not installed: apt install chromium, or open "
                               "%s in a\n  browser and print it",
                               page),
           EXIT_MISTAKE;
  if (!check_output(command, a, pdf, FILE_PDF)) return EXIT_MISTAKE;
  Browser *b = a->browser->start(program, page, "", 1000, 1400);
  const char *bytes = b && a->browser->value(b, loaded) ? a->browser->pdf(b) : NULL;
  if (!bytes)
    print_command_error(command, "%s did not print the page; does `%s --headless=new --version` work?", program,
                        program);
  bool written = bytes && write_bytes(command, a, pdf, bytes);
  a->browser->end(b);
  return written ? EXIT_GOOD : EXIT_MACHINE;
}

// The model of a run, read again from the texts that the results hold.

static Results *serving; // whose files are read

// Files of the model, from the results in place of the disk.
static Error ServeFile(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule; // that of the disk
  char *name, *text;
  *out = (SourceText){.error = ENOENT};
  for (int i = 1; results_source(serving, i, &name, &text); i++) {
    bool same = !strcmp(name, path);
    free(name);
    if (same) {
      out->error = 0, out->length = strlen(text);
      TRY(MemoryNew(out->length + 1, &out->text));
      memcpy(out->text, text, out->length);
    }
    free(text);
    if (same) return 0;
  }
  return 0;
}

bool run_model(const char *command, Results *r, Input **in, bool *machine) {
  char *name, *text;
  int changes;
  if (!results_source(r, 0, &name, &text))
    return print_command_error(command, "'%s' does not contain its model", results_path(r)), false;
  char **change = results_changes(r, &changes);
  serving = r;
  InputOptions options = {.read = ServeFile, .change = (const char *const *)change, .changes = changes};
  *machine = InputRead(name, text, strlen(text), &options, in) != 0;
  serving = NULL;
  for (int i = 0; i < changes; i++) free(change[i]);
  free(change), free(name), free(text);
  if (*machine) return false;
  if (!*in || (*in)->diagnostics.errors)
    return print_command_error(command, "this version of Limber cannot read the model of '%s': run it again",
                               results_path(r)),
           false;
  return true;
}
