// SPDX-License-Identifier: Apache-2.0
// The structure that the exponential scheme propagates: its matrices at the reference, its modes, the patterns of its loads.
#include "stepping/exponential.h"

#include "base/rotation.h"

#include <petscblaslapack.h>

void exponential_times(PetscInt n, const double *a, bool transposed, const double *x, double *y) {
  for (PetscInt i = 0; i < n; i++) y[i] = 0;
  for (PetscInt k = 0; k < n; k++) {
    const double *column = a + n * k;
    if (transposed)
      for (PetscInt i = 0; i < n; i++) y[k] += column[i] * x[i];
    else
      for (PetscInt i = 0; i < n; i++) y[i] += column[i] * x[k];
  }
}

PetscErrorCode ExponentialGather(const System *s, double *values, PetscInt count) {
  PetscFunctionBegin;
  if (s->size > 1) PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, (PetscMPIInt)count, MPI_DOUBLE, MPI_SUM, s->comm));
  PetscFunctionReturn(0);
}

// ---- numbering ----

static PetscErrorCode Number(Stepper *p) {
  const System *s = p->s;
  Exponential *x = p->exponential;
  PetscInt nodes = s->model->nodes.count, blocks = 0, own = s->nblock_own;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&own, &blocks, 1, MPIU_INT, MPI_SUM, s->comm));
  PetscCall(PetscMalloc3(nodes, &x->place, 4 * nodes, &x->reference, blocks, &x->block));
  for (PetscInt i = 0; i < nodes; i++) {
    const ModelNode *node = model_node(s->model, (int)i);
    int of = node_blocks(node->kind);
    x->place[i] = of > 0 ? x->n : -1, x->n += 3 * of;
    for (int k = 0; k < node_vectors(node->kind); k++) x->reference[4 * i + k] = node->x[k];
    if (node->kind == NODE_POINT) continue;
    Mat3 r = rotation_orthonormalised(node_axes(node->x));
    for (int k = 0; k < 3; k++) x->reference[4 * i + k + 1] = mat3_column(r, k);
  }
  for (PetscInt b = 0; b < blocks; b++) x->block[b] = -1;
  for (PetscInt i = 1; i < s->nnode_own; i++)
    for (int b = 0; b < node_blocks(model_node(s->model, (int)s->node[i])->kind); b++)
      x->block[s->block_global[s->node_block[i] + b]] = x->place[s->node[i]] + 3 * b;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, x->block, (PetscMPIInt)blocks, MPIU_INT, MPI_MAX, s->comm));
  PetscFunctionReturn(0);
}

// ---- forces of the system ----

