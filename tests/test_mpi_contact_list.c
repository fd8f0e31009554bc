// SPDX-License-Identifier: Apache-2.0
// The list of pairs that may touch against a comparison of everything with everything, by distances found in another way; and the work
// of the search, which is proportional to the number.
#include "analyses/stepping/stepper.h"
#include "assembly/contact_sieve.h"
#include "check_petsc.h"
#include "contract.h"

#include <limber/limber.h>

// ---- the grid ----

enum { SPHERES = 600 };

typedef struct {
  PetscInt count, visits, twice;
  unsigned char *seen; // i * count + j, of i < j
} Visits;

static PetscErrorCode count_visit(void *context, PetscInt i, PetscInt j) {
  Visits *v = context;
  PetscFunctionBegin;
  v->visits++;
  if (v->seen) {
    unsigned char *at = &v->seen[PetscMin(i, j) * v->count + PetscMax(i, j)];
    v->twice += i == j || *at, *at = 1;
  }
  PetscFunctionReturn(0);
}

TEST(the_grid_visits_every_pair_that_meets_once) {
  static Vec3 place[SPHERES];
  static double radius[SPHERES];
  static unsigned char seen[SPHERES * SPHERES];
  for (int trial = 0; trial < 12; trial++) {
    Visits v = {.count = SPHERES, .seen = seen};
    PetscInt missed = 0, meet = 0;
    double decades = trial % 4, size = trial < 8 ? 1 : 1e7;
    random_restart(17 + (unsigned)trial);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < SPHERES; i++) {
      place[i] = random_vector(size);
      if (trial % 3 == 2) place[i].z *= 1e-3;
      radius[i] = i % 7 ? size * 0.3 * pow(10, -random_in(0, 2 * decades)) : 0;
    }
    CHECK_OK(ContactGridPairs(SPHERES, place, radius, count_visit, &v));
    for (int i = 0; i < SPHERES; i++)
      for (int j = i + 1; j < SPHERES; j++) {
        bool near = vec3_norm(vec3_sub(place[i], place[j])) < radius[i] + radius[j];
        meet += near, missed += near && !seen[i * SPHERES + j];
      }
    CHECK_INT(missed, 0), CHECK_INT(v.twice, 0);
    CHECK(meet > 50);
  }
}

// Spheres as dense as sand, every hundredth of which is ten times as large.
TEST(the_work_of_the_grid_is_proportional_to_the_number) {
  PetscInt visits[2];
  for (int big = 0; big < 2; big++) {
    PetscInt n = big ? 32000 : 4000;
    double side = big ? 2 : 1, *radius;
    Vec3 *place;
    Visits v = {.count = n};
    CHECK_OK(PetscMalloc2(n, &place, n, &radius));
    random_restart(3);
    for (PetscInt i = 0; i < n; i++) {
      place[i] = random_vector(side);
      radius[i] = i % 100 ? 0.04 : 0.4;
    }
    CHECK_OK(ContactGridPairs(n, place, radius, count_visit, &v));
    visits[big] = v.visits;
    CHECK_OK(PetscFree2(place, radius));
  }
  CHECK_NOTE("%d and %d visits of 4000 and 32000 spheres", (int)visits[0], (int)visits[1]);
  CHECK_LE((double)visits[1], 8 * 2 * (double)visits[0]); // 8 * 1.43: fewer are at the edge; 64 by comparing all
}

// ---- a scene ----

enum { BODIES = 70 };

static LimberNodeId add_body(LimberModel m, int i) {
  LimberNodeId node;
  double at[3], axes[9];
  Mat3 r = random_rotation();
  vec3_to(random_vector(0.8), at);
  for (int k = 0; k < 9; k++) axes[k] = r.m[k / 3][k % 3];
  char name[16];
  snprintf(name, sizeof name, "n%d", i);
  CHECK_OK(LimberModelAddFrame(m, name, at, axes, &node));
  CHECK_OK(LimberModelAddRigidBody(m, name, &(LimberRigidBody){.node = node, .mass = 1, .inertia = {1, 1, 1}}, NULL));
  return node;
}

static void add_surface(LimberModel m, const char *kind, const char *name, const void *p, size_t size) {
  CHECK_OK(LimberModelAddSurfaceByKind(m, kind, name, p, size, NULL));
}

