/* SPDX-License-Identifier: Apache-2.0
 * Limber: flexible multibody dynamics with schemes that never create energy. The public interface.
 *
 * A program builds a model, runs it and reads states:
 *
 *   LimberInitialize(&argc, &argv);
 *   LimberModelCreate(&model);
 *   LimberModelAddFrame(model, "bob", (double[]){1, 0, 0}, NULL, &bob);
 *   LimberModelAddElement(model, "rigid_body", "bob", &(LimberRigidBody){.node = bob, .mass = 1}, NULL);
 *   LimberModelAddJoint(model, "revolute", "hinge",
 *                       &(LimberRevolute){.nodes = {LIMBER_GROUND, bob}, .axis = {0, 1, 0}}, NULL);
 *   LimberRunCreate(model, &options, &run);
 *   while (!LimberRunStep(run, &outcome) && outcome.reason == LIMBER_CONVERGED && outcome.time < 1) ...
 *
 * Three channels, never mixed. A function's return value tells of a broken machine or program: 0, or an error code (it
 * has been reported on stderr). A mistake in the model is a note: LimberModelNotes gives all of them. What becomes of
 * a step is a reason with a name in LimberOutcome. Everything is SI. All functions are collective over
 * the ranks of MPI_COMM_WORLD; each rank builds the same model. */
#ifndef LIMBER_H
#define LIMBER_H

#include <limber/catalogue.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LIMBER_API __attribute__((visibility("default")))
#else
#define LIMBER_API
#endif

typedef struct LimberModelData *LimberModel;
typedef struct LimberRunData *LimberRun;

LIMBER_API int LimberInitialize(int *argc, char ***argv);
LIMBER_API int LimberFinalize(void);
LIMBER_API const char *limber_version(void);
/* What the last function that returned an error code had to say; "" if none did. Such messages go to stderr, too, unless
 * that is switched off. */
LIMBER_API const char *limber_error(void);
LIMBER_API void limber_error_print(int on);

/* ---- the model ---- */
LIMBER_API int LimberModelCreate(LimberModel *model);
LIMBER_API int LimberModelDestroy(LimberModel *model);

/* axes: nine numbers, the three axes one after the other in ground components; NULL: the ground's. id may be NULL. */
LIMBER_API int LimberModelAddFrame(LimberModel model, const char *name, const double position[3], const double *axes,
                                   LimberId *id);
/* A frame that stays where it is: a place of the ground with axes of its own. */
LIMBER_API int LimberModelAddFixed(LimberModel model, const char *name, const double position[3], const double *axes,
                                   LimberId *id);
LIMBER_API int LimberModelAddPoint(LimberModel model, const char *name, const double position[3], LimberId *id);
/* initial velocity and angular velocity, ground components */
LIMBER_API int LimberModelSetVelocity(LimberModel model, LimberId node, const double velocity[3],
                                      const double angular[3]);
/* Sets every node in motion as one rigid body that has `velocity` at the ground's origin. */
LIMBER_API int LimberModelSetRigidVelocity(LimberModel model, const double velocity[3], const double angular[3]);

LIMBER_API int LimberModelAddSection(LimberModel model, const char *name, int stations, const LimberSection *station,
                                     LimberId *id);
/* The section of a shape (its name and structure of catalogue.h): NULL, or what is wrong. `offset` (y, z) moves the
 * reference line, `shear` are shear factors along e2 and e3; either may be NULL. */
LIMBER_API const char *limber_section(const char *shape, const void *params, const LimberMaterial *material,
                                      const double *offset, const double *shear, LimberSection *out);
/* kind: a name of the catalogue; params: the kind's structure of catalogue.h */
LIMBER_API int LimberModelAddFunction(LimberModel model, const char *kind, const char *name, const void *params,
                                      LimberId *id);
LIMBER_API int LimberModelAddElement(LimberModel model, const char *kind, const char *name, const void *params,
                                     LimberId *id);
LIMBER_API int LimberModelAddJoint(LimberModel model, const char *kind, const char *name, const void *params,
                                   LimberId *id);
LIMBER_API int LimberModelAddLoad(LimberModel model, const char *kind, const char *name, const void *params,
                                  LimberId *id);

