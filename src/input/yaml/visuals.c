// SPDX-License-Identifier: Apache-2.0
// The part `visuals`: shapes of nodes and colours of elements, for pictures and for the page of `limber view`.
//   - {node: hub, file: wheel.stl, unit: mm, colour: "#303030"}
//   - {node: body, box: [4, 1.6, 0.6], at: [0, 0, 0.3], colour: steelblue}
//   - {element: link, colour: orange}
#include "model/visuals.h"

#include "input/shapes/shape.h"
#include "input/input.h"
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  double radius, length;
} CylinderText;

static const Field cylinder_fields[] = {
    {"radius", FIELD_REAL, 1, offsetof(CylinderText, radius), "m", true, 0, "radius of the cylinder", NULL},
    {"length", FIELD_REAL, 1, offsetof(CylinderText, length), "m", true, 0, "along z", NULL},
};
static const FieldTable cylinder_table = FIELDS(cylinder_fields, CylinderText);
static const FieldMore cylinder_more = {&cylinder_table, NULL};

typedef struct {
  int node, element;
  const char *file, *unit, *colour;
  const double *box;
  double sphere, scale[3], at[3], axes[9];
  CylinderText cylinder;
  RotateText rotate;
} VisualText;

static const Field visual_fields[] = {
    {"node", FIELD_NODE, 1, offsetof(VisualText, node), "", false, LIMBER_NONE,
     "node that the shape moves with; or ...", NULL},
    {"element", FIELD_ELEMENT, 1, offsetof(VisualText, element), "", false, LIMBER_NONE,
     "... element that gets the colour", NULL},
    {"file", FIELD_TEXT, 1, offsetof(VisualText, file), "", false, 0,
     "shape: an STL or OBJ file, relative to the file that names it", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(VisualText, unit), "", false, 0, "unit of the coordinates in the file; default: m",
     NULL},
    {"box", FIELD_OPTIONAL_REALS, 3, offsetof(VisualText, box), "m", false, 0, "shape: a box of these sides", NULL},
    {"cylinder", FIELD_MAP, 1, offsetof(VisualText, cylinder), "", false, 0, "shape: a cylinder along z",
     &cylinder_more},
    {"sphere", FIELD_REAL, 1, offsetof(VisualText, sphere), "m", false, 0, "shape: a sphere of this radius", NULL},
    {"scale", FIELD_ONE_OR_REALS, 3, offsetof(VisualText, scale), "", false, 0,
     "scale of the shape, along its axes; default: 1", NULL},
    {"at", FIELD_REALS, 3, offsetof(VisualText, at), "m", false, 0, "origin of the shape, in the axes of the node",
     NULL},
    {"axes", FIELD_REALS, 9, offsetof(VisualText, axes), "", false, 0,
     "the three axes of the shape in those of the node; default: the same", NULL},
    {"rotate", FIELD_MAP, 1, offsetof(VisualText, rotate), "", false, 0,
     "rotates the shape from the axes of the node: {about: [x, y, z], by: 90 deg}", &rotate_more},
    {"colour", FIELD_TEXT, 1, offsetof(VisualText, colour), "", false, 0,
     "as #rrggbb in quotes, or one of the words black, white, grey, silver, red, orange, yellow, green, blue, "
     "steelblue, brown, purple",
     NULL},
};
static const FieldTable visual_table = FIELDS(visual_fields, VisualText);
static const Kind kind_visual = {"visual", "The shape of a node, or the colour of an element.", &visual_table};
ONE_KIND(visual_kind_of, kind_visual)

// ---- colours ----

