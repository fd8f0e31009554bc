// SPDX-License-Identifier: Apache-2.0
// Two tables of the truss (bars.yaml), from the real stepper:
//   stability.csv  the spectral radius of a step over omega_max tau, with the tip in the slot and with the tip on a line. The step is made linear by
//                  differences about rest: a state is places, velocities and what the scheme remembers, number by number. Where joints
//                  drift, 1 is a double eigenvalue, which errors of differences split by their root: a radius is good to 1e-4.
//   work.csv       error of all displacements at 0.1 s, tip in the slot, load 10 kN sin 20 t, against CPU time.
// usage: study_truss DIRECTORY [short]    (which receives the tables; short: fewer steps)
#include "base/cookie.h"
#include "analyses/exponential/exponential.h"
#include "analyses/stepping/stepper.h"

#include <petscblaslapack.h>
#include <slepcsys.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NODES = 7, MOST = 4 * 3 * NODES };

typedef struct {
  const char *name, *scheme;
  double kappa1, kappa2, rho_inf;
  int parts; // of the state: x v, or x v a, or x v a w ...
  int power; // ... of which the last two are accelerations (2) or rates of forces (3)
} Method;

static const Method methods[] = {
    {"exponential", "exponential", 0, 0, 0, 2, 0},
    {"paper", "exponential_paper", 0, 0, 0, 4, 3},
    {"paper_stable", "exponential_paper", 1000, 100, 0, 4, 3},
    {"newmark", "newmark_paper", 0, 0, 0, 3, 2},
    {"preserving", "preserving", 0, 0, 0, 2, 0},
    {"alpha", "generalized_alpha", 0, 0, 0.5, 4, 2},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef enum { SLOT, LINE } Tip;

static PetscErrorCode Truss(Tip held, double load, LimberModel *model, LimberNodeId *tip) {
  static const double at[NODES + 2][2] = {{0, 0},   {0, 1},    {1.25, 0}, {1.25, 1}, {2.5, 0},
                                          {2.5, 1}, {3.75, 0}, {3.75, 1}, {5, 1}};
  static const int bar[14][2] = {{0, 2}, {2, 4}, {4, 6}, {1, 3}, {3, 5}, {5, 7}, {2, 3},
                                 {4, 5}, {6, 7}, {1, 2}, {3, 4}, {5, 6}, {7, 8}, {6, 8}};
  LimberNodeId node[NODES + 2], pin;
  LimberFunctionId sine;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(model));
  for (int i = 0; i < NODES + 2; i++) {
    double x[3] = {at[i][0], at[i][1], 0};
    if (i < 2) PetscCall(LimberModelAddFixed(*model, NULL, x, NULL, &node[i]));
    else PetscCall(LimberModelAddPoint(*model, NULL, x, &node[i]));
    LimberPointInPlane plane = {.nodes = {LIMBER_GROUND, node[i]}, .axis = {0, 0, 1}};
    if (i >= 2 && !(held == LINE && i == NODES + 1)) PetscCall(LimberModelAddPointInPlane(*model, NULL, &plane, NULL));
  }
  *tip = node[NODES + 1];
  for (int i = 0; i < 14; i++) {
    LimberBar b = {.nodes = {node[bar[i][0]], node[bar[i][1]]}, .stiffness = 2.1e11 * 9e-4, .mass = 7800 * 9e-4};
    PetscCall(LimberModelAddBar(*model, NULL, &b, NULL));
  }
  if (held == SLOT) {
    PetscCall(LimberModelAddFixed(*model, "pin", (double[]){5.05, 1, 0}, NULL, &pin));
    PetscCall(LimberModelAddDistance(*model, "slot", &(LimberDistance){.nodes = {pin, *tip}}, NULL));
  } else {
    LimberPointOnLine line = {.nodes = {LIMBER_GROUND, *tip}, .axis = {1, 0, 0}};
    PetscCall(LimberModelAddPointOnLine(*model, "line", &line, NULL));
  }
  if (load > 0) {
    PetscCall(LimberModelAddSine(*model, "f", &(LimberSine){.amplitude = load, .frequency = 10 / PETSC_PI}, &sine));
    LimberForce p = {.node = *tip, .direction = {0, 1, 0}, .amplitude = sine};
    PetscCall(LimberModelAddForce(*model, "p", &p, NULL));
  }
  PetscFunctionReturn(0);
}

