// SPDX-License-Identifier: Apache-2.0
// Finds the unknowns of a system: Newton, linear solvers, augmented Lagrangian, contacts, and velocities that joints
// allow.
#ifndef LIMBER_SOLVERS_SOLVERS_H
#define LIMBER_SOLVERS_SOLVERS_H

#include "assembly/system.h"

// A system with its solvers. system.c
PetscErrorCode SystemCreate(Model model, const StepRule *rule, System **out);
PetscErrorCode SystemDestroy(System **system);
// sum |r dq| of the residual and the increment: an energy, whatever the units of the rows.
PetscErrorCode SystemCorrectionEnergy(const System *s, double *energy);

// Scales of unknowns for the present tangent: x_i d_i is the square root of an energy for every x_i. scaling.c
PetscErrorCode MatrixFindSizes(const Layout *layout, const MatrixSlots *matrix, Vec d);
// Prepares an iterative solver, whose preconditioner is chosen, for changing scales; sets the scales of the present
// tangent; returns the inner preconditioner, which has the factors. scaling.c
PetscErrorCode SolverWrap(KSP ksp);
PetscErrorCode SystemScale(System *s, KSP ksp);
PetscErrorCode SolverInner(KSP ksp, PC *inner);

// Creates the solvers that do not exist yet: a fast one, and a robust one for when the fast one fails. linear_solver.c
PetscErrorCode SystemCreateSolvers(System *s);
// A solver of the tangent that has no method yet. linear_solver.c
PetscErrorCode SystemCreateSolver(const System *s, bool robust, KSP *ksp);
// Lets functions of ours solve. `destroy` frees the data. linear_solver.c
PetscErrorCode SolverUseFunctions(KSP ksp, const char *name, void *data, PetscErrorCode (*set_up)(PC),
                                  PetscErrorCode (*apply)(PC, Vec, Vec), PetscErrorCode (*destroy)(PC));
// Whether the functions of this name solve.
PetscErrorCode SolverUsesFunctions(KSP ksp, const char *name, bool *uses);
// Whether factors are of the step under way, over whose iterations they are kept: so the bits of a run that continues
// from a checkpoint are those of one that was not interrupted. linear_solver.c
bool factors_are_of_step(const Motion *motion, const FactorRecord *f);
// Destroys solvers that keep more than the matrix pattern from their last solution. linear_solver.c
PetscErrorCode LinearDestroyUsedSolvers(LinearSolver *linear);
// Frees the factors of both, before others need the memory. linear_solver.c
PetscErrorCode LinearReleaseFactors(LinearSolver *linear);
// LU with pivots, by MUMPS. linear_solver.c
PetscErrorCode SolverUseLU(KSP ksp);
// The blocks of a matrix of one process, as they are stored. block_lu.c
typedef struct {
  PetscInt n, bs, inner; // block rows; those that an elimination takes, the others being its border
  const PetscInt *start, *column;
  PetscScalar *value;   // blocks by columns
  const double **block; // where each block is instead; NULL: one after the other in `value`
} MatrixBlocks;

PetscErrorCode MatrixBlocksOpen(Mat a, MatrixBlocks *out);
PetscErrorCode MatrixBlocksClose(Mat a, MatrixBlocks *b);
// LU by blocks in the order of the unknowns, of a matrix by blocks on one process. block_lu.c
PetscErrorCode SolverUseBlockLU(KSP ksp);
// Solutions for up to four right-hand sides at once with its factors. `done`: false if the solver is another one. block_lu.c
PetscErrorCode SolverApplyBlockLU(KSP ksp, int count, const Vec *from, Vec *to, bool *done);
// Ways to eliminate the inner blocks of a matrix on one process. `factor` gives what they leave of its border, by rows;
// `reduce` leaves the border's part of a right-hand side, in whose place `substitute` needs the border's solution.
typedef struct {
  PetscErrorCode (*create)(void **), (*destroy)(void **);
  PetscErrorCode (*factor)(void *, const MatrixBlocks *a, double *border, bool *good);
  void (*reduce)(void *, double *x), (*substitute)(void *, double *x);
} Elimination;

