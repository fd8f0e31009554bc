// SPDX-License-Identifier: Apache-2.0
// Numbering and partition. Nodes are ordered on their graph (reverse Cuthill-McKee: the band is narrow for chains and trees) and
// the order is cut into pieces of equal weight, one a rank; on several ranks a graph without a narrow band is cut first (graph_partition.c), and
// the order holds within the pieces. A joint's blocks stand right after the last of its nodes, so that block LU without pivoting meets them
// when their nodes are eliminated.
#include "assembly/partition.h"

#include "assembly/contacts.h"
#include "assembly/workspace.h"

#include <limits.h>

enum {
  NARROW = 78,              // mean half band, in unknowns, up to which block LU in the band order is the fastest
  MOST_NODES = INT_MAX / 12 // of a model: a node has up to 12 numbers in arrays that are indexed by an int
};

#define TOO_MANY "PETSc with 32-bit indices counts to 2147483647: build Limber with LIMBER_INDEX64 for %" PetscInt64_FMT

// Neighbours of every node but the fixed, each row sorted and without repetition; every row has its diagonal.
static PetscErrorCode GraphCreate(Model m, Graph *g) {
  PetscInt ncomponents = m->elements.count + m->joints.count, *at;
  const int *id;
  PetscFunctionBegin;
  g->n = m->nodes.count;
  PetscCall(PetscCalloc1(g->n + 1, &g->start));
  PetscCall(PetscCalloc1(g->n + 1, &at));
  for (int pass = 0; pass < 2; pass++) {
    if (pass) {
      PetscInt64 links = g->n;
      for (PetscInt i = 0; i < g->n; i++) links += g->start[i + 1];
      PetscCheck(links <= PETSC_MAX_INT, PETSC_COMM_SELF, PETSC_ERR_SUP, TOO_MANY " links between nodes", links);
      for (PetscInt i = 0; i < g->n; i++) g->start[i + 1] += g->start[i] + 1, at[i] = g->start[i];
      PetscCall(PetscMalloc1(g->start[g->n], &g->list));
      for (PetscInt i = 0; i < g->n; i++) g->list[at[i]++] = i;
    }
    for (PetscInt e = 0; e < ncomponents; e++) {
      PetscInt n = element_or_joint_nodes(m, e, &id);
      for (PetscInt a = 0; a < n; a++)
        for (PetscInt b = 0; b < n; b++) {
          if (a == b || model_node(m, id[a])->kind == NODE_FIXED || model_node(m, id[b])->kind == NODE_FIXED) continue;
          if (pass) g->list[at[id[a]]++] = id[b];
          else g->start[id[a] + 1]++;
        }
    }
  }
  PetscInt used = 0;
  for (PetscInt i = 0; i < g->n; i++) {
    PetscInt n = at[i] - g->start[i], from = g->start[i];
    PetscCall(PetscSortRemoveDupsInt(&n, g->list + from));
    for (PetscInt k = 0; k < n; k++) g->list[used + k] = g->list[from + k];
    g->start[i] = used;
    used += n;
  }
  g->start[g->n] = used;
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

static PetscErrorCode BandOrder(const Graph *g, PetscInt *order) {
  Mat a;
  IS rows, cols;
  PetscScalar *values;
  const PetscInt *perm;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(g->start[g->n], &values));
  PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, g->n, g->n, g->start, g->list, values, &a));
  PetscCall(MatGetOrdering(a, MATORDERINGRCM, &rows, &cols));
  PetscCall(ISGetIndices(rows, &perm));
  for (PetscInt i = 0; i < g->n; i++) order[i] = perm[i];
  PetscCall(ISRestoreIndices(rows, &perm));
  PetscCall(ISDestroy(&rows));
  PetscCall(ISDestroy(&cols));
  PetscCall(MatDestroy(&a));
  PetscCall(PetscFree(values));
  PetscFunctionReturn(0);
}

static double half_band(const Graph *g, const PetscInt *position) {
  double sum = 0;
  for (PetscInt i = 0; i < g->n; i++) {
    PetscInt widest = 0;
    for (PetscInt k = g->start[i]; k < g->start[i + 1]; k++)
      widest = PetscMax(widest, position[i] - position[g->list[k]]);
    sum += (double)widest;
  }
  return sum / (double)PetscMax(1, g->n);
}

