/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Models on some of the ranks of a program that starts MPI itself. The only public header that needs mpi.h. */
#ifndef LIMBER_MPI_H
#define LIMBER_MPI_H

#include <limber/limber.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** LimberModelCreate on the ranks of a communicator, which is duplicated: the model, its runs and their results live
 * there. Models on different communicators can run at the same time. Collective. */
LIMBER_API int LimberModelCreateOn(MPI_Comm comm, LimberModel *model);
/** LimberFileRead on the ranks of a communicator: its first rank reads the file for all of them. Collective. */
LIMBER_API int LimberFileReadOn(MPI_Comm comm, const char *path, const LimberReadOptions *options, LimberFile *file);

#ifdef __cplusplus
}
#endif

#endif
