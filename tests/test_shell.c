// SPDX-License-Identifier: Apache-2.0
// Beams and shells without rotations: they have no more ways to move without strain than they should, bend as beams and plates do
// where ordinary cells lock, and keep energy and momentum when bolted to rigid bodies.
#include "base/cookie.h"
#include "contract.h"
#include "solid.h"

#include "model/model.h"

static const ElementKind *kind_of(const char *name) {
  int i = 0;
  while (element_kinds[i] && strcmp(element_kinds[i]->name, name)) i++;
  return element_kinds[i];
}

// ---- motions without strain ----

// Elimination with exchange of rows and columns.
static int rank_of(int n, double *a) {
  double largest = 0;
  for (int r = 0;; r++) {
    int p = r, q = r;
    for (int i = r; i < n; i++)
      for (int j = r; j < n; j++)
        if (fabs(a[i * n + j]) > fabs(a[p * n + q])) p = i, q = j;
    if (r == 0) largest = fabs(a[p * n + q]);
    if (r == n || fabs(a[p * n + q]) < 1e-10 * largest) return r;
    for (int j = 0; j < n; j++) {
      double x = a[r * n + j];
      a[r * n + j] = a[p * n + j], a[p * n + j] = x;
    }
    for (int i = 0; i < n; i++) {
      double x = a[i * n + r];
      a[i * n + r] = a[i * n + q], a[i * n + q] = x;
    }
    for (int i = r + 1; i < n; i++) {
      double f = a[i * n + r] / a[r * n + r];
      for (int j = r; j < n; j++) a[i * n + j] -= f * a[r * n + j];
    }
  }
}

