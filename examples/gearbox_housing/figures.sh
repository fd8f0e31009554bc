#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/gearbox_housing"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run gearbox_housing.yaml -q -o "$work/gearbox.h5" --set run.snapshots=0
"$limber" plot "$work/gearbox.h5" foot.velocity.y --title 'Vibration at the upper end of a foot' -o figures/foot.png
"$limber" plot "$work/gearbox.h5" fixed_1.force.y fixed_2.force.y --title 'Forces of two bearings to the side' -o figures/bearings.png
