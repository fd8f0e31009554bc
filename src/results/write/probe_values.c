// SPDX-License-Identifier: Apache-2.0
// Computes the numbers that probes record (probe_values.h).
#include "results/write/probe_values.h"

#include "base/rotation.h"
#include "mechanics/plane_material.h"

#include <math.h>
#include <string.h>

static const double full = 6.283185307179586;

static double nearest_turns(double angle) { return full * floor(angle / full + 0.5); }

Vec3 rotation_tracker_follow(RotationTracker *t, Mat3 r) {
  const double told = 0.2; // rad: above this angle, n gives the axis
  double q[4];
  rotation_quaternion(r, q);
  Vec3 e = vec3(q[1], q[2], q[3]);
  double sine = vec3_norm(e), phi = 2 * atan2(sine, q[0]), twist = 2 * atan2(vec3_dot(e, t->axis), q[0]);
  double change = twist - t->twist;
  t->total += change - nearest_turns(change), t->twist = twist;
  if (sine < 1e-9) // near whole turns the axis is round-off
    return vec3_axpy(vec3_scale(2, e), nearest_turns(t->total), t->axis);
  Vec3 n = vec3_scale(1 / sine, e), v = vec3_scale(phi + nearest_turns(t->total * vec3_dot(n, t->axis) - phi), n);
  if (phi > told) {
    t->total = vec3_norm(v), t->axis = vec3_scale(1 / t->total, v);
    t->twist = 2 * atan2(vec3_dot(e, t->axis), q[0]);
  }
  return v;
}

typedef struct { // a position along a beam with known forces
  int observable;
  double at; // fraction of the length of its beam
  StressStation station[2];
  int nearer, form[2]; // of the stations
  int peak;
} Position;

struct StressSearch {
  Model model;
  Position *position;
  StressPeak *found, *peak; // for each position; for each peak
  StressForms *form;
  int positions, room, peaks, forms, form_room;
};

PetscErrorCode StressSearchCreate(Model m, StressSearch **out) {
  PetscFunctionBegin;
  PetscCall(PetscNew(out));
  (*out)->model = m;
  PetscFunctionReturn(0);
}

PetscErrorCode StressSearchDestroy(StressSearch **s) {
  PetscFunctionBegin;
  for (int i = 0; i < (*s)->forms; i++) PetscCall(PetscFree((*s)->form[i].form));
  PetscCall(PetscFree((*s)->form));
  PetscCall(PetscFree((*s)->position));
  PetscCall(PetscFree((*s)->found));
  PetscCall(PetscFree((*s)->peak));
  PetscCall(PetscFree(*s));
  PetscFunctionReturn(0);
}

const StressPeak *stress_peak(const StressSearch *s, int peak) { return &s->peak[peak]; }

// ---- creating ----

static PetscErrorCode FindForms(StressSearch *s, const SectionSolution *solution, StressMeasure measure, int *out) {
  PetscFunctionBegin;
  for (*out = 0; *out < s->forms; ++*out)
    if (s->form[*out].solution == solution && s->form[*out].measure == measure) PetscFunctionReturn(0);
  if (s->forms == s->form_room) {
    s->form_room = 2 * s->form_room + 8;
    PetscCall(PetscRealloc((size_t)s->form_room * sizeof *s->form, &s->form));
  }
  StressForms *f = &s->form[s->forms++];
  *f = (StressForms){solution, measure, NULL};
  PetscCall(PetscMalloc1(solution->points, &f->form));
  stress_forms(f);
  PetscFunctionReturn(0);
}

// `along`: position counted in elements, for interpolating sections; `at`: fraction of the length.
static PetscErrorCode AddPosition(StressSearch *s, int component, StressMeasure measure, int peak, double along,
                                  double at, int observable) {
  Position p = {.observable = observable, .at = at, .peak = peak};
  PetscFunctionBegin;
  p.nearer = stress_stations(s->model, component, along, p.station);
  for (int k = 0; k < 2; k++) PetscCall(FindForms(s, p.station[k].solution, measure, &p.form[k]));
  if (s->positions == s->room) {
    s->room = 2 * s->room + 64;
    PetscCall(PetscRealloc((size_t)s->room * sizeof *s->position, &s->position));
    PetscCall(PetscRealloc((size_t)s->room * sizeof *s->found, &s->found));
  }
  s->position[s->positions++] = p;
  PetscFunctionReturn(0);
}

static int element_positions(const ModelElement *e) { return e->kind->points(e->data) + 2; }

int stress_positions(Model m, const Probe *p) {
  const ModelComponent *c = p->kind == PROBE_STRESS ? model_component(m, p->id) : NULL;
  return c ? c->count * element_positions(model_element(m, c->first)) : 0;
}

// Positions in an element: its ends and its integration points.
static double place_in_element(const ModelElement *e, int i) {
  ElementPoint p;
  if (i == 0) return 0;
  if (i == element_positions(e) - 1) return 1;
  element_point(e->kind, e->data, i - 1, &p);
  return p.at;
}

static double element_length(const ModelElement *e) {
  double length = 0, weight, at;
  for (int g = 0; g < e->kind->points(e->data); g++) {
    element_point_position(e->kind, e->data, g, &weight, &at);
    length += weight;
  }
  return length;
}