// Unknowns of a node, on average.
static double mean_unknowns(const Layout *layout) {
  return 3 + 3 * (double)layout->frames / (double)PetscMax(1, layout->model->nodes.count);
}

static void invert_order(PetscInt n, const PetscInt *order, PetscInt *position) {
  for (PetscInt i = 0; i < n; i++) position[order[i]] = i;
}

// Free components: what hangs together without touching the ground. Union-find with path halving.
PetscInt system_root(PetscInt *parent, PetscInt i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(PetscInt *parent, PetscInt a, PetscInt b) {
  PetscInt p = system_root(parent, a), q = system_root(parent, b);
  if (p < q) parent[q] = p;
  else parent[p] = q;
}

// Numbers of the components of several nodes by their roots, -1 elsewhere.
static PetscInt number_components(Model m, PetscInt *parent, PetscInt *number) {
  PetscInt count = 0;
  for (PetscInt i = 1; i < m->nodes.count; i++) number[i] = 0;
  for (PetscInt i = 1; i < m->nodes.count; i++)
    if (model_node(m, i)->kind != NODE_FIXED && !model_node(m, i)->abstract) number[system_root(parent, i)]++;
  for (PetscInt i = 1; i < m->nodes.count; i++) number[i] = number[i] > 1 ? count++ : -1;
  return count;
}

// Connected components, without the ground.
static PetscErrorCode FindComponents(Layout *layout) {
  Model m = layout->model;
  PetscInt n = m->nodes.count, *parent, *number;
  const int *id;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &parent, n, &number));
  PetscCall(PetscMalloc2(layout->nnode, &layout->component, n, &layout->component_tied));
  for (PetscInt i = 0; i < n; i++) parent[i] = i, layout->component_tied[i] = false;
  for (PetscInt e = 0; e < m->elements.count + m->joints.count; e++) {
    PetscInt count = element_or_joint_nodes(m, e, &id), first = -1;
    for (PetscInt a = 0; a < count; a++) {
      if (model_node(m, id[a])->kind == NODE_FIXED) continue;
      if (first >= 0) join(parent, first, id[a]);
      first = id[a];
    }
  }
  layout->ncomponent = number_components(m, parent, number), layout->nsingle = 0;
  for (PetscInt i = 0; i < layout->nnode; i++) {
    bool none = layout_is_abstract(layout, i) || model_node(m, layout->node[i])->kind == NODE_FIXED;
    layout->component[i] = none ? -1 : number[system_root(parent, layout->node[i])];
    if (!none && layout->component[i] < 0) layout->component[i] = layout->ncomponent + layout->nsingle++;
    if (!none && layout->free_body[i] < 0) layout->component_tied[layout->component[i]] = true;
  }
  PetscCall(PetscFree2(parent, number));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindFreeBodies(Layout *layout) {
  Model m = layout->model;
  PetscInt n = m->nodes.count, *parent, *number;
  const int *id;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &parent, n, &number));
  for (PetscInt i = 0; i < n; i++) parent[i] = model_node(m, i)->kind == NODE_FIXED ? 0 : i, number[i] = -1;
  for (PetscInt e = 0; e < m->elements.count + m->joints.count; e++) {
    PetscInt count = element_or_joint_nodes(m, e, &id);
    if (e >= m->elements.count && !model_joint_is_tied(m, model_joint(m, e - m->elements.count))) count--;
    for (PetscInt a = 1; a < count; a++) join(parent, id[0], id[a]);
  }
  layout->nfree_body = 0;
  for (PetscInt i = 1; i < n; i++) // the ground is node 0 and so the root of all that is tied to it
    if (system_root(parent, i) == i) number[i] = layout->nfree_body++;
  for (PetscInt i = 0; i < layout->nnode; i++)
    layout->free_body[i] = layout_is_abstract(layout, i) ? -1 : number[system_root(parent, layout->node[i])];
  PetscCall(PetscFree2(parent, number));
  PetscFunctionReturn(0);
}

