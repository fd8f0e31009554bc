/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Limber: flexible multibody dynamics with schemes that never create energy. This header has all of the public
 * interface but limber/mpi.h.
 *
 * A program builds a model, runs it and reads states:
 *
 *     LimberInitialize(&argc, &argv);
 *     LimberModelCreate(&model);
 *     LimberModelAddFrame(model, "bob", (double[]){1, 0, 0}, NULL, &bob);
 *     LimberRigidBody body = limber_rigid_body_default();
 *     body.node = bob, body.mass = 1;
 *     LimberModelAddRigidBody(model, "bob", &body, NULL);
 *     LimberOptions options = limber_options_default();
 *     LimberRunCreate(model, &options, &run);
 *     if (!run) fputs(limber_model_error(model), stderr);
 *     while (!LimberRunStep(run, &outcome) && outcome.reason == LIMBER_CONVERGED && outcome.time < 1) ...
 *
 * **Structures.** Each begins with its default function, which has the name of the structure: `limber_beam_default()`,
 * `limber_modes_options_default()`. Options that were not made so are refused.
 *
 * **Errors** have three channels. A function returns 0 or an error code (LimberErrorCode) if the machine or the
 * program is at fault; the message is on stderr and in limber_error. A mistake in the model is a diagnostic:
 * limber_model_diagnostics returns all of them. LimberOutcome reports whether a step converged and, if not, why. The
 * first error code of a call that builds a model or starts an analysis of it sticks: further such calls do nothing and
 * return it, so that limber_model_error is the only check that a program needs.
 *
 * **Ranks and threads.** Functions that return an error code (`LimberRunStep`) are collective over the ranks of the
 * model's communicator, unless they say otherwise: every rank calls them in the same order and builds the same model.
 * Functions that return a value (`limber_run_time`) concern the calling rank only. One thread at a time may call the
 * library.
 *
 * **Ownership.** What a function ...Create, ...Open or ...Read makes belongs to the program and is destroyed by
 * ...Destroy or ...Close, which set the pointer to NULL. Texts and arrays that a program passes are copied. Texts that
 * a function returns belong to the object that was asked. Everything is SI. */
#ifndef LIMBER_H
#define LIMBER_H

#include <limber/adders.h>
#include <limber/analysis.h>
#include <limber/blade.h>
#include <limber/campbell.h>
#include <limber/catalogue.h>
#include <limber/converge.h>
#include <limber/describe.h>
#include <limber/fit.h>
#include <limber/floquet.h>
#include <limber/fmu.h>
#include <limber/gradient.h>
#include <limber/ids.h>
#include <limber/linearize.h>
#include <limber/model.h>
#include <limber/modes.h>
#include <limber/optimize.h>
#include <limber/ports.h>
#include <limber/repeat.h>
#include <limber/response.h>
#include <limber/results.h>
#include <limber/section.h>
#include <limber/stability.h>
#include <limber/study.h>
#include <limber/version.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Error codes that a program may want to distinguish. Others are those of PETSc. */
typedef enum {
  LIMBER_OK = 0,                 /**< no error */
  LIMBER_ERROR_MEMORY = 55,      /**< there is no more memory */
  LIMBER_ERROR_ARGUMENT = 63,    /**< an argument is out of range, or a structure is not that of its kind */
  LIMBER_ERROR_FILE_OPEN = 65,   /**< a file cannot be opened */
  LIMBER_ERROR_FILE_READ = 66,   /**< a file cannot be read */
  LIMBER_ERROR_FILE_WRITE = 67,  /**< a file cannot be written: a disk may be full */
  LIMBER_ERROR_WRONG_STATE = 73, /**< this call is not possible now: it comes too early or too late */
  LIMBER_ERROR_LIBRARY = 76,     /**< another library failed */
  LIMBER_ERROR_PROGRAM = 77      /**< an error of Limber itself */
} LimberErrorCode;

/** Starts MPI, PETSc and SLEPc, unless the program has started them. argc and argv may be NULL; words behind the
 * program's own are options of PETSc, and those of Limber's solvers begin with `-limber_`. */
LIMBER_API int LimberInitialize(int *argc, char ***argv);
/** Ends what LimberInitialize started, and nothing else. */
LIMBER_API int LimberFinalize(void);
/** The number of processes that mpiexec started. */
LIMBER_API int limber_ranks(void);
/** The number of this process among them, from 0. */
LIMBER_API int limber_rank(void);
/** Compares `what` and `key` on all processes, and returns an error on each if they differ. Call it on all processes
 * before a collective call, so that processes that do different things get an error and do not wait for each other
 * forever. */
LIMBER_API int LimberAgree(const char *what, unsigned key);
/** Ends all processes with this exit code, if one of them cannot continue. */
LIMBER_API void limber_abort(int code);
/** The version of the library, such as "0.1.0"; that of the headers is in limber/version.h. */
LIMBER_API const char *limber_version(void);
/** The size of a public structure in the library, by its name: limber_sizeof("LimberOutcome"). 0: there is none of that
 * name. A program in another language compares it with its own. */
LIMBER_API size_t limber_sizeof(const char *structure);
/** The message of the last function that returned an error code; "" if none did. */
LIMBER_API const char *limber_error(void);
/** Whether error messages are also printed to stderr. At first they are. */
LIMBER_API void limber_error_print(bool on);

#ifdef __cplusplus
}
#endif

#endif
