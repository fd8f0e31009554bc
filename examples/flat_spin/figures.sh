#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/flat_spin"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run flat_spin.yaml -q -o "$work/exact.h5" --set run.end=200
"$limber" run flat_spin.yaml -q -o "$work/alpha.h5" --set run.end=200 --set run.scheme=generalized_alpha --set run.momentum=unchecked
figures=$PWD/figures
cd "$work"
"$limber" plot exact.h5 w1 w2 w3 -o "$figures/rates.png" --title 'Rates about the axes of the body'
"$limber" plot exact.h5 alpha.h5 energy ledger.angular_momentum.x -o "$figures/schemes.png" --label 'decaying, momentum exact' \
  --label 'generalized-alpha' --title 'Energy and angular momentum, steps of 40 ms'
