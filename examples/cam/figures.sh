#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/cam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run cam.yaml -q -o "$work/cam.h5"
(cd "$work" && "$limber" plot cam.h5 driver.rate shaft.rate ratio rod.slide --title 'Elliptic gears and a cam' -o "$root/examples/cam/figures/cam.png")
