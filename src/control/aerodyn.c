// SPDX-License-Identifier: Apache-2.0
// Loads of the air on blades (aerodyn.h). With loads F_n at the ends of AeroDyn's steps, those over the next step are
//   3/2 F_n - 1/2 F_(n-1), or F_n; in a repeated step (F_n + F_(n+1))/2,
// where F_(n+1) are those for the motion that the step found before. Loads act on the nodes whose motion AeroDyn gets:
// the work is the same on both sides, apart from the round-off of its single precision.
#include "control/aerodyn.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/observable.h"
#include "base/rotation.h"

#include <math.h>
#include <string.h>

typedef struct {
  Between between; // comes first
  const Aerodyn *a;
  Stepper *stepper;
  AdiLibrary *library; // on rank 0
  AdiRotor rotor;
  int places; // hub, nacelle, then points
  bool nacelle;
  Observable *place;
  StateSample *now, *before; // motion of the places at this end of a step of AeroDyn and at that before
  Mat3 *within;              // axes of AeroDyn in those of each place's node
  Mat3 fixed;                // of the nacelle, if it has no node ...
  Vec3 fixed_at;             // ... and where it is
  float *load, *last;        // at this end and at that before: six numbers per point
  int64_t steps;             // of AeroDyn
  double power;
} Air;

static Mat3 axes_of(const StateSample *s) {
  return mat3_columns(vec3_of(s->motion.x[1]), vec3_of(s->motion.x[2]), vec3_of(s->motion.x[3]));
}

// ---- motion in the form of the interface ----

static void put_axes(Mat3 m, double *rows) {
  for (int i = 0; i < 3; i++) vec3_to(mat3_column(m, i), rows + 3 * i);
}

static void put_motion(AdiMotion *m, int i, const StateSample *s, Mat3 axes) {
  for (int k = 0; k < 3; k++) {
    m->position[3 * i + k] = (float)s->motion.x[0][k];
    m->velocity[6 * i + k] = (float)s->motion.velocity[k];
    m->velocity[6 * i + 3 + k] = (float)s->motion.angular[k];
  }
  put_axes(axes, m->axes + 9 * i);
}

static void put_rotor(Air *c, const StateSample *sample) {
  AdiRotor *r = &c->rotor;
  const StateSample *points = sample + 1 + c->nacelle;
  const Mat3 *within = c->within + 1 + c->nacelle;
  put_motion(&r->hub, 0, sample, mat3_mul(axes_of(sample), c->within[0]));
  if (c->nacelle) put_motion(&r->nacelle, 0, sample + 1, mat3_mul(axes_of(sample + 1), c->within[1]));
  else {
    StateSample still = {{0}};
    vec3_to(c->fixed_at, still.motion.x[0]);
    put_motion(&r->nacelle, 0, &still, c->fixed);
  }
  for (int p = 0; p < c->a->points; p++) {
    Mat3 axes = mat3_mul(axes_of(points + p), within[p]);
    put_motion(&r->points, p, points + p, axes);
    if (!p || c->a->blade[p] != c->a->blade[p - 1]) put_motion(&r->roots, c->a->blade[p], points + p, axes);
  }
}

static double power_of(const Air *c) {
  double power = 0;
  for (int k = 0; k < 6 * c->a->points; k++) power += (double)c->load[k] * (double)c->rotor.points.velocity[k];
  return power;
}

// ---- calls of the library, which all ranks learn of ----

static void check_loads(const Air *c, Refusal *wrong) {
  for (int k = 0; k < 6 * c->a->points; k++)
    if (!isfinite(c->load[k])) {
      int p = k / 6, first = p;
      while (first > 0 && c->a->blade[first - 1] == c->a->blade[p]) first--;
      const ModelComponent *blade =
          model_component(c->stepper->s->motion.layout.model, c->a->text.blades[c->a->blade[p]].index);
      refuse(wrong, "its library gives a %s that is no finite number, at point %d of blade '%s'",
             k % 6 < 3 ? "force" : "moment", p - first + 1, shown_name(blade->name));
      return;
    }
}

