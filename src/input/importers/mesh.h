// SPDX-License-Identifier: Apache-2.0
// A mesh as a file has it: nodes, cells of any sort, and groups of cells with names.
#ifndef LIMBER_INPUT_IMPORTERS_MESH_H
#define LIMBER_INPUT_IMPORTERS_MESH_H

#include "input/diagnostic.h"
#include "mechanics/cell.h"

typedef struct Reader Reader;

typedef struct {
  long tag; // its number in the file
  Vec3 at;
  LimberId id; // LIMBER_NONE: no element has asked for it
  bool fixed;
} MeshNode;

typedef struct {
  int type;   // of Gmsh
  int entity; // -1: of none
  int first, count;
} MeshCell;

typedef struct { // of Gmsh: what carries cells and belongs to groups
  int dimension;
  long tag;
  int first, count; // its groups, numbers of Gmsh
} MeshEntity;

typedef struct {
  int dimension;
  long tag;
  const char *name; // its number where it has none
} MeshGroup;

typedef struct Mesh Mesh;
struct Mesh {
  const char *name;
  MeshNode *node; // by growing tags
  MeshCell *cell;
  int *cell_node;
  MeshEntity *entity;
  long *physical; // of the entities
  MeshGroup *group;
  int nodes, cells, cell_nodes, entities, physicals, groups;
};

// Reads the text of a file of Gmsh into the mesh; `at` is where mistakes are noted.
Error ReadGmsh(Reader *r, SourceLocation at, const char *path, const char *text, size_t length, Mesh *out, bool *good);

int gmsh_dimension(int type);              // of a cell; -1: not known
bool gmsh_shape(int type, CellShape *out); // one that elements can have

int mesh_vtk(CellShape s, int a);           // the place in the order of Gmsh of node a in that of VTK
extern const char *const mesh_dimensions[]; // "points" to "volumes"

// The group of that name, of that dimension (-1: the lowest that there is).
const MeshGroup *mesh_group(const Mesh *m, const char *name, int dimension);
bool mesh_has(const Mesh *m, const MeshCell *c, const MeshGroup *g); // the cell belongs to the group; NULL: to any

#endif
