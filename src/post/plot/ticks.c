// SPDX-License-Identifier: Apache-2.0
// Where an axis has its numbers, and how they are written.
#include "post/plot/diagram.h"

#include <math.h>
#include <string.h>

double axis_fraction(const Axis *a, double v) {
  if (a->log) return v > 0 ? log(v / a->low) / log(a->high / a->low) : NAN;
  return (v - a->low) / (a->high - a->low);
}

static const char *const superscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static void print_power(int power, char *text, size_t size) {
  char digits[20];
  size_t n = (size_t)snprintf(text, size, "10%s", power < 0 ? "⁻" : "");
  snprintf(digits, sizeof digits, "%d", power < 0 ? -power : power);
  for (const char *c = digits; *c && n < size; c++)
    n += (size_t)snprintf(text + n, size - n, "%s", superscript[*c - '0']);
}

// A number with a minus that is as wide as a plus.
static void print_fixed(double v, int digits, char *text, size_t size) {
  char plain[32];
  snprintf(plain, sizeof plain, "%.*f", digits, v);
  bool zero = strspn(plain, "-0.") == strlen(plain);
  snprintf(text, size, "%s%s", plain[0] == '-' && !zero ? "−" : "", zero ? "0" : plain + (plain[0] == '-'));
}

static void add_tick(Ticks *t, double value) {
  if (t->count < MAX_TICKS) t->tick[t->count++].value = value;
}
static void add_minor(Ticks *t, double value) {
  if (t->minors < MAX_MINORS) t->minor[t->minors++] = value;
}

// A round distance of which at most `most` fit into a range.
static double round_step(double size, int most) {
  double step = pow(10, floor(log10(size / most)));
  for (int i = 0; i < 4 && size / step > most + 1e-9; i++) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

static void choose_linear(const Axis *a, int most, Ticks *t) {
  double size = a->high - a->low, largest = fmax(fabs(a->low), fabs(a->high));
  double step = a->step > 0 ? a->step : round_step(size, most);
  if (!(size > 0) || !isfinite(size) || !(step > 1e-14 * largest)) return;
  for (double k = ceil(a->low / step - 1e-6); k * step <= a->high + 1e-6 * step && t->count < MAX_TICKS; k++)
    add_tick(t, k * step);
  if (largest >= 1e5 || largest < 1e-3) t->power = (int)floor(log10(largest));
  double unit = pow(10, t->power);
  int digits = (int)fmax(0, -floor(log10(step / unit) + 1e-6));
  for (int i = 0; i < t->count; i++)
    print_fixed(t->tick[i].value / unit, digits, t->tick[i].text, sizeof t->tick[i].text);
}

// Powers of ten, every few where there are many; with 2 and 5 times these where there are few.
static void choose_log(const Axis *a, int most, Ticks *t) {
  double low = log10(a->low), high = log10(a->high);
  if (!(a->low > 0) || !(high > low) || !isfinite(high)) return;
  int every = (int)ceil((high - low) / most), first = (int)ceil(low - 1e-9), last = (int)floor(high + 1e-9);
  if (high - low < 0.9) {
    choose_linear(a, most, t);
    return;
  }
  bool between = every == 1 && (high - low) * 3 <= most && high - low < 2.5;
  for (int k = (int)floor(low); k <= last; k++)
    for (int m = 1; m < 10; m++) {
      double value = m * pow(10, k), at = log10(value);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      bool whole = m == 1 && (k - first) % every == 0;
      if (whole || (between && (m == 2 || m == 5))) add_tick(t, value);
      else if (every == 1 || m == 1) add_minor(t, value);
    }
  bool plain = t->count > 0 && t->tick[0].value > 0.9e-3 && t->tick[t->count - 1].value < 1.1e4;
  for (int i = 0; i < t->count; i++) {
    Tick *k = &t->tick[i];
    int power = (int)floor(log10(k->value) + 1e-9), m = (int)lround(k->value / pow(10, power));
    char text[24];
    print_power(power, text, sizeof text);
    if (plain) snprintf(k->text, sizeof k->text, "%g", k->value);
    else if (m == 1) snprintf(k->text, sizeof k->text, "%s", text);
    else snprintf(k->text, sizeof k->text, "%d·%s", m, text);
  }
}

static void choose_ticks(const Axis *a, int most, Ticks *t) {
  *t = (Ticks){0};
  if (a->log) choose_log(a, most, t);
  else choose_linear(a, most, t);
}

// As many as leave room between their numbers, which along x are as wide as they are; upright at least three, along x at
// least two, if need be closer to each other.
void ticks_choose(const Axis *a, double pixels, bool upright, Ticks *out) {
  int most = (int)fmin(fmax(pixels / (upright ? 60 : 110), 2), 12);
  if (upright) {
    for (choose_ticks(a, most, out); out->count < 3 && most < pixels / 28; most++) choose_ticks(a, most + 1, out);
    return;
  }
  for (; most >= 1; most--) {
    double widest = 0;
    choose_ticks(a, most, out);
    for (int i = 0; i < out->count; i++) widest = fmax(widest, text_width(out->tick[i].text, TEXT_SIZE));
    if (a->step > 0 || widest + 24 < pixels / fmax(out->count, 1)) break;
  }
  for (most = 2; out->count < 2 && most < 7; most++) choose_ticks(a, most, out); // rather close than alone
}

// ---- names ----

const char *pretty_units(const char *units, char *text, size_t size) {
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

void axis_text(const Axis *a, char *text, size_t size) {
  char units[80], power[40] = "";
  pretty_units(a->units, units, sizeof units);
  if (a->ticks.power) print_power(a->ticks.power, power, sizeof power);
  bool any = *units || *power;
  snprintf(text, size, "%s%s%s%s%s%s%s", a->name, *a->name && any ? " " : "", any ? "[" : "", power,
           *power && *units ? " " : "", units, any ? "]" : "");
}

double axis_room(const Axis *y, double height) {
  Ticks t;
  double widest = 0;
  ticks_choose(y, height, true, &t);
  for (int i = 0; i < t.count; i++) widest = fmax(widest, text_width(t.tick[i].text, TEXT_SIZE));
  return fmax(widest + 64, 100);
}
