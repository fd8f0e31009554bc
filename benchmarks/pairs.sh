#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pairs.sh [LIMBER_BENCH [case ...]]: CPU time of a step of decaying beside generalized_alpha and preserving. The three take turns, six rounds, and
# the best of each counts, so that other work on the machine meets all of them. Writes results/pairs.csv and prints it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:-$root/build/release/bin/limber-bench}
shift || true
cases=("$@")
[[ ${#cases[@]} -gt 0 ]] || cases=(pendulum elbow-rigid elbow-revolute four-bars p3-1e3 chain-100 chain-1e3 chain-1e4 net solid-1e4)
csv=$root/benchmarks/results/pairs.csv
echo "case,decaying_us,generalized_alpha_us,preserving_us,decaying_over_generalized_alpha" >"$csv.new"
for c in "${cases[@]}"; do
  declare -A best=()
  for _ in 1 2 3 4 5 6; do
    for scheme in decaying generalized_alpha preserving; do
      us=$("$bench" --csv --no-bare --scheme $scheme --repeat 3 "$c" | tail -1 | cut -d, -f4)
      best[$scheme]=$(printf '%s\n' "${best[$scheme]:-1e99}" "$us" | sort -g | head -1)
    done
  done
  awk -v c="$c" -v d="${best[decaying]}" -v g="${best[generalized_alpha]}" -v p="${best[preserving]}" \
    'BEGIN {printf "%s,%s,%s,%s,%.2f\n", c, d, g, p, d/g}' | tee -a "$csv.new"
done
mv "$csv.new" "$csv"
