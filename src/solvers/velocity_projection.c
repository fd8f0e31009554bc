// SPDX-License-Identifier: Apache-2.0
// Velocities that joints and drives allow. With Ghat of mechanics/projection.h, the smallest change in the mass metric
// is
//   v <- v + M^-1 Ghat^T mu,   (Ghat M^-1 Ghat^T) mu = c - Ghat v.
// This system has only the rows of joints, because each node has its own mass. It is ill-conditioned where nodes have a
// little mass in place of none, so the solution is refined.
#include "solvers/solvers.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include <petscblaslapack.h>

void motion_get_velocity(const Motion *motion, PetscInt node, Vec3 v[2]) {
  Vec3 x[4], velocity, angular;
  bool frame = model_node(motion->layout.model, motion->layout.node[node])->kind == NODE_FRAME;
  motion_node_values(motion, node, x, &velocity, &angular);
  v[0] = frame ? mat3_apply_transpose(node_axes(x), velocity) : velocity;
  v[1] = frame ? mat3_apply_transpose(node_axes(x), angular) : vec3_zero();
}

void motion_set_velocity(const Motion *motion, PetscInt node, const Vec3 v[2]) {
  NodeState n = step_node_state(&motion->state, &motion->step, node);
  if (model_node(motion->layout.model, motion->layout.node[node])->kind != NODE_FRAME) n.v[0] = v[0];
  else if (layout_is_material(&motion->layout, node)) n.v[0] = v[0], n.v[1] = v[1];
  else {
    Mat3 r = node_axes(n.x);
    Vec3 w = mat3_apply(r, v[1]);
    n.v[0] = mat3_apply(r, v[0]);
    for (int j = 1; j < 4; j++) n.v[j] = vec3_cross(w, n.x[j]);
  }
}

// The mass matrix of an own node without what it lends to ports, and with a little mass where there is none.
static void node_mass(const Layout *layout, const Inertia *q, double metric[6][6]) {
  double least = 1e-10 * layout->total_mass, turns = least * layout->length * layout->length;
  for (int i = 0; i < 6; i++) {
    double e[6] = {0};
    e[i] = 1;
    vec3_to(inertia_momentum(q, vec3_of(e), vec3_of(e + 3)), &metric[i][0]);
    vec3_to(inertia_angular(q, vec3_of(e), vec3_of(e + 3)), &metric[i][3]);
  }
  for (int i = 0; i < 6; i++)
    if (!(fabs(metric[i][i]) > (i < 3 ? least : turns))) metric[i][i] += i < 3 ? least : turns;
}

void layout_metric(const Layout *layout, PetscInt node, double metric[6][6]) {
  Inertia q = layout->inertia[node];
  for (int i = 0; i < layout->model->ports.count; i++) { // a metric is positive: what is lent belongs to it
    const ModelPort *port = model_port(layout->model, i);
    if (port->node == layout->node[node]) q.m += port->count == 3 ? port->mass / 2 : 2;
  }
  node_mass(layout, &q, metric);
}

// ---- the rows of all joints at the start ----

// A joint at the start: coordinates with an initial rate count as prescribed; angles that follow keep their rates.
static void joint_at_start(const Motion *motion, PetscInt j, Joint *joint, Coords *zdot) {
  *joint = *switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
  *zdot = motion->step.target_rate[j];
  if (motion->switches.throwing ||
      (motion->switches.any && motion->switches.joint[motion->layout.joint[j]].released != 0))
    return;
  for (int c = 0; c < joint->ncoord; c++)
    if (joint->law[c].initial_rate && !joint->prescribed[c])
      joint->prescribed[c] = true, zdot->z[c] = *joint->law[c].initial_rate;
  Coords now = motion->step.angles_follow ? motion_coordinate_rates(motion, j, false) : (Coords){{0}};
  for (int c = 0; c < joint->ncoord && motion->step.angles_follow; c++)
    if (joint->prescribed[c] && joint_coord_is_angle(joint, c)) zdot->z[c] = now.z[c];
  joint_complete(joint);
}

void motion_rows_at_start(const Motion *motion, PetscInt j, StartRows *out) {
  JointState q;
  Coords zdot;
  joint_at_start(motion, j, &out->joint, &zdot);
  state_get_joint(&motion->layout, &motion->state, j, &q);
  projection_build_rows(&out->joint, model_joint(motion->layout.model, motion->layout.joint[j])->nnode, q.kind, q.first,
                        q.x, &motion->state.coord[j], &zdot, motion->step.h, NULL, &out->projection_rows);
}

