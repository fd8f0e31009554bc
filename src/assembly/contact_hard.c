// SPDX-License-Identifier: Apache-2.0
// Equations: eq-contact-hard (22.8), eq-contact-augmented (22.9).
#include "assembly/contact_hard.h"
#include "assembly/contact_sieve.h"
#include "assembly/ranks.h"

#include <petscblaslapack.h>

static bool carries_surface(const Layout *layout, PetscInt i, const PetscInt *marked) {
  return marked[layout->node[i]] != 0;
}

static PetscErrorCode InvertMass(const Layout *layout, const Inertia *q, double out[6][6]) {
  PetscBLASInt six = 6, info;
  double least = 1e-10 * layout->total_mass, turns = least * layout->length * layout->length;
  PetscFunctionBegin;
  for (int i = 0; i < 6; i++) {
    double e[6] = {0};
    e[i] = 1;
    vec3_to(inertia_momentum(q, vec3_of(e), vec3_of(e + 3)), &out[i][0]);
    vec3_to(inertia_angular(q, vec3_of(e), vec3_of(e + 3)), &out[i][3]);
  }
  for (int i = 0; i < 6; i++)
    if (!(out[i][i] > (i < 3 ? least : turns))) out[i][i] += i < 3 ? least : turns;
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &six, &out[0][0], &six, &info));
  if (!info) PetscCallBLAS("LAPACKpotri", LAPACKpotri_("L", &six, &out[0][0], &six, &info));
  for (int i = 0; i < 6; i++) // the lower triangle by columns is the upper one by rows
    for (int j = i; j < 6; j++) out[j][i] = out[i][j] = info ? 0 : out[i][j];
  PetscFunctionReturn(0);
}

PetscErrorCode HardContactsCreate(const Layout *layout, ContactSet *contacts) {
  Model m = layout->model;
  PetscInt *marked;
  HardContacts *h;
  bool any = false;
  PetscFunctionBegin;
  for (int i = 0; i < m->contacts.count; i++) any = any || model_contact(m, i)->hard;
  if (!any) PetscFunctionReturn(0);
  PetscCall(PetscNew(&h));
  contacts->hard = h;
  h->softness = 1;
  PetscCall(PetscCalloc2(layout->nnode, &h->inertia, layout->nnode, &h->inverse));
  PetscCall(PetscCalloc1(m->nodes.count, &marked));
  contacts_touch_nodes(m, marked);
  for (int e = 0; e < m->elements.count; e++) { // of all elements of the model: ghosts have them on other ranks
    const ModelElement *el = model_element(m, e);
    for (int a = 0; a < el->nnode; a++) {
      int node = model_element_nodes(m, el)[a];
      Inertia q;
      if (!marked[node] || layout->local_node[node] < 0) continue;
      el->kind->inertia(el->data, a, &q);
      inertia_add(&h->inertia[layout->local_node[node]], &q);
    }
  }
  for (PetscInt i = 0; i < layout->nnode; i++)
    if (carries_surface(layout, i, marked) && model_node(m, layout->node[i])->kind != NODE_FIXED)
      PetscCall(InvertMass(layout, &h->inertia[i], h->inverse[i]));
  PetscCall(PetscFree(marked));
  PetscFunctionReturn(0);
}

PetscErrorCode HardContactsDestroy(ContactSet *contacts) {
  PetscFunctionBegin;
  if (!contacts->hard) PetscFunctionReturn(0);
  PetscCall(PetscFree2(contacts->hard->inertia, contacts->hard->inverse));
  PetscCall(PetscFree(contacts->hard));
  PetscFunctionReturn(0);
}

// ---- rows ----

// Force along f on the vectors of a node, as force and moment in its own axes.
static void add_row(const State *state, const ContactItem *c, int a, const Vec3 *f, double row[6]) {
  const Vec3 *x = state->x + 4 * c->node[a];
  Vec3 force = f[0], moment = vec3_zero();
  for (int k = 0; k < 6; k++) row[k] = 0;
  if (c->pair.node[a] == NODE_FIXED) return;
  if (c->pair.node[a] == NODE_FRAME) {
    for (int j = 1; j < 4; j++) moment = vec3_add(moment, vec3_cross(x[j], f[j]));
    force = mat3_apply_transpose(node_axes(x), force), moment = mat3_apply_transpose(node_axes(x), moment);
  }
  vec3_to(force, row), vec3_to(moment, row + 3);
}

