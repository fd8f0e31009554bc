// SPDX-License-Identifier: Apache-2.0
// Lists, copies and restores the state of a run (saved_state.h).
#include "analyses/stepping/saved_state.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "assembly/contacts.h"
#include "assembly/ranks.h"
#include "base/functions/function.h"
#include "model/refusal.h"
#include "results/container/container.h"
#include "solvers/redundancy.h"

#include <stdlib.h>
#include <string.h>

// ---- the list ----

static size_t count_owners(const Stepper *p, StateOwner owner) {
  if (owner == OWNER_STOP) return p->contacts ? (size_t)p->contacts->count : 0;
  return state_owner_count(&p->s->motion.layout, &p->s->motion.state, owner);
}

// The own numbers of a vector, which may be changed in place.
static PetscErrorCode FindVectorValues(Vec v, double **values) {
  double *open;
  PetscFunctionBegin;
  PetscCall(VecGetArray(v, &open));
  *values = open;
  PetscCall(VecRestoreArray(v, &open));
  PetscFunctionReturn(0);
}

PetscErrorCode StateList(Stepper *p, int kept, StateArray out[MOST_STATE_ARRAYS], int *count) {
  System *s = p->s;
  size_t block = (size_t)s->motion.layout.bs * sizeof(double);
  double *values = NULL;
  int n = 0;
  PetscFunctionBegin;
#define PLACE(name_, kept_, owner_, type, width, place, condition) \
  if (((kept_)&kept) == kept && (condition)) \
    out[n++] = (StateArray){.name = #name_, \
                            .kept = kept_, \
                            .owner = OWNER_##owner_, \
                            .item = (size_t)(width) * sizeof(type), \
                            .count = count_owners(p, OWNER_##owner_), \
                            .data = place};
#define ARRAY PLACE
#define VECTOR(name_, kept_, vector) \
  if (((kept_)&kept) == kept) { \
    PetscCall(FindVectorValues(vector, &values)); \
    out[n++] = (StateArray){.name = #name_, \
                            .kept = kept_, \
                            .owner = OWNER_UNKNOWN, \
                            .item = block, \
                            .count = count_owners(p, OWNER_UNKNOWN), \
                            .data = values}; \
  }
#define PACKED(name_, kept_) \
  if (((kept_)&kept) == kept) \
    out[n++] = (StateArray){.name = #name_, .kept = kept_, .owner = OWNER_RUN, .packing = &packed_##name_};
#include "analyses/stepping/state.def"
#undef PLACE
#undef ARRAY
#undef VECTOR
#undef PACKED
  PetscCheck(n <= MOST_STATE_ARRAYS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the state has %d arrays", n);
  *count = n;
  PetscFunctionReturn(0);
}

// ---- copies ----

// A copy: head, lengths of all arrays, then the arrays, each at a multiple of 8 bytes.
typedef struct {
  char magic[8];
  uint64_t identity, arrays, size;
} CopyHead;
static const char copy_magic[8] = {'L', 'I', 'M', 'B', 'E', 'R', 's', '1'};

Error StateCopyAdd(StateCopy *c, const void *data, size_t size) {
  if (c->size + size > c->room) {
    c->room = c->size + size + (c->room ? c->room / 2 : 0);
    TRY(MemoryResize(c->room, &c->data));
  }
  if (size && data) memcpy(c->data + c->size, data, size);
  else if (size) memset(c->data + c->size, 0, size);
  c->size += size;
  return 0;
}

static size_t padded_size(size_t size) { return (size + 7) & ~(size_t)7; }

// A checksum of what a run and its copies must have in common, besides the lengths of arrays.
static uint64_t run_identity(const Stepper *p) {
  const Layout *l = &p->s->motion.layout;
  const char *version = limber_version(), *scheme = limber_scheme_name(p->options.scheme);
  const double number[] = {l->size,
                           l->rank,
                           (double)l->model->nodes.count,
                           (double)l->model->elements.count,
                           (double)l->model->joints.count,
                           (double)l->model->loads.count,
                           (double)l->model->functions.count,
                           (double)l->model->events.count,
                           (double)l->model->contacts.count,
                           (double)l->bs,
                           p->options.step,
                           p->options.order,
                           p->options.control.on,
                           p->between != NULL,
                           p->sensors != NULL};
  uint64_t sum = container_checksum(0, version, strlen(version));
  sum = container_checksum(sum, scheme, strlen(scheme));
  return container_checksum(sum, number, sizeof number);
}

static PetscErrorCode PackArrays(Stepper *p, int kept, StateCopy *c) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, kept, list, &count));
  c->size = 0;
  PetscCall(StateCopyAdd(c, NULL, sizeof(CopyHead) + (size_t)count * sizeof(uint64_t)));
  for (int i = 0; i < count; i++) {
    size_t before = c->size;
    if (list[i].packing) PetscCall(list[i].packing->pack(p, false, c));
    else PetscCall(StateCopyAdd(c, list[i].data, state_array_bytes(&list[i])));
    uint64_t length = c->size - before;
    memcpy(c->data + sizeof(CopyHead) + (size_t)i * sizeof length, &length, sizeof length);
    PetscCall(StateCopyAdd(c, NULL, padded_size(c->size) - c->size));
  }
  CopyHead head = {.arrays = (uint64_t)count, .size = c->size};
  memcpy(head.magic, copy_magic, sizeof head.magic);
  memcpy(c->data, &head, sizeof head);
  PetscFunctionReturn(0);
}

