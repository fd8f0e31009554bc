// SPDX-License-Identifier: Apache-2.0
// Pairs of shapes that may touch in the step under way, found by a grid; their forces, energies and what friction remembers.
//
// Every rank has the states of all nodes that carry surfaces, lists every pair that touches a node of its own, and
// keeps only its own rows. A list holds as long as no point has moved by more than `skin` since it was made: it has all
// pairs that were nearer than twice that. It follows from the positions at which it was made, which a checkpoint has,
// so that a run that goes on has the same list.
#ifndef LIMBER_ASSEMBLY_CONTACTS_H
#define LIMBER_ASSEMBLY_CONTACTS_H

#include "assembly/equations.h"
#include "mechanics/contact.h"
#include "model/steps.h"

typedef struct {
  int law, point, other;        // points of the model; of a body -1 - its surface
  bool primary, touches;        // counted on this rank; it does work in the step under way
  PetscInt node[CONTACT_NODES]; // local; -1: a point of a face (contact_faces.c)
  double damper;                // of its restitution, over the speed of approach
  double approach; // that speed; 0: apart. Without penetration: the multiplier with which the next step begins
  double gap;      // at t_n, of a pair that comes near in the step
  double force;    // normal, over the last step; its traction is the deflection of a pair with Coulomb's friction
  ContactPair pair;
} ContactItem;

typedef struct { // of all ranks: stored in the state; taken by impacts and by friction since the start
  double stored, impact, friction;
} ContactEnergies;

typedef struct { // of a contact, all ranks, over the last step; when a pair of it last began to touch
  double normal, friction, touching, touched;
} ContactTotal;

typedef struct {     // of a node in the step under way
  double move, turn; // of its position, and 1.8 times that of its axes
  Vec3 chord;        // of its position
} NodeTravel;

struct ContactSet {
  PetscInt count;
  ContactItem *item;          // in the order of law, point, other
  Vec3 *at;                   // vectors of local nodes when the list was made, 4 a node
  struct ContactSieve *sieve; // of each pair (contact_sieve.h)
  struct ContactNormal *normal;
  NodeTravel *travel; // of local nodes
  struct ContactWindow *window;
  double skin, usual_skin;
  ContactEnergies energies;
  PetscInt64 lists;          // made so far
  bool linked;               // a pair of the list joins nodes that move, for which the tangent has slots
  ContactTotal *total;       // of each contact
  struct HardContacts *hard; // of contacts without penetration (contact_hard.h); NULL: none has that
};

PetscErrorCode ContactSetCreate(Motion *motion);
PetscErrorCode ContactSetDestroy(Motion *motion);
// Whether so many nodes may touch each other that the tangent has no narrow band.
bool contacts_are_many(Model m);
// Nodes that carry surfaces become ghosts where they are not a rank's own (`touched` 0 becomes 2).
void contacts_touch_nodes(Model m, PetscInt *touched);

// A vector that a node carries along, sum_j coef_j x_j; the position of a point. `x` has 4 vectors a local node.
Vec3 contact_position(const Layout *layout, int node, const double *coef, const Vec3 *x);
Vec3 contact_point_position(const Layout *layout, const SurfacePoint *p, const Vec3 *x);
// How far a point moves, on any rank, from where the list was made: up to the state, and with the unknowns
// (`stepping`).
PetscErrorCode ContactsDistance(const Motion *motion, bool stepping, double *moved);
// A list at the positions of the state for points that move by up to `skin`.
PetscErrorCode ContactsList(Motion *motion, double skin);
// The fastest point of all ranks: m/s.
PetscErrorCode ContactsSpeed(const Motion *motion, double *speed);

