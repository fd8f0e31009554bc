/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Optima: numbers of a model file that make a result best within limits, by its part `optimize` (docs/optimize.md):
 *
 *     LimberFileRead("crank.yaml", NULL, &file);
 *     LimberOptimumCreate(file, &optimum);
 *     for (int i = 0; i < limber_optimum_parameters(optimum); i++)
 *       printf("%s = %g\n", limber_optimum_name(optimum, i), limber_optimum_value(optimum, i));
 *     LimberOptimumDestroy(&optimum); */
#ifndef LIMBER_OPTIMIZE_H
#define LIMBER_OPTIMIZE_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The best values of parameters. */
typedef struct LimberOptimumData *LimberOptimum;

/** Finds the optimum of the part `optimize`. *optimum is NULL where that is not possible; a diagnostic of the file's
 * model says why. Collective. */
LIMBER_API int LimberOptimumCreate(LimberFile file, LimberOptimum *optimum);
/** Destroys the optimum and sets the pointer to NULL. Collective. */
LIMBER_API int LimberOptimumDestroy(LimberOptimum *optimum);
/** The objective, in SI. */
LIMBER_API double limber_optimum_objective(LimberOptimum optimum);
/** How many parameters there are. */
LIMBER_API int limber_optimum_parameters(LimberOptimum optimum);
/** The path of a parameter, such as let.width. */
LIMBER_API const char *limber_optimum_name(LimberOptimum optimum, int parameter);
/** Its unit, in SI base units. */
LIMBER_API const char *limber_optimum_unit(LimberOptimum optimum, int parameter);
/** Its value. */
LIMBER_API double limber_optimum_value(LimberOptimum optimum, int parameter);
/** By how much one more step of the search would change it: about its error. */
LIMBER_API double limber_optimum_next_step(LimberOptimum optimum, int parameter);
/** By how much the objective changes with the bound that the parameter meets; 0: it meets none. */
LIMBER_API double limber_optimum_bound_multiplier(LimberOptimum optimum, int parameter);
/** How many constraints there are. */
LIMBER_API int limber_optimum_constraints(LimberOptimum optimum);
/** The value of the quantity of a constraint, in SI. */
LIMBER_API double limber_optimum_constraint(LimberOptimum optimum, int constraint);
/** By how much the objective changes with the limit that it meets, in SI; 0: it meets none. */
LIMBER_API double limber_optimum_multiplier(LimberOptimum optimum, int constraint);
/** Remarks: "" or one per line. */
LIMBER_API const char *limber_optimum_remarks(LimberOptimum optimum);

#ifdef __cplusplus
}
#endif

#endif
