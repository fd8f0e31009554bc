// SPDX-License-Identifier: Apache-2.0
// What keeps the momentum of each component.
// `decaying` moves a node by u = h (v + d) with the velocity v at the middle of the step and d = delta (Dv - T a'), and
// sum M d x u is what the angular momentum changes by beyond the moments of loads and reactions. With exact momentum d
// loses its part along b x u', where u' are the displacements of a component, relative to its mass centre if it is not
// tied to the ground, and the part that all nodes of such a component have in common: d is orthogonal, in the norm of the
// masses, to rotations of the displacements and to translations. With g = 1 + 2 delta, w = u'/h, and primes for values
// relative to the mass centre,
//   g v' = w + z - b x w,   z = delta (2 v_n' + (T a')'),   (tr C - C) b = sum M w x z,   C = sum M w w^T.
// Along an axis that all w are parallel to, b has no effect and is zero. Where velocities alternate and a component hardly
// moves, b is large and sensitive to round-off. The component then loses all of d, so that v' = w: this
// keeps momentum and energy too, without the damping of velocities.
// Equations: eq-momentum-step (4.11), eq-momentum-turn (4.13), eq-momentum-tangent (4.14).

#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

static bool has_component(const Layout *layout, PetscInt i) {
  return layout->component[i] >= 0 && layout->node_block[i] >= 0;
}

// Ghosts count where their component is a single node.
static bool counts(const Layout *layout, PetscInt i) {
  return has_component(layout, i) && (i < layout->nnode_own || layout_is_single(layout, i));
}

static int count_vectors(const Layout *layout, PetscInt i) {
  return node_vectors(model_node(layout->model, layout->node[i])->kind);
}

static const ComponentStep *component_of(const Motion *motion, PetscInt i) {
  return &motion->step.component[motion->layout.component[i]];
}

// w of a node.
static void find_displacement_rates(const Motion *motion, PetscInt i, int nvec, Vec3 *w) {
  const ComponentStep *c = component_of(motion, i);
  for (int j = 0; j < nvec; j++) w[j] = vec3_scale(1 / motion->step.h, motion->step.motion[i].chord[j]);
  w[0] = vec3_sub(vec3_sub(w[0], c->v), c->change);
}

// v_n' of a vector.
static Vec3 start_velocity(const Motion *motion, PetscInt i, int j) {
  const Vec3 *v = motion->state.v + 4 * i;
  return j == 0 ? vec3_sub(v[0], component_of(motion, i)->v) : v[j];
}

// z of a node.
static void find_known_part(const Motion *motion, PetscInt i, int nvec, Vec3 *z) {
  const ComponentStep *c = component_of(motion, i);
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double delta = motion->step.recall.delta;
  for (int j = 0; j < nvec; j++)
    z[j] = vec3_axpy(vec3_scale(2 * delta, start_velocity(motion, i, j)), delta * n.keep, n.dv[j]);
  z[0] = vec3_axpy(z[0], -delta, c->recalled);
}

static void add_scaled(double *sum, double f, Vec3 a) { sum[0] += f * a.x, sum[1] += f * a.y, sum[2] += f * a.z; }

static bool is_centred(const double mass[4][4]) { // the node is at its mass centre
  return fabs(mass[1][0]) + fabs(mass[2][0]) + fabs(mass[3][0]) == 0;
}

static bool is_diagonal(const double mass[4][4]) {
  return is_centred(mass) && fabs(mass[2][1]) + fabs(mass[3][1]) + fabs(mass[3][2]) == 0;
}

// Masses are symmetric, and most are diagonal.
static void multiply_mass(int nvec, const double mass[4][4], const Vec3 *a, Vec3 *out) {
  out[0] = vec3_scale(mass[0][0], a[0]);
  if (nvec == 1) return;
  for (int i = 1; i < 4; i++) out[i] = vec3_scale(mass[i][i], a[i]);
  for (int i = 1; i < 4 && !is_diagonal(mass); i++)
    for (int j = 0; j < i; j++)
      out[i] = vec3_axpy(out[i], mass[i][j], a[j]), out[j] = vec3_axpy(out[j], mass[i][j], a[i]);
}

