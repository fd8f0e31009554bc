#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. Ten seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/bricard"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
plot() { (cd "$work" && "$limber" plot "${@:2}" -o "$figures/$1.png"); } # plot NAME WHAT...
figures=$root/examples/bricard/figures
run bricard bricard --set run.scheme=preserving
plot motion bricard.h5 x y z --title 'The corner P3 of the mechanism, for 10 s'
