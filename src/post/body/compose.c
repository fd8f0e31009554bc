// SPDX-License-Identifier: Apache-2.0
#include "input/importers/mesh.h"
#include "input/yaml/names.h"
#include "post/body/body.h"
#include "post/picture/scene.h"

#include <ctype.h>
#include <string.h>

static const char command_name[] = "body";

// A group as an interface: the name of its node, and where that is.
typedef struct {
  const MeshGroup *group;
  char node[80];
  bool averages;
  Vec3 at;
} Attachment;

typedef struct {
  const Arguments *a;
  const BodyFile *file;
  Mesh mesh;
  const MeshGroup *cells; // NULL: all
  const char *material;   // of the mesh; NULL: written out
  Attachment attachment[REDUCED_INTERFACES];
  int attachments;
} Composition;

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// A name that nodes and elements may have.
static void make_name(const char *from, const char *otherwise, char *out, size_t size) {
  size_t n = 0;
  for (; from[n] && from[n] != '.' && n + 1 < size; n++) {
    unsigned char c = (unsigned char)from[n];
    if (!(isalpha(c) || c == '_' || (n && (isdigit(c) || c == '-')))) break;
    out[n] = (char)c;
  }
  out[n] = 0;
  if (!n || (from[n] && from[n] != '.')) snprintf(out, size, "%s", otherwise);
}

static Error ReadMesh(Composition *c, Store *s, bool *good) {
  const BodyFile *f = c->file;
  ImportMistake mistake = {0};
  Mesh *m = &c->mesh;
  m->store = s;
  m->importer = importer_find(importers, f->file, f->text, f->length);
  TRY(m->importer->read(f->text, f->length, m, &mistake));
  TRY(MeshFinish(m));
  *good = !mistake.text[0];
  if (!*good) print_command_error(command_name, "%s:%d: %s", f->file, mistake.line, mistake.text);
  return 0;
}

// A group of that name; NULL after a message. Dimension -1: of any.
static const MeshGroup *find_group(const Composition *c, const char *option, const char *name, int dimension) {
  const MeshGroup *g = mesh_group(&c->mesh, name, dimension);
  Nearest near;
  if (g) return g;
  nearest_begin(&near, name);
  for (int i = 0; i < c->mesh.groups; i++)
    if (dimension < 0 || c->mesh.group[i].dimension == dimension) nearest_try(&near, c->mesh.group[i].name);
  print_command_error(command_name, "--%s: the mesh has no %s%s%s '%s'%s", option, c->mesh.importer->group,
                      dimension < 0 ? "" : " of ", dimension < 0 ? "" : mesh_dimensions[dimension], name,
                      *near.all ? nearest_hint(&near, "it has") : "; it has none");
  return NULL;
}

static bool has_matrices(const Composition *c) { return argument_value(c->a, "stiffness") != NULL; }

static bool choose_cells(Composition *c) {
  const char *name = argument_value(c->a, "cells");
  Nearest near;
  int groups = 0;
  if (name) return (c->cells = find_group(c, "cells", name, 3)) != NULL;
  nearest_begin(&near, "");
  for (int i = 0; i < c->mesh.groups; i++)
    if (c->mesh.group[i].dimension == 3) nearest_try(&near, c->mesh.group[i].name), groups++;
  if (groups < 2 || has_matrices(c)) return true;
  print_command_error(command_name, "the mesh has %d groups of volumes: choose one with --cells%s", groups,
                      nearest_hint(&near, "there are"));
  return false;
}

static bool choose_material(Composition *c) {
  const char *name = argument_value(c->a, "material");
  Nearest near;
  if (name && name[0] == '{' && !strpbrk(name, "\r\n")) return true;
  nearest_begin(&near, name ? name : "");
  for (int i = 0; i < c->mesh.materials; i++) {
    nearest_try(&near, c->mesh.material[i].name);
    if (!name || !strcmp(name, c->mesh.material[i].name)) c->material = c->mesh.material[i].name;
  }
  if (c->material && (name || c->mesh.materials == 1)) return true;
  if (has_matrices(c) && !name) return c->material = NULL, true; // matrices need none
  if (!c->mesh.materials)
    print_command_error(command_name,
                        "the mesh has no %s: give one with --material '{E: 210 GPa, nu: 0.3, density: 7850}'",
                        name ? "materials" : "material");
  else if (name)
    print_command_error(command_name, "the mesh has no material '%s'%s", name, nearest_hint(&near, "it has"));
  else
    print_command_error(command_name, "the mesh has %d materials: choose one with --material%s", c->mesh.materials,
                        nearest_hint(&near, "there are"));
  return false;
}

// The centre of the lines or surfaces of a group; of points and volumes the mean of the nodes, each once.
static Error FindCentre(const Mesh *m, Attachment *out) {
  double *weight, sum = 0, part[CELL_MOST_NODES];
  bool spread = out->group->dimension == 1 || out->group->dimension == 2;
  TRY(MemoryNew((size_t)m->nodes * sizeof *weight + 1, &weight));
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (!mesh_has(m, c, out->group)) continue;
    double measure = mesh_measure(m, c, part);
    for (int a = 0; a < c->count; a++) {
      double *w = &weight[m->cell_node[c->first + a]];
      *w = spread ? *w + measure * part[a] : 1;
    }
  }
  for (int i = 0; i < m->nodes; i++) sum += weight[i];
  for (int i = 0; i < m->nodes && sum > 0; i++)
    out->at = vec3_axpy(out->at, weight[i] / sum, vec3_sub(m->node[i].at, m->node[0].at));
  out->at = vec3_add(out->at, m->node[0].at);
  memory_free(&weight);
  return 0;
}

