// SPDX-License-Identifier: Apache-2.0
// Initial velocities of flexible parts behind a drive that starts at speed. The smallest change of velocities in the
// mass metric would move only the nodes at joints and strike beams, cables and solids at their ends. Instead, of all
// changes that satisfy drives and joints, this file finds the one with the least strain rate, and among these the
// smallest in the mass metric M, by steps of
//   [M + a K   Ghat^T] [d]    [    -a K dv    ]
//   [Ghat        0   ] [mu] = [c - Ghat (v+dv)],     dv <- dv + d,       K = sum of B^T C B over elements with mass.
// Each step divides the remaining strain rate in a mode of frequency w by 1 + a w^2; where a rigid motion fits, the
// steps converge to it. Parts without a drive are left alone. Springs and bushings, which have no mass, do not carry
// other parts along. A node with a given velocity keeps it.
// Equations: eq-start-strain-rate (6.2).
#include "assembly/partition.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "solvers/solvers.h"

enum { MOST_STEPS = 60 };
static const double first_weight = 1e8, last_weight = 1e14; // a w^2 at the highest frequency; round-off grows with it

typedef struct {
  PetscInt *part, *body; // for each model node: root of what joints and elements connect, and of what elements connect
  double *driven;        // for each root of parts: 1 if a drive or an initial rate moves it
  double *frequency;     // for each root of bodies: upper bound of the square of the highest frequency
  double *over;          // for each local element: inverse of `frequency` of its body; 0: it carries nothing along
  StartRows *rows;       // of local joints
} Follow;

// ---- driven parts ----

// Whether the node has a velocity of its own, beside the motion given to the whole model.
static bool own_velocity(Model m, PetscInt node) {
  Vec3 v, w, rigid;
  model_velocity(m, node, &v, &w);
  rigid = vec3_add(m->rigid[0], vec3_cross(m->rigid[1], model_node(m, node)->x[0]));
  bool moves = vec3_norm(v) > 0 || vec3_norm(w) > 0;
  return moves && (vec3_norm(vec3_sub(v, rigid)) > 0 || vec3_norm(vec3_sub(w, m->rigid[1])) > 0);
}

// Whether an element carries connected parts along.
static bool moves_with_nodes(Model m, PetscInt element) {
  const ModelElement *el = model_element(m, element);
  bool mass = false;
  if (el->kind->points(el->data) == 0) return false;
  for (int a = 0; a < el->nnode; a++) {
    Inertia q = {0};
    el->kind->inertia(el->data, a, &q);
    mass = mass || q.m > 0;
  }
  return mass;
}

static void unite_nodes(Model m, PetscInt *parent, int count, const int *node) {
  PetscInt first = -1;
  for (int a = 0; a < count; a++) {
    if (model_node(m, node[a])->kind == NODE_FIXED) continue;
    PetscInt root = system_root(parent, node[a]);
    if (first < 0) first = root;
    parent[root] = first;
  }
}

static PetscErrorCode FollowCreate(const Motion *motion, Follow *f) {
  Model m = motion->layout.model;
  PetscInt n = m->nodes.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &f->part, n, &f->body));
  PetscCall(PetscCalloc2(n, &f->driven, n, &f->frequency));
  PetscCall(PetscMalloc1(motion->layout.njoint, &f->rows));
  PetscCall(PetscCalloc1(motion->layout.nelement, &f->over));
  for (PetscInt i = 0; i < n; i++) f->part[i] = f->body[i] = i;
  for (PetscInt e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    unite_nodes(m, f->part, el->nnode, model_element_nodes(m, el));
    if (moves_with_nodes(m, e)) unite_nodes(m, f->body, el->nnode, model_element_nodes(m, el));
  }
  for (PetscInt j = 0; j < m->joints.count; j++)
    unite_nodes(m, f->part, model_joint(m, j)->nnode, model_joint(m, j)->node);
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    motion_rows_at_start(motion, j, &f->rows[j]);
    for (int i = 0; i < f->rows[j].joint.nprojection; i++)
      for (int a = 0; a < model_joint(m, motion->layout.joint[j])->nnode && f->rows[j].projection_rows.rate[i] != 0;
           a++)
        if (motion->layout.node_block[motion->layout.joint_node[j][a]] >= 0)
          f->driven[system_root(f->part, motion->layout.node[motion->layout.joint_node[j][a]])] = 1;
  }
  PetscCall(ReduceArray(motion->layout.comm, f->driven, n, MPI_DOUBLE, MPI_MAX));
  PetscFunctionReturn(0);
}