static PetscErrorCode GatherResidual(const Stepper *p, double *out) {
  const System *s = p->s;
  const Exponential *x = p->exponential;
  const double *r;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, x->n));
  PetscCall(VecGetArrayRead(s->residual, &r));
  for (PetscInt b = 0; b < s->nblock_own; b++) {
    PetscInt at = x->block[s->block_global[b]];
    for (int i = 0; i < 3 && at >= 0; i++) out[at + i] = r[3 * b + i];
  }
  PetscCall(VecRestoreArrayRead(s->residual, &r));
  PetscCall(ExponentialGather(s, out, x->n));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialForces(Stepper *p, const double *d, double h, PetscBool tangent, double *out) {
  System *s = p->s;
  const Exponential *x = p->exponential;
  double *q;
  PetscFunctionBegin;
  s->h = h;
  for (PetscInt l = 0; l < s->model->loads.count; l++) s->amplitude[l][0] = 0, s->reference[l] = (Amplitude){0, 0};
  PetscCall(VecZeroEntries(s->unknown));
  PetscCall(VecGetArray(s->unknown, &q));
  for (PetscInt i = 1; i < s->nnode_own && d; i++) // points: only they have a remainder
    if (s->node_block[i] >= 0) {
      Vec3 to = vec3_add(x->reference[4 * s->node[i]], vec3_of(d + x->place[s->node[i]]));
      vec3_to(vec3_sub(to, s->x[4 * i]), q + 3 * s->node_block[i]);
    }
  PetscCall(VecRestoreArray(s->unknown, &q));
  PetscCall(SystemEvaluate(s, tangent));
  PetscCall(GatherResidual(p, out));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialRemainder(Stepper *p, const double *d, double *out) {
  Exponential *x = p->exponential;
  PetscFunctionBegin;
  if (x->linear) {
    for (PetscInt i = 0; i < x->n; i++) out[i] = -x->rest[i];
    PetscFunctionReturn(0);
  }
  PetscCall(ExponentialForces(p, d, PETSC_INFINITY, PETSC_FALSE, out));
  exponential_times(x->n, x->stiffness, false, d, x->work);
  for (PetscInt i = 0; i < x->n; i++) out[i] = x->work[i] - out[i];
  PetscFunctionReturn(0);
}

// ---- matrices ----

static PetscErrorCode GatherTangent(const Stepper *p, double *out) {
  const System *s = p->s;
  const Exponential *x = p->exponential;
  PetscInt first, last, n = x->n;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, n * n));
  PetscCall(MatGetOwnershipRange(s->tangent, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    PetscInt ncol, row = x->block[i / 3];
    const PetscInt *col;
    const PetscScalar *value;
    if (row < 0) continue;
    PetscCall(MatGetRow(s->tangent, i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) {
      PetscInt at = x->block[col[k] / 3];
      if (at >= 0) out[row + i % 3 + n * (at + col[k] % 3)] = value[k];
    }
    PetscCall(MatRestoreRow(s->tangent, i, &ncol, &col, &value));
  }
  PetscCall(ExponentialGather(s, out, n * n));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < i; j++) out[i + n * j] = out[j + n * i] = 0.5 * (out[i + n * j] + out[j + n * i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode GatherMass(const Stepper *p, double *out) {
  const System *s = p->s;
  const Exponential *x = p->exponential;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, x->n * x->n));
  for (PetscInt i = 1; i < s->nnode_own; i++) {
    const Inertia *q = &s->inertia[i];
    PetscInt at = x->place[s->node[i]];
    int size = 3 * node_blocks(model_node(s->model, (int)s->node[i])->kind);
    Mat3 axes = size > 3 ? node_axes(x->reference + 4 * s->node[i]) : mat3_identity();
    for (int c = 0; c < size; c++) {
      double unit[6] = {0}, column[6];
      unit[c] = 1;
      Vec3 v = mat3_apply_transpose(axes, vec3_of(unit)), w = mat3_apply_transpose(axes, vec3_of(unit + 3));
      vec3_to(mat3_apply(axes, inertia_momentum(q, v, w)), column);
      vec3_to(mat3_apply(axes, inertia_angular(q, v, w)), column + 3);
      for (int r = 0; r < size; r++) out[at + r + x->n * (at + c)] = column[r];
    }
  }
  PetscCall(ExponentialGather(s, out, x->n * x->n));
  PetscFunctionReturn(0);
}

// All modes of K and M, of unit mass. What is round-off of the highest is a rigid motion.
static PetscErrorCode FindModes(Exponential *x, bool *good) {
  PetscBLASInt n = (PetscBLASInt)x->n, info, type = 1, size = 35 * n + 32;
  double *mass, *work;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(x->n * x->n, &mass, size, &work));
  PetscCall(PetscArraycpy(mass, x->mass, x->n * x->n));
  PetscCall(PetscArraycpy(x->mode, x->stiffness, x->n * x->n));
  LAPACKsygv_(&type, "V", "U", &n, x->mode, &n, mass, &n, x->square, work, &size, &info);
  *good = info == 0;
  double most = 0;
  for (PetscInt i = 0; i < x->n; i++) most = PetscMax(most, fabs(x->square[i]));
  for (PetscInt i = 0; i < x->n; i++)
    if (fabs(x->square[i]) <= 4e-16 * (double)x->n * most) x->square[i] = 0;
  PetscCall(PetscFree2(mass, work));
  PetscFunctionReturn(0);
}

