// SPDX-License-Identifier: Apache-2.0
// Updates the list of pairs that may touch, and the tangent matrix with slots for each pair.
#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/workspace.h"
#include "solvers/solvers.h"

// Rebuilds matrix, solvers and slots for the present list.
static PetscErrorCode RenewMatrix(System *s) {
  Pattern p;
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&s->linear.ksp));
  PetscCall(KSPDestroy(&s->linear.robust));
  PetscCall(MatDestroy(&s->equations.matrix.tangent));
  PetscCall(MatDestroy(&s->equations.matrix.reduced));
  s->equations.matrix.reduced_from = 0;
  PetscCall(PatternCreate(&s->motion.layout, s->motion.contacts, &p));
  PetscCall(TangentCreate(&s->motion.layout, &s->equations.matrix, &p));
  PetscCall(PatternDestroy(&p));
  PetscCall(SystemCreateSolvers(s));
  PetscCall(BatchesDestroy(&s->equations.batches));
  PetscCall(BatchesDestroyFrames(&s->equations.batches));
  PetscCall(BatchesDestroyJointBatches(&s->equations.batches));
  s->equations.batches = (Batches){0};
  PetscCall(PetscFree(s->equations.matrix.thin));
  PetscCall(EquationsCreateBatches(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateFrames(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateJointBatches(&s->motion.layout, &s->equations));
  PetscCall(MatrixCreateThinFrames(&s->motion.layout, &s->equations.matrix));
  for (int i = 0; i < 2; i++) s->linear.factors[i] = (FactorRecord){0}, s->linear.used[i] = false;
  s->linear.scale_tangent = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemListContacts(System *s, double skin) {
  bool linked = s->motion.contacts->linked;
  PetscFunctionBegin;
  PetscCall(ContactsList(&s->motion, skin));
  s->equations.matrix.count = 0;
  if (linked || s->motion.contacts->linked) PetscCall(RenewMatrix(s));
  PetscFunctionReturn(0);
}

// The skin keeps a list valid for some steps, as long as it is small compared with the shapes.
PetscErrorCode SystemUpdateContacts(System *s, double h) {
  double moved, speed;
  PetscFunctionBegin;
  if (!s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(&s->motion, false, &moved));
  PetscCall(ContactsSpeed(&s->motion, &speed));
  double way = 1.25 * h * speed;
  if (moved + way <= s->motion.contacts->skin) PetscFunctionReturn(0);
  PetscCall(SystemListContacts(s, PetscMax(2 * way, PetscMin(10 * way, s->motion.contacts->usual_skin))));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCheckContacts(System *s, bool *again) {
  double moved, here;
  PetscFunctionBegin;
  *again = false;
  if (!s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  PetscCall(ContactsDistance(&s->motion, true, &moved));
  if (moved <= s->motion.contacts->skin || !(moved < HUGE_VAL)) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(&s->motion, false, &here));
  PetscCall(SystemListContacts(s, 1.5 * (moved + here)));
  *again = true;
  PetscFunctionReturn(0);
}
