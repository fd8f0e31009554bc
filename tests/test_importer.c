// SPDX-License-Identifier: Apache-2.0
// A format of meshes is one descriptor: this file has one of its own, and the reader finds it by the contract alone.
#include "check.h"

#include "input/importers/mesh.h"
#include "input/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- a format: "TOY", then lines "v NUMBER X Y Z" and "tet GROUP A B C D" ----

static bool recognises(const char *first, size_t length) { return length >= 4 && !strncmp(first, "TOY\n", 4); }

static Error AddTetrahedron(Mesh *m, const char *name, const long *number, int line, ImportMistake *mistake) {
  int node[4], group = 0, set;
  for (int a = 0; a < 4; a++) {
    node[a] = mesh_node(m, number[a]);
    if (node[a] < 0 && !mistake->text[0])
      mistake->line = line, snprintf(mistake->text, sizeof mistake->text, "there is no vertex %ld", number[a]);
  }
  if (mistake->text[0]) return 0;
  while (group < m->groups && strcmp(m->group[group].name, name)) group++;
  if (group == m->groups) TRY(MeshAddGroup(m, 3, name, &group));
  TRY(MeshAddSet(m, &set));
  TRY(MeshAddMember(m, group));
  TRY(MeshAddCell(m, (MeshCell){.dimension = 3, .shape = LIMBER_TETRAHEDRON, .type = 1, .set = set}, 4, node));
  return 0;
}

static Error ReadToy(const char *text, size_t length, Mesh *m, ImportMistake *mistake) {
  const char *p = text;
  bool sorted = false;
  for (int line = 1; p < text + length && !mistake->text[0]; line++) {
    long number[5], twice;
    double x[3];
    char name[20];
    if (sscanf(p, "v %ld %lf %lf %lf", number, &x[0], &x[1], &x[2]) == 4) TRY(MeshAddNode(m, number[0], vec3_of(x)));
    else if (sscanf(p, "tet %19s %ld %ld %ld %ld", name, &number[0], &number[1], &number[2], &number[3]) == 5) {
      if (!sorted) sorted = mesh_sort_nodes(m, &twice);
      TRY(AddTetrahedron(m, name, number, line, mistake));
    }
    p += strcspn(p, "\n");
    if (*p) p++;
  }
  return 0;
}

static const char *const extensions[] = {".toy", NULL};
static const Importer toy = {"toy", "meshes of this test", "Toy", "bin", extensions, recognises, ReadToy, NULL};

// Those that Limber has, and the toy.
static const Importer *const *with_toy(void) {
  static const Importer *list[32];
  int n = 0;
  while (importers[n] && n < 30) list[n] = importers[n], n++;
  list[n++] = &toy, list[n] = NULL;
  return list;
}

// ---- files ----

static const struct {
  const char *name, *text;
} files[] = {
    {"two.mesh", "TOY\nv 9 1 0 0\nv 4 0 0 0\nv 5 0 1 0\nv 6 0 0 1\nv 7 0 0 -1\n"
                 "tet upper 4 9 5 6\ntet lower 4 5 9 7\n"},
    {"cut.toy", "no toy\ntet upper 1 2 3 4\n"},
    {"other.mesh", "nothing that is known\n"},
};

static Error Serve(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule;
  *out = (SourceText){.error = ENOENT};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (!strcmp(path, files[i].name)) {
      out->error = 0, out->length = strlen(files[i].text);
      TRY(MemoryNew(out->length + 1, &out->text));
      memcpy(out->text, files[i].text, out->length);
    }
  return 0;
}

static Input *read_model(const char *file, const char *mesh, const Importer *const *list) {
  char text[600];
  Input *in = NULL;
  const InputOptions options = {.read = Serve};
  snprintf(text, sizeof text,
           "limber: 1\nmaterials: {m: {E: 1e6, nu: 0.3, density: 1000}}\nmeshes: {part: {file: %s}}\n"
           "elements: [solid: {name: s, mesh: %s, material: m}]\nrun: {step: 1 ms, end: 1 ms}\n",
           file, mesh);
  CHECK_INT(InputReadWith("model.yaml", text, strlen(text), &options, list, &in), 0);
  return in;
}

static const char *first_note(const Input *in) {
  return in->diagnostics.errors ? in->diagnostics.diagnostic[0].text : "";
}

// ---- tests ----

TEST(a_format_is_known_by_its_first_bytes_and_its_descriptor_alone) {
  Input *in = read_model("two.mesh", "part.upper", with_toy());
  CHECK_INT(in->diagnostics.errors, 0);
  CHECK_INT(in->model->elements.count, 1);
  CHECK_INT(in->model->nodes.count, 1 + 4); // the ground is node 0
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(groups_and_nodes_of_another_format_go_by_its_own_words) {
  Input *in = read_model("two.mesh", "part.uper", with_toy());
  CHECK_STR(first_note(in), "mesh 'part' has no bin of volumes 'uper'; did you mean 'upper'?");
  CHECK_INT(InputDestroy(&in), 0);
  in = read_model("two.mesh", "part", with_toy());
  CHECK_STR(first_note(in), "mesh 'part' has 2 bins of volumes: name one, part.GROUP");
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(a_file_that_no_format_recognises_goes_by_its_extension) {
  Input *in = read_model("cut.toy", "part", with_toy());
  CHECK_STR(first_note(in), "line 2 of 'cut.toy': there is no vertex 1");
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(a_file_of_no_format_is_told_all_that_there_are) {
  Input *in = read_model("other.mesh", "part", with_toy());
  CHECK_STR(first_note(in),
            "the format of the mesh 'other.mesh' is not supported; supported are gmsh (.msh), abaqus (.inp), "
            "nodes (.csv), toy (.toy)");
  CHECK_INT(InputDestroy(&in), 0);
  in = read_model("two.mesh", "part.upper", importers); // without the toy
  CHECK_STR(first_note(in),
            "the format of the mesh 'two.mesh' is not supported; supported are gmsh (.msh), abaqus (.inp), "
            "nodes (.csv)");
  CHECK_INT(InputDestroy(&in), 0);
}

TEST(every_format_of_the_list_says_what_it_is) {
  for (int i = 0; importers[i]; i++) {
    CHECK(importers[i]->name[0] && importers[i]->help[0] && importers[i]->program[0] && importers[i]->group[0]);
    CHECK(importers[i]->extensions[0] && importers[i]->extensions[0][0] == '.');
    CHECK(!importers[i]->recognises("", 0));
  }
}

CHECK_MAIN
