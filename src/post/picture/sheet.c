// SPDX-License-Identifier: Apache-2.0
// From where a model is seen, and how large. A planar model is drawn in its plane; any other from aslant, from that
// side from which its points lie widest apart.
#include "post/picture/sheet.h"

#include "model/visuals.h"

#include <stdlib.h>
#include <string.h>

const char *const picture_views[] = {"x", "y", "z", "iso", NULL};

Vec3 body_centre(Model m, const ModelElement *e, Inertia *inertia) {
  const ModelNode *node = model_node(m, model_element_nodes(m, e)[0]);
  e->kind->inertia(e->data, 0, inertia);
  Vec3 x = node->x[0], c = inertia->m > 0 ? vec3_scale(1 / inertia->m, inertia->s) : vec3_zero();
  if (node->kind == NODE_FRAME)
    x = vec3_axpy(vec3_axpy(vec3_axpy(x, c.x, node->x[1]), c.y, node->x[2]), c.z, node->x[3]);
  return x;
}

// Calls `visit` for all places that a picture must hold.
typedef void (*Visit)(void *self, Vec3 x);
static void visit_positions(Model m, Visit visit, void *self) {
  ModelMesh it = {.element = -1};
  while (model_next_mesh(m, &it))
    for (int i = 0; i < it.mesh->points; i++) visit(self, it.mesh->at[i]);
  for (int i = 1; i < m->nodes.count; i++) visit(self, model_node(m, i)->x[0]);
  for (int j = 0; j < m->joints.count; j++)
    for (int i = 0; i < 2; i++) visit(self, model_joint(m, j)->joint.geometry.at[i]);
  for (int e = 0; e < m->elements.count; e++) { // mass centres and ends of springs off their nodes
    const ModelElement *q = model_element(m, e);
    ElementVisual visual;
    Inertia i;
    element_visual(q->kind, q->data, 0, &visual);
    if (visual_has_ends(visual.shape)) {
      Vec3 end[2];
      visual_ends(m, q, &visual, end);
      for (int k = 0; k < 2; k++) visit(self, end[k]);
    }
    if (!visual_has_node(visual.shape) || model_node(m, model_element_nodes(m, q)[0])->kind != NODE_FRAME) continue;
    Vec3 centre = body_centre(m, q, &i);
    if (i.m > 0) visit(self, centre);
  }
}

static void visit_visuals(Model m, bool surfaces, Visit visit, void *self) {
  for (int i = 0; i < m->visuals.count; i++)
    for (int c = 0; c < 8 && model_visual(m, i)->shape && (surfaces || !model_visual(m, i)->surface); c++)
      visit(self, visual_corner(m, model_visual(m, i), c));
}

typedef struct {
  Vec3 right, up, out, low, high, sum;
  double count, cover[3]; // second moments of right, up, and both
} Spread;

static void spread_visit(void *self, Vec3 x) {
  Spread *s = self;
  double p[3] = {vec3_dot(x, s->right), vec3_dot(x, s->up), vec3_dot(x, s->out)};
  s->low = s->count ? vec3(fmin(s->low.x, p[0]), fmin(s->low.y, p[1]), fmin(s->low.z, p[2])) : vec3_of(p);
  s->high = s->count ? vec3(fmax(s->high.x, p[0]), fmax(s->high.y, p[1]), fmax(s->high.z, p[2])) : vec3_of(p);
  s->sum = vec3_add(s->sum, vec3_of(p));
  s->cover[0] += p[0] * p[0], s->cover[1] += p[1] * p[1], s->cover[2] += p[0] * p[1], s->count++;
}

// With the shapes of surfaces, or without: a ball over a floor moves in a plane, however wide the floor.
static Spread spread_of(Model m, const ViewAxes *v, bool surfaces) {
  Spread s = {.right = v->right, .up = v->up, .out = v->out};
  visit_positions(m, spread_visit, &s);
  visit_visuals(m, surfaces, spread_visit, &s);
  return s;
}

static ViewAxes view_along(int axis) {
  static const ViewAxes views[] = {
      {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, "view along -x"},
      {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, "view along y"},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, "view along -z"},
  };
  return views[axis];
}

// Against the pull of a field that acts along an axis of the ground; else z.
static int upright_axis(Model m) {
  for (int i = 0; i < m->loads.count; i++) {
    const Load *l = &model_load(m, i)->load;
    double g = vec3_norm(l->acceleration);
    if (l->target == LOAD_FIELD && g > 0 && fabs(l->acceleration.y) > 0.999 * g) return 1;
  }
  return 2;
}

