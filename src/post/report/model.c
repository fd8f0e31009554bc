// SPDX-License-Identifier: Apache-2.0
// The masses, joints, loads and modes of a model. What it weighs, to check by hand: second moments E = sum rho r r^T
// about the origin add up; about the centre of mass c they are E - m c c^T, and the tensor of inertia is tr(E) I - E.
#include "post/report/report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200 }; // of a table

typedef struct {
  double m;
  Vec3 s; // m times the centre
  Mat3 e;
} MassProperties;

static Mat3 outer_product(Vec3 a, Vec3 b) {
  double x[3], y[3];
  Mat3 o;
  vec3_to(a, x), vec3_to(b, y);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) o.m[i][j] = x[i] * y[j];
  return o;
}

static Mat3 add_matrices(Mat3 a, Mat3 b) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] += b.m[i][j];
  return a;
}

static double matrix_trace(Mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static Mat3 trace_minus(Mat3 a) { // tr(a) I - a
  Mat3 o = mat3_scale(matrix_trace(a), mat3_identity());
  return mat3_sub(o, a);
}

// The share of a node with an inertia in its own axes.
static MassProperties node_mass(const ModelNode *n, const Inertia *q) {
  Mat3 axes = n->kind == NODE_POINT ? mat3_identity() : mat3_columns(n->x[1], n->x[2], n->x[3]);
  Vec3 x = n->x[0], s = mat3_apply(axes, q->s);
  Mat3 euler = mat3_sub(mat3_scale(0.5 * matrix_trace(q->j), mat3_identity()), q->j);
  MassProperties out = {q->m, vec3_axpy(s, q->m, x), mat3_scale(q->m, outer_product(x, x))};
  out.e = add_matrices(out.e, add_matrices(outer_product(x, s), outer_product(s, x)));
  if (n->kind != NODE_POINT) out.e = add_matrices(out.e, mat3_mul(axes, mat3_mul(euler, mat3_transpose(axes))));
  return out;
}

static void add_mass(MassProperties *sum, const MassProperties *q) {
  sum->m += q->m, sum->s = vec3_add(sum->s, q->s), sum->e = add_matrices(sum->e, q->e);
}

static MassProperties component_mass(Model m, const ModelComponent *component) {
  MassProperties sum = {0};
  for (int e = component->first; e < component->first + component->count; e++) {
    const ModelElement *el = model_element(m, e);
    for (int k = 0; k < el->nnode; k++) {
      Inertia q = {0};
      el->kind->inertia(el->data, k, &q);
      MassProperties own = node_mass(model_node(m, model_element_nodes(m, el)[k]), &q);
      add_mass(&sum, &own);
    }
  }
  return sum;
}

// Its mass, centre and principal entries of inertia about the centre, as cells.
static void print_mass(FILE *out, const MassProperties *q) {
  page_number(out, q->m);
  if (!(q->m > 0)) {
    fputs("<td></td><td></td><td></td><td></td><td></td><td></td>", out);
    return;
  }
  Vec3 c = vec3_scale(1 / q->m, q->s);
  Mat3 j = trace_minus(mat3_sub(q->e, mat3_scale(q->m, outer_product(c, c))));
  double x[3];
  vec3_to(c, x);
  for (int i = 0; i < 3; i++) page_number(out, x[i]);
  for (int i = 0; i < 3; i++) page_number(out, j.m[i][i]);
}

static void write_masses(Report *r) {
  static const char *const head[] = {"kind",  "name",  "elements",   "mass [kg]",  "x [m]",
                                     "y [m]", "z [m]", "Jx [kg m2]", "Jy [kg m2]", "Jz [kg m2]"};
  Model m = r->in->model;
  MassProperties total = {0}, rest = {0};
  page_text(r->out, "h3", "", "Masses");
  page_text(r->out, "p", "", "The model as written: centre of mass, and moments of inertia about it, in ground axes.");
  page_head(r->out, 10, head);
  for (int i = 0; i < m->components.count; i++) {
    const ModelComponent *component = model_component(m, i);
    MassProperties own = component_mass(m, component);
    add_mass(&total, &own);
    if (i >= MOST_ROWS) {
      add_mass(&rest, &own);
      continue;
    }
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%s", component->kind->name);
    page_text(r->out, "td", "", "%s", component->name ? component->name : "");
    page_text(r->out, "td", "n", "%d", component->count);
    print_mass(r->out, &own);
    fputs("</tr>\n", r->out);
  }
  if (m->components.count > MOST_ROWS) {
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%d more", m->components.count - MOST_ROWS);
    fputs("<td></td><td></td>", r->out);
    print_mass(r->out, &rest);
    fputs("</tr>\n", r->out);
  }
  fputs("<tr class=\"sum\"><td>all</td><td></td>", r->out);
  page_text(r->out, "td", "n", "%d", m->elements.count);
  print_mass(r->out, &total);
  fputs("</tr>\n</tbody></table>\n", r->out);
}

static void write_joints(Report *r) {
  static const char *const head[] = {"kind", "name", "equations", "coordinates", "between"};
  Model m = r->in->model;
  int equations = 0;
  if (!m->joints.count) return;
  page_text(r->out, "h3", "", "Joints");
  page_head(r->out, 5, head);
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    equations += q->joint.rows.nrow;
    if (j >= MOST_ROWS) continue;
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%s", q->kind->name);
    page_text(r->out, "td", "", "%s", q->name ? q->name : "");
    page_text(r->out, "td", "n", "%d", q->joint.rows.nrow);
    page_text(r->out, "td", "n", "%d", q->joint.ncoord);
    fputs("<td>", r->out);
    for (int k = 0; k < q->nnode - 1 && k < 4; k++) {
      char name[200];
      model_name_node(m, q->node[k], name, sizeof name);
      fputs(k ? ", " : "", r->out);
      html_text(r->out, q->node[k] ? name : "ground");
    }
    fputs(q->nnode > 5 ? ", ...</td></tr>\n" : "</td></tr>\n", r->out);
  }
  fputs("<tr class=\"sum\"><td>all</td>", r->out);
  page_text(r->out, "td", "n", "%d", m->joints.count);
  page_text(r->out, "td", "n", "%d", equations);
  fputs("<td></td><td></td></tr>\n</tbody></table>\n", r->out);
}

