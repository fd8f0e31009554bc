// SPDX-License-Identifier: Apache-2.0
#include "console/console.h"

#include <time.h>

double clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *format_duration(double s, char *text, size_t size) {
  if (s < 100) snprintf(text, size, "%.*f s", s < 10, s);
  else if (s < 6000) snprintf(text, size, "%.0f min", s / 60);
  else snprintf(text, size, "%.1f h", s / 3600);
  return text;
}
