// SPDX-License-Identifier: Apache-2.0
// Energies of parts in a mode: of an element x^T k x/2 with its own tangent, geometric stiffness included, of a joint with
// that of its laws and of its multipliers; kinetic with its own masses. Of complex modes those of both parts add up, as they do over
// a period.
#include "analyses/modes/shapes.h"

enum { TOGETHER = 16 }; // vectors for which an element is evaluated once

typedef struct {
  System *s;
  int count;
  ModeShape *shape[TOGETHER]; // of each vector
  double *q[TOGETHER];        // its unknowns on this rank, with those of ghosts
} Energies;

// x^T k x/2 of the item in the system's scratch memory
static double quadratic_form(const System *s, int nblock, const PetscInt *block, const double *q) {
  const Local *l = s->scratch;
  double x[MAX_LOCAL], sum = 0;
  for (int b = 0; b < nblock; b++)
    for (int i = 0; i < 3; i++) x[3 * b + i] = q[3 * block[b] + i];
  for (int i = 0; i < l->n; i++)
    for (int j = 0; j < l->n; j++) sum += 0.5 * x[i] * l->k[i * l->n + j] * x[j];
  return sum;
}

static int node_unknowns(const System *s, PetscInt node, int at, PetscInt *block) {
  int n = node_blocks(model_node(s->layout.model, s->layout.node[node])->kind);
  for (int b = 0; b < n; b++) block[at + b] = s->layout.node_block[node] + b;
  return at + n;
}

// The nodes of an item as they stand.
static void gather(const System *s, PetscInt count, const PetscInt *node, LocalMotion *it, PetscInt *block) {
  static const Vec3 rest[MAX_STAGES];
  int n = 0;
  local_motion_begin(it, s->rule->tableau.s, s->rule->tableau.force_rule);
  for (PetscInt a = 0; a < count; a++) {
    local_motion_add_node(it, model_node(s->layout.model, s->layout.node[node[a]])->kind, s->state.x + 4 * node[a],
                          rest, rest);
    n = node_unknowns(s, node[a], n, block);
  }
}

static void add_element(const Energies *w, PetscInt e) {
  System *s = w->s;
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  PetscInt block[MAX_LOCAL_BLOCKS];
  LocalMotion it;
  if (el->kind->points(el->data) == 0) return;
  gather(s, el->nnode, s->layout.element_node + s->layout.element_node_start[e], &it, block);
  local_begin(s->scratch, it.s, it.nblock, true);
  ElementStep step = system_element_step(s, e);
  element_evaluate(el->kind, el->data, &step, &it, s->scratch);
  for (int i = 0; i < w->count; i++) w->shape[i]->strain[el->component] += quadratic_form(s, it.nblock, block, w->q[i]);
}

static void add_joint(const Energies *w, PetscInt j) {
  System *s = w->s;
  int part = s->layout.model->components.count + (int)s->layout.joint[j];
  const ModelJoint *m = model_joint(s->layout.model, s->layout.joint[j]);
  PetscInt block[MAX_LOCAL_BLOCKS];
  double lambda[MAX_STAGES][MAX_ROWS] = {{0}};
  Coords load[MAX_STAGES] = {{{0}}};
  LocalMotion it;
  gather(s, m->nnode, s->layout.joint_node[j], &it, block);
  for (int b = 0; b < joint_blocks(&m->joint); b++) block[it.nblock + b] = s->layout.joint_block[j] + b;
  for (int r = 0; r < m->joint.rows.nrow; r++) lambda[0][r] = s->state.multiplier[j][r];
  local_begin(s->scratch, it.s, it.nblock + joint_blocks(&m->joint), true);
  joint_evaluate(&m->joint, &s->rule->tableau, s->step.h, &s->step.recall, NULL, &it, &s->state.coord[j],
                 &s->state.coord[j], lambda, load, s->scratch);
  for (int i = 0; i < s->scratch->n; i++) // multipliers and what fills blocks have no energy
    for (int r = 0; r < 3 * joint_blocks(&m->joint); r++) {
      int at = 3 * it.nblock + r;
      if (r >= m->joint.rows.nrow && r < joint_unknowns(&m->joint)) continue;
      s->scratch->k[at * s->scratch->n + i] = s->scratch->k[i * s->scratch->n + at] = 0;
    }
  for (int i = 0; i < w->count; i++)
    w->shape[i]->strain[part] += quadratic_form(s, it.nblock + joint_blocks(&m->joint), block, w->q[i]);
}

