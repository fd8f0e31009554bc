// SPDX-License-Identifier: Apache-2.0
// Finds the loops of joints in the graph of nodes and joints (redundancy.h).
#include "assembly/partition.h"
#include "assembly/ranks.h"
#include "solvers/redundancy.h"

#include <petscblaslapack.h>

static const double spent = 4e6; // floating-point operations per step for checking the rank

// The ends of a joint as nodes of the graph. All fixed nodes are one node.
static int ends_of(Model m, int joint, PetscInt *end) {
  const ModelJoint *j = model_joint(m, joint);
  int n = 0;
  for (int a = 0; a + 1 < j->nnode; a++) end[n++] = model_node(m, j->node[a])->kind == NODE_FIXED ? 0 : j->node[a];
  if (n == 1) end[n++] = 0; // a node and the ground
  return n;
}

// Removes joints at loose ends until none is left; the rest is in a loop or between loops.
static PetscErrorCode TrimLooseEnds(Model m, bool *in) {
  PetscInt *degree, end[MAX_LOCAL_NODES];
  bool again = true;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->nodes.count, &degree));
  for (int j = 0; j < m->joints.count; j++) {
    int n = ends_of(m, j, end);
    in[j] = true;
    for (int a = 0; a < n; a++) degree[end[a]]++;
  }
  while (again) {
    again = false;
    for (int j = 0; j < m->joints.count; j++) {
      int n = ends_of(m, j, end);
      int tied = 0; // ends that other joints share
      for (int a = 0; a < n; a++) tied += degree[end[a]] > 1;
      if (!in[j] || tied > 1) continue;
      for (int a = 0; a < n; a++) degree[end[a]]--;
      in[j] = false, again = true;
    }
  }
  PetscCall(PetscFree(degree));
  PetscFunctionReturn(0);
}

// Finds the nodes, rows and columns of a loop from its joints.
static PetscErrorCode LoopShape(const Layout *layout, const Switches *switches, Loop *l, PetscInt *node_index) {
  Model m = layout->model;
  PetscFunctionBegin;
  l->nnode = 0;
  for (PetscInt i = 0; i < l->njoint; i++) {
    const ModelJoint *j = model_joint(m, l->joint[i]);
    l->start[i + 1] = l->start[i] + switches_model_joint(layout, switches, l->joint[i])->nprojection;
    for (int a = 0; a < j->nnode; a++) {
      if (model_node(m, j->node[a])->kind == NODE_FIXED || node_index[j->node[a]] >= 0) continue;
      node_index[j->node[a]] = l->nnode, l->node[l->nnode++] = j->node[a];
    }
    l->local[i] = -1;
    for (int a = 0; a < j->nnode; a++) l->node_index[i][a] = node_index[j->node[a]];
  }
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (PetscInt i = 0; i < l->njoint; i++)
      if (l->joint[i] == layout->joint[j]) l->local[i] = j;
  l->column[0] = 0;
  for (PetscInt i = 0; i < l->nnode; i++)
    l->column[i + 1] = l->column[i] + 3 * node_blocks(model_node(m, l->node[i])->kind), node_index[l->node[i]] = -1;
  PetscInt rows = l->start[l->njoint], columns = l->column[l->nnode];
  double flops = 4.0 * (double)rows * (double)columns * (double)PetscMin(rows, columns);
  l->interval = PetscMax(1, (PetscInt)(flops / spent));
  PetscCall(PetscCalloc1(rows, &l->off));
  PetscCall(PetscCalloc1(36 * l->nnode, &l->factor));
  PetscFunctionReturn(0);
}

// Gathers the mass metric of every node of a loop from the rank that owns it, and factors it.
static PetscErrorCode LoopMetric(const Layout *layout, Loop *l) {
  PetscBLASInt six = 6, info;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < l->nnode; i++) {
    PetscInt node = layout->local_node[l->node[i]];
    if (node > 0 && node < layout->nnode_own) layout_metric(layout, node, (double(*)[6])(l->factor + 36 * i));
  }
  PetscCall(ReduceArray(layout->comm, l->factor, (PetscInt64)36 * l->nnode, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < l->nnode; i++)
    PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &six, l->factor + 36 * i, &six, &info));
  PetscFunctionReturn(0);
}

PetscErrorCode RedundancyFindLoops(const Motion *motion, Redundancy *redundancy) {
  Model m = motion->layout.model;
  PetscInt nj = m->joints.count, nn = m->nodes.count, *parent, *node_index, end[MAX_LOCAL_NODES];
  bool *in;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(nj, &in, nn, &parent, nn, &node_index));
  PetscCall(TrimLooseEnds(m, in));
  for (PetscInt i = 0; i < nn; i++) parent[i] = i, node_index[i] = -1;
  for (PetscInt j = 0; j < nj; j++) { // the ground does not tie loops together
    int n = ends_of(m, (int)j, end), first = end[0] == 0 ? 1 : 0;
    for (int a = first + 1; a < n && in[j]; a++)
      if (end[a] != 0) parent[system_root(parent, end[a])] = system_root(parent, end[first]);
  }
  redundancy->nloop = 0;
  for (PetscInt j = 0; j < nj; j++) { // number the roots
    ends_of(m, (int)j, end);
    PetscInt root = in[j] ? system_root(parent, end[0] ? end[0] : end[1]) : -1;
    if (root >= 0 && node_index[root] < 0) node_index[root] = redundancy->nloop++;
  }
  PetscCall(PetscCalloc1(redundancy->nloop, &redundancy->loop));
  for (int pass = 0; pass < 2; pass++)
    for (PetscInt j = 0; j < nj; j++) {
      int n = ends_of(m, (int)j, end);
      if (!in[j]) continue;
      Loop *l = &redundancy->loop[node_index[system_root(parent, end[0] ? end[0] : end[1])]];
      if (pass == 0) l->njoint++, l->nnode += n;
      else {
        if (!l->joint) {
          PetscCall(PetscCalloc4(l->njoint, &l->joint, l->nnode, &l->node, l->njoint + 1, &l->start, l->nnode + 1,
                                 &l->column));
          PetscCall(PetscMalloc2(l->njoint, &l->local, l->njoint, &l->node_index));
          l->njoint = 0;
        }
        l->joint[l->njoint++] = j;
      }
    }
  for (PetscInt i = 0; i < nn; i++) node_index[i] = -1;
  for (PetscInt i = 0; i < redundancy->nloop; i++)
    PetscCall(LoopShape(&motion->layout, &motion->switches, &redundancy->loop[i], node_index));
  for (PetscInt i = 0; i < redundancy->nloop; i++) PetscCall(LoopMetric(&motion->layout, &redundancy->loop[i]));
  PetscCall(PetscFree3(in, parent, node_index));
  PetscFunctionReturn(0);
}

PetscErrorCode RedundancyFreeLoops(Redundancy *redundancy) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < redundancy->nloop; i++) {
    Loop *l = &redundancy->loop[i];
    PetscCall(PetscFree(l->off));
    PetscCall(PetscFree(l->factor));
    PetscCall(PetscFree4(l->joint, l->node, l->start, l->column));
    PetscCall(PetscFree2(l->local, l->node_index));
  }
  PetscCall(PetscFree(redundancy->loop));
  PetscFunctionReturn(0);
}
