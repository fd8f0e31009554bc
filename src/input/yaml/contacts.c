// SPDX-License-Identifier: Apache-2.0
// The part `contacts`: which surfaces touch each other, and how.
#include "input/yaml/components.h"
#include "input/yaml/form.h"
#include "input/yaml/lookup.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/model.h"

#include <string.h>

static bool contact_kind(int i, Kind *out) {
  if (i > 0) return false;
  *out = (Kind){"contact", contact_help, &contact_fields};
  return true;
}

// A field that says nothing beside others: warned of where it is written.
typedef struct {
  const char *field;
  bool idle;
  const char *why;
} Idle;

// Whether surfaces that were given wrongly are missing, so that those left do not meet: their mistakes have been noted.
static bool lacks_surfaces(const Reader *r) {
  enum { MOST = 100 };
  bool broken = false, meet = r->model->surfaces.count > MOST;
  for (int i = 0; i < part_names(r, &part_surfaces)->count; i++)
    broken = broken || part_names(r, &part_surfaces)->name[i].id == BROKEN;
  for (int a = 0; a < r->model->surfaces.count && broken && !meet; a++)
    for (int b = a + 1; b < r->model->surfaces.count && !meet; b++) meet = !model_surfaces_apart(r->model, a, b);
  return broken && !meet;
}

// The default of a restitution is 1, and 0 without penetration.
static Error CompleteContact(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  LimberContact *p = form->out;
  bool hard = p->penetration == LIMBER_PENETRATION_NONE, rubs = form_given(form, "friction");
  (void)kind, (void)name, (void)at;
  if (!p->nsurfaces && !p->nwith && lacks_surfaces(r)) *good = false;
  if (hard && !form_given(form, "restitution")) p->restitution = 0;
  const Idle idle[] = {
      {"slip_speed", !rubs, "there is no `friction`"},
      {"stick_stiffness", !rubs, "there is no `friction`"},
      {"stick_damping", !rubs, "there is no `friction`"},
      {"slip_speed", rubs && p->stick_stiffness > 0, "with `stick_stiffness` friction is not regularised"},
      {"stick_damping", rubs && !form_given(form, "stick_stiffness"), "there is no `stick_stiffness`"},
      {"rest_speed", hard, "without penetration there is no damper"},
      {"rest_speed", !hard && !form_given(form, "restitution"), "the restitution is 1, which needs no damper"},
  };
  for (size_t i = 0; i < sizeof idle / sizeof *idle && *good; i++)
    if (idle[i].idle && form_good(form, idle[i].field))
      TRY(ReportWarning(r, tree_find(fields, idle[i].field)->at, "`%s` has no effect here: %s", idle[i].field,
                        idle[i].why));
  return 0;
}

static Error ReadContacts(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  return ReadComponents(r, &part_contacts, list);
}

const Part part_contacts = {.key = "contacts",
                            .one = "contact",
                            .form = PART_LIST,
                            .kind = contact_kind,
                            .add = ModelAddContact,
                            .named = true,
                            .scoped = true,
                            .complete = CompleteContact,
                            .read = ReadContacts};
