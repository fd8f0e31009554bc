// SPDX-License-Identifier: Apache-2.0
#include "results/write/probe_values.h"

#include "base/rotation.h"

#include <math.h>
#include <string.h>

Mat3 follow_motion(Followed *f, const ProbeMotion *m) {
  Mat3 r = mat3_mul(m->axes, mat3_transpose(f->start.axes));
  double q[4], dot = 0;
  f->rotation = rotation_tracker_follow(&f->tracker, r);
  rotation_quaternion(r, q);
  for (int i = 0; i < 4; i++) dot += q[i] * f->quaternion[i];
  for (int i = 0; i < 4; i++) f->quaternion[i] = dot < 0 ? -q[i] : q[i]; // of the two the nearest to the last
  return r;
}

// ---- accelerations ----

void follow_past(PastMotion *p, double time, const ProbeMotion *m) {
  bool again = p->count > 0 && !(time > p->time[0]);
  for (int k = PAST_MOTIONS - 1; k > 0 && !again; k--)
    p->time[k] = p->time[k - 1], p->v[k] = p->v[k - 1], p->w[k] = p->w[k - 1];
  p->count = fmin(p->count + !again, PAST_MOTIONS);
  p->time[0] = time, p->v[0] = m->v, p->w[0] = m->w;
}

// The slope over the last two steps is that at their middle, and the same one step before; their line is drawn on to the end of the last
// step. What alternates from step to step, as velocities across joints do, has no slope over two steps. In the first two steps the
// line comes from the start.
static Vec3 past_slope(const PastMotion *p, const Vec3 *x, Vec3 start) {
  const double *t = p->time;
  int count = (int)p->count, back = count < 3 ? 1 : 2;
  if (count < 2) return start;
  Vec3 last = vec3_scale(1 / (t[0] - t[back]), vec3_sub(x[0], x[back])), before = start;
  double middle = 0.5 * (t[0] + t[back]), earlier = t[count - 1];
  if (count == PAST_MOTIONS)
    before = vec3_scale(1 / (t[1] - t[3]), vec3_sub(x[1], x[3])), earlier = 0.5 * (t[1] + t[3]);
  return vec3_axpy(last, (t[0] - middle) / (middle - earlier), vec3_sub(last, before));
}

// ---- motion ----

static void put_position(const ProbeState *s, double *out) { vec3_to(s->motion.x, out); }
static void put_displacement(const ProbeState *s, double *out) {
  vec3_to(vec3_sub(s->motion.x, s->followed->start.x), out);
}
static void put_velocity(const ProbeState *s, double *out) { vec3_to(s->motion.v, out); }
static void put_rotation(const ProbeState *s, double *out) { vec3_to(s->followed->rotation, out); }
static void put_angular(const ProbeState *s, double *out) { vec3_to(s->motion.w, out); }
static void put_acceleration(const ProbeState *s, double *out) {
  const PastMotion *p = &s->followed->past;
  vec3_to(past_slope(p, p->v, p->start), out);
}
static void put_angular_acceleration(const ProbeState *s, double *out) {
  const PastMotion *p = &s->followed->past;
  vec3_to(past_slope(p, p->w, p->angular_start), out);
}
static void put_quaternion(const ProbeState *s, double *out) {
  memcpy(out, s->followed->quaternion, sizeof s->followed->quaternion);
}
static void put_matrix(const ProbeState *s, double *out) { memcpy(out, s->rotation.m, sizeof s->rotation.m); }
static void put_axes(const ProbeState *s, double *out) {
  for (int j = 0; j < 3; j++) vec3_to(mat3_column(s->motion.axes, j), out + 3 * j);
}

// ---- against the unloaded beam ----

static void put_deflection(const ProbeState *s, double *out) { vec3_to(vec3_sub(s->carried.x, s->unloaded->x), out); }

// The rotation D from the unloaded section to the present one, in unloaded section axes, as a turn about e1, followed by
// one about an axis across it: D = exp(bend2 e2 + bend3 e3) exp(torsion e1).
static void put_angles(const ProbeState *s, double *out) {
  double q[4];
  rotation_quaternion(mat3_mul(mat3_transpose(s->unloaded->axes), s->carried.axes), q);
  double c0 = hypot(q[0], q[1]), c = c0 > 0 ? q[0] / c0 : 1, sine = c0 > 0 ? q[1] / c0 : 0;
  double across[2] = {q[2] * c - q[3] * sine, q[3] * c + q[2] * sine}, size = hypot(across[0], across[1]);
  double factor = size > 0 ? 2 * atan2(size, c0) / size : 2;
  out[0] = 2 * atan2(q[1], q[0]);
  for (int i = 0; i < 2; i++) out[1 + i] = factor * across[i];
}

