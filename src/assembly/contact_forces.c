// SPDX-License-Identifier: Apache-2.0
// Forces and energies of the pairs of a list, and what they remember.
#include "assembly/contacts.h"

#include <stdlib.h>
#include <string.h>

// Coefficients of the material point of a side that is at `place` at t_n: with the axes of its node, where it has one.
static void add_material_point(const System *s, const ContactItem *c, int first, int count, double sign, Vec3 place,
                               ContactVector *slip) {
  for (int a = first; a < first + count; a++) {
    const Vec3 *x = s->state.x + 4 * c->node[a];
    slip->coef[a][0] = count == 1 ? sign : sign * fabs(c->pair.y[0].coef[a][0]);
    if (count > 1 || c->pair.node[a] == NODE_POINT) continue;
    for (int j = 1; j < 4; j++) slip->coef[a][j] = sign * vec3_dot(vec3_sub(place, x[0]), x[j]);
  }
}

// The place of the contact: on the line along the normal, in the middle of the gap.
static void find_slip(const System *s, ContactItem *c) {
  const SurfacePoint *p = model_point(s->layout.model, c->point);
  Vec3 place = vec3_zero();
  for (int a = 0; a < p->nnode; a++)
    for (int j = 0; j < node_vectors(c->pair.node[a]); j++)
      place = vec3_axpy(place, p->coef[a][j], s->state.x[4 * c->node[a] + j]);
  place = vec3_axpy(place, -(p->radius + 0.5 * c->gap), c->pair.normal);
  c->pair.slip = (ContactVector){{{0}}};
  add_material_point(s, c, 0, p->nnode, 1, place, &c->pair.slip);
  add_material_point(s, c, p->nnode, c->pair.nnode - p->nnode, -1, place, &c->pair.slip);
}

PetscErrorCode ContactsBegin(System *s) {
  ContactSet *set = s->contacts;
  Vec3 *rate;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(4 * s->layout.nnode, &rate));
  for (PetscInt i = 1; i < s->layout.nnode; i++) {
    Vec3 x[4], v, w;
    if (model_node(s->layout.model, s->layout.node[i])->kind == NODE_FIXED) continue;
    system_node_values(s, i, x, &v, &w);
    rate[4 * i] = v;
    for (int j = 1; j < 4; j++) rate[4 * i + j] = vec3_cross(w, x[j]);
  }
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    const LimberContact *law = &model_contact(s->layout.model, c->law)->law;
    const Vec3 *x[CONTACT_NODES], *v[CONTACT_NODES];
    for (int a = 0; a < c->pair.nnode; a++) x[a] = s->state.x + 4 * c->node[a], v[a] = rate + 4 * c->node[a];
    c->gap = contact_gap(&c->pair, x);
    double speed = contact_gap_rate(&c->pair, x, v, &c->pair.normal);
    if (c->gap >= 0 || c->approach == 0) c->approach = PetscMax(-speed, 0);
    if (c->gap >= 0) c->pair.deflection = vec3_zero();
    c->pair.law.loss = c->damper / PetscMax(c->approach, law->rest_speed);
    if (law->friction > 0) find_slip(s, c);
  }
  PetscCall(PetscFree(rate));
  PetscFunctionReturn(0);
}

PetscInt contacts_blocks(const System *s, const ContactItem *c, PetscInt *blocks, int *first) {
  PetscInt count = 0;
  for (int a = 0; a < c->pair.nnode; a++) {
    first[a] = (int)count;
    for (int b = 0; b < node_blocks(c->pair.node[a]); b++) blocks[count++] = s->layout.node_block[c->node[a]] + b;
  }
  return count;
}

static ContactMotion motion_of(const System *s, const ContactItem *c) {
  ContactMotion m = {0};
  for (int a = 0; a < c->pair.nnode; a++) {
    m.xn[a] = s->state.x + 4 * c->node[a];
    m.motion[a] = &s->step.motion[c->node[a] * s->rule->tableau.s];
  }
  return m;
}

static bool touches(const ContactItem *c, const ContactMotion *m) {
  const Vec3 *x[CONTACT_NODES];
  if (c->gap < 0) return true;
  for (int a = 0; a < c->pair.nnode; a++) x[a] = c->pair.node[a] == NODE_FIXED ? m->xn[a] : m->motion[a]->x;
  return !(contact_gap(&c->pair, x) >= 0);
}

