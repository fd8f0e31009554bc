/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A run of a model in time: options, steps, the energy ledger, and the state after each step. */
#ifndef LIMBER_ANALYSIS_H
#define LIMBER_ANALYSIS_H

#include <limber/model.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run of a model. */
typedef struct LimberRunData *LimberRun;

/** Options of a run that chooses the length of its steps (docs/theory). */
typedef struct {
  bool on;         /**< the run chooses its steps; `step` of the options is the first that it tries */
  double loss;     /**< W: until time t the scheme loses at most loss * t (sum of |loss|); 0: no limit */
  double smallest; /**< s: the shortest step, except to meet a time; 0: 1/4096 of the first */
  double largest;  /**< s: the longest step; 0: 8 times the first */
  double end;      /**< s: a step ends exactly at this time; 0: no such time */
  double meet[2];  /**< s: steps end exactly at all multiples of both; 0: no such times */
} LimberControl;

/** What a static analysis prescribes from one equilibrium to the next. */
typedef enum {
  LIMBER_CONTROL_LOAD, /**< the factor of the loads grows */
  LIMBER_CONTROL_ARC,  /**< the length along the path; the factor follows from it, also past limit points */
  LIMBER_CONTROL_NODE, /**< the displacement of a node along a direction */
  LIMBER_CONTROL_JOINT /**< a coordinate of a joint */
} LimberStaticControl;

/** A static analysis: equilibria under loads that a factor multiplies, from 0 on. Zeros are defaults. */
typedef struct {
  double to;       /**< load factor at the end; 0: 1 */
  double step;     /**< first increment, as a fraction of the way; 0: 0.1 */
  double smallest; /**< smallest increment, as a fraction of the way; 0: 1e-6 of the first */
  double largest;  /**< largest increment; 0: the whole way under load control, otherwise 10 times the first */
  int steps;       /**< largest number of increments; 0: 1000 */
  double time;     /**< s: loads have their values at this time */
  LimberStaticControl control;   /**< what is prescribed */
  LimberNodeId node;             /**< the node under control */
  LimberJointId joint;           /**< the joint under control */
  double direction[3];           /**< of the node's displacement */
  int coordinate;                /**< of the joint, from 0 */
  double target;                 /**< the displacement or coordinate at the end, from the reference */
  int constant;                  /**< how many loads the factor does not multiply: they act in full from the start */
  const LimberLoadId *constants; /**< those loads */
  bool no_critical;              /**< do not look for limit points and bifurcations */
  int stops;                     /**< how many states on the way must be met exactly */
  const double *stop; /**< where they are: fractions of the way, or of the factor under load and arc control */
} LimberStatics;

/** How rotating bodies start in the schemes preserving and decaying (docs/theory/start.md). */
typedef enum {
  LIMBER_INCREMENTS_ROTATION, /**< given angular velocities are rates of angles; increments of the rotation */
  LIMBER_INCREMENTS_MOMENTUM, /**< given velocities are those of the scheme, with exact momenta */
  LIMBER_INCREMENTS_ZERO      /**< the same without increments */
} LimberStartIncrements;

/** How time is stepped (docs/theory). */
typedef enum {
  LIMBER_SCHEME_DECAYING,          /**< loses energy of fast waves, never creates any; the default */
  LIMBER_SCHEME_PRESERVING,        /**< keeps the energy */
  LIMBER_SCHEME_DECAYING_A,        /**< the energy decaying scheme of the papers */
  LIMBER_SCHEME_DECAYING_B,        /**< the same with losses that `beta` sets */
  LIMBER_SCHEME_DECAYING_C,        /**< the same with losses that `rho_inf` sets */
  LIMBER_SCHEME_GENERALIZED_ALPHA, /**< for comparison: no theorem bounds its energy */
  LIMBER_SCHEME_EXPONENTIAL,       /**< linear structures between joints: modes in closed form */
  LIMBER_SCHEME_EXPONENTIAL_PAPER, /**< the same as a paper has it, for comparison */
  LIMBER_SCHEME_NEWMARK_PAPER      /**< the method that the paper compares with */
} LimberScheme;

/** What LimberRunCreate starts. */
typedef enum {
  LIMBER_ANALYSIS_TIME,  /**< a run in time, by a scheme */
  LIMBER_ANALYSIS_STATIC /**< equilibria, as LimberStatics says */
} LimberAnalysis;

