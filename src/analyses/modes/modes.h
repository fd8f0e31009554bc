// SPDX-License-Identifier: Apache-2.0
// Modes x e^(lambda t) of small motions about a state (assembly/matrices.h):
//   P(lambda) x = (lambda^2 M + lambda D + K) x = 0,   D = C + G,
// with x in the rows of the system: nodes, multipliers, coordinates of joints. M has no rows of joints. Infinite lambda
// never enter, because vectors are formed only as P(shift)^-1 times forces of inertia and damping.
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
  Mat k, d, m;     // AIJ; d NULL: neither dampers nor Coriolis forces
  bool symmetric;  // K is symmetric
  bool even;       // D is symmetric
  bool gyroscopic; // no dampers: if K is symmetric, eigenvalues are real, imaginary, or growing and decaying pairs
  double stiffest; // the largest lambda^2 of a single node
  // factors of P(shift)
  double shift;
  KSP ksp;
  Mat shifted;
  bool square; // P(shift) = K - shift M instead of the polynomial
} Pencil;

// Columns of prescribed unknowns and of redundant rows of joints are cleared, so K of an equilibrium under conservative
// loads is symmetric.
PetscErrorCode PencilCreate(System *s, const Spin *spin, LimberDamped damped, Pencil *out);
// The same from given matrices, which are copied, without D.
PetscErrorCode PencilCreateUndamped(System *s, const Spin *spin, Mat stiffness, Mat mass, Pencil *out);
PetscErrorCode PencilDestroy(Pencil *p);
// Changes K and D to those of multi-blade coordinates. multiblade.c
PetscErrorCode PencilMakeMultiblade(Pencil *p);
// A shift is this multiple of the lowest |lambda| or its square: a mode that grows without oscillation is at |lambda|.
#define PENCIL_BESIDE 1.618
// A motion whose lambda^2 is above this part of the largest ratio of stiffness and mass has a stiffness.
#define PENCIL_RIGID 1e-8
// Factorises K - shift M (`square`) or K + shift D + shift^2 M. `good`: false if that is singular.
PetscErrorCode PencilFactor(Pencil *p, double shift, bool square, bool *good);
PetscErrorCode PencilSolve(Pencil *p, bool transpose, Vec b, Vec x);
// Replaces each vector by its solution. The factors are read once for all of them.
PetscErrorCode PencilSolveAll(Pencil *p, int count, const Vec *x);
// out = P(re + i im) (x[0] + i x[1]); x[1] NULL: zero. out[1] may be NULL if both are.
PetscErrorCode PencilApply(const Pencil *p, bool transpose, double re, double im, const Vec x[2], const Vec out[2]);

// ---- modes ----

typedef struct {
  double re, im;    // lambda, 1/s; im >= 0, the conjugate is a mode too
  double frequency; // Hz: im/(2 pi); 0 for an undamped mode that grows or decays
  double damping;   // ratio: -re/|lambda|
  double residual;  // relative: polish.c
  double error[2];  // bounds of the errors of re and im: errors.c. An re within its bound is set to zero
  double found_re;  // re before that: small, with both signs, for two modes whose frequencies meet
  double away;      // distance from the target, rad/s
  bool is_real;     // its vectors have no imaginary part
  Vec right[2];     // real and imaginary part; x^H M x = 1, its largest component is real and positive
  Vec left[2];      // y^H P = 0 with y^H (2 lambda M + D) x = 1; NULL: not found, or K x = omega^2 M x
} Mode;

typedef struct {
  Pencil pencil;
  bool quadratic; // the unknown was lambda, not lambda^2
  int count;
  Mode *mode;         // those nearest to the target, sorted by frequency, then by damping
  double rigid_limit; // Hz: lower frequencies cannot be distinguished from rigid motions; 0: there are none
  int rigid;          // motions without stiffness, which are not among the modes ...
  Mode *rigid_mode;   // ... but here, independent of each other
  char remarks[1024];
} Modes;

