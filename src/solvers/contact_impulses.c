// SPDX-License-Identifier: Apache-2.0
// Impulses of contacts without penetration at the end of a step. The step closes the gap but reverses its rate, as the
// midpoint rule does with everything that it holds; v_1 is the velocity after the impulses h N. The impulses L change
// it to the velocity of least energy
//   v = v_1 + M^-1 G^T L,   P = h N + L >= 0,   for which   G v >= 0,  P . G v = 0  (Moreau).
// Relaxation finds it pair by pair: each time the least energy along the impulse of one pair. Between two sweeps come
// conjugate gradients of the impulses that are at no bound, until one reaches its bound. So the energy never exceeds
// that of v_1.
// Tangential impulses of friction are of least energy too. Together with h T of the step they are at most mu P. For a
// spring that sticks, whose force T has a law of its own, they are at most mu L, without T, in a contact that lasts.
// The bounds are iterated from L = 0. Contacts alternate with the velocity projection of joints. Impulses of
// restitution follow.
// All ranks gather all pairs that touch, in the order of the list, and do the same arithmetic.
// Equations: eq-contact-impulse (22.10), eq-contact-impulse-energy (22.11).
#include "assembly/contact_hard.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "solvers/solvers.h"

#include <stdlib.h>

enum { MOST_SWEEPS = 1000, BOUNDS = 8, ALTERNATIONS = 200 };
static const double still = 1e-14;     // of the largest velocity: a sweep that changes less is the last
static const double inside = 1 - 1e-9; // of a bound of friction: what is below it is not held

typedef struct {                     // numbers only, so that it can be sent by MPI as it is
  double law, point, other;          // sort keys
  double nnode, node[CONTACT_NODES]; // of the model
  double pushed, friction, first;    // h N; mu; 1 if it was apart at the start
  double coulomb, dragged[2];        // 1: friction without a spring; its h T along two directions
  double restitution, taken;         // of a pair that was apart; energy that N removed
  double row[3][CONTACT_NODES][6];   // gap, slip along two directions
} TouchingPair;
enum { PAIR_NUMBERS = sizeof(TouchingPair) / sizeof(double) };

typedef struct {
  const TouchingPair *p;
  int slot[CONTACT_NODES];
  double column[3][CONTACT_NODES][6], w[3]; // M^-1 row^T; row M^-1 row^T
  double impulse[3], least, bound;          // L and two of friction; smallest L; largest friction
  bool idle;                                // it has no part in the relaxation
  double rest[3], way[3]; // of conjugate gradients: the rate that is left with the other sign, the direction
  double turned[3];       // the change of the rate along it
  bool free[3];           // no bound holds the impulse
} Impulse;

typedef struct {
  int id;
  PetscInt local;
  double v[6], start[6];
  double change[6]; // by a direction of conjugate gradients
} MovingNode;

typedef struct {
  int count, nodes;
  TouchingPair *pair;
  Impulse *impulse;
  MovingNode *node;
  double fastest, slow; // rates of gaps: the largest, and the round-off level
} ImpulseProblem;

// ---- pairs ----

// A pair that closes and is about to touch counts: in the next step it would be one that was not apart, and would not bounce.
static bool is_touching(const Motion *motion, ContactItem *c) {
  const State *state = &motion->state;
  const Vec3 *x[CONTACT_NODES], *v[CONTACT_NODES];
  if (!c->pair.law.hard) return false;
  bool material = false;
  for (int a = 0; a < c->pair.nnode; a++) {
    x[a] = state->x + 4 * c->node[a], v[a] = state->v + 4 * c->node[a];
    material = material || layout_is_material(&motion->layout, c->node[a]);
  }
  double gap = contact_gap(&c->pair, x), least = contact_floor(&c->pair.law, c->gap) + c->pair.law.depth;
  Vec3 normal;
  double rate = contact_gap_rate(&c->pair, x, v, &normal);
  bool closes = !material && rate < 0 && !contact_apart(&c->pair.law, gap);
  if (!(c->force > 0) && !(gap <= least) && !closes) return false;
  c->pair.normal = normal;
  return true;
}

