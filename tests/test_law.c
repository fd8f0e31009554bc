// SPDX-License-Identifier: Apache-2.0
// Laws along a coordinate: springs with play, stops, dampers, friction.
#include "check.h"

#include "contract.h"
#include "mechanics/law.h"

static const double limits[2] = {-1, 1.5};
static const Law all = {.stiffness = 3,
                        .rest = 0.2,
                        .clearance = 0.4,
                        .damping = 0.1,
                        .slip_force = 0.5,
                        .slip_rate = 0.3,
                        .limit_stiffness = 20,
                        .limits = limits};

static void random_coordinates(double *zn, double *zk) {
  *zn = random_in(-2, 2.5);
  for (int k = 0; k < MAX_STAGES; k++) zk[k] = *zn + random_in(-1, 1);
}

static const double table[] = {-1.5, -9, -1, -2, 0, 0, 0.7, 3, 0.9, 2, 2, 8}; // softens, falls and stiffens
static const Law by_table = {.rest = 0.1, .damping = 0.3, .table = table, .pairs = 6};
static const Law above = {.stiffness = 5, .rest = 0.2, .clearance = 0.1, .damping = 0.3, .side = LIMBER_SIDE_ABOVE};
static const Law below = {.stiffness = 5, .rest = 0.4, .damping = 0.3, .side = LIMBER_SIDE_BELOW};
static const Law *const laws[] = {&all, &by_table, &above, &below};

// Stops, play and springs of one side are all that these laws have: what is met is their whole potential.
TEST(what_is_met_has_the_energy_and_force_of_the_law_and_is_nothing_between) {
  static const Law plain = {.stiffness = 3, .rest = 0.2, .damping = 1};
  const Law *const met[] = {&all, &above, &below};
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (double z = -2; z < 2.5; z += 0.01) {
      LawContact c = law_contact(met[i], z);
      worst = worse(worst, fabs(c.energy - law_energy(met[i], z)) + fabs(c.force - law_force(met[i], z)));
      CHECK_INT(c.stiffness > 0, c.energy > 0);
    }
  CHECK_LE(worst, 100 * EPS);
  Law stopped = plain;
  stopped.limits = limits, stopped.limit_stiffness = 20;
  CHECK(law_meets(&all) && law_meets(&above) && law_meets(&below) && law_meets(&stopped) && !law_meets(&plain) &&
        !law_meets(&by_table));
  CHECK_INT(law_contact(&stopped, 1.4).stiffness > 0, 0); // a spring that acts everywhere is met nowhere
  CHECK_REL(law_contact(&stopped, 1.6).force, 2, 8 * EPS);
  CHECK_REL(law_contact(&stopped, -1.1).force, -2, 8 * EPS);
}

TEST(a_law_obeys_the_energy_theorem_in_every_tableau) {
  double worst = 0, zn, zk[MAX_STAGES];
  random_restart(1);
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 800; trial++) {
      Tableau t = tableau_sample(i, FORCE_CHORD);
      const Law *law = laws[trial % 4];
      Recall recall = recall_sample(&t);
      LawState s, last;
      random_coordinates(&zn, zk);
      double from = zn + random_in(-1, 1);
      law_evaluate(law, &t, 0.05, &recall, 0, from, (double[]){zn, zn, zn}, &last);
      law_evaluate(law, &t, 0.05, &recall, last.next, zn, zk, &s);
      double change = law_energy(law, zk[0]) - law_energy(law, zn) + s.memory - last.memory, work = 0, scale = 1;
      for (int k = 0; k < t.s; k++) {
        double w = t.weight[k] * s.force[k] * (zk[k] - zn);
        work += w, scale += fabs(w);
      }
      CHECK(s.damped >= 0 && s.lost >= 0);
      worst = worse(worst, fabs(work - change - s.damped - s.lost) / scale);
    }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 20 * EPS);
}

TEST(a_linear_spring_passes_through_the_tableau_as_any_strain) {
  const Law spring = {.stiffness = 7, .rest = 0.3};
  double worst = 0, zn, zk[MAX_STAGES];
  random_restart(2);
  for (int i = 0; i < TABLEAUX; i++) {
    Tableau t = tableau_sample(i, FORCE_CHORD);
    LawState s;
    random_coordinates(&zn, zk);
    law_evaluate(&spring, &t, 0.05, &no_recall, 0, zn, zk, &s);
    for (int k = 0; k < t.s; k++) {
      double e = t.b[k] * (zn - 0.3);
      for (int l = 0; l < t.s; l++) e += t.a[k][l] * (zk[l] - zn);
      worst = worse(worst, fabs(s.force[k] - 7 * e));
    }
  }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 100 * EPS);
}

