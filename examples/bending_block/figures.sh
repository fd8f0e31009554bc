#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/bending_block"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run bar.yaml -q -o "$work/tetrahedra.h5"
"$limber" run bar.yaml -q -o "$work/bricks.h5" --set meshes.bar.file=bricks.msh
"$limber" run tumble.yaml -q -o "$work/tumble.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot tetrahedra.h5 bricks.h5 deflection --label '60 tetrahedra of 10 nodes' --label '80 hexahedra' \
  --title 'Tip of a cantilever of solid cells' -o "$figures/tip.png"
"$limber" plot tumble.h5 --shape --plane xz --times 0,0.1,0.2,0.3,0.4 -o "$figures/tumble.png"
