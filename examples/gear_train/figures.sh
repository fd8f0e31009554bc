#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/gear_train"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run gear_train.yaml -q -o "$work/train.h5" --set run.end=0.5
(cd "$work" && "$limber" plot train.h5 backlash1 backlash2 --title 'Relative angles of the pairs, clearance 4 mrad' -o "$root/examples/gear_train/figures/backlash.png")
