// SPDX-License-Identifier: Apache-2.0
// An input file of Abaqus while it is read, and its sets.
#ifndef LIMBER_INPUT_IMPORTERS_ABAQUS_H
#define LIMBER_INPUT_IMPORTERS_ABAQUS_H

#include "base/limits.h"
#include "input/importers/mesh.h"
#include "input/yaml/names.h"

enum { INP_PARAMETERS = 16 };
typedef char InpWord[100]; // a name or number

typedef struct {
  long number;
  int cell;
} InpElement;

typedef struct { // of nodes or elements
  const char *name;
  bool of_elements;
  long *member; // numbers, as they are given
  int count, room;
} InpSet;

typedef struct {
  Words words;
  Mesh *m;
  Store store;         // while the file is read
  InpElement *element; // by growing numbers
  InpSet *set;
  Names names; // in capitals, of sets of nodes and elements with N or E before, of surfaces with S
  int elements, elements_room, sets, sets_room;
  long long entries; // of all sets, counted against a limit
  int block;         // 1 + the set to which all of a block belong; 0: none
  int material;      // the one under way; -1: none
  InpWord key[INP_PARAMETERS], value[INP_PARAMETERS];
  int parameters;
} Inp;

bool inp_data(Inp *f); // moves to the next line of data; false: a keyword or the end comes first
// The next item of the line; not found: the line has no more.
Error InpItem(Inp *f, InpWord out, bool *found);
const char *inp_parameter(const Inp *f, const char *key); // of the keyword; "": without value; NULL: not given
MeshCell inp_cell(int dimension, int nodes);              // a point or face
bool inp_same(const char *a, const char *b);              // apart from capitals

bool inp_sort_elements(Inp *f, long *twice); // false: two have the same number
Error InpBlockSet(Inp *f, const char *key, bool of_elements);
Error InpAddMember(Inp *f, int block, long number); // to the set block - 1
Error InpFindSet(Inp *f, const char *name, bool of_elements, int *set);
Error InpReadNodeSet(Inp *f);
Error InpReadElementSet(Inp *f);
Error InpReadSurface(Inp *f);
Error InpMakeGroups(Inp *f); // of all sets

#endif