// Where friction acts at the end of the step, and its impulse in the step.
static void take_friction(const Motion *motion, double h, ContactItem *c, TouchingPair *p) {
  const Vec3 *x[CONTACT_NODES];
  ContactRoom room;
  Vec3 t[2];
  contact_vectors(&motion->layout, c, motion->state.x, &room, x);
  contact_find_slip(&motion->layout, c, x, x, 0);
  contact_hard_directions(c, t);
  p->coulomb = contact_is_coulomb(&c->pair.law);
  for (int k = 0; k < 2 && p->coulomb != 0; k++) p->dragged[k] = h * vec3_dot(t[k], c->pair.deflection);
}

static PetscErrorCode GatherPairs(Motion *motion, double h, ImpulseProblem *q) {
  ContactSet *set = motion->contacts;
  TouchingPair *own;
  PetscMPIInt mine = 0, *each, *at, total = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(set->count + 1, &own));
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    if (!c->primary || !is_touching(motion, c)) continue;
    TouchingPair *p = &own[mine++];
    *p = (TouchingPair){.law = c->law, .point = c->point, .other = c->other, .nnode = c->pair.nnode};
    for (int a = 0; a < c->pair.nnode; a++) p->node[a] = (double)motion->layout.node[c->node[a]];
    p->pushed = h * c->force, p->friction = c->pair.law.friction, p->first = contact_apart(&c->pair.law, c->gap);
    p->restitution = p->first != 0 ? model_contact(motion->layout.model, c->law)->law.restitution : 0;
    p->taken = p->first != 0 ? c->force * c->gap : 0;
    if (p->friction > 0) take_friction(motion, h, c, p);
    contact_hard_rows(&motion->state, c, p->row);
  }
  mine *= PAIR_NUMBERS;
  PetscCall(PetscMalloc2(motion->layout.size, &each, motion->layout.size, &at));
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, each, 1, MPI_INT, motion->layout.comm));
  for (PetscMPIInt r = 0; r < motion->layout.size; r++) at[r] = total, total += each[r];
  PetscCall(PetscMalloc1(total / PAIR_NUMBERS + 1, &q->pair));
  PetscCallMPI(MPI_Allgatherv(own, mine, MPI_DOUBLE, q->pair, each, at, MPI_DOUBLE, motion->layout.comm));
  q->count = total / PAIR_NUMBERS;
  if (q->count) qsort(q->pair, (size_t)q->count, sizeof *q->pair, contact_compare_numbers);
  PetscCall(PetscFree2(each, at));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(0);
}

static int compare_nodes(const void *a, const void *b) {
  int x = ((const MovingNode *)a)->id, y = ((const MovingNode *)b)->id;
  return (x > y) - (x < y);
}

// ---- velocities of nodes: 6 numbers in the axes of the node ----

// The rigid motion with the same momentum as the vectors' velocities `rate`.
static void rigid_motion(const State *state, const ContactSet *contacts, PetscInt i, const Vec3 *rate, double out[6]) {
  const HardContacts *hard = contacts->hard;
  const Vec3 *x = state->x + 4 * i;
  double mass[4][4], p[6];
  Vec3 force = vec3_zero(), moment = vec3_zero();
  inertia_ambient(&hard->inertia[i], mass);
  for (int b = 0; b < 4; b++) {
    force = vec3_axpy(force, mass[0][b], rate[b]);
    for (int a = 1; a < 4; a++) moment = vec3_axpy(moment, mass[a][b], vec3_cross(x[a], rate[b]));
  }
  vec3_to(mat3_apply_transpose(node_axes(x), force), p), vec3_to(mat3_apply_transpose(node_axes(x), moment), p + 3);
  for (int k = 0; k < 6; k++) out[k] = 0;
  for (int k = 0; k < 36; k++) out[k / 6] += hard->inverse[i][k / 6][k % 6] * p[k % 6];
}

static bool is_frame(const Layout *layout, PetscInt i) {
  return model_node(layout->model, layout->node[i])->kind == NODE_FRAME;
}

static void get_velocity(const Motion *motion, PetscInt i, bool memory, double out[6]) {
  const Vec3 *rate = (memory ? motion->state.dv : motion->state.v) + 4 * i;
  if (!is_frame(&motion->layout, i)) vec3_to(rate[0], out), out[3] = out[4] = out[5] = 0;
  else if (layout_is_material(&motion->layout, i)) vec3_to(rate[0], out), vec3_to(rate[1], out + 3);
  else rigid_motion(&motion->state, motion->contacts, i, rate, out);
}

