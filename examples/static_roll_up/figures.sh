#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/static_roll_up"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" static roll_up.yaml -q -o "$work/shapes.h5" --set let.n=16
"$limber" plot "$work/shapes.h5" --shape --plane xy --times 0,0.1,0.25,0.5,0.75,1 -o figures/shapes.png
"$limber" static helix.yaml -q -o "$work/helix.h5" --set let.n=80
"$limber" plot "$work/helix.h5" tip.position.z -o figures/helix.png
