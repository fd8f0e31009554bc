#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# chains.sh [LIMBER_BENCH]: cantilevers of 100 to 10^5 elements, generalized-alpha, each in a process of its own (about five minutes, 3 GB). Writes
# results/chains.csv and prints what an element takes, in us, as a table. With --table only the last, from the CSV that is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
csv=$root/benchmarks/results/chains.csv
if [[ ${1-} != --table ]]; then
  bench=${1:-$root/build/release/bin/limber-bench}
  # The machine may have other work: of three rounds the row with the shortest step stays, with the best of its other times.
  for round in 1 2 3; do
    for n in {p3,chain}-{100,1e3,1e4,1e5}; do
      "$bench" --csv --scheme generalized_alpha --repeat "$([[ $n == *1e5 ]] && echo 1 || echo 3)" "$n"
    done
  done | awk -F, -v OFS=, '
    NR == 1 {print; for (i = 1; i <= NF; i++) at[$i] = i}
    /^case/ {next}
    !($1 in row) {order[++cases] = $1}
    {for (i = at["output_us"]; i <= at["residual_us"]; i++) if (!(($1, i) in best) || $i < best[$1, i]) best[$1, i] = $i
     if (!($1 in row) || $at["step_us"] < step[$1]) {row[$1] = $0; step[$1] = $at["step_us"]}}
    END {for (k = 1; k <= cases; k++) {
           $0 = row[order[k]]
           for (i = at["output_us"]; i <= at["residual_us"]; i++) $i = best[order[k], i]
           $at["bare_us"] = $at["bare_factor_us"] + $at["bare_solve_us"]
           $at["R"] = sprintf("%.3f", $at["step_us"]/$at["bare_us"])
           print}}' >"$csv.new"
  mv "$csv.new" "$csv"
fi
# Factors and solutions are those of the bare engine.
awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
            print "| case | step | iterations, tangents | evaluation with tangent, without | factors, solution | iteration with tangent, without | kB a node |\n|---|---|---|---|---|---|---|"; next }
  { split($1, part, "-"); n = part[2] + 0
    factor = $at["bare_factor_us"]/$at["factors"]; solution = $at["bare_solve_us"]/$at["iterations"]
    tangent = $at["tangent_us"]; residual = $at["residual_us"]
    printf "| %s | %.3g | %.3g, %.3g | %.2f, %.2f | %.2f, %.2f | %.2f, %.2f | %s |\n", $1, $at["step_us"]/n, $at["iterations"], $at["factors"], tangent/n,
           residual/n, factor/n, solution/n, (tangent + factor + solution)/n, (residual + solution)/n, n < 1e4 ? "" : sprintf("%.1f", $at["bytes_a_node"]/1000) }' "$csv"
