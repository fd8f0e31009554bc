// SPDX-License-Identifier: Apache-2.0
#include "joints/tie.h"

// A vector y of a tied joint among those of the coupling; -1: there is no room.
static int copy_y(const Rows *from, const JointTie *tie, int i, Rows *to, int *copy) {
  if (copy[i] >= 0) return copy[i];
  if (to->ny >= MAX_Y || to->start[to->ny] + from->start[i + 1] - from->start[i] > MAX_ENTRIES) return -1;
  rows_y(to);
  for (int e = from->start[i]; e < from->start[i + 1]; e++) rows_y_add(to, tie->vec[from->vec[e]], from->coef[e]);
  return copy[i] = to->ny - 1;
}

Reason tie_copy_row(const JointTie *tie, int own, int coord, RowTerm *term, Joint *out) {
  const Rows *from = &tie->of->rows;
  Rows *to = &out->rows;
  int row = joint_coord_row(from, tie->coord), copy[MAX_Y];
  for (int i = 0; i < MAX_Y; i++) copy[i] = -1;
  for (int t = 0; t < from->nterm; t++) {
    RowTerm q = from->term[t];
    if (q.row != row) continue;
    if (q.factor != FACTOR_ONE && q.coord != tie->coord)
      return reason(REASON_VALUE, NULL, "a coordinate of its joints depends on another one");
    q.i = copy_y(from, tie, q.i, to, copy), q.j = copy_y(from, tie, q.j, to, copy);
    if (q.i < 0 || q.j < 0 || to->nterm + MAX_TIES + 1 >= MAX_TIE_TERMS)
      return reason(REASON_LIMIT, NULL, "its joints have too many nodes");
    q.row = own, q.coord = coord;
    term[to->nterm++] = q;
  }
  to->ref[own] = from->ref[row];
  return no_reason();
}

Reason tie_prepare(const JointNodes *n, const Law *law, Joint *out) {
  Rows *p = &out->rows;
  p->nterm = 0;
  rows_y(p);
  rows_y_add(p, n->first[n->nnode - 1] + 1, 1);
  for (int i = 0; i < n->ntie; i++) {
    Reason error = tie_copy_row(&n->tie[i], i + 1, i + 1, n->term, out);
    if (error.text) return error;
  }
  // The rows of the coordinates come first: they give them their values.
  for (int i = 0; i < n->ntie && !n->formula; i++)
    n->term[p->nterm++] = (RowTerm){0, 0, 0, n->tie[i].factor, FACTOR_LINEAR, i + 1};
  n->term[p->nterm++] = (RowTerm){0, 0, 0, -1, FACTOR_LINEAR, 0};
  p->formula = n->formula;
  p->term = n->term, p->nrow = out->ncoord = n->ntie + 1;
  out->prescribed[0] = !law_acts(law);
  for (int i = 0; i < 2; i++) out->geometry.at[i] = n->tie[i].of->geometry.at[0];
  return no_reason();
}
