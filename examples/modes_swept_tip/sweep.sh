#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweep.sh: frequencies over the sweep of the tip at 0, 500 and 750 rpm > results/sweep.csv, and figures/sweep.png of them.
set -euo pipefail
cd "$(dirname "$0")"
limber=$(realpath "${LIMBER:-../../build/release/bin/limber}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p results figures
echo "rpm,sweep,mode,frequency" >results/sweep.csv
for rpm in 0 500 750; do
  for tenths in $(seq 0 25 450); do
    sweep=${tenths%?}.${tenths: -1}
    [[ $tenths == 0 ]] && sweep=0
    "$limber" modes swept_tip.yaml -q -o "$work/modes.h5" --set "let.rpm=$rpm" --set "let.sweep=$sweep deg" --set modes.frames=0 --set modes.count=8
    "$limber" export "$work/modes.h5" mode.frequency -o "$work/modes.csv" >/dev/null
    awk -F, -v rpm=$rpm -v sweep=$sweep 'NR > 1 {printf "%s,%s,%d,%.6f\n", rpm, sweep, $1, $2}' "$work/modes.csv" >>results/sweep.csv
  done
done
gnuplot plot.gp
