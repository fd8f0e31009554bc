// SPDX-License-Identifier: Apache-2.0
// Products with multipliers (product.h) of what acts on elements beside the responses of their points: drag, what flows around
// them, loads that turn with the axes of an element, and friction of a cable on pulleys, which depends on the places of its nodes
// at the start of the step. But for the flow, derivatives by the vectors of the nodes are central differences over these few
// numbers.
#include "gradient/product.h"

#include "assembly/evaluate.h"

#include <math.h>

// ---- differences over the vectors of an element ----

typedef double (*VectorsFunction)(const void *of, const ItemVectors *v);

typedef struct { // a function of one number of them
  VectorsFunction f;
  const void *of;
  ItemVectors *v;
  Vec3 *vector;
  int component;
} OneOfVectors;

static void set_component(Vec3 *a, int i, double x) {
  if (i == 0) a->x = x;
  else if (i == 1) a->y = x;
  else a->z = x;
}

static double by_component(const void *self, double x) {
  const OneOfVectors *at = self;
  Vec3 kept = *at->vector;
  set_component(at->vector, at->component, x);
  double value = at->f(at->of, at->v);
  *at->vector = kept;
  return value;
}

// Velocities are small differences of places: so are the lengths over which they are differentiated.
static double difference_of(const StepProduct *p, const ItemVectors *v) {
  double size = p->motion->layout.length > 0 ? p->motion->layout.length : 1, moved = 0;
  for (int a = 0; a < v->nvec; a++) moved = fmax(moved, vec3_norm(vec3_sub(v->xk[a], v->xn[a])));
  return fmin(fmax(0.3 * moved, 1e-6 * size), 1e-3 * size);
}

static void add_slopes(StepProduct *p, VectorsFunction f, const void *of, bool at_end, ItemVectors *v) {
  double d = difference_of(p, v);
  for (int end = 0; end <= at_end; end++)
    for (int a = 0; a < v->nvec; a++) {
      Vec3 *to = end ? &v->of_xk[a] : &v->of_xn[a];
      OneOfVectors at = {f, of, v, end ? &v->xk[a] : &v->xn[a], 0};
      double x[3], slope[3];
      vec3_to(*at.vector, x);
      for (at.component = 0; at.component < 3; at.component++)
        slope[at.component] = kinked_slope(by_component, &at, x[at.component], d, &p->kinks);
      *to = vec3_add(*to, vec3_of(slope));
    }
}

// ---- points ----

typedef struct {
  const ElementPoint *p;
  const ElementStep *step;
  const double *past, *next;
  const ItemVectors *fixed; // the motion of the strains
} ForcePoint;

static DragState drag_state(const ForcePoint *q, const ItemVectors *v) {
  const Rows *rows = &q->p->rows;
  Vec3 yn[MAX_Y], yk[MAX_Y];
  double en[MAX_ROWS], ek[MAX_ROWS];
  DragState s = {.force = vec3_zero()};
  rows_interpolate(rows, v->xn, yn), rows_interpolate(rows, v->xk, yk);
  rows_value(rows, v->xn, no_coords, en), rows_value(rows, v->xk, no_coords, ek);
  q->p->drag(q->p, &(DragStep){q->step->h, q->step->t->force_rule, yn, yk, en, ek}, &s);
  return s;
}

static double drag_value(const void *of, const ItemVectors *v) {
  const ForcePoint *q = of;
  Vec3 yw[MAX_Y];
  rows_interpolate(&q->p->rows, v->w, yw);
  return q->p->weight * vec3_dot(drag_state(q, v).force, yw[DRAG_PLACE]);
}

// The response with the law that the vectors at the start give, at fixed strains.
static double begun_value(const void *of, const ItemVectors *v) {
  const ForcePoint *q = of;
  ElementPoint p = *q->p;
  ItemVectors fixed = *q->fixed;
  Law own;
  p.begin(&p, v->xn, &own);
  return product_of_response(&p, q->step, q->past, q->next, NULL, &fixed, NULL);
}

double product_of_drag(StepProduct *p, const ElementPoint *at, const ElementStep *step, ItemVectors *v) {
  ForcePoint q = {.p = at, .step = step};
  double value = drag_value(&q, v);
  Vec3 on[MAX_Y];
  if (!p->state) return value;
  for (int i = 0; i < at->rows.ny; i++) on[i] = vec3_zero();
  on[DRAG_PLACE] = vec3_scale(at->weight, drag_state(&q, v).force);
  rows_add_to_vectors(&at->rows, on, v->of_w);
  add_slopes(p, drag_value, &q, true, v);
  return value;
}

void product_add_begun(StepProduct *p, const ElementPoint *at, const ElementStep *step, const double *past,
                       const double *next, ItemVectors *v) {
  ItemVectors fixed = *v;
  ForcePoint q = {at, step, past, next, &fixed};
  add_slopes(p, begun_value, &q, false, v);
}