// From above, `turn` degrees about the upright axis.
static ViewAxes view_aslant(int turn, int up) {
  const double degree = 3.141592653589793 / 180, rise = 24 * degree;
  double c = cos(turn * degree), s = sin(turn * degree);
  ViewAxes v = {.right = {c, s, 0}, .up = {-s * sin(rise), c * sin(rise), cos(rise)}, .name = ""};
  if (up == 1) v.right = vec3(c, 0, -s), v.up = vec3(-s * sin(rise), cos(rise), -c * sin(rise));
  v.out = vec3_cross(v.right, v.up);
  return v;
}

static ViewAxes best_aslant(Model m) {
  static const int turns[] = {28, -28, 55, -55};
  ViewAxes best = view_aslant(turns[0], upright_axis(m));
  double most = -1;
  for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
    ViewAxes v = view_aslant(turns[i], upright_axis(m));
    Spread s = spread_of(m, &v, true);
    double n = fmax(s.count, 1), xx = s.cover[0] - s.sum.x * s.sum.x / n, yy = s.cover[1] - s.sum.y * s.sum.y / n,
           xy = s.cover[2] - s.sum.x * s.sum.y / n, area = xx * yy - xy * xy;
    if (area > 1.0001 * most) most = area, best = v;
  }
  return best;
}

// How well a view along an axis of the ground shows what happens: hinges turn in the sheet, loads act in it.
static int view_merit(Model m, int axis) {
  int n = 0;
  for (int j = 0; j < m->joints.count; j++) {
    double a[3];
    vec3_to(model_joint(m, j)->joint.geometry.axis, a);
    n += model_joint(m, j)->kind->mark == MARK_HINGE && fabs(a[axis]) > 0.999;
  }
  for (int i = 0; i < m->loads.count; i++) {
    const Load *l = &model_load(m, i)->load;
    double f[3], size = vec3_norm(vec3_add(l->force, l->acceleration));
    vec3_to(vec3_add(l->force, l->acceleration), f);
    if (fabs(f[axis]) > 0.5 * size) n -= 1000;
  }
  return n;
}

ViewAxes view_choose(Model m, const char *word) {
  static const int order[] = {1, 2, 0}; // where a straight line leaves the choice
  for (int axis = 0; word && axis < 3; axis++)
    if (!strcmp(word, picture_views[axis])) return view_along(axis);
  ViewAxes ground = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, ""};
  Spread s = spread_of(m, &ground, false);
  double extent[3], size = 0;
  vec3_to(vec3_sub(s.high, s.low), extent);
  for (int i = 0; i < 3; i++) size = fmax(size, extent[i]);
  int best = -1;
  for (int k = 0; k < 3 && !word; k++)
    if (extent[order[k]] <= 1e-3 * size && view_merit(m, order[k]) >= 0 &&
        (best < 0 || view_merit(m, order[k]) > view_merit(m, best)))
      best = order[k];
  return best < 0 ? best_aslant(m) : view_along(best);
}

void sheet_fit(Sheet *s, Model m) {
  Spread q = spread_of(m, &s->view, true);
  double w = q.high.x - q.low.x, h = q.high.y - q.low.y, largest = fmax(w, h);
  s->scale = largest > 0 ? fmin(w > 0 ? 720 / w : 1e300, h > 0 ? 480 / h : 1e300) : 100;
  s->width = fmax(520, w * s->scale + 2 * SHEET_MARGIN), s->height = fmax(280, h * s->scale + 2 * SHEET_MARGIN);
  s->centre = vec3_axpy(vec3_scale(0.5 * (q.low.x + q.high.x), s->view.right), 0.5 * (q.low.y + q.high.y), s->view.up);
}

static const double pi = 3.141592653589793, letter_edge = 1.6;

const char *given_name(const char *name) { return name && !strchr(name, '#') ? name : NULL; }

Pixel pixel_unit(Pixel a, Pixel b, Pixel otherwise) {
  double l = pixel_distance(a, b);
  return l > 1e-9 ? pixel((b.x - a.x) / l, (b.y - a.y) / l) : otherwise;
}

Pixel sheet_direction(const Sheet *s, Vec3 d) { return pixel(vec3_dot(s->view.right, d), -vec3_dot(s->view.up, d)); }
double sheet_depth(const Sheet *s, Vec3 d) { return vec3_dot(s->view.out, d); }

