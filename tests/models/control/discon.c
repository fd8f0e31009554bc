// SPDX-License-Identifier: Apache-2.0
// A controller with the interface of DISCON for the tests: PD from records 20 and 21 to record 47. It fails at the time of
// record 30, if that is not 0.
#include <stdio.h>

void DISCON(float *swap, int *fail, char *infile, char *outname, char *message);
void DISCON(float *swap, int *fail, char *infile, char *outname, char *message) {
  (void)infile, (void)outname;
  static int calls;
  if (swap[0] == 0) calls = 0;
  calls++;
  swap[46] = 80 * swap[19] - 20 * swap[20];
  swap[47] = (float)calls;
  if (swap[29] > 0 && swap[1] >= swap[29]) {
    *fail = -1;
    snprintf(message, (size_t)swap[48], "the test wants it so");
  }
}
