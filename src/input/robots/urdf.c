// SPDX-License-Identifier: Apache-2.0
// Reads URDF with Expat. No document type is read, so that there are no entities, and the depth is bounded.
#include "base/rotation.h"
#include "input/robots/robot.h"
#include "input/yaml/source.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_LINKS = 100000 };

typedef struct {
  XML_Parser parser;
  Store *store;
  Diagnostics *diagnostics;
  int file, depth;
  const char *path[MOST_DEPTH]; // names of the elements that are open
  Robot *robot;
  RobotLink *link;         // that is open
  RobotJoint *joint;       // that is open
  RobotGeometry *geometry; // a visual or collision that is open
  RobotMaterial *material;
  Error error;
} Urdf;

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#endif

static SourceLocation current_location(const Urdf *u) {
  size_t begin = (size_t)XML_GetCurrentByteIndex64(u->parser);
  return (SourceLocation){begin, begin + 1, u->file};
}

static void report_mistake(Urdf *u, SourceLocation at, const char *format, ...) PRINTF_LIKE(3, 4);
static void report_mistake(Urdf *u, SourceLocation at, const char *format, ...) {
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!u->error) u->error = DiagnosticsAdd(u->diagnostics, DIAGNOSTIC_ERROR, at, "%s", text);
}

static const char *find_attribute(const char *const *list, const char *name) {
  for (; list[0]; list += 2)
    if (!strcmp(list[0], name)) return list[1];
  return NULL;
}

static const char *keep_text(Urdf *u, const char *text) {
  const char *copy = "";
  if (!u->error && text) u->error = StoreText(u->store, text, strlen(text), &copy);
  return copy;
}

// Numbers of an attribute; what is not written stays.
static void read_numbers(Urdf *u, const char *const *list, const char *name, int count, double *out) {
  const char *text = find_attribute(list, name), *p = text;
  if (!text) return;
  for (int i = 0; i < count; i++) {
    char *end;
    double x = strtod(p, &end);
    bool huge = end != p && !(fabs(x) < 1e100), word = end == p || (*end && !strchr(" \t\r\n", *end));
    if (huge || word) {
      report_mistake(u, current_location(u), "'%s' must be %d number%s%s, not '%.100s'", name, count,
                     count > 1 ? "s" : "", word ? "" : " below 1e100", text);
      return;
    }
    out[i] = x, p = end;
  }
  if (p[strspn(p, " \t\r\n")])
    report_mistake(u, current_location(u), "'%s' has more than %d number%s: '%.100s'", name, count,
                   count > 1 ? "s" : "", text);
}

static RobotPose read_origin(Urdf *u, const char *const *list) {
  double xyz[3] = {0}, rpy[3] = {0};
  read_numbers(u, list, "xyz", 3, xyz);
  read_numbers(u, list, "rpy", 3, rpy);
  Mat3 turn = mat3_identity(); // about x, then y, then z, all fixed
  for (int k = 0; k < 3; k++) {
    Vec3 axis = vec3(rpy[k] * (k == 0), rpy[k] * (k == 1), rpy[k] * (k == 2));
    turn = mat3_mul(rotation_exponential(axis), turn);
  }
  return (RobotPose){vec3_of(xyz), turn};
}

static const char *const joint_types[] = {"fixed", "revolute", "continuous", "prismatic", "planar", "floating", NULL};

// ---- elements ----

// Room for one more; false where there is none, which was reported.
static bool make_room(Urdf *u, size_t size, int *count, int *room, void *array) {
  if (u->error) return false;
  if (*count >= MOST_LINKS) {
    report_mistake(u, current_location(u), "a robot has at most %d links, joints and shapes of each", MOST_LINKS);
    XML_StopParser(u->parser, XML_FALSE);
    return false;
  }
  u->error = StoreGrow(u->store, size, *count, *count + 1, room, array);
  return !u->error;
}

static void begin_link(Urdf *u, const char *const *list) {
  Robot *r = u->robot;
  const char *name = find_attribute(list, "name");
  if (!name) report_mistake(u, current_location(u), "a link needs a 'name'");
  if (!make_room(u, sizeof *r->link, &r->links, &r->link_room, &r->link)) return;
  u->link = &r->link[r->links++];
  RobotPose none = {vec3(0, 0, 0), mat3_identity()};
  *u->link =
      (RobotLink){.name = keep_text(u, name), .at = current_location(u), .inertial = none, .joint = -1, .pose = none};
}

