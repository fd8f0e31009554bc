// SPDX-License-Identifier: Apache-2.0
// What took long to compute, kept between processes in files of the user: $LIMBER_CACHE, $XDG_CACHE_HOME/limber or
// ~/.cache/limber. LIMBER_CACHE=off keeps nothing. A file belongs to a key, which it contains: it is used only where all
// its bytes are there and its key is the one that is asked for. Folder and file belong to the user and are no links.
#ifndef LIMBER_FILES_CACHE_H
#define LIMBER_FILES_CACHE_H

#include "model/model.h"

// Values of at most 250 MB; where all take more than 1 GB, those that were used longest ago go.
extern const KeptValues cached_values;

#endif