/** Options of the schemes exponential_paper and newmark_paper. Zeros are defaults. */
typedef struct {
  int terms;       /**< exponential_paper: of the expansion of forces after the first, 1 or 2; 0: 2 */
  double kappa1;   /**< exponential_paper: stabilising terms kappa1 |g'|^power1 + kappa2 |g|^power2, with their signs */
  double kappa2;   /**< as kappa1 */
  int power1;      /**< 0: 1 */
  int power2;      /**< 0: 1 */
  bool free_start; /**< newmark_paper: the first accelerations leave out the forces of joints */
} LimberPaperOptions;

/** How the schemes decaying and preserving treat momentum; preserving is always exact. */
typedef enum {
  LIMBER_MOMENTUM_UNCHECKED, /**< decaying changes angular momentum by an amount that shrinks with the step squared */
  LIMBER_MOMENTUM_CHECKED,   /**< the same, and the ledger contains the momentum balance error */
  LIMBER_MOMENTUM_EXACT      /**< also checked; only loads and reactions change momentum and angular momentum */
} LimberMomentum;

/** What a run does. Start from limber_options_default and change members. */
typedef struct {
  int cookie; /**< the mark of limber_options_default: leave it */
  /** How time is stepped. */
  LimberScheme scheme;
  /** What is left of the fastest waves after a step: 1/3 .. 1 for decaying, 0 .. 1 for decaying_c and
   * generalized_alpha. */
  double rho_inf;
  /** Order of the scheme preserving: 2, 4 or 6. A step of order 4 or 6 consists of several steps of order 2, some of
   * them backwards in time. 0: 2. */
  int order;
  /** Where the losses of decaying_b begin; 1/6 gives decaying_a. */
  double beta;
  /** Length of a step, s. */
  double step;
  /** Tolerance of Newton's method, as a fraction of the energy. 0: 1e-12. */
  double tolerance;
  /** Largest number of Newton iterations. 0: 20. */
  int iterations;
  /** How often a step that fails may be halved. 0: 12 times; -1: never. */
  int halvings;
  /** The decaying schemes enforce joints in the jump as the papers print it, which is of first order where bodies
   * rotate against each other. false: along the joints only, which is of second order. */
  bool literal_jump;
  /** Section forces and strains of decaying_a, _b and _c are those at the end of each step, as in the papers. false:
   * those in balance over the step, which converge. */
  bool end_forces;
  /** A rotation that was given to all nodes starts as a steady rotation of the scheme, in shape and velocities. */
  bool equilibrium;
  /** Velocities and stored increments with which rotating bodies start. */
  LimberStartIncrements start_increments;
  /** Whether decaying conserves angular momentum, and whether the momentum balance is checked. */
  LimberMomentum momentum;
  /** Scheme exponential: elastic forces are those of the linear structure about the reference. */
  bool linear;
  /** Scheme exponential: how many of the lowest modes represent a large model, in addition to the shapes of its loads
   * and joints. 0: all modes, for at most 1500 unknowns. */
  int modes;
  /** Options of exponential_paper and newmark_paper. */
  LimberPaperOptions paper;
  /** Options of a run that chooses its steps. */
  LimberControl control;
  /** A run in time or a static analysis. */
  LimberAnalysis analysis;
  /** Options of a static analysis. */
  LimberStatics statics;
} LimberOptions;

/** What became of a step. */
typedef enum {
  LIMBER_CONVERGED,        /**< it was taken */
  LIMBER_NO_CONVERGENCE,   /**< Newton's method failed at the shortest step; `cause` names the largest residual */
  LIMBER_SINGULAR,         /**< the tangent cannot be factored; `cause` names what moves without mass or stiffness */
  LIMBER_CONTRADICTION,    /**< joints that were redundant at the start now contradict each other; `cause` names one */
  LIMBER_BALANCE_ERROR,    /**< the energies of a step do not add up although it converged: do not trust this run */
  LIMBER_LOSS,             /**< the shortest step loses more than `loss` allows; `cause` names what loses most */
  LIMBER_INVERTED_ELEMENT, /**< a cell would be inverted even in the shortest step; `cause` names the element */
  LIMBER_LARGE_ROTATION,   /**< a node turns by half a turn or more even in the shortest step; `cause` names it */
  LIMBER_CONTROL_FAILURE,  /**< a control block gives no finite number; `cause` names it */
  LIMBER_LIBRARY_FAILURE,  /**< the library of a control block reported a failure; `cause` has its message */
} LimberReason;

/** The word of a reason, which is also the status of a run that it ended: "converged", "no_convergence" ... */
LIMBER_API const char *limber_reason_name(LimberReason reason);

