#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. Half a minute.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/robot_forearm"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run robot_forearm.yaml -q -o "$work/robot.h5" --set run.snapshots=0
"$limber" plot "$work/robot.h5" across upwards --title 'Deflection of the wrist, to the side and upwards' -o figures/deflection.png
"$limber" plot "$work/robot.h5" strength.von_mises.max --title 'Largest von Mises stress in the forearm' -o figures/stress.png
