// SPDX-License-Identifier: Apache-2.0
// Equations: eq-joint-coordinates (5.6).
#include "mechanics/joint.h"

#include "mechanics/rows.h"
#include "mechanics/simplex.h"

#include <string.h>

int joint_coord(const JointKind *kind, const char *name) {
  size_t n = strlen(name);
  for (int c = 0; c < kind->ncoord; c++)
    if (!strcmp(kind->coord_names[c], name)) return c;
  for (int c = 0; c < kind->ncoord; c++)
    if (!strncmp(kind->coord_names[c], name, n) && !strcmp(kind->coord_names[c] + n, "1")) return c;
  return -1;
}

int field_nodes(const FieldTable *t, const void *params, int *ids) {
  int n = 0;
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type != FIELD_NODE && f->type != FIELD_NODES) continue;
    const int *at = (const int *)((const char *)params + f->offset);
    for (int k = 0; k < (f->type == FIELD_NODE ? 1 : f->count) && n < MAX_LOCAL_NODES; k++)
      if (at[k] != LIMBER_NONE) ids[n++] = at[k];
  }
  return n;
}

// A row that turns with a coordinate gives it its value rather than one that only grows with it: a screw's slide
// follows from its angle.
int joint_coord_row(const Rows *p, int coord) {
  int pivot = -1;
  for (int t = 0; t < p->nterm; t++) {
    const RowTerm *q = &p->term[t];
    if (q->factor == FACTOR_ONE || q->coord != coord) continue;
    if (pivot < 0 || q->factor != FACTOR_LINEAR) pivot = q->row;
  }
  return pivot;
}

bool joint_coord_is_angle(const Joint *j, int coord) {
  int row = joint_coord_row(&j->rows, coord);
  for (int t = 0; t < j->rows.nterm; t++) {
    const RowTerm *q = &j->rows.term[t];
    if (q->row == row && q->coord == coord && (q->factor == FACTOR_SIN || q->factor == FACTOR_COS)) return true;
  }
  return false;
}

// Rows without coordinates, then those of the coordinates, one each: sin z a + cos z b = 0 of an angle, a + b z = 0 of
// a slide.
static bool can_coords_follow(const Joint *j) {
  const int kept = j->rows.nrow - j->ncoord;
  bool angle[MAX_ROWS] = {false}, slide[MAX_ROWS] = {false};
  if (j->ncoord == 0 || kept <= 0 || j->rows.nroot > 0) return false;
  for (int c = 0; c < j->ncoord; c++)
    if (j->prescribed[c] || j->loaded[c] || law_acts(&j->law[c]) || j->pivot[c] < kept) return false;
  for (int t = 0; t < j->rows.nterm; t++) {
    const RowTerm *q = &j->rows.term[t];
    bool plain = q->factor == FACTOR_ONE;
    if (t > 0 && q->row < kept && q[-1].row >= kept) return false;
    if (q->row < kept ? !plain : !plain && j->pivot[q->coord] != q->row) return false;
    if (q->factor == FACTOR_SQUARE) return false;
    if (q->row >= kept && (plain || q->factor == FACTOR_LINEAR)) slide[q->row] = true;
    else angle[q->row] = angle[q->row] || !plain;
  }
  for (int r = kept; r < j->rows.nrow; r++)
    if (angle[r] == slide[r] || (angle[r] && j->rows.ref[r] != 0)) return false;
  return true;
}

void joint_complete(Joint *j) {
  bool defines[MAX_ROWS] = {false};
  for (int c = 0; c < j->ncoord; c++) {
    j->pivot[c] = j->prescribed[c] ? -1 : joint_coord_row(&j->rows, c);
    if (j->pivot[c] >= 0) defines[j->pivot[c]] = true;
  }
  j->nprojection = 0;
  for (int r = 0; r < j->rows.nrow; r++)
    if (!defines[r]) j->projection_row[j->nprojection++] = r;
  j->coords_follow = can_coords_follow(j);
}

void joint_without_coords(const Joint *j, Joint *out) {
  *out = *j;
  out->rows.nrow -= j->ncoord, out->ncoord = 0;
  while (out->rows.nterm > 0 && out->rows.term[out->rows.nterm - 1].row >= out->rows.nrow) out->rows.nterm--;
  joint_complete(out);
}