/** What a cause is. */
typedef enum {
  LIMBER_CAUSE_NONE,    /**< nothing that has an index */
  LIMBER_CAUSE_NODE,    /**< a node */
  LIMBER_CAUSE_ELEMENT, /**< an element */
  LIMBER_CAUSE_JOINT,   /**< a joint */
  LIMBER_CAUSE_BLOCK,   /**< a control block; its index is its number in the model file, from 0 */
} LimberCauseKind;

/** A cause in words: "node", "element", "joint", "control block"; "" for none. */
LIMBER_API const char *limber_cause_name(LimberCauseKind kind);

/** Where a failure is. */
typedef struct {
  LimberCauseKind kind; /**< what it is */
  int index;            /**< of its id: LimberNodeId node = {cause.index}; means nothing for LIMBER_CAUSE_NONE */
  char name[256];       /**< in words, such as "revolute 'pin'"; "" where nothing is named */
} LimberCause;

/** One step: whether it was taken, and how. */
typedef struct {
  LimberReason reason; /**< whether it was taken */
  double time;         /**< s: at its end */
  int iterations;      /**< tangents that Newton's method used in this step, over all attempts */
  int substeps;        /**< more than 1 if the step had to be halved */
  int rejected;        /**< attempts that failed or lost too much */
  double step;         /**< s: the shortest part that was taken */
  LimberCause cause;   /**< where a failure is: largest residual, free motion, largest loss ... */
  /** J, if it did not converge: what the last iteration left, force times displacement, over all unknowns. */
  double unbalanced;
  double rotation; /**< rad, if a rotation is too large: the turn of the node in the shortest step */
} LimberOutcome;

/** One correction of Newton's method, as LimberRunSetMonitor reports it. */
typedef struct {
  long long step;    /**< the number of the step, from 1 */
  double time;       /**< s: end of the step that is tried; of a static analysis the load factor */
  int iteration;     /**< corrections of this attempt so far, from 1; each attempt of a step counts anew */
  bool new_tangent;  /**< the tangent is new; false: the one of the correction before serves once more */
  double residual;   /**< J: force times correction, summed over all equations; NaN: the tangent is singular */
  double accepted;   /**< J: at a residual below it Newton may stop; 0: the size of the correction alone decides */
  double correction; /**< the largest correction: displacement as a part of the model's size, or rotation in rad */
  LimberCause residual_at;   /**< what has most of the residual: a node, or the joint that pulls hardest at it */
  LimberCause correction_at; /**< the node or joint with the largest correction */
} LimberIteration;

/** Called for each correction of Newton's method, on every rank. It must not call functions of the run. */
typedef void (*LimberMonitor)(const LimberIteration *iteration, void *data);

/** The energy ledger. Work and losses are sums since the start; `residual` is the balance error: kinetic + strain +
 * potential + scheme_energy = their values at the start + work - damping - dissipated - port_work, apart from the
 * residuals. */
typedef struct {
  double kinetic;   /**< energy of motion */
  double strain;    /**< energy of deformation */
  double potential; /**< of gravity and other loads with a potential */
  double
      scheme_energy; /**< stored by the scheme decaying; it starts with that of the rotation of bodies, or from zero */
  double work;       /**< of all loads without potential, and of drives; at a branch the change of stored energy */
  double drives;     /**< of drives alone */
  double joints;     /**< of all joints: zero apart from round-off */
  double damping;    /**< taken by dampers and friction, since the start */
  double dissipated; /**< by the scheme; for generalized_alpha found by difference, of either sign */
  double residual;   /**< of the last step */
  double worst_residual; /**< largest |residual| so far */
  double exchanged;      /**< energy exchanged so far: the scale for the residual */
  double constraint;     /**< largest |g| of a joint at the end of the last step */
  /** N s: change of momentum in the last step minus the impulse of loads and reactions; 0 if it is not checked. */
  double momentum_error;
  double angular_momentum_error;       /**< N m s: the same for angular momentum about the ground's origin */
  double worst_momentum_error;         /**< largest momentum_error so far */
  double worst_angular_momentum_error; /**< largest angular_momentum_error so far */
  /** Largest sum so far, over all nodes, of momentum and of impulses in a step: the scale for momentum_error. */
  double momentum_scale;
  double angular_momentum_scale; /**< the same for angular_momentum_error */
  double load_factor;            /**< of a static analysis; else 0 */
  /** Of a static analysis: how many directions have negative stiffness. If the stiffness is not symmetric, 0 or 1 by
   * the sign of its determinant. -1: not known. */
  double negative;
  double wind;                /**< work of the air, since the start; part of `work` */
  double aerodynamic_damping; /**< by which `wind` is smaller because the structure moves, with `aerodynamics` because
                               * it moves relative to the hub; since the start */
  double wind_power;          /**< W: of `aerodynamics`: forces times velocities that the library gave and got last */
  double port_work;           /**< on ports: energy that went to other models, since the start */
  double ports;               /**< energy of the waves that this model sent in the last step: its half of the lines */
  double port_loss;           /**< taken from waves because a step was taken in parts, since the start */
  double exchange;            /**< created by bonds: work of their forces less what the FMUs claim to have given */
} LimberLedger;

