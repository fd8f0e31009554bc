// SPDX-License-Identifier: Apache-2.0
#include "analyses/modes/modes.h"

static bool is_taken(int rows, int ways, const int *pair, int mode) {
  for (int k = 0; k < rows; k++)
    if (pair[k] >= 0 && pair[k] / ways == mode) return true;
  return false;
}

void modes_pair(int rows, int modes, int ways, const double *likeness, double least, double same, int *pair) {
  int columns = modes * ways;
  for (int k = 0; k < rows; k++) pair[k] = -1;
  for (int round = 0; round < rows; round++) {
    double best = least;
    int row = -1, column = -1;
    for (int k = 0; k < rows; k++)
      for (int j = 0; j < columns && pair[k] < 0; j++) {
        double s = likeness[k * columns + j];
        if (s > best * (1 + (row < 0 ? 0 : same)) && !is_taken(rows, ways, pair, j / ways))
          best = s, row = k, column = j;
      }
    if (row < 0) return;
    pair[row] = column;
  }
}
