// SPDX-License-Identifier: Apache-2.0
#include "stepping/restart.h"

#include "system/redundancy.h"

#include <string.h>

typedef struct {
  LimberLedger ledger;
  Control control;
  double time, h, previous_step[2], share, energy_start, potential_start;
  int64_t count;
  int32_t falls, balanced, loops, controlled;
  Growth growth;
} Numbers;

enum { NODE_NUMBERS = 12, JOINT_NUMBERS = 3 * MAX_COORDS + 2 * MAX_ROWS };

// Numbers of all nodes and joints in the order of the model.
typedef struct {
  Stepper *p;
  int node_width; // numbers of a node
  size_t nodes, joints, blocks;
  size_t *node_at, *joint_at; // first of the increments of each node and joint
  double *node, *joint, *block[2];
} Image;

static PetscErrorCode ImageCreate(Stepper *p, Image *m) {
  const System *s = p->s;
  size_t nodes = (size_t)s->model->nodes.count, joints = (size_t)s->model->joints.count, bs = (size_t)s->bs;
  PetscFunctionBegin;
  *m = (Image){.p = p, .node_width = NODE_NUMBERS * (s->a ? 4 : 2)};
  PetscCall(PetscMalloc2(nodes, &m->node_at, joints, &m->joint_at));
  for (size_t i = 0; i < nodes; i++) m->node_at[i] = m->blocks, m->blocks += bs * system_node_blocks(s, (PetscInt)i);
  for (size_t j = 0; j < joints; j++) m->joint_at[j] = m->blocks, m->blocks += bs * system_joint_blocks(s, (PetscInt)j);
  m->nodes = nodes * (size_t)m->node_width, m->joints = joints * JOINT_NUMBERS;
  PetscCall(PetscCalloc3(m->nodes, &m->node, m->joints, &m->joint, m->blocks, &m->block[0]));
  PetscCall(PetscCalloc1(m->blocks, &m->block[1]));
  PetscFunctionReturn(0);
}

static PetscErrorCode ImageDestroy(Image *m) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(m->node_at, m->joint_at));
  PetscCall(PetscFree3(m->node, m->joint, m->block[0]));
  PetscCall(PetscFree(m->block[1]));
  PetscFunctionReturn(0);
}

static void exchange(bool save, double *image, void *state, size_t count) {
  if (save) memcpy(image, state, count * sizeof *image);
  else memcpy(state, image, count * sizeof *image);
}

static void exchange_node(const Image *m, bool save, PetscInt i) {
  System *s = m->p->s;
  double *at = m->node + (size_t)m->node_width * (size_t)s->node[i];
  Vec3 *part[] = {s->x, s->v, s->a, s->w};
  for (int k = 0; k * NODE_NUMBERS < m->node_width; k++)
    exchange(save, at + NODE_NUMBERS * k, part[k] + 4 * i, NODE_NUMBERS);
}

static void exchange_joint(const Image *m, bool save, PetscInt j) {
  System *s = m->p->s;
  double *at = m->joint + JOINT_NUMBERS * (size_t)s->joint[j];
  exchange(save, at, &s->coord[j], MAX_COORDS);
  exchange(save, at + MAX_COORDS, &s->target[j], MAX_COORDS);
  exchange(save, at + 2 * MAX_COORDS, &s->target_rate[j], MAX_COORDS);
  exchange(save, at + 3 * MAX_COORDS, s->multiplier[j], MAX_ROWS);
  double *off = at + 3 * MAX_COORDS + MAX_ROWS;
  for (int r = 0; r < MAX_ROWS; r++)
    if (save) off[r] = s->off[j][r];
    else s->off[j][r] = off[r] != 0;
}

