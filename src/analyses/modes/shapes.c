// SPDX-License-Identifier: Apache-2.0
// Energies of parts in a mode: strain energy of elements, without the work of the forces that they carry at the
// equilibrium; spring energy of joints; kinetic energy of a part's own masses. For complex modes the energies of real
// and imaginary part are added, as over a period.
#include "analyses/modes/modes.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"

#include <string.h>

enum { TOGETHER = 16 }; // vectors per evaluation of an element

typedef struct {
  System *s;
  int count;
  ModeShape *shape[TOGETHER]; // of each vector
  double *q[TOGETHER];        // its unknowns on this rank, with those of ghosts
} Energies;

// Increments of an element's vectors: displacements of nodes, and changes of directors due to rotation.
static void vector_increments(const Layout *layout, PetscInt e, const double *q, const Vec3 *x, Vec3 *dx) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  const PetscInt *node = layout->element_node + layout->element_node_start[e];
  int n = 0;
  for (int a = 0; a < el->nnode; a++) {
    NodeKind kind = model_node(layout->model, layout->node[node[a]])->kind;
    const double *d = q + 3 * layout->node_block[node[a]];
    bool moves = layout->node_block[node[a]] >= 0;
    for (int k = 0; k < node_vectors(kind); k++, n++)
      dx[n] = !moves ? vec3_zero() : k == 0 ? vec3_of(d) : vec3_cross(vec3_of(d + 3), x[n]);
  }
}

// de^T c de/2 of a point, c the tangent of its stresses.
static double point_energy(const ElementPoint *p, const PointStress *at, const double *de) {
  double sum = 0;
  int n = p->rows.nrow;
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++) {
      double c = at->factor[0][0] * at->c[r * n + i];
      if (at->has_own) c += at->own[0][r * n + i];
      sum += 0.5 * p->weight * de[r] * c * de[i];
    }
  return sum;
}

static void add_element(const Energies *w, PetscInt e) {
  const Motion *motion = &w->s->motion;
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  ElementStep step = motion_element_step(motion, e);
  Vec3 x[MAX_LOCAL_VECTORS], dx[MAX_LOCAL_VECTORS], g[MAX_ROWS][MAX_LOCAL_VECTORS];
  int nvec = state_element_vectors(&motion->layout, &motion->state, e, x);
  step.past = NULL;
  for (int k = 0; k < el->kind->points(el->data); k++) {
    double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS], de[MAX_ROWS];
    ElementPoint p;
    PointStress at;
    element_point(el->kind, el->data, k, &p);
    rows_value(&p.rows, x, no_coords, en);
    for (int i = 0; i < MAX_STAGES; i++) memcpy(ek[i], en, sizeof en);
    p.response->stress(&p, &step, NULL, en, ek, &at);
    rows_gradient(&p.rows, x, no_coords, g, nvec);
    for (int i = 0; i < w->count; i++) {
      vector_increments(&motion->layout, e, w->q[i], x, dx);
      for (int r = 0; r < p.rows.nrow; r++) {
        de[r] = 0;
        for (int v = 0; v < nvec; v++) de[r] += vec3_dot(g[r][v], dx[v]);
      }
      w->shape[i]->strain[el->component] += point_energy(&p, &at, de);
    }
  }
}

static void add_joint(const Energies *w, PetscInt j) {
  const Motion *motion = &w->s->motion;
  const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
  int part = motion->layout.model->components.count + (int)motion->layout.joint[j];
  for (int c = 0; c < joint->ncoord; c++) {
    if (joint->prescribed[c] || !law_acts(&joint->law[c])) continue;
    double z0 = motion->state.coord[j].z[c];
    FrictionStep sticks;
    joint_friction(joint, c, &motion->layout.rule->tableau, motion->step.h, &motion->state.bristles[j],
                   motion->state.multiplier[j], z0, z0, &sticks);
    double stiffness = law_stiffness(&joint->law[c], z0) + sticks.by_way;
    for (int i = 0; i < w->count; i++) {
      double z = w->q[i][3 * motion->layout.joint_block[j] + joint->rows.nrow + c];
      w->shape[i]->strain[part] += 0.5 * stiffness * z * z;
    }
  }
}

// The axes that describe an element's motion: those of the section next to the node, or the ground's.
static void axes_at(const Layout *layout, const State *state, PetscInt e, int node, Vec3 axis[3]) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  int points = el->kind->points(el->data);
  Vec3 x[MAX_LOCAL_VECTORS];
  axis[0] = (Vec3){1, 0, 0}, axis[1] = (Vec3){0, 1, 0}, axis[2] = (Vec3){0, 0, 1};
  if (!el->kind->line.axes || points == 0) return;
  state_element_vectors(layout, state, e, x);
  el->kind->line.axes(el->data, node < points ? node : points - 1, x, axis);
}

