// SPDX-License-Identifier: Apache-2.0
// Columns of a run in OpenFAST's binary format (.outb), as pyDatView, pCrunch and openfast_toolbox read it. A file has
// one of four forms, its FileID:
//   1  times as 32-bit integers, values as 16-bit integers, names of 10 characters
//   2  times even and not stored, values as 16-bit integers, names of 10 characters
//   3  times even and not stored, values as doubles, names of 10 characters
//   4  as 2, with names of any length, which stands behind the FileID
// All numbers are little-endian: FileID (int16), [length of names (int16)], columns without time, rows (int32); scale
// and offset of the time (FileID 1), or first time and step (double); [scale and offset of each column (float)]; length
// of the description (int32) and its text; names and units of time and all columns; [times]; values row by row. A value
// is (integer - offset)/scale.
#ifndef LIMBER_POST_EXPORT_OPENFAST_H
#define LIMBER_POST_EXPORT_OPENFAST_H

#include "post/selection.h"

enum { OPENFAST_AUTOMATIC = 0, OPENFAST_WITH_TIME = 1, OPENFAST_SHORT = 2, OPENFAST_DOUBLES = 3, OPENFAST_NAMES = 4 };

// Whether a path ends in .outb.
bool is_openfast_path(const char *path);
// FileID of `--file-id`; false after a message.
bool parse_openfast_form(const char *command, const char *text, int *form);
// Writes the table; the first column is the time. OPENFAST_AUTOMATIC: 4, or 1 where times are not even. `form` becomes
// the form that was written. False after a message.
bool write_openfast(const char *command, Results *r, const ColumnSelection *c, const RowSelection *rows, int *form,
                    FILE *out);

#endif
