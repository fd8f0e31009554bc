#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# work_precision.sh [LIMBER_BENCH]: error against CPU time for every scheme (about ten minutes for all problems). Writes
# results/work_precision.csv and work_precision.png, and prints the CPU seconds that each scheme takes to an error of 1e-3, 1e-4 and 1e-5 as a table.
# With --table only the last, from the CSV that is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
csv=$root/benchmarks/results/work_precision.csv
if [[ ${1-} != --table ]]; then
  "${1:-$root/build/release/bin/limber-bench}" --precision >"$csv.new"
  mv "$csv.new" "$csv"
  (cd "$root/benchmarks" && gnuplot work_precision.gp)
fi

# Straight lines between the points of the figure; "<": the longest step will do; "-": no step of the table does, or the reference is not known
# that well; "~": it is not known three times as well.
awk -F, '
  function show(s) { return s < 0.0995 ? sprintf("%.0f ms", 1000*s) : s < 9.95 ? sprintf("%.2g s", s) : sprintf("%.0f s", s) }
  function seconds(key, target, i) { # 0: none
    for (i = 1; i <= count[key] && error[key, i] > target; i++);
    if (own[key] > target || i > count[key]) return 0
    if (i == 1) return cpu[key, 1]
    return cpu[key, i - 1]*exp(log(cpu[key, i]/cpu[key, i - 1])*log(target/error[key, i - 1])/log(error[key, i]/error[key, i - 1]))
  }
  NR == 1 { next }
  { key = $1 "," $2; if (!($1 in known)) problem[++problems] = $1; known[$1]
    i = ++count[key]; cpu[key, i] = $5; error[key, i] = $7; own[key] = $8 }
  END {
    schemes = split("generalized_alpha decaying preserving decaying_a decaying_b decaying_c", scheme, " ")
    print "| problem | error | generalized_alpha | decaying | preserving | decaying_a | decaying_b | decaying_c | generalized-alpha over decaying, over C |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (p = 1; p <= problems; p++)
      for (target = 1e-3; target > 0.9e-5; target /= 10) {
        printf "| %s | 1e%d |", problem[p], log(target)/log(10) - 0.5
        for (k = 1; k <= schemes; k++) {
          key = problem[p] "," scheme[k]
          s[k] = seconds(key, target)
          printf " %s |", s[k] ? (3*own[key] > target ? "~ " : "") (error[key, 1] <= target ? "< " : "") show(s[k]) : "-"
        }
        print " " (s[1]*s[2] ? sprintf("%.2f", s[1]/s[2]) : "-") ", " (s[1]*s[6] ? sprintf("%.1f", s[1]/s[6]) : "-") " |"
      }
  }' "$csv"
