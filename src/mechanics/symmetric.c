// SPDX-License-Identifier: Apache-2.0
#include "mechanics/symmetric.h"

#include <math.h>

bool symmetric_inverse(const double k[6][6], double out[6][6]) {
  double scale[6], l[6][6] = {{0}}, w[6][6] = {{0}}; // w = l^-1
  for (int i = 0; i < 6; i++) {
    if (!(k[i][i] > 0)) return false;
    scale[i] = 1 / sqrt(k[i][i]);
  }
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) {
      double sum = scale[i] * k[i][j] * scale[j];
      for (int m = 0; m < j; m++) sum -= l[i][m] * l[j][m];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) {
      double sum = i == j;
      for (int m = j; m < i; m++) sum -= l[i][m] * w[m][j];
      w[i][j] = sum / l[i][i];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int m = i > j ? i : j; m < 6; m++) sum += w[m][i] * w[m][j];
      out[i][j] = scale[i] * sum * scale[j];
    }
  return true;
}

void symmetric_transform(const double k[6][6], const double t[6][6], double out[6][6]) {
  double half[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      half[i][j] = 0;
      for (int l = 0; l < 6; l++) half[i][j] += k[i][l] * t[l][j];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      out[i][j] = 0;
      for (int l = 0; l < 6; l++) out[i][j] += t[l][i] * half[l][j];
    }
}
