// SPDX-License-Identifier: Apache-2.0
// Products with multipliers (product.h) of contacts. A pair of surfaces that touches counts mu . r, the residual of its nodes, which
// depends on their places and velocities at the start of the step and on their unknowns. Derivatives by these few numbers are
// central differences. Pairs that remember something have no product (run_step.c).
#include "gradient/product.h"

#include "assembly/contacts.h"
#include "assembly/evaluate.h"

#include <math.h>

enum { PAIR_NODES = MAX_LOCAL_NODES };

typedef struct { // a pair of a motion, and the nodes on which it acts
  const StepProduct *p;
  const ContactItem *item;
  int count;
  PetscInt node[PAIR_NODES];
} ContactProduct;

static NodeKind kind_of(const Layout *layout, PetscInt i) { return model_node(layout->model, layout->node[i])->kind; }

static void list_nodes(ContactProduct *q) {
  const Layout *layout = &q->p->motion->layout;
  q->count = 0;
  for (int a = 0; a < q->item->pair.nnode; a++) {
    const SurfacePoint *face =
        model_point(layout->model, a == 0 || q->item->other < 0 ? q->item->point : q->item->other);
    if (q->item->node[a] >= 0) q->node[q->count++] = q->item->node[a];
    for (int b = 0; q->item->node[a] < 0 && b < face->nnode; b++)
      q->node[q->count++] = layout->local_node[face->node[b]];
  }
}

// `touches`: whether it does; NULL: that is not wanted.
static double pair_value(const ContactProduct *q, bool *touches) {
  const StepProduct *p = q->p;
  const Layout *layout = &p->motion->layout;
  ContactItem c = *q->item;
  ContactRoom room;
  ContactMotion m;
  PairStep s;
  PetscInt blocks[MAX_LOCAL_BLOCKS], count;
  int first[CONTACT_NODES];
  double sum = 0;
  contact_begin(p->motion, &c);
  contact_motion(p->motion, &c, &room, &m);
  bool apart = c.gap >= 0 && contact_end_gap(&c, &m) >= 0;
  if (touches) *touches = !apart;
  if (apart) return 0;
  count = contacts_blocks(layout, &c, blocks, first);
  contact_evaluate_item(layout, &p->motion->step, &c, &m, first, &s, p->scratch);
  for (PetscInt b = 0; b < count; b++)
    sum += vec3_dot(vec3_of(p->residual + blocks[b] * layout->bs),
                    vec3_of(p->scratch->r + local_at(p->scratch, (int)b, 0)));
  return sum;
}

// ---- derivatives ----

typedef enum { BY_PLACE, BY_VELOCITY, BY_UNKNOWN } ByWhat;

typedef struct { // a function of one number of a node
  ContactProduct *q;
  PetscInt node;
  ByWhat by;
  int number;
} OneOfPair;

// Moves the node by its unknowns; one of them may be changed.
static void move_node(const StepProduct *p, PetscInt i, int number, double change) {
  const Layout *layout = &p->motion->layout;
  Vec3 u[MAX_STAGES], c[MAX_STAGES];
  double q[6];
  layout_increments(layout, p->unknown, i, u, c);
  vec3_to(u[0], q), vec3_to(c[0], q + 3);
  if (number >= 0) q[number] += change;
  node_motion(kind_of(layout, i), layout->rule->tableau.force_rule, p->motion->state.x + 4 * i, vec3_of(q),
              vec3_of(q + 3), &p->motion->step.motion[i * layout->rule->tableau.s]);
}

static double by_number(const void *self, double x) {
  const OneOfPair *at = self;
  const StepProduct *p = at->q->p;
  const State *state = &p->motion->state;
  double *number =
      at->by == BY_UNKNOWN ? NULL : (double *)(at->by == BY_PLACE ? state->x : state->v) + 12 * at->node + at->number;
  double kept = number ? *number : 0;
  if (number) *number = x;
  move_node(p, at->node, number ? -1 : at->number, number ? 0 : x);
  double value = pair_value(at->q, NULL);
  if (number) *number = kept;
  move_node(p, at->node, -1, 0);
  return value;
}

