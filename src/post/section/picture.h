// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_POST_SECTION_PICTURE_H
#define LIMBER_POST_SECTION_PICTURE_H

#include "post/plot/diagram.h"
#include "post/section/section.h"

// Stiffnesses, centres and principal angles along the span.
void draw_section(const SectionReport *r, const char *title, Diagram *d);

#endif
