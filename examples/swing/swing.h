// SPDX-License-Identifier: Apache-2.0
// The swing of Bauchau & Theron 1996 (multibody paper, section 6.2), for the study and the tests: a beam A-E along i1
// with a mass in its middle C, hung on two rigid links O1-A and O2-E. All numbers are SI.
#ifndef LIMBER_EXAMPLES_SWING_H
#define LIMBER_EXAMPLES_SWING_H

#include <limber/limber.h>
#include <math.h>
#include <stddef.h>

enum { SWING_A, SWING_B, SWING_C, SWING_D, SWING_E, SWING_PLACES };

static const double swing_span = 0.72, swing_pulse_end = 0.256;
static const double swing_o1[3] = {0, 0, 0.36}, swing_o2[3] = {1.08, 0, 0.36};
static const double swing_rotary = 2.70742e-4; // of an aluminium cube of 0.5 kg, m a^2/6

typedef struct {
  const char *scheme;
  double rho_inf;   // generalized_alpha, decaying_c
  int steps;        // to one second
  int elements;     // cubic, a multiple of 4
  double rotary;    // inertia of the mass about any axis through C; 0: a point
  int literal_jump; // as in LimberOptions
  LimberControl control;
} SwingCase;

static inline SwingCase swing_case(const char *scheme, double rho_inf, int steps, int elements) {
  return (SwingCase){
      .scheme = scheme, .rho_inf = rho_inf, .steps = steps, .elements = elements, .rotary = swing_rotary};
}

typedef struct {
  LimberModel model;
  LimberRun run;
  LimberElementId beam;
  LimberNodeId place[SWING_PLACES];
  int gauss; // the integration point left of the mass
} Swing;

// Rectangle of 5 mm along e2 by 1 mm along e3, aluminium; the smaller bending stiffness is about e2.
static inline LimberSection swing_section(void) {
  const double b = 5e-3, t = 1e-3, young = 73e9, poisson = 0.3, density = 2700, area = b * t;
  const double shear = 5.0 / 6 * young / (2 * (1 + poisson)) * area, i2 = b * t * t * t / 12, i3 = t * b * b * b / 12;
  return (LimberSection){
      .stiffness = {{young * area},
                    {0, shear},
                    {0, 0, shear},
                    {0, 0, 0, 0.0408995}, // the rectangle's torsion constant, to 8e-5
                    {0, 0, 0, 0, young * i2},
                    {0, 0, 0, 0, 0, young * i3}},
      .mass = density * area,
      .inertia = {{density * (i2 + i3)}, {0, density * i2}, {0, 0, density * i3}},
  };
}

static inline int SwingCreate(const SwingCase *c, Swing *w) {
  LimberSection section = swing_section();
  LimberSectionId s = LIMBER_NO_SECTION;
  LimberFunctionId pulse = LIMBER_NO_FUNCTION;
  LimberNodeId o1 = LIMBER_NO_NODE, o2 = LIMBER_NO_NODE;
  LimberModel m;
  int error = LimberModelCreate(&m);
  *w = (Swing){.model = m, .gauss = 3 * c->elements / 2 - 1};
  if (!error) error = LimberModelAddSection(m, "strip", 1, &section, &s);
  LimberBeam beam = {.from = LIMBER_NO_NODE,
                     .to = LIMBER_NO_NODE,
                     .section = s,
                     .elements = c->elements,
                     .order = 3,
                     .end = {swing_span, 0, 0},
                     .up = {0, 1, 0}};
  if (!error) error = LimberModelAddBeam(m, "beam", &beam, &w->beam);
  for (int i = 0; i < SWING_PLACES; i++) w->place[i] = limber_model_element_node(m, w->beam, i * 3 * c->elements / 4);
  LimberRigidBody cube = {.node = w->place[SWING_C], .mass = 0.5, .inertia = {c->rotary, c->rotary, c->rotary}};
  if (!error) error = LimberModelAddRigidBody(m, "mass", &cube, NULL);
  if (!error) error = LimberModelAddFixed(m, "O1", swing_o1, NULL, &o1);
  if (!error) error = LimberModelAddFixed(m, "O2", swing_o2, NULL, &o2);
  LimberDistance left = {.nodes = {o1, w->place[SWING_A]}, .length = 0.36};
  LimberDistance right = {.nodes = {o2, w->place[SWING_E]}, .length = 0.36 * sqrt(2)};
  if (!error) error = LimberModelAddDistance(m, "O1-A", &left, NULL);
  if (!error) error = LimberModelAddDistance(m, "O2-E", &right, NULL);
  LimberTriangle triangle = {.peak = 2, .at = 0.128, .end = swing_pulse_end};
  if (!error) error = LimberModelAddTriangle(m, "pulse", &triangle, &pulse);
  LimberForce force = {.node = w->place[SWING_C], .direction = {1, 0, 0}, .amplitude = pulse};
  if (!error) error = LimberModelAddForce(m, "push", &force, NULL);
  LimberOptions options;
  options = limber_options_default();
  options.scheme = limber_scheme_find(c->scheme), options.rho_inf = c->rho_inf, options.step = 1.0 / c->steps;
  options.literal_jump = c->literal_jump, options.control = c->control;
  options.end_forces = 1; // as the paper has them
  if (!error) error = LimberRunCreate(m, &options, &w->run);
  return error;
}

static inline int SwingDestroy(Swing *w) {
  int error = LimberRunDestroy(&w->run);
  return error ? error : LimberModelDestroy(&w->model);
}

#endif
