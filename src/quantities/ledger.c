// SPDX-License-Identifier: Apache-2.0
// The table of the ledger's columns, and searches in it (ledger.h).
#include "quantities/ledger.h"

#include <stddef.h>
#include <string.h>

#define STATE(member) true, offsetof(LimberLedger, member), false
#define ROW(member)   false, offsetof(LimberLedger, member), false
#define ELSEWHERE     false, -1, false
#define COUNTED       false, -1, true

const LedgerColumn ledger_columns[LEDGER_COLUMNS] = {
#define LEDGER(constant, group, name, unit, width, when, place, description) \
  {group, name, group "." name, unit, description, width, LEDGER_##when, place},
#include "quantities/ledger.def"
#undef LEDGER
};

const LedgerColumn *ledger_find(const char *path) {
  for (int i = 0; i < LEDGER_COLUMNS; i++)
    if (ledger_columns[i].in_formulas && !strcmp(ledger_columns[i].path, path)) return &ledger_columns[i];
  return NULL;
}

const double *ledger_value(const LimberLedger *l, const char *path) {
  const LedgerColumn *c = ledger_find(path);
  return c ? (const double *)((const char *)l + c->offset) : NULL;
}

const char *ledger_path(LedgerId id) { return ledger_columns[id].path; }

bool ledger_has_group(const char *group) {
  return !strcmp(group, ledger_columns[LEDGER_KINETIC].group) || !strcmp(group, ledger_columns[LEDGER_STEP].group);
}

int ledger_rank(const char *group, const char *name) {
  int i = 0;
  while (i < LEDGER_COLUMNS && (strcmp(ledger_columns[i].group, group) || strcmp(ledger_columns[i].name, name))) i++;
  return i;
}
