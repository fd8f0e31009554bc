#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes.sh: the modes of a net of 10080 cubic beam elements by `limber modes` and by SLEPc alone (bare_modes.c) on the matrices that Limber
# writes. Prints a table of CPU seconds: the whole of `limber modes`, reading, equilibrium, names and results included, against the solution
# alone. $LIMBER is the program.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
limber=$(realpath "${LIMBER:-$source/build/release/bin/limber}")
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$source/benchmarks/net.py" 15 21 | sed '/^loads/d; /gravity/d' >net.yaml
read -ra flags <<<"$(pkg-config --cflags --libs slepc petsc)"
mpicc -O2 "$source/benchmarks/bare_modes.c" -o bare "${flags[@]}" -lm
"$limber" modes net.yaml -q -o net.h5 -- -limber_modes_eps_view_mat0 binary:K.bin -limber_modes_eps_view_mat1 binary:M.bin
TIMEFORMAT=%U
echo "limber_cpu_s,slepc_cpu_s,ratio"
for _ in 1 2 3; do
  mine=$({ time "$limber" modes net.yaml -q -o net.h5; } 2>&1)
  bare=$(./bare K.bin M.bin -1e-3 10 -eps_tol 1e-12 | sed -n 's/cpu \(.*\) s/\1/p')
  awk -v a="$mine" -v b="$bare" 'BEGIN {printf "%.2f,%.2f,%.2f\n", a, b, a/b}'
done
