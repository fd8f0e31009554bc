// SPDX-License-Identifier: Apache-2.0
// Elements side by side against the same elements one by one: every kind that has lanes, every shape of it.
#include "check.h"
#include "contract.h"
#include "mechanics/batch.h"
#include "mechanics/cell.h"

static const ElementKind *kind_of(const char *name) {
  int i = 0;
  while (element_kinds[i] && strcmp(element_kinds[i]->name, name)) i++;
  return element_kinds[i];
}

// ---- batches of a model of one item ----

enum { MOST_BLOCKS = 2 * (MAX_ORDER + 1), MOST_SIZE = 9 * MAX_STAGES * MAX_STAGES };

// The first blocks of a lane's element stand in the first array of the tangent, the others in the second; node `foreign` is
// another rank's, so that its rows are nobody's here.
typedef struct {
  int node[BATCH_WIDTH * MOST_BLOCKS], block[BATCH_WIDTH * MOST_BLOCKS], slot[BATCH_WIDTH * MOST_BLOCKS * MOST_BLOCKS];
  double residual[BATCH_WIDTH * MOST_BLOCKS * 3 * MAX_STAGES],
      value[2][BATCH_WIDTH * MOST_BLOCKS * MOST_BLOCKS * MOST_SIZE];
  char packed[1 << 14];
} Lay;

static bool is_moving(const Mock *m, const MockItem *e, int a) { return m->node[e->node[a]] == NODE_FRAME; }

// Elements `which` in the lanes, those beyond `count` as the first.
static void lay_out(const Mock *m, const int *which, int count, int foreign, Lay *q) {
  const void *data[BATCH_WIDTH];
  int nnode = m->item[which[0]].nnode, n = 2 * nnode;
  memset(q, 0, sizeof *q);
  for (int i = 0; i < BATCH_WIDTH * n * n; i++) q->slot[i] = NO_SLOT;
  for (int l = 0; l < BATCH_WIDTH; l++) {
    const MockItem *e = &m->item[which[l < count ? l : 0]];
    data[l] = e->data;
    for (int a = 0; a < nnode; a++) {
      bool rows = l < count && is_moving(m, e, a) && a != foreign;
      q->node[BATCH_WIDTH * a + l] = e->node[a], q->block[BATCH_WIDTH * a + l] = rows ? l * n + 2 * a : -1;
      for (int i = 0; i < 2 * n && rows; i++) {
        int row = 2 * a + i / n, col = i % n, at = (l * n + row) * n + col;
        if (is_moving(m, e, col / 2)) q->slot[BATCH_WIDTH * (row * n + col) + l] = col < 3 ? at : -1 - at;
      }
    }
  }
  m->kind->batch->pack(data, q->packed);
}

// What each element remembers; all of them the same step.
enum { MOST_PAST = 6 * MAX_ORDER };
static const Recall recall = {.delta = 0.06, .keep = 0.8, .rate = 1.5, .before = -0.5};
static double past[MOCK_ELEMENTS][MOST_PAST];

static void evaluate(const Mock *m, const int *which, int count, const Tableau *t, double h, const MockMotion *q,
                     bool tangent, Lay *lay) {
  static NodeMotion motion[MOCK_NODES * MAX_STAGES];
  for (int i = 0; i < m->nnode; i++)
    for (int k = 0; k < t->s; k++)
      node_motion(m->node[i], t->force_rule, q->xn[i], q->u[i][k], q->c[i][k], &motion[i * t->s + k]);
  BatchStep step = {.node = lay->node,
                    .block = lay->block,
                    .slot = lay->slot,
                    .xn = q->xn[0],
                    .motion = motion,
                    .t = t,
                    .h = h,
                    .residual = lay->residual,
                    .value = {lay->value[0], lay->value[1]},
                    .tangent = tangent,
                    .recall = &recall};
  for (int l = 0; l < BATCH_WIDTH; l++) step.past[l] = past[which[l < count ? l : 0]];
  m->kind->batch->evaluate(lay->packed, &step);
}

