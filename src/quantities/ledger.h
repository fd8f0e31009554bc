// SPDX-License-Identifier: Apache-2.0
// The columns of the ledger: names, units and descriptions for the history, formulas, studies and readers of results.
#ifndef LIMBER_QUANTITIES_LEDGER_H
#define LIMBER_QUANTITIES_LEDGER_H

#include <limber/analysis.h>

#include <stdbool.h>

typedef enum {
#define LEDGER(constant, ...) LEDGER_##constant,
#include "quantities/ledger.def"
#undef LEDGER
  LEDGER_COLUMNS
} LedgerId;

typedef enum {
  LEDGER_ALWAYS,
  LEDGER_WITH_EVENTS,
  LEDGER_OF_STATICS,
  LEDGER_WITH_CONTACTS,
  LEDGER_WITH_WAVES,
  LEDGER_WITH_BONDS,
  LEDGER_WITH_PORTS, // either
  LEDGER_WITH_AIR,
  LEDGER_WITH_AERODYNAMICS,
  LEDGER_WITH_MOMENTUM
} LedgerWhen;

typedef struct {
  const char *group, *name; // "ledger" and "kinetic"
  const char *path;         // "ledger.kinetic"
  const char *unit, *description;
  int width; // number of values; 0: one per load
  LedgerWhen when;
  bool in_formulas; // known after every step, so that formulas may use it
  int offset;       // of its value in LimberLedger; -1: not a member
  bool counts;      // integers
} LedgerColumn;

extern const LedgerColumn ledger_columns[LEDGER_COLUMNS];
const char *ledger_path(LedgerId id);
// Whether a group of the history is that of the ledger or of the solver's steps.
bool ledger_has_group(const char *group);

// The column that a formula names by its path, and its value; NULL: formulas cannot use such a column.
const LedgerColumn *ledger_find(const char *path);
const double *ledger_value(const LimberLedger *l, const char *path);
// The index of a column; LEDGER_COLUMNS: there is none of that group and name.
int ledger_rank(const char *group, const char *name);

#endif