// Whether an array records the positions for which the contact list was made.
static bool is_of_list(const ContactSet *contacts, const StateArray *a) {
  return contacts && (a->data == (void *)contacts->at || a->data == (void *)&contacts->skin);
}

// Restores arrays from bytes that were checked. `moved`: the contact list was another one.
static PetscErrorCode UnpackArrays(Stepper *p, int kept, const unsigned char *data, bool *moved, bool *good) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, kept, list, &count));
  const unsigned char *at = data + sizeof(CopyHead) + (size_t)count * sizeof(uint64_t);
  *moved = false, *good = true;
  for (int i = 0; i < count && *good; i++) {
    uint64_t length;
    memcpy(&length, data + sizeof(CopyHead) + (size_t)i * sizeof length, sizeof length);
    if (list[i].packing) {
      if (*moved && list[i].packing == &packed_pairs) PetscCall(StateListContacts(p));
      PetscCall(list[i].packing->unpack(p, at, (size_t)length, good));
    } else {
      if (is_of_list(p->s->motion.contacts, &list[i])) *moved = *moved || memcmp(list[i].data, at, (size_t)length);
      if (length) memcpy(list[i].data, at, (size_t)length);
    }
    at += padded_size((size_t)length);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode StateCopySave(Stepper *p, StateCopy *c) {
  PetscFunctionBegin;
  PetscCall(PackArrays(p, MEMORY, c));
  uint64_t identity = run_identity(p);
  memcpy(c->data + offsetof(CopyHead, identity), &identity, sizeof identity);
  PetscFunctionReturn(0);
}

// Checks that bytes are a complete copy of such a run.
static PetscErrorCode CheckCopy(Stepper *p, const unsigned char *data, size_t size, const char **wrong) {
  StateArray list[MOST_STATE_ARRAYS];
  CopyHead head;
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(p, MEMORY, list, &count));
  size_t left = size, lengths = (size_t)count * sizeof(uint64_t);
  *wrong = "it is no saved state, or not all of one";
  if (size < sizeof head) PetscFunctionReturn(0);
  memcpy(&head, data, sizeof head);
  if (memcmp(head.magic, copy_magic, sizeof head.magic) || head.size != size) PetscFunctionReturn(0);
  *wrong = "it is of another model, other options, another number of processes, or another version of Limber";
  if (head.identity != run_identity(p) || head.arrays != (uint64_t)count || size < sizeof head + lengths)
    PetscFunctionReturn(0);
  left -= sizeof head + lengths;
  for (int i = 0; i < count; i++) {
    uint64_t length;
    memcpy(&length, data + sizeof head + (size_t)i * sizeof length, sizeof length);
    if (!list[i].packing && length != state_array_bytes(&list[i])) PetscFunctionReturn(0);
    if (length > left || padded_size((size_t)length) > left) PetscFunctionReturn(0);
    left -= padded_size((size_t)length);
  }
  if (left == 0) *wrong = NULL;
  PetscFunctionReturn(0);
}

