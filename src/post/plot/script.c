// SPDX-License-Identifier: Apache-2.0
// A diagram as a script for gnuplot, with all its data, to be changed by hand.
#include "post/plot/diagram.h"

#include <math.h>
#include <string.h>

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

// A text for `set output`: quotes are doubled, all else stands for itself.
static void put_path(FILE *out, const char *path) {
  fputs("set output '", out);
  for (; *path; path++) fprintf(out, "%s%c", *path == '\'' ? "'" : "", *path);
  fputs("'\n", out);
}

static void put_head(const Diagram *d, const char *path, FILE *out) {
  fputs("# Written by `limber plot --script`; `gnuplot` makes the picture of this file.\n", out);
  if (ends_in(path, ".svg"))
    fprintf(out, "set terminal svg size %d,%d rounded font 'DejaVu Sans,19' background 'white'\n", d->width, d->height);
  else if (ends_in(path, ".pdf")) // 150 pixels an inch; gnuplot halves the size of its text
    fprintf(out, "set terminal pdfcairo size %.3fin,%.3fin rounded font 'DejaVu Sans,14'\n", d->width / 150.0,
            d->height / 150.0);
  else fprintf(out, "set terminal pngcairo size %d,%d rounded font 'DejaVu Sans,15'\n", d->width, d->height);
  put_path(out, path);
  fputs("set encoding utf8\n"
        "set grid lt 1 lc rgb '#e4e4e4' lw 1\n"
        "set border lw 1.2\n"
        "set tics nomirror\n"
        "set key Left reverse samplen 2.5 spacing 1.25 opaque\n",
        out);
}

