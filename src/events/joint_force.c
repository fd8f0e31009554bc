// SPDX-License-Identifier: Apache-2.0
// The force or moment that a joint carries, over the step that ends.
#include "mechanics/event.h"

static double force(const EventCondition *c, const EventSample *s) {
  (void)c;
  return vec3_norm(vec3_of(s->joint.force));
}
static double moment(const EventCondition *c, const EventSample *s) {
  (void)c;
  return vec3_norm(vec3_of(s->joint.moment));
}

static Reason prepare(const void *params, EventCondition *out) {
  const LimberJointForceEvent *p = params;
  if (!p->force == !p->moment) return reason(REASON_CONFLICT, "force", "it needs either `force` or `moment`");
  out->watch = WATCH_JOINT, out->id = p->joint.index, out->value = p->force ? force : moment;
  out->direction = 1, out->mean = true, out->coord = -1;
  out->threshold = p->force ? *p->force : *p->moment, out->tolerance = 1e-9 * out->threshold;
  return out->threshold > 0
             ? no_reason()
             : reason(REASON_VALUE, p->force ? "force" : "moment", "`force` and `moment` must be positive");
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberJointForceEvent, joint), "", true, LIMBER_NONE,
     "joint whose force is monitored", NULL},
    {"force", FIELD_OPTIONAL_REALS, 1, offsetof(LimberJointForceEvent, force), "N", false, 0,
     "magnitude of the joint force at which it happens", NULL},
    {"moment", FIELD_OPTIONAL_REALS, 1, offsetof(LimberJointForceEvent, moment), "N m", false, 0,
     "magnitude of the joint moment at which it happens", NULL},
    EVENT_FIELDS(LimberJointForceEvent),
};

const EventKind event_joint_force = {.name = "joint_force",
                                     .help = "Happens when the force or the moment of a joint reaches a value.",
                                     .fields = FIELDS(fields, LimberJointForceEvent),
                                     .prepare = prepare};
