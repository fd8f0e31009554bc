// SPDX-License-Identifier: Apache-2.0
// The contract of a joint: rows g(q, z) = 0 over the vectors of its nodes and of the ground (always the last node),
// with one multiplier a row, and coordinates z of its own: the angle or slide that it leaves free. The force along^T
// lambda does the work lambda . (g_k - g_n) = 0 over every stage. Unknowns of a joint: its multipliers, then its
// coordinates, padded to blocks of 3.
#ifndef LIMBER_MECHANICS_JOINT_H
#define LIMBER_MECHANICS_JOINT_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/law.h"
#include "mechanics/rows.h"

typedef struct JointKind JointKind;

// How a joint is drawn.
typedef enum {
  MARK_TIE, // no mark of its own
  MARK_CLAMP,
  MARK_WELD,
  MARK_BALL,
  MARK_HINGE,
  MARK_CYLINDER,
  MARK_SLIDER,
  MARK_PLANE,
  MARK_CROSS,
  MARK_LINK,
  MARK_ACTUATOR,
  MARK_PRESCRIBED_MOTION,
} JointMark;

// Where it stands at the reference: the place that each node carries, and unit vectors, zero where it has none. Its own
// axes, in which reactions are told, are `second`, their cross product and `axis`; the first node carries them.
typedef struct {
  Vec3 at[2], axis, second;
} JointGeometry;

typedef struct {
  Rows rows;
  JointGeometry geometry; // comes with the places of the nodes
  int ncoord;
  Law law[MAX_COORDS];                       // along the coordinates
  bool prescribed[MAX_COORDS];               // a drive, or the joint itself, says what the coordinate is
  bool loaded[MAX_COORDS];                   // a load acts on the coordinate
  int pivot[MAX_COORDS];                     // the row that gives a free coordinate its value; -1: prescribed
  int nreaction, reaction_row[3];            // rows of forces that do not act along a coordinate: what friction bears
  int nprojection, projection_row[MAX_ROWS]; // the other rows: those that hold the bodies (projection.h)
  // Nothing acts on its coordinates, and its last rows only say what they are: the motion is the same without both, and
  // they follow from it.
  bool coords_follow;
  bool switched; // events may lock or release it
  bool outside;  // a place or direction that a flat body should carry lies outside it
} Joint;

// A coordinate of another joint that a coupling ties. The coupling repeats the row that gives the coordinate its value,
// over its own nodes, and has the coordinate as its own: forces on it act on the bodies of the other joint.
enum { MAX_TIES = 3, MAX_TIE_TERMS = 24 };
typedef struct {
  int joint;
  const char *coordinate; // NULL: the first of that unit
  const char *unit;       // that it must have; NULL: any
  double factor;
  // filled where the joint is known: its rows, the coordinate, and where its vectors stand among those of the coupling
  const JointKind *kind;
  const Joint *of;
  int coord, vec[MAX_LOCAL_VECTORS];
} JointTie;

