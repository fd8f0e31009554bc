// SPDX-License-Identifier: Apache-2.0
// A formula of columns, such as ledger.kinetic + ledger.strain, evaluated row by row.
#ifndef LIMBER_POST_EXPRESSION_H
#define LIMBER_POST_EXPRESSION_H

#include "results/read/results.h"

// Is it a formula, rather than the name of a column?
bool is_expression(const Results *r, const char *text);

// Rows `first` to `first + count - 1`. False, with the reason in `wrong`, if the formula is mistaken.
bool evaluate_expression(Results *r, const char *text, int first, int count, double *values, char *wrong, size_t size);

#endif