static void add_velocity(const Layout *layout, State *state, PetscInt i, bool memory, const double change[6]) {
  Vec3 *rate = (memory ? state->dv : state->v) + 4 * i, v = vec3_of(change), w = vec3_of(change + 3);
  if (!is_frame(layout, i)) rate[0] = vec3_add(rate[0], v);
  else if (layout_is_material(layout, i)) rate[0] = vec3_add(rate[0], v), rate[1] = vec3_add(rate[1], w);
  else {
    const Vec3 *x = state->x + 4 * i;
    Mat3 axes = node_axes(x);
    w = mat3_apply(axes, w), rate[0] = vec3_add(rate[0], mat3_apply(axes, v));
    for (int j = 1; j < 4; j++) rate[j] = vec3_add(rate[j], vec3_cross(w, x[j]));
  }
}

static void take_velocities(const Motion *motion, bool memory, ImpulseProblem *q) {
  q->fastest = 0;
  for (int i = 0; i < q->nodes; i++) {
    get_velocity(motion, q->node[i].local, memory, q->node[i].v);
    for (int k = 0; k < 6; k++) q->node[i].start[k] = q->node[i].v[k];
  }
  for (int i = 0; i < q->count; i++)
    for (int a = 0; a < (int)q->pair[i].nnode; a++) {
      double sum[3] = {0};
      for (int r = 0; r < (q->pair[i].coulomb != 0 ? 3 : 1); r++) {
        for (int k = 0; k < 6; k++) sum[r] += fabs(q->pair[i].row[r][a][k] * q->node[q->impulse[i].slot[a]].v[k]);
        q->fastest = PetscMax(q->fastest, sum[r]);
      }
    }
}

static void give_velocities(const Layout *layout, State *state, bool memory, const ImpulseProblem *q) {
  for (int i = 0; i < q->nodes; i++) {
    double change[6];
    for (int k = 0; k < 6; k++) change[k] = q->node[i].v[k] - q->node[i].start[k];
    if (q->node[i].local > 0) add_velocity(layout, state, q->node[i].local, memory, change);
  }
}

