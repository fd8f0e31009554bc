// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint/owner_rows.h"

#include "analyses/stepping/contact.h"

#include <petscsf.h>
#include <string.h>

enum { PIECE = 1 << 23 }; // bytes that are sent at once

typedef struct {
  PetscInt total, items; // rows of the file; items of the array in a row
  PetscInt count;        // rows that are here ...
  PetscInt *local, *row; // ... in the array and in the file
} OwnerRows;

static void add_row(OwnerRows *r, PetscInt local, PetscInt row) {
  r->local[r->count] = local, r->row[r->count++] = row;
}

static PetscErrorCode MakeRoom(OwnerRows *r, PetscInt room) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(room, &r->local, room, &r->row));
  PetscFunctionReturn(0);
}

// ---- rows of each owner: of what this rank counts, or of `all` that is here ----

static PetscErrorCode ListNodes(const System *s, bool all, OwnerRows *r) {
  PetscInt count = all ? s->layout.nnode : s->layout.nnode_own;
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, count));
  r->total = s->layout.model->nodes.count;
  for (PetscInt i = 1; i < count; i++) add_row(r, i, s->layout.node[i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListJoints(const System *s, bool all, OwnerRows *r) {
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, s->layout.njoint));
  r->total = s->layout.model->joints.count;
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    if (all || s->layout.joint_primary[j]) add_row(r, j, s->layout.joint[j]);
  PetscFunctionReturn(0);
}

static PetscInt common_divisor(PetscInt a, PetscInt b) {
  while (b) {
    PetscInt rest = a % b;
    a = b, b = rest;
  }
  return a;
}

// A row of the file has as many rows of elements as divide those of every element.
static PetscErrorCode ListElementRows(const System *s, bool all, OwnerRows *r) {
  PetscInt *first, count = s->layout.model->elements.count, room = 0, divisor = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count + 1, &first));
  first[0] = 0;
  for (PetscInt e = 0; e < count; e++) {
    PetscInt own = system_remembers(s, e);
    first[e + 1] = first[e] + own, divisor = common_divisor(divisor, own);
  }
  r->items = PetscMax(1, divisor), r->total = first[count] / r->items;
  for (PetscInt e = 0; e < s->layout.nelement; e++)
    room += first[s->layout.element[e] + 1] - first[s->layout.element[e]];
  PetscCall(MakeRoom(r, room / r->items));
  for (PetscInt e = 0; e < s->layout.nelement; e++) {
    PetscInt id = s->layout.element[e], start = s->state.row_increment_start[e];
    for (PetscInt k = 0; k < first[id + 1] - first[id] && (all || s->layout.element_primary[e]); k += r->items)
      add_row(r, (start + k) / r->items, (first[id] + k) / r->items);
  }
  PetscCall(PetscFree(first));
  PetscFunctionReturn(0);
}

// Unknowns of a joint have room for its coordinates also where these are no unknowns (mechanics/joint.h).
static PetscInt joint_room(const System *s, PetscInt j) {
  const Joint *m = &model_joint(s->layout.model, (int)j)->joint;
  return joint_blocks(m) + (s->rule->projects_velocities ? projection_blocks(m) : 0);
}

static PetscErrorCode ListUnknowns(const System *s, OwnerRows *r) {
  Model m = s->layout.model;
  PetscInt *node, *joint;
  PetscFunctionBegin;
  PetscCall(MakeRoom(r, s->layout.nblock_own));
  PetscCall(PetscMalloc2(m->nodes.count, &node, m->joints.count, &joint));
  for (PetscInt i = 0; i < m->nodes.count; i++) node[i] = r->total, r->total += system_node_blocks(s, i);
  for (PetscInt j = 0; j < m->joints.count; j++) joint[j] = r->total, r->total += joint_room(s, j);
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    PetscInt id = s->layout.node[i], from = s->layout.node_block[i] - system_projection_blocks(s, id);
    for (int b = 0; b < system_node_blocks(s, id) && s->layout.node_block[i] >= 0; b++)
      add_row(r, from + b, node[id] + b);
  }
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    PetscInt id = s->layout.joint[j], own = joint_blocks(system_joint(s, j)), all = system_joint_blocks(s, id);
    for (PetscInt b = 0; b < all && s->layout.joint_primary[j]; b++) // those of the projection are the last
      add_row(r, s->layout.joint_block[j] + b, joint[id] + (b < own ? b : joint_room(s, id) - all + b));
  }
  PetscCall(PetscFree2(node, joint));
  PetscFunctionReturn(0);
}

