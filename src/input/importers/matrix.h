// SPDX-License-Identifier: Apache-2.0
// Matrices of a body from files of other programs: stiffness or mass, symmetric, between unknowns; and the node and
// direction of each unknown.
#ifndef LIMBER_INPUT_IMPORTERS_MATRIX_H
#define LIMBER_INPUT_IMPORTERS_MATRIX_H

#include "input/importers/mesh.h"
#include "input/importers/words.h"

// Unknowns from 0; each entry stands for its mirror, too.
typedef struct {
  int row, column;
  double value;
} MatrixEntry;
typedef struct {
  int size, count, room; // size: unknowns, 0: the file does not say
  bool of_nodes;         // the unknowns are three of each node of the mesh
  MatrixEntry *entry;
} FileMatrix;
Error MatrixAdd(Store *s, FileMatrix *m, MatrixEntry entry);

typedef struct {
  long node;
  int direction; // 0, 1, 2
} Unknown;
typedef struct {
  int count, room;
  Unknown *of;
} Unknowns;

// Of CalculiX (row, column, value), Matrix Market or Nastran. `letter`: K or M, with which the name of the matrix begins in
// a file of Nastran that has several; `m`: whose nodes are the grid points of DMIG. The first mistake ends the reading.
Error ReadMatrix(const char *text, size_t length, char letter, const Mesh *m, Store *s, FileMatrix *out,
                 ImportMistake *mistake);
// Text of Nastran, matrix_nastran.c. `square`: both mirrors of an entry are there, each with half of the value.
bool is_dmig(const char *text, size_t length);
bool is_output4(const char *text, size_t length);
Error ReadDmig(Words *w, char letter, const Mesh *m, Store *s, FileMatrix *out, bool *square);
Error ReadOutput4(Words *w, char letter, Store *s, FileMatrix *out, bool *square);
// Of CalculiX: node.direction, one in a line.
Error ReadUnknowns(const char *text, size_t length, Store *s, Unknowns *out, ImportMistake *mistake);

// Takes matrices to the indices of the nodes of a mesh. Unknowns of nodes that the mesh does not have are condensed if
// they are amplitudes inside elements, such as those of incompatible modes. `unknowns` NULL: three of each node of the
// mesh in the order of their numbers. `factor`: of all entries. `wrong`: what is wrong, or "".
typedef struct {
  const FileMatrix *stiffness, *mass;
  const Unknowns *unknowns;
  double factor;
  Mat3 axes; // of the file's axes in those of the ground
} BodyMatrices;
Error PlaceMatrices(const BodyMatrices *of, const Mesh *m, Store *s, LimberMatrix *stiffness, LimberMatrix *mass,
                    char *wrong, size_t size);

#endif
