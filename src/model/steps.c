// SPDX-License-Identifier: Apache-2.0
#include "model/steps.h"

#include "mechanics/augmented.h"

#include <math.h>
#include <stdio.h>

const char *const run_status_words[RUN_STATUSES] = {
#define STATUS(name, word) #word,
#define REASON(name, word) #word,
#include "model/statuses.def"
#undef REASON
#undef STATUS
};

#define STATUS(name, word)
#define REASON(name, word) \
  _Static_assert((int)RUN_##name == (int)LIMBER_##name, "the status of a run is the reason of its last step");
#include "model/statuses.def"
#undef REASON
#undef STATUS

static const char one_sided[] = "has limits, clearance or one side on which it does not act";

static const char *law_error_back(const Law *l) {
  unsigned losses = law_losses(l);
  if (losses & LOSS_FRICTION) return "has friction";
  if (losses & LOSS_DAMPER) return "has a damper";
  return law_meets(l) ? one_sided : NULL;
}

static const char *element_error_back(const ModelElement *e) {
  const char *why = NULL;
  if (element_is_augmented(e->kind, e->data)) return "is held rigid by an augmented Lagrangian";
  for (int g = 0; g < element_points(e->kind, e->data) && !why; g++) {
    ElementPoint p;
    element_point(e->kind, e->data, g, &p);
    unsigned losses = p.response->losses(&p);
    if (p.drag) why = "has drag or friction";
    else if (p.flow) why = "has air around it";
    else if (losses & LOSS_FRICTION) why = "has friction";
    else if (losses & LOSS_DAMPER) why = "has damping";
    else if (element_contact(&p)) why = one_sided;
  }
  return why;
}

const char *component_forbids_step_back(Model m, int component) {
  const ModelComponent *c = model_component(m, component);
  const char *why = c->mass_damping != 0 ? "has damping of its mass" : NULL;
  for (int e = c->first; e < c->first + c->count && !why; e++) why = element_error_back(model_element(m, e));
  return why;
}

const char *joint_forbids_step_back(Model m, int joint) {
  const Joint *j = &model_joint(m, joint)->joint;
  const char *why = NULL;
  for (int c = 0; c < j->ncoord && !why; c++) why = law_error_back(&j->law[c]);
  return why;
}

const char *load_forbids_step_back(Model m, int load) {
  const Load *l = &model_load(m, load)->load;
  bool damps = l->target == LOAD_JOINT && l->drive == DRIVE_CONTROL && l->derivative_gain != 0;
  if (l->wave) return "is a port, whose waves go forwards in time";
  return damps ? "has a `derivative_gain`, which acts as a damper" : NULL;
}

const char *ports_forbidden(Model m, const StepRule *rule, bool variable) {
  if (!m->ports.count && !m->bonds.count) return NULL;
  if (rule->without_inertia || rule->analysis || !rule->proved)
    return "ports need a time simulation with a scheme that has a proof: `decaying`, `preserving` or decaying_a to "
           "decaying_c; statics, modes and other schemes do not support them";
  return variable ? "ports exchange waves and forces after equal steps: leave out `control`" : NULL;
}

const char *contacts_forbidden(Model m, const StepRule *rule) {
  if (!m->contacts.count) return NULL;
  if (rule->without_inertia || rule->analysis)
    return "contacts need a time simulation with the schemes `decaying`, `preserving` or decaying_a to decaying_c; "
           "statics, modes and the exponential schemes do not support them: remove `contacts` from the model";
  if (rule->composition)
    return "steps of order 4 and 6 go backwards in time, which an impact cannot: leave out `order`";
  if (rule->tableau.force_rule == FORCE_END)
    return "contacts need a scheme whose energy balance closes: `decaying` or `preserving`";
  return NULL;
}

// Equations: eq-steps-rotation (14.4).

void say_rotation_error(const RotationError *e, double h, char *text, size_t size) {
  text[0] = 0;
  if (e->energy == 0) return;
  snprintf(
      text, size,
      "speeds of its points are reported %.2g %% and its kinetic energy %.2g %% too %s; steps of %.2g s give 0.1 %%",
      100 * fabs(e->speed), 100 * fabs(e->energy), e->energy > 0 ? "large" : "small", h * sqrt(1e-3 / fabs(e->energy)));
}
