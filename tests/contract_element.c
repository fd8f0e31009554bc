// SPDX-License-Identifier: Apache-2.0
// The contract of elements, as errors over all elements that an item built.
#include "contract.h"
#include "mechanics/carried_mesh.h"

#include <string.h>

enum { MAX_PAST = 512 }; // increments of rows of an element

// Length of the step; forces at its end are held against the energy, which knows no dampers: they vanish in an endless one.
static double step_length(const Tableau *t) { return t->force_rule == FORCE_END ? HUGE_VAL : 0.5; }

static void evaluate_element(void *self, Local *out) {
  const Case *c = self;
  LocalMotion it;
  motion_item(c->m, c->q, c->e, c->t->force_rule, &it);
  local_clear(out, it.s, it.nblock);
  ElementStep step = {.t = c->t,
                      .h = step_length(c->t),
                      .recall = c->recall ? c->recall : &no_recall,
                      .past = c->past,
                      .time = 0.3,
                      .amplitude = 1.2,
                      .omega = {0.2, -0.4, 0.3},
                      .centre = {0.1, 0.5, -0.2}};
  element_evaluate(c->m->kind, c->e->data, &step, &it, out);
}

// What an element remembers of a step from anywhere to the start of the motion, and the energy of that.
static double remember(const Mock *m, const MockItem *e, const Tableau *t, const Recall *recall, MockMotion *q,
                       double *past) {
  static MockMotion other;
  Vec3 xn[MAX_LOCAL_VECTORS], x[MAX_STAGES][MAX_LOCAL_VECTORS];
  ElementBalance balance = {0};
  ElementStep step = {.t = t, .h = 1, .recall = recall};
  motion_random(m, 1, &other);
  mock_vectors(m, e, other.xn, xn), mock_vectors(m, e, q->xn, x[0]);
  element_balance(m->kind, e->data, &step, xn, x, past, &balance);
  return balance.memory;
}

static double energy(const Mock *m, const MockItem *e, Vec3 (*x)[4]) {
  Vec3 v[MAX_LOCAL_VECTORS];
  mock_vectors(m, e, x, v);
  return element_energy(m->kind, e->data, v);
}

static bool has_functions(const ElementPoint *p) {
  const PointResponse *r = p->response;
  const LawTable *l = p->law;
  return r->energy && r->force && r->stiffness && r->stress && r->balance && r->losses &&
         (l ? l->energy && l->force && l->stiffness && l->secant : r != &response_law);
}

static bool has_names(const ElementOutput *o) {
  return o->row_names && o->row_units && o->strain_units && o->own <= MAX_OWN_OUTPUTS &&
         (!o->own || (o->own_names && o->own_units && !o->own_values != !o->flow_values));
}

double element_table_error(const Mock *m) {
  for (int i = 0; i < m->ncomponents; i++) {
    int cells = element_cells(m->kind, m->item[i].data, m->item[i].nnode);
    bool lines = !m->kind->drawing.cell && !m->kind->around && !element_mesh(m->kind, m->item[i].data);
    if (lines && m->kind->points(m->item[i].data) > cells) return 1;
    for (int g = 0; g < m->kind->points(m->item[i].data); g++) {
      ElementPoint p;
      int nvec = 0;
      element_point(m->kind, m->item[i].data, g, &p);
      for (int a = 0; a < m->item[i].nnode; a++) nvec += node_vectors(m->node[m->item[i].node[a]]);
      if (nvec > MAX_LOCAL_VECTORS || !rows_in_bounds(&p.rows, nvec)) return 1;
      if (!(p.weight > 0) || !(p.at >= 0 && p.at <= 1)) return 1;
      if (!has_functions(&p) || !has_names(&m->kind->output)) return 1;
      for (int r = 0; r < p.rows.nrow; r++)
        for (int q = 0; q < r && p.stiffness; q++)
          if (p.stiffness[r * p.rows.nrow + q] != p.stiffness[q * p.rows.nrow + r]) return 1;
    }
  }
  return 0;
}

// The stress of a uniform strain at a cell of a mesh.
static void uniform_stress(const CarriedCell *c, Mat3 e, double *stress) {
  const double strain[] = {e.m[0][0], e.m[1][1], e.m[2][2], 2 * e.m[1][2], 2 * e.m[0][2], 2 * e.m[0][1]};
  ElementPoint p;
  element_point(c->kind, c->data, 0, &p);
  p.response->force(&p, strain, stress);
}

