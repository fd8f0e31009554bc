// SPDX-License-Identifier: Apache-2.0
// Meshes of a file, and their nodes by their names.
#ifndef LIMBER_INPUT_YAML_MESHES_H
#define LIMBER_INPUT_YAML_MESHES_H

#include "input/importers/mesh.h"
#include "input/yaml/names.h"
#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

// The formats that the files of meshes may have.
void meshes_use_formats(Reader *r, const Importer *const *formats);
// Fills an empty mesh from the text of the file that a word names.
Error ImportMesh(Reader *r, const Tree *file, const char *path, const char *text, size_t length, Mesh *m, bool *good);
// Reads the files of matrices that the entry of a mesh names; `unit`: m, of its lengths. mesh_matrices.c
Error ReadMeshMatrices(Reader *r, const Tree *entry, double unit, Mesh *m, bool *good);
// The mesh whose name stands before the last dot of a text, or is all of it; NULL: there is none of that name.
const Name *mesh_named(const Reader *r, const char *text, const char **rest);
const Mesh *mesh_of_file(const Reader *r, int id); // by the id of its name
Error ReportGroup(Reader *r, const Mesh *m, const Tree *word, const char *name, int dimension);
// MESH.NUMBER, MESH.GROUP; `mine` tells whether the word begins with the name of a mesh.
Error FindNodeOfMesh(Reader *r, const Tree *word, int *id, bool *mine);

#endif