/* Finds a thing by name; LIMBER_NONE if there is none. */
LIMBER_API LimberId limber_model_find_node(LimberModel model, const char *name);
LIMBER_API LimberId limber_model_find_element(LimberModel model, const char *name);
LIMBER_API LimberId limber_model_find_joint(LimberModel model, const char *name);
LIMBER_API LimberId limber_model_find_load(LimberModel model, const char *name);
LIMBER_API LimberId limber_model_find_function(LimberModel model, const char *name);
/* The i-th node along a component (a beam's nodes from start to end); LIMBER_NONE past the last. */
LIMBER_API LimberId limber_model_element_node(LimberModel model, LimberId element, int i);
LIMBER_API int limber_model_element_points(LimberModel model, LimberId element); /* integration points of a component */
LIMBER_API int limber_model_nodes(LimberModel model);
LIMBER_API const char *limber_model_diagnostics(LimberModel model); /* "" or one mistake a line */
/* The value of a function of the kind `signal`, from the next step of a run on: what a controller in a program puts out.
 * The work of a load that it drives stands in the ledger as that of any other. */
LIMBER_API int LimberModelSetSignal(LimberModel model, LimberId function, double value);

/* ---- a run ---- */
typedef struct {   /* of a run that chooses its steps; docs/theory */
  int on;          /* 1: it does, and `step` of the options is the first that it tries */
  double loss;     /* W: at every time t the scheme has lost at most loss t (sum of |loss|); 0: any loss */
  double smallest; /* s: a step is no shorter, but to meet a time; 0: 1/4096 of the first */
  double largest;  /* s; 0: 8 times the first */
  double end;      /* s: a step ends exactly there; 0: there is no such time */
  double meet[2];  /* s: steps end exactly at the multiples of both; 0: they need not */
} LimberControl;

typedef struct {
  const char *scheme; /* decaying, preserving, decaying_a, decaying_b, decaying_c, generalized_alpha, exponential,
                         exponential_paper, newmark_paper */
  double rho_inf;   /* what is left of the fastest waves in a step: decaying 1/3 .. 1, decaying_c and generalized_alpha
                         0 .. 1 */
  double beta;      /* decaying_b: 1/6 is decaying_a */
  double step;      /* s */
  double tolerance; /* of Newton, relative energy; 0: 1e-12 */
  int iterations;   /* of Newton at most; 0: 20 */
  int halvings;     /* of a step that fails, at most; 0: 12, -1: none */
  int literal_jump; /* 1: decaying schemes hold joints in the jump as the papers print it (first order where bodies
                         turn against each other); 0: along the joints only (second order) */
  int end_forces; /* 1: section forces and strains of decaying_a, _b, _c are those of the end of each step, as the papers
                         have them; 0: those in balance over the step, which converge */
  int equilibrium; /* 1: a rotation given to all nodes starts as a steady one of the scheme itself, in shape and velocities */
  int linear; /* exponential: 1: elastic forces are those of the linear structure about the reference */
  int modes;  /* exponential: how many of the lowest modes stand for a large model, beside the shapes that its loads and
                 joints give it; 0: all modes, of at most 1500 unknowns */
  int terms;  /* exponential_paper: of the expansion of forces after the first, 1 or 2; 0: 2 */
  double kappa1,
      kappa2; /* exponential_paper: stabilising terms kappa1 |g'|^power1 + kappa2 |g|^power2, with their signs */
  int power1, power2; /* 0: 1 */
  int free_start;     /* newmark_paper: 1: the first accelerations leave out the forces of joints */
  LimberControl control;
} LimberOptions;

typedef enum {
  LIMBER_CONVERGED,
  LIMBER_NO_CONVERGENCE,   /* Newton failed at the shortest step; `where` names what carries the residual */
  LIMBER_SINGULAR,         /* the tangent cannot be factored; `where` names what moves without mass or stiffness */
  LIMBER_CONTRADICTION,    /* joints that said the same thing at the start no longer do; `where` names one */
  LIMBER_BALANCE_ERROR,    /* the energies of a step do not add up though Newton converged: the run cannot be trusted */
  LIMBER_LOSS,             /* the shortest step loses more than is tolerated; `where` names what loses most */
  LIMBER_INVERTED_ELEMENT, /* a cell would be inverted even in the shortest step; `where` names the element */
} LimberReason;