double element_mesh_error(const Mock *m) {
  double worst = 0;
  for (int i = 0; i < m->ncomponents; i++) {
    const MockItem *e = &m->item[i];
    const CarriedMesh *mesh = element_mesh(m->kind, e->data);
    for (int uniform = 0; mesh && uniform < 2; uniform++) {
      Vec3 y[MAX_LOCAL_VECTORS], small[MAX_LOCAL_VECTORS], by = random_vector(3);
      Mat3 turn = random_rotation(), stretch = mat3_identity();
      for (int r = 0; r < 9 && uniform; r++) {
        double by_axis = random_in(-0.1, 0.1);
        stretch.m[r / 3][r % 3] += by_axis, stretch.m[r % 3][r / 3] += by_axis;
      }
      Mat3 f = mat3_mul(turn, stretch), strain = mat3_scale(0.5, mat3_sub(mat3_mul(stretch, stretch), mat3_identity()));
      for (int a = 0; a < e->nnode; a++) y[a] = vec3_add(by, mat3_apply(f, m->x[e->node[a]][0]));
      carried_displacements(mesh, m->kind, e->data, y, small);
      for (int k = 0; k < mesh->points; k++) {
        double stress[CARRIED_STRESSES], exact[CARRIED_STRESSES], size = 0;
        uniform_stress(&mesh->cell[mesh->ring[mesh->start[k]]], uniform ? strain : mat3_zero(), exact);
        carried_stress(mesh, small, k, stress);
        Vec3 at = vec3_add(by, mat3_apply(f, mesh->at[k]));
        worst = worse(worst, vec3_norm(vec3_sub(carried_place(mesh, y, k), at)));
        for (int r = 0; r < CARRIED_STRESSES; r++) size = fmax(size, fabs(exact[r]));
        for (int r = 0; r < CARRIED_STRESSES; r++) worst = worse(worst, fabs(stress[r] - exact[r]) / fmax(size, 1));
      }
    }
  }
  return worst;
}

static int station(const Mock *m, const MockItem *e, double at, const Vec3 *v, Vec3 *y) {
  Rows rows;
  rows_begin(&rows);
  m->kind->line.station(e->data, at, &rows);
  rows_interpolate(&rows, v, y);
  return rows.ny;
}

double element_station_error(const Mock *m) {
  double worst = 0;
  for (int i = 0; i < m->ncomponents && m->kind->line.station; i++) {
    const MockItem *e = &m->item[i];
    Vec3 x[MOCK_NODES][4], v[MAX_LOCAL_VECTORS], y[MAX_Y], moved[MAX_Y], by = random_vector(1);
    for (int n = 0; n < m->nnode; n++) random_frame(x[n]);
    mock_vectors(m, e, x, v);
    for (int end = 0; end < 2; end++) {
      int n = station(m, e, end, v, y);
      if (n != 1 && n != 4) return 1;
      worst = worse(worst, vec3_norm(vec3_sub(y[0], x[e->node[end ? e->nnode - 1 : 0]][0])));
      for (int j = 1; j < n; j++) worst = worse(worst, fabs(vec3_norm(y[j]) - 1));
    }
    station(m, e, 0.3, v, y);
    for (int n = 0; n < m->nnode; n++) x[n][0] = vec3_add(x[n][0], by);
    mock_vectors(m, e, x, v);
    station(m, e, 0.3, v, moved);
    worst = worse(worst, vec3_norm(vec3_sub(vec3_sub(moved[0], y[0]), by)));
  }
  return worst;
}

