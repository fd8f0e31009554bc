// SPDX-License-Identifier: Apache-2.0
// Switches at the start, and joints as the switches are now. switches.c
#ifndef LIMBER_ASSEMBLY_JOINT_FORMS_H
#define LIMBER_ASSEMBLY_JOINT_FORMS_H

#include "assembly/motion.h"

// Switches as they are at the start; joints as the switches are now.
PetscErrorCode MotionCreateSwitches(Motion *motion);
PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches);
void motion_form_joints(Motion *motion);

#endif