// An entry of a lane's tangent as its rows and columns are counted over all nodes, those without unknowns too.
static double *entry(Lay *q, int n, int s, int lane, int row, int col) {
  int bs = 3 * s, block = row / bs, other = col / bs;
  double *to = q->value[other >= 3] + ((lane * n + block) * n + other) * bs * bs;
  return to + col % bs * bs + row % bs;
}

// The largest difference of a lane from its element alone, over the largest number of either; and clears the lane.
static double difference(const Mock *m, const MockItem *e, const Tableau *t, double h, const MockMotion *q, int foreign,
                         int lane, bool tangent, Lay *lay) {
  static Local alone;
  LocalMotion it;
  int n = 2 * e->nnode, s = t->s, bs = 3 * s;
  double off[2] = {0, 0}, most[2] = {0, 0};
  motion_item(m, q, e, t->force_rule, &it);
  local_begin(&alone, s, it.nblock, tangent);
  element_evaluate(m->kind, e->data, &(ElementStep){.t = t, .h = h, .recall = &recall, .past = past[e - m->item]}, &it,
                   &alone);
  for (int a = 0; a < e->nnode; a++)
    for (int i = 0; i < 2 * bs && it.block[a] >= 0 && a != foreign; i++) {
      int row = it.block[a] * bs + i;
      double *r = &lay->residual[(lane * n + 2 * a) * bs + i];
      off[0] = worse(off[0], fabs(*r - alone.r[row])), most[0] = worse(most[0], fabs(*r)), *r = 0;
      for (int b = 0; b < e->nnode && tangent; b++)
        for (int j = 0; j < 2 * bs && it.block[b] >= 0; j++) {
          double *k = entry(lay, n, s, lane, 2 * a * bs + i, 2 * b * bs + j);
          double other = alone.k[row * alone.n + it.block[b] * bs + j];
          off[1] = worse(off[1], fabs(*k - other)), most[1] = worse(most[1], fabs(*k)), *k = 0;
        }
    }
  if (!(most[0] > 0) || (tangent && !(most[1] > 0))) return HUGE_VAL;
  return worse(off[0] / most[0], tangent ? off[1] / most[1] : 0);
}

// What is left where no element should have written.
static double left_over(const Lay *q) {
  double most = 0;
  for (size_t i = 0; i < sizeof q->residual / sizeof(double); i++) most = worse(most, fabs(q->residual[i]));
  for (size_t i = 0; i < sizeof q->value[0] / sizeof(double); i++)
    most = worse(worse(most, fabs(q->value[0][i])), fabs(q->value[1][i]));
  return most;
}

// Two stages of a decaying scheme, three, one with its forces at the mean, along the chord and at the end.
static Tableau place_of(int i) {
  if (i == 0) return tableau_end();
  return tableau_any(i < 3 ? 1 : i - 1, i == 2 || i == 4 ? FORCE_CHORD : i == 1 ? FORCE_MEAN : FORCE_CHORD);
}
enum { PLACES = 5 };

static double batch_error(const Mock *m, const int *which, int count, int foreign) {
  static Lay lay;
  double worst = 0;
  MockMotion q;
  for (int i = 0; i < PLACES; i++)
    for (int tangent = 0; tangent < 2; tangent++) {
      Tableau t = place_of(i);
      motion_random(m, t.s, &q);
      for (int e = 0; e < MOCK_ELEMENTS * MOST_PAST; e++) past[e / MOST_PAST][e % MOST_PAST] = random_in(-1, 1);
      lay_out(m, which, count, foreign, &lay);
      evaluate(m, which, count, &t, 0.3, &q, tangent, &lay);
      for (int l = 0; l < count; l++)
        worst = worse(worst, difference(m, &m->item[which[l]], &t, 0.3, &q, foreign, l, tangent, &lay));
      worst = worse(worst, left_over(&lay) == 0 ? 0 : HUGE_VAL);
    }
  return worst;
}

