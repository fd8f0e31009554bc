#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/static_princeton"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" static princeton.yaml -q -o "$work/tip.h5" --set let.n=8 --set static.largest=0.05
"$limber" plot "$work/tip.h5" tip.displacement.y tip.displacement.z twist -o figures/tip.png