TEST(the_tangent_of_a_law_is_the_derivative_of_its_force) {
  const double h = 1e-6;
  double worst = 0, zn, zk[MAX_STAGES];
  random_restart(3);
  for (int force_rule = FORCE_CHORD; force_rule <= FORCE_END; force_rule++)
    for (int trial = 0; trial < 300; trial++) {
      Tableau t = force_rule == FORCE_END ? tableau_end() : tableau_any(1 + trial % 2, (ForceRule)force_rule);
      Recall m = {.delta = t.s == 1 && force_rule != FORCE_END ? 0.06 : 0, .keep = 0.8, .rate = 1.5, .before = -0.5};
      LawState s, up, down;
      random_coordinates(&zn, zk);
      law_evaluate(&all, &t, 0.05, &m, 0.1, zn, zk, &s);
      for (int l = 0; l < t.s; l++) {
        double z = zk[l];
        bool kink = false; // a difference across a kink is no derivative
        for (int i = 0; i < 4; i++)
          kink = kink || fabs(z - (i < 2 ? all.rest + (i ? all.clearance : -all.clearance) : limits[i - 2])) < 2 * h;
        if (kink) continue;
        zk[l] = z + h, law_evaluate(&all, &t, 0.05, &m, 0.1, zn, zk, &up);
        zk[l] = z - h, law_evaluate(&all, &t, 0.05, &m, 0.1, zn, zk, &down);
        zk[l] = z;
        for (int k = 0; k < t.s; k++)
          worst = worse(worst, fabs(s.tangent[k][l] - (up.force[k] - down.force[k]) / (2 * h)) / 30);
      }
    }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 1e-7); // 3e-9: the differences' own error
}

TEST(the_force_of_a_law_is_the_slope_of_its_energy) {
  for (double z = -2.05; z < 3; z += 0.1) {
    double slope = (law_energy(&all, z + 1e-4) - law_energy(&all, z - 1e-4)) / 2e-4;
    CHECK_NEAR(law_force(&all, z), slope, 1e-9);
  }
  CHECK(law_force(&all, 0.5) == 0 && law_force(&all, -0.1) == 0); // within the play
  CHECK_NEAR(law_force(&all, 0.7), 0.3, 1e-14);                   // 3 (0.7 - 0.2 - 0.4)
  CHECK_NEAR(law_force(&all, 2), 3 * 1.4 + 20 * 0.5, 1e-14);
}

TEST(a_table_is_straight_between_its_rows_and_on_beyond_them) {
  CHECK_NEAR(law_force(&by_table, 0.1 + 0.35), 1.5, 1e-14);
  CHECK_NEAR(law_force(&by_table, 0.1 + 0.8), 2.5, 1e-14);
  CHECK_NEAR(law_force(&by_table, 0.1 + 2.5), 8 + 0.5 * 6 / 1.1, 1e-13);
  CHECK_NEAR(law_force(&by_table, 0.1 - 2), -9 - 0.5 * 14, 1e-13);
  CHECK_NEAR(law_energy(&by_table, 0.1 + 0.7), 0.5 * 0.7 * 3, 1e-14);
  CHECK_NEAR(law_energy(&by_table, 0.1 - 1.5), 0.5 * 2 + 0.5 * (2 + 9) / 2, 1e-14);
  for (double z = -2.04; z < 3; z += 0.1) {
    double slope = (law_energy(&by_table, z + 1e-5) - law_energy(&by_table, z - 1e-5)) / 2e-5;
    CHECK_NEAR(law_force(&by_table, z), slope, 1e-8);
  }
}

TEST(a_spring_on_one_side_and_its_damper_leave_the_other_free) {
  Tableau t = tableau_preserving();
  for (int k = 0; k < 2; k++) {
    const Law *law = k ? &below : &above;
    double sign = k ? -1 : 1, rest = law->rest, held = rest + sign * 0.5, loose = rest - sign * 0.5, far = rest - sign;
    LawState s;
    CHECK(law_force(law, loose) == 0 && law_energy(law, loose) == 0);
    CHECK_NEAR(law_force(law, held), sign * 5 * (0.5 - law->clearance), 1e-14);
    law_evaluate(law, &t, 0.05, &no_recall, 0, loose, &far, &s);
    CHECK(s.force[0] == 0 && s.tangent[0][0] == 0 && s.damped == 0);
    law_evaluate(law, &t, 0.05, &no_recall, 0, loose, &held,
                 &s); // the damper sees the way from where the spring begins
    CHECK_NEAR(s.damped, 0.3 * (0.5 - law->clearance) / 0.05 * 1, 1e-13);
  }
}

