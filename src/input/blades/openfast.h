// SPDX-License-Identifier: Apache-2.0
// Files of OpenFAST's modules: lines are "value NAME - text". They are found by their names, and tables by their titles,
// so that lines of later versions are passed over.
#ifndef LIMBER_INPUT_BLADES_OPENFAST_H
#define LIMBER_INPUT_BLADES_OPENFAST_H

#include "input/importers/words.h"

enum { OPENFAST_LINE = 2000 };

// Whether the first line of a file is a title, "--- BEAMDYN ...", with this word of capitals.
bool openfast_is_of(const char *first, size_t length, const char *module);

// The first two words of a line; the first may stand in quotes.
typedef struct {
  char value[1000], name[100];
} NamedValue;
void openfast_words(const char *line, NamedValue *out);

// Reads up to the next line of that name, which may go on with a number: "BldFile" finds "BldFile(1)". false: there is
// none; FindNamed reports it.
bool openfast_next(Words *w, const char *name, NamedValue *out);
Error FindNamed(Words *w, const char *name, NamedValue *out);
// A number of rows that are below.
Error FindCount(Words *w, const char *name, long least, long *out);
// Reads up to a line that has the text in it, in any case of its letters.
Error FindTitle(Words *w, const char *title, char line[OPENFAST_LINE]);

#endif
