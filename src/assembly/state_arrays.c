// SPDX-License-Identifier: Apache-2.0
#include "assembly/state_arrays.h"

size_t system_owner_count(const System *s, StateOwner owner) {
  switch (owner) {
  case OWNER_NODE: return (size_t)s->layout.nnode;
  case OWNER_JOINT: return (size_t)s->layout.njoint;
  case OWNER_ELEMENT:
    return s->state.row_increment_start ? (size_t)s->state.row_increment_start[s->layout.nelement] : 0;
  case OWNER_UNKNOWN: return (size_t)s->layout.nblock_own;
  case OWNER_LOAD: return (size_t)s->layout.model->loads.count;
  case OWNER_WHEEL: return (size_t)s->layout.model->wheels.count;
  case OWNER_STOP:
  case OWNER_RUN:
  case OWNERS: break;
  }
  return 1;
}

// How many rows each local element remembers, and zeros for one without memory beside others that have one.
static PetscErrorCode CountElementRows(System *s) {
  PetscInt rows = 0, most = 0;
  PetscFunctionBegin;
  if (!s->rule->remembers) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(s->layout.nelement + 1, &s->state.row_increment_start));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    PetscInt own = system_remembers(s, s->layout.element[e]);
    s->state.row_increment_start[e] = rows, rows += own, most = PetscMax(most, own);
  }
  s->state.row_increment_start[s->layout.nelement] = rows;
  PetscCall(PetscCalloc1(most, &s->state.zero_increment));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateArrays(System *s) {
  char *zeros;
  PetscFunctionBegin;
  PetscCall(CountElementRows(s));
#define PLACE(name, kept, owner, type, width, place, condition)
#define ARRAY(name, kept, owner, type, width, place, condition) \
  if (condition) { \
    PetscCall(PetscCalloc1(system_owner_count(s, OWNER_##owner) * (width) * sizeof(type), &zeros)); \
    place = (void *)zeros; \
  }
#include "assembly/state.def"
#undef ARRAY
  PetscFunctionReturn(0);
}

PetscErrorCode SystemDestroyArrays(System *s) {
  PetscFunctionBegin;
#define ARRAY(name, kept, owner, type, width, place, condition) PetscCall(PetscFree(place));
#include "assembly/state.def"
#undef ARRAY
#undef PLACE
  PetscCall(PetscFree(s->state.row_increment_start));
  PetscCall(PetscFree(s->state.zero_increment));
  PetscFunctionReturn(0);
}
