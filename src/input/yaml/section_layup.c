// SPDX-License-Identifier: Apache-2.0
// The mesh of a section from stacks of plies along a closed outer line, and webs:
//   layup:
//     airfoil: du30.dat                 # or outline: [[y, z], ...]
//     chord: 3.2
//     stacks:
//       - {name: skin, plies: [{material: glass, thickness: 2 mm, angle: 45 deg}, ...]}
//     regions: [{stack: skin, until: 0.3}, {stack: cap, until: 0.45}, {stack: skin}]
//     webs: [{from: [0.4, -0.2], to: [0.4, 0.2], stack: web}]
#include "input/importers/words.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/names.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/section_mesh.h"
#include "mechanics/plane_layup.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_POINTS = 2000, MOST_PLIES = 200, MOST_STACKS = 200 };

static const Field ply_fields[] = {
    {"material", FIELD_TEXT, 1, offsetof(PlyText, material), "", true, 0, "one of the file's materials", NULL},
    {"thickness", FIELD_REAL, 1, offsetof(PlyText, thickness), "m", true, 0, "thickness of the ply", NULL},
    {"angle", FIELD_REAL, 1, offsetof(PlyText, angle), "rad", false, 0,
     "angle of its fibres from the beam's axis towards the direction around the section", NULL},
};
static const FieldTable ply_table = FIELDS(ply_fields, PlyText);
static const FieldMore ply_more = {&ply_table, NULL};

static const Field stack_fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(StackText, name), "", true, 0, "by which regions and webs refer to it", NULL},
    {"plies", FIELD_MAPS, 1, offsetof(StackText, ply), "", true, 0,
     "from the outer line inwards: {material, thickness, angle}", &ply_more},
};
static const FieldTable stack_table = FIELDS(stack_fields, StackText);
static const FieldMore stack_more = {&stack_table, NULL};

static const Field region_fields[] = {
    {"stack", FIELD_TEXT, 1, offsetof(RegionText, stack), "", true, 0, "name of the stack", NULL},
    {"until", FIELD_REAL, 1, offsetof(RegionText, until), "", false, 1,
     "where it ends: fraction of the outer line's length, 0 .. 1, from its first point", NULL},
};
static const FieldTable region_table = FIELDS(region_fields, RegionText);
static const FieldMore region_more = {&region_table, NULL};

static const Field web_fields[] = {
    {"stack", FIELD_TEXT, 1, offsetof(WebText, stack), "", true, 0, "name of the stack, from its right to its left",
     NULL},
    {"from", FIELD_REALS, 2, offsetof(WebText, from), "m", true, 0, "a point [y, z] of its middle line", NULL},
    {"to", FIELD_REALS, 2, offsetof(WebText, to), "m", true, 0,
     "another one; the web reaches from wall to wall on the line through both", NULL},
};
static const FieldTable web_table = FIELDS(web_fields, WebText);
static const FieldMore web_more = {&web_table, NULL};

static const Field layup_fields[] = {
    {"outline", FIELD_ROWS, 2, offsetof(LayupText, outline), "m", false, 0,
     "points [y, z] of the closed outer line, either way round; or ...", NULL},
    {"airfoil", FIELD_TEXT, 1, offsetof(LayupText, airfoil), "", false, 0,
     "... a file with a point in each line, once around", NULL},
    {"chord", FIELD_REAL, 1, offsetof(LayupText, chord), "m", false, 1, "chord, which multiplies the airfoil's points",
     NULL},
    {"stacks", FIELD_MAPS, 1, offsetof(LayupText, stack), "", true, 0, "stacks of plies: {name, plies}", &stack_more},
    {"regions", FIELD_MAPS, 1, offsetof(LayupText, region), "", true, 0,
     "regions of the outer line, in order: {stack, until}", &region_more},
    {"webs", FIELD_MAPS, 1, offsetof(LayupText, web), "", false, 0, "webs between the inner faces: {stack, from, to}",
     &web_more},
    {"cell", FIELD_REAL, 1, offsetof(LayupText, cell), "m", false, 0,
     "longest side of a cell; default: 1/100 of the outer line", NULL},
};
const FieldTable section_layup_table = FIELDS(layup_fields, LayupText);

