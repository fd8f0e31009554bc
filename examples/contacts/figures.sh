#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/contacts"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run ball_drop.yaml -q -o "$work/ball.h5"
"$limber" plot "$work/ball.h5" ball.z ledger.impact ledger.contact -o figures/ball_drop.png
"$limber" run bouncing_bar.yaml -q -o "$work/bar.h5"
"$limber" plot "$work/bar.h5" force -o figures/bouncing_bar.png --from 0.9 --to 1.9
"$limber" run rubber_block.yaml -q -o "$work/block.h5"
"$limber" view "$work/block.h5" -o "$work/block.html" --picture figures/rubber_block.png --size 1000x640 --at 0,0.12,0.25
sed -e 's/stiffness: 9e3/penetration: none/' -e '/name: force/d' -e 's/^probes:/probes:\n  - {name: floor, contact: hit}/' bouncing_bar.yaml >"$work/hard.yaml"
"$limber" run "$work/hard.yaml" -q -o "$work/hard.h5"
"$limber" plot "$work/hard.h5" floor.normal -o figures/bouncing_bar_hard.png --from 0.9 --to 1.9