// Kinetic energy of an element's own masses at unit frequency, and of its motions along and about axes.
static void add_kinetic(const Energies *w, PetscInt e) {
  const Motion *moving = &w->s->motion;
  const ModelElement *el = model_element(moving->layout.model, moving->layout.element[e]);
  for (int a = 0; a < el->nnode; a++) {
    PetscInt i = moving->layout.element_node[moving->layout.element_node_start[e] + a];
    NodeKind kind = model_node(moving->layout.model, moving->layout.node[i])->kind;
    Vec3 axis[3], u, turn = vec3_zero();
    Inertia inertia;
    if (moving->layout.node_block[i] < 0) continue;
    el->kind->inertia(el->data, a, &inertia);
    Mat3 own = kind == NODE_FRAME ? node_axes(moving->state.x + 4 * i) : mat3_identity();
    axes_at(&moving->layout, &moving->state, e, a, axis);
    for (int v = 0; v < w->count; v++) {
      const double *q = w->q[v] + 3 * moving->layout.node_block[i];
      double *motion = w->shape[v]->motion[el->component];
      u = vec3_of(q);
      if (kind == NODE_FRAME) turn = vec3_of(q + 3);
      w->shape[v]->kinetic[el->component] +=
          inertia_energy(&inertia, mat3_apply_transpose(own, u), mat3_apply_transpose(own, turn));
      for (int k = 0; k < 3; k++) {
        Vec3 about = mat3_apply_transpose(own, vec3_scale(vec3_dot(turn, axis[k]), axis[k]));
        double along = vec3_dot(u, axis[k]);
        motion[k] += 0.5 * inertia.m * along * along;
        motion[3 + k] += 0.5 * vec3_dot(about, mat3_apply(inertia.j, about));
      }
    }
  }
}

// A copy of a vector, including ghosts.
static PetscErrorCode CopyWithGhosts(const Layout *layout, Equations *equations, Vec x, double **out) {
  const double *q;
  PetscInt n;
  Vec local;
  PetscFunctionBegin;
  PetscCall(VecCopy(x, equations->unknown));
  PetscCall(EquationsRefresh(layout, equations));
  PetscCall(EquationsOpenUnknowns(layout, equations, &local, &q));
  PetscCall(VecGetLocalSize(local, &n));
  PetscCall(PetscMalloc1(n, out));
  PetscCall(PetscArraycpy(*out, q, n));
  PetscCall(EquationsCloseUnknowns(layout, equations, &local, &q));
  PetscFunctionReturn(0);
}

// Adds the energies of the collected vectors.
static PetscErrorCode AddVectors(Energies *w) {
  const Layout *layout = &w->s->motion.layout;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < layout->nelement; e++) {
    if (!layout->element_primary[e]) continue;
    add_element(w, e);
    add_kinetic(w, e);
  }
  for (PetscInt j = 0; j < layout->njoint; j++)
    if (layout->joint_primary[j]) add_joint(w, j);
  for (int i = 0; i < w->count; i++) PetscCall(PetscFree(w->q[i]));
  w->count = 0;
  PetscFunctionReturn(0);
}

static void normalise(int n, double *value) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fabs(value[i]);
  for (int i = 0; i < n && sum > 0; i++) value[i] /= sum;
}

