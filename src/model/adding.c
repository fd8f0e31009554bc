// SPDX-License-Identifier: Apache-2.0
#include "model/adding.h"

Error ModelReportUnknownKind(LimberModel m, const char *what, const char *kind, const char *name) {
  TRY(ModelReportError(m, NULL, "'%s': there is no %s of the kind '%s'", name ? name : "?", what, kind));
  return 0;
}

static bool has_node(Model m, int id) { return id >= 0 && id < m->nodes.count; }

Error ModelCheckNodes(LimberModel m, const char *what, const char *name, const FieldTable *t, const void *params,
                      bool bodies, bool *good) {
  *good = true;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type != FIELD_NODE && f->type != FIELD_NODES) continue;
    const int *id = (const int *)((const char *)params + f->offset);
    for (int k = 0; k < (f->type == FIELD_NODE ? 1 : f->count); k++) {
      bool none = id[k] == LIMBER_NONE && !f->required && f->value == LIMBER_NONE;
      if (has_node(m, id[k]) || none || (bodies && model_body(m, id[k]) >= 0)) continue;
      TRY(ModelReportError(m, f->name, "%s '%s': its '%s' is not a node of the model", what, name ? name : "?",
                           f->name));
      *good = false;
    }
  }
  return 0;
}
