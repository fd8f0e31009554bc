#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh [STEPS]: meshes wheel.geo with Gmsh and runs wheel.yaml, 50 steps, on 2 processes. Prints a table: cells, nodes and unknowns; steps,
# iterations and seconds; seconds of (incomplete) factorisation and of solutions with it; peak memory of each process and of a cell; by what
# the account of energy is open, over the energy. $LIMBER is the program, $MPIEXEC starts processes (mpiexec).
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
limber=$(realpath "${LIMBER:-$source/build/release/bin/limber}")
steps=${1:-50}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
gmsh -3 -nt 1 -format msh41 "$source/benchmarks/wheel.geo" -o wheel.msh >gmsh.log
cp "$source/benchmarks/wheel.yaml" .
"$limber" check wheel.yaml >check.log
cells=$(sed -n 's/.*made of \([0-9]*\) finite.*/\1/p' check.log)
nodes=$(sed -n 's/ *nodes *\([0-9]*\),.*/\1/p' check.log)
unknowns=$(sed -n 's/.*; \([0-9]*\) unknowns.*/\1/p' check.log)
${MPIEXEC:-mpiexec} -n 2 /usr/bin/time -f '%M %U' -a -o peak.log \
  "$limber" run wheel.yaml -q -o wheel.h5 --set "run.end=${steps}0us" -- -log_view :view.log
"$limber" export wheel.h5 steps ledger -o wheel.csv >/dev/null
awk -F, -v cells="$cells" -v nodes="$nodes" -v unknowns="$unknowns" '
  FILENAME == "peak.log" {split($0, p, " "); peak[++ranks] = p[1]; user[ranks] = p[2]; next}
  FILENAME == "view.log" {
    split($0, p, " ")
    if (p[1] ~ /^MatLUFactorNum/) factor = p[4]
    if (p[1] ~ /^MatSolve$/) solve = p[4]
    if ($0 ~ /^Time \(sec\)/) all = p[3]
    next
  }
  FNR == 1 {for (i = 1; i <= NF; i++) {name = $i; sub(/ .*/, "", name); at[name] = i}; next}
  {iterations += $at["steps.iterations"]; count += $1 > 0; energy = $at["ledger.kinetic"]
   r = $at["ledger.residual"]; if (r < 0) r = -r; if (r > open) open = r}
  END {
    print "cells,nodes,unknowns,steps,iterations,seconds,seconds_a_step,factorisation_s,solution_s,cpu_s_rank0,cpu_s_rank1,peak_MB_rank0,peak_MB_rank1,kB_a_cell,open_over_energy"
    printf "%d,%d,%d,%d,%d,%.0f,%.2f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.1f,%.1e\n", cells, nodes, unknowns, count, iterations, all, all/count, factor, solve,
           user[1], user[2], peak[1]/1024, peak[2]/1024, (peak[1] + peak[2])/cells, open/energy
  }' peak.log view.log wheel.csv
[[ -z ${KEEP-} ]] || cp ./*.log wheel.csv wheel.h5 "$KEEP"
