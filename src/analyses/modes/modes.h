// SPDX-License-Identifier: Apache-2.0
// Modes x e^(lambda t) of small motions about a state (assembly/matrices.h):
//   P(lambda) x = (lambda^2 M + lambda D + K) x = 0,   D = C + G,
// x in the rows of the system: nodes, multipliers, coordinates of joints. M has no rows of joints: what belongs to
// infinite lambda never enters, as vectors are only formed by P(shift)^-1 times forces of inertia and damping.
#ifndef LIMBER_ANALYSES_MODES_MODES_H
#define LIMBER_ANALYSES_MODES_MODES_H

#include "analyses/statics/operating_point.h"
#include "assembly/matrices.h"
#include "limber/modes.h"
#include "model/refusal.h"
#include "solvers/solvers.h"

// ---- matrices ----

typedef struct {
  System *s;
  Spin spin;
  Mat k, d, m;    // AIJ; d NULL: neither dampers nor Coriolis forces
  bool symmetric; // K
  bool even;      // D is symmetric
  bool
      gyroscopic; // D has no dampers: K symmetric and D skew make every eigenvalue real or imaginary, or of pairs that grow
  double stiffest; // the largest lambda^2 that a node has by itself
  // P(shift), factored
  double shift;
  KSP ksp;
  Mat shifted;
  bool square; // P = K - shift M, in place of a polynomial in the shift
} Pencil;

// Unknowns that are prescribed, and rows of joints that are left out, have their columns cleared: K of an equilibrium
// under conservative loads is symmetric.
PetscErrorCode PencilCreate(System *s, const Spin *spin, LimberDamped damped, Pencil *out);
// Of matrices that are known, which are copied, and without D.
PetscErrorCode PencilCreateUndamped(System *s, const Spin *spin, Mat stiffness, Mat mass, Pencil *out);
PetscErrorCode PencilDestroy(Pencil *p);
// A shift is this far from the lowest modes, of which one that grows without swinging lies at lambda = |lambda| itself.
#define PENCIL_BESIDE 1.618
// Factors K - shift M (`square`) or K + shift D + shift^2 M. `good`: false where that is singular.
PetscErrorCode PencilFactor(Pencil *p, double shift, bool square, bool *good);
PetscErrorCode PencilSolve(Pencil *p, bool transpose, Vec b, Vec x);
// out = P(re + i im) (x[0] + i x[1]); x[1] NULL: zero. out[1] may be NULL if both are.
PetscErrorCode PencilApply(const Pencil *p, bool transpose, double re, double im, const Vec x[2], const Vec out[2]);

// ---- modes ----

typedef struct {
  double re, im;    // lambda, 1/s; im >= 0, the conjugate is a mode too
  double frequency; // Hz: im/(2 pi); of an undamped mode that grows or decays 0
  double damping;   // ratio: -re/|lambda|
  double residual;  // relative: polish.c
  double error[2];  // bounds of the errors of re and im: errors.c. A mode whose re is within its bound has none
  double found_re;  // before that: +/- a small number for two modes whose frequencies meet, where the bound is large
  double away;      // from the target, rad/s
  bool is_real;     // its vectors have no imaginary part
  Vec right[2];     // real and imaginary part; x^H M x = 1, its largest component is real and positive
  Vec left[2];      // y^H P = 0 with y^H (2 lambda M + D) x = 1; NULL: not found, or that of K x = omega^2 M x
} Mode;

typedef struct {
  Pencil pencil;
  bool quadratic; // lambda, in place of lambda^2, was sought
  int count;
  Mode *mode; // nearest to the target, by frequency, then by damping
  double
      rigid_limit;  // Hz: below it a motion of this model cannot be told from one without stiffness; 0: there are none
  int rigid;        // motions without stiffness, which are not among the modes ...
  Mode *rigid_mode; // ... but here, independent of each other
  char remarks[1024];
} Modes;

// Modes about the state of a system whose rule has no inertia. `wrong`: "" or why there are none. spin NULL or of rate
// 0: standing.
PetscErrorCode ModesFind(System *s, const Spin *spin, const LimberModesOptions *options, Modes **out, Refusal *wrong);
PetscErrorCode ModesDestroy(Modes **modes);
// The same of matrices that are known, which become those of the modes.
PetscErrorCode ModesFindOf(const Pencil *pencil, const LimberModesOptions *options, Modes **out, Refusal *wrong);

// x^H A y of complex vectors, whose imaginary parts may be NULL. polish.c
PetscErrorCode ModesComplexProduct(Mat a, const Vec x[2], const Vec y[2], double out[2]);

// Pairs rows with modes, the pairs that are most alike first; each mode is taken once. A row may continue as a mode in
// several ways; `likeness` has for each row those of the first mode, then those of the second and so on. Pairs that are
// not more alike than `least` are not made. Values that differ by a smaller part than `same` are equal: then the first
// pair is made. pair[k]: the column of row k, -1: none. modes.c
void modes_pair(int rows, int modes, int ways, const double *likeness, double least, double same, int *pair);

// ---- ways to find them ----

