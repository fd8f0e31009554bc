// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint/run_state.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/event_sensors.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/start.h"
#include "assembly/contacts.h"
#include "solvers/redundancy.h"

#include <string.h>

typedef struct {
  LimberLedger ledger;
  Control control;
  FastestRotation fastest;
  double time, h, previous_step[2], step_fraction, energy_start, potential_start, memory_start, branched;
  double last_h, past_step, recalled_step;
  int64_t count;
  int32_t falls, balanced, loops, controlled, stepped, memory;
  Growth growth;
} Numbers;

enum {
  NODE_NUMBERS = 12,
  JOINT_NUMBERS = 11 * MAX_COORDS + 2 * MAX_ROWS,
  REACTION_NUMBERS = sizeof(JointReaction) / sizeof(double)
};

// Numbers of all nodes and joints in the order of the model.
typedef struct {
  Stepper *p;
  int node_width; // numbers of a node
  size_t nodes, joints, blocks, rows;
  size_t *node_at, *joint_at; // first of the increments of each node and joint
  size_t *row_at;             // first of the increments of rows that each element remembers
  double *node, *joint, *block[2], *row[2];
} Image;

// Increments of a joint have room for its coordinates also where these are no unknowns (mechanics/joint.h).
static size_t joint_room(const System *s, size_t j) {
  const Joint *m = &model_joint(s->layout.model, (LimberId)j)->joint;
  return (size_t)(joint_blocks(m) + (s->rule->projects_velocities ? projection_blocks(m) : 0));
}

static PetscErrorCode ImageCreate(Stepper *p, Image *m) {
  const System *s = p->s;
  size_t nodes = (size_t)s->layout.model->nodes.count, joints = (size_t)s->layout.model->joints.count,
         bs = (size_t)s->layout.bs;
  PetscFunctionBegin;
  *m = (Image){.p = p, .node_width = NODE_NUMBERS * (s->state.a ? 5 : s->state.dv ? 4 : 3)};
  PetscCall(PetscMalloc3(nodes, &m->node_at, joints, &m->joint_at, s->layout.model->elements.count, &m->row_at));
  for (PetscInt e = 0; e < s->layout.model->elements.count; e++)
    m->row_at[e] = m->rows, m->rows += (size_t)system_remembers(s, e);
  for (size_t i = 0; i < nodes; i++) m->node_at[i] = m->blocks, m->blocks += bs * system_node_blocks(s, (PetscInt)i);
  for (size_t j = 0; j < joints; j++) m->joint_at[j] = m->blocks, m->blocks += bs * joint_room(s, j);
  m->nodes = nodes * (size_t)m->node_width, m->joints = joints * JOINT_NUMBERS;
  PetscCall(PetscCalloc3(m->nodes, &m->node, m->joints, &m->joint, m->blocks, &m->block[0]));
  PetscCall(PetscCalloc3(m->blocks, &m->block[1], m->rows, &m->row[0], m->rows, &m->row[1]));
  PetscFunctionReturn(0);
}

static PetscErrorCode ImageDestroy(Image *m) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(m->node_at, m->joint_at, m->row_at));
  PetscCall(PetscFree3(m->node, m->joint, m->block[0]));
  PetscCall(PetscFree3(m->block[1], m->row[0], m->row[1]));
  PetscFunctionReturn(0);
}

static void exchange_values(bool save, double *image, void *state, size_t count) {
  if (!count) return;
  if (save) memcpy(image, state, count * sizeof *image);
  else memcpy(state, image, count * sizeof *image);
}

static void exchange_node(const Image *m, bool save, PetscInt i) {
  System *s = m->p->s;
  double *at = m->node + (size_t)m->node_width * (size_t)s->layout.node[i];
  Vec3 *part[] = {s->state.x, s->state.v, s->state.x_before, s->state.a ? s->state.a : s->state.dv, s->state.w};
  for (int k = 0; k * NODE_NUMBERS < m->node_width; k++)
    exchange_values(save, at + NODE_NUMBERS * k, part[k] + 4 * i, NODE_NUMBERS);
}

