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

PetscErrorCode OperatingPointFind(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong) {
  PetscFunctionBegin;
  PetscCall(OperatingPointFindWithin(model, options, INT_MAX, out, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode OperatingPointFindWithin(Model model, const LimberStatics *options, int most, OperatingPoint *out,
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
  if (x->loads.spin.rate == 0) PetscCall(DrivenRotation(p, options->time, &x->loads.spin, wrong));
  if (is_refused(wrong)) {
    PetscCall(OperatingPointDestroy(out));
    PetscFunctionReturn(0);
  }
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

void operating_point_remarks(const OperatingPoint *p, char *out, size_t size) {
  const Stepper *stepper = p->run->stepper;
  const char *unloaded = stepper_remark(stepper, REMARK_UNLOADED), *from = stepper->remarks;
  for (const char *end; (end = strchr(from, '\n')); from = end + 1) {
    size_t at = strlen(out);
    if (from != unloaded) snprintf(out + at, size - at, "%.*s\n", (int)(end - from), from);
  }
}
