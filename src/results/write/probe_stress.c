// SPDX-License-Identifier: Apache-2.0
#include "results/write/probe_stress.h"

#include <math.h>
#include <string.h>

typedef struct { // a place where forces are known
  int observable;
  double at; // of the length of its beam
  StressStation station[2];
  int nearer, form[2]; // of the stations
  int peak;
} Position;

struct StressSearch {
  Model model;
  Position *position;
  StressPeak *found, *peak; // of each position, of each peak
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

// `along` is the place on the elements, by which sections are interpolated; `at` that on the length.
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

// The ends of an element and its integration points.
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
      int observable = add(self, (Observable){OBSERVABLE_SECTION, c->first + e, 0, at});
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

// The largest over one section; the place is that in the section of the nearer station.
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
  for (int i = 0; i < s->positions; i++) { // of equals the first
    StressPeak *peak = &s->peak[s->position[i].peak];
    if (stress_exceeds(s->found[i].value, peak->value)) *peak = s->found[i];
  }
  PetscFunctionReturn(0);
}
