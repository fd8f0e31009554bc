// SPDX-License-Identifier: Apache-2.0
// Equations: eq-port-step (24.1), eq-port-work (24.2), eq-port-parts (24.5), eq-port-start (24.7).
#include "analyses/stepping/ports.h"

#include "analyses/stepping/start.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/wheels.h"
#include "model/refusal.h"
#include "solvers/redundancy.h"

#include <petscblaslapack.h>

PetscErrorCode PortsCreate(Stepper *p) {
  Model m = p->s->motion.layout.model;
  PetscInt n = model_waves(m);
  PetscFunctionBegin;
  if (!n) PetscFunctionReturn(0);
  PetscCall(PetscNew(&p->ports));
  p->ports->waves = (int)n, p->s->motion.step.exchange = p->options.step;
  PetscCall(PetscCalloc4(n, &p->ports->velocity, n, &p->ports->acceleration, n * n, &p->ports->compliance,
                         m->ports.count, &p->ports->most));
  PetscFunctionReturn(0);
}

PetscErrorCode PortsDestroy(Stepper *p) {
  PetscFunctionBegin;
  if (!p->ports) PetscFunctionReturn(0);
  PetscCall(PetscFree4(p->ports->velocity, p->ports->acceleration, p->ports->compliance, p->ports->most));
  PetscCall(PetscFree(p->ports));
  PetscFunctionReturn(0);
}

// ---- a step ----

// Where the displacement of a port is: waves come before bonds.
static int place_of(const Load *load, int waves) { return load->wave > 0 ? load->wave - 1 : waves - 1 - load->wave; }

