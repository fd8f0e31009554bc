// SPDX-License-Identifier: Apache-2.0
#include "analyses/statics/operating_point.h"

#include "analyses/statics/statics.h"
#include "analyses/stepping/stepper.h"
#include "analyses/stepping/start.h"
#include "model/refusal.h"

#include <limits.h>
#include <string.h>

PetscErrorCode OperatingPointDestroy(OperatingPoint *p) {
  PetscFunctionBegin;
  PetscCall(LimberRunDestroy(&p->run));
  *p = (OperatingPoint){0};
  PetscFunctionReturn(0);
}

static void remark_held(Stepper *p, double time) {
  Model m = p->s->motion.layout.model;
  int drive = statics_find_drive(m, time, false);
  if (drive >= 0)
    start_remark(p, "%s '%s' moves at t = %g s, and its rate changes: it was held where it is at that time",
                 model_load(m, drive)->kind->name, shown_name(model_load(m, drive)->name), time);
}

static bool component_turns(Model m, const Rotor *r, const ModelComponent *c) {
  const ModelElement *e = model_element(m, c->first);
  for (int a = 0; a < e->nnode; a++)
    if (r->turns[model_element_nodes(m, e)[a]]) return true;
  return false;
}

static void remark_wind(Stepper *p, const Spin *spin) {
  Model m = p->s->motion.layout.model;
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *c = model_component(m, i);
    if (!c->kind->around || !c->count || !component_turns(m, spin->rotor, c)) continue;
    if (!steady_wind_rotates(m, c->first, p->s->motion.state.time, spin->axis))
      start_remark(p,
                   "the wind of %s '%s' is not the same all around the axis of the rotor: modes are those at this "
                   "azimuth, without what changes as the rotor turns. `limber floquet` includes it",
                   c->kind->name, shown_name(c->name));
  }
}

// Loads that do not turn with a rotor change in its frame with the azimuth.
static void remark_azimuth(Stepper *p, const Spin *spin) {
  Model m = p->s->motion.layout.model;
  for (int l = 0; l < m->loads.count; l++) {
    const Load *q = &model_load(m, l)->load;
    if (steady_load_rotates(q, spin->axis) || model_amplitude(m, q->amplitude, p->s->motion.state.time) == 0) continue;
    if (q->target == LOAD_NODE && !spin->rotor->turns[q->id]) continue;
    start_remark(p,
                 "%s '%s' acts across the axis of the rotor: modes are those at this azimuth, without what changes as "
                 "the rotor turns. `limber floquet` includes it",
                 model_load(m, l)->kind->name, shown_name(model_load(m, l)->name));
  }
}

static PetscErrorCode Find(Model model, const LimberStatics *options, int most, bool parts, OperatingPoint *out,
                           Refusal *wrong) {
  LimberOptions o;
  Settled settled;
  PetscFunctionBegin;
  *out = (OperatingPoint){0};
  o = limber_options_default();
  o.analysis = LIMBER_ANALYSIS_STATIC;
  o.statics = (LimberStatics){.time = options->time};
  PetscCall(PetscNew(&out->run));
  PetscCall(StepperCreate(model, &o, &out->run->stepper, wrong));
  if (is_refused(wrong)) {
    PetscCall(PetscFree(out->run));
    PetscFunctionReturn(0);
  }
  Stepper *p = out->run->stepper;
  Statics *x = statics_of(p);
  if (x->loads.spin.rate == 0) remark_held(p, options->time);
  if (x->loads.spin.rate == 0) PetscCall(DrivenRotation(p, options->time, parts, &x->loads.spin, wrong));
  if (!is_refused(wrong) && x->loads.spin.rotor) PetscCall(RotorFindBlades(p->s, &x->loads.spin, &x->rotor, wrong));
  if (is_refused(wrong)) {
    PetscCall(OperatingPointDestroy(out));
    PetscFunctionReturn(0);
  }
  if (x->loads.spin.rotor) remark_azimuth(p, &x->loads.spin), remark_wind(p, &x->loads.spin);
  out->s = p->s, out->spin = x->loads.spin;
  PetscCall(SystemSettleWithin(p->s, &x->loads, most, &settled));
  if (settled.found) {
    x->factor = p->ledger.load_factor = 1;
    p->s->motion.state.time = options->time; // the matrices use the loads at this time
    PetscCall(EquationsBeginStatic(&p->s->motion, &p->s->equations));
    PetscCall(MotionSetFactor(&p->s->motion, &x->loads, 1));
    PetscCall(StepperUpdateEnergies(p, NULL));
    if (settled.free.name[0])
      start_remark(p, "%s moves freely: it was held where the model came to rest", settled.free.name);
    PetscFunctionReturn(0);
  }
  char coarse[512];
  PetscCall(StaticsSayCoarse(&p->s->motion.layout, &p->s->motion.state, coarse, sizeof coarse));
  refuse(wrong, "no equilibrium was found%s%s%s. %s", settled.cause.name[0] ? ": " : "", settled.cause.name,
         settled.cause.name[0] ? " is out of balance" : "",
         coarse[0] ? coarse : "Start the model nearer to its equilibrium, or constrain what moves");
  PetscCall(OperatingPointDestroy(out));
  PetscFunctionReturn(0);
}

PetscErrorCode OperatingPointFindWithin(Model model, const LimberStatics *options, int most, OperatingPoint *out,
                                        Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(Find(model, options, most, false, out, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode OperatingPointFind(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(Find(model, options, INT_MAX, false, out, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode OperatingPointFindRotor(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(Find(model, options, INT_MAX, true, out, wrong));
  PetscFunctionReturn(0);
}

void operating_point_remarks(const OperatingPoint *p, char *out, size_t size) {
  const Stepper *stepper = p->run->stepper;
  const char *unloaded = stepper_remark(stepper, REMARK_UNLOADED), *from = stepper->remarks,
             *stands = p->spin.rotor ? stepper_remark(stepper, REMARK_ROTOR_STANDS) : NULL;
  for (const char *end; (end = strchr(from, '\n')); from = end + 1) {
    size_t at = strlen(out);
    if (from != unloaded && from != stands) snprintf(out + at, size - at, "%.*s\n", (int)(end - from), from);
  }
}