extern const Elimination block_elimination; // in the order of the unknowns. block_lu.c
// By MUMPS, for nets; NULL without MUMPS or with its 64-bit integers. border_lu.c
const Elimination *net_elimination(void);
// LU of a matrix on several ranks, and whether it suits one: each rank eliminates its own blocks but those
// between ranks, whose equations every rank solves. divided_lu.c
PetscErrorCode SolverUseDividedLU(const Layout *layout, KSP ksp);
PetscErrorCode SolverSuitsDividedLU(const Layout *layout, Mat a, bool *suits);
// Banded LU with pivoting (LAPACK) for a block matrix on one process; and whether a matrix, on any number of processes,
// is so small and narrow that this is faster than MUMPS. band_lu.c
PetscErrorCode SolverUseBandLU(KSP ksp);
PetscErrorCode SolverSuitsBandLU(Mat a, bool *suits);
// L D L^T with pivots of a symmetric matrix by entries: by MUMPS; without MUMPS LU. linear_solver.c
PetscErrorCode SolverUseSymmetric(KSP ksp);
// Sets the option `-PREFIXoption` unless the user has. `prefix` may be NULL. linear_solver.c
PetscErrorCode SolverPresetOption(const char *prefix, const char *option, const char *value);
enum { DENSE_MOST = 2000 }; // most unknowns of a matrix for LAPACK, without MUMPS
#ifndef PETSC_HAVE_MUMPS
// Replaces MUMPS on one process: a preconditioner, and factors of an AIJ matrix. superlu.c
PetscErrorCode SolverUseSuperLU(PC pc);
PetscErrorCode FactorBySuperLU(Mat k, Mat *factor, bool *good);
#else
// Factors of an AIJ matrix, or L D L^T of a symmetric one. symmetric_factors.c
PetscErrorCode FactorByMUMPS(Mat k, bool symmetric, Mat *factor, bool *good);
#endif

// Whether a matrix is symmetric but for round-off; `pattern`: how its pattern compares with that of its transpose.
// symmetric_factors.c
PetscErrorCode IsSymmetricMatrix(Mat k, MatStructure pattern, bool *symmetric);
// Lets a wide system of points on one process be solved by factors L D L^T, if it is not yet; whether a system is.
// symmetric_factors.c
PetscErrorCode SystemUseSymmetricFactors(System *s);
PetscErrorCode LinearHasSymmetricFactors(const LinearSolver *linear, bool *has);
// Negative entries of D of the tangent as it is, in a system that is solved by such factors. `good` is false when it
// cannot be factored. symmetric_factors.c
PetscErrorCode SystemCountNegativePivots(System *s, PetscInt *negative, bool *good);

// Lists the contact pairs at the positions of the state, for points that move by up to `skin`, and creates the tangent
// for them; renews the list before a step of length h if it may become invalid; checks after a step whether points
// moved further, and if so renews the list and sets `again`: solve the step again. contact_pattern.c
PetscErrorCode SystemListContacts(System *s, double skin);
PetscErrorCode SystemUpdateContacts(System *s, double h);
PetscErrorCode SystemCheckContacts(System *s, bool *again);

// The two parts of the rows of a rank: own columns, and those of others, by blocks. divided_lu.c
typedef struct {
  Mat part[2];
  PetscInt nrow, bs;
  const PetscInt *ghost, *start[2], *column[2]; // `ghost`: the global blocks of the columns of others, in order
  double *value[2];
} MatrixParts;

PetscErrorCode MatrixPartsOpen(Mat a, MatrixParts *parts);
PetscErrorCode MatrixPartsClose(MatrixParts *parts);

// The matrix for iterative solvers: the tangent, or with contacts a copy without zero blocks. contact_pattern.c
PetscErrorCode MatrixReducedTangent(const Motion *motion, MatrixSlots *matrix, Mat *out);

// Solves tangent * increment = residual. `good` is false when the matrix cannot be factored.
PetscErrorCode SystemSolve(System *s, PetscBool *good);
// With exact momentum: what the new tangent lacks; and a correction completed by it (momentum_columns.c).
PetscErrorCode SystemMakeMomentumColumns(System *s, PetscBool *good);
PetscErrorCode SystemCompleteCorrection(System *s);
PetscErrorCode MomentumColumnsDestroy(MomentumColumns **columns);

typedef struct { // a model node or joint that turns by half a turn or more in a step; the other is -1
  double angle;  // rad, 0: there is none
  int node, joint;
} LargeRotation;

typedef struct {
  bool converged, singular;
  int iterations;
  PetscInt worst;         // global block with the largest part of the last sum; -1: none
  int inverted;           // 1 + the item of an inverted cell; 0: none
  LargeRotation rotation; // because of which a converged step was rejected
} NewtonOutcome;

// Newton from the present unknowns. `scale`: energy of the system so far. step_newton.c
PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);

// The same with constrained elements, whose multipliers are found from zero by repeated solutions.
// augmented_lagrangian.c
PetscErrorCode SystemSolveAugmented(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);
PetscErrorCode AugmentedCreate(const Layout *layout, AugmentedLagrangian *augmented);
PetscErrorCode AugmentedDestroy(AugmentedLagrangian *augmented);
// The work of these multipliers.
double motion_augmented_work(const Motion *motion, const double *q, PetscInt e);