static void exchange_joint(const Image *m, bool save, PetscInt j) {
  System *s = m->p->s;
  double *at = m->joint + JOINT_NUMBERS * (size_t)s->layout.joint[j];
  exchange_values(save, at, &s->state.coord[j], MAX_COORDS);
  exchange_values(save, at + MAX_COORDS, &s->step.target[j], MAX_COORDS);
  exchange_values(save, at + 2 * MAX_COORDS, &s->step.target_rate[j], MAX_COORDS);
  exchange_values(save, at + 3 * MAX_COORDS, &s->state.coord_before[j], MAX_COORDS);
  for (int i = 0; i < 2 && s->state.row_increment_start; i++)
    exchange_values(save, at + (4 + i) * MAX_COORDS, &s->state.coord_increment[i][j], MAX_COORDS);
  exchange_values(save, at + 6 * MAX_COORDS, &s->state.bristles[j], 2 * MAX_COORDS);
  exchange_values(save, at + 8 * MAX_COORDS, s->state.multiplier[j], MAX_ROWS);
  double *off = at + 8 * MAX_COORDS + MAX_ROWS;
  for (int r = 0; r < MAX_ROWS; r++)
    if (save) off[r] = s->redundancy.row_off[j][r];
    else s->redundancy.row_off[j][r] = off[r] != 0;
  exchange_values(save, off + MAX_ROWS, &s->state.coord_force[j], 3 * MAX_COORDS);
}

// Forces of loads on coordinates, known on the rank that counts the joint: at the end of the last step, and their means over it.
static void exchange_load_forces(const Stepper *p, bool save, PetscInt j, double *image) {
  const System *s = p->s;
  PetscInt loads = s->layout.model->loads.count;
  for (PetscInt i = s->layout.joint_load_start[j]; i < s->layout.joint_load_start[j + 1] && s->layout.joint_primary[j];
       i++) {
    PetscInt l = s->layout.joint_load[i];
    exchange_values(save, image + l, p->drive_force + l, 1);
    exchange_values(save, image + loads + l, s->state.load_force + l, 1);
  }
}

static void exchange_rows(const Image *m, bool save, PetscInt e) {
  System *s = m->p->s;
  for (int i = 0; i < 2 && s->state.row_increment_start; i++)
    exchange_values(save, m->row[i] + m->row_at[s->layout.element[e]],
                    s->state.row_increment[i] + s->state.row_increment_start[e],
                    (size_t)(s->state.row_increment_start[e + 1] - s->state.row_increment_start[e]));
}

// Increments of a step, of the rank's own blocks.
static PetscErrorCode ExchangeIncrements(const Image *m, bool save, int step) {
  System *s = m->p->s;
  double *q;
  size_t bs = (size_t)s->layout.bs;
  PetscFunctionBegin;
  PetscCall(VecGetArray(m->p->previous[step], &q));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    if (s->layout.node_block[i] >= 0)
      exchange_values(save, m->block[step] + m->node_at[s->layout.node[i]],
                      q + bs * (size_t)(s->layout.node_block[i] - system_projection_blocks(s, s->layout.node[i])),
                      bs * (size_t)system_node_blocks(s, s->layout.node[i]));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    size_t own = (size_t)joint_blocks(system_joint(s, j)), all = (size_t)system_joint_blocks(s, s->layout.joint[j]),
           room = joint_room(s, (size_t)s->layout.joint[j]);
    double *image = m->block[step] + m->joint_at[s->layout.joint[j]], *at = q + bs * (size_t)s->layout.joint_block[j];
    if (!s->layout.joint_primary[j]) continue;
    exchange_values(save, image, at, bs * own);
    exchange_values(save, image + bs * (room - (all - own)), at + bs * own, bs * (all - own)); // of the projection
  }
  PetscCall(VecRestoreArray(m->p->previous[step], &q));
  PetscFunctionReturn(0);
}

// Each number stands on one rank and is zero on the others: their bits together are the number's, also of -0.
static PetscErrorCode SumOverRanks(const System *s, double *values, size_t count) {
  const size_t part = 1 << 26;
  PetscFunctionBegin;
  if (s->layout.size == 1) PetscFunctionReturn(0);
  for (size_t at = 0; at < count; at += part) {
    PetscMPIInt n = (PetscMPIInt)PetscMin(part, count - at);
    PetscCallMPI(MPI_Reduce(s->layout.rank ? (const void *)(values + at) : MPI_IN_PLACE, values + at, n,
                            MPI_UNSIGNED_LONG_LONG, MPI_BOR, 0, s->layout.comm));
  }
  PetscFunctionReturn(0);
}

