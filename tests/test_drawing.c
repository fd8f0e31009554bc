// SPDX-License-Identifier: Apache-2.0
// What diagrams are drawn with: areas and lines of pixels, numbers of axes, letters.
#include "check.h"
#include "post/plot/diagram.h"
#include "post/picture/canvas.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 60, HIGH = 40 };

static unsigned seed = 1;
static double draw(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * (seed >> 8) / 16777216.0;
}

static double darkness(const Raster *r) { // of all pixels
  double sum = 0;
  for (int i = 0; i < WIDE * HIGH; i++) sum += (255 - r->rgb[3 * i]) / 255.0;
  return sum;
}

static double area_of(int n, const CanvasPoint *p) {
  double twice = 0;
  for (int i = 0; i < n; i++) twice += p[i].x * p[(i + 1) % n].y - p[(i + 1) % n].x * p[i].y;
  return fabs(twice) / 2;
}

TEST(an_area_is_as_dark_as_it_is_large) {
  for (int k = 0; k < 200; k++) {
    Raster r;
    CHECK(raster_begin(&r, WIDE, HIGH));
    CanvasPoint p[3];
    for (int i = 0; i < 3; i++) p[i] = (CanvasPoint){draw(1, WIDE - 1), draw(1, HIGH - 1)};
    raster_fill(&r, 3, p, 0x000000);
    CHECK_NEAR(darkness(&r), area_of(3, p), 0.02 + 0.004 * area_of(3, p)); // 1/512 is left out, 1/255 is a step
    raster_free(&r);
  }
}

TEST(what_lies_outside_is_cut_off) {
  Raster r;
  CHECK(raster_begin(&r, WIDE, HIGH));
  CanvasPoint p[4] = {{-1000, -500}, {1000, -500}, {1000, 20}, {-1000, 20}};
  raster_fill(&r, 4, p, 0x000000);
  CHECK_NEAR(darkness(&r), WIDE * 20, 1e-9);
  r.clip[0] = 10, r.clip[1] = 30, r.clip[2] = 20, r.clip[3] = 35;
  CanvasPoint q[2] = {{-1e4, 32.5}, {1e4, 32.5}};
  raster_stroke(&r, 2, q, &(Pen){0x000000, 1, 0});
  CHECK_NEAR(darkness(&r), WIDE * 20 + 10, 1e-9);
  raster_free(&r);
}

TEST(a_hole_is_a_contour_the_other_way_round) {
  Raster r;
  CHECK(raster_begin(&r, WIDE, HIGH));
  CanvasPoint p[9] = {{10, 10}, {30, 10}, {30, 30}, {10, 30}, {NAN, NAN}, {15, 15}, {15, 25}, {25, 25}, {25, 15}};
  raster_fill(&r, 9, p, 0x000000);
  CHECK_NEAR(darkness(&r), 300, 1e-9);
  raster_free(&r);
}

TEST(a_line_of_one_pixel_on_pixels_is_sharp) {
  Raster r;
  CHECK(raster_begin(&r, WIDE, HIGH));
  CanvasPoint p[2] = {{10.5, 20.5}, {29.5, 20.5}};
  raster_stroke(&r, 2, p, &(Pen){0x000000, 1, 0});
  CHECK_NEAR(darkness(&r), 20, 1e-9);
  raster_free(&r);
}

TEST(a_line_is_as_dark_as_it_is_long_and_wide) {
  for (int k = 0; k < 50; k++) {
    Raster r;
    CHECK(raster_begin(&r, WIDE, HIGH));
    CanvasPoint p[2] = {{draw(5, 55), draw(5, 35)}, {draw(5, 55), draw(5, 35)}};
    double width = draw(1.5, 4), length = hypot(p[1].x - p[0].x, p[1].y - p[0].y);
    raster_stroke(&r, 2, p, &(Pen){0x000000, width, 0});
    double area = length * width + 0.785398 * width * width; // with round ends
    CHECK_NEAR(darkness(&r), area, 0.05 * area + 1);
    raster_free(&r);
  }
}

