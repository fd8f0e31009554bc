/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Names of the version before, for one version. limber/limber.h includes this header unless LIMBER_NO_DEPRECATED is
 * defined. */
#ifndef LIMBER_DEPRECATED_H
#define LIMBER_DEPRECATED_H

#include <limber/analysis.h>
#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @deprecated LimberPrescribedMotion */
typedef LimberPrescribedMotion LimberGuide LIMBER_DEPRECATED("LimberPrescribedMotion");
/** @deprecated LimberActuator */
typedef LimberActuator LimberStrut LIMBER_DEPRECATED("LimberActuator");
/** @deprecated LimberRigidTie */
typedef LimberRigidTie LimberBolt LIMBER_DEPRECATED("LimberRigidTie");
/** @deprecated LimberMultipointConstraint */
typedef LimberMultipointConstraint LimberCarriedPoint LIMBER_DEPRECATED("LimberMultipointConstraint");
/** @deprecated LimberJointForce */
typedef LimberJointForce LimberThrust LIMBER_DEPRECATED("LimberJointForce");

enum {
  /** @deprecated LIMBER_BALANCE_ERROR */
  LIMBER_ACCOUNT_OPEN LIMBER_DEPRECATED("LIMBER_BALANCE_ERROR") = LIMBER_BALANCE_ERROR,
  /** @deprecated LIMBER_INVERTED_ELEMENT */
  LIMBER_INSIDE_OUT LIMBER_DEPRECATED("LIMBER_INVERTED_ELEMENT") = LIMBER_INVERTED_ELEMENT
};

/** @deprecated limber_model_diagnostics */
LIMBER_DEPRECATED("limber_model_diagnostics") static inline const char *limber_model_notes(LimberModel model) {
  return limber_model_diagnostics(model);
}
/** @deprecated limber_file_diagnostics */
LIMBER_DEPRECATED("limber_file_diagnostics") static inline const char *limber_file_notes(LimberFile file) {
  return limber_file_diagnostics(file);
}
/** @deprecated limber_file_errors */
LIMBER_DEPRECATED("limber_file_errors") static inline int limber_file_mistakes(LimberFile file) {
  return limber_file_errors(file);
}

/** @deprecated LimberModelAddSine and its like, or LimberModelAddFunctionByKind */
LIMBER_DEPRECATED("LimberModelAddFunctionByKind, or the function of the kind")
LIMBER_API int LimberModelAddFunction(LimberModel model, const char *kind, const char *name, const void *params,
                                      LimberId *id);
/** @deprecated LimberModelAddBeam and its like, or LimberModelAddElementByKind */
LIMBER_DEPRECATED("LimberModelAddElementByKind, or the function of the kind")
LIMBER_API int LimberModelAddElement(LimberModel model, const char *kind, const char *name, const void *params,
                                     LimberId *id);
/** @deprecated LimberModelAddRevolute and its like, or LimberModelAddJointByKind */
LIMBER_DEPRECATED("LimberModelAddJointByKind, or the function of the kind")
LIMBER_API int LimberModelAddJoint(LimberModel model, const char *kind, const char *name, const void *params,
                                   LimberId *id);
/** @deprecated LimberModelAddGravity and its like, or LimberModelAddLoadByKind */
LIMBER_DEPRECATED("LimberModelAddLoadByKind, or the function of the kind")
LIMBER_API int LimberModelAddLoad(LimberModel model, const char *kind, const char *name, const void *params,
                                  LimberId *id);

#ifdef __cplusplus
}
#endif

#endif
