// SPDX-License-Identifier: Apache-2.0
// Probes, and the columns that each of them records: the one place that names them, for the reader, formulas and
// results.
#ifndef LIMBER_QUANTITIES_PROBE_H
#define LIMBER_QUANTITIES_PROBE_H

#include "model/stress.h"

#include <limits.h>
#include <stdint.h>

typedef enum {
  PROBE_NODE,
  PROBE_STATION,
  PROBE_POINT,
  PROBE_JOINT,
  PROBE_ENERGY,
  PROBE_STRESS,
  PROBE_CONTACT,
  PROBE_WHEEL,
  PROBE_LOAD,
  PROBE_FORMULA
} ProbeKind;

typedef enum {
#define QUANTITY(constant, ...) QUANTITY_##constant,
#include "quantities/quantities.def"
#undef QUANTITY
  QUANTITIES,
} ProbeQuantity;

typedef struct {
  const char *name;
  ProbeKind kind;
  int id;                   // node, component, joint, contact or load
  int point;                // integration point along a component
  double at;                // station along a component, 0 .. 1
  int axes;                 // node in whose moving axes vectors are recorded; LIMBER_NONE: the ground's
  bool from_root;           // quantities that are CARRIED are reported relative to the first section of the beam
  const StressGauge *gauge; // at `at`; NULL: none
  uint64_t record;          // bit q: quantity q
  const char *formula;      // of other columns
  const char *unit;         // of the formula
  unsigned char *extreme;   // for each of its columns: its extremes are recorded; NULL: none are
} Probe;

_Static_assert(QUANTITIES <= CHAR_BIT * sizeof(((Probe *)NULL)->record), "`record` has a bit for each quantity");

typedef struct { // a parameter of the model file that a formula names
  const char *name;
  double value;
} ProbeConstant;

// One quantity of a probe: `width` columns that stand beside each other.
typedef struct {
  ProbeQuantity quantity;
  const char *name;
  int width;
  const char *const *columns; // their names; NULL: one number, which has none
  const char *const *units;   // of each; NULL: `unit` for all
  const char *unit;
  char description[300];
  bool placed;    // the others say where the first was found: their extremes are those at the time of its own
  bool carried;   // against the first section of the beam or the node of `axes`
  bool of_step;   // of the last step: there is none at the start
  bool no_output; // no output of a linear model
  bool followed;  // from step to step, whether recorded or not
} ProbeColumns;

// The i-th quantity that a probe records; false after the last.
bool probe_columns(Model m, const Probe *p, int i, ProbeColumns *out);
int probe_width(Model m, const Probe *p);
// "N, N, N m" where units differ
const char *probe_units(const ProbeColumns *c, char *text, size_t size);
// What is probed: "node 'tip'", "beam 'blade', 0.37 of its length"
void probe_about(Model m, const Probe *p, char *text, size_t size);

// Whether the thing that is probed has this quantity, and whether it is recorded where nothing is asked for.
static inline bool probe_records(const Probe *p, ProbeQuantity q) { return p->record >> q & 1; }
bool probe_has(Model m, const Probe *p, ProbeQuantity q);
bool probe_usual(ProbeQuantity q);
int quantity_rank(const char *name); // its place in the table; QUANTITIES: it is not there
const char *quantity_name(int i);    // the words of `record`, each once; NULL after the last
// NULL, or why the thing probed does not have a quantity that others of its kind have, and what to do.
const char *probe_lacks(Model m, const Probe *p, const char *name, char *text, size_t size);
bool probe_calls(Model m, const Probe *p, ProbeQuantity q, const char *name); // whether that is a name of it

// The column of that name in the row of some probes, -1 if there is none: probe.quantity.component, probe.component (of
// the first quantity that has it), probe.quantity, where that is one number, and the name alone of a formula.
int probes_find(Model m, int count, const Probe *probe, const char *name);

// Every column of one probe under its full and its short name.
typedef void (*ProbeVisit)(void *self, const char *name);
void probe_visit(Model m, const Probe *p, ProbeVisit visit, void *self);

// Marks columns of a probe by quantity.component, component or quantity; returns how many.
int probe_mark(Model m, const Probe *p, const char *word, unsigned char *marks);

// The first column of a probe, for messages: position.x
const char *probe_example(Model m, const Probe *p, char *text, size_t size);

#endif
