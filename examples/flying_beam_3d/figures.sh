#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/flying_beam_3d"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run flying_beam_3d.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
plot() { "$limber" plot "${@:2}" -o "figures/$1.png"; } # plot NAME WHAT...

run preserving --set run.snapshots=0.05
plot xy "$work/preserving.h5" --shape --plane xy --times 0,2,3,3.5,4,4.5,5,5.5,6,6.5,7,7.5 --title 'Flying beam in space, seen along z'
plot xz "$work/preserving.h5" --shape --plane xz --times 0,2,3,3.5,4,4.5,5,5.5,6,6.5,7,7.5 --title 'Flying beam in space, seen along y'
plot ledger "$work/preserving.h5" --ledger --title 'Energy of the flying beam in space, preserving'
