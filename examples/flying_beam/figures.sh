#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/flying_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run flying_beam.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run soft --set run.snapshots=0.05
run stiff --set let.EI=500 --set run.snapshots=0.05
run c --set run.scheme=decaying_c --set run.snapshots=0
run alpha --set run.scheme=generalized_alpha --set run.snapshots=0
plot soft "$work/soft.h5" --shape --times 0,1,2,2.5,3,4,5,6,7,8,9,10,11,12 --title 'Flying beam, EI = 100'
plot stiff "$work/stiff.h5" --shape --times 0,1,2,2.5,3,4,5,6,7,8,9,10,11,12 --title 'Flying beam, EI = 500'
plot energy "$work/soft.h5" "$work/c.h5" "$work/alpha.h5" energy --label preserving --label 'decaying C(0.5)' \
  --label generalized-alpha --title 'Energy of the flying beam, EI = 100' --from 2.5
