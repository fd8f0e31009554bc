// SPDX-License-Identifier: Apache-2.0
// Rows that are lengths: the contracts of elements with all that springs, cables, bars and beams may be given.
#include "check.h"

#include "contract.h"

static const ElementKind *kind_named(const char *name) {
  int i = 0;
  while (strcmp(element_kinds[i]->name, name)) i++;
  return element_kinds[i];
}

// All contracts of elements; `rests`: it is free of stress at the reference.
static void hold(const Mock *m, bool rests) {
  const struct {
    const char *name;
    double (*error)(const Mock *);
    double allowed;
  } contracts[] = {
      {"table", element_table_error, 0},
      {"station", element_station_error, 50 * EPS},
      {"identity", element_identity_error, 50 * EPS},
      {"theorem", element_theorem_error, 50 * EPS},
      {"gradient", element_gradient_error, 1e-10}, // measured 7.5e-12: the error of the differences
      {"tangent", element_tangent_error, 1e-9},    // measured 9.8e-11
      {"rigid", element_rigid_error, 200 * EPS},
      {"momentum", element_momentum_error, 50 * EPS},
      {"inertia", element_inertia_error, 10 * EPS},
      {"reference", element_reference_error, 100 * EPS},
  };
  int count = (int)(sizeof contracts / sizeof contracts[0]) - !rests;
  difference_size = 4e-4;
  for (int i = 0; i < count; i++) {
    double e = contracts[i].error(m);
    if (!CHECK_LE(e, contracts[i].allowed)) CHECK_NOTE("%s: %s", m->name, contracts[i].name);
  }
}

static void hold_item(const char *kind, const char *nodes, unsigned long long seed, const void *params, bool rests) {
  static Mock m;
  random_restart(seed);
  mock_begin(&m, kind, nodes);
  if (CHECK_STR(mock_build(&m, kind_named(kind), params), NULL)) hold(&m, rests);
  mock_end(&m);
}

static const double table[] = {-0.7, -40, -0.2, -5, 0, 0, 0.4, 6, 1.1, 60}, limits[] = {0.9, 2.2};
static const double arm[2][3] = {{0.3, -0.2, 0.9}, {-0.4, 0.5, -0.6}};

TEST(springs_of_every_law_keep_the_contracts) {
  const LimberSpring springs[] = {
      {.law = {.stiffness = 40}},
      {.law = {.stiffness = 40, .rest = 1.3, .damping = 3}},
      {.law = {.table = table, .pairs = 5, .damping = 1}},
      {.law = {.table = table, .pairs = 5, .rest = 1.7, .limit_stiffness = 300, .limits = limits}},
      {.law = {.stiffness = 40, .rest = 1.1, .damping = 3, .side = LIMBER_SIDE_ABOVE}},
      {.law = {.stiffness = 40, .rest = 2.1, .damping = 3, .clearance = 0.1, .side = LIMBER_SIDE_BELOW}},
      {.law = {.stiffness = 40, .clearance = 0.05, .slip_force = 2, .slip_rate = 0.2}, .preload = -7},
      {.law = {.damping = 4}},
  };
  static const char *const nodes[] = {"PP", "PF", "FP", "FF"};
  for (size_t i = 0; i < sizeof springs / sizeof springs[0]; i++)
    for (int n = 0; n < 4; n++)
      for (int arms = 0; arms < 2; arms++) {
        LimberSpring p = springs[i];
        p.nodes[0] = (LimberNodeId){1}, p.nodes[1] = (LimberNodeId){2};
        for (int a = 0; a < 2; a++) p.at[a] = arms && nodes[n][a] == 'F' ? arm[a] : NULL;
        bool rests = p.law.rest == 0 && p.preload == 0 && p.law.stiffness + (p.law.table != NULL) > 0;
        hold_item("spring", nodes[n], 100 + i, &p, rests);
      }
}

TEST(cables_of_any_line_keep_the_contracts) {
  for (int elements = 1; elements < 8; elements += 3)
    for (int i = 0; i < 4; i++) {
      LimberCable p = {.from = {1}, .to = {2}, .elements = elements, .stiffness = 90, .mass = 0.3, .damping = 0.04};
      if (i & 1) p.length = 3.5;
      if (i & 2) p.sag[2] = -1;
      hold_item("cable", i & 1 ? "PF" : "FP", 200, &p, true);
    }
}

TEST(bars_and_beams_measured_by_their_stretch_keep_the_contracts) {
  LimberBar bar = {{{1}, {2}}, 70, 0.4, 0, 0.03, 0, 0, LIMBER_STRAIN_STRETCH};
  hold_item("bar", "PP", 300, &bar, true);
  hold_item("bar", "FP", 300, &bar, true);
  for (int order = 1; order <= 3; order++) {
    LimberBeam beam = {.from = {1},
                       .to = {2},
                       .section = {order % 2},
                       .elements = 2,
                       .order = order,
                       .twist = 0.3,
                       .damping = 0.01,
                       .measure = LIMBER_STRAIN_STRETCH};
    hold_item("beam", "FF", 300, &beam, true);
  }
}

// The first node's place and directions as they are, the others' places s times as far from it.
static double stretched_energy(Mock *m, const char *kind, const char *nodes, const void *params, double s) {
  Vec3 x[MOCK_NODES][4], v[MAX_LOCAL_VECTORS];
  double sum = 0;
  random_restart(400);
  mock_begin(m, kind, nodes);
  CHECK_STR(mock_build(m, kind_named(kind), params), NULL);
  memcpy(x, m->x, sizeof x);
  for (int i = 2; i < m->nnode; i++) x[i][0] = vec3_axpy(x[1][0], s, vec3_sub(m->x[i][0], x[1][0]));
  for (int e = 0; e < m->ncomponents; e++) {
    mock_vectors(m, &m->item[e], x, v);
    sum += element_energy(m->kind, m->item[e].data, v);
  }
  mock_end(m);
  return sum;
}

TEST(energy_of_a_stretched_line_is_that_of_its_measure) {
  static Mock m;
  int stations;
  double section = mock_section(SECTION_UNIFORM, &stations)->stiffness[0][0];
  for (double s = 0.5; s < 2; s += 0.25)
    for (int k = 0; k < 2; k++) {
      LimberStrainMeasure measure = k ? LIMBER_STRAIN_STRETCH : LIMBER_STRAIN_GREEN;
      double strain = k ? s - 1 : 0.5 * (s * s - 1);
      LimberBar bar = {{{1}, {2}}, 70, 0, 0, 0, 0, 0, measure};
      LimberBeam beam = {.from = LIMBER_NO_NODE,
                         .to = LIMBER_NO_NODE,
                         .section = {SECTION_UNIFORM},
                         .elements = 2,
                         .order = 2,
                         .end = {1.5, 0, 0},
                         .measure = measure};
      double found = stretched_energy(&m, "bar", "PP", &bar, s), length = vec3_norm(vec3_sub(m.x[2][0], m.x[1][0]));
      CHECK_NEAR(found, 35 * length * strain * strain, 1e4 * EPS);
      CHECK_NEAR(stretched_energy(&m, "beam", "", &beam, s), 0.75 * section * strain * strain, 1e3 * EPS);
    }
}

CHECK_MAIN