double motion_start_defect(const Motion *motion, PetscInt j, const StartRows *rows, int i, double *scale) {
  const ProjectionRows *g = &rows->projection_rows;
  double sum = g->rate[i];
  *scale = fabs(sum);
  for (int a = 0; a < model_joint(motion->layout.model, motion->layout.joint[j])->nnode; a++) {
    Vec3 v[2];
    if (motion->layout.node_block[motion->layout.joint_node[j][a]] < 0) continue;
    motion_get_velocity(motion, motion->layout.joint_node[j][a], v);
    sum -= vec3_dot(g->v[a][i], v[0]) + vec3_dot(g->w[a][i], v[1]);
    *scale += vec3_norm(g->v[a][i]) * vec3_norm(v[0]) + vec3_norm(g->w[a][i]) * vec3_norm(v[1]);
  }
  return motion->row_off[j][rows->joint.projection_row[i]] ? 0 : sum;
}

enum { ROUNDS = 10 }; // of refinement

typedef struct {
  PetscInt *first;           // global row of each model joint
  PetscInt *at, *list, *end; // joints at each local node: list[at[i] ...]; which end of the joint it is
  StartRows *rows;           // of local joints
  Mat s;
  KSP ksp; // NULL: LAPACK solves
  Vec b, mu;
  double (*change)[6]; // of the velocities of own nodes
} Projection;

static PetscErrorCode ProjectionCreate(const Motion *motion, Projection *p) {
  Model m = motion->layout.model;
  PetscInt entries = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m->joints.count + 1, &p->first));
  p->first[0] = 0;
  for (int j = 0; j < m->joints.count; j++) {
    const Joint *q = switches_model_joint(&motion->layout, &motion->switches, j);
    int rows = q->nprojection;
    for (int c = 0; c < q->ncoord && !motion->switches.throwing; c++)
      rows += q->law[c].initial_rate && !q->prescribed[c];
    p->first[j + 1] = p->first[j] + rows;
  }
  PetscCall(PetscMalloc1(motion->layout.njoint, &p->rows));
  PetscCall(PetscCalloc1(motion->layout.nnode + 1, &p->at));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    motion_rows_at_start(motion, j, &p->rows[j]);
    for (int a = 0; a < model_joint(m, motion->layout.joint[j])->nnode; a++)
      p->at[motion->layout.joint_node[j][a] + 1]++, entries++;
  }
  for (PetscInt i = 0; i < motion->layout.nnode; i++) p->at[i + 1] += p->at[i];
  PetscCall(PetscMalloc2(entries, &p->list, entries, &p->end));
  for (PetscInt j = motion->layout.njoint; j-- > 0;)
    for (int a = model_joint(m, motion->layout.joint[j])->nnode; a-- > 0;) {
      PetscInt at = --p->at[motion->layout.joint_node[j][a] + 1];
      p->list[at] = j, p->end[at] = a;
    }
  for (PetscInt i = 0; i < motion->layout.nnode; i++) p->at[i] = p->at[i + 1];
  p->at[motion->layout.nnode] = entries;
  PetscCall(VecCreateMPI(motion->layout.comm, PETSC_DECIDE, p->first[m->joints.count], &p->b));
  PetscCall(VecDuplicate(p->b, &p->mu));
  PetscCall(PetscCalloc1(motion->layout.nnode_own, &p->change));
  PetscFunctionReturn(0);
}

static PetscErrorCode ProjectionDestroy(Projection *p) {
  PetscFunctionBegin;
  PetscCall(PetscFree(p->first));
  PetscCall(PetscFree(p->rows));
  PetscCall(PetscFree(p->change));
  PetscCall(PetscFree(p->at));
  PetscCall(PetscFree2(p->list, p->end));
  PetscCall(KSPDestroy(&p->ksp));
  PetscCall(MatDestroy(&p->s));
  PetscCall(VecDestroy(&p->b));
  PetscCall(VecDestroy(&p->mu));
  PetscFunctionReturn(0);
}

static bool is_off(const Motion *motion, const Projection *p, PetscInt j, int i) {
  return motion->row_off[j][p->rows[j].joint.projection_row[i]];
}

