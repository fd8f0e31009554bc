// SPDX-License-Identifier: Apache-2.0
#include "assembly/log_events.h"

#include <petsclog.h>
#include <stdbool.h>

static const char *const names[LOG_EVENTS] = {"LimberPartition", "LimberEvaluate", "LimberAssemble",
                                              "LimberSolve",     "LimberOutput",   "LimberContacts"};
static PetscLogEvent events[LOG_EVENTS];
static bool registered;

static PetscErrorCode ForgetEvents(void) {
  PetscFunctionBegin;
  registered = false; // PETSc may be initialised again
  PetscFunctionReturn(0);
}

PetscErrorCode LogEventBegin(LogEvent event) {
  PetscFunctionBegin;
  if (!registered) {
    PetscClassId id;
    PetscCall(PetscClassIdRegister("Limber", &id));
    for (int i = 0; i < LOG_EVENTS; i++) PetscCall(PetscLogEventRegister(names[i], id, &events[i]));
    PetscCall(PetscRegisterFinalize(ForgetEvents));
    registered = true;
  }
  PetscCall(PetscLogEventBegin(events[event], 0, 0, 0, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode LogEventEnd(LogEvent event) {
  PetscFunctionBegin;
  PetscCall(PetscLogEventEnd(events[event], 0, 0, 0, 0));
  PetscFunctionReturn(0);
}
