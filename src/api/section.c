// SPDX-License-Identifier: Apache-2.0
// The public interface to centres and principal axes of sections.
#include "mechanics/section_matrix.h"

bool limber_section_frame(const LimberSection *section, LimberSectionFrame *frame) {
  return section_frame(section, frame);
}
