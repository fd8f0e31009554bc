#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/two_blocks"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run two_blocks.yaml -q -o "$work/blocks.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot blocks.h5 --path two.x two.y three.x three.y five.x five.y --to 97 -o "$figures/loci.png" \
  --title 'Two blocks: the shared corner and a corner of each, one turn'
