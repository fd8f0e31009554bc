// SPDX-License-Identifier: Apache-2.0
// The modes of a model as a table.
#include "post/report/report.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 5 };

void report_modes(Report *r) {
  static const char *const column[NUMBERS] = {"mode.frequency", "mode.damping", "mode.effective_mass.x",
                                              "mode.effective_mass.y", "mode.effective_mass.z"},
                           *const head[] = {"mode",    "frequency [Hz]", "damping ratio", "mass along x",
                                            "along y", "along z",        "name"};
  int names;
  char **name = results_texts(r->run, "/modes/names", &names);
  double *x[NUMBERS];
  for (int c = 0; c < NUMBERS; c++) x[c] = column_values(r->run, column[c]);
  page_section(r->out, "Modes");
  page_head(r->out, sizeof head / sizeof head[0], head);
  for (int i = 0; i < r->rows; i++) {
    fputs("<tr>", r->out);
    page_number(r->out, r->t[i]);
    for (int c = 0; c < NUMBERS; c++) {
      if (c >= 2 && x[c]) page_text(r->out, "td", "number", "%.1f %%", 100 * x[c][i]);
      else if (x[c]) page_number(r->out, x[c][i]);
      else fputs("<td></td>", r->out);
    }
    page_text(r->out, "td", "", "%s", i < names ? name[i] : "");
    fputs("</tr>\n", r->out);
  }
  fputs("</tbody></table>\n", r->out);
  for (int c = 0; c < NUMBERS; c++) free(x[c]);
  for (int i = 0; i < names; i++) free(name[i]);
  free(name);
}
