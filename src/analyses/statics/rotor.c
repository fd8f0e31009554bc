// SPDX-License-Identifier: Apache-2.0
// The rotor of a model that rotates in part: what a drive of constant rate turns against the rest, and its equal blades,
// copies of each other turned by 2 pi/N about its axis. N is the largest number for which every node and joint of the
// rotor has a copy; what is on the axis is its own.
#include "analyses/statics/statics.h"
#include "assembly/matrices.h"
#include "assembly/partition.h"
#include "assembly/ranks.h"
#include "base/rotation.h"

enum { LEAST_BLADES = 3, MOST_BLADES = 12 };
static const double same_place = 1e-6;     // distance of a node from its copy, relative to the size of the model
static const double same_mass = 1e-6;      // relative difference of blocks of the mass matrix
static const double same_direction = 1e-3; // difference of unit vectors
static const double same_stiffness = 1e-2; // ... of K and C: loads across the axis strain blades differently
static const double round_off =
    1e-6; // of K, relative to the rate squared times masses, and of C to the rate times masses

PetscErrorCode RotorDestroy(Rotor *r) {
  PetscFunctionBegin;
  PetscCall(PetscFree(r->turns));
  PetscCall(PetscFree2(r->next, r->next_joint));
  *r = (Rotor){0};
  PetscFunctionReturn(0);
}

// ---- what turns ----

// `free`: the ground does not hold the other nodes.
static void unite(Model m, PetscInt *parent, int count, const int *node, bool free) {
  PetscInt first = -1;
  for (int a = 0; a < count; a++) {
    bool fixed = model_node(m, node[a])->kind == NODE_FIXED;
    if (fixed && free) continue;
    PetscInt root = system_root(parent, fixed ? 0 : node[a]);
    if (first < 0) first = root;
    parent[PetscMax(first, root)] = PetscMin(first, root);
    first = PetscMin(first, root);
  }
}

// The nodes that a joint connects: with the ground, its last, only if there is no other pair.
static int held_nodes(const ModelJoint *j) { return j->nnode > 2 ? j->nnode - 1 : j->nnode; }

PetscErrorCode RotorFind(Model m, double time, Rotor *out) {
  int n = m->nodes.count, drive = statics_find_drive(m, time, true);
  PetscInt *parent, side = 0;
  PetscFunctionBegin;
  *out = (Rotor){0};
  if (drive < 0) PetscFunctionReturn(0);
  const ModelJoint *shaft = model_joint(m, model_load(m, drive)->load.id);
  PetscCall(PetscMalloc1(n, &parent));
  for (int i = 0; i < n; i++) parent[i] = i;
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    unite(m, parent, el->nnode, model_element_nodes(m, el), el->kind->around);
  }
  for (int j = 0; j < m->joints.count; j++)
    if (model_joint(m, j) != shaft) unite(m, parent, held_nodes(model_joint(m, j)), model_joint(m, j)->node, false);
  for (int a = 0; a < held_nodes(shaft); a++) {
    PetscInt root = system_root(parent, shaft->node[a]);
    if (model_node(m, shaft->node[a])->kind != NODE_FIXED && root != system_root(parent, 0)) side = root;
  }
  bool splits = false;
  for (int a = 0; a < held_nodes(shaft) && side != 0; a++)
    splits = splits || (system_root(parent, shaft->node[a]) != side);
  if (splits) {
    PetscCall(PetscMalloc1(n, &out->turns));
    for (int i = 0; i < n; i++) out->turns[i] = model_node(m, i)->kind != NODE_FIXED && system_root(parent, i) == side;
  }
  PetscCall(PetscFree(parent));
  PetscFunctionReturn(0);
}

// ---- copies ----

typedef struct {
  Model m;
  const Spin *spin;
  double near;
  Mat3 turn; // by 2 pi/N
} Search;

static Vec3 place(const Search *q, int node) { return vec3_sub(model_node(q->m, node)->x[0], q->spin->centre); }

// The copy of a node: among nodes at one place, the one with the same rank in the order of the model. -1: none.
static int copy_of_node(const Search *q, const Rotor *r, int node) {
  Vec3 at = place(q, node), image = mat3_apply(q->turn, at);
  int rank = 0;
  for (int i = 1; i < node; i++)
    rank += r->turns[i] && model_node(q->m, i)->kind == model_node(q->m, node)->kind &&
            vec3_norm(vec3_sub(place(q, i), at)) <= q->near;
  for (int i = 1; i < q->m->nodes.count; i++)
    if (r->turns[i] && model_node(q->m, i)->kind == model_node(q->m, node)->kind &&
        vec3_norm(vec3_sub(place(q, i), image)) <= q->near && rank-- == 0)
      return i;
  return -1;
}

