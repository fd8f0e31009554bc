// SPDX-License-Identifier: Apache-2.0
// The state of a run as one vector of numbers (rates.h).
#include "gradient/rates.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/saved_state.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "gradient/product.h"

#include <string.h>

// Arrays whose numbers are differentiated: those of the adjoint method, and more. Others are copied as they are.
static bool is_differentiated(const char *name) {
  static const char *const more[] = {"time", "last_h",    "past_step",   "recalled_step", "a",
                                     "w",    "load_work", "drive_force", "contact_sums",  "contact_last"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (!strcmp(more[i], name)) return true;
  return state_is_differentiated(name);
}

// Of a bristle, how it slipped is not.
static bool is_smooth(const StateArray *a, size_t number) {
  enum { NUMBERS = sizeof(Bristle) / sizeof(double), SLIPS = offsetof(Bristle, slips) / sizeof(double) };
  return strcmp(a->name, "bristles") || number % NUMBERS != SLIPS;
}

bool rates_is_smooth(const StateArray *a, size_t number) { return is_differentiated(a->name) && is_smooth(a, number); }

typedef struct {
  StateArray array[MOST_STATE_ARRAYS];
  int count;
} StateArrays;

static PetscErrorCode ListArrays(Stepper *p, StateArrays *out) {
  int all, n = 0;
  PetscFunctionBegin;
  PetscCall(StateList(p, TRIED, out->array, &all));
  for (int i = 0; i < all; i++)
    if (!out->array[i].packing) out->array[n++] = out->array[i];
  out->count = n;
  PetscFunctionReturn(0);
}

PetscErrorCode RatesTakeState(Stepper *p, double *out) {
  StateArrays list;
  PetscFunctionBegin;
  PetscCall(ListArrays(p, &list));
  for (int i = 0; i < list.count; i++) {
    const StateArray *a = &list.array[i];
    if (state_array_bytes(a)) memcpy(out, a->data, state_array_bytes(a)); // an empty array has no address
    out += state_array_numbers(a);
  }
  for (const Between *b = p->between; b; b = b->next) b->get(b, out), out += b->count(b);
  PetscFunctionReturn(0);
}

static PetscErrorCode PutBetween(Between *b, const double *at, double e, const double *rate) {
  size_t n = b->count(b);
  double *moved;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &moved));
  for (size_t k = 0; k < n; k++) moved[k] = at[k] + e * rate[k];
  PetscCall(b->put(b, moved));
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(0);
}

PetscErrorCode RatesPutState(Stepper *p, const double *at, double e, const double *rate) {
  StateArrays list;
  PetscFunctionBegin;
  PetscCall(ListArrays(p, &list));
  for (int i = 0; i < list.count; i++) {
    const StateArray *a = &list.array[i];
    double *to = a->data;
    size_t n = state_array_numbers(a);
    if (!is_differentiated(a->name)) {
      if (n) memcpy(a->data, at, state_array_bytes(a));
    } else
      for (size_t k = 0; k < n; k++) to[k] = at[k] + e * rate[k];
    at += n, rate += n;
  }
  for (Between *b = p->between; b; b = b->next) {
    PetscCall(PutBetween(b, at, e, rate));
    at += b->count(b), rate += b->count(b);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode RatesAddState(Stepper *p, double weight, double *rate) {
  StateArrays list;
  PetscFunctionBegin;
  PetscCall(ListArrays(p, &list));
  for (int i = 0; i < list.count; i++) {
    const StateArray *a = &list.array[i];
    const double *from = a->data;
    size_t n = state_array_numbers(a);
    for (size_t k = 0; k < n && is_differentiated(a->name); k++)
      if (is_smooth(a, k)) rate[k] += weight * from[k];
    rate += n;
  }
  for (const Between *b = p->between; b; b = b->next) {
    size_t n = b->count(b);
    double *now;
    PetscCall(PetscMalloc1(n, &now));
    b->get(b, now);
    for (size_t k = 0; k < n; k++) rate[k] += weight * now[k];
    PetscCall(PetscFree(now));
    rate += n;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode RatesMeasure(Stepper *p, const double *rate, double *out) {
  const Layout *layout = &p->s->motion.layout;
  StateArrays list;
  double most = 0;
  PetscFunctionBegin;
  PetscCall(ListArrays(p, &list));
  for (int i = 0; i < list.count; i++) {
    const StateArray *a = &list.array[i];
    bool place = !strcmp(a->name, "x"), velocity = !strcmp(a->name, "v");
    for (PetscInt k = 4; k < 4 * layout->nnode && (place || velocity); k++) {
      double length = k % 4 ? 1 : layout->length;
      most = PetscMax(most,
                      number_or_infinity(vec3_norm(vec3_of(rate + 3 * k)) / length * (velocity ? p->options.step : 1)));
    }
    rate += state_array_numbers(a);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  *out = most;
  PetscFunctionReturn(0);
}

PetscErrorCode RatesFindTime(Stepper *p, const double *rate, double *out) {
  StateArrays list;
  PetscFunctionBegin;
  PetscCall(ListArrays(p, &list));
  for (int i = 0; i < list.count && strcmp(list.array[i].name, "time"); i++)
    rate += state_array_numbers(&list.array[i]);
  *out = *rate;
  PetscFunctionReturn(0);
}
