// SPDX-License-Identifier: Apache-2.0
// What every kind of gap promises, over every line of contacts.def: between frames, points and the ground that move anyhow, with every
// law. Depths are up to the size of the shapes.
#include "check.h"
#include "contract.h"
#include "mechanics/contact.h"

#include <string.h>

enum { TRIALS = 300 };

typedef struct {
  ContactPair pair;
  Vec3 x[CONTACT_NODES][4], u[CONTACT_NODES], c[CONTACT_NODES];
  NodeMotion motion[CONTACT_NODES];
  ContactMotion m;
  int block[CONTACT_NODES], nblock;
  double h;
  ForceRule rule;
} Scene;

static double place_at(ContactVector *y, int node, double sign, NodeKind kind, bool direction) {
  Vec3 at = random_vector(0.3);
  if (direction) at = vec3_unit(random_vector(1));
  y->coef[node][0] = direction ? 0 : sign;
  const double part[3] = {at.x, at.y, at.z};
  for (int j = 1; j < 4 && kind != NODE_POINT; j++) y->coef[node][j] = sign * part[j - 1];
  return 0;
}

static void move_scene(Scene *s) {
  for (int a = 0; a < s->pair.nnode; a++) {
    node_motion(s->pair.node[a], s->rule, s->x[a], s->u[a], s->c[a], &s->motion[a]);
    s->m.xn[a] = s->x[a], s->m.motion[a] = &s->motion[a];
  }
}

// One node of each side, the second of which has axes; directions of a box are those of its node.
static void make_scene(const GapKind *kind, int trial, Scene *s) {
  static const NodeKind first[] = {NODE_FRAME, NODE_POINT}, second[] = {NODE_FRAME, NODE_FIXED};
  memset(s, 0, sizeof *s);
  s->pair.kind = kind, s->pair.shape = kind->example, s->pair.nnode = 2, s->h = 0.02;
  s->rule = trial / 4 % 2 ? FORCE_CHORD : FORCE_MEAN;
  s->pair.node[0] = first[trial % 2], s->pair.node[1] = second[trial / 2 % 2];
  s->pair.law =
      (ContactLaw){.stiffness = 30, .hertz = trial % 3 == 0, .friction = trial % 5 ? 0.4 : 0, .slip_speed = 0.5};
  if (trial % 7 < 3 && trial % 5) s->pair.law.stick = 20, s->pair.law.stick_damping = 0.01;
  s->pair.law.loss = trial % 4 ? 0.05 : 0;
  if (trial % 9 == 4) // without penetration, as Newton meets it on the way
    s->pair.law.hard = true, s->pair.law.depth = 0.1, s->pair.penalty = 30, s->pair.multiplier = trial % 2 ? 4 : 0,
    s->pair.grip = 25, s->pair.shear = trial % 4 < 2 ? vec3(0.3, -0.5, 0.2) : vec3_zero();
  for (int a = 0; a < 2; a++) {
    random_frame(s->x[a]);
    s->x[a][0] = a ? vec3_zero() : random_vector(0.8);
    if (s->pair.node[a] != NODE_FIXED) s->u[a] = random_vector(0.3), s->c[a] = random_turn(1);
    s->block[a] = s->nblock, s->nblock += node_blocks(s->pair.node[a]);
  }
  place_at(&s->pair.y[0], 0, 1, s->pair.node[0], false), place_at(&s->pair.y[0], 1, -1, s->pair.node[1], false);
  for (int i = 1; i < kind->ny; i++) {
    place_at(&s->pair.y[i], 1, 1, s->pair.node[1], true);
    for (int j = 1; j < 4 && kind->ny == 4; j++) s->pair.y[i].coef[1][j] = i == j;
  }
  place_at(&s->pair.slip, 0, 1, s->pair.node[0], false), place_at(&s->pair.slip, 1, -1, s->pair.node[1], false);
  s->pair.normal = vec3_unit(random_vector(1));
  s->pair.deflection = s->pair.law.stick > 0 ? random_vector(0.2) : vec3_zero();
  move_scene(s);
}

static double gap_at(const Scene *s, bool end) {
  const Vec3 *x[CONTACT_NODES];
  for (int a = 0; a < s->pair.nnode; a++) x[a] = end && s->pair.node[a] != NODE_FIXED ? s->motion[a].x : s->x[a];
  return contact_gap(&s->pair, x);
}

static double energy_at(const Scene *s, bool end, Vec3 deflection) {
  return contact_energy(&s->pair.law, gap_at(s, end)) + 0.5 * s->pair.law.stick * vec3_dot(deflection, deflection);
}