static int copy_or_itself(const Rotor *r, int node) { return r->next[node] < 0 ? node : r->next[node]; }

// States of a flow have no place: they belong to an element, of which they are the last node.
static int state_of(Model m, int element) {
  const ModelElement *e = model_element(m, element);
  int last = model_element_nodes(m, e)[e->nnode - 1];
  return model_node(m, last)->states ? last : -1;
}

// Whether an element with states is at the nodes of another, or at the copies of these.
static bool has_states_at(Model m, const Rotor *r, int element, int other, bool copies) {
  const ModelElement *a = model_element(m, element), *b = model_element(m, other);
  if (a->kind != b->kind || a->nnode != b->nnode || state_of(m, other) < 0) return false;
  for (int k = 0; k + 1 < a->nnode; k++) {
    int node = model_element_nodes(m, a)[k];
    if ((copies ? copy_or_itself(r, node) : node) != model_element_nodes(m, b)[k]) return false;
  }
  return true;
}

// Finds the copies of states: among elements at the same nodes, those of the one with the same rank.
static void copy_states(Model m, Rotor *r) {
  for (int e = 0; e < m->elements.count; e++) {
    int of = state_of(m, e), rank = 0;
    if (of < 0 || !r->turns[of]) continue;
    for (int f = 0; f < e; f++) rank += has_states_at(m, r, e, f, false);
    r->next[of] = -1;
    for (int f = 0; f < m->elements.count && r->next[of] < 0; f++)
      if (has_states_at(m, r, e, f, true) && rank-- == 0) r->next[of] = state_of(m, f);
  }
}

static bool joins_copies(const Rotor *r, const ModelJoint *a, const ModelJoint *b) {
  if (a->kind != b->kind || a->nnode != b->nnode || a->joint.ncoord != b->joint.ncoord) return false;
  for (int k = 0; k < a->nnode; k++)
    if (copy_or_itself(r, a->node[k]) != b->node[k]) return false;
  return true;
}

// The copy of a joint: among joints of the same nodes, the one with the same rank. -1: none.
static int copy_of_joint(Model m, const Rotor *r, int joint) {
  const ModelJoint *of = model_joint(m, joint);
  int rank = 0;
  for (int j = 0; j < joint; j++) {
    const ModelJoint *other = model_joint(m, j);
    bool beside = other->kind == of->kind && other->nnode == of->nnode;
    for (int k = 0; k < of->nnode && beside; k++) beside = other->node[k] == of->node[k];
    rank += beside;
  }
  for (int j = 0; j < m->joints.count; j++)
    if (joins_copies(r, of, model_joint(m, j)) && rank-- == 0) return j;
  return -1;
}

static bool closes(const int *next, int first, int n) {
  int at = first, count = 0;
  do at = next[at], count++;
  while (at >= 0 && at != first && count <= n);
  return at == first && (count == n || count == 1);
}

// Finds the copies for N blades; returns how many nodes have one, and the first without.
static int find_nodes(Search *q, Rotor *r, int *without) {
  int found = 0;
  q->turn = rotation_exponential(vec3_scale(2 * PETSC_PI / r->blades, q->spin->axis)), *without = -1;
  for (int i = 0; i < q->m->nodes.count; i++)
    r->next[i] = r->turns[i] && !model_node(q->m, i)->states ? copy_of_node(q, r, i) : -1;
  copy_states(q->m, r);
  for (int i = 0; i < q->m->nodes.count; i++) {
    if (r->next[i] >= 0) found++;
    else if (r->turns[i] && *without < 0) *without = i;
  }
  for (int i = 0; i < q->m->nodes.count && *without < 0; i++)
    if (r->turns[i] && !closes(r->next, i, r->blades)) *without = i;
  return found;
}

static bool find_joints(Model m, Rotor *r, int *without) {
  for (int j = 0; j < m->joints.count; j++) {
    const ModelJoint *q = model_joint(m, j);
    bool turns = false;
    for (int a = 0; a < q->nnode; a++) turns = turns || r->turns[q->node[a]];
    r->next_joint[j] = turns ? copy_of_joint(m, r, j) : -1;
    if (turns && r->next_joint[j] < 0) *without = j;
    if (*without >= 0) return false;
  }
  return true;
}

static bool differ(double a, double b) { return fabs(a - b) > same_mass * fmax(fabs(a), fabs(b)); }

static bool numbers_differ(int count, const double *a, const double *b) {
  for (int i = 0; i < count; i++)
    if (differ(a[i], b[i])) return true;
  return false;
}

