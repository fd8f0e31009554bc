// SPDX-License-Identifier: Apache-2.0
#include "study/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const study_status_names[STUDY_STATUSES] = {
    [STUDY_FINISHED] = "finished",
    [STUDY_NO_CONVERGENCE] = "no_convergence",
    [STUDY_SINGULAR] = "singular",
    [STUDY_CONTRADICTION] = "contradiction",
    [STUDY_BALANCE_ERROR] = "balance_error",
    [STUDY_LOSS] = "loss",
    [STUDY_INVERTED_ELEMENT] = "inverted_element",
    [STUDY_LARGE_ROTATION] = "large_rotation",
    [STUDY_CONTROL_FAILURE] = "control_failure",
    [STUDY_LIBRARY_FAILURE] = "library_failure",
    [STUDY_NOT_STARTED] = "not_started",
    [STUDY_CRASHED] = "crashed",
    [STUDY_TIMEOUT] = "timeout",
};

// ---- layout ----

// A channel alone has no companions.
static bool has_companions(const Plan *p, int channel) {
  return p->channels > 1 && p->channel[channel].summary.extremes;
}

int study_companions(const Plan *p, const StudyLayout *l, int channel) {
  int at = l->parameters + l->statistics;
  for (int c = 0; c < channel; c++)
    if (has_companions(p, c)) at += 2 * p->channels;
  return has_companions(p, channel) ? at : -1;
}

typedef struct {
  Store *store;
  const char **name, **unit;
  int count;
} Columns;

static Error AddColumn(Columns *c, const char *name, const char *unit) {
  TRY(StoreText(c->store, name, strlen(name), &c->name[c->count]));
  TRY(StoreText(c->store, unit, strlen(unit), &c->unit[c->count]));
  c->count++;
  return 0;
}

static Error AddStatistics(const PlanChannel *channel, const char *unit, Columns *c) {
  char name[400], statistic[60];
  SummaryUnit kind;
  for (int i = 0; i < summary_width(&channel->summary); i++) {
    summary_column(&channel->summary, i, statistic, sizeof statistic, &kind);
    snprintf(name, sizeof name, "%s %s", channel->column, statistic);
    TRY(AddColumn(c, name, kind == SUMMARY_UNIT_CHANNEL ? unit : kind == SUMMARY_UNIT_TIME ? "s" : "1"));
  }
  return 0;
}

static Error AddCompanions(const Plan *p, int channel, const char *const *unit, Columns *c) {
  char name[800];
  for (int k = 0; k < 2 * p->channels; k++) {
    snprintf(name, sizeof name, "%s at %s of %s", p->channel[k % p->channels].column, k < p->channels ? "max" : "min",
             p->channel[channel].column);
    TRY(AddColumn(c, name, unit[k % p->channels]));
  }
  return 0;
}

Error StudyLayoutCreate(const Plan *p, const char *const *unit, Store *store, StudyLayout *out) {
  Columns c = {.store = store};
  StudyLayout l = {.parameters = p->variables};
  for (int i = 0; i < p->channels; i++) {
    l.statistics += summary_width(&p->channel[i].summary);
    if (has_companions(p, i)) l.companions += 2 * p->channels;
  }
  l.width = l.parameters + l.statistics + l.companions;
  TRY(StoreAllocate(store, (size_t)l.width * sizeof *c.name, &c.name));
  TRY(StoreAllocate(store, (size_t)l.width * sizeof *c.unit, &c.unit));
  for (int i = 0; i < p->variables; i++)
    TRY(AddColumn(&c, p->variable[i].path, *p->variable[i].unit ? p->variable[i].unit : "1"));
  for (int i = 0; i < p->channels; i++) TRY(AddStatistics(&p->channel[i], unit[i], &c));
  for (int i = 0; i < p->channels; i++)
    if (has_companions(p, i)) TRY(AddCompanions(p, i, unit, &c));
  l.name = c.name, l.unit = c.unit;
  *out = l;
  return 0;
}

// ---- rows ----

size_t study_row_size(const StudyLayout *l) { return sizeof(StudyRow) + (size_t)l->width * sizeof(double); }

void study_row_clear(const StudyLayout *l, uint64_t run, StudyRow *row) {
  memset(row, 0, sizeof *row);
  row->run = run;
  for (int i = 0; i < l->width; i++) row->value[i] = NAN;
}

void study_row_end(StudyRow *row, StudyStatus status, const char *culprit) {
  size_t length = strcspn(culprit, "\n");
  row->status = status;
  memset(row->culprit, 0, sizeof row->culprit);
  if (length >= sizeof row->culprit) length = sizeof row->culprit - 1;
  while (length && (culprit[length] & 0xc0) == 0x80) length--; // no half of a character
  memcpy(row->culprit, culprit, length);
}

// All words of the row but the sum itself.
uint64_t study_row_sum(const StudyLayout *l, const StudyRow *row) {
  const char *byte = (const char *)row;
  size_t words = study_row_size(l) / sizeof(uint64_t);
  uint64_t sum = 14695981039346656037u, word;
  for (size_t i = 0; i < words; i++) {
    if (i == offsetof(StudyRow, checksum) / sizeof word) continue;
    memcpy(&word, byte + i * sizeof word, sizeof word);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  return sum;
}
