// SPDX-License-Identifier: Apache-2.0
#include "mechanics/slip.h"

// In a step that turns by phi, w = 4 tan(phi/4)/h but the chord of an arm gives v = sin(phi)/h: rows that weigh v against
// w take sin(phi)/(h |w|) times w, so that a steady rotation lies along the joint as the scheme sees it.
static double chord_of_turn(double h, Vec3 w) {
  double t = 0.25 * h * vec3_norm(w);
  return t < 1e-8 ? 1 : sin(4 * atan(t)) / (4 * t);
}

// Ghat of one node, on (v, w) of a frame or v of a point: rows r of the joint at t_n.
typedef struct {
  Vec3 v[MAX_ROWS], w[MAX_ROWS];
} SlipRows;

static void rows_of_node(const Rows *p, Vec3 g[][MAX_ITEM_VECTORS], NodeKind kind, int first, const Vec3 *x,
                         SlipRows *out) {
  for (int r = 0; r < p->nrow; r++) {
    out->v[r] = g[r][first], out->w[r] = vec3_zero();
    if (kind != NODE_FRAME) continue;
    Mat3 axes = mat3_columns(x[1], x[2], x[3]);
    for (int j = 1; j < 4; j++) out->w[r] = vec3_add(out->w[r], vec3_cross(x[j], g[r][first + j]));
    out->v[r] = mat3_apply_transpose(axes, out->v[r]), out->w[r] = mat3_apply_transpose(axes, out->w[r]);
  }
}

static void add_row(Local *out, int row, int col, double f, Vec3 g) {
  double *at = &out->k[row * out->n + col];
  at[0] += f * g.x, at[1] += f * g.y, at[2] += f * g.z;
}

static void add_column(Local *out, int row, int col, double f, Vec3 g) {
  out->k[row * out->n + col] += f * g.x;
  out->k[(row + 1) * out->n + col] += f * g.y;
  out->k[(row + 2) * out->n + col] += f * g.z;
}

void slip_evaluate(const Joint *j, const Tableau *t, double h, double rho, int nnode, const SlipNode *node,
                   const int *first, const Vec3 *x, const Coords *zn, double mu[MAX_INTERVALS][MAX_ROWS], int block,
                   Local *out) {
  Vec3 g[MAX_ROWS][MAX_ITEM_VECTORS];
  SlipRows ghat[MAX_ITEM_NODES];
  int nvec = first[nnode - 1] + node_vectors(node[nnode - 1].kind);
  rows_gradient(&j->rows, x, zn, g, nvec);
  for (int a = 0; a < nnode; a++) rows_of_node(&j->rows, g, node[a].kind, first[a], &x[first[a]], &ghat[a]);
  for (int r = 0; r < j->rows.nrow; r++) {
    bool places = false;
    for (int a = 0; a < nnode; a++) places = places || vec3_dot(ghat[a].v[r], ghat[a].v[r]) > 0;
    for (int a = 0; a < nnode && places; a++)
      if (node[a].kind == NODE_FRAME) ghat[a].w[r] = vec3_scale(chord_of_turn(h, node[a].start[1]), ghat[a].w[r]);
  }
  for (int k = 0; k < t->s; k++) {
    for (int i = 0; i < j->nslip; i++) {
      int r = j->slip_row[i], row = local_at(out, block + i / 3, k) + i % 3;
      for (int a = 0; a < nnode; a++) {
        const SlipNode *n = &node[a];
        if (n->kind == NODE_FIXED) continue;
        bool frame = n->kind == NODE_FRAME;
        Vec3 gv = ghat[a].v[r], gw = ghat[a].w[r];
        // rows of y: -Ghat^T mu
        int yv = local_at(out, n->slip, k), yw = local_at(out, n->slip + 1, k);
        local_add_vec(out, yv, vec3_scale(-mu[k][i], gv));
        add_column(out, yv, row, -1, gv);
        if (frame) local_add_vec(out, yw, vec3_scale(-mu[k][i], gw)), add_column(out, yw, row, -1, gw);
        if (k == 0) { // Ghat (y^0 + (1 - rho) v_n)
          out->r[row] += vec3_dot(gv, vec3_axpy(n->y.v[0], 1 - rho, n->start[0]));
          add_row(out, row, yv, 1, gv);
          if (!frame) continue;
          out->r[row] += vec3_dot(gw, vec3_axpy(n->y.w[0], 1 - rho, n->start[1]));
          add_row(out, row, yw, 1, gw);
          continue;
        }
        // Ghat (v_k - v_n), v_k - v_n = sum_l a^-1_kl (vhat_l - b_l v_n + y^l)
        const Vec3 *vk = frame ? n->frame.vk[k] : &n->point.vk[k], *vn = frame ? n->frame.vn : &n->point.vn;
        out->r[row] += vec3_dot(gv, vec3_sub(vk[0], vn[0]));
        if (frame) out->r[row] += vec3_dot(gw, vec3_sub(vk[1], vn[1]));
        for (int l = 0; l < t->s; l++) {
          double f = t->inverse[k][l], fy = l == 0 ? -tableau_from_start(t, k) : f;
          int u = local_at(out, n->block, l), c = local_at(out, n->block + 1, l);
          add_row(out, row, local_at(out, n->slip, l), fy, gv);
          if (frame) {
            add_row(out, row, local_at(out, n->slip + 1, l), fy, gw);
            add_row(out, row, u, f, mat3_apply_transpose(n->frame.dv_du[l], gv));
            add_row(out, row, c, f, mat3_apply_transpose(n->frame.dv_dc[l], gv));
            add_row(out, row, c, f, mat3_apply_transpose(n->frame.dw_dc, gw));
          } else add_row(out, row, u, f / h, gv);
        }
      }
    }
    for (int i = j->nslip; i < 3 * slip_blocks(j); i++) {
      int row = local_at(out, block + i / 3, k) + i % 3;
      out->k[row * out->n + row] = 1;
    }
  }
}