TEST(a_dash_leaves_its_gaps) {
  Raster r;
  CHECK(raster_begin(&r, WIDE, HIGH));
  CanvasPoint p[3] = {{5, 20.5}, {30, 20.5}, {55, 20.5}}; // gaps go on over corners
  raster_stroke(&r, 3, p, &(Pen){0x000000, 1, 4});        // 8 and 3
  int dark = 0, light = 0;
  for (int x = 5; x < 55; x++) {
    int v = r.rgb[3 * (20 * WIDE + x)];
    dark += v<64, light += v> 192;
  }
  CHECK(dark >= 34 && light >= 6);
  raster_free(&r);
}

// ---- axes ----

TEST(numbers_of_any_axis_are_round_apart_and_few) {
  for (int k = 0; k < 3000; k++) {
    double scale = pow(10, draw(-30, 30)), low = draw(-1, 1) * scale, size = scale * pow(10, draw(-6, 0.3));
    bool upright = k % 2;
    Axis a = {.low = low, .high = low + size};
    Ticks t;
    ticks_choose(&a, draw(190, 1100), upright, &t);
    CHECK(t.count >= 2 && t.count <= 14);
    for (int i = 0; i < t.count; i++) {
      CHECK(t.tick[i].value >= a.low - 1e-5 * size && t.tick[i].value <= a.high + 1e-5 * size);
      if (!i) continue;
      CHECK(t.tick[i].value > t.tick[i - 1].value);
      CHECK(strcmp(t.tick[i].text, t.tick[i - 1].text) != 0);
    }
  }
}

TEST(numbers_of_logarithmic_axes_are_within_and_apart) {
  for (int k = 0; k < 2000; k++) {
    Axis a = {.low = pow(10, draw(-30, 30)), .log = true};
    a.high = a.low * pow(10, draw(0.05, 20));
    Ticks t;
    ticks_choose(&a, draw(190, 1100), k % 2, &t);
    CHECK(t.count >= 1 && t.count <= 14);
    for (int i = 0; i < t.count; i++) {
      double at = axis_fraction(&a, t.tick[i].value);
      CHECK(at > -1e-6 && at < 1 + 1e-6);
      if (i) CHECK(strcmp(t.tick[i].text, t.tick[i - 1].text) != 0);
    }
  }
}

static const char *tick_text(double low, double high, bool log, int i) {
  static Ticks t;
  Axis a = {.low = low, .high = high, .log = log};
  ticks_choose(&a, 400, true, &t);
  return i < t.count ? t.tick[i].text : "none";
}

TEST(numbers_are_written_as_people_do) {
  CHECK(!strcmp(tick_text(-1, 1, false, 0), "−1.0"));
  CHECK(!strcmp(tick_text(-1, 1, false, 2), "0"));
  CHECK(!strcmp(tick_text(0, 100, false, 1), "20"));
  CHECK(!strcmp(tick_text(1e-9, 1, true, 0), "10⁻⁸") || !strcmp(tick_text(1e-9, 1, true, 0), "10⁻⁹"));
  CHECK(!strcmp(tick_text(0.1, 1000, true, 0), "0.1"));
}

TEST(a_power_of_ten_goes_to_the_name_of_the_axis) {
  Axis a = {.low = 0, .high = 3e-5, .name = "tip.x", .units = "m s-1"};
  char text[100];
  ticks_choose(&a, 400, true, &a.ticks);
  axis_text(&a, text, sizeof text);
  CHECK(!strcmp(text, "tip.x [10⁻⁵ m/s]"));
  CHECK(!strcmp(a.ticks.tick[a.ticks.count - 1].text, "3.0"));
}

// ---- letters ----

TEST(letters_are_inside_their_width_and_on_their_line) {
  PointList l = {0};
  TextStyle s = {100, 50, 20, TEXT_MIDDLE, false, 0, 0};
  text_outline("Hx0", &s, &l);
  double wide = text_width("Hx0", 20), low = 0, left = 1e9, right = -1e9;
  for (int i = 0; i < l.n; i++) {
    if (isnan(l.at[i].x)) continue;
    low = fmax(low, l.at[i].y), left = fmin(left, l.at[i].x), right = fmax(right, l.at[i].x);
  }
  CHECK(left >= 100 - wide / 2 && right <= 100 + wide / 2 && right - left > 0.85 * wide);
  CHECK_NEAR(low, 50, 0.4);
  free(l.at);
}

