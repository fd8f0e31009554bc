// SPDX-License-Identifier: Apache-2.0
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

// Those that the user names; of a mesh with many only those that stand still.
static void scene_nodes(Scene *s, Model m) {
  enum { MANY = 300 };
  int named = 0;
  for (int i = 1; i < m->nodes.count; i++) named += model_node(m, i)->component < 0;
  for (int i = 1; i < m->nodes.count; i++) {
    const ModelNode *q = model_node(m, i);
    if (q->component >= 0 || (named > MANY && q->kind != NODE_FIXED)) continue;
    scene_begin(s, q->name);
    fprintf(s->json, ",\"at\":%d,\"fixed\":%d}", scene_add_position(s, m, i, q->x[0]), q->kind == NODE_FIXED);
  }
}

Error SceneWrite(Model m, Scene *s) {
  static const struct {
    const char *name;
    void (*write)(Scene *s, Model m);
  } parts[] = {{"items", scene_elements}, {"joints", scene_joints}, {"loads", scene_loads}, {"nodes", scene_nodes}};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    fprintf(s->json, "%s\"%s\":[", i ? "],\n" : "", parts[i].name);
    s->first = true;
    parts[i].write(s, m);
  }
  fputs("]", s->json);
  scene_surface(s, m);
  return s->error;
}

void scene_free(Scene *s) {
  ModelArray *arrays[] = {&s->end, &s->vector, &s->factor, &s->stations, &s->triangles, &s->edges};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
}
