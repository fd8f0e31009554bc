// SPDX-License-Identifier: Apache-2.0
// A file that one rank reads for all.
#ifndef LIMBER_RESULTS_SHARED_FILE_H
#define LIMBER_RESULTS_SHARED_FILE_H

#include "input/yaml/source.h"

Error ReadOnAllRanks(const char *path, SourceText *out); // a SourceReader; collective

#endif
