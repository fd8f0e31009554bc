// SPDX-License-Identifier: Apache-2.0
// Writes snapshots and their sidecar, and decides when to take them (snapshots.h).
#include "results/write/snapshots.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"

#include "analyses/stepping/observable.h"
#include "analyses/stepping/stepper.h"
#include "base/rotation.h"
#include "console/console.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/write/grid.h"
#include "solvers/redundancy.h"

#include <math.h>
#include <petscsf.h>
#include <stdio.h>
#include <string.h>

// The multiple of the interval that a time has reached, up to round-off.
static double snapshot_multiple(const Snapshots *s, double time) {
  return floor(time / s->interval * (1 + 1e-12) + 1e-9);
}

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

const SnapshotArray snapshot_arrays[] = {
    {"Points", 3, 0, false, false, "m", "positions of the nodes, in ground axes"},
    {"PointData/displacement", 3, 3, false, false, "m", "from the reference, in ground axes"},
    {"PointData/velocity", 3, 6, false, false, "m s-1", "in ground axes"},
    {"PointData/angular_velocity", 3, 9, false, false, "rad s-1", "angular velocity in ground axes; 0 for a point"},
    {"PointData/d1", 3, 12, false, false, "1", "first axis of the node, in ground axes; 0 for a point"},
    {"PointData/d2", 3, 15, false, false, "1", "second axis"},
    {"PointData/d3", 3, 18, false, false, "1", "third axis"},
    {"CellData/force", 6, 0, true, false, "N or N m",
     "forces and moments at the integration point, for a joint its multipliers; /names/rows has their names and units"},
    {"CellData/strain", 6, 6, true, false, "1 or m-1", "strains conjugate to the forces; 0 for a joint"},
    {"CellData/e1", 3, 12, true, false, "1",
     "first axis of the section, along the beam, in ground axes; 0: no section"},
    {"CellData/e2", 3, 15, true, false, "1", "second axis of the section"},
    {"CellData/e3", 3, 18, true, false, "1", "third axis of the section"},
    {"CellData/item", 1, 0, true, true, "", "index in /names/items"},
    {"CellData/kind", 1, 0, true, true, "", "index in /names/kinds"},
    {"CellData/point", 1, 0, true, true, "", "integration point along the item; -1: none"},
    {0},
};

// ---- transfer from owners to rows of the file ----

struct Transfer {
  PetscSF sf; // leaves: values computed on this rank; roots: its rows of the file
  MPI_Datatype unit;
  PetscInt first, count; // rows of this rank
  double *value, *row;
};
typedef struct Transfer Transfer;

static PetscErrorCode TransferCreate(MPI_Comm comm, PetscInt total, PetscInt leaves, const PetscInt *row,
                                     Transfer **out) {
  PetscLayout map;
  PetscInt end;
  Transfer *r;
  PetscFunctionBegin;
  PetscCall(PetscNew(&r));
  PetscCall(PetscLayoutCreateFromSizes(comm, PETSC_DECIDE, total, 1, &map));
  PetscCall(PetscLayoutGetRange(map, &r->first, &end));
  r->count = end - r->first;
  PetscCall(PetscSFCreate(comm, &r->sf));
  PetscCall(PetscSFSetGraphLayout(r->sf, map, leaves, NULL, PETSC_OWN_POINTER, row));
  PetscCall(PetscSFSetUp(r->sf));
  PetscCall(PetscLayoutDestroy(&map));
  PetscCallMPI(MPI_Type_contiguous(SNAPSHOT_VALUES, MPI_DOUBLE, &r->unit));
  PetscCallMPI(MPI_Type_commit(&r->unit));
  PetscCall(PetscCalloc2((size_t)SNAPSHOT_VALUES * (size_t)leaves, &r->value,
                         (size_t)SNAPSHOT_VALUES * (size_t)r->count, &r->row));
  *out = r;
  PetscFunctionReturn(0);
}

