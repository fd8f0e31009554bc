#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/free_box"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run free_box.yaml -q -o "$work/box.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot box.h5 w1 w2 w3 -o "$figures/rates.png" --title 'Free box: rates about its own axes'
