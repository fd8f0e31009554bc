#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/static_deep_arch"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" static arch.yaml -q -o "$work/path.h5" --set let.n=16 --set let.GA=EA --set 'static={control: arc, to: 1200, largest: 0.2}'
"$limber" plot "$work/path.h5" ledger.load_factor --over crown.z -o figures/path.png
"$limber" static arch.yaml -q -o "$work/shapes.h5" --set let.n=16
"$limber" plot "$work/shapes.h5" --shape --plane xz --times 6 -o figures/shapes.png
