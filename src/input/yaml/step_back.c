// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/step_back.h"

#include "input/yaml/parts.h"
#include "input/yaml/report.h"
#include "model/start_pose.h"
#include "model/step_back.h"

static Error ReportNames(Reader *r, const Names *names, const char *(*forbids)(Model m, LimberId id),
                         const char *(*kind)(Model m, LimberId id)) {
  for (int i = 0; i < names->count; i++) {
    LimberId id = names->name[i].id;
    const char *why = id >= 0 ? forbids(r->model, id) : NULL;
    if (why)
      TRY(ReportError(r, names->name[i].at, "%s '%s' %s, " STEP_BACK_ADVICE, kind(r->model, id), names->name[i].text,
                      why, r->in->options.order));
  }
  return 0;
}

static const char *component_kind(Model m, LimberId id) { return model_component(m, id)->kind->name; }
static const char *joint_kind(Model m, LimberId id) { return model_joint(m, id)->kind->name; }
static const char *load_kind(Model m, LimberId id) { return model_load(m, id)->kind->name; }

// Of events the first.
static Error ReportEvents(Reader *r) {
  const Names *events = part_names(r, &part_events);
  const char *why =
      events->count && r->in->end > 0 ? events_refused(r->in->options.scheme, r->in->options.order) : NULL;
  if (why) TRY(ReportError(r, events->name[0].at, "event '%s': %s", events->name[0].text, why));
  return 0;
}

// Of contacts too.
static Error ReportContacts(Reader *r) {
  const Names *contacts = part_names(r, &part_contacts);
  const SchemeKind *kind = contacts->count && r->in->end > 0 ? scheme_kind(r->in->options.scheme) : NULL;
  StepRule rule = {0};
  const char *why =
      kind && !scheme_make(kind, &r->in->options, &rule).text ? contacts_forbidden(r->model, &rule) : NULL;
  if (why) TRY(ReportError(r, contacts->name[0].at, "contact '%s': %s", contacts->name[0].text, why));
  return 0;
}

// Coordinates that cannot begin at their `start`.
static Error ReportStarts(Reader *r) {
  const Names *joints = part_names(r, &part_joints);
  StartPose pose;
  Store store = {0};
  Error error = ModelStartPose(r->model, &store, &pose);
  for (int i = 0; i < joints->count && !error && pose.wrong[0]; i++)
    if (joints->name[i].id == pose.joint)
      error = ReportError(r, joints->name[i].at, "%s '%s': %s", joint_kind(r->model, pose.joint), joints->name[i].text,
                          pose.wrong);
  TRY(StoreDestroy(&store));
  return error;
}

Error ReportStepBack(Reader *r) {
  TRY(ReportStarts(r));
  TRY(ReportEvents(r));
  TRY(ReportContacts(r));
  if (r->in->options.order <= 2) return 0;
  TRY(ReportNames(r, part_names(r, &part_elements), component_forbids_step_back, component_kind));
  TRY(ReportNames(r, part_names(r, &part_joints), joint_forbids_step_back, joint_kind));
  TRY(ReportNames(r, part_names(r, &part_loads), load_forbids_step_back, load_kind));
  return 0;
}
