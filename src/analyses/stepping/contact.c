// SPDX-License-Identifier: Apache-2.0
// Follows contacts of stops and springs over the steps and warns about those that last too few steps (contact.h).
// Equations: eq-law-contact (9.7), eq-law-contact-mass (9.8).
#include "analyses/stepping/contact.h"
#include "assembly/ranks.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793, noted = 0.01; // of the energy exchanged: contacts below it are not reported

// Numbers the contacts of the model: the first of each joint and each element. Only some components have such laws.
static PetscErrorCode NumberContacts(const Model m, Contacts *c, PetscInt *joint_first, PetscInt *element_first) {
  PetscFunctionBegin;
  for (int pass = 0; pass < 2; pass++) {
    PetscInt n = 0;
    for (int j = 0; j < m->joints.count; j++) {
      const Joint *joint = &model_joint(m, j)->joint;
      joint_first[j] = n;
      for (int k = 0; k < joint->ncoord; k++)
        if (law_meets(&joint->law[k]) && !joint->prescribed[k]) {
          if (pass) c->owner[n] = j;
          n++;
        }
    }
    for (int i = 0; i < m->components.count; i++) {
      const ModelComponent *component = model_component(m, i);
      for (int e = component->first; e < component->first + component->count; e++) {
        const ModelElement *el = model_element(m, e);
        ElementPoint at;
        if (el->kind->points(el->data) == 0) break;
        element_point(el->kind, el->data, 0, &at);
        if (!at.response->contact) break;
        element_first[e] = element_contact(&at) ? n : -1;
        if (element_first[e] < 0) continue;
        if (pass) c->owner[n] = -1 - i;
        n++;
      }
    }
    c->all = n;
    if (!n) break;
    if (!pass) PetscCall(PetscMalloc1(n, &c->owner));
  }
  PetscFunctionReturn(0);
}

static void add_watched(Contacts *c, Watched w) {
  if (c->watched) c->watched[c->count] = w;
  c->count++;
}

// Counts or lists the contacts that this rank follows.
static void list_contacts(const Layout *layout, Contacts *c, const PetscInt *joint_first,
                          const PetscInt *element_first) {
  c->count = 0;
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *joint = &model_joint(layout->model, layout->joint[j])->joint;
    PetscInt n = joint_first[layout->joint[j]];
    for (int k = 0; k < joint->ncoord && layout->joint_primary[j]; k++)
      if (law_meets(&joint->law[k]) && !joint->prescribed[k]) add_watched(c, (Watched){j, -1, k, n++});
  }
  for (PetscInt e = 0; e < layout->nelement; e++)
    if (layout->element_primary[e] && element_first[layout->element[e]] >= 0)
      add_watched(c, (Watched){-1, e, 0, element_first[layout->element[e]]});
}

