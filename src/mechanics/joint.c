// SPDX-License-Identifier: Apache-2.0
#include "mechanics/joint.h"

#include <string.h>

int joint_coord(const JointKind *kind, const char *name) {
  size_t n = strlen(name);
  for (int c = 0; c < kind->ncoord; c++)
    if (!strcmp(kind->coord_names[c], name)) return c;
  for (int c = 0; c < kind->ncoord; c++)
    if (!strncmp(kind->coord_names[c], name, n) && !strcmp(kind->coord_names[c] + n, "1")) return c;
  return -1;
}

int field_nodes(const FieldTable *t, const void *params, LimberId *ids) {
  int n = 0;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type != FIELD_NODE && f->type != FIELD_NODES) continue;
    const LimberId *at = (const LimberId *)((const char *)params + f->offset);
    for (int k = 0; k < (f->type == FIELD_NODE ? 1 : f->count) && n < MAX_ITEM_NODES; k++) ids[n++] = at[k];
  }
  return n;
}

void joint_complete(Joint *j) {
  bool turns[MAX_ROWS] = {false};
  for (int t = 0; t < j->rows.nterm; t++)
    if (j->rows.term[t].factor != FACTOR_ONE) turns[j->rows.term[t].row] = true;
  j->nslip = 0;
  for (int r = 0; r < j->rows.nrow; r++)
    if (!turns[r]) j->slip_row[j->nslip++] = r;
}

void joint_ground_axes(const JointNodes *n, Joint *out) {
  for (int j = 1; j < 4; j++) {
    rows_y(&out->rows);
    rows_y_add(&out->rows, n->first[n->nnode - 1] + j, 1);
  }
}

// The balance of one coordinate over interval k: what the multipliers put on it, less the loads.
static void evaluate_coord(const Joint *j, const Item *it, int k, int c, const Coords *zn, const Coords *zk,
                           const double *lambda, double load, const RowsState *q, const int *at, Local *out) {
  double dforce[3 * MAX_ITEM_BLOCKS], dmoment[3 * MAX_ITEM_BLOCKS];
  int nrow = j->rows.nrow, z = at[nrow + c];
  out->k[z * out->n + z] += rows_coord_tangent(&j->rows, it, k, c, zn, zk, lambda, dforce, dmoment);
  out->r[z] -= load;
  for (int r = 0; r < nrow; r++) {
    out->r[z] += lambda[r] * q->along_z[k][c][r];
    out->k[z * out->n + at[r]] += q->along_z[k][c][r];
    out->k[at[r] * out->n + z] += q->end_z[k][c][r];
  }
  for (int b = 0; b < it->nblock; b++)
    for (int i = 0; i < 3; i++) {
      int u = local_at(out, b, k) + i;
      out->k[u * out->n + z] += dforce[3 * b + i];
      out->k[z * out->n + u] += dmoment[3 * b + i];
    }
}

void joint_evaluate(const Joint *j, const Item *it, const Coords *zn, const Coords *zk,
                    double lambda[MAX_INTERVALS][MAX_ROWS], const Coords *load, Local *out) {
  const Rows *p = &j->rows;
  int s = it->s, nrow = p->nrow, total = joint_unknowns(j);
  RowsState q;
  rows_evaluate(p, it, zn, zk, &q);
  for (int k = 0; k < s; k++) {
    Vec3 force[MAX_ITEM_VECTORS];
    double kappa[MAX_ITEM_VECTORS][MAX_ITEM_VECTORS] = {{0}};
    int at[MAX_ROWS + MAX_COORDS + 2]; // place of each own unknown in the item
    for (int i = 0; i < 3 * joint_blocks(j); i++) at[i] = local_at(out, it->nblock + i / 3, k) + i % 3;
    for (int a = 0; a < it->nvec; a++) {
      force[a] = vec3_zero();
      for (int r = 0; r < nrow; r++) force[a] = vec3_axpy(force[a], lambda[k][r], q.along_vec[k][r][a]);
    }
    rows_add_geometric(p, it->place, lambda[k], zn, &zk[k], kappa);
    for (int a = 0; a < it->nnode; a++) {
      node_add_force(out, it->kind[a], it->block[a], &it->motion[k][a], k, &force[it->first[a]]);
      for (int b = 0; b < it->nnode; b++)
        node_add_scalar_tangent(out, it->kind[a], it->block[a], &it->motion[k][a], k, it->kind[b], it->block[b],
                                &it->motion[k][b], k, &kappa[it->first[a]][it->first[b]], MAX_ITEM_VECTORS);
    }
    for (int r = 0; r < nrow; r++) {
      out->r[at[r]] += q.ek[k][r];
      for (int b = 0; b < it->nblock; b++)
        for (int i = 0; i < 3; i++) {
          int u = local_at(out, b, k) + i;
          out->k[u * out->n + at[r]] += q.along[k][r][3 * b + i];
          out->k[at[r] * out->n + u] += q.end[r][u];
        }
    }
    for (int c = 0; c < j->ncoord; c++) evaluate_coord(j, it, k, c, zn, &zk[k], lambda[k], load[k].z[c], &q, at, out);
    for (int i = total; i < 3 * joint_blocks(j); i++) out->k[at[i] * out->n + at[i]] = 1;
  }
}
