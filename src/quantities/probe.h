// SPDX-License-Identifier: Apache-2.0
// Probes and the columns that each of them records. All names of columns come from here: for the reader, formulas and
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
  PROBE_MESH_NODE,   // of the mesh that an element carries
  PROBE_MESH_STRESS, // the largest over such a mesh
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
  int point;                // integration point along a component, or point of the mesh that it carries ...
  bool placed;              // ... of a coarser mesh: its place is `at`
  double at;                // station along a component, 0 .. 1
  int axes;                 // node in whose moving axes vectors are recorded; LIMBER_NONE: ground axes
  bool from_root;           // CARRIED quantities are relative to the first section of the beam
  const StressGauge *gauge; // at `at`; NULL: none
  uint64_t record;          // bit q is set: quantity q is recorded
  const char *formula;      // of other columns
  const char *unit;         // of the formula
  unsigned char *extreme;   // for each column: whether its extremes are recorded; NULL: none
} Probe;

_Static_assert(QUANTITIES <= CHAR_BIT * sizeof(((Probe *)NULL)->record), "`record` has a bit for each quantity");

typedef struct { // a parameter of the model file, for formulas
  const char *name;
  double value;
} ProbeConstant;

// One quantity of a probe: `width` adjacent columns.
typedef struct {
  ProbeQuantity quantity;
  const char *name;
  int width;
  const char *const *columns; // their names; NULL: one value without a name
  const char *const *units;   // of each column; NULL: `unit` for all
  const char *unit;
  char description[300];
  bool placed;    // further columns locate the first: their extremes are their values at the time of its extremes
  bool carried;   // relative to the first section of the beam or the node of `axes`
  bool of_step;   // belongs to the last step: none at the start
  bool no_output; // not an output of a linear model
  bool followed;  // updated at every step, even if no row is recorded
} ProbeColumns;

// The i-th quantity that a probe records; false after the last.
bool probe_columns(Model m, const Probe *p, int i, ProbeColumns *out);
int probe_width(Model m, const Probe *p);
// "N, N, N m" if units differ.
const char *probe_units(const ProbeColumns *c, char *text, size_t size);
// What is probed: "node 'tip'", "beam 'blade', 0.37 of its length".
void probe_about(Model m, const Probe *p, char *text, size_t size);

// Whether a probe records a quantity, whether the probed thing has it, and whether it is recorded by default.
static inline bool probe_records(const Probe *p, ProbeQuantity q) { return p->record >> q & 1; }
bool probe_has(Model m, const Probe *p, ProbeQuantity q);
bool probe_usual(ProbeQuantity q);
int quantity_rank(const char *name); // its index in the table; QUANTITIES: unknown
const char *quantity_name(int i);    // the names for `record`, each once; NULL after the last
// Why the probed thing lacks a quantity that others of its kind have, and what to do; NULL: nothing to report.
const char *probe_lacks(Model m, const Probe *p, const char *name, char *text, size_t size);
bool probe_calls(Model m, const Probe *p, ProbeQuantity q, const char *name); // whether that is its name

// The column with that name in a row of probes; -1: none. Names: probe.quantity.component, probe.component (first
// quantity that has it), probe.quantity if it is one value, and the name of a formula.
int probes_find(Model m, int count, const Probe *probe, const char *name);

// Visits every column of a probe with its full and its short name.
typedef void (*ProbeVisit)(void *self, const char *name);
void probe_visit(Model m, const Probe *p, ProbeVisit visit, void *self);

// Marks the columns that match quantity.component, component or quantity; returns their number.
int probe_mark(Model m, const Probe *p, const char *word, unsigned char *marks);

// The first column of a probe, for messages: position.x.
const char *probe_example(Model m, const Probe *p, char *text, size_t size);

#endif
