#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the study, a few minutes: run.sh [PROGRAM]. A boom of 10043 bars on 2 processes with 10, 50 and 100 modes, against 400; modes against
# Krylov (study.c). Writes results/*.csv and figures/*; builds nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$root/build/release/bin/study_boom}")
limber=$(dirname "$program")/limber
cd "$root/examples/boom"
mkdir -p results figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./make.sh 4 83 >"$work/bars.yaml"
cp boom.yaml "$work"

large() { # large NAME MODES STEP: a run on 2 processes
  mpiexec -n 2 "$limber" run "$work/boom.yaml" -o "$work/$1.h5" --set "run.modes=$2" --set "run.step=$3" \
    --set run.snapshots=0 >"$work/$1.txt"
}
table() { "$limber" export "$work/$1.h5" time a.z c.z; }
large most 400 1ms
echo 'modes,step [ms],followed up to [Hz],largest |z| of a [m],difference of a [m],of c [m]' >results/large.csv
for modes in 10 50 100; do
  for step in 1 2; do
    large few $modes ${step}ms
    hertz=$(sed -n 's/.*no faster than \([0-9.]*\) Hz.*/\1/p' "$work/few.txt")
    awk -F, -v modes=$modes -v step=$step -v hertz="$hertz" '
      function size(x) { return x < 0 ? -x : x }
      FNR == 1 { next }
      NR == FNR { a[$1 + 0] = $2; c[$1 + 0] = $3; if (size($2) > most) most = size($2); next }
      ($1 + 0) in a { d = size($2 - a[$1 + 0]); e = size($3 - c[$1 + 0]); if (d > da) da = d; if (e > dc) dc = e }
      END { printf "%d,%g,%s,%.3e,%.1e,%.1e\n", modes, step, hertz, most, da, dc }' \
      <(table most) <(table few) >>results/large.csv
  done
done
"$program" results
bash figures.sh "$limber"