// Loads at the present motion, after its states were moved to this time, except at the start.
static PetscErrorCode FindLoads(Air *c, bool start, Refusal *wrong) {
  MPI_Comm comm = c->stepper->s->motion.layout.comm;
  double step = c->a->text.step, to = (double)(c->steps + !start) * step, from = (double)c->steps * step;
  PetscFunctionBegin;
  PetscCall(SystemSample(c->stepper->s, c->places, c->place, c->now));
  put_rotor(c, c->now);
  wrong->text[0] = 0;
  if (c->library && (start || adi_update(c->library, &c->rotor, from, to, wrong)) &&
      adi_loads(c->library, &c->rotor, to, c->load, wrong))
    check_loads(c, wrong);
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscCallMPI(MPI_Bcast(c->load, 6 * c->a->points, MPI_FLOAT, 0, comm));
  c->power = power_of(c);
  PetscFunctionReturn(0);
}

// a F_n + b F_(n-1)
static void hold_loads(Air *c, double a, double b) {
  for (int p = 0; p < c->a->points; p++)
    for (int k = 0; k < 6; k++) c->a->held[p][k] = a * (double)c->load[6 * p + k] + b * (double)c->last[6 * p + k];
}

static void hold_next(Air *c) {
  bool extrapolates = c->a->text.hold == HOLD_EXTRAPOLATED;
  hold_loads(c, extrapolates ? 1.5 : 1, extrapolates ? -0.5 : 0);
  memcpy(c->last, c->load, (size_t)(6 * c->a->points) * sizeof *c->last);
}

// Work of the loads that were held, by the motion of the points relative to the hub.
static double deformation_work(const Air *c) {
  const StateSample *now = c->now + 1 + c->nacelle, *before = c->before + 1 + c->nacelle;
  Mat3 turn = mat3_mul(axes_of(c->now), mat3_transpose(axes_of(c->before)));
  double work = 0;
  for (int p = 0; p < c->a->points; p++) {
    Vec3 arm[2];
    const StateSample *end[2] = {&before[p], &now[p]}, *hub[2] = {c->before, c->now};
    for (int k = 0; k < 2; k++) arm[k] = vec3_sub(vec3_of(end[k]->motion.x[0]), vec3_of(hub[k]->motion.x[0]));
    Mat3 own = mat3_mul(axes_of(end[1]), mat3_transpose(axes_of(end[0])));
    work += vec3_dot(vec3_of(c->a->held[p]), vec3_sub(arm[1], mat3_apply(turn, arm[0])));
    work += vec3_dot(vec3_of(c->a->held[p] + 3), rotation_vector(mat3_mul(own, mat3_transpose(turn))));
  }
  return work;
}

static void name_failure(const Air *c, const Refusal *wrong, LimberOutcome *out) {
  out->reason = LIMBER_LIBRARY_FAILURE;
  out->cause = (LimberCause){.kind = LIMBER_CAUSE_NONE, .index = LIMBER_NONE};
  snprintf(out->cause.name, sizeof out->cause.name, "aerodynamics '%.60s': %.*s", c->a->name,
           (int)sizeof out->cause.name - 90, wrong->text);
}

