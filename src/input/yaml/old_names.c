// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/old_names.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <string.h>

typedef struct {
  const char *old, *now;
} OldName;

static const OldName kinds[] = {
    // since 0.2
    {"strut", "actuator"},     {"guide", "prescribed_motion"},
    {"bolt", "rigid_tie"},     {"carried_point", "multipoint_constraint"},
    {"thrust", "joint_force"},
};
static const OldName fields[] = {
    // since 0.2
    {"rate_gain", "derivative_gain"},      {"play", "clearance"}, {"stops", "limits"},
    {"stop_stiffness", "limit_stiffness"}, {"wall", "thickness"},
};
enum { OLD_KINDS = sizeof kinds / sizeof kinds[0], OLD_FIELDS = sizeof fields / sizeof fields[0] };

static int find_old_name(const OldName *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(names[i].old, name)) return i;
  return -1;
}

const char *new_name_of_kind(const char *name) {
  int i = find_old_name(kinds, OLD_KINDS, name);
  return i < 0 ? NULL : kinds[i].now;
}

const char *new_name_of_field(const char *name) {
  int i = find_old_name(fields, OLD_FIELDS, name);
  return i < 0 ? NULL : fields[i].now;
}

Error WarnAboutOldName(Reader *r, SourceLocation at, const char *name, const char *now) {
  int kind = find_old_name(kinds, OLD_KINDS, name), field = find_old_name(fields, OLD_FIELDS, name);
  unsigned bit = 1u << (kind >= 0 ? kind : OLD_KINDS + field);
  if (r->old_names & bit) return 0;
  r->old_names |= bit;
  TRY(ReportWarning(r, at, "'%s' is now '%s'; the old name works in this version, not in the next", name, now));
  return 0;
}