static PetscErrorCode FollowDestroy(Follow *f) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(f->part, f->body));
  PetscCall(PetscFree2(f->driven, f->frequency));
  PetscCall(PetscFree(f->rows));
  PetscCall(PetscFree(f->over));
  PetscFunctionReturn(0);
}

static bool is_driven(const Layout *layout, const Follow *f, PetscInt joint) {
  bool driven = false;
  for (int a = 0; a < model_joint(layout->model, layout->joint[joint])->nnode; a++)
    driven = driven || f->driven[system_root(f->part, layout->node[layout->joint_node[joint][a]])] > 0;
  return driven;
}

static bool any_elastic(Model m) {
  for (PetscInt e = 0; e < m->elements.count; e++)
    if (moves_with_nodes(m, e)) return true;
  return false;
}

// Whether any joint has a rate at the start.
static PetscErrorCode AnyRate(const Motion *motion, bool *found) {
  PetscMPIInt any = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint && !any; j++) {
    StartRows rows;
    motion_rows_at_start(motion, j, &rows);
    for (int i = 0; i < rows.joint.nprojection; i++) any |= rows.projection_rows.rate[i] != 0;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, motion->layout.comm));
  *found = any;
  PetscFunctionReturn(0);
}

PetscErrorCode MotionMustFollow(const Motion *motion, bool *found) {
  Follow f;
  double most[2] = {0, 0};
  PetscFunctionBegin;
  *found = false;
  if (any_elastic(motion->layout.model)) PetscCall(AnyRate(motion, found));
  if (!*found) PetscFunctionReturn(0);
  PetscCall(FollowCreate(motion, &f));
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int i = 0; i < f.rows[j].joint.nprojection && is_driven(&motion->layout, &f, j); i++) {
      double scale, defect = motion_start_defect(motion, j, &f.rows[j], i, &scale);
      most[0] = PetscMax(most[0], number_or_infinity(fabs(defect))), most[1] = PetscMax(most[1], scale);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  *found = most[0] > 1e-12 * most[1];
  PetscCall(FollowDestroy(&f));
  PetscFunctionReturn(0);
}

// ---- rates of strain ----

typedef struct { // of one integration point
  int nrow, nnode;
  double b[MAX_ROWS][6 * MAX_LOCAL_NODES]; // on v, w of each node of the element
  double c[MAX_ROWS * MAX_ROWS];           // stiffness, times the weight of the point
  double cb[MAX_ROWS][6 * MAX_LOCAL_NODES];
} StrainRates;

static void strain_rates(const Layout *layout, const State *state, PetscInt e, int g, StrainRates *out) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  Vec3 x[MAX_LOCAL_VECTORS], grad[MAX_ROWS][MAX_LOCAL_VECTORS], v[MAX_ROWS], w[MAX_ROWS];
  double strain[MAX_ROWS];
  int nvec = state_element_vectors(layout, state, e, x), first = 0;
  ElementPoint p;
  element_point(el->kind, el->data, g, &p);
  rows_value(&p.rows, x, no_coords, strain);
  rows_gradient(&p.rows, x, no_coords, grad, nvec);
  for (int r = 0; r < p.rows.nroot; r++) // the gradient of a length l is that of l^2/2 divided by l
    for (int i = 0; i < nvec; i++) grad[r][i] = vec3_scale(1 / (strain[r] + p.rows.ref[r]), grad[r][i]);
  out->nrow = p.rows.nrow, out->nnode = el->nnode;
  for (int a = 0; a < el->nnode; a++) {
    NodeKind kind =
        model_node(layout->model, layout->node[layout->element_node[layout->element_node_start[e] + a]])->kind;
    rows_on_velocities(p.rows.nrow, grad, kind, first, x + first, v, w);
    for (int r = 0; r < p.rows.nrow; r++) vec3_to(v[r], &out->b[r][6 * a]), vec3_to(w[r], &out->b[r][6 * a + 3]);
    first += node_vectors(kind);
  }
  p.response->stiffness(&p, strain, out->c);
  for (int i = 0; i < 6 * out->nnode * out->nrow; i++) {
    double *at = &out->cb[i % out->nrow][i / out->nrow];
    *at = 0;
    for (int r = 0; r < out->nrow; r++) *at += out->c[i % out->nrow * out->nrow + r] * out->b[r][i / out->nrow];
  }
}

