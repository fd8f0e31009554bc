#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/boom"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figures=$PWD/figures
"$limber" run boom.yaml -q -o "$work/few.h5" --set run.modes=2 --set run.snapshots=0
"$limber" run boom.yaml -q -o "$work/some.h5" --set run.snapshots=0
cd "$work"
"$limber" plot few.h5 some.h5 a.z slot.N -o "$figures/tip.png" --label '2 modes' --label '30 modes' \
  --title 'Boom in a slot: place of the tip, force of the slot'