static PetscErrorCode TransferSend(Transfer *r) {
  PetscFunctionBegin;
  PetscCall(PetscSFReduceBegin(r->sf, r->unit, r->value, r->row, MPI_REPLACE));
  PetscCall(PetscSFReduceEnd(r->sf, r->unit, r->value, r->row, MPI_REPLACE));
  PetscFunctionReturn(0);
}

static PetscErrorCode TransferDestroy(Transfer *r) {
  PetscFunctionBegin;
  PetscCall(PetscSFDestroy(&r->sf));
  PetscCallMPI(MPI_Type_free(&r->unit));
  PetscCall(PetscFree2(r->value, r->row));
  PetscCall(PetscFree(r));
  PetscFunctionReturn(0);
}

// ---- values ----

// Places and velocities of the mesh that a local element carries.
static double *carried_values(const Motion *motion, PetscInt e, const CarriedMesh *m, double *out) {
  Vec3 y[MAX_LOCAL_VECTORS], rate[MAX_LOCAL_VECTORS];
  state_element_vectors(&motion->layout, &motion->state, e, y);
  motion_element_rates(motion, e, rate);
  for (int i = 0; i < m->points; i++, out += SNAPSHOT_VALUES) {
    Vec3 x = carried_place(m, y, i);
    memset(out, 0, SNAPSHOT_VALUES * sizeof *out);
    vec3_to(x, out), vec3_to(vec3_sub(x, m->at[i]), out + 3), vec3_to(carried_place(m, rate, i), out + 6);
  }
  return out;
}

// The mesh that a local element carries, if this rank writes it; NULL: none.
static const CarriedMesh *carried_here(const Motion *motion, PetscInt e) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  return motion->layout.element_primary[e] ? element_mesh(el->kind, el->data) : NULL;
}

static void point_values(const Motion *motion, double *out) {
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++, out += SNAPSHOT_VALUES) {
    Vec3 x[4], v, w;
    motion_node_values(motion, i, x, &v, &w);
    const ModelNode *node = model_node(motion->layout.model, motion->layout.node[i]);
    if (node->abstract) x[0] = node->x[0], v = vec3_zero();
    vec3_to(x[0], out);
    vec3_to(vec3_sub(x[0], node->x[0]), out + 3);
    vec3_to(v, out + 6), vec3_to(motion_reported_rate(motion, w), out + 9);
    for (int j = 1; j < 4; j++) vec3_to(x[j], out + 9 + 3 * j);
  }
  for (PetscInt e = 0; e < motion->layout.nelement; e++)
    if (carried_here(motion, e)) out = carried_values(motion, e, carried_here(motion, e), out);
}

// The rows of the points of this rank in the grid, in the order of their values; returns their number.
static PetscInt points_here(const Motion *motion, PetscInt *row) {
  Model m = motion->layout.model;
  PetscInt n = 0;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++, n++)
    if (row) row[n] = motion->layout.node[i] - 1;
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    const CarriedMesh *mesh = carried_here(motion, e);
    ModelMesh it = {.element = -1};
    while (mesh && model_next_mesh(m, &it) && it.mesh != mesh) continue;
    for (int i = 0; mesh && i < mesh->points; i++, n++)
      if (row) row[n] = m->nodes.count - 1 + it.first + i;
  }
  return n;
}

