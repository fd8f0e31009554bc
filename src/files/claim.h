// SPDX-License-Identifier: Apache-2.0
// Results are written in place, so that they can be read while a run writes them. Who writes a file has claimed it: by
// an advisory lock of the system on the file itself, which ends with the process, however that ends, and leaves nothing
// behind.
//
// The lock is one of an open file description (fcntl, F_OFD_SETLK): a lock of the process would be lost when HDF5
// closes the file in between. It lies far behind the bytes of the file, where it meets neither HDF5's own locks (flock)
// nor those of MPI-IO, and other programs can read the file. Its length says who holds it.
#ifndef LIMBER_FILES_CLAIM_H
#define LIMBER_FILES_CLAIM_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>

// Claims the results file, which is created empty where there is none. False: another run writes it, or it cannot be
// written; `wrong` says so. A file that this process has claimed and does not write yet is claimed again.
bool claim_take(const char *path, Refusal *wrong);
// The same, and from now on it is written, until claim_release.
bool claim_begin(const char *path, Refusal *wrong);
void claim_release(const char *path);
// In a process that was forked: the files are claimed by the other one alone.
void claims_abandon(void);
// Gives up what was claimed and never written; a file that was created for it goes.
void claim_drop_unused(void);
// Whether the file that is written is still the one that bears its name: nobody moved, removed or replaced it.
bool claim_is_intact(const char *path);
// Whether a process writes this file: of what is about to change others. `wrong` says which.
bool claim_is_held(const char *path, Refusal *wrong);

#endif
