// SPDX-License-Identifier: Apache-2.0
#include "analyses/modes/analysis.h"

#include <string.h>

// What was said of the equilibrium, but for that nothing loads it: modes need no load.
static void take_remarks(const char *from, char *out, size_t size) {
  static const char unloaded[] = "every load is zero";
  for (const char *end; (end = strchr(from, '\n')); from = end + 1) {
    size_t at = strlen(out);
    if (strncmp(from, unloaded, sizeof unloaded - 1)) snprintf(out + at, size - at, "%.*s\n", (int)(end - from), from);
  }
}

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
  take_remarks(limber_run_remarks(out->point.run), out->remarks, sizeof out->remarks);
  take_remarks(out->modes->remarks, out->remarks, sizeof out->remarks);
  PetscFunctionReturn(0);
}

PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a) {
  PetscFunctionBegin;
  PetscCall(ModeShapesDestroy(&a->shapes));
  PetscCall(ModesDestroy(&a->modes));
  PetscCall(OperatingPointDestroy(&a->point));
  PetscFunctionReturn(0);
}