typedef struct {
  LimberReason reason;
  double time;
  int iterations;    /* of Newton in this step, with all tries: tangents, each with its corrections */
  int substeps;      /* more than 1 where the step had to be cut */
  int rejected;      /* tries that failed or lost too much */
  double step;       /* s: the shortest that was taken */
  char where[256];   /* "" or what carries the residual */
  double unbalanced; /* J: no convergence: force times displacement, summed over all that Newton's last iteration found
                        out of balance */
} LimberOutcome;

/* One account of energy. Work and losses are sums since the start; `residual` is what the account of the worst
 * step is open by. kinetic + strain + potential + memory = their start + work - damping - dissipated, but for the
 * residuals. */
typedef struct {
  double kinetic, strain, potential;
  double
      memory;  /* what the scheme decaying remembers of the last step, as energy; it starts from zero, or with that of a
                            steady rotation (`equilibrium`) */
  double work; /* of all loads without potential, and of drives; at a branch the change of stored energy */
  double drives;         /* of drives alone */
  double joints;         /* of all joints: zero but for round-off */
  double damping;        /* taken by dampers and friction, since the start */
  double dissipated;     /* by the scheme; for generalized_alpha found by difference, of either sign */
  double residual;       /* of the last step */
  double worst_residual; /* largest |residual| so far */
  double exchanged;      /* energy exchanged so far: the scale for the residual */
  double constraint;     /* largest |g| of a joint at the end of the last step */
} LimberLedger;

LIMBER_API void limber_options_default(LimberOptions *options);
LIMBER_API int LimberRunCreate(LimberModel model, const LimberOptions *options, LimberRun *run);
LIMBER_API int LimberRunDestroy(LimberRun *run);
LIMBER_API int LimberRunStep(LimberRun run, LimberOutcome *outcome);
LIMBER_API double limber_run_time(LimberRun run);
/* What was done to start: parts assembled, velocities changed, redundant constraints resolved. "" or one remark a line. */
LIMBER_API const char *limber_run_remarks(LimberRun run);

LIMBER_API int LimberRunGetLedger(LimberRun run, LimberLedger *ledger);
LIMBER_API int LimberRunGetLoadWork(LimberRun run, LimberId load, double *work);
/* Any of the pointers may be NULL. axes: nine numbers as above; velocity and angular in ground components. */
LIMBER_API int LimberRunGetNode(LimberRun run, LimberId node, double *position, double *axes, double *velocity,
                                double *angular);
/* The same of a place along a component that has a length, 0 .. 1 of it; axes: of the section. */
LIMBER_API int LimberRunGetStation(LimberRun run, LimberId element, double at, double *position, double *axes,
                                   double *velocity, double *angular);
/* Strains and forces at an integration point of a component, in section axes; returns how many rows there are. */
LIMBER_API int LimberRunGetForces(LimberRun run, LimberId element, int point, int *rows, double *strain, double *force);
/* The same at a place along a component, 0 .. 1: on the polynomial through the integration points of the element there. */
LIMBER_API int LimberRunGetStationForces(LimberRun run, LimberId element, double at, int *rows, double *strain,
                                         double *force);
/* Multipliers (six at most) of the last step and the coordinates (four at most) of a joint: its angles and slides. */
LIMBER_API int LimberRunGetJoint(LimberRun run, LimberId joint, int *rows, double *multiplier, double *coordinate);
/* Force and moment that a joint exerts on its second node (its only one, if it has one), over the last step and in ground
 * components; the rate of its angle. Any may be NULL. */
LIMBER_API int LimberRunGetReaction(LimberRun run, LimberId joint, double *force, double *moment, double *rate);
/* Energies of a component: of its own mass and stiffness. Over all components they add up to those of the ledger. */
LIMBER_API int LimberRunGetEnergy(LimberRun run, LimberId element, double *kinetic, double *strain, double *potential);
/* Momentum and angular momentum about the ground's origin. */
LIMBER_API int LimberRunGetMomentum(LimberRun run, double momentum[3], double angular[3]);
/* Unknowns of one stage, over all ranks. */
LIMBER_API long limber_run_unknowns(LimberRun run);

#ifdef __cplusplus
}
#endif

#endif
