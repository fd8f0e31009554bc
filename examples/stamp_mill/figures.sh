#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/stamp_mill"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run stamp_mill.yaml -q -o "$work/mill.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot mill.h5 left.head.z right.head.z torque motor.rate --title 'Stamps, torque and speed of the motor' -o "$figures/stamps.png"
"$limber" view mill.h5 --picture "$figures/mill.png" --at 0.85 --view 1,-0.6,0.5 --size 900x600 -o mill.html
