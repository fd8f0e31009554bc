#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# million.sh [RUNS [KILLS [WORKERS]]]: a study of two rods (models/million.yaml), once undisturbed and once killed by SIGKILL at
# random times and taken up again, each with all its processes. Prints wall and CPU time, runs a second, the memory of the largest
# process, the size of the table, and whether both tables have the same bytes.
# $LIMBER is the program, $SCRATCH a folder on a local disk with room for the tables (1 kB a run).
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
limber=${LIMBER:-$source/build/release/bin/limber}
runs=${1:-1000000} kills=${2:-20} workers=${3:-2}
RANDOM=1
set -a
. "$source/tests/mpi.env"
set +a
work=$(mktemp -d "${SCRATCH:-/tmp}/million.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$source"/benchmarks/models/{two_rods,million}.yaml "$work"
cd "$work"
sed -i "s/runs: 1000000/runs: $runs/" million.yaml

begun=$(date +%s%N)
/usr/bin/time -f '%U %S %M' -o cost.txt "$limber" study million.yaml -o whole.h5 --workers "$workers" -q
whole=$(($(date +%s%N) - begun)) # ns
read -r user system memory <cost.txt
echo "undisturbed: $runs runs with $workers workers in $((whole / 1000000)) ms, CPU $user s and $system s of the system;" \
     "$((runs * 1000000000 / whole)) runs/s; largest process $memory kB; table $(stat -c %s whole.h5) bytes"

met=0
for ((i = 0; i < kills; i++)); do
  setsid "$limber" study million.yaml -o killed.h5 --workers "$workers" -q &
  process=$!
  # from 0 to 1.6 of the time between two kills that come at equal distances
  sleep "$(awk -v t="$whole" -v n="$kills" -v r="$RANDOM" 'BEGIN {printf "%.3f", t*1e-9/(n + 1)*1.6*r/32768}')"
  if kill -KILL -- -$process 2>/dev/null; then met=$((met + 1)); fi
  wait $process 2>/dev/null || true
done
"$limber" study million.yaml -o killed.h5 --workers "$workers" -q
if cmp whole.h5 killed.h5; then same=same; else same=different; fi
echo "killed $met times: the $same bytes"
[[ $same == same ]]