static void put_resultant(const ProbeState *s, double *out) {
  Mat3 back = mat3_transpose(s->observer.axes);
  vec3_to(mat3_apply(back, vec3_of(s->resultant->resultant.force)), out);
  vec3_to(mat3_apply(back, vec3_of(s->resultant->resultant.moment)), out + 3);
}

// ---- stresses ----

static void put_along(const StressPeak *p, double *out) {
  out[0] = p->value, out[1] = p->at, out[2] = p->y, out[3] = p->z, out[4] = p->cell;
  memcpy(out + 5, p->force, sizeof p->force);
}
static void put_at(const StressPeak *p, double *out) {
  out[0] = p->value, out[1] = p->y, out[2] = p->z, out[3] = p->cell;
}
static void put_stress(const ProbeState *s, double *out) {
  stress_gauge_read(s->gauge, s->sample->section.force, false, out);
}
static void put_ply_stress(const ProbeState *s, double *out) {
  stress_gauge_read(s->gauge, s->sample->section.force, true, out);
}
static void put_von_mises(const ProbeState *s, double *out) { put_at(&s->peak[STRESS_VON_MISES], out); }
static void put_tsai_wu(const ProbeState *s, double *out) { put_at(&s->peak[STRESS_TSAI_WU], out); }
static void put_von_mises_along(const ProbeState *s, double *out) { put_along(&s->peak[STRESS_VON_MISES], out); }
static void put_tsai_wu_along(const ProbeState *s, double *out) { put_along(&s->peak[STRESS_TSAI_WU], out); }

// ---- the rest ----

static void put_all(const ProbeState *s, const double *values, double *out) {
  memcpy(out, values, (size_t)s->width * sizeof *out);
}

// A force of the last step in axes of a node; one of the time of the row.
static void put_step_vector(const ProbeState *s, const double *vector, double *out) {
  vec3_to(s->node ? mat3_apply_transpose(s->force_axes, vec3_of(vector)) : vec3_of(vector), out);
}
static void put_vector(const ProbeState *s, const double *vector, double *out) {
  vec3_to(s->node ? mat3_apply_transpose(s->node->axes, vec3_of(vector)) : vec3_of(vector), out);
}
static void put_coords(const ProbeState *s, const double *values, double *out) { put_all(s, values + s->coord, out); }

static void put_section_force(const ProbeState *s, double *out) { put_all(s, s->sample->section.force, out); }
static void put_section_strain(const ProbeState *s, double *out) { put_all(s, s->sample->section.strain, out); }
static void put_own_output(const ProbeState *s, double *out) { put_all(s, s->sample->section.own, out); }
static void put_joint_force(const ProbeState *s, double *out) { put_step_vector(s, s->sample->joint.force, out); }
static void put_joint_moment(const ProbeState *s, double *out) { put_step_vector(s, s->sample->joint.moment, out); }
static void put_reaction(const ProbeState *s, double *out) { put_all(s, s->sample->joint.reaction, out); }
static void put_drive(const ProbeState *s, double *out) { put_coords(s, s->joint->joint.drive, out); }
static void put_spring(const ProbeState *s, double *out) { put_coords(s, s->joint->joint.spring, out); }
static void put_damper(const ProbeState *s, double *out) { put_coords(s, s->joint->joint.damper, out); }
static void put_friction(const ProbeState *s, double *out) { put_coords(s, s->joint->joint.friction, out); }
static void put_drive_force(const ProbeState *s, double *out) { *out = s->sample->load.force[0]; }
static void put_load_force(const ProbeState *s, double *out) { put_vector(s, s->sample->load.force, out); }
static void put_load_moment(const ProbeState *s, double *out) { put_vector(s, s->sample->load.moment, out); }
static void put_power(const ProbeState *s, double *out) { *out = s->followed->power; }
static void put_work(const ProbeState *s, double *out) { *out = s->followed->work; }
static void put_multiplier(const ProbeState *s, double *out) { put_all(s, s->sample->joint.multiplier, out); }
static void put_coordinate(const ProbeState *s, double *out) { put_all(s, s->sample->joint.coord, out); }
static void put_rate(const ProbeState *s, double *out) { put_all(s, s->sample->joint.rate, out); }
static void put_kinetic(const ProbeState *s, double *out) { *out = s->sample->energy.kinetic; }
static void put_strain_energy(const ProbeState *s, double *out) { *out = s->sample->energy.strain; }
static void put_potential(const ProbeState *s, double *out) { *out = s->sample->energy.potential; }
static void put_contact(const ProbeState *s, double *out) { put_all(s, s->sample->all, out); }
static void put_wheel(const ProbeState *s, double *out) { put_all(s, s->sample->all, out); }
static void put_value(const ProbeState *s, double *out) { *out = formula_value(s->formula); }

const ProbePut probe_puts[QUANTITIES] = {
#define QUANTITY(constant, name, unit, components, function, kinds, properties, description) put_##function,
#include "quantities/quantities.def"
#undef QUANTITY
};
