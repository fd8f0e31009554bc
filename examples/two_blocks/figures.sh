#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/two_blocks"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run two_blocks.yaml -q -o "$work/blocks.h5"
"$limber" export "$work/blocks.h5" {one,two,three,four,five}.{x,y} -o "$work/blocks.csv"
# every 12 s from 4 s on: corners of block 1 2 3, then of block 2 4 5; the one across from the shared corner follows
awk -F, 'NR > 1 && $1 >= 4 && ($1 - 4) % 12 == 0 && $1 < 90 {
  print $4, $5 "\n" $2, $3 "\n" $2 + $6 - $4, $3 + $7 - $5 "\n" $6, $7 "\n" $4, $5 "\n\n"
  print $4, $5 "\n" $8, $9 "\n" $8 + $10 - $4, $9 + $11 - $5 "\n" $10, $11 "\n" $4, $5 "\n\n"
}' "$work/blocks.csv" >"$work/polygons"
gnuplot -e "work='$work'" plot.gp # figure 17 of the paper
figures=$PWD/figures
cd "$work"
"$limber" plot blocks.h5 --path two.x two.y three.x three.y five.x five.y --to 97 -o "$figures/loci.png" \
  --title 'Two blocks: the shared corner and a corner of each, one turn'
# Figures 18 and 19 of the paper.
"$limber" plot blocks.h5 {one,two,three,four,five}.displacement.y -o "$figures/displacements.png" \
  --title 'Two blocks: vertical displacements of the corners (figure 18 of Taylor 2000)'
"$limber" plot blocks.h5 ledger.kinetic -o "$figures/kinetic_energy.png" \
  --title 'Two blocks: kinetic energy (figure 19 of Taylor 2000)'
