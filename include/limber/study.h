/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Many runs of one model: a plan is run, and the table that it makes is read (docs/running_studies.md):
 *
 *     LimberStudyRun("plan.yaml", "study.h5", 0, 0, NULL, &end);
 *     LimberStudyOpen("study.h5", &study);
 *     column = limber_study_find(study, "tip.z max");
 *     LimberStudyRead(study, column, 0, limber_study_runs(study), values);
 *     LimberStudyClose(&study); */
#ifndef LIMBER_STUDY_H
#define LIMBER_STUDY_H

#include <limber/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The table of a study that is read. */
typedef struct LimberStudyData *LimberStudy;

/** How far a study came. */
typedef enum {
  LIMBER_STUDY_COMPLETE = 0,   /**< the table is written; runs that failed are rows of it */
  LIMBER_STUDY_INCOMPLETE = 1, /**< interrupted, or stopped by a run that failed; the same call continues */
  LIMBER_STUDY_MISTAKE = 2     /**< a mistake in the plan, the model or the output; stderr says which */
} LimberStudyEnd;

/** Does the runs of a plan as `limber study` does, in processes of its own, `workers` of them (0: as many as there are
 * cores), and writes the table (NULL: the plan's name with .h5). Changes such as "run.step=1ms" hold for all runs. The
 * processes are made by fork and start MPI themselves: call it before LimberInitialize. Afterwards SIGINT and SIGTERM
 * are handled as before. Not collective. */
LIMBER_API int LimberStudyRun(const char *plan, const char *output, int workers, int changes, const char *const *change,
                              LimberStudyEnd *end);

/** Opens the table of a study, or a block of one that is under way. It needs no LimberInitialize. Not collective. */
LIMBER_API int LimberStudyOpen(const char *path, LimberStudy *study);
/** Closes the file and sets the pointer to NULL. Not collective. */
LIMBER_API int LimberStudyClose(LimberStudy *study);
/** How many runs the table has. */
LIMBER_API long long limber_study_runs(LimberStudy study);
/** The number of the run in its first row: 0, except for a block of a study. */
LIMBER_API long long limber_study_first(LimberStudy study);
/** How many columns of numbers it has: parameters, how the runs ended, statistics, concurrent values of extremes,
 * error bars. */
LIMBER_API int limber_study_columns(LimberStudy study);
/** The name of a column: let.wind, status, "tip.z max". NULL: there is no such column. */
LIMBER_API const char *limber_study_name(LimberStudy study, int column);
/** The units of a column. NULL: there is no such column. */
LIMBER_API const char *limber_study_units(LimberStudy study, int column);
/** What a column is. */
typedef enum {
  LIMBER_STUDY_PARAMETER = 0,  /**< a value of the model that varies; of words the number of the word */
  LIMBER_STUDY_OUTCOME = 1,    /**< how the run ended */
  LIMBER_STUDY_STATISTIC = 2,  /**< of a channel */
  LIMBER_STUDY_CONCURRENT = 3, /**< value of a channel at an extreme of another */
  LIMBER_STUDY_ERROR = 4,      /**< error bar of a statistic, error of a derivative */
  LIMBER_STUDY_GRADIENT = 5    /**< value of a quantity, or its derivative: "d tip.z@end / d let.length" */
} LimberStudyColumn;
/** What a column is; LIMBER_NONE: there is no such column. */
LIMBER_API int limber_study_kind(LimberStudy study, int column);
/** The column of a name; LIMBER_NONE: there is none. */
LIMBER_API int limber_study_find(LimberStudy study, const char *name);
/** Reads `count` rows of a column from row `first` on. Not collective. */
LIMBER_API int LimberStudyRead(LimberStudy study, int column, long long first, long long count, double *values);
/** The word of a number of the column `status`: finished, no_convergence, ... NULL: there is no such status. */
LIMBER_API const char *limber_study_status(LimberStudy study, int status);
/** For a run that failed: the joint or element that failed, or a message, in `size` bytes with a zero at the end. Not
 * collective. */
LIMBER_API int LimberStudyGetCause(LimberStudy study, long long row, size_t size, char *text);
/** The i-th change of the model file that makes the run of a row, as for LimberFileRead: "let.E=70100000000 Pa". "":
 * there are no more. Not collective. */
LIMBER_API int LimberStudyGetChange(LimberStudy study, long long row, int i, size_t size, char *text);
/** A text about the study: title, model, plan, design or identity; "" if there is none. Not collective. */
LIMBER_API int LimberStudyGetText(LimberStudy study, const char *name, size_t size, char *text);

#ifdef __cplusplus
}
#endif

#endif
