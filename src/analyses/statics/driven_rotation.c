// SPDX-License-Identifier: Apache-2.0
// The rotation that drives of constant rate prescribe: v = u + omega x r of all nodes with Ghat v = rate in all rows of
// joints and drives (solvers/solvers.h), six numbers by least squares. If a defect remains, there is no steady state.
#include "analyses/statics/operating_point.h"
#include "analyses/statics/statics.h"
#include "model/refusal.h"
#include "solvers/solvers.h"

#include <petscblaslapack.h>

static const double same = 1e-9;

// Whether the rate of a drive is constant from a time on.
static bool rate_stays(Model m, const Load *l, double time) {
  double rate = model_drive_rate(m, l, time);
  for (double after = 0.01; after < 200; after *= 10)
    if (fabs(model_drive_rate(m, l, time + after) - rate) > same * fabs(rate)) return false;
  return true;
}

int statics_find_drive(Model m, double time, bool constant) {
  for (int l = 0; l < m->loads.count; l++) {
    const Load *q = &model_load(m, l)->load;
    if (load_prescribes(q) && model_drive_rate(m, q, time) != 0 && rate_stays(m, q, time) == constant) return l;
  }
  return -1;
}

// Rates of the drives at a time: 0 for drives whose rate changes.
static void set_rates(const Layout *layout, StepContext *step, double time) {
  Model m = layout->model;
  for (PetscInt j = 0; j < layout->njoint; j++)
    for (PetscInt i = layout->joint_load_start[j]; i < layout->joint_load_start[j + 1]; i++) {
      const Load *l = &model_load(m, layout->joint_load[i])->load;
      if (load_prescribes(l))
        step->target_rate[j].z[l->coord] = rate_stays(m, l, time) ? model_drive_rate(m, l, time) : 0;
    }
}

// Coefficients of a joint's row for the six numbers, the last three being omega times the model's length; returns its
// right-hand side. `rotor`: only its nodes move; NULL: all. `size`: of the nodes' contributions, which may cancel.
static double row_of(const Layout *layout, const State *state, const Rotor *rotor, PetscInt j, const StartRows *rows,
                     int i, Vec3 centre, double row[6], double *size) {
  const ProjectionRows *g = &rows->projection_rows;
  *size = 0;
  for (int k = 0; k < 6; k++) row[k] = 0;
  for (int a = 0; a < model_joint(layout->model, layout->joint[j])->nnode; a++) {
    PetscInt node = layout->joint_node[j][a];
    if (layout->node_block[node] < 0 || (rotor && !rotor->turns[layout->node[node]])) continue;
    bool frame = model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
    Mat3 own = frame ? node_axes(state->x + 4 * node) : mat3_identity();
    Vec3 v = mat3_apply(own, g->v[a][i]), w = frame ? mat3_apply(own, g->w[a][i]) : vec3_zero();
    Vec3 turn = vec3_add(w, vec3_cross(vec3_sub(state->x[4 * node], centre), v));
    double part[6];
    vec3_to(v, part), vec3_to(vec3_scale(1 / layout->length, turn), part + 3);
    for (int k = 0; k < 6; k++) row[k] += part[k], *size += fabs(part[k]);
  }
  return g->rate[i];
}

typedef struct {
  double normal[36], right[6];
} Sums;

