// SPDX-License-Identifier: Apache-2.0
// Explains why a path stops. Towards a limit point u - u_L ~ sqrt(f_L - f), so |dq/df|^-2 falls linearly with the
// factor to zero at f_L. If that is not next to the last state, the tangent shows no limit point.
#include "analyses/statics/statics.h"

#include <math.h>

void statics_record_slope(Statics *x, double square) {
  x->slope[0] = x->slope[1];
  x->slope[1] = (PathSlope){.factor = x->factor, .inverse = square > 0 ? 1 / square : 0};
}

static bool statics_limit_point(const Statics *x, double *limit) {
  const PathSlope *a = &x->slope[0], *b = &x->slope[1];
  if (x->options.control != LIMBER_CONTROL_LOAD || x->count < 2 || !(a->inverse > b->inverse)) return false;
  double ahead = b->inverse * (b->factor - a->factor) / (a->inverse - b->inverse);
  *limit = b->factor + ahead;
  return fabs(ahead) <= 1e-3 * fabs(b->factor);
}

// How much an element bends and twists: the relative rotation of its ends since the reference.
static double element_turn(const Layout *layout, const State *state, PetscInt e) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  Mat3 turn[2];
  for (int k = 0; k < 2; k++) {
    PetscInt i = layout->element_node[layout->element_node_start[e] + (k ? el->nnode - 1 : 0)];
    const ModelNode *n = model_node(layout->model, layout->node[i]);
    if (n->kind != NODE_FRAME && n->kind != NODE_FIXED) return 0;
    turn[k] = n->kind == NODE_FIXED
                  ? mat3_identity()
                  : mat3_mul(node_axes(state->x + 4 * i), mat3_transpose(node_axes(n->x))); // from the reference
  }
  Mat3 r = mat3_mul(mat3_transpose(turn[0]), turn[1]);
  return acos(PetscMax(-1, PetscMin(1, 0.5 * (r.m[0][0] + r.m[1][1] + r.m[2][2] - 1))));
}

static PetscErrorCode StaticsLargestTurn(const Layout *layout, const State *state, double *angle, int *component) {
  struct {
    double value;
    int at;
  } own = {0, -1}, all;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < layout->nelement; e++) {
    const ModelElement *el = model_element(layout->model, layout->element[e]);
    if (el->nnode < 2 || !el->kind->line.axes) continue;
    double turn = element_turn(layout, state, e);
    if (turn > own.value) own.value = turn, own.at = el->component;
  }
  PetscCallMPI(MPI_Allreduce(&own, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, layout->comm));
  *angle = all.value, *component = all.at;
  PetscFunctionReturn(0);
}

static const double coarse = 0.6, fine = 0.3; // rad in an element: too much; recommended

PetscErrorCode StaticsSayCoarse(const Layout *layout, const State *state, char *text, size_t size) {
  double angle;
  int component;
  PetscFunctionBegin;
  text[0] = 0;
  PetscCall(StaticsLargestTurn(layout, state, &angle, &component));
  if (component < 0 || angle < coarse) PetscFunctionReturn(0);
  const ModelComponent *c = model_component(layout->model, component);
  snprintf(text, size,
           "An element of %s '%s' turns by %.0f deg from end to end: %d element%s are too few. Use %d or more",
           c->kind->name, shown_name(c->name), angle * 180 / PETSC_PI, c->count, c->count == 1 ? "" : "s",
           (int)ceil(c->count * angle / fine));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsExplainStop(const Stepper *p, char *text, size_t size) {
  const Statics *x = statics_of(p);
  char mesh[512];
  double limit;
  PetscFunctionBegin;
  PetscCall(StaticsSayCoarse(&p->s->motion.layout, &p->s->motion.state, mesh, sizeof mesh));
  bool turns = statics_limit_point(x, &limit);
  if (turns && mesh[0])
    snprintf(text, size,
             "The path of this mesh has a limit point at a load factor of %.6g, where the structure may have none. %s.",
             limit, mesh);
  else if (turns)
    snprintf(text, size,
             "The path has a limit point at a load factor of %.6g: its tangent is unbounded there. `static: {control: "
             "arc}` follows it past that point.",
             limit);
  else if (mesh[0]) snprintf(text, size, "Newton diverges, and the tangent shows no limit point. %s.", mesh);
  else if (x->options.control == LIMBER_CONTROL_LOAD)
    snprintf(text, size,
             "Newton diverges, and the tangent shows no limit point. Use more elements where the model bends or "
             "touches most, a smaller `largest`, or `control: arc`.");
  else snprintf(text, size, "Newton diverges. Try a smaller `largest`, more elements, or another probe to control.");
  PetscFunctionReturn(0);
}