PetscErrorCode ModeNameMotion(System *s, Vec direction, char *name, size_t size) {
  Model m = s->motion.layout.model;
  ModeShape shape = {.name = ""};
  Energies w = {.s = s, .count = 1, .shape = {&shape}};
  int parts = m->components.count;
  Vec kept;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(parts + 1, &shape.kinetic, parts + 1, &shape.motion));
  PetscCall(VecDuplicate(direction, &kept));
  PetscCall(VecCopy(s->equations.unknown, kept));
  PetscCall(CopyWithGhosts(&s->motion.layout, &s->equations, direction, &w.q[0]));
  PetscCall(VecCopy(kept, s->equations.unknown));
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscCall(VecDestroy(&kept));
  for (PetscInt e = 0; e < s->motion.layout.nelement; e++)
    if (s->motion.layout.element_primary[e]) add_kinetic(&w, e);
  PetscCall(PetscFree(w.q[0]));
  PetscCall(ReduceArray(s->motion.layout.comm, shape.kinetic, parts, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(s->motion.layout.comm, shape.motion, (PetscInt64)MOTIONS * parts, MPI_DOUBLE, MPI_SUM));
  normalise(parts, shape.kinetic);
  PetscCall(ModeShapeNameMotion(m, &shape, name, size));
  PetscCall(PetscFree2(shape.kinetic, shape.motion));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindShares(const Modes *modes, const Mode *mode, int parts, ModeShape *out) {
  MPI_Comm comm = modes->pencil.s->motion.layout.comm;
  double strain = 0, kinetic = 0;
  PetscFunctionBegin;
  PetscCall(ReduceArray(comm, out->strain, parts, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(comm, out->kinetic, parts, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(comm, out->motion, (PetscInt64)MOTIONS * parts, MPI_DOUBLE, MPI_SUM));
  for (int i = 0; i < parts; i++) strain += fabs(out->strain[i]), kinetic += fabs(out->kinetic[i]);
  kinetic *= mode->re * mode->re + mode->im * mode->im;
  out->elastic = kinetic > 0 ? strain / kinetic : 0;
  normalise(parts, out->strain);
  normalise(parts, out->kinetic);
  PetscFunctionReturn(0);
}

static PetscErrorCode FindEnergies(const Modes *modes, ModeShapes *out) {
  Energies w = {.s = modes->pencil.s};
  PetscFunctionBegin;
  for (int i = 0; i < out->count; i++)
    for (int k = 0; k < 2; k++) {
      if (!modes->mode[i].right[k]) continue;
      w.shape[w.count] = &out->shape[i];
      PetscCall(CopyWithGhosts(&w.s->motion.layout, &w.s->equations, modes->mode[i].right[k], &w.q[w.count]));
      if (++w.count == TOGETHER) PetscCall(AddVectors(&w));
    }
  PetscCall(AddVectors(&w));
  for (int i = 0; i < out->count; i++) PetscCall(FindShares(modes, &modes->mode[i], out->parts, &out->shape[i]));
  PetscFunctionReturn(0);
}

// ---- effective masses ----

static PetscErrorCode MassCentre(const Layout *layout, const State *state, Vec3 *centre) {
  double sum[4] = {0};
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++) {
      double part[3];
      if (layout_is_abstract(layout, i)) continue;
      vec3_to(vec3_scale(layout->mass[i][0][j], state->x[4 * i + j]), part);
      for (int k = 0; k < 3; k++) sum[k] += part[k];
      if (j == 0) sum[3] += layout->mass[i][0][0];
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, layout->comm));
  *centre = sum[3] > 0 ? vec3_scale(1 / sum[3], vec3_of(sum)) : vec3_zero();
  PetscFunctionReturn(0);
}

// The rigid motion of the whole model along a ground axis, or about it at the mass centre.
static PetscErrorCode RigidMotion(const Layout *layout, const State *state, Vec3 centre, int direction, Vec out) {
  double unit[3] = {0}, *q;
  PetscFunctionBegin;
  unit[direction % 3] = 1;
  Vec3 e = vec3_of(unit);
  PetscCall(VecZeroEntries(out));
  PetscCall(VecGetArray(out, &q));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    double *at = q + 3 * layout->node_block[i];
    if (layout->node_block[i] < 0 || layout_is_abstract(layout, i)) continue;
    vec3_to(direction < 3 ? e : vec3_cross(e, vec3_sub(state->x[4 * i], centre)), at);
    if (direction >= 3 && model_node(layout->model, layout->node[i])->kind == NODE_FRAME) vec3_to(e, at + 3);
  }
  PetscCall(VecRestoreArray(out, &q));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindEffective(const Modes *modes, ModeShapes *out) {
  const Pencil *p = &modes->pencil;
  Vec r, f;
  Vec3 centre = vec3_zero();
  PetscScalar whole, part;
  PetscFunctionBegin;
  PetscCall(MassCentre(&p->s->motion.layout, &p->s->motion.state, &centre));
  PetscCall(MatCreateVecs(p->m, &r, &f));
  for (int d = 0; d < 6; d++) {
    PetscCall(RigidMotion(&p->s->motion.layout, &p->s->motion.state, centre, d, r));
    PetscCall(MatMult(p->m, r, f));
    PetscCall(VecDot(r, f, &whole));
    for (int i = 0; i < out->count && whole > 0; i++) // modes have norm 1
      for (int k = 0; k < 2; k++) {
        if (!modes->mode[i].right[k]) continue;
        PetscCall(VecDot(modes->mode[i].right[k], f, &part));
        out->shape[i].effective[d] += part * part / whole;
      }
  }
  PetscCall(VecDestroy(&r));
  PetscCall(VecDestroy(&f));
  PetscFunctionReturn(0);
}

// ---- whirl ----

typedef struct {                  // sums over the nodes of this rank, then of all
  double circling, across, along; // displacements weighted by mass, over the modal mass: across the axis and along it
  double angular[2][3];           // angular momentum of the real and of the imaginary part
} Circles;

// u(t) = re cos - im sin circles about the axis in the sense of -re x im.
static void add_circles(const Layout *layout, const State *state, const Spin *spin, PetscInt node,
                        const double *const q[2], Circles *c) {
  const Inertia *inertia = &layout->inertia[node];
  NodeKind kind = model_node(layout->model, layout->node[node])->kind;
  Vec3 u[2], arm = vec3_sub(state->x[4 * node], spin->centre);
  Mat3 own = kind == NODE_FRAME ? node_axes(state->x + 4 * node) : mat3_identity();
  for (int k = 0; k < 2; k++) {
    const double *at = q[k] + 3 * layout->node_block[node];
    u[k] = vec3_of(at);
    Vec3 v = mat3_apply_transpose(own, u[k]), turn = vec3_zero();
    if (kind == NODE_FRAME) turn = mat3_apply_transpose(own, vec3_of(at + 3));
    Vec3 momentum = mat3_apply(own, inertia_momentum(inertia, v, turn));
    double h[3], along = vec3_dot(u[k], spin->axis);
    vec3_to(vec3_add(vec3_cross(arm, momentum), mat3_apply(own, inertia_angular(inertia, v, turn))), h);
    for (int i = 0; i < 3; i++) c->angular[k][i] += h[i];
    c->across += inertia->m * (vec3_dot(u[k], u[k]) - along * along);
    c->along += inertia->m * along * along;
  }
  c->circling -= 2 * inertia->m * vec3_dot(vec3_cross(u[0], u[1]), spin->axis);
}

// Whirl from displacements if these are across the axis; otherwise from the angular momentum of the whole, if the mode
// tilts it. A mode that turns about the axis has none.
static PetscErrorCode FindWhirl(const Modes *modes, const Mode *mode, ModeShape *out) {
  const Motion *motion = &modes->pencil.s->motion;
  const Spin *spin = &modes->pencil.spin;
  const double *q[2];
  Circles c = {0};
  PetscFunctionBegin;
  if (spin->rate == 0 || spin->rotor || !mode->right[1]) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(VecGetArrayRead(mode->right[i], &q[i]));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++)
    if (motion->layout.node_block[i] >= 0) add_circles(&motion->layout, &motion->state, spin, i, q, &c);
  for (int i = 0; i < 2; i++) PetscCall(VecRestoreArrayRead(mode->right[i], &q[i]));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &c, sizeof c / sizeof(double), MPI_DOUBLE, MPI_SUM, motion->layout.comm));
  double tilt = out->effective[3] + out->effective[4] + out->effective[5], across = 0, along = 0;
  Vec3 h[2] = {vec3_of(c.angular[0]), vec3_of(c.angular[1])};
  for (int k = 0; k < 2; k++) {
    double part = vec3_dot(h[k], spin->axis);
    across += vec3_dot(h[k], h[k]) - part * part, along += part * part;
  }
  if (c.across > 0.1 * c.along && c.across > 0.01) out->whirl = c.circling / c.across;
  if (fabs(out->whirl) < 0.5 && tilt > 0.01 && across > 0.1 * along)
    out->whirl = -2 * vec3_dot(vec3_cross(h[0], h[1]), spin->axis) / across;
  PetscFunctionReturn(0);
}