// ---- what flows around a point ----

// Adds -weight yw . dF/dy, with y the vectors that the forces are differentiated by.
static void add_flow_slopes(const ElementPoint *p, const FlowState *q, const Vec3 *yw, Vec3 *to) {
  Vec3 on[MAX_Y];
  for (int j = 0; j < p->rows.ny; j++) {
    double slope[3] = {0, 0, 0};
    for (int i = 0; i < p->rows.ny; i++) {
      double w[3];
      vec3_to(yw[i], w);
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) slope[c] -= p->weight * w[r] * q->force[i].x[r].d[3 * j + c];
    }
    on[j] = vec3_of(slope);
  }
  rows_add_to_vectors(&p->rows, on, to);
}

// The forces bring their derivatives by the vectors at the end. They depend on the middles and rates of the vectors, which are
// those of the step back in time, from the end to the start: its forces are differentiated by the vectors at the start.
double product_of_flow(const StepProduct *p, const ElementPoint *at, const ElementStep *step, ItemVectors *v) {
  const Rows *rows = &at->rows;
  Vec3 yn[MAX_Y], yk[MAX_Y], yw[MAX_Y], on[MAX_Y];
  FlowState q;
  double value = 0;
  rows_interpolate(rows, v->xn, yn), rows_interpolate(rows, v->xk, yk), rows_interpolate(rows, v->w, yw);
  FlowStep flow = element_flow_step(step, yn, yk), back = element_flow_step(step, yk, yn);
  at->flow->force(at->of, &flow, true, &q);
  for (int i = 0; i < rows->ny; i++) {
    on[i] = vec3_scale(-at->weight, dual_vec_value(&q.force[i]));
    value += vec3_dot(on[i], yw[i]);
  }
  if (!p->state) return value;
  rows_add_to_vectors(rows, on, v->of_w);
  add_flow_slopes(at, &q, yw, v->of_xk);
  back.time = flow.time + flow.h, back.h = -flow.h;
  at->flow->force(at->of, &back, true, &q);
  add_flow_slopes(at, &q, yw, v->of_xn);
  return value;
}

// ---- loads ----

typedef struct {
  const StepProduct *p;
  PetscInt element;
  LocalMotion *it;
} ElementLoads;

// What loads along an element put on its nodes, whose vectors those of `it` are.
static double loads_value(const ElementLoads *q) {
  const StepProduct *p = q->p;
  const Layout *layout = &p->motion->layout;
  const ModelElement *el = model_element(layout->model, layout->element[q->element]);
  double sum = 0;
  for (PetscInt l = layout->element_load_start[q->element]; l < layout->element_load_start[q->element + 1]; l++) {
    NodeLoad node[MAX_LOCAL_NODES];
    load_on_element(&model_load(layout->model, layout->element_load[l])->load, el->kind, el->data,
                    &layout->rule->tableau, p->motion->step.end_amplitude[layout->element_load[l]], q->it, node, NULL);
    for (int a = 0; a < q->it->nnode; a++) {
      PetscInt i = layout->element_node[layout->element_node_start[q->element] + a];
      const double *mu = p->residual + layout->node_block[i] * layout->bs;
      if (layout->node_block[i] < 0) continue;
      sum -= vec3_dot(vec3_of(mu), node[a].force[0]);
      if (q->it->kind[a] == NODE_FRAME) sum -= vec3_dot(vec3_of(mu + layout->bs), node[a].moment[0]);
    }
  }
  return sum;
}

static double loads_at(const void *of, const ItemVectors *v) {
  const ElementLoads *q = of;
  for (int a = 0; a < v->nvec; a++) q->it->xn[a] = v->xn[a], q->it->xk[0][a] = v->xk[a];
  return loads_value(q);
}

double product_of_element_loads(StepProduct *p, PetscInt e, ItemVectors *v) {
  const Layout *layout = &p->motion->layout;
  LocalMotion it;
  ElementLoads q = {p, e, &it};
  bool follows = false;
  if (layout->element_load_start[e] == layout->element_load_start[e + 1]) return 0;
  local_motion_begin(&it, 1, layout->rule->tableau.force_rule);
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    local_motion_add_moved(&it, model_node(layout->model, layout->node[i])->kind, p->motion->state.x + 4 * i,
                           &p->moved[i]);
  }
  double value = loads_value(&q);
  for (PetscInt l = layout->element_load_start[e]; l < layout->element_load_start[e + 1]; l++)
    follows = follows || model_load(layout->model, layout->element_load[l])->load.follower;
  if (p->state && follows) add_slopes(p, loads_at, &q, true, v);
  return value;
}
