// SPDX-License-Identifier: Apache-2.0
// The part `contacts`: which surfaces touch each other, and how.
#include "input/yaml/components.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "model/model.h"

static bool contact_kind(int i, Kind *out) {
  if (i > 0) return false;
  *out = (Kind){"contact", contact_help, &contact_fields};
  return true;
}

static Error ReadContacts(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_contacts, list, &r->contacts);
}

const Part part_contacts = {.key = "contacts",
                            .one = "contact",
                            .form = PART_LIST,
                            .kind = contact_kind,
                            .add = ModelAddContact,
                            .named = true,
                            .scoped = true,
                            .read = ReadContacts};
