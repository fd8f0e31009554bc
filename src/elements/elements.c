// SPDX-License-Identifier: Apache-2.0
#include "mechanics/element.h"

#define ELEMENT(name, Name) extern const ElementKind element_##name;
#include "elements/elements.def"
#undef ELEMENT

#define ELEMENT(name, Name) &element_##name,
const ElementKind *const element_kinds[] = {
#include "elements/elements.def"
    NULL};
#undef ELEMENT