static inline double stiffness_between(const StrainRates *q, int i, int j) {
  double sum = 0;
  for (int r = 0; r < q->nrow; r++) sum += q->b[r][i] * q->cb[r][j];
  return sum;
}

// Node a of a local element. `own`: how many of its unknowns belong to this rank.
static PetscInt element_node(const Layout *layout, PetscInt e, int a, int *own) {
  PetscInt i = layout->element_node[layout->element_node_start[e] + a];
  *own = layout->node_block[i] < 0 || i >= layout->nnode_own
             ? 0
             : 3 * node_blocks(model_node(layout->model, layout->node[i])->kind);
  return i;
}

static PetscErrorCode FindFrequencies(const Layout *layout, const State *state, Follow *f) {
  double *diagonal;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(6 * layout->nnode_own, &diagonal));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    for (int g = 0; moves_with_nodes(layout->model, layout->element[e]) && g < el->kind->points(el->data); g++) {
      StrainRates q;
      strain_rates(layout, state, e, g, &q);
      for (int a = 0; a < q.nnode; a++) {
        int own;
        PetscInt i = element_node(layout, e, a, &own);
        for (int k = 0; k < own; k++) diagonal[6 * i + k] += stiffness_between(&q, 6 * a + k, 6 * a + k);
      }
    }
  }
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    double metric[6][6], *at = &f->frequency[system_root(f->body, layout->node[i])];
    double least = 1e-9 * layout->total_mass;
    layout_metric(layout, i, metric);
    for (int k = 0; k < 6; k++)
      if (metric[k][k] > least * (k < 3 ? 1 : layout->length * layout->length))
        *at = PetscMax(*at, diagonal[6 * i + k] / metric[k][k]);
  }
  PetscCall(PetscFree(diagonal));
  PetscCall(ReduceArray(layout->comm, f->frequency, layout->model->nodes.count, MPI_DOUBLE, MPI_MAX));
  for (PetscInt e = 0; e < layout->nelement; e++) {
    PetscInt node = 0; // a node of the body that is not fixed
    for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++)
      if (layout->node_block[layout->element_node[a]] >= 0) node = layout->node[layout->element_node[a]];
    double frequency = f->frequency[system_root(f->body, node)];
    if (frequency > 0 && moves_with_nodes(layout->model, layout->element[e])) f->over[e] = 1 / frequency;
  }
  PetscFunctionReturn(0);
}

// ---- the equations ----

static PetscInt unknown_of(const Layout *layout, PetscInt block, int k) {
  return 3 * layout->block_global[block + k / 3] + k % 3;
}

static PetscErrorCode AddMasses(const Layout *layout, MatrixSlots *matrix, bool *used) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    double metric[6][6];
    int n = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind);
    layout_metric(layout, i, metric);
    for (int k = 0; k < n * n; k++)
      PetscCall(MatSetValue(matrix->tangent, unknown_of(layout, layout->node_block[i], k / n),
                            unknown_of(layout, layout->node_block[i], k % n), metric[k / n][k % n], ADD_VALUES));
    for (int k = 0; k < n; k++) used[3 * layout->node_block[i] + k] = true;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode AddStiffness(const Motion *motion, MatrixSlots *matrix, const Follow *f, double weight) {
  enum { MOST = 6 * MAX_LOCAL_NODES };
  double *k;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(MOST * MOST, &k));
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    PetscInt row[MOST], col[MOST], n = 0;
    int column[MOST], own;
    if (f->over[e] == 0) continue;
    for (int a = 0; a < el->nnode; a++) { // positions among v, w of all nodes; rows of nodes of other ranks are not set
      PetscInt i = element_node(&motion->layout, e, a, &own);
      for (int d = 0; d < 3 * node_blocks(model_node(motion->layout.model, motion->layout.node[i])->kind); d++, n++) {
        column[n] = 6 * a + d, col[n] = unknown_of(&motion->layout, motion->layout.node_block[i], d),
        row[n] = d < own ? col[n] : -1;
      }
    }
    PetscCall(PetscArrayzero(k, n * n));
    for (int g = 0; g < el->kind->points(el->data); g++) {
      StrainRates q;
      strain_rates(&motion->layout, &motion->state, e, g, &q);
      for (PetscInt i = 0; i < n * n; i++)
        k[i] += weight * f->over[e] * stiffness_between(&q, column[i / n], column[i % n]);
    }
    PetscCall(MatSetValues(matrix->tangent, n, row, n, col, k, ADD_VALUES));
  }
  PetscCall(PetscFree(k));
  PetscFunctionReturn(0);
}