// The graph cut into pieces, and the order with one piece after the other.
static PetscErrorCode OrderByPieces(const Layout *layout, const Graph *g, PetscInt *order, PetscMPIInt *piece) {
  PetscInt *old, *at; // where the next node of each piece goes
  PetscFunctionBegin;
  PetscCall(LayoutPartitionGraph(layout, g, piece));
  PetscCall(PetscMalloc1(g->n, &old));
  PetscCall(PetscCalloc1(layout->size + 1, &at));
  PetscCall(PetscArraycpy(old, order, g->n));
  for (PetscInt i = 0; i < g->n; i++) at[piece[i] + 1]++;
  for (PetscMPIInt r = 0; r < layout->size; r++) at[r + 1] += at[r];
  for (PetscInt i = 0; i < g->n; i++) order[at[piece[old[i]]]++] = old[i];
  PetscCall(PetscFree(at));
  PetscCall(PetscFree(old));
  PetscFunctionReturn(0);
}

// The blocks of a rank's rows, those of joints not counted, against what PETSc's indices can number.
static PetscErrorCode CheckMatrixSize(const Layout *layout, const Graph *g, const PetscMPIInt *owner) {
  PetscInt64 entries = 0;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < g->n; i++)
    for (PetscInt k = g->start[i]; k < g->start[i + 1] && owner[i] == layout->rank; k++)
      entries += (PetscInt64)layout_node_blocks(layout, i) * layout_node_blocks(layout, g->list[k]);
  entries *= layout->bs * layout->bs;
  PetscCheck(entries <= PETSC_MAX_INT, PETSC_COMM_SELF, PETSC_ERR_SUP,
             TOO_MANY " entries of the tangent on one rank, or use more ranks", entries);
  PetscFunctionReturn(0);
}

// Nodes that a joint's projection of velocities gives unknowns of their own.
static PetscErrorCode FindProjections(Layout *layout) {
  Model m = layout->model;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->nodes.count, &layout->has_projection));
  for (PetscInt j = 0; j < m->joints.count && layout->rule->projects_velocities; j++) {
    const ModelJoint *q = model_joint(m, j);
    for (int a = 0; a < q->nnode; a++)
      if (q->joint.nprojection > 0 && model_node(m, q->node[a])->kind != NODE_FIXED)
        layout->has_projection[q->node[a]] = true;
  }
  PetscFunctionReturn(0);
}

// The order of the model's nodes, who owns them, and the first global block of each node and joint.
typedef struct {
  PetscInt *order, *position, *node_global, *joint_global;
  PetscInt *joint_last, *joint_next, *node_joint; // the node that a joint goes to; the joints of a node, as a list
  PetscMPIInt *owner;
  PetscBool is_cut; // into pieces: `owner` is known
  PetscInt64 total; // blocks
} Numbering;

static PetscErrorCode NumberingCreate(const Layout *layout, Numbering *b) {
  PetscInt n = layout->model->nodes.count, nj = layout->model->joints.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n, &b->order, n, &b->position, n, &b->owner, n, &b->node_global));
  PetscCall(PetscMalloc4(nj, &b->joint_global, nj, &b->joint_last, nj, &b->joint_next, n, &b->node_joint));
  PetscFunctionReturn(0);
}

static PetscErrorCode NumberingDestroy(Numbering *b) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(b->order, b->position, b->owner, b->node_global));
  PetscCall(PetscFree4(b->joint_global, b->joint_last, b->joint_next, b->node_joint));
  PetscFunctionReturn(0);
}

static PetscErrorCode OrderNodes(Layout *layout, Graph *g, Numbering *b) {
  PetscInt n = layout->model->nodes.count;
  Workspace *w = model_workspace(layout->model);
  bool known = false;
  PetscFunctionBegin;
  if (w) workspace_order(w, g, b->order, &known);
  if (!known) PetscCall(BandOrder(g, b->order));
  if (w && !known) PetscCall(WorkspaceKeepOrder(w, g, b->order));
  invert_order(n, b->order, b->position);
  layout->half_band = half_band(g, b->position);
  for (PetscInt i = 0; i < n; i++) layout->frames += model_node(layout->model, i)->kind == NODE_FRAME;
  layout->is_wide = layout->half_band * mean_unknowns(layout) > NARROW;
  b->is_cut = (PetscBool)(layout->is_wide && layout->size > 1 && graph_fits(g));
  if (b->is_cut) PetscCall(PetscOptionsGetBool(NULL, NULL, "-limber_cut_graph", &b->is_cut, NULL));
  if (b->is_cut) PetscCall(OrderByPieces(layout, g, b->order, b->owner));
  invert_order(n, b->order, b->position);
  PetscFunctionReturn(0);
}