// Quoted; nothing in it has a meaning of its own.
static void put_text(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', out);
    else if (strchr("_^{}@&~\\", *text)) fputc('\\', out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  fputc('\'', out);
}

static void put_data(const Curve *c, FILE *out) {
  fprintf(out, "$%s << EOD\n", c->name);
  for (int i = 0; i < c->n; i++) {
    if (isnan(c->x[i]) || isnan(c->y[i])) fputs("\n", out); // a gap
    else if (c->base) fprintf(out, "%.10g %.10g %.10g\n", c->x[i], c->base[i], c->y[i]);
    else fprintf(out, "%.10g %.10g\n", c->x[i], c->y[i]);
  }
  fputs("EOD\n", out);
}

static void put_axis(const Axis *a, char letter, FILE *out) {
  char units[80], text[600];
  fprintf(out, "%s logscale %c\nset format %c '%s'\n", a->log ? "set" : "unset", letter, letter,
          a->bare                            ? ""
          : a->log && a->high / a->low > 1e3 ? "10^{%T}"
                                             : "%h");
  if (a->step > 0) fprintf(out, "set %ctics %g\n", letter, a->step);
  else fprintf(out, "set %ctics autofreq\n", letter);
  fprintf(out, "set %crange [%.10g:%.10g]\n", letter, a->low, a->high);
  pretty_units(a->units, units, sizeof units);
  snprintf(text, sizeof text, "%s%s%s%s%s", a->name, *a->name && *units ? " " : "", *units ? "[" : "", units,
           *units ? "]" : "");
  if (a->bare) fprintf(out, "unset %clabel\n", letter);
  else fprintf(out, "set %clabel ", letter), put_text(out, text), fputc('\n', out);
}

static void put_key(const Diagram *d, const Panel *p, FILE *out) {
  static const char *const corner[4] = {"top right", "top left", "bottom right", "bottom left"};
  double x = 0.5 * (p->legend_box[0] + p->legend_box[2]), y = 0.5 * (p->legend_box[1] + p->legend_box[3]);
  if (p->scale) {
    fputs(
        "set palette defined (0 '#440154', 0.2 '#414487', 0.4 '#2a788e', 0.6 '#22a884', 0.8 '#7ad151', 1 '#d2ce1b')\n",
        out);
    fprintf(out, "set cbrange [%.8g:%.8g]\n", p->scale_range[0], p->scale_range[1]);
    fprintf(out, "set colorbox user origin screen %.4f, graph 0.1 size screen 0.018, graph 0.8\nset cblabel ",
            (p->right + 30) / d->width);
    put_text(out, p->scale_name), fputc('\n', out);
  } else fputs("unset colorbox\n", out);
  if (p->legend == LEGEND_CORNER) fprintf(out, "set key %s vertical maxrows %d\n", corner[p->corner], p->legend_rows);
  else if (p->legend == LEGEND_ABOVE)
    fprintf(out, "set key at screen %.4f, screen %.4f center horizontal maxcols %d\n", x / d->width, 1 - y / d->height,
            p->legend_columns);
  else if (p->legend == LEGEND_RIGHT)
    fprintf(out, "set key at screen %.4f, screen %.4f left top vertical maxcols 1\n", p->legend_box[0] / d->width,
            1 - p->top / d->height);
  else fputs("unset key\n", out);
  if (*p->legend_title) fprintf(out, "set key title '%s' left\n", p->legend_title);
}

static void put_curve(const Curve *c, bool png, FILE *out) {
  fprintf(out, "$%s ", c->name);
  if (c->kind == CURVE_AREA) fputs("using 1:2:3 with filledcurves", out);
  else if (c->kind == CURVE_FILL) fputs("with filledcurves closed", out);
  else if (c->kind == CURVE_DOTS)
    fprintf(out, "with points pt 7 ps %.3g", c->width * (png ? 0.11 : 0.066)); // those of a PNG are smaller
  else fputs("with lines", out);
  if (isnan(c->level)) fprintf(out, " lc rgb '#%06x'", c->colour);
  else fprintf(out, " lc palette cb %.8g", c->level);
  if (c->kind == CURVE_LINE) fprintf(out, " dt %d lw %g", c->dash + 1, c->width);
}

// Labels count from 1 anew in each panel; 99 is the title.
static void put_panel(const Diagram *d, int k, int *labels, const char *path, FILE *out) {
  const Panel *p = &d->panel[k];
  fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", p->left / d->width, p->right / d->width);
  fprintf(out, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n", 1 - p->bottom / d->height,
          1 - p->top / d->height);
  put_axis(&p->x, 'x', out), put_axis(&p->y, 'y', out);
  put_key(d, p, out);
  for (int i = 1; i <= *labels; i++) fprintf(out, "unset label %d\n", i);
  *labels = p->texts;
  for (int i = 0; i < p->texts; i++) {
    static const char *const anchor[] = {"left", "center", "right"};
    const PanelText *t = &p->text[i];
    fprintf(out, "set label %d ", i + 1), put_text(out, t->text);
    fprintf(out, " at %.10g,%.10g %s offset %.3g,%.3g tc rgb '#%06x' front\n", t->x, t->y, anchor[t->anchor],
            t->dx / 10, -t->dy / 22, t->colour);
  }
  if (k) fputs("unset label 99\n", out);
  else {
    fputs("set label 99 ", out), put_text(out, d->title);
    fprintf(out, " at screen %.6f, screen %.6f center\n", 0.5 * (p->left + p->right) / d->width, 1 - 32.0 / d->height);
  }
  for (int i = 0; i < p->curves; i++) {
    const Curve *c = &p->curve[i];
    fputs(i ? ", \\\n     " : "plot ", out);
    put_curve(c, !ends_in(path, ".svg") && !ends_in(path, ".pdf"), out);
    if (*c->legend) fputs(" title ", out), put_text(out, c->legend);
    else fputs(" notitle", out);
  }
  fputc('\n', out);
}

void diagram_script(const Diagram *d, const char *path, FILE *out) {
  int labels = 0;
  put_head(d, path, out);
  for (int k = 0; k < d->panels; k++)
    for (int i = 0; i < d->panel[k].curves; i++) put_data(&d->panel[k].curve[i], out);
  fputs("set multiplot\n", out);
  for (int k = 0; k < d->panels; k++) put_panel(d, k, &labels, path, out);
  fputs("unset multiplot\n", out);
}