static Error FindAttachments(Composition *c, bool *good) {
  const char *name[2 * MAX_GIVEN];
  int rigid = arguments_of(c->a, "interface", name), count = rigid + arguments_of(c->a, "averaging", name + rigid);
  *good = count <= REDUCED_INTERFACES;
  if (!*good) print_command_error(command_name, "a reduced body has at most %d interfaces", REDUCED_INTERFACES);
  for (int i = 0; i < count && *good; i++) {
    Attachment *t = &c->attachment[c->attachments++];
    char other[80];
    snprintf(other, sizeof other, "interface_%d", i + 1);
    make_name(name[i], other, t->node, sizeof t->node);
    t->averages = i >= rigid;
    t->group = find_group(c, t->averages ? "averaging" : "interface", name[i], -1);
    *good = t->group;
    for (int k = 0; k < i && *good; k++) {
      *good = t->group != c->attachment[k].group;
      if (!*good) print_command_error(command_name, "--interface: '%s' is given twice", name[i]);
      else if (!strcmp(t->node, c->attachment[k].node)) snprintf(t->node, sizeof t->node, "%s", other);
    }
    if (*good) TRY(FindCentre(&c->mesh, t));
  }
  return 0;
}

// part.GROUP
static void put_group(FILE *out, const char *name) {
  char text[600];
  snprintf(text, sizeof text, "part.%s", name);
  json_text(out, text);
}

// Matrices as they are named on the command line; those next to the mesh stay there in the model.
static void put_matrices(const Composition *c, FILE *out) {
  static const char *const option[] = {"stiffness", "mass", "unknowns"};
  for (int i = 0; i < 3; i++) {
    const char *name = argument_value(c->a, option[i]);
    if (!name) continue;
    fprintf(out, ", %s: ", option[i]), json_text(out, c->file->by ? name : file_of(name));
  }
}

static void put_model(const Composition *c, FILE *out) {
  const Arguments *a = c->a;
  const char *unit = argument_value(a, "unit"), *hexahedra = argument_value(a, "hexahedra");
  const char *modes = argument_value(a, "modes");
  char name[80];
  make_name(file_of(c->file->file), "body", name, sizeof name);
  fprintf(out, "limber: 1\n\nmeshes:\n  part: {file: ");
  json_text(out, c->file->by ? c->file->file : file_of(c->file->file));
  if (unit) fputs(", unit: ", out), json_text(out, unit);
  put_matrices(c, out);
  fputs("}\n", out);
  const char *material = argument_value(a, "material");
  if (!c->material && material) fprintf(out, "\nmaterials:\n  material: %s\n", material);
  if (c->attachments) fputs("\nnodes:\n", out);
  for (int i = 0; i < c->attachments; i++) {
    const Attachment *t = &c->attachment[i];
    const double at[3] = {t->at.x, t->at.y, t->at.z};
    fprintf(out, "  %s: {at: [", t->node);
    for (int k = 0; k < 3; k++) {
      char text[120];
      snprintf(text, sizeof text, "%.15g %.40s", at[k], unit ? unit : "m");
      fputs(k ? ", " : "", out), json_text(out, text);
    }
    fputs("], kind: frame}\n", out);
  }
  fprintf(out, "\nelements:\n  - reduced_body:\n      name: %s\n      mesh: ", name);
  if (c->cells) put_group(out, c->cells->name);
  else fputs("part", out);
  if (c->material || material) fputs("\n      material: ", out);
  if (c->material) put_group(out, c->material);
  else if (material) fputs("material", out);
  if (hexahedra) fputs("\n      hexahedra: ", out), json_text(out, hexahedra);
  fprintf(out, "\n      modes: %s", modes ? modes : "10");
  fputs(c->attachments ? "\n      interfaces: [" : "\n", out);
  for (int i = 0; i < c->attachments; i++) {
    fputs(i ? ", {group: " : "{group: ", out), put_group(out, c->attachment[i].group->name);
    fprintf(out, ", node: %s%s}", c->attachment[i].node, c->attachment[i].averages ? ", kind: averaging" : "");
  }
  if (c->attachments) fputs("]\n", out);
}

static bool check_modes(const Arguments *a) {
  const char *modes = argument_value(a, "modes");
  size_t digits = modes ? strspn(modes, "0123456789") : 0;
  if (!modes || (digits && !modes[digits])) return true;
  return print_command_error(command_name, "--modes is a number, not '%s'", modes), false;
}

// Groups of which the user may choose interfaces.
static void print_groups(const Composition *c) {
  enum { SHOWN = 12 };
  int groups = 0;
  if (c->attachments || argument_value(c->a, "json")) return;
  for (int i = 0; i < c->mesh.groups; i++)
    if (c->mesh.group[i].dimension < 3 && ++groups <= SHOWN)
      printf("%s%s", groups > 1 ? ", " : "The body has no interfaces; --interface can name: ", c->mesh.group[i].name);
  if (groups > SHOWN) printf(" and %d more", groups - SHOWN);
  if (groups) puts("\n");
}

Error ComposeBody(const Arguments *a, const BodyFile *file, Store *s, char **text, size_t *length) {
  Composition c = {.a = a, .file = file};
  bool good;
  *text = NULL, *length = 0;
  TRY(ReadMesh(&c, s, &good));
  good = good && choose_cells(&c) && choose_material(&c);
  if (good) TRY(FindAttachments(&c, &good));
  if (!good || !check_modes(a)) return 0;
  FILE *out = open_memstream(text, length);
  ENSURE(out, ERROR_MEMORY, "not enough memory for the text of a model");
  put_model(&c, out);
  ENSURE(!fclose(out), ERROR_MEMORY, "not enough memory for the text of a model");
  print_groups(&c);
  return 0;
}
