#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/contacts"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run ball_drop.yaml -q -o "$work/ball.h5"
"$limber" plot "$work/ball.h5" ball.z ledger.impact ledger.contact -o figures/ball_drop.png
"$limber" run bouncing_bar.yaml -q -o "$work/bar.h5"
"$limber" plot "$work/bar.h5" force -o figures/bouncing_bar.png --from 0.9 --to 1.9
