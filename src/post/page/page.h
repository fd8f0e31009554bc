// SPDX-License-Identifier: Apache-2.0
// Pages that need nothing but a browser: a style for screen and paper, tables, and the same as PDF.
#ifndef LIMBER_POST_PAGE_PAGE_H
#define LIMBER_POST_PAGE_PAGE_H

#include "post/plot/chart.h"
#include "post/selection.h"

#include <stddef.h>
#include <stdio.h>

// Text with the characters that have a meaning in HTML written out.
void html_text(FILE *out, const char *text);
void page_begin(FILE *out, const char *title);
void page_end(FILE *out);
void page_section(FILE *out, const char *title);
// <tag class="style">, formatted text with what has a meaning in HTML written out, </tag>.
void page_text(FILE *out, const char *tag, const char *style, const char *format, ...) PRINTF_LIKE(4, 5);
void page_number(FILE *out, double x);                         // a cell of a table; all 17 digits are its title
void page_head(FILE *out, int count, const char *const *name); // opens a table with a row of names
void page_fact(FILE *out, const char *name, const char *format, ...) PRINTF_LIKE(3, 4); // a row of two cells

// The path of a page: what was given, which must end in .html, or run.h5 with another ending in the present folder.
bool page_path(const char *command, const Arguments *a, const char *given, const Results *run, const char *ending,
               char *out, size_t size);

// Prints a page as PDF through Chromium. EXIT_MISTAKE where there is none.
ExitCode page_print(const char *command, const Arguments *a, const char *page, const char *pdf);

// All rows of a column by its name, to be freed; NULL: there is none, or no memory.
double *column_values(Results *r, const char *name);

// The model of a run, read again from the texts that its results hold; false after a message. `machine`: memory failed.
bool run_model(const char *command, Results *r, Input **in, bool *machine);

// Bytes as text of 64 letters (RFC 4648).

void base64_write(FILE *f, const unsigned char *data, size_t size);

#endif