// Visits the cells of this rank, always in the same order, and returns their number. Fills in their rows in the grid or
// their values.
static PetscInt cells_here(const Motion *motion, const Grid *g, PetscInt *row, double *out) {
  PetscInt n = 0;
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    if (!motion->layout.element_primary[e]) continue;
    Vec3 small[MAX_LOCAL_VECTORS];
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    const int *node = model_element_nodes(motion->layout.model, el);
    Vec3 x[MAX_LOCAL_VECTORS], axis[3];
    int points = el->kind->points(el->data);
    const CarriedMesh *mesh = element_mesh(el->kind, el->data);
    if (out) state_element_vectors(&motion->layout, &motion->state, e, x);
    if (out && mesh) carried_displacements(mesh, el->kind, el->data, x, small);
    for (int k = 0, cell = 0; k < element_cells(el->kind, el->data, el->nnode); k++) {
      if (!grid_has_cell(el->kind, el->data, node, el->nnode, k)) continue;
      if (row) row[n] = g->first[motion->layout.element[e]] + cell;
      double *value = out ? out + (size_t)SNAPSHOT_VALUES * (size_t)n : NULL;
      if (out && mesh) carried_cell(mesh, small, k, value + 6, value);
      else if (out) motion_cell_section(motion, e, k, value + 6, value);
      if (out && k < points && el->kind->line.axes) {
        el->kind->line.axes(el->data, k, x, axis); // interpolated, so only nearly orthonormal
        Mat3 r = rotation_orthonormalised(mat3_columns(axis[0], axis[1], axis[2]));
        for (int j = 0; j < 3; j++) vec3_to(mat3_column(r, j), value + 12 + 3 * j);
      }
      cell++, n++;
    }
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    if (!motion->layout.joint_primary[j]) continue;
    if (row) row[n] = g->first[motion->layout.model->elements.count + motion->layout.joint[j]];
    int rows = model_joint(motion->layout.model, motion->layout.joint[j])->joint.rows.nrow;
    if (out) memcpy(out + (size_t)SNAPSHOT_VALUES * (size_t)n, motion->state.multiplier[j], (size_t)rows * sizeof *out);
    n++;
  }
  return n;
}

static PetscErrorCode MakeRows(Snapshots *p, const Motion *motion, const Grid *g) {
  PetscInt *row, n = cells_here(motion, g, NULL, NULL), points = points_here(motion, NULL);
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(PetscMax(n, points) + 1, &row));
  points_here(motion, row);
  PetscCall(TransferCreate(motion->layout.comm, g->points, points, row, &p->point_rows));
  cells_here(motion, g, row, NULL);
  PetscCall(TransferCreate(motion->layout.comm, g->cells, n, row, &p->cell_rows));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

// ---- the file ----

// Group Steps. Many arrays have the same offsets: these are links to one table.
enum { STEP_VALUES, STEP_PART, STEP_PARTS, STEP_POINT, STEP_CELL, STEP_BLOCK };
static const struct {
  const char *path, *units, *description;
  bool wide;
} step_tables[] = {
    {"Values", "s", "time of each snapshot", false},
    {"PartOffsets", "", "always 0: the grid is stored once", false},
    {"NumberOfParts", "", "always 1", false},
    {"PointOffsets", "", "row of the first point of each snapshot", false},
    {"CellOffsets", "", "always 0: the grid is stored once", true},
    {"CellDataOffsets/force", "", "row of the first cell of each snapshot", false},
};

enum { MAX_CHUNK = 1 << 25 }; // rows: chunks of HDF5 must be below 4 GB

#define VTK   "/VTKHDF/"
#define STEPS VTK "Steps/"

