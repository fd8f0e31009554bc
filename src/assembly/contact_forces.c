// SPDX-License-Identifier: Apache-2.0
// Forces and energies of the pairs of a list, and what they remember.
#include "assembly/contact_hard.h"
#include "assembly/contact_sieve.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"

#include <stdlib.h>
#include <string.h>

static double node_weight(const ContactItem *c, int count, int a) {
  return count == 1 ? 1 : fabs(c->pair.y[0].coef[a][0]);
}

// Whether a side has axes at all of its nodes, so that a force beside them turns it.
static bool has_axes(const ContactItem *c, int first, int count) {
  for (int a = first; a < first + count; a++)
    if (c->pair.node[a] == NODE_POINT || c->node[a] < 0) return false;
  return count > 0;
}

// Nodes in the middle of a step that continues the motion at the end of the last one: their vectors, and half of their
// turns as Cayley vectors.
typedef struct {
  Vec3 x[CONTACT_NODES][4], half_turn[CONTACT_NODES];
} MiddleOfStep;

static void find_middle(const ContactItem *c, const Vec3 *const *x, const Vec3 *const *v, double h, MiddleOfStep *out) {
  for (int a = 0; a < c->pair.nnode; a++) {
    int nvec = node_vectors(c->pair.node[a]);
    Vec3 turn = vec3_zero();
    for (int j = 1; j < nvec; j++) turn = vec3_axpy(turn, 0.25 * h, vec3_cross(x[a][j], v[a][j]));
    double shrink = 1 / (1 + vec3_dot(turn, turn));
    out->half_turn[a] = turn;
    out->x[a][0] = vec3_axpy(x[a][0], 0.5 * h, v[a][0]);
    for (int j = 1; j < nvec; j++) { // (1 - turn x)^-1, the mean of a vector before and after it turns
      Vec3 mean = vec3_axpy(vec3_add(x[a][j], vec3_cross(turn, x[a][j])), vec3_dot(turn, x[a][j]), turn);
      out->x[a][j] = vec3_scale(shrink, mean);
    }
  }
}

// Coefficients of the material point of a side that is at `place` in the middle of the step. Each node of a line
// carries a part of it, with its axes.
static void add_material_point(const ContactItem *c, const Vec3 *const *x, const MiddleOfStep *middle, int first,
                               int count, double sign, Vec3 place, ContactVector *slip) {
  Vec3 centre = vec3_zero();
  for (int a = first; a < first + count; a++) centre = vec3_axpy(centre, node_weight(c, count, a), middle->x[a][0]);
  Vec3 arm = vec3_sub(place, centre);
  for (int a = first; a < first + count; a++) {
    double weight = sign * node_weight(c, count, a);
    Vec3 back = vec3_sub(arm, vec3_cross(middle->half_turn[a], arm));
    slip->coef[a][0] = weight;
    for (int j = 1; j < 4 && has_axes(c, first, count); j++) slip->coef[a][j] = weight * vec3_dot(back, x[a][j]);
  }
}

// The place of the contact: on the line along the normal, in the middle of the gap and of the step, so that what rolls
// does not slip. A side without axes bears friction at its centre, and so does then the other at the same place:
// friction has no moment.
void contact_find_slip(const Layout *layout, ContactItem *c, const Vec3 *const *x, const Vec3 *const *v, double h) {
  const SurfacePoint *p = model_point(layout->model, c->point);
  int first = contact_is_of_face(p) ? 1 : p->nnode;
  MiddleOfStep middle;
  Vec3 place = vec3_zero();
  find_middle(c, x, v, h, &middle);
  for (int a = 0; a < first; a++)
    for (int j = 0; j < node_vectors(c->pair.node[a]); j++)
      place = vec3_axpy(place, c->pair.y[0].coef[a][j], middle.x[a][j]);
  double depth = p->radius + 0.5 * c->gap;
  if (!has_axes(c, 0, first)) depth = 0;
  else if (!has_axes(c, first, c->pair.nnode - first) && c->other >= 0)
    depth = p->radius + c->gap + model_point(layout->model, c->other)->radius;
  place = vec3_axpy(place, -depth, c->pair.normal);
  c->pair.slip = (ContactVector){{{0}}};
  add_material_point(c, x, &middle, 0, first, 1, place, &c->pair.slip);
  add_material_point(c, x, &middle, first, c->pair.nnode - first, -1, place, &c->pair.slip);
}

