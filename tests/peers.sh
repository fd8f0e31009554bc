#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Problems on which other programs were measured (benchmarks/models/expected.yaml): motions as theirs, and a free beam in space that
# keeps energy and angular momentum with long steps.
. "$(dirname "$0")/support.bash"
"$limber" verify "$source/benchmarks/models" --keep "$try/kept" --allow-outside >"$try/table.txt" 2>&1
verdict motions_are_those_of_other_programs "$? $(tail -1 "$try/table.txt")" "0 29 passed, 0 failed"
sed 's/^/     measured: /' "$try/table.txt"

# P4, 100 steps of 0.1 s after the pulse: the farthest from t = 5 s at any of them, over the values there.
drift=$("$limber" export "$try/kept/models.P4.h5" energy ledger.angular_momentum --from 5 | awk -F, '
  NR == 2 {for (i = 2; i <= 5; i++) at[i] = $i; size = sqrt($3^2 + $4^2 + $5^2)}
  NR > 1 {
    e = ($2 - at[2])/at[2]; if (e < 0) e = -e; if (e > energy) energy = e
    m = sqrt(($3 - at[3])^2 + ($4 - at[4])^2 + ($5 - at[5])^2)/size; if (m > momentum) momentum = m
  }
  END {printf "%d %.1e %.1e", NR - 1, energy, momentum}')
read -r rows energy momentum <<<"$drift"
echo "     measured: $rows rows, energy changes by $energy, angular momentum by $momentum" # 5.6e-14, 2.8e-14
verdict a_beam_spun_with_long_steps_keeps_energy_and_angular_momentum \
  "$(awk -v n="$rows" -v e="$energy" -v m="$momentum" 'BEGIN {print n, e < 1e-10, m < 1e-10}')" "101 1 1"
finish
