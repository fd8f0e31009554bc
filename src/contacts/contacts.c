// SPDX-License-Identifier: Apache-2.0
#include "mechanics/contact.h"

#include <string.h>

#define CONTACT(name) extern const GapKind gap_##name;
#include "contacts/contacts.def"
#undef CONTACT

#define CONTACT(name) &gap_##name,
const GapKind *const gap_kinds[] = {
#include "contacts/contacts.def"
    NULL};
#undef CONTACT

const GapKind *gap_find(const char *name) {
  for (int i = 0; gap_kinds[i]; i++)
    if (!strcmp(gap_kinds[i]->name, name)) return gap_kinds[i];
  return NULL;
}
