/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Model files, what a run of one records, results on the disk, and results read back:
 *
 *     LimberFileRead("swing.yaml", NULL, &file);
 *     if (limber_file_errors(file)) fputs(limber_file_diagnostics(file), stderr);
 *     LimberFileStart(file, &run);
 *     LimberRecordCreate(file, &record);
 *     while (limber_run_time(run) < limber_file_end(file)) {
 *       LimberRunStep(run, &outcome);
 *       LimberRecordRow(record, run, &outcome, row);
 *     }
 *
 * The file outlives its runs and records. */
#ifndef LIMBER_RESULTS_H
#define LIMBER_RESULTS_H

#include <limber/analysis.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model file that was read. */
typedef struct LimberFileData *LimberFile;
/** The columns of a run's history. */
typedef struct LimberRecordData *LimberRecord;
/** Results that are being written. */
typedef struct LimberResultsData *LimberResults;
/** Results that are read back. */
typedef struct LimberHistoryData *LimberHistory;

/** How a model file is read. A program starts from limber_read_options_default. */
typedef struct {
  int cookie;                /**< the mark of limber_read_options_default: leave it */
  const char *text;          /**< read in place of the file, as if it were its content; NULL: the file */
  int changes;               /**< how many fields get other values */
  const char *const *change; /**< such as "run.step=1ms" */
  bool allow_outside;        /**< files that the model names may be outside of its folder (docs/safety.md) */
  bool allow_library;        /**< control blocks may load shared libraries, which can do all that the program can */
} LimberReadOptions;
/** The file itself, without changes; neither files outside of its folder nor shared libraries. */
LIMBER_API LimberReadOptions limber_read_options_default(void);

/** Reads a model file (docs/model.md); options NULL: the defaults. A file that cannot be read is a mistake, too:
 * limber_file_errors counts them. Collective. */
LIMBER_API int LimberFileRead(const char *path, const LimberReadOptions *options, LimberFile *file);
/** Frees a file with its model and sets the pointer to NULL. Collective. */
LIMBER_API int LimberFileDestroy(LimberFile *file);
/** How many mistakes there are; 0: the model may be run. */
LIMBER_API int limber_file_errors(LimberFile file);
/** "", or mistakes and warnings as limber check prints them. */
LIMBER_API const char *limber_file_diagnostics(LimberFile file);
/** The model; NULL if there are mistakes. It belongs to the file. */
LIMBER_API LimberModel limber_file_model(LimberFile file);
/** The options of the run that the file asks for. */
LIMBER_API LimberOptions limber_file_options(LimberFile file);
/** The end of the run that the file asks for, s. */
LIMBER_API double limber_file_end(LimberFile file);
/** Steps up to the end; 0: the run chooses its steps. */
LIMBER_API long long limber_file_steps(LimberFile file);
/** LimberRunCreate with the options of the file. NULL if the run cannot start: limber_model_diagnostics says why.
 * Collective. */
LIMBER_API int LimberFileStart(LimberFile file, LimberRun *run);
/** Begins the static analysis of the file in place of its run; its records and results are from now on those of that.
 * Collective. */
LIMBER_API int LimberFileStartStatic(LimberFile file, LimberRun *run);

/** Writes the model as an FMU (docs/fmu.md), which other programs run together with theirs; `version` of the standard:
 * 2 or 3. `overwrite`: also over a file that is not an FMU of Limber. A model that cannot be one gives an error code:
 * limber_error says why. Collective. */
LIMBER_API int LimberFileWriteFmu(LimberFile file, const char *path, int version, bool overwrite);

/** Makes the columns of the history that limber run writes (docs/results.md): time, ledger.kinetic, tip.position.x ...
 * Collective. */
LIMBER_API int LimberRecordCreate(LimberFile file, LimberRecord *record);
/** Frees a record and sets the pointer to NULL. Collective. */
LIMBER_API int LimberRecordDestroy(LimberRecord *record);
/** How many columns there are. */
LIMBER_API int limber_record_columns(LimberRecord record);
/** The name of a column, valid until the next call. */
LIMBER_API const char *limber_record_name(LimberRecord record, int column);
/** The units of a column, valid until the next call. */
LIMBER_API const char *limber_record_units(LimberRecord record, int column);
/** The numbers of all columns: at the start with `step` NULL, then after every step. Collective. */
LIMBER_API int LimberRecordRow(LimberRecord record, LimberRun run, const LimberOutcome *step, double *row);
/** Saves what a record remembers between rows: full turns of angles, extremes, counts of steps. Save and restore it
 * together with its run (LimberRunSave, which says who owns `*state`). Each rank for itself. */
LIMBER_API int LimberRecordSave(LimberRecord record, void **state, size_t *size);
/** Takes a record back to that. A state of another record gives an error code. Each rank for itself. */
LIMBER_API int LimberRecordRestore(LimberRecord record, const void *state, size_t size);

/** How a run ended. */
typedef enum {
  LIMBER_INTERRUPTED = 0, /**< before its end */
  LIMBER_COMPLETE = 1     /**< at its end */
} LimberRunEnd;

/** Creates the file that `limber run` writes; /dev/null keeps nothing. Call it before the first step, and
 * LimberResultsStep after every step. `overwrite`: also over a file that Limber did not write, which it knows by its
 * content. Files that the model was read from, and results that a run is writing, are never overwritten. The same on
 * all ranks. Collective. */
LIMBER_API int LimberResultsCreate(LimberFile file, LimberRun run, const char *path, bool overwrite,
                                   LimberResults *results);
/** Writes what is due after a step. NULL in place of the step, before the first: writes the row of the start again, after
 * LimberPortsStart. Collective. */
LIMBER_API int LimberResultsStep(LimberResults results, LimberRun run, const LimberOutcome *step);
/** Writes what is left, closes the file and sets the pointer to NULL. Collective. */
LIMBER_API int LimberResultsClose(LimberResults *results, LimberRun run, LimberRunEnd end);

/** Opens the results of a run, also of one that is still writing them. It needs no LimberInitialize, and each rank
 * reads for itself. A file that is not the result of a run is an error code; limber_error says what it is. */
LIMBER_API int LimberHistoryOpen(const char *path, LimberHistory *history);
/** Closes the file and sets the pointer to NULL. Not collective. */
LIMBER_API int LimberHistoryClose(LimberHistory *history);
/** How many rows (times) the history has. */
LIMBER_API int limber_history_rows(LimberHistory history);
/** How many columns it has; column 0 is the time. */
LIMBER_API int limber_history_columns(LimberHistory history);
/** The name of a column in full: tip.position.x. NULL: there is no such column. */
LIMBER_API const char *limber_history_name(LimberHistory history, int column);
/** The units of a column: m. NULL: there is no such column. */
LIMBER_API const char *limber_history_units(LimberHistory history, int column);
/** The column of a name, in full or short (tip.x); LIMBER_NONE: there is none, and limber_error proposes others. A name
 * that means several columns, as tip.position, gives the first of them. */
LIMBER_API int limber_history_find(LimberHistory history, const char *name);
/** The error bar of a column, for a run that has some (docs/error_bars.md): `of` is "history" for the largest error of
 * all values, or "end", "min", "max", "mean", "rms". NAN: there is none. */
LIMBER_API double limber_history_error(LimberHistory history, int column, const char *of);
/** Reads `count` rows of a column from row `first` on. Not collective. */
LIMBER_API int LimberHistoryRead(LimberHistory history, int column, int first, int count, double *values);

#ifdef __cplusplus
}
#endif

#endif
