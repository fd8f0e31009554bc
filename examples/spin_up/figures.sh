#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/spin_up"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run spin_up.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run preserving --set run.snapshots=0.05
run c --set run.scheme=decaying_c --set run.snapshots=0
plot shapes "$work/preserving.h5" --shape --times 0,2,3,4,4.5,5,5.5,6 --title 'Spin-up'
plot tip "$work/preserving.h5" "$work/c.h5" tip.displacement.y tip.displacement.x --label preserving --label 'decaying C(0.5)' \
  --title 'Tip as seen from the root'
