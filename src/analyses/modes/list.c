// SPDX-License-Identifier: Apache-2.0
#include "analyses/modes/modes.h"

PetscErrorCode ModeListAdd(ModeList *list, const Pencil *p, double re, double im, Mode **out) {
  PetscFunctionBegin;
  if (list->count == list->room) {
    list->room = 2 * list->room + 16;
    PetscCall(PetscRealloc((size_t)list->room * sizeof *list->mode, &list->mode));
  }
  *out = &list->mode[list->count++];
  **out = (Mode){.re = re, .im = im, .is_real = true};
  PetscCall(MatCreateVecs(p->k, &(*out)->right[0], NULL));
  PetscFunctionReturn(0);
}

PetscErrorCode ModeDestroy(Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++) {
    PetscCall(VecDestroy(&mode->right[i]));
    PetscCall(VecDestroy(&mode->left[i]));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ModeListDestroy(ModeList *list) {
  PetscFunctionBegin;
  for (int i = 0; i < list->count; i++) PetscCall(ModeDestroy(&list->mode[i]));
  PetscCall(PetscFree(list->mode));
  *list = (ModeList){0};
  PetscFunctionReturn(0);
}
