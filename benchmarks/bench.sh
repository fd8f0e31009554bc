#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh [LIMBER_BENCH]: steps beside the bare engine (limber-bench, about five minutes). Writes results/bench.csv and prints it as two tables: times
# of a step with R, and where they go. With --table only the last, from the CSV that is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
csv=$root/benchmarks/results/bench.csv
if [[ ${1-} != --table ]]; then
  "${1:-$root/build/release/bin/limber-bench}" --csv >"$csv.new"
  mv "$csv.new" "$csv"
fi
awk -F, '
  function show(us) { return us < 999.5 ? sprintf("%.0f us", us) : us < 9995 ? sprintf("%.2f ms", us/1000) : sprintf("%.0f ms", us/1000) }
  function parts(scheme, c, k) {
    k = c "," scheme
    return sprintf("%.0f, %.0f, %.0f", 100*evaluate[k]/step[k], 100*solve[k]/step[k], 100*rest[k]/step[k])
  }
  NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
  !($1 in known) {known[$1]; order[++cases] = $1}
  {k = $1 "," $2; step[k] = $at["step_us"]; R[k] = $at["R"]; iterations[k] = $at["iterations"]; factors[k] = $at["factors"]
   evaluate[k] = $at["evaluate_us"]; solve[k] = $at["solve_us"]; rest[k] = $at["rest_us"]; row[$1] = $at["output_us"]}
  END {
    print "| case | decaying | R | preserving | R | decaying_c | R | generalized_alpha | R | decaying, decaying_c over generalized-alpha |\n|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= cases; i++) {
      c = order[i]; t = c ",decaying"; p = c ",preserving"; d = c ",decaying_c"; g = c ",generalized_alpha"
      printf "| %s | %s | %.1f | %s | %.1f | %s | %.1f | %s | %.1f | %.2f, %.1f |\n", c, show(step[t]), R[t], show(step[p]), R[p], show(step[d]), R[d], show(step[g]), R[g], step[t]/step[g], step[d]/step[g]
    }
    print "\n| case | decaying: evaluate, solve, rest in % | preserving | decaying_c | generalized_alpha | iterations, tangents a step: decaying, preserving, decaying_c, generalized_alpha | a row of the history |\n|---|---|---|---|---|---|---|"
    for (i = 1; i <= cases; i++) {
      c = order[i]; t = c ",decaying"; p = c ",preserving"; d = c ",decaying_c"; g = c ",generalized_alpha"
      printf "| %s | %s | %s | %s | %s | %.1f, %.1f; %.1f, %.1f; %.1f, %.1f; %.1f, %.1f | %s |\n", c, parts("decaying", c), parts("preserving", c), parts("decaying_c", c), parts("generalized_alpha", c),
             iterations[t], factors[t], iterations[p], factors[p], iterations[d], factors[d], iterations[g], factors[g], show(row[c])
    }
  }' "$csv"
