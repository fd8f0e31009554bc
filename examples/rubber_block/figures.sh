#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/rubber_block"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run cube.yaml -q -o "$work/cube.h5"
"$limber" run strip.yaml -q -o "$work/neo.h5"
"$limber" run strip.yaml -q -o "$work/linear.h5" --set materials.rubber.law=linear
figures=$PWD/figures
cd "$work"
"$limber" plot cube.h5 --shape --plane xy --times 0,0.01,0.03 -o "$figures/cube.png"
"$limber" plot neo.h5 linear.h5 stretch --label 'neo-Hookean' --label 'linear in Green'"'"'s strain' \
  --title 'A strip pulled by a force that grows for 1 s and stays' -o "$figures/stretch.png"
