// SPDX-License-Identifier: Apache-2.0
// The graph of nodes, as the order and the cuts of partition.c and graph_partition.c see it.
#ifndef LIMBER_ASSEMBLY_PARTITION_H
#define LIMBER_ASSEMBLY_PARTITION_H

#include "assembly/layout.h"

typedef struct { // neighbours of node i from start[i] on, sorted, with itself; fixed nodes have no others
  PetscInt n, *start, *list;
} Graph;

// The nodes of an element, or of a joint after all elements.
static inline PetscInt element_or_joint_nodes(Model m, PetscInt component, const int **nodes) {
  if (component < m->elements.count) {
    const ModelElement *e = model_element(m, component);
    *nodes = model_element_nodes(m, e);
    return e->nnode;
  }
  const ModelJoint *j = model_joint(m, component - m->elements.count);
  *nodes = j->node;
  return j->nnode;
}

// Whether Scotch's integers can number the graph. graph_partition.c
bool graph_fits(const Graph *g);
// A piece of equal cost for each rank, with few links between them: which one each node is in. graph_partition.c
PetscErrorCode LayoutPartitionGraph(const Layout *layout, const Graph *g, PetscMPIInt *piece);

// The root of a tree in a forest of parents, whose paths are halved on the way.
PetscInt system_root(PetscInt *parent, PetscInt i);

// Assigns nodes and joints to ranks, numbers their blocks and finds the ghosts.
PetscErrorCode LayoutPartition(Layout *layout);

#endif
