// SPDX-License-Identifier: Apache-2.0
#include "contract.h"

#include "base/limits.h"
#include "mechanics/reduction.h"
#include "model/adders.h"
#include "model/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers ----

double difference_size = 4e-3;
double motion_off = 0;

static unsigned long long state;

void random_restart(unsigned long long seed) { state = seed; }

// splitmix64
double random_in(double low, double high) {
  unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Vec3 random_vector(double size) {
  double x = random_in(-size, size), y = random_in(-size, size), z = random_in(-size, size);
  return vec3(x, y, z);
}

Vec3 random_turn(double most) {
  double phi = random_in(0, most);
  return vec3_scale(4 * tan(phi / 4), vec3_unit(random_vector(1)));
}

Mat3 random_rotation(void) { return rotation_matrix(random_turn(6)); }

void random_frame(Vec3 x[4]) {
  Mat3 r = random_rotation();
  x[0] = random_vector(1);
  for (int j = 0; j < 3; j++) x[j + 1] = mat3_column(r, j);
}

Inertia random_inertia(void) {
  Inertia q = {0, {0, 0, 0}, {{{0}}}};
  Vec3 centre = random_vector(0.4);
  for (int i = 0; i < 5; i++) {
    Inertia p = inertia_of_body(random_in(0.2, 1), vec3_add(centre, random_vector(0.6)), mat3_zero());
    inertia_add(&q, &p);
  }
  return q;
}

double mat3_distance(Mat3 a, Mat3 b) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) worst = worse(worst, fabs(a.m[i][j] - b.m[i][j]));
  return worst;
}

Vec3 tangent_vector(Vec3 c) { return vec3_scale(1 / (1 - vec3_dot(c, c) / 16), c); }

Vec3 conjugate_turn(ForceRule force_rule, Vec3 c) {
  switch (force_rule) {
  case FORCE_CHORD: return c;
  case FORCE_MEAN: return tangent_vector(c);
  case FORCE_END: return rotation_vector(rotation_matrix(c));
  }
  return c;
}

// ---- tableaux ----

Tableau tableau_preserving(void) { return (Tableau){.s = 1, .a = {{0.5}}, .b = {1}, .weight = {1}}; }

Tableau tableau_b(double beta) {
  return (Tableau){.s = 2, .a = {{0.5, 0.5}, {-beta, beta}}, .b = {1, 0}, .weight = {1, 1 / (2 * beta)}};
}

Tableau tableau_c(double rho) {
  double alpha = (1 - rho) / (1 + rho);
  return (Tableau){.s = 2, .a = {{0.5, 0.5}, {-1.0 / 6, alpha / 6}}, .b = {1, 0}, .weight = {1, 3}};
}

// W a is half of e0 e0^T + diag(loss) and any skew part.
Tableau tableau_three(void) {
  const double weight[3] = {1, 3, 0.5}, loss[3] = {0.25, 0.5, 2}, skew[3] = {0.5, -0.25, 0.75}; // 01, 02, 12
  const double wa[3][3] = {
      {0.5 * (1 + loss[0]), skew[0], skew[1]}, {-skew[0], 0.5 * loss[1], skew[2]}, {-skew[1], -skew[2], 0.5 * loss[2]}};
  Tableau t = {.s = 3, .b = {1, 0, 0}};
  for (int k = 0; k < 3; k++) {
    t.weight[k] = weight[k];
    for (int l = 0; l < 3; l++) t.a[k][l] = wa[k][l] / weight[k];
  }
  return t;
}

Tableau tableau_two_step(double delta) {
  Tableau t = tableau_preserving();
  t.delta = delta;
  return t;
}

Recall recall_sample(const Tableau *t) {
  Recall m = no_recall;
  if (t->delta > 0) m.delta = t->delta, m.keep = random_in(0.3, 1);
  return m;
}

Tableau tableau_sample(int i, ForceRule force_rule) {
  Tableau all[TABLEAUX] = {tableau_preserving(), tableau_c(0),   tableau_c(0.5),  tableau_c(1),
                           tableau_b(1.0 / 6),   tableau_b(0.4), tableau_three(), tableau_two_step(1.0 / 18)};
  all[i].force_rule = force_rule;
  tableau_complete(&all[i]);
  return all[i];
}

