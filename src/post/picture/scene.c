// SPDX-License-Identifier: Apache-2.0
#include "post/picture/scene.h"

// Those that the user names; of a mesh with many only those that stand still.
static void scene_nodes(Scene *s, Model m) {
  enum { MANY = 300 };
  int named = 0;
  for (int i = 1; i < m->nodes.count; i++) named += model_node_is_named(model_node(m, i));
  for (int i = 1; i < m->nodes.count; i++) {
    const ModelNode *q = model_node(m, i);
    if (!model_node_is_named(q) || (named > MANY && q->kind != NODE_FIXED)) continue;
    scene_begin(s, q->name);
    fprintf(s->json, ",\"at\":%d,\"fixed\":%d}", scene_add_position(s, m, i, q->x[0]), q->kind == NODE_FIXED);
  }
}

Error SceneWrite(Model m, Scene *s) {
  static const struct {
    const char *name;
    void (*write)(Scene *s, Model m);
  } parts[] = {{"items", scene_elements},
               {"joints", scene_joints},
               {"loads", scene_loads},
               {"nodes", scene_nodes},
               {"looks", scene_looks}};
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
  memory_free(&s->first_cell);
  ModelArray *arrays[] = {&s->end, &s->vector, &s->factor, &s->stations, &s->triangles, &s->edges, &s->look_vertices};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) memory_free(&arrays[i]->data);
}