typedef struct {
  const Tree *map;
  PlaneLayup layup;
  double (*point)[2];
  PlaneRegion *region;
  bool turned; // the file's line is clockwise: regions are in the other order
  PlaneLayupNotes notes;
  MaterialList list;
} LayupOfFile;

// An entry of a list of maps, for which one map may stand.
static const Tree *entry_of(const Tree *map, const char *key, int i) {
  const Tree *t = tree_find(map, key);
  return t->kind == TREE_LIST ? t->entry[i] : t;
}

// ---- the outer line ----

// Lines of two numbers; others, such as a name, may stand before the first.
static Error ReadAirfoil(Reader *r, LayupOfFile *u, const LayupText *t, bool *good) {
  const Tree *word = tree_find(u->map, "airfoil");
  const char *path, *text;
  char line[400];
  size_t size;
  ImportMistake mistake = {0};
  int room = 0, count = 0;
  double(*point)[2] = NULL;
  TRY(ReadSource(r, word, &path, &text, &size));
  *good = text;
  if (!text) return 0;
  Words w = words_of(text, size, &mistake);
  while (words_line(&w, line, sizeof line) && *good) {
    double x[2];
    char rest;
    int found = sscanf(line, " %lf%*[ \t,]%lf %c", &x[0], &x[1], &rest);
    if (found != 2 && count == 0) continue;
    if (found != 2 && !line[strspn(line, " \t\r")]) continue;
    *good = found == 2 && count < MOST_POINTS && isfinite(x[0]) && isfinite(x[1]);
    if (!*good) break;
    if (count == room) TRY(MemoryResize((size_t)(room = 2 * room + 64) * sizeof *point, &point));
    point[count][0] = t->chord * x[0], point[count++][1] = t->chord * x[1];
  }
  if (!*good)
    TRY(ReportError(r, word->at, "line %d of '%s': two numbers are expected, and at most %d such lines", w.line, path,
                    MOST_POINTS));
  TRY(StoreAllocate(&r->store, (size_t)(count + 1) * sizeof *point, &u->point));
  if (count) memcpy(u->point, point, (size_t)count * sizeof *point);
  memory_free(&point);
  u->layup.points = count;
  return 0;
}

static Error ReadOutline(Reader *r, LayupOfFile *u, const LayupText *t, bool *good) {
  int count = t->points;
  if (!t->outline == !t->airfoil) {
    *good = false;
    TRY(ReportError(r, u->map->at,
                    t->outline ? "give a layup 'outline' or 'airfoil'"
                               : "a layup needs 'outline' (points of the outer line) or 'airfoil' (a "
                                 "file)"));
    return 0;
  }
  if (t->airfoil) TRY(ReadAirfoil(r, u, t, good));
  else {
    *good = count <= MOST_POINTS;
    if (!*good) TRY(ReportError(r, tree_find(u->map, "outline")->at, "an outline has at most %d points", MOST_POINTS));
    TRY(StoreAllocate(&r->store, (size_t)(count + 1) * sizeof *u->point, &u->point));
    memcpy(u->point, t->outline, (size_t)count * sizeof *u->point);
    u->layup.points = count;
  }
  if (!*good) return 0;
  int n = 0; // without points that follow each other at the same place
  for (int i = 0; i < u->layup.points; i++) {
    const double *p = u->point[i], *q = u->point[n ? n - 1 : 0];
    if (!n || hypot(p[0] - q[0], p[1] - q[1]) > 0) memmove(u->point[n++], p, sizeof u->point[0]);
  }
  while (n > 1 && u->point[n - 1][0] == u->point[0][0] && u->point[n - 1][1] == u->point[0][1]) n--;
  u->layup.points = n, u->layup.point = (const double(*)[2])u->point;
  *good = n >= 3;
  if (!*good)
    TRY(ReportError(r, tree_find(u->map, t->airfoil ? "airfoil" : "outline")->at,
                    "the outer line of a section has three points or more"));
  return 0;
}

