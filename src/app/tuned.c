// SPDX-License-Identifier: Apache-2.0
#include "app/tuned.h"

#include "console/console.h"

#include <math.h>

void print_run_with(const char *model, int parameters, const GradientParameter *parameter) {
  char change[512];
  printf("limber run ");
  print_shell_word(stdout, model);
  for (int k = 0; k < parameters; k++) {
    snprintf(change, sizeof change, "%s=%.10g%s%s", parameter[k].path, parameter[k].value,
             parameter[k].unit[0] ? " " : "", parameter[k].unit);
    printf(" --set ");
    print_shell_word(stdout, change);
  }
  printf("\n");
}

void print_estimate(int width, double error) {
  if (error > 0 && isfinite(error)) printf("%*.0e", width, pow(10, ceil(log10(error))));
  else if (isnan(error)) printf("%*s", width, "-");
  else printf("%*.0f", width, error);
}

void print_json_number(double value) {
  if (isfinite(value)) printf("%.17g", value);
  else printf("null");
}