// The same with contacts without penetration, whose multipliers start from those of the last step.
// contact_multipliers.c
PetscErrorCode SystemSolveContacts(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);

// Impulses of contacts without penetration at the end of a step of length h, after the state has moved.
// contact_impulses.c
typedef struct {
  double impact, friction; // energy removed
  double memory;           // stored scheme energy removed
  bool joints;             // joints took part, so the unknowns of the step were overwritten
} ContactImpulses;
PetscErrorCode EquationsFindImpulses(Motion *motion, Equations *equations, double h, ContactImpulses *out);

// Damped Newton until full corrections shrink quickly (`arrived`). Adds to `iterations`. damped_newton.c
PetscErrorCode SystemApproach(System *s, int limit, int *iterations, bool *arrived);

// Follows the path of solutions from no friction to the friction of the contacts (`arrived`), from the present
// unknowns. Does nothing if no contact has regularised friction. Adds to `iterations`. friction_path.c
PetscErrorCode SystemFollowFriction(System *s, double scale, int limit, int *iterations, bool *arrived);

// Removes half turns from joint angles for which Newton found another root than the nearest. `found`: the joint that
// Newton turned furthest. joint_angles.c
PetscErrorCode EquationsUnwind(const Motion *motion, Equations *equations, LargeRotation *found);
// The largest rotation on all processes.
PetscErrorCode ReduceLargeRotation(MPI_Comm comm, LargeRotation *r);

// Names the node or joint of a global block.
PetscErrorCode LayoutNameBlock(const Layout *layout, PetscInt block, LimberCause *out);
// The global block that moves most in a motion with almost no resistance in the last tangent (-1: none), and its name
// or "".
PetscErrorCode EquationsFindUnconstrained(const Layout *layout, Equations *equations, PetscInt *block);
PetscErrorCode EquationsNameUnconstrained(const Layout *layout, Equations *equations, LimberCause *out);
// Names what leaves the residual of a block: for a node at joints, the joint with the largest forces.
PetscErrorCode EquationsNameResidual(const Motion *motion, Equations *equations, PetscInt block, LimberCause *out);

// Velocities of a local node in its own axes (of a point: in ground axes), and the 6 x 6 or 3 x 3 mass metric; without
// mass, a small part of the total mass is used instead. velocity_projection.c
void motion_get_velocity(const Motion *motion, PetscInt node, Vec3 v[2]);
void motion_set_velocity(const Motion *motion, PetscInt node, const Vec3 v[2]);
void layout_metric(const Layout *layout, PetscInt node, double metric[6][6]);

// Changes the velocities as little as possible, in the mass metric, so that joints and drives are satisfied. A velocity
// given to a node by name is kept if possible. velocity_projection.c
typedef struct {
  double velocity, angular; // largest changes
  PetscInt node;            // model node with the largest change; -1: nothing changed
  double missed;            // largest rate that is still missed, of this model joint: velocities contradict each other
  PetscInt joint;           // -1: none, but for round-off
} ProjectedStart;
// The velocity and angular velocity, in its own axes, that an impulse in ground axes gives to an own node without joints.
PetscErrorCode MotionStrike(const Motion *motion, PetscInt node, Vec3 impulse, Vec3 v[2]);
PetscErrorCode EquationsProjectVelocities(const Motion *motion, Equations *equations, ProjectedStart *out);
// Whether drives and initial rates move parts at the start whose velocities do not fit. SystemFollow, on a system of
// one stage, finds how these parts move with as little strain as possible: the change of v and w of each model node in
// its own axes, zero elsewhere. elastic_start.c
PetscErrorCode MotionMustFollow(const Motion *motion, bool *found);
PetscErrorCode SystemFollow(System *s, double *change);

// The rows that initial velocities must satisfy: velocity_projection.c, and elastic_start.c for flexible parts behind a
// drive.
// Equations: eq-start-projection (6.1).

// A joint at the start, where coordinates with an initial rate count as prescribed: Ghat v = rate.
typedef struct {
  Joint joint;
  ProjectionRows projection_rows;
} StartRows;

void motion_rows_at_start(const Motion *motion, PetscInt joint, StartRows *out);

// Row i on the velocities of one of the joint's nodes.
static inline void start_row(const ProjectionRows *g, int end, int i, double out[6]) {
  vec3_to(g->v[end][i], out), vec3_to(g->w[end][i], out + 3);
}

// rate - Ghat v of row i for the present velocities; 0 for a redundant row. `scale`: sum of the magnitudes of its
// terms.
double motion_start_defect(const Motion *motion, PetscInt joint, const StartRows *rows, int i, double *scale);

#endif
