// SPDX-License-Identifier: Apache-2.0
// Surfaces that can meet no other surface of their contact: they fall through each other without a word.
#include "input/lint/lint.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/surface.h"

enum { MOST_PAIRS = 1000000 };

// Why a surface meets none of a contact; NULL: it meets one, or is not part of it. `other`: one that it never meets.
static const char *meets_none(Model m, const ModelContact *c, int surface, int *pairs, int *other) {
  const ModelSurface *s = model_surface(m, surface);
  const char *why = NULL;
  if (c->members[surface] == 3 && s->count && model_point(m, s->first)->itself > 0) return NULL;
  for (int b = 0; b < c->count && *pairs < MOST_PAIRS; b++, ++*pairs) {
    const char *apart = model_contact_joins(c, surface, b) ? model_surfaces_apart(m, surface, b) : NULL;
    if (model_contact_joins(c, surface, b) && !apart) return NULL;
    if (apart && !why) why = apart, *other = b;
  }
  return *pairs < MOST_PAIRS ? why : NULL;
}

Error WarnAboutMeetings(Reader *r, const ModelLocations *at) {
  const LimberModel m = r->model;
  (void)at;
  const Names *contacts = part_names(r, &part_contacts);
  for (int i = 0, pairs = 0; i < contacts->count && pairs < MOST_PAIRS; i++) {
    if (contacts->name[i].id < 0 || contacts->name[i].id >= m->contacts.count) continue;
    const ModelContact *c = model_contact(m, contacts->name[i].id);
    for (int a = 0, other = 0, told = false; a < c->count && !told && pairs < MOST_PAIRS; a++) {
      const char *why = meets_none(m, c, a, &pairs, &other);
      if (!why) continue;
      TRY(ReportWarning(r, contacts->name[i].at, "'%s' meets no other surface of this contact, not even '%s': %s",
                        surface_name(model_surface(m, a)), surface_name(model_surface(m, other)), why));
      told = true;
    }
  }
  return 0;
}
