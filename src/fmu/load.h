// SPDX-License-Identifier: Apache-2.0
// An FMU that is loaded and runs: its archive unpacked into a private folder, its library opened, one instance. Every
// status that it returns is looked at, and every number that it gives must be finite. A function that returns false has
// left the reason in fmu_message; the FMU must then only be closed.
#ifndef LIMBER_FMU_LOAD_H
#define LIMBER_FMU_LOAD_H

#include "fmu/read/description.h"

typedef struct Fmu Fmu;

// `name`: of the instance. `wrong`: "", or why it cannot be loaded; `out` must be closed all the same.
Error FmuOpen(const FmuUse *use, const char *name, Fmu **out, Refusal *wrong);
void fmu_close(Fmu **f);
const char *fmu_message(const Fmu *f);

// Inputs and outputs are in SI units.
bool fmu_start(Fmu *f, double time, const double *in);
// Goes on by a step, over which its inputs are constant.
bool fmu_step(Fmu *f, double from, double step, const double *in);
bool fmu_get(Fmu *f, double *out);
// Sets inputs here, which are then held.
bool fmu_hold(Fmu *f, const double *in);
// Any variable that is a number, in the FMU's unit.
bool fmu_get_number(Fmu *f, const FmuVariable *v, double *x);
// Sets inputs and gives outputs without a step.
bool fmu_look(Fmu *f, const double *in, double *out);

// Whether it can be set back and take steps of any length; remembers where it is; goes back there.
bool fmu_follows(const Fmu *f);
bool fmu_mark(Fmu *f);
bool fmu_go_back(Fmu *f);

// The state as bytes, for memory_free; false: it cannot be saved, as fmu_message says.
bool fmu_can_save(Fmu *f);
Error FmuSave(Fmu *f, unsigned char **bytes, size_t *size, bool *good);
bool fmu_restore(Fmu *f, const unsigned char *bytes, size_t size);

// Calls with the status "warning" so far, and what the first one said.
int fmu_warnings(const Fmu *f);
const char *fmu_warning(const Fmu *f);

#endif