// The axes in which an element's motion is told: those of the section next to the node, or the ground's.
static void axes_at(const System *s, PetscInt e, int node, Vec3 axis[3]) {
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  int points = el->kind->points(el->data);
  Vec3 x[MAX_LOCAL_VECTORS];
  axis[0] = (Vec3){1, 0, 0}, axis[1] = (Vec3){0, 1, 0}, axis[2] = (Vec3){0, 0, 1};
  if (!el->kind->axes || points == 0) return;
  system_element_vectors(s, e, x);
  el->kind->axes(el->data, node < points ? node : points - 1, x, axis);
}

// Kinetic energy of an element's own masses at unit frequency, and of its motions along and about axes.
static void add_kinetic(const Energies *w, PetscInt e) {
  const System *s = w->s;
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  for (int a = 0; a < el->nnode; a++) {
    PetscInt i = s->layout.element_node[s->layout.element_node_start[e] + a];
    NodeKind kind = model_node(s->layout.model, s->layout.node[i])->kind;
    Vec3 axis[3], u, turn = vec3_zero();
    Inertia inertia;
    if (s->layout.node_block[i] < 0) continue;
    el->kind->inertia(el->data, a, &inertia);
    Mat3 own = kind == NODE_FRAME ? node_axes(s->state.x + 4 * i) : mat3_identity();
    axes_at(s, e, a, axis);
    for (int v = 0; v < w->count; v++) {
      const double *q = w->q[v] + 3 * s->layout.node_block[i];
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

// A copy of a vector with what ghosts have of it.
static PetscErrorCode CopyWithGhosts(System *s, Vec x, double **out) {
  const double *q;
  PetscInt n;
  Vec local;
  PetscFunctionBegin;
  PetscCall(VecCopy(x, s->linear.unknown));
  PetscCall(SystemRefresh(s));
  PetscCall(SystemOpenUnknowns(s, &local, &q));
  PetscCall(VecGetLocalSize(local, &n));
  PetscCall(PetscMalloc1(n, out));
  PetscCall(PetscArraycpy(*out, q, n));
  PetscCall(SystemCloseUnknowns(s, &local, &q));
  PetscFunctionReturn(0);
}

// What the vectors have been waiting for.
static PetscErrorCode AddVectors(Energies *w) {
  System *s = w->s;
  PetscFunctionBegin;
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    if (!s->layout.element_primary[e]) continue;
    add_element(w, e);
    add_kinetic(w, e);
  }
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    if (s->layout.joint_primary[j]) add_joint(w, j);
  for (int i = 0; i < w->count; i++) PetscCall(PetscFree(w->q[i]));
  w->count = 0;
  PetscFunctionReturn(0);
}

static void normalise(int n, double *value) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fabs(value[i]);
  for (int i = 0; i < n && sum > 0; i++) value[i] /= sum;
}

static PetscErrorCode FindShares(const Modes *modes, const Mode *mode, int parts, ModeShape *out) {
  MPI_Comm comm = modes->pencil.s->layout.comm;
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
      PetscCall(CopyWithGhosts(w.s, modes->mode[i].right[k], &w.q[w.count]));
      if (++w.count == TOGETHER) PetscCall(AddVectors(&w));
    }
  PetscCall(AddVectors(&w));
  for (int i = 0; i < out->count; i++) PetscCall(FindShares(modes, &modes->mode[i], out->parts, &out->shape[i]));
  PetscFunctionReturn(0);
}

// ---- effective masses ----

static PetscErrorCode MassCentre(const System *s, Vec3 *centre) {
  double sum[4] = {0};
  PetscFunctionBegin;
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    for (int j = 0; j < node_vectors(model_node(s->layout.model, s->layout.node[i])->kind); j++) {
      double part[3];
      vec3_to(vec3_scale(s->layout.mass[i][0][j], s->state.x[4 * i + j]), part);
      for (int k = 0; k < 3; k++) sum[k] += part[k];
      if (j == 0) sum[3] += s->layout.mass[i][0][0];
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, s->layout.comm));
  *centre = sum[3] > 0 ? vec3_scale(1 / sum[3], vec3_of(sum)) : vec3_zero();
  PetscFunctionReturn(0);
}

