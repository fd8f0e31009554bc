// SPDX-License-Identifier: Apache-2.0
// Libraries are asked through weak names, so that one list serves every build: a name that no library brings is NULL.
#ifndef LIMBER_APP_LICENSES_H
#define LIMBER_APP_LICENSES_H

#include <stddef.h>

#define WEAK __attribute__((weak))

// Versions of libraries that are there.
#define LIBRARY(name, licence, function, version) void version_##version(char *text, size_t size);
#define PART(name, licence, version, file)
#include "app/licenses.def"
#undef LIBRARY
#undef PART

#endif
