#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/square_block"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for scheme in preserving decaying_a; do
  "$limber" run square_block.yaml -q -o "$work/$scheme.h5" --set run.scheme=$scheme
done
figures=$PWD/figures
cd "$work"
"$limber" plot preserving.h5 decaying_a.h5 ledger.kinetic ledger.angular_momentum.z -o "$figures/kept.png" \
  --title 'Square block: energy and angular momentum, steps of 0.5 s'