static PetscErrorCode StepAir(Between *b, Stepper *p, LimberOutcome *out) {
  Air *c = (Air *)b;
  double step = c->a->text.step, end = (double)(c->steps + 1) * step, left = end - p->s->motion.state.time;
  Refusal wrong;
  PetscFunctionBegin;
  if (left > 1e-6 * step) PetscFunctionReturn(0);
  if (left < -1e-6 * step) {
    refuse(&wrong, "AeroDyn needs equal steps, but one ended at %.9g s in place of %.9g s", p->s->motion.state.time,
           end);
    name_failure(c, &wrong, out);
    PetscFunctionReturn(0);
  }
  PetscCall(FindLoads(c, false, &wrong));
  for (int i = 0; i < c->a->text.iterations && !is_refused(&wrong); i++) {
    hold_loads(c, 0.5, 0.5);
    PetscCall(StepperRepeatStep(p, out));
    if (out->reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
    PetscCall(FindLoads(c, false, &wrong));
  }
  if (is_refused(&wrong)) {
    name_failure(c, &wrong, out);
    PetscFunctionReturn(0);
  }
  p->ledger.aerodynamic_damping -= deformation_work(c), p->ledger.wind_power = c->power;
  hold_next(c), c->steps++;
  PetscCall(PetscArraycpy(c->before, c->now, c->places));
  PetscFunctionReturn(0);
}

// ---- checkpoints: they have the loads, but AeroDyn gives no way to save its states ----

static PetscErrorCode SaveAir(const Between *b, CheckpointContainer *container) {
  const Air *c = (const Air *)b;
  PetscFunctionBegin;
  PetscCall(ContainerPut(container, "aerodyn", 0, c->load, (size_t)(6 * c->a->points) * sizeof *c->load));
  PetscFunctionReturn(0);
}

static const char no_state[] = "AeroDyn's library cannot save its states; run the model again from the start";

static PetscErrorCode RestoreAir(Between *b, const void *bytes, size_t size, bool *good) {
  const Air *c = (const Air *)b;
  PetscFunctionBegin;
  (void)bytes, (void)size;
  *good = false;
  SETERRQ(c->stepper->s->motion.layout.comm, PETSC_ERR_SUP, "aerodynamics '%s': %s", c->a->name, no_state);
}

// ---- creating ----

static PetscErrorCode CreateMotion(AdiMotion *m, int count) {
  PetscFunctionBegin;
  m->count = count;
  PetscCall(
      PetscCalloc4(3 * count, &m->position, 6 * count, &m->velocity, 6 * count, &m->acceleration, 9 * count, &m->axes));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyMotion(AdiMotion *m) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(m->position, m->velocity, m->acceleration, m->axes));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyAir(Between **between) {
  Air *c = (Air *)*between;
  PetscFunctionBegin;
  adi_close(&c->library);
  PetscCall(DestroyMotion(&c->rotor.hub));
  PetscCall(DestroyMotion(&c->rotor.nacelle));
  PetscCall(DestroyMotion(&c->rotor.roots));
  PetscCall(DestroyMotion(&c->rotor.points));
  PetscCall(PetscFree4(c->place, c->now, c->before, c->within));
  PetscCall(PetscFree2(c->load, c->last));
  PetscCall(PetscFree(c));
  *between = NULL;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreatePlaces(Air *c) {
  const Aerodyn *a = c->a;
  int n = 0;
  PetscFunctionBegin;
  c->nacelle = a->text.nacelle.index >= 0, c->places = 1 + c->nacelle + a->points;
  PetscCall(PetscCalloc4(c->places, &c->place, c->places, &c->now, c->places, &c->before, c->places, &c->within));
  PetscCall(PetscCalloc2(6 * a->points, &c->load, 6 * a->points, &c->last));
  PetscCall(CreateMotion(&c->rotor.hub, 1));
  PetscCall(CreateMotion(&c->rotor.nacelle, 1));
  PetscCall(CreateMotion(&c->rotor.roots, a->text.nblades));
  PetscCall(CreateMotion(&c->rotor.points, a->points));
  c->place[n++] = (Observable){.kind = OBSERVABLE_NODE, .id = a->text.hub.index};
  if (c->nacelle) c->place[n++] = (Observable){.kind = OBSERVABLE_NODE, .id = a->text.nacelle.index};
  for (int p = 0; p < a->points; p++) c->place[n++] = (Observable){.kind = OBSERVABLE_NODE, .id = a->node[p]};
  PetscFunctionReturn(0);
}

// Axes x, y, z with z along one vector, or x if `along_x`, and the other as near as possible to its own.
static Mat3 axes_along(Vec3 x, Vec3 z, bool along_x) {
  if (along_x) z = vec3_unit(vec3_axpy(z, -vec3_dot(x, z), x));
  else x = vec3_unit(vec3_axpy(x, -vec3_dot(x, z), z));
  return mat3_columns(x, vec3_cross(z, x), z);
}

// The axes of AeroDyn in the model file: hub with x along its axis and z to the first blade; nacelle as the ground;
// blades with z from the hub to the root and x downwind, then rotated by the pitch about -z.
static void place_axes(Air *c) {
  const Aerodyn *a = c->a;
  const StateSample *s = c->now, *points = s + 1 + c->nacelle;
  Vec3 axis = vec3_of(a->text.axis), hub = vec3_of(s->motion.x[0]), z = vec3_zero();
  double cos_pitch = cos(a->text.pitch), sin_pitch = sin(a->text.pitch);
  Mat3 blade = mat3_identity();
  for (int p = 0; p < a->points; p++) {
    if (!p || a->blade[p] != a->blade[p - 1]) {
      Vec3 arm = vec3_unit(vec3_sub(vec3_of(points[p].motion.x[0]), hub));
      if (!p) z = arm;
      Mat3 zero = axes_along(axis, arm, false);
      Vec3 x = mat3_column(zero, 0), y = mat3_column(zero, 1);
      blade = mat3_columns(vec3_axpy(vec3_scale(cos_pitch, x), -sin_pitch, y),
                           vec3_axpy(vec3_scale(cos_pitch, y), sin_pitch, x), arm);
    }
    c->within[1 + c->nacelle + p] = mat3_mul(mat3_transpose(axes_of(&points[p])), blade);
  }
  c->within[0] = mat3_mul(mat3_transpose(axes_of(s)), axes_along(axis, z, true));
  c->fixed = mat3_identity(), c->fixed_at = hub;
  if (c->nacelle) c->within[1] = mat3_transpose(axes_of(s + 1));
}

static PetscErrorCode OpenAir(Air *c, const Input *in, Refusal *wrong) {
  Model m = in->model;
  const char *slash = strrchr(in->file, '/');
  char folder[4400];
  PetscMPIInt rank;
  PetscFunctionBegin;
  for (int i = 0; i < c->places; i++) observable_unloaded(m, &c->place[i], &c->now[i]);
  place_axes(c);
  put_rotor(c, c->now);
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - in->file) + 1 : 0, in->file);
  PetscCallMPI(MPI_Comm_rank(c->stepper->s->motion.layout.comm, &rank));
  if (rank == 0) c->library = adi_open(c->a, folder, in->end, &c->rotor, wrong);
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, c->stepper->s->motion.layout.comm));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(FindLoads(c, true, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscArraycpy(c->last, c->load, 6 * c->a->points));
  PetscCall(PetscArraycpy(c->before, c->now, c->places));
  c->stepper->ledger.wind_power = c->power;
  hold_next(c);
  PetscFunctionReturn(0);
}