static double signed_area(const PlaneLayup *l) {
  double twice = 0;
  for (int i = 0; i < l->points; i++) {
    const double *a = l->point[i], *b = l->point[(i + 1) % l->points];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

// The mesh wants the line anticlockwise: the first point stays, regions come in the other order.
static void turn_round(LayupOfFile *u) {
  int n = u->layup.points, m = u->layup.regions;
  u->turned = true;
  for (int i = 1; i < n - i; i++) {
    double p[2] = {u->point[i][0], u->point[i][1]};
    memcpy(u->point[i], u->point[n - i], sizeof p);
    memcpy(u->point[n - i], p, sizeof p);
  }
  for (int i = 0; i < m / 2; i++) {
    PlaneRegion old = u->region[i];
    u->region[i] = u->region[m - 1 - i], u->region[m - 1 - i] = old;
  }
  for (int i = 0; i + 1 < m; i++) u->region[i].until = 1 - u->region[i + 1].until;
  u->region[m - 1].until = 1;
}

// ---- stacks ----

static Error ReadStack(Reader *r, LayupOfFile *u, const StackText *t, const Tree *map, PlaneStack *out, bool *good) {
  PlanePly *ply;
  TRY(StoreAllocate(&r->store, (size_t)t->plies * sizeof *ply, &ply));
  if (t->plies > MOST_PLIES) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "plies")->at, "a stack has at most %d plies", MOST_PLIES));
  }
  for (int i = 0; i < t->plies && *good; i++) {
    const Tree *entry = entry_of(map, "plies", i);
    bool right;
    ply[i].thickness = t->ply[i].thickness;
    TRY(AddMaterial(r, tree_find(entry, "material"), t->ply[i].angle, &u->list, &ply[i].material, &right));
    if (right && !(t->ply[i].thickness > 0)) {
      right = false;
      TRY(ReportError(r, tree_find(entry, "thickness")->at, "'thickness' of a ply must be positive"));
    }
    *good = *good && right;
  }
  out->ply = ply, out->plies = t->plies;
  return 0;
}

static Error FindStack(Reader *r, const LayupText *t, const Tree *word, int *stack, bool *good) {
  Nearest n;
  nearest_begin(&n, word->text);
  for (int i = 0; i < t->stacks; i++) {
    if (!strcmp(t->stack[i].name, word->text)) return *stack = i, 0;
    nearest_try(&n, t->stack[i].name);
  }
  *good = false;
  TRY(ReportError(r, word->at, "the layup has no stack '%s'%s", word->text, nearest_hint(&n, "it has")));
  return 0;
}

static Error ReadStacks(Reader *r, LayupOfFile *u, const LayupText *t, bool *good) {
  PlaneStack *stack;
  if (t->stacks > MOST_STACKS || t->regions > MOST_STACKS || t->webs > MOST_STACKS) {
    *good = false;
    TRY(ReportError(r, u->map->at, "a layup has at most %d stacks, regions and webs", MOST_STACKS));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)t->stacks * sizeof *stack, &stack));
  for (int i = 0; i < t->stacks; i++) {
    const Tree *map = entry_of(u->map, "stacks", i);
    for (int k = 0; k < i; k++)
      if (!strcmp(t->stack[k].name, t->stack[i].name)) {
        *good = false;
        TRY(ReportError(r, tree_find(map, "name")->at, "two stacks have the name '%s'", t->stack[i].name));
      }
    TRY(ReadStack(r, u, &t->stack[i], map, &stack[i], good));
  }
  u->layup.stack = stack, u->layup.stacks = t->stacks;
  return 0;
}

static Error ReadRegions(Reader *r, LayupOfFile *u, const LayupText *t, bool *good) {
  double before = 0;
  TRY(StoreAllocate(&r->store, (size_t)t->regions * sizeof *u->region, &u->region));
  for (int i = 0; i < t->regions; i++) {
    const Tree *map = entry_of(u->map, "regions", i);
    bool last = i + 1 == t->regions;
    u->region[i].until = t->region[i].until;
    TRY(FindStack(r, t, tree_find(map, "stack"), &u->region[i].stack, good));
    if (!(t->region[i].until > before && t->region[i].until <= 1) || (last && t->region[i].until != 1)) {
      const Tree *until = tree_find(map, "until");
      *good = false;
      TRY(ReportError(r, until ? until->at : map->at,
                      "'until' must increase from region to region, and the last ends at 1"));
    }
    before = t->region[i].until;
  }
  u->layup.region = u->region, u->layup.regions = t->regions;
  return 0;
}