static void begin_joint(Urdf *u, const char *const *list) {
  Robot *r = u->robot;
  const char *name = find_attribute(list, "name"), *type = find_attribute(list, "type");
  int t = 0;
  if (!name) report_mistake(u, current_location(u), "a joint needs a 'name'");
  while (type && joint_types[t] && strcmp(joint_types[t], type)) t++;
  if (!type || !joint_types[t]) {
    report_mistake(u, current_location(u),
                   "a joint needs a 'type': fixed, revolute, continuous, prismatic, planar or floating%s%s",
                   type ? ", not " : "", type ? type : "");
    t = 0;
  }
  if (!make_room(u, sizeof *r->joint, &r->joints, &r->joint_room, &r->joint)) return;
  u->joint = &r->joint[r->joints++];
  *u->joint = (RobotJoint){.name = keep_text(u, name),
                           .at = current_location(u),
                           .type = (RobotJointType)t,
                           .origin = {vec3(0, 0, 0), mat3_identity()},
                           .axis = vec3(1, 0, 0),
                           .multiplier = 1,
                           .leader = -1};
}

static void begin_material(Urdf *u, const char *const *list) {
  Robot *r = u->robot;
  const char *name = keep_text(u, find_attribute(list, "name"));
  if (u->geometry) {
    u->geometry->material = name;
    return;
  }
  if (!make_room(u, sizeof *r->material, &r->materials, &r->material_room, &r->material)) return;
  u->material = &r->material[r->materials++];
  *u->material = (RobotMaterial){.name = name, .colour = {0.7, 0.7, 0.7}};
}

static void in_link(Urdf *u, const char *name, const char *above, const char *const *list) {
  RobotLink *l = u->link;
  if (!strcmp(above, "inertial") && !strcmp(name, "origin")) l->inertial = read_origin(u, list);
  else if (!strcmp(above, "inertial") && !strcmp(name, "mass")) {
    read_numbers(u, list, "value", 1, &l->mass);
    if (l->mass < 0) report_mistake(u, current_location(u), "the mass of a link must not be negative");
  } else if (!strcmp(name, "inertia")) {
    static const char *const part[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int k = 0; k < 6; k++) read_numbers(u, list, part[k], 1, &l->inertia[k]);
  } else if (!strcmp(above, "link") && (!strcmp(name, "visual") || !strcmp(name, "collision"))) {
    bool seen = !strcmp(name, "visual");
    int *count = seen ? &l->visuals : &l->collisions, *room = seen ? &l->visual_room : &l->collision_room;
    RobotGeometry **all = seen ? &l->visual : &l->collision;
    if (!make_room(u, sizeof **all, count, room, all)) return;
    u->geometry = &(*all)[(*count)++];
    *u->geometry = (RobotGeometry){.origin = {vec3(0, 0, 0), mat3_identity()}, .size = {1, 1, 1}};
  }
}

static void in_geometry(Urdf *u, const char *name, const char *above, const char *const *list) {
  RobotGeometry *v = u->geometry;
  if (u->depth == 3 && !strcmp(name, "origin")) v->origin = read_origin(u, list);
  if (!strcmp(name, "color")) {
    double rgba[4] = {0};
    read_numbers(u, list, "rgba", 4, rgba);
    memcpy(v->colour, rgba, sizeof v->colour), v->coloured = true;
  }
  if (strcmp(above, "geometry")) return;
  if (!strcmp(name, "box")) v->shape = ROBOT_BOX, read_numbers(u, list, "size", 3, v->size);
  if (!strcmp(name, "sphere")) v->shape = ROBOT_SPHERE, read_numbers(u, list, "radius", 1, v->size);
  if (!strcmp(name, "cylinder")) {
    v->shape = ROBOT_CYLINDER;
    read_numbers(u, list, "radius", 1, &v->size[0]);
    read_numbers(u, list, "length", 1, &v->size[1]);
  }
  if (!strcmp(name, "mesh")) {
    v->shape = ROBOT_MESH, v->file = keep_text(u, find_attribute(list, "filename"));
    read_numbers(u, list, "scale", 3, v->size);
  }
}