// Eigenvalues and vectors, before they are ordered and told from rigid motions.
typedef struct {
  int count, room;
  Mode *mode;
} ModeList;
// A real one, whose vector is to be filled. modes.c
PetscErrorCode ModeListAdd(ModeList *list, const Pencil *p, double re, double im, Mode **out);
PetscErrorCode ModeListDestroy(ModeList *list);

// After that. One step of inverse iteration gives a vector its multipliers; residual; norm. polish.c
PetscErrorCode ModePolish(Pencil *p, bool quadratic, Mode *mode);
PetscErrorCode ModeNormalise(const Pencil *p, Mode *mode);
// Modes by frequency, those of equal frequency by damping; how many from the first on have its eigenvalue; vectors of
// equal eigenvalues that stand one after the other: orthogonal ones that differ most by parts and axes. multiple.c
bool modes_are_equal(const Mode *a, const Mode *b);
int modes_multiplicity(int count, const Mode *mode);
void modes_order(int count, Mode *mode);
PetscErrorCode ModesSeparate(const Pencil *p, int count, Mode *mode);
// Whether left vectors follow from right ones: from those of the same mode or of -conj(lambda). Otherwise `left` has
// them, as right vectors of the transposed problem. They are scaled so that y^H (2 lambda M + D) x is 1, and 0 between
// different vectors of the same eigenvalue. left.c
bool pencil_mirrors(const Pencil *p);
PetscErrorCode ModesTakeLeft(int count, Mode *mode, ModeList *left);
PetscErrorCode ModesPair(const Pencil *p, int count, Mode *mode);
// The part of lambda^2 that is round-off of K; the error of lambda, whose real part it corrects by the left vector.
// errors.c
PetscErrorCode ModeRoundOff(const Pencil *p, const Mode *mode, double *square);
PetscErrorCode ModeError(const Pencil *p, bool quadratic, Mode *mode);

// All modes of a small model by dense matrices, on every rank the same. `good`: false where K has no inverse near zero.
// dense.c
PetscErrorCode ModesDense(Pencil *p, bool quadratic, ModeList *out, bool *good);
enum { MOST_DENSE = 480, MOST_DENSE_QUADRATIC = 120 }; // unknowns with mass
// The unknowns with mass, over all ranks.
PetscErrorCode PencilMassive(const Pencil *p, PetscInt *count);
// Whether a damper acts on a node without mass: then modes without D may be no basis of all motions.
PetscErrorCode PencilDampsMassless(const Pencil *p, bool *found);

// Those nearest to lambda^2 = shift of a symmetric K without D, by Lanczos; `again`: asks for what the first search,
// whose modes are in `out`, may have missed of multiple eigenvalues. symmetric.c
PetscErrorCode ModesSymmetric(Pencil *p, int count, bool again, ModeList *out);
// Those nearest to lambda = shift, by Arnoldi; of the transposed problem: left vectors as right ones. quadratic.c
PetscErrorCode ModesQuadratic(Pencil *p, int count, bool transpose, ModeList *out);

// A vector without any symmetry, by the model's own numbers: sqrt(mass) times its components is of order 1.
PetscErrorCode PencilStart(const Pencil *p, int seed, Vec out);
// Square roots of the masses of unknowns; 0 of those that have none, and of joints.
PetscErrorCode PencilWeights(const Pencil *p, Vec out);

// What a mode is: which part moves, how, where its energy is; and a name that says so.

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

// "column bending y" of a vector of all unknowns: who moves and how, as the names of modes tell it; "": no beam moves
// most, or nothing has mass.
PetscErrorCode ModeNameMotion(System *s, Vec direction, char *name, size_t size);
PetscErrorCode ModeShapeNameMotion(Model m, const ModeShape *shape, char *name, size_t size); // names.c

// "node 'apex' moves most, along (0, 0, 1)", with its largest component positive, of a vector of all unknowns; "":
// nothing moves. names.c
PetscErrorCode ModeDescribeDirection(const Layout *layout, Vec direction, char *text, size_t size);

// Displacement and rotation of a node of the model, as complex numbers; the same on all ranks.
PetscErrorCode ModeAtNode(const Modes *modes, const Mode *mode, int node, double re[6], double im[6]);

// The state of the equilibrium, and states moved from it by a mode at a phase of its motion, so that the largest
// displacement is `part` of the model's size, or the largest rotation half a radian.
typedef struct {
  System *s;
  Vec3 *x;
  Coords *coord;
} RestState;
PetscErrorCode RestStateKeep(System *s, RestState *out);
PetscErrorCode RestStatePut(const RestState *r);
PetscErrorCode RestStateDestroy(RestState *r);
PetscErrorCode ModePose(const RestState *r, const Mode *mode, double part, double phase);

// Modes of a model: its equilibrium, modes about it, what they are.

struct LimberModesData {
  OperatingPoint point;
  Modes *modes;
  ModeShapes shapes;
  char remarks[2048];
};

// `wrong`: "" or why there are none; then *out holds nothing.
PetscErrorCode ModalAnalysis(Model model, const LimberModesOptions *o, struct LimberModesData *out, Refusal *wrong);
PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a);

#endif
