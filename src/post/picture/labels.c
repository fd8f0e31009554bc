// SPDX-License-Identifier: Apache-2.0
// Where labels go: each takes the best of some places about its own, the farther ones with a line that leads there.
#include "post/picture/sheet.h"

#include <string.h>

typedef struct {
  double x0, y0, x1, y1;
} Box;

enum { MOST_LABELS = 400, AROUND = 8, RINGS = 3, MANY = 30 };
static const double CROWDED = 0.6; // size of marks

void sheet_label(Sheet *s, Pixel at, double clear, const char *text, const char *style) {
  Label *l;
  if (!text || !*text || s->error) return;
  if (s->labels.count >= MOST_LABELS) {
    s->unplaced++;
    return;
  }
  for (int i = 0; i < s->labels.count; i++) { // a node, its mass and its joint may share a name
    const Label *other = (const Label *)s->labels.data + i;
    if (!strcmp(other->text, text) && pixel_distance(other->at, at) < 20) return;
  }
  s->error = ArrayAdd(&s->labels, sizeof *l, &l);
  if (!s->error) *l = (Label){at, clear, text, style};
}

static double width_of(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80; // characters of UTF-8
  return 6.4 * n + 2;
}

static Box box_at(const Label *l, int direction, int ring) {
  static const double toward[AROUND][2] = {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}};
  const double *t = toward[direction];
  double far = l->clear * (t[0] && t[1] ? 0.75 : 1) + 2 + 16 * ring, w = width_of(l->text), h = 13;
  double x = l->at.x + t[0] * (far + 0.5 * w), y = l->at.y + t[1] * (far + 0.5 * h);
  return (Box){x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h};
}

static bool boxes_meet(const Box *a, const Box *b) {
  return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

// Liang & Barsky: does a part of the line lie in the box?
static bool line_meets(const Box *b, const AvoidedLine *q) {
  double d[2] = {q->b.x - q->a.x, q->b.y - q->a.y}, low = 0, high = 1;
  double least[2] = {b->x0 - q->a.x, b->y0 - q->a.y}, most[2] = {b->x1 - q->a.x, b->y1 - q->a.y};
  for (int i = 0; i < 2; i++) {
    if (d[i] == 0) {
      if (least[i] > 0 || most[i] < 0) return false;
      continue;
    }
    double p = least[i] / d[i], r = most[i] / d[i];
    low = fmax(low, fmin(p, r)), high = fmin(high, fmax(p, r));
  }
  return low <= high;
}

static double cost_of(const Sheet *s, const Label *l, const Box *b) {
  double cost = 0;
  const Box *taken = s->boxes.data;
  const AvoidedLine *q = s->stretches.data;
  const Label *other = s->labels.data;
  if (b->x0 < 4 || b->y0 < 4 || b->x1 > s->width - 4 || b->y1 > s->height - 4) cost += 1000;
  for (int i = 0; i < s->boxes.count; i++) cost += boxes_meet(b, &taken[i]) ? 200 : 0;
  for (int i = 0; i < s->stretches.count && cost < 1000; i++) cost += line_meets(b, &q[i]) ? 10 : 0;
  for (int i = 0; i < s->labels.count && cost < 1000; i++) { // what the label of another belongs to
    double r = other[i].clear;
    Box mark = {other[i].at.x - r, other[i].at.y - r, other[i].at.x + r, other[i].at.y + r};
    if (&other[i] != l && boxes_meet(b, &mark)) cost += 20;
  }
  return cost;
}

// What a place may cost: of many names none that hides three lines; of a crowded drawing only those that hide nothing.
static double most_cost(const Sheet *s) { return s->mark < CROWDED ? 10 : s->labels.count > MANY ? 28 : 200; }

static bool place_label(Sheet *s, const Label *l) {
  Box best = {0, 0, 0, 0}, *keep;
  double least = 1e9;
  int far = 0;
  for (int ring = 0; ring < (s->mark < CROWDED ? 1 : RINGS); ring++)
    for (int direction = 0; direction < AROUND; direction++) {
      Box b = box_at(l, direction, ring);
      double cost = cost_of(s, l, &b) + 8 * ring + 0.1 * direction;
      if (cost < least) least = cost, best = b, far = ring;
    }
  if (least >= most_cost(s) || s->error) return s->error != 0; // there is no room: better none than one upon another
  s->error = ArrayAdd(&s->boxes, sizeof *keep, &keep);
  if (s->error) return true;
  *keep = best;
  Pixel end = {fmax(best.x0, fmin(best.x1, l->at.x)), fmax(best.y0, fmin(best.y1, l->at.y))};
  if (far) sheet_line(s, pixel_move(l->at, fmin(3, l->clear), pixel_unit(l->at, end, pixel(0, 0))), end, "leader");
  sheet_text(s, pixel(best.x0 + 1, best.y1 - 3), l->style, l->text);
  return true;
}

int sheet_labels(Sheet *s) {
  for (int i = 0; i < s->labels.count; i++) s->unplaced += !place_label(s, (const Label *)s->labels.data + i);
  return s->unplaced;
}