// Sums over all rows, and the largest defect of u (NULL: zero) relative to the size of its row.
static PetscErrorCode GoThroughRows(const Motion *motion, const Rotor *rotor, Vec3 centre, const double *u, Sums *sums,
                                    double *worst) {
  PetscFunctionBegin;
  *sums = (Sums){{0}, {0}}, *worst = 0;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    StartRows rows;
    if (!motion->layout.joint_primary[j]) continue;
    motion_rows_at_start(motion, j, &rows);
    for (int i = 0; i < rows.joint.nprojection; i++) {
      double row[6], size, scale,
          right = row_of(&motion->layout, &motion->state, rotor, j, &rows, i, centre, row, &size), defect = right;
      scale = size * size;
      if (motion->row_off[j][rows.joint.projection_row[i]]) continue;
      double length = 0;
      for (int k = 0; k < 6 && u; k++) defect -= row[k] * u[k], length += u[k] * u[k];
      size = fabs(right) + size * PetscSqrtReal(length);
      if (size > 0) *worst = PetscMax(*worst, fabs(defect) / size);
      for (int k = 0; k < 6 && scale > 0; k++) {
        sums->right[k] += row[k] * right / scale;
        for (int l = 0; l < 6; l++) sums->normal[6 * k + l] += row[k] * row[l] / scale;
      }
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 42, MPI_DOUBLE, MPI_SUM, motion->layout.comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  PetscFunctionReturn(0);
}

// The solution of least norm: no motion where nothing prescribes one.
static void solve_least(Sums *sums, double u[6]) {
  PetscBLASInt n = 6, size = 64, info;
  double value[6], work[64];
  for (int k = 0; k < 6; k++) u[k] = 0;
  LAPACKsyev_("V", "U", &n, sums->normal, &n, value, work, &size, &info);
  for (int i = 0; i < 6 && info == 0; i++) {
    const double *e = sums->normal + 6 * i;
    double part = 0;
    for (int k = 0; k < 6; k++) part += e[k] * sums->right[k];
    for (int k = 0; k < 6 && value[i] > 1e-10 * value[5]; k++) u[k] += part / value[i] * e[k];
  }
}

// The rotation of a rotor, or of everything. `worst`: the defect that remains, relative to the sizes of rows.
static PetscErrorCode FitRotation(const Motion *motion, const Rotor *rotor, Spin *out, double *worst) {
  Vec3 centre = model_node(motion->layout.model, 1)->x[0];
  double u[6];
  Sums sums;
  PetscFunctionBegin;
  PetscCall(GoThroughRows(motion, rotor, centre, NULL, &sums, worst));
  solve_least(&sums, u);
  PetscCall(GoThroughRows(motion, rotor, centre, u, &sums, worst));
  Vec3 velocity = vec3_of(u), omega = vec3_scale(1 / motion->layout.length, vec3_of(u + 3));
  double rate = vec3_norm(omega), along = fabs(vec3_dot(velocity, omega)), most = rate * rate * motion->layout.length;
  if (along > 1e-6 * most) *worst = PetscMax(*worst, 1);
  *out = (Spin){.rate = 0};
  if (rate > 0)
    *out = (Spin){.axis = vec3_scale(1 / rate, omega),
                  .centre = vec3_add(centre, vec3_scale(1 / (rate * rate), vec3_cross(omega, velocity))),
                  .rate = rate,
                  .rotor = rotor};
  PetscFunctionReturn(0);
}

PetscErrorCode DrivenRotation(Stepper *p, double time, bool parts, Spin *out, Refusal *wrong) {
  Motion *motion = &p->s->motion;
  Model m = motion->layout.model;
  const Rotor *rotor = &statics_of(p)->rotor;
  int drive = statics_find_drive(m, time, true);
  double worst = 0;
  Spin found;
  PetscFunctionBegin;
  if (drive < 0 || m->nodes.count < 2) PetscFunctionReturn(0);
  set_rates(&motion->layout, &motion->step, time);
  PetscCall(FitRotation(motion, NULL, &found, &worst));
  if (worst > 1e-6 && parts && rotor->turns) {
    PetscCall(FitRotation(motion, rotor, &found, &worst));
    if (worst <= 1e-6) *out = found;
  } else if (worst <= 1e-6) {
    if (found.rate > 0) *out = found;
    PetscCall(StartStanding(motion, out, wrong));
  }
  if (worst > 1e-6)
    refuse(wrong,
           "%s '%s' moves at the rate %.6g, and the model cannot rotate as a whole with it: it has no steady state. "
           "Set the rate to zero, or use `limber floquet` for a periodic motion",
           model_load(m, drive)->kind->name, shown_name(model_load(m, drive)->name),
           model_drive_rate(m, &model_load(m, drive)->load, time));
  PetscFunctionReturn(0);
}