// Means of forces and moments over the parts of the last step, of steps that are composed.
static PetscErrorCode SaveReactions(const System *s, CheckpointContainer *p) {
  size_t count = REACTION_NUMBERS * (size_t)s->layout.model->joints.count;
  double *all;
  PetscFunctionBegin;
  if (!s->rule->composition) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(count, &all));
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    if (s->layout.joint_primary[j])
      memcpy(all + REACTION_NUMBERS * (size_t)s->layout.joint[j], &s->state.reaction[j], sizeof *s->state.reaction);
  PetscCall(SumOverRanks(s, all, count));
  if (s->layout.rank == 0) PetscCall(ContainerPut(p, "reactions", 0, all, count * sizeof *all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreReactions(System *s, const CheckpointContainer *p, bool *good) {
  size_t count = REACTION_NUMBERS * (size_t)s->layout.model->joints.count;
  double *all;
  PetscFunctionBegin;
  if (!s->rule->composition || !*good) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(count, &all));
  *good = container_take(p, "reactions", 0, all, count * sizeof *all);
  for (PetscInt j = 0; j < s->layout.njoint && *good; j++)
    memcpy(&s->state.reaction[j], all + REACTION_NUMBERS * (size_t)s->layout.joint[j], sizeof *s->state.reaction);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// Momenta of wheels are known everywhere, the rest where their frames are.
static PetscErrorCode SaveWheels(const System *s, CheckpointContainer *p) {
  PetscInt count = s->layout.model->wheels.count;
  WheelState *all;
  PetscFunctionBegin;
  if (!count) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(count, &all));
  for (PetscInt i = 0; i < count; i++)
    if (system_wheel_node(s, i) >= 0) all[i] = s->state.wheel[i];
  PetscCall(SumOverRanks(s, &all->p, (size_t)count * (sizeof *all / sizeof(double))));
  if (s->layout.rank == 0) PetscCall(ContainerPut(p, "wheels", 0, all, (size_t)count * sizeof *all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

static PetscErrorCode SaveLoops(const System *s, CheckpointContainer *p) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->redundancy.nloop; i++) {
    const Loop *l = &s->redundancy.loop[i];
    int64_t head[] = {l->redundant, l->wait};
    PetscCall(ContainerPut(p, "loop", (int)i, head, sizeof head));
    PetscCall(ContainerPut(p, "loop rows", (int)i, l->off, (size_t)l->start[l->njoint] * sizeof *l->off));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode SaveEvents(const Stepper *p, CheckpointContainer *container) {
  double *all;
  PetscFunctionBegin;
  if (!p->events) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(events_size(p), &all));
  events_save(p, all);
  PetscCall(ContainerPut(container, "events", 0, all, events_size(p) * sizeof *all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// Before all else: rows of joints depend on it.
static PetscErrorCode RestoreEvents(Stepper *p, const CheckpointContainer *container, bool *good) {
  size_t size = 0;
  double *all;
  PetscFunctionBegin;
  *good = true;
  if (!p->events) PetscFunctionReturn(0);
  const unsigned char *bytes = container_find(container, "events", 0, &size);
  PetscCall(PetscMalloc1(size / sizeof *all, &all));
  if (bytes) memcpy(all, bytes, size / sizeof *all * sizeof *all);
  PetscCall(EventsRestore(p, bytes ? size / sizeof *all : 0, all, good));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// Of contacts: where the list was made, its skin, the energies taken, and what pairs remember.
static PetscErrorCode SavePairs(System *s, CheckpointContainer *p) {
  size_t count, vectors = 12 * (size_t)s->layout.model->nodes.count;
  double *all, *numbers;
  PetscFunctionBegin;
  if (!s->contacts) PetscFunctionReturn(0);
  PetscCall(ContactsGather(s, &numbers, &count));
  PetscCall(PetscCalloc1(vectors, &all));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++)
    memcpy(all + 12 * (size_t)s->layout.node[i], s->contacts->at + 4 * i, 12 * sizeof *all);
  PetscCall(SumOverRanks(s, all, vectors));
  if (s->layout.rank == 0) {
    double head[] = {s->contacts->skin, s->contacts->energies.impact, s->contacts->energies.friction, (double)count};
    PetscCall(ContainerPut(p, "pairs", 0, head, sizeof head));
    PetscCall(ContainerPut(p, "pairs at", 0, all, vectors * sizeof *all));
    PetscCall(ContainerPut(p, "pairs of", 0, numbers, count * CONTACT_NUMBERS * sizeof *numbers));
    PetscCall(ContainerPut(p, "pairs sum", 0, s->contacts->total,
                           (size_t)s->layout.model->contacts.count * sizeof *s->contacts->total));
  }
  PetscCall(PetscFree(all));
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(0);
}

// A model that got contacts since begins with a list of its own.
static PetscErrorCode RestorePairs(System *s, const CheckpointContainer *p) {
  size_t vectors = 12 * (size_t)s->layout.model->nodes.count, size;
  double *all, head[4], skin = 0;
  Vec3 *x = s->state.x, *at;
  PetscFunctionBegin;
  if (!s->contacts) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(vectors, &all));
  PetscCall(PetscMalloc1(4 * s->layout.nnode, &at));
  PetscCall(PetscArraycpy(at, x, 4 * s->layout.nnode));
  const double *numbers = (const double *)container_find(p, "pairs of", 0, &size);
  bool known = container_take(p, "pairs", 0, head, sizeof head) && head[0] >= 0 && isfinite(head[0]) &&
               container_take(p, "pairs at", 0, all, vectors * sizeof *all) && (size == 0 || numbers) &&
               size % (CONTACT_NUMBERS * sizeof *numbers) == 0;
  if (known) {
    for (PetscInt i = 1; i < s->layout.nnode; i++)
      memcpy(at + 4 * i, all + 12 * (size_t)s->layout.node[i], 12 * sizeof *all);
    skin = head[0], s->contacts->energies.impact = head[1], s->contacts->energies.friction = head[2];
  }
  container_take(p, "pairs sum", 0, s->contacts->total, // which older files lack
                 (size_t)s->layout.model->contacts.count * sizeof *s->contacts->total);
  s->state.x = at; // where the list was made
  PetscCall(SystemListContacts(s, skin));
  s->state.x = x;
  if (known && size) {
    double *copy; // the bytes of a container need not be aligned
    PetscCall(PetscMalloc(size, &copy));
    memcpy(copy, numbers, size);
    contacts_scatter(s, copy, size / (CONTACT_NUMBERS * sizeof *numbers));
    PetscCall(PetscFree(copy));
  } else contacts_scatter(s, NULL, 0);
  PetscCall(PetscFree(at));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

PetscErrorCode RunSave(LimberRun run, CheckpointContainer *container) {
  Stepper *p = run->stepper;
  const System *s = p->s;
  Image m;
  Numbers n;
  size_t loads = (size_t)s->layout.model->loads.count * sizeof *p->load_work;
  PetscFunctionBegin;
  PetscCall(RotationReduce(p));
  memset(&n, 0, sizeof n); // also what lies between its members
  n.ledger = p->ledger, n.control = p->control, n.time = s->state.time, n.h = s->step.h;
  for (int i = 0; i < 2; i++) n.previous_step[i] = p->previous_step[i];
  n.step_fraction = p->step_fraction, n.energy_start = p->energy_start, n.potential_start = p->potential_start,
  n.memory_start = p->memory_start;
  n.branched = p->branched, n.count = p->count, n.fastest = p->fastest;
  n.last_h = s->state.last_h, n.past_step = s->state.past_step, n.recalled_step = s->state.recalled_step;
  n.stepped = s->state.stepped, n.memory = s->state.row_increment_start != NULL;
  n.growth = p->growth;
  n.falls = s->linear.nfallback, n.balanced = s->redundancy.least_norm, n.loops = (int32_t)s->redundancy.nloop,
  n.controlled = p->options.control.on;
  PetscCall(ImageCreate(p, &m));
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) exchange_node(&m, true, i);
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    if (s->layout.joint_primary[j]) exchange_joint(&m, true, j);
  for (PetscInt e = 0; e < s->layout.nelement; e++)
    if (s->layout.element_primary[e]) exchange_rows(&m, true, e);
  for (int i = 0; i < 2; i++) PetscCall(ExchangeIncrements(&m, true, i));
  PetscCall(SumOverRanks(s, m.node, m.nodes));
  PetscCall(SumOverRanks(s, m.joint, m.joints));
  for (int i = 0; i < 2; i++) PetscCall(SumOverRanks(s, m.block[i], m.blocks));
  for (int i = 0; i < 2; i++) PetscCall(SumOverRanks(s, m.row[i], m.rows));
  double *force;
  PetscCall(PetscCalloc1(2 * s->layout.model->loads.count, &force));
  for (PetscInt j = 0; j < s->layout.njoint; j++) exchange_load_forces(p, true, j, force);
  PetscCall(SumOverRanks(s, force, 2 * (size_t)s->layout.model->loads.count));
  double *contacts;
  PetscCall(PetscCalloc1(contacts_size(p), &contacts));
  contacts_exchange(p, true, contacts);
  PetscCall(SumOverRanks(s, contacts, contacts_size(p)));
  if (s->layout.rank == 0) {
    PetscCall(ContainerPut(container, "stepper", 0, &n, sizeof n));
    PetscCall(ContainerPut(container, "nodes", 0, m.node, m.nodes * sizeof *m.node));
    PetscCall(ContainerPut(container, "joints", 0, m.joint, m.joints * sizeof *m.joint));
    for (int i = 0; i < 2; i++)
      PetscCall(ContainerPut(container, "increments", i, m.block[i], m.blocks * sizeof(double)));
    for (int i = 0; i < 2 && m.rows; i++)
      PetscCall(ContainerPut(container, "memory", i, m.row[i], m.rows * sizeof(double)));
    PetscCall(ContainerPut(container, "work", 0, p->load_work, loads));
    PetscCall(ContainerPut(container, "drives", 0, force, 2 * loads));
    PetscCall(ContainerPut(container, "contacts", 0, contacts, contacts_size(p) * sizeof *contacts));
    PetscCall(SaveEvents(p, container));
    PetscCall(SaveLoops(s, container));
    if (p->between) PetscCall(p->between->save(p->between, container));
    if (p->sensors) PetscCall(p->sensors->save(p->sensors, container));
  }
  PetscCall(SaveReactions(s, container));
  PetscCall(SaveWheels(s, container));
  PetscCall(SavePairs(p->s, container));
  PetscCall(PetscFree(force));
  PetscCall(PetscFree(contacts));
  PetscCall(ImageDestroy(&m));
  PetscFunctionReturn(0);
}

// ---- back ----

// A branch may have others, which are followed from there on.
static PetscErrorCode RestoreContacts(Stepper *p, const CheckpointContainer *container) {
  double *contacts;
  size_t size = contacts_size(p);
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &contacts));
  if (container_take(container, "contacts", 0, contacts, size * sizeof *contacts))
    contacts_exchange(p, false, contacts);
  PetscCall(PetscFree(contacts));
  PetscFunctionReturn(0);
}

static bool restore_loops(System *s, const CheckpointContainer *p) {
  for (PetscInt i = 0; i < s->redundancy.nloop; i++) {
    Loop *l = &s->redundancy.loop[i];
    int64_t head[2];
    size_t size = (size_t)l->start[l->njoint], found;
    const unsigned char *off = container_find(p, "loop rows", (int)i, &found);
    if (!container_take(p, "loop", (int)i, head, sizeof head) || !off || found != size * sizeof *l->off) return false;
    if (head[0] < 0 || (size_t)head[0] > size) return false;
    l->redundant = (PetscInt)head[0], l->wait = (PetscInt)head[1];
    for (size_t r = 0; r < size; r++) l->off[r] = off[r] != 0;
  }
  return true;
}

static void restore_numbers(Stepper *p, const Numbers *n) {
  LimberControl limits = p->control.limits; // the end may be another
  p->ledger = n->ledger, p->control = n->control, p->control.limits = limits;
  p->s->state.time = n->time, p->s->step.h = n->h, p->step_fraction = n->step_fraction;
  for (int i = 0; i < 2; i++) p->previous_step[i] = n->previous_step[i];
  p->energy_start = n->energy_start, p->potential_start = n->potential_start, p->memory_start = n->memory_start;
  p->branched = n->branched, p->count = (PetscInt)n->count, p->fastest = n->fastest;
  p->s->state.last_h = n->last_h, p->s->state.past_step = n->past_step, p->s->state.recalled_step = n->recalled_step;
  p->s->state.stepped = n->stepped != 0;
  p->growth = n->growth;
  p->s->linear.nfallback = n->falls, p->s->redundancy.least_norm = n->balanced != 0;
}

// All or nothing is taken.
static PetscErrorCode RestoreStepper(Stepper *p, const CheckpointContainer *container, bool *good) {
  System *s = p->s;
  Image m;
  Numbers n;
  double *force;
  size_t loads = (size_t)s->layout.model->loads.count * sizeof *p->load_work;
  PetscFunctionBegin;
  PetscCall(RestoreEvents(p, container, good));
  if (!*good) PetscFunctionReturn(0);
  PetscCall(ImageCreate(p, &m));
  PetscCall(PetscMalloc1(2 * s->layout.model->loads.count, &force));
  *good = container_take(container, "stepper", 0, &n, sizeof n) && n.loops == s->redundancy.nloop &&
          n.memory == (s->state.row_increment_start != NULL) && n.controlled == p->options.control.on &&
          container_take(container, "nodes", 0, m.node, m.nodes * sizeof *m.node) &&
          container_take(container, "joints", 0, m.joint, m.joints * sizeof *m.joint) &&
          container_take(container, "increments", 0, m.block[0], m.blocks * sizeof(double)) &&
          container_take(container, "increments", 1, m.block[1], m.blocks * sizeof(double)) &&
          (!m.rows || (container_take(container, "memory", 0, m.row[0], m.rows * sizeof(double)) &&
                       container_take(container, "memory", 1, m.row[1], m.rows * sizeof(double)))) &&
          container_take(container, "work", 0, p->load_work, loads) &&
          container_take(container, "drives", 0, force, 2 * loads) && restore_loops(s, container) &&
          (!s->layout.model->wheels.count ||
           container_take(container, "wheels", 0, s->state.wheel,
                          (size_t)s->layout.model->wheels.count * sizeof *s->state.wheel));
  PetscCall(RestoreReactions(s, container, good));
  if (*good) {
    restore_numbers(p, &n);
    for (PetscInt i = 1; i < s->layout.nnode; i++) exchange_node(&m, false, i);
    for (PetscInt e = 0; e < s->layout.nelement; e++) exchange_rows(&m, false, e);
    for (PetscInt j = 0; j < s->layout.njoint; j++) {
      exchange_joint(&m, false, j);
      exchange_load_forces(p, false, j, force);
    }
    if (s->state.x_start) PetscCall(PetscArraycpy(s->state.x_start, s->state.x, 4 * s->layout.nnode));
    for (int i = 0; i < 2; i++) PetscCall(ExchangeIncrements(&m, false, i));
    PetscCall(StepperRecall(p));
    PetscCall(RestoreContacts(p, container));
    PetscCall(RestorePairs(s, container));
  }
  PetscCall(PetscFree(force));
  PetscCall(ImageDestroy(&m));
  PetscFunctionReturn(0);
}

// Another model gives the same state other energies. No load and no loss accounts for it: it is the work of whoever made the
// change. The scale of the account does not count it, for a potential may have its zero anywhere.
static PetscErrorCode RecordEnergyChange(Stepper *p) {
  LimberLedger *l = &p->ledger, old = *l;
  PetscFunctionBegin;
  if (p->kind->resume) PetscCall(p->kind->resume(p));
  PetscCall(SystemForget(p->s, NULL)); // what was remembered is of another model
  l->dissipated += l->memory, old.dissipated = l->dissipated, l->memory = old.memory = 0;
  PetscCall(StepperUpdateEnergies(p, NULL));
  double kinetic = l->kinetic - old.kinetic, strain = l->strain - old.strain, potential = l->potential - old.potential;
  double change = kinetic + strain + potential, most = fmax(fabs(kinetic), fmax(fabs(strain), fabs(potential)));
  if (most <= 1e-14 * (old.exchanged + fabs(old.potential))) { // other ranks add in another order
    *l = old;
    PetscFunctionReturn(0);
  }
  l->work += change, p->branched += change, p->potential_start += potential;
  l->exchanged = PetscMax(l->exchanged, l->kinetic + l->strain);
  start_remark(p,
               "at t = %.8g s, where the model was changed, the stored energy changes by %.6g J (kinetic %.6g J, "
               "strain %.6g J, potential %.6g J), which is counted as work",
               p->s->state.time, change, kinetic, strain, potential);
  PetscFunctionReturn(0);
}

PetscErrorCode RunRestore(Model model, const LimberOptions *options, const CheckpointContainer *p, bool changed,
                          LimberRun *run, char *wrong, size_t size) {
  Stepper *stepper;
  bool good = false;
  PetscFunctionBegin;
  *run = NULL;
  PetscCall(StepperPrepare(model, options, &stepper, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  control_begin(&stepper->control, &options->control, options->step, stepper->rule.order);
  PetscCall(RestoreStepper(stepper, p, &good));
  if (good && changed) PetscCall(RecordEnergyChange(stepper));
  if (good) {
    PetscCall(PetscNew(run));
    (*run)->stepper = stepper;
  } else {
    PetscCall(PetscSNPrintf(wrong, size, "its state does not fit the model"));
    PetscCall(StepperDestroy(&stepper));
  }
  PetscFunctionReturn(0);
}