// Work of the residual's forces on the vectors: the moment works c . m, or of a mean lever p . m, p = 2 n tan(phi/2)
// (mechanics/node.h).
static double work_of(const Scene *s, const Local *out) {
  double work = 0;
  for (int a = 0; a < s->pair.nnode; a++) {
    if (s->pair.node[a] == NODE_FIXED) continue;
    int at = local_at(out, s->block[a], 0);
    work += vec3_dot(vec3_of(out->r + at), s->u[a]);
    if (s->pair.node[a] != NODE_FRAME) continue;
    double mean = s->rule == FORCE_MEAN ? 1 - vec3_dot(s->c[a], s->c[a]) / 16 : 1;
    Vec3 p = vec3_scale(1 / mean, s->c[a]);
    work += vec3_dot(vec3_of(out->r + local_at(out, s->block[a] + 1, 0)), p);
  }
  return work;
}

static Local local;

static void evaluate_forces(const Scene *s, PairStep *step) {
  local_begin(&local, 1, s->nblock, false);
  contact_evaluate(&s->pair, s->h, &s->m, s->block, step, &local);
}

static void take_tangent(const Scene *s, ContactTangent *out) {
  evaluate_forces(s, &out->step);
  out->pair = &s->pair, out->motion = s->m;
}

TEST(the_work_of_a_contact_is_the_change_of_its_energy_and_what_it_takes) {
  double worst = 0;
  int touched = 0, kinds = 0;
  random_restart(3);
  for (; gap_kinds[kinds]; kinds++)
    for (int trial = 0; trial < TRIALS; trial++) {
      Scene s;
      ContactBalance b;
      PairStep step;
      make_scene(gap_kinds[kinds], trial, &s);
      evaluate_forces(&s, &step);
      contact_balance(&s.pair, s.h, &s.m, &b);
      double before = energy_at(&s, false, s.pair.deflection), after = energy_at(&s, true, b.deflection);
      double error = work_of(&s, &local) - (after - before) - b.impact - b.friction;
      touched += b.pressure > 0;
      worst = fmax(worst, fabs(error) / (30 + before + after));
      CHECK((b.impact >= 0 || s.pair.law.hard) && b.pressure >= 0);
      CHECK(b.friction >= -1e-13 || vec3_norm(s.pair.shear) > 0);
      if (contact_is_coulomb(&s.pair.law)) CHECK_LE(vec3_norm(b.traction), s.pair.law.friction * b.pressure + 1e-13);
    }
  CHECK_NOTE("%.1e over %d kinds, %d of %d touch", worst, kinds, touched, kinds * TRIALS);
  CHECK_LE(worst, 1e-14);
  CHECK_LE(kinds * TRIALS / 3, touched);
}

TEST(contacts_keep_momentum_and_without_friction_angular_momentum) {
  double worst = 0;
  random_restart(5);
  for (int kind = 0; gap_kinds[kind]; kind++)
    for (int trial = 0; trial < TRIALS; trial++) {
      Scene s;
      PairStep step;
      make_scene(gap_kinds[kind], trial, &s);
      if (s.pair.node[1] == NODE_FIXED || s.rule == FORCE_CHORD) continue;
      evaluate_forces(&s, &step);
      Vec3 force = vec3_zero(), moment = vec3_zero();
      for (int a = 0; a < 2; a++) {
        Vec3 f = vec3_of(local.r + local_at(&local, s.block[a], 0));
        force = vec3_add(force, f);
        moment = vec3_add(moment, vec3_cross(vec3_axpy(s.x[a][0], 0.5, s.u[a]), f));
        if (s.pair.node[a] == NODE_FRAME)
          moment = vec3_add(moment, vec3_of(local.r + local_at(&local, s.block[a] + 1, 0)));
      }
      worst = fmax(worst, vec3_norm(force) / 30);
      if (s.pair.law.friction == 0) worst = fmax(worst, vec3_norm(moment) / 30);
    }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 1e-14);
}

