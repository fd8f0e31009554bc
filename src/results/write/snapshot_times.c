// SPDX-License-Identifier: Apache-2.0
// When snapshots are taken.
#include "results/write/snapshots.h"

#include <string.h>

double snapshot_multiple(const Snapshots *s, double time) { return floor(time / s->interval * (1 + 1e-12) + 1e-9); }

bool snapshot_due(const Snapshots *s, double time) { return s->interval > 0 && snapshot_multiple(s, time) >= s->due; }

bool snapshot_last(const Snapshots *s, double time) {
  return !(s->interval > 0) || (s->count && s->time[s->count - 1] == time);
}

PetscErrorCode SnapshotsSave(const Snapshots *s, CheckpointContainer *p) {
  PetscFunctionBegin;
  PetscCall(ContainerPut(p, "snapshots", 0, s->time, (size_t)s->count * sizeof *s->time));
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsRestore(Snapshots *s, const CheckpointContainer *p, bool *good) {
  size_t size;
  const void *times = container_find(p, "snapshots", 0, &size);
  PetscFunctionBegin;
  *good = times && size % sizeof *s->time == 0 && (size > 0) == (s->interval > 0);
  if (!*good || !size) PetscFunctionReturn(0);
  s->count = s->room = (int)(size / sizeof *s->time);
  PetscCall(PetscMalloc1(s->count, &s->time));
  memcpy(s->time, times, size);
  s->due = snapshot_multiple(s, s->time[s->count - 1]) + 1;
  PetscFunctionReturn(0);
}
