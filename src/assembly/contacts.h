// SPDX-License-Identifier: Apache-2.0
// Pairs of shapes that may touch in the step under way, found by a grid; their forces, energies and what friction remembers.
//
// Every rank has the states of all nodes that carry surfaces, lists every pair that touches a node of its own, and keeps only its own rows.
// A list holds as long as no point has moved by more than `skin` since it was made: it has all pairs that were nearer than twice that.
// It follows from the positions at which it was made, which a checkpoint has, so that a run that goes on has the same list.
#ifndef LIMBER_ASSEMBLY_CONTACTS_H
#define LIMBER_ASSEMBLY_CONTACTS_H

#include "assembly/system.h"
#include "mechanics/contact.h"

typedef struct {
  int law, point, other; // points of the model; of a body -1 - its surface
  bool primary, touches; // counted on this rank; it does work in the step under way
  PetscInt node[CONTACT_NODES];
  double damper;   // of its restitution, over the speed of approach
  double approach; // that speed; 0: apart
  double gap;      // at t_n
  ContactPair pair;
} ContactItem;

typedef struct { // energies of the state and since the start, of all ranks
  double stored, impact, friction;
} ContactAccount;

typedef struct ContactSet {
  PetscInt count, room;
  ContactItem *item; // in the order of law, point, other
  Vec3 *at;          // vectors of local nodes when the list was made, 4 a node
  double skin, usual_skin;
  ContactAccount account;
  PetscInt64 lists; // made so far
  bool linked;      // a pair of the list, or of the one before, has two nodes that move: the tangent has a place for it
  double *saved;    // what pairs remembered before the step, CONTACT_NUMBERS each, and the account then
  size_t saves;
  ContactAccount saved_account;
  double touching; // pairs that touch, of all ranks, at the end of the last step
} ContactSet;

// Whether a scheme can have contacts: NULL, or why not.
const char *contacts_forbidden(Model m, const StepRule *rule);

PetscErrorCode ContactSetCreate(System *s);
PetscErrorCode ContactSetDestroy(System *s);
// Nodes that carry surfaces become ghosts where they are not a rank's own (`touched` 0 becomes 2).
// Whether so many nodes may touch each other that the tangent has no narrow band.
bool contacts_are_many(Model m);
void contacts_touch_nodes(Model m, PetscInt *touched);

// How far a point moves from where the list was made: up to the state, and with the unknowns (`stepping`).
PetscErrorCode ContactsDistance(System *s, bool stepping, double *moved);
// A list at the positions of the state for points that move by up to `skin`.
PetscErrorCode ContactsList(System *s, double skin);
// The fastest point: m/s.
PetscErrorCode ContactsSpeed(System *s, double *speed);

// Normals, slips and speeds of approach at the start of a step.
PetscErrorCode ContactsBegin(System *s);
PetscErrorCode ContactsEvaluate(System *s, double *residual, PetscBool tangent);
// Of a step that was solved, before the state moves: energy that impacts and friction take, which the account gets; pairs remember it.
PetscErrorCode ContactsBalance(System *s, double *taken);
// Energy of the state, of all ranks.
PetscErrorCode ContactsEnergy(System *s, double *energy);

// Local blocks of a pair; returns their number.
PetscInt contacts_blocks(const System *s, const ContactItem *c, PetscInt *blocks, int *first);

// What a list remembers: numbers of all pairs that remember something, in the order of the list, CONTACT_NUMBERS each. On rank 0.
enum { CONTACT_NUMBERS = 7 };
// The same of this rank, to go back to.
PetscErrorCode ContactsSave(System *s);
void contacts_restore(System *s);
PetscErrorCode ContactsGather(System *s, double **numbers, size_t *count);
void contacts_scatter(System *s, const double *numbers, size_t count);

#endif