Tableau tableau_any(int s, ForceRule force_rule) { return tableau_sample(s == 1 ? 0 : s == 2 ? 2 : 6, force_rule); }

Tableau tableau_end(void) {
  Tableau t = {.s = 1, .force_rule = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}};
  tableau_complete(&t);
  return t;
}

// ---- the model ----

// A full stiffness B B^T + I, and the inertia of four particles off the line.
static LimberSection station(double at) {
  LimberSection s = {.at = at};
  double b[6][6];
  for (int i = 0; i < 36; i++) b[i / 6][i % 6] = random_in(-1, 1);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      s.stiffness[i][j] = 2 * (i == j);
      for (int k = 0; k < 6; k++) s.stiffness[i][j] += b[i][k] * b[j][k];
    }
  Inertia q = {0, {0, 0, 0}, {{{0}}}};
  Vec3 offset = vec3(0, 0.1, -0.15);
  for (int i = 0; i < 4; i++) { // in pairs before and behind the section's plane
    double m = random_in(0.2, 0.5), x = random_in(0.05, 0.1), y = random_in(-0.2, 0.2), z = random_in(-0.2, 0.2);
    for (int side = -1; side <= 1; side += 2) {
      Inertia p = inertia_of_body(m / 2, vec3_add(offset, vec3(side * x, y, z)), mat3_zero());
      inertia_add(&q, &p);
    }
  }
  s.mass = q.m, s.centre[0] = q.s.y / q.m, s.centre[1] = q.s.z / q.m;
  memcpy(s.inertia, q.j.m, sizeof s.inertia);
  return s;
}

const LimberSection *mock_section(int id, int *stations) {
  static LimberSection all[SECTIONS][3];
  static bool made;
  if (!made) {
    unsigned long long before = state;
    random_restart(11);
    const double at[3] = {0, 0.35, 1};
    for (int i = 0; i < 3; i++) all[SECTION_THREE][i] = station(at[i]);
    all[SECTION_TAPERED][0] = station(0), all[SECTION_TAPERED][1] = station(1);
    all[SECTION_UNIFORM][0] = station(0);
    state = before, made = true;
  }
  if (id < 0 || id >= SECTIONS) return NULL;
  *stations = id == SECTION_TAPERED ? 2 : id == SECTION_UNIFORM ? 1 : 3;
  return all[id];
}

static NodeKind builder_node(ElementBuilder *b, LimberNodeId id, Vec3 x[4]) {
  const Mock *m = b->self;
  memcpy(x, m->x[id.index], (size_t)node_vectors(m->node[id.index]) * sizeof *x);
  return m->node[id.index];
}

static LimberNodeId builder_add_node(ElementBuilder *b, NodeKind kind, const Vec3 x[4]) {
  Mock *m = b->self;
  if (m->nnode == MOCK_NODES) abort();
  m->node[m->nnode] = kind;
  memcpy(m->x[m->nnode], x, sizeof m->x[0]);
  return (LimberNodeId){m->nnode++};
}

static void *builder_allocate(ElementBuilder *b, size_t size) {
  Mock *m = b->self;
  if (m->nkept == MOCK_KEPT) abort();
  return m->kept[m->nkept++] = calloc(1, size);
}

static void builder_add_wheel(ElementBuilder *b, const Wheel *wheel, LimberNodeId node, LimberFunctionId motor) {
  (void)node, (void)motor;
  ((Mock *)b->self)->wheel = wheel;
}

static void builder_add_joint(ElementBuilder *b, const char *kind, const char *name, bool driven, const void *params) {
  (void)b, (void)kind, (void)name, (void)driven, (void)params;
}

static void builder_set_velocity(ElementBuilder *b, LimberNodeId id, Vec3 v) { (void)b, (void)id, (void)v; }

static void *builder_add_element(ElementBuilder *b, int nnode, const LimberNodeId *nodes) {
  Mock *m = b->self;
  if (m->ncomponents == MOCK_ELEMENTS) abort();
  MockItem *e = &m->item[m->ncomponents++];
  e->nnode = nnode;
  for (int a = 0; a < nnode; a++) e->node[a] = nodes[a].index;
  return e->data = builder_allocate(b, m->kind->data_size);
}

static const LimberSection *builder_section(ElementBuilder *b, LimberSectionId id, int *stations) {
  (void)b;
  return mock_section(id.index, stations);
}

