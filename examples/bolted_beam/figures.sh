#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/bolted_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run cantilever.yaml -q -o "$work/cells.h5"
"$limber" run all_beam.yaml -q -o "$work/beam.h5"
"$limber" run thrown.yaml -q -o "$work/thrown.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot cells.h5 beam.h5 tip.z -o "$figures/tip.png" --label 'cells and a beam' --label 'one beam' \
  --title 'A cantilever, half solid cells, half a beam, and one of a beam'
"$limber" plot thrown.h5 --shape --times 0,0.1,0.2,0.3,0.4 --plane xz -o "$figures/thrown.png" \
  --title 'Cells and a beam, soft, thrown and hit'
