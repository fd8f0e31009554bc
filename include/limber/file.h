/* SPDX-License-Identifier: Apache-2.0
 * Model files, what a run of one records, and results on the disk:
 *
 *   LimberFileRead("swing.yaml", NULL, 0, NULL, &file);
 *   if (limber_file_errors(file)) fputs(limber_file_diagnostics(file), stderr);
 *   LimberFileStart(file, &run);
 *   LimberRecordCreate(file, &record);
 *   while (limber_run_time(run) < limber_file_end(file)) {
 *     LimberRunStep(run, &outcome);
 *     LimberRecordRow(record, run, &outcome, row);
 *   }
 *
 * The file outlives its runs and records. */
#ifndef LIMBER_FILE_H
#define LIMBER_FILE_H

#include <limber/limber.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LimberFileData *LimberFile;
typedef struct LimberRecordData *LimberRecord;
typedef struct LimberResultsData *LimberResults;

/* Reads a model file (docs/model.md); with `text` that in its place, as if it stood in a file of that name. Changes such as
 * "run.step=1ms" give fields other values. A file that cannot be read is a mistake, too. */
LIMBER_API int LimberFileRead(const char *path, const char *text, int changes, const char *const *change,
                              LimberFile *file);
LIMBER_API int LimberFileDestroy(LimberFile *file);
LIMBER_API int limber_file_errors(LimberFile file); /* 0: the model may be run */
LIMBER_API const char *limber_file_diagnostics(
    LimberFile file); /* "", or mistakes and warnings as limber check prints them */
LIMBER_API LimberModel limber_file_model(LimberFile file); /* NULL if there are mistakes */
LIMBER_API void limber_file_options(LimberFile file, LimberOptions *options);
LIMBER_API double limber_file_end(LimberFile file);      /* s */
LIMBER_API long long limber_file_steps(LimberFile file); /* up to the end; 0: the run chooses its steps */
/* LimberRunCreate with the options of the file. NULL if the run cannot start: limber_model_diagnostics says why. */
LIMBER_API int LimberFileStart(LimberFile file, LimberRun *run);

/* The columns of the history that limber run writes (docs/results.md): time, ledger.kinetic, tip.position.x ... */
LIMBER_API int LimberRecordCreate(LimberFile file, LimberRecord *record);
LIMBER_API int LimberRecordDestroy(LimberRecord *record);
LIMBER_API int limber_record_columns(LimberRecord record);
LIMBER_API const char *limber_record_name(LimberRecord record, int column); /* valid until the next call */
LIMBER_API const char *limber_record_units(LimberRecord record, int column);
/* The numbers of all columns: at the start with `step` NULL, then after every step. */
LIMBER_API int LimberRecordRow(LimberRecord record, LimberRun run, const LimberOutcome *step, double *row);

/* What limber run writes. It is created before the first step and told of every step. */
LIMBER_API int LimberResultsCreate(LimberFile file, LimberRun run, const char *path, LimberResults *results);
LIMBER_API int LimberResultsStep(LimberResults results, LimberRun run, const LimberOutcome *step);
/* complete: 1 if the run came to its end. */
LIMBER_API int LimberResultsClose(LimberResults *results, LimberRun run, int complete);

#ifdef __cplusplus
}
#endif

#endif
