// SPDX-License-Identifier: Apache-2.0
// What a mode is: which part moves, how, where its energy is; and a name that says so.
#ifndef LIMBER_ANALYSES_MODES_SHAPES_H
#define LIMBER_ANALYSES_MODES_SHAPES_H

#include "analyses/modes/modes.h"

// Of a part's kinetic energy: along the three axes of its sections (of the ground, where it has none), and about them.
enum { MOTIONS = 6 };

typedef struct {
  char name[192]; // "blade bending z 1, 83 % strain in blade"
  double effective
      [6]; // share of the mass that moves with a translation of the whole, of its moments about the mass centre
  double
      whirl; // 1: points circle in the sense of the rotation, -1: against it, as seen in the rotating frame; 0: neither
  double *strain, *kinetic;  // share of each component, then of each joint, in what all of them have
  double (*motion)[MOTIONS]; // of each component, as energies
  double
      elastic; // energy of strains and springs over the kinetic one: next to 0 where gravity or centrifugal forces hold it
} ModeShape;

typedef struct {
  int count;
  int parts; // components, then joints
  ModeShape *shape;
} ModeShapes;

// Names from what is known of the shapes: names.c
PetscErrorCode ModeShapesName(const Modes *modes, const char *const words[2], ModeShapes *out);

// words[0], words[1]: what bending along the y and z axis of a section is called; NULL: bending y, bending z.
PetscErrorCode ModeShapesFind(Modes *modes, const char *const words[2], ModeShapes *out);
PetscErrorCode ModeShapesDestroy(ModeShapes *shapes);

// "blade", "revolute 'hinge'": of a component, then of a joint.
void mode_part_name(Model m, int part, char *out, size_t size);

// "column bending y" of a vector of all unknowns: who moves and how, as the names of modes tell it; "": no beam moves most, or nothing
// has mass.
PetscErrorCode ModeNameMotion(System *s, Vec direction, char *name, size_t size);
PetscErrorCode ModeShapeNameMotion(Model m, const ModeShape *shape, char *name, size_t size); // names.c

// "node 'apex' moves most, along (0, 0, 1)", with its largest component positive, of a vector of all unknowns; "": nothing moves.
// direction.c
PetscErrorCode ModeDescribeDirection(const Layout *layout, Vec direction, char *text, size_t size);

// Displacement and rotation of a node of the model, as complex numbers; the same on all ranks.
PetscErrorCode ModeAtNode(const Modes *modes, const Mode *mode, int node, double re[6], double im[6]);

// The state of the equilibrium, and states moved from it by a mode at a phase of its motion, so that the largest displacement is
// `part` of the model's size, or the largest rotation half a radian.
typedef struct {
  System *s;
  Vec3 *x;
  Coords *coord;
} RestState;
PetscErrorCode RestStateKeep(System *s, RestState *out);
PetscErrorCode RestStatePut(const RestState *r);
PetscErrorCode RestStateDestroy(RestState *r);
PetscErrorCode ModePose(const RestState *r, const Mode *mode, double part, double phase);

#endif