// A step begins. Normals, slips and speeds of approach at its start are found of pairs that come near each other in it.
PetscErrorCode ContactsBegin(Motion *motion);
void contact_begin(const Motion *motion, ContactItem *c); // the same of one pair, but for contact without penetration
PetscErrorCode ContactsEvaluate(Motion *motion, Equations *equations, double *residual, PetscBool tangent);
// Of a step that was solved, before the state moves: energy that impacts and friction take, which is added to the
// energies; pairs remember what they need.
PetscErrorCode ContactsBalance(Motion *motion, double *taken);
// Pairs that touch, of all contacts and ranks, at the end of the last step.
double contacts_touching(const Layout *layout, const ContactSet *contacts);
// Whether a pair was apart at a gap, by more than round-off.
bool contacts_apart(const Layout *layout, double gap);
// The least slip speed of regularised friction in the list of this rank, HUGE_VAL: none; and all of them times a
// factor.
double contacts_slip_speed(const Layout *layout, const ContactSet *contacts);
void contacts_scale_slip(const Layout *layout, ContactSet *contacts, double factor);
// The least gap of the pairs of a contact in the list, or how far that looks; their energy. Collective.
PetscErrorCode ContactsMeasure(const Motion *motion, int contact, double *gap, double *energy);
// Energy of the state, of all ranks.
PetscErrorCode ContactsEnergy(Motion *motion, double *energy);

// Where friction acts on a pair whose vectors are x with rates v over a step of length h, and its gap at the end of a
// motion.
void contact_find_slip(const Layout *layout, ContactItem *c, const Vec3 *const *x, const Vec3 *const *v, double h);
double contact_end_gap(const ContactItem *c, const ContactMotion *m);

// Local blocks of the nodes of a pair, of which points of faces have several; returns their number. first[a]: block of
// the pair's node a where faces count as one point each.
PetscInt contacts_blocks(const Layout *layout, const ContactItem *c, PetscInt *blocks, int *first);

// ---- points of faces (contact_faces.c) ----
bool contact_is_of_face(const SurfacePoint *p);
NodeKind contact_face_kind(const Layout *layout, const SurfacePoint *p); // of its point: it moves, or not

typedef struct {
  Vec3 x[CONTACT_NODES][4];
  NodeMotion motion[CONTACT_NODES];
} ContactRoom;
// The vectors of the nodes of a pair, of which `x` has 4 a local node; their rates by the state; its motion over the
// step. Those of faces, and rates, stand in `room`.
void contact_vectors(const Layout *layout, const ContactItem *c, const Vec3 *x, ContactRoom *room, const Vec3 **out);
void contact_rates(const Motion *motion, const ContactItem *c, ContactRoom *room, const Vec3 **out);
void contact_motion(const Motion *motion, const ContactItem *c, ContactRoom *room, ContactMotion *out);
// Forces on all its blocks; and adds their tangent to its slots.
void contact_evaluate_item(const Layout *layout, const StepContext *step, const ContactItem *c, const ContactMotion *m,
                           const int *first, PairStep *s, Local *out);
void contact_add_tangent(const Layout *layout, const MatrixSlots *matrix, const ContactItem *c, const int *slot,
                         const double *k);

// Pairs whose tangents are evaluated together, in the order of the list.
typedef struct ContactWindow {
  int count;
  const ContactItem *item[CONTACT_TANGENTS];
  PetscInt64 slot[CONTACT_TANGENTS]; // the first of each
  ContactRoom room[CONTACT_TANGENTS];
  ContactTangent pair[CONTACT_TANGENTS];
} ContactWindow;

// What a list remembers: numbers of all pairs that remember something, in the order of the list, CONTACT_NUMBERS each.
enum { CONTACT_NUMBERS = 7 };
// Their order, by the law, point and other that they begin with.
int contact_compare_numbers(const void *a, const void *b);
// Returns how many pairs of this rank there are, or of those that it counts (`own`); `out`: their numbers, or NULL.
size_t contacts_take(const ContactSet *set, bool own, double *out);
void contacts_scatter(Motion *motion, const double *numbers, size_t count);

#endif
