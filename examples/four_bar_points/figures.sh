#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/four_bar_points"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

by() { # by NAME ENFORCEMENT PENALTY: results of one way
  local changes=()
  for link in left right coupler; do
    changes+=(--set "elements.$link.enforcement=$2" --set "elements.$link.penalty=$3")
  done
  "$limber" run four_bar.yaml -q -o "$work/$1.h5" "${changes[@]}"
}
by multipliers multipliers 0
by penalty penalty 1e9
by augmented augmented 1e9
figures=$PWD/figures
cd "$work"
"$limber" plot multipliers.h5 penalty.h5 augmented.h5 eye.x ledger.strain -o "$figures/swing.png" \
  --label multipliers --label 'penalty, 1e9 N/m' --label augmented --title 'Four-bar linkage of points: the coupler, and the energy of springs'