static PetscErrorCode LinkTable(hid_t file, int step, const char *path) {
  char from[128], to[128];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(from, sizeof from, STEPS "%s", step_tables[step].path));
  PetscCall(PetscSNPrintf(to, sizeof to, STEPS "%s", path));
  H5Call(H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteSteps(hid_t file) {
  static const char *const unstructured[] = {"lines and vertices"};
  char path[128];
  hid_t group;
  PetscFunctionBegin;
  PetscCall(FileGroup(file, VTK "Steps", "where the block of each snapshot begins in the arrays"));
  H5Make(group, H5Gopen2(file, VTK "Steps", H5P_DEFAULT));
  PetscCall(FileInts(group, "NSteps", 0, &(int){0}));
  H5Call(H5Gclose(group));
  PetscCall(FileGroup(file, STEPS "PointDataOffsets", "of the arrays of points"));
  PetscCall(FileGroup(file, STEPS "CellDataOffsets", "of the arrays of cells"));
  for (int i = STEP_VALUES; i <= STEP_BLOCK; i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, STEPS "%s", step_tables[i].path));
    FileTable table = {.path = path,
                       .width = 1,
                       .columns = step_tables[i].wide ? unstructured : NULL,
                       .type = i == STEP_VALUES ? H5T_IEEE_F64LE : H5T_STD_I64LE,
                       .chunk = FILE_CHUNK,
                       .units = step_tables[i].units,
                       .description = step_tables[i].description};
    PetscCall(FileTableCreate(file, &table));
  }
  PetscCall(LinkTable(file, STEP_CELL, "ConnectivityIdOffsets"));
  for (const SnapshotArray *a = snapshot_arrays + 1; a->path; a++) {
    const char *name = strchr(a->path, '/') + 1;
    PetscCall(PetscSNPrintf(path, sizeof path, "%sDataOffsets/%s", a->cell ? "Cell" : "Point", name));
    if (strcmp(path, step_tables[STEP_BLOCK].path))
      PetscCall(LinkTable(file, a->still ? STEP_PART : a->cell ? STEP_BLOCK : STEP_POINT, path));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteNames(hid_t file, Model m) {
  GridNames n;
  PetscFunctionBegin;
  PetscCall(FileGroup(file, "/names", "names of what the grid of /VTKHDF is made of"));
  PetscCall(GridNamePoints(m, &n));
  PetscCall(FileNames(file, "/names/nodes", (hsize_t)n.count, n.length, n.text, "of each point"));
  PetscCall(PetscFree(n.text));
  PetscCall(GridNameComponents(m, &n));
  PetscCall(FileNames(file, "/names/items", (hsize_t)n.count, n.length, n.text, "elements, then joints"));
  PetscCall(PetscFree(n.text));
  PetscCall(GridNameKinds(&n));
  PetscCall(FileNames(file, "/names/kinds", (hsize_t)n.count, n.length, n.text, "of elements, then of joints"));
  PetscCall(PetscFree(n.text));
  PetscCall(GridNameRows(m, &n));
  PetscCall(FileNames(file, "/names/rows", (hsize_t)n.count, n.length, n.text,
                      "forces of each kind and their units; empty if the model has none of the kind"));
  PetscCall(PetscFree(n.text));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteGrid(hid_t file, const Grid *g) {
  const hid_t wide = H5T_STD_I64LE, memory = H5T_NATIVE_INT64;
  int64_t points = g->points, cells = g->cells, ids = g->ids;
  hsize_t n = (hsize_t)g->cells;
  hid_t group;
  PetscFunctionBegin;
  PetscCall(FileGroup(file, "/VTKHDF", "snapshots of all nodes and cells, in the format of VTK and ParaView"));
  H5Make(group, H5Gopen2(file, "/VTKHDF", H5P_DEFAULT));
  PetscCall(FileInts(group, "Version", 2, (int[]){2, 0}));
  PetscCall(FileWord(group, "Type", "UnstructuredGrid"));
  H5Call(H5Gclose(group));
  PetscCall(FileGroup(file, VTK "PointData", "of nodes"));
  PetscCall(FileGroup(file, VTK "CellData", "of integration points and joints"));
  PetscCall(FileArray(file, VTK "NumberOfPoints", 1, wide, memory, &points,
                      "all nodes but the ground, and those of the meshes of reduced bodies"));
  PetscCall(FileArray(file, VTK "NumberOfCells", 1, wide, memory, &cells, "cells"));
  PetscCall(FileArray(file, VTK "NumberOfConnectivityIds", 1, wide, memory, &ids, "points of all cells"));
  PetscCall(FileArray(file, VTK "Connectivity", (hsize_t)g->ids, wide, memory, g->connectivity, "points of each cell"));
  PetscCall(FileArray(file, VTK "Offsets", n + 1, wide, memory, g->offsets, "where each cell begins in Connectivity"));
  PetscCall(
      FileArray(file, VTK "Types", n, H5T_STD_U8LE, H5T_NATIVE_UINT8, g->types, "1: vertex, 3: line, 4: several"));
  const int32_t *still[] = {g->component, g->kind, g->point};
  int k = 0;
  for (const SnapshotArray *a = snapshot_arrays; a->path; a++) {
    char path[128];
    PetscCall(PetscSNPrintf(path, sizeof path, VTK "%s", a->path));
    if (a->still) PetscCall(FileArray(file, path, n, H5T_STD_I32LE, H5T_NATIVE_INT32, still[k++], a->description));
  }
  PetscCall(FileGroup(file, "/xdmf", "for the sidecar"));
  PetscCall(FileArray(file, "/xdmf/topology", (hsize_t)g->mixed_length, wide, memory, g->mixed, "cells of mixed kind"));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteTables(hid_t file, const Grid *g) {
  static const char *const xyz[] = {"x", "y", "z"}, *const rows[] = {"1", "2", "3", "4", "5", "6"};
  char path[128];
  PetscFunctionBegin;
  for (const SnapshotArray *a = snapshot_arrays; a->path; a++) {
    if (a->still) continue;
    PetscCall(PetscSNPrintf(path, sizeof path, VTK "%s", a->path));
    FileTable table = {.path = path,
                       .width = a->width,
                       .columns = a->width == 3 ? xyz : rows,
                       .type = H5T_IEEE_F64LE,
                       .chunk = PetscMin((hsize_t)(a->cell ? g->cells : g->points), MAX_CHUNK), // a snapshot
                       .whole = true,
                       .units = a->units,
                       .description = a->description};
    PetscCall(FileTableCreate(file, &table));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsCreate(const Input *in, File *f, LimberRun run, Snapshots **out) {
  Snapshots *s;
  Grid g;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s));
  *out = s;
  s->file = f, s->interval = in->snapshots;
  if (!(s->interval > 0)) PetscFunctionReturn(0);
  PetscCall(GridCreate(in->model, &g));
  s->points = g.points, s->cells = g.cells, s->mixed = g.mixed_length;
  PetscCall(MakeRows(s, &run->stepper->s->motion, &g));
  if (f->rank == 0 && !f->exists) {
    PetscCall(WriteNames(f->id, in->model));
    PetscCall(WriteGrid(f->id, &g));
    PetscCall(WriteTables(f->id, &g));
    PetscCall(WriteSteps(f->id));
  }
  PetscCall(GridDestroy(&g));
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsOpen(Snapshots *s) {
  char path[128];
  int arrays = 0;
  hid_t group;
  PetscFunctionBegin;
  if (!(s->interval > 0)) PetscFunctionReturn(0);
  while (snapshot_arrays[arrays].path) arrays++;
  PetscCall(PetscMalloc1(arrays, &s->table));
  for (int i = 0; i < arrays; i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, VTK "%s", snapshot_arrays[i].path));
    if (!snapshot_arrays[i].still) H5Make(s->table[i], H5Dopen2(s->file->id, path, H5P_DEFAULT));
  }
  for (int i = STEP_VALUES; i <= STEP_BLOCK; i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, STEPS "%s", step_tables[i].path));
    H5Make(s->step[i], H5Dopen2(s->file->id, path, H5P_DEFAULT));
  }
  H5Make(group, H5Gopen2(s->file->id, VTK "Steps", H5P_DEFAULT));
  H5Make(s->count_at, H5Aopen(group, "NSteps", H5P_DEFAULT));
  H5Call(H5Gclose(group));
  PetscFunctionReturn(0);
}

