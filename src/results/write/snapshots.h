// SPDX-License-Identifier: Apache-2.0
// Snapshots of the whole model: group /VTKHDF, in the layout of VTK's format for an unstructured grid in time, and the
// sidecar in XDMF that refers to the same blocks. The grid is written once; positions and data grow by a block a
// snapshot, in the model's order whatever the ranks.
#ifndef LIMBER_RESULTS_WRITE_SNAPSHOTS_H
#define LIMBER_RESULTS_WRITE_SNAPSHOTS_H

#include "input/input.h"
#include "results/container/container.h"
#include "results/write/hdf5_file.h"

enum { SNAPSHOT_VALUES = 21 }; // of a point, and of a cell

typedef struct {
  const char *path; // in /VTKHDF
  int width, first; // in the values of a point or cell
  bool cell, still; // of cells; written once
  const char *units, *description;
} SnapshotArray;
extern const SnapshotArray snapshot_arrays[]; // ends with a path of NULL

typedef struct {
  File *file;
  PetscInt points, cells, mixed;           // rows of a block; length of the topology of XDMF
  struct Transfer *point_rows, *cell_rows; // from owners of nodes and items to rows of the file
  hid_t *table, step[6], count_at;         // arrays; of group Steps; its attribute NSteps
  int count, told, room;                   // snapshots; those in the sidecar; room for times
  double *time;
  double told_at, telling; // when the sidecar was written last, and how long that took
  double interval, due;    // s; index of the next multiple
} Snapshots;

// The grid, names and tables without rows. `interval` 0: no snapshots, and all below does nothing.
PetscErrorCode SnapshotsCreate(const Input *in, File *f, LimberRun run, Snapshots **out);
PetscErrorCode SnapshotsOpen(Snapshots *s); // once the file is shared
PetscErrorCode SnapshotsTake(Snapshots *s, LimberRun run);
bool snapshot_due(const Snapshots *s, double time);
bool snapshot_last(const Snapshots *s, double time);           // the state at that time is the last taken
PetscErrorCode SnapshotsWriteSidecar(Snapshots *s, bool last); // brings the sidecar up to date, `last` for sure
// Which were taken, to a packet and back. `good` is false where the packet does not fit.
PetscErrorCode SnapshotsSave(const Snapshots *s, CheckpointContainer *p);
PetscErrorCode SnapshotsRestore(Snapshots *s, const CheckpointContainer *p, bool *good);
PetscErrorCode SnapshotsClose(Snapshots *s);
PetscErrorCode SnapshotsDestroy(Snapshots **s);

// run.h5 has beside it run.xdmf, run.checkpoint.
void snapshot_beside(const char *path, const char *ending, char *out, size_t size);

#endif