// Sums of `width` numbers for each component; those of single nodes are known without other ranks.
static PetscErrorCode CreateSums(const Layout *layout, PetscInt width, double **sum) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(width * (layout->ncomponent + layout->nsingle), sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReduceSums(const Layout *layout, PetscInt width, double *sum) {
  PetscFunctionBegin;
  PetscCall(ReduceArray(layout->comm, sum, (PetscInt64)width * layout->ncomponent, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// Mass, and velocity and recalled increment of the mass centre of components that are free.
static PetscErrorCode FindCentres(Motion *motion, double keep) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 7, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    if (!counts(layout, i)) continue;
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    double *at = sum + 7 * layout->component[i];
    const double *first = layout->mass[i][0];
    at[0] += first[0];
    for (int j = 0; j < count_vectors(layout, i); j++)
      add_scaled(at + 1, first[j], n.v[j]), add_scaled(at + 4, first[j] * keep, n.dv[j]);
  }
  PetscCall(ReduceSums(layout, 7, sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) {
    const double *at = sum + 7 * c, f = at[0] > 0 && !layout->component_tied[c] ? 1 / at[0] : 0;
    motion->step.component[c] = (ComponentStep){
        .mass = at[0], .v = vec3_scale(f, vec3_of(at + 1)), .recalled = vec3_scale(f, vec3_of(at + 4)), .turns = true};
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBeginMomentum(Motion *motion) {
  const Layout *layout = &motion->layout;
  PetscFunctionBegin;
  PetscCall(FindCentres(motion, motion->step.recall.keep));
  PetscCall(PetscArrayzero(motion->step.beyond, 4 * layout->nnode));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    Vec3 z[4];
    int nvec = count_vectors(layout, i);
    if (!counts(layout, i)) continue;
    find_known_part(motion, i, nvec, z);
    multiply_mass(nvec, (const double(*)[4])layout->mass[i], z, motion->step.known + 4 * i);
  }
  PetscFunctionReturn(0);
}

// Sums for b: of C xx, yy, zz, yz, zx, xy; sum M w x z; M w of the translation; at the end of a step sum M w x v_n'.
enum { TURN_SUMS = 12, OF_MOMENT = 6, OF_CENTRE = 9, OF_VELOCITY = 12, END_SUMS = 15 };

static void add_vector(double *sum, Vec3 a) { sum[0] += a.x, sum[1] += a.y, sum[2] += a.z; }

// Adds M w w^T and w x M z, of which the second is M w x z in the sum.
static void add_turn_sums(int nvec, const Vec3 *w, const Vec3 *mw, const Vec3 *mz, double *sum) {
  Vec3 moment = vec3_zero();
  double xx = 0, yy = 0, zz = 0, yz = 0, zx = 0, xy = 0;
  for (int a = 0; a < nvec; a++) {
    Vec3 p = mw[a], q = w[a];
    xx += p.x * q.x, yy += p.y * q.y, zz += p.z * q.z;
    yz += p.y * q.z, zx += p.z * q.x, xy += p.x * q.y;
    moment = vec3_add(moment, vec3_cross(q, mz[a]));
  }
  sum[0] += xx, sum[1] += yy, sum[2] += zz, sum[3] += yz, sum[4] += zx, sum[5] += xy;
  add_vector(sum + OF_MOMENT, moment);
}

static double trace(Mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static const double regular = 1e-6;   // of the cube of the trace: smallest determinant of a matrix with an inverse
static const double parallel = 1e-10; // of the trace: eigenvalue along an axis that all w are parallel to

// The equation for b: tr C, tr C - C, whose eigenvalues are sums of two of C, and its inverse without axes that all w are
// parallel to.
typedef struct {
  double size;
  Mat3 matrix, inverse;
} TurnEquation;

static void invert_along_axes(const Mat3 *c, TurnEquation *out) {
  double axis[3][3];
  Mat3 d = *c;
  principal_axes(d.m, axis);
  for (int k = 0; k < 3; k++) {
    double value = d.m[(k + 1) % 3][(k + 1) % 3] + d.m[(k + 2) % 3][(k + 2) % 3];
    Vec3 e = vec3(axis[0][k], axis[1][k], axis[2][k]);
    if (value > parallel * out->size) out->inverse = mat3_axpy(out->inverse, 1 / value, mat3_outer(e, e));
  }
}

static void make_equation(const Mat3 *c, TurnEquation *out) {
  Vec3 p = vec3(c->m[1][1] + c->m[2][2], -c->m[0][1], -c->m[0][2]), q = vec3(p.y, c->m[2][2] + c->m[0][0], -c->m[1][2]),
       r = vec3(p.z, q.z, c->m[0][0] + c->m[1][1]), qr = vec3_cross(q, r);
  double size = trace(*c), det = vec3_dot(p, qr);
  out->size = size, out->matrix = mat3_columns(p, q, r), out->inverse = mat3_zero();
  if (!(size > 0)) return;
  if (det > regular * size * size * size)
    out->inverse = mat3_columns(vec3_scale(1 / det, qr), vec3_scale(1 / det, vec3_cross(r, p)),
                                vec3_scale(1 / det, vec3_cross(p, q)));
  else invert_along_axes(c, out);
}

// C of the sums.
static Mat3 matrix_of(const double *s) { return (Mat3){{{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}}}; }

// b of the right-hand side r; a second time for what round-off leaves.
static Vec3 find_turn(const TurnEquation *e, Vec3 r) {
  Vec3 b = mat3_apply(e->inverse, r);
  return vec3_add(b, mat3_apply(e->inverse, vec3_sub(r, mat3_apply(e->matrix, b))));
}

static const double largest_turn = 1000;
static const double turn_error = 1e-13; // of the trace: what may be left of the equation for b
enum { MOST_SWITCHES = 4 };             // in a step; then a component has no b, so that Newton's method converges

// b of a component, and whether it is too large; `known`: that stays as Newton's method had it.
static void find_component_turn(ComponentStep *step, double g, const TurnEquation *e, Vec3 r, bool known) {
  Vec3 b = find_turn(e, r), left = vec3_sub(r, mat3_apply(e->matrix, b));
  bool good = step->switches < MOST_SWITCHES && vec3_norm(b) <= largest_turn && vec3_norm(left) <= turn_error * e->size;
  if (!known) step->switches += good != step->turns, step->turns = good;
  step->inverse = step->turns ? e->inverse : mat3_zero();
  step->turn = b = step->turns ? b : vec3_zero();
  double f = step->turns ? 1 / g : 1;
  step->tilt = (Mat3){{{f, f * b.z, -f * b.y}, {-f * b.z, f, f * b.x}, {f * b.y, -f * b.x, f}}};
}

// b of all components, and M w, not yet relative to the mass centre; `end`: of the end of a step, with what the increments lose.
static PetscErrorCode FindTurns(Motion *motion, bool end) {
  const Layout *layout = &motion->layout;
  const int width = end ? END_SUMS : TURN_SUMS;
  double *sum, g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, width, &sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) motion->step.component[c].change = vec3_zero();
  for (PetscInt i = 1; i < layout->nnode; i++) {
    Vec3 w[4], *mw = motion->step.moved + 4 * i;
    if (!counts(layout, i)) continue;
    int nvec = count_vectors(layout, i);
    double *at = sum + width * layout->component[i];
    find_displacement_rates(motion, i, nvec, w);
    multiply_mass(nvec, (const double(*)[4])layout->mass[i], w, mw);
    add_turn_sums(nvec, w, mw, motion->step.known + 4 * i, at);
    add_vector(at + OF_CENTRE, mw[0]);
    for (int j = 0; j < nvec && end; j++) add_vector(at + OF_VELOCITY, vec3_cross(mw[j], start_velocity(motion, i, j)));
  }
  PetscCall(ReduceSums(layout, width, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    ComponentStep *c = &motion->step.component[i];
    const double *at = sum + width * i;
    if (!layout->component_tied[i] && c->mass > 0) c->change = vec3_scale(1 / c->mass, vec3_of(at + OF_CENTRE));
    Mat3 all = mat3_axpy(matrix_of(at), -c->mass, mat3_outer(c->change, c->change));
    TurnEquation e;
    make_equation(&all, &e);
    find_component_turn(c, g, &e, vec3_of(at + OF_MOMENT), end);
    if (end) c->lost = find_turn(&e, vec3_scale(-2, vec3_of(at + OF_VELOCITY)));
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// What the change of the velocity of the mass centre is beyond the usual, as NodeState has it.
static Vec3 centre_beyond(const Motion *motion, const ComponentStep *c) {
  double delta = motion->step.recall.delta;
  return vec3_axpy(vec3_scale(2 * delta, c->change), -delta, c->recalled);
}

// ---- its memory ----

// At the start of a run velocities and increments are those of a step to come; `known` becomes its velocities.
static void find_start_increments(const Motion *motion, PetscInt i, int nvec, Vec3 *out) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  for (int j = 0; j < nvec; j++) {
    out[j] = j == 0 ? vec3_sub(n.dv[j], component_of(motion, i)->recalled) : n.dv[j];
    motion->step.known[4 * i + j] = vec3_axpy(start_velocity(motion, i, j), 0.5, out[j]);
  }
}

PetscErrorCode MotionStartMomentum(Motion *motion) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindCentres(motion, 1));
  PetscCall(CreateSums(layout, TURN_SUMS, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    int nvec = count_vectors(layout, i);
    Vec3 mw[4], ma[4], *a = motion->state.dv + 4 * i, *w = motion->step.known + 4 * i;
    if (!has_component(layout, i)) continue;
    find_start_increments(motion, i, nvec, a);
    if (!counts(layout, i)) continue;
    multiply_mass(nvec, (const double(*)[4])layout->mass[i], w, mw);
    multiply_mass(nvec, (const double(*)[4])layout->mass[i], a, ma);
    add_turn_sums(nvec, w, mw, ma, sum + TURN_SUMS * layout->component[i]);
  }
  PetscCall(ReduceSums(layout, TURN_SUMS, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    Mat3 all = matrix_of(sum + TURN_SUMS * i);
    TurnEquation e;
    make_equation(&all, &e);
    motion->step.component[i].lost = find_turn(&e, vec3_of(sum + TURN_SUMS * i + OF_MOMENT));
  }
  for (PetscInt i = 1; i < layout->nnode; i++)
    for (int j = 0; has_component(layout, i) && j < count_vectors(layout, i); j++) {
      Vec3 *a = motion->state.dv + 4 * i + j;
      *a = vec3_sub(*a, vec3_cross(component_of(motion, i)->lost, motion->step.known[4 * i + j]));
    }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// P (v_1 - v_n): velocities at the middle of the step are orthogonal to rotations of the displacements, those at its start
// lose their part.
PetscErrorCode MotionKeepMomentum(Motion *motion) {
  double delta = motion->step.recall.delta, g = 1 + 2 * delta;
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindTurns(motion, true));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    Vec3 w[4], z[4], *beyond = motion->step.beyond + 4 * i, *kept = motion->step.kept + 4 * i;
    if (!has_component(&motion->layout, i)) continue;
    const ComponentStep *c = component_of(motion, i);
    int nvec = count_vectors(&motion->layout, i);
    find_displacement_rates(motion, i, nvec, w);
    find_known_part(motion, i, nvec, z);
    for (int j = 0; j < nvec; j++) {
      beyond[j] = c->turns ? vec3_cross(w[j], c->turn) : vec3_sub(vec3_scale(2 * delta, w[j]), z[j]);
      Vec3 middle = vec3_scale(1 / g, vec3_add(vec3_add(w[j], z[j]), beyond[j]));
      kept[j] = c->turns
                    ? vec3_sub(vec3_scale(2, vec3_sub(middle, start_velocity(motion, i, j))), vec3_cross(c->lost, w[j]))
                    : vec3_zero();
    }
    beyond[0] = vec3_add(beyond[0], centre_beyond(motion, c));
  }
  PetscFunctionReturn(0);
}

// ---- its forces and tangent ----

static Mat3 cross_times(Vec3 t, Mat3 a) {
  return mat3_columns(vec3_cross(t, mat3_column(a, 0)), vec3_cross(t, mat3_column(a, 1)),
                      vec3_cross(t, mat3_column(a, 2)));
}

static Mat3 matrix_of_rows(Vec3 a, Vec3 b, Vec3 c) {
  return (Mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

static inline Vec3 combine(double f, Vec3 a, double g, Vec3 b, double h, Vec3 c) {
  return vec3(f * a.x + g * b.x + h * c.x, f * a.y + g * b.y + h * c.y, f * a.z + g * b.z + h * c.z);
}

// The sum of a_j b_j^T over the vectors of a frame but its place.
static inline Mat3 sum_outer(const Vec3 *a, const Vec3 *b) {
  return matrix_of_rows(combine(a[1].x, b[1], a[2].x, b[2], a[3].x, b[3]),
                        combine(a[1].y, b[1], a[2].y, b[2], a[3].y, b[3]),
                        combine(a[1].z, b[1], a[2].z, b[2], a[3].z, b[3]));
}

// a + u v^T + s
static inline Mat3 add_outer(Mat3 a, Vec3 u, Vec3 v, double s) {
  return (Mat3){{{a.m[0][0] + u.x * v.x + s, a.m[0][1] + u.x * v.y, a.m[0][2] + u.x * v.z},
                 {a.m[1][0] + u.y * v.x, a.m[1][1] + u.y * v.y + s, a.m[1][2] + u.y * v.z},
                 {a.m[2][0] + u.z * v.x, a.m[2][1] + u.z * v.y, a.m[2][2] + u.z * v.z + s}}};
}

static inline void put_block(double out[6][6], int column, int row, double f, Mat3 a) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[column + k][row + i] = f * a.m[i][k];
}

// Columns for the turn: forces on the unknowns for a unit of b, and what a change of the unknowns takes from the
// right-hand side of the equation for b, with y = z - b x w.
static void find_turn_columns(const Motion *motion, PetscInt i, int nvec, MomentumNode *out) {
  const ComponentStep *c = component_of(motion, i);
  const NodeMotion *m = motion->step.motion + i;
  const Vec3 *mw = motion->step.moved + 4 * i, *mz = motion->step.known + 4 * i, b = c->turn;
  double h = motion->step.h, g = 1 + 2 * motion->step.recall.delta;
  Mat3 right = mat3_cross(vec3_sub(vec3_cross(b, mw[0]), mz[0])); // b~ w~ = w b^T - b.w
  right = add_outer(right, mw[0], b, -vec3_dot(b, mw[0]));
  put_block(out->left, 0, 0, 2 / (g * h), mat3_cross(mw[0])), put_block(out->right, 0, 0, 1 / h, right);
  if (nvec == 1) return;
  Vec3 my[4], across = vec3_zero();
  double dot = 0;
  for (int j = 1; j < 4; j++) { // x~ b~ w~ = (x x w) b^T - (b.w) x~
    my[j] = vec3_sub(vec3_cross(b, mw[j]), mz[j]);
    across = vec3_add(across, vec3_cross(m->x[j], mw[j]));
    dot -= vec3_dot(m->x[j], my[j]);
  }
  Vec3 along = combine(-vec3_dot(b, mw[1]), m->x[1], -vec3_dot(b, mw[2]), m->x[2], -vec3_dot(b, mw[3]), m->x[3]);
  Mat3 moment = sum_outer(mw, m->rho), turn = mat3_add(sum_outer(my, m->x), mat3_cross(along));
  turn = add_outer(turn, across, b, dot);
  put_block(out->left, 0, 3, 2 / (g * h), add_outer(moment, vec3_zero(), vec3_zero(), -trace(moment)));
  put_block(out->right, 0, 3, 1 / h, mat3_mul(mat3_transpose(m->spin), turn));
}

// Columns for the mass centre of a free component.
static void find_centre_columns(const ComponentStep *c, const NodeMotion *m, double h, int nvec,
                                const double mass[4][4], MomentumNode *out) {
  Mat3 less = mat3_sub(mat3_identity(), c->tilt);
  put_block(out->left, 3, 0, 2 / (h * h) * mass[0][0], less);
  put_block(out->right, 3, 0, mass[0][0] / c->mass, mat3_identity());
  if (nvec == 1 || is_centred(mass)) return;
  Vec3 lever = combine(mass[1][0], m->rho[1], mass[2][0], m->rho[2], mass[3][0], m->rho[3]);
  Vec3 arm = combine(mass[0][1], m->x[1], mass[0][2], m->x[2], mass[0][3], m->x[3]);
  put_block(out->left, 3, 3, 2 / (h * h), cross_times(lever, less));
  put_block(out->right, 3, 3, 1 / c->mass, mat3_mul(mat3_transpose(m->spin), mat3_cross(arm)));
}

void motion_momentum_columns(const Motion *motion, PetscInt i, MomentumNode *out) {
  const ComponentStep *c = component_of(motion, i);
  int nvec = count_vectors(&motion->layout, i);
  *out = (MomentumNode){.free = !motion->layout.component_tied[motion->layout.component[i]] && c->mass > 0};
  if (c->turns) find_turn_columns(motion, i, nvec, out);
  if (out->free)
    find_centre_columns(c, motion->step.motion + i, motion->step.h, nvec, (const double(*)[4])motion->layout.mass[i],
                        out);
}

// The mass of a node times f - e b~, between its vectors, and how the levers of forces on them change.
static void add_mass_times(Local *out, int nvec, const double mass[4][4], const NodeMotion *m, double f, double e,
                           Vec3 b, const Vec3 *force) {
  Vec3 arm[4] = {vec3_zero(), m->x[1], m->x[2], m->x[3]}, turned[4], across = vec3_zero();
  const Vec3 *rho = m->rho;
  double dot = 0;
  Mat3 d = mat3_axpy(mat3_diag(f, f, f), -e, mat3_cross(b));
  local_add_mat(out, 0, 0, mass[0][0], d);
  if (nvec == 1) return;
  multiply_mass(nvec, mass, arm, turned);
  for (int i = 1; i < 4; i++) {
    arm[i] = force[i];
    across = vec3_add(across, vec3_cross(rho[i], turned[i]));
    dot += vec3_dot(m->x[i], force[i]);
  }
  // crosses f~ x~ = x f^T - f.x
  Mat3 both = mat3_scale(-m->part, add_outer(sum_outer(m->x, arm), vec3_zero(), vec3_zero(), -dot));
  both = mat3_add(both, mat3_cross(combine(e * vec3_dot(b, turned[1]), rho[1], e * vec3_dot(b, turned[2]), rho[2],
                                           e * vec3_dot(b, turned[3]), rho[3])));
  both = add_outer(both, vec3_scale(-e, across), b, 0);
  if (f != 0) {
    Mat3 plain = sum_outer(turned, rho);
    both = mat3_axpy(both, f, add_outer(plain, vec3_zero(), vec3_zero(), -trace(plain)));
  }
  local_add_mat(out, 3, 3, -1, mat3_mul(both, m->spin));
  if (is_centred(mass)) return;
  Vec3 lever = combine(mass[1][0], rho[1], mass[2][0], rho[2], mass[3][0], rho[3]);
  local_add_mat(out, 0, 3, -1, mat3_mul(mat3_mul(d, mat3_cross(turned[0])), m->spin));
  local_add_mat(out, 3, 0, 1, cross_times(lever, d));
}

// What a component of one node lacks: its columns times its rows.
static void add_columns(const Motion *motion, PetscInt i, Local *out) {
  MomentumNode q;
  motion_momentum_columns(motion, i, &q);
  for (int column = 0; column < out->n; column++) {
    const double(*l)[6] = (const double(*)[6])q.left;
    Vec3 turn =
        mat3_apply(component_of(motion, i)->inverse, vec3(q.right[0][column], q.right[1][column], q.right[2][column]));
    for (int row = 0; row < out->n; row++)
      out->k[row * out->n + column] -= l[0][row] * turn.x + l[1][row] * turn.y + l[2][row] * turn.z;
    for (int k = 3; k < 6 && q.free; k++)
      for (int row = 0; row < out->n; row++) out->k[row * out->n + column] += l[k][row] * q.right[k][column];
  }
}

// Forces on the vectors of a node for what its velocities are beyond the usual; M w becomes relative to the mass centre.
static void find_forces(Motion *motion, PetscInt i, int nvec, Vec3 *force) {
  const ComponentStep *c = component_of(motion, i);
  const double(*mass)[4] = (const double(*)[4])motion->layout.mass[i];
  double delta = motion->step.recall.delta, f = 2 / ((1 + 2 * delta) * motion->step.h);
  Vec3 *mw = motion->step.moved + 4 * i, *mz = motion->step.known + 4 * i, centre = centre_beyond(motion, c);
  if (!motion->layout.component_tied[motion->layout.component[i]]) { // as at the end of the step, to the bit
    Vec3 w[4];
    find_displacement_rates(motion, i, nvec, w);
    multiply_mass(nvec, mass, w, mw);
  }
  for (int j = 0; j < nvec; j++) {
    Vec3 p = c->turns ? vec3_cross(mw[j], c->turn) : vec3_sub(vec3_scale(2 * delta, mw[j]), mz[j]);
    force[j] = vec3_scale(f, mass[j][0] != 0 ? vec3_axpy(p, mass[j][0], centre) : p);
  }
}

PetscErrorCode EquationsBalanceMomentum(Motion *motion, Equations *equations, double *residual, PetscBool tangent) {
  const Layout *layout = &motion->layout;
  double h = motion->step.h, f = 2 / (h * h), g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  PetscCall(FindTurns(motion, false));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt blocks[2] = {layout->node_block[i], layout->node_block[i] + 1};
    const NodeMotion *m = motion->step.motion + i;
    Vec3 force[4];
    if (!has_component(layout, i)) continue;
    int nvec = count_vectors(layout, i);
    find_forces(motion, i, nvec, force);
    add_vector(residual + 3 * blocks[0], force[0]);
    for (int j = 1; j < nvec; j++) add_vector(residual + 3 * blocks[1], vec3_cross(m->rho[j], force[j]));
    if (!tangent) continue;
    const ComponentStep *c = component_of(motion, i); // of the tilt less 1/g: with b, -b~/g, without 1 - 1/g
    local_begin(equations->scratch, 1, nvec > 1 ? 2 : 1, true);
    add_mass_times(equations->scratch, nvec, (const double(*)[4])layout->mass[i], m, c->turns ? 0 : f * (1 - 1 / g),
                   f / g, c->turn, force);
    if (layout_is_single(layout, i)) add_columns(motion, i, equations->scratch);
    PetscCall(EquationsAddLocal(layout, equations, nvec > 1 ? 2 : 1, blocks, residual, PETSC_TRUE));
  }
  PetscFunctionReturn(0);
}
