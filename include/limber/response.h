/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Transfer functions of a model file about its equilibrium over a range of frequencies (docs/linear_models.md). */
#ifndef LIMBER_RESPONSE_H
#define LIMBER_RESPONSE_H

#include <limber/results.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How frequencies grow from the first to the last. */
typedef enum {
  LIMBER_SPACING_LOGARITHMIC, /**< by equal factors */
  LIMBER_SPACING_LINEAR       /**< by equal differences */
} LimberSpacing;

/** Which frequencies, inputs and outputs. A program starts from limber_response_options_default. */
typedef struct {
  int cookie;                /**< the mark of limber_response_options_default: leave it */
  double from;               /**< Hz: the first frequency */
  double to;                 /**< Hz: the last */
  int points;                /**< frequencies from the first to the last */
  LimberSpacing spacing;     /**< how they grow */
  int inputs;                /**< how many loads and signals are inputs; 0: all */
  const char *const *input;  /**< their names */
  int outputs;               /**< how many names of probes are outputs; 0: all that probes record */
  const char *const *output; /**< each a probe, a quantity or a component: tip, tip.position, tip.x */
} LimberResponseOptions;

/** Transfer functions. */
typedef struct LimberResponseData *LimberResponse;

/** 0.1 Hz to 10 Hz, 200 points by equal factors, all inputs and outputs. */
LIMBER_API LimberResponseOptions limber_response_options_default(void);
/** What the part `response` of a file asks for. */
LIMBER_API LimberResponseOptions limber_file_response_options(LimberFile file);
/** Finds the operating point of a file and the response to each input at each frequency. options NULL: those of the
 * file. A model without an operating point is no error: limber_response_wrong says why. Collective. */
LIMBER_API int LimberResponseCreate(LimberFile file, const LimberResponseOptions *options, LimberResponse *response);
/** Frees it and sets the pointer to NULL. Collective. */
LIMBER_API int LimberResponseDestroy(LimberResponse *response);
/** "", or why there is no response: then it has no frequencies. */
LIMBER_API const char *limber_response_wrong(LimberResponse response);
/** How many frequencies, inputs and outputs there are. Any may be NULL. */
LIMBER_API void limber_response_count(LimberResponse response, int *frequencies, int *inputs, int *outputs);
/** The i-th frequency, Hz. */
LIMBER_API double limber_response_frequency(LimberResponse response, int i);
/** The name of an input or output (`output` 1), and its units. */
LIMBER_API const char *limber_response_name(LimberResponse response, int output, int i);
/** Its units. */
LIMBER_API const char *limber_response_units(LimberResponse response, int output, int i);
/** Output over input at a frequency: real and imaginary part, for exp(i 2 pi f t). */
LIMBER_API void limber_response_value(LimberResponse response, int frequency, int input, int output, double *re,
                                      double *im);
/** Writes the results file of `limber response`. `overwrite`: also over a file that Limber did not write. Collective.
 */
LIMBER_API int LimberResponseWrite(LimberResponse response, const char *path, bool overwrite);

#ifdef __cplusplus
}
#endif

#endif