// Faces name nodes of the element, each corner once, together all of its cell's, and one of its cells. More nodes may carry mass
// alone.
static bool faces_hold(const Mock *m, const MockItem *e, const ElementVisual *visual) {
  bool seen[MAX_LOCAL_NODES] = {false}, good = visual->faces > 0 && visual->faces <= VISUAL_FACES;
  for (int f = 0; good && f < visual->faces; f++) {
    const VisualFace *q = &visual->face[f];
    good = q->cell >= 0 && q->cell < element_cells(m->kind, e->data, e->nnode) && q->corner[2] >= 0;
    for (int a = 0; good && a < VISUAL_CORNERS; a++) {
      if (a == 3 && q->corner[a] < 0) break;
      good = q->corner[a] >= 0 && q->corner[a] < e->nnode;
      for (int b = 0; good && b < a; b++) good = q->corner[b] != q->corner[a];
      if (good) seen[q->corner[a]] = true;
    }
    for (int a = 0; good && a < VISUAL_EDGES; a++) {
      good = q->middle[a] < e->nnode;
      if (good && q->middle[a] >= 0) seen[q->middle[a]] = true;
    }
  }
  int nodes = m->kind->drawing.cell ? cell_nodes(m->kind->drawing.cell(e->data)) : e->nnode;
  for (int a = 0; good && a < nodes; a++) good = seen[a];
  return good;
}

static bool visual_holds(const Mock *m, const MockItem *e, const ElementVisual *visual) {
  Inertia i;
  if (visual->shape == VISUAL_BEAM) return m->kind->line.axes && visual->gyration[0] > 0 && visual->gyration[1] > 0;
  if (visual_has_stations(visual->shape)) return m->kind->line.station && !m->kind->line.axes;
  if (visual_has_ends(visual->shape)) return e->nnode == 2 && visual->ends.ny == 2;
  if (visual_has_faces(visual->shape)) return faces_hold(m, e, visual);
  if (visual->shape == VISUAL_AROUND)
    return (m->kind->around && mock_grounded(m)) || !strcmp(m->kind->name, "reduced_body");
  if (visual->shape == VISUAL_WHEEL) return m->wheel && e->nnode == 1;
  if (!visual_has_node(visual->shape)) return false;
  m->kind->inertia(e->data, 0, &i);
  return e->nnode == 1 && i.m > 0;
}

double element_visual_error(const Mock *m) {
  double worst = 0;
  for (int i = 0; i < m->ncomponents; i++) {
    const MockItem *e = &m->item[i];
    VisualShape shape = VISUAL_NONE;
    if (!m->kind->drawing.visual) return 1;
    for (int place = 0; place < 3; place++) {
      ElementVisual visual;
      Vec3 x[MOCK_NODES][4], v[MAX_LOCAL_VECTORS], end[MAX_Y];
      element_visual(m->kind, e->data, 0.5 * place, &visual);
      if (!visual_holds(m, e, &visual) || (place && visual.shape != shape)) return 1;
      shape = visual.shape;
      for (int n = 0; n < m->nnode; n++) random_frame(x[n]);
      mock_vectors(m, e, x, v);
      if (!visual_has_ends(shape)) continue;
      rows_interpolate(&visual.ends, v, end);
      for (int a = 0; a < 2; a++) worst = worse(worst, vec3_norm(vec3_sub(end[a], x[e->node[a]][0])));
    }
  }
  return worst;
}

double element_identity_error(const Mock *m) {
  double worst = 0;
  MockMotion q;
  LocalMotion it;
  for (int s = 1; s <= MAX_STAGES; s++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++) {
      motion_random(m, s, &q);
      for (int i = 0; i < m->ncomponents; i++) {
        motion_item(m, &q, &m->item[i], (ForceRule)force_rule, &it);
        for (int g = 0; g < m->kind->points(m->item[i].data); g++) {
          ElementPoint p;
          element_point(m->kind, m->item[i].data, g, &p);
          worst = worse(worst, rows_identity_error(&p.rows, &it, &m->item[i], &q));
        }
      }
    }
  return worst;
}

