#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/right_angle_cantilever"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run right_angle_cantilever.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run preserving --set run.snapshots=0.1
run c --set run.scheme=decaying_c --set run.snapshots=0
run alpha --set run.scheme=generalized_alpha --set run.snapshots=0
plot shapes "$work/preserving.h5" --shape --plane yz --times 0,1,2,3,4,5,6,7,8 --title 'Right-angle cantilever, seen along the first leg'
plot tip "$work/preserving.h5" "$work/c.h5" "$work/alpha.h5" tip.z elbow.z --label preserving --label 'decaying C(0.5)' \
  --label generalized-alpha --title 'Tip and elbow across the plane'
