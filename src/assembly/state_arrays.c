// SPDX-License-Identifier: Apache-2.0
#include "assembly/state_arrays.h"
#include "assembly/step_memory.h"

size_t state_owner_count(const Layout *layout, const State *state, StateOwner owner) {
  switch (owner) {
  case OWNER_NODE: return (size_t)layout->nnode;
  case OWNER_JOINT: return (size_t)layout->njoint;
  case OWNER_ELEMENT: return state->row_increment_start ? (size_t)state->row_increment_start[layout->nelement] : 0;
  case OWNER_UNKNOWN: return (size_t)layout->nblock_own;
  case OWNER_LOAD: return (size_t)layout->model->loads.count;
  case OWNER_WHEEL: return (size_t)layout->model->wheels.count;
  case OWNER_STOP:
  case OWNER_RUN:
  case OWNERS: break;
  }
  return 1;
}

// How many rows each local element remembers, and zeros for one without memory beside others that have one.
static PetscErrorCode CountElementRows(const Layout *layout, State *state) {
  PetscInt rows = 0, most = 0;
  PetscFunctionBegin;
  if (!layout->rule->remembers) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(layout->nelement + 1, &state->row_increment_start));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    PetscInt own = layout_remembers(layout, layout->element[e]);
    state->row_increment_start[e] = rows, rows += own, most = PetscMax(most, own);
  }
  state->row_increment_start[layout->nelement] = rows;
  PetscCall(PetscCalloc1(most, &state->zero_increment));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateArrays(System *s) {
  char *zeros;
  PetscFunctionBegin;
  PetscCall(CountElementRows(&s->motion.layout, &s->motion.state));
#define PLACE(name, kept, owner, type, width, place, condition)
#define ARRAY(name, kept, owner, type, width, place, condition) \
  if (condition) { \
    PetscCall(PetscCalloc1( \
        state_owner_count(&s->motion.layout, &s->motion.state, OWNER_##owner) * (width) * sizeof(type), &zeros)); \
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
  PetscCall(PetscFree(s->motion.state.row_increment_start));
  PetscCall(PetscFree(s->motion.state.zero_increment));
  PetscFunctionReturn(0);
}
