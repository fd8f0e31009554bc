// SPDX-License-Identifier: Apache-2.0
// A robot as a model file that a user can extend: a node and a body for each link, at the pose in which all joints
// are at zero, joints, shapes, gravity along -z, and the root fixed to the ground.
#include "input/robots/robot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void print_number(FILE *out, double x) {
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x == 0 ? 0 : x); // no -0
    if (strtod(text, NULL) == x) break;
  }
  fputs(text, out);
}

static void print_numbers(FILE *out, int count, const double *x) {
  fputc('[', out);
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    print_number(out, x[i]);
  }
  fputc(']', out);
}

static void print_vector(FILE *out, Vec3 v) {
  double x[3];
  vec3_to(v, x);
  print_numbers(out, 3, x);
}

// Round-off of a turn is left out.
static Mat3 without_round_off(Mat3 m) {
  for (int i = 0; i < 9; i++) {
    double *x = &m.m[i / 3][i % 3], whole = rint(*x);
    if (fabs(*x - whole) < 1e-15) *x = whole;
  }
  return m;
}

static bool is_identity(Mat3 m) {
  for (int i = 0; i < 9; i++)
    if (m.m[i / 3][i % 3] != (i / 3 == i % 3)) return false;
  return true;
}

static void print_axes(FILE *out, Mat3 m) {
  if (is_identity(m)) return;
  fputs(", axes: [", out);
  for (int j = 0; j < 3; j++) {
    if (j) fputs(", ", out);
    print_vector(out, mat3_column(m, j));
  }
  fputc(']', out);
}

// Names of a model have letters, digits, '_' and '-'; others get their number, so that no two become one.
static const char *name_of(const char *name, int number, char *text, size_t size) {
  bool good = isalpha((unsigned char)*name) && strcmp(name, "ground");
  for (const char *p = name; *p; p++) good = good && (isalnum((unsigned char)*p) || *p == '_' || *p == '-');
  if (good && strlen(name) < 100) snprintf(text, size, "%s", name);
  else {
    snprintf(text, size, "n%d_%.80s", number + 1, name);
    for (char *p = text; *p; p++)
      if (!isalnum((unsigned char)*p) && *p != '_') *p = '_';
  }
  return text;
}

// A text of others in a comment or in quotes.
static void print_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    fputc(c < 0x20 || c == 0x7f || c == '"' || c == '\\' ? '?' : c, out);
  }
}

// ---- collision shapes ----

// Of a box whose axes are not those of its link: it gets a node of its own.
static bool needs_node(const RobotGeometry *v) {
  return v->shape == ROBOT_BOX && !is_identity(without_round_off(v->origin.turn));
}

static const char *surface_name(const char *link, int k, char *text, size_t size) {
  snprintf(text, size, "%s_c%d", link, k + 1);
  return text;
}

static Vec3 geometry_position(const RobotLink *l, const RobotGeometry *v) {
  return vec3_add(l->pose.at, mat3_apply(l->pose.turn, v->origin.at));
}

static void write_surface_nodes(const Robot *r, FILE *out) {
  char link[128], name[160];
  for (int i = 0; i < r->links; i++)
    for (int k = 0; k < r->link[i].collisions; k++) {
      const RobotGeometry *v = &r->link[i].collision[k];
      if (!needs_node(v)) continue;
      name_of(r->link[i].name, i, link, sizeof link);
      fprintf(out, "  %s: {at: ", surface_name(link, k, name, sizeof name));
      print_vector(out, geometry_position(&r->link[i], v));
      print_axes(out, without_round_off(mat3_mul(r->link[i].pose.turn, v->origin.turn)));
      fputs("}\n", out);
    }
}

static void write_surface_welds(const Robot *r, FILE *out) {
  char link[128], name[160];
  for (int i = 0; i < r->links; i++)
    for (int k = 0; k < r->link[i].collisions; k++)
      if (needs_node(&r->link[i].collision[k])) {
        name_of(r->link[i].name, i, link, sizeof link);
        fprintf(out, "  - weld: {nodes: [%s, %s]}  # axes of a box\n", link, surface_name(link, k, name, sizeof name));
      }
}

