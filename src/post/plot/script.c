// SPDX-License-Identifier: Apache-2.0
#include "post/plot/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const plot_name = "plot";

// Colours that colour-blind readers can tell apart (Okabe and Ito).
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#e69f00",
                                      "#cc79a7", "#000000", "#56b4e9", "#999999"};

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

// A text for `set output`: quotes are doubled, all else stands for itself.
static void print_path(FILE *out, const char *path) {
  fputc('\'', out);
  for (; *path; path++) fprintf(out, "%s%c", *path == '\'' ? "'" : "", *path);
  fputs("'\n", out);
}

void script_begin(Plot *p, int width, int height) {
  p->width = width, p->height = height;
  fputs("# Drawn by `limber plot`; `gnuplot` makes the picture of this file.\n", p->out);
  if (ends_in(p->path, ".svg"))
    fprintf(p->out, "set terminal svg size %d,%d rounded font 'DejaVu Sans,19' background 'white'\n", width, height);
  else if (ends_in(p->path, ".pdf")) // 150 pixels an inch; gnuplot halves the size of its text
    fprintf(p->out, "set terminal pdfcairo size %.3fin,%.3fin rounded font 'DejaVu Sans,14'\n", width / 150.0,
            height / 150.0);
  else fprintf(p->out, "set terminal pngcairo size %d,%d rounded font 'DejaVu Sans,15'\n", width, height);
  fputs("set output ", p->out);
  print_path(p->out, p->target);
  fputs("set encoding utf8\n"
        "set grid lt 1 lc rgb '#e4e4e4' lw 1\n"
        "set border lw 1.2\n"
        "set tics nomirror\n"
        "set format x '%h'\n"
        "set key Left reverse samplen 2.5 spacing 1.25 opaque\n",
        p->out);
}

void script_text(const Plot *p, const char *text) {
  fputc('\'', p->out);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', p->out);
    else if (strchr("_^{}@&~\\", *text)) fputc('\\', p->out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, p->out);
  }
  fputc('\'', p->out);
}

void script_frame(const Plot *p, double left, double right, double bottom, double top) {
  fprintf(p->out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", left / p->width, right / p->width);
  fprintf(p->out, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n", bottom / p->height, top / p->height);
}

void script_title(const Plot *p, double left, double right) {
  fputs("set label 99 ", p->out);
  script_text(p, p->title);
  fprintf(p->out, " at screen %.6f, screen %.6f center\n", 0.5 * (left + right) / p->width, 1 - 32.0 / p->height);
}

void script_range(const Plot *p, char axis, double low, double high) {
  fprintf(p->out, "set %crange [%.10g:%.10g]\n", axis, low, high);
}

const char *script_units(const char *units, char *text, size_t size) {
  char above[60] = "", below[60] = "", copy[60], *rest = copy, *word;
  int belows = 0;
  snprintf(copy, sizeof copy, "%s", strcmp(units, "1") ? units : "");
  while ((word = strtok_r(rest, " ", &rest))) {
    size_t n = strcspn(word, "-0123456789");
    bool under = word[n] == '-';
    char *side = under ? below : above, power[20];
    snprintf(power, sizeof power, "%s", word + n + (under ? 1 : 0));
    if (!strcmp(power, "1")) power[0] = 0;
    size_t used = strlen(side);
    snprintf(side + used, sizeof above - used, "%s%.*s%s", used ? " " : "", (int)n, word, power);
    belows += under;
  }
  if (!belows) snprintf(text, size, "%s", above);
  else snprintf(text, size, belows > 1 ? "%s/(%s)" : "%s/%s", *above ? above : "1", below);
  return text;
}

void script_axis(const Plot *p, char axis, const char *name, const char *units) {
  char pretty[60], text[400];
  script_units(units, pretty, sizeof pretty);
  snprintf(text, sizeof text, "%s%s%s%s%s", name, *name && *pretty ? " " : "", *pretty ? "[" : "", pretty,
           *pretty ? "]" : "");
  fprintf(p->out, "set %clabel ", axis);
  script_text(p, text);
  fputc('\n', p->out);
}

void script_dots(const Plot *p, double size) { // those of a PNG are smaller than all others
  fprintf(p->out, "points pt 7 ps %g ", ends_in(p->path, ".png") ? size : 0.6 * size);
}

void script_line(const Plot *p, int colour, double width) {
  int n = (int)(sizeof colours / sizeof colours[0]); // colours that come again are dashed
  fprintf(p->out, "lc rgb '%s' dt %d lw %g", colours[colour % n], 1 + colour / n % 5, width);
}

void script_data(const Plot *p, const char *name, int k, int n, const double *x, const double *y) {
  fprintf(p->out, "$%s%d << EOD\n", name, k);
  for (int i = 0; i < n; i++) {
    if (isnan(y[i])) fputs("\n", p->out); // a gap
    else fprintf(p->out, "%.10g %.10g\n", x[i], y[i]);
  }
  fputs("EOD\n", p->out);
}

// ---- gnuplot ----

// What gnuplot complained of: the line that tells it, without the place in a file that is gone.
static void report_gnuplot_error(FILE *errors, const char *path) {
  char line[500], last[500] = "";
  rewind(errors);
  while (fgets(line, sizeof line, errors)) {
    line[strcspn(line, "\n")] = 0;
    if (strspn(line, " \t^") != strlen(line)) memcpy(last, line, sizeof last);
  }
  print_command_error(
      plot_name, "gnuplot could not draw '%s': %s\n  limber plot ... --script prints what it was given.", path, last);
}

ExitCode script_draw(const Plot *p, const char *script) {
  int status = -1;
  FILE *errors = tmpfile();
  if (!errors)
    return print_command_error(plot_name, "cannot write a temporary file: %s", strerror(errno)), EXIT_MACHINE;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(fileno(errors), STDERR_FILENO);
    execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(errno == ENOENT ? 127 : 126);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  bool good = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    print_command_error(plot_name, "there is no gnuplot, which draws the pictures; install it (Debian: gnuplot-nox),\n"
                                   "  or take the numbers with limber export");
  else if (!good) report_gnuplot_error(errors, p->path);
  fclose(errors);
  return good ? EXIT_GOOD : EXIT_MACHINE;
}