PetscErrorCode PortsFindDisplacements(const Motion *motion, const double *q, double *moved) {
  const Layout *layout = &motion->layout;
  double lambda[MAX_STAGES][MAX_ROWS];
  Coords zk[MAX_STAGES];
  int waves = model_waves(layout->model), count = port_displacements(layout->model);
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(moved, count));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (PetscInt l = layout->node_load_start[i]; l < layout->node_load_start[i + 1]; l++) {
      const Load *load = &model_load(layout->model, layout->node_load[l])->load;
      if (load->wave)
        moved[place_of(load, waves)] = vec3_dot(load->force, motion->step.motion[i * layout->rule->tableau.s].chord[0]);
    }
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (PetscInt l = layout->joint_load_start[j]; l < layout->joint_load_start[j + 1]; l++) {
      const Load *load = &model_load(layout->model, layout->joint_load[l])->load;
      if (!load->wave || !layout->joint_primary[j]) continue;
      state_joint_unknowns(layout, &motion->state, q, j, lambda, zk);
      moved[place_of(load, waves)] = zk[0].z[load->coord] - motion->state.coord[j].z[load->coord];
    }
  PetscCall(ReduceArray(layout->comm, moved, count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

static void move_bonds(Motion *motion, const double *moved) {
  double h = motion->step.h;
  for (int i = 0; i < motion->layout.model->bonds.count; i++) {
    BondState *b = &motion->state.bond[i];
    b->moved = moved[i], b->exchange += b->force * moved[i] - b->effort * b->flow * h;
    b->rate[1] = b->rate[0], b->middle[1] = b->middle[0];
    b->rate[0] = moved[i] / h, b->middle[0] = motion->state.time + h / 2;
  }
}

PetscErrorCode PortsMove(Motion *motion, const double *q) {
  Model m = motion->layout.model;
  double *moved, h = motion->step.h;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(port_displacements(m), &moved));
  PetscCall(PortsFindDisplacements(motion, q, moved));
  move_bonds(motion, moved + model_waves(m));
  for (int i = 0; i < m->ports.count && motion->step.exchange > 0; i++) {
    const ModelPort *port = model_port(m, i);
    double z = port_impedance(port, motion->step.exchange), root = sqrt(2 * z);
    for (int k = port->wave; k < port->wave + port->count; k++) {
      WaveState *w = &motion->state.wave[k];
      double out = root * moved[k] / h + w->in;
      w->length += h, w->moved += moved[k], w->impulse += z * moved[k] + root * w->in * h;
      w->sum += h * out, w->squares += h * out * out;
    }
  }
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(0);
}

void ports_begin(Stepper *p) {
  WaveState *w = p->s->motion.state.wave;
  for (int k = 0; k < p->ports->waves; k++) w[k] = (WaveState){.in = w[k].in, .out = w[k].out};
}

double ports_energy(const Stepper *p) {
  double sum = 0;
  for (int k = 0; k < p->ports->waves; k++) sum += p->s->motion.state.wave[k].out * p->s->motion.state.wave[k].out;
  return 0.5 * p->options.step * sum;
}

// Of a step that was taken in parts the mean of the waves goes out. It has less energy than they.
void ports_end(Stepper *p) {
  for (int k = 0; k < p->ports->waves; k++) {
    WaveState *w = &p->s->motion.state.wave[k];
    w->out = w->sum / w->length;
    p->ledger.port_loss += 0.5 * PetscMax(0, w->squares - w->sum * w->out);
  }
  p->ledger.ports = ports_energy(p);
}

// ---- the start ----

// Displacements in a short step without forces at the ports.
static PetscErrorCode ShortStep(System *s, double h, int limit, double *moved, NewtonOutcome *o) {
  const double *q;
  Vec local;
  PetscFunctionBegin;
  PetscCall(StartShortStep(s, h, limit, o));
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  PetscCall(EquationsOpenUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscCall(PortsFindDisplacements(&s->motion, q, moved));
  PetscCall(EquationsCloseUnknowns(&s->motion.layout, &s->equations, &local, &q));
  PetscFunctionReturn(0);
}

// Velocities of all waves; `lent` only those that have a node, from that node.
static PetscErrorCode FindVelocities(const Motion *motion, bool lent, double *v) {
  const Layout *layout = &motion->layout;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(v, model_waves(layout->model)));
  for (int i = 0; i < layout->model->ports.count; i++) {
    const ModelPort *port = model_port(layout->model, i);
    const Load *load = &model_load(layout->model, port->load)->load;
    PetscInt node = port->node >= 0 ? layout->local_node[port->node] : -1;
    if (node > 0 && node < layout->nnode_own && (lent || port->count == 3)) {
      Vec3 x[4], velocity, angular;
      motion_node_values(motion, node, x, &velocity, &angular);
      if (port->count == 3) vec3_to(velocity, v + port->wave);
      else v[port->wave] = velocity.x / sqrt(port->mass / 2);
    }
    for (PetscInt j = 0; j < layout->njoint && !lent && port->count == 1; j++)
      if (layout->joint[j] == load->id && layout->joint_primary[j])
        v[port->wave] = motion_coordinate_rates(motion, j, false).z[load->coord];
  }
  PetscCall(ReduceArray(layout->comm, v, model_waves(layout->model), MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// Velocities of all waves after an impulse of 1 on one of them, from rest. `port` NULL: no impulse.
static PetscErrorCode StrikeWave(System *s, const ModelPort *port, int k, double *v) {
  const Layout *layout = &s->motion.layout;
  ProjectedStart change;
  double after[6] = {0};
  PetscInt node = port ? layout->local_node[port->node] : -1;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(s->motion.state.v, 4 * layout->nnode));
  if (port && node > 0 && node < layout->nnode_own) {
    Vec3 struck[2], f = port->count == 3 ? vec3(k == 0, k == 1, k == 2) : vec3(1 / sqrt(port->mass / 2), 0, 0);
    PetscCall(MotionStrike(&s->motion, node, f, struck));
    vec3_to(struck[0], after), vec3_to(struck[1], after + 3);
  }
  PetscCall(ReduceArray(layout->comm, after, 6, MPI_DOUBLE, MPI_SUM));
  if (node > 0) motion_set_velocity(&s->motion, node, (Vec3[2]){vec3_of(after), vec3_of(after + 3)});
  PetscCall(EquationsProjectVelocities(&s->motion, &s->equations, &change));
  PetscCall(FindVelocities(&s->motion, true, v));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindCompliance(System *s, struct Ports *q) {
  Model m = s->motion.layout.model;
  double *rest, *v;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(q->waves, &rest, q->waves, &v));
  s->motion.switches.throwing = true;
  PetscCall(StrikeWave(s, NULL, 0, rest));
  for (int i = 0; i < m->ports.count; i++)
    for (int k = 0; k < model_port(m, i)->count && model_port(m, i)->node >= 0; k++) {
      PetscCall(StrikeWave(s, model_port(m, i), k, v));
      for (int r = 0; r < q->waves; r++) q->compliance[r * q->waves + model_port(m, i)->wave + k] = v[r] - rest[r];
    }
  s->motion.switches.throwing = false;
  for (int r = 0; r < q->waves; r++)
    for (int c = 0; c < r; c++) {
      double *a = &q->compliance[r * q->waves + c], *b = &q->compliance[c * q->waves + r];
      *a = *b = 0.5 * (*a + *b);
    }
  PetscCall(PetscFree2(rest, v));
  PetscFunctionReturn(0);
}

// Eigenvalues of a part of the compliance, in ascending order, each row times `scale`.
static PetscErrorCode FindEigenvalues(const struct Ports *q, int first, int count, const double *scale, double *value) {
  PetscBLASInt n = (PetscBLASInt)count, room = 10 * n + 10, info;
  double *a, *work;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2((size_t)count * (size_t)count, &a, room, &work));
  for (int i = 0; i < count * count; i++)
    a[i] = scale[first + i / count] * q->compliance[(first + i / count) * q->waves + first + i % count] *
           scale[first + i % count];
  PetscCallBLAS("LAPACKsyev", LAPACKsyev_("N", "U", &n, a, &n, value, work, &room, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "eigenvalues of the compliance at the ports: LAPACK error");
  PetscCall(PetscFree2(a, work));
  PetscFunctionReturn(0);
}

// The masses that remain are positive definite on all motions that joints allow where the compliance W of the ports is:
// its inverse is the effective mass less the mass z0/2 that is lent. Times z0/2 an eigenvalue is then positive, zero in a
// direction that joints hold, or less than -1.
static PetscErrorCode CheckLent(Stepper *p, Refusal *wrong) {
  Model m = p->s->motion.layout.model;
  struct Ports *q = p->ports;
  double *value, *scale;
  bool good = true;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(q->waves, &value, q->waves, &scale));
  for (int i = 0; i < m->ports.count; i++)
    for (int k = 0; k < model_port(m, i)->count; k++)
      scale[model_port(m, i)->wave + k] = sqrt(model_port(m, i)->mass / 2);
  PetscCall(FindEigenvalues(q, 0, q->waves, scale, value));
  for (int k = 0; k < q->waves; k++) good = good && value[k] > -0.5;
  for (int i = 0; i < m->ports.count; i++) {
    const ModelPort *port = model_port(m, i);
    double least = INFINITY, half = port->mass > 0 ? port->mass / 2 : 1;
    if (port->node < 0) continue;
    for (int k = 0; k < port->count; k++) scale[port->wave + k] = sqrt(half);
    PetscCall(FindEigenvalues(q, port->wave, port->count, scale, value));
    for (int k = 0; k < port->count; k++)
      if (value[k] < -0.5 || value[k] > 1e-12 * value[port->count - 1]) least = PetscMin(least, half / value[k]);
    q->most[i] = port->mass + 2 * least;
    if (port->mass > 0 && !(least > 0) && !is_refused(wrong))
      refuse(wrong, "port '%s': the model cannot lend half of a mass of %g: `mass` must be less than %.6g",
             shown_name(port->name), port->mass, q->most[i]);
  }
  if (!good && !is_refused(wrong))
    refuse(wrong, "ports: together they lend more mass than the model has: reduce the `mass` of some of them");
  PetscCall(PetscFree2(value, scale));
  PetscFunctionReturn(0);
}

static void remark_ports(Stepper *p) {
  Model m = p->s->motion.layout.model;
  for (int i = 0; i < m->ports.count; i++) {
    const ModelPort *port = model_port(m, i);
    double h = p->options.step, z = port_impedance(port, h);
    char most[60] = "";
    if (port->mass > 0) snprintf(most, sizeof most, ", of at most %.4g", p->ports->most[i]);
    start_remark(p, "port '%s': a line of mass %.4g%s, and stiffness %.4g%s", shown_name(port->name), z * h, most,
                 z / h, port->mass > 0 ? "" : "; the mass is added to the model");
  }
}

PetscErrorCode PortsStart(Stepper *p, Refusal *wrong) {
  struct Ports *q = p->ports;
  StepRule rule = {0};
  System *aux;
  NewtonOutcome o;
  double h = 0.05 * p->options.step, *moved, *twice;
  PetscFunctionBegin;
  scheme_preserving.make(&p->options, &rule);
  PetscCall(StartCreateBeside(p->s, &rule, &aux));
  PetscCall(StartCopyVelocities(p->s, aux));
  PetscCall(MotionStartWheels(&aux->motion));
  PetscCall(MotionBeginStep(&aux->motion, h));
  PetscCall(FindVelocities(&aux->motion, false, q->velocity));
  int count = port_displacements(p->s->motion.layout.model);
  PetscCall(PetscMalloc2(count, &moved, count, &twice));
  PetscCall(ShortStep(aux, 2 * h, p->options.iterations, twice, &o));
  if (o.converged) PetscCall(ShortStep(aux, h, p->options.iterations, moved, &o));
  if (o.converged) {
    for (int k = 0; k < q->waves; k++) // D/h = v + a h/2 + O(h^2)
      q->acceleration[k] = 4 * (moved[k] / h - q->velocity[k]) / h - (twice[k] / (2 * h) - q->velocity[k]) / h;
    PetscCall(FindCompliance(aux, q));
    PetscCall(CheckLent(p, wrong));
    if (!is_refused(wrong)) remark_ports(p);
  } else refuse(wrong, "ports: the accelerations at the start cannot be found: does a part without mass move freely?");
  PetscCall(PetscFree2(moved, twice));
  PetscCall(SystemDestroy(&aux));
  PetscFunctionReturn(0);
}
