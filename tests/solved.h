// SPDX-License-Identifier: Apache-2.0
// A section that a test solves on a mesh of its plane, with the memory that this takes.
#ifndef LIMBER_TESTS_SOLVED_H
#define LIMBER_TESTS_SOLVED_H

#include "mechanics/cross_section.h"
#include "mechanics/shape.h"
#include "mechanics/section_matrix.h"

typedef struct {
  PlaneMesh mesh;
  CrossSection solution;
  LimberSection section;
  SectionFrame frame;
  PlaneMaterial material; // where the section has one
  Outline outline;
  void *memory[64];
  int pieces;
} Solved;

void *solved_allocate(void *self, size_t size); // of an Allocator whose self is a Solved; not zero
void solved_release(Solved *s);

#endif
