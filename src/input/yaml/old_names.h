// SPDX-License-Identifier: Apache-2.0
// Names of model files that have changed: the old ones work in this version, with a warning.
#ifndef LIMBER_INPUT_YAML_OLD_NAMES_H
#define LIMBER_INPUT_YAML_OLD_NAMES_H

#include "input/diagnostic.h"

typedef struct Reader Reader;

// The name that a kind or a field has now, or NULL: it never had another.
const char *new_name_of_kind(const char *name);
const char *new_name_of_field(const char *name);
// Warns once of each old name.
Error WarnAboutOldName(Reader *r, SourceLocation at, const char *name, const char *now);

#endif