static void make_model(LimberModel m) {
  for (int i = 0; i < BODIES; i++) {
    char name[16];
    snprintf(name, sizeof name, "s%d", i);
    LimberNodeId node = add_body(m, i);
    double size = 0.3 * pow(10, -random_in(0, 2));
    LimberSphereSurface sphere = {.node = node, .radius = i % 8 ? 0.5 * size : 0};
    LimberBoxSurface box = {.node = node, .size = {size, 0.7 * size, 1.2 * size}, .rounding = 0.01 * size};
    LimberCylinderSurface rod = {.node = node, .axis = {1, 0, 0}, .radius = 0.2 * size, .length = i % 9 ? size : 0};
    if (i % 4 < 2) add_surface(m, "sphere", name, &sphere, sizeof sphere);
    else if (i % 4 == 2) add_surface(m, "box", name, &box, sizeof box);
    else add_surface(m, "cylinder", name, &rod, sizeof rod);
  }
  LimberPlaneSurface plane = {.node = LIMBER_GROUND, .at = (double[]){0, 0, -0.6}, .normal = {0.1, 0, 1}};
  LimberCylinderSurface pipe = {
      .node = LIMBER_GROUND, .axis = {0, 0, 1}, .radius = 0.7, .side = LIMBER_CYLINDER_INSIDE};
  add_surface(m, "plane", "floor", &plane, sizeof plane);
  add_surface(m, "cylinder", "pipe", &pipe, sizeof pipe);
  for (int i = 0; i < 2; i++) {
    LimberContact law = limber_contact_default();
    law.stiffness = 1e4;
    CHECK_OK(LimberModelAddContact(m, i ? "b" : "a", &law, NULL));
  }
}

// A place or a direction from its coefficients.
static Vec3 vector_of(const Layout *layout, const State *state, int node, const double *coef) {
  const Vec3 *x = state->x + 4 * layout->local_node[node];
  Vec3 y = vec3_zero();
  for (int j = 0; j < 4; j++) y = vec3_axpy(y, coef[j], x[j]);
  return y;
}

// The distance of a point from a body by the nearest point of its shape.
static double body_gap(const Layout *layout, const State *state, const SurfaceBody *b, Vec3 at, double radius) {
  Vec3 y = vec3_sub(at, vector_of(layout, state, b->node, b->place)), nearest = vec3_zero();
  if (!strcmp(b->gap, "point_plane")) return vec3_dot(y, vector_of(layout, state, b->node, b->direction[0])) - radius;
  for (int d = 0; d < (strcmp(b->gap, "point_box") ? 1 : 3); d++) {
    Vec3 axis = vector_of(layout, state, b->node, b->direction[d]);
    nearest = vec3_axpy(nearest, fmax(-b->shape.size[d], fmin(b->shape.size[d], vec3_dot(y, axis))), axis);
  }
  return b->shape.sign * vec3_norm(vec3_sub(y, nearest)) - b->shape.offset - radius;
}

static bool is_own(const Layout *layout, int node) {
  return node != GROUND && layout->local_node[node] < layout->nnode_own;
}

// Whether the pair stands next in the list of the law, in its order.
static void check_pair(const ContactSet *c, PetscInt *next, int law, int point, int other, int *wrong) {
  const ContactItem *it = *next < c->count ? &c->item[*next] : NULL;
  if (it && it->law == law && it->point == point && it->other == other) ++*next;
  else ++*wrong;
}

static void compare_list(const Motion *motion, int law, PetscInt *next, int *wrong) {
  Model m = motion->layout.model;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    Vec3 x = vector_of(&motion->layout, &motion->state, p->node[0], p->coef[0]);
    for (int b = m->surfaces.count - 1; b >= 0; b--) {
      const SurfaceBody *body = &model_surface(m, b)->body;
      if (!body->kind || body->node == p->node[0] ||
          !(is_own(&motion->layout, p->node[0]) || is_own(&motion->layout, body->node)))
        continue;
      if (body_gap(&motion->layout, &motion->state, body, x, p->radius) < 2 * motion->contacts->skin)
        check_pair(motion->contacts, next, law, i, -1 - b, wrong);
    }
    for (int j = i + 1; j < m->points.count; j++) {
      const SurfacePoint *q = model_point(m, j);
      if (model_surface(m, p->surface)->body.kind || model_surface(m, q->surface)->body.kind) continue;
      if (!(is_own(&motion->layout, p->node[0]) || is_own(&motion->layout, q->node[0]))) continue;
      double gap = vec3_norm(vec3_sub(x, vector_of(&motion->layout, &motion->state, q->node[0], q->coef[0]))) -
                   p->radius - q->radius;
      if (gap < 2 * motion->contacts->skin) check_pair(motion->contacts, next, law, i, j, wrong);
    }
  }
}

