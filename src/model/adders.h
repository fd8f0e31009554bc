// SPDX-License-Identifier: Apache-2.0
// Helpers of the functions that add parts to a model.
#ifndef LIMBER_MODEL_ADDERS_H
#define LIMBER_MODEL_ADDERS_H

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
Error ModelReportUnknownKind(LimberModel m, const char *what, const char *kind, const char *name);
// Checks that every node named in the fields exists. A node may be absent only if that is the default; `bodies`: a body
// of points may take its place.
Error ModelCheckNodes(LimberModel m, const char *what, const char *name, const FieldTable *t, const void *params,
                      bool bodies, bool *good);

#endif