// ---- beams ----

static const LimberSection *straight_section(ElementBuilder *b, LimberSectionId id, int *stations) { // couples no rows
  static LimberSection s;
  (void)b, (void)id;
  s = (LimberSection){.mass = 1.2, .inertia = {{0.03, 0, 0}, {0, 0.02, 0}, {0, 0, 0.01}}};
  for (int i = 0; i < 6; i++) s.stiffness[i][i] = 50 + 13 * i;
  *stations = 1;
  return &s;
}

enum { STIFFNESS_DIAGONAL = SECTIONS, STIFFNESSES };

static void build_beam(Mock *m, int order, int stiffness, double damping) {
  mock_begin(m, "beam", "FF"); // whose axes are not those of the section
  if (stiffness == STIFFNESS_DIAGONAL) m->builder.section = straight_section;
  LimberBeam p = {.from = {1},
                  .to = {2},
                  .section = {stiffness == STIFFNESS_DIAGONAL ? 0 : stiffness},
                  .elements = 11,
                  .order = order,
                  .up = {0.2, 1, 0.3},
                  .twist = 0.7,
                  .damping = damping};
  CHECK_STR(mock_build(m, kind_of("beam"), &p), NULL);
}

TEST(beams_side_by_side_are_as_one_by_one) {
  static Mock m;
  static const int which[][BATCH_WIDTH] = {{0, 1, 2, 3, 4, 5, 6, 7}, {10, 3, 0, 7, 9, 1, 2, 8}, {4, 5, 6}, {10}};
  static const int count[] = {8, 8, 3, 1};
  random_restart(3);
  for (int order = 1; order <= MAX_ORDER; order++) {
    double worst = 0;
    for (int stiffness = 0; stiffness < STIFFNESSES; stiffness++)
      for (int b = 0; b < 4; b++) {
        build_beam(&m, order, stiffness, b % 2 ? 0.03 : 0);
        if (b == 1) m.node[1] = m.node[2] = NODE_FIXED;
        worst = worse(worst, batch_error(&m, which[b], count[b], b == 2 ? 1 : -1));
        mock_end(&m);
      }
    CHECK_LE(worst, 30 * EPS);
    CHECK_NOTE("order %d: %.1e", order, worst);
  }
}

// To the bit: a dot product at rest is the one that the reference was taken with, however far from the origin.
TEST(a_beam_at_rest_is_free_of_force) {
  static Mock m;
  static Lay lay;
  static const int which[BATCH_WIDTH] = {0, 1, 5, 10};
  random_restart(9);
  for (int order = 1; order <= MAX_ORDER; order++)
    for (int i = 0; i < PLACES; i++) {
      Tableau t = place_of(i);
      MockMotion q;
      int bs = 3 * t.s, acting = 0;
      build_beam(&m, order, STIFFNESS_DIAGONAL, 0.01);
      motion_rest(&m, t.s, &q);
      lay_out(&m, which, 4, -1, &lay);
      memset(past, 0, sizeof past);
      evaluate(&m, which, 4, &t, 0.1, &q, false, &lay);
      for (int block = 0; block < 4 * 2 * (order + 1); block += 2)
        for (int j = 0; j < bs; j++) acting += lay.residual[block * bs + j] != 0;
      CHECK_INT(acting, 0);
      mock_end(&m);
    }
}

