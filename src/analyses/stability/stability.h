// SPDX-License-Identifier: Apache-2.0
// Searches for the value of a parameter at which an equilibrium becomes unstable: from eigenvalues of small motions,
// first in a scan, then between the last stable and the first unstable value.
#ifndef LIMBER_ANALYSES_STABILITY_STABILITY_H
#define LIMBER_ANALYSES_STABILITY_STABILITY_H

#include "analyses/modes/modes.h"
#include "analyses/statics/operating_point.h"
#include "input/input.h"
#include "limber/stability.h"
#include "model/refusal.h"

// What is varied: a model file, and how files that it includes are read.
typedef struct {
  const Input *in;
  SourceReader read;
  LimberStabilityOptions options;
} StabilityProblem;

// The model at one value of the parameter, its equilibrium and its modes.
typedef struct {
  double value;
  Input *in;
  OperatingPoint point;
  Modes *modes;
  int unstable;   // the mode that grows most; -1: none
  int passing;    // how many of the first modes are so close to zero that round-off decides whether they grow
  int doubtful;   // the mode that may grow at the largest rate within the error of its eigenvalue; -1: none
  bool conserves; // no forces depend on velocity except Coriolis forces: frequencies meet before a mode grows
} Sample;

// `reference`: a sample before the crossing, whose free motions are also free here; NULL: none. `wrong`: "", or why
// there are no modes at that value; then *out is empty. sample.c
PetscErrorCode SampleTake(const StabilityProblem *p, double value, const Sample *reference, Sample *out,
                          Refusal *wrong);
PetscErrorCode SampleDestroy(Sample *s);
// Whether two samples have the same nodes, elements and joints, so that their shapes can be compared.
bool samples_are_comparable(const Sample *a, const Sample *b);

// Motions without stiffness that had some in the reference pass zero: turns them into modes again, before all others.
// passing.c
PetscErrorCode SampleKeepPassing(Sample *s, const Sample *reference);

// A function of the parameter that passes zero where stability is lost, smooth around there and positive before.
// crossing.c
typedef struct {
  LimberInstability kind;
  double omega; // rad/s, near which the mode is searched for
  bool rounds;  // a growth rate within its error counts as zero
} CrossingFunction;
CrossingFunction crossing_function(const Sample *stable, const Sample *unstable);
double crossing_value(const CrossingFunction *f, const Sample *s);
// The error of that value, from the error of the mode's eigenvalue; 0 for frequencies that meet.
PetscErrorCode CrossingError(const CrossingFunction *f, const Sample *s, int mode, double *out);
// rad/s of the mode that becomes unstable, from the sample nearest to the crossing.
double crossing_frequency(const CrossingFunction *f, const Sample *s);

struct LimberStabilityData {
  LimberStabilityOptions options;
  LimberCrossing crossing;
  Sample critical;   // next to the crossing, on its unstable side; empty: there is none
  int critical_mode; // the mode that grows there
  int rows, room, modes;
  double *value;       // of each row
  double (*lambda)[2]; // rows x modes
  char remarks[2048];
};

// Adds a row: the modes of a sample in the order of the modes that they continue. `before`: the previous sample, NULL
// at first. `order`: for each mode that is followed its number in the sample (-1: none), of the previous row on entry
// and of this row on return. sample.c
PetscErrorCode StabilityAddRow(LimberStability f, const Sample *before, const Sample *s, int *order);

// search.c
PetscErrorCode StabilitySearch(const StabilityProblem *p, LimberStability *out, Refusal *wrong);
PetscErrorCode StabilityDestroy(LimberStability *f);

#endif