double element_theorem_error(const Mock *m) {
  static Local out;
  double worst = 0, increment[3 * MAX_LOCAL_BLOCKS] = {0};
  MockMotion q;
  LocalMotion it;
  Vec3 xk[MAX_STAGES][MOCK_NODES][4];
  for (int i = 0; i < TABLEAUX; i++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_MEAN; force_rule++) {
      Tableau t = tableau_sample(i, (ForceRule)force_rule);
      double sum = 0, scale = 0;
      motion_random(m, t.s, &q);
      for (int k = 0; k < t.s; k++) motion_ends(m, &q, k, xk[k]);
      for (int e = 0; e < m->ncomponents; e++) {
        const MockItem *item = &m->item[e];
        double past[MAX_PAST], next[MAX_PAST], memory = 0;
        Recall recall = recall_sample(&t);
        ElementStep step = {.t = &t,
                            .h = step_length(&t),
                            .recall = &recall,
                            .past = t.delta > 0 ? past : NULL,
                            .time = 0.3,
                            .amplitude = 1.2,
                            .omega = {0.2, -0.4, 0.3},
                            .centre = {0.1, 0.5, -0.2}};
        if (t.delta > 0) memory = remember(m, item, &t, &recall, &q, past);
        Case c = {m, item, &t, &q, &recall, step.past, NULL};
        evaluate_element(&c, &out);
        motion_item(m, &q, item, t.force_rule, &it);
        Vec3 xn[MAX_LOCAL_VECTORS], x[MAX_STAGES][MAX_LOCAL_VECTORS];
        ElementBalance balance = {0};
        mock_vectors(m, item, q.xn, xn);
        for (int k = 0; k < t.s; k++) {
          motion_increments(&it, item, &q, k, increment);
          for (int b = 0; b < 3 * it.nblock; b++) {
            double w = t.weight[k] * out.r[local_at(&out, b / 3, k) + b % 3] * increment[b];
            sum += w, scale += fabs(w);
          }
          mock_vectors(m, item, xk[k], x[k]);
        }
        element_balance(m->kind, item->data, &step, xn, x, next, &balance);
        if (!(balance.damped >= 0 && balance.lost >= 0 && balance.memory >= 0)) return 1;
        sum += balance.flow.all, scale += fabs(balance.flow.all);
        sum -= balance.damped + balance.lost + balance.memory - memory;
        double before = energy(m, item, q.xn), after = energy(m, item, xk[0]);
        sum -= after - before, scale += after + before + memory;
        worst = worse(worst, fabs(balance.strain - after) / (after + before + EPS));
      }
      if (scale > 0) worst = worse(worst, fabs(sum) / scale);
    }
  return worst;
}

static bool has_flow(const Mock *m, const MockItem *e) {
  ElementPoint p;
  if (m->kind->points(e->data) == 0) return false;
  element_point(m->kind, e->data, 0, &p);
  return p.flow;
}

// The derivative of the energy by c is (tau G)^T m, m the moment conjugate to the spin.
double element_gradient_error(const Mock *m) {
  static Local out;
  double worst = 0, *unknown[MAX_LOCAL], scale = 0;
  Tableau t = tableau_end();
  MockMotion q;
  LocalMotion it;
  motion_random(m, 1, &q);
  for (int e = 0; e < m->ncomponents; e++) {
    const MockItem *item = &m->item[e];
    Case c = {.m = m, .e = item, .t = &t, .q = &q};
    if (has_flow(m, item)) continue; // its forces have no energy
    evaluate_element(&c, &out);
    motion_item(m, &q, item, t.force_rule, &it);
    motion_unknowns(&it, item, &q, unknown);
    for (int a = 0; a < it.nnode; a++) {
      if (it.kind[a] != NODE_FRAME) continue;
      double *moment = &out.r[local_at(&out, it.block[a] + 1, 0)];
      vec3_to(mat3_apply_transpose(rotation_tangent(q.c[item->node[a]][0]), vec3_of(moment)), moment);
    }
    for (int j = 0; j < out.n; j++) {
      double x = *unknown[j], f[4];
      for (int i = 0; i < 4; i++) {
        Vec3 moved[MOCK_NODES][4];
        *unknown[j] = x + difference_step(i);
        motion_ends(m, &q, 0, moved);
        f[i] = energy(m, item, moved);
      }
      *unknown[j] = x;
      worst = worse(worst, fabs(out.r[j] - extrapolated(f)));
      scale = worse(scale, fabs(out.r[j]));
    }
  }
  return worst > 0 ? worst / scale : worst;
}

double element_tangent_error(const Mock *m) {
  double worst = 0, *unknown[MAX_LOCAL];
  MockMotion q;
  LocalMotion it;
  for (int s = 1; s <= 2; s++)
    for (int force_rule = FORCE_CHORD; force_rule <= FORCE_END; force_rule++)
      for (int e = 0; e < m->ncomponents; e++) {
        Tableau t = tableau_any(s, (ForceRule)force_rule);
        Recall recall = {
            .delta = s == 1 && force_rule != FORCE_END ? 0.06 : 0, .keep = 0.8, .rate = 1.5, .before = -0.5};
        double past[MAX_PAST];
        Case c = {m, &m->item[e], &t, &q, &recall, past, NULL};
        for (int i = 0; i < MAX_PAST; i++) past[i] = random_in(-0.1, 0.1);
        motion_random(m, s, &q);
        motion_item(m, &q, c.e, t.force_rule, &it);
        motion_unknowns(&it, c.e, &q, unknown);
        worst = worse(worst, tangent_error(3 * s * it.nblock, unknown, evaluate_element, &c));
      }
  return worst;
}

