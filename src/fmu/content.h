// SPDX-License-Identifier: Apache-2.0
// What is in an FMU that Limber writes.
#ifndef LIMBER_FMU_CONTENT_H
#define LIMBER_FMU_CONTENT_H

#include "analyses/linearize/linear_model.h"
#include "fmu/archive.h"
#include "input/input.h"
#include "model/refusal.h"

#include <petscsys.h>

// ---- the description ----

typedef struct {
  const char *name, *unit; // "": a pure number, or not known
  const char *description; // or NULL
  double start;            // of outputs and rates: not used
} FmuVariable;

// Value references are counted from 1 over all lists; 0 is the time.
enum { FMU_PARAMETERS, FMU_INPUTS, FMU_OUTPUTS, FMU_STATES, FMU_RATES, FMU_LISTS };

typedef struct {
  FmuVariable *item;
  int count;
} FmuList;

typedef struct {
  const Input *in;
  const LinearModel *linear; // or NULL: a run
  int version;
  const char *title;
  const char *identifier; // of the module: letters, digits and '_'
  const char *token;
  FmuList list[FMU_LISTS];
} FmuDescription;

// modelDescription.xml.
Error DescribeFmu(const FmuDescription *d, FILE *out);

// ---- what both kinds of FMUs have (content.c) ----

typedef struct {
  FmuDescription d;
  Store store;
} FmuContent;

typedef struct {
  const char *module;                                                  // its library
  bool runs;                                                           // the library needs Limber
  Error (*print)(const FmuContent *c, const char *library, FILE *out); // resources/limber.txt
  Error (*add)(const FmuContent *c, ZipWriter *z);                     // its other files
} FmuKind;

extern const bool fmu_contains_limber;

bool fmu_is_plain_name(const char *name);    // of a file below the folder of the model
const char *fmu_model_name(const Input *in); // of the model file in the FMU
Error FmuAddVariable(FmuContent *c, int list, const FmuVariable *v);
// Refuses names that occur twice or have several lines.
Error FmuCheckNames(FmuContent *c, Refusal *wrong);
// The same for the same files, changes, bytes and version of Limber.
Error FmuMakeToken(FmuContent *c, const void *bytes, size_t size);
Error FmuMakeIdentifier(FmuContent *c, const char *ending);
// Writes the file on the first rank, if nothing is wrong, and frees the content. `error`: so far, on this rank.
PetscErrorCode FmuFinish(MPI_Comm comm, FmuContent *c, const FmuKind *kind, const char *path, PetscErrorCode error,
                         Refusal *wrong);

#endif
