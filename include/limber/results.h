/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Model files, what a run of one records, results on the disk, and results read back:
 *
 *     LimberFileRead("swing.yaml", NULL, 0, NULL, &file);
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

/** Reads a model file (docs/model.md); with `text` that in its place, as if it stood in a file of that name. Changes such as
 * "run.step=1ms" give fields other values. A file that cannot be read is a mistake, too. */
LIMBER_API int LimberFileRead(const char *path, const char *text, int changes, const char *const *change,
                              LimberFile *file);
/** Whether the files that a model names (included files, tables, meshes) may be outside of the folder of the model file, for all
 * files that are read from here on. At first they may not (docs/safety.md). Gives what was set before. */
LIMBER_API int limber_files_allow_outside(int allow);
/** Whether control blocks of a model may load shared libraries, which can do all that the program can (docs/control.md), for all
 * files that are read from here on. At first they may not. Gives what was set before. */
LIMBER_API int limber_files_allow_library(int allow);
/** Frees a file with its model and makes the pointer NULL. */
LIMBER_API int LimberFileDestroy(LimberFile *file);
/** How many mistakes there are; 0: the model may be run. */
LIMBER_API int limber_file_errors(LimberFile file);
/** "", or mistakes and warnings as limber check prints them. */
LIMBER_API const char *limber_file_diagnostics(LimberFile file);
/** The model; NULL if there are mistakes. It belongs to the file. */
LIMBER_API LimberModel limber_file_model(LimberFile file);
/** The options of the run that the file asks for. */
LIMBER_API void limber_file_options(LimberFile file, LimberOptions *options);
/** The end of the run that the file asks for, s. */
LIMBER_API double limber_file_end(LimberFile file);
/** Steps up to the end; 0: the run chooses its steps. */
LIMBER_API long long limber_file_steps(LimberFile file);
/** LimberRunCreate with the options of the file. NULL if the run cannot start: limber_model_diagnostics says why. */
LIMBER_API int LimberFileStart(LimberFile file, LimberRun *run);
/** Begins the static analysis of the file in place of its run; its records and results are from now on those of that. */
LIMBER_API int LimberFileStartStatic(LimberFile file, LimberRun *run);

/** Makes the columns of the history that limber run writes (docs/results.md): time, ledger.kinetic, tip.position.x ... */
LIMBER_API int LimberRecordCreate(LimberFile file, LimberRecord *record);
/** Frees a record and makes the pointer NULL. */
LIMBER_API int LimberRecordDestroy(LimberRecord *record);
/** How many columns there are. */
LIMBER_API int limber_record_columns(LimberRecord record);
/** The name of a column, valid until the next call. */
LIMBER_API const char *limber_record_name(LimberRecord record, int column);
/** The units of a column, valid until the next call. */
LIMBER_API const char *limber_record_units(LimberRecord record, int column);
/** The numbers of all columns: at the start with `step` NULL, then after every step. */
LIMBER_API int LimberRecordRow(LimberRecord record, LimberRun run, const LimberOutcome *step, double *row);
/** Saves what a record remembers between rows: full turns of angles, extremes, counts of steps. Save and restore it together with its run
 * (LimberRunSave, which says who owns `*state`). Each rank for itself. */
LIMBER_API int LimberRecordSave(LimberRecord record, void **state, size_t *size);
/** Takes a record back to that. A state of another record gives an error code. Each rank for itself. */
LIMBER_API int LimberRecordRestore(LimberRecord record, const void *state, size_t size);

/** How a run ended. */
typedef enum {
  LIMBER_INTERRUPTED = 0, /**< before its end */
  LIMBER_COMPLETE = 1     /**< at its end */
} LimberRunEnd;

/** Whether functions that write a file may overwrite one that Limber did not write, which they know by its content; 0 at the
 * start. Files that the model was read from, and results that a run is writing, are never overwritten. Same on all ranks. */
LIMBER_API void limber_overwrite(int on);
/** Makes a file of what limber run writes; /dev/null keeps nothing. It is created before the first step and told of every step. */
LIMBER_API int LimberResultsCreate(LimberFile file, LimberRun run, const char *path, LimberResults *results);
/** Writes what is due after a step. */
LIMBER_API int LimberResultsStep(LimberResults results, LimberRun run, const LimberOutcome *step);
/** Writes what is left, closes the file and makes the pointer NULL. */
LIMBER_API int LimberResultsClose(LimberResults *results, LimberRun run, LimberRunEnd end);

/** Opens the results of a run, also of one that is still writing them. It needs no LimberInitialize, and each rank reads for
 * itself. A file that is not the result of a run is an error code; limber_error says what it is. */
LIMBER_API int LimberHistoryOpen(const char *path, LimberHistory *history);
/** Closes the file and makes the pointer NULL. */
LIMBER_API int LimberHistoryClose(LimberHistory *history);
/** How many rows (times) the history has. */
LIMBER_API int limber_history_rows(LimberHistory history);
/** How many columns it has; column 0 is the time. */
LIMBER_API int limber_history_columns(LimberHistory history);
/** The name of a column in full: tip.position.x. NULL: there is no such column. */
LIMBER_API const char *limber_history_name(LimberHistory history, int column);
/** The units of a column: m. NULL: there is no such column. */
LIMBER_API const char *limber_history_units(LimberHistory history, int column);
/** The column of a name, in full or short (tip.x); LIMBER_NONE: there is none, and limber_error proposes others. A name that
 * means several columns, as tip.position, gives the first of them. */
LIMBER_API int limber_history_find(LimberHistory history, const char *name);
/** Reads `count` rows of a column from row `first` on. */
LIMBER_API int LimberHistoryRead(LimberHistory history, int column, int first, int count, double *values);

#ifdef __cplusplus
}
#endif

#endif
