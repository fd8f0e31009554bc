#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/static_elastica"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" static follower.yaml -q -o "$work/shapes.h5" --set let.n=16
"$limber" plot "$work/shapes.h5" --shape --plane xz --times 0,5,10,20,30,50,70,100,130 -o figures/shapes.png
"$limber" static elastica.yaml -q -o "$work/elastica.h5" --set let.n=16
"$limber" plot "$work/elastica.h5" tip.displacement.x tip.displacement.z -o figures/elastica.png