static PetscErrorCode ProblemCreate(Motion *motion, double h, ImpulseProblem *q) {
  PetscFunctionBegin;
  PetscCall(GatherPairs(motion, h, q));
  PetscCall(PetscCalloc1(q->count + 1, &q->impulse));
  PetscCall(PetscCalloc1(CONTACT_NODES * q->count + 1, &q->node));
  for (int i = 0, n = 0; i < q->count; i++)
    for (int a = 0; a < (int)q->pair[i].nnode; a++) q->node[n++].id = (int)q->pair[i].node[a], q->nodes = n;
  if (q->nodes) qsort(q->node, (size_t)q->nodes, sizeof *q->node, compare_nodes);
  int n = 0;
  for (int i = 0; i < q->nodes; i++)
    if (!n || q->node[n - 1].id != q->node[i].id) q->node[n++] = q->node[i];
  q->nodes = n;
  for (int i = 0; i < n; i++) q->node[i].local = motion->layout.local_node[q->node[i].id];
  for (int i = 0; i < q->count; i++) {
    Impulse *f = &q->impulse[i];
    f->p = &q->pair[i], f->least = -f->p->pushed, f->bound = hypot(f->p->dragged[0], f->p->dragged[1]);
    for (int a = 0; a < (int)f->p->nnode; a++) {
      const MovingNode key = {.id = (int)f->p->node[a]};
      const MovingNode *found = bsearch(&key, q->node, (size_t)q->nodes, sizeof key, compare_nodes);
      f->slot[a] = (int)(found - q->node);
      for (int r = 0; r < 3; r++)
        for (int k = 0; k < 36; k++) {
          double part = motion->contacts->hard->inverse[found->local][k / 6][k % 6] * f->p->row[r][a][k % 6];
          f->column[r][a][k / 6] += part, f->w[r] += f->p->row[r][a][k / 6] * part;
        }
    }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ProblemDestroy(ImpulseProblem *q) {
  PetscFunctionBegin;
  PetscCall(PetscFree(q->pair));
  PetscCall(PetscFree(q->impulse));
  PetscCall(PetscFree(q->node));
  PetscFunctionReturn(0);
}

// ---- relaxation ----

static double rate_of(const ImpulseProblem *q, const Impulse *f, int r) {
  double sum = 0;
  for (int a = 0; a < (int)f->p->nnode; a++)
    for (int k = 0; k < 6; k++) sum += f->p->row[r][a][k] * q->node[f->slot[a]].v[k];
  return sum;
}

static void push(ImpulseProblem *q, const Impulse *f, int r, double impulse) {
  for (int a = 0; a < (int)f->p->nnode; a++)
    for (int k = 0; k < 6; k++) q->node[f->slot[a]].v[k] += f->column[r][a][k] * impulse;
}

// One pair: its impulse of least energy, the others as they are. Energy that it takes is added; returns the change of
// the rate.
static double relax_normal(ImpulseProblem *q, Impulse *f, double *taken) {
  if (!(f->w[0] > 0)) return 0;
  double rate = rate_of(q, f, 0), next = f->impulse[0] - rate / f->w[0];
  if (next < f->least) next = f->least;
  double change = next - f->impulse[0];
  *taken -= change * (rate + 0.5 * f->w[0] * change);
  push(q, f, 0, change), f->impulse[0] = next;
  return fabs(change) * f->w[0];
}

// w: at least the largest eigenvalue of the 2 x 2 block, so that the energy falls. The bound is that of the sum with
// the impulse of the step, and never less than that impulse: no impulse at all is allowed.
static double relax_friction(ImpulseProblem *q, Impulse *f, double *taken) {
  double w = f->w[1] + f->w[2], u[2], next[2], change[2];
  if (!(w > 0) || !(f->bound > 0)) return 0;
  for (int k = 0; k < 2; k++) {
    u[k] = rate_of(q, f, 1 + k);
    next[k] = f->p->dragged[k] + f->impulse[1 + k] - u[k] / w;
  }
  double size = hypot(next[0], next[1]);
  for (int k = 0; k < 2; k++) {
    if (size > f->bound) next[k] *= f->bound / size;
    change[k] = next[k] - f->p->dragged[k] - f->impulse[1 + k];
    push(q, f, 1 + k, change[k]), f->impulse[1 + k] += change[k];
  }
  for (int k = 0; k < 2; k++) *taken -= 0.5 * change[k] * (u[k] + rate_of(q, f, 1 + k));
  return hypot(change[0], change[1]) * w;
}

// Whether a sweep changed rates by so much that another is worth its time. What is left of gaps in a step is not.
static bool is_moving(const ImpulseProblem *q, double change) {
  return change > PetscMax(still * q->fastest, 10 * q->slow);
}

// ---- conjugate gradients ----

// Impulses that the last sweep left at no bound. Returns their number.
static int find_free(ImpulseProblem *q) {
  int count = 0;
  for (int i = 0; i < q->count; i++) {
    Impulse *f = &q->impulse[i];
    double y[2] = {f->p->dragged[0] + f->impulse[1], f->p->dragged[1] + f->impulse[2]};
    f->free[0] = !f->idle && f->w[0] > 0 && f->impulse[0] > f->least;
    f->free[1] = f->free[2] = !f->idle && f->w[1] > 0 && f->w[2] > 0 && hypot(y[0], y[1]) < inside * f->bound;
    for (int r = 0; r < 3; r++) count += f->free[r], f->rest[r] = f->way[r] = 0;
    for (int r = 0; r < 3; r++)
      if (f->free[r]) f->rest[r] = -rate_of(q, f, r);
  }
  return count;
}

// How far an impulse goes along a direction until it gets to a bound.
static double find_way_to_bound(const Impulse *f) {
  double way = HUGE_VAL;
  if (f->free[0] && f->way[0] < 0) way = (f->least - f->impulse[0]) / f->way[0];
  if (!f->free[1] || !(f->bound < HUGE_VAL)) return way;
  double y[2] = {f->p->dragged[0] + f->impulse[1], f->p->dragged[1] + f->impulse[2]};
  double a = f->way[1] * f->way[1] + f->way[2] * f->way[2], b = y[0] * f->way[1] + y[1] * f->way[2];
  double c = f->bound * f->bound - y[0] * y[0] - y[1] * y[1]; // a t^2 + 2 b t = c
  return a > 0 ? PetscMin(way, c / (b + sqrt(b * b + a * c))) : way;
}

typedef struct {
  double size;      // rest . rest/w
  double curvature; // of the energy along the direction
  double to_bound;
} Direction;

// The next direction, and the velocities that it changes.
static void turn(ImpulseProblem *q, double before, Direction *d) {
  *d = (Direction){.to_bound = HUGE_VAL};
  for (int i = 0; i < q->nodes; i++)
    for (int k = 0; k < 6; k++) q->node[i].change[k] = 0;
  for (int i = 0; i < q->count; i++)
    for (int r = 0; r < 3; r++)
      if (q->impulse[i].free[r]) d->size += q->impulse[i].rest[r] * q->impulse[i].rest[r] / q->impulse[i].w[r];
  for (int i = 0; i < q->count; i++) {
    Impulse *f = &q->impulse[i];
    for (int r = 0; r < 3; r++) {
      if (!f->free[r]) continue;
      f->way[r] = f->rest[r] / f->w[r] + (before > 0 ? d->size / before * f->way[r] : 0);
      for (int a = 0; a < (int)f->p->nnode; a++)
        for (int k = 0; k < 6; k++) q->node[f->slot[a]].change[k] += f->column[r][a][k] * f->way[r];
    }
    d->to_bound = PetscMin(d->to_bound, find_way_to_bound(f));
  }
}

static double change_of(const ImpulseProblem *q, const Impulse *f, int r) {
  double sum = 0;
  for (int a = 0; a < (int)f->p->nnode; a++)
    for (int k = 0; k < 6; k++) sum += f->p->row[r][a][k] * q->node[f->slot[a]].change[k];
  return sum;
}

// The least energy along the direction, or up to the bound. What normal impulses take of it, and the others, is added.
// Returns the largest rate that is left.
static double step_along(ImpulseProblem *q, double step, double taken[2]) {
  double most = 0;
  for (int i = 0; i < q->count; i++)
    for (int r = 0; r < 3; r++) {
      Impulse *f = &q->impulse[i];
      if (!f->free[r]) continue;
      taken[r > 0] += step * f->way[r] * (f->rest[r] - 0.5 * step * f->turned[r]);
      f->impulse[r] += step * f->way[r], f->rest[r] -= step * f->turned[r];
      most = PetscMax(most, fabs(f->rest[r]));
    }
  for (int i = 0; i < q->nodes; i++)
    for (int k = 0; k < 6; k++) q->node[i].v[k] += step * q->node[i].change[k];
  return most;
}

static double find_curvature(ImpulseProblem *q) {
  double sum = 0;
  for (int i = 0; i < q->count; i++)
    for (int r = 0; r < 3; r++)
      if (q->impulse[i].free[r]) {
        q->impulse[i].turned[r] = change_of(q, &q->impulse[i], r);
        sum += q->impulse[i].way[r] * q->impulse[i].turned[r];
      }
  return sum;
}

static void relax_free(ImpulseProblem *q, double taken[2]) {
  int count = find_free(q);
  double before = 0;
  for (int n = 0; n < count; n++) {
    Direction d;
    turn(q, before, &d);
    d.curvature = find_curvature(q);
    if (!(d.curvature > 0) || !(d.size > 0)) return;
    double step = d.size / d.curvature;
    double left = step_along(q, PetscMin(step, d.to_bound), taken);
    if (!(step < d.to_bound) || !is_moving(q, left)) return;
    before = d.size;
  }
}

static void relax(ImpulseProblem *q, double taken[2]) {
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double most = 0;
    for (int i = 0; i < q->count; i++) {
      if (q->impulse[i].idle) continue;
      most = PetscMax(most, relax_normal(q, &q->impulse[i], &taken[0]));
      most = PetscMax(most, relax_friction(q, &q->impulse[i], &taken[1]));
    }
    if (!is_moving(q, most)) break;
    if (sweep) relax_free(q, taken);
  }
}

static void relax_from_start(ImpulseProblem *q, double taken[2]) {
  for (int i = 0; i < q->nodes; i++)
    for (int k = 0; k < 6; k++) q->node[i].v[k] = q->node[i].start[k];
  for (int i = 0; i < q->count; i++)
    for (int k = 0; k < 3; k++) q->impulse[i].impulse[k] = 0;
  taken[0] = taken[1] = 0;
  relax(q, taken);
}

// Bounds of friction follow from the impulses that they let come about. A bound that shrinks may give energy back: if
// it is more than all impulses took, they are found once more from none, which takes energy whatever the bounds are.
static void relax_with_friction(ImpulseProblem *q, double taken[2]) {
  bool friction = false;
  for (int n = 0; n < BOUNDS; n++) {
    double change = 0;
    relax(q, taken);
    for (int i = 0; i < q->count; i++) {
      Impulse *f = &q->impulse[i];
      bool whole = f->p->first != 0 || f->p->coulomb != 0;
      double size = (1 + f->p->restitution) * (f->impulse[0] + (whole ? f->p->pushed : 0));
      double bound = PetscMax(f->p->friction * size, hypot(f->p->dragged[0], f->p->dragged[1]));
      friction = friction || f->p->friction > 0;
      change = PetscMax(change, fabs(bound - f->bound) * (f->w[1] + f->w[2]));
      if (n + 1 < BOUNDS) f->bound = bound;
    }
    if (!friction || change <= PetscMax(1e-12 * q->fastest, 100 * q->slow)) break;
  }
  if (taken[0] + taken[1] < 0) relax_from_start(q, taken);
}

// ---- the whole solution ----

static double kinetic_energy(const Motion *motion) {
  double sum = 0;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
    sum += layout_is_material(&motion->layout, i) ? inertia_energy(&motion->layout.inertia[i], n.v[0], n.v[1])
                                                  : ambient_energy(nvec, motion->layout.mass[i], n.v);
  }
  return sum;
}