// A cylinder of URDF has flat ends; the rod of a model, with round ends, lies within it. One that is shorter than wide,
// as a wheel is, becomes a sphere.
static void write_surface(const RobotLink *l, const RobotGeometry *v, const char *link, const char *name, FILE *out) {
  bool rod = v->shape == ROBOT_CYLINDER && v->size[1] > 2 * v->size[0];
  int sizes = v->shape == ROBOT_BOX ? 3 : v->shape == ROBOT_CYLINDER ? 2 : 1;
  bool good = v->shape != ROBOT_NO_SHAPE && v->shape != ROBOT_MESH;
  for (int k = 0; k < sizes && good; k++) good = v->size[k] > 0;
  if (!good) {
    fprintf(out, "  # %s: a collision shape that is %s\n", link,
            v->shape == ROBOT_MESH ? "a mesh is not written"
                                   : "not a box, cylinder or sphere of some size is not written");
    return;
  }
  fprintf(out, "  - %s: {name: %s, node: %s, at: ",
          v->shape == ROBOT_BOX ? "box"
          : rod                 ? "cylinder"
                                : "sphere",
          name, needs_node(v) ? name : link);
  print_vector(out, geometry_position(l, v));
  if (v->shape == ROBOT_BOX) fputs(", size: ", out), print_numbers(out, 3, v->size);
  else fputs(", radius: ", out), print_number(out, v->size[0]);
  if (rod) {
    fputs(", length: ", out), print_number(out, v->size[1] - 2 * v->size[0]);
    fputs(", axis: ", out),
        print_vector(out, mat3_column(without_round_off(mat3_mul(l->pose.turn, v->origin.turn)), 2));
    fputs(", points: 2", out);
  }
  fputs("}\n", out);
}

static void write_surfaces(const Robot *r, FILE *out) {
  char link[128], name[160];
  bool any = false;
  for (int i = 0; i < r->links; i++)
    for (int k = 0; k < r->link[i].collisions; k++) {
      if (!any) fputs("\nsurfaces:  # `contacts` define which of them touch, and how: docs/contact.md\n", out);
      any = true;
      name_of(r->link[i].name, i, link, sizeof link);
      write_surface(&r->link[i], &r->link[i].collision[k], link, surface_name(link, k, name, sizeof name), out);
    }
}

// ---- bodies and joints ----

static void write_nodes(const Robot *r, FILE *out) {
  char name[128];
  fputs("\nnodes:\n", out);
  for (int i = 0; i < r->links; i++) {
    const RobotLink *l = &r->link[i];
    fprintf(out, "  %s: {at: ", name_of(l->name, i, name, sizeof name));
    print_vector(out, l->pose.at);
    print_axes(out, without_round_off(l->pose.turn));
    fputs("}\n", out);
  }
  write_surface_nodes(r, out);
}

// J of the axes of the link: R J R^T.
static void turned_inertia(const RobotLink *l, double out[6]) {
  const double *q = l->inertia;
  Mat3 j = {{{q[0], q[3], q[4]}, {q[3], q[1], q[5]}, {q[4], q[5], q[2]}}}, turn = without_round_off(l->inertial.turn);
  if (!is_identity(turn)) j = mat3_mul(mat3_mul(turn, j), mat3_transpose(turn));
  const double all[6] = {j.m[0][0], j.m[1][1], j.m[2][2], j.m[0][1], j.m[0][2], j.m[1][2]};
  memcpy(out, all, sizeof all);
}

static void write_bodies(const Robot *r, FILE *out) {
  char name[128];
  bool any = false;
  for (int i = 0; i < r->links; i++) {
    const RobotLink *l = &r->link[i];
    double inertia[6];
    if (!(l->mass > 0)) continue;
    if (!any) fputs("\nelements:\n", out);
    any = true;
    name_of(l->name, i, name, sizeof name);
    fprintf(out, "  - rigid_body: {name: %s, node: %s, mass: ", name, name);
    print_number(out, l->mass);
    if (vec3_norm(l->inertial.at) > 0) fputs(", centre: ", out), print_vector(out, l->inertial.at);
    turned_inertia(l, inertia);
    fputs(", inertia: ", out);
    print_numbers(out, 6, inertia);
    fputs("}\n", out);
  }
}

static bool has_coordinate(const RobotJoint *j) {
  return j->type == ROBOT_REVOLUTE || j->type == ROBOT_CONTINUOUS || j->type == ROBOT_PRISMATIC;
}

// Spring, damper, friction and limits of a coordinate. The stops of URDF are rigid: here they give way by a hundredth
// of a radian or a millimetre under the effort.
static void write_law(const RobotJoint *j, FILE *out) {
  bool slide = j->type == ROBOT_PRISMATIC, stops = j->limited && j->type != ROBOT_CONTINUOUS && j->upper > j->lower;
  const char *between = "";
  if (!has_coordinate(j)) return;
  if (!(j->damping > 0) && !(j->friction > 0) && !stops) return;
  fprintf(out, ", %s: {", slide ? "slide" : "angle");
  if (j->damping > 0) fputs("damping: ", out), print_number(out, j->damping), between = ", ";
  if (j->friction > 0)
    fprintf(out, "%sfriction: {kinetic: ", between), print_number(out, j->friction), fprintf(out, "}"), between = ", ";
  if (stops) {
    fprintf(out, "%slimits: ", between);
    print_numbers(out, 2, (double[]){j->lower, j->upper});
    fputs(", limit_stiffness: ", out);
    print_number(out, (j->effort > 0 ? j->effort : 100) / (slide ? 1e-3 : 1e-2));
  }
  fputc('}', out);
}