/** The largest numbers of strain components of an element, of constraint equations of a joint and of its coordinates.
 */
enum { LIMBER_MOST_STRAINS = 6, LIMBER_MOST_JOINT_ROWS = 6, LIMBER_MOST_COORDINATES = 4 };

/** Strains and forces at a point of an element, in section axes and named as in the results: N, V2 ... of a beam. */
typedef struct {
  int rows;                           /**< how many components there are */
  double strain[LIMBER_MOST_STRAINS]; /**< of deformation */
  double force[LIMBER_MOST_STRAINS];  /**< N, N m or Pa */
} LimberSectionForces;

/** The state of a joint. Forces are means over the last step. Of the arrays along coordinates the first `coordinates`
 * are set. */
typedef struct {
  int rows;                                  /**< how many constraint equations it has */
  double multiplier[LIMBER_MOST_JOINT_ROWS]; /**< their Lagrange multipliers */
  double force[3];    /**< N, on the second body at the joint (on the only one from the ground), in ground axes */
  double moment[3];   /**< N m, the same */
  double reaction[6]; /**< this force and moment in the axes of the joint */
  int coordinates;    /**< how many angles and slides it has */
  double coordinate[LIMBER_MOST_COORDINATES]; /**< rad or m */
  double rate[LIMBER_MOST_COORDINATES];       /**< rad/s or m/s */
  double drive[LIMBER_MOST_COORDINATES];      /**< N m or N on the second body: loads and drives together */
  double spring[LIMBER_MOST_COORDINATES];     /**< of the spring and the limits */
  double damper[LIMBER_MOST_COORDINATES];     /**< of the damper */
  double friction[LIMBER_MOST_COORDINATES];   /**< of friction */
} LimberJointState;

/** An event of the model that happened. */
typedef struct {
  const char *name; /**< of the event; it belongs to the model */
  double time;      /**< s: when it happened */
  double loss;      /**< J: energy that it took */
} LimberEventRecord;

/** The name of a scheme in model files: "decaying". NULL: there is no such scheme. */
LIMBER_API const char *limber_scheme_name(LimberScheme scheme);
/** The scheme of a name; LIMBER_NONE: there is none of that name. */
LIMBER_API int limber_scheme_find(const char *name);
/** The defaults of a run: scheme decaying, steps of 1 ms. */
LIMBER_API LimberOptions limber_options_default(void);
/** Starts a run. NULL if the model has mistakes or the run cannot start: limber_model_diagnostics says why. Collective.
 */
LIMBER_API int LimberRunCreate(LimberModel model, const LimberOptions *options, LimberRun *run);
/** Ends a run and sets the pointer to NULL. Collective. */
LIMBER_API int LimberRunDestroy(LimberRun *run);
/** Takes a step. The reason in the outcome says whether it was taken. Collective. */
LIMBER_API int LimberRunStep(LimberRun run, LimberOutcome *outcome);
/** Takes a step that ends at `time` at the latest: a step of the run's own length, or a shorter one that ends exactly
 * there; later steps are counted from there. A time that is within a millionth of a step of the end of a whole step is
 * that end, so that the steps of a program that adds up times are those of the run. A run that chooses its steps meets
 * `time`, too. A time that is not after the present one, or a static analysis, gives an error code. Collective. */
LIMBER_API int LimberRunStepTo(LimberRun run, double time, LimberOutcome *outcome);
/** Lets a run report how its steps converge, from the next step on: `monitor` is called with `data` for each correction
 * of Newton's method. NULL: no longer. Reports cost messages between ranks and do not change results. The schemes
 * exponential and those of papers report nothing. Collective. */