// Normal, slip and speed of approach of a pair at t_n.
void contact_begin(const Motion *motion, ContactItem *c) {
  const LimberContact *law = &model_contact(motion->layout.model, c->law)->law;
  const Vec3 *x[CONTACT_NODES], *v[CONTACT_NODES];
  ContactRoom room[2];
  contact_vectors(&motion->layout, c, motion->state.x, &room[0], x);
  contact_rates(motion, c, &room[1], v);
  c->gap = contact_gap(&c->pair, x);
  double speed = contact_gap_rate(&c->pair, x, v, &c->pair.normal);
  if (!c->pair.law.hard && (c->gap >= 0 || c->approach == 0)) c->approach = PetscMax(-speed, 0);
  if (c->gap >= 0 && !c->pair.law.hard) c->pair.deflection = vec3_zero();
  c->pair.law.loss = c->damper / PetscMax(c->approach, law->rest_speed);
  if (law->friction > 0) contact_find_slip(&motion->layout, c, x, v, motion->step.h);
}

static void begin_pair(Motion *motion, PetscInt item) {
  ContactItem *c = &motion->contacts->item[item];
  contact_begin(motion, c);
  if (c->pair.law.hard) contact_hard_begin(motion, c);
  motion->contacts->sieve[item].begun = motion->contacts->sieve[item].remembers = true;
}

PetscErrorCode ContactsBegin(Motion *motion) {
  PetscFunctionBegin;
  contact_sieve_begin(motion->contacts);
  for (PetscInt i = 0; i < motion->contacts->count; i++)
    if (motion->contacts->sieve[i].always) begin_pair(motion, i);
  PetscFunctionReturn(0);
}

double contact_end_gap(const ContactItem *c, const ContactMotion *m) {
  const Vec3 *x[CONTACT_NODES];
  for (int a = 0; a < c->pair.nnode; a++) x[a] = c->pair.node[a] == NODE_FIXED ? m->xn[a] : m->motion[a]->x;
  return contact_gap(&c->pair, x);
}

// Whether a pair does work in the step with the unknowns as they are. Those that are far apart are never begun.
static bool touches(Motion *motion, PetscInt item, const ContactMotion *m) {
  const ContactItem *c = &motion->contacts->item[item];
  if (!motion->contacts->sieve[item].begun) begin_pair(motion, item);
  if (c->pair.law.hard) // one that lets go has the energy of its spring to give
    return !(contact_hard_pressure(&c->pair, c->gap, contact_end_gap(c, m)) <= 0) ||
           vec3_dot(c->pair.deflection, c->pair.deflection) > 0;
  return c->gap < 0 || !(contact_end_gap(c, m) >= 0);
}

static void add_tangents(const Layout *layout, const MatrixSlots *matrix, ContactWindow *w) {
  contact_tangents(layout->rule->tableau.force_rule, w->count, w->pair);
  for (int i = 0; i < w->count; i++)
    contact_add_tangent(layout, matrix, w->item[i], matrix->slot + w->slot[i], w->pair[i].k);
  w->count = 0;
}

