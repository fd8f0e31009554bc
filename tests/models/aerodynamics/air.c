// SPDX-License-Identifier: Apache-2.0
// An own library with the functions of AeroDyn's C interface, for the tests, with closed answers: at each point a blade
// force c (w - v) in the wind w = (speed, 0, 0) along the ground's axes, c = slope x speed, and a moment about the span.
// The file of "AeroDyn" has the numbers: slope, moment, lag (s) of the force, and what goes wrong and when.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };
static double slope, moment, lag, speed, when, step, calls_end;
static char fault[64];
static int points, blades, updates;
static float velocity[6 * MOST];
// At the ends of the last step: the force with lag and that which it follows.
static double state[2][3 * MOST], given[2][3 * MOST], time_of[2];
static double reference[9];

static void done(int *status, char *message, int code, const char *text) { *status = code, strcpy(message, text); }
static int fails(const char *name, double t) { return !strcmp(fault, name) && t >= when - 1e-9; }

void ADI_C_PreInit(int *turbines, int *transpose, int *point_loads, float *gravity, float *density, float *viscosity,
                   float *sound, float *pressure, float *vapour, float *depth, float *sea_level, int *marine,
                   int *external_flow, char *folder, int *vtk, int *vtk_type, double *vtk_step, float *nacelle,
                   float *hub_radius, int *debug, int *status, char *message);
void ADI_C_SetupRotor(int *turbine, int *horizontal, float *origin, float *hub, double *hub_axes, float *nacelle,
                      double *nacelle_axes, int *count, float *roots, double *root_axes, int *number, float *position,
                      double *axes, int *blade, int *status, char *message);
void ADI_C_Init(int *passed, char **file, int *length, int *inflow_passed, char **inflow, int *inflow_length,
                char *root, int *order, double *dt, double *end, int *keep_wind, int *write, double *write_step,
                int *channels, char *names, char *units, int *status, char *message);
void ADI_C_SetRotorMotion(int *turbine, float *hub, double *hub_axes, float *hub_velocity, float *hub_acceleration,
                          float *nacelle, double *nacelle_axes, float *nacelle_velocity, float *nacelle_acceleration,
                          float *roots, double *root_axes, float *root_velocity, float *root_acceleration, int *number,
                          float *position, double *axes, float *v, float *acceleration, int *status, char *message);
void ADI_C_GetRotorLoads(int *turbine, int *number, float *load, float *wind, int *status, char *message);
void ADI_C_CalcOutput(double *t, float *channels, int *status, char *message);
void ADI_C_UpdateStates(double *from, double *to, int *status, char *message);
void ADI_C_End(int *status, char *message);

void ADI_C_PreInit(int *turbines, int *transpose, int *point_loads, float *gravity, float *density, float *viscosity,
                   float *sound, float *pressure, float *vapour, float *depth, float *sea_level, int *marine,
                   int *external_flow, char *folder, int *vtk, int *vtk_type, double *vtk_step, float *nacelle,
                   float *hub_radius, int *debug, int *status, char *message) {
  int bad = *turbines != 1 || *transpose != 1 || *point_loads != 1 || *marine || *external_flow || *vtk;
  bad = bad || fabsf(*density - 1.225f) > 1e-6f || *debug;
  done(status, message, bad ? 4 : 0, bad ? "unexpected settings" : "");
}

// The axes of AeroDyn: hub with x downwind and z to the first blade, blades with z from the hub to the root.
void ADI_C_SetupRotor(int *turbine, int *horizontal, float *origin, float *hub, double *hub_axes, float *nacelle,
                      double *nacelle_axes, int *count, float *roots, double *root_axes, int *number, float *position,
                      double *axes, int *blade, int *status, char *message) {
  points = *number, blades = *count, updates = 0;
  int bad = points > MOST || blade[0] != 1 || blade[points - 1] != blades;
  for (int b = 0; b < blades; b++) {
    double along = 0, size = 0;
    for (int k = 0; k < 3; k++) along += (roots[3 * b + k] - hub[k]) * root_axes[9 * b + 6 + k];
    for (int k = 0; k < 3; k++) size += (roots[3 * b + k] - hub[k]) * (roots[3 * b + k] - hub[k]);
    bad = bad || fabs(along - sqrt(size)) > 1e-5 * along;
  }
  bad = bad || fabs(hub_axes[0] - 1) > 1e-12;
  memcpy(reference, root_axes, sizeof reference);
  done(status, message, bad ? 4 : 0, bad ? "unexpected rotor" : "");
}

