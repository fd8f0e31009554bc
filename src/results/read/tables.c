// SPDX-License-Identifier: Apache-2.0
#include "results/read/results_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 1 << 17 }; // of all tables

// Part i of texts separated by commas; the last one goes on for all that follow.
static char *unit_of(const char *units, int i) {
  const char *comma;
  while (i-- > 0 && (comma = strchr(units, ','))) units = comma + 1 + strspn(comma + 1, " ");
  return strndup(units, strcspn(units, ","));
}

// Column i of the table that was added last. The group of a column is the last name of the path above its dataset: that of
// /history/ledger/kinetic is ledger, that of /history/probes/tip/position is tip.
static bool add_column(Results *r, const StoredTable *t, int i) {
  ResultColumn *c = &r->column[r->columns++];
  *c = (ResultColumn){.table = r->tables - 1, .index = i};
  c->group = strdup(*t->group ? t->group : t->name), c->quantity = strdup(*t->group ? t->name : "");
  c->subject = strdup(t->subject), c->component = strdup(t->columns ? t->columns[i] : "");
  c->units = unit_of(t->units, i), c->description = strdup(t->description);
  return c->group && c->subject && c->quantity && c->component && c->units && c->description;
}

static bool add_table(Results *r, StoredTable *t) {
  bool good = (t->columns ? t->names : 1) == t->size.width && t->size.rows >= 0;
  r->table[r->tables++] = (ResultTable){.path = t->path, .rows = t->size.rows};
  t->path = NULL;
  for (int i = 0; good && i < t->size.width; i++) good = add_column(r, t, i);
  return good;
}

bool load_tables(Results *r) {
  StoredTable *table;
  int count, columns = 0;
  if (!stored_tables(r->stored, "/history", &table, &count)) return false;
  for (int i = 0; i < count && columns <= MOST_COLUMNS; i++)
    columns = table[i].size.width < 1 || table[i].size.width > MOST_COLUMNS ? MOST_COLUMNS + 1
                                                                            : columns + table[i].size.width;
  bool good = columns > 0 && columns <= MOST_COLUMNS;
  r->table = calloc((size_t)count + 1, sizeof *r->table);
  r->column = good ? calloc((size_t)columns, sizeof *r->column) : NULL;
  good = good && r->table && r->column;
  for (int i = 0; i < count && good; i++) good = add_table(r, &table[i]);
  stored_tables_free(table, count);
  return good;
}

bool table_read(const Results *r, int table, int index, int from, int count, double *values) {
  return stored_rows(r->stored, r->table[table].path, table, STORED_REAL, from, count, index, 1, values);
}
