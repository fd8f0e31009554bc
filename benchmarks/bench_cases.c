// SPDX-License-Identifier: Apache-2.0
#include "bench_cases.h"

#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>

static char *whole(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *length = (size_t)ftell(f);
  rewind(f);
  text = malloc(*length + 1);
  if (text) text[fread(text, 1, *length, f)] = 0;
  fclose(f);
  return text;
}

// What was read lives as long as the program.
static int from_file(const BenchCase *c, Input *in) {
  char path[4096];
  size_t length;
  Input *read;
  PetscFunctionBegin;
  snprintf(path, sizeof path, "%s/%s", LIMBER_SOURCE, c->file);
  char *text = whole(path, &length);
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscCall(InputRead(path, text, length, NULL, &read));
  *in = *read;
  in->options.control.on = 0;
  PetscFunctionReturn(0);
}

// Steel, 10 x 10 mm.
static const LimberSection steel = {
    .stiffness = {{2.1e7}, {0, 6.73e6}, {0, 0, 6.73e6}, {0, 0, 0, 113.6}, {0, 0, 0, 0, 175}, {0, 0, 0, 0, 0, 175}},
    .mass = 0.78,
    .inertia = {{1.3e-5}, {0, 6.5e-6}, {0, 0, 6.5e-6}}};

static int with_gravity(LimberModel m) {
  return LimberModelAddGravity(m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION},
                               NULL);
}

static int cantilever(const BenchCase *c, int order, double length, Input *in) {
  LimberModel m;
  LimberSectionId section;
  LimberElementId beam;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddSection(m, "steel", 1, &steel, &section));
  PetscCall(LimberModelAddBeam(
      m, "boom",
      &(LimberBeam){
          .from = {-1}, .to = {-1}, .section = section, .elements = c->n, .order = order, .end = {length, 0, 0}},
      &beam));
  PetscCall(LimberModelAddClamp(m, "root", &(LimberClamp){limber_model_element_node(m, beam, 0)}, NULL));
  PetscCall(with_gravity(m));
  in->options.step = 1e-3;
  in->model = m;
  PetscFunctionReturn(0);
}

static int chain(const BenchCase *c, Input *in) { return cantilever(c, 3, 0.1 * c->n, in); }

// P3: one metre for 16 elements
static int two_node_chain(const BenchCase *c, Input *in) { return cantilever(c, 1, c->n / 16.0, in); }

// Beams of one cubic element along the edges of a grid of (n, n, layers) cells, clamped at the corners of its bottom.
static int grid(int n, int layers, Input *in) {
  LimberModel m;
  LimberSectionId section;
  LimberNodeId *node;
  double size = 0.3;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(LimberModelAddSection(m, "steel", 1, &steel, &section));
  int side = n + 1, all = side * side * (layers + 1);
  PetscCall(PetscMalloc1(all, &node));
  for (int i = 0; i < all; i++) {
    double at[3] = {size * (i % side), size * (i / side % side), size * (i / side / side)};
    PetscCall(LimberModelAddFrame(m, NULL, at, NULL, &node[i]));
  }
  for (int i = 0; i < all; i++) {
    int at[3] = {i % side, i / side % side, i / side / side}, stride[3] = {1, side, side * side};
    for (int d = 0; d < 3; d++) {
      if (at[d] == (d < 2 ? n : layers)) continue;
      LimberBeam b = {.from = node[i], .to = node[i + stride[d]], .section = section, .elements = 1, .order = 1};
      b.up[d == 2 ? 0 : 2] = 1;
      PetscCall(LimberModelAddBeam(m, NULL, &b, NULL));
    }
  }
  for (int k = 0; k < 4; k++)
    PetscCall(LimberModelAddClamp(m, NULL, &(LimberClamp){node[(k % 2) * n + (k / 2) * n * side]}, NULL));
  PetscCall(with_gravity(m));
  PetscCall(PetscFree(node));
  in->options.step = 1e-3;
  in->model = m;
  PetscFunctionReturn(0);
}

// Uniform rods of 1 kg and 1 m in a row, hinged to each other and to the ground, let go from the horizontal.
static int rods(const BenchCase *c, Input *in) {
  LimberModel m;
  LimberNodeId node, last = LIMBER_GROUND;
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  for (int i = 0; i < c->n; i++, last = node) {
    LimberRigidBody body = {.mass = 1, .inertia = {0, 1.0 / 12, 1.0 / 12}};
    PetscCall(LimberModelAddFrame(m, NULL, (double[]){i + 0.5, 0, 0}, NULL, &node));
    body.node = node;
    PetscCall(LimberModelAddRigidBody(m, NULL, &body, NULL));
    PetscCall(LimberModelAddRevolute(
        m, NULL, &(LimberRevolute){.nodes = {last, node}, .axis = {0, 1, 0}, .at = (double[]){i, 0, 0}}, NULL));
  }
  PetscCall(with_gravity(m));
  in->options.step = 1e-3;
  in->model = m;
  PetscFunctionReturn(0);
}