TEST(neighbouring_values_lose_nothing_to_round_off) {
  Tableau t = tableau_preserving();
  LawState a, b;
  double zn = 1.2, close = 1.2 + 1e-13, same = 1.2;
  law_evaluate(&all, &t, 0.05, &no_recall, 0, zn, &close, &a);
  law_evaluate(&all, &t, 0.05, &no_recall, 0, zn, &same, &b);
  CHECK_NEAR(a.force[0], b.force[0], 1e-11); // friction and damper have changed by 4e-12
}

// ---- friction that sticks ----

static const Friction rubs[] = {
    {.kinetic = 3, .static_limit = 5, .stiffness = 40, .damping = 0.02},
    {.kinetic_coefficient = 0.2, .static_coefficient = 0.3, .radius = 0.5, .stiffness = 30, .damping = 1e-9},
    {.kinetic = 2,
     .static_limit = 2,
     .kinetic_coefficient = 0.1,
     .static_coefficient = 0.1,
     .stiffness = 25,
     .damping = 0.3},
};

static Bristle random_bristle(void) {
  return (Bristle){random_in(-0.3, 0.3), random_in(0, 1) < 0.5 ? BRISTLE_STICKS : BRISTLE_SLIDES};
}

TEST(friction_gives_back_at_most_what_its_bristle_stores_in_every_step) {
  double worst = 0, most = 0;
  int slid = 0, stuck = 0, partly = 0;
  random_restart(5);
  for (int trial = 0; trial < 30000; trial++) {
    const Friction *f = &rubs[trial % 3];
    Bristle b = random_bristle();
    double h = random_in(1e-3, 0.1), s = random_in(-0.4, 0.4) * random_in(0, 1), reaction = random_in(0, 80);
    double arm = f->radius > 0 ? f->radius : 1;
    double limit = b.slips == BRISTLE_SLIDES ? f->kinetic + arm * f->kinetic_coefficient * reaction
                                             : f->static_limit + arm * f->static_coefficient * reaction;
    FrictionStep q;
    friction_evaluate(f, false, h, reaction, &b, s, &q);
    double stored = friction_energy(f, &q.next) - friction_energy(f, &b);
    worst = worse(worst, fabs(q.force * s - stored - q.taken) / (1 + friction_energy(f, &b) + fabs(q.force * s)));
    CHECK(q.taken >= 0);
    CHECK(fabs(q.force) <= limit * (1 + 4 * EPS) && fabs(f->stiffness * q.next.deflection) <= limit * (1 + 4 * EPS));
    most = fmax(most, fabs(q.force) / limit);
    if (q.next.slips != BRISTLE_SLIDES) stuck++;
    else if (fabs(q.force) < limit) partly++;
    else slid++;
  }
  CHECK_NOTE("%.1e; %d slide, %d stick, %d begin to slide", worst, slid, stuck, partly);
  CHECK_LE(worst, 20 * EPS);
  CHECK(slid > 1000 && stuck > 1000 && partly > 1000);
}

TEST(a_bristle_that_sticks_gives_back_all_that_it_stored) {
  const Friction f = {.kinetic = 3, .static_limit = 5, .stiffness = 40, .damping = 1e-300};
  static const double way[] = {0.1, -0.05, -0.15, 0.2, -0.1};
  Bristle b = {0, 0};
  for (int i = 0; i < 5; i++) {
    FrictionStep q;
    friction_evaluate(&f, false, 0.01, 0, &b, way[i], &q);
    CHECK_NEAR(q.taken, 0, 1e-15);
    b = q.next;
  }
  CHECK(fabs(b.deflection) < 1e-16 && b.slips == BRISTLE_STICKS);
}

