// SPDX-License-Identifier: Apache-2.0
// An FMU that is a linear model, for model exchange and for co-simulation. Its inputs and outputs are whole values, which
// start at the operating point; its states are changes from it.
#include "fmu/write.h"

#include "files/output_file.h"
#include "fmu/content.h"

#include <math.h>
#include <string.h>

enum { MOST_STATES = 1000 }; // the matrices of a step of co-simulation take about 25 products of such matrices

// ---- variables ----

static void describe_value(char *text, size_t size, double value, const char *unit) {
  snprintf(text, size, "%.9g%s%s at the operating point", value, strcmp(unit, "1") ? " " : "",
           strcmp(unit, "1") ? unit : "");
}

// The unit of a rate: rad s-1 of rad, m s-2 of m s-1.
static void rate_unit(char *text, size_t size, const char *unit) {
  size_t n = strlen(unit);
  if (!strcmp(unit, "1") || !n) snprintf(text, size, "s-1");
  else if (n > 3 && !strcmp(unit + n - 3, "s-1")) snprintf(text, size, "%.*s-2", (int)(n - 2), unit);
  else snprintf(text, size, "%s s-1", unit);
}

static Error AddValues(FmuContent *c, int list, int count, const LinearName *name, const double *at) {
  char text[200];
  for (int i = 0; i < count; i++) {
    describe_value(text, sizeof text, at[i], name[i].unit);
    const FmuVariable v = {.name = name[i].name, .unit = name[i].unit, .description = text, .start = at[i]};
    TRY(FmuAddVariable(c, list, &v));
  }
  return 0;
}

static Error AddStates(FmuContent *c, const LinearModel *m) {
  char name[220], unit[40];
  for (int i = 0; i < m->states; i++) {
    snprintf(name, sizeof name, "state.%s", m->state[i].name);
    const FmuVariable v = {.name = name, .unit = m->state[i].unit, .description = "change from the operating point"};
    TRY(FmuAddVariable(c, FMU_STATES, &v));
    snprintf(name, sizeof name, "der(state.%s)", m->state[i].name);
    rate_unit(unit, sizeof unit, m->state[i].unit);
    TRY(FmuAddVariable(c, FMU_RATES, &(FmuVariable){.name = name, .unit = unit}));
  }
  return 0;
}

static Error AddVariables(FmuContent *c, const LinearModel *m) {
  const int count[FMU_LISTS] = {0, m->inputs, m->outputs, m->states, m->states};
  for (int k = 0; k < FMU_LISTS; k++)
    TRY(StoreAllocate(&c->store, ((size_t)count[k] + 1) * sizeof *c->d.list[k].item, &c->d.list[k].item));
  TRY(AddValues(c, FMU_INPUTS, m->inputs, m->input, m->at_input));
  TRY(AddValues(c, FMU_OUTPUTS, m->outputs, m->output, m->at_output));
  return AddStates(c, m);
}

// ---- files ----

// The start values of inputs are in matrices.bin.
static Error PrintContents(const FmuContent *c, const char *library, FILE *out) {
  (void)library;
  const FmuList *list = c->d.list;
  fprintf(out, "%stoken %s\n", file_fmu_sign, c->d.token);
  for (int i = 0; i < list[FMU_INPUTS].count; i++)
    fprintf(out, "input 0 [%s] %s\n", list[FMU_INPUTS].item[i].unit, list[FMU_INPUTS].item[i].name);
  fprintf(out, "outputs %d\nstates %d\n", list[FMU_OUTPUTS].count, list[FMU_STATES].count);
  return 0;
}

// A, B, C, D by rows, then the inputs and the outputs at the operating point.
static Error CollectNumbers(Store *store, const LinearModel *m, double **out, size_t *count) {
  size_t n = (size_t)m->states, u = (size_t)m->inputs, y = (size_t)m->outputs;
  const double *part[] = {m->a, m->b, m->c, m->d, m->at_input, m->at_output};
  const size_t size[] = {n * n, n * u, y * n, y * u, u, y};
  *count = 0;
  for (int k = 0; k < 6; k++) *count += size[k];
  TRY(StoreAllocate(store, (*count + 1) * sizeof **out, out));
  double *to = *out;
  for (int k = 0; k < 6; to += size[k], k++)
    if (size[k]) memcpy(to, part[k], size[k] * sizeof *to);
  return 0;
}

static Error AddMatrices(const FmuContent *c, ZipWriter *z) {
  Store store = {0};
  double *number;
  size_t count;
  Error error = CollectNumbers(&store, c->d.linear, &number, &count);
  if (!error) error = ZipAdd(z, "resources/matrices.bin", number, count * sizeof *number, true);
  TRY(StoreDestroy(&store));
  return error;
}

// ---- the whole ----

static Error Describe(FmuContent *c, const LinearModel *m, Refusal *wrong) {
  static const char about[] =
      "linear model about an operating point; inputs and outputs are whole values, states are changes";
  char title[600];
  double *number;
  size_t count;
  if (m->states > MOST_STATES) {
    refuse(wrong,
           "an FMU has at most %d states, not %d: use the lowest modes as coordinates, such as --set "
           "linearize.modes=50",
           MOST_STATES, m->states);
    return 0;
  }
  snprintf(title, sizeof title, "%.400s%s%s", c->d.in->title, *c->d.in->title ? ": " : "", about);
  TRY(StoreText(&c->store, title, strlen(title), &c->d.title));
  TRY(AddVariables(c, m));
  TRY(FmuCheckNames(c, wrong));
  TRY(CollectNumbers(&c->store, m, &number, &count));
  for (size_t i = 0; i < count; i++)
    if (!isfinite(number[i]) && !is_refused(wrong)) refuse(wrong, "the linear model has entries that are not finite");
  TRY(FmuMakeToken(c, number, count * sizeof *number));
  return FmuMakeIdentifier(c, "_linear");
}

PetscErrorCode FmuWriteLinear(MPI_Comm comm, const Input *in, const LinearModel *m, const char *path, int version,
                              Refusal *wrong) {
  static const FmuKind kind = {"fmu_linear.so", false, PrintContents, AddMatrices};
  FmuContent c = {.d = {.in = in, .linear = m, .version = version, .title = ""}};
  PetscFunctionBegin;
  wrong->text[0] = 0;
  PetscErrorCode error = Describe(&c, m, wrong);
  PetscCall(FmuFinish(comm, &c, &kind, path, error, wrong));
  PetscFunctionReturn(0);
}
