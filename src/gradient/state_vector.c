// SPDX-License-Identifier: Apache-2.0
// The arrays of a state one after the other in a vector of numbers (product.h).
#include "gradient/product.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/saved_state.h"

#include <stddef.h>
#include <string.h>

PetscErrorCode StateVectorSize(Stepper *p, size_t *size) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, TRIED, list, &count));
  *size = 0;
  for (int i = 0; i < count; i++)
    if (!list[i].packing) *size += state_array_numbers(&list[i]);
  for (const Between *b = p->between; b; b = b->next) *size += b->count(b);
  PetscFunctionReturn(0);
}

static const struct {
  const char *name;
  size_t at; // in StateParts
} parts[] = {{"x", offsetof(StateParts, x)},
             {"v", offsetof(StateParts, v)},
             {"dv", offsetof(StateParts, dv)},
             {"x_before", offsetof(StateParts, x_before)},
             {"coord", offsetof(StateParts, coord)},
             {"coord_before", offsetof(StateParts, coord_before)},
             {"coord_next", offsetof(StateParts, coord_next)},
             {"coord_last", offsetof(StateParts, coord_last)},
             {"multiplier", offsetof(StateParts, multiplier)},
             {"bristles", offsetof(StateParts, bristles)},
             {"row_next", offsetof(StateParts, row_next)},
             {"row_last", offsetof(StateParts, row_last)},
             {"ledger", offsetof(StateParts, ledger)},
             {"wheel", offsetof(StateParts, wheel)}};
enum { PARTS = sizeof parts / sizeof *parts };

PetscErrorCode StateVectorFind(Stepper *p, double *vector, StateParts *out) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  *out = (StateParts){.x = NULL};
  PetscCall(StateList(p, TRIED, list, &count));
  for (int i = 0; i < count; i++) {
    if (list[i].packing) continue;
    for (int k = 0; k < PARTS; k++)
      if (!strcmp(list[i].name, parts[k].name)) memcpy((char *)out + parts[k].at, &vector, sizeof vector);
    vector += state_array_numbers(&list[i]);
  }
  PetscFunctionReturn(0);
}

bool state_is_differentiated(const char *array) {
  for (int k = 0; k < PARTS; k++)
    if (!strcmp(array, parts[k].name)) return true;
  return false;
}

bool state_is_carried(const StateArray *a, size_t number) {
  enum { NUMBERS = sizeof(WheelState) / sizeof(double), MOMENTUM = offsetof(WheelState, p) / sizeof(double) };
  return strcmp(a->name, "wheel") || number % NUMBERS == MOMENTUM;
}
