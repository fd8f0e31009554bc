#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/plane_pendulum"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run frames.yaml -q -o "$work/frames.h5" --set let.n=16
for n in 8 16 32; do "$limber" run points.yaml -q -o "$work/points$n.h5" --set let.n=$n; done
figures=$PWD/figures
cd "$work"
"$limber" plot frames.h5 points8.h5 points16.h5 points32.h5 tip.y -o "$figures/tip.png" \
  --label frames --label '8 cells' --label '16 cells' --label '32 cells' --title 'Flexible pendulum: height of the tip'
"$limber" plot points16.h5 --shape --times 0,0.2,0.4,0.6,0.8,1 --plane xy -o "$figures/shapes.png" \
  --title 'Flexible pendulum of points'
