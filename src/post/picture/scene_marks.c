// SPDX-License-Identifier: Apache-2.0
// Joints and loads: where they stand, and along what.
#include "post/picture/scene.h"

#include <math.h>
#include <string.h>

static const char *const marks[] = {
    [MARK_TIE] = "tie",     [MARK_CLAMP] = "clamp",       [MARK_WELD] = "weld",      [MARK_BALL] = "ball",
    [MARK_HINGE] = "hinge", [MARK_CYLINDER] = "cylinder", [MARK_SLIDER] = "slider",  [MARK_PLANE] = "plane",
    [MARK_CROSS] = "cross", [MARK_LINK] = "link",         [MARK_ACTUATOR] = "strut", [MARK_PRESCRIBED_MOTION] = "guide",
};

// A place on a body of points: by the four of a solid body, else carried by the nearest one.
static int position_on_points(Scene *s, Model m, const int *node, int count, Vec3 at) {
  Vec3 x[4], d[3];
  int nearest = 0;
  for (int i = 0; i < count && i < 4; i++) x[i] = model_node(m, node[i])->x[0];
  for (int i = 1; i < count && i < 4; i++)
    if (vec3_norm(vec3_sub(x[i], at)) < vec3_norm(vec3_sub(x[nearest], at))) nearest = i;
  if (count != 4) return scene_add_position(s, m, node[nearest], at);
  for (int i = 0; i < 3; i++) d[i] = vec3_sub(x[i + 1], x[0]);
  double volume = vec3_dot(d[0], vec3_cross(d[1], d[2])), part[4] = {1};
  Vec3 r = vec3_sub(at, x[0]);
  if (volume == 0) return scene_add_position(s, m, node[nearest], at);
  for (int i = 0; i < 3; i++)
    part[i + 1] = vec3_dot(r, vec3_cross(d[(i + 1) % 3], d[(i + 2) % 3])) / volume, part[0] -= part[i + 1];
  return scene_add_combination(s, 4, (int[]){4 * node[0], 4 * node[1], 4 * node[2], 4 * node[3]}, part);
}

static void write_joint(Scene *s, Model m, const ModelJoint *j, int cell) {
  const JointGeometry *p = &j->joint.geometry;
  int tied = j->nnode - 1 < 2 ? 1 : 2, node[2] = {j->node[0], j->node[tied - 1]}, at[2],
      axis = -1; // the ground comes last
  if (j->bodies) tied = 2, node[1] = j->node[j->last];
  for (int i = 0; i < 2; i++) {
    const int *first = i ? &j->node[j->last] : j->node;
    int points = i ? j->points : j->last;
    at[i] = j->bodies && points > 1 ? position_on_points(s, m, first, points, p->at[i])
                                    : scene_add_position(s, m, node[i], p->at[i]);
  }
  if (vec3_norm(p->axis) > 0) {
    axis = scene_direction(s, m, node[0], p->axis);
    scene_direction(s, m, node[0], p->second);
  }
  bool grounded = tied < 2;
  for (int i = 0; i < 2; i++) grounded = grounded || model_node(m, node[i])->kind == NODE_FIXED;
  fprintf(s->json,
          ",\"kind\":\"%s\",\"mark\":\"%s\",\"at\":[%d,%d],\"axis\":%d,\"grounded\":%d,\"cell\":%d,\"nodes\":[%d,%d]}",
          j->kind->name, marks[j->kind->mark], at[0], at[1], axis, grounded, cell, j->bodies ? 0 : node[0],
          j->bodies ? 0 : node[1]);
}

void scene_joints(Scene *s, Model m) {
  for (int j = 0; j < m->joints.count; j++) {
    if (model_joint_is_abstract(model_joint(m, j))) continue;
    scene_begin(s, model_joint(m, j)->name);
    write_joint(s, m, model_joint(m, j), s->joint_cells + j);
  }
}

// ---- loads ----

static void write_vector(Scene *s, Model m, const Load *l, int node, const char *name, Vec3 d) {
  Vec3 sum = d;
  const ModelNode *q = model_node(m, node);
  bool turns = l->follower && q->kind != NODE_POINT;
  if (!(vec3_norm(d) > 0)) return;
  if (turns) sum = mat3_apply(node_axes(q->x), d);
  fprintf(s->json, ",\"%s\":%d", name, scene_direction(s, m, turns ? node : GROUND, sum));
}

static void write_at(Scene *s, Model m, const ModelLoad *l) {
  enum { ARROWS = 9 };
  const Load *q = &l->load;
  int last = q->target == LOAD_ELEMENT ? model_component_last_node(m, q->id) : 0,
      step = last / (ARROWS - 1) > 0 ? last / (ARROWS - 1) : 1;
  int node = q->target == LOAD_ELEMENT ? model_component_node(m, q->id, 0) : q->id;
  fputs(",\"at\":[", s->json);
  for (int i = 0; i <= last; i += step) {
    int at = q->target == LOAD_ELEMENT ? model_component_node(m, q->id, i) : node;
    fprintf(s->json, "%s%d", i ? "," : "", scene_add_position(s, m, at, model_node(m, at)->x[0]));
  }
  fputs("]", s->json);
  write_vector(s, m, q, node, "force", q->force);
  write_vector(s, m, q, node, "moment", q->moment);
}

// On a coordinate of a joint: about or along its axis.
static void write_drive(Scene *s, Model m, const ModelLoad *l) {
  const ModelJoint *j = model_joint(m, l->load.id);
  bool turns = !strcmp(j->kind->coord_units[l->load.coord], "rad");
  fprintf(s->json, ",\"drive\":%d,\"turns\":%d,\"forced\":%d", l->load.id, turns, l->load.drive == DRIVE_FORCE);
}

void scene_loads(Scene *s, Model m) {
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    scene_begin(s, l->name);
    fprintf(s->json, ",\"kind\":\"%s\"", l->kind->name);
    switch (l->load.target) {
    case LOAD_NODE:
    case LOAD_ELEMENT: write_at(s, m, l); break;
    case LOAD_JOINT: write_drive(s, m, l); break;
    case LOAD_WHEEL: break; // the wheel shows it
    case LOAD_FIELD:
      fprintf(s->json, ",\"field\":[%.6g,%.6g,%.6g]", l->load.acceleration.x, l->load.acceleration.y,
              l->load.acceleration.z);
      break;
    }
    fputs("}", s->json);
  }
}
