#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/disk_with_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run disk_with_beam.yaml -q -o "$work/disk.h5" --set run.end=100s
"$limber" run rim.yaml -q -o "$work/rim.h5" --set run.end=40s
figures=$PWD/figures
cd "$work"
"$limber" plot disk.h5 ledger.angular_momentum.z -o "$figures/momentum.png" \
  --title 'Disk with beam: angular momentum (Fig. 12)'
"$limber" plot disk.h5 ledger.kinetic ledger.strain energy -o "$figures/energy.png" \
  --title 'Disk with beam: kinetic, strain and total energy (Fig. 13)'
"$limber" plot disk.h5 one.displacement.y two.displacement.y three.displacement.y -o "$figures/nodes.png" \
  --title 'Disk with beam: vertical displacement of the corners of the simplex (Fig. 14)'
"$limber" plot rim.h5 --shape --times 0,4,10,16,24,32 --plane xy -o "$figures/shapes.png" \
  --title 'Disk with beam: the first turn (Fig. 15)'
