// SPDX-License-Identifier: Apache-2.0
// What systems leave to those that come after them, of models that differ in values only: the order of the nodes of a graph, and
// the matrix, vectors and solvers of a pattern, with symbolic factors. Nothing that depends on values is left: a system with a
// workspace gives the same bits as one without.
#ifndef LIMBER_ASSEMBLY_WORKSPACE_H
#define LIMBER_ASSEMBLY_WORKSPACE_H

#include "assembly/partition.h"
#include "assembly/system.h"

typedef struct { // blocks of a rank's rows, their global columns sorted
  PetscInt rows, *start, *column;
} Pattern;

// The pattern of the tangent, from the nodes, elements and joints themselves. pattern.c
PetscErrorCode PatternCreate(const Layout *l, const ContactSet *contacts, Pattern *p);
PetscErrorCode PatternDestroy(Pattern *p);

// The tangent. create.c
PetscErrorCode TangentCreate(const Layout *layout, MatrixSlots *matrix, const Pattern *p);

typedef struct Workspace Workspace;
PetscErrorCode WorkspaceCreate(Workspace **w);
PetscErrorCode WorkspaceDestroy(Workspace **w);

// The workspace of a model, or NULL. The caller owns it, and keeps it as long as the model.
Workspace *model_workspace(Model m);
void model_set_workspace(LimberModel m, Workspace *w);

// The band order of a graph that was ordered before: `known`. Stores one.
void workspace_order(const Workspace *w, const Graph *g, PetscInt *order, bool *known);
PetscErrorCode WorkspaceKeepOrder(Workspace *w, const Graph *g, const PetscInt *order);

// Gives a system the matrix, vectors and solvers of its pattern, if there are such: `found`. Solvers that would not
// give the same bits as new ones are missing. Collective.
PetscErrorCode WorkspaceTake(Workspace *w, System *s, const Pattern *p, bool *found);
// Lists what such a system has made for itself; the pattern is the workspace's from now on.
PetscErrorCode WorkspaceAdd(Workspace *w, System *s, Pattern *p);
// Takes them back from a system that is done with them.
void workspace_return(System *s);
// Matrix, vectors and solvers of a system.
PetscErrorCode LinearDestroyObjects(Equations *equations, LinearSolver *linear);

#endif