PetscErrorCode ContactsCreate(Stepper *p) {
  const Layout *layout = &p->s->motion.layout;
  Contacts *c;
  PetscInt *joint_first, *element_first;
  PetscFunctionBegin;
  PetscCall(PetscNew(&c));
  PetscCall(PetscMalloc2(layout->model->joints.count, &joint_first, layout->model->elements.count, &element_first));
  for (int e = 0; e < layout->model->elements.count; e++) element_first[e] = -1;
  PetscCall(NumberContacts(layout->model, c, joint_first, element_first));
  if (c->all) {
    list_contacts(layout, c, joint_first, element_first);
    PetscCall(PetscCalloc2(PetscMax(c->count, 1), &c->watched, PetscMax(c->count, 1), &c->track));
    list_contacts(layout, c, joint_first, element_first);
    p->contacts = c;
  } else PetscCall(PetscFree(c));
  PetscCall(PetscFree2(joint_first, element_first));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsDestroy(Stepper *p) {
  Contacts *c = p->contacts;
  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(0);
  PetscCall(PetscFree2(c->watched, c->track));
  PetscCall(PetscFree(c->owner));
  PetscCall(PetscFree(p->contacts));
  PetscFunctionReturn(0);
}

// ---- following ----

// Returns the law at a contact, its weight and its present coordinate or strain.
static const Law *law_at(const Layout *layout, const State *state, const Watched *w, double *weight, double *z) {
  *weight = 1;
  if (w->joint >= 0) {
    *z = state->coord[w->joint].z[w->coord];
    return &model_joint(layout->model, layout->joint[w->joint])->joint.law[w->coord];
  }
  const ModelElement *el = model_element(layout->model, layout->element[w->element]);
  Vec3 x[MAX_LOCAL_VECTORS];
  double e[MAX_ROWS];
  ElementPoint at;
  int n = 0;
  for (PetscInt a = layout->element_node_start[w->element]; a < layout->element_node_start[w->element + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++)
      x[n++] = state->x[4 * i + j];
  }
  element_point(el->kind, el->data, 0, &at);
  rows_value(&at.rows, x, no_coords, e);
  *z = element_law_strain(&at, e), *weight = at.weight;
  return element_contact(&at);
}

typedef struct {
  double h, time, exchanged;
  bool proved; // forces over a step are divided differences (law.h)
} ContactStep;

// m = impulse/change of rate, T = pi sqrt(m/k)
static void judge_contact(ContactTrack *t, const ContactStep *s, double impulse, double change, double weight) {
  double mass = weight * impulse / change, lasts = pi * sqrt(mass / (weight * t->stiffness));
  t->judged = 1;
  if (!(mass > 0) || !(lasts < CONTACT_STEPS * s->h)) return;
  if (0.5 * mass * t->before * t->before < noted * s->exchanged) return;
  if (!t->count) t->first = t->since, t->shortest = lasts;
  t->count++, t->shortest = fmin(t->shortest, lasts);
}

// A contact ends with a step that neither begins nor ends in it. It is judged then, or as soon as the motion has
// stopped.
static void follow_contact(ContactTrack *t, const ContactStep *s, const Law *l, double weight, double z) {
  LawContact a = law_contact(l, t->z), b = law_contact(l, z);
  double rate = s->h > 0 ? (z - t->z) / s->h : 0;
  if (t->steps >= 2 && !t->open && a.stiffness == 0 && b.stiffness > 0)
    t->open = 1, t->judged = 0, t->before = t->rate, t->impulse = 0, t->stiffness = 0, t->since = s->time;
  if (t->open) {
    bool over = a.stiffness == 0 && b.stiffness == 0, divided = s->proved && z != t->z;
    double force = divided ? (b.energy - a.energy) / (z - t->z) : 0.5 * (a.force + b.force), change = t->before - rate;
    t->stiffness = fmax(t->stiffness, b.stiffness);
    if (!t->judged && (over || fabs(change) >= 0.9 * fabs(t->before)))
      judge_contact(t, s, t->impulse + 0.5 * s->h * force, change, weight);
    t->impulse += s->h * force;
    if (over) t->open = 0;
  }
  t->z = z, t->rate = rate, t->steps++;
}

void contacts_step(Stepper *p, double h) {
  Contacts *c = p->contacts;
  const ContactStep step = {h, p->s->motion.state.time, p->ledger.exchanged, p->rule.proved};
  for (PetscInt i = 0; c && i < c->count; i++) {
    double weight, z;
    const Law *l = law_at(&p->s->motion.layout, &p->s->motion.state, &c->watched[i], &weight, &z);
    follow_contact(&c->track[i], &step, l, weight, z);
  }
}

// ---- reporting ----

typedef struct {
  double count, shortest, first;
} ShortContact;

static int compare_durations(const void *a, const void *b) {
  const ShortContact *x = *(const ShortContact *const *)a, *y = *(const ShortContact *const *)b;
  return x->shortest != y->shortest ? (x->shortest > y->shortest) - (x->shortest < y->shortest) : (x > y) - (x < y);
}

// Rounds down to one digit.
static double one_digit(double x) {
  double power = pow(10, floor(log10(x)));
  return floor(x / power * (1 + 1e-12)) * power;
}

static void describe_contact(const Model m, int owner, const ShortContact *s, char *text, size_t size) {
  char name[300];
  if (owner >= 0) model_name_joint(m, owner, name, sizeof name);
  else {
    const ModelComponent *component = model_component(m, -1 - owner);
    snprintf(name, sizeof name, "%s '%s'", component->kind->name, shown_name(component->name));
  }
  size_t used = strlen(text);
  snprintf(text + used, size - used,
           "a contact of %s lasts %.2g s, less than %d steps (%.0f time%s, first at t = %.4g s): its force and the "
           "motion after it may have errors of 5 %% or more; use steps of %g s\n",
           name, s->shortest, CONTACT_STEPS, s->count, s->count > 1 ? "s" : "", s->first,
           one_digit(s->shortest / CONTACT_STEPS));
}

PetscErrorCode ContactsRemark(Stepper *p, char *text, size_t size) {
  enum { MOST = 3 };
  Contacts *c = p->contacts;
  ShortContact *all, **order;
  PetscInt n = 0;
  PetscFunctionBegin;
  text[0] = 0;
  if (!c) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(c->all, &all));
  PetscCall(PetscMalloc1(c->all, &order));
  for (PetscInt i = 0; i < c->count; i++)
    all[c->watched[i].all] = (ShortContact){c->track[i].count, c->track[i].shortest, c->track[i].first};
  PetscCall(ReduceArray(p->s->motion.layout.comm, all, (PetscInt64)3 * c->all, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < c->all; i++) { // contacts of one joint or item, which are consecutive, are reported together
    if (!all[i].count) continue;
    ShortContact *last = n ? order[n - 1] : NULL;
    if (last && c->owner[last - all] == c->owner[i]) {
      last->count += all[i].count;
      last->shortest = fmin(last->shortest, all[i].shortest), last->first = fmin(last->first, all[i].first);
    } else order[n++] = &all[i];
  }
  qsort(order, (size_t)n, sizeof(ShortContact *), compare_durations);
  for (PetscInt i = 0; i < n && i < MOST; i++)
    describe_contact(p->s->motion.layout.model, c->owner[order[i] - all], order[i], text, size);
  size_t used = strlen(text);
  if (n > MOST) snprintf(text + used, size - used, "contacts of %d others are as short\n", (int)(n - MOST));
  PetscCall(PetscFree(order));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}