// Modes about the state of a system whose rule has no inertia. `wrong`: "", or why there are none. spin NULL or of rate
// 0: at rest.
PetscErrorCode ModesFind(System *s, const Spin *spin, const LimberModesOptions *options, Modes **out, Refusal *wrong);
PetscErrorCode ModesDestroy(Modes **modes);
// The same for given matrices, which the modes take over.
PetscErrorCode ModesFindOf(const Pencil *pencil, const LimberModesOptions *options, Modes **out, Refusal *wrong);

// x^H A y of complex vectors, whose imaginary parts may be NULL. polish.c
PetscErrorCode ModesComplexProduct(Mat a, const Vec x[2], const Vec y[2], double out[2]);

// Pairs rows with modes, the most similar pairs first; each mode is used once. A row may continue as a mode in several
// ways: `likeness` has, for each row, the values of all ways of the first mode, then of the second and so on. Pairs
// must exceed `least`. Values with a smaller relative difference than `same` count as equal: then the first pair is
// used. pair[k]: the column of row k, -1: none. modes.c
void modes_pair(int rows, int modes, int ways, const double *likeness, double least, double same, int *pair);

// ---- ways to find them ----

// Eigenvalues and vectors, before they are sorted and separated from rigid motions.
typedef struct {
  int count, room;
  Mode *mode;
  bool failed; // the search broke down
  bool lost;   // none was found, although there are some
} ModeList;
// Adds a real mode, whose vector the caller fills. modes.c
PetscErrorCode ModeListAdd(ModeList *list, const Pencil *p, double re, double im, Mode **out);
PetscErrorCode ModeListDestroy(ModeList *list);

// Refines modes: multipliers from one step of inverse iteration, and residuals; then norm and phase of one. polish.c
PetscErrorCode ModesPolish(Pencil *p, bool quadratic, int count, Mode *mode);
PetscErrorCode ModeNormalise(const Pencil *p, Mode *mode);
// Whether eigenvalues are equal; how many modes from the first on share its eigenvalue; sorting by frequency, then by
// damping; orthogonal vectors for neighbours of equal eigenvalue, which differ most by parts and axes. multiple.c
bool modes_are_equal(const Mode *a, const Mode *b);
int modes_multiplicity(int count, const Mode *mode);
void modes_order(int count, Mode *mode);
PetscErrorCode ModesSeparate(const Pencil *p, int count, Mode *mode);
// Whether left vectors follow from right ones of the same mode or of -conj(lambda). Otherwise they are taken from
// `left`, the right vectors of the transposed problem. They are scaled so that y^H (2 lambda M + D) x is 1, and 0
// between different vectors of the same eigenvalue. left.c
bool pencil_mirrors(const Pencil *p);
PetscErrorCode ModesTakeLeft(int count, Mode *mode, ModeList *left);
PetscErrorCode ModesPair(const Pencil *p, int count, Mode *mode);
// The round-off of lambda^2 due to K; the error of lambda, whose real part is corrected with the left vector. errors.c
PetscErrorCode ModeRoundOff(const Pencil *p, const Mode *mode, double *square);
PetscErrorCode ModeError(const Pencil *p, bool quadratic, Mode *mode);

// All modes of a small model with dense matrices, the same on every rank. `good`: false if K is singular even with a
// small shift. dense.c
PetscErrorCode ModesDense(Pencil *p, bool quadratic, ModeList *out, bool *good);
enum { MOST_DENSE = 480, MOST_DENSE_QUADRATIC = 120 }; // unknowns with mass
// Number of unknowns with mass on all ranks.
PetscErrorCode PencilMassive(const Pencil *p, PetscInt *count);
// The largest entry of D of each unknown of a node that has no mass but a damper, such as a state of the air; 0 for all
// others. Their number on all ranks. Either may be NULL.
PetscErrorCode PencilDampedMassless(const Pencil *p, Vec *damper, PetscInt *count);

// Modes nearest to lambda^2 = shift of a symmetric K without D, with Lanczos' method. `again`: looks for multiple
// eigenvalues that the first search, whose modes are in `out`, may have missed. symmetric.c
PetscErrorCode ModesSymmetric(Pencil *p, int count, bool again, ModeList *out);
// Modes nearest to lambda = shift, with Arnoldi's method. `transpose`: left vectors, as right ones. quadratic.c
PetscErrorCode ModesQuadratic(Pencil *p, int count, bool transpose, ModeList *out);

