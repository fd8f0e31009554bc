// SPDX-License-Identifier: Apache-2.0
// A mesh as a file has it: nodes, cells of any sort, and groups of cells with names; and the formats of such files.
#ifndef LIMBER_INPUT_IMPORTERS_MESH_H
#define LIMBER_INPUT_IMPORTERS_MESH_H

#include "input/importers/words.h"
#include "mechanics/cell.h"
#include "model/store.h"

typedef struct Importer Importer;

typedef struct {
  long number; // in the file
  Vec3 at;
  int id; // LIMBER_NONE: no element has asked for it
  bool fixed;
} MeshNode;

enum { CELL_WITHOUT_SHAPE = -1, CELL_MOST_NODES = 64 };

typedef struct {
  int dimension; // 0 .. 3
  int shape; // a CellShape, its nodes in that order; CELL_WITHOUT_SHAPE: no element is made of it, but groups may have it;
             // then corners come first, nodes on edges follow
  int plane; // 3, 4, 6, 8, 9: a cell of the plane with so many nodes, corners first, then middles of edges, then the centre
  LimberHexahedra hexahedra; // how the file wants it to deform
  int type;                  // the format's own number of the sort of cell, for messages
  int set;                   // of the groups that it belongs to; -1: none
  int first, count;          // its nodes
} MeshCell;

typedef struct { // groups that cells belong to
  int first, count;
} MeshSet;

typedef struct { // of cells of one dimension
  int dimension;
  const char *name;
} MeshGroup;

typedef struct { // isotropic and linear, in N, s and the file's unit of length
  const char *name;
  double E, nu, density; // 0: not given
  const char *more;      // what it has that such a material has not; NULL: nothing
} MeshMaterial;

typedef struct Mesh Mesh;
struct Mesh {
  const char *name;
  const Importer *importer;
  MeshNode *node; // by growing numbers
  MeshCell *cell;
  int *cell_node;
  MeshSet *set;
  int *member; // of the sets: groups
  MeshGroup *group;
  MeshMaterial *material;
  int nodes, cells, cell_nodes, sets, members, groups, materials;
  LimberMatrix stiffness, mass; // of the indices of its nodes, in SI; count 0: none
  double unit;                  // m: of its lengths, once they are known
  int largest_set;              // groups of it
  int nodes_room, cells_room, cell_nodes_room, sets_room, members_room, groups_room, materials_room;
  Store *store; // of names, and of all in the end
};

// ---- making one ----

Error MeshAddNode(Mesh *m, long number, Vec3 at);
// After the last node and before the first cell; false: two have the same number.
bool mesh_sort_nodes(Mesh *m, long *twice);
// The cell's `first` and `count` are filled in.
Error MeshAddCell(Mesh *m, MeshCell cell, int count, const int *node);
Error MeshAddGroup(Mesh *m, int dimension, const char *name, int *group);
Error MeshAddMaterial(Mesh *m, const char *name, int *material);
Error MeshAddSet(Mesh *m, int *set);
Error MeshAddMember(Mesh *m, int group); // to the set that was added last
// Moves all lists to the store.
Error MeshFinish(Mesh *m);

// ---- asking it ----

long long mesh_scan_cost(const Mesh *m);    // of looking for the cells of a group, counted against a limit
extern const char *const mesh_dimensions[]; // "points" to "volumes"

int mesh_node(const Mesh *m, long number); // -1: there is none
// The group of that name, of that dimension (-1: the lowest that there is).
const MeshGroup *mesh_group(const Mesh *m, const char *name, int dimension);
const MeshMaterial *mesh_material(const Mesh *m, const char *name);  // or NULL
bool mesh_has(const Mesh *m, const MeshCell *c, const MeshGroup *g); // the cell belongs to the group; NULL: to any
// Length or area of a cell, and what part of it each of its nodes gets; 1 and equal parts of a point or volume.
double mesh_measure(const Mesh *m, const MeshCell *c, double *part);

// What a type of cell is called, in messages.
const char *mesh_type_name(const Mesh *m, const MeshCell *c, char *text, size_t size);

// A format of mesh files. A new one is one file, which ends in its descriptor, and one line in importers.def.

struct Importer {
  const char *name, *help;
  const char *program;                                  // whose format it is, and ...
  const char *group;                                    // ... what that calls a group: for messages
  const char *const *extensions;                        // of its files, with the dot; ends with NULL
  bool (*recognises)(const char *first, size_t length); // by the first bytes of a file
  // Fills an empty mesh from the text of a file, which ends with a zero, by the functions of mesh.h: nodes, then cells
  // in Limber's shapes and orders of nodes, and groups. The first mistake ends the reading.
  Error (*read)(const char *text, size_t length, Mesh *out, ImportMistake *mistake);
  const char *(*type_name)(int type); // of a sort of cell, for messages; NULL: it has a number alone
};

#define IMPORTER(name) extern const Importer importer_##name;
#include "input/importers/importers.def"
#undef IMPORTER
extern const Importer *const importers[]; // ends with NULL

// The one of a list that recognises a file by its first bytes, else by its name, or NULL.
const Importer *importer_find(const Importer *const *list, const char *path, const char *text, size_t length);
// "gmsh (.msh)": all of a list, for messages
const char *importers_text(const Importer *const *list, char *text, size_t size);

#endif