// M^-1 of an own node. A node with a given velocity moves least.
static PetscErrorCode NodeInverse(const Layout *layout, const Switches *switches, PetscInt node, double inverse[6][6]) {
  PetscBLASInt six = 6, info, pivot[6], room = 36;
  double stay = 1, work[36];
  Vec3 v, w;
  PetscFunctionBegin;
  node_mass(layout, &layout->inertia[node], inverse);
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &six, &inverse[0][0], &six, &info));
  if (info == 0) PetscCallBLAS("LAPACKpotri", LAPACKpotri_("L", &six, &inverse[0][0], &six, &info));
  else { // it lends more to a port than it has, and bodies that joints hold to it have the rest
    node_mass(layout, &layout->inertia[node], inverse);
    PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&six, &six, &inverse[0][0], &six, pivot, &info));
    PetscCallBLAS("LAPACKgetri", LAPACKgetri_(&six, &inverse[0][0], &six, pivot, work, &room, &info));
  }
  model_velocity(layout->model, layout->node[node], &v, &w);
  if (!switches->throwing && (vec3_norm(v) > 0 || vec3_norm(w) > 0)) stay = 1e-6;
  for (int i = 0; i < 6; i++) // the lower triangle by columns is the upper one by rows
    for (int j = i; j < 6; j++) inverse[j][i] = inverse[i][j] *= stay;
  PetscFunctionReturn(0);
}

PetscErrorCode MotionStrike(const Motion *motion, PetscInt node, Vec3 impulse, Vec3 v[2]) {
  double inverse[6][6], change[6] = {0}, f[3];
  PetscFunctionBegin;
  PetscCall(NodeInverse(&motion->layout, &motion->switches, node, inverse));
  bool frame = model_node(motion->layout.model, motion->layout.node[node])->kind == NODE_FRAME;
  vec3_to(frame ? mat3_apply_transpose(node_axes(motion->state.x + 4 * node), impulse) : impulse, f);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) change[i] += inverse[i][k] * f[k];
  v[0] = vec3_of(change), v[1] = frame ? vec3_of(change + 3) : vec3_zero();
  PetscFunctionReturn(0);
}

// LAPACK solves a small system: MUMPS takes a millisecond to start.
static bool is_dense(const Layout *layout, PetscInt rows) { return layout->size == 1 && rows <= 100; }

