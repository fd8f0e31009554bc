// SPDX-License-Identifier: Apache-2.0
// The beam in the limit of a small load: its modes, and each of them stepped by a scheme on its own.
//   M q'' + K q = f(t):   q = sum_j phi_j y_j,   y_j'' + omega_j^2 y_j = (phi_j . direction) f(t),   phi_j . M phi_j = 1
// The tangent of an energy preserving step at rest is 2/h^2 M + K/2; two values of h give M and K.
#ifndef MODAL_H
#define MODAL_H

#include "assembly/evaluate.h"
#include "hinged.h"

#include "analyses/stepping/stepper.h"

#include <slepceps.h>

typedef struct {
  int count;
  double *omega, *load;           // frequency (0: the rigid turn), share of the load
  double (*tip)[6], (*moment)[3]; // displacement and rotation of the tip, M1 M2 M3 at the first Gauss point
} Modes;

static void *zeros(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) stop("out of memory");
  return p;
}

// Moments at the first Gauss point when the nodes move by `q`; strains are quadratic, so the difference is exact.
static void moments_of(const Layout *layout, const State *state, LimberElementId beam, const double *q,
                       double *moment) {
  int point = 0;
  const ModelElement *e = model_component_point(layout->model, beam.index, &point);
  const int *id = model_element_nodes(layout->model, e);
  const double d = 1e-4;
  double strain[6], force[2][6];
  for (int side = 0; side < 2; side++) {
    Vec3 x[16];
    for (int a = 0; a < 4; a++) {
      PetscInt i = layout->local_node[id[a]], at = 3 * layout->node_block[i];
      for (int j = 0; j < 4; j++) {
        Vec3 x0 = state->x[4 * i + j], change = j ? vec3_cross(vec3_of(q + at + 3), x0) : vec3_of(q + at);
        x[4 * a + j] = vec3_axpy(x0, side ? d : -d, change);
      }
    }
    element_forces(e->kind, e->data, point, x, strain, force[side]);
  }
  for (int i = 0; i < 3; i++) moment[i] = (force[1][3 + i] - force[0][3 + i]) / (2 * d);
}

// Mass and stiffness of the free directions, which are listed in `kept`.
static void matrices(Motion *motion, Equations *equations, int n, const PetscInt *kept, Mat *mass, Mat *stiffness) {
  const double h[2] = {1e-4, 1e-5}, f[2] = {2 / (h[0] * h[0]), 2 / (h[1] * h[1])};
  Mat t[2];
  IS is;
  ok(ISCreateGeneral(PETSC_COMM_SELF, n, kept, PETSC_COPY_VALUES, &is));
  for (int k = 0; k < 2; k++) {
    Mat all, part;
    ok(MotionBeginStep(motion, h[k]));
    ok(VecZeroEntries(equations->unknown));
    ok(EquationsEvaluate(motion, equations, PETSC_TRUE));
    ok(MatConvert(equations->matrix.tangent, MATSEQAIJ, MAT_INITIAL_MATRIX, &all));
    ok(MatCreateSubMatrix(all, is, is, MAT_INITIAL_MATRIX, &part));
    ok(MatConvert(part, MATSEQDENSE, MAT_INITIAL_MATRIX, &t[k]));
    ok(MatDestroy(&all));
    ok(MatDestroy(&part));
  }
  ok(MatDuplicate(t[1], MAT_COPY_VALUES, mass)); // (t1 - t0)/(f1 - f0)
  ok(MatAXPY(*mass, -1, t[0], SAME_NONZERO_PATTERN));
  ok(MatScale(*mass, 1 / (f[1] - f[0])));
  ok(MatDuplicate(t[0], MAT_COPY_VALUES, stiffness)); // 2 (t0 - f0 M)
  ok(MatAXPY(*stiffness, -f[0], *mass, SAME_NONZERO_PATTERN));
  ok(MatScale(*stiffness, 2));
  for (int k = 0; k < 2; k++) ok(MatDestroy(&t[k]));
  ok(ISDestroy(&is));
}

