#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel_modes.sh [FOLDER]: meshes wheel.geo with Gmsh and finds 20 modes of it on 2 processes; prints them, and CPU seconds and peak memory of
# each process. The results stay in FOLDER. $LIMBER is the program, $MPIEXEC starts processes (mpiexec).
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
limber=$(realpath "${LIMBER:-$source/build/release/bin/limber}")
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
work=${1:-$(mktemp -d)}
[[ -n ${1-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
cd "$work"
gmsh -3 -nt 1 -format msh41 "$source/benchmarks/wheel.geo" -o wheel.msh >gmsh.log
cp "$source/benchmarks/wheel_modes.yaml" .
${MPIEXEC:-mpiexec} -n 2 /usr/bin/time -f '%U s of CPU, %M kB' "$limber" modes wheel_modes.yaml -o wheel.modes.h5
