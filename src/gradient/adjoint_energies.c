// SPDX-License-Identifier: Apache-2.0
// Slopes of the energies of the ledger by the state, in the adjoint method (adjoint.h).
#include "gradient/adjoint.h"

#include "analyses/stepping/ledger.h"
#include "assembly/wheels.h"

#include <string.h>

static void add_kinetic(const Motion *motion, PetscInt i, double weight, Vec3 *v) {
  int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
  for (int j = 0; j < nvec; j++)
    for (int k = 0; k < nvec; k++)
      v[4 * i + j] = vec3_axpy(v[4 * i + j], weight * motion->layout.mass[i][j][k], motion->state.v[4 * i + k]);
}

// p^2/(2 I), and p n . omega of a driven wheel; omega is half the sum of the products of vectors and their rates.
static void add_wheel_energy(const Motion *motion, PetscInt wheel, double weight, StateParts *out) {
  const Wheel *w = model_wheel(motion->layout.model, wheel)->wheel;
  PetscInt at = 4 * layout_wheel_node(&motion->layout, wheel);
  if (at < 0) return;
  const Vec3 *x = motion->state.x + at, *v = motion->state.v + at;
  double momentum = motion->state.wheel[wheel].p, axis[] = {w->axis.x, w->axis.y, w->axis.z};
  Vec3 n = wheel_axis(w, x), omega = vec3_zero();
  out->wheel[wheel].p += weight * (momentum / w->inertia + (w->driven ? motion_wheel_turn(motion, wheel) : 0));
  for (int j = 1; j < 4; j++) omega = vec3_axpy(omega, 0.5, vec3_cross(x[j], v[j]));
  for (int j = 1; w->driven && j < 4; j++) {
    Vec3 *on_x = &out->x[at + j], *on_v = &out->v[at + j];
    *on_x = vec3_axpy(vec3_axpy(*on_x, weight * momentum * axis[j - 1], omega), 0.5 * weight * momentum,
                      vec3_cross(v[j], n));
    *on_v = vec3_axpy(*on_v, 0.5 * weight * momentum, vec3_cross(n, x[j]));
  }
}

static void add_potential(const Motion *motion, PetscInt i, double weight, Vec3 *x) {
  const Layout *layout = &motion->layout;
  int nvec = node_vectors(model_node(layout->model, layout->node[i])->kind);
  for (PetscInt l = 0; l < layout->nfield; l++) {
    const Load *q = &model_load(layout->model, layout->field[l])->load;
    double first[4];
    layout_field_mass(layout, l, i, first);
    for (int j = 0; j < nvec && ledger_has_potential(layout, q); j++)
      x[4 * i + j] = vec3_axpy(x[4 * i + j], -weight * model_amplitude(layout->model, q->amplitude, 0) * first[j],
                               q->acceleration);
  }
}

static void add_strain(const Motion *motion, PetscInt e, double weight, Vec3 *out) {
  const Layout *layout = &motion->layout;
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  Vec3 x[MAX_LOCAL_VECTORS], sum[MAX_LOCAL_VECTORS], y[MAX_Y], on[MAX_Y];
  PetscInt place[MAX_LOCAL_VECTORS];
  int n = 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++, n++)
      place[n] = 4 * i + j, x[n] = motion->state.x[4 * i + j], sum[n] = vec3_zero();
  }
  for (int g = 0; g < el->kind->points(el->data); g++) {
    ElementPoint p;
    double strain[MAX_ROWS], force[MAX_ROWS];
    element_point(el->kind, el->data, g, &p);
    rows_value(&p.rows, x, no_coords, strain);
    p.response->force(&p, strain, force);
    rows_interpolate(&p.rows, x, y);
    for (int r = 0; r < p.rows.nrow; r++) {
      double length = r < p.rows.nroot ? strain[r] + p.rows.ref[r] : 1;
      force[r] *= length > 0 ? weight * p.weight / length : 0;
    }
    for (int i = 0; i < p.rows.ny; i++) on[i] = vec3_zero();
    rows_add_slopes(&p.rows, NULL, force, y, on);
    rows_add_to_vectors(&p.rows, on, sum);
  }
  for (int a = 0; a < n; a++)
    if (layout->element_primary[e] || layout->node_block[place[a] / 4] >= 0) // fixed nodes: product.h
      out[place[a]] = vec3_add(out[place[a]], sum[a]);
}

PetscErrorCode AdjointSpreadLedger(Adjoint *w, double *lambda) {
  const Motion *motion = &w->run->stepper->s->motion;
  StateParts parts;
  PetscFunctionBegin;
  PetscCall(StateVectorFind(w->run->stepper, lambda, &parts));
  LimberLedger l = *parts.ledger;
  memset(parts.ledger, 0, sizeof *parts.ledger);
  LimberLedger other = l;
  other.kinetic = other.strain = other.potential = 0;
  if (memcmp(&other, parts.ledger, sizeof other) != 0)
    refuse(w->wrong, "the adjoint method supports kinetic, strain and potential energy of the ledger: use `--method "
                     "forward` for its other columns");
  if (l.kinetic == 0 && l.strain == 0 && l.potential == 0) PetscFunctionReturn(0);
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    add_kinetic(motion, i, l.kinetic, parts.v);
    add_potential(motion, i, l.potential, parts.x);
  }
  for (PetscInt i = 0; i < motion->layout.model->wheels.count; i++) add_wheel_energy(motion, i, l.kinetic, &parts);
  for (PetscInt e = 0; e < motion->layout.nelement && l.strain != 0; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    if (el->kind->points(el->data) > 0) add_strain(motion, e, l.strain, parts.x);
  }
  if (l.strain != 0) product_add_contact_energy(&w->product, l.strain, parts.x);
  for (PetscInt j = 0; j < motion->layout.njoint && l.strain != 0; j++) {
    const Joint *joint = layout_joint(&motion->layout, j);
    for (int c = 0; c < joint->ncoord; c++) {
      const Friction *f = &joint->law[c].friction;
      double deflection = motion->state.bristles[j].of[c].deflection;
      parts.coord[j].z[c] += l.strain * law_force(&joint->law[c], motion->state.coord[j].z[c]);
      if (friction_acts(f)) parts.bristles[j].of[c].deflection += l.strain * f->stiffness * deflection;
    }
  }
  PetscFunctionReturn(0);
}
