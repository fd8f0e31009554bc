#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/andrews"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
plot() { (cd "$work" && "$limber" plot "${@:2}" -o "$figures/$1.png"); } # plot NAME WHAT...
figures=$root/examples/andrews/figures
run squeezer andrews --set run.scheme=preserving
plot angles squeezer.h5 gamma phi delta Omega epsilon --title 'Angles of the mechanism'
plot rate squeezer.h5 O.rate --title 'Rate of the crank'