static const double part = 1e-4; // of the size of the model, or rad: a difference

static void add_pair_slopes(StepProduct *p, ContactProduct *q, PetscInt i, bool counted) {
  const Layout *layout = &p->motion->layout;
  double size = layout->length > 0 ? layout->length : 1, h = p->motion->step.h;
  bool fixed = layout->node_block[i]<0, slips = model_contact(layout->model, q->item->law)->law.friction> 0;
  for (int k = 0; k < 3 * node_vectors(kind_of(layout, i)) && (!fixed || counted); k++) {
    double d = part * (k < 3 ? size : 1), slope[2] = {0};
    for (int by = BY_PLACE; by <= (slips ? BY_VELOCITY : BY_PLACE); by++) {
      const double *at = (const double *)(by == BY_PLACE ? p->motion->state.x : p->motion->state.v) + 12 * i + k;
      OneOfPair one = {q, i, (ByWhat)by, k};
      slope[by] = kinked_slope(by_number, &one, *at, by == BY_PLACE ? d : d / h, &p->kinks);
    }
    ((double *)(p->state->x + 4 * i))[k] += slope[0];
    ((double *)(p->state->v + 4 * i))[k] += slope[1];
  }
  for (int k = 0; k < 3 * node_blocks(kind_of(layout, i)) && !fixed; k++) {
    OneOfPair one = {q, i, BY_UNKNOWN, k};
    p->of_unknown[(layout->node_block[i] + k / 3) * layout->bs + k % 3] +=
        kinked_slope(by_number, &one, 0, part * (k < 3 ? size : 1), &p->kinks);
  }
}

double product_of_contacts(StepProduct *p) {
  const ContactSet *set = p->motion->contacts;
  double sum = 0;
  for (PetscInt i = 0; set && i < set->count; i++) {
    ContactProduct q = {.p = p, .item = &set->item[i]};
    bool touches;
    double value = pair_value(&q, &touches);
    if (q.item->primary) sum += value;
    if (!p->state || !touches) continue; // its slopes are zero
    list_nodes(&q);
    for (int k = 0; k < q.count; k++)
      if (q.node[k] > 0) add_pair_slopes(p, &q, q.node[k], q.item->primary);
  }
  return sum;
}

// ---- energy ----

static double pair_energy(const ContactProduct *q) {
  const Motion *motion = q->p->motion;
  const Vec3 *x[CONTACT_NODES];
  ContactItem c = *q->item;
  ContactRoom room;
  contact_vectors(&motion->layout, &c, motion->state.x, &room, x);
  return contact_energy(&c.pair.law, contact_gap(&c.pair, x));
}

static double energy_by_place(const void *self, double x) {
  const OneOfPair *at = self;
  double *number = (double *)at->q->p->motion->state.x + 12 * at->node + at->number, kept = *number;
  *number = x;
  double value = pair_energy(at->q);
  *number = kept;
  return value;
}

void product_add_contact_energy(StepProduct *p, double weight, Vec3 *out) {
  const ContactSet *set = p->motion->contacts;
  const Layout *layout = &p->motion->layout;
  for (PetscInt i = 0; set && i < set->count; i++) {
    ContactProduct q = {.p = p, .item = &set->item[i]};
    if (pair_energy(&q) == 0) continue; // which has no slope where surfaces begin to touch
    list_nodes(&q);
    for (int k = 0; k < q.count; k++) {
      PetscInt node = q.node[k];
      bool wanted = node > 0 && (layout->node_block[node] >= 0 || q.item->primary);
      for (int c = 0; wanted && c < 3 * node_vectors(kind_of(layout, node)); c++) {
        OneOfPair one = {&q, node, BY_PLACE, c};
        double *to = (double *)(out + 4 * node) + c, size = c < 3 && layout->length > 0 ? layout->length : 1;
        double at = ((const double *)(p->motion->state.x + 4 * node))[c];
        *to += weight * kinked_slope(energy_by_place, &one, at, part * size, &p->kinks);
      }
    }
  }
}
