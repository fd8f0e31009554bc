// SPDX-License-Identifier: Apache-2.0
// Lines and cells of a table that is a text: cells are divided by commas, semicolons, tabs or blanks, the first of these that
// the first line has. Empty lines and those that begin with '#' do not count.
#ifndef LIMBER_INPUT_YAML_TABLE_H
#define LIMBER_INPUT_YAML_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *at, *end; // of what has not been read
  int line;             // number of the last one read
  char divider;         // ' ': any blanks
} TableLines;

typedef struct {
  const char *text;
  size_t length;
} TableCell;

TableLines table_lines(const char *text, size_t length);
bool next_table_line(TableLines *l, TableCell *out);             // that counts, without blanks at its ends
void find_table_divider(TableLines *l, TableCell first);         // of the first line
TableCell next_table_cell(const TableLines *l, TableCell *line); // takes the first cell from a line
bool read_table_number(TableCell c, double *out);

#endif
