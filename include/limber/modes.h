/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Modes: small motions about an equilibrium, standing or rotating. */
#ifndef LIMBER_MODES_H
#define LIMBER_MODES_H

#include <limber/analysis.h>
#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether modes are those of the damped model. */
typedef enum {
  LIMBER_DAMPED_AUTO, /**< where it has dampers or rotates */
  LIMBER_DAMPED_NO,   /**< dampers and Coriolis forces are left out */
} LimberDamped;

/** What is asked for. A program starts from limber_modes_options_default. */
typedef struct {
  int cookie;            /**< the mark of limber_modes_options_default: leave it */
  int count;             /**< modes, beside rigid motions */
  double target;         /**< Hz: modes nearest to it; 0: the lowest */
  LimberDamped damped;   /**< dampers and Coriolis forces */
  double time;           /**< s: the equilibrium is that of the loads at this time */
  const char *bending_y; /**< what bending along the y axis of a section is called in names; NULL: bending y */
  const char *bending_z; /**< the same of z; NULL: bending z */
} LimberModesOptions;

/** The 10 lowest modes. */
LIMBER_API LimberModesOptions limber_modes_options_default(void);

/** What the part `modes` of a model file asks for; the defaults where it has none. */
LIMBER_API LimberModesOptions limber_file_modes_options(LimberFile file);

/** One mode: x e^(lambda t) about the equilibrium. */
typedef struct {
  double re;        /**< 1/s: of lambda */
  double im;        /**< 1/s: of lambda, not negative; its conjugate belongs to the mode too */
  double frequency; /**< Hz: im/(2 pi) */
  double damping;   /**< ratio: -re/|lambda| */
  double residual;  /**< relative */
  double error[2];  /**< 1/s: bounds of the errors of re and im; re is 0 where it is within its bound */
  double effective
      [6]; /**< share of the mass that moves along the ground's axes with it, and about them at the mass centre */
  double
      whirl; /**< 1: its points circle in the sense of the rotation, -1: against it, as seen in the rotating frame; of a rotor
                 * on a support, of the pattern of its blades as seen from the ground */
  double rotor_frequency; /**< Hz: of a rotor on a support, in the frame of the rotor; otherwise `frequency` */
  char name[192];         /**< such as "blade bending z 1, 83 % strain in blade" */
} LimberMode;

/** Modes of a model. */
typedef struct LimberModesData *LimberModes;

/** Finds the equilibrium under all loads, rotating where the model's motion is a rotation, and modes about it. NULL if
 * there are none: limber_model_diagnostics says why. Collective. */
LIMBER_API int LimberModesCreate(LimberModel model, const LimberModesOptions *options, LimberModes *modes);
/** Destroys the modes and sets the pointer to NULL. Collective. */
LIMBER_API int LimberModesDestroy(LimberModes *modes);
/** How many there are. */
LIMBER_API int limber_modes_count(LimberModes modes);
/** How many motions have no stiffness: they are not among the modes. */
LIMBER_API int limber_modes_rigid(LimberModes modes);
/** The i-th, from 0 on. Not collective. */
LIMBER_API int LimberModesGet(LimberModes modes, int i, LimberMode *mode);
/** The shape at a node: displacement and rotation, real and imaginary parts, of unit modal mass. Collective. */
LIMBER_API int LimberModesGetNode(LimberModes modes, int i, LimberNodeId node, double re[6], double im[6]);
/** Shares of a component in the energies of deformation and of motion of all; any may be NULL. Not collective. */
LIMBER_API int LimberModesGetElement(LimberModes modes, int i, LimberElementId element, double *strain,
                                     double *kinetic);
/** Share of a joint in the energy of deformation. Not collective. */
LIMBER_API int LimberModesGetJoint(LimberModes modes, int i, LimberJointId joint, double *strain);
/** What is to be said: "" or one remark a line. */
LIMBER_API const char *limber_modes_remarks(LimberModes modes);

#ifdef __cplusplus
}
#endif

#endif