void contact_hard_directions(const ContactItem *c, Vec3 t[2]) {
  Vec3 n = c->pair.normal;
  double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
  t[0] = vec3_cross(n, ax <= ay && ax <= az ? vec3(1, 0, 0) : ay <= az ? vec3(0, 1, 0) : vec3(0, 0, 1));
  double length = vec3_norm(t[0]);
  t[0] = length > 0 ? vec3_scale(1 / length, t[0]) : vec3_zero(), t[1] = vec3_cross(n, t[0]);
}

void contact_hard_rows(const State *state, const ContactItem *c, double rows[3][CONTACT_NODES][6]) {
  Vec3 gradient[CONTACT_NODES][4], t[2];
  const Vec3 *x[CONTACT_NODES];
  for (int a = 0; a < c->pair.nnode; a++) x[a] = state->x + 4 * c->node[a];
  contact_gap_gradient(&c->pair, x, gradient);
  contact_hard_directions(c, t);
  for (int a = 0; a < c->pair.nnode; a++) {
    add_row(state, c, a, gradient[a], rows[0][a]);
    for (int k = 0; k < 2; k++) {
      Vec3 f[4];
      for (int j = 0; j < 4; j++) f[j] = vec3_scale(c->pair.slip.coef[a][j], t[k]);
      add_row(state, c, a, f, rows[1 + k][a]);
    }
  }
}

static void reset_multipliers(ContactItem *c) {
  c->pair.multiplier = c->approach;
  if (contact_is_coulomb(&c->pair.law)) c->pair.shear = c->pair.deflection;
}

static double find_penalty(const Motion *motion, double w) {
  double h = motion->step.h;
  return w > 0 && h > 0 ? motion->contacts->hard->softness * HARD_STIFF / (w * h * h) : 0;
}

void contact_hard_begin(const Motion *motion, ContactItem *c) {
  double rows[3][CONTACT_NODES][6], w[3] = {0};
  contact_hard_rows(&motion->state, c, rows);
  for (int r = 0; r < 3; r++)
    for (int a = 0; a < c->pair.nnode; a++)
      for (int k = 0; k < 36; k++)
        w[r] += rows[r][a][k / 6] * motion->contacts->hard->inverse[c->node[a]][k / 6][k % 6] * rows[r][a][k % 6];
  c->pair.penalty = find_penalty(motion, w[0]), c->pair.grip = find_penalty(motion, PetscMax(w[1], w[2]));
  reset_multipliers(c);
}

// ---- multipliers ----

void contacts_reset_multipliers(ContactSet *contacts, double softness) {
  contacts_set_softness(contacts, softness);
  for (PetscInt i = 0; i < contacts->count; i++)
    if (contacts->item[i].pair.law.hard) reset_multipliers(&contacts->item[i]);
}

void contacts_set_softness(ContactSet *contacts, double softness) {
  double factor = softness / contacts->hard->softness;
  contacts->hard->softness = softness;
  for (PetscInt i = 0; i < contacts->count && factor != 1; i++)
    contacts->item[i].pair.penalty *= factor, contacts->item[i].pair.grip *= factor;
}

PetscErrorCode ContactsMultipliers(Motion *motion, bool update, double *worst) {
  PetscFunctionBegin;
  *worst = 0;
  contact_sieve_move(motion);
  for (PetscInt i = 0; i < motion->contacts->count; i++) {
    ContactItem *c = &motion->contacts->item[i];
    if (!c->pair.law.hard || (c->pair.multiplier == 0 && contact_is_apart(motion, i))) continue;
    ContactRoom room;
    ContactMotion m;
    ContactBalance b;
    contact_motion(motion, c, &room, &m);
    contact_balance(&c->pair, motion->step.h, &m, &b);
    double off = b.gk - contact_floor(&c->pair.law, b.gn);
    double wrong = PetscMax(b.pressure > 0 ? fabs(off) : PetscMax(-off, 0), b.unsettled);
    *worst = PetscMax(*worst, number_or_infinity(wrong / c->pair.law.depth));
    if (update) c->pair.multiplier = b.pressure, c->pair.shear = b.traction;
  }
  PetscCall(ReduceArray(motion->layout.comm, worst, 1, MPI_DOUBLE, MPI_MAX));
  PetscFunctionReturn(0);
}