// Each joint goes to the last of its nodes; a list of joints for each node, in the joints' order.
static PetscErrorCode AssignJoints(const Layout *layout, Numbering *b) {
  Model m = layout->model;
  PetscFunctionBegin;
  b->total = 0;
  for (PetscInt i = 0; i < m->nodes.count; i++) b->node_joint[i] = -1, b->total += layout_node_blocks(layout, i);
  for (PetscInt j = (PetscInt)m->joints.count - 1; j >= 0; j--) {
    const ModelJoint *q = model_joint(m, j);
    PetscInt last = -1;
    for (int a = 0; a < q->nnode; a++)
      if (model_node(m, q->node[a])->kind != NODE_FIXED && (last < 0 || b->position[q->node[a]] > b->position[last]))
        last = q->node[a];
    b->joint_last[j] = last;
    b->joint_next[j] = b->node_joint[last], b->node_joint[last] = j;
    b->total += layout_joint_blocks(layout, j);
  }
  PetscCheck(b->total * layout->bs <= PETSC_MAX_INT, layout->comm, PETSC_ERR_SUP, TOO_MANY " unknowns",
             b->total * layout->bs);
  PetscFunctionReturn(0);
}

// Numbers the blocks and cuts the order into pieces.
static PetscErrorCode NumberBlocks(Layout *layout, Numbering *b) {
  PetscInt block = 0, *first;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(layout->size + 1, &first));
  for (PetscInt i = 0; i < layout->model->nodes.count; i++) {
    PetscInt node = b->order[i];
    PetscMPIInt rank = b->total ? (PetscMPIInt)((PetscInt64)block * layout->size / b->total) : 0;
    rank = b->is_cut ? b->owner[node] : PetscMin(rank, layout->size - 1);
    b->owner[node] = rank;
    b->node_global[node] = block;
    block += layout_node_blocks(layout, node);
    for (PetscInt j = b->node_joint[node]; j >= 0; j = b->joint_next[j])
      b->joint_global[j] = block, block += layout_joint_blocks(layout, j);
    first[rank + 1] = block;
  }
  for (PetscMPIInt r = 0; r < layout->size; r++) first[r + 1] = PetscMax(first[r], first[r + 1]);
  layout->first_block = first[layout->rank];
  layout->nblock_own = first[layout->rank + 1] - first[layout->rank];
  PetscCall(PetscFree(first));
  PetscFunctionReturn(0);
}

// Numbers the nodes of the last rank from their far end, if ranks eliminate their own nodes: elimination then ends at
// the nodes between it and the rank before, and fills nothing.
static PetscErrorCode TurnLastPiece(Layout *layout, Numbering *b) {
  PetscInt n = layout->model->nodes.count, first = n;
  PetscFunctionBegin;
  if (layout->size == 1 || layout->is_wide || b->total * layout->bs <= EACH_FOR_ITSELF) PetscFunctionReturn(0);
  while (first > 0 && b->owner[b->order[first - 1]] == layout->size - 1) first--;
  for (PetscInt i = first, k = n - 1; i < k; i++, k--) {
    PetscInt node = b->order[i];
    b->order[i] = b->order[k], b->order[k] = node;
  }
  invert_order(n, b->order, b->position);
  b->is_cut = PETSC_TRUE;
  PetscCall(AssignJoints(layout, b));
  PetscCall(NumberBlocks(layout, b));
  PetscFunctionReturn(0);
}

// Whether an element or joint touches a node of this rank, and the rank that counts it.
static bool touches_rank(const Layout *layout, const Numbering *b, bool element, PetscInt count, const int *id,
                         PetscInt *primary) {
  bool here = false;
  *primary = -1;
  for (PetscInt a = 0; a < count; a++) { // a fixed node too: its rank weighs it
    bool fixed = model_node(layout->model, id[a])->kind == NODE_FIXED;
    here = here || (b->owner[id[a]] == layout->rank && (element || !fixed) && id[a] != GROUND);
    if (*primary < 0 && !fixed) *primary = b->owner[id[a]];
  }
  for (PetscInt a = 0; a < count && *primary < 0; a++) // none of its nodes moves
    if (id[a] != GROUND) *primary = b->owner[id[a]];
  return here;
}

