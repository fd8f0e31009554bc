#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/lateral_buckling"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run lateral_buckling.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run preserving --set run.scheme=preserving --set let.steps=4000 --set run.snapshots=0.005
plot side "$work/preserving.h5" --shape --plane xz --times 0,0.05,0.1,0.13,0.15,0.18,0.24,0.3,0.4 --title 'Lateral buckling, from the side'
plot middle "$work/preserving.h5" middle.displacement.y middle.displacement.z twist hub.moment.y --title 'Middle of the beam, and the moment on the crank'
