// SPDX-License-Identifier: Apache-2.0
#include "results/write/probe_outputs.h"

#include <string.h>

// The columns of all probes: tip.position.x; that of a formula by its name alone.
static void name_columns(const Input *in, LinearName *all, bool *no_output) {
  ProbeColumns c;
  int at = 0;
  for (int k = 0; k < in->probes; k++)
    for (int i = 0; probe_columns(in->model, &in->probe[k], i, &c); i++)
      for (int j = 0; j < c.width; j++, at++) {
        bool formula = in->probe[k].kind == PROBE_FORMULA;
        no_output[at] = c.no_output;
        snprintf(all[at].name, sizeof all[at].name, "%.80s%s%.60s%s%.40s", in->probe[k].name, formula ? "" : ".",
                 formula ? "" : c.name, c.columns ? "." : "", c.columns ? c.columns[j] : "");
        snprintf(all[at].unit, sizeof all[at].unit, "%.23s", c.units ? c.units[j] : c.unit);
      }
}

// Accelerations and forces of loads are none.
static void take_column(ProbeOutputs *o, int column) {
  if (o->no_output[column]) return;
  for (int i = 0; i < o->count; i++)
    if (o->column[i] == column) return;
  o->column[o->count] = column, o->name[o->count++] = o->all[column];
}

// A name and all that begin with it, or what probes_find makes of it.
static void take_name(const Input *in, ProbeOutputs *o, const char *name) {
  size_t n = strlen(name);
  int before = o->count, short_name = probes_find(in->model, in->probes, in->probe, name);
  for (int i = 0; i < o->width; i++)
    if (!strncmp(o->all[i].name, name, n) && (!o->all[i].name[n] || o->all[i].name[n] == '.')) take_column(o, i);
  if (o->count == before && short_name >= 0) take_column(o, short_name);
}

PetscErrorCode ProbeOutputsCreate(const Input *in, LimberRun run, int names, const char *const *name, ProbeOutputs *o,
                                  char *wrong, size_t size) {
  PetscFunctionBegin;
  *o = (ProbeOutputs){.run = run};
  PetscCall(ProbesCreate(in, &o->probes));
  o->width = probes_width(o->probes);
  PetscCall(PetscCalloc5(o->width, &o->column, o->width, &o->row, o->width, &o->name, o->width, &o->all, o->width,
                         &o->no_output));
  name_columns(in, o->all, o->no_output);
  for (int i = 0; names == 0 && i < o->width; i++) take_column(o, i);
  for (int i = 0; i < names; i++) {
    int before = o->count;
    take_name(in, o, name[i]);
    bool known = o->count > before;
    for (int k = 0; k < before && !known; k++) // named before
      known = !strncmp(o->name[k].name, name[i], strlen(name[i]));
    for (int k = 0; k < o->width && !known && !wrong[0]; k++)
      if (o->no_output[k] && !strncmp(o->all[k].name, name[i], strlen(name[i])))
        snprintf(wrong, size, "'%s' is no output of a linear model: take velocities or reactions of joints", name[i]);
    if (!known && !wrong[0]) snprintf(wrong, size, "no probe records '%s'", name[i]);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ProbeOutputsDestroy(ProbeOutputs *o) {
  PetscFunctionBegin;
  if (o->probes) PetscCall(ProbesDestroy(&o->probes));
  PetscCall(PetscFree5(o->column, o->row, o->name, o->all, o->no_output));
  PetscFunctionReturn(0);
}

PetscErrorCode ProbeOutputsSample(void *self, double *row) {
  ProbeOutputs *o = self;
  PetscFunctionBegin;
  PetscCall(ProbesSample(o->probes, o->run, o->row));
  for (int i = 0; i < o->count; i++) row[i] = o->row[o->column[i]];
  PetscFunctionReturn(0);
}