// What of two laws differs; NULL: nothing.
static const char *law_difference(const Law *a, const Law *b) {
  const Friction *f = &a->friction, *g = &b->friction;
  const double spring[2][3] = {{a->stiffness, a->rest, a->clearance}, {b->stiffness, b->rest, b->clearance}};
  const double friction[2][7] = {
      {f->kinetic, f->static_limit, f->kinetic_coefficient, f->static_coefficient, f->radius, f->stiffness, f->damping},
      {g->kinetic, g->static_limit, g->kinetic_coefficient, g->static_coefficient, g->radius, g->stiffness,
       g->damping}};
  if (numbers_differ(3, spring[0], spring[1]) || a->side != b->side || a->pairs != b->pairs) return "spring";
  if (a->pairs && numbers_differ(2 * a->pairs, a->table, b->table)) return "spring";
  if (differ(a->damping, b->damping)) return "damper";
  if (numbers_differ(7, friction[0], friction[1])) return "friction";
  if (!a->limits != !b->limits || (a->limits && numbers_differ(2, a->limits, b->limits))) return "limit";
  return a->limits && differ(a->limit_stiffness, b->limit_stiffness) ? "limit" : NULL;
}

// Unit vectors, or zero. `line`: a direction and its opposite are the same.
static bool directions_differ(Mat3 turn, Vec3 a, Vec3 b, bool line) {
  Vec3 turned = mat3_apply(turn, a);
  double off = vec3_norm(vec3_sub(turned, b));
  return (line ? fmin(off, vec3_norm(vec3_add(turned, b))) : off) > same_direction;
}

// Whether two joints that are copies differ in what acts along their coordinates, or have other axes. The second axis
// counts for a universal joint, and for the directions in which a plane is pushed.
static const char *difference(Mat3 turn, const JointKind *kind, const Joint *a, const Joint *b) {
  const JointGeometry *p = &a->geometry, *q = &b->geometry;
  bool acts = false;
  for (int c = 0; c < a->ncoord; c++) {
    const char *what = law_difference(&a->law[c], &b->law[c]);
    if (what) return what;
    acts = acts || law_acts(&a->law[c]);
  }
  bool second = kind->mark == MARK_CROSS || (kind->mark == MARK_PLANE && acts);
  return directions_differ(turn, p->axis, q->axis, !acts)                 ? "axis"
         : second && directions_differ(turn, p->second, q->second, !acts) ? "second axis"
                                                                          : NULL;
}

static const char advice[] = "Multi-blade coordinates need three or more equal blades about the axis of the drive; "
                             "`limber floquet` works for any rotor";

static void compare_joints(Model m, Mat3 turn, const Rotor *r, Refusal *wrong) {
  char name[2][256];
  for (int j = 0; j < m->joints.count && !is_refused(wrong); j++) {
    int to = r->next_joint[j];
    const ModelJoint *of = model_joint(m, j);
    const char *what = to < 0 || to == j ? NULL : difference(turn, of->kind, &of->joint, &model_joint(m, to)->joint);
    if (!what) continue;
    model_name_joint(m, j, name[0], sizeof name[0]), model_name_joint(m, to, name[1], sizeof name[1]);
    refuse(wrong, "the blades of the rotor differ: %s has another %s than %s, its copy turned by %.4g degrees. %s",
           name[0], what, name[1], 360.0 / r->blades, advice);
  }
}

static PetscErrorCode FindCopies(const Layout *layout, const Spin *spin, Rotor *r, Refusal *wrong) {
  Model m = layout->model;
  Search q = {m, spin, same_place * layout->length, mat3_identity()};
  int most = -1, missing = -1, joint = -1, without;
  char name[256];
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(m->nodes.count, &r->next, m->joints.count, &r->next_joint));
  for (r->blades = MOST_BLADES; r->blades >= LEAST_BLADES; r->blades--) {
    int found = find_nodes(&q, r, &without);
    if (without < 0) break;
    if (found >= most) most = found, missing = without;
  }
  if (r->blades < LEAST_BLADES) {
    model_name_node(m, missing, name, sizeof name);
    refuse(wrong, "the rotor has no equal blades: %s of it has no copy at an equal angle. %s", name, advice);
  } else if (!find_joints(m, r, &joint)) {
    model_name_joint(m, joint, name, sizeof name);
    refuse(wrong, "the rotor has no equal blades: %s has no copy at an equal angle. %s", name, advice);
  } else compare_joints(m, q.turn, r, wrong);
  PetscFunctionReturn(0);
}

// ---- equal masses and stiffnesses ----

