#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats all long studies: run_studies.sh BUILD_DIR. The run.sh of an example writes its results and figures; the
# benchmarks write benchmarks/results.
set -euo pipefail
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
for script in "$root"/examples/*/run.sh "$root"/benchmarks/long/*/run.sh; do
  name=$(basename "$(dirname "$script")")
  echo "==== $name"
  bash "$script" "$build/bin/study_$name"
done
echo "==== bench"
mkdir -p "$root/benchmarks/results"
bash "$root/benchmarks/bench.sh" "$build/bin/limber-bench"
echo "==== chains"
bash "$root/benchmarks/chains.sh" "$build/bin/limber-bench"
echo "==== work and precision"
bash "$root/benchmarks/work_precision.sh" "$build/bin/limber-bench"
echo "==== kill"
LIMBER=$build/bin/limber bash "$root/benchmarks/kill.sh" 200 | tee "$root/benchmarks/results/kill.csv"
echo "==== wheel"
LIMBER=$build/bin/limber bash "$root/benchmarks/wheel.sh" | tee "$root/benchmarks/results/wheel.csv"
