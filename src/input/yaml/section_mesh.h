// SPDX-License-Identifier: Apache-2.0
// Sections that are solved on a mesh of their plane: of a shape, of a file, of a layup of plies.
#ifndef LIMBER_INPUT_YAML_SECTION_MESH_H
#define LIMBER_INPUT_YAML_SECTION_MESH_H

#include "base/field.h"
#include "input/yaml/tree.h"
#include "mechanics/plane_mesh.h"
#include "model/model.h"

typedef struct Reader Reader;

// What a model keeps of a station beside its matrices.
typedef struct {
  Outline outline; // empty: not known
  const SectionSolution *solution;
  OutlineMarks marks;
} StationDetails;

typedef struct { // materials of a mesh
  int count;
  PlaneMaterial *material;
  const char **name;
} MaterialList;

// Adds the material that a word names, its fibres turned, unless it is there; not `good` after a mistake.
Error AddMaterial(Reader *r, const Tree *word, double fibre, MaterialList *list, int *index, bool *good);

// NULL, or what is wrong.
typedef const char *(*MeshMaker)(const void *self, PlaneBuilder *b);
// Reports what is wrong at its place in the file; NULL: at the section's.
typedef Error (*MeshComplaint)(Reader *r, const void *self, const char *wrong);

// The section of a mesh about a reference line at `offset`. Mistakes are reported at `at`.
Error MakeAndSolveSection(Reader *r, SourceLocation at, MeshMaker make, MeshComplaint complain, const void *self,
                          const MaterialList *list, const double offset[2], LimberSection *out, StationDetails *details,
                          bool *good);

// `mesh` of a section: a file.
typedef struct {
  const char *file, *unit;
  const void *materials;
} SectionMeshText;
extern const FieldTable section_mesh_table;
Error ReadSectionMesh(Reader *r, const Tree *map, const SectionMeshText *text, const double offset[2],
                      LimberSection *out, StationDetails *details, bool *good);

// `layup` of a section.
typedef struct {
  const char *material;
  double thickness, angle;
} PlyText;
typedef struct {
  const char *name;
  const PlyText *ply;
  int plies;
} StackText;
typedef struct {
  const char *stack;
  double until;
} RegionText;
typedef struct {
  const char *stack;
  double from[2], to[2];
} WebText;
typedef struct {
  const double *outline;
  int points;
  const char *airfoil;
  double chord;
  const StackText *stack;
  int stacks;
  const RegionText *region;
  int regions;
  const WebText *web;
  int webs;
  double cell;
} LayupText;
extern const FieldTable section_layup_table;
Error ReadSectionLayup(Reader *r, const Tree *map, const LayupText *text, const double offset[2], LimberSection *out,
                       StationDetails *details, bool *good);

#endif
