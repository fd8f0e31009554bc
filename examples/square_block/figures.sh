#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example, from runs and from results/*.csv of the study: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/square_block"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run square_block.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
run preserving
run decaying --set run.scheme=decaying_a
run printed --set run.scheme=decaying_a --set run.literal_jump=1
"$limber" export "$work/preserving.h5" ledger.angular_momentum.z ledger.kinetic -o "$work/limber.csv"
gnuplot -e "work='$work'" plot.gp
figures=$PWD/figures
cd "$work"
"$limber" plot preserving.h5 decaying.h5 printed.h5 ledger.kinetic ledger.angular_momentum.z -o "$figures/kept.png" \
  --label preserving --label 'decaying A' --label 'decaying A as printed' \
  --title 'Square block: energy and angular momentum, steps of 0.5 s'