// Alternates between the impulses of joints and those of contacts until both agree.
static PetscErrorCode AlternateWithJoints(Motion *motion, Equations *equations, double h, ImpulseProblem *q,
                                          ContactImpulses *out) {
  PetscFunctionBegin;
  if (!motion->layout.model->joints.count || !(q->fastest > q->slow) || out->impact + out->friction == 0)
    PetscFunctionReturn(0);
  out->joints = true;
  PetscCall(MotionBeginStep(motion, h)); // rates of drives
  motion->switches.throwing = true;
  for (int n = 0; n < ALTERNATIONS; n++) {
    double energy[2] = {kinetic_energy(motion), 0}, taken[2] = {0, 0}, most = 0;
    ProjectedStart change;
    PetscCall(EquationsProjectVelocities(motion, equations, &change));
    energy[1] = kinetic_energy(motion);
    PetscCall(ReduceArray(motion->layout.comm, energy, 2, MPI_DOUBLE, MPI_SUM));
    out->impact += energy[0] - energy[1];
    take_velocities(motion, false, q);
    for (int i = 0; i < q->count; i++) {
      const Impulse *f = &q->impulse[i];
      double rate = rate_of(q, f, 0);
      most = PetscMax(most, f->impulse[0] > f->least ? fabs(rate) : PetscMax(-rate, 0));
    }
    if (!(most > PetscMax(1e-11 * q->fastest, q->slow))) break;
    relax(q, taken);
    give_velocities(&motion->layout, &motion->state, false, q);
    out->impact += taken[0], out->friction += taken[1];
  }
  motion->switches.throwing = false;
  PetscFunctionReturn(0);
}