// Bit by bit: beside other elements, in another lane, alone.
TEST(an_element_is_the_same_beside_any_others) {
  static Mock m;
  static Lay first, other;
  static const int beside[][BATCH_WIDTH] = {{5, 1, 2, 3, 4, 0, 6, 7}, {9, 8, 10, 0, 2, 5, 4, 1}, {3, 5}, {5}};
  static const int lane[] = {0, 5, 1, 0}, count[] = {8, 8, 2, 1};
  for (int order = 1; order <= MAX_ORDER; order++) {
    Tableau t = tableau_c(0.4);
    MockMotion q;
    int n = 2 * (order + 1), bs = 3 * t.s, different = 0;
    tableau_complete(&t);
    random_restart(5);
    build_beam(&m, order, SECTION_THREE, 0.02);
    motion_random(&m, t.s, &q);
    for (int b = 0; b < 4; b++) {
      Lay *to = b == 0 ? &first : &other;
      lay_out(&m, beside[b], count[b], -1, to);
      evaluate(&m, beside[b], count[b], &t, 0.2, &q, true, to);
      for (int i = 0; i < n * bs; i++) {
        different += to->residual[lane[b] * n * bs + i] != first.residual[i];
        for (int j = 0; j < n * bs; j++)
          different += *entry(to, n, t.s, lane[b], i, j) != *entry(&first, n, t.s, 0, i, j);
      }
    }
    CHECK_INT(different, 0);
    mock_end(&m);
  }
}

// ---- frames ----

enum { FRAMES = 9, FRAME_SIZE = 2 * 3 * MAX_STAGES };

// Frames at random, the ground before them, with a body, velocities, and a field that acts on half of their masses.
typedef struct {
  Tableau t;
  Vec3 x[FRAMES][4], v[FRAMES][4], centre_velocity, pull[MAX_STAGES];
  double unknown[FRAMES * FRAME_SIZE], mass[FRAMES][4][4], first[FRAMES][4];
  Inertia body[FRAMES];
  AmbientRates rates[FRAMES];
} Frames;

static void random_frames(const Tableau *t, double h, Frames *q) {
  *q = (Frames){.t = *t, .centre_velocity = random_vector(1)};
  for (int k = 0; k < t->s; k++) q->pull[k] = random_vector(9);
  for (int i = 0; i < FRAMES; i++) {
    random_frame(q->x[i]);
    q->body[i] = random_inertia();
    inertia_ambient(&q->body[i], q->mass[i]);
    for (int j = 0; j < 4; j++) q->v[i][j] = random_vector(1), q->first[i][j] = 0.5 * q->mass[i][0][j];
    ambient_rates(t, h, 4, q->v[i], &q->rates[i]);
    for (int k = 0; k < t->s; k++) {
      vec3_to(random_vector(1), &q->unknown[6 * t->s * i + 3 * k]);
      vec3_to(random_turn(2.5), &q->unknown[6 * t->s * i + 3 * (t->s + k)]);
    }
  }
}

static void frame_alone(const Frames *q, double h, bool material, int i, NodeMotion *m, Local *out) {
  const Tableau *t = &q->t;
  const double *at = &q->unknown[6 * t->s * i];
  Vec3 u[MAX_STAGES], c[MAX_STAGES], f[4];
  for (int k = 0; k < t->s; k++) {
    u[k] = vec3_of(at + 3 * k), c[k] = vec3_of(at + 3 * (t->s + k));
    node_motion(NODE_FRAME, t->force_rule, q->x[i], u[k], c[k], &m[k]);
  }
  local_clear(out, t->s, 2);
  if (material) {
    Vec3 vn[2] = {vec3_sub(q->v[i][0], mat3_apply_transpose(node_axes(q->x[i]), q->centre_velocity)), q->v[i][1]};
    material_inertia(t, h, &q->body[i], q->centre_velocity, q->x[i], vn, NULL, u, c, out);
  } else ambient_inertia(NODE_FRAME, t->s, q->mass[i], &q->rates[i], m, out);
  for (int k = 0; k < t->s; k++) {
    load_on_mass(q->pull[k], 4, q->first[i], f);
    node_add_force(out, NODE_FRAME, 0, &m[k], k, f);
  }
}