// Why a run cannot have it; NULL: it can.
static const char *forbids(const Input *in, const Stepper *p, const CheckpointContainer *from) {
  if (from) return no_state;
  if (!p->kind->undoes || p->kind->step) return "the scheme does not support it; `decaying` and `preserving` do";
  if (in->aerodyn->text.iterations && (p->contacts || p->ports || p->bonds))
    return "`iterations` cannot repeat steps of a model with stops, play, one-sided springs or ports";
  return NULL;
}

PetscErrorCode AerodynAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong) {
  Air *c;
  Refusal why = {.text = ""};
  PetscFunctionBegin;
  if (!in->aerodyn || in->options.analysis) PetscFunctionReturn(0);
  const char *forbidden = forbids(in, run->stepper, from);
  if (!forbidden && !in->allow_library)
    refuse(wrong,
           "aerodynamics '%s' needs the option --allow-library, in Python allow_library=True: it loads '%s', which "
           "runs with your permissions",
           in->aerodyn->name, in->aerodyn->text.library);
  if (forbidden) refuse(wrong, "aerodynamics '%s': %s", in->aerodyn->name, forbidden);
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscNew(&c));
  c->between = (Between){.step = StepAir,
                         .save = SaveAir,
                         .restore = RestoreAir,
                         .destroy = DestroyAir,
                         .repeats = in->aerodyn->text.iterations > 0};
  c->a = in->aerodyn, c->stepper = run->stepper;
  between_add(run->stepper, &c->between);
  PetscCall(CreatePlaces(c));
  PetscCall(OpenAir(c, in, &why));
  if (is_refused(&why)) refuse(wrong, "aerodynamics '%s': %s", in->aerodyn->name, why.text);
  PetscFunctionReturn(0);
}
