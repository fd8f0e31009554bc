// SPDX-License-Identifier: Apache-2.0
// Coordinates that a function of time prescribes.
#include "model/model.h"

// Where the coordinate of a drive begins.
double model_drive_start(Model m, const Load *l) {
  const double *start = l->target == LOAD_JOINT ? model_joint(m, l->id)->joint.law[l->coord].start : NULL;
  return start ? *start : 0;
}

double model_drive(Model m, const Load *l, double t, double h, double zn) {
  double end = model_amplitude(m, l->amplitude, t + h);
  if (l->drive == DRIVE_MOTION) return model_drive_start(m, l) + end - model_amplitude(m, l->amplitude, 0);
  double now = model_amplitude(m, l->amplitude, t), middle = model_amplitude(m, l->amplitude, t + 0.5 * h);
  return zn + h / 6 * (now + 4 * middle + end); // Simpson
}

double model_drive_rate(Model m, const Load *l, double t) {
  return l->drive == DRIVE_RATE ? model_amplitude(m, l->amplitude, t) : model_amplitude_rate(m, l->amplitude, t);
}