// A joint that mimics another is tied to it by a coupler. All coordinates of the model are zero at the start: an offset
// is left out.
static void write_mimics(const Robot *r, FILE *out) {
  char name[2][128];
  for (int i = 0; i < r->joints; i++) {
    const RobotJoint *j = &r->joint[i];
    if (j->leader < 0) continue;
    const RobotJoint *leader = &r->joint[j->leader];
    name_of(j->name, i, name[0], sizeof name[0]);
    name_of(leader->name, j->leader, name[1], sizeof name[1]);
    if (!has_coordinate(j) || !has_coordinate(leader) || j->multiplier == 0) {
      fprintf(out, "  # %s mimics %s: this is not written, %s\n", name[0], name[1],
              j->multiplier == 0 ? "its multiplier is 0" : "one of them has no coordinate or several");
      continue;
    }
    fprintf(out, "  - coupler: {first: %s, second: %s, factors: ", name[0], name[1]);
    print_numbers(out, 3, (double[]){1, -j->multiplier, 0});
    fprintf(out, "}  # %s mimics %s", name[0], name[1]);
    if (j->offset != 0) fprintf(out, " relative to the pose at the start, without the offset %g", j->offset);
    fputc('\n', out);
  }
}

static void write_joints(const Robot *r, FILE *out) {
  static const char *const kinds[] = {"weld", "revolute", "revolute", "prismatic", "planar", NULL};
  char name[128], link[2][128];
  fputs("\njoints:\n", out);
  fprintf(out, "  - weld: {nodes: [ground, %s]}  # the root\n",
          name_of(r->link[r->root].name, r->root, name, sizeof name));
  for (int i = 0; i < r->joints; i++) {
    const RobotJoint *j = &r->joint[i];
    const RobotLink *child = &r->link[j->link[1]];
    for (int k = 0; k < 2; k++) name_of(r->link[j->link[k]].name, j->link[k], link[k], sizeof link[k]);
    if (j->type == ROBOT_FLOATING) {
      fprintf(out, "  # %s moves freely relative to %s\n", link[1], link[0]);
      continue;
    }
    fprintf(out, "  - %s: {name: %s, nodes: [%s, %s]", kinds[j->type], name_of(j->name, i, name, sizeof name), link[0],
            link[1]);
    if (j->type != ROBOT_FIXED) {
      fputs(", axis: ", out);
      print_vector(out, mat3_apply(without_round_off(child->pose.turn), j->axis));
      fputs(", at: ", out);
      print_vector(out, child->pose.at);
    }
    write_law(j, out);
    fputc('}', out);
    if (j->velocity > 0) fprintf(out, "  # velocity up to %g", j->velocity);
    fputc('\n', out);
  }
  write_surface_welds(r, out);
  write_mimics(r, out);
}

// ---- motors ----

// A joint with an effort has a motor. A program or a block of control sets its command, a signal, which is 0 until
// then; the motor gives at most the effort.
static const char *motor_name(const Robot *r, int joint, char *text, size_t size) {
  const char *name = r->joint[joint].name;
  char own[128];
  name_of(name, joint, own, sizeof own);
  if (!strchr(own, '-')) snprintf(text, size, "%s", own);
  else snprintf(text, size, "n%d_%.80s", joint + 1, own); // in a formula it would be a minus
  for (char *p = text; *p; p++)
    if (*p == '-') *p = '_';
  return text;
}

static bool has_motor(const RobotJoint *j) { return has_coordinate(j) && j->effort > 0 && j->leader < 0; }

static void write_motors(const Robot *r, FILE *out) {
  char name[128];
  bool any = false;
  for (int i = 0; i < r->joints; i++) any = any || has_motor(&r->joint[i]);
  if (any) fputs("\nfunctions:  # commands of the motors, N m or N: a program or a formula may set them\n", out);
  for (int i = 0; i < r->joints; i++)
    if (has_motor(&r->joint[i])) fprintf(out, "  %s_command: {signal: {}}\n", motor_name(r, i, name, sizeof name));
  if (any) fputs("\ncontrol:  # a motor gives at most its effort\n", out);
  for (int i = 0; i < r->joints; i++) {
    const RobotJoint *j = &r->joint[i];
    if (!has_motor(j)) continue;
    motor_name(r, i, name, sizeof name);
    fprintf(out, "  %s_motor: {limit: {input: %s_command, smallest: ", name, name), print_number(out, -j->effort);
    fputs(", largest: ", out), print_number(out, j->effort), fputs("}}\n", out);
  }
}

