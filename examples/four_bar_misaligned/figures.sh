#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/four_bar_misaligned"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run four_bar.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run a --set run.snapshots=0.05
plot shapes "$work/a.h5" --shape --plane xy --times 0,1,2,3,4,5,6,7 --title 'Four bars; at 2.62 s they lie in line'
plot forces "$work/a.h5" mid.N mid.M1 root.M2 C.displacement.z --title 'Force, torsion and bending moment in the crank, and C across the plane'
