// SPDX-License-Identifier: Apache-2.0
#include "assembly/contact_sieve.h"

#include <stdbool.h>
#include <string.h>

enum { LEVELS = 40 }; // each with cells twice as large as the one below; the last has all that are larger still

typedef struct {
  PetscInt count;
  const Vec3 *place;
  const double *radius;
  double cell[LEVELS];           // the largest diameter on a level
  PetscInt member[LEVELS + 1];   // where the members of a level begin in `by_level`
  PetscInt *by_level;            // in the order of their numbers on each level
  signed char *level;            // of each
  PetscInt64 (*at)[3];           // its cell
  PetscInt buckets, *start, *in; // those of a bucket
} ContactGrid;

static PetscInt find_bucket(const ContactGrid *g, int level, const PetscInt64 at[3]) {
  uint64_t h = (uint64_t)at[0] * 73856093u ^ (uint64_t)at[1] * 19349663u ^ (uint64_t)at[2] * 83492791u;
  return (PetscInt)((h ^ (uint64_t)level * 2654435761u) % (uint64_t)g->buckets);
}

static PetscInt64 cell_of(double x, double cell) {
  return (PetscInt64)floor(PetscMax(-1e15, PetscMin(1e15, x / cell)));
}

static void find_levels(ContactGrid *g) {
  double least = HUGE_VAL;
  PetscInt next[LEVELS];
  for (PetscInt i = 0; i < g->count; i++)
    if (g->radius[i] > 0) least = PetscMin(least, 2 * g->radius[i]);
  for (PetscInt i = 0; i < g->count; i++) {
    int power = 0;
    double d = 2 * g->radius[i];
    if (d > least) frexp(d / least, &power);
    int l = g->level[i] = (signed char)PetscMax(0, PetscMin(LEVELS - 1, power - 1));
    g->cell[l] = PetscMax(g->cell[l], d), g->member[l + 1]++;
  }
  for (int l = 0; l < LEVELS; l++) {
    if (!(g->cell[l] > 0)) g->cell[l] = 1; // points alone: they meet nothing
    next[l] = g->member[l], g->member[l + 1] += g->member[l];
  }
  for (PetscInt i = 0; i < g->count; i++) g->by_level[next[g->level[i]]++] = i;
}

static PetscErrorCode FillCells(ContactGrid *g) {
  PetscInt *next;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < g->count; i++) {
    double x[3];
    vec3_to(g->place[i], x);
    for (int k = 0; k < 3; k++) g->at[i][k] = cell_of(x[k], g->cell[g->level[i]]);
    g->start[find_bucket(g, g->level[i], g->at[i]) + 1]++;
  }
  PetscCall(PetscMalloc1(g->buckets, &next));
  for (PetscInt b = 0; b < g->buckets; b++) next[b] = g->start[b], g->start[b + 1] += g->start[b];
  for (PetscInt i = 0; i < g->count; i++) g->in[next[find_bucket(g, g->level[i], g->at[i])]++] = i;
  PetscCall(PetscFree(next));
  PetscFunctionReturn(0);
}

// Those of a level that i may meet: of its own level with a greater number.
static PetscErrorCode SearchLevel(const ContactGrid *g, PetscInt i, int level, ContactGridPair visit, void *context) {
  double x[3], half = (g->radius[i] + 0.5 * g->cell[level]) * (1 + 1e-12);
  PetscInt64 low[3], high[3], at[3], cells = 1;
  PetscInt members = g->member[level + 1] - g->member[level];
  bool own = g->level[i] == level;
  PetscFunctionBegin;
  vec3_to(g->place[i], x);
  for (int k = 0; k < 3; k++) {
    low[k] = cell_of(x[k] - half, g->cell[level]), high[k] = cell_of(x[k] + half, g->cell[level]);
    cells *= high[k] - low[k] + 1;
  }
  for (PetscInt m = 0; m < members && members <= cells; m++) {
    PetscInt j = g->by_level[g->member[level] + m];
    if (!own || j > i) PetscCall(visit(context, i, j));
  }
  if (members <= cells) PetscFunctionReturn(0);
  for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
    for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
      for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
        PetscInt b = find_bucket(g, level, at);
        for (PetscInt a = g->start[b]; a < g->start[b + 1]; a++) {
          PetscInt j = g->in[a];
          if ((own && j <= i) || g->level[j] != level || memcmp(g->at[j], at, sizeof at)) continue;
          PetscCall(visit(context, i, j));
        }
      }
  PetscFunctionReturn(0);
}

PetscErrorCode ContactGridPairs(PetscInt count, const Vec3 *place, const double *radius, ContactGridPair visit,
                                void *context) {
  ContactGrid g = {.count = count, .place = place, .radius = radius, .buckets = 2 * count + 1};
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(count, &g.by_level, count, &g.level, count, &g.at, count, &g.in));
  PetscCall(PetscCalloc1(g.buckets + 1, &g.start));
  find_levels(&g);
  PetscCall(FillCells(&g));
  for (PetscInt i = 0; i < count; i++)
    for (int l = g.level[i]; l < LEVELS; l++)
      if (g.member[l + 1] > g.member[l]) PetscCall(SearchLevel(&g, i, l, visit, context));
  PetscCall(PetscFree(g.start));
  PetscCall(PetscFree4(g.by_level, g.level, g.at, g.in));
  PetscFunctionReturn(0);
}
