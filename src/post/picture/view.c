// SPDX-License-Identifier: Apache-2.0
// From where a model is seen, and how large. A planar model is drawn in its plane; any other from aslant, from that
// side from which its points lie widest apart.
#include "model/looks.h"
#include "post/picture/sheet.h"

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
  for (int i = 1; i < m->nodes.count; i++) visit(self, model_node(m, i)->x[0]);
  for (int j = 0; j < m->joints.count; j++)
    for (int i = 0; i < 2; i++) visit(self, model_joint(m, j)->joint.geometry.at[i]);
  for (int e = 0; e < m->elements.count; e++) { // mass centres and ends of springs off their nodes
    const ModelElement *q = model_element(m, e);
    ElementLook look;
    Inertia i;
    element_look(q->kind, q->data, 0, &look);
    if (look_has_ends(look.shape)) {
      Vec3 end[2];
      look_ends(m, q, &look, end);
      for (int k = 0; k < 2; k++) visit(self, end[k]);
    }
    if (!look_has_node(look.shape) || model_node(m, model_element_nodes(m, q)[0])->kind != NODE_FRAME) continue;
    Vec3 centre = body_centre(m, q, &i);
    if (i.m > 0) visit(self, centre);
  }
}

static void visit_looks(Model m, bool surfaces, Visit visit, void *self) {
  for (int i = 0; i < m->looks.count; i++)
    for (int c = 0; c < 8 && model_look(m, i)->shape && (surfaces || !model_look(m, i)->surface); c++)
      visit(self, look_corner(m, model_look(m, i), c));
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
  visit_looks(m, surfaces, spread_visit, &s);
  return s;
}

static ViewAxes view_along(int axis) {
  static const ViewAxes views[] = {
      {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, "seen against x"},
      {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, "seen along y"},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, "seen against z"},
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