// Of the stiffness of one element at the reference, on its first `nodes` nodes; `flat`: of their motion in the plane x, y alone.
static int rank_of_element(const Mock *m, int nodes, bool flat) {
  static Local out;
  static double a[MAX_LOCAL * MAX_LOCAL];
  Tableau t = tableau_end();
  MockMotion q;
  LocalMotion it;
  int d = flat ? 2 : 3, n = d * nodes;
  motion_rest(m, 1, &q);
  motion_item(m, &q, &m->item[0], t.force_rule, &it);
  local_clear(&out, 1, it.nblock);
  element_evaluate(m->kind, m->item[0].data, &(ElementStep){.t = &t, .h = HUGE_VAL, .recall = &no_recall, .past = NULL},
                   &it, &out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = out.k[(i / d * 3 + i % d) * out.n + j / d * 3 + j % d];
  return rank_of(n, a);
}

// In its plane a cell of four points has 8 - 3 strains, and the two integration points see all of them; out of it nothing resists.
TEST(a_plane_beam_moves_without_strain_as_a_rigid_body_only_in_its_plane) {
  static Mock m;
  const LimberPlaneBeam p = {
      .end = {1, 0, 0}, .depth = 0.1, .width = 0.2, .elements = 1, .material = {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}};
  mock_begin(&m, "plane_beam", "");
  CHECK_STR(mock_build(&m, kind_of("plane_beam"), &p), NULL);
  CHECK_INT(rank_of_element(&m, 4, true), 8 - 3);
  CHECK_INT(rank_of_element(&m, 4, false), 8 - 3); // of 12 - 6: a twist costs nothing
  mock_end(&m);
}

// One point along the surface, two through the thickness, would see at most 12 of the 24 - 6 strains.
TEST(a_solid_shell_moves_without_strain_as_a_rigid_body_only) {
  static Mock m;
  const ElementKind *kind = kind_of("solid_shell");
  for (unsigned seed = 0; seed < 10; seed++) {
    random_restart(seed);
    mock_begin(&m, "solid_shell", kind->example.nodes);
    CHECK_STR(mock_build(&m, kind, kind->example.item), NULL);
    CHECK_INT(rank_of_element(&m, 8, false), 24 - 6);
    mock_end(&m);
  }
}

// 2 x 2 x 2 points would see 48 of the 60 - 6 strains of 20 nodes: hence 3 x 3 x 3.
TEST(a_hexahedron_moves_without_strain_as_a_rigid_body_only) {
  static Mock m;
  static const struct {
    CellShape shape;
    LimberHexahedra how;
    int rank;
  } all[] = {{LIMBER_HEXAHEDRON, LIMBER_HEXAHEDRA_FULL, 18},
             {LIMBER_HEXAHEDRON, LIMBER_HEXAHEDRA_ENHANCED, 18},
             {LIMBER_HEXAHEDRON_20, LIMBER_HEXAHEDRA_FULL, 54}};
  LimberNodeId node[20];
  for (int a = 0; a < 20; a++) node[a] = (LimberNodeId){a + 1};
  for (int i = 0; i < 3; i++)
    for (unsigned seed = 0; seed < 5; seed++) {
      int nodes = cell_nodes(all[i].shape);
      random_restart(seed);
      mock_begin(&m, "solid", nodes == 8 ? "CCCCCCCC" : "PPPPPPPPPPPPPPPPPPPP");
      for (int a = 0; a < nodes; a++) {
        static const int edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                        {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
        Vec3 corner = vec3_add(vec3(a % 4 == 1 || a % 4 == 2, a % 4 > 1, a > 3), random_vector(0.1));
        m.x[a + 1][0] = a < 8 ? corner : vec3_mean(m.x[1 + edge[a - 8][0]][0], m.x[1 + edge[a - 8][1]][0]);
      }
      const LimberSolid p = {{&all[i].shape, node, 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, all[i].how, 0, 0};
      CHECK_STR(mock_build(&m, kind_of("solid"), &p), NULL);
      CHECK_INT(rank_of_element(&m, nodes, false), all[i].rank);
      mock_end(&m);
    }
}

// However the nodes of a cell are listed: turned so that another axis comes first, or mirrored.
TEST(a_solid_shell_finds_its_thickness) {
  static Mock m;
  static const LimberCellShape shape = LIMBER_HEXAHEDRON;
  static const LimberNodeId order[4][8] = {{{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}},
                                           {{1}, {4}, {8}, {5}, {2}, {3}, {7}, {6}},
                                           {{1}, {5}, {6}, {2}, {4}, {8}, {7}, {3}},
                                           {{5}, {6}, {7}, {8}, {1}, {2}, {3}, {4}}};
  double energy[4];
  for (int i = 0; i < 4; i++) {
    const LimberSolidShell p = {{&shape, order[i], 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, {0, 0, 0}, 0, 0};
    Vec3 x[8];
    random_restart(5);
    mock_begin(&m, "solid_shell", "CCCCCCCC");
    CHECK_STR(mock_build(&m, kind_of("solid_shell"), &p), NULL);
    for (int a = 0; a < 8; a++) {
      Vec3 at = m.x[m.item[0].node[a]][0];
      x[a] = vec3_add(at, vec3(0.3 * at.z * at.x, 0.1 * at.x * at.y, 0.2 * at.x * at.x + 0.1 * at.z * at.y));
    }
    energy[i] = element_energy(m.kind, m.item[0].data, x);
    mock_end(&m);
  }
  for (int i = 1; i < 4; i++) CHECK_REL(energy[i], energy[0], 1e-13);
}

TEST(a_cell_without_shortest_edges_must_be_told_its_thickness) {
  static Mock m;
  static const LimberCellShape shape = LIMBER_HEXAHEDRON;
  static const LimberNodeId node[8] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
  for (int given = 0; given < 2; given++) {
    const LimberSolidShell p = {{&shape, node, 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, {0, 0.1, given}, 0, 0};
    mock_begin(&m, "solid_shell", "CCCCCCCC");
    for (int a = 0; a < 8; a++) m.x[a + 1][0] = vec3(a % 4 == 1 || a % 4 == 2, a % 4 > 1, a > 3);
    LimberSolidShell q = p;
    q.across[1] *= given;
    const char *wrong = mock_build(&m, kind_of("solid_shell"), &q);
    CHECK_INT(wrong == NULL, given);
    if (wrong) CHECK(strstr(wrong, "across"));
    mock_end(&m);
  }
}

// ---- bending ----

static void rest(LimberModel m, LimberNodeId node, double *x) {
  const LimberOptions options = {.cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_DECAYING_A, .step = 1e6};
  LimberRun run;
  LimberOutcome o;
  CHECK_STR(limber_model_diagnostics(m), "");
  CHECK_OK(LimberRunCreate(m, &options, &run));
  for (int i = 0; i < 8; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
  }
  CHECK_OK(LimberRunGetNode(run, node, x, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
}

static const double length = 10, depth = 0.1, modulus = 1e5, push = 1e-6;

// The deflection of a cantilever of depth d by a force on its end, over that of Timoshenko's beam with the shear factor k.
static double over_beam(double w, double d, double width, double nu, double k) {
  double bend = modulus * width * d * d * d / 12, shear = k * modulus / (2 * (1 + nu)) * width * d;
  return w / (push * pow(length, 3) / (3 * bend) + push * length / shear);
}

static double plane_cantilever(int n, double nu, double d) {
  const LimberPlaneBeam p = {
      .end = {length, 0, 0}, .depth = d, .width = 1, .elements = n, .material = {.E = modulus, .nu = nu, .density = 1}};
  LimberModel m;
  LimberElementId beam;
  LimberNodeId ground;
  double x[3];
  CHECK_OK(LimberModelCreate(&m));
  CHECK_OK(LimberModelAddFixed(m, NULL, (double[]){0, 0, 0}, NULL, &ground));
  CHECK_OK(LimberModelAddPlaneBeam(m, "beam", &p, &beam));
  for (int side = 0; side < 2; side++) {
    LimberRigidTie bolt = {ground, limber_model_element_node(m, beam, side)};
    LimberForce force = {limber_model_element_node(m, beam, 2 * n + side), {0, push / 2, 0}, LIMBER_NO_FUNCTION};
    CHECK_OK(LimberModelAddRigidTie(m, NULL, &bolt, NULL));
    CHECK_OK(LimberModelAddForce(m, NULL, &force, NULL));
  }
  rest(m, limber_model_element_node(m, beam, 2 * n), x);
  CHECK_OK(LimberModelDestroy(&m));
  return over_beam(x[1] + 0.5 * d, d, 1, nu, 1);
}

// A linear curvature is constant in each element: the error of bending is 1/(4 n^2), whatever the depth or nu.
TEST(a_plane_beam_bends_as_a_beam) {
  for (int n = 1; n <= 16; n *= 2) {
    double thin = plane_cantilever(n, 0, depth), thick = plane_cantilever(n, 0, 1),
           nu = plane_cantilever(n, 0.4, depth);
    double expected = 1 - 1 / (4.0 * n * n);
    CHECK_NOTE("%d elements: %.6f, thick %.6f, nu = 0.4 %.6f of the beam; expected %.6f", n, thin, thick, nu, expected);
    CHECK_NEAR(thin, expected, 1e-4); // the shear that is exact is 1e-4 of the whole; the thick beam's 1 %
    CHECK_NEAR(nu, expected, 1e-4);
    CHECK_NEAR(thick, expected, 4e-3);
  }
}

static double box_cantilever(CellShape s, const char *plane, int n, double nu, double d) {
  bool flat = cell_dimension(s) == 2;
  const LimberMaterial material = {.E = modulus, .nu = nu, .density = 1};
  const Box box = {s, {n, 1, 1}, {length, flat ? d : 1, flat ? 1 : d}, 0, true};
  BoxModel b;
  double x[3];
  CHECK_OK(BoxCreate(&box, &material, plane, &b));
  int nodes = b.m[1] * b.m[2];
  for (int i = 0; i < nodes; i++) {
    LimberForce f = {box_node(&b, b.m[0] - 1, i % b.m[1], i / b.m[1]), {0, 0, 0}, LIMBER_NO_FUNCTION};
    f.direction[flat ? 1 : 2] = push / nodes;
    CHECK_OK(LimberModelAddForce(b.model, NULL, &f, NULL));
  }
  rest(b.model, box_node(&b, b.m[0] - 1, 0, 0), x);
  CHECK_OK(BoxDestroy(&b));
  return over_beam(x[flat ? 1 : 2], d, 1, nu, flat ? 1 : 5.0 / 6);
}

// With all four points a bent cell of length l and depth d has parasitic shear, G/E (l/d)^2 of its bending.
TEST(the_same_cells_integrated_in_full_lock) {
  double locked = box_cantilever(LIMBER_QUADRILATERAL, NULL, 10, 0, depth),
         brick = box_cantilever(LIMBER_HEXAHEDRON, NULL, 10, 0, depth);
  CHECK_NOTE("quadrilaterals %.4f, hexahedra %.4f of the beam", locked, brick); // 0.0196 both
  CHECK_NEAR(locked, 1 / (1 + 0.5 * pow(length / 10 / depth, 2)), 1e-3);
  CHECK_NEAR(brick, locked, 1e-3);
}

TEST(a_strip_of_solid_shell_bends_as_a_beam) {
  for (int n = 4; n <= 16; n *= 2) {
    double thin = box_cantilever(LIMBER_HEXAHEDRON, "shell", n, 0, 0.01);
    double thick = box_cantilever(LIMBER_HEXAHEDRON, "shell", n, 0, 0.5);
    double nu = box_cantilever(LIMBER_HEXAHEDRON, "shell", n, 0.3, depth), expected = 1 - 1 / (4.0 * n * n);
    CHECK_NOTE("%d elements: thin %.6f, thick %.6f, nu = 0.3 %.6f; expected %.6f", n, thin, thick, nu, expected);
    CHECK_NEAR(thin, expected, 1e-4);
    CHECK_NEAR(thick, expected, 4e-3);
    CHECK_NEAR(nu, 1, 0.05); // the clamped end keeps its width
  }
}

// A square plate held at its edges, of side 1 and thickness t, with a force in its middle: over 0.00560 F a^2/D (Timoshenko &
// Woinowsky-Krieger).
static double plate(int n, double t) {
  const LimberMaterial material = {.E = modulus, .nu = 0.3, .density = 1};
  const Box box = {LIMBER_HEXAHEDRON, {n, n, 1}, {1, 1, t}, 0, false};
  BoxModel b;
  LimberNodeId ground;
  double x[3], bend = modulus * t * t * t / (12 * (1 - 0.09)), force = 1e-3 * t * bend / 0.00560;
  CHECK_OK(BoxCreate(&box, &material, "shell", &b));
  CHECK_OK(LimberModelAddFixed(b.model, NULL, (double[]){0, 0, 0}, NULL, &ground));
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      for (int k = 0; k < 2; k++) {
        LimberNodeId node = box_node(&b, i, j, k);
        bool edge = i == 0 || j == 0 || i == n || j == n;
        if (edge) CHECK_OK(LimberModelAddRigidTie(b.model, NULL, &(LimberRigidTie){ground, node}, NULL));
      }
  for (int k = 0; k < 2; k++)
    CHECK_OK(LimberModelAddForce(
        b.model, NULL, &(LimberForce){box_node(&b, n / 2, n / 2, k), {0, 0, force / 2}, LIMBER_NO_FUNCTION}, NULL));
  rest(b.model, box_node(&b, n / 2, n / 2, 0), x);
  CHECK_OK(BoxDestroy(&b));
  return x[2] / (0.00560 * force / bend);
}

TEST(a_plate_of_solid_shell_bends_as_a_plate) {
  double coarse = plate(4, 0.01), fine = plate(8, 0.01), thin = plate(8, 0.001);
  double finest = plate(16, 0.01);
  CHECK_NOTE("4 x 4 %.4f, 8 x 8 %.4f, 16 x 16 %.4f, ten times thinner 8 x 8 %.4f", coarse, fine, finest, thin);
  CHECK_NEAR(coarse, 1, 0.14);
  CHECK_NEAR(fine, 1, 0.035);
  CHECK_NEAR(finest, 1, 0.01);
  CHECK_NEAR(thin, fine, 5e-3);
}

// ---- bolted to rigid bodies, in motion ----

typedef enum { BODY_FRAME, BODY_POINTS } BodyKind;

typedef struct {
  LimberModel model;
  LimberElementId beam;
} Rotor;

// A free disk of radius 3 with a beam on its rim that starts to bend.
static Rotor rotor_of(BodyKind kind, LimberMassMatrix inertia) {
  const LimberPlaneBeam p = {.start = {3, 0, 0},
                             .end = {8, 0, 0},
                             .depth = 0.2,
                             .width = 1,
                             .elements = 5,
                             .material = {.E = 1e4, .density = 2},
                             .inertia = inertia};
  const double mass = 5;
  Rotor r;
  LimberNodeId body, hub;
  CHECK_OK(LimberModelCreate(&r.model));
  CHECK_OK(LimberModelAddFrame(r.model, "hub", (double[]){0, 0, 0}, NULL, &hub));
  if (kind == BODY_FRAME) {
    LimberRigidBody b = {.node = hub, .mass = mass, .inertia = {mass * 9 / 4, mass * 9 / 4, mass * 9 / 2, 0, 0, 0}};
    CHECK_OK(LimberModelAddRigidBody(r.model, "disk", &b, NULL));
    body = hub;
  } else {
    double flat = 1 - 1e-6; // a little thickness, so that it can carry the hub's axes
    LimberSimplexBody b = {.mass = mass, .inertia = {mass * 9 / 4, mass * 9 / 4, mass * 9 / 2 * flat, 0, 0, 0}};
    LimberElementId disk;
    CHECK_OK(LimberModelAddSimplexBody(r.model, "disk", &b, &disk));
    body = LIMBER_BODY(disk);
    CHECK_OK(LimberModelAddWeld(r.model, "hub", &(LimberWeld){{body, hub}}, NULL));
  }
  CHECK_OK(LimberModelAddPlaneBeam(r.model, "beam", &p, &r.beam));
  for (int side = 0; side < 2; side++) {
    LimberRigidTie bolt = {body, limber_model_element_node(r.model, r.beam, side)};
    CHECK_OK(LimberModelAddRigidTie(r.model, NULL, &bolt, NULL));
  }
  for (int i = 0; i < 2 * 6; i++)
    CHECK_OK(LimberModelSetVelocity(r.model, limber_model_element_node(r.model, r.beam, i),
                                    (double[]){0, 0.05 * (i / 2) * (i / 2), 0}, NULL));
  CHECK_STR(limber_model_diagnostics(r.model), "");
  return r;
}

typedef struct {
  double energy, momentum, angular, grown, joints, lost, tip[3];
} Flight;

static Flight fly(LimberModel model, LimberNodeId tip, const char *scheme, double h, int steps) {
  const LimberOptions options = {
      .cookie = OPTIONS_COOKIE, .scheme = limber_scheme_find(scheme), .rho_inf = 0.5, .step = h, .tolerance = 1e-16};
  LimberRun run;
  LimberOutcome o;
  LimberLedger l = {0};
  Flight f = {0};
  double p0[3], j0[3], p[3], j[3], before = 0, start = 0;
  CHECK_OK(LimberRunCreate(model, &options, &run));
  CHECK_OK(LimberRunGetMomentum(run, p0, j0));
  for (int i = 0; i < steps; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    CHECK_OK(LimberRunGetLedger(run, &l));
    CHECK_OK(LimberRunGetMomentum(run, p, j));
    double energy = l.kinetic + l.strain + l.scheme_energy;
    if (i == 0) start = energy + l.dissipated;
    else f.grown = fmax(f.grown, (energy - before) / start);
    before = energy, f.energy = fmax(f.energy, fabs(energy / start - 1));
    for (int d = 0; d < 3; d++) {
      f.momentum = fmax(f.momentum, fabs(p[d] - p0[d]) / vec3_norm(vec3_of(p0)));
      f.angular = fmax(f.angular, fabs(j[d] - j0[d]) / vec3_norm(vec3_of(j0)));
    }
    f.joints = fmax(f.joints, fabs(l.joints) / start);
  }
  CHECK_LT(1e-4, l.strain / start); // it does deform
  f.lost = l.dissipated / start;
  CHECK_OK(LimberRunGetNode(run, tip, f.tip, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  return f;
}

TEST(a_beam_bolted_to_a_body_keeps_energy_and_momentum_and_the_bolts_do_no_work) {
  static const char *const inertias[] = {"lumped", "consistent"};
  for (int kind = BODY_FRAME; kind <= BODY_POINTS; kind++)
    for (int i = 0; i < 2; i++) {
      Rotor r = rotor_of((BodyKind)kind, (LimberMassMatrix)i);
      Flight f = fly(r.model, limber_model_element_node(r.model, r.beam, 10), "preserving", 0.1, 100);
      CHECK_NOTE("%s, %s: energy %.1e, momentum %.1e, angular %.1e, joints %.1e", kind ? "points" : "frame",
                 inertias[i], f.energy, f.momentum, f.angular, f.joints);
      CHECK_LE(f.energy, 1e-11);
      CHECK_LE(f.momentum, 1e-12);
      CHECK_LE(f.angular, 1e-12);
      CHECK_LE(f.joints, 1e-12);
      CHECK_OK(LimberModelDestroy(&r.model));
    }
}

TEST(a_beam_bolted_to_a_body_never_gains_energy_in_decaying_schemes) {
  static const char *const schemes[] = {"decaying", "decaying_a", "decaying_c"};
  for (int i = 0; i < 3; i += CHECK_EVERY(2)) {
    Rotor r = rotor_of(BODY_FRAME, LIMBER_MASS_CONSISTENT);
    Flight f = fly(r.model, limber_model_element_node(r.model, r.beam, 10), schemes[i], 0.05, 100);
    CHECK_NOTE("%s: lost %.2e, largest gain in a step %.1e, joints %.1e", schemes[i], f.lost, f.grown, f.joints);
    CHECK_LE(f.grown, 1e-12);
    CHECK_LT(0, f.lost);
    CHECK_LE(f.momentum, 1e-12);
    CHECK_OK(LimberModelDestroy(&r.model));
  }
}

TEST(a_body_of_points_carries_a_beam_as_a_frame_does) {
  double tip[2][3];
  for (int kind = BODY_FRAME; kind <= BODY_POINTS; kind++) {
    Rotor r = rotor_of((BodyKind)kind, LIMBER_MASS_LUMPED);
    Flight f = fly(r.model, limber_model_element_node(r.model, r.beam, 10), "preserving", 0.1, 50);
    memcpy(tip[kind], f.tip, sizeof f.tip);
    CHECK_OK(LimberModelDestroy(&r.model));
  }
  double off = vec3_norm(vec3_sub(vec3_of(tip[0]), vec3_of(tip[1])));
  CHECK_NOTE("tips are %.1e m apart", off);
  CHECK_LE(off, 1e-4); // the thickness takes 1e-6 of the inertia
}

TEST(a_free_shell_keeps_energy_and_momentum) {
  const LimberMaterial material = {.E = 2e4, .nu = 0.3, .density = 100};
  const Box box = {LIMBER_HEXAHEDRON, {4, 3, 1}, {0.4, 0.3, 0.02}, 0.1, false};
  BoxModel b;
  CHECK_OK(BoxCreate(&box, &material, "shell", &b));
  CHECK_OK(LimberModelSetRigidVelocity(b.model, (double[]){0.5, 1, 0.2}, (double[]){3, 8, 12}));
  Flight f = fly(b.model, box_node(&b, 0, 0, 0), "preserving", 2e-3, 100);
  CHECK_NOTE("energy %.1e, momentum %.1e, angular %.1e", f.energy, f.momentum, f.angular);
  CHECK_LE(f.energy, 1e-11);
  CHECK_LE(f.momentum, 1e-12);
  CHECK_LE(f.angular, 1e-11);
  CHECK_OK(BoxDestroy(&b));
}

CHECK_MAIN_PETSC
