// SPDX-License-Identifier: Apache-2.0
// `limber report`: a run as a page to check and to print.
#ifndef LIMBER_POST_REPORT_REPORT_H
#define LIMBER_POST_REPORT_REPORT_H

#include "post/curves.h"
#include "post/page/page.h"
#include "quantities/ledger.h"

extern const char *const report_name;

typedef struct {
  Results *run;
  Input *in; // the model of the run
  FILE *out;
  const double *t;
  int rows;
  CurveScales scales;
  char axis[200]; // "t [s]"
  bool machine;   // memory or a file failed
  ResultEvents events;
} Report;

void report_model(Report *r);    // counts, masses, joints, loads
void report_ledger(Report *r);   // start, end, work, losses, and by what the account is open
void report_steps(Report *r);    // lengths of steps, Newton, constraints
void report_probes(Report *r);   // a chart of every quantity
void report_pictures(Report *r); // the model, and its shape at the start and at the end of a run
void report_modes(Report *r);    // frequencies, damping, masses and names of modes

bool report_in_time(const Report *r);   // whether its rows are those of a run in time
bool report_is_static(const Report *r); // or equilibria along a path

ChartAxis report_axis(const Report *r);              // of all charts
double *report_values(const Report *r, LedgerId id); // of a column of the ledger, to be freed; NULL: it is not there

#endif
