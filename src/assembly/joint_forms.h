// SPDX-License-Identifier: Apache-2.0
// The switches of events (switches.h) at the start, and joints in their present form. Implemented in switches.c.
#ifndef LIMBER_ASSEMBLY_JOINT_FORMS_H
#define LIMBER_ASSEMBLY_JOINT_FORMS_H

#include "assembly/motion.h"

PetscErrorCode MotionCreateSwitches(Motion *motion);
PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches);
void motion_form_joints(Motion *motion);

#endif
