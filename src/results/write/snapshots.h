// SPDX-License-Identifier: Apache-2.0
// Snapshots of the whole model: the group /VTKHDF, in VTK's format for an unstructured grid in time, and an XDMF
// sidecar that refers to the same blocks. The grid is written once; positions and data grow by one block per snapshot,
// in the model's order for any number of ranks.
#ifndef LIMBER_RESULTS_WRITE_SNAPSHOTS_H
#define LIMBER_RESULTS_WRITE_SNAPSHOTS_H

#include "input/input.h"
#include "results/container/container.h"
#include "results/write/hdf5_file.h"

enum { SNAPSHOT_VALUES = 21 }; // per point, and per cell

typedef struct {
  const char *path; // in /VTKHDF
  int width, first; // position in the values of a point or cell
  bool cell, still; // data of cells; written only once
  const char *units, *description;
} SnapshotArray;
extern const SnapshotArray snapshot_arrays[]; // ends with a NULL path

typedef struct {
  File *file;
  PetscInt points, cells, mixed;           // rows per block; length of the XDMF topology
  struct Transfer *point_rows, *cell_rows; // transfer from owners to rows of the file
  hid_t *table, step[6], count_at;         // arrays; tables and attribute NSteps of group Steps
  int count, told, room;                   // snapshots; snapshots in the sidecar; capacity of `time`
  double *time;
  double told_at, telling; // time of the last writing of the sidecar, and its duration
  double interval, due;    // s; index of the next multiple
} Snapshots;

// Creates grid, names and tables without rows. With `interval` 0 there are no snapshots, and all functions do nothing.
PetscErrorCode SnapshotsCreate(const Input *in, File *f, LimberRun run, Snapshots **out);
PetscErrorCode SnapshotsOpen(Snapshots *s); // after the file is shared
PetscErrorCode SnapshotsTake(Snapshots *s, LimberRun run);
bool snapshot_due(const Snapshots *s, double time);
bool snapshot_last(const Snapshots *s, double time);           // whether the last snapshot has this time
PetscErrorCode SnapshotsWriteSidecar(Snapshots *s, bool last); // updates the sidecar if it is time to, or if `last`
// Saves and restores the times of snapshots. `good`: the container fits.
PetscErrorCode SnapshotsSave(const Snapshots *s, CheckpointContainer *p);
PetscErrorCode SnapshotsRestore(Snapshots *s, const CheckpointContainer *p, bool *good);
PetscErrorCode SnapshotsClose(Snapshots *s);
PetscErrorCode SnapshotsDestroy(Snapshots **s);

// The name of a file beside the results: run.xdmf or run.checkpoint for run.h5.
void snapshot_beside(const char *path, const char *ending, char *out, size_t size);

#endif