static void write_loads(const Robot *r, FILE *out) {
  char name[128], joint[128];
  fputs("\nloads:\n  - gravity: {acceleration: [0, 0, -9.81]}\n", out);
  for (int i = 0; i < r->joints; i++)
    if (has_motor(&r->joint[i])) {
      motor_name(r, i, name, sizeof name);
      name_of(r->joint[i].name, i, joint, sizeof joint);
      fprintf(out, "  - joint_force: {name: %s_motor, joint: %s, amplitude: %s_motor}\n", name, joint, name);
    }
}

// ---- visuals and probes ----

static const char *path_of_mesh(const char *file) {
  static const char package[] = "package://", scheme[] = "file://";
  if (!strncmp(file, package, sizeof package - 1)) {
    const char *slash = strchr(file + sizeof package - 1, '/');
    return slash ? slash + 1 : file + sizeof package - 1;
  }
  return strncmp(file, scheme, sizeof scheme - 1) ? file : file + sizeof scheme - 1;
}

static bool is_readable_mesh(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcasecmp(dot, ".stl") || !strcasecmp(dot, ".obj"));
}

const char *robot_shape_file(const RobotGeometry *v) {
  const char *path = v->shape == ROBOT_MESH ? path_of_mesh(v->file) : "";
  return is_readable_mesh(path) ? path : NULL;
}

static void write_visual(const RobotGeometry *v, const char *node, FILE *out) {
  const char *path = v->shape == ROBOT_MESH ? path_of_mesh(v->file) : "";
  if (v->shape == ROBOT_NO_SHAPE) return;
  if (v->shape == ROBOT_MESH && !is_readable_mesh(path)) {
    fprintf(out, "  # %s: ", node);
    print_text(out, path);
    fputs(" is not an STL or OBJ file\n", out);
    return;
  }
  fprintf(out, "  - {node: %s, ", node);
  if (v->shape == ROBOT_BOX) fputs("box: ", out), print_numbers(out, 3, v->size);
  if (v->shape == ROBOT_SPHERE) fputs("sphere: ", out), print_number(out, v->size[0]);
  if (v->shape == ROBOT_CYLINDER) {
    fputs("cylinder: {radius: ", out), print_number(out, v->size[0]);
    fputs(", length: ", out), print_number(out, v->size[1]), fputc('}', out);
  }
  if (v->shape == ROBOT_MESH) {
    fputs("file: \"", out), print_text(out, path), fputc('"', out);
    if (v->size[0] != 1 || v->size[1] != 1 || v->size[2] != 1) fputs(", scale: ", out), print_numbers(out, 3, v->size);
  }
  if (vec3_norm(v->origin.at) > 0) fputs(", at: ", out), print_vector(out, v->origin.at);
  print_axes(out, without_round_off(v->origin.turn));
  if (v->coloured) {
    int c[3];
    for (int k = 0; k < 3; k++) c[k] = (int)rint(255 * fmin(1, fmax(0, v->colour[k])));
    fprintf(out, ", colour: \"#%02x%02x%02x\"", c[0], c[1], c[2]);
  }
  fputs("}\n", out);
}

static void write_visuals(const Robot *r, FILE *out) {
  char name[128];
  bool any = false;
  for (int i = 0; i < r->links; i++)
    for (int k = 0; k < r->link[i].visuals; k++) {
      if (!any) fputs("\nvisuals:\n", out);
      any = true;
      write_visual(&r->link[i].visual[k], name_of(r->link[i].name, i, name, sizeof name), out);
    }
}

static void write_probes(const Robot *r, FILE *out) {
  char name[128];
  bool any = false;
  for (int i = 0; i < r->joints; i++) {
    if (!has_coordinate(&r->joint[i])) continue;
    if (!any) fputs("\nprobes:\n", out);
    any = true;
    fprintf(out, "  - {joint: %s, record: coordinate}\n", name_of(r->joint[i].name, i, name, sizeof name));
  }
}

Error RobotWriteModel(const Robot *r, const char *path, FILE *out) {
  const char *slash = strrchr(path, '/');
  fputs("# Written by limber import from ", out);
  print_text(out, slash ? slash + 1 : path);
  fputs(".\nlimber: 1\ntitle: \"", out);
  print_text(out, r->name && *r->name ? r->name : "a robot");
  fputs("\"\n", out);
  write_nodes(r, out);
  write_bodies(r, out);
  write_joints(r, out);
  write_motors(r, out);
  write_loads(r, out);
  write_surfaces(r, out);
  write_visuals(r, out);
  write_probes(r, out);
  fputs("\nrun: {step: 2 ms, end: 1 s, snapshots: 20 ms}\n", out);
  return 0;
}
