// SPDX-License-Identifier: Apache-2.0
// Lists of pairs that may touch, and the tangent that has slots for each.
#include "assembly/contacts.h"
#include "assembly/workspace.h"
#include "solvers/solvers.h"

// Matrix, solvers and slots of the present list.
static PetscErrorCode RenewMatrix(System *s) {
  Pattern p;
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&s->linear.ksp));
  PetscCall(KSPDestroy(&s->linear.robust));
  PetscCall(MatDestroy(&s->matrix.tangent));
  PetscCall(MatDestroy(&s->matrix.reduced));
  s->matrix.reduced_from = 0;
  PetscCall(PatternCreate(s, &p));
  PetscCall(SystemCreateMatrix(s, &p));
  PetscCall(PatternDestroy(&p));
  PetscCall(SystemCreateSolvers(s));
  PetscCall(SystemDestroyBatches(s));
  PetscCall(SystemDestroyFrames(s));
  PetscCall(SystemDestroyJointBatches(s));
  s->batches = (Batches){0};
  PetscCall(PetscFree(s->matrix.thin));
  PetscCall(SystemCreateBatches(s));
  PetscCall(SystemCreateFrames(s));
  PetscCall(SystemCreateJointBatches(s));
  PetscCall(SystemCreateThinFrames(s));
  for (int i = 0; i < 2; i++) s->linear.factors[i] = (FactorRecord){0}, s->linear.used[i] = false;
  s->linear.scale_tangent = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemListContacts(System *s, double skin) {
  bool linked = s->contacts->linked;
  PetscFunctionBegin;
  PetscCall(ContactsList(s, skin));
  s->matrix.count = 0;
  if (linked || s->contacts->linked) PetscCall(RenewMatrix(s));
  PetscFunctionReturn(0);
}

// The skin lets a list hold for some steps, as long as it is small against the shapes.
PetscErrorCode SystemUpdateContacts(System *s, double h) {
  double moved, speed;
  PetscFunctionBegin;
  if (!s->contacts) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(s, false, &moved));
  PetscCall(ContactsSpeed(s, &speed));
  double way = 1.25 * h * speed;
  if (moved + way <= s->contacts->skin) PetscFunctionReturn(0);
  PetscCall(SystemListContacts(s, PetscMax(2 * way, PetscMin(10 * way, s->contacts->usual_skin))));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCheckContacts(System *s, bool *again) {
  double moved, here;
  PetscFunctionBegin;
  *again = false;
  if (!s->contacts) PetscFunctionReturn(0);
  PetscCall(SystemMoveNodes(s));
  PetscCall(ContactsDistance(s, true, &moved));
  if (moved <= s->contacts->skin || !(moved < HUGE_VAL)) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(s, false, &here));
  PetscCall(SystemListContacts(s, 1.5 * (moved + here)));
  *again = true;
  PetscFunctionReturn(0);
}
