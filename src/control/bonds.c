// SPDX-License-Identifier: Apache-2.0
#include "control/bonds.h"

#include "analyses/stepping/bonds.h"
#include "fmu/read/description.h"

#include <string.h>

enum { USUAL_PARTS = 8 }; // of a step, for the FMU

struct ControlBonds {
  BondPartner partner; // comes first
  Stepper *stepper;
  Model model;
  BondedBlocks of;
  double in[BLOCK_INPUTS], mean[BLOCK_OUTPUTS];
};

// The inputs of a block: those of the last end of a step, and the velocities of its bonds.
static void set_inputs(ControlBonds *b, int block, const double *flow) {
  const NetworkBlock *n = &b->of.network->block[block];
  memcpy(b->in, b->of.last + b->of.first_input[block], (size_t)n->use.inputs * sizeof *b->in);
  for (int i = 0; i < b->model->bonds.count; i++)
    if (model_bond(b->model, i)->block == block) b->in[model_bond(b->model, i)->flow] = flow[i];
}

static void take_efforts(const ControlBonds *b, int block, double *effort) {
  for (int i = 0; i < b->model->bonds.count; i++) {
    const ModelBond *bond = model_bond(b->model, i);
    if (bond->block == block) effort[i] = b->mean[bond->effort];
  }
}

// Bonds of one FMU share its steps.
static int find_parts(const ControlBonds *b, int block) {
  const FmuUse *use = b->of.network->block[block].use.unit->use;
  int parts = 0;
  for (int i = 0; i < b->model->bonds.count; i++) {
    const ModelBond *bond = model_bond(b->model, i);
    if (bond->block == block && bond->substeps > parts) parts = bond->substeps;
  }
  return parts ? parts : use->interface->variable_step ? USUAL_PARTS : 1;
}

static PetscErrorCode Go(BondPartner *partner, double from, double h, const double *flow, double *effort,
                         Refusal *wrong, int *cause) {
  ControlBonds *b = (ControlBonds *)partner;
  PetscFunctionBegin;
  for (int k = 0; k < b->of.network->blocks; k++) {
    const NetworkBlock *n = &b->of.network->block[k];
    ControlLibrary *l = b->of.library[k];
    if (!n->use.unit || !n->use.unit->bonded) continue;
    set_inputs(b, k, flow);
    PetscCall(ControlFmuExchange(l, from, h, find_parts(b, k), b->in, b->of.state + b->of.first_state[k], b->mean));
    if (l->fail < 0) {
      refuse(wrong, "control block '%.80s', whose %s failed: %.160s", n->name, l->what, l->message);
      *cause = k;
      break;
    }
    take_efforts(b, k, effort);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ControlBondsAttach(LimberRun run, const BondedBlocks *blocks, ControlBonds **out) {
  Model m = run->stepper->s->motion.layout.model;
  ControlBonds *b;
  PetscFunctionBegin;
  *out = NULL;
  if (!m->bonds.count) PetscFunctionReturn(0);
  PetscCall(PetscNew(&b));
  *out = b;
  b->stepper = run->stepper, b->model = m, b->of = *blocks;
  b->partner = (BondPartner){.follows = true, .go = Go};
  for (int i = 0; i < m->bonds.count; i++) {
    bool follows;
    PetscCall(ControlFmuFollows(blocks->library[model_bond(m, i)->block], &follows));
    b->partner.follows = b->partner.follows && follows;
  }
  run->stepper->bonds->partner = &b->partner;
  PetscFunctionReturn(0);
}

void control_bonds_start(ControlBonds *b) {
  for (int i = 0; b && i < b->model->bonds.count; i++) {
    const ModelBond *bond = model_bond(b->model, i);
    BondState *s = &b->stepper->s->motion.state.bond[i];
    s->rate[0] = s->rate[1] = b->of.last[b->of.first_input[bond->block] + bond->flow];
    s->middle[0] = s->middle[1] = b->stepper->s->motion.state.time;
  }
}

PetscErrorCode ControlBondsDestroy(ControlBonds **bonds) {
  PetscFunctionBegin;
  if (*bonds) (*bonds)->stepper->bonds->partner = NULL;
  PetscCall(PetscFree(*bonds));
  PetscFunctionReturn(0);
}
