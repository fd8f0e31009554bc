// SPDX-License-Identifier: Apache-2.0
// What finds the unknowns of a system: Newton, linear systems, augmented Lagrangian, velocities that joints allow.
#ifndef LIMBER_SOLVERS_SOLVERS_H
#define LIMBER_SOLVERS_SOLVERS_H

#include "assembly/system.h"

// A system with its solvers. system.c
PetscErrorCode SystemCreate(Model model, const StepRule *rule, System **out);
PetscErrorCode SystemDestroy(System **system);

// Sizes of unknowns in the tangent as it is: x_i d_i, whatever x_i is, is the root of an energy. scaling.c
PetscErrorCode MatrixFindSizes(const Layout *layout, const MatrixSlots *matrix, Vec d);
// Prepares an iterative solver, whose preconditioner is chosen, for sizes that change; lets it measure unknowns by
// those of the tangent; the preconditioner that has the factors. scaling.c
PetscErrorCode SolverWrap(KSP ksp);
PetscErrorCode SystemScale(System *s, KSP ksp);
PetscErrorCode SolverInner(KSP ksp, PC *inner);

// Chooses solvers: a fast one, and a robust one that is asked where that fails; one that is there stays.
// linear_solver.c
PetscErrorCode SystemCreateSolvers(System *s);
// Destroys those that keep more than the pattern of what they solved. linear_solver.c
PetscErrorCode LinearDestroyUsedSolvers(LinearSolver *linear);
// LU: by blocks in the order of the unknowns on one process, or with pivots, by MUMPS. linear_solver.c
PetscErrorCode SolverUseLU(KSP ksp, bool pivots);
// LU with pivots in the order of the unknowns, by LAPACK, of a matrix by blocks on one process; whether a matrix, on
// any number of them, is so small and narrow that this takes less time than MUMPS. band_lu.c
PetscErrorCode SolverUseBandLU(KSP ksp);
PetscErrorCode SolverSuitsBandLU(Mat a, bool *suits);
// Gives the option `-PREFIXoption` a value, if the user has not. `prefix` may be NULL. linear_solver.c
PetscErrorCode SolverPresetOption(const char *prefix, const char *option, const char *value);
enum { DENSE_MOST = 2000 }; // unknowns of a matrix that LAPACK takes where there is no MUMPS
#ifndef PETSC_HAVE_MUMPS
// In the place of MUMPS, for one process: a preconditioner, and factors of an AIJ matrix. superlu.c
PetscErrorCode SolverUseSuperLU(PC pc);
PetscErrorCode FactorBySuperLU(Mat k, Mat *factor, bool *good);
#endif

// Contacts: a list of pairs at the positions of the state for points that move by up to `skin`, with the tangent that
// it needs; before a step of length h, where the present list may not hold; whether points moved further in the step
// that was found, with a new list to find it again. contact_pattern.c
PetscErrorCode SystemListContacts(System *s, double skin);
PetscErrorCode SystemUpdateContacts(System *s, double h);
PetscErrorCode SystemCheckContacts(System *s, bool *again);

// What iterations solve: the tangent as it is, or of contacts without its zero blocks. reduced_tangent.c
PetscErrorCode MatrixReducedTangent(const Motion *motion, MatrixSlots *matrix, Mat *out);

// Solves tangent * increment = residual. `good` is false when the matrix cannot be factored.
PetscErrorCode SystemSolve(System *s, PetscBool *good);

typedef struct { // a node or a joint of the model that turns by half a turn or more in a step; the other is -1
  double angle;  // rad, 0: there is none
  int node, joint;
} LargeRotation;

typedef struct {
  bool converged, singular;
  int iterations;
  PetscInt worst;         // global block that carries most of the last sum, -1
  int inverted;           // 1 + the item of a cell that is inverted, 0
  LargeRotation rotation; // for which a step that Newton found was refused
} NewtonOutcome;

// Newton from the unknowns as they are. `scale`: energy of the system so far. step_newton.c
PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);

// The same with multipliers of elements that are held, found from zero by as many solutions as it takes.
// solvers/augmented_lagrangian.c
PetscErrorCode SystemSolveAugmented(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);
PetscErrorCode AugmentedCreate(const Layout *layout, AugmentedLagrangian *augmented);
PetscErrorCode AugmentedDestroy(AugmentedLagrangian *augmented);
// Their work.
double motion_augmented_work(const Motion *motion, const double *q, PetscInt e);