TEST(the_list_has_all_pairs_that_are_near_and_no_others) {
  LimberModel m;
  LimberRun run;
  LimberOptions options;
  random_restart(5);
  CHECK_OK(LimberModelCreate(&m));
  make_model(m);
  options = limber_options_default();
  options.step = 1e-3;
  CHECK_OK(LimberRunCreate(m, &options, &run));
  if (!CHECK_STR(limber_model_diagnostics(m), "") || !CHECK(run)) return;
  System *s = run->stepper->s;
  static const double skin[] = {0, 1e-3, 0.03, 0.5};
  for (int k = 0; k < 4; k++) {
    PetscInt next = 0;
    int wrong = 0;
    CHECK_OK(ContactsList(&s->motion, skin[k]));
    for (int law = 0; law < 2; law++) compare_list(&s->motion, law, &next, &wrong);
    CHECK_NOTE("skin %g: %d pairs", s->motion.contacts->skin, (int)s->motion.contacts->count);
    CHECK_INT(wrong, 0), CHECK_INT(next, s->motion.contacts->count);
    CHECK(s->motion.contacts->count > 80 / s->motion.layout.size / 4);
  }
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// Every node moves by up to `size`, and turns.
static void move_nodes(Motion *motion, double size) {
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeKind kind = model_node(motion->layout.model, motion->layout.node[i])->kind;
    for (int k = 0; k < motion->layout.rule->tableau.s && kind != NODE_FIXED; k++)
      node_move(kind, motion->state.x + 4 * i, random_vector(size), random_turn(4 * size),
                &motion->step.motion[i * motion->layout.rule->tableau.s + k]);
  }
}

// Gap of a pair at t_n and at the end: the smaller.
static double least_gap(const Motion *motion, const ContactItem *c) {
  const Vec3 *x[2][CONTACT_NODES];
  for (int a = 0; a < c->pair.nnode; a++) {
    x[0][a] = x[1][a] = motion->state.x + 4 * c->node[a];
    if (c->pair.node[a] != NODE_FIXED) x[1][a] = motion->step.motion[c->node[a] * motion->layout.rule->tableau.s].x;
  }
  return fmin(contact_gap(&c->pair, x[0]), contact_gap(&c->pair, x[1]));
}

TEST(pairs_that_are_passed_over_are_apart) {
  LimberModel m;
  LimberRun run;
  LimberOptions options;
  random_restart(6);
  CHECK_OK(LimberModelCreate(&m));
  make_model(m);
  options = limber_options_default();
  options.step = 1e-3;
  CHECK_OK(LimberRunCreate(m, &options, &run));
  if (!CHECK_STR(limber_model_diagnostics(m), "") || !CHECK(run)) return;
  System *s = run->stepper->s;
  CHECK_OK(ContactsList(&s->motion, 0.3));
  int wrong = 0, found = 0, apart = 0;
  for (int step = 0; step < 40; step++) {
    contact_sieve_begin(s->motion.contacts);
    for (int iteration = 0; iteration < 3; iteration++) {
      move_nodes(&s->motion, 1e-3 * pow(10, random_in(0, 2)));
      contact_sieve_move(&s->motion);
      for (PetscInt i = 0; i < s->motion.contacts->count; i++) {
        bool passed = contact_is_apart(&s->motion, i), free = least_gap(&s->motion, &s->motion.contacts->item[i]) >= 0;
        wrong += passed && !free, found += passed, apart += free;
      }
    }
    contact_sieve_end(s->motion.contacts);
    for (PetscInt i = 1; i < s->motion.layout.nnode; i++) // the state moves on
      for (int j = 0; j < 4 && model_node(s->motion.layout.model, s->motion.layout.node[i])->kind != NODE_FIXED; j++)
        s->motion.state.x[4 * i + j] = s->motion.step.motion[i * s->motion.layout.rule->tableau.s].x[j];
    for (PetscInt i = 0; i < s->motion.contacts->count; i++)
      wrong += contact_has_no_energy(&s->motion.layout, s->motion.contacts, i) &&
               least_gap(&s->motion, &s->motion.contacts->item[i]) < 0;
  }
  CHECK_NOTE("%d of %d pairs that are apart are passed over", found, apart);
  CHECK_INT(wrong, 0);
  CHECK(found > apart / 2);
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
