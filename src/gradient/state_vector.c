// SPDX-License-Identifier: Apache-2.0
// The arrays of a state one after the other in a vector of numbers (product.h).
#include "gradient/product.h"

#include "analyses/stepping/saved_state.h"

#include <string.h>

PetscErrorCode StateVectorSize(Stepper *p, size_t *size) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, TRIED, list, &count));
  *size = 0;
  for (int i = 0; i < count; i++)
    if (!list[i].packing) *size += state_array_numbers(&list[i]);
  PetscFunctionReturn(0);
}

PetscErrorCode StateVectorFind(Stepper *p, double *vector, StateParts *out) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  *out = (StateParts){.x = NULL};
  const struct {
    const char *name;
    void **to;
  } part[] = {{"x", (void **)&out->x},
              {"v", (void **)&out->v},
              {"dv", (void **)&out->dv},
              {"x_before", (void **)&out->x_before},
              {"coord", (void **)&out->coord},
              {"coord_before", (void **)&out->coord_before},
              {"coord_next", (void **)&out->coord_next},
              {"coord_last", (void **)&out->coord_last},
              {"multiplier", (void **)&out->multiplier},
              {"row_next", (void **)&out->row_next},
              {"row_last", (void **)&out->row_last},
              {"ledger", (void **)&out->ledger}};
  PetscCall(StateList(p, TRIED, list, &count));
  for (int i = 0; i < count; i++) {
    if (list[i].packing) continue;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
      if (!strcmp(list[i].name, part[k].name)) *part[k].to = vector;
    vector += state_array_numbers(&list[i]);
  }
  PetscFunctionReturn(0);
}

bool state_is_differentiated(const char *array) {
  static const char *const names[] = {"x",          "v",          "dv",         "x_before", "coord",    "coord_before",
                                      "coord_next", "coord_last", "multiplier", "row_next", "row_last", "ledger"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(array, names[i])) return true;
  return false;
}
