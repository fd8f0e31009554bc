// SPDX-License-Identifier: Apache-2.0
// Linear models and transfer functions through the public interface, on any number of ranks: a beam with a mass at its end on a
// driven hinge, against each other; a mass on a spring against its equation.
#include "check_petsc.h"

#include "limber/limber.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const char spring[] = "limber: 1\n"
                             "nodes: {wall: [0, 0, 0], mass: {at: [1, 0, 0], kind: point}}\n"
                             "functions: {f: {signal: {}}}\n"
                             "elements:\n"
                             "  - mass: {name: mass, node: mass, mass: 4}\n"
                             "  - spring: {name: spring, nodes: [wall, mass], stiffness: 100, damping: 2}\n"
                             "joints:\n"
                             "  - clamp: {node: wall}\n"
                             "  - point_on_line: {name: line, nodes: [ground, mass], axis: [1, 0, 0]}\n"
                             "loads: [{force: {name: push, node: mass, direction: [8, 0, 0], amplitude: f}}]\n"
                             "probes: [{name: mass, node: mass}, {name: line, joint: line}]\n"
                             "linearize: {inputs: push, outputs: [mass.x, mass.velocity.x, line.slide]}\n"
                             "response: {from: 0.5 Hz, to: 2 Hz, points: 3, inputs: push, outputs: mass.x}\n";

static const char arm[] =
    "limber: 1\n"
    "nodes: {root: [0, 0, 0], tip: [1, 0.2, 0]}\n"
    "sections: {s: {mass: 2, stiffness: [4e4, 2e4, 2e4, 30, 50, 80], inertia: [0.02, 0.01, 0.01]}}\n"
    "functions: {still: {constant: {value: 0}}}\n"
    "elements:\n"
    "  - beam: {name: beam, from: root, to: tip, section: s, elements: 6, order: 2, damping: 3 ms}\n"
    "  - rigid_body: {name: load, node: tip, mass: 3, centre: [0.1, 0.05, -0.02], inertia: [0.1, 0.2, 0.3]}\n"
    "joints: [{revolute: {name: hinge, nodes: [ground, root], axis: [0, 0, 1]}}]\n"
    "loads:\n"
    "  - drive: {name: turn, joint: hinge, motion: still}\n"
    "  - gravity: {name: gravity, acceleration: [0, -9.81, 0]}\n"
    "  - follower_force: {name: jet, node: tip, direction: [3, 1, 2]}\n"
    "probes: [{name: tip, node: tip}, {name: hinge, joint: hinge}, {name: root, element: beam, at: 0.1}]\n"
    "response: {from: 0.4 Hz, to: 9 Hz, points: 4}\n";

static LimberFile file_of(const char *text) {
  LimberFile f;
  LimberReadOptions read = limber_read_options_default();
  read.text = text;
  CHECK_OK(LimberFileRead("model.yaml", &read, &f));
  CHECK_STR(limber_file_diagnostics(f), "");
  return f;
}

TEST(a_mass_on_a_spring_has_its_matrices) {
  LimberFile f = file_of(spring);
  LimberLinearModel l;
  int rows, columns;
  const double a[] = {0, 1, -25, -0.5}, b[] = {0, 2}, c[] = {1, 0, 0, 1, 1, 0};
  CHECK_OK(LimberLinearCreate(f, NULL, &l));
  CHECK_STR(limber_linear_wrong(l), "");
  CHECK_STR(limber_linear_name(l, LIMBER_STATES, 0), "line.slide");
  CHECK_STR(limber_linear_name(l, LIMBER_STATES, 1), "line.slide.rate");
  CHECK_STR(limber_linear_units(l, LIMBER_STATES, 1), "m s-1");
  CHECK_STR(limber_linear_name(l, LIMBER_INPUTS, 0), "push");
  CHECK_STR(limber_linear_name(l, LIMBER_OUTPUTS, 1), "mass.velocity.x");
  CHECK(limber_linear_name(l, LIMBER_OUTPUTS, 3) == NULL);
  CHECK_REL(limber_linear_at(l, LIMBER_OUTPUTS, 0), 1, 1e-14);
  const double *found = limber_linear_matrix(l, 'A', &rows, &columns);
  CHECK(rows == 2 && columns == 2);
  for (int i = 0; i < 4; i++) CHECK_LE(fabs(found[i] - a[i]), 1e-12);
  found = limber_linear_matrix(l, 'B', &rows, &columns);
  CHECK(rows == 2 && columns == 1);
  for (int i = 0; i < 2; i++) CHECK_LE(fabs(found[i] - b[i]), 1e-12);
  found = limber_linear_matrix(l, 'C', &rows, &columns);
  CHECK(rows == 3 && columns == 2);
  for (int i = 0; i < 6; i++) CHECK_LE(fabs(found[i] - c[i]), 1e-10);
  CHECK(limber_linear_matrix(l, 'E', &rows, &columns) == NULL);
  double re, im;
  CHECK(limber_linear_eigenvalue(l, 1, &re, &im) == 1);
  CHECK_REL(re, -0.25, 1e-12);
  CHECK_REL(im, sqrt(25 - 0.0625), 1e-12);
  CHECK_OK(LimberLinearDestroy(&l));
  CHECK_OK(LimberFileDestroy(&f));
}

