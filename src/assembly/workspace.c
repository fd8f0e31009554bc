// SPDX-License-Identifier: Apache-2.0
#include "assembly/workspace.h"

enum {
  MOST_ORDERS = 4,
  MOST_SOLVERS = 6,
  MOST_NODES = 20000 // and joints: what is larger takes so long to solve that nothing is gained
};

typedef struct {
  Graph graph;
  PetscInt *order;
} SpareOrder;

typedef struct SpareSolver {
  Pattern pattern;
  PetscInt bs, first_block, nghost, *ghost;
  bool taken;
  Mat tangent;
  Vec vec[5];
  KSP ksp[2];
  PetscInt64 turn; // when it was taken last
} SpareSolver;

struct Workspace {
  SpareOrder order[MOST_ORDERS];
  int orders, next_order;
  SpareSolver *solver[MOST_SOLVERS];
  PetscInt64 turn;
};

PetscErrorCode WorkspaceCreate(Workspace **w) {
  PetscFunctionBegin;
  PetscCall(PetscNew(w));
  PetscFunctionReturn(0);
}

Workspace *model_workspace(Model m) { return m->workspace; }
void model_set_workspace(LimberModel m, Workspace *w) { m->workspace = w; }

// ---- orders ----

static PetscErrorCode DestroyOrder(SpareOrder *o) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(o->graph.start, o->graph.list, o->order));
  *o = (SpareOrder){0};
  PetscFunctionReturn(0);
}

