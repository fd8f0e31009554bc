// SPDX-License-Identifier: Apache-2.0
// What every part of a scene is written with: texts, entries of arrays, places and directions that move with nodes.
#include "post/picture/scene.h"

#include <string.h>

void json_text(FILE *f, const char *text) {
  fputc('"', f);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(f, "\\%c", *c);
    else if (*c == '\n') fputs("\\n", f);
    else if (*c < 0x20 || *c == '<') fprintf(f, "\\u%04x", *c);
    else fputc(*c, f);
  }
  fputc('"', f);
}

void scene_begin(Scene *s, const char *name) {
  fputs(s->first ? "{\"name\":" : ",\n{\"name\":", s->json);
  json_text(s->json, name ? name : "");
  s->first = false;
}

void scene_add(Scene *s, ModelArray *a, size_t size, const void *entry) {
  void *out;
  if (!s->error) s->error = ArrayAdd(a, size, &out);
  if (!s->error) memcpy(out, entry, size);
}

int scene_add_combination(Scene *s, int count, const int *vector, const double *factor) {
  for (int i = 0; i < count; i++) {
    if (factor[i] == 0) continue;
    scene_add(s, &s->vector, sizeof(int32_t), &(int32_t){vector[i]});
    scene_add(s, &s->factor, sizeof(float), &(float){(float)factor[i]});
  }
  scene_add(s, &s->end, sizeof(int32_t), &(int32_t){s->vector.count});
  return s->end.count - 1;
}

// Of a node that turns: in its own axes. Of a point: in those of the ground.
static int add_node_vector(Scene *s, Model m, int node, Vec3 d, bool is_position) {
  const ModelNode *q = model_node(m, node);
  int first_axis = q->kind == NODE_POINT ? 0 : 4 * node,
      vector[4] = {4 * node, first_axis + 1, first_axis + 2, first_axis + 3};
  double factor[4] = {is_position, d.x, d.y, d.z};
  for (int k = 1; k < 4 && q->kind != NODE_POINT; k++) factor[k] = vec3_dot(d, q->x[k]);
  return scene_add_combination(s, 4, vector, factor);
}

int scene_add_position(Scene *s, Model m, int node, Vec3 at) {
  return add_node_vector(s, m, node, vec3_sub(at, model_node(m, node)->x[0]), true);
}
int scene_direction(Scene *s, Model m, int node, Vec3 d) { return add_node_vector(s, m, node, d, false); }