static Modes modes_of(int elements) {
  Case c = {"preserving", elements, 1, 1, 1, TRIANGLE};
  LimberElementId beam;
  LimberNodeId tip;
  LimberModel m = make_model(&c, &beam, &tip);
  LimberOptions o = options_of(c.scheme, c.steps);
  Stepper *p;
  Refusal wrong;
  ok(StepperCreate(m, &o, &p, &wrong));
  System *s = p->s;
  PetscInt root = s->motion.layout.node_block[s->motion.layout.local_node[limber_model_element_node(m, beam, 0).index]];
  PetscInt end = s->motion.layout.node_block[s->motion.layout.local_node[tip.index]],
           size = 3 * s->motion.layout.nblock_own, n = 0;
  PetscInt *kept = zeros((size_t)size, sizeof *kept);
  for (PetscInt i = 0; i < size; i++) // of the root only the turn about the hinge is free
    if (s->motion.layout.block_node[i / 3] >= 0 && i / 3 != root && (i / 3 != root + 1 || i % 3 == 1)) kept[n++] = i;
  Mat mass, stiffness;
  Vec y;
  EPS eps;
  matrices(&s->motion, &s->equations, (int)n, kept, &mass, &stiffness);
  ok(MatCreateVecs(mass, &y, NULL));
  ok(EPSCreate(PETSC_COMM_SELF, &eps));
  ok(EPSSetOperators(eps, stiffness, mass));
  ok(EPSSetProblemType(eps, EPS_GHEP));
  ok(EPSSetType(eps, EPSLAPACK));
  ok(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
  ok(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL));
  ok(EPSSolve(eps));
  size_t count = (size_t)n;
  Modes r = {(int)n, zeros(count, sizeof(double)), zeros(count, sizeof(double)), zeros(count, 6 * sizeof(double)),
             zeros(count, 3 * sizeof(double))};
  double *q = zeros((size_t)size, sizeof *q);
  for (int j = 0; j < r.count; j++) {
    const double *at;
    double square;
    ok(EPSGetEigenpair(eps, j, &square, NULL, y, NULL));
    ok(VecGetArrayRead(y, &at));
    for (PetscInt i = 0; i < n; i++) q[kept[i]] = at[i];
    ok(VecRestoreArrayRead(y, &at));
    r.omega[j] = square > 1 ? sqrt(square) : 0; // the rigid turn comes out as round-off
    for (int i = 0; i < 6; i++) r.tip[j][i] = q[3 * end + i];
    r.load[j] = r.tip[j][1] + r.tip[j][2];
    if (square > 1) moments_of(&s->motion.layout, &s->motion.state, beam, q, r.moment[j]);
  }
  free(q), free(kept);
  ok(EPSDestroy(&eps));
  ok(VecDestroy(&y));
  ok(MatDestroy(&mass));
  ok(MatDestroy(&stiffness));
  ok(StepperDestroy(&p));
  ok(LimberModelDestroy(&m));
  return r;
}

static void modes_free(Modes *m) { free(m->omega), free(m->load), free(m->tip), free(m->moment); }

// y and y' at t_end under the triangle, which is a sum of three ramps.
static void exact_mode(double w, double *y, double *v) {
  static const double corner[3] = {0, 0.025, 0.05}, change[3] = {1, -2, 1};
  *y = *v = 0;
  for (int i = 0; i < 3; i++) {
    double t = t_end - corner[i], f = change[i] * slope;
    *y += w > 0 ? f * (t / (w * w) - sin(w * t) / (w * w * w)) : f * t * t * t / 6;
    *v += w > 0 ? f * (1 - cos(w * t)) / (w * w) : f * t * t / 2;
  }
}

// The same by a scheme. Tableaux: with D the changes over the intervals,
//   Dy = h (b y' + a Dv),  Dv = h (f - w^2 (b y + a Dy))   so   (1 + (h w)^2 a a) Dv = h (f - w^2 (b y + h a b y'))
static void stepped_mode(const StepRule *r, double w, long steps, double *y, double *v) {
  const Tableau *t = &r->tableau;
  double h = t_end / (double)steps, w2 = w * w, acc = 0, true_acc = 0;
  double k[2][2] = {{1, 0}, {0, 1}}, ab[2] = {0, 0};
  *y = *v = 0;
  for (int i = 0; i < t->s; i++)
    for (int j = 0; j < t->s; j++) {
      ab[i] += t->a[i][j] * t->b[j];
      for (int l = 0; l < t->s; l++) k[i][j] += h * h * w2 * t->a[i][l] * t->a[l][j];
    }
  double det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
  for (long n = 0; n < steps; n++) {
    double f = triangle((double)n * h), f1 = triangle((double)(n + 1) * h), rhs[2] = {0, 0}, dv[2];
    if (r->accelerations) { // generalized-alpha
      double y0 = *y + h * *v + h * h * (0.5 - r->beta) * acc, am = r->alpha_m, af = r->alpha_f;
      double a1 = (1 - af) * (f1 - w2 * y0) + af * true_acc - am * acc;
      a1 /= 1 - am + (1 - af) * w2 * h * h * r->beta;
      *y = y0 + h * h * r->beta * a1;
      *v += h * ((1 - r->gamma) * acc + r->gamma * a1);
      acc = a1, true_acc = f1 - w2 * *y;
      continue;
    }
    for (int i = 0; i < t->s; i++)
      rhs[i] = h * (t->b[i] * f + t->a[i][0] * (f1 - f) - w2 * (t->b[i] * *y + h * ab[i] * *v));
    dv[0] = (rhs[0] * k[1][1] - rhs[1] * k[0][1]) / det;
    dv[1] = (rhs[1] * k[0][0] - rhs[0] * k[1][0]) / det;
    *y += h * *v + h * (t->a[0][0] * dv[0] + t->a[0][1] * dv[1]);
    *v += dv[0];
  }
}

// Tip displacement, tip velocity and root moment (3 each), tip rotation about i2: exact and error of a scheme.
typedef struct {
  double exact[10], error[10];
} Response;

static void add_mode(const Modes *m, int j, const StepRule *rule, long steps, Response *r) {
  double y, v, y1, v1;
  exact_mode(m->omega[j], &y, &v);
  stepped_mode(rule, m->omega[j], steps, &y1, &v1);
  for (int i = 0; i < 10; i++) {
    double shape = m->load[j] * (i < 6 ? m->tip[j][i % 3] : i < 9 ? m->moment[j][i - 6] : m->tip[j][4]);
    bool rate = i >= 3 && i < 6;
    r->exact[i] += shape * (rate ? v : y);
    r->error[i] += shape * (rate ? v1 - v : y1 - y);
  }
}

#endif
