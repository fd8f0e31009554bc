// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_STUDY_RANKS_H
#define LIMBER_STUDY_RANKS_H

#include "study/schedule.h"

#include <petscsys.h>

// On the ranks of `world`, where those of each `comm` do a run together. All have the same tasks. Collective.
Error StudyOnRanks(MPI_Comm world, MPI_Comm comm, const StudyTasks *t, StudyEnd *end);

#endif