static void write_loads(Report *r) {
  static const char *const head[] = {"kind", "name"};
  Model m = r->in->model;
  if (!m->loads.count) return;
  page_text(r->out, "h3", "", "Loads");
  page_head(r->out, 2, head);
  for (int i = 0; i < m->loads.count && i < MOST_ROWS; i++) {
    fputs("<tr>", r->out);
    page_text(r->out, "td", "", "%s", model_load(m, i)->kind->name);
    page_text(r->out, "td", "", "%s", model_load(m, i)->name ? model_load(m, i)->name : "");
    fputs("</tr>\n", r->out);
  }
  fputs("</tbody></table>\n", r->out);
}

void report_model(Report *r) {
  Model m = r->in->model;
  int frames = 0, points = 0, fixed = 0;
  for (int i = 1; i < m->nodes.count; i++) {
    NodeKind kind = model_node(m, i)->kind;
    frames += kind == NODE_FRAME, points += kind == NODE_POINT, fixed += kind == NODE_FIXED;
  }
  page_section(r->out, "Contents of the model");
  page_text(
      r->out, "p", "",
      "Nodes: %d (frames %d, points %d, fixed %d); elements: %d, in %d components; joints: %d; loads: %d; probes: %d.",
      m->nodes.count - 1, frames, points, fixed, m->elements.count, m->components.count, m->joints.count,
      m->loads.count, r->in->probes);
  write_masses(r);
  write_joints(r);
  write_loads(r);
}

// The modes of a model as a table.

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
