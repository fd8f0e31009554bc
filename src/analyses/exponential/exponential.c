// SPDX-License-Identifier: Apache-2.0
// What the exponential scheme knows of a model: its unknowns, forces of its elements, the patterns of its loads.
#include "analyses/exponential/exponential.h"

#include "base/rotation.h"

void exponential_times(PetscInt n, PetscInt m, const double *a, bool transposed, const double *x, double *y) {
  for (PetscInt i = 0; i < (transposed ? m : n); i++) y[i] = 0;
  for (PetscInt k = 0; k < m; k++) {
    const double *column = a + n * k;
    if (transposed)
      for (PetscInt i = 0; i < n; i++) y[k] += column[i] * x[i];
    else
      for (PetscInt i = 0; i < n; i++) y[i] += column[i] * x[k];
  }
}

PetscErrorCode ExponentialGather(const System *s, double *values, PetscInt count) {
  PetscFunctionBegin;
  if (s->layout.size > 1) PetscCall(ReduceArray(s->layout.comm, values, count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// ---- numbering ----

static PetscErrorCode NumberUnknowns(Stepper *p) {
  const System *s = p->s;
  Exponential *x = exponential_of(p);
  PetscInt nodes = s->layout.model->nodes.count, blocks = 0, own = s->layout.nblock_own;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&own, &blocks, 1, MPIU_INT, MPI_SUM, s->layout.comm));
  PetscCall(PetscMalloc3(nodes, &x->offset, 4 * nodes, &x->reference, blocks, &x->block));
  for (PetscInt i = 0; i < nodes; i++) {
    const ModelNode *node = model_node(s->layout.model, i);
    int of = node_blocks(node->kind);
    x->offset[i] = of > 0 ? x->n : -1, x->n += 3 * of;
    for (int k = 0; k < node_vectors(node->kind); k++) x->reference[4 * i + k] = node->x[k];
    if (node->kind == NODE_POINT) continue;
    Mat3 r = rotation_orthonormalised(node_axes(node->x));
    for (int k = 0; k < 3; k++) x->reference[4 * i + k + 1] = mat3_column(r, k);
  }
  for (PetscInt b = 0; b < blocks; b++) x->block[b] = -1;
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    for (int b = 0; b < node_blocks(model_node(s->layout.model, s->layout.node[i])->kind); b++)
      x->block[s->layout.block_global[s->layout.node_block[i] + b]] = x->offset[s->layout.node[i]] + 3 * b;
  PetscCall(ReduceArray(s->layout.comm, x->block, blocks, MPIU_INT, MPI_MAX));
  PetscFunctionReturn(0);
}

// The unknowns of nodes of joints, each once.
static PetscErrorCode FindTouched(Stepper *p) {
  Exponential *x = exponential_of(p);
  Model m = p->s->layout.model;
  PetscBool *seen;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->nodes.count, &seen));
  PetscCall(PetscMalloc1(x->n, &x->touched));
  for (int j = 0; j < m->joints.count; j++) {
    x->max_constraint += model_joint(m, j)->joint.rows.nrow;
    for (int a = 0; a < model_joint(m, j)->nnode; a++) seen[model_joint(m, j)->node[a]] = PETSC_TRUE;
  }
  for (int i = 0; i < m->nodes.count; i++)
    for (int k = 0; k < 3 * node_blocks(model_node(m, i)->kind) && seen[i]; k++)
      x->touched[x->near++] = x->offset[i] + k;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(0);
}

// ---- forces of the system ----