// The whole moved along a ground axis, or turned about it at the mass centre.
static PetscErrorCode RigidMotion(const System *s, Vec3 centre, int direction, Vec out) {
  double unit[3] = {0}, *q;
  PetscFunctionBegin;
  unit[direction % 3] = 1;
  Vec3 e = vec3_of(unit);
  PetscCall(VecZeroEntries(out));
  PetscCall(VecGetArray(out, &q));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    double *at = q + 3 * s->layout.node_block[i];
    if (s->layout.node_block[i] < 0) continue;
    vec3_to(direction < 3 ? e : vec3_cross(e, vec3_sub(s->state.x[4 * i], centre)), at);
    if (direction >= 3 && model_node(s->layout.model, s->layout.node[i])->kind == NODE_FRAME) vec3_to(e, at + 3);
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
  PetscCall(MassCentre(p->s, &centre));
  PetscCall(MatCreateVecs(p->m, &r, &f));
  for (int d = 0; d < 6; d++) {
    PetscCall(RigidMotion(p->s, centre, d, r));
    PetscCall(MatMult(p->m, r, f));
    PetscCall(VecDot(r, f, &whole));
    for (int i = 0; i < out->count && whole > 0; i++) // of norm 1
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

// u(t) = re cos - im sin circles about the axis by -re x im: summed over masses, and for the angular momentum of the whole.
static PetscErrorCode FindWhirl(const Modes *modes, const Mode *mode, ModeShape *out) {
  const System *s = modes->pencil.s;
  const Spin *spin = &modes->pencil.spin;
  Vec3 a = spin->axis;
  const double *q[2];
  double sum[9] = {0}; // circling, size across the axis; angular momentum of both parts; size along the axis
  PetscFunctionBegin;
  if (spin->rate == 0 || !mode->right[1]) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(VecGetArrayRead(mode->right[i], &q[i]));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    PetscInt at = 3 * s->layout.node_block[i];
    double m = s->layout.inertia[i].m;
    Vec3 u[2], arm = vec3_sub(s->state.x[4 * i], spin->centre);
    if (s->layout.node_block[i] < 0) continue;
    for (int k = 0; k < 2; k++) {
      u[k] = vec3_of(q[k] + at);
      double h[3];
      vec3_to(vec3_scale(m, vec3_cross(arm, u[k])), h);
      for (int c = 0; c < 3; c++) sum[2 + 3 * k + c] += h[c];
      double along = vec3_dot(u[k], a);
      sum[1] += 0.5 * m * (vec3_dot(u[k], u[k]) - along * along);
      sum[8] += 0.5 * m * along * along;
    }
    sum[0] -= m * vec3_dot(vec3_cross(u[0], u[1]), a);
  }
  for (int i = 0; i < 2; i++) PetscCall(VecRestoreArrayRead(mode->right[i], &q[i]));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 9, MPI_DOUBLE, MPI_SUM, s->layout.comm));
  Vec3 h[2] = {vec3_of(sum + 2), vec3_of(sum + 5)};
  double across = 0, tilt = out->effective[3] + out->effective[4] + out->effective[5];
  for (int k = 0; k < 2; k++) across += 0.5 * (vec3_dot(h[k], h[k]) - vec3_dot(h[k], a) * vec3_dot(h[k], a));
  if (sum[1] > 0.1 * sum[8]) out->whirl = sum[0] / sum[1];
  if (fabs(out->whirl) < 0.5 && tilt > 0.01 && across > 0) out->whirl = -vec3_dot(vec3_cross(h[0], h[1]), a) / across;
  PetscFunctionReturn(0);
}

// ---- all ----

PetscErrorCode ModeShapesFind(Modes *modes, const char *const words[2], ModeShapes *out) {
  Model m = modes->pencil.s->layout.model;
  Mat k;
  PetscFunctionBegin;
  *out = (ModeShapes){.count = modes->count, .parts = m->components.count + m->joints.count};
  PetscCall(SystemStiffness(modes->pencil.s, &modes->pencil.spin, &k)); // begins the step that tangents are of
  PetscCall(MatDestroy(&k));
  PetscCall(PetscCalloc1(out->count, &out->shape));
  for (int i = 0; i < out->count; i++)
    PetscCall(PetscCalloc3(out->parts, &out->shape[i].strain, out->parts, &out->shape[i].kinetic, out->parts,
                           &out->shape[i].motion));
  PetscCall(FindEffective(modes, out));
  PetscCall(FindEnergies(modes, out));
  for (int i = 0; i < out->count; i++) PetscCall(FindWhirl(modes, &modes->mode[i], &out->shape[i]));
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
