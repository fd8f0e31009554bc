#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/car_over_bump"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run car_over_bump.yaml -q -o "$work/car.h5"
"$limber" plot "$work/car.h5" front_left.hub.z rear_left.hub.z front_left.strut rear_right.strut -o figures/heights.png \
  --title 'Hubs on the left, and struts' --force