// Energy and largest force of all elements at the end of stage 0.
static double energy_and_force(const Mock *m, MockMotion *q, double *force) {
  static Local out;
  double sum = 0;
  Tableau t = tableau_end();
  Vec3 x[MOCK_NODES][4];
  motion_ends(m, q, 0, x);
  *force = 0;
  for (int e = 0; e < m->ncomponents; e++) {
    Case c = {.m = m, .e = &m->item[e], .t = &t, .q = q};
    evaluate_element(&c, &out);
    for (int j = 0; j < out.n; j++) *force = worse(*force, fabs(out.r[j]));
    sum += energy(m, &m->item[e], x);
  }
  return sum;
}

double element_reference_error(const Mock *m) {
  double force, most_force;
  MockMotion q;
  if (m->kind->around) return 0; // water lifts what floats in it
  motion_random(m, 1, &q);
  double most = energy_and_force(m, &q, &most_force);
  motion_rest(m, 1, &q);
  double found = energy_and_force(m, &q, &force);
  if (most == 0) return found + force;
  return worse(sqrt(fabs(found) / most), force / most_force);
}

double element_rigid_error(const Mock *m) {
  double worst = 0, scale = 0;
  MockMotion q;
  if (m->kind->around) return 0; // the ground does not move along
  for (int trial = 0; trial < 4; trial++) {
    motion_random(m, 1, &q);
    Mat3 r = random_rotation();
    Vec3 shift = random_vector(1), x[MOCK_NODES][4];
    for (int i = 0; i < m->nnode; i++)
      for (int j = 0; j < 4; j++) x[i][j] = vec3_add(mat3_apply(r, q.xn[i][j]), j ? vec3_zero() : shift);
    for (int e = 0; e < m->ncomponents; e++) {
      double before = energy(m, &m->item[e], q.xn);
      worst = worse(worst, fabs(energy(m, &m->item[e], x) - before)), scale = worse(scale, before);
    }
  }
  return worst > 0 ? worst / scale : worst;
}

// Work of the rows' forces where all positions r move by size (c . r) along a direction.
static double work_of(const Mock *m, const MockItem *e, int g, const double *force, const MockMotion *q, Vec3 c, Vec3 a,
                      double size) {
  ElementPoint p;
  double value[2][MAX_ROWS], work = 0;
  element_point(m->kind, e->data, g, &p);
  for (int k = 0; k < 2; k++) {
    Vec3 x[MOCK_NODES][4], own[MAX_LOCAL_VECTORS];
    for (int i = 0; i < m->nnode; i++)
      for (int j = 0; j < 4; j++) x[i][j] = q->xn[i][j];
    for (int i = 0; i < m->nnode; i++) x[i][0] = vec3_axpy(x[i][0], (k ? -size : size) * vec3_dot(c, x[i][0]), a);
    mock_vectors(m, e, x, own);
    rows_value(&p.rows, own, no_coords, value[k]);
  }
  for (int r = 0; r < p.rows.nrow; r++) work += force[r] * (value[0][r] - value[1][r]) / (2 * size);
  return work;
}