static void in_joint(Urdf *u, const char *name, const char *const *list) {
  RobotJoint *j = u->joint;
  double axis[3];
  if (!strcmp(name, "origin")) j->origin = read_origin(u, list);
  else if (!strcmp(name, "parent")) j->parent = keep_text(u, find_attribute(list, "link"));
  else if (!strcmp(name, "child")) j->child = keep_text(u, find_attribute(list, "link"));
  else if (!strcmp(name, "axis")) {
    vec3_to(j->axis, axis);
    read_numbers(u, list, "xyz", 3, axis);
    j->axis = vec3_of(axis);
    if (!(vec3_norm(j->axis) > 0)) report_mistake(u, current_location(u), "the axis of a joint must not be zero");
  } else if (!strcmp(name, "limit")) {
    j->limited = true;
    read_numbers(u, list, "lower", 1, &j->lower);
    read_numbers(u, list, "upper", 1, &j->upper);
    read_numbers(u, list, "effort", 1, &j->effort);
    read_numbers(u, list, "velocity", 1, &j->velocity);
    if (j->lower > j->upper) report_mistake(u, current_location(u), "the lower limit is above the upper one");
  } else if (!strcmp(name, "dynamics")) {
    read_numbers(u, list, "damping", 1, &j->damping);
    read_numbers(u, list, "friction", 1, &j->friction);
    if (j->damping < 0 || j->friction < 0)
      report_mistake(u, current_location(u), "damping and friction must not be negative");
  } else if (!strcmp(name, "mimic")) {
    j->mimic = keep_text(u, find_attribute(list, "joint"));
    read_numbers(u, list, "multiplier", 1, &j->multiplier);
    read_numbers(u, list, "offset", 1, &j->offset);
  }
}

static void XMLCALL begin_element(void *self, const char *name, const char **list) {
  Urdf *u = self;
  const char *const *attributes = (const char *const *)list;
  const char *above = u->depth ? u->path[u->depth - 1] : "";
  if (u->depth == MOST_DEPTH) {
    report_mistake(u, current_location(u), "elements are nested more than %d deep", MOST_DEPTH);
    XML_StopParser(u->parser, XML_FALSE);
    return;
  }
  if (u->depth == 0 && strcmp(name, "robot")) {
    report_mistake(u, current_location(u), "this is not a URDF file: it begins with <%.50s>, not <robot>", name);
    XML_StopParser(u->parser, XML_FALSE);
    return;
  }
  if (u->depth == 0) u->robot->name = keep_text(u, find_attribute(attributes, "name"));
  else if (u->depth == 1 && !strcmp(name, "link")) begin_link(u, attributes);
  else if (u->depth == 1 && !strcmp(name, "joint")) begin_joint(u, attributes);
  else if (u->geometry && strcmp(name, "material")) in_geometry(u, name, above, attributes);
  else if (!strcmp(name, "material") && (u->depth == 1 || u->geometry)) begin_material(u, attributes);
  else if (u->material && !strcmp(name, "color")) {
    double rgba[4] = {0};
    read_numbers(u, attributes, "rgba", 4, rgba);
    memcpy(u->material->colour, rgba, sizeof u->material->colour);
  } else if (u->link) in_link(u, name, above, attributes);
  else if (u->joint && u->depth == 2) in_joint(u, name, attributes);
  u->path[u->depth++] = keep_text(u, name);
}

static void XMLCALL end_element(void *self, const char *name) {
  Urdf *u = self;
  (void)name;
  u->depth--;
  if (u->depth == 1) u->link = NULL, u->joint = NULL, u->material = NULL;
  if (u->depth == 2) u->geometry = NULL;
  if (u->error) XML_StopParser(u->parser, XML_FALSE);
}

static void XMLCALL refuse_doctype(void *self, const char *name, const char *system, const char *public, int internal) {
  Urdf *u = self;
  (void)name, (void)system, (void)public, (void)internal;
  report_mistake(u, current_location(u), "a document type, <!DOCTYPE ...>, is not supported: a URDF file needs none");
  XML_StopParser(u->parser, XML_FALSE);
}

// ---- the tree ----