// Elements and joints that touch a node of this rank, and the nodes that they bring along: `touched` is 1 for an own
// node, 2 for a ghost. `entries`: nodes of all these elements.
static PetscErrorCode FindLocalElements(Layout *layout, const Numbering *b, PetscInt *touched, PetscInt *entries) {
  Model m = layout->model;
  PetscInt ne = m->elements.count, nj = m->joints.count;
  const int *id;
  PetscFunctionBegin;
  *entries = 0, layout->nelement = layout->njoint = 0;
  PetscCall(PetscMalloc4(ne, &layout->element, ne + 1, &layout->element_node_start, ne, &layout->element_primary, nj,
                         &layout->joint));
  PetscCall(PetscMalloc3(nj, &layout->joint_block, nj, &layout->joint_node, nj, &layout->joint_primary));
  for (PetscInt e = 0; e < ne + nj; e++) {
    PetscInt count = element_or_joint_nodes(m, e, &id), primary;
    if (!touches_rank(layout, b, e < ne, count, id, &primary)) continue;
    for (PetscInt a = 0; a < count; a++)
      if (!touched[id[a]]) touched[id[a]] = 2;
    if (e < ne) {
      layout->element_primary[layout->nelement] = primary == layout->rank;
      layout->element[layout->nelement++] = e;
      *entries += count;
    } else {
      layout->joint_primary[layout->njoint] = b->owner[b->joint_last[e - ne]] == layout->rank;
      layout->joint[layout->njoint++] = e - ne;
    }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ListLocalNodes(Layout *layout, const PetscInt *touched) {
  PetscInt n = layout->model->nodes.count, own = 1, ghosts = 0;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < n; i++) own += touched[i] == 1, ghosts += touched[i] == 2;
  layout->nnode_own = own, layout->nnode = own + ghosts;
  PetscCall(PetscMalloc4(layout->nnode, &layout->node, layout->nnode, &layout->node_block, n, &layout->local_node,
                         layout->nnode, &layout->free_body));
  PetscInt at[3] = {0, 1, own};
  layout->node[0] = 0, layout->local_node[0] = 0, layout->node_block[0] = -1;
  for (PetscInt i = 1; i < n; i++) {
    layout->local_node[i] = touched[i] ? at[touched[i]] : -1;
    if (touched[i]) layout->node[at[touched[i]]++] = i;
  }
  PetscFunctionReturn(0);
}

// Own blocks in global order, then those of ghost nodes and ghost joints.
static PetscErrorCode ListLocalBlocks(Layout *l, const Numbering *b) {
  PetscInt room = l->nblock_own, next = l->nblock_own;
  PetscFunctionBegin;
  for (PetscInt i = l->nnode_own; i < l->nnode; i++) room += layout_node_blocks(l, l->node[i]);
  for (PetscInt j = 0; j < l->njoint; j++)
    if (!l->joint_primary[j]) room += layout_joint_blocks(l, l->joint[j]);
  l->nblock = room;
  PetscCheck(room < INT_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "a rank would hold %" PetscInt_FMT " blocks of unknowns, of at most %d: use more ranks", room, INT_MAX);
  PetscCall(PetscMalloc3(room, &l->block_global, room, &l->block_node, room, &l->block_joint));
  for (PetscInt k = 0; k < room; k++)
    l->block_global[k] = l->first_block + k, l->block_node[k] = l->block_joint[k] = -1;
  for (PetscInt i = 1; i < l->nnode; i++) {
    NodeKind kind = model_node(l->model, l->node[i])->kind;
    bool mine = i < l->nnode_own;
    PetscInt first_block = mine ? b->node_global[l->node[i]] - l->first_block : next;
    l->node_block[i] = kind == NODE_FIXED ? -1 : first_block + layout_projection_blocks(l, l->node[i]);
    for (int k = 0; k < layout_node_blocks(l, l->node[i]); k++) {
      l->block_node[first_block + k] = i;
      if (!mine) l->block_global[next++] = b->node_global[l->node[i]] + k;
    }
  }
  for (PetscInt j = 0; j < l->njoint; j++) {
    PetscInt count = layout_joint_blocks(l, l->joint[j]), global = b->joint_global[l->joint[j]];
    l->joint_block[j] = l->joint_primary[j] ? global - l->first_block : next;
    for (PetscInt k = 0; k < count; k++) {
      l->block_joint[l->joint_block[j] + k] = j;
      if (!l->joint_primary[j]) l->block_global[next++] = global + k;
    }
  }
  PetscFunctionReturn(0);
}

// The local nodes of local joints and elements.
static PetscErrorCode ListNodesOfElements(Layout *l, PetscInt entries) {
  const int *id;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < l->njoint; j++) {
    const ModelJoint *q = model_joint(l->model, l->joint[j]);
    for (int a = 0; a < q->nnode; a++) l->joint_node[j][a] = l->local_node[q->node[a]];
  }
  PetscCall(PetscMalloc1(entries, &l->element_node));
  l->element_node_start[0] = 0;
  for (PetscInt e = 0; e < l->nelement; e++) {
    PetscInt count = element_or_joint_nodes(l->model, l->element[e], &id), from = l->element_node_start[e];
    for (PetscInt a = 0; a < count; a++) l->element_node[from + a] = l->local_node[id[a]];
    l->element_node_start[e + 1] = from + count;
  }
  PetscFunctionReturn(0);
}