// The same with contacts without penetration, whose multipliers are those of the last step at first.
// contact_multipliers.c
PetscErrorCode SystemSolveContacts(System *s, double scale, double tolerance, int limit, NewtonOutcome *out);

// Impulses that contacts without penetration need at the end of a step of length h, which the state has taken.
// contact_impulses.c
typedef struct {
  double impact, friction; // energy that they take
  double memory;           // and of what the scheme remembers
  bool joints;             // joints took part: the unknowns are no longer those of the step
} ContactImpulses;
PetscErrorCode EquationsFindImpulses(Motion *motion, Equations *equations, double h, ContactImpulses *out);

// By damped corrections to where Newton's shrink well: `arrived`. Adds to `iterations`. damped_newton.c
PetscErrorCode SystemApproach(System *s, int limit, int *iterations, bool *arrived);

// From the unknowns as they are along the path of solutions from no friction to that of the contacts: `arrived`; not
// where no contact has regularised friction. Adds to `iterations`. friction_path.c
PetscErrorCode SystemFollowFriction(System *s, double scale, int limit, int *iterations, bool *arrived);

// Takes half turns from the unknowns of angles where Newton found another root than the nearest: the joint that Newton
// turned furthest. joint_angles.c
PetscErrorCode EquationsUnwind(const Motion *motion, Equations *equations, LargeRotation *found);
// The largest rotation of all processes.
PetscErrorCode ReduceLargeRotation(MPI_Comm comm, LargeRotation *r);

// Names the node or joint of a global block; or what leaves a residual there: of a node at joints the one that pulls
// hardest.
PetscErrorCode LayoutNameBlock(const Layout *layout, PetscInt block, LimberCause *out);
// The global block that moves most in a motion against which the last tangent has next to no resistance, -1: none; and
// its name, or "".
PetscErrorCode EquationsFindUnconstrained(const Layout *layout, Equations *equations, PetscInt *block);
PetscErrorCode EquationsNameUnconstrained(const Layout *layout, Equations *equations, LimberCause *out);
PetscErrorCode EquationsNameResidual(const Motion *motion, Equations *equations, PetscInt block, LimberCause *out);

// Velocities of a local node in its own axes (a point's in the ground's), and 6 x 6 or 3 x 3 metric of its mass; where
// it has none a trace of the whole stands in. velocity_projection.c
void motion_get_velocity(const Motion *motion, PetscInt node, Vec3 v[2]);
void motion_set_velocity(const Motion *motion, PetscInt node, const Vec3 v[2]);
void layout_metric(const Layout *layout, PetscInt node, double metric[6][6]);

// Changes the velocities as little as the masses allow so that joints hold and drives are met; what is given to a node
// by name stays if it can. velocity_projection.c
typedef struct {
  double velocity, angular; // largest changes
  PetscInt node;            // of the model, where the largest is; -1: nothing changed
} ProjectedStart;
PetscErrorCode EquationsProjectVelocities(const Motion *motion, Equations *equations, ProjectedStart *out);
// Whether drives and initial rates move parts at the start whose velocities do not fit; on a system of one stage, how
// all of these parts then move without strain, as far as that can be: the change of v and w of each node of the model,
// in its own axes, zero elsewhere. elastic_start.c
PetscErrorCode MotionMustFollow(const Motion *motion, bool *found);
PetscErrorCode SystemFollow(System *s, double *change);

// The rows that velocities at the start must meet: velocity_projection.c, and elastic_start.c for what is elastic behind a drive.
// Equations: eq-start-projection (6.1).

// A joint as its start sees it, a coordinate with a rate of its own prescribed for the moment: Ghat v = rate.
typedef struct {
  Joint joint;
  ProjectionRows projection_rows;
} StartRows;

void motion_rows_at_start(const Motion *motion, PetscInt joint, StartRows *out);

// Row i of that on the velocities of one of the joint's nodes.
static inline void start_row(const ProjectionRows *g, int end, int i, double out[6]) {
  vec3_to(g->v[end][i], out), vec3_to(g->w[end][i], out + 3);
}

// rate - Ghat v of row i as the velocities are, 0 where the row follows from others; `scale`: the sum of its parts'
// sizes.
double motion_start_defect(const Motion *motion, PetscInt joint, const StartRows *rows, int i, double *scale);

#endif
