// SPDX-License-Identifier: Apache-2.0
// The graph of nodes cut into pieces of equal cost, one a rank, with few links between them, by Scotch (Pellegrini & Roman, 1996). The
// first rank cuts, with a fixed seed and one thread, so that the same model has the same pieces every time.
#include "assembly/partition.h"

#ifdef PETSC_HAVE_MPIUNI // one process has it all
bool graph_fits(const Graph *g) { return g != NULL; }

PetscErrorCode LayoutPartitionGraph(const Layout *layout, const Graph *g, PetscMPIInt *piece) {
  PetscFunctionBegin;
  (void)layout;
  PetscCall(PetscArrayzero(piece, g->n));
  PetscFunctionReturn(0);
}

#else
#include <limits.h>
#include <scotch.h>

// What a node costs, in products with a block of the matrix: its rows, and its share of the elements around it. GMRES
// goes through a row and its factors some hundred times for each evaluation, a Gauss point takes some ten products for
// each pair of blocks.
static PetscErrorCode EstimateCosts(const Layout *layout, const Graph *g, double *cost) {
  Model m = layout->model;
  const int *id;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < g->n; i++) {
    cost[i] = 0;
    for (PetscInt k = g->start[i]; k < g->start[i + 1]; k++)
      cost[i] += 100.0 * layout_node_blocks(layout, i) * layout_node_blocks(layout, g->list[k]);
  }
  for (PetscInt e = 0; e < m->elements.count + m->joints.count; e++) {
    PetscInt n = element_or_joint_nodes(m, e, &id), blocks = 0, moves = 0;
    double points = 10;
    for (PetscInt a = 0; a < n; a++) {
      blocks += layout_node_blocks(layout, id[a]);
      moves += model_node(m, id[a])->kind != NODE_FIXED;
    }
    if (e < m->elements.count) points *= model_element(m, e)->kind->points(model_element(m, e)->data);
    else points = 200, blocks += layout_joint_blocks(layout, e - m->elements.count);
    for (PetscInt a = 0; a < n; a++)
      if (model_node(m, id[a])->kind != NODE_FIXED) cost[id[a]] += points * (double)(blocks * blocks) / (double)moves;
  }
  PetscFunctionReturn(0);
}

bool graph_fits(const Graph *g) {
  return sizeof(SCOTCH_Num) >= sizeof(PetscInt) || (g->n < INT_MAX && g->start[g->n] < INT_MAX);
}

#define SCOTCH(call) PetscCheck(!(call), PETSC_COMM_SELF, PETSC_ERR_LIB, "Scotch cannot cut the graph")

// Pieces of the graph of n vertices with weights.
static PetscErrorCode PartitionWithScotch(SCOTCH_Num n, SCOTCH_Num *start, SCOTCH_Num *list, SCOTCH_Num *weight,
                                          SCOTCH_Num pieces, SCOTCH_Num *piece) {
  SCOTCH_Context context;
  SCOTCH_Graph graph, bound;
  SCOTCH_Strat way;
  PetscFunctionBegin;
  SCOTCH(SCOTCH_contextInit(&context));
  SCOTCH(SCOTCH_contextRandomClone(&context));
  SCOTCH_contextRandomSeed(&context, 1);
  SCOTCH_contextRandomReset(&context);
  SCOTCH(SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1));
  SCOTCH(SCOTCH_contextThreadSpawn(&context, 1, NULL));
  SCOTCH(SCOTCH_graphInit(&graph));
  SCOTCH(SCOTCH_graphInit(&bound));
  SCOTCH(SCOTCH_stratInit(&way));
  SCOTCH(SCOTCH_stratGraphMapBuild(&way, SCOTCH_STRATQUALITY, pieces, 0.01));
  SCOTCH(SCOTCH_graphBuild(&graph, 0, n, start, NULL, weight, NULL, start[n], list, NULL));
  SCOTCH(SCOTCH_contextBindGraph(&context, &graph, &bound));
  SCOTCH(SCOTCH_graphPart(&bound, pieces, &way, piece));
  SCOTCH_graphExit(&bound);
  SCOTCH_graphExit(&graph);
  SCOTCH_stratExit(&way);
  SCOTCH_contextExit(&context);
  PetscFunctionReturn(0);
}

// The nodes that move, as Scotch wants them: without links to themselves, weights whose sum is an int.
static PetscErrorCode PartitionOnFirstRank(const Layout *layout, const Graph *g, PetscMPIInt *piece) {
  PetscInt n = 0, *vertex;
  SCOTCH_Num *start, *list, *weight, *of;
  double *cost, sum = 0;
  PetscFunctionBegin;
  PetscCall(
      PetscMalloc6(g->n, &vertex, g->n + 1, &start, g->start[g->n], &list, g->n, &weight, g->n, &of, g->n, &cost));
  PetscCall(EstimateCosts(layout, g, cost));
  for (PetscInt i = 0; i < g->n; i++) {
    vertex[i] = model_node(layout->model, i)->kind == NODE_FIXED ? -1 : n++;
    if (vertex[i] >= 0) sum += cost[i];
  }
  SCOTCH_Num links = 0;
  for (PetscInt i = 0; i < g->n; i++) {
    if (vertex[i] < 0) continue;
    start[vertex[i]] = links;
    weight[vertex[i]] = (SCOTCH_Num)PetscMax(1, cost[i] * PetscMin(1, 1e9 / sum));
    for (PetscInt k = g->start[i]; k < g->start[i + 1]; k++)
      if (g->list[k] != i) list[links++] = (SCOTCH_Num)vertex[g->list[k]];
  }
  start[n] = links;
  PetscCall(PartitionWithScotch((SCOTCH_Num)n, start, list, weight, layout->size, of));
  for (PetscInt i = 0; i < g->n; i++) piece[i] = vertex[i] < 0 ? -1 : (PetscMPIInt)of[vertex[i]];
  PetscCall(PetscFree6(vertex, start, list, weight, of, cost));
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutPartitionGraph(const Layout *layout, const Graph *g, PetscMPIInt *piece) {
  Model m = layout->model;
  PetscMPIInt n;
  const int *id;
  PetscFunctionBegin;
  if (layout->rank == 0) PetscCall(PartitionOnFirstRank(layout, g, piece));
  PetscCall(PetscMPIIntCast(g->n, &n));
  PetscCallMPI(MPI_Bcast(piece, n, MPI_INT, 0, layout->comm));
  for (PetscInt e = 0; e < m->elements.count; e++) { // fixed nodes: beside one that moves
    PetscInt count = element_or_joint_nodes(m, e, &id);
    PetscMPIInt beside = -1;
    for (PetscInt a = 0; a < count && beside < 0; a++)
      if (model_node(m, id[a])->kind != NODE_FIXED) beside = piece[id[a]];
    for (PetscInt a = 0; a < count; a++)
      if (piece[id[a]] < 0) piece[id[a]] = beside;
  }
  for (PetscInt i = 0; i < g->n; i++) piece[i] = PetscMax(piece[i], 0);
  PetscFunctionReturn(0);
}
#endif