static PetscErrorCode GatherResidual(const Stepper *p, double *out) {
  const System *s = p->s;
  const Exponential *x = exponential_of(p);
  const double *r;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, x->n));
  PetscCall(VecGetArrayRead(s->linear.residual, &r));
  for (PetscInt b = 0; b < s->layout.nblock_own; b++) {
    PetscInt at = x->block[s->layout.block_global[b]];
    for (int i = 0; i < 3 && at >= 0; i++) out[at + i] = r[3 * b + i];
  }
  PetscCall(VecRestoreArrayRead(s->linear.residual, &r));
  PetscCall(ExponentialGather(s, out, x->n));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialForces(Stepper *p, const double *d, double h, PetscBool tangent, double *out) {
  System *s = p->s;
  const Exponential *x = exponential_of(p);
  double *q;
  PetscFunctionBegin;
  s->step.h = h;
  for (PetscInt l = 0; l < s->layout.model->loads.count; l++)
    s->step.amplitude[l][0] = 0, s->step.end_amplitude[l] = (Amplitude){0, 0};
  PetscCall(VecZeroEntries(s->linear.unknown));
  PetscCall(VecGetArray(s->linear.unknown, &q));
  for (PetscInt i = 1; i < s->layout.nnode_own && d; i++) // points: only they have a remainder
    if (s->layout.node_block[i] >= 0) {
      Vec3 to = vec3_add(x->reference[4 * s->layout.node[i]], vec3_of(d + x->offset[s->layout.node[i]]));
      vec3_to(vec3_sub(to, s->state.x[4 * i]), q + 3 * s->layout.node_block[i]);
    }
  PetscCall(VecRestoreArray(s->linear.unknown, &q));
  PetscCall(SystemEvaluate(s, tangent));
  PetscCall(GatherResidual(p, out));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialRemainder(Stepper *p, const double *d, double *out) {
  Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  if (x->linear) {
    for (PetscInt i = 0; i < x->m; i++) out[i] = -x->rest_mode[i];
    PetscFunctionReturn(0);
  }
  PetscCall(ExponentialForces(p, d, PETSC_INFINITY, PETSC_FALSE, x->work));
  exponential_times(x->n, x->m, x->mode, true, x->work, out);
  exponential_times(x->n, x->m, x->heavy, true, d, x->work);
  for (PetscInt i = 0; i < x->m; i++) out[i] = x->square[i] * x->work[i] - out[i];
  PetscFunctionReturn(0);
}

// ---- loads ----

// The force of each load for an amplitude of 1, and which loads prescribe a coordinate.
static PetscErrorCode FindLoads(Stepper *p) {
  System *s = p->s;
  Exponential *x = exponential_of(p);
  PetscInt count = s->layout.model->loads.count;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(count * x->n, &x->push, count, &x->drive));
  s->step.h = PETSC_INFINITY;
  for (PetscInt l = 0; l < count; l++) {
    const Load *q = &model_load(s->layout.model, l)->load;
    double *force = x->push + l * x->n;
    if (load_prescribes(q)) x->drive[x->drives++] = (PrescribedCoord){l, q->id, q->coord};
    if (q->target == LOAD_JOINT) continue;
    PetscCall(VecZeroEntries(s->linear.unknown));
    for (PetscInt i = 0; i < count; i++) {
      double a = i == l;
      s->step.amplitude[i][0] = a, s->step.end_amplitude[i] = (Amplitude){a, a};
    }
    PetscCall(SystemEvaluate(s, PETSC_FALSE));
    PetscCall(GatherResidual(p, force));
    for (PetscInt i = 0; i < x->n; i++) force[i] = x->rest[i] - force[i];
  }
  PetscFunctionReturn(0);
}

// Loads and the forces at the reference on the modes.
static PetscErrorCode ProjectForces(Stepper *p) {
  Exponential *x = exponential_of(p);
  PetscInt count = p->s->layout.model->loads.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count * x->m, &x->pattern, x->m, &x->rest_mode));
  for (PetscInt l = 0; l < count; l++)
    exponential_times(x->n, x->m, x->mode, true, x->push + l * x->n, x->pattern + l * x->m);
  exponential_times(x->n, x->m, x->mode, true, x->rest, x->rest_mode);
  PetscFunctionReturn(0);
}

// ---- life ----

static PetscErrorCode AllocateWork(Stepper *p) {
  Exponential *x = exponential_of(p);
  Model model = p->s->layout.model;
  PetscInt n = x->n, m = x->m, rows = x->max_constraint, joints = model->joints.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(rows, &x->row, MAX_RESPONSE * m, &x->psi, STEP_POINTS * MAX_RESPONSE * m, &x->inside));
  for (int k = 0; k < 3; k++) {
    PetscCall(PetscCalloc4(n, &x->d[k], n, &x->v[k], m, &x->force[k], rows, &x->lambda[k]));
    PetscCall(PetscCalloc3(joints, &x->at[k].z, joints, &x->at[k].rate, rows * n, &x->e[k]));
  }
  PetscCall(PetscCalloc4(STEP_POINTS * m, &x->load, m, &x->x0, m, &x->v0, n, &x->slope));
  PetscCall(
      PetscMalloc4(rows, &x->g, rows, &x->rate, 4 * n + 2 * rows * m, &x->work, 4 * rows * rows + 2 * rows, &x->solve));
  PetscCall(PetscMalloc1(2 * rows, &x->pivot));
  PetscFunctionReturn(0);
}