static PetscErrorCode ProjectionAssemble(const Motion *motion, Projection *p) {
  PetscInt n = p->first[motion->layout.model->joints.count];
  PetscFunctionBegin;
  if (is_dense(&motion->layout, n)) PetscCall(MatCreateSeqDense(motion->layout.comm, n, n, NULL, &p->s));
  else {
    PetscCall(MatCreateAIJ(motion->layout.comm, PETSC_DECIDE, PETSC_DECIDE, n, n, 4 * MAX_ROWS, NULL, 4 * MAX_ROWS,
                           NULL, &p->s));
    PetscCall(MatSetOption(p->s, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  }
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    double inverse[6][6];
    if (motion->layout.node_block[i] < 0 || p->at[i] == p->at[i + 1]) continue;
    PetscCall(NodeInverse(&motion->layout, &motion->switches, i, inverse));
    for (PetscInt a = p->at[i]; a < p->at[i + 1]; a++)
      for (PetscInt b = p->at[i]; b < p->at[i + 1]; b++) {
        const StartRows *ja = &p->rows[p->list[a]], *jb = &p->rows[p->list[b]];
        for (int r = 0; r < ja->joint.nprojection; r++)
          for (int c = 0; c < jb->joint.nprojection; c++) {
            double ga[6], gb[6], sum = 0;
            PetscInt row = p->first[motion->layout.joint[p->list[a]]] + r,
                     col = p->first[motion->layout.joint[p->list[b]]] + c;
            if (is_off(motion, p, p->list[a], r) || is_off(motion, p, p->list[b], c)) continue;
            start_row(&ja->projection_rows, (int)p->end[a], r, ga),
                start_row(&jb->projection_rows, (int)p->end[b], c, gb);
            for (int k = 0; k < 36; k++) sum += ga[k / 6] * inverse[k / 6][k % 6] * gb[k % 6];
            PetscCall(MatSetValue(p->s, row, col, sum, ADD_VALUES));
          }
      }
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int i = 0; i < p->rows[j].joint.nprojection && motion->layout.joint_primary[j]; i++) {
      PetscInt row = p->first[motion->layout.joint[j]] + i;
      PetscCall(MatSetValue(p->s, row, row, is_off(motion, p, j, i) ? 1 : 0, ADD_VALUES));
    }
  PetscCall(MatAssemblyBegin(p->s, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(p->s, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// c - Ghat v. `worst`: its largest entry, of this joint, relative to its terms.
static PetscErrorCode ProjectionDefect(const Motion *motion, Projection *p, double *worst, ProjectedStart *out) {
  double most[2] = {0, 0};
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int i = 0; i < p->rows[j].joint.nprojection && motion->layout.joint_primary[j]; i++) {
      double scale, defect = motion_start_defect(motion, j, &p->rows[j], i, &scale);
      if (number_or_infinity(fabs(defect)) > most[0])
        most[0] = number_or_infinity(fabs(defect)), out->joint = motion->layout.joint[j];
      most[1] = PetscMax(most[1], scale);
      PetscCall(VecSetValue(p->b, p->first[motion->layout.joint[j]] + i, defect, INSERT_VALUES));
    }
  PetscCall(VecAssemblyBegin(p->b));
  PetscCall(VecAssemblyEnd(p->b));
  PetscCall(ReduceLargest(motion->layout.comm, &most[0], &out->joint, NULL));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most[1], 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  *worst = most[1] > 0 ? most[0] / most[1] : 0, out->missed = most[0];
  PetscFunctionReturn(0);
}

// LU with LAPACK. If dependent rows make the matrix singular, finds the solution of least norm.
static PetscErrorCode SolveDense(PetscInt count, const Projection *p) {
  PetscBLASInt n = (PetscBLASInt)count, one = 1, info, rank, room = 10 * n + 10, *pivot;
  const double *matrix, *right;
  double *lu, *mu, *singular, *work, small = 1e-12;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(count * count, &lu, count, &pivot, count, &singular, room, &work));
  PetscCall(MatDenseGetArrayRead(p->s, &matrix));
  PetscCall(VecGetArrayRead(p->b, &right));
  PetscCall(VecGetArray(p->mu, &mu));
  PetscCall(PetscArraycpy(lu, matrix, count * count));
  PetscCall(PetscArraycpy(mu, right, count));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&n, &n, lu, &n, pivot, &info));
  if (info == 0) PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &n, &one, lu, &n, pivot, mu, &n, &info));
  else {
    PetscCall(PetscArraycpy(lu, matrix, count * count));
    PetscCallBLAS("LAPACKgelss",
                  LAPACKgelss_(&n, &n, &one, lu, &n, mu, &n, singular, &small, &rank, work, &room, &info));
  }
  PetscCall(VecRestoreArray(p->mu, &mu));
  PetscCall(VecRestoreArrayRead(p->b, &right));
  PetscCall(MatDenseRestoreArrayRead(p->s, &matrix));
  PetscCall(PetscFree4(lu, pivot, singular, work));
  PetscFunctionReturn(0);
}

static PetscErrorCode ProjectionSolve(const Layout *layout, Projection *p) {
  PetscInt rows = p->first[layout->model->joints.count];
  PetscFunctionBegin;
  if (is_dense(layout, rows)) {
    PetscCall(SolveDense(rows, p));
    PetscFunctionReturn(0);
  }
  if (!p->ksp) {
    PetscCall(KSPCreate(layout->comm, &p->ksp));
    PetscCall(KSPSetOptionsPrefix(p->ksp, "limber_projection_"));
    PetscCall(KSPSetOperators(p->ksp, p->s, p->s));
    PetscCall(SolverUseLU(p->ksp));
  }
  PetscCall(KSPSolve(p->ksp, p->b, p->mu));
  PetscFunctionReturn(0);
}

