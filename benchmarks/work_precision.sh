#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# work_precision.sh [LIMBER_BENCH] [PROBLEM ...]: error against CPU time for every scheme (about five minutes for all problems). Writes
# results/work_precision.csv and work_precision.png, and prints the CPU seconds that each scheme takes to an error of 1e-3, 1e-4 and 1e-5 as a table.
# With --table only the last, from the CSV that is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
csv=$root/benchmarks/results/work_precision.csv
if [[ ${1-} != --table ]]; then
  "${1:-$root/build/release/bin/limber-bench}" --precision "${@:2}" >"$csv.new"
  mv "$csv.new" "$csv"
  (cd "$root/benchmarks" && gnuplot work_precision.gp)
fi

# Straight lines between the points of the figure; "<": the longest step will do; "-": no step of the table does, or the reference is not known
# that well; "~": it is not known three times as well.
awk -F, '
  function show(s) { return s < 0.0995 ? sprintf("%.0f ms", 1000*s) : s < 9.95 ? sprintf("%.2g s", s) : sprintf("%.0f s", s) }
  function times(key, target, i, about) {
    about = 3*own[key] > target ? "~ " : ""
    if (own[key] > target) return "-"
    for (i = 1; i <= count[key]; i++) {
      if (error[key, i] > target) continue
      if (i == 1) return "< " show(cpu[key, 1])
      return about show(cpu[key, i - 1]*exp(log(cpu[key, i]/cpu[key, i - 1])*log(target/error[key, i - 1])/log(error[key, i]/error[key, i - 1])))
    }
    return "-"
  }
  NR == 1 { next }
  { key = $1 "," $2; if (!(key in count)) order[++keys] = key
    i = ++count[key]; cpu[key, i] = $5; error[key, i] = $7; own[key] = $8 }
  END {
    print "| problem | scheme | 1e-3 | 1e-4 | 1e-5 |\n|---|---|---|---|---|"
    for (k = 1; k <= keys; k++) {
      split(order[k], name, ",")
      printf "| %s | %s | %s | %s | %s |\n", name[1], name[2], times(order[k], 1e-3), times(order[k], 1e-4), times(order[k], 1e-5)
    }
  }' "$csv"