PetscErrorCode StateCopyRestore(Stepper *p, const void *data, size_t size, Refusal *wrong) {
  System *s = p->s;
  const char *why = NULL;
  bool moved, good;
  int bad;
  PetscFunctionBegin;
  PetscCall(CheckCopy(p, data, size, &why));
  bad = why != NULL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_LOR, s->motion.layout.comm));
  if (bad && !why) why = "that of another process does not fit";
  refuse(wrong, "%s", bad ? why : "");
  if (bad) PetscFunctionReturn(0);
  PetscCall(UnpackArrays(p, MEMORY, data, &moved, &good));
  PetscCheck(good, s->motion.layout.comm, PETSC_ERR_ARG_CORRUPT, "the saved state is damaged: create the run anew");
  for (int i = 0; i < 2; i++) s->linear.factors[i].made = false, s->linear.factors[i].tangent = 0;
  s->linear.scale_tangent = 0;
  PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}

PetscErrorCode StateCopyRestoreBetween(Stepper *p, const StateCopy *copy) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  bool good = true;
  PetscFunctionBegin;
  PetscCall(StateList(p, MEMORY, list, &count));
  const unsigned char *at = copy->data + sizeof(CopyHead) + (size_t)count * sizeof(uint64_t);
  for (int i = 0; i < count; i++) {
    uint64_t length;
    memcpy(&length, copy->data + sizeof(CopyHead) + (size_t)i * sizeof length, sizeof length);
    if (list[i].packing == &packed_network) PetscCall(packed_network.unpack(p, at, (size_t)length, &good));
    at += padded_size((size_t)length);
  }
  PetscCheck(good, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a state does not fit its own run");
  PetscFunctionReturn(0);
}

const char *state_copies_differ(Stepper *p, const StateCopy *a, const StateCopy *b) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  if (a->size < sizeof(CopyHead) || b->size < sizeof(CopyHead) || StateList(p, MEMORY, list, &count)) return "head";
  size_t at = sizeof(CopyHead) + (size_t)count * sizeof(uint64_t);
  for (int i = 0; i < count; i++) {
    uint64_t length[2];
    for (int k = 0; k < 2; k++)
      memcpy(&length[k], (k ? b : a)->data + sizeof(CopyHead) + (size_t)i * sizeof *length, sizeof *length);
    if (length[0] != length[1] || memcmp(a->data + at, b->data + at, (size_t)length[0])) return list[i].name;
    at += padded_size((size_t)length[0]);
  }
  return a->size == b->size ? NULL : "head";
}

// ---- attempted steps ----