// Lane l has frame l + 1; lanes beyond `count` repeat the first, without rows.
static double frames_error(const Tableau *t, int count, bool material, bool tangent, int *other_motions) {
  static NodeMotion motion[FRAMES * MAX_STAGES], m[MAX_STAGES];
  static double residual[FRAMES * FRAME_SIZE], value[2][4 * BATCH_WIDTH * MOST_SIZE];
  static Local alone;
  static Frames q;
  int node[BATCH_WIDTH], from[BATCH_WIDTH], block[BATCH_WIDTH], slot[4 * BATCH_WIDTH], s = t->s, bs = 3 * s;
  double off[2] = {0, 0}, most[2] = {0, 0};
  random_frames(t, 0.3, &q);
  memset(residual, 0, sizeof residual), memset(value, 0, sizeof value), memset(motion, 0, sizeof motion);
  FrameBatchStep f = {.step = {.node = node,
                               .block = block,
                               .slot = slot,
                               .xn = q.x[0],
                               .t = t,
                               .h = 0.3,
                               .residual = residual,
                               .value = {value[0], value[1]},
                               .tangent = tangent},
                      .filled = count,
                      .from = from,
                      .unknown = q.unknown,
                      .motion = motion,
                      .inertia = true,
                      .material = material,
                      .body = q.body,
                      .mass = (const double(*)[4][4])q.mass,
                      .v = q.v[0],
                      .nfield = 1};
  AmbientRates rates[BATCH_WIDTH];
  for (int l = 0; l < BATCH_WIDTH; l++) {
    node[l] = l < count ? l + 1 : 1, from[l] = 2 * node[l], block[l] = l < count ? 2 * node[l] : -1;
    rates[l] = q.rates[node[l]], f.centre_velocity[l] = &q.centre_velocity, f.field[0].first[l] = q.first[node[l]];
    for (int i = 0; i < 4; i++) slot[BATCH_WIDTH * i + l] = l >= count ? NO_SLOT : i % 2 ? -1 - (4 * l + i) : 4 * l + i;
  }
  f.rates = rates;
  memcpy(f.field[0].acceleration, q.pull, sizeof q.pull);
  frames_evaluate(&f);
  for (int l = 0; l < count; l++) {
    frame_alone(&q, 0.3, material, node[l], m, &alone);
    *other_motions += memcmp(m, &motion[s * node[l]], (size_t)s * sizeof *m) != 0;
    for (int i = 0; i < 2 * bs; i++) {
      double r = residual[2 * bs * node[l] + i];
      off[0] = worse(off[0], fabs(r - alone.r[i])), most[0] = worse(most[0], fabs(r));
      for (int j = 0; j < 2 * bs && tangent; j++) {
        int pair = 2 * (i / bs) + j / bs;
        double k = value[pair % 2][(4 * l + pair) * bs * bs + j % bs * bs + i % bs];
        off[1] = worse(off[1], fabs(k - alone.k[i * alone.n + j])), most[1] = worse(most[1], fabs(k));
      }
    }
  }
  if (!(most[0] > 0) || (tangent && !(most[1] > 0))) return HUGE_VAL;
  return worse(off[0] / most[0], tangent ? off[1] / most[1] : 0);
}

TEST(frames_side_by_side_are_as_one_by_one) {
  random_restart(21);
  for (int material = 0; material < 2; material++) {
    double worst = 0;
    int other_motions = 0;
    for (int i = 0; i < PLACES; i++)
      for (int tangent = 0; tangent < 2; tangent++) {
        Tableau t = place_of(i);
        if (i == 0) t.inverse[0][0] = 1;
        for (int count = 2; count < BATCH_WIDTH; count += 2) // of few only the first half is evaluated
          worst = worse(worst, frames_error(&t, count, material, tangent, &other_motions));
      }
    CHECK_INT(other_motions, 0); // to the bit
    CHECK_LE(worst, 30 * EPS);
    CHECK_NOTE("%s: %.1e", material ? "material" : "ambient", worst);
  }
}

CHECK_MAIN