Pixel sheet_project(const Sheet *s, Vec3 x) {
  return pixel_move(pixel(0.5 * s->width, 0.5 * s->height), s->scale, sheet_direction(s, vec3_sub(x, s->centre)));
}

// ---- styles ----

typedef struct {
  const char *name;
  unsigned colour;
  double size;
  TextAnchor anchor;
} LetterStyle;

static const LetterStyle letter_styles[] = {
    {"title", 0x222222, 15, TEXT_START},         {"remark", 0x777777, 11.5, TEXT_START},
    {"element", 0x2f5582, 11.5, TEXT_START},     {"of-node", 0x222222, 11.5, TEXT_START},
    {"of-joint", 0x7a4a00, 11.5, TEXT_START},    {"of-load", 0xb3261e, 11.5, TEXT_START},
    {"of-drive", 0x8a2be2, 11.5, TEXT_START},    {"field-name", 0x1f7a4d, 11.5, TEXT_MIDDLE},
    {"scale-name", 0x222222, 11.5, TEXT_MIDDLE}, {"axis-name", 0x222222, 11.5, TEXT_START},
    {"slide-name", 0x7a4a00, 9, TEXT_START},
};

typedef struct {
  const char *name;
  int fill, line; // 0xRRGGBB; -1: none
  double width;   // of the line; one of 3 and more is thinner where marks are smaller
  int dash;
} FigureStyle;

static const FigureStyle figure_styles[] = {
    {"beam", 0xa9c1de, 0x4a6d98, 0.7, 0},
    {"axis", -1, 0x2f5582, 0.8, 0},
    {"ring", -1, 0x4a6d98, 0.4, 0},
    {"division", 0x2f5582, -1, 0, 0},
    {"bar", -1, 0x2f8a8a, 3, 0},
    {"cable", -1, 0x444444, 1.3, 0},
    {"solid", -1, 0x6b7f99, 0.7, 0},
    {"spring", -1, 0x2f7d32, 1.5, 0},
    {"bushing", 0xcfe6d0, 0x2f7d32, 1.3, 0},
    {"body", 0xd9cdb4, 0x6e5d33, 1.2, 0},
    {"centre", 0x6e5d33, -1, 0, 0},
    {"wheel", 0xcdd7e4, 0x3d5470, 1.4, 0},
    {"mass", 0x6e5d33, 0x4a3d1e, 1, 0},
    {"arm", -1, 0xcbc1a6, 4, 0},
    {"joint", 0xffffff, 0x7a4a00, 1.6, 0},
    {"dot", 0x7a4a00, -1, 0, 0},
    {"ball", 0x7a4a00, -1, 0, 0},
    {"weld", 0x7a4a00, -1, 0, 0},
    {"link", -1, 0x7a4a00, 2, 0},
    {"rod", -1, 0x7a4a00, 2, 0},
    {"arm-of-cross", -1, 0x7a4a00, 2, 0},
    {"rail", -1, 0x7a4a00, 1.3, 0},
    {"stand", -1, 0x7a4a00, 1.3, 0},
    {"turning", -1, 0x7a4a00, 1.3, 0},
    {"plane", 0xf6e8d0, 0x7a4a00, 1, 0},
    {"gap", -1, 0x7a4a00, 1.2, 2},
    {"ground", -1, 0x333333, 1.6, 0},
    {"hatch", -1, 0x333333, 0.8, 0},
    {"surface", -1, 0xb5651d, 1, 1},
    {"load", -1, 0xd3322a, 2, 0},
    {"load thin", -1, 0xd3322a, 1.2, 0},
    {"drive", -1, 0x8a2be2, 1.8, 0},
    {"field", -1, 0x1f7a4d, 2, 0},
    {"node", 0x222222, -1, 0, 0},
    {"fixed", 0xffffff, 0x222222, 1.3, 0},
    {"small x", -1, 0xd3322a, 1.3, 0},
    {"small y", -1, 0x1f8a3a, 1.3, 0},
    {"small z", -1, 0x2b5fd9, 1.3, 0},
    {"large x", -1, 0xd3322a, 1.8, 0},
    {"large y", -1, 0x1f8a3a, 1.8, 0},
    {"large z", -1, 0x2b5fd9, 1.8, 0},
    {"leader", -1, 0x999999, 0.6, 0},
    {"scale", -1, 0x222222, 1.5, 0},
};