static LimberOptions options_of(const Method *q, double step) {
  return (LimberOptions){.cookie = OPTIONS_COOKIE,
                         .scheme = limber_scheme_find(q->scheme),
                         .step = step,
                         .rho_inf = q->rho_inf,
                         .paper = {.kappa1 = q->kappa1, .kappa2 = q->kappa2},
                         .halvings = -1};
}

static PetscErrorCode Open(LimberModel model, const LimberOptions *o, Stepper **p) {
  Refusal wrong;
  PetscFunctionBegin;
  PetscCall(StepperCreate(model, o, p, &wrong));
  PetscCheck(*p, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s", wrong.text);
  PetscFunctionReturn(0);
}

// ---- stability ----

static Vec3 *part_of(const State *state, int part) {
  return part == 0 ? state->x : part == 1 ? state->v : part == 2 ? state->a : state->w;
}

// The state as numbers: those nodes that move, in the order of the system.
static void state(const Layout *layout, const State *state, int parts, double *out, bool set) {
  for (int part = 0; part < parts; part++)
    for (PetscInt i = 1; i < layout->nnode; i++)
      if (layout->node_block[i] >= 0) {
        if (set) part_of(state, part)[4 * i] = vec3_of(out);
        else vec3_to(part_of(state, part)[4 * i], out);
        out += 3;
      }
}

static PetscErrorCode Radius(const Method *q, Tip held, double omega, double step, double *radius) {
  static double a[MOST * MOST], rest[MOST], now[2][MOST];
  LimberModel model;
  LimberNodeId tip;
  Stepper *p;
  LimberOutcome out;
  LimberOptions o = options_of(q, step);
  int n = 3 * NODES * q->parts, part_size = 3 * NODES;
  // what a motion of 1 um at the highest frequency has
  double memory = 1e-6 * pow(omega, q->power), scale[4] = {1e-6, 1e-6 * omega, memory, memory};
  bool good = true;
  PetscFunctionBegin;
  o.linear = !strncmp(q->scheme, "exp", 3) || !strncmp(q->scheme, "new", 3);
  PetscCall(Truss(held, 0, &model, &tip));
  PetscCall(Open(model, &o, &p));
  state(&p->s->motion.layout, &p->s->motion.state, q->parts, rest, false);
  for (int j = 0; j < n && good; j++) {
    for (int side = 0; side < 2; side++) {
      memcpy(now[side], rest, sizeof rest);
      now[side][j] += (side ? -1 : 1) * scale[j / part_size];
      state(&p->s->motion.layout, &p->s->motion.state, q->parts, now[side], true);
      memset(p->s->motion.state.coord, 0, (size_t)p->s->motion.layout.njoint * sizeof *p->s->motion.state.coord);
      p->count = 10, p->previous_step[0] = p->previous_step[1] = 0;
      PetscCall(StepperStep(p, &out));
      good = good && out.reason != LIMBER_NO_CONVERGENCE && out.reason != LIMBER_SINGULAR;
      state(&p->s->motion.layout, &p->s->motion.state, q->parts, now[side], false);
    }
    for (int i = 0; i < n; i++) a[i + n * j] = 0.5 * (now[0][i] - now[1][i]) / scale[i / part_size];
  }
  double real[MOST], imaginary[MOST], work[8 * MOST];
  PetscBLASInt size = n, one = 1, room = 8 * MOST, info = 0;
  *radius = 0;
  if (good) LAPACKgeev_("N", "N", &size, a, &size, real, imaginary, NULL, &one, NULL, &one, work, &room, &info);
  for (int i = 0; i < n && good; i++) *radius = PetscMax(*radius, hypot(real[i], imaginary[i]));
  if (!good || info) *radius = NAN;
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&model));
  PetscFunctionReturn(0);
}

