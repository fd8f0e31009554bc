#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/driven_arm"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run driven_arm.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run preserving --set run.snapshots=0.05
run c --set run.scheme=decaying_c --set run.snapshots=0
run alpha --set run.scheme=generalized_alpha --set run.snapshots=0
plot shapes "$work/preserving.h5" --shape --times 0,0.5,1,1.5,2,2.5,3,4,5,6,7,8 --title 'Driven arm'
plot energy "$work/preserving.h5" "$work/c.h5" "$work/alpha.h5" energy --label preserving --label 'decaying C(0.5)' \
  --label generalized-alpha --title 'Energy of the driven arm' --from 2.5
