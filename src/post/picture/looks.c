// SPDX-License-Identifier: Apache-2.0
// Shapes of nodes: on the sheet as triangles, those that face the reader, from back to front; in a scene as arrays and the
// combinations that move them.
#include "model/looks.h"

#include "post/picture/scene.h"
#include "post/picture/sheet.h"

#include <stdlib.h>

enum { MOST_DRAWN = 40000 }; // triangles of a sheet; beyond, the boxes of the shapes stand for them

typedef struct {
  Pixel p[3];
  double depth, light;
  int colour, order;
} DrawnTriangle;

static int compare_depths(const void *a, const void *b) {
  const DrawnTriangle *x = a, *y = b;
  return x->depth != y->depth ? (x->depth < y->depth ? -1 : 1) : (x->order > y->order) - (x->order < y->order);
}

// False: it faces away, or has no area.
static bool see_triangle(const Sheet *s, Vec3 x[3], int colour, DrawnTriangle *out) {
  Vec3 normal = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]));
  double facing = sheet_depth(s, normal), area = vec3_norm(normal);
  if (!(area > 0) || !(facing > 0)) return false;
  Vec3 light = vec3_unit(vec3_add(s->view.out, vec3_add(vec3_scale(0.6, s->view.up), vec3_scale(-0.3, s->view.right))));
  out->colour = colour < 0 ? 0xb9c0c8 : colour;
  out->light = 0.55 + 0.45 * fmax(0, vec3_dot(normal, light) / area);
  out->depth = sheet_depth(s, vec3_add(x[0], vec3_add(x[1], x[2])));
  for (int k = 0; k < 3; k++) out->p[k] = sheet_project(s, x[k]);
  return true;
}

static void put_triangle(Sheet *s, const DrawnTriangle *t) {
  int c[3];
  for (int k = 0; k < 3; k++) c[k] = (int)(t->light * (t->colour >> (16 - 8 * k) & 255));
  sheet_put(s,
            "<path fill=\"#%02x%02x%02x\" stroke=\"#%02x%02x%02x\" stroke-width=\".4\" d=\"M%.2f %.2fL%.2f %.2fL%.2f "
            "%.2fZ\"/>\n",
            c[0], c[1], c[2], c[0], c[1], c[2], t->p[0].x, t->p[0].y, t->p[1].x, t->p[1].y, t->p[2].x, t->p[2].y);
}

static void draw_boxes(Sheet *s, Model m) {
  for (int i = 0; i < m->looks.count; i++) {
    const ModelLook *l = model_look(m, i);
    for (int c = 0; c < 8 && l->shape; c++)
      for (int k = 0; k < 3; k++)
        if (!(c >> k & 1))
          sheet_line(s, sheet_project(s, look_corner(m, l, c)), sheet_project(s, look_corner(m, l, c | 1 << k)),
                     "solid");
  }
}

void draw_looks(Sheet *s, Model m) {
  long long all = 0;
  int count = 0;
  DrawnTriangle *list = NULL;
  for (int i = 0; i < m->looks.count; i++) all += model_look(m, i)->shape ? model_look(m, i)->shape->triangles : 0;
  if (!all || s->error) return;
  if (all > MOST_DRAWN) {
    draw_boxes(s, m);
    return;
  }
  s->error = MemoryNew((size_t)all * sizeof *list, &list);
  for (int i = 0; i < m->looks.count && !s->error; i++) {
    const ModelLook *l = model_look(m, i);
    for (int t = 0; l->shape && t < l->shape->triangles; t++) {
      Vec3 x[3];
      for (int k = 0; k < 3; k++) x[k] = look_position(m, l, l->shape->vertex[3 * t + k]);
      list[count].order = count;
      count += see_triangle(s, x, l->colour, &list[count]);
    }
  }
  if (!s->error) qsort(list, (size_t)count, sizeof *list, compare_depths);
  for (int i = 0; i < count && !s->error; i++) put_triangle(s, &list[i]);
  memory_free(&list);
}

// ---- scenes ----

// The first look that has the same shape; its own number: it is the first.
static int first_with_shape(Model m, int i) {
  int k = 0;
  while (model_look(m, k)->shape != model_look(m, i)->shape) k++;
  return k;
}

void scene_looks(Scene *s, Model m) {
  int *first;
  if (!m->looks.count || s->error) return;
  s->error = MemoryNew((size_t)m->looks.count * sizeof *first, &first);
  for (int i = 0; i < m->looks.count && !s->error; i++) {
    const ModelLook *l = model_look(m, i);
    if (!l->shape) continue;
    const ModelNode *n = model_node(m, l->node);
    int same = first_with_shape(m, i), begin = s->look_vertices.count;
    first[i] = same < i ? first[same] : begin;
    for (int k = 0; same == i && k < 3 * l->shape->triangles; k++)
      scene_add(s, &s->look_vertices, sizeof l->shape->vertex[k], l->shape->vertex[k]);
    Vec3 zero = look_position(m, l, (const float[3]){0, 0, 0});
    int at = scene_add_position(s, m, l->node, zero);
    for (int k = 0; k < 3; k++) {
      float one[3] = {k == 0, k == 1, k == 2};
      scene_direction(s, m, l->node, vec3_sub(look_position(m, l, one), zero));
    }
    for (int c = 0; c < 8; c++)
      scene_add_position(s, m, l->node, look_corner(m, l, c)); // so that all of it is in sight
    scene_begin(s, n->name);
    fprintf(s->json, ",\"node\":%d,\"at\":%d,\"first\":%d,\"count\":%d,\"colour\":\"#%06x\"%s%s%s%s}", l->node, at,
            first[i], 3 * l->shape->triangles, l->colour < 0 ? 0xb9c0c8u : (unsigned)l->colour,
            l->surface ? ",\"surface\":1" : "", l->beside ? ",\"beside\":1" : "", l->plane ? ",\"plane\":1" : "",
            n->kind == NODE_FIXED ? ",\"fixed\":1" : "");
  }
  memory_free(&first);
}