// Damping on the modes: what each has for itself, and what couples them.
static PetscErrorCode FindDamping(Stepper *p) {
  const System *s = p->s;
  Exponential *x = p->exponential;
  PetscInt n = x->n;
  double *c, *column, most = 0, off = 0, h = p->options.step;
  int damped = 0;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < s->nelement; e++) {
    const ModelElement *el = model_element(s->model, (int)s->element[e]);
    damped |= el->kind->points(el->data) > 0 && element_is_damped(el->kind, el->data);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &damped, 1, MPI_INT, MPI_LOR, s->comm));
  if (!damped) PetscFunctionReturn(0);
  PetscCall(PetscMalloc2(n * n, &c, n, &column));
  PetscCall(ExponentialForces(p, NULL, h, PETSC_TRUE, x->work));
  PetscCall(GatherTangent(p, c));
  for (PetscInt i = 0; i < n * n; i++) c[i] = h * (c[i] - x->stiffness[i]);
  PetscCall(PetscMalloc1(n * n, &x->coupling));
  for (PetscInt k = 0; k < n; k++) {
    exponential_times(n, c, false, x->mode + n * k, column);
    exponential_times(n, x->mode, true, column, x->coupling + n * k);
    x->decay[k] = 0.5 * PetscMax(0, x->coupling[k + n * k]);
    most = PetscMax(most, x->coupling[k + n * k]);
    x->coupling[k + n * k] = 0;
  }
  for (PetscInt i = 0; i < n * n; i++) off = PetscMax(off, fabs(x->coupling[i]));
  if (off <= 1e-11 * most) PetscCall(PetscFree(x->coupling)); // damping as the stiffness has it
  PetscCall(PetscFree2(c, column));
  PetscFunctionReturn(0);
}

// ---- loads ----

// The force that each load puts on the modes for an amplitude of 1, and which loads prescribe a coordinate.
static PetscErrorCode FindLoads(Stepper *p) {
  System *s = p->s;
  Exponential *x = p->exponential;
  PetscInt count = s->model->loads.count;
  double *force;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(count * x->n, &x->pattern, count, &x->drive));
  PetscCall(PetscMalloc1(x->n, &force));
  s->h = PETSC_INFINITY;
  for (PetscInt l = 0; l < count; l++) {
    const Load *q = &model_load(s->model, (int)l)->load;
    if (load_prescribes(q)) x->drive[x->drives++] = (HeldCoord){l, q->id, q->coord};
    if (q->target == LOAD_JOINT) continue;
    PetscCall(VecZeroEntries(s->unknown));
    for (PetscInt i = 0; i < count; i++) {
      double a = i == l;
      s->amplitude[i][0] = a, s->reference[i] = (Amplitude){a, a};
    }
    PetscCall(SystemEvaluate(s, PETSC_FALSE));
    PetscCall(GatherResidual(p, force));
    for (PetscInt i = 0; i < x->n; i++) force[i] = x->rest[i] - force[i];
    exponential_times(x->n, x->mode, true, force, x->pattern + l * x->n);
  }
  PetscCall(PetscFree(force));
  PetscFunctionReturn(0);
}

// ---- life ----