// Poisson's restitution: pairs that were apart push again with e times the impulse that stopped them. Impulses of
// joints follow as before, so the velocities change by e M^-1 (G^T P + J^T m). If connected pairs have different e,
// this can return more energy than the step and its impact removed; the change is then scaled down. Pairs that still
// approach are stopped as before.
static PetscErrorCode Rebound(Motion *motion, Equations *equations, double h, ImpulseProblem *q, ContactImpulses *out) {
  double budget = out->impact + out->friction, energy[2] = {kinetic_energy(motion), 0}, taken[2] = {0, 0};
  size_t count = 4 * (size_t)motion->layout.nnode;
  bool any = false;
  Vec3 *before;
  PetscFunctionBegin;
  for (int i = 0; i < q->count; i++) {
    any = any || (q->pair[i].restitution > 0 && q->impulse[i].impulse[0] + q->pair[i].pushed > 0);
    budget += q->pair[i].taken;
  }
  if (!any || !(budget > 0)) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(count, &before));
  PetscCall(PetscArraycpy(before, motion->state.v, count));
  take_velocities(motion, false, q);
  for (int i = 0; i < q->count; i++) {
    Impulse *f = &q->impulse[i];
    double again = f->p->restitution * (f->impulse[0] + f->p->pushed);
    push(q, f, 0, again), f->impulse[0] += again, f->least = f->impulse[0];
  }
  give_velocities(&motion->layout, &motion->state, false, q);
  if (out->joints) {
    ProjectedStart change;
    motion->switches.throwing = true;
    PetscCall(EquationsProjectVelocities(motion, equations, &change));
    motion->switches.throwing = false;
  }
  energy[1] = kinetic_energy(motion);
  PetscCall(ReduceArray(motion->layout.comm, energy, 2, MPI_DOUBLE, MPI_SUM));
  double gain = energy[1] - energy[0], part = gain > budget ? budget / gain : 1; // the energy is convex
  for (size_t i = 0; i < count && part < 1; i++)
    motion->state.v[i] = vec3_axpy(before[i], part, vec3_sub(motion->state.v[i], before[i]));
  if (part < 1) {
    energy[1] = kinetic_energy(motion);
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &energy[1], 1, MPI_DOUBLE, MPI_SUM, motion->layout.comm));
  }
  out->impact -= energy[1] - energy[0];
  take_velocities(motion, false, q);
  relax(q, taken);
  give_velocities(&motion->layout, &motion->state, false, q);
  out->impact += taken[0], out->friction += taken[1];
  PetscCall(AlternateWithJoints(motion, equations, h, q, out));
  PetscCall(PetscFree(before));
  PetscFunctionReturn(0);
}

