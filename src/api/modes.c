// SPDX-License-Identifier: Apache-2.0
// The public interface to modes.
#include "analyses/modes/modes.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include <string.h>

LimberModesOptions limber_file_modes_options(LimberFile file) {
  return file->in ? file->in->modes.options : limber_modes_options_default();
}

static PetscErrorCode CreateModes(LimberModel model, const LimberModesOptions *options, LimberModes *modes) {
  Refusal wrong;
  bool good;
  PetscFunctionBegin;
  CHECK_GIVEN(options);
  CHECK_OPTIONS(options, limber_modes_options_default);
  PetscCall(CheckModel(model, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCall(PetscNew(modes));
  PetscCall(ModalAnalysis(model, options, *modes, &wrong));
  if (is_refused(&wrong)) {
    PetscCall(ModelReportError(model, NULL, "%s", wrong.text));
    PetscCall(PetscFree(*modes));
  }
  PetscFunctionReturn(0);
}

int LimberModesCreate(LimberModel model, const LimberModesOptions *options, LimberModes *modes) {
  PetscFunctionBegin;
  CHECK_GIVEN(modes);
  *modes = NULL;
  CREATE_OF_MODEL(model, CreateModes(model, options, modes), modes);
}

int LimberModesDestroy(LimberModes *modes) {
  PetscFunctionBegin;
  if (!*modes) PetscFunctionReturn(0);
  PetscCall(ModalAnalysisDestroy(*modes));
  PetscCall(PetscFree(*modes));
  PetscFunctionReturn(0);
}

int limber_modes_count(LimberModes modes) { return modes->modes->count; }
int limber_modes_rigid(LimberModes modes) { return modes->modes->rigid; }
const char *limber_modes_remarks(LimberModes modes) { return modes->remarks; }

#define CHECK_MODE(modes, i) \
  PetscCheck(i >= 0 && i < modes->modes->count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no mode %d", i)
#define CHECK_ID(modes, id, array, what) \
  PetscCheck((id).index >= 0 && (id).index < modes->point.s->motion.layout.model->array.count, PETSC_COMM_SELF, \
             PETSC_ERR_ARG_OUTOFRANGE, "no " what " %d", (id).index)

int LimberModesGet(LimberModes modes, int i, LimberMode *mode) {
  PetscFunctionBegin;
  CHECK_MODE(modes, i);
  const Mode *m = &modes->modes->mode[i];
  const ModeShape *s = &modes->shapes.shape[i];
  *mode = (LimberMode){.re = m->re,
                       .im = m->im,
                       .frequency = m->frequency,
                       .damping = m->damping,
                       .residual = m->residual,
                       .error = {m->error[0], m->error[1]},
                       .whirl = s->whirl,
                       .rotor_frequency = s->rotor_frequency};
  memcpy(mode->effective, s->effective, sizeof mode->effective);
  memcpy(mode->name, s->name, sizeof mode->name);
  PetscFunctionReturn(0);
}

static PetscErrorCode GetShape(LimberModes modes, int i, LimberNodeId node, double re[6], double im[6]) {
  PetscFunctionBegin;
  CHECK_MODE(modes, i);
  CHECK_ID(modes, node, nodes, "node");
  PetscCall(CheckOtherRanks(modes->point.s->motion.layout.comm));
  PetscCall(ModeAtNode(modes->modes, &modes->modes->mode[i], node.index, re, im));
  PetscFunctionReturn(0);
}

int LimberModesGetNode(LimberModes modes, int i, LimberNodeId node, double re[6], double im[6]) {
  return COLLECTIVE_AFTER_CHECK(modes->point.s->motion.layout.comm, GetShape(modes, i, node, re, im));
}

int LimberModesGetElement(LimberModes modes, int i, LimberElementId element, double *strain, double *kinetic) {
  PetscFunctionBegin;
  CHECK_MODE(modes, i);
  CHECK_ID(modes, element, components, "element");
  if (strain) *strain = modes->shapes.shape[i].strain[element.index];
  if (kinetic) *kinetic = modes->shapes.shape[i].kinetic[element.index];
  PetscFunctionReturn(0);
}

int LimberModesGetJoint(LimberModes modes, int i, LimberJointId joint, double *strain) {
  PetscFunctionBegin;
  CHECK_MODE(modes, i);
  CHECK_ID(modes, joint, joints, "joint");
  *strain = modes->shapes.shape[i].strain[modes->point.s->motion.layout.model->components.count + joint.index];
  PetscFunctionReturn(0);
}
