// SPDX-License-Identifier: Apache-2.0
// Equations: eq-joint-projection-rotation (5.5).
#include "mechanics/projection.h"

// In a step that turns by phi, w = 4 tan(phi/4)/h but the chord of an arm gives v = sin(phi)/h: rows that weigh v
// against w take sin(phi)/(h |w|) times w, so that a steady rotation lies along the joint as the scheme sees it.
static double chord_factor(double h, Vec3 w) {
  double t = 0.25 * h * vec3_norm(w);
  return t < 1e-8 ? 1 : sin(4 * atan(t)) / (4 * t);
}

void rows_on_velocities(int nrow, Vec3 g[][MAX_LOCAL_VECTORS], NodeKind kind, int first, const Vec3 *x, Vec3 *v,
                        Vec3 *w) {
  for (int r = 0; r < nrow; r++) {
    v[r] = g[r][first], w[r] = vec3_zero();
    if (kind != NODE_FRAME) continue;
    Mat3 axes = node_axes(x);
    for (int j = 1; j < 4; j++) w[r] = vec3_add(w[r], vec3_cross(x[j], g[r][first + j]));
    v[r] = mat3_apply_transpose(axes, v[r]), w[r] = mat3_apply_transpose(axes, w[r]);
  }
}

// Which combinations of the joint's rows are free of the free coordinates.
static void eliminate_free_coordinates(const Joint *j, double gz[MAX_COORDS][MAX_ROWS], ProjectionRows *out) {
  int nrow = j->rows.nrow;
  double part[MAX_ROWS][MAX_ROWS];
  for (int r = 0; r < nrow; r++)
    for (int q = 0; q < nrow; q++) part[r][q] = r == q;
  for (int c = 0; c < j->ncoord; c++) {
    int p = j->pivot[c];
    for (int r = 0; r < nrow && p >= 0; r++) {
      double f = r == p ? 0 : gz[c][r] / gz[c][p];
      if (f == 0) continue;
      for (int q = 0; q < nrow; q++) part[r][q] -= f * part[p][q];
      for (int d = 0; d < j->ncoord; d++) gz[d][r] -= f * gz[d][p];
    }
  }
  for (int i = 0; i < j->nprojection; i++)
    for (int q = 0; q < nrow; q++) out->part[i][q] = part[j->projection_row[i]][q];
}

void projection_build_rows(const Joint *j, int nnode, const NodeKind *kind, const int *first, const Vec3 *x,
                           const Coords *z, const Coords *zdot, double h, const Vec3 *angular_velocity,
                           ProjectionRows *out) {
  Vec3 g[MAX_ROWS][MAX_LOCAL_VECTORS], v[MAX_ROWS], w[MAX_ROWS];
  double gz[MAX_COORDS][MAX_ROWS];
  bool translates[MAX_ROWS] = {false};
  rows_gradient(&j->rows, x, z, g, first[nnode - 1] + node_vectors(kind[nnode - 1]));
  for (int c = 0; c < j->ncoord; c++) rows_rate(&j->rows, x, z, c, gz[c]);
  eliminate_free_coordinates(j, gz, out);
  for (int a = 0; a < nnode; a++) {
    rows_on_velocities(j->rows.nrow, g, kind[a], first[a], &x[first[a]], v, w);
    for (int i = 0; i < j->nprojection; i++) {
      out->v[a][i] = out->w[a][i] = vec3_zero();
      for (int r = 0; r < j->rows.nrow; r++) {
        out->v[a][i] = vec3_axpy(out->v[a][i], out->part[i][r], v[r]);
        out->w[a][i] = vec3_axpy(out->w[a][i], out->part[i][r], w[r]);
      }
      translates[i] = translates[i] || vec3_dot(out->v[a][i], out->v[a][i]) > 0;
    }
  }
  for (int i = 0; i < j->nprojection; i++) {
    for (int a = 0; a < nnode && translates[i] && angular_velocity; a++)
      if (kind[a] == NODE_FRAME) out->w[a][i] = vec3_scale(chord_factor(h, angular_velocity[a]), out->w[a][i]);
    out->rate[i] = 0;
    for (int c = 0; c < j->ncoord; c++) {
      double rate = j->prescribed[c] ? zdot->z[c] : 0;
      if (angular_velocity && !translates[i])
        rate = 4 * tan(0.25 * h * rate) / h; // the w of a steady turn, as the scheme sees it
      out->of[i][c] = rate == 0 ? 0 : -gz[c][j->projection_row[i]] * rate;
      out->rate[i] += out->of[i][c];
    }
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

void projection_evaluate(const Joint *j, const Tableau *t, double h, double rho, int nnode, const ProjectionNode *node,
                         const ProjectionRows *projection_rows, const bool *off, double mu[MAX_STAGES][MAX_ROWS],
                         int block, Local *out) {
  for (int k = 0; k < t->s; k++) {
    for (int i = 0; i < j->nprojection; i++) {
      int row = local_at(out, block + i / 3, k) + i % 3;
      if (off && off[j->projection_row[i]]) {
        out->r[row] = mu[k][i], out->k[row * out->n + row] = 1;
        continue;
      }
      if (k == 0) out->r[row] -= (1 - rho) * projection_rows->rate[i];
      for (int a = 0; a < nnode; a++) {
        const ProjectionNode *n = &node[a];
        if (n->kind == NODE_FIXED) continue;
        bool frame = n->kind == NODE_FRAME;
        Vec3 gv = projection_rows->v[a][i], gw = projection_rows->w[a][i];
        // rows of y: -Ghat^T mu
        int yv = local_at(out, n->projection, k), yw = local_at(out, n->projection + 1, k);
        local_add_vec(out, yv, vec3_scale(-mu[k][i], gv));
        add_column(out, yv, row, -1, gv);
        if (frame) local_add_vec(out, yw, vec3_scale(-mu[k][i], gw)), add_column(out, yw, row, -1, gw);
        if (k == 0) { // Ghat (y^0 + (1 - rho) v_n) - (1 - rho) c
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
          add_row(out, row, local_at(out, n->projection, l), fy, gv);
          if (frame) {
            add_row(out, row, local_at(out, n->projection + 1, l), fy, gw);
            add_row(out, row, u, f, mat3_apply_transpose(n->frame.dv_du[l], gv));
            add_row(out, row, c, f, mat3_apply_transpose(n->frame.dv_dc[l], gv));
            add_row(out, row, c, f, mat3_apply_transpose(n->frame.dw_dc, gw));
          } else add_row(out, row, u, f / h, gv);
        }
      }
    }
    for (int i = j->nprojection; i < 3 * projection_blocks(j); i++) {
      int row = local_at(out, block + i / 3, k) + i % 3;
      out->k[row * out->n + row] = 1;
    }
  }
}
