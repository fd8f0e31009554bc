// SPDX-License-Identifier: Apache-2.0
// The square block of R. L. Taylor (Rigid-Flexible Body Analysis Without Rotation Parameters, CIMNE 189, 2000, section 7.1)
// with his three ways to hold the edges of its master triangle. Inertia is the same in all,
//   M (v_1 - v_n)/h + G(x_g)^T lambda = F(t_n + h/2),   x_1 = x_n + h (v_n + v_1)/2,   C(x_c) = 0,
//   C_e = (|x_a - x_b|^2 - L^2)/2 on each edge,  G = dC/dx:
//   (a) energy-momentum   G at the middle, C at the end of the step
//   (b) midpoint          both at the middle
//   (c) end               both at the end
// (a) is Limber's preserving scheme; (b) and (c) are here for comparison and nowhere else.
// usage: study_square_block --check | DIRECTORY (which receives the tables)
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 3, X = 2 * POINTS, EDGES = 3, N = X + EDGES };
typedef enum { MIDDLE, END } Place;
typedef struct {
  const char *name;
  Place force, constraint;
} Variant;
static const Variant variants[] = {{"a", MIDDLE, END}, {"b", MIDDLE, MIDDLE}, {"c", END, END}};
enum { VARIANTS = 3 };

// Master triangle with its first point at the centre of the block; mass M_ab = integral rho L_a L_b over 6 x 6, rho = 2.
static const double corner[X] = {0, 0, 3, 0, 0, 3};
static const double mass[POINTS][POINTS] = {{120, -24, -24}, {-24, 24, 0}, {-24, 0, 24}};
static const int edge[EDGES][2] = {{0, 1}, {0, 2}, {1, 2}};

typedef struct {
  double x[X], v[X], lambda[EDGES];
} State;

static double amplitude(double t) { return t < 2 ? 2 * t : t < 4 ? 2 * (4 - t) : 0; }

static double between(const double *x, const double *y, int e) {
  const int *p = edge[e];
  return (x[2 * p[0]] - x[2 * p[1]]) * (y[2 * p[0]] - y[2 * p[1]]) +
         (x[2 * p[0] + 1] - x[2 * p[1] + 1]) * (y[2 * p[0] + 1] - y[2 * p[1] + 1]);
}

static double violation(const double *x, int e) { return 0.5 * (between(x, x, e) - between(corner, corner, e)); }

static void gradient(const double *x, int e, double *g) {
  memset(g, 0, X * sizeof *g);
  for (int i = 0; i < 2; i++) {
    double d = x[2 * edge[e][0] + i] - x[2 * edge[e][1] + i];
    g[2 * edge[e][0] + i] = d, g[2 * edge[e][1] + i] = -d;
  }
}

// Gauss elimination with row pivoting; the solution is left in b.
static bool solve(double a[N][N], double *b) {
  for (int c = 0; c < N; c++) {
    int p = c;
    for (int r = c + 1; r < N; r++)
      if (fabs(a[r][c]) > fabs(a[p][c])) p = r;
    if (!(fabs(a[p][c]) > 0)) return false;
    for (int k = 0; k < N; k++) {
      double swap = a[p][k];
      a[p][k] = a[c][k], a[c][k] = swap;
    }
    double swap = b[p];
    b[p] = b[c], b[c] = swap;
    for (int r = 0; r < N; r++) {
      double f = r == c ? 0 : a[r][c] / a[c][c];
      for (int k = c; k < N && f != 0; k++) a[r][k] -= f * a[c][k];
      b[r] -= f * b[c];
    }
  }
  for (int r = 0; r < N; r++) b[r] /= a[r][r];
  return true;
}

// Residual and tangent by x_1 and lambda.
static void evaluate(const Variant *q, const State *n, double t, double h, const State *end, double *r,
                     double k[N][N]) {
  double middle[X], g[X], push = amplitude(t + 0.5 * h);
  double force_part = q->force == MIDDLE ? 0.5 : 1, constraint_part = q->constraint == MIDDLE ? 0.5 : 1;
  for (int i = 0; i < X; i++) middle[i] = 0.5 * (n->x[i] + end->x[i]);
  const double *xg = q->force == MIDDLE ? middle : end->x, *xc = q->constraint == MIDDLE ? middle : end->x;
  memset(k, 0, N * sizeof *k), memset(r, 0, N * sizeof *r);
  for (int a = 0; a < POINTS; a++)
    for (int b = 0; b < POINTS; b++)
      for (int i = 0; i < 2; i++) { // v_1 - v_n = 2 (x_1 - x_n)/h - 2 v_n
        double change = 2 * (end->x[2 * b + i] - n->x[2 * b + i]) / h - 2 * n->v[2 * b + i];
        r[2 * a + i] += mass[a][b] * change / h, k[2 * a + i][2 * b + i] += 2 * mass[a][b] / (h * h);
      }
  r[0] -= push, r[4] += push; // along x, on the first point and against it on the third
  for (int e = 0; e < EDGES; e++) {
    gradient(xg, e, g);
    for (int i = 0; i < X; i++) r[i] += end->lambda[e] * g[i], k[i][X + e] = g[i];
    for (int s = 0; s < 2; s++)
      for (int u = 0; u < 2; u++)
        for (int i = 0; i < 2; i++)
          k[2 * edge[e][s] + i][2 * edge[e][u] + i] += (s == u ? 1 : -1) * force_part * end->lambda[e];
    gradient(xc, e, g);
    r[X + e] = violation(xc, e);
    for (int i = 0; i < X; i++) k[X + e][i] = constraint_part * g[i];
  }
}