static bool same_list(PetscInt n, const PetscInt *a, const PetscInt *b) {
  for (PetscInt i = 0; i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}

void workspace_order(const Workspace *w, const Graph *g, PetscInt *order, bool *known) {
  *known = false;
  for (int i = 0; i < w->orders && !*known; i++) {
    const Graph *k = &w->order[i].graph;
    if (k->n != g->n || !same_list(g->n + 1, k->start, g->start) || !same_list(g->start[g->n], k->list, g->list))
      continue;
    for (PetscInt j = 0; j < g->n; j++) order[j] = w->order[i].order[j];
    *known = true;
  }
}

PetscErrorCode WorkspaceKeepOrder(Workspace *w, const Graph *g, const PetscInt *order) {
  SpareOrder *o = &w->order[w->next_order];
  PetscFunctionBegin;
  if (g->n > MOST_NODES) PetscFunctionReturn(0);
  PetscCall(DestroyOrder(o));
  PetscCall(PetscMalloc3(g->n + 1, &o->graph.start, g->start[g->n], &o->graph.list, g->n, &o->order));
  o->graph.n = g->n;
  PetscCall(PetscArraycpy(o->graph.start, g->start, g->n + 1));
  PetscCall(PetscArraycpy(o->graph.list, g->list, g->start[g->n]));
  PetscCall(PetscArraycpy(o->order, order, g->n));
  w->next_order = (w->next_order + 1) % MOST_ORDERS;
  w->orders = PetscMax(w->orders, w->next_order ? w->next_order : MOST_ORDERS);
  PetscFunctionReturn(0);
}

// ---- matrices, vectors, solvers ----

static void list_vectors(Equations *equations, LinearSolver *linear, Vec *out[5]) {
  Vec *all[5] = {&equations->unknown, &equations->residual, &linear->increment, &equations->work, &linear->correction};
  for (int i = 0; i < 5; i++) out[i] = all[i];
}

PetscErrorCode LinearDestroyObjects(Equations *equations, LinearSolver *linear) {
  Vec *vec[5];
  PetscFunctionBegin;
  list_vectors(equations, linear, vec);
  PetscCall(KSPDestroy(&linear->ksp));
  PetscCall(KSPDestroy(&linear->robust));
  PetscCall(MatDestroy(&equations->matrix.tangent));
  PetscCall(MatDestroy(&equations->matrix.reduced));
  for (int i = 0; i < 5; i++) PetscCall(VecDestroy(vec[i]));
  PetscCall(VecDestroy(&linear->scale));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroySolver(SpareSolver **solver) {
  SpareSolver *p = *solver;
  PetscFunctionBegin;
  if (!p) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(KSPDestroy(&p->ksp[i]));
  PetscCall(MatDestroy(&p->tangent));
  for (int i = 0; i < 5; i++) PetscCall(VecDestroy(&p->vec[i]));
  PetscCall(PatternDestroy(&p->pattern));
  PetscCall(PetscFree(p->ghost));
  PetscCall(PetscFree(*solver));
  PetscFunctionReturn(0);
}

PetscErrorCode WorkspaceDestroy(Workspace **w) {
  PetscFunctionBegin;
  if (!*w) PetscFunctionReturn(0);
  for (int i = 0; i < MOST_ORDERS; i++) PetscCall(DestroyOrder(&(*w)->order[i]));
  for (int i = 0; i < MOST_SOLVERS; i++) PetscCall(DestroySolver(&(*w)->solver[i]));
  PetscCall(PetscFree(*w));
  PetscFunctionReturn(0);
}

static bool is_of_pattern(const SpareSolver *p, const Layout *layout, const Pattern *q) {
  PetscInt own = layout->nblock_own, nghost = layout->nblock - own;
  return p->bs == layout->bs && p->first_block == layout->first_block && p->pattern.rows == q->rows &&
         p->nghost == nghost && same_list(q->rows + 1, p->pattern.start, q->start) &&
         same_list(q->start[q->rows], p->pattern.column, q->column) &&
         same_list(nghost, p->ghost, layout->block_global + own);
}

static PetscErrorCode GiveObjects(SpareSolver *p, Equations *equations, LinearSolver *linear) {
  Vec *vec[5], local;
  PetscFunctionBegin;
  list_vectors(equations, linear, vec);
  equations->matrix.tangent = p->tangent, linear->ksp = p->ksp[0], linear->robust = p->ksp[1];
  p->tangent = NULL, p->ksp[0] = p->ksp[1] = NULL;
  for (int i = 0; i < 5; i++) {
    *vec[i] = p->vec[i], p->vec[i] = NULL;
    PetscCall(VecZeroEntries(*vec[i]));
  }
  PetscCall(VecGhostGetLocalForm(equations->unknown, &local));
  PetscCall(VecZeroEntries(local));
  PetscCall(VecGhostRestoreLocalForm(equations->unknown, &local));
  PetscFunctionReturn(0);
}

// Room for another pattern, in the place of the one that has not been taken for longest; -1: all are taken.
static int find_room(const Workspace *w) {
  int best = -1;
  for (int i = 0; i < MOST_SOLVERS; i++) {
    if (!w->solver[i]) return i;
    if (!w->solver[i]->taken && (best < 0 || w->solver[i]->turn < w->solver[best]->turn)) best = i;
  }
  return best;
}

// Wide systems are solved by iterations or by MUMPS, which keep what depends on values.
static bool is_kept(const Layout *layout) {
  return !layout->is_wide && layout->model->nodes.count + layout->model->joints.count < MOST_NODES;
}

PetscErrorCode WorkspaceTake(Workspace *w, System *s, const Pattern *p, bool *found) {
  PetscFunctionBegin;
  *found = false;
  for (int i = 0; i < MOST_SOLVERS && !s->spare && is_kept(&s->motion.layout); i++) {
    SpareSolver *k = w->solver[i];
    if (!k || k->taken) continue;
    int same = is_of_pattern(k, &s->motion.layout, p);
    if (s->motion.layout.size > 1)
      PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, s->motion.layout.comm));
    if (!same) continue;
    k->taken = true, k->turn = ++w->turn, s->spare = k;
    *found = k->tangent;
    if (*found) PetscCall(GiveObjects(k, &s->equations, &s->linear));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode WorkspaceAdd(Workspace *w, System *s, Pattern *p) {
  int i = find_room(w);
  SpareSolver *to;
  PetscFunctionBegin;
  if (s->spare || i < 0 || !is_kept(&s->motion.layout)) PetscFunctionReturn(0);
  PetscCall(DestroySolver(&w->solver[i]));
  PetscCall(PetscNew(&to));
  to->bs = s->motion.layout.bs, to->first_block = s->motion.layout.first_block,
  to->nghost = s->motion.layout.nblock - s->motion.layout.nblock_own;
  PetscCall(PetscMalloc1(to->nghost, &to->ghost));
  PetscCall(PetscArraycpy(to->ghost, s->motion.layout.block_global + s->motion.layout.nblock_own, to->nghost));
  to->pattern = *p, *p = (Pattern){0};
  to->taken = true, to->turn = ++w->turn;
  w->solver[i] = s->spare = to;
  PetscFunctionReturn(0);
}

void workspace_return(System *s) {
  SpareSolver *p = s->spare;
  Vec *vec[5];
  list_vectors(&s->equations, &s->linear, vec);
  p->taken = false, s->spare = NULL;
  p->tangent = s->equations.matrix.tangent, p->ksp[0] = s->linear.ksp, p->ksp[1] = s->linear.robust;
  s->equations.matrix.tangent = NULL, s->linear.ksp = s->linear.robust = NULL;
  for (int i = 0; i < 5; i++) p->vec[i] = *vec[i], *vec[i] = NULL;
}
