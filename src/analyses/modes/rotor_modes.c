// SPDX-License-Identifier: Apache-2.0
// How the blades of a rotor on a support take part in a mode. In multi-blade coordinates the vectors z_k of blade k give
//   U_n = (1/N) sum_k exp(-2 pi i n k/N) R_k^-1 z_k,
// the wave with the phase 2 pi n/N from blade to blade. It has the frequency f + n Omega/(2 pi) in the frame of the rotor
// and, for n < 0, turns forward in that of the ground.
// Equations: eq-multiblade-wave (25.3).
#include "analyses/modes/modes.h"
#include "assembly/ranks.h"
#include "base/rotation.h"

#include <complex.h>

enum { NUMBERS = 7 }; // of a node: real and imaginary part of its displacement, mass

static PetscErrorCode GatherMotion(const Layout *layout, const Mode *mode, double *out) {
  const double *q;
  PetscFunctionBegin;
  for (int part = 0; part < 2; part++) {
    if (!mode->right[part]) continue;
    PetscCall(VecGetArrayRead(mode->right[part], &q));
    for (PetscInt i = 1; i < layout->nnode_own; i++) {
      double *to = out + NUMBERS * layout->node[i];
      if (layout->node_block[i] < 0) continue;
      for (int k = 0; k < 3; k++) to[3 * part + k] = q[3 * layout->node_block[i] + k];
      to[6] = layout->inertia[i].m;
    }
    PetscCall(VecRestoreArrayRead(mode->right[part], &q));
  }
  PetscCall(ReduceArray(layout->comm, out, (PetscInt64)NUMBERS * layout->model->nodes.count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// Energy of the wave n in the nodes that are copies of each other.
static double wave_energy(const Rotor *r, Vec3 axis, const double *all, int first, int n) {
  double complex sum[3] = {0};
  double energy = 0;
  int node = first;
  for (int k = 0; k < r->blades; k++, node = r->next[node]) {
    Mat3 back = rotation_exponential(vec3_scale(-2 * PETSC_PI * k / r->blades, axis));
    const double *q = all + NUMBERS * node;
    double re[3], im[3];
    vec3_to(mat3_apply(back, vec3_of(q)), re), vec3_to(mat3_apply(back, vec3_of(q + 3)), im);
    for (int c = 0; c < 3; c++) sum[c] += cexp(-2 * PETSC_PI * n * k / r->blades * I) * (re[c] + im[c] * I) / r->blades;
  }
  for (int c = 0; c < 3; c++) energy += all[NUMBERS * first + 6] * creal(sum[c] * conj(sum[c]));
  return energy;
}

// Of a rotor that is on its axis, such as a wheel, the waves are those of its displacements across and along it.
static int largest_wave(const Rotor *r, Vec3 axis, int nodes, const double *all) {
  double most = 1e-12; // of modes of norm 1: less is round-off
  int out = 0;
  bool blades = false;
  for (int i = 0; i < nodes; i++) blades = blades || (r->next[i] >= 0 && r->next[i] != i);
  for (int n = -(r->blades - 1) / 2; n <= r->blades / 2; n++) {
    double energy = 0;
    for (int i = 0; i < nodes; i++) { // once for each group of copies
      bool first = r->next[i] >= 0 && (r->next[i] != i || !blades);
      for (int j = first ? r->next[i] : i; j != i; j = r->next[j]) first = first && j > i;
      if (first) energy += wave_energy(r, axis, all, i, n);
    }
    if (energy > most * (1 + 1e-9)) most = energy, out = n;
  }
  return out;
}

PetscErrorCode ModeShapeOfRotor(const Modes *modes, const Mode *mode, ModeShape *out) {
  const Layout *layout = &modes->pencil.s->motion.layout;
  const Spin *spin = &modes->pencil.spin;
  const Rotor *r = spin->rotor;
  int nodes = layout->model->nodes.count;
  double *all, along = 0, sum = 0, circling = 0;
  PetscFunctionBegin;
  out->rotor_frequency = mode->frequency;
  if (!r) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(NUMBERS * nodes, &all));
  PetscCall(GatherMotion(layout, mode, all));
  out->wave = largest_wave(r, spin->axis, nodes, all);
  out->whirl = out->wave == 0 || 2 * out->wave == r->blades ? 0 : out->wave < 0 ? 1 : -1;
  if (out->whirl != 0) out->rotor_frequency = fabs(mode->frequency + out->wave * spin->rate / (2 * PETSC_PI));
  for (int i = 0; i < nodes; i++) {
    const double *q = all + NUMBERS * i, weight = q[6];
    Vec3 u[2] = {vec3_of(q), vec3_of(q + 3)};
    if (r->turns[i]) continue;
    for (int part = 0; part < 2; part++) {
      double a = vec3_dot(u[part], spin->axis);
      along += weight * a * a, sum += weight * vec3_dot(u[part], u[part]);
    }
    circling -= 2 * weight * vec3_dot(vec3_cross(u[0], u[1]), spin->axis);
  }
  out->along = along, out->support = sum; // of modes of norm 1
  out->circling = sum > along ? circling / (sum - along) * (spin->rate < 0 ? -1 : 1) : 0;
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

bool mode_part_of_blades(const Modes *modes, int part) {
  Model m = modes->pencil.s->motion.layout.model;
  const Rotor *r = modes->pencil.spin.rotor;
  if (r && part >= m->components.count) { // the shaft, which has no copy, belongs to the support
    int next = r->next_joint[part - m->components.count];
    return next >= 0 && next != part - m->components.count;
  }
  const ModelComponent *c = model_component(m, part);
  for (int a = 0; r && c->count > 0 && a < model_element(m, c->first)->nnode; a++) {
    int node = model_element_nodes(m, model_element(m, c->first))[a];
    if (r->next[node] >= 0 && r->next[node] != node) return true;
  }
  return false;
}