static PetscErrorCode Allocate(Stepper *p) {
  Exponential *x = p->exponential;
  Model m = p->s->model;
  PetscInt n = x->n, rows;
  PetscFunctionBegin;
  for (int j = 0; j < m->joints.count; j++) x->most_held += model_joint(m, j)->joint.rows.nrow;
  rows = x->most_held;
  PetscCall(PetscMalloc5(n * n, &x->mass, n * n, &x->stiffness, n, &x->rest, n * n, &x->mode, n, &x->square));
  PetscCall(PetscCalloc1(n, &x->decay));
  PetscCall(PetscMalloc3(rows, &x->row, MAX_RESPONSE * n, &x->psi, STEP_POINTS * MAX_RESPONSE * n, &x->inside));
  for (int k = 0; k < 3; k++) {
    PetscCall(PetscCalloc4(n, &x->d[k], n, &x->v[k], n, &x->force[k], rows, &x->lambda[k]));
    PetscCall(PetscCalloc3(m->joints.count, &x->at[k].z, m->joints.count, &x->at[k].rate, rows * n, &x->e[k]));
  }
  PetscCall(PetscCalloc4(STEP_POINTS * n, &x->load, n, &x->x0, n, &x->v0, n, &x->slope));
  PetscCall(
      PetscMalloc4(rows, &x->g, rows, &x->rate, 4 * n + 2 * rows * n, &x->work, 4 * rows * rows + 2 * rows, &x->solve));
  PetscCall(PetscMalloc1(2 * rows, &x->pivot));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialCreate(Stepper *p, char *wrong, size_t size) {
  Exponential *x;
  bool good = false;
  double kinetic, potential;
  PetscFunctionBegin;
  PetscCall(ExponentialFits(p, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  PetscCall(PetscNew(&x));
  p->exponential = x;
  x->linear = p->options.linear;
  PetscCall(Number(p));
  PetscCall(Allocate(p));
  step_polynomial(x->inverse);
  PetscCall(LedgerEnergies(p->s, &kinetic, &x->rest_energy, &potential));
  PetscCall(ExponentialForces(p, NULL, PETSC_INFINITY, PETSC_TRUE, x->rest));
  PetscCall(GatherTangent(p, x->stiffness));
  PetscCall(GatherMass(p, x->mass));
  PetscCall(FindModes(x, &good));
  if (!good) PetscCall(PetscSNPrintf(wrong, size, "run: `exponential` finds no modes: the masses are not positive"));
  PetscCall(FindDamping(p));
  PetscCall(FindLoads(p));
  PetscCall(VecZeroEntries(p->s->unknown));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialDestroy(Stepper *p) {
  Exponential *x = p->exponential;
  PetscFunctionBegin;
  if (!x) PetscFunctionReturn(0);
  PetscCall(PetscFree3(x->place, x->reference, x->block));
  PetscCall(PetscFree5(x->mass, x->stiffness, x->rest, x->mode, x->square));
  PetscCall(PetscFree(x->decay));
  PetscCall(PetscFree(x->coupling));
  PetscCall(PetscFree2(x->pattern, x->drive));
  PetscCall(PetscFree3(x->row, x->psi, x->inside));
  for (int k = 0; k < 3; k++) {
    PetscCall(PetscFree4(x->d[k], x->v[k], x->force[k], x->lambda[k]));
    PetscCall(PetscFree3(x->at[k].z, x->at[k].rate, x->e[k]));
  }
  PetscCall(PetscFree4(x->load, x->x0, x->v0, x->slope));
  PetscCall(PetscFree4(x->g, x->rate, x->work, x->solve));
  PetscCall(PetscFree(x->pivot));
  PetscCall(PetscFree(p->exponential));
  PetscFunctionReturn(0);
}

void exponential_energies(const Exponential *x, double *kinetic, double *strain) {
  const double *d = x->d[0], *v = x->v[0];
  double *f = x->work;
  *kinetic = 0, *strain = x->rest_energy;
  exponential_times(x->n, x->mass, false, v, f);
  for (PetscInt i = 0; i < x->n; i++) *kinetic += 0.5 * v[i] * f[i];
  exponential_times(x->n, x->stiffness, false, d, f);
  for (PetscInt i = 0; i < x->n; i++) *strain += d[i] * (x->rest[i] + 0.5 * f[i]);
}
