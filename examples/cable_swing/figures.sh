#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/cable_swing"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run cable_swing.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
run light
run heavy --set let.n=24 --set let.rho=0.2

figures=$PWD/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
plot shapes heavy.h5 --shape --plane xz --times 0,0.2,0.4,0.5,0.7,0.8,1 --title 'Weight on a slack cable of 24 bars'
plot tension light.h5 heavy.h5 top.N energy --label 'one bar without mass' --label '24 bars, 0.2 kg/m' \
  --title 'Tension at the hook and energy'
