#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/slewing_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figures=$PWD/figures
"$limber" run slewing_beam.yaml -q -o "$work/fine.h5" --set run.step=0.25ms
"$limber" run slewing_beam.yaml -q -o "$work/coarse.h5" --set run.step=4ms
cd "$work"
"$limber" plot fine.h5 coarse.h5 tip.y gap -o "$figures/tip.png" --label '0.25 ms' --label '4 ms' \
  --title 'Slewing beam: deflection of the tip, and v5 - v6'
