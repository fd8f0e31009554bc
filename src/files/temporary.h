// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_FILES_TEMPORARY_H
#define LIMBER_FILES_TEMPORARY_H

#include <stdbool.h>

// A folder for temporary files: TMPDIR or /tmp, if it is there, takes new files and has a name of moderate length; else the first
// of some others that does, the present folder last. It is valid until the next call.
const char *temporary_folder(void);
// Whether that is not the one that other programs would take.
bool temporary_folder_differs(void);

#endif