// The blocks of all nodes on the diagonal of a matrix, 6 x 6 each, on all ranks.
static PetscErrorCode GatherBlocks(const Layout *layout, Mat a, double *out) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt row[6], n = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind);
    double value[36];
    if (layout->node_block[i] < 0) continue;
    for (int k = 0; k < n; k++) row[k] = 3 * layout->block_global[layout->node_block[i] + k / 3] + k % 3;
    PetscCall(MatGetValues(a, n, row, n, row, value));
    for (int k = 0; k < n * n; k++) out[36 * layout->node[i] + 6 * (k / n) + k % n] = value[k];
  }
  PetscCall(ReduceArray(layout->comm, out, (PetscInt64)36 * layout->model->nodes.count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

static Mat3 block_of(const double *a, int i, int j) {
  Mat3 out;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) out.m[r][c] = a[6 * (3 * i + r) + 3 * j + c];
  return out;
}

static double size_of(Mat3 a) {
  double sum = 0;
  for (int k = 0; k < 9; k++) sum += a.m[k / 3][k % 3] * a.m[k / 3][k % 3];
  return sqrt(sum);
}

// Whether R A R^T = B in all four blocks of displacement and rotation. `least`: times masses, of a block that is not
// round-off.
static bool is_copy(Mat3 turn, const double *a, const double *b, const double *mass, double least, double tolerance) {
  double size[2];
  for (int i = 0; i < 2; i++) size[i] = fmax(size_of(block_of(b, i, i)), least * size_of(block_of(mass, i, i)));
  for (int i = 0; i < 4; i++) {
    Mat3 turned = mat3_mul(mat3_mul(turn, block_of(a, i / 2, i % 2)), mat3_transpose(turn));
    if (size_of(mat3_sub(turned, block_of(b, i / 2, i % 2))) > tolerance * sqrt(size[i / 2] * size[i % 2]))
      return false;
  }
  return true;
}

static void refuse_unequal(Model m, const Rotor *r, int node, const char *what, Refusal *wrong) {
  char name[2][256];
  model_name_node(m, node, name[0], sizeof name[0]), model_name_node(m, r->next[node], name[1], sizeof name[1]);
  if (r->next[node] == node)
    refuse(wrong,
           "the rotor is not isotropic: %s on its axis has another %s in one direction across the axis than in others. "
           "%s",
           name[0], what, advice);
  else
    refuse(wrong, "the blades of the rotor differ: %s has another %s than %s, its copy turned by %.4g degrees. %s",
           name[0], what, name[1], 360.0 / r->blades, advice);
}

static PetscErrorCode CompareCopies(const Layout *layout, const Spin *spin, const Rotor *r, Mat a, Mat mass,
                                    double least, double tolerance, const char *what, Refusal *wrong) {
  Model m = layout->model;
  Mat3 turn = rotation_exponential(vec3_scale(2 * PETSC_PI / r->blades, spin->axis));
  double *block, *masses;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(36 * m->nodes.count, &block, 36 * m->nodes.count, &masses));
  PetscCall(GatherBlocks(layout, a, block));
  if (a != mass) PetscCall(GatherBlocks(layout, mass, masses));
  // what is on the axis feels all blades, and comes last
  for (int own = 0; own < 2; own++)
    for (int i = 1; i < m->nodes.count && !is_refused(wrong); i++) {
      const int to = r->next[i];
      if (to < 0 || (to == i) != own) continue;
      Mat3 own_turn = model_node(m, i)->states ? mat3_identity() : turn;
      if (is_copy(own_turn, block + 36 * i, block + 36 * to, masses + 36 * to, least, tolerance)) continue;
      refuse_unequal(m, r, i, what, wrong);
    }
  PetscCall(PetscFree2(block, masses));
  PetscFunctionReturn(0);
}

PetscErrorCode RotorFindBlades(System *s, const Spin *spin, Rotor *r, Refusal *wrong) {
  const Layout *layout = &s->motion.layout;
  double rate = fabs(spin->rate);
  Mat mass, k, c;
  PetscFunctionBegin;
  PetscCall(FindCopies(layout, spin, r, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(CreateMass(layout, &s->motion.state, &mass));
  PetscCall(CompareCopies(layout, spin, r, mass, mass, 0, same_mass, "mass or moment of inertia", wrong));
  if (!is_refused(wrong)) {
    PetscCall(CreateStiffness(&s->motion, &s->equations, spin, &k));
    PetscCall(CompareCopies(layout, spin, r, k, mass, round_off * rate * rate, same_stiffness, "stiffness", wrong));
    PetscCall(MatDestroy(&k));
  }
  if (!is_refused(wrong)) {
    PetscCall(CreateDamping(&s->motion, &s->equations, spin, &c));
    PetscCall(CompareCopies(layout, spin, r, c, mass, round_off * rate, same_stiffness, "damping", wrong));
    PetscCall(MatDestroy(&c));
  }
  PetscCall(MatDestroy(&mass));
  PetscFunctionReturn(0);
}
