// SPDX-License-Identifier: Apache-2.0
// Meshes that were imported, and sections that were solved on meshes, in readings of a file before.
#ifndef LIMBER_INPUT_YAML_KEPT_MESH_H
#define LIMBER_INPUT_YAML_KEPT_MESH_H

#include "input/importers/mesh.h"
#include "input/yaml/kept.h"
#include "model/model.h"

// A mesh as its file has it: a copy of what was kept, if there is such; keeps one.
Error RecallMesh(Reader *r, const char *path, Mesh *m, bool *found);
Error KeepMesh(Reader *r, const char *path, const Mesh *m);

// ModelSolve, or what it found for the same mesh and materials.
Error SolveOrRecall(Reader *r, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                    SectionSolution **solution, const char **wrong);

Error KeptMeshesDestroy(InputFile *f);

#endif