// Collects the multipliers of local joints, joint by joint, from the ranks that solved for them.
static PetscErrorCode LocalMultipliers(const Layout *layout, const Projection *p, Vec *local) {
  PetscInt *rows, count = 0;
  VecScatter scatter;
  IS from;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < layout->njoint; j++) count += p->rows[j].joint.nprojection;
  PetscCall(PetscMalloc1(count, &rows));
  count = 0;
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (int r = 0; r < p->rows[j].joint.nprojection; r++) rows[count++] = p->first[layout->joint[j]] + r;
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, rows, PETSC_OWN_POINTER, &from));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, local));
  PetscCall(VecScatterCreate(p->mu, from, *local, NULL, &scatter));
  PetscCall(VecScatterBegin(scatter, p->mu, *local, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, p->mu, *local, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(ISDestroy(&from));
  PetscFunctionReturn(0);
}

// Applies the changes. The ghosted vector of unknowns carries them to the ranks that have copies of a node.
static PetscErrorCode ProjectionApply(const Motion *motion, Equations *equations, Projection *p) {
  Vec multipliers, local;
  const double *mu, *q;
  double *own;
  PetscInt *start; // of the rows of each local joint in `multipliers`
  PetscFunctionBegin;
  PetscCall(LocalMultipliers(&motion->layout, p, &multipliers));
  PetscCall(PetscMalloc1(motion->layout.njoint + 1, &start));
  start[0] = 0;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) start[j + 1] = start[j] + p->rows[j].joint.nprojection;
  PetscCall(VecZeroEntries(equations->unknown));
  PetscCall(VecGetArrayRead(multipliers, &mu));
  PetscCall(VecGetArray(equations->unknown, &own));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    double inverse[6][6], impulse[6] = {0}, change[6] = {0};
    if (motion->layout.node_block[i] < 0 || p->at[i] == p->at[i + 1]) continue;
    PetscCall(NodeInverse(&motion->layout, &motion->switches, i, inverse));
    for (PetscInt a = p->at[i]; a < p->at[i + 1]; a++) {
      const StartRows *j = &p->rows[p->list[a]];
      for (int r = 0; r < j->joint.nprojection; r++) {
        double g[6];
        start_row(&j->projection_rows, (int)p->end[a], r, g);
        for (int k = 0; k < 6; k++) impulse[k] += mu[start[p->list[a]] + r] * g[k];
      }
    }
    for (int k = 0; k < 36; k++) change[k / 6] += inverse[k / 6][k % 6] * impulse[k % 6];
    bool frame = model_node(motion->layout.model, motion->layout.node[i])->kind == NODE_FRAME;
    for (int k = 0; k < (frame ? 6 : 3); k++)
      own[(motion->layout.node_block[i] + k / 3) * motion->layout.bs + k % 3] = change[k], p->change[i][k] += change[k];
  }
  PetscCall(VecRestoreArray(equations->unknown, &own));
  PetscCall(VecRestoreArrayRead(multipliers, &mu));
  PetscCall(VecDestroy(&multipliers));
  PetscCall(PetscFree(start));
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    Vec3 v[2], u[MAX_STAGES], c[MAX_STAGES];
    if (motion->layout.node_block[i] < 0) continue;
    motion_get_velocity(motion, i, v);
    layout_increments(&motion->layout, q, i, u, c);
    v[0] = vec3_add(v[0], u[0]), v[1] = vec3_add(v[1], c[0]);
    motion_set_velocity(motion, i, v);
  }
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(VecZeroEntries(equations->unknown));
  PetscFunctionReturn(0);
}

// The largest changes of all.
static PetscErrorCode ProjectionReport(const Layout *layout, const Projection *p, ProjectedStart *out) {
  double most[2] = {0, 0};
  PetscInt where = -1;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    double dv = number_or_infinity(vec3_norm(vec3_of(p->change[i]))),
           dw = number_or_infinity(vec3_norm(vec3_of(p->change[i] + 3)));
    if (layout_is_abstract(layout, i)) continue; // its velocity is not that of a body
    if (dv + layout->length * dw > most[0] + layout->length * most[1]) where = layout->node[i];
    most[0] = PetscMax(most[0], dv), most[1] = PetscMax(most[1], dw);
  }
  double largest = most[0] + layout->length * most[1];
  PetscCall(ReduceLargest(layout->comm, &largest, &where, NULL));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, layout->comm));
  out->velocity = most[0], out->angular = most[1], out->node = where;
  PetscFunctionReturn(0);
}

PetscErrorCode EquationsProjectVelocities(const Motion *motion, Equations *equations, ProjectedStart *out) {
  Projection p = {0};
  double worst = 0, before = INFINITY;
  PetscFunctionBegin;
  *out = (ProjectedStart){.node = -1, .joint = -1};
  PetscCall(ProjectionCreate(motion, &p));
  for (int round = 0; round < ROUNDS && p.first[motion->layout.model->joints.count] > 0; round++) {
    PetscCall(ProjectionDefect(motion, &p, &worst, out));
    if (worst <= (round ? PETSC_MACHINE_EPSILON : 1e-12) || worst > 0.5 * before) break; // round-off
    if (round == 0) PetscCall(ProjectionAssemble(motion, &p));
    PetscCall(ProjectionSolve(&motion->layout, &p));
    PetscCall(ProjectionApply(motion, equations, &p));
    before = worst;
  }
  PetscCall(ProjectionReport(&motion->layout, &p, out));
  if (worst <= 1e-8) out->missed = 0, out->joint = -1;
  PetscCall(ProjectionDestroy(&p));
  PetscFunctionReturn(0);
}