TEST(texts_are_shortened_between_characters) {
  for (double width = 65; width < 300; width += 7) {
    char text[] = "größer als ein Ωmega, und länger als die Breite";
    text_shorten(text, 18, width);
    CHECK(text_width(text, 18) <= width);
    for (const char *c = text; *c;) CHECK(text_next(&c) != 0xFFFD);
  }
}

TEST(bytes_that_are_no_text_are_one_sign_each) {
  const char *c = "a\xFF\xC3z";
  CHECK(text_next(&c) == 'a');
  CHECK(text_next(&c) == 0xFFFD);
  CHECK(text_next(&c) == 0xFFFD);
  CHECK(text_next(&c) == 'z');
  CHECK(*c == 0);
  for (const char *const *bad = (const char *const[]){"\xE0\x80\xAF", "\xF7\xBF\xBF\xBF", "\xED\xA0\x80", NULL}; *bad;
       bad++)
    CHECK(text_next(&(const char *){*bad}) == 0xFFFD); // too long, too large, half of a pair
}

TEST(pieces_of_lines_end_at_the_box) {
  const double box[4] = {0, 0, 10, 10};
  CanvasPoint a = {-10, 5}, b = {20, 5};
  CHECK(clip_segment(&a, &b, box));
  CHECK_NEAR(a.x, 0, 1e-12), CHECK_NEAR(b.x, 10, 1e-12);
  a = (CanvasPoint){-10, 5}, b = (CanvasPoint){5, 30};
  CHECK(!clip_segment(&a, &b, box));
}

// ---- whole diagrams ----

static double odd_value(void) {
  static const double odd[] = {0, -0.0, NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e-300, 1, -1, 1e20};
  return draw(0, 1) < 0.3 ? odd[(int)draw(0, 12)] : draw(-3, 3) * pow(10, floor(draw(-8, 8)));
}

static void odd_panel(Diagram *d, int k) {
  static const LegendPlace places[] = {LEGEND_NONE, LEGEND_CORNER, LEGEND_ABOVE, LEGEND_RIGHT};
  enum { N = 40 };
  double x[N], y[N], z[N];
  Panel *p = diagram_panel(d, 120, 65 + 250 * k, 900, 65 + 250 * k + 200);
  p->legend = places[(int)draw(0, 4)], p->scale = draw(0, 1) < 0.2;
  p->scale_range[0] = odd_value(), p->scale_range[1] = odd_value();
  axis_set(&p->x, "x", "m", odd_value(), odd_value());
  axis_set(&p->y, "y \xFF <&> \x01", "m s-2", odd_value(), odd_value());
  p->x.log = draw(0, 1) < 0.3, p->y.log = draw(0, 1) < 0.3;
  for (int i = 0; i < 3; i++) {
    int n = (int)draw(0, N);
    for (int j = 0; j < n; j++) x[j] = odd_value(), y[j] = odd_value(), z[j] = odd_value();
    Curve *c = panel_curve(d, p, (CurveKind)i, n, x, y, i == CURVE_AREA ? z : NULL);
    curve_name(c, "data", 3 * k + i);
    c->dash = (int)draw(0, 5);
    snprintf(c->legend, sizeof c->legend, "a curve");
  }
  panel_text(p, odd_value(), odd_value(), TEXT_MIDDLE, 0);
}

// A file of each format; of SVG it must hold no number that is none.
static bool is_drawn(Diagram *d, const CanvasKind *kind) {
  FILE *f = tmpfile();
  bool good = f && diagram_draw(d, kind, f) && ftell(f) > 100;
  static char text[1 << 20];
  if (f) rewind(f);
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  text[n] = 0;
  if (f) fclose(f);
  return good && (kind != &canvas_svg || (!strstr(text, "nan") && !strstr(text, "inf") && strstr(text, "</svg>")));
}

TEST(diagrams_of_any_numbers_are_drawn) {
  static const CanvasKind *const kinds[] = {&canvas_svg, &canvas_png, &canvas_pdf};
  for (int k = 0; k < 60; k++) {
    Diagram *d = calloc(1, sizeof *d);
    CHECK(d != NULL);
    d->width = 1200, d->height = 65 + 3 * 250 + 60, d->fit_left = k % 2;
    snprintf(d->title, sizeof d->title, "a title");
    for (int i = 0; i < 3; i++) odd_panel(d, i);
    CHECK(is_drawn(d, kinds[k % 3]));
    diagram_free(d);
  }
}

CHECK_MAIN