PetscErrorCode ContactsEvaluate(System *s, double *residual, PetscBool tangent) {
  ContactSet *set = s->contacts;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    PetscInt blocks[MAX_LOCAL_BLOCKS], count, own = 0;
    int first[CONTACT_NODES];
    ContactMotion m = motion_of(s, c);
    count = contacts_blocks(s, c, blocks, first);
    c->touches = touches(c, &m);
    if (c->touches) {
      local_begin(s->scratch, s->rule->tableau.s, (int)count, tangent);
      contact_evaluate(&c->pair, s->step.h, &m, first, s->scratch);
      PetscCall(SystemAddLocal(s, count, blocks, residual, tangent));
    } else if (tangent) { // its slots are passed over
      for (PetscInt b = 0; b < count; b++) own += blocks[b] < s->layout.nblock_own;
      if (s->matrix.next == s->matrix.count) PetscCall(SystemFindSlots(s, count, blocks));
      s->matrix.next += own * count;
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsBalance(System *s, double *taken) {
  ContactSet *set = s->contacts;
  double sum[3] = {0, 0, 0};
  PetscFunctionBegin;
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    ContactMotion m = motion_of(s, c);
    ContactBalance b;
    if (!touches(c, &m)) {
      c->approach = 0;
      continue;
    }
    contact_balance(&c->pair, s->step.h, &m, &b);
    if (c->primary) sum[0] += b.impact, sum[1] += b.friction, sum[2] += b.gk < 0;
    c->pair.deflection = b.deflection;
    if (b.gk >= 0) c->approach = 0;
  }
  PetscCall(ReduceArray(s->layout.comm, sum, 3, MPI_DOUBLE, MPI_SUM));
  set->account.impact += sum[0], set->account.friction += sum[1], set->touching = sum[2];
  *taken = sum[0] + sum[1];
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsEnergy(System *s, double *energy) {
  ContactSet *set = s->contacts;
  PetscFunctionBegin;
  *energy = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    const ContactItem *c = &set->item[i];
    const Vec3 *x[CONTACT_NODES];
    if (!c->primary) continue;
    for (int a = 0; a < c->pair.nnode; a++) x[a] = s->state.x + 4 * c->node[a];
    *energy += contact_energy(&c->pair.law, contact_gap(&c->pair, x)) +
               0.5 * c->pair.law.stick * vec3_dot(c->pair.deflection, c->pair.deflection);
  }
  PetscCall(ReduceArray(s->layout.comm, energy, 1, MPI_DOUBLE, MPI_SUM));
  set->account.stored = *energy;
  PetscFunctionReturn(0);
}

// ---- memory ----

static size_t take_numbers(const ContactSet *set, bool all, double *out) {
  size_t n = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    const ContactItem *c = &set->item[i];
    if (!all && !c->primary) continue;
    if (c->approach == 0 && vec3_dot(c->pair.deflection, c->pair.deflection) == 0) continue;
    double *to = out ? out + CONTACT_NUMBERS * n : NULL;
    if (to)
      to[0] = c->law, to[1] = c->point, to[2] = c->other, to[3] = c->approach, vec3_to(c->pair.deflection, to + 4);
    n++;
  }
  return n;
}

static int compare_keys(const double *a, const ContactItem *c) {
  const double b[3] = {c->law, c->point, c->other};
  for (int k = 0; k < 3; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

void contacts_scatter(System *s, const double *numbers, size_t count) {
  ContactSet *set = s->contacts;
  size_t at = 0;
  for (PetscInt i = 0; i < set->count; i++) {
    ContactItem *c = &set->item[i];
    c->approach = 0, c->pair.deflection = vec3_zero();
    while (at < count && compare_keys(numbers + CONTACT_NUMBERS * at, c) < 0) at++;
    if (at == count || compare_keys(numbers + CONTACT_NUMBERS * at, c)) continue;
    c->approach = numbers[CONTACT_NUMBERS * at + 3], c->pair.deflection = vec3_of(numbers + CONTACT_NUMBERS * at + 4);
  }
}

PetscErrorCode ContactsSave(System *s) {
  ContactSet *set = s->contacts;
  PetscFunctionBegin;
  set->saves = take_numbers(set, true, NULL), set->saved_account = set->account;
  PetscCall(PetscRealloc((set->saves * CONTACT_NUMBERS + 1) * sizeof *set->saved, &set->saved));
  take_numbers(set, true, set->saved);
  PetscFunctionReturn(0);
}

void contacts_restore(System *s) {
  contacts_scatter(s, s->contacts->saved, s->contacts->saves);
  s->contacts->account = s->contacts->saved_account;
}

static int compare_numbers(const void *a, const void *b) {
  const double *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}

PetscErrorCode ContactsGather(System *s, double **numbers, size_t *count) {
  PetscMPIInt own = (PetscMPIInt)(CONTACT_NUMBERS * take_numbers(s->contacts, false, NULL)), *each, *at, total = 0;
  double *mine;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(own + 1, &mine));
  take_numbers(s->contacts, false, mine);
  PetscCall(PetscMalloc2(s->layout.size, &each, s->layout.size, &at));
  PetscCallMPI(MPI_Gather(&own, 1, MPI_INT, each, 1, MPI_INT, 0, s->layout.comm));
  for (PetscMPIInt r = 0; r < s->layout.size && !s->layout.rank; r++) at[r] = total, total += each[r];
  PetscCall(PetscMalloc1(total + 1, numbers));
  PetscCallMPI(MPI_Gatherv(mine, own, MPI_DOUBLE, *numbers, each, at, MPI_DOUBLE, 0, s->layout.comm));
  *count = (size_t)total / CONTACT_NUMBERS;
  if (*count) qsort(*numbers, *count, CONTACT_NUMBERS * sizeof **numbers, compare_numbers);
  PetscCall(PetscFree2(each, at));
  PetscCall(PetscFree(mine));
  PetscFunctionReturn(0);
}
