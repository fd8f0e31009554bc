#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/spinning_top"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
plot() { (cd "$work" && "$limber" plot "${@:2}" -o "$figures/$1.png"); } # plot NAME WHAT...
figures=$root/examples/spinning_top/figures
run top spinning_top --set run.every=1 --set run.end=4s
plot locus top.h5 --path x y --title 'Where the axis of the top points, seen from above, 4 s'