static double resultant_error(const Mock *m, const MockItem *e, int g, const MockMotion *q) {
  Vec3 x[MOCK_NODES][4], own[MAX_LOCAL_VECTORS], out[2], moved[2], c = random_vector(1), shift = random_vector(1);
  Mat3 turn = random_rotation();
  double force[MAX_ROWS], worst = 0;
  for (int r = 0; r < MAX_ROWS; r++) force[r] = random_in(-1, 1);
  for (int i = 0; i < m->nnode; i++)
    for (int j = 0; j < 4; j++) x[i][j] = q->xn[i][j];
  mock_vectors(m, e, x, own);
  m->kind->line.resultant(e->data, g, own, force, out);
  for (int i = 0; i < m->nnode; i++)
    for (int j = 0; j < 4; j++) x[i][j] = vec3_add(mat3_apply(turn, q->xn[i][j]), j ? vec3_zero() : shift);
  mock_vectors(m, e, x, own);
  m->kind->line.resultant(e->data, g, own, force, moved);
  for (int k = 0; k < 2; k++)
    worst = worse(worst, vec3_norm(vec3_sub(moved[k], mat3_apply(turn, out[k]))) / vec3_norm(out[k]));
  Vec3 work =
      vec3(work_of(m, e, g, force, q, c, vec3(1, 0, 0), 1e-4), work_of(m, e, g, force, q, c, vec3(0, 1, 0), 1e-4),
           work_of(m, e, g, force, q, c, vec3(0, 0, 1), 1e-4));
  return worse(worst, vec3_norm(vec3_cross(work, out[0])) / (vec3_norm(work) * vec3_norm(out[0])));
}

double element_resultant_error(const Mock *m) {
  double worst = 0;
  MockMotion q;
  if (!m->kind->line.resultant) return 0;
  motion_random(m, 1, &q);
  for (int e = 0; e < m->ncomponents; e++)
    for (int g = 0; g < m->kind->points(m->item[e].data); g++)
      worst = worse(worst, resultant_error(m, &m->item[e], g, &q));
  return worst;
}

double element_momentum_error(const Mock *m) {
  static Local out;
  double worst = 0;
  MockMotion q;
  LocalMotion it;
  if (mock_grounded(m)) return 0; // the ground takes up what is missing
  for (int s = 1; s <= 2; s++)
    for (int force_rule = FORCE_MEAN; force_rule <= FORCE_END; force_rule++) {
      Tableau t = tableau_any(s, (ForceRule)force_rule);
      motion_random(m, s, &q);
      for (int e = 0; e < m->ncomponents; e++) {
        Case c = {.m = m, .e = &m->item[e], .t = &t, .q = &q};
        evaluate_element(&c, &out);
        motion_item(m, &q, c.e, t.force_rule, &it);
        for (int k = 0; k < s; k++) {
          Vec3 force = vec3_zero(), moment = vec3_zero();
          double force_scale = 0, moment_scale = 0;
          for (int a = 0; a < it.nnode; a++) {
            Vec3 r = it.xk[k][it.first[a]], f = vec3_of(&out.r[local_at(&out, it.block[a], k)]);
            if (force_rule == FORCE_MEAN) r = vec3_mean(r, it.xn[it.first[a]]);
            Vec3 turn = vec3_cross(r, f);
            if (it.kind[a] == NODE_FRAME) {
              Vec3 own = vec3_of(&out.r[local_at(&out, it.block[a] + 1, k)]);
              turn = vec3_add(turn, own), moment_scale += vec3_norm(own);
            }
            force = vec3_add(force, f), moment = vec3_add(moment, turn);
            force_scale += vec3_norm(f), moment_scale += vec3_norm(r) * vec3_norm(f);
          }
          if (force_scale > 0) worst = worse(worst, vec3_norm(force) / force_scale);
          if (moment_scale > 0) worst = worse(worst, vec3_norm(moment) / moment_scale);
        }
      }
    }
  return worst;
}

// Jacobi's rotations; returns the smallest eigenvalue over the largest.
static double eigenvalue_ratio(double a[4][4]) {
  for (int sweep = 0; sweep < 20; sweep++)
    for (int p = 0; p < 4; p++)
      for (int q = p + 1; q < 4; q++) {
        if (a[p][q] == 0) continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 4; k++) {
          double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
      }
  double least = a[0][0], most = a[0][0];
  for (int i = 1; i < 4; i++) least = fmin(least, a[i][i]), most = fmax(most, a[i][i]);
  return most > 0 ? least / most : least;
}

double element_inertia_error(const Mock *m) {
  double worst = 0;
  for (int e = 0; e < m->ncomponents; e++)
    for (int a = 0; a < m->item[e].nnode; a++) {
      Inertia q;
      double mass[4][4];
      m->kind->inertia(m->item[e].data, a, &q);
      inertia_ambient(&q, mass);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) worst = worse(worst, fabs(q.j.m[i][j] - q.j.m[j][i]));
      worst = worse(worst, -eigenvalue_ratio(mass));
    }
  return worst;
}