static PetscErrorCode Prepare(Stepper *p, char *wrong, size_t size) {
  Exponential *x;
  double kinetic, potential;
  PetscFunctionBegin;
  PetscCall(ExponentialFits(p, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  PetscCall(PetscNew(&x));
  p->data = x;
  x->linear = p->options.linear;
  PetscCall(NumberUnknowns(p));
  PetscCall(FindTouched(p));
  step_polynomial(x->inverse);
  PetscCall(PetscMalloc1(x->n, &x->rest));
  PetscCall(LedgerEnergies(p->s, NULL, &kinetic, &x->rest_energy, &potential));
  PetscCall(ExponentialForces(p, NULL, PETSC_INFINITY, PETSC_FALSE, x->rest));
  PetscCall(FindLoads(p));
  PetscCall(ExponentialModes(p, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  PetscCall(ProjectForces(p));
  PetscCall(AllocateWork(p));
  PetscCall(VecZeroEntries(p->s->linear.unknown));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(Stepper *p) {
  Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  if (!x) PetscFunctionReturn(0);
  PetscCall(PetscFree3(x->offset, x->reference, x->block));
  PetscCall(PetscFree(x->touched));
  PetscCall(PetscFree(x->rest));
  PetscCall(PetscFree4(x->mode, x->heavy, x->square, x->decay));
  PetscCall(PetscFree(x->coupling));
  PetscCall(PetscFree2(x->push, x->drive));
  PetscCall(PetscFree2(x->pattern, x->rest_mode));
  PetscCall(PetscFree3(x->row, x->psi, x->inside));
  for (int k = 0; k < 3; k++) {
    PetscCall(PetscFree4(x->d[k], x->v[k], x->force[k], x->lambda[k]));
    PetscCall(PetscFree3(x->at[k].z, x->at[k].rate, x->e[k]));
  }
  PetscCall(PetscFree4(x->load, x->x0, x->v0, x->slope));
  PetscCall(PetscFree4(x->g, x->rate, x->work, x->solve));
  PetscCall(PetscFree(x->pivot));
  PetscCall(PetscFree(p->data));
  PetscFunctionReturn(0);
}

// Of the linear structure, in place of those of the elements.
static void linear_energies(const Exponential *x, double *kinetic, double *strain) {
  double *y = x->work;
  *kinetic = 0, *strain = x->rest_energy;
  exponential_times(x->n, x->m, x->heavy, true, x->v[START], y);
  for (PetscInt i = 0; i < x->m; i++) *kinetic += 0.5 * y[i] * y[i];
  exponential_times(x->n, x->m, x->heavy, true, x->d[START], y);
  for (PetscInt i = 0; i < x->m; i++) *strain += y[i] * (x->rest_mode[i] + 0.5 * x->square[i] * y[i]);
}

static PetscErrorCode Energies(Stepper *p, const StepBalance *balance, double *kinetic, double *strain,
                               double *potential) {
  PetscFunctionBegin;
  (void)balance; // its elements are those of the nonlinear model
  PetscCall(LedgerEnergies(p->s, NULL, kinetic, strain, potential));
  if (exponential_of(p)->linear) linear_energies(exponential_of(p), kinetic, strain);
  PetscFunctionReturn(0);
}

static PetscErrorCode Resume(Stepper *p) {
  bool good;
  PetscFunctionBegin;
  PetscCall(ExponentialBegin(p, p->options.step, &good));
  PetscFunctionReturn(0);
}

// Structures stay at rest beside a drive that sets off at speed, as the papers have it.
const AnalysisKind analysis_exponential = {
    .name = "exponential",
    .help = "Integrates the motion in time of a structure that is linear about its reference, with its modes in closed "
            "form.",
    .prepare = Prepare,
    .destroy = Destroy,
    .start = ExponentialStart,
    .advance = ExponentialAdvance,
    .accept = ExponentialAccept,
    .energies = Energies,
    .resume = Resume,
};