static const char *builder_say(ElementBuilder *b, const char *format, ...) {
  static char text[400];
  va_list args;
  (void)b;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

// The item 0 is a line of one element between the nodes 1 and 2.
static int builder_line(ElementBuilder *b, LimberElementId component, int i, LimberNodeId *nodes, double *length) {
  (void)b;
  if (component.index != 0) return -1;
  nodes[0].index = 1, nodes[1].index = 2, length[0] = MOCK_LINE / 3, length[1] = 2 * MOCK_LINE / 3;
  return i ? 0 : 2;
}

// A point of it between its nodes, with straight vectors where these are frames.
static bool builder_line_point(ElementBuilder *b, LimberElementId component, int i, int g, double *weight, double *at,
                               Rows *y) {
  const Mock *m = b->self;
  const bool frames = m->node[1] != NODE_POINT && m->node[2] != NODE_POINT;
  (void)component, (void)i;
  *weight = MOCK_LINE / 2, *at = g ? 0.8 : 0.3;
  y->ny = y->start[0] = 0;
  for (int j = 0; j < (frames ? 4 : 1); j++) {
    rows_y(y);
    for (int a = 0; a < 2; a++) rows_y_add(y, a * node_vectors(m->node[1]) + j, a ? *at : 1 - *at);
  }
  return g < 2;
}

static LimberNodeId builder_add_states(ElementBuilder *b, Vec3 x) {
  return builder_add_node(b, NODE_POINT, (Vec3[4]){x});
}

// Of the one example that there is, which has no interfaces; it is kept.
static const Reduction *builder_reduce(ElementBuilder *b, const LimberReducedBody *p, Reason *wrong) {
  static Reduction made;
  static LimberModel model;
  const Reduction *r = NULL;
  (void)b;
  if (model) return &made;
  if (LimberModelCreate(&model) || ModelReduce(model, p, &r, wrong) || !r) return NULL;
  made = *r;
  return &made;
}

static void builder_add_interface(ElementBuilder *b, const InterfaceTie *tie) { (void)b, (void)tie; }

static void builder_add_wind(ElementBuilder *b, const Wind *wind) { (void)b, (void)wind; }

static const Wind *builder_wind(ElementBuilder *b, LimberElementId component) {
  (void)b, (void)component;
  return NULL;
}

void mock_begin(Mock *m, const char *name, const char *nodes) {
  memset(m, 0, sizeof *m);
  snprintf(m->name, sizeof m->name, "%s %s", name, nodes);
  m->builder = (ElementBuilder){m,
                                builder_node,
                                builder_add_node,
                                builder_add_element,
                                builder_set_velocity,
                                builder_allocate,
                                builder_add_joint,
                                builder_section,
                                builder_say,
                                builder_line,
                                builder_line_point,
                                builder_add_states,
                                builder_reduce,
                                builder_add_interface,
                                builder_add_wheel,
                                INT_MAX,
                                builder_add_wind,
                                builder_wind};
  m->node[m->nnode++] = NODE_FIXED;
  m->x[0][1] = vec3(1, 0, 0), m->x[0][2] = vec3(0, 1, 0), m->x[0][3] = vec3(0, 0, 1);
  for (; *nodes; nodes++) {
    random_frame(m->x[m->nnode]);
    int c = (m->nnode - 1) % 8; // corners of a flat box
    Vec3 corner = vec3(c % 4 == 1 || c % 4 == 2, 0.8 * (c % 4 > 1), 0.3 * (c > 3));
    if (*nodes == 'C') m->x[m->nnode][0] = vec3_add(corner, random_vector(0.05));
    m->node[m->nnode++] = *nodes == 'F' ? NODE_FRAME : NODE_POINT;
  }
}

void mock_end(Mock *m) {
  for (int i = 0; i < m->nkept; i++) free(m->kept[i]);
  m->nkept = 0;
}

bool mock_variant(Mock *m, int *i, const char *name, const FieldTable *t, const char *nodes, const void *example,
                  void *params) {
  int n = (int)strlen(nodes), coincide, flip, ground;
  for (;; ++*i) {
    coincide = *i & 1, flip = *i >> 1 & ((1 << n) - 1), ground = *i >> (n + 1);
    if (t->size > MOCK_PARAMS) abort(); // none is left out in silence
    if (ground > n || (n && nodes[0] == 'C' && flip)) return false;
    if (!(coincide && (n < 2 || ground)) && !(ground && flip >> (ground - 1) & 1)) break;
  }
  char kinds[MAX_LOCAL_NODES + 1] = "";
  for (int j = 0; j < n; j++) kinds[j] = (char)(flip >> j & 1 ? 'F' + 'P' - nodes[j] : nodes[j]);
  random_restart((unsigned long long)(1000 + *i));
  mock_begin(m, name, kinds);
  if (ground) snprintf(m->name, sizeof m->name, "%s %s, node %d the ground", name, kinds, ground);
  for (int j = 1; coincide && j < n; j++) m->x[j + 1][0] = m->x[1][0];
  memcpy(params, example, t->size);
  for (int f = 0; ground && f < t->count; f++) {
    LimberNodeId *at = (LimberNodeId *)((char *)params + t->field[f].offset);
    int count = t->field[f].type == FIELD_NODE ? 1 : t->field[f].type == FIELD_NODES ? t->field[f].count : 0;
    for (int j = 0; j < count; j++)
      if (at[j].index == ground) at[j] = LIMBER_GROUND;
  }
  return true;
}

const char *mock_build(Mock *m, const ElementKind *kind, const void *params) {
  m->kind = kind;
  return kind->build(params, &m->builder).text;
}

// A joint for each tie, between the first node and one of its own, with the coordinate that is wanted.
static const char *tie_joints(Mock *m, const JointKind *kind, const void *params, JointNodes *n) {
  static Joint tied[MAX_TIES];
  static RowTerm term[MAX_TIE_TERMS];
  MockItem *e = &m->item[0];
  int with[MAX_LOCAL_NODES];
  int first[MAX_TIES + 3] = {0}, more = field_nodes(&kind->fields, params, with); // its own nodes come last
  n->ntie = kind->ties(params, n->tie), n->term = term;
  for (int a = 0; a <= n->ntie + more; a++) {
    e->node[e->nnode++] = a <= n->ntie ? a + 1 : with[a - n->ntie - 1];
    first[a + 1] = first[a] + node_vectors(m->node[e->node[a]]);
  }
  for (int t = 0; t < n->ntie; t++) {
    bool slides = n->tie[t].unit && !strcmp(n->tie[t].unit, "m");
    const JointKind *of = n->tie[t].kind = joint_find(slides ? "prismatic" : "revolute");
    const int node[3] = {1, t + 2, 0}, place[3] = {0, t + 1, n->ntie + 1 + more};
    JointNodes own = {.nnode = 3};
    for (int a = 0, vec = 0; a < 3; a++) {
      own.kind[a] = m->node[node[a]], own.first[a] = vec;
      memcpy(own.x[a], m->x[node[a]], (size_t)node_vectors(own.kind[a]) * sizeof(Vec3));
      for (int v = 0; v < node_vectors(own.kind[a]); v++) n->tie[t].vec[vec++] = first[place[a]] + v;
    }
    tied[t] = (Joint){.ncoord = 1};
    const char *wrong = of->prepare(of->example, &own, &tied[t]).text;
    if (wrong) return wrong;
    n->tie[t].of = &tied[t];
  }
  static TapeStep step[LIMIT_FORMULA];
  static Tape tape = {.step = step};
  static FormulaMistake mistake;
  const LimberFormula *f = kind->formula ? (const LimberFormula *)((const char *)params + kind->formula) : NULL;
  if (!f || !f->text) return NULL;
  if (!tape_read_smooth(f, n->ntie, &kind->coord_names[1], &tape, &mistake)) return mistake.text;
  n->formula = &tape;
  return NULL;
}

const char *mock_joint(Mock *m, const JointKind *kind, const void *params) {
  MockItem *e = &m->item[0];
  JointNodes n = {0};
  m->ncomponents = 1;
  e->nnode = kind->ties ? 0 : field_nodes(&kind->fields, params, e->node);
  const char *untied = kind->ties ? tie_joints(m, kind, params, &n) : NULL;
  if (untied) return untied;
  e->node[e->nnode++] = GROUND;
  n.nnode = e->nnode;
  for (int a = 0, first = 0; a < e->nnode; first += node_vectors(n.kind[a++])) {
    n.kind[a] = m->node[e->node[a]], n.first[a] = first;
    memcpy(n.x[a], m->x[e->node[a]], (size_t)node_vectors(n.kind[a]) * sizeof(Vec3));
  }
  m->joint = (Joint){.ncoord = kind->ncoord};
  const char *wrong = kind->prepare(params, &n, &m->joint).text;
  memset(m->joint.law, 0, sizeof m->joint.law); // laws are tested by themselves
  joint_complete(&m->joint);
  return wrong;
}

bool mock_moves(const Mock *m) {
  for (int i = 0; i < m->ncomponents; i++)
    for (int a = 0; a < m->item[i].nnode; a++)
      if (m->node[m->item[i].node[a]] != NODE_FIXED) return true;
  return false;
}

bool mock_grounded(const Mock *m) {
  for (int i = 0; i < m->ncomponents; i++)
    for (int a = 0; a < m->item[i].nnode; a++)
      if (m->node[m->item[i].node[a]] == NODE_FIXED) return true;
  return false;
}

void mock_vectors(const Mock *m, const MockItem *e, Vec3 (*x)[4], Vec3 *out) {
  for (int a = 0; a < e->nnode; a++)
    for (int i = 0; i < node_vectors(m->node[e->node[a]]); i++) *out++ = x[e->node[a]][i];
}

// ---- motions ----

void motion_rest(const Mock *m, int s, MockMotion *q) {
  memset(q, 0, sizeof *q);
  q->s = s;
  memcpy(q->xn, m->x, sizeof q->xn);
}

// The body turned and shifted as a whole, its points off their places by up to `motion_off`, before the step and after it.
static void motion_body(const Mock *m, int s, MockMotion *q) {
  bool held = false;
  Mat3 turn = random_rotation();
  for (int i = 1; i < m->nnode; i++) {
    held = held || m->node[i] == NODE_FIXED;
    q->xn[i][0] = vec3_add(mat3_apply(turn, m->x[i][0]), random_vector(motion_off));
  }
  for (int k = 0; k < s; k++) {
    Mat3 after = held ? turn : random_rotation();
    Vec3 shift = held ? vec3_zero() : random_vector(1);
    for (int i = 1; i < m->nnode; i++) {
      Vec3 x = vec3_add(vec3_add(mat3_apply(after, m->x[i][0]), shift), random_vector(motion_off));
      q->u[i][k] = vec3_sub(x, q->xn[i][0]);
    }
  }
}

void motion_random(const Mock *m, int s, MockMotion *q) {
  motion_rest(m, s, q);
  if (motion_off > 0) {
    motion_body(m, s, q);
    return;
  }
  for (int i = 1; i < m->nnode; i++) {
    random_frame(q->xn[i]);
    for (int k = 0; k < s; k++) q->u[i][k] = random_vector(1), q->c[i][k] = random_turn(2.5);
  }
  for (int c = 0; c < MAX_COORDS; c++) q->zn.z[c] = random_in(-3, 3);
  for (int k = 0; k < s; k++) {
    for (int c = 0; c < MAX_COORDS; c++)
      q->zk[k].z[c] = q->zn.z[c] + random_in(-2, 2), q->torque[k].z[c] = random_in(-1, 1);
    for (int r = 0; r < MAX_ROWS; r++) q->lambda[k][r] = random_in(-1, 1);
  }
}

void motion_ends(const Mock *m, const MockMotion *q, int k, Vec3 (*x)[4]) {
  for (int i = 0; i < m->nnode; i++) {
    NodeMotion moved;
    node_move(m->node[i], q->xn[i], q->u[i][k], q->c[i][k], &moved);
    memcpy(x[i], moved.x, (size_t)node_vectors(m->node[i]) * sizeof(Vec3));
  }
}

void motion_item(const Mock *m, const MockMotion *q, const MockItem *e, ForceRule force_rule, LocalMotion *it) {
  local_motion_begin(it, q->s, force_rule);
  for (int a = 0; a < e->nnode; a++) {
    int id = e->node[a];
    local_motion_add_node(it, m->node[id], q->xn[id], q->u[id], q->c[id]);
  }
}

void motion_increments(const LocalMotion *it, const MockItem *e, const MockMotion *q, int k, double *out) {
  for (int a = 0; a < it->nnode; a++) {
    if (it->block[a] < 0) continue;
    vec3_to(q->u[e->node[a]][k], &out[3 * it->block[a]]);
    if (it->kind[a] == NODE_FRAME)
      vec3_to(conjugate_turn(it->force_rule, q->c[e->node[a]][k]), &out[3 * it->block[a] + 3]);
  }
}

static double *component(Vec3 *v, int i) { return i == 0 ? &v->x : i == 1 ? &v->y : &v->z; }

void motion_unknowns(const LocalMotion *it, const MockItem *e, MockMotion *q, double **unknown) {
  for (int a = 0; a < it->nnode; a++)
    for (int b = 0; b < node_blocks(it->kind[a]); b++)
      for (int k = 0; k < q->s; k++)
        for (int i = 0; i < 3; i++)
          unknown[3 * (q->s * (it->block[a] + b) + k) + i] =
              component(b ? &q->c[e->node[a]][k] : &q->u[e->node[a]][k], i);
}

double tangent_error(int n, double *const *unknown, void (*evaluate)(void *self, Local *out), void *self) {
  static Local at, side[4];
  double worst = 0, scale = 0, x[MAX_LOCAL], d[MAX_LOCAL], size;
  evaluate(self, &at);
  if (at.n != n) return INFINITY;
  for (int i = 0; i < n * n; i++) scale = worse(scale, fabs(at.k[i]));
  for (int j = 0; j < n; j++) x[j] = unknown[j] ? *unknown[j] : 0;
  for (int direction = 0; direction < 6; direction++) {
    size = 0;
    for (int j = 0; j < n; j++) d[j] = unknown[j] ? random_in(-1, 1) : 0, size += d[j] * d[j];
    for (int j = 0; j < n; j++) d[j] /= sqrt(size);
    for (int e = 0; e < 4; e++) {
      for (int j = 0; j < n; j++)
        if (unknown[j]) *unknown[j] = x[j] + difference_step(e) * d[j];
      evaluate(self, &side[e]);
    }
    for (int i = 0; i < n; i++) {
      double f[4] = {side[0].r[i], side[1].r[i], side[2].r[i], side[3].r[i]}, sum = 0;
      for (int j = 0; j < n; j++) sum += at.k[i * n + j] * d[j];
      worst = worse(worst, fabs(extrapolated(f) - sum));
    }
  }
  for (int j = 0; j < n; j++)
    if (unknown[j]) *unknown[j] = x[j];
  return worst > 0 ? worst / scale : worst;
}

// ---- tables ----

double rows_identity_error(const Rows *p, const LocalMotion *it, const MockItem *e, const MockMotion *q) {
  static RowsState st;
  double worst = 0, increment[3 * MAX_LOCAL_BLOCKS] = {0};
  rows_evaluate(p, it, &q->zn, q->zk, true, &st);
  for (int k = 0; k < it->s; k++) {
    motion_increments(it, e, q, k, increment);
    for (int r = 0; r < p->nrow; r++) {
      double turn = 0, change = st.ek[k][r] - st.en[r];
      for (int c = 0; c < MAX_COORDS; c++) turn += st.along_z[k][c][r] * (q->zk[k].z[c] - q->zn.z[c]);
      double vectors = turn, unknowns = turn, scale = fabs(st.ek[k][r]) + fabs(st.en[r]) + fabs(p->ref[r]);
      for (int a = 0; a < it->nvec; a++) {
        double w = vec3_dot(st.along_vec[k][r][a], vec3_sub(it->xk[k][a], it->xn[a]));
        vectors += w, scale += fabs(w);
      }
      for (int i = 0; i < 3 * it->nblock; i++) {
        double w = st.along[k][r][i] * increment[i];
        unknowns += w, scale += fabs(w);
      }
      worst = worse(worst, fabs(vectors - change) / scale);
      worst = worse(worst, fabs(unknowns - change) / scale);
    }
  }
  return worst;
}

bool rows_in_bounds(const Rows *p, int nvec) {
  bool in = p->ny <= MAX_Y && p->nrow <= MAX_ROWS && p->start[0] == 0 && p->start[p->ny] <= MAX_ENTRIES;
  for (int e = 0; in && e < p->start[p->ny]; e++) in = p->vec[e] >= 0 && p->vec[e] < nvec;
  for (int t = 0; in && t < p->nterm; t++)
    in = p->term[t].row < p->nrow && p->term[t].i < p->ny && p->term[t].j < p->ny;
  return in;
}