// The first style stands for a name that is not in the table.
static const LetterStyle *find_letters(const char *name) {
  int i = sizeof letter_styles / sizeof letter_styles[0] - 1;
  while (i > 0 && strcmp(letter_styles[i].name, name) != 0) i--;
  return &letter_styles[i];
}

static const FigureStyle *find_style(const char *name) {
  int i = sizeof figure_styles / sizeof figure_styles[0] - 1;
  while (i > 0 && strcmp(figure_styles[i].name, name) != 0) i--;
  return &figure_styles[i];
}

// ---- figures ----

typedef struct {
  const char *class;
  int first, count; // points; of a text: its place
  int words;        // of a text: its first byte; -1: no text
  int fill, line;   // 0xRRGGBB; -1: none
  double width;     // of the line, or the size of letters
  int dash;
  TextAnchor anchor;
  double depth; // towards the reader
  int order;
} SheetFigure;

static void add_figure(Sheet *s, SheetFigure f) {
  SheetFigure *out;
  f.first = s->open, f.count = s->points.count - s->open;
  f.width *= s->shrink;
  f.depth = s->depth, f.order = s->figures.count;
  s->open = s->points.count;
  if (!s->error) s->error = ArrayAdd(&s->figures, sizeof *out, &out);
  if (!s->error) *out = f;
}

void sheet_corner(Sheet *s, Pixel p) {
  Pixel *out;
  p = pixel(s->about.x + s->shrink * (p.x - s->about.x), s->about.y + s->shrink * (p.y - s->about.y));
  if (!s->error) s->error = ArrayAdd(&s->points, sizeof p, &out);
  if (!s->error) *out = p;
}

static void close_figure(Sheet *s) {
  Pixel *out;
  if (!s->error) s->error = ArrayAdd(&s->points, sizeof *out, &out);
  if (!s->error) *out = ((const Pixel *)s->points.data)[s->open];
}

void sheet_draw(Sheet *s, const char *style, bool closed) {
  const FigureStyle *q = find_style(style);
  if (closed) close_figure(s);
  add_figure(s, (SheetFigure){.class = q->name,
                              .words = -1,
                              .fill = closed ? q->fill : -1,
                              .line = q->line,
                              .width = q->width * (q->width >= 3 ? s->mark : 1),
                              .dash = q->dash});
}

void sheet_paint(Sheet *s, const char *class, int fill, int line, double width) {
  close_figure(s);
  add_figure(s, (SheetFigure){.class = class, .words = -1, .fill = fill, .line = line, .width = width});
}

void sheet_piece(Sheet *s, Vec3 at, double nearer) { s->depth = sheet_depth(s, at) + nearer; }

static int compare_figures(const void *a, const void *b) {
  const SheetFigure *p = a, *q = b;
  return p->depth != q->depth ? (p->depth < q->depth ? -1 : 1) : (p->order > q->order) - (p->order < q->order);
}

void sheet_sort(Sheet *s) {
  if (!s->error && s->figures.count)
    qsort(s->figures.data, (size_t)s->figures.count, sizeof(SheetFigure), compare_figures);
}

// A figure with area and line has its class once.
static void play_figure(const Sheet *s, const SheetFigure *f, Canvas *c, double enlarge) {
  const Pixel *p = (const Pixel *)s->points.data + f->first;
  const TextStyle letters = {
      p->x, p->y, enlarge * f->width, f->anchor, false, (unsigned)f->fill, enlarge * letter_edge};
  c->class = f->class;
  if (f->words >= 0) {
    c->kind->text(c, &letters, (const char *)s->words.data + f->words);
    return;
  }
  if (f->fill >= 0) c->kind->fill(c, f->count, p, (unsigned)f->fill), c->class = NULL;
  if (f->line >= 0) c->kind->stroke(c, f->count, p, &(Pen){(unsigned)f->line, enlarge * f->width, f->dash});
}

void sheet_play(Sheet *s, Canvas *c, double enlarge) {
  Pixel *p = s->points.data;
  for (int i = 0; i < s->points.count; i++) p[i] = pixel(enlarge * p[i].x, enlarge * p[i].y);
  for (int i = 0; i < s->figures.count; i++) play_figure(s, (const SheetFigure *)s->figures.data + i, c, enlarge);
  c->class = NULL;
}

void sheet_free(Sheet *s) {
  memory_free(&s->direction);
  ModelArray *arrays[] = {&s->figures, &s->points, &s->words, &s->stretches, &s->labels, &s->boxes};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
}