static PetscErrorCode Stability(const char *directory, int points) {
  char path[PETSC_MAX_PATH_LEN];
  double omega, worst[METHODS][2] = {{0}}, from[METHODS][2] = {{0}};
  LimberModel model;
  LimberNodeId tip;
  Stepper *p;
  PetscFunctionBegin;
  PetscCall(Truss(SLOT, 0, &model, &tip));
  LimberOptions first = options_of(&methods[0], 1e-4);
  PetscCall(Open(model, &first, &p));
  omega = sqrt(exponential_of(p)->square[exponential_of(p)->m - 1]);
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&model));
  snprintf(path, sizeof path, "%s/stability.csv", directory);
  FILE *f = fopen(path, "w");
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  fprintf(f, "omega_tau");
  for (int held = SLOT; held <= LINE; held++)
    for (int q = 0; q < METHODS; q++) fprintf(f, ",%s_%s", methods[q].name, held == SLOT ? "slot" : "line");
  fputc('\n', f);
  for (int i = 0; i < points; i++) {
    double at = 0.05 * pow(2000, (double)i / (points - 1)), radius = 0;
    fprintf(f, "%.5g", at);
    for (int held = SLOT; held <= LINE; held++)
      for (int q = 0; q < METHODS; q++) {
        PetscCall(Radius(&methods[q], (Tip)held, omega, at / omega, &radius));
        fprintf(f, ",%.9g", radius);
        worst[q][held] = PetscMax(worst[q][held], radius);
        if (radius > 1 + 1e-3 && from[q][held] == 0) from[q][held] = at;
      }
    fputc('\n', f);
  }
  fclose(f);
  snprintf(path, sizeof path, "%s/limits.csv", directory);
  f = fopen(path, "w");
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  fprintf(f, "scheme,slot: largest radius - 1,above 1.001 from omega tau,line: largest radius - 1,above 1.001 from "
             "omega tau\n");
  for (int q = 0; q < METHODS; q++)
    fprintf(f, "%s,%.1e,%.3g,%.1e,%.3g\n", methods[q].name, worst[q][0] - 1, from[q][0], worst[q][1] - 1, from[q][1]);
  fclose(f);
  PetscFunctionReturn(0);
}

// ---- work and precision ----

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PetscErrorCode Swing(const Method *q, double step, double *places, double *seconds) {
  LimberModel model;
  LimberNodeId tip;
  Stepper *p;
  LimberOutcome out = {.reason = LIMBER_CONVERGED};
  LimberOptions o = options_of(q, step);
  PetscFunctionBegin;
  PetscCall(Truss(SLOT, 1e4, &model, &tip));
  PetscCall(Open(model, &o, &p));
  double t0 = cpu_seconds();
  for (int i = 0, steps = (int)(0.1 / step + 0.5); i < steps && out.reason == LIMBER_CONVERGED; i++)
    PetscCall(StepperStep(p, &out));
  *seconds = cpu_seconds() - t0;
  state(&p->s->motion.layout, &p->s->motion.state, 1, places, false);
  if (out.reason != LIMBER_CONVERGED) *seconds = NAN;
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&model));
  PetscFunctionReturn(0);
}

static PetscErrorCode Work(const char *directory, int finest) {
  char path[PETSC_MAX_PATH_LEN];
  double fine[3 * NODES], rest[3 * NODES], now[3 * NODES], seconds = 0, size = 0;
  PetscFunctionBegin;
  snprintf(path, sizeof path, "%s/work.csv", directory);
  FILE *f = fopen(path, "w");
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", directory);
  fprintf(f, "scheme,step [s],CPU [s],error\n");
  PetscCall(Swing(&methods[0], 1e-3 / 80, fine, &seconds));
  LimberModel model;
  LimberNodeId tip;
  Stepper *p;
  PetscCall(Truss(SLOT, 1e4, &model, &tip));
  LimberOptions o = options_of(&methods[0], 1e-4);
  PetscCall(Open(model, &o, &p));
  state(&p->s->motion.layout, &p->s->motion.state, 1, rest, false);
  PetscCall(StepperDestroy(&p));
  PetscCall(LimberModelDestroy(&model));
  for (int i = 0; i < 3 * NODES; i++) size += pow(fine[i] - rest[i], 2);
  for (int q = 0; q < METHODS; q++)
    for (int k = 0; k <= finest; k++) {
      double error = 0, step = 1e-3 / (1 << k);
      if (k == finest && q == 0) continue; // as fine as what it is compared with
      PetscCall(Swing(&methods[q], step, now, &seconds));
      for (int i = 0; i < 3 * NODES; i++) error += pow(fine[i] - now[i], 2);
      fprintf(f, "%s,%.6g,%.4f,%.3e\n", methods[q].name, step, seconds, sqrt(error / size));
    }
  fclose(f);
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  bool quick = argc == 3 && !strcmp(argv[2], "short");
  if (argc != 2 && !quick) {
    fprintf(stderr, "usage: study_truss DIRECTORY [short]\n");
    return 2;
  }
  PetscCall(Stability(argv[1], quick ? 8 : 200));
  PetscCall(Work(argv[1], quick ? 2 : 6));
  PetscCall(SlepcFinalize());
  return 0;
}
