// SPDX-License-Identifier: Apache-2.0
// Straight beams through stations: wherever stations and nodes fall, with and without round-off between them, the model
// builds, is free of strain and stays at rest.
#include "check_petsc.h"

#include <limber/limber.h>

enum { STATIONS = 13, ELEMENTS = 24, ORDERS = 3, STEPS = 3 };

typedef struct {
  double strain, moved, speed; // largest strain; how far the tip is from its station, and its speed
} Rest;

// Where stations stand: ten metres apart from 1.5 m on, or at thirds of a skew line, which no binary number meets.
static void place(int line, int stations, LimberStation *s) {
  for (int i = 0; i < stations; i++) {
    const double at[2][3] = {{1.5 + 10 * i, 0, 0}, {0.1 + i / 3.0, -0.2 + 0.7 * i / 3, 0.3 - 1.1 * i / 3}};
    s[i] = (LimberStation){{at[line][0], at[line][1], at[line][2]}, 0};
  }
}

static double worse(double a, double b) { return a >= b || isnan(a) ? a : b; }

static LimberModel build(int stations, const LimberStation *s, int elements, int order, LimberElementId *id) {
  LimberSection section = {.mass = 13.5, .inertia = {{0.014}, {0, 0.0028}, {0, 0, 0.0113}}};
  const double c[6] = {3.5e8, 1.1e8, 1.1e8, 7.7e5, 3.6e5, 1.5e6};
  for (int i = 0; i < 6; i++) section.stiffness[i][i] = c[i];
  LimberBeam beam = {.from = LIMBER_NO_NODE,
                     .to = LIMBER_NO_NODE,
                     .elements = elements,
                     .order = order,
                     .up = {0, 0, 1},
                     .station = s,
                     .stations = stations};
  LimberModel model = NULL;
  CHECK_OK(LimberModelCreate(&model));
  CHECK_OK(LimberModelAddSection(model, "section", 1, &section, &beam.section));
  CHECK_OK(LimberModelAddBeam(model, "beam", &beam, id));
  LimberClamp clamp = {.node = limber_model_element_node(model, *id, 0)};
  CHECK_OK(LimberModelAddClamp(model, "clamp", &clamp, NULL));
  return model;
}

static void measure(LimberRun run, LimberElementId id, LimberNodeId tip, int points, const LimberStation *end,
                    Rest *worst) {
  double strain[6], x[3], v[3];
  for (int g = 0; g < points; g++) {
    LimberSectionForces section_state;
    CHECK_OK(LimberRunGetForces(run, id, g, &section_state));
    memcpy(strain, section_state.strain, sizeof strain);
    for (int r = 0; r < 6; r++) worst->strain = worse(worst->strain, fabs(strain[r]));
  }
  CHECK_OK(LimberRunGetNode(run, tip, x, NULL, v, NULL));
  for (int i = 0; i < 3; i++) {
    worst->moved = worse(worst->moved, fabs(x[i] - end->at[i]));
    worst->speed = worse(worst->speed, fabs(v[i]));
  }
}

static int stays(int line, int stations, int elements, int order, Rest *worst) {
  LimberStation s[STATIONS];
  LimberOptions options;
  LimberRun run = NULL;
  LimberElementId id;
  place(line, stations, s);
  LimberModel model = build(stations, s, elements, order, &id);
  options = limber_options_default();
  options.step = 0.01;
  CHECK_OK(LimberRunCreate(model, &options, &run));
  int good = CHECK_STR(limber_model_diagnostics(model), "") && CHECK(run);
  for (int i = 0; i < STEPS && good; i++) {
    LimberOutcome o;
    CHECK_OK(LimberRunStep(run, &o));
    good = CHECK_INT(o.reason, LIMBER_CONVERGED);
  }
  LimberNodeId tip = limber_model_element_node(model, id, elements * order);
  if (good) measure(run, id, tip, elements * order, &s[stations - 1], worst);
  if (run) CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&model));
  return good;
}

static void all_stay(int line, double strain, double moved, double speed) {
  Rest worst = {0};
  int runs = 0, bad = 0;
  for (int stations = 2; stations <= STATIONS; stations++)
    for (int order = 1; order <= ORDERS; order++)
      for (int elements = 1; elements <= ELEMENTS; elements += CHECK_EVERY(5), runs++)
        if (!stays(line, stations, elements, order, &worst)) bad++;
  CHECK_NOTE("%d of %d cannot run; strain %.1e, tip off by %.1e m, at %.1e m/s", bad, runs, worst.strain, worst.moved,
             worst.speed);
  CHECK_INT(bad, 0);
  CHECK_LE(worst.strain, strain);
  CHECK_LE(worst.moved, moved);
  CHECK_LE(worst.speed, speed);
}

TEST(straight_beam_through_stations_at_whole_metres_stays_at_rest) {
  all_stay(0, 0, 0, 0); // to the bit
}
TEST(straight_beam_through_stations_at_thirds_stays_at_rest) {
  all_stay(1, 2e-13, 2e-14, 1e-11); // 3.7e-14, 3.6e-15 m, 1.8e-12 m/s
}

CHECK_MAIN_PETSC
