// SPDX-License-Identifier: Apache-2.0
// Cholesky factor of a large sparse matrix that is a sum of small ones over cliques of nodes (finite elements): nested
// dissection by the places of the nodes (George 1973), and a dense matrix for each front (Duff & Reid 1983). The numbers
// are the same on every machine.
#ifndef LIMBER_MECHANICS_SPARSE_CHOLESKY_H
#define LIMBER_MECHANICS_SPARSE_CHOLESKY_H

#include "mechanics/cross_section.h"
#include "mechanics/node.h"

typedef struct {
  int nodes, cliques;
  const int *first;        // unknown of each node, nodes + 1; a node without unknowns has that of the next one
  const Vec3 *at;          // of the nodes
  int wide;                // so many at the end belong to cliques all over: they are eliminated last
  const int *start, *node; // of each clique, cliques + 1, and its nodes, each once
  // Adds a clique's matrix to k, zeroed: n x n with the unknowns of its nodes one after the other.
  void (*matrix)(void *self, int clique, double *k);
  void *self;
} CliqueMatrix;

// Nodes that are eliminated together, after those of its children.
typedef struct {
  int begin, end;                 // in `order`
  int parent, child, next;        // its first child, and the next one of its parent; -1: none
  int own, rows;                  // unknowns; with those of nodes of its ancestors that they are coupled to
  const int *row;                 // unknowns of the rows
  const int *near;                // those nodes of its ancestors
  int nears, clique, last_clique; // cliques that begin here: in `of_front`
  double *factor;                 // rows x own
} Front;

typedef struct {
  Allocator memory;
  const CliqueMatrix *m;
  int fronts, most_rows;
  Front *front; // children come before parents
  int *order, *of_front;
  double entries, stack, work; // numbers of the factor, and beside it while it is made; multiplications
  double *strip, *column;      // room for solutions
  bool failed;                 // no memory
} SparseFactor;

// Order and sizes; then the factor. False: no memory (`failed`), or the matrix is not positive definite.
bool sparse_analyse(SparseFactor *f, const CliqueMatrix *m, Allocator memory);
bool sparse_factorise(SparseFactor *f);
void sparse_solve(const SparseFactor *f, double *x, int columns); // n x columns

bool sparse_order(SparseFactor *f);                            // `order` and the tree of fronts
void *sparse_take(SparseFactor *f, size_t count, size_t size); // zeroed; NULL: no memory

// c[i][j] += sign sum_k a[i][k] b[k][j], with the steps of a, b and c in memory; at most STRIP columns.
enum { STRIP = 8 };
typedef struct {
  const double *a, *b;
  size_t a_row, a_deep, b_deep, c_row;
  int rows, columns, depth;
  double sign, *c;
} StripProduct;
void strip_product(const StripProduct *p);

#endif