PetscErrorCode ContactsEvaluate(Motion *motion, Equations *equations, double *residual, PetscBool tangent) {
  ContactSet *set = motion->contacts;
  ContactWindow *w = set->window;
  MatrixSlots *matrix = &equations->matrix;
  PetscFunctionBegin;
  contact_sieve_move(motion);
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    PetscInt blocks[MAX_LOCAL_BLOCKS];
    int first[CONTACT_NODES];
    ContactTangent *t = &w->pair[w->count];
    bool apart = contact_is_apart(motion, i);
    if (!apart) contact_motion(motion, c, &w->room[w->count], &t->motion), c->touches = touches(motion, i, &t->motion);
    if (tangent && matrix->next == matrix->count)
      PetscCall(MatrixFindSlots(&motion->layout, matrix, contacts_blocks(&motion->layout, c, blocks, first), blocks));
    if (!apart && c->touches) {
      PetscInt count = contacts_blocks(&motion->layout, c, blocks, first);
      contact_evaluate_item(&motion->layout, &motion->step, c, &t->motion, first, &t->step, equations->scratch);
      PetscCall(EquationsAddLocal(&motion->layout, equations, count, blocks, residual, PETSC_FALSE));
      if (tangent) t->pair = &c->pair, w->item[w->count] = c, w->slot[w->count++] = matrix->next;
    }
    if (tangent) matrix->next += set->sieve[i].slots;
    if (w->count == CONTACT_TANGENTS) add_tangents(&motion->layout, matrix, w);
  }
  add_tangents(&motion->layout, matrix, w);
  PetscFunctionReturn(0);
}

static const LimberContact *regularised_law(const Layout *layout, const ContactItem *c) {
  const LimberContact *law = &model_contact(layout->model, c->law)->law;
  return law->friction > 0 && !c->pair.law.hard && !(c->pair.law.stick > 0) ? law : NULL;
}

double contacts_slip_speed(const Layout *layout, const ContactSet *contacts) {
  double least = HUGE_VAL;
  for (PetscInt i = 0; i < contacts->count; i++) {
    const LimberContact *law = regularised_law(layout, &contacts->item[i]);
    if (law) least = PetscMin(least, law->slip_speed);
  }
  return least;
}

void contacts_scale_slip(const Layout *layout, ContactSet *contacts, double factor) {
  for (PetscInt i = 0; i < contacts->count; i++) {
    const LimberContact *law = regularised_law(layout, &contacts->item[i]);
    if (law) contacts->item[i].pair.law.slip_speed = factor * law->slip_speed;
  }
}

PetscErrorCode ContactsBalance(Motion *motion, double *taken) {
  ContactSet *set = motion->contacts;
  int laws = motion->layout.model->contacts.count;
  double *sum, *of; // impacts, friction; of each contact: forces, pairs that touch, those that begin to
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(2 + 4 * laws, &sum));
  contact_sieve_move(motion);
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    ContactRoom room;
    ContactMotion m;
    ContactBalance b;
    bool apart = contact_is_apart(motion, i);
    if (apart && !set->sieve[i].remembers) continue;
    contact_motion(motion, c, &room, &m);
    c->touches = !apart && touches(motion, i, &m);
    if (!c->touches) {
      c->approach = c->force = 0, set->sieve[i].remembers = vec3_dot(c->pair.deflection, c->pair.deflection) != 0;
      continue;
    }
    contact_balance(&c->pair, motion->step.h, &m, &b);
    bool pushes = c->pair.law.hard ? b.pressure > 0 : b.gk < 0;
    if (c->primary) sum[0] += b.impact, sum[1] += b.friction;
    of = sum + 2 + 4 * c->law;
    if (c->primary)
      of[0] += b.pressure, of[1] += vec3_norm(b.traction), of[2] += pushes,
          of[3] += pushes && contacts_apart(&motion->layout, b.gn);
    c->pair.deflection = contact_is_coulomb(&c->pair.law) ? b.traction : b.deflection, c->force = b.pressure;
    if (c->pair.law.hard) c->approach = contact_apart(&c->pair.law, b.gn) ? 0 : b.pressure;
    else if (b.gk >= 0) c->approach = 0;
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, 2 + 4 * laws, MPI_DOUBLE, MPI_SUM));
  for (int i = 0; i < laws; i++) {
    of = sum + 2 + 4 * i;
    set->total[i].normal = of[0], set->total[i].friction = of[1], set->total[i].touching = of[2];
    if (of[3] > 0) set->total[i].touched = motion->state.time + motion->step.h;
  }
  contact_sieve_end(motion->contacts);
  set->energies.impact += sum[0], set->energies.friction += sum[1];
  *taken = sum[0] + sum[1];
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