static PetscErrorCode ListLoads(const System *s, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = s->layout.model->loads.count;
  PetscCall(MakeRoom(r, s->layout.joint_load_start[s->layout.njoint]));
  for (PetscInt j = 0; j < s->layout.njoint; j++)
    for (PetscInt i = s->layout.joint_load_start[j]; i < s->layout.joint_load_start[j + 1]; i++)
      if (s->layout.joint_primary[j]) add_row(r, s->layout.joint_load[i], s->layout.joint_load[i]);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListWheels(const System *s, bool all, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = s->layout.model->wheels.count;
  PetscCall(MakeRoom(r, r->total));
  for (PetscInt i = 0; i < r->total; i++)
    if (all || system_wheel_node(s, i) >= 0) add_row(r, i, i);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListStops(const Contacts *c, OwnerRows *r) {
  PetscFunctionBegin;
  r->total = c->all;
  PetscCall(MakeRoom(r, c->count));
  for (PetscInt i = 0; i < c->count; i++) add_row(r, i, c->watched[i].all);
  PetscFunctionReturn(0);
}

static PetscErrorCode ListRows(const Stepper *p, StateOwner owner, bool all, OwnerRows *r) {
  const System *s = p->s;
  PetscFunctionBegin;
  *r = (OwnerRows){.items = 1};
  switch (owner) {
  case OWNER_NODE: PetscCall(ListNodes(s, all, r)); break;
  case OWNER_JOINT: PetscCall(ListJoints(s, all, r)); break;
  case OWNER_ELEMENT: PetscCall(ListElementRows(s, all, r)); break;
  case OWNER_UNKNOWN: PetscCall(ListUnknowns(s, r)); break;
  case OWNER_LOAD: PetscCall(ListLoads(s, r)); break;
  case OWNER_WHEEL: PetscCall(ListWheels(s, all, r)); break;
  case OWNER_STOP: PetscCall(ListStops(p->contacts, r)); break;
  case OWNER_RUN:
  case OWNERS: SETERRQ(PETSC_COMM_SELF, PETSC_ERR_PLIB, "the run has no rows");
  }
  PetscFunctionReturn(0);
}

// ---- between owners and shares ----

// Shares are of a multiple of 8 rows, and so of 8 bytes.
static PetscInt padded_total(const OwnerRows *r) { return (r->total + 7) / 8 * 8; }
static PetscErrorCode ShareRows(MPI_Comm comm, const OwnerRows *r, PetscLayout *map) {
  PetscFunctionBegin;
  PetscCall(PetscLayoutCreateFromSizes(comm, PETSC_DECIDE, padded_total(r), 8, map));
  PetscFunctionReturn(0);
}

static PetscErrorCode ExchangeHere(const OwnerRows *r, bool write, size_t size, void *data, void *share) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < r->count; i++) {
    char *here = (char *)data + (size_t)r->local[i] * size, *there = (char *)share + (size_t)r->row[i] * size;
    memcpy(write ? there : here, write ? here : there, size);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Exchange(MPI_Comm comm, const OwnerRows *r, PetscLayout map, bool write, size_t size, void *data,
                               void *share) {
  PetscMPIInt ranks;
  MPI_Datatype unit;
  PetscSF sf;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  if (ranks == 1) {
    PetscCall(ExchangeHere(r, write, size, data, share));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscSFCreate(comm, &sf));
  PetscCall(PetscSFSetGraphLayout(sf, map, r->count, r->local, PETSC_USE_POINTER, r->row));
  PetscCallMPI(MPI_Type_contiguous((int)size, MPI_BYTE, &unit));
  PetscCallMPI(MPI_Type_commit(&unit));
  if (write) {
    PetscCall(PetscSFReduceBegin(sf, unit, data, share, MPI_REPLACE));
    PetscCall(PetscSFReduceEnd(sf, unit, data, share, MPI_REPLACE));
  } else {
    PetscCall(PetscSFBcastBegin(sf, unit, share, data, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(sf, unit, share, data, MPI_REPLACE));
  }
  PetscCallMPI(MPI_Type_free(&unit));
  PetscCall(PetscSFDestroy(&sf));
  PetscFunctionReturn(0);
}

// ---- between shares and the file ----

// The share of each rank, in pieces, to the file or from it.
static PetscErrorCode PassShares(MPI_Comm comm, PetscLayout map, size_t size, FILE *file, bool write, char *share,
                                 DividedPlace *place) {
  const PetscInt *range;
  PetscMPIInt rank, ranks;
  char *piece = NULL;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(PetscLayoutGetRanges(map, &range));
  if (!rank && ranks > 1) PetscCall(PetscMalloc1(PIECE, &piece));
  for (PetscMPIInt r = 0; r < ranks; r++) {
    size_t all = (size_t)(range[r + 1] - range[r]) * size;
    for (size_t at = 0; at < all; at += PIECE) {
      size_t n = PetscMin(all - at, (size_t)PIECE);
      if (write && r && rank == r) PetscCallMPI(MPI_Send(share + at, (int)n, MPI_BYTE, 0, r, comm));
      if (!write && r && rank == r) PetscCallMPI(MPI_Recv(share + at, (int)n, MPI_BYTE, 0, r, comm, MPI_STATUS_IGNORE));
      if (rank) continue;
      char *here = r ? piece : share + at;
      if (write && r) PetscCallMPI(MPI_Recv(here, (int)n, MPI_BYTE, r, r, comm, MPI_STATUS_IGNORE));
      if (write) checkpoint_file_add(file, here, n, place);
      else if (fread(here, 1, n, file) != n) memset(here, 0, n); // it was checked, and is no longer there
      if (!write && r) PetscCallMPI(MPI_Send(here, (int)n, MPI_BYTE, r, r, comm));
    }
  }
  PetscCall(PetscFree(piece));
  PetscFunctionReturn(0);
}

// The rows of an owner as they are divided for a file.
typedef struct {
  OwnerRows rows;
  size_t size; // of a row
  PetscLayout map;
  char *data; // of the rows that this rank passes on
} Share;

static PetscErrorCode ShareCreate(Stepper *p, const StateArray *a, bool read, Share *share) {
  PetscInt own;
  PetscFunctionBegin;
  PetscCall(ListRows(p, a->owner, read, &share->rows));
  share->size = a->item * (size_t)share->rows.items;
  PetscCall(ShareRows(p->s->layout.comm, &share->rows, &share->map));
  PetscCall(PetscLayoutGetLocalSize(share->map, &own));
  PetscCall(PetscCalloc1((size_t)own * share->size, &share->data));
  PetscFunctionReturn(0);
}

static PetscErrorCode ShareDestroy(Share *share) {
  PetscFunctionBegin;
  PetscCall(PetscFree(share->data));
  PetscCall(PetscLayoutDestroy(&share->map));
  PetscCall(PetscFree2(share->rows.local, share->rows.row));
  PetscFunctionReturn(0);
}

PetscErrorCode OwnerRowsWrite(Stepper *p, const StateArray *a, FILE *file, DividedPlace *place) {
  MPI_Comm comm = p->s->layout.comm;
  Share share;
  PetscFunctionBegin;
  PetscCall(ShareCreate(p, a, false, &share));
  PetscCall(Exchange(comm, &share.rows, share.map, true, share.size, a->data, share.data));
  if (file) *place = checkpoint_file_place(file, a->name);
  PetscCall(PassShares(comm, share.map, share.size, file, true, share.data, place));
  PetscCall(ShareDestroy(&share));
  PetscFunctionReturn(0);
}

PetscErrorCode OwnerRowsRead(Stepper *p, const StateArray *a, FILE *file, const DividedPlace *place, bool *good) {
  MPI_Comm comm = p->s->layout.comm;
  Share share;
  PetscFunctionBegin;
  PetscCall(ShareCreate(p, a, true, &share));
  *good = place->size == (size_t)padded_total(&share.rows) * share.size;
  if (*good) {
    if (file) fseeko(file, (off_t)place->at, SEEK_SET);
    PetscCall(PassShares(comm, share.map, share.size, file, false, share.data, NULL));
    PetscCall(Exchange(comm, &share.rows, share.map, false, share.size, a->data, share.data));
  }
  PetscCall(ShareDestroy(&share));
  PetscFunctionReturn(0);
}