// ---- taking ----

static PetscErrorCode WriteStep(Snapshots *s, double time) {
  int64_t number[] = {0, 0, 1, (int64_t)s->points * s->count, 0, (int64_t)s->cells * s->count};
  FileRows one = {
      .total = (hsize_t)s->count + 1, .at = (hsize_t)s->count, .count = s->file->rank == 0, .stride = 1, .width = 1};
  PetscFunctionBegin;
  for (int i = STEP_VALUES; i <= STEP_BLOCK; i++) {
    one.type = i == STEP_VALUES ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
    one.values = i == STEP_VALUES ? (const void *)&time : &number[i];
    PetscCall(FileWrite(s->file, s->step[i], &one));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsTake(Snapshots *s, LimberRun run) {
  System *system = run->stepper->s;
  double time = limber_run_time(run);
  PetscFunctionBegin;
  if (!(s->interval > 0)) PetscFunctionReturn(0);
  point_values(&system->motion, s->point_rows->value);
  PetscCall(RedundancyLeastNormMultipliers(&system->motion, &system->redundancy));
  cells_here(&system->motion, NULL, NULL, s->cell_rows->value);
  PetscCall(TransferSend(s->point_rows));
  PetscCall(TransferSend(s->cell_rows));
  for (int i = 0; snapshot_arrays[i].path; i++) {
    const SnapshotArray *a = &snapshot_arrays[i];
    const Transfer *r = a->cell ? s->cell_rows : s->point_rows;
    hsize_t block = (hsize_t)(a->cell ? s->cells : s->points), n = (hsize_t)s->count;
    if (a->still) continue;
    FileRows rows = {block * (n + 1),
                     block * n + (hsize_t)r->first,
                     (hsize_t)r->count,
                     H5T_NATIVE_DOUBLE,
                     r->row,
                     SNAPSHOT_VALUES,
                     a->first,
                     a->width};
    PetscCall(FileWrite(s->file, s->table[i], &rows));
  }
  PetscCall(WriteStep(s, time));
  if (s->count == s->room) {
    s->room = s->count ? 2 * s->count : 1;
    PetscCall(PetscRealloc((size_t)s->room * sizeof *s->time, &s->time));
  }
  s->time[s->count++] = time;
  s->due = snapshot_multiple(s, time) + 1;
  H5Call(H5Awrite(s->count_at, H5T_NATIVE_INT, &s->count));
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsClose(Snapshots *s) {
  PetscFunctionBegin;
  if (!(s->interval > 0)) PetscFunctionReturn(0);
  for (int i = 0; snapshot_arrays[i].path; i++)
    if (!snapshot_arrays[i].still) H5Call(H5Dclose(s->table[i]));
  for (int i = STEP_VALUES; i <= STEP_BLOCK; i++) H5Call(H5Dclose(s->step[i]));
  H5Call(H5Aclose(s->count_at));
  PetscFunctionReturn(0);
}

PetscErrorCode SnapshotsDestroy(Snapshots **s) {
  PetscFunctionBegin;
  if ((*s)->point_rows) PetscCall(TransferDestroy((*s)->point_rows));
  if ((*s)->cell_rows) PetscCall(TransferDestroy((*s)->cell_rows));
  PetscCall(PetscFree((*s)->table));
  PetscCall(PetscFree((*s)->time));
  PetscCall(PetscFree(*s));
  PetscFunctionReturn(0);
}

// The sidecar: an XDMF file that lists the blocks of each snapshot, for programs that cannot read /VTKHDF in time. A
// reader always finds a complete one (files/output_file.h).
//
// Each block is written for two dialects: readers of XDMF 3 take the first entry of an array and do not know HyperSlab,
// readers of XDMF 2 know only that. Readers of XDMF 3 need the empty names and the single 0 around a Subset. The
// comment keeps readers of XDMF 2 from mixing up the geometries of different times.

void snapshot_beside(const char *path, const char *ending, char *out, size_t size) {
  static const char *const ends[] = {".h5", ".hdf5", ".hdf", ".vtkhdf"};
  size_t n = strlen(path), dropped = 0;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    size_t m = strlen(ends[i]);
    if (n > m && path[n - m - 1] != '/' && !strcmp(path + n - m, ends[i])) dropped = m;
  }
  snprintf(out, size, "%.*s%s", (int)(n - dropped), path, ending);
}

static void print_name(FILE *f, const char *text) {
  for (; *text; text++)
    if (*text == '&') fputs("&amp;", f);
    else if (*text == '<') fputs("&lt;", f);
    else if (*text == '>') fputs("&gt;", f);
    else fputc(*text, f);
}

typedef struct {
  const char *file;
  long long first, count, total; // first row and rows of a block; rows in total
} Block;

// Prints a tag of a block: "<DataItem ... Dimensions="rows width" ...>".
static void print_item(FILE *f, const char *tag, long long rows, int width) {
  fprintf(f, "<%s Dimensions=\"%lld %d\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">", tag, rows, width);
}

static void print_block(FILE *f, const SnapshotArray *a, Block b) {
  char tag[128];
  snprintf(tag, sizeof tag, "Subset SubsetStarts=\"0 0\" SubsetStrides=\"1 1\" SubsetDimensions=\"%lld %d\"", b.count,
           a->width);
  print_item(f, tag, b.count, a->width);
  fputs(":<DataItem Dimensions=\"1\" Format=\"XML\">0</DataItem>", f);
  print_item(f, "DataItem", b.count, a->width);
  print_name(f, b.file);
  fprintf(f, ":/VTKHDF/%s|%lld 0:1 1:%lld %d:%lld %d</DataItem></Subset>\n", a->path, b.first, b.count, a->width,
          b.total, a->width);
  fprintf(f, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%lld %d\"><!-- %lld -->", b.count, a->width, b.first);
  fprintf(f, "<DataItem Dimensions=\"3 2\" NumberType=\"Int\" Format=\"XML\">%lld 0 1 1 %lld %d</DataItem>", b.first,
          b.count, a->width);
  print_item(f, "DataItem", b.total, a->width);
  print_name(f, b.file);
  fprintf(f, ":/VTKHDF/%s</DataItem></DataItem>", a->path);
}

static void print_array(FILE *f, const char *file, const Snapshots *s, const SnapshotArray *a, int k) {
  long long block = a->cell ? s->cells : s->points;
  const char *name = strchr(a->path, '/');
  if (!name) fputs("<Geometry GeometryType=\"XYZ\">", f);
  else
    fprintf(f, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name + 1,
            a->width == 1   ? "Scalar"
            : a->width == 3 ? "Vector"
                            : "Matrix",
            a->cell ? "Cell" : "Node");
  if (!a->still) print_block(f, a, (Block){file, block * k, block, block * s->count});
  else {
    fprintf(f, "<DataItem Dimensions=\"%lld\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">", block);
    print_name(f, file);
    fprintf(f, ":/VTKHDF/%s</DataItem>", a->path);
  }
  fputs(name ? "</Attribute>\n" : "</Geometry>\n", f);
}

static void print_all(FILE *f, const char *file, const Snapshots *s) {
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
        "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        f);
  for (int k = 0; k < s->count; k++) {
    fprintf(f, "<Grid Name=\"model\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n", s->time[k]);
    fprintf(f, "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%lld\">", (long long)s->cells);
    fprintf(f, "<DataItem Dimensions=\"%lld\" NumberType=\"Int\" Precision=\"8\" Format=\"HDF\">", (long long)s->mixed);
    print_name(f, file);
    fputs(":/xdmf/topology</DataItem></Topology>\n", f);
    for (const SnapshotArray *a = snapshot_arrays; a->path; a++) print_array(f, file, s, a, k);
    fputs("</Grid>\n", f);
  }
  fputs("</Grid>\n</Domain>\n</Xdmf>\n", f);
}

PetscErrorCode SnapshotsWriteSidecar(Snapshots *s, bool last) {
  char path[4200];
  Refusal wrong;
  OutputFile f;
  const char *base = strrchr(s->file->path, '/');
  PetscFunctionBegin;
  if (s->file->rank || s->told == s->count) PetscFunctionReturn(0);
  double begun = clock_seconds();
  if (!last && begun - s->told_at < 20 * s->telling) PetscFunctionReturn(0); // at most a twentieth of the run time
  snapshot_beside(s->file->path, ".xdmf", path, sizeof path);
  PetscCheck(output_open(path, &(OutputRules){.kind = FILE_XDMF, .force = output_force()}, &f, &wrong), PETSC_COMM_SELF,
             PETSC_ERR_FILE_WRITE, "%.*s", (int)strcspn(wrong.text, "\n"), wrong.text);
  print_all(f.out, base ? base + 1 : s->file->path, s);
  PetscCheck(output_finish(&f, &wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong.text);
  s->told = s->count, s->told_at = clock_seconds(), s->telling = s->told_at - begun;
  PetscFunctionReturn(0);
}
