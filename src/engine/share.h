// SPDX-License-Identifier: Apache-2.0
// Files under MPI: one process reads, all get the text.
#ifndef LIMBER_ENGINE_SHARE_H
#define LIMBER_ENGINE_SHARE_H

#include "input/source.h"

Error SharedRead(const char *path, SourceText *out); // a SourceReader; collective

#endif