static Error ReadWebs(Reader *r, LayupOfFile *u, const LayupText *t, bool *good) {
  PlaneWeb *web;
  TRY(StoreAllocate(&r->store, (size_t)(t->webs + 1) * sizeof *web, &web));
  for (int i = 0; i < t->webs; i++) {
    const Tree *map = entry_of(u->map, "webs", i);
    memcpy(web[i].from, t->web[i].from, sizeof web[i].from);
    memcpy(web[i].to, t->web[i].to, sizeof web[i].to);
    TRY(FindStack(r, t, tree_find(map, "stack"), &web[i].stack, good));
    if (hypot(web[i].to[0] - web[i].from[0], web[i].to[1] - web[i].from[1]) > 0) continue;
    *good = false;
    TRY(ReportError(r, tree_find(map, "to")->at, "'from' and 'to' of a web are two points of its middle line"));
  }
  u->layup.web = web, u->layup.webs = t->webs;
  return 0;
}

// ---- the layup ----

// Where the file has what is wrong, and how far a region would have to be moved.
static Error ReportLayup(Reader *r, const void *self, const char *wrong) {
  const LayupOfFile *u = self;
  const PlaneLayupNotes *n = &u->notes;
  int m = u->layup.regions, region = u->turned && n->region >= 0 ? (2 * m - 2 - n->region) % m : n->region;
  if (region >= 0) {
    const Tree *map = entry_of(u->map, "regions", region), *until = tree_find(map, "until");
    TRY(ReportError(r, until ? until->at : map->at, "%s; it has room to end at 'until: %.4g'", wrong,
                    u->turned ? 1 - n->until : n->until));
  } else TRY(ReportError(r, n->web >= 0 ? entry_of(u->map, "webs", n->web)->at : u->map->at, "%s", wrong));
  return 0;
}

// A line that keeps its shape to a thousandth of its size needs no word.
static Error ReportChanges(Reader *r, const LayupOfFile *u, const LayupText *t, double length) {
  const PlaneLayupNotes *n = &u->notes;
  if (!(n->moved > 5e-4 * length)) return 0;
  TRY(ReportWarning(
      r, tree_find(u->map, t->airfoil ? "airfoil" : "outline")->at,
      "the plies are thicker than the outer line has room for near y = %.4g m, z = %.4g m: %d of its points were "
      "left out there, which moves the line by up to %.2g mm; regions keep their places. Make the plies "
      "thinner there, or draw the mesh with 'limber section --picture'",
      n->where[0], n->where[1], n->dropped, 1e3 * n->moved));
  return 0;
}

static const char *make_layup(const void *self, PlaneBuilder *b) {
  return plane_add_layup(b, &((const LayupOfFile *)self)->layup);
}

Error ReadSectionLayup(Reader *r, const Tree *map, const LayupText *t, const double offset[2], LimberSection *out,
                       StationDetails *details, bool *good) {
  LayupOfFile u = {.map = map};
  TRY(ReadOutline(r, &u, t, good));
  TRY(ReadStacks(r, &u, t, good));
  if (*good) TRY(ReadRegions(r, &u, t, good));
  if (*good) TRY(ReadWebs(r, &u, t, good));
  if (*good && !(t->cell >= 0)) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "cell")->at, "'cell' must be a positive length"));
  }
  if (!*good) return 0;
  double length = 0;
  for (int i = 0; i < u.layup.points; i++) {
    const double *a = u.point[i], *b = u.point[(i + 1) % u.layup.points];
    length += hypot(b[0] - a[0], b[1] - a[1]);
  }
  u.layup.longest = t->cell > 0 ? t->cell : length / 100;
  if (signed_area(&u.layup) < 0) turn_round(&u);
  int marks = 2 * t->regions + t->webs;
  OutlineMark *mark;
  TRY(StoreAllocate(&r->store, (size_t)marks * sizeof *mark, &mark));
  u.layup.notes = &u.notes, u.notes.mark = mark;
  TRY(MakeAndSolveSection(r, map->at, make_layup, ReportLayup, &u, &u.list, offset, out, details, good));
  if (*good) TRY(ReportChanges(r, &u, t, length));
  for (int i = 0; i < marks; i++)
    for (int k = 0; k < 2; k++) mark[i].at[k] -= offset[k];
  for (int i = 0; i < t->regions; i++) mark[2 * i].text = t->stack[u.region[i].stack].name;
  for (int i = 0; i < t->webs; i++) mark[2 * t->regions + i].text = t->stack[u.layup.web[i].stack].name;
  details->marks = (OutlineMarks){marks, mark};
  return 0;
}
