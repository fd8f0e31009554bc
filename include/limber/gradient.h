/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Gradients: how results change with the numbers of a model file (docs/gradients.md):
 *
 *     LimberGradientOptions o = limber_gradient_options_default();
 *     o.quantities = 1, o.quantity = (const char *[]){"tip.z@end"};
 *     o.parameters = 1, o.parameter = (const char *[]){"let.length"};
 *     LimberGradientCreate(file, &o, &g);
 *     printf("%g\n", limber_gradient_derivative(g, 0, 0).value);
 *     LimberGradientDestroy(&g); */
#ifndef LIMBER_GRADIENT_H
#define LIMBER_GRADIENT_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How derivatives are found. */
typedef enum {
  LIMBER_GRADIENT_FORWARD = 0, /**< one linear solution for each parameter */
  LIMBER_GRADIENT_ADJOINT      /**< one for each quantity, of the transposed equations */
} LimberGradientMethod;

/** What is differentiated, and how. */
typedef struct {
  int cookie;                   /**< the mark of limber_gradient_options_default: leave it */
  int quantities;               /**< how many */
  const char *const *quantity;  /**< such as "tip.z@end", "max(tip.z)", "static(tip.z)", "frequency(1)" */
  int parameters;               /**< how many */
  const char *const *parameter; /**< such as "let.length", or "PATH=VALUE UNIT" for any field of the model file */
  int method;                   /**< a LimberGradientMethod */
  bool check;                   /**< compares with central differences of whole analyses, four for each parameter */
  int states; /**< how many states of a run the adjoint method keeps in memory, from 2; 0: as many as fit in 500 MB */
} LimberGradientOptions;
/** Nothing yet; forward; no check. */
LIMBER_API LimberGradientOptions limber_gradient_options_default(void);

/** A derivative. */
typedef struct {
  double value;       /**< unit of the quantity over that of the parameter */
  double error;       /**< estimate of its error */
  double elasticity;  /**< % of the quantity per % of the parameter; NAN: one of them is 0 */
  double check;       /**< the same by differences of whole analyses; NAN: not asked for */
  double check_error; /**< by how much differences of two lengths disagree */
} LimberDerivative;

/** Derivatives of quantities with respect to parameters. */
typedef struct LimberGradientData *LimberGradient;

/** Finds derivatives. *gradient is NULL where that is not possible; a diagnostic of the file's model says why.
 * Collective. */
LIMBER_API int LimberGradientCreate(LimberFile file, const LimberGradientOptions *options, LimberGradient *gradient);
/** Destroys the gradient and sets the pointer to NULL. Collective. */
LIMBER_API int LimberGradientDestroy(LimberGradient *gradient);
/** The derivative of a quantity with respect to a parameter, both from 0. */
LIMBER_API LimberDerivative limber_gradient_derivative(LimberGradient gradient, int quantity, int parameter);
/** The value of a quantity. */
LIMBER_API double limber_gradient_value(LimberGradient gradient, int quantity);
/** Its unit. */
LIMBER_API const char *limber_gradient_unit(LimberGradient gradient, int quantity);
/** The value of a parameter. */
LIMBER_API double limber_gradient_parameter(LimberGradient gradient, int parameter);
/** Its unit. */
LIMBER_API const char *limber_gradient_parameter_unit(LimberGradient gradient, int parameter);
/** Remarks: "" or one per line. */
LIMBER_API const char *limber_gradient_remarks(LimberGradient gradient);

#ifdef __cplusplus
}
#endif

#endif
