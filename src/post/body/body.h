// SPDX-License-Identifier: Apache-2.0
// What `limber body` reports about a reduced body: mass, centre, inertia, interfaces, and its frequencies next to those
// of its mesh.
#ifndef LIMBER_POST_BODY_BODY_H
#define LIMBER_POST_BODY_BODY_H

#include "console/console.h"
#include "mechanics/reduction.h"
#include "model/model.h"

#include <stdio.h>

typedef struct {
  const char *name;
  const Reduction *r;
  const char *interface[REDUCED_INTERFACES]; // nodes of the model
  Inertia inertia;                           // about the mass centre, with s = 0
  Vec3 centre;
  int sets; // of modes: free, and with interfaces held
  ReductionModes modes[2];
} BodyReport;

// The reduced bodies of a model; `held`: names of `holds` interfaces that are clamped in the second set of modes, of a
// body that has some of them; none: all interfaces.
typedef struct {
  int count; // modes
  const char *held[MAX_GIVEN];
  int holds;
} BodyChoices;
// `wrong`: what is wrong, or "".
Error ReportBody(LimberModel m, const ModelMesh *mesh, const BodyChoices *choices, BodyReport *out, char *wrong,
                 size_t size);
// Largest error of the frequencies of a set, as a part of those of the mesh.
double largest_error(const ReductionModes *modes);

void print_body(const BodyReport *r);
void print_body_json(const BodyReport *r, FILE *out);

// A model with one reduced body, from a file with a mesh and the words of the command line. `text`, for memory_free, is
// NULL after a message. `by`: the file that the model is in; NULL: one next to the mesh.
typedef struct {
  const char *file, *by;
  const char *text; // of the file
  size_t length;
} BodyFile;
Error ComposeBody(const Arguments *a, const BodyFile *file, Store *s, char **text, size_t *length);

#endif
