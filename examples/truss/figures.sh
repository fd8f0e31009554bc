#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/truss"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figures=$PWD/figures
"$limber" check truss.yaml --picture "$figures/layout.svg" >/dev/null
"$limber" run truss.yaml -q -o "$work/sine.h5" --set run.every=10
"$limber" run truss.yaml -q -o "$work/constant.h5" --set run.every=10 --set functions.load=1e4
"$limber" run free.yaml -q -o "$work/free.h5"
cd "$work"
"$limber" plot sine.h5 constant.h5 a.y error -o "$figures/slot.png" --label '10 kN sin 20 t' --label '10 kN' \
  --title 'Truss in a slot: place of the tip, violation over the radius'
"$limber" plot free.h5 a.y w0.y -o "$figures/free.png" --title 'Free truss: both ends after the push'
