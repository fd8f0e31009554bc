// SPDX-License-Identifier: Apache-2.0
// Helpers of the functions that add parts to a model.
#ifndef LIMBER_MODEL_ADDERS_H
#define LIMBER_MODEL_ADDERS_H

#include "mechanics/reduction.h"
#include "model/model.h"

#include <string.h>

// Finds the kind of that name in a list that ends with NULL; NULL: there is none.
#define FIND_KIND(kinds, text, out) \
  do { \
    out = NULL; \
    for (int i_ = 0; kinds[i_]; i_++) \
      if (!strcmp(kinds[i_]->name, text)) out = kinds[i_]; \
  } while (0)

// Where a public function writes the index of an id that it returns; NULL: the caller does not want it.
#define INDEX_OF(id) ((id) ? &(id)->index : NULL)

Error ModelAddNode(LimberModel m, NodeKind kind, const char *name, const Vec3 x[4], int *id);
// Adds the point and the joint that represent the inertia of a coordinate; `lent`: what it lends to a port.
Error ModelAddInertia(LimberModel m, int joint, int coord, double inertia, bool lent, int *point);
// Adds the three equations of an interface of a reduced body.
Error ModelAddInterface(LimberModel m, const char *name, const InterfaceTie *tie);
// Reductions that other processes have made (model/kept_reduction.c).
bool is_reduction_kept(LimberModel m, const ReductionMesh *mesh);
Error MakeReductionKey(Store *s, const LimberReducedBody *p, const ReductionMesh *mesh, KeptValue *out);
Error FindReduction(LimberModel m, const ReductionMesh *mesh, KeptValue *v, Reduction *out, bool *found);
Error KeepReduction(LimberModel m, Store *s, const ReductionMesh *mesh, const Reduction *r, KeptValue *v);
// Reduces the mesh of a body; `out` is NULL where something is wrong.
Error ModelReduce(LimberModel m, const LimberReducedBody *p, const Reduction **out, Reason *wrong);
// NULL, or what is wrong, which may be `text`: also if the stiffness resists rigid motions, or the mass is none.
// `number`: of the nodes, for messages.
const char *model_make_matrices(const LimberMatrix *stiffness, const LimberMatrix *mass, int nodes, const Vec3 *at,
                                const int *number, Allocator memory, Allocator scratch, ReductionMatrices *out,
                                char *text, size_t size);
// Adds a load of six numbers, force and moment on a node in ground axes, which a run sets between steps.
Error ModelAddHeldLoad(LimberModel m, int node, const char *name, double **held);
Error ModelReportUnknownKind(LimberModel m, const char *what, const char *kind, const char *name);
// Checks that every node named in the fields exists. A node may be absent only if that is the default; `bodies`: a body
// of points may take its place.
Error ModelCheckNodes(LimberModel m, const char *what, const char *name, const FieldTable *t, const void *params,
                      bool bodies, bool *good);

#endif