// The nodes of a joint as they stand at the reference; the ground comes last. A body of points (simplex.h) counts as
// one: x are its mass centre and the ground's axes, but its vectors are its points.
typedef struct {
  int nnode;
  NodeKind kind[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  Vec3 x[MAX_LOCAL_NODES][4];
  int points[MAX_LOCAL_NODES]; // of a body; 0: a node
  Vec3 point[MAX_LOCAL_NODES][4];
  int ntie; // of a coupling
  JointTie tie[MAX_TIES];
  RowTerm *term;       // room for its terms, MAX_TIE_TERMS
  const Tape *formula; // of its tied coordinates, in place of factors; NULL: none
} JointNodes;

struct JointKind {
  const char *name, *help;
  FieldTable fields; // its nodes are its FIELD_NODE(S)
  int ncoord;
  const char *coord_names[MAX_COORDS], *coord_units[MAX_COORDS], *rate_units[MAX_COORDS];
  size_t
      laws; // where the laws of its coordinates stand in the parameters; 0: there are none. A coupling has one, of its first
  int (*ties)(const void *params,
              JointTie *tie); // a coupling: coordinates that it ties, in place of nodes; NULL: it has nodes
  size_t
      formula; // of a coupling: where a LimberFormula of its coordinates from the second on stands in the parameters; 0: it has none
  Reason (*prepare)(const void *params, const JointNodes *n, Joint *out);
  const char *const *row_names, *const *row_units; // of the multipliers, for output
  JointMark mark;
  const char *example_nodes; // of a coupling: one that carries, and one for each joint that it ties
  const void *example;
};

extern const JointKind *const joint_kinds[]; // ends with NULL

typedef struct {
  const char *name, *of;
} JointAlias;
extern const JointAlias joint_aliases[];       // ends with a NULL name
const JointKind *joint_find(const char *name); // by its name or an alias; NULL: there is none

// The coordinate of that name, -1: none. Of several angles or slides `angle1` is the first, and plain `angle` too.
int joint_coord(const JointKind *kind, const char *name);

static inline int joint_unknowns(const Joint *j) { return j->rows.nrow + j->ncoord; }
// The same without coordinates that follow, and their rows.
static inline int joint_step_unknowns(const Joint *j) {
  return joint_unknowns(j) - (j->coords_follow ? 2 * j->ncoord : 0);
}
static inline int joint_blocks(const Joint *j) { return (joint_unknowns(j) + 2) / 3; }
static inline int projection_blocks(const Joint *j) { return (j->nprojection + 2) / 3; }

// The row that gives a coordinate its value.
int joint_coord_row(const Rows *p, int coord);
// Whether that row turns with it.
bool joint_coord_is_angle(const Joint *j, int coord);

// Fills what follows from a joint's rows and from what is prescribed, once they are prepared.
void joint_complete(Joint *j);

// A joint whose coordinates follow, without them and their rows.
void joint_without_coords(const Joint *j, Joint *out);
// The change of such a coordinate from z, where the vectors were xn, to its value at the vectors x. Of an angle the
// root of its row that is next to `expected`, by at most half a turn from z or, if that is more, by `most`.
double joint_coord_change(const Joint *j, int coord, const Vec3 *xn, const Vec3 *x, const Coords *z, double expected,
                          double most);

// The ids of all nodes that an item's fields name, in order, but for none; returns their number.
int field_nodes(const FieldTable *t, const void *params, int *ids);

// Inertia of a coordinate z of another joint: a point of mass 1, which stands for no place, moves by sqrt(inertia) z,
// so that all that is proved and computed of nodes holds for it (joints/coordinate_inertia.c). The model adds it; no
// user writes it.
typedef struct {
  int joint, point;
  const char *coordinate;
  double inertia;
} CoordinateInertia;
extern const JointKind joint_coordinate_inertia;

// Three equations between a frame and points, E_i . (sum_a weight_a x_a - place r - sum_j along_j d_j) = 0, with the axes
// d_j of the frame as the ground's at the reference; or, of the mean rotation of points,
//   d_i . G_j - d_j . G_i = 0,   G_i = sum_a mean_ia x_a,   sum_a mean_ia = 0.
// Elements add them; no user writes them (joints/interface.c).
enum { INTERFACE_POINTS = 96 };
_Static_assert(MAX_ENTRIES >= 3 * INTERFACE_POINTS + 9, "three moments of all points, and three axes");
typedef struct {
  int frame, points, point[INTERFACE_POINTS];
  double weight[INTERFACE_POINTS], place;
  Vec3 along;
  const double (*mean)[INTERFACE_POINTS]; // of the rotation; NULL: the first equations
} InterfaceTie;
extern const JointKind joint_interface, joint_interface_rotation;

// What friction along the coordinates of a joint remembers.
typedef struct {
  Bristle of[MAX_COORDS];
} Bristles;

// What friction bears of the multipliers.
double joint_reaction_size(const Joint *j, const double *lambda);
// Friction along a coordinate over a step, with the multipliers of stage 0; zero where there is none. `bristles` NULL:
// all at rest.
void joint_friction(const Joint *j, int coord, const Tableau *t, double h, const Bristles *bristles,
                    const double *lambda, double zn, double z, FrictionStep *out);

// lambda[k], z[k]: multipliers and coordinates of each stage; force[k]: what loads put on the coordinates.
// The item's blocks are those of its nodes followed by the joint's own.
// `past`: increments of its coordinates that their laws remember; NULL: none. `bristles`: NULL: all at rest.
void joint_evaluate(const Joint *j, const Tableau *t, double h, const Recall *m, const Coords *past,
                    const Bristles *bristles, const LocalMotion *it, const Coords *zn, const Coords *zk,
                    double lambda[MAX_STAGES][MAX_ROWS], const Coords *force, Local *out);

// The rows of its reaction, once all are prepared.
void joint_find_reaction(const JointKind *kind, Joint *j);
// The laws of a joint's coordinates, once its parameters are known: NULL, or what is wrong.
Reason joint_laws(const JointKind *kind, const void *params, Joint *out);

extern const FieldTable law_of_angle, law_of_slide; // for fields of joints
extern const FieldMore law_of_angle_more, law_of_slide_more;
#define LAW_FIELD(type, i, name, kind, help) \
  { name, FIELD_MAP, 1, offsetof(type, law[i]), "", false, 0, help, &law_of_##kind##_more }

// Helpers for the catalogue: the joint's rows begin with the ground axes as y_0, y_1, y_2 where linear rows are wanted.
void joint_ground_axes(const JointNodes *n, Joint *out);
// Add to the last y sign times the place or direction (in ground axes at the reference) that the i-th node carries
// along.
void joint_add_position(Joint *out, double sign, const JointNodes *n, int i, Vec3 position);
void joint_add_direction(Joint *out, double sign, const JointNodes *n, int i, Vec3 direction);
// The first direction e1 normal to a unit axis e3 where the user gives none: the ground axis that follows the one
// nearest to the axis, in the order x, y, z, x, made normal to it. The second is e3 x e1: y and z for x, z and x for y,
// x and y for z.
#define JOINT_FIRST_DIRECTION \
  "the ground axis that follows the one nearest to `axis`, in the order x, y, z, x, made normal to it"
Vec3 joint_first_direction(Vec3 axis);

#endif