// Adds the rows of the joints at the places of their multipliers, and their transpose.
static PetscErrorCode AddJoints(const Motion *motion, MatrixSlots *matrix, const Follow *f, bool *used) {
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int i = 0; i < f->rows[j].joint.nprojection; i++) {
      PetscInt block = motion->layout.joint_block[j] + i / 3,
               row = unknown_of(&motion->layout, motion->layout.joint_block[j], i);
      if (motion->row_off[j][f->rows[j].joint.projection_row[i]]) continue;
      for (int a = 0; a < model_joint(motion->layout.model, motion->layout.joint[j])->nnode; a++) {
        PetscInt node = motion->layout.joint_node[j][a];
        double g[6];
        if (motion->layout.node_block[node] < 0) continue;
        start_row(&f->rows[j].projection_rows, a, i, g);
        for (int k = 0; k < 3 * node_blocks(model_node(motion->layout.model, motion->layout.node[node])->kind); k++) {
          PetscInt col = unknown_of(&motion->layout, motion->layout.node_block[node], k);
          if (block < motion->layout.nblock_own) PetscCall(MatSetValue(matrix->tangent, row, col, g[k], ADD_VALUES));
          if (node < motion->layout.nnode_own) PetscCall(MatSetValue(matrix->tangent, col, row, g[k], ADD_VALUES));
        }
      }
      if (block < motion->layout.nblock_own) used[3 * block + i % 3] = true;
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode MakeTangent(const Motion *motion, MatrixSlots *matrix, Follow *f, double weight) {
  bool *used;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(3 * motion->layout.nblock_own, &used));
  PetscCall(MatZeroEntries(matrix->tangent));
  PetscCall(AddMasses(&motion->layout, matrix, used));
  PetscCall(AddStiffness(motion, matrix, f, weight));
  PetscCall(AddJoints(motion, matrix, f, used));
  for (PetscInt i = 0; i < 3 * motion->layout.nblock_own; i++) {
    PetscInt row = 3 * motion->layout.first_block + i;
    PetscCall(MatSetValue(matrix->tangent, row, row, used[i] ? 0 : 1, ADD_VALUES));
  }
  PetscCall(MatAssemblyBegin(matrix->tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix->tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree(used));
  matrix->made++;
  PetscFunctionReturn(0);
}

// The change of the velocities of a local node so far.
static void change_of(const Layout *layout, const double *q, PetscInt node, double dv[6]) {
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  layout_increments(layout, q, node, u, c);
  vec3_to(u[0], dv), vec3_to(c[0], dv + 3);
}

static void resist_strains(const Layout *layout, const State *state, const Follow *f, const double *q, double weight,
                           double *r) {
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    for (int g = 0; f->over[e] > 0 && g < el->kind->points(el->data); g++) {
      double dv[6 * MAX_LOCAL_NODES], rate[MAX_ROWS] = {0}, stress[MAX_ROWS] = {0};
      StrainRates p;
      strain_rates(layout, state, e, g, &p);
      for (int a = 0; a < p.nnode; a++)
        change_of(layout, q, layout->element_node[layout->element_node_start[e] + a], dv + 6 * a);
      for (int i = 0; i < p.nrow; i++)
        for (int k = 0; k < 6 * p.nnode; k++) rate[i] += p.b[i][k] * dv[k];
      for (int i = 0; i < p.nrow * p.nrow; i++) stress[i / p.nrow] += weight * f->over[e] * p.c[i] * rate[i % p.nrow];
      for (int a = 0; a < p.nnode; a++) {
        int own;
        PetscInt i = element_node(layout, e, a, &own);
        for (int k = 0; k < own * p.nrow; k++)
          r[3 * layout->node_block[i] + k / p.nrow] -= p.b[k % p.nrow][6 * a + k / p.nrow] * stress[k % p.nrow];
      }
    }
  }
}