double contacts_touching(const Layout *layout, const ContactSet *contacts) {
  double sum = 0;
  for (int i = 0; i < layout->model->contacts.count; i++) sum += contacts->total[i].touching;
  return sum;
}

bool contacts_apart(const Layout *layout, double gap) { return gap > 1e-10 * layout->length; }

static double pair_energy(const Layout *layout, const State *state, const ContactItem *c, double *gap) {
  const Vec3 *x[CONTACT_NODES];
  ContactRoom room;
  contact_vectors(layout, c, state->x, &room, x);
  *gap = contact_gap(&c->pair, x);
  return contact_energy(&c->pair.law, *gap) +
         0.5 * c->pair.law.stick * vec3_dot(c->pair.deflection, c->pair.deflection);
}

PetscErrorCode ContactsMeasure(const Motion *motion, int contact, double *gap, double *energy) {
  PetscFunctionBegin;
  *gap = 2 * motion->contacts->skin, *energy = 0;
  for (PetscInt i = 0; i < motion->contacts->count; i++) {
    const ContactItem *c = &motion->contacts->item[i];
    double here;
    if (!c->primary || c->law != contact) continue;
    *energy += pair_energy(&motion->layout, &motion->state, c, &here);
    *gap = PetscMin(*gap, here);
  }
  PetscCall(ReduceArray(motion->layout.comm, energy, 1, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(motion->layout.comm, gap, 1, MPI_DOUBLE, MPI_MIN));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsEnergy(Motion *motion, double *energy) {
  ContactSet *set = motion->contacts;
  PetscFunctionBegin;
  *energy = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    const ContactItem *c = &set->item[i];
    double gap;
    if (c->primary && !contact_has_no_energy(&motion->layout, motion->contacts, i))
      *energy += pair_energy(&motion->layout, &motion->state, c, &gap);
  }
  PetscCall(ReduceArray(motion->layout.comm, energy, 1, MPI_DOUBLE, MPI_SUM));
  set->energies.stored = *energy;
  PetscFunctionReturn(0);
}

// ---- memory ----

size_t contacts_take(const ContactSet *set, bool own, double *out) {
  size_t n = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    const ContactItem *c = &set->item[i];
    if (!set->sieve[i].remembers || (own && !c->primary)) continue;
    if (c->approach == 0 && vec3_dot(c->pair.deflection, c->pair.deflection) == 0) continue;
    double *to = out ? out + CONTACT_NUMBERS * n : NULL;
    if (to)
      to[0] = c->law, to[1] = c->point, to[2] = c->other, to[3] = c->approach, vec3_to(c->pair.deflection, to + 4);
    n++;
  }
  return n;
}

int contact_compare_numbers(const void *a, const void *b) {
  const double *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}

static int compare_keys(const double *a, const ContactItem *c) {
  return contact_compare_numbers(a, (const double[]){c->law, c->point, c->other});
}

void contacts_scatter(Motion *motion, const double *numbers, size_t count) {
  ContactSet *set = motion->contacts;
  size_t at = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    if (set->sieve[i].remembers) c->approach = 0, c->pair.deflection = vec3_zero();
    set->sieve[i].remembers = false;
    while (at < count && compare_keys(numbers + CONTACT_NUMBERS * at, c) < 0) at++;
    if (at == count || compare_keys(numbers + CONTACT_NUMBERS * at, c)) continue;
    c->approach = numbers[CONTACT_NUMBERS * at + 3], c->pair.deflection = vec3_of(numbers + CONTACT_NUMBERS * at + 4);
    set->sieve[i].remembers = true;
  }
  contact_sieve_forget(motion->contacts);
}
