// SPDX-License-Identifier: Apache-2.0
#include "assembly/contact_sieve.h"

static const double round_off = 1e-10; // of the model's length: gaps that are larger are positive
static const double of_axes = 1.8;     // |sum_j c_j d_j| <= 1.8 |c| max |d_j|

PetscErrorCode ContactSieveCreate(Motion *motion) {
  ContactSet *set = motion->contacts;
  PetscFunctionBegin;
  PetscCall(PetscFree(set->sieve));
  PetscCall(PetscFree(set->normal));
  PetscCall(PetscCalloc1(set->count, &set->sieve));
  PetscCall(PetscCalloc1(set->count, &set->normal));
  if (!set->travel) PetscCall(PetscCalloc1(motion->layout.nnode, &set->travel));
  for (PetscInt i = 0; i < set->count; i++) {
    const ContactItem *c = &set->item[i];
    PetscInt blocks[MAX_LOCAL_BLOCKS], own = 0;
    int first[CONTACT_NODES];
    PetscInt count = contacts_blocks(&motion->layout, c, blocks, first);
    for (PetscInt b = 0; b < count; b++) own += blocks[b] < motion->layout.nblock_own;
    set->sieve[i] = (struct ContactSieve){.gap = -HUGE_VAL, .slots = (int)(own * count)};
    set->sieve[i].remembers = c->approach != 0 || vec3_dot(c->pair.deflection, c->pair.deflection) != 0;
    set->sieve[i].always = c->pair.law.hard;
    for (int a = 0; a < c->pair.nnode; a++) {
      set->sieve[i].always = set->sieve[i].always || c->node[a] < 0;
      if (c->pair.node[a] != NODE_FIXED && c->node[a] >= 0) set->sieve[i].node[a] = (int)c->node[a];
    }
  }
  PetscFunctionReturn(0);
}

void contact_sieve_forget(ContactSet *contacts) {
  for (PetscInt i = 0; i < contacts->count; i++) contacts->sieve[i].gap = -HUGE_VAL;
}

void contact_sieve_begin(ContactSet *contacts) {
  for (PetscInt i = 0; i < contacts->count; i++) contacts->sieve[i].exact = contacts->sieve[i].begun = false;
}

void contact_sieve_move(Motion *motion) {
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeKind kind = model_node(motion->layout.model, motion->layout.node[i])->kind;
    const NodeMotion *m = &motion->step.motion[i * motion->layout.rule->tableau.s];
    double turn = 0;
    if (kind == NODE_FIXED) continue;
    for (int j = 1; j < node_vectors(kind); j++) turn = PetscMax(turn, vec3_dot(m->chord[j], m->chord[j]));
    motion->contacts->travel[i] = (NodeTravel){vec3_norm(m->chord[0]), of_axes * sqrt(turn), m->chord[0]};
  }
}

// By how much a gap may shrink, whatever the direction.
static double largest_change(const ContactSet *set, const struct ContactSieve *v) {
  double sum = 0;
  for (int a = 0; a < CONTACT_NODES; a++) sum += set->travel[v->node[a]].move + v->arm * set->travel[v->node[a]].turn;
  return sum;
}

// The same of an exact gap, with the normal.
static double change_along(const ContactSet *set, PetscInt item) {
  const struct ContactSieve *v = &set->sieve[item];
  const struct ContactNormal *n = &set->normal[item];
  double along = 0, move = 0, turn = 0;
  if (vec3_dot(n->normal, n->normal) == 0) return largest_change(set, v);
  for (int a = 0; a < CONTACT_NODES; a++) {
    const NodeTravel *w = &set->travel[v->node[a]];
    along -= n->weight[a] * vec3_dot(n->normal, w->chord), move += w->move, turn += w->turn;
  }
  return along + turn * (v->arm + move); // the body turns by `turn` at most, and the normal with it
}

// Gap, normal, and how far the point is from all nodes.
static void find_gap(const Motion *motion, PetscInt item) {
  const ContactItem *c = &motion->contacts->item[item];
  struct ContactSieve *v = &motion->contacts->sieve[item];
  struct ContactNormal *n = &motion->contacts->normal[item];
  const SurfacePoint *p = model_point(motion->layout.model, c->point);
  const Vec3 *x[CONTACT_NODES];
  Vec3 at = vec3_zero();
  for (int a = 0; a < c->pair.nnode; a++) x[a] = motion->state.x + 4 * c->node[a];
  for (int a = 0; a < p->nnode; a++)
    for (int j = 0; j < node_vectors(c->pair.node[a]); j++) at = vec3_axpy(at, p->coef[a][j], x[a][j]);
  v->gap = contact_gap(&c->pair, x), v->arm = 0, v->exact = true;
  for (int a = 0; a < c->pair.nnode; a++) {
    if (c->pair.node[a] == NODE_FRAME) v->arm = PetscMax(v->arm, vec3_norm(vec3_sub(at, x[a][0])));
    n->weight[a] = c->pair.y[0].coef[a][0];
  }
  (void)contact_gap_rate(&c->pair, x, x, &n->normal);
  if (c->pair.shape.sign < 0) n->normal = vec3_zero();
}

bool contact_is_apart(const Motion *motion, PetscInt item) {
  const ContactSet *set = motion->contacts;
  struct ContactSieve *v = &set->sieve[item];
  double margin = round_off * motion->layout.length;
  if (v->always || (v->exact && v->gap <= 0)) return false;
  if (v->gap > largest_change(set, v) + margin) return true;
  if (!set->item[item].pair.kind->is_distance) return false;
  if (!v->exact) find_gap(motion, item);
  return v->gap > PetscMax(0, change_along(set, item)) + margin; // apart at t_n too
}

void contact_sieve_end(ContactSet *set) {
  for (PetscInt i = 0; i < set->count; i++) {
    struct ContactSieve *v = &set->sieve[i];
    double largest = largest_change(set, v);
    v->gap -= v->exact ? change_along(set, i) : largest;
    v->arm += largest, v->exact = false;
    if (!(v->gap > 0) || v->always) v->gap = -HUGE_VAL;
  }
}

bool contact_has_no_energy(const Layout *layout, const ContactSet *contacts, PetscInt item) {
  return contacts->sieve[item].gap > round_off * layout->length;
}