static bool step(const Variant *q, State *s, double t, double h) {
  State end = *s;
  for (int i = 0; i < X; i++) end.x[i] += h * s->v[i];
  for (int i = 0; i < 60; i++) {
    double r[N], k[N][N], largest = 0;
    evaluate(q, s, t, h, &end, r, k);
    if (!solve(k, r)) return false;
    for (int j = 0; j < N; j++) {
      *(j < X ? &end.x[j] : &end.lambda[j - X]) -= r[j];
      if (j < X) largest = fmax(largest, fabs(r[j]));
    }
    if (!(largest < 1e6)) return false;
    if (largest > 1e-14) continue;
    for (int j = 0; j < X; j++) end.v[j] = 2 * (end.x[j] - s->x[j]) / h - s->v[j];
    *s = end;
    return true;
  }
  return false;
}

static void kept(const State *s, double *momentum, double *energy) {
  *momentum = *energy = 0;
  for (int a = 0; a < POINTS; a++)
    for (int b = 0; b < POINTS; b++) {
      *momentum += mass[a][b] * (s->x[2 * a] * s->v[2 * b + 1] - s->x[2 * a + 1] * s->v[2 * b]);
      *energy += 0.5 * mass[a][b] * (s->v[2 * a] * s->v[2 * b] + s->v[2 * a + 1] * s->v[2 * b + 1]);
    }
}

static State start(void) {
  State s = {.x = {0}};
  memcpy(s.x, corner, sizeof s.x);
  return s;
}

// The factor by which what alternates in an edge grows with each step, over 80 steps from t = 60 s.
static double growth(const Variant *q, double h) {
  State s = start();
  int from = (int)(60 / h + 0.5), n = 80;
  double before = 0, size[2] = {0, 0};
  for (int i = 0; i <= from + n; i++) {
    if (i >= from && (i - from) % n == 0) size[(i - from) / n] = fabs(violation(s.x, 0) - before);
    before = violation(s.x, 0);
    if (!step(q, &s, i * h, h)) return NAN;
  }
  return pow(size[1] / size[0], 1. / n);
}

// ---- what is claimed ----

typedef struct {
  int variant;
  double h, t, momentum, energy;
} Row;

// Independent computation, 8 digits.
static const Row table[] = {
    {0, 0.5, 4, 23.98332207, 0.66574044},   {0, 0.5, 150, 23.98332207, 0.66574044},
    {0, 0.5, 200, 23.98332207, 0.66574044}, {1, 0.5, 4, 23.98408825, 0.66565482},
    {1, 0.5, 150, 23.98408825, 0.74936215}, {1, 0.5, 200, 23.98408825, 22.22218914},
    {2, 0.5, 4, 23.95304762, 0.66406076},   {2, 0.5, 150, 21.64716204, 0.54236068},
    {2, 0.5, 200, 20.99822501, 0.51033039}, {0, 1, 4, 23.97832916, 0.66546378},
    {0, 0.25, 4, 23.98457216, 0.66580984},  {0, 0.1, 4, 23.98492231, 0.66582928},
};

static int check(void) {
  int wrong = 0;
  puts("variant  step    t   angular momentum   kinetic energy   off by");
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const Row *p = &table[i];
    State s = start();
    double momentum, energy;
    bool good = true;
    for (int k = 0; k < (int)(p->t / p->h + 0.5) && good; k++) good = step(&variants[p->variant], &s, k * p->h, p->h);
    kept(&s, &momentum, &energy);
    double off = fmax(fabs(momentum / p->momentum - 1), fabs(energy / p->energy - 1));
    bool bad = !(good && off < 1e-6);
    printf("(%s)   %6g %5g   %16.8f %16.8f   %.1e %s\n", variants[p->variant].name, p->h, p->t, momentum, energy, off,
           bad ? "SHORT" : "good");
    wrong += bad;
  }
  State s = start();
  double momentum[2] = {0}, energy[2] = {0};
  for (int k = 0; k < 10000; k++) {
    if (!step(&variants[0], &s, 0.5 * k, 0.5)) wrong++;
    if (k == 8) kept(&s, &momentum[0], &energy[0]);
  }
  kept(&s, &momentum[1], &energy[1]);
  printf("(a) over 10000 steps: angular momentum gains %.1e, energy %.1e\n", momentum[1] - momentum[0],
         energy[1] - energy[0]);
  wrong += !(fabs(momentum[1] - momentum[0]) < 1e-11 && fabs(energy[1] - energy[0]) < 1e-11);
  for (double h = 0.5; h > 0.1; h /= 2) {
    double rate = growth(&variants[1], h), turn = h * 23.98408825 / 432;
    printf("(b) step %g, omega h = %.5f: what alternates grows by %.5f a step, e^(omega h) = %.5f\n", h, turn, rate,
           exp(turn));
    wrong += !(fabs(rate - exp(turn)) < 0.01 * turn);
  }
  printf("%d wrong\n", wrong);
  return wrong > 0;
}

static int write_tables(const char *folder) {
  for (int i = 0; i < VARIANTS; i++) {
    char name[1024];
    snprintf(name, sizeof name, "%s/%s.csv", folder, variants[i].name);
    FILE *f = fopen(name, "w");
    if (!f) return perror(name), 2;
    State s = start();
    double momentum, energy;
    fputs("t [s],angular_momentum [N m s],kinetic [J],edge [m2]\n", f);
    for (int k = 0; k <= 400; k++) {
      kept(&s, &momentum, &energy);
      fprintf(f, "%g,%.10g,%.10g,%.6g\n", 0.5 * k, momentum, energy, violation(s.x, 0));
      if (!step(&variants[i], &s, 0.5 * k, 0.5)) break;
    }
    fclose(f);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2) return strcmp(argv[1], "--check") ? write_tables(argv[1]) : check();
  fputs("usage: study_square_block --check | DIRECTORY\n", stderr);
  return 2;
}