// ---- all ----

PetscErrorCode ModeShapesFind(Modes *modes, const char *const words[2], ModeShapes *out) {
  Model m = modes->pencil.s->motion.layout.model;
  Mat k;
  PetscFunctionBegin;
  *out = (ModeShapes){.count = modes->count, .parts = m->components.count + m->joints.count};
  PetscCall(CreateStiffness(&modes->pencil.s->motion, &modes->pencil.s->equations, &modes->pencil.spin,
                            &k)); // begins the step that tangents need
  PetscCall(MatDestroy(&k));
  PetscCall(PetscCalloc1(out->count, &out->shape));
  for (int i = 0; i < out->count; i++)
    PetscCall(PetscCalloc3(out->parts, &out->shape[i].strain, out->parts, &out->shape[i].kinetic, out->parts,
                           &out->shape[i].motion));
  PetscCall(FindEffective(modes, out));
  PetscCall(FindEnergies(modes, out));
  for (int i = 0; i < out->count; i++) {
    PetscCall(FindWhirl(modes, &modes->mode[i], &out->shape[i]));
    PetscCall(ModeShapeOfRotor(modes, &modes->mode[i], &out->shape[i]));
  }
  PetscCall(ModeShapesName(modes, words, out));
  PetscFunctionReturn(0);
}

PetscErrorCode ModeShapesDestroy(ModeShapes *shapes) {
  PetscFunctionBegin;
  for (int i = 0; i < shapes->count; i++)
    PetscCall(PetscFree3(shapes->shape[i].strain, shapes->shape[i].kinetic, shapes->shape[i].motion));
  PetscCall(PetscFree(shapes->shape));
  *shapes = (ModeShapes){0};
  PetscFunctionReturn(0);
}