static int net(const BenchCase *c, Input *in) { return grid(c->n, 0, in); }
static int lattice(const BenchCase *c, Input *in) { return grid(c->n, c->n, in); }

// A block of n^3 cubes, 1 m of steel, each cut into six tetrahedra around its diagonal; it stands on the ground, tilts at 30 rad/s
// about the edge of its foot and rings.
static int solid(const BenchCase *c, Input *in) {
  static const int around[7] = {1, 3, 2, 6,
                                4, 5, 1}; // corners of a cube that lie around its diagonal: bits are x, y, z
  LimberModel m;
  LimberNodeId *node, *corner;
  LimberCellShape *shape;
  int n = c->n, side = n + 1, all = side * side * side, cells = 6 * n * n * n, stride[3] = {1, side, side * side};
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&m));
  PetscCall(PetscMalloc3(all, &node, cells, &shape, 4 * cells, &corner));
  for (int i = 0; i < all; i++) {
    double at[3] = {(double)(i % side) / n, (double)(i / side % side) / n, (double)(i / side / side) / n};
    if (i < stride[2]) PetscCall(LimberModelAddFixed(m, NULL, at, NULL, &node[i]));
    else {
      PetscCall(LimberModelAddPoint(m, NULL, at, &node[i]));
      PetscCall(LimberModelSetVelocity(m, node[i], (double[]){30 * at[2], 0, 0}, NULL));
    }
  }
  for (int i = 0, k = 0; i < all; i++) {
    if (i % side == n || i / side % side == n || i / side / side == n) continue;
    for (int t = 0; t < 6; t++, k++) {
      int bits[4] = {0, around[t], around[t + 1], 7};
      shape[k] = LIMBER_TETRAHEDRON;
      for (int a = 0; a < 4; a++) {
        int b = bits[a];
        corner[4 * k + a] = node[i + (b & 1) * stride[0] + (b >> 1 & 1) * stride[1] + (b >> 2) * stride[2]];
      }
    }
  }
  PetscCall(LimberModelAddSolid(
      m, "block",
      &(LimberSolid){.cells = {shape, corner, cells, NULL}, .material = {.E = 2.1e11, .nu = 0.3, .density = 7850}},
      NULL));
  PetscCall(PetscFree3(node, shape, corner));
  in->options.step = 1e-4;
  in->model = m;
  PetscFunctionReturn(0);
}

const BenchCase bench_cases[] = {
    {"pendulum", "P1, 16 two-node elements on a pin", from_file, "benchmarks/models/pendulum.yaml", 0, 20, 1800, false},
    {"strip", "P2, a thin strip with a mass at its tip", from_file, "benchmarks/models/strip.yaml", 0, 20, 2500, false},
    {"swing", "the swing of Bauchau and Theron", from_file, "examples/swing/swing.yaml", 0, 20, 1200, false},
    {"elbow-rigid", "an elbow with a rigid corner", from_file, "examples/elbow_rigid/elbow_rigid.yaml", 0, 20, 500,
     false},
    {"elbow-revolute", "an elbow with a revolute joint", from_file, "examples/elbow_revolute/elbow_revolute.yaml", 0,
     20, 500, false},
    {"four-bars", "a chain of forty four-bars", from_file, "examples/four_bar_chain/chain_40_plane.yaml", 0, 5, 50,
     false},
    {"rods-10", "a chain of ten hinged rods", rods, NULL, 10, 20, 500, false},
    {"rods-100", "100", rods, NULL, 100, 5, 100, false},
    {"p3-100", "P3, a cantilever of 100 two-node elements", two_node_chain, NULL, 100, 3, 60, false},
    {"p3-1e3", "P3, 1000", two_node_chain, NULL, 1000, 3, 17, false},
    {"p3-1e4", "P3, 10000", two_node_chain, NULL, 10000, 3, 8, false},
    {"p3-1e5", "P3, 100000", two_node_chain, NULL, 100000, 1, 6, true},
    {"chain-100", "a cantilever of 100 cubic elements", chain, NULL, 100, 3, 30, false},
    {"chain-1e3", "1000", chain, NULL, 1000, 3, 10, false},
    {"chain-1e4", "10000", chain, NULL, 10000, 2, 4, false},
    {"chain-1e5", "100000", chain, NULL, 100000, 1, 2, true},
    {"chain-1e6", "1000000", chain, NULL, 1000000, 0, 3, true},
    {"net", "a square net of 10^4 beams", net, NULL, 70, 1, 3, false},
    {"lattice-1e4", "a block of 10^4 beams", lattice, NULL, 14, 1, 2, true},
    {"lattice", "a block of 10^5 beams", lattice, NULL, 31, 0, 2, true},
    {"solid-1e4", "a block of 10^4 tetrahedra", solid, NULL, 12, 1, 3, true},
    {"solid", "a block of 10^5 tetrahedra", solid, NULL, 26, 1, 3, true},
    {0},
};