// What is remembered of the last step is without the impact: its part along gaps that are held, and slips that stick.
static void forget_impacts(Motion *motion, ImpulseProblem *q, double *memory) {
  double taken[2] = {0, 0};
  take_velocities(motion, true, q);
  for (int i = 0; i < q->count; i++) {
    Impulse *f = &q->impulse[i];
    f->idle = !(f->impulse[0] + f->p->pushed > 0);
    bool sticks = f->p->coulomb != 0 &&
                  hypot(f->p->dragged[0] + f->impulse[1], f->p->dragged[1] + f->impulse[2]) < inside * f->bound;
    f->least = -HUGE_VAL, f->bound = sticks ? HUGE_VAL : 0;
    for (int r = 0; r < 3; r++) f->impulse[r] = 0;
  }
  relax(q, taken);
  give_velocities(&motion->layout, &motion->state, true, q);
  *memory = taken[0] + taken[1];
}

PetscErrorCode EquationsFindImpulses(Motion *motion, Equations *equations, double h, ContactImpulses *out) {
  ImpulseProblem q = {0};
  double taken[2] = {0, 0};
  PetscFunctionBegin;
  *out = (ContactImpulses){0};
  if (!motion->contacts || !motion->contacts->hard) PetscFunctionReturn(0);
  PetscCall(ProblemCreate(motion, h, &q));
  q.slow = 1e-13 * motion->layout.length / h; // round-off of positions, as a rate
  if (q.count) {
    take_velocities(motion, false, &q);
    if (q.fastest > q.slow) relax_with_friction(&q, taken);
    out->impact = taken[0], out->friction = taken[1];
    give_velocities(&motion->layout, &motion->state, false, &q);
    PetscCall(AlternateWithJoints(motion, equations, h, &q, out));
    PetscCall(Rebound(motion, equations, h, &q, out));
    if (motion->state.dv && motion->layout.rule->tableau.delta > 0) {
      forget_impacts(motion, &q, &out->memory);
      out->memory *= motion->layout.rule->tableau.delta;
    }
    motion->contacts->energies.impact += out->impact, motion->contacts->energies.friction += out->friction;
  }
  PetscCall(ProblemDestroy(&q));
  PetscFunctionReturn(0);
}