// By central differences of 1e-6; at kinks, which few trials meet, there is no derivative.
TEST(the_tangent_of_a_contact_is_the_derivative_of_its_force) {
  double worst = 0;
  int kinks = 0, total = 0;
  random_restart(7);
  for (int kind = 0; gap_kinds[kind]; kind++)
    for (int trial = 0; trial < TRIALS; trial++, total++) {
      Scene s;
      static ContactTangent tangent;
      make_scene(gap_kinds[kind], trial, &s);
      take_tangent(&s, &tangent);
      contact_tangents(s.rule, 1, &tangent);
      int n = local.n;
      double error = 0, size = 30;
      for (int i = 0; i < n * n; i++) size = fmax(size, fabs(tangent.k[i]));
      for (int a = 0; a < 2; a++)
        for (int j = 0; j < 3 * node_blocks(s.pair.node[a]); j++) {
          double r[2][MAX_LOCAL], d = 1e-6, *at = j < 3 ? &s.u[a].x + j : &s.c[a].x + j - 3, old = *at;
          for (int side = 0; side < 2; side++) {
            *at = old + (side ? d : -d);
            PairStep step;
            move_scene(&s);
            evaluate_forces(&s, &step);
            memcpy(r[side], local.r, (size_t)n * sizeof(double));
          }
          *at = old, move_scene(&s);
          for (int i = 0; i < n; i++) // blocks by rows, the numbers of each by columns
            error = fmax(error, fabs((r[1][i] - r[0][i]) / (2 * d) -
                                     tangent.k[9 * (i / 3 * s.nblock + s.block[a] + j / 3) + 3 * (j % 3) + i % 3]));
        }
      if (error > 1e-3 * size) kinks++; // a branch changes within the difference
      else worst = fmax(worst, error / size);
    }
  CHECK_NOTE("%.1e, %d kinks of %d", worst, kinks, total);
  CHECK_LE(worst, 1e-6);
  CHECK_LE(kinks, total / 100);
}

TEST(tangents_of_contacts_do_not_depend_on_those_beside_them) {
  static ContactTangent all[CONTACT_TANGENTS], alone;
  static Scene s[CONTACT_TANGENTS];
  int kinds = 0, differ = 0;
  random_restart(13);
  while (gap_kinds[kinds]) kinds++;
  for (int trial = 0; trial < TRIALS; trial++) {
    ForceRule rule = trial % 2 ? FORCE_CHORD : FORCE_MEAN;
    int count = 1 + trial % CONTACT_TANGENTS;
    for (int i = 0; i < count; i++) {
      make_scene(gap_kinds[(trial + i / 3) % kinds], 7 * trial + i, &s[i]);
      s[i].rule = rule, move_scene(&s[i]), take_tangent(&s[i], &all[i]);
    }
    contact_tangents(rule, count, all);
    for (int i = 0; i < count; i++) {
      take_tangent(&s[i], &alone);
      contact_tangents(rule, 1, &alone);
      for (int j = 0; j < 9 * s[i].nblock * s[i].nblock; j++) differ += alone.k[j] != all[i].k[j];
    }
  }
  CHECK_LE(differ, 0);
}

// What impulses use: the rate of the gap is the gradient times the rates of the vectors.
TEST(the_gradient_of_a_gap_gives_its_rate) {
  double worst = 0;
  random_restart(11);
  for (int kind = 0; gap_kinds[kind]; kind++)
    for (int trial = 0; trial < TRIALS; trial++) {
      Scene s;
      Vec3 rate[CONTACT_NODES][4], gradient[CONTACT_NODES][4], normal;
      const Vec3 *x[CONTACT_NODES], *v[CONTACT_NODES];
      double sum = 0;
      make_scene(gap_kinds[kind], trial, &s);
      for (int a = 0; a < 2; a++) {
        for (int j = 0; j < 4; j++) rate[a][j] = random_vector(1);
        x[a] = s.x[a], v[a] = rate[a];
      }
      contact_gap_gradient(&s.pair, x, gradient);
      for (int a = 0; a < 2; a++)
        for (int j = 0; j < node_vectors(s.pair.node[a]); j++) sum += vec3_dot(gradient[a][j], rate[a][j]);
      worst = fmax(worst, fabs(sum - contact_gap_rate(&s.pair, x, v, &normal)));
    }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 1e-13);
}

TEST(the_damper_of_a_restitution_leaves_it) {
  for (double e = 0.1; e < 1; e += 0.1) {
    double d = contact_damper(e); // of x'' = -x (1 + d x'), from x' = 1: speed at which x is zero again
    double x = 0, v = 1, h = 1e-4;
    do {
      double k1 = -x * fmax(1 + d * v, 0), xm = x + 0.5 * h * v, vm = v + 0.5 * h * k1;
      x += h * vm, v += -h * xm * fmax(1 + d * vm, 0);
    } while (x > 0);
    CHECK_NEAR(-v, e, 2e-4);
  }
  CHECK_NEAR(contact_damper(1), 0, 0);
}

CHECK_MAIN
