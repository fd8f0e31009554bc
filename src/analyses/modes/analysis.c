// SPDX-License-Identifier: Apache-2.0
#include "analyses/modes/analysis.h"

#include <string.h>

PetscErrorCode ModalAnalysis(Model model, const LimberModesOptions *o, struct LimberModesData *out, char *wrong,
                             size_t size) {
  const char *const words[2] = {o->along_y, o->along_z};
  PetscFunctionBegin;
  *out = (struct LimberModesData){0};
  wrong[0] = 0;
  PetscCall(OperatingPointFind(model, &(LimberStatics){.time = o->time}, &out->point, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  PetscCall(ModesFind(out->point.s, &out->point.spin, o, &out->modes, wrong, size));
  if (wrong[0]) {
    PetscCall(OperatingPointDestroy(&out->point));
    PetscFunctionReturn(0);
  }
  PetscCall(ModeShapesFind(out->modes, words, &out->shapes));
  operating_point_remarks(&out->point, out->remarks, sizeof out->remarks);
  size_t at = strlen(out->remarks);
  snprintf(out->remarks + at, sizeof out->remarks - at, "%s", out->modes->remarks);
  PetscFunctionReturn(0);
}

PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a) {
  PetscFunctionBegin;
  PetscCall(ModeShapesDestroy(&a->shapes));
  PetscCall(ModesDestroy(&a->modes));
  PetscCall(OperatingPointDestroy(&a->point));
  PetscFunctionReturn(0);
}