void sheet_text(Sheet *s, Pixel at, const char *style, const char *text) {
  const LetterStyle *q = find_letters(style);
  int first = s->words.count;
  char *out;
  if (!*text) return;
  for (const char *p = text; !s->error && (p == text || p[-1]); p++) {
    s->error = ArrayAdd(&s->words, 1, &out);
    if (!s->error) *out = *p;
  }
  sheet_corner(s, at);
  add_figure(
      s,
      (SheetFigure){
          .class = q->name, .words = first, .fill = (int)q->colour, .line = -1, .width = q->size, .anchor = q->anchor});
}

enum { MOST_STRETCHES = 20000 };

void sheet_avoid(Sheet *s, Pixel a, Pixel b) {
  AvoidedLine *q;
  if (s->error || s->stretches.count >= MOST_STRETCHES) return;
  s->error = ArrayAdd(&s->stretches, sizeof *q, &q);
  if (!s->error) *q = (AvoidedLine){a, b};
}

static void draw_two(Sheet *s, Pixel a, Pixel b, const char *style) {
  sheet_corner(s, a);
  sheet_corner(s, b);
  sheet_draw(s, style, false);
}

void sheet_line(Sheet *s, Pixel a, Pixel b, const char *style) {
  draw_two(s, a, b, style);
  sheet_avoid(s, a, b);
}

static void draw_dot(Sheet *s, Pixel at, const char *class, int colour, double radius) {
  sheet_corner(s, at);
  add_figure(s, (SheetFigure){.class = class, .words = -1, .fill = -1, .line = colour, .width = 2 * radius});
}

// A filled circle is a dot, with another one below it for its line.
void sheet_circle(Sheet *s, Pixel at, double radius, const char *style) {
  const FigureStyle *q = find_style(style);
  double half = q->line >= 0 ? 0.5 * q->width : 0;
  int corners = (int)fmin(72, 12 + radius);
  if (q->fill >= 0) {
    if (half > 0) draw_dot(s, at, q->name, q->line, radius + half);
    draw_dot(s, at, half > 0 ? NULL : q->name, q->fill, radius - half);
    return;
  }
  for (int i = 0; i < corners; i++)
    sheet_corner(s, pixel_move(at, radius, pixel(cos(2 * pi * i / corners), sin(2 * pi * i / corners))));
  sheet_draw(s, style, true);
}

static void draw_arrow_head(Sheet *s, Pixel at, Pixel d, const char *style) {
  const FigureStyle *q = find_style(style);
  Pixel n = pixel_normal(d), foot = pixel_move(at, -8, d);
  sheet_corner(s, at);
  sheet_corner(s, pixel_move(foot, 3.5, n));
  sheet_corner(s, pixel_move(foot, -3.5, n));
  sheet_paint(s, q->name, q->line, q->line, q->width);
}

void sheet_arrow(Sheet *s, Pixel a, Pixel b, const char *style) {
  Pixel d = pixel_unit(a, b, pixel(1, 0));
  sheet_line(s, a, pixel_move(b, -6, d), style);
  sheet_avoid(s, pixel_move(pixel_move(b, -8, d), -4, pixel_normal(d)), b);
  sheet_avoid(s, pixel_move(pixel_move(b, -8, d), 4, pixel_normal(d)), b);
  draw_arrow_head(s, b, d, style);
}

void sheet_box(Sheet *s, Pixel at, Pixel along, double length, double width, const char *style) {
  Pixel n = pixel_normal(along);
  for (int i = 0; i < 4; i++)
    sheet_corner(s, pixel_move(pixel_move(at, (i == 0 || i == 3 ? -0.5 : 0.5) * length, along),
                               (i < 2 ? -0.5 : 0.5) * width, n));
  sheet_draw(s, style, true);
}

void sheet_hatch(Sheet *s, Pixel at, Pixel along, double length) {
  Pixel n = pixel_normal(along), a = pixel_move(at, -0.5 * length, along);
  sheet_line(s, a, pixel_move(a, length, along), "ground");
  int strokes = (int)(length / 5);
  for (int i = 0; i < strokes; i++) {
    Pixel p = pixel_move(a, (i + 1) * length / strokes, along);
    draw_two(s, p, pixel_move(pixel_move(p, 5, n), -5, along), "hatch");
  }
  sheet_avoid(s, pixel_move(a, 5, n), pixel_move(pixel_move(a, length, along), 5, n));
}

