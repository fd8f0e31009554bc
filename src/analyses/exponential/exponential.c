// SPDX-License-Identifier: Apache-2.0
// Sets up the exponential scheme for a model, and finds its energies.
#include "analyses/exponential/exponential.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

#include "base/rotation.h"

// ---- numbering ----

static PetscErrorCode NumberUnknowns(Stepper *p) {
  const Layout *layout = &p->s->motion.layout;
  Exponential *x = exponential_of(p);
  PetscInt nodes = layout->model->nodes.count, blocks = 0, own = layout->nblock_own;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&own, &blocks, 1, MPIU_INT, MPI_SUM, layout->comm));
  PetscCall(PetscMalloc3(nodes, &x->offset, 4 * nodes, &x->reference, blocks, &x->block));
  for (PetscInt i = 0; i < nodes; i++) {
    const ModelNode *node = model_node(layout->model, i);
    int of = node_blocks(node->kind);
    x->offset[i] = of > 0 ? x->n : -1, x->n += 3 * of;
    for (int k = 0; k < node_vectors(node->kind); k++) x->reference[4 * i + k] = node->x[k];
    if (node->kind == NODE_POINT) continue;
    Mat3 r = rotation_orthonormalised(node_axes(node->x));
    for (int k = 0; k < 3; k++) x->reference[4 * i + k + 1] = mat3_column(r, k);
  }
  for (PetscInt b = 0; b < blocks; b++) x->block[b] = -1;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int b = 0; b < node_blocks(model_node(layout->model, layout->node[i])->kind); b++)
      x->block[layout->block_global[layout->node_block[i] + b]] = x->offset[layout->node[i]] + 3 * b;
  PetscCall(ReduceArray(layout->comm, x->block, blocks, MPIU_INT, MPI_MAX));
  PetscFunctionReturn(0);
}

// The unknowns of nodes of joints, each once.
static PetscErrorCode FindTouched(Stepper *p) {
  Exponential *x = exponential_of(p);
  Model m = p->s->motion.layout.model;
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

// ---- life ----

static PetscErrorCode AllocateWork(Stepper *p) {
  Exponential *x = exponential_of(p);
  Model model = p->s->motion.layout.model;
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

static PetscErrorCode Prepare(Stepper *p, Refusal *wrong) {
  Exponential *x;
  double kinetic, potential;
  PetscFunctionBegin;
  PetscCall(ExponentialFits(p, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscNew(&x));
  p->data = x;
  x->linear = p->options.linear;
  PetscCall(NumberUnknowns(p));
  PetscCall(FindTouched(p));
  step_polynomial(x->inverse);
  PetscCall(PetscMalloc1(x->n, &x->rest));
  PetscCall(LedgerEnergies(&p->s->motion, NULL, &kinetic, &x->rest_energy, &potential));
  PetscCall(ExponentialForces(p, NULL, PETSC_INFINITY, PETSC_FALSE, x->rest));
  PetscCall(ExponentialFindLoads(p));
  PetscCall(ExponentialModes(p, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(ExponentialProjectForces(p));
  PetscCall(AllocateWork(p));
  PetscCall(VecZeroEntries(p->s->equations.unknown));
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

// Energies of the linear structure instead of those of the elements.
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
  PetscCall(LedgerEnergies(&p->s->motion, NULL, kinetic, strain, potential));
  if (exponential_of(p)->linear) linear_energies(exponential_of(p), kinetic, strain);
  PetscFunctionReturn(0);
}

static PetscErrorCode Resume(Stepper *p) {
  bool good;
  PetscFunctionBegin;
  PetscCall(ExponentialBegin(p, p->options.step, &good));
  PetscFunctionReturn(0);
}

// As in the papers, a structure starts at rest even if a drive starts with a speed.
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