// Names in order, for a search by halves: a robot of n links takes a time of n log n.
typedef struct {
  const char *name;
  int index;
} NamedIndex;

static int compare_names(const void *a, const void *b) {
  const NamedIndex *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

// The first of that name; -1: there is none.
static int find_name(int count, const NamedIndex *all, const char *name) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(all[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < count && !strcmp(all[low].name, name) ? all[low].index : -1;
}

typedef struct {
  NamedIndex *link, *joint, *material;
} RobotNames;

static Error SortNames(Urdf *u, RobotNames *out) {
  const Robot *r = u->robot;
  TRY(StoreAllocate(u->store, ((size_t)r->links + 1) * sizeof *out->link, &out->link));
  TRY(StoreAllocate(u->store, ((size_t)r->joints + 1) * sizeof *out->joint, &out->joint));
  TRY(StoreAllocate(u->store, ((size_t)r->materials + 1) * sizeof *out->material, &out->material));
  for (int i = 0; i < r->links; i++) out->link[i] = (NamedIndex){r->link[i].name, i};
  for (int i = 0; i < r->joints; i++) out->joint[i] = (NamedIndex){r->joint[i].name, i};
  for (int i = 0; i < r->materials; i++) out->material[i] = (NamedIndex){r->material[i].name, i};
  qsort(out->link, (size_t)r->links, sizeof *out->link, compare_names);
  qsort(out->joint, (size_t)r->joints, sizeof *out->joint, compare_names);
  qsort(out->material, (size_t)r->materials, sizeof *out->material, compare_names);
  for (int i = 1; i < r->links; i++)
    if (!strcmp(out->link[i - 1].name, out->link[i].name))
      report_mistake(u, r->link[out->link[i].index].at, "there are two links '%s'", out->link[i].name);
  for (int i = 1; i < r->joints; i++)
    if (!strcmp(out->joint[i - 1].name, out->joint[i].name))
      report_mistake(u, r->joint[out->joint[i].index].at, "there are two joints '%s'", out->joint[i].name);
  return u->error;
}

static void connect_joint(Urdf *u, const RobotNames *names, int index) {
  Robot *r = u->robot;
  RobotJoint *j = &r->joint[index];
  const char *name[2] = {j->parent, j->child}, *const what[2] = {"parent", "child"};
  for (int k = 0; k < 2; k++) {
    j->link[k] = name[k] ? find_name(r->links, names->link, name[k]) : -1;
    if (j->link[k] < 0 && name[k]) report_mistake(u, j->at, "joint '%s': there is no link '%.100s'", j->name, name[k]);
    else if (j->link[k] < 0) report_mistake(u, j->at, "joint '%s' needs a <%s link=\"...\"/>", j->name, what[k]);
  }
  if (j->link[0] < 0 || j->link[1] < 0) return;
  RobotLink *child = &r->link[j->link[1]];
  if (child->joint >= 0)
    report_mistake(u, j->at, "link '%s' is the child of two joints, '%s' and '%s'", child->name,
                   r->joint[child->joint].name, j->name);
  else child->joint = index;
}

// Which joint it mimics.
static void find_leader(Urdf *u, const RobotNames *names, int index) {
  Robot *r = u->robot;
  RobotJoint *j = &r->joint[index];
  if (!j->mimic) return;
  int i = find_name(r->joints, names->joint, j->mimic);
  if (i < 0) report_mistake(u, j->at, "joint '%s' mimics '%.100s', which does not exist", j->name, j->mimic);
  else if (i == index) report_mistake(u, j->at, "joint '%s' mimics itself", j->name);
  else j->leader = i;
}

// Poses along the tree. A link whose way up does not end at the root is in a loop.
static void find_pose(Urdf *u, int link, char *state, int *chain) {
  Robot *r = u->robot;
  int n = 0, at = link;
  while (at >= 0 && !state[at]) {
    state[at] = 1, chain[n++] = at;
    at = r->link[at].joint >= 0 ? r->joint[r->link[at].joint].link[0] : -1;
  }
  if (at >= 0 && state[at] == 1) {
    report_mistake(u, r->link[link].at, "link '%s' is in a loop of joints", r->link[link].name);
    for (int i = 0; i < n; i++) state[chain[i]] = 2;
    return;
  }
  for (int i = n - 1; i >= 0; i--) {
    RobotLink *l = &r->link[chain[i]];
    state[chain[i]] = 2;
    if (l->joint < 0) continue;
    const RobotJoint *j = &r->joint[l->joint];
    const RobotPose *parent = &r->link[j->link[0]].pose;
    l->pose.at = vec3_add(parent->at, mat3_apply(parent->turn, j->origin.at));
    l->pose.turn = mat3_mul(parent->turn, j->origin.turn);
  }
}

static Error ConnectAll(Urdf *u) {
  Robot *r = u->robot;
  RobotNames names;
  char *state;
  int *chain;
  r->root = -1;
  TRY(SortNames(u, &names));
  for (int i = 0; i < r->joints; i++) {
    connect_joint(u, &names, i);
    find_leader(u, &names, i);
  }
  if (!r->links) report_mistake(u, (SourceLocation){0, 0, u->file}, "the robot has no links");
  TRY(StoreAllocate(u->store, (size_t)r->links + 1, &state));
  TRY(StoreAllocate(u->store, ((size_t)r->links + 1) * sizeof *chain, &chain));
  for (int i = 0; i < r->links && !u->diagnostics->errors; i++) {
    find_pose(u, i, state, chain);
    if (r->link[i].joint >= 0) continue;
    if (r->root >= 0)
      report_mistake(u, r->link[i].at, "links '%s' and '%s' have no joint above them: a robot has one root",
                     r->link[r->root].name, r->link[i].name);
    r->root = i;
  }
  for (int i = 0; i < r->links; i++)
    for (int k = 0; k < r->link[i].visuals; k++) {
      RobotGeometry *v = &r->link[i].visual[k];
      int m = v->material && !v->coloured ? find_name(r->materials, names.material, v->material) : -1;
      if (m >= 0) memcpy(v->colour, r->material[m].colour, sizeof v->colour), v->coloured = true;
    }
  return u->error;
}

static Error ParseText(Urdf *u, const char *text, size_t length) {
  u->parser = XML_ParserCreate(NULL);
  ENSURE(u->parser, ERROR_MEMORY, "not enough memory to read XML");
  XML_SetUserData(u->parser, u);
  XML_SetElementHandler(u->parser, begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(u->parser, refuse_doctype);
  enum { PIECE = 1 << 20 };
  int errors = u->diagnostics->errors;
  bool good = true;
  for (size_t at = 0; good && at <= length; at += PIECE) {
    size_t n = length - at < PIECE ? length - at : PIECE;
    good = XML_Parse(u->parser, text + at, (int)n, at + n == length) == XML_STATUS_OK;
    if (at + n == length) break;
  }
  if (!good && u->diagnostics->errors == errors && !u->error)
    report_mistake(u, current_location(u), "this is not XML: %s", XML_ErrorString(XML_GetErrorCode(u->parser)));
  XML_ParserFree(u->parser);
  return u->error;
}

Error RobotReadText(const char *path, const char *text, size_t length, Store *store, Diagnostics *diagnostics,
                    Robot *out, bool *good) {
  Urdf u = {.store = store, .diagnostics = diagnostics, .robot = out};
  const char *copy;
  *out = (Robot){.name = ""}, *good = false;
  TRY(StoreText(store, text, length, &copy)); // diagnostics show lines of it
  TRY(DiagnosticsAddFile(diagnostics, path, copy, length, &u.file));
  TRY(ParseText(&u, text, length));
  if (!diagnostics->errors) TRY(ConnectAll(&u));
  *good = !diagnostics->errors;
  return 0;
}

Error RobotRead(const char *path, Store *store, Diagnostics *diagnostics, Robot *out, bool *good) {
  SourceText text;
  int file;
  *out = (Robot){.name = ""}, *good = false;
  TRY(SourceRead(path, &source_rule_model, &text));
  if (!text.text) {
    TRY(DiagnosticsAddFile(diagnostics, path, "", 0, &file));
    return DiagnosticsAdd(diagnostics, DIAGNOSTIC_ERROR, (SourceLocation){0, 0, file}, "cannot read it: %s",
                          source_error(text.error));
  }
  Error error = RobotReadText(path, text.text, text.length, store, diagnostics, out, good);
  memory_free(&text.text);
  return error;
}
