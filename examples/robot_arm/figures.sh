#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/robot_arm"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run arm_flexible.yaml -q -o "$work/arm.h5" --set run.scheme=preserving
"$limber" plot "$work/arm.h5" lift.angle bend.angle pitch.angle -o figures/angles.png --title 'Angles of the joints' --force