TEST(friction_grows_with_the_way_and_its_tangent_is_the_derivative) {
  const double d = 1e-7;
  double worst = 0;
  random_restart(6);
  for (int trial = 0; trial < 6000; trial++) {
    const Friction *f = &rubs[trial % 3];
    Bristle b = random_bristle();
    bool end = trial % 2;
    double h = random_in(1e-2, 0.1), s = random_in(-0.4, 0.4), reaction = random_in(0, 80);
    FrictionStep q, up, down, more, less;
    if (fabs(s) < 2 * d) continue;
    friction_evaluate(f, end, h, reaction, &b, s, &q);
    friction_evaluate(f, end, h, reaction, &b, s + d, &up);
    friction_evaluate(f, end, h, reaction, &b, s - d, &down);
    friction_evaluate(f, end, h, reaction + d, &b, s, &more);
    friction_evaluate(f, end, h, reaction - d, &b, s, &less);
    CHECK(up.force >= down.force && q.by_way >= 0);
    if (up.next.slips != down.next.slips || more.next.slips != less.next.slips) continue; // across a kink
    double way = (up.force - down.force) / (2 * d), of = (more.force - less.force) / (2 * d),
           scale = f->damping * f->stiffness / h + 40;
    bool kink = fabs(up.by_way - down.by_way) > 1e-4 * scale || fabs(more.by_reaction - less.by_reaction) > 1e-4;
    if (!kink) worst = worse(worst, fmax(fabs(way - q.by_way) / scale, fabs(of - q.by_reaction)));
  }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 1e-6); // 2e-7: the differences' own error
}

TEST(a_push_below_the_limit_moves_the_bristle_alone_and_one_above_it_slides_with_kinetic_friction) {
  const Friction f = {.kinetic = 3, .static_limit = 5, .stiffness = 40, .damping = 1e-3};
  Bristle b = {0, 0};
  FrictionStep q;
  friction_evaluate(&f, true, INFINITY, 0, &b, 0.1, &q); // at rest: 4 N
  CHECK(q.force == 4 && q.next.slips == BRISTLE_STICKS);
  friction_evaluate(&f, true, INFINITY, 0, &b, 0.2, &q);
  CHECK(q.force == 5 && q.next.slips == BRISTLE_SLIDES);
  b = q.next;
  friction_evaluate(&f, false, 1e-3, 0, &b, 0.01, &q); // the bristle drops to 3 N
  CHECK(q.force == 3 && q.next.slips == BRISTLE_SLIDES);
  CHECK_REL(q.taken, 3 * 0.01 + (25 - 9) / 80.0 - 0, 1e-14);
  b = q.next;
  friction_evaluate(&f, false, 1e-3, 0, &b, -1e-5, &q); // turns back: sticks again, up to 5 N
  CHECK(q.next.slips == BRISTLE_STICKS);
}

TEST(the_tangent_of_a_controller_is_the_derivative_of_its_force) {
  const Load servo = {.target = LOAD_JOINT, .drive = DRIVE_CONTROL, .gain = 3, .derivative_gain = 0.2};
  const double h = 1e-4;
  double worst = 0, zn, zk[MAX_STAGES];
  random_restart(4);
  for (int i = 0; i < TABLEAUX; i++) {
    Tableau t = tableau_sample(i, FORCE_CHORD);
    CoordLoad s, up, down;
    random_coordinates(&zn, zk);
    load_on_coord(&servo, &t, 0.05, (Amplitude){.now = 0.3, .next = 0.4}, zn, zk, &s);
    for (int l = 0; l < t.s; l++) {
      double z = zk[l];
      zk[l] = z + h, load_on_coord(&servo, &t, 0.05, (Amplitude){.now = 0.3, .next = 0.4}, zn, zk, &up);
      zk[l] = z - h, load_on_coord(&servo, &t, 0.05, (Amplitude){.now = 0.3, .next = 0.4}, zn, zk, &down);
      zk[l] = z;
      for (int k = 0; k < t.s; k++)
        worst = worse(worst, fabs(s.tangent[k][l] - (up.force[k] - down.force[k]) / (2 * h)));
    }
  }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 1e-10); // linear: round-off over the difference
}

TEST(a_controller_rests_where_coordinate_and_reference_move_as_one) {
  const Load servo = {.target = LOAD_JOINT, .drive = DRIVE_CONTROL, .gain = 3, .derivative_gain = 0.2};
  for (int i = 0; i < TABLEAUX; i++) {
    Tableau t = tableau_sample(i, FORCE_CHORD);
    CoordLoad s;
    double zk[MAX_STAGES] = {0.7, 0.5, 0.5}; // the step goes from 0.5 to 0.7; a jump moves nothing
    load_on_coord(&servo, &t, 0.05, (Amplitude){.now = 0.5, .next = 0.7}, 0.5, zk, &s);
    for (int k = 0; k < t.s; k++) CHECK_NEAR(s.force[k], 0, 10 * EPS);
  }
}

CHECK_MAIN