// A pseudo-random vector, the same for any number of ranks: sqrt(mass) times its components is of order 1.
PetscErrorCode PencilStart(const Pencil *p, int seed, Vec out);
// Square roots of the masses of unknowns; 0 for those without mass, and for joints.
PetscErrorCode PencilWeights(const Pencil *p, Vec out);

// Description of a mode: which part moves, how, where its energy is; and a name.

// A part's kinetic energy along the three axes of its sections (of the ground if it has none), and about them.
enum { MOTIONS = 6 };

typedef struct {
  char name[192];      // "blade bending z 1, 83 % strain in blade"
  double effective[6]; // effective mass over that of the model, then moments of inertia about the mass centre
  double whirl; // in the rotating frame, 1: points circle in the sense of the rotation, -1: against it; 0: neither
  int wave;     // of a rotor on a support: from blade to blade its motion has the phase 2 pi wave/N; 0: together
  double rotor_frequency;    // Hz: in the frame of the rotor, |frequency + wave rate/(2 pi)|
  double support, along;     // kinetic energy of the support's displacements; the part of it along the rotor's axis
  double circling;           // about this axis, of the other part: 1 forward in a circle, -1 backward, 0 on a line
  double *strain, *kinetic;  // fraction of the total in each component, then in each joint
  double (*motion)[MOTIONS]; // of each component, as energies
  double elastic;            // strain energy over kinetic energy: about 0 if gravity or centrifugal forces hold it
} ModeShape;

typedef struct {
  int count;
  int parts; // components, then joints
  ModeShape *shape;
} ModeShapes;

// Whether a part, a component or a joint, belongs to the blades of a rotor. rotor_modes.c
bool mode_part_of_blades(const Modes *modes, int part);
// The wave of the blades, the frequency in their frame, and how the support moves. rotor_modes.c
PetscErrorCode ModeShapeOfRotor(const Modes *modes, const Mode *mode, ModeShape *out);
// Names the shapes from their energies. names.c
PetscErrorCode ModeShapesName(const Modes *modes, const char *const words[2], ModeShapes *out);

// words[0], words[1]: what bending along the y and z axis of a section is called; NULL: bending y, bending z.
PetscErrorCode ModeShapesFind(Modes *modes, const char *const words[2], ModeShapes *out);
PetscErrorCode ModeShapesDestroy(ModeShapes *shapes);

// "blade", "revolute 'hinge'": parts are components, then joints.
void mode_part_name(Model m, int part, char *out, size_t size);

// "column bending y": what moves and how in a vector of all unknowns, as in names of modes; "": no beam moves most, or
// nothing has mass.
PetscErrorCode ModeNameMotion(System *s, Vec direction, char *name, size_t size);
PetscErrorCode ModeShapeNameMotion(Model m, const ModeShape *shape, char *name, size_t size); // names.c

// "node 'apex' moves most, along (0, 0, 1)", with its largest component positive, of a vector of all unknowns; "":
// nothing moves. names.c
PetscErrorCode ModeDescribeDirection(const Layout *layout, Vec direction, char *text, size_t size);

// Displacement and rotation of a node of the model, as complex numbers; the same on all ranks.
PetscErrorCode ModeAtNode(const Modes *modes, const Mode *mode, int node, double re[6], double im[6]);

// Keeps and restores the equilibrium. ModePose moves it along a mode, at a phase of its motion, so that the largest
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

// Modal analysis of a model: its equilibrium, modes about it, and their descriptions.

struct LimberModesData {
  OperatingPoint point;
  Modes *modes;
  ModeShapes shapes;
  char remarks[2048];
};

// `wrong`: "", or why there are none; then *out is empty.
PetscErrorCode ModalAnalysis(Model model, const LimberModesOptions *o, struct LimberModesData *out, Refusal *wrong);
PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a);

#endif
