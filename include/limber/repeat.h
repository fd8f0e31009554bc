/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Many runs of one model file, each with other values: what does not change is read and prepared once.
 *
 *     LimberRepeaterCreate("arm.yaml", NULL, &repeater);
 *     for (int i = 0; i < 1000; i++) {
 *       snprintf(text, sizeof text, "let.mass=%.17g kg", mass[i]);
 *       LimberRepeaterRun(repeater, 1, (const char *[]){text}, &outcome);
 *       const double *row = limber_repeater_history(repeater); ...
 *     }
 *
 * A run gives the same bits as LimberFileRead and LimberFileStart with the same changes, whatever runs came before it.
 */
#ifndef LIMBER_REPEAT_H
#define LIMBER_REPEAT_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model file from which runs are started, one after the other. */
typedef struct LimberRepeaterData *LimberRepeater;

/** `path` and `options` are those of LimberFileRead; the changes apply to all runs. An error if the file cannot be
 * opened. limber_repeater_problem reports mistakes in it when a run is started. Collective. */
LIMBER_API int LimberRepeaterCreate(const char *path, const LimberReadOptions *options, LimberRepeater *repeater);
/** Ends the run, frees the repeater and sets the pointer to NULL. Collective. */
LIMBER_API int LimberRepeaterDestroy(LimberRepeater *repeater);

/** Ends the run before and starts the next, with some more changes: "let.mass=2 kg". The run belongs to the repeater,
 * up to the next start. NULL: it cannot start with these values. Collective. */
LIMBER_API int LimberRepeaterStart(LimberRepeater repeater, int changes, const char *const *change, LimberRun *run);
/** Why the run could not start; "" if it did. */
LIMBER_API const char *limber_repeater_problem(LimberRepeater repeater);
/** The file as the run has it, for its model, its end and records. It belongs to the repeater, up to the next start.
 * NULL: no run was started. */
LIMBER_API LimberFile limber_repeater_file(LimberRepeater repeater);

/** Starts a run and takes its steps to the end that the file gives, or to a step that fails. `outcome` is that of the
 * last step; a run that could not start has no rows. Collective. */
LIMBER_API int LimberRepeaterRun(LimberRepeater repeater, int changes, const char *const *change,
                                 LimberOutcome *outcome);
/** Columns of the history of the last LimberRepeaterRun; NULL: there was none that started. */
LIMBER_API LimberRecord limber_repeater_record(LimberRepeater repeater);
/** Its rows: those that `limber run` would write. */
LIMBER_API int limber_repeater_rows(LimberRepeater repeater);
/** The numbers, row by row, up to the next start. */
LIMBER_API const double *limber_repeater_history(LimberRepeater repeater);

#ifdef __cplusplus
}
#endif

#endif