static const struct {
  const char *word;
  int colour;
} colours[] = {{"black", 0x202020}, {"white", 0xf4f4f4},  {"grey", 0x808080},      {"silver", 0xc0c4c8},
               {"red", 0xc8322a},   {"orange", 0xe8862a}, {"yellow", 0xe8c52a},    {"green", 0x2f8a3a},
               {"blue", 0x2b5fd9},  {"brown", 0x8a5a2a},  {"steelblue", 0x4682b4}, {"purple", 0x7d3fa8}};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static int colour_of(const char *text) {
  int colour = 0;
  for (int i = 0; i < COLOURS; i++)
    if (!strcmp(colours[i].word, text)) return colours[i].colour;
  if (*text != '#' || strlen(text) != 7) return -1;
  for (int i = 1; i < 7; i++) {
    int c = tolower((unsigned char)text[i]);
    if (!isxdigit(c)) return -1;
    colour = 16 * colour + (c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return colour;
}

// ---- shapes ----

typedef struct { // while a file is read
  Names paths;   // of the files of shapes
  const ModelShape **shape;
  int room, triangles; // triangles: of all shapes
} VisualShapes;

static VisualShapes *visuals_of(const Reader *r) { return part_data(r, &part_visuals); }

static Error FinishShape(Reader *r, const Triangles *t, const ModelShape **out) {
  ModelShape *s;
  TRY(ModelAllocate(r->model, sizeof *s, &s));
  s->triangles = t->triangles, s->vertex = (const float(*)[3])t->vertex;
  for (int i = 0; i < 3 * t->triangles; i++)
    for (int k = 0; k < 3; k++) {
      float x = t->vertex[i][k];
      if (!i || x < s->low[k]) s->low[k] = x;
      if (!i || x > s->high[k]) s->high[k] = x;
    }
  visuals_of(r)->triangles += t->triangles;
  *out = s;
  return 0;
}

// Of a file, read once however many nodes have it.
static Error ReadShapeFile(Reader *r, const Tree *file, Triangles *t, const ModelShape **out) {
  ShapeMistake mistake = {0};
  const char *path, *text;
  size_t length = 0;
  TRY(ReadSource(r, file, &path, &text, &length));
  if (!text) return 0;
  VisualShapes *known = visuals_of(r);
  const Name *old = names_find(&known->paths, path);
  if (old) {
    *out = known->shape[old->id];
    return 0;
  }
  const ShapeFormat *format = shape_format(path);
  if (!format) return ReportError(r, file->at, "'%s' does not end in .stl or .obj", path);
  TRY(UnpackSource(&r->store, &text, &length));
  TRY(format->read(text, length, t, &mistake));
  if (!mistake.text[0] && !t->triangles)
    mistake.line = 0, snprintf(mistake.text, sizeof mistake.text, "it has no triangles");
  if (mistake.text[0] && mistake.line)
    return ReportError(r, file->at, "line %d of '%s': %s", mistake.line, path, mistake.text);
  if (mistake.text[0]) return ReportError(r, file->at, "'%s': %s", path, mistake.text);
  TRY(FinishShape(r, t, out));
  int count = known->paths.count;
  TRY(StoreGrow(&r->store, sizeof *known->shape, count, count + 1, &known->room, &known->shape));
  known->shape[count] = *out;
  return NamesAdd(&known->paths, path, count, file->at);
}

static Error ReadShape(Reader *r, const Tree *map, const Form *form, const ModelShape **out) {
  const VisualText *text = form->out;
  Triangles t = {.store = &r->model->store, .most = LIMIT_VISUAL_TRIANGLES - visuals_of(r)->triangles};
  const double *box = text->box;
  const char *wrong = form_given(form, "sphere") && !(text->sphere > 0) ? "sphere" : NULL;
  if (box && !(box[0] > 0 && box[1] > 0 && box[2] > 0)) wrong = "box";
  if (form_given(form, "cylinder") && !(text->cylinder.radius > 0 && text->cylinder.length > 0)) wrong = "cylinder";
  if (wrong) return ReportError(r, tree_find(map, wrong)->at, "lengths of a shape must be positive");
  if (form_given(form, "file")) return ReadShapeFile(r, tree_find(map, "file"), &t, out);
  if (t.most < 2000)
    return ReportError(r, map->at, "visuals of a model have at most %d triangles", LIMIT_VISUAL_TRIANGLES);
  if (box) TRY(MakeBox(box, &t));
  else if (form_given(form, "sphere")) TRY(MakeSphere(text->sphere, &t));
  else TRY(MakeCylinder(text->cylinder.radius, text->cylinder.length, &t));
  return FinishShape(r, &t, out);
}

// ---- the list ----

static Error CheckVisual(Reader *r, const Tree *map, const Form *form, bool *good) {
  static const char *const shapes[] = {"file", "box", "cylinder", "sphere"};
  bool node = form_given(form, "node"), element = form_given(form, "element");
  int count = 0;
  for (int i = 0; i < 4; i++) count += form_given(form, shapes[i]);
  const char *wrong = node == element      ? "a visual needs either 'node' or 'element'"
                      : node && count != 1 ? "the visual of a node needs one of file, box, cylinder and sphere"
                      : element && count   ? "the visual of an element is a colour; shapes are for nodes"
                      : element && !form_given(form, "colour") ? "the visual of an element needs a 'colour'"
                                                               : NULL;
  if (!wrong) return 0;
  *good = false;
  return ReportError(r, map->at, "%s", wrong);
}

static Error ReadVisual(Reader *r, const Tree *map) {
  VisualText text;
  Form form = {&visual_table, &text, 0, 0, 0};
  ModelVisual visual = {.node = LIMBER_NONE, .component = LIMBER_NONE, .colour = -1, .turn = mat3_identity()}, *to;
  static const Field length = {.name = "unit", .unit = "m"};
  double factor = 1;
  bool good, axes, unit = true;
  TRY(FormsRead(r, "visual", map->at, map, 1, &form, &good));
  if (map->kind != TREE_MAP) return 0;
  if (good) TRY(CheckVisual(r, map, &form, &good));
  if (good) TRY(ReadAxes(r, "a visual", &form, map, &text.rotate, text.axes, &axes, &good));
  if (good && text.unit) TRY(FindFactor(r, &length, tree_find(map, "unit"), &factor, &unit));
  if (good && text.colour && (visual.colour = colour_of(text.colour)) < 0) {
    good = false;
    Nearest n;
    nearest_begin(&n, text.colour);
    for (int i = 0; i < COLOURS; i++) nearest_try(&n, colours[i].word);
    TRY(ReportError(r, tree_find(map, "colour")->at, "'%s' is not a colour: write #rrggbb in quotes or a word%s",
                    text.colour, nearest_hint(&n, "there are")));
  }
  if (!good || !unit) return 0;
  if (text.node != LIMBER_NONE) TRY(ReadShape(r, map, &form, &visual.shape));
  if (text.node != LIMBER_NONE && !visual.shape) return 0;
  visual.node = text.node, visual.component = text.element, visual.at = vec3_of(text.at);
  if (axes) visual.turn = mat3_columns(vec3_of(text.axes), vec3_of(text.axes + 3), vec3_of(text.axes + 6));
  bool scaled = form_given(&form, "scale");
  for (int k = 0; k < 9; k++) visual.turn.m[k / 3][k % 3] *= factor * (scaled ? text.scale[k % 3] : 1);
  TRY(ArrayAdd(&r->model->visuals, sizeof visual, &to));
  *to = visual;
  return 0;
}

static Error ReadVisuals(Reader *r, const Tree *list, SourceLocation at) {
  char name[200];
  (void)at;
  if (list->kind != TREE_LIST)
    return ReportError(r, list->at, "'visuals' must be a list with one entry per line, each beginning with '-', not %s",
                       tree_name(list, name, sizeof name));
  for (int i = 0; i < list->count; i++) {
    if (r->model->visuals.count >= LIMIT_VISUALS)
      return ReportError(r, list->entry[i]->at, "a model has at most %d visuals", LIMIT_VISUALS);
    TRY(ReadVisual(r, list->entry[i]));
  }
  return 0;
}

// Surfaces have visuals of their own.
static Error FinishVisuals(Reader *r) {
  return AddSurfaceVisuals(r->model, LIMIT_VISUALS, LIMIT_VISUAL_TRIANGLES - visuals_of(r)->triangles);
}

static Error DestroyVisuals(void *data) {
  VisualShapes *known = data;
  return NamesDestroy(&known->paths);
}

const Part part_visuals = {.key = "visuals",
                           .one = "visual",
                           .form = PART_LIST,
                           .kind = visual_kind_of,
                           .scoped = true,
                           .size = sizeof(VisualShapes),
                           .read = ReadVisuals,
                           .finish = FinishVisuals,
                           .destroy = DestroyVisuals};