TEST(its_transfer_function_is_that_of_its_equation) {
  LimberFile f = file_of(spring);
  LimberResponse r;
  int n, inputs, outputs;
  CHECK_OK(LimberResponseCreate(f, NULL, &r));
  CHECK_STR(limber_response_wrong(r), "");
  limber_response_count(r, &n, &inputs, &outputs);
  CHECK(n == 3 && inputs == 1 && outputs == 1);
  CHECK_STR(limber_response_name(r, 1, 0), "mass.position.x");
  CHECK_REL(limber_response_frequency(r, 1), 1, 1e-14);
  for (int i = 0; i < n; i++) {
    double complex s = 2 * M_PI * limber_response_frequency(r, i) * I, exact = 8 / (4 * s * s + 2 * s + 100);
    double re, im;
    limber_response_value(r, i, 0, 0, &re, &im);
    CHECK_LE(cabs(re + im * I - exact), 1e-11 * cabs(exact));
  }
  CHECK_OK(LimberResponseDestroy(&r));
  CHECK_OK(LimberFileDestroy(&f));
}

// C (s - A)^-1 B + D for one input, by elimination with the largest pivot.
static void transfer_column(LimberLinearModel l, double complex s, int input, double complex *y) {
  int n, m, p, k;
  const double *a = limber_linear_matrix(l, 'A', &n, &k), *b = limber_linear_matrix(l, 'B', &n, &m),
               *c = limber_linear_matrix(l, 'C', &p, &k), *d = limber_linear_matrix(l, 'D', &p, &m);
  static double complex e[400][401];
  CHECK(n <= 400);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) e[i][j] = (i == j ? s : 0) - a[i * n + j];
    e[i][n] = b[i * m + input];
  }
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int j = i; j < n; j++) best = cabs(e[j][i]) > cabs(e[best][i]) ? j : best;
    for (int j = i; j <= n; j++) {
      double complex swap = e[i][j];
      e[i][j] = e[best][j], e[best][j] = swap;
    }
    for (int r = i + 1; r < n; r++) {
      double complex factor = e[r][i] / e[i][i];
      for (int j = i; j <= n && factor != 0; j++) e[r][j] -= factor * e[i][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) e[i][n] -= e[i][j] * e[j][n];
    e[i][n] /= e[i][i];
  }
  for (int o = 0; o < p; o++) {
    y[o] = d[o * m + input];
    for (int i = 0; i < n; i++) y[o] += c[o * n + i] * e[i][n];
  }
}

static int find_input(LimberLinearModel l, const char *name) {
  for (int i = 0; i < limber_linear_count(l, LIMBER_INPUTS); i++)
    if (!strcmp(limber_linear_name(l, LIMBER_INPUTS, i), name)) return i;
  return -1;
}

// A drive is one input of the response, and three of the linear model; the follower force acts at the operating point.
TEST(matrices_and_direct_solutions_agree) {
  LimberFile f = file_of(arm);
  LimberLinearModel l;
  LimberResponse r;
  int n, inputs, outputs;
  double worst = 0;
  CHECK_OK(LimberLinearCreate(f, NULL, &l));
  CHECK_STR(limber_linear_wrong(l), "");
  CHECK_OK(LimberResponseCreate(f, NULL, &r));
  CHECK_STR(limber_response_wrong(r), "");
  limber_response_count(r, &n, &inputs, &outputs);
  CHECK(inputs == 3 && outputs == limber_linear_count(l, LIMBER_OUTPUTS) && outputs > 20);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < inputs; i++) {
      double complex s = 2 * M_PI * limber_response_frequency(r, k) * I, y[3][100] = {{0}};
      double off = 0, size = 0;
      const char *name = limber_response_name(r, 0, i);
      transfer_column(l, s, find_input(l, name), y[0]);
      if (!strcmp(name, "turn")) {
        transfer_column(l, s, find_input(l, "turn.rate"), y[1]);
        transfer_column(l, s, find_input(l, "turn.acceleration"), y[2]);
      }
      for (int o = 0; o < outputs; o++) {
        double re, im;
        limber_response_value(r, k, i, o, &re, &im);
        off += pow(cabs(y[0][o] + s * y[1][o] + s * s * y[2][o] - re - im * I), 2), size += re * re + im * im;
      }
      worst = fmax(worst, sqrt(off / size));
    }
  CHECK_NOTE("%d inputs, %d outputs differ by %.1e", inputs, outputs, worst);
  CHECK_LE(worst, 2e-7); // 2e-8, of section forces by differences
  CHECK_OK(LimberResponseDestroy(&r));
  CHECK_OK(LimberLinearDestroy(&l));
  CHECK_OK(LimberFileDestroy(&f));
}

TEST(options_of_a_program_choose_inputs_and_modes) {
  LimberFile f = file_of(arm);
  LimberLinearModel l;
  LimberLinearOptions o;
  o = limber_linear_options_default();
  o.modes = 3, o.inputs = 1, o.input = (const char *const[]){"jet"};
  o.outputs = 1, o.output = (const char *const[]){"tip.position"};
  CHECK_OK(LimberLinearCreate(f, &o, &l));
  CHECK_STR(limber_linear_wrong(l), "");
  CHECK(limber_linear_count(l, LIMBER_STATES) == 6 && limber_linear_count(l, LIMBER_INPUTS) == 1);
  CHECK(limber_linear_count(l, LIMBER_OUTPUTS) == 3);
  CHECK_STR(limber_linear_name(l, LIMBER_STATES, 3), "mode.1.rate");
  CHECK_OK(LimberLinearDestroy(&l));
  o.input = (const char *const[]){"nothing"};
  CHECK_OK(LimberLinearCreate(f, &o, &l));
  CHECK_STR(limber_linear_wrong(l), "no load or signal is called 'nothing'");
  CHECK(limber_linear_count(l, LIMBER_STATES) == 0);
  CHECK_OK(LimberLinearDestroy(&l));
  CHECK_OK(LimberFileDestroy(&f));
}

CHECK_MAIN_PETSC
