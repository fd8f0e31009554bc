// SPDX-License-Identifier: Apache-2.0
// The public interface to wave ports. Waves are the same on every rank, so that nothing here communicates.
#include "analyses/stepping/lines.h"
#include "analyses/stepping/ports.h"
#include "api/arguments.h"

#include <limber/ports.h>

#include <string.h>

static Model model_of(LimberRun run) { return run->stepper->s->motion.layout.model; }

int limber_run_ports(LimberRun run) { return run && run->stepper->ports ? model_of(run)->ports.count : 0; }

LimberPortId limber_run_find_port(LimberRun run, const char *name) {
  for (int i = 0; name && i < limber_run_ports(run); i++)
    if (model_port(model_of(run), i)->name && !strcmp(model_port(model_of(run), i)->name, name))
      return LIMBER_ID(LimberPortId, i);
  return LIMBER_NO_PORT;
}

#define CHECK_PORT(run, id) \
  CHECK_GIVEN(run); \
  PetscCheck((id).index >= 0 && (id).index < limber_run_ports(run), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, \
             "no port %d", (id).index)

int LimberRunGetPort(LimberRun run, LimberPortId port, LimberPort *out) {
  PetscFunctionBegin;
  CHECK_PORT(run, port);
  CHECK_GIVEN(out);
  const ModelPort *q = model_port(model_of(run), port.index);
  double h = run->stepper->options.step;
  *out = (LimberPort){.name = q->name,
                      .waves = q->count,
                      .mass = q->mass,
                      .impedance = port_impedance(q, h),
                      .largest_mass = run->stepper->ports->most[port.index],
                      .step = h};
  for (int k = 0; k < q->count; k++) out->velocity[k] = run->stepper->ports->velocity[q->wave + k];
  PetscFunctionReturn(0);
}

int LimberRunGetPortState(LimberRun run, LimberPortId port, LimberPortState *state) {
  PetscFunctionBegin;
  CHECK_PORT(run, port);
  CHECK_GIVEN(state);
  const ModelPort *q = model_port(model_of(run), port.index);
  double h = run->stepper->options.step;
  *state = (LimberPortState){.in = {0}};
  for (int k = 0; k < q->count; k++) {
    const WaveState *w = &run->stepper->s->motion.state.wave[q->wave + k];
    state->in[k] = w->in, state->out[k] = w->out, state->moved[k] = w->moved;
    state->force[k] = w->length > 0 ? w->impulse / w->length : 0;
    state->gap[k] = state->force[k] * h / port_impedance(q, h);
  }
  PetscFunctionReturn(0);
}

int LimberRunSetPortWave(LimberRun run, LimberPortId port, const double *in) {
  PetscFunctionBegin;
  CHECK_PORT(run, port);
  CHECK_GIVEN(in);
  const ModelPort *q = model_port(model_of(run), port.index);
  for (int k = 0; k < q->count; k++)
    PetscCheck(isfinite(in[k]), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "port '%s': a wave is not finite",
               shown_name(q->name));
  for (int k = 0; k < q->count; k++) run->stepper->s->motion.state.wave[q->wave + k].in = in[k];
  run->stepper->ports->started = true;
  PetscFunctionReturn(0);
}

int limber_run_bonds(LimberRun run) { return run ? (int)model_of(run)->bonds.count : 0; }

int LimberRunGetBond(LimberRun run, int i, LimberBondState *out) {
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(out);
  PetscCheck(i >= 0 && i < limber_run_bonds(run), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no bond %d", i);
  const BondState *b = &run->stepper->s->motion.state.bond[i];
  *out = (LimberBondState){.name = model_bond(model_of(run), i)->name,
                           .flow = b->flow,
                           .effort = b->effort,
                           .force = b->force,
                           .moved = b->moved,
                           .exchange = b->exchange};
  PetscFunctionReturn(0);
}

// ---- connections ----

static PetscErrorCode MakeSides(int runs, const LimberRun *run, LineSide **side) {
  PetscFunctionBegin;
  for (int i = 0; i < runs; i++) CHECK_GIVEN(run[i]);
  PetscCall(PetscCalloc1(runs, side));
  for (int i = 0; i < runs; i++) PetscCall(LineSideCreate(run[i]->stepper, &(*side)[i]));
  PetscFunctionReturn(0);
}

// Gives the runs their waves.
static PetscErrorCode TakeSides(int runs, const LimberRun *run, bool start, LineSide **side) {
  PetscFunctionBegin;
  for (int i = 0; i < runs; i++) {
    line_take_waves(run[i]->stepper, (*side)[i].in, start ? (*side)[i].out : NULL);
    PetscCall(LineSideDestroy(&(*side)[i]));
  }
  PetscCall(PetscFree(*side));
  PetscFunctionReturn(0);
}

int LimberPortsStart(int runs, const LimberRun *run, int connections, const LimberConnection *connection) {
  LineSide *side;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(connection);
  PetscCall(MakeSides(runs, run, &side));
  for (int i = 0; i < runs; i++)
    PetscCheck(run[i]->stepper->count == 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "run %d has taken steps", i);
  PetscCall(LinesStart(runs, side, connections, connection));
  PetscCall(TakeSides(runs, run, true, &side));
  PetscFunctionReturn(0);
}

int LimberPortsExchange(int runs, const LimberRun *run, int connections, const LimberConnection *connection) {
  LineSide *side;
  PetscFunctionBegin;
  CHECK_GIVEN(run);
  CHECK_GIVEN(connection);
  PetscCall(MakeSides(runs, run, &side));
  for (int i = 0; i < connections; i++) {
    const LimberConnection *c = &connection[i];
    PetscCall(LineCheck(runs, side, c));
    const Stepper *a = run[c->run[0]]->stepper, *b = run[c->run[1]]->stepper;
    PetscCheck(a->count == b->count, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
               "ports '%s' and '%s': one run is %lld steps ahead of the other",
               shown_name(side[c->run[0]].port[c->port[0].index].name),
               shown_name(side[c->run[1]].port[c->port[1].index].name), (long long)PetscAbs(a->count - b->count));
  }
  lines_exchange(side, connections, connection);
  PetscCall(TakeSides(runs, run, false, &side));
  PetscFunctionReturn(0);
}
