// SPDX-License-Identifier: Apache-2.0
// System structures (SSP) that `limber couple` reads and writes.
#ifndef LIMBER_APP_COUPLE_SSP_H
#define LIMBER_APP_COUPLE_SSP_H

#include "app/couple.h"
#include "input/yaml/source.h"
#include "model/refusal.h"

typedef struct {
  char system[4300]; // the name of the system's file within the archive
  int ignored;       // connections to connectors of the system itself
  bool has_end;
} SspInfo;

bool is_ssp(const char *path);
// Opens the archive; SspSource then reads the system's file and the FMUs from it, until it is closed.
Error SspOpen(const char *path, SspInfo *info, Refusal *wrong);
Error SspSource(const char *path, const SourceRule *rule, SourceText *out);
Error SspClose(void);

// Writes the system that was read, its models as FMUs. `wrong`: "", or why it cannot be written.
PetscErrorCode SspWrite(const Couple *c, const char *path, Refusal *wrong);

#endif