static PetscErrorCode AddMeasures(StressSearch *s, int component, const bool *measure, int first, double along,
                                  double at, int observable) {
  PetscFunctionBegin;
  for (int k = 0; k < STRESS_MEASURES; k++)
    if (measure[k]) PetscCall(AddPosition(s, component, (StressMeasure)k, first + k, along, at, observable));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddBeam(StressSearch *s, int component, const bool *measure, int first, AddObservable add,
                              void *self) {
  const ModelComponent *c = model_component(s->model, component);
  double all = 0, before = 0;
  PetscFunctionBegin;
  for (int e = 0; e < c->count; e++) all += element_length(model_element(s->model, c->first + e));
  for (int e = 0; e < c->count; e++) {
    const ModelElement *el = model_element(s->model, c->first + e);
    double length = element_length(el);
    for (int i = 0; i < element_positions(el); i++) {
      double at = place_in_element(el, i);
      int observable = add(self, (Observable){.kind = OBSERVABLE_SECTION, .id = c->first + e, .at = at});
      PetscCall(AddMeasures(s, component, measure, first, (e + at) / c->count, fmin(1, (before + at * length) / all),
                            observable));
    }
    before += length;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode StressSearchAdd(StressSearch *s, const Probe *p, const bool measure[STRESS_MEASURES], AddObservable add,
                               void *self, int *first) {
  const ModelComponent *c = model_component(s->model, p->id);
  PetscFunctionBegin;
  *first = s->peaks;
  s->peaks += STRESS_MEASURES;
  PetscCall(PetscRealloc((size_t)s->peaks * sizeof *s->peak, &s->peak));
  if (p->kind == PROBE_STRESS) PetscCall(AddBeam(s, p->id, measure, *first, add, self));
  else {
    Observable q = observable_station(s->model, OBSERVABLE_SECTION, p->id, p->at);
    PetscCall(AddMeasures(s, p->id, measure, *first, (q.id - c->first + q.at) / c->count, p->at, add(self, q)));
  }
  PetscFunctionReturn(0);
}

// ---- finding ----

// The largest value over one section; its location is that in the section of the nearer station.
static StressPeak find_at(const StressSearch *s, const Position *p, const double force[6]) {
  StressPeak out = {.value = 0, .at = p->at};
  for (int i = 0; i < 6; i++) out.force[i] = force[i] + 0.0; // no -0
  for (int k = 0; k < 2; k++) {
    const StressForms *f = &s->form[p->form[k]];
    double there[6];
    SectionStress at;
    if (p->station[k].part == 0) continue;
    stress_station_force(&p->station[k], force, there);
    int point = stress_largest(f, there);
    if (point == STRESS_WITHOUT) return out.value = NAN, out;
    section_stress(f->solution, point, there, &at);
    out.value += p->station[k].part * (f->measure == STRESS_VON_MISES ? at.von_mises : at.tsai_wu);
    if (k == p->nearer) out.y = at.y + 0.0, out.z = at.z + 0.0, out.cell = at.cell;
  }
  return out;
}

PetscErrorCode StressSearchFind(StressSearch *s, MPI_Comm comm, const StateSample *sample) {
  int rank = 0, size = 1;
  PetscFunctionBegin;
  if (!s->positions) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  memset(s->found, 0, (size_t)s->positions * sizeof *s->found);
  for (int i = rank; i < s->positions; i += size)
    s->found[i] = find_at(s, &s->position[i], sample[s->position[i].observable].section.force);
  if (size > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, s->found, s->positions * (int)(sizeof *s->found / sizeof(double)),
                               MPI_DOUBLE, MPI_SUM, comm));
  for (int k = 0; k < s->peaks; k++) s->peak[k].value = NAN;
  for (int i = 0; i < s->positions; i++) { // the first of equal values
    StressPeak *peak = &s->peak[s->position[i].peak];
    if (stress_exceeds(s->found[i].value, peak->value)) *peak = s->found[i];
  }
  PetscFunctionReturn(0);
}

Mat3 follow_motion(Followed *f, const ProbeMotion *m) {
  Mat3 r = mat3_mul(m->axes, mat3_transpose(f->start.axes));
  double q[4], dot = 0;
  f->rotation = rotation_tracker_follow(&f->tracker, r);
  rotation_quaternion(r, q);
  for (int i = 0; i < 4; i++) dot += q[i] * f->quaternion[i];
  for (int i = 0; i < 4; i++) f->quaternion[i] = dot < 0 ? -q[i] : q[i]; // of q and -q, the one nearer to the last
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

// The slope over two steps belongs to their middle. The line through the slopes of the last two such pairs is
// extrapolated to the end of the last step. Values that alternate from step to step, such as velocities across joints,
// have no slope over two steps. In the first two steps the line comes from the start.
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

// ---- relative to the unloaded beam ----

static void put_deflection(const ProbeState *s, double *out) { vec3_to(vec3_sub(s->carried.x, s->unloaded->x), out); }

// The rotation D from the unloaded section to the present one, in unloaded section axes, as a rotation about e1
// followed by one about an axis normal to it: D = exp(bend2 e2 + bend3 e3) exp(torsion e1).
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

// Of a node of a mesh, and of the one with the largest.
static void put_mesh_stress(const ProbeState *s, double *out) {
  memcpy(out, s->mesh->motion.stress, sizeof s->mesh->motion.stress);
}
static void put_mesh_von_mises(const ProbeState *s, double *out) { *out = von_mises(s->mesh->motion.stress); }
static void put_mesh_largest(const ProbeState *s, double *out) {
  out[0] = s->sample->largest.von_mises, out[1] = s->sample->largest.number;
  memcpy(out + 2, s->sample->largest.at, sizeof s->sample->largest.at);
}

// ---- the rest ----

static void put_all(const ProbeState *s, const double *values, double *out) {
  memcpy(out, values, (size_t)s->width * sizeof *out);
}

// A vector in the axes of a node: a force of the last step, or a vector at the time of the row.
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
