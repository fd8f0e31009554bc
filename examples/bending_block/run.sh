#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Convergence in space, and all pictures: run.sh [LIMBER]. Needs Gmsh; some minutes. Writes results/convergence.csv and figures/*.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/bending_block"
mkdir -p results figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rest=(--set run.scheme=decaying_a --set run.step=1s --set run.end=4s --set run.snapshots=4s)

# deflection at rest of MODEL with the mesh FILE, and its nodes
bend() {
  "$limber" run "$1" "${rest[@]}" --set "meshes.bar.file=$2" -q -o "$work/run.h5"
  local nodes
  nodes=$("$limber" check "$1" --set "meshes.bar.file=$2" | awk '$1 == "nodes" {print $2 + 0}')
  echo "$nodes,$("$limber" export "$work/run.h5" deflection | tail -1 | cut -d, -f2)"
}

mesh() { gmsh "$@" -format msh41 -o "$work/mesh.msh" >/dev/null; }

{
  echo "cells,across,nodes,deflection [m]"
  for n in 1 2 4 8 16 32; do
    mesh -2 plate.geo -setnumber across $n
    echo "triangle,$n,$(bend plate.yaml "$work/mesh.msh")"
    mesh -2 plate.geo -setnumber across $n -setnumber quads 1
    echo "quadrilateral,$n,$(bend plate.yaml "$work/mesh.msh")"
  done
  for n in 1 2 3 4 6; do
    mesh -3 bar.geo -setnumber across $n
    echo "tetrahedron,$n,$(bend bar.yaml "$work/mesh.msh")"
    mesh -3 bar.geo -setnumber across $n -setnumber bricks 1
    echo "hexahedron,$n,$(bend bar.yaml "$work/mesh.msh")"
  done
  for n in 1 2 3; do
    mesh -3 bar.geo -setnumber across $n -order 2
    echo "tetrahedron_10,$n,$(bend bar.yaml "$work/mesh.msh")"
  done
} >"$work/convergence.csv"
cp "$work/convergence.csv" results/
gnuplot plot.gp
bash figures.sh "$limber"