// The row of a slide is g + g' d. That of an angle is g cos d + g' sin d; at the root its derivative has the sign that
// it had before.
double joint_coord_change(const Joint *j, int coord, const Vec3 *xn, const Vec3 *x, const Coords *z, double expected,
                          double most) {
  const double turn = 2 * acos(-1.0);
  const int row = j->pivot[coord];
  double g, rate, before, start;
  if (!rows_single(&j->rows, row, x, z->z[coord], &g, &rate)) return -g / rate;
  rows_single(&j->rows, row, xn, z->z[coord], &start, &before);
  double sign = before < 0 ? -1 : 1, d = atan2(-sign * g, sign * rate);
  double other = d + turn * round((expected - d) / turn);
  return fabs(other) <= fmax(0.5 * turn, most) ? other : d;
}

// Of two ground axes equally near, but for round-off, the earlier one.
Vec3 joint_first_direction(Vec3 axis) {
  const double near[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
  int nearest = 0;
  for (int i = 1; i < 3; i++)
    if (near[i] > (1 + 1e-9) * near[nearest]) nearest = i;
  Vec3 next = vec3(nearest == 2, nearest == 0, nearest == 1);
  return vec3_unit(vec3_axpy(next, -vec3_dot(next, axis), axis));
}

void joint_ground_axes(const JointNodes *n, Joint *out) {
  for (int j = 1; j < 4; j++) {
    rows_y(&out->rows);
    rows_y_add(&out->rows, n->first[n->nnode - 1] + j, 1);
  }
}

static void add_weights(Rows *p, double sign, int first, int n, const double *weight) {
  for (int a = 0; a < n; a++)
    if (weight[a] != 0) rows_y_add(p, first + a, sign * weight[a]);
}

void joint_add_position(Joint *out, double sign, const JointNodes *n, int i, Vec3 position) {
  double weight[SIMPLEX_POINTS] = {0};
  if (!n->points[i]) {
    rows_y_add_point(&out->rows, sign, n->first[i], n->kind[i], n->x[i], position);
    return;
  }
  if (!simplex_position_weights(n->points[i], n->point[i], position, weight)) out->outside = true;
  add_weights(&out->rows, sign, n->first[i], n->points[i], weight);
}

void joint_add_direction(Joint *out, double sign, const JointNodes *n, int i, Vec3 direction) {
  double weight[SIMPLEX_POINTS] = {0};
  if (!n->points[i]) {
    rows_y_add_direction(&out->rows, sign, n->first[i], n->x[i], direction);
    return;
  }
  if (!simplex_direction_weights(n->points[i], n->point[i], direction, weight)) out->outside = true;
  add_weights(&out->rows, sign, n->first[i], n->points[i], weight);
}

// The balance of one coordinate over stage k: what the multipliers put on it, less the loads.
static void evaluate_coord(const Joint *j, const LocalMotion *it, int k, int c, const Coords *zn, const Coords *zk,
                           const double *lambda, double load, const RowsState *q, const int *at, Local *out) {
  double dforce[3 * MAX_LOCAL_BLOCKS], dmoment[3 * MAX_LOCAL_BLOCKS];
  int nrow = j->rows.nrow, z = at[nrow + c];
  out->r[z] -= load;
  for (int r = 0; r < nrow; r++) out->r[z] += lambda[r] * q->along_z[k][c][r];
  if (!out->tangent) return;
  out->k[z * out->n + z] += rows_coord_tangent(&j->rows, it, k, c, zn, zk, lambda, dforce, dmoment);
  for (int r = 0; r < nrow; r++) {
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

// What the formula of a coupling adds to the tangent between its coordinates: lambda_0 d c_i / d z_j.
static void evaluate_formula(const Joint *j, const LocalMotion *it, const Coords *zn, const Coords *zk, double lambda,
                             const int *at, Local *out) {
  CoordSecant s;
  coord_formula_secant(j->rows.formula, it->force_rule, zn, zk, &s);
  for (int c = 1; c < j->ncoord; c++)
    for (int d = 1; d < j->ncoord; d++)
      out->k[at[j->rows.nrow + c] * out->n + at[j->rows.nrow + d]] += lambda * s.tangent[c][d];
}

// The size of the force that a joint bears across its coordinates.
double joint_reaction_size(const Joint *j, const double *lambda) {
  double sum = 0;
  for (int i = 0; i < j->nreaction; i++) sum += lambda[j->reaction_row[i]] * lambda[j->reaction_row[i]];
  return sqrt(sum);
}

void joint_friction(const Joint *j, int coord, const Tableau *t, double h, const Bristles *bristles,
                    const double *lambda, double zn, double z, FrictionStep *out) {
  const Friction *f = &j->law[coord].friction;
  static const Bristle rest = {0, 0};
  *out = (FrictionStep){.force = 0};
  if (!friction_acts(f)) return;
  friction_evaluate(f, t->force_rule == FORCE_END, h, friction_bears(f) ? joint_reaction_size(j, lambda) : 0,
                    bristles ? &bristles->of[coord] : &rest, z - zn, out);
}

// Friction acts over the step itself, stage 0, and follows the reaction there.
static void evaluate_friction(const Joint *j, int c, const Tableau *t, double h, const Bristles *bristles,
                              const LocalMotion *it, double zn, double z, const double *lambda, Local *out) {
  FrictionStep s;
  int own = j->rows.nrow + c, row = local_at(out, it->nblock + own / 3, 0) + own % 3;
  joint_friction(j, c, t, h, bristles, lambda, zn, z, &s);
  out->r[row] += s.force;
  if (!out->tangent) return;
  out->k[row * out->n + row] += s.by_way;
  double reaction = s.by_reaction != 0 ? joint_reaction_size(j, lambda) : 0;
  for (int i = 0; i < j->nreaction && reaction > 0; i++) {
    int r = j->reaction_row[i];
    out->k[row * out->n + local_at(out, it->nblock + r / 3, 0) + r % 3] += s.by_reaction * lambda[r] / reaction;
  }
}

// The laws along the coordinates, over all stages.
static void evaluate_laws(const Joint *j, const Tableau *t, double h, const Recall *m, const Coords *past,
                          const Bristles *bristles, const LocalMotion *it, const Coords *zn, const Coords *zk,
                          const double *lambda, Local *out) {
  for (int c = 0; c < j->ncoord; c++) {
    LawState s;
    double z[MAX_STAGES];
    int own = j->rows.nrow + c;
    if (!law_acts(&j->law[c])) continue;
    for (int k = 0; k < it->s; k++) z[k] = zk[k].z[c];
    law_evaluate(&j->law[c], t, h, m, past ? past->z[c] : 0, zn->z[c], z, &s);
    for (int k = 0; k < it->s; k++) {
      int row = local_at(out, it->nblock + own / 3, k) + own % 3;
      out->r[row] += s.force[k];
      for (int l = 0; l < it->s && out->tangent; l++)
        out->k[row * out->n + local_at(out, it->nblock + own / 3, l) + own % 3] += s.tangent[k][l];
    }
    if (friction_acts(&j->law[c].friction)) evaluate_friction(j, c, t, h, bristles, it, zn->z[c], z[0], lambda, out);
  }
}

// The residual alone, but for the laws: forces come from the multipliers, without the rows.
static void evaluate_residual(const Joint *j, const LocalMotion *it, const Coords *zn, const Coords *zk,
                              double lambda[MAX_STAGES][MAX_ROWS], const Coords *load, Local *out) {
  for (int k = 0; k < it->s; k++) {
    Vec3 force[MAX_LOCAL_VECTORS];
    double value[MAX_ROWS];
    Coords on;
    rows_value(&j->rows, it->xk[k], &zk[k], value);
    rows_force(&j->rows, it, k, zn, &zk[k], lambda[k], force);
    local_motion_add_forces(it, k, force, NULL, out);
    if (j->ncoord > 0) rows_on_coords(&j->rows, it->force_rule, it->xn, it->xk[k], zn, &zk[k], lambda[k], &on);
    for (int i = 0; i < joint_unknowns(j); i++) {
      int c = i - j->rows.nrow;
      out->r[local_at(out, it->nblock + i / 3, k) + i % 3] += c < 0 ? value[i] : on.z[c] - load[k].z[c];
    }
  }
}

void joint_evaluate(const Joint *j, const Tableau *t, double h, const Recall *m, const Coords *past,
                    const Bristles *bristles, const LocalMotion *it, const Coords *zn, const Coords *zk,
                    double lambda[MAX_STAGES][MAX_ROWS], const Coords *load, Local *out) {
  const Rows *p = &j->rows;
  int s = it->s, nrow = p->nrow, total = joint_unknowns(j);
  RowsState q;
  if (!out->tangent && p->nroot == 0) {
    evaluate_residual(j, it, zn, zk, lambda, load, out);
    evaluate_laws(j, t, h, m, past, bristles, it, zn, zk, lambda[0], out);
    return;
  }
  rows_evaluate(p, it, zn, zk, out->tangent, &q);
  for (int k = 0; k < s; k++) {
    int at[MAX_ROWS + MAX_COORDS + 2]; // place of each own unknown in the item
    for (int i = 0; i < 3 * joint_blocks(j); i++) at[i] = local_at(out, it->nblock + i / 3, k) + i % 3;
    rows_add_stress(p, it, k, zn, &zk[k], lambda[k], &q, out);
    for (int r = 0; r < nrow; r++) {
      out->r[at[r]] += q.ek[k][r];
      for (int b = 0; b < it->nblock && out->tangent; b++)
        for (int i = 0; i < 3; i++) {
          int u = local_at(out, b, k) + i;
          out->k[u * out->n + at[r]] += q.along[k][r][3 * b + i];
          out->k[at[r] * out->n + u] += q.end[r][u];
        }
    }
    for (int c = 0; c < j->ncoord; c++) evaluate_coord(j, it, k, c, zn, &zk[k], lambda[k], load[k].z[c], &q, at, out);
    if (p->formula && out->tangent) evaluate_formula(j, it, zn, &zk[k], lambda[k][0], at, out);
    for (int i = total; i < 3 * joint_blocks(j) && out->tangent; i++) out->k[at[i] * out->n + at[i]] = 1;
  }
  evaluate_laws(j, t, h, m, past, bristles, it, zn, zk, lambda[0], out);
}

// ---- laws of coordinates ----

#define FRICTION_FIELDS(length, force, give, arm) \
  {"kinetic", FIELD_REAL, 1, offsetof(LimberFriction, kinetic), force, false, 0, "friction while it slides", NULL}, \
      {"static", FIELD_REAL, 1, offsetof(LimberFriction, static_limit), \
       force,    false,      0, "friction at which it begins to slide; default: `kinetic`", \
       NULL}, \
      {"kinetic_coefficient", \
       FIELD_REAL, \
       1, \
       offsetof(LimberFriction, kinetic_coefficient), \
       "", \
       false, \
       0, \
       "friction coefficient while it slides, of the force that the joint carries across its coordinates" arm, \
       NULL}, \
      {"static_coefficient", \
       FIELD_REAL, \
       1, \
       offsetof(LimberFriction, static_coefficient), \
       "", \
       false, \
       0, \
       "friction coefficient at which it begins to slide; default: `kinetic_coefficient`", \
       NULL}, \
      {"stiffness", \
       FIELD_REAL, \
       1, \
       offsetof(LimberFriction, stiffness), \
       force " " length "-1", \
       false, \
       0, \
       "stiffness of the elastic bristle while it sticks; default: `static` over " give, \
       NULL}, \
  { \
    "damping", FIELD_REAL, 1, offsetof(LimberFriction, damping), "s", false, 1e-2, \
        "damping of the bristle while it sticks, over its stiffness", NULL \
  }
static const Field friction_of_angle_fields[] = {
    FRICTION_FIELDS("rad", "N m", "0.1 mrad", ", times `radius`"),
    {"radius", FIELD_REAL, 1, offsetof(LimberFriction, radius), "m", false, 0,
     "radius at which friction by coefficients acts", NULL},
};
static const Field friction_of_slide_fields[] = {FRICTION_FIELDS("m", "N", "0.01 mm", "")};
static const FieldTable friction_of_angle = FIELDS(friction_of_angle_fields, LimberFriction),
                        friction_of_slide = FIELDS(friction_of_slide_fields, LimberFriction);
static const FieldMore friction_of_angle_more = {&friction_of_angle, NULL},
                       friction_of_slide_more = {&friction_of_slide, NULL};

#define LAW_FIELDS(name, length, force, mass, rubs) \
  static const Field name[] = { \
      {"stiffness", FIELD_REAL, 1, offsetof(LimberLaw, stiffness), force " " length "-1", false, 0, \
       "stiffness of a spring", NULL}, \
      {"rest", FIELD_REAL, 1, offsetof(LimberLaw, rest), length, false, 0, "value at which the spring has no force", \
       NULL}, \
      {"clearance", FIELD_REAL, 1, offsetof(LimberLaw, clearance), length, false, 0, \
       "deflection from `rest` without force", NULL}, \
      {"damping", FIELD_REAL, 1, offsetof(LimberLaw, damping), force " s " length "-1", false, 0, \
       "force of a damper per rate", NULL}, \
      {"friction", FIELD_MAP, 1, offsetof(LimberLaw, friction), "", false, 0, "dry friction, which sticks", rubs}, \
      {"limits", FIELD_OPTIONAL_REALS, 2, offsetof(LimberLaw, limits), length, false, 0, "smallest and largest value", \
       NULL}, \
      {"limit_stiffness", FIELD_REAL, 1, offsetof(LimberLaw, limit_stiffness), force " " length "-1", false, 0, \
       "stiffness of both limits", NULL}, \
      {"start", FIELD_OPTIONAL_REALS, 1, offsetof(LimberLaw, start), length, false, 0, \
       "value at the start, to which the bodies are moved from their given positions; default: 0", NULL}, \
      {"initial_rate", FIELD_OPTIONAL_REALS, 1, offsetof(LimberLaw, initial_rate), length " s-1", false, 0, \
       "rate at the start; default: from the velocities of the bodies", NULL}, \
      {"table", FIELD_ROWS, 2, offsetof(LimberLaw, table), length "|" force, false, 0, LAW_TABLE, NULL}, \
      {"inertia", FIELD_REAL, 1, offsetof(LimberLaw, inertia), mass, false, 0, \
       "inertia that moves with the coordinate, such as that of a motor times its gear ratio squared", NULL}, \
  };
LAW_FIELDS(angle_fields, "rad", "N m", "kg m2", &friction_of_angle_more)
LAW_FIELDS(slide_fields, "m", "N", "kg", &friction_of_slide_more)
const FieldTable law_of_angle = FIELDS(angle_fields, LimberLaw), law_of_slide = FIELDS(slide_fields, LimberLaw);
const FieldMore law_of_angle_more = {&law_of_angle, NULL}, law_of_slide_more = {&law_of_slide, NULL};

static bool defines_coord(const JointKind *kind, const Joint *j, int row) {
  bool defines = false;
  for (int c = 0; c < kind->ncoord; c++) defines = defines || joint_coord_row(&j->rows, c) == row;
  return defines;
}

void joint_find_reaction(const JointKind *kind, Joint *j) {
  j->nreaction = 0;
  for (int r = 0; r < j->rows.nrow && kind->row_units && !kind->ties && j->nreaction < 3; r++)
    if (!strcmp(kind->row_units[r], "N") && !defines_coord(kind, j, r)) j->reaction_row[j->nreaction++] = r;
}

static Reason complete_friction(const JointKind *kind, int c, Joint *out) {
  Friction *f = &out->law[c].friction;
  bool angle = !strcmp(kind->coord_units[c], "rad");
  if (!friction_acts(f)) return no_reason();
  if (friction_bears(f) && !out->nreaction)
    return reason(REASON_CONFLICT, "kinetic_coefficient",
                  "it carries no force across its coordinates: give `kinetic` friction");
  if (friction_bears(f) && angle && !(f->radius > 0))
    return reason(REASON_CONFLICT, "kinetic_coefficient", "friction of an angle by a coefficient needs a `radius`");
  friction_complete(f, angle ? 1e-4 : 1e-5);
  return no_reason();
}

// The field that gives coordinate c its law.
static const char *law_field(const JointKind *kind, int c) {
  for (int i = 0; i < kind->fields.count; i++)
    if (kind->fields.field[i].offset == kind->laws + (size_t)c * sizeof(Law)) return kind->fields.field[i].name;
  return NULL;
}

Reason joint_laws(const JointKind *kind, const void *params, Joint *out) {
  joint_find_reaction(kind, out);
  for (int c = 0; c < (kind->ties ? 1 : kind->ncoord) && kind->laws; c++) {
    const Law *l = (const Law *)((const char *)params + kind->laws) + c;
    Reason error = law_error(l);
    if (!error.text && !(l->inertia >= 0 && l->inertia < HUGE_VAL))
      error = reason(REASON_VALUE, "inertia", "`inertia` must not be negative");
    if (!error.text && l->inertia > 0 && kind->ties)
      error = reason(REASON_CONFLICT, "inertia", "`inertia` belongs to the joints that are coupled");
    if (error.text) return reason_within(law_field(kind, c), error);
    out->law[c] = *l;
    error = complete_friction(kind, c, out);
    if (error.text) return reason_within(law_field(kind, c), reason_within("friction", error));
  }
  return no_reason();
}
