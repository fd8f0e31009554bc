// SPDX-License-Identifier: Apache-2.0
#include "analyses/stepping/lines.h"

#include "analyses/stepping/ports.h"
#include "model/model.h"
#include "model/refusal.h"

#include <petscblaslapack.h>

PetscErrorCode LineSideCreate(const Stepper *p, LineSide *side) {
  Model m = p->s->motion.layout.model;
  const struct Ports *q = p->ports;
  LinePort *port;
  PetscFunctionBegin;
  *side = (LineSide){.step = p->options.step};
  if (!q) PetscFunctionReturn(0);
  side->ports = m->ports.count, side->waves = q->waves;
  side->velocity = q->velocity, side->acceleration = q->acceleration, side->compliance = q->compliance;
  PetscCall(PetscMalloc3(side->ports, &port, q->waves, &side->in, q->waves, &side->out));
  for (int i = 0; i < side->ports; i++) {
    const ModelPort *of = model_port(m, i);
    port[i] = (LinePort){of->name, of->count, of->wave, of->node >= 0, of->mass, of->impedance};
  }
  for (int k = 0; k < q->waves; k++)
    side->in[k] = p->s->motion.state.wave[k].in, side->out[k] = p->s->motion.state.wave[k].out;
  side->port = port;
  PetscFunctionReturn(0);
}

PetscErrorCode LineSideDestroy(LineSide *side) {
  LinePort *port = (LinePort *)side->port;
  PetscFunctionBegin;
  if (port) PetscCall(PetscFree3(port, side->in, side->out));
  PetscFunctionReturn(0);
}

void line_take_waves(Stepper *p, const double *in, const double *out) {
  WaveState *w = p->s->motion.state.wave;
  for (int k = 0; p->ports && k < p->ports->waves; k++) {
    w[k].in = in[k];
    if (out) w[k].out = out[k];
  }
  if (p->ports && out) p->ledger.ports = ports_energy(p), p->ports->started = true;
}

typedef struct { // an end of a line
  const LineSide *side;
  const LinePort *port;
  int first; // of its waves among those of all sides
} LineEnd;

static double impedance(const LineEnd *e) {
  return e->port->mass > 0 ? e->port->mass / e->side->step : e->port->impedance;
}