static PetscErrorCode SaveTried(Stepper *p, StateCopy **copy) {
  PetscFunctionBegin;
  if (!*copy) PetscCall(PetscNew(copy));
  PetscCall(PackArrays(p, TRIED, *copy));
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreTried(Stepper *p, const StateCopy *copy) {
  bool moved, good;
  PetscFunctionBegin;
  PetscCall(UnpackArrays(p, TRIED, copy->data, &moved, &good));
  PetscCheck(good, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a state does not fit its own run");
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyCopy(StateCopy **copy) {
  PetscFunctionBegin;
  if (!*copy) PetscFunctionReturn(0);
  memory_free(&(*copy)->data);
  PetscCall(PetscFree(*copy));
  PetscFunctionReturn(0);
}

PetscErrorCode StateSave(Stepper *p) { return SaveTried(p, &p->saved); }
PetscErrorCode StateRestore(Stepper *p) { return RestoreTried(p, p->saved); }

PetscErrorCode StateSaveStep(Stepper *p) {
  PetscFunctionBegin;
  PetscCall(SaveTried(p, &p->before));
  p->begun.count = p->count, p->begun.step_fraction = p->step_fraction, p->begun.growth = p->growth;
  PetscFunctionReturn(0);
}

PetscErrorCode StateRestoreStep(Stepper *p) {
  PetscFunctionBegin;
  PetscCall(RestoreTried(p, p->before));
  p->count = p->begun.count, p->step_fraction = p->begun.step_fraction, p->growth = p->begun.growth;
  PetscFunctionReturn(0);
}

PetscErrorCode StateDestroy(Stepper *p) {
  PetscFunctionBegin;
  PetscCall(DestroyCopy(&p->saved));
  PetscCall(DestroyCopy(&p->before));
  PetscFunctionReturn(0);
}

// ---- packed data ----

static PetscErrorCode PackEvents(const Stepper *p, bool own, StateCopy *out) {
  size_t at = out->size, size = events_size(p) * sizeof(double);
  PetscFunctionBegin;
  (void)own;
  if (!p->events) PetscFunctionReturn(0);
  PetscCall(StateCopyAdd(out, NULL, size));
  events_save(p, (double *)(void *)(out->data + at));
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackEvents(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  double *all;
  PetscFunctionBegin;
  *good = true;
  if (!p->events) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(size / sizeof *all, &all)); // bytes may be unaligned
  if (size) memcpy(all, bytes, size / sizeof *all * sizeof *all);
  PetscCall(EventsRestore(p, size / sizeof *all, all, good));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

const StatePacking packed_events = {.pack = PackEvents, .unpack = UnpackEvents};

// For each loop: its number of rows, how many are left out, the steps since the last check, and the state of each row.
static PetscErrorCode PackLoops(const Stepper *p, bool own, StateCopy *out) {
  PetscFunctionBegin;
  (void)own;
  for (PetscInt i = 0; i < p->s->redundancy.nloop; i++) {
    const Loop *l = &p->s->redundancy.loop[i];
    const int64_t head[] = {l->start[l->njoint], l->redundant, l->wait};
    PetscCall(StateCopyAdd(out, head, sizeof head));
    PetscCall(StateCopyAdd(out, l->off, (size_t)head[0] * sizeof *l->off));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackLoops(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  const unsigned char *end = bytes + size;
  PetscFunctionBegin;
  *good = true;
  for (PetscInt i = 0; i < p->s->redundancy.nloop && *good; i++) {
    Loop *l = &p->s->redundancy.loop[i];
    int64_t head[3] = {-1}, rows = l->start[l->njoint];
    if ((size_t)(end - bytes) >= sizeof head) memcpy(head, bytes, sizeof head), bytes += sizeof head;
    *good = head[0] == rows && head[1] >= 0 && head[1] <= rows && end - bytes >= rows;
    if (!*good) break;
    l->redundant = (PetscInt)head[1], l->wait = (PetscInt)head[2];
    for (int64_t r = 0; r < rows; r++) l->off[r] = *bytes++ != 0;
  }
  *good = *good && bytes == end;
  PetscFunctionReturn(0);
}

const StatePacking packed_loops = {.pack = PackLoops, .unpack = UnpackLoops};

static PetscErrorCode PackPairs(const Stepper *p, bool own, StateCopy *out) {
  size_t at = out->size;
  PetscFunctionBegin;
  if (!p->s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(
      StateCopyAdd(out, NULL, contacts_take(p->s->motion.contacts, own, NULL) * CONTACT_NUMBERS * sizeof(double)));
  contacts_take(p->s->motion.contacts, own, (double *)(void *)(out->data + at));
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackPairs(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  const size_t pair = CONTACT_NUMBERS * sizeof(double);
  double *all;
  PetscFunctionBegin;
  *good = p->s->motion.contacts ? size % pair == 0 : size == 0;
  if (!p->s->motion.contacts || !*good) PetscFunctionReturn(0);
  PetscCall(PetscMalloc(size, &all));
  if (size) memcpy(all, bytes, size);
  if (size && p->s->motion.layout.size > 1)
    qsort(all, size / pair, pair, contact_compare_numbers); // they come rank by rank
  contacts_scatter(&p->s->motion, all, size / pair);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

const StatePacking packed_pairs = {.pack = PackPairs, .unpack = UnpackPairs, .divided = true};

PetscErrorCode StateListContacts(Stepper *p) {
  System *s = p->s;
  Vec3 *x = s->motion.state.x, *at;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(4 * s->motion.layout.nnode, &at));
  PetscCall(PetscArraycpy(at, s->motion.contacts->at, 4 * s->motion.layout.nnode));
  s->motion.state.x = at;
  PetscCall(SystemListContacts(s, s->motion.contacts->skin));
  s->motion.state.x = x;
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

// Signals belong to the model; a program sets them between steps.
static PetscErrorCode PackSignals(const Stepper *p, bool own, StateCopy *out) {
  Model m = p->s->motion.layout.model;
  PetscFunctionBegin;
  (void)own;
  for (int i = 0; i < m->functions.count; i++) {
    const ModelFunction *f = model_function(m, i);
    if (f->kind == &function_signal) PetscCall(StateCopyAdd(out, f->params, sizeof(LimberSignal)));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackSignals(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  Model m = p->s->motion.layout.model;
  size_t used = 0;
  PetscFunctionBegin;
  for (int i = 0; i < m->functions.count && used + sizeof(LimberSignal) <= size; i++) {
    const ModelFunction *f = model_function(m, i);
    if (f->kind != &function_signal) continue;
    memcpy((LimberSignal *)f->params, bytes + used, sizeof(LimberSignal));
    used += sizeof(LimberSignal);
  }
  *good = used == size;
  PetscFunctionReturn(0);
}

const StatePacking packed_signals = {.pack = PackSignals, .unpack = UnpackSignals};

// Appends the container in which an attached part saved its state.
static PetscErrorCode AddContainer(CheckpointContainer *from, StateCopy *out) {
  PetscFunctionBegin;
  PetscCall(ContainerEnd(from));
  PetscCall(StateCopyAdd(out, from->data, from->size));
  memory_free(&from->data);
  PetscFunctionReturn(0);
}

static PetscErrorCode PackNetwork(const Stepper *p, bool own, StateCopy *out) {
  CheckpointContainer all = {0};
  PetscFunctionBegin;
  (void)own;
  if (!p->between) PetscFunctionReturn(0);
  for (const Between *b = p->between; b; b = b->next) PetscCall(b->save(b, &all));
  PetscCall(AddContainer(&all, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackNetwork(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  PetscFunctionBegin;
  *good = p->between || size == 0;
  for (Between *b = p->between; b && *good; b = b->next) PetscCall(b->restore(b, bytes, size, good));
  PetscFunctionReturn(0);
}

const StatePacking packed_network = {.pack = PackNetwork, .unpack = UnpackNetwork, .attached = true};

static PetscErrorCode PackSensors(const Stepper *p, bool own, StateCopy *out) {
  CheckpointContainer all = {0};
  PetscFunctionBegin;
  (void)own;
  if (!p->sensors) PetscFunctionReturn(0);
  PetscCall(p->sensors->save(p->sensors, &all));
  PetscCall(AddContainer(&all, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode UnpackSensors(Stepper *p, const unsigned char *bytes, size_t size, bool *good) {
  PetscFunctionBegin;
  *good = p->sensors || size == 0;
  if (p->sensors) PetscCall(p->sensors->restore(p->sensors, bytes, size, good));
  PetscFunctionReturn(0);
}

const StatePacking packed_sensors = {.pack = PackSensors, .unpack = UnpackSensors, .attached = true};

// The model index of a local node or joint, and whether this rank owns it.
static PetscInt number_of(const Layout *l, StateOwner owner, size_t i) {
  return owner == OWNER_NODE ? l->node[i] : l->joint[i];
}
static bool is_owned(const Layout *l, StateOwner owner, size_t i) {
  return owner == OWNER_NODE ? (PetscInt)i < l->nnode_own : l->joint_primary[i];
}

static PetscInt64 checksum_of(const StateArray *a, size_t i) {
  return (PetscInt64)container_checksum(0, (const unsigned char *)a->data + i * a->item, a->item);
}

static PetscErrorCode CheckArray(const Layout *l, const StateArray *a) {
  PetscInt all = a->owner == OWNER_NODE ? l->model->nodes.count : l->model->joints.count, first = PETSC_MAX_INT;
  PetscInt64 *sum; // checksum of each node or joint, from its owner
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(all, &sum));
  for (size_t i = 0; i < a->count; i++)
    if (is_owned(l, a->owner, i)) sum[number_of(l, a->owner, i)] = checksum_of(a, i);
  if (a->owner == OWNER_NODE) sum[0] = 0; // every rank owns the ground
  PetscCall(ReduceArray(l->comm, sum, all, MPIU_INT64, MPI_BOR));
  for (size_t i = a->owner == OWNER_NODE; i < a->count; i++) {
    PetscInt number = number_of(l, a->owner, i);
    if (checksum_of(a, i) != sum[number]) first = PetscMin(first, number);
  }
  PetscCall(PetscFree(sum));
  PetscCall(ReduceArray(l->comm, &first, 1, MPIU_INT, MPI_MIN));
  PetscCheck(first == PETSC_MAX_INT, l->comm, PETSC_ERR_PLIB, "`%s` of %s %" PetscInt_FMT " differs between ranks",
             a->name, a->owner == OWNER_NODE ? "node" : "joint", first);
  PetscFunctionReturn(0);
}

PetscErrorCode GhostsCheck(Stepper *p) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  if (p->s->motion.layout.size == 1) PetscFunctionReturn(0);
  PetscCall(StateList(p, TRIED, list, &count));
  for (int i = 0; i < count; i++)
    if (list[i].owner == OWNER_NODE || list[i].owner == OWNER_JOINT)
      PetscCall(CheckArray(&p->s->motion.layout, &list[i]));
  PetscFunctionReturn(0);
}