LIMBER_API int LimberRunSetMonitor(LimberRun run, LimberMonitor monitor, void *data);
/** Saves the state of a run in memory, so that LimberRunRestore can take the run back to it: to repeat steps with other
 * signals, to branch, to reject a step of a coupled simulation. The state is everything that steps change: motion,
 * multipliers, increments of the scheme, contacts, friction, events, the control network, signals of the model, the
 * ledger. It does not contain what a shared library of a control block remembers beside its record, nor rows and files
 * that were written meanwhile (LimberRecordSave saves a record).
 *
 * Collective: every rank calls it after the same step and gets the part of the state that it owns. `*state` is NULL,
 * or memory from an earlier call with its `*size`, which is used again. The caller owns it: limber_state_free frees
 * it. A static analysis cannot be saved and gives an error code. */
LIMBER_API int LimberRunSave(LimberRun run, void **state, size_t *size);
/** Takes a run back to a state that LimberRunSave saved: the same steps from there on give the same bits, if the linear
 * solver does (all do but MUMPS on several processes). The run may be the one that was saved, or another run of the
 * same model file with the same options on as many ranks. A state that does not fit gives an error code, and the run
 * remains as it is. The bytes may be copied and moved to another address. Collective; `state` remains the caller's and
 * can be restored any number of times. */
LIMBER_API int LimberRunRestore(LimberRun run, const void *state, size_t size);
/** Frees a saved state and sets the pointer to NULL. Each rank for itself. */
LIMBER_API void limber_state_free(void **state);
/** Whether a static analysis has reached its end. A run in time has no end of its own. */
LIMBER_API bool limber_run_finished(LimberRun run);
/** The time that the run has reached, s. */
LIMBER_API double limber_run_time(LimberRun run);
/** What was done to start: bodies moved together, velocities changed, redundant constraints resolved. "" or one remark
 * per line. */
LIMBER_API const char *limber_run_remarks(LimberRun run);
/** What an analysis found, one item per line: limit points and bifurcations of a static analysis. `text` has room for
 * `size` characters. Collective. */
LIMBER_API int LimberRunGetFound(LimberRun run, size_t size, char *text);

/** The energy ledger. Collective. */
LIMBER_API int LimberRunGetLedger(LimberRun run, LimberLedger *ledger);
/** The work of a load since the start. Collective. */
LIMBER_API int LimberRunGetLoadWork(LimberRun run, LimberLoadId load, double *work);
/** Position, axes, velocity and angular velocity of a node. Any of the pointers may be NULL. axes: nine numbers, the
 * three axes one after the other; velocity and angular in ground components. Collective. */
LIMBER_API int LimberRunGetNode(LimberRun run, LimberNodeId node, double *position, double *axes, double *velocity,
                                double *angular);
/** The same for a place along an element that has a length, 0 .. 1; `axes` are those of the section. Collective. */
LIMBER_API int LimberRunGetStation(LimberRun run, LimberElementId element, double at, double *position, double *axes,
                                   double *velocity, double *angular);
/** Strains and forces at an integration point of an element, in section axes. Collective. */
LIMBER_API int LimberRunGetForces(LimberRun run, LimberElementId element, int point, LimberSectionForces *forces);
/** Strains and forces at a place along an element, 0 .. 1: values of the polynomial through the integration points
 * there. Collective. */
LIMBER_API int LimberRunGetStationForces(LimberRun run, LimberElementId element, double at,
                                         LimberSectionForces *forces);
/** The state of a joint: its force over the last step, and its coordinates (angles and slides).
 * Collective. */
LIMBER_API int LimberRunGetJoint(LimberRun run, LimberJointId joint, LimberJointState *state);
/** Force and moment of a load, three numbers each, in ground components; of a load or drive on a joint force[0] is its
 * torque or force along the coordinate over the last step, and the others are 0. Any may be NULL. Collective. */
LIMBER_API int LimberRunGetLoad(LimberRun run, LimberLoadId load, double force[3], double moment[3]);
/** Energies of an element, from its own mass and stiffness. The sums over all elements are those of the ledger.
 * Collective. */
LIMBER_API int LimberRunGetEnergy(LimberRun run, LimberElementId element, double *kinetic, double *strain,
                                  double *potential);
/** Momentum and angular momentum about the ground's origin. Collective. */
LIMBER_API int LimberRunGetMomentum(LimberRun run, double momentum[3], double angular[3]);
/** How many events of the model happened so far. */
LIMBER_API int limber_run_events(LimberRun run);
/** The i-th of them, counted from 0. Not collective. */
LIMBER_API int LimberRunGetEvent(LimberRun run, int i, LimberEventRecord *event);
/** The number of unknowns of a step, over all ranks. */
LIMBER_API long limber_run_unknowns(LimberRun run);

#ifdef __cplusplus
}
#endif

#endif