void sheet_turn(Sheet *s, Pixel at, Vec3 axis, double radius, const char *style) {
  enum { PIECES = 24 };
  Vec3 e3 = vec3_unit(axis), e1 = vec3_normal(e3), e2 = vec3_cross(e3, e1);
  Pixel last = at, p = at;
  for (int i = 0; i <= PIECES; i++) {
    double angle = 1.5 * pi * i / PIECES;
    last = p;
    p = pixel_move(at, radius, sheet_direction(s, vec3_axpy(vec3_scale(cos(angle), e1), sin(angle), e2)));
    sheet_corner(s, p);
    if (i) sheet_avoid(s, last, p);
  }
  sheet_draw(s, style, false);
  Pixel d = pixel_unit(last, p, pixel(1, 0));
  draw_arrow_head(s, pixel_move(p, 4, d), d, style);
}

void sheet_into(Sheet *s, Pixel at, bool towards, const char *style) {
  sheet_circle(s, at, 5, style);
  if (towards) sheet_circle(s, at, 1.5, "dot");
  for (int i = 0; i < 2 && !towards; i++)
    sheet_line(s, pixel(at.x - 3.5, at.y + (i ? 3.5 : -3.5)), pixel(at.x + 3.5, at.y - (i ? 3.5 : -3.5)), style);
}

// Where labels go: each takes the best of some places about its own, the farther ones with a line that leads there.

typedef struct {
  double x0, y0, x1, y1;
} Box;

enum { MOST_LABELS = 400, AROUND = 8, RINGS = 3, MANY_LABELS = 30 };
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
static double most_cost(const Sheet *s) { return s->mark < CROWDED ? 10 : s->labels.count > MANY_LABELS ? 28 : 200; }

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

// The size of marks. They must not cover what they stand on: where there are many, a quarter of the components is
// shorter, and a quarter of the nodes closer together, than the length that counts.

enum { FEW_SIZES = 12, MOST_NODES = 20000, SAMPLES = 300 };
enum { ROOM = 40, APART = 26 };      // pixels that marks of full size need along a component, and from one to the next
static const double smallest = 0.25; // that can be seen

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double lower_quarter(int n, double *length) {
  if (n <= FEW_SIZES) return INFINITY;
  qsort(length, (size_t)n, sizeof *length, by_size);
  return length[n / 4];
}

// The distance from the first to the last node of each component.
static Error FindLengths(const Sheet *s, Model m, double *quarter) {
  double *length = NULL;
  int n = 0;
  TRY(MemoryNew(((size_t)m->components.count + 1) * sizeof *length, &length));
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (!c->count) continue;
    const ModelElement *first = model_element(m, c->first), *last = model_element(m, c->first + c->count - 1);
    int nodes = element_line_nodes(last->kind, last->data, last->nnode);
    Pixel a = sheet_project(s, model_node(m, model_element_nodes(m, first)[0])->x[0]),
          b = sheet_project(s, model_node(m, model_element_nodes(m, last)[nodes - 1])->x[0]);
    if (pixel_distance(a, b) > 1) length[n++] = pixel_distance(a, b);
  }
  *quarter = lower_quarter(n, length);
  memory_free(&length);
  return 0;
}

// The distance of nodes, of many some, to the next one.
static Error FindDistances(const Sheet *s, Model m, double *quarter) {
  Pixel *at = NULL;
  double near[SAMPLES];
  int nodes = 0, n = 0;
  TRY(MemoryNew(((size_t)m->nodes.count + 1) * sizeof *at, &at));
  for (int i = 1; i < m->nodes.count && nodes < MOST_NODES; i++)
    if (model_node_is_named(model_node(m, i))) at[nodes++] = sheet_project(s, model_node(m, i)->x[0]);
  int samples = nodes < SAMPLES ? nodes : SAMPLES;
  for (int k = 0; k < samples; k++) {
    Pixel p = at[(size_t)k * (size_t)nodes / (size_t)samples];
    double least = INFINITY;
    for (int i = 0; i < nodes; i++) {
      double d = pixel_distance(p, at[i]);
      if (d > 1) least = fmin(least, d);
    }
    if (isfinite(least)) near[n++] = least;
  }
  *quarter = lower_quarter(n, near);
  memory_free(&at);
  return 0;
}

Error SheetFindMarkSize(Sheet *s, Model m) {
  double length, distance;
  TRY(FindLengths(s, m, &length));
  TRY(FindDistances(s, m, &distance));
  s->mark = fmin(1, fmax(smallest, fmin(length / ROOM, distance / APART)));
  return 0;
}