// Increments of a step, of the rank's own blocks.
static PetscErrorCode ExchangeIncrements(const Image *m, bool save, int step) {
  System *s = m->p->s;
  double *q;
  size_t bs = (size_t)s->bs;
  PetscFunctionBegin;
  PetscCall(VecGetArray(m->p->previous[step], &q));
  for (PetscInt i = 1; i < s->nnode_own; i++)
    if (s->node_block[i] >= 0)
      exchange(save, m->block[step] + m->node_at[s->node[i]],
               q + bs * (size_t)(s->node_block[i] - system_slip_blocks(s, s->node[i])),
               bs * (size_t)system_node_blocks(s, s->node[i]));
  for (PetscInt j = 0; j < s->njoint; j++)
    if (s->joint_primary[j])
      exchange(save, m->block[step] + m->joint_at[s->joint[j]], q + bs * (size_t)s->joint_block[j],
               bs * (size_t)system_joint_blocks(s, s->joint[j]));
  PetscCall(VecRestoreArray(m->p->previous[step], &q));
  PetscFunctionReturn(0);
}

// Each number stands on one rank and is zero on the others: their bits together are the number's, also of -0.
static PetscErrorCode Gather(const System *s, double *values, size_t count) {
  const size_t part = 1 << 26;
  PetscFunctionBegin;
  if (s->size == 1) PetscFunctionReturn(0);
  for (size_t at = 0; at < count; at += part) {
    PetscMPIInt n = (PetscMPIInt)PetscMin(part, count - at);
    PetscCallMPI(MPI_Reduce(s->rank ? (const void *)(values + at) : MPI_IN_PLACE, values + at, n, MPI_UINT64_T, MPI_BOR,
                            0, s->comm));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode SaveLoops(const System *s, Packet *p) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->nloop; i++) {
    const Loop *l = &s->loop[i];
    int64_t head[] = {l->redundant, l->wait};
    PetscCall(PacketPut(p, "loop", (int)i, head, sizeof head));
    PetscCall(PacketPut(p, "loop rows", (int)i, l->off, (size_t)l->start[l->njoint] * sizeof *l->off));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode RunSave(LimberRun run, Packet *packet) {
  Stepper *p = run->stepper;
  const System *s = p->s;
  Image m;
  Numbers n;
  size_t loads = (size_t)s->model->loads.count * sizeof *p->load_work;
  PetscFunctionBegin;
  memset(&n, 0, sizeof n); // also what lies between its members
  n.ledger = p->ledger, n.control = p->control, n.time = s->time, n.h = s->h;
  for (int i = 0; i < 2; i++) n.previous_step[i] = p->previous_step[i];
  n.share = p->share, n.energy_start = p->energy_start, n.potential_start = p->potential_start, n.count = p->count;
  n.growth = p->growth;
  n.falls = s->falls, n.balanced = s->balanced, n.loops = (int32_t)s->nloop, n.controlled = p->options.control.on;
  PetscCall(ImageCreate(p, &m));
  for (PetscInt i = 1; i < s->nnode_own; i++) exchange_node(&m, true, i);
  for (PetscInt j = 0; j < s->njoint; j++)
    if (s->joint_primary[j]) exchange_joint(&m, true, j);
  for (int i = 0; i < 2; i++) PetscCall(ExchangeIncrements(&m, true, i));
  PetscCall(Gather(s, m.node, m.nodes));
  PetscCall(Gather(s, m.joint, m.joints));
  for (int i = 0; i < 2; i++) PetscCall(Gather(s, m.block[i], m.blocks));
  // a load's force is known on the rank that has its joint
  double *force;
  PetscCall(PetscMalloc1(s->model->loads.count, &force));
  PetscCall(PetscArraycpy(force, p->drive_force, s->model->loads.count));
  PetscCall(Gather(s, force, (size_t)s->model->loads.count));
  if (s->rank == 0) {
    PetscCall(PacketPut(packet, "stepper", 0, &n, sizeof n));
    PetscCall(PacketPut(packet, "nodes", 0, m.node, m.nodes * sizeof *m.node));
    PetscCall(PacketPut(packet, "joints", 0, m.joint, m.joints * sizeof *m.joint));
    for (int i = 0; i < 2; i++) PetscCall(PacketPut(packet, "increments", i, m.block[i], m.blocks * sizeof(double)));
    PetscCall(PacketPut(packet, "work", 0, p->load_work, loads));
    PetscCall(PacketPut(packet, "drives", 0, force, loads));
    PetscCall(SaveLoops(s, packet));
  }
  PetscCall(PetscFree(force));
  PetscCall(ImageDestroy(&m));
  PetscFunctionReturn(0);
}

// ---- back ----

static bool take_loops(System *s, const Packet *p) {
  for (PetscInt i = 0; i < s->nloop; i++) {
    Loop *l = &s->loop[i];
    int64_t head[2];
    size_t size = (size_t)l->start[l->njoint], found;
    const unsigned char *off = packet_find(p, "loop rows", (int)i, &found);
    if (!packet_take(p, "loop", (int)i, head, sizeof head) || !off || found != size * sizeof *l->off) return false;
    if (head[0] < 0 || (size_t)head[0] > size) return false;
    l->redundant = (PetscInt)head[0], l->wait = (PetscInt)head[1];
    for (size_t r = 0; r < size; r++) l->off[r] = off[r] != 0;
  }
  return true;
}

static void take_numbers(Stepper *p, const Numbers *n) {
  LimberControl limits = p->control.limits; // the end may be another
  p->ledger = n->ledger, p->control = n->control, p->control.limits = limits;
  p->s->time = n->time, p->s->h = n->h, p->share = n->share;
  for (int i = 0; i < 2; i++) p->previous_step[i] = n->previous_step[i];
  p->energy_start = n->energy_start, p->potential_start = n->potential_start, p->count = (PetscInt)n->count;
  p->growth = n->growth;
  p->s->falls = n->falls, p->s->balanced = n->balanced != 0;
}

// All or nothing is taken.
static PetscErrorCode Take(Stepper *p, const Packet *packet, bool *good) {
  System *s = p->s;
  Image m;
  Numbers n;
  double *force;
  size_t loads = (size_t)s->model->loads.count * sizeof *p->load_work;
  PetscFunctionBegin;
  PetscCall(ImageCreate(p, &m));
  PetscCall(PetscMalloc1(s->model->loads.count, &force));
  *good = packet_take(packet, "stepper", 0, &n, sizeof n) && n.loops == s->nloop &&
          n.controlled == p->options.control.on && packet_take(packet, "nodes", 0, m.node, m.nodes * sizeof *m.node) &&
          packet_take(packet, "joints", 0, m.joint, m.joints * sizeof *m.joint) &&
          packet_take(packet, "increments", 0, m.block[0], m.blocks * sizeof(double)) &&
          packet_take(packet, "increments", 1, m.block[1], m.blocks * sizeof(double)) &&
          packet_take(packet, "work", 0, p->load_work, loads) && packet_take(packet, "drives", 0, force, loads) &&
          take_loops(s, packet);
  if (*good) {
    take_numbers(p, &n);
    for (PetscInt i = 1; i < s->nnode; i++) exchange_node(&m, false, i);
    for (PetscInt j = 0; j < s->njoint; j++) {
      exchange_joint(&m, false, j);
      for (PetscInt i = s->joint_load_start[j]; i < s->joint_load_start[j + 1] && s->joint_primary[j]; i++)
        p->drive_force[s->joint_load[i]] = force[s->joint_load[i]];
    }
    for (int i = 0; i < 2; i++) PetscCall(ExchangeIncrements(&m, false, i));
    PetscCall(StepperRecall(p));
  }
  PetscCall(PetscFree(force));
  PetscCall(ImageDestroy(&m));
  PetscFunctionReturn(0);
}

PetscErrorCode RunRestore(Model model, const LimberOptions *options, const Packet *p, LimberRun *run, char *wrong,
                          size_t size) {
  Stepper *stepper;
  bool good = false;
  PetscFunctionBegin;
  *run = NULL;
  PetscCall(StepperPrepare(model, options, &stepper, wrong, size));
  if (wrong[0]) PetscFunctionReturn(0);
  control_begin(&stepper->control, &options->control, options->step, stepper->rule.order);
  PetscCall(Take(stepper, p, &good));
  if (good) {
    PetscCall(PetscNew(run));
    (*run)->stepper = stepper;
  } else {
    PetscCall(PetscSNPrintf(wrong, size, "its state does not fit the model"));
    PetscCall(StepperDestroy(&stepper));
  }
  PetscFunctionReturn(0);
}
