/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fits: numbers of a model file from measured data, by its part `fit` (docs/fit.md):
 *
 *     LimberFileRead("pendulum.yaml", NULL, &file);
 *     LimberFitCreate(file, &fit);
 *     for (int i = 0; i < limber_fit_parameters(fit); i++)
 *       printf("%s = %g +- %g\n", limber_fit_name(fit, i), limber_fit_value(fit, i), limber_fit_error(fit, i));
 *     LimberFitDestroy(&fit); */
#ifndef LIMBER_FIT_H
#define LIMBER_FIT_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Parameters that were found from measured data. */
typedef struct LimberFitData *LimberFit;

/** Finds the parameters of the part `fit` by least squares. *fit is NULL where that is not possible; a diagnostic of the
 * file's model says why. Collective. */
LIMBER_API int LimberFitCreate(LimberFile file, LimberFit *fit);
/** Destroys the fit and sets the pointer to NULL. Collective. */
LIMBER_API int LimberFitDestroy(LimberFit *fit);
/** How many parameters there are. */
LIMBER_API int limber_fit_parameters(LimberFit fit);
/** The path of a parameter, such as let.k. */
LIMBER_API const char *limber_fit_name(LimberFit fit, int parameter);
/** Its unit, in SI base units. */
LIMBER_API const char *limber_fit_unit(LimberFit fit, int parameter);
/** Its estimate. */
LIMBER_API double limber_fit_value(LimberFit fit, int parameter);
/** Its standard error; NAN: the data cannot tell it, or it is at a bound. */
LIMBER_API double limber_fit_error(LimberFit fit, int parameter);
/** By how much half the step of the run would change it; NAN: not known. */
LIMBER_API double limber_fit_half_step_change(LimberFit fit, int parameter);
/** The correlation of two estimates; NAN: one of them has no standard error. */
LIMBER_API double limber_fit_correlation(LimberFit fit, int a, int b);
/** The sum of the squares of all residuals, each over its noise. */
LIMBER_API double limber_fit_chi_square(LimberFit fit);
/** Measured numbers less parameters that the data determine. */
LIMBER_API int limber_fit_freedom(LimberFit fit);
/** How many combinations of parameters the data cannot tell. */
LIMBER_API int limber_fit_unknown(LimberFit fit);
/** Part of a parameter in such a combination: relative changes with these parts change no measured number. */
LIMBER_API double limber_fit_direction(LimberFit fit, int combination, int parameter);
/** How many numbers were measured. */
LIMBER_API int limber_fit_points(LimberFit fit);
/** A measured number, in SI. */
LIMBER_API double limber_fit_measured(LimberFit fit, int point);
/** The same of the fitted model. */
LIMBER_API double limber_fit_fitted(LimberFit fit, int point);
/** Remarks: "" or one per line. */
LIMBER_API const char *limber_fit_remarks(LimberFit fit);

#ifdef __cplusplus
}
#endif

#endif