PetscErrorCode LineCheck(int sides, const LineSide *side, const LimberConnection *c) {
  PetscFunctionBegin;
  PetscCheck(c->sign == 1 || c->sign == -1, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "the sign of a connection is 1 or -1, not %g", c->sign);
  for (int e = 0; e < 2; e++) {
    PetscCheck(c->run[e] >= 0 && c->run[e] < sides, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no run %d", c->run[e]);
    PetscCheck(c->port[e].index >= 0 && c->port[e].index < side[c->run[e]].ports, PETSC_COMM_SELF,
               PETSC_ERR_ARG_OUTOFRANGE, "no port %d", c->port[e].index);
  }
  PetscFunctionReturn(0);
}

static void find_ends(const LineSide *side, const LimberConnection *c, LineEnd end[2]) {
  for (int e = 0; e < 2; e++) {
    int first = 0;
    for (int i = 0; i < c->run[e]; i++) first += side[i].waves;
    const LinePort *q = &side[c->run[e]].port[c->port[e].index];
    end[e] = (LineEnd){&side[c->run[e]], q, first + q->wave};
  }
}

static PetscErrorCode CheckEnds(const LineEnd end[2], double sign, int *used) {
  const LinePort *a = end[0].port, *b = end[1].port;
  PetscFunctionBegin;
  PetscCheck(a->count == b->count, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
             "ports '%s' and '%s': one is at a coordinate, the other at a node", shown_name(a->name),
             shown_name(b->name));
  PetscCheck(end[0].side->step == end[1].side->step, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
             "ports '%s' and '%s': the steps are %g s and %g s; both ends of a line need the same", shown_name(a->name),
             shown_name(b->name), end[0].side->step, end[1].side->step);
  PetscCheck(a->mass == b->mass && a->impedance == b->impedance, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
             "ports '%s' and '%s': both ends of a line need the same `mass` or `impedance`", shown_name(a->name),
             shown_name(b->name));
  for (int k = 0; k < a->count; k++) {
    double v = end[0].side->velocity[a->wave + k], w = sign * end[1].side->velocity[b->wave + k];
    double near = 1e-6 * (fabs(v) + fabs(w)) + 1e-12;
    PetscCheck(fabs(v - w) <= near, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
               "ports '%s' and '%s' start with different velocities, %g and %g%s", shown_name(a->name),
               shown_name(b->name), v, w,
               fabs(v + w) > near ? ""
               : sign > 0         ? ": do they move in opposite directions (`opposite: true`)?"
                                  : ": do they move in the same direction (no `opposite: true`)?");
    for (int e = 0; e < 2; e++)
      PetscCheck(!used[end[e].first + k]++, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "port '%s' has two connections",
                 shown_name(end[e].port->name));
  }
  PetscFunctionReturn(0);
}

// The rows of a line in the equations of all forces b: its ends accelerate alike, and their forces move its mass. At an
// end whose answer to forces is not known b = 0.
static void fill_rows(const LineEnd end[2], double sign, int n, double *matrix, double *right) {
  const LinePort *a = end[0].port;
  double mass = impedance(&end[0]) * end[0].side->step;
  bool known = a->answers && end[1].port->answers;
  for (int k = 0; k < a->count; k++) {
    int p = end[0].first + k, q = end[1].first + k;
    if (!known) {
      matrix[p * n + p] = matrix[q * n + q] = 1;
      continue;
    }
    for (int e = 0; e < 2; e++) {
      const LineSide *of = end[e].side;
      int own = end[e].port->wave + k, base = end[e].first - end[e].port->wave;
      double f = e ? -sign : 1;
      right[p] += f * of->acceleration[own];
      for (int c = 0; c < of->waves; c++) matrix[p * n + base + c] += f * of->compliance[own * of->waves + c];
      if (e) continue;
      right[q] += mass * of->acceleration[own];
      for (int c = 0; c < of->waves; c++) matrix[q * n + base + c] += mass * of->compliance[own * of->waves + c];
    }
    matrix[q * n + p] += 1, matrix[q * n + q] += sign;
  }
}

// The solution of least norm: where joints hold both ends of a line in a direction, its force there is zero.
static PetscErrorCode Solve(int count, const double *matrix, double *x) {
  PetscBLASInt n = (PetscBLASInt)count, one = 1, info, rank, room = 10 * n + 10;
  double *columns, *singular, *work, small = 1e-12;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3((size_t)count * (size_t)count, &columns, count, &singular, room, &work));
  for (int i = 0; i < count * count; i++) columns[(i % count) * count + i / count] = matrix[i];
  PetscCallBLAS("LAPACKgelss",
                LAPACKgelss_(&n, &n, &one, columns, &n, x, &n, singular, &small, &rank, work, &room, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "forces at the ports at the start: LAPACK error");
  PetscCall(PetscFree3(columns, singular, work));
  PetscFunctionReturn(0);
}

// u = (b - Z (v + a h/2))/sqrt(2 Z), which is on its way from the other end
static void set_waves(const LineEnd *end, const LineEnd *other, double sign, const double *b) {
  const LineSide *q = end->side;
  double h = q->step, z = impedance(end);
  for (int k = 0; k < end->port->count; k++) {
    int own = end->port->wave + k, base = end->first - end->port->wave;
    double a = q->acceleration[own];
    for (int c = 0; c < q->waves; c++) a -= q->compliance[own * q->waves + c] * b[base + c];
    double u = (b[base + own] - z * (q->velocity[own] + a * h / 2)) / sqrt(2 * z);
    q->in[own] = u;
    other->side->out[other->port->wave + k] = -sign * u;
  }
}

PetscErrorCode LinesStart(int sides, const LineSide *side, int connections, const LimberConnection *connection) {
  int n = 0, *used;
  double *matrix, *b;
  LineEnd end[2];
  PetscFunctionBegin;
  for (int i = 0; i < sides; i++) n += side[i].waves;
  PetscCall(PetscCalloc3(n, &used, (size_t)n * (size_t)n, &matrix, n, &b));
  for (int c = 0; c < connections; c++) {
    PetscCall(LineCheck(sides, side, &connection[c]));
    find_ends(side, &connection[c], end);
    PetscCall(CheckEnds(end, connection[c].sign, used));
    fill_rows(end, connection[c].sign, n, matrix, b);
  }
  for (int k = 0; k < n; k++) PetscCheck(used[k], PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "a port has no connection");
  if (n) PetscCall(Solve(n, matrix, b));
  for (int c = 0; c < connections; c++) {
    find_ends(side, &connection[c], end);
    for (int e = 0; e < 2; e++) set_waves(&end[e], &end[1 - e], connection[c].sign, b);
  }
  PetscCall(PetscFree3(used, matrix, b));
  PetscFunctionReturn(0);
}

void lines_exchange(const LineSide *side, int connections, const LimberConnection *connection) {
  LineEnd end[2];
  for (int c = 0; c < connections; c++) {
    find_ends(side, &connection[c], end);
    for (int e = 0; e < 2; e++)
      for (int k = 0; k < end[e].port->count; k++)
        end[e].side->in[end[e].port->wave + k] = -connection[c].sign * end[1 - e].side->out[end[1 - e].port->wave + k];
  }
}