static PetscErrorCode MakeResidual(const Motion *motion, Equations *equations, Follow *f, double weight) {
  const double *q;
  double *r;
  Vec local;
  PetscFunctionBegin;
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(VecZeroEntries(equations->residual));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(VecGetArray(equations->residual, &r));
  resist_strains(&motion->layout, &motion->state, f, q, weight, r);
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int i = 0; i < f->rows[j].joint.nprojection && is_driven(&motion->layout, f, j); i++) {
      PetscInt block = motion->layout.joint_block[j] + i / 3;
      double scale, left = motion_start_defect(motion, j, &f->rows[j], i, &scale);
      if (block >= motion->layout.nblock_own || motion->row_off[j][f->rows[j].joint.projection_row[i]]) continue;
      for (int a = 0; a < model_joint(motion->layout.model, motion->layout.joint[j])->nnode; a++) {
        double g[6], dv[6];
        start_row(&f->rows[j].projection_rows, a, i, g);
        change_of(&motion->layout, q, motion->layout.joint_node[j][a], dv);
        for (int k = 0; k < 6; k++) left -= g[k] * dv[k];
      }
      r[3 * block + i % 3] = left;
    }
  PetscCall(VecRestoreArray(equations->residual, &r));
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscFunctionReturn(0);
}

// The norm of the velocities in a vector of unknowns, in the mass metric.
static PetscErrorCode VelocityNorm(const Layout *layout, Vec x, double *out) {
  const double *q;
  PetscFunctionBegin;
  *out = 0;
  PetscCall(VecGetArrayRead(x, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    double metric[6][6], dv[6];
    layout_metric(layout, i, metric);
    change_of(layout, q, i, dv);
    for (int k = 0; k < 36; k++) *out += dv[k / 6] * metric[k / 6][k % 6] * dv[k % 6];
  }
  PetscCall(VecRestoreArrayRead(x, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, layout->comm));
  *out = PetscSqrtReal(*out);
  PetscFunctionReturn(0);
}

// Iterates until the velocities no longer change. Slow convergence means that the structure is soft compared with its
// highest frequency; the weight of the strain rate is then raised.
static PetscErrorCode TakeNewtonSteps(System *s, Follow *f, PetscBool *good) {
  double weight = first_weight, before = 0, change, all;
  PetscFunctionBegin;
  s->linear.nfallback = INT_MAX / 2; // this matrix is too far from a mass matrix for the fast solver: use MUMPS
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(MakeTangent(&s->motion, &s->equations.matrix, f, weight));
  for (int step = 0; step < MOST_STEPS; step++) {
    PetscCall(MakeResidual(&s->motion, &s->equations, f, weight));
    PetscCall(SystemSolve(s, good));
    if (!*good) break;
    PetscCall(VecAXPY(s->equations.unknown, 1, s->linear.increment));
    PetscCall(VelocityNorm(&s->motion.layout, s->linear.increment, &change));
    PetscCall(VelocityNorm(&s->motion.layout, s->equations.unknown, &all));
    if (change <= 1e-14 * all) break;
    if (step > 0 && change > 0.7 * before && change <= 1e-15 * weight * all) break; // round-off
    if (step > 0 && change > 0.5 * before && weight < last_weight)
      PetscCall(MakeTangent(&s->motion, &s->equations.matrix, f, weight *= 1e3));
    before = change;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemFollow(System *s, double *change) {
  PetscInt n = s->motion.layout.model->nodes.count;
  PetscBool good;
  const double *q;
  Follow f;
  PetscFunctionBegin;
  PetscCheck(s->motion.layout.bs == 3, s->motion.layout.comm, PETSC_ERR_PLIB, "follow: one interval is meant");
  PetscCall(PetscArrayzero(change, 6 * n));
  PetscCall(FollowCreate(&s->motion, &f));
  PetscCall(FindFrequencies(&s->motion.layout, &s->motion.state, &f));
  PetscCall(TakeNewtonSteps(s, &f, &good));
  PetscCall(VecGetArrayRead(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own && good; i++)
    if (!own_velocity(s->motion.layout.model, s->motion.layout.node[i]))
      change_of(&s->motion.layout, q, i, change + 6 * s->motion.layout.node[i]);
  PetscCall(VecRestoreArrayRead(s->equations.unknown, &q));
  PetscCall(ReduceArray(s->motion.layout.comm, change, (PetscInt64)6 * n, MPI_DOUBLE, MPI_SUM));
  PetscCall(FollowDestroy(&f));
  PetscFunctionReturn(0);
}