static double number(const char *file, const char *name) {
  char word[64], key[64];
  double value = 0;
  FILE *f = fopen(file, "r");
  while (f && fscanf(f, "%63s %63s", word, key) == 2)
    if (!strcmp(key, name)) {
      value = atof(word);
      if (!strcmp(name, "fault")) strcpy(fault, word);
    }
  if (f) fclose(f);
  return value;
}

void ADI_C_Init(int *passed, char **file, int *length, int *inflow_passed, char **inflow, int *inflow_length,
                char *root, int *order, double *dt, double *end, int *keep_wind, int *write, double *write_step,
                int *channels, char *names, char *units, int *status, char *message) {
  if (*passed || *inflow_passed || (int)strlen(*file) != *length || (int)strlen(*inflow) != *inflow_length) {
    done(status, message, 4, "unexpected files");
    return;
  }
  slope = number(*file, "slope"), moment = number(*file, "moment"), lag = number(*file, "lag");
  fault[0] = 0, number(*file, "fault"), when = number(*file, "when"), speed = number(*inflow, "speed");
  step = *dt, *channels = 0, time_of[0] = time_of[1] = -1;
  if (fails("Init", 0)) done(status, message, 4, "AD_Init:\n  cannot read \x1b[31mthis\x1b[0m file");
  else done(status, message, fails("warning", 0) ? 2 : 0, fails("warning", 0) ? "only a warning" : "");
}

void ADI_C_SetRotorMotion(int *turbine, float *hub, double *hub_axes, float *hub_velocity, float *hub_acceleration,
                          float *nacelle, double *nacelle_axes, float *nacelle_velocity, float *nacelle_acceleration,
                          float *roots, double *root_axes, float *root_velocity, float *root_acceleration, int *number,
                          float *position, double *axes, float *v, float *acceleration, int *status, char *message) {
  memcpy(velocity, v, sizeof *v * 6 * (size_t)points);
  done(status, message, *number == points ? 0 : 4, "");
}

static double wanted(int p, int k) { return slope * speed * ((k ? 0 : speed) - (double)velocity[6 * p + k]); }

void ADI_C_CalcOutput(double *t, float *channels, int *status, char *message) {
  for (int i = 0; i < 3 * points && time_of[1] < 0; i++) state[1][i] = given[1][i] = wanted(i / 3, i % 3);
  if (time_of[1] < 0) time_of[1] = *t;
  int bad = fails("CalcOutput", *t) || fabs(*t - time_of[1]) > 1e-9;
  done(status, message, bad ? 4 : 0, bad ? "the test wants it so" : "");
}

void ADI_C_GetRotorLoads(int *turbine, int *number, float *load, float *wind, int *status, char *message) {
  for (int p = 0; p < points; p++)
    for (int k = 0; k < 3; k++) {
      load[6 * p + k] = (float)(lag > 0 ? state[1][3 * p + k] : wanted(p, k));
      load[6 * p + 3 + k] = (float)(moment * reference[6 + k]);
    }
  if (fails("nan", time_of[1])) load[6 * (points - 1) + 4] = NAN;
  done(status, message, 0, "");
}

// The force follows the mean over the step with a lag; a step that is repeated begins at the same state.
void ADI_C_UpdateStates(double *from, double *to, int *status, char *message) {
  int again = time_of[0] >= 0 && fabs(*from - time_of[0]) < 1e-9 && fabs(*to - time_of[1]) < 1e-9;
  int bad =
      fabs(*to - *from - step) > 1e-9 || (!again && fabs(*from - time_of[1]) > 1e-9) || fails("UpdateStates", *to);
  if (!again) memcpy(state[0], state[1], sizeof state[0]), memcpy(given[0], given[1], sizeof given[0]);
  time_of[0] = *from, time_of[1] = *to, updates++;
  for (int i = 0; i < 3 * points; i++) {
    given[1][i] = wanted(i / 3, i % 3);
    double mean = 0.5 * (given[0][i] + given[1][i]);
    state[1][i] = state[0][i] + (mean - state[0][i]) * (lag > 0 ? 1 - exp(-step / lag) : 1);
  }
  done(status, message, bad ? 4 : 0, bad ? "the times of a step do not follow" : "");
}

void ADI_C_End(int *status, char *message) { done(status, message, 0, ""), calls_end++; }