// Local joints as the unknowns have them.
static PetscErrorCode FormJoints(Layout *l) {
  PetscInt count = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < l->njoint; j++)
    count += l->coords_follow && model_joint(l->model, l->joint[j])->joint.coords_follow;
  PetscCall(PetscMalloc2(l->njoint, &l->joint_form, count, &l->joint_without));
  count = 0;
  for (PetscInt j = 0; j < l->njoint; j++) {
    const Joint *joint = l->joint_form[j] = &model_joint(l->model, l->joint[j])->joint;
    if (!l->coords_follow || !joint->coords_follow) continue;
    joint_without_coords(joint, &l->joint_without[count]);
    l->joint_form[j] = &l->joint_without[count++];
  }
  PetscFunctionReturn(0);
}

PetscErrorCode LayoutPartition(Layout *layout) {
  PetscInt n = layout->model->nodes.count, *touched, entries;
  Numbering b;
  Graph g;
  PetscFunctionBegin;
  PetscCheck(n <= MOST_NODES, layout->comm, PETSC_ERR_SUP,
             "the model has %" PetscInt_FMT " nodes; more than %d are not counted", n, MOST_NODES);
  PetscCall(FindProjections(layout));
  PetscCall(GraphCreate(layout->model, &g));
  PetscCall(NumberingCreate(layout, &b));
  PetscCall(OrderNodes(layout, &g, &b));
  PetscCall(AssignJoints(layout, &b));
  PetscCall(NumberBlocks(layout, &b));
  PetscCall(TurnLastPiece(layout, &b));
  PetscCall(CheckMatrixSize(layout, &g, b.owner));
  PetscCall(PetscFree(g.list));
  PetscCall(PetscFree(g.start));
  PetscCall(PetscCalloc1(n, &touched));
  touched[0] = 1;
  for (PetscInt i = 1; i < n; i++) touched[i] = b.owner[i] == layout->rank;
  PetscCall(FindLocalElements(layout, &b, touched, &entries));
  contacts_touch_nodes(layout->model, touched);
  PetscCall(ListLocalNodes(layout, touched));
  PetscCall(PetscFree(touched));
  PetscCall(ListLocalBlocks(layout, &b));
  PetscCall(FormJoints(layout));
  PetscCall(ListNodesOfElements(layout, entries));
  PetscCall(NumberingDestroy(&b));
  PetscCall(FindFreeBodies(layout));
  if (layout->rule->exact_momentum) PetscCall(FindComponents(layout));
  if (contacts_are_many(layout->model)) layout->is_wide = true, layout->half_band = HUGE_VAL;
  PetscFunctionReturn(0);
}
