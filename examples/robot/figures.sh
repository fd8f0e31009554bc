#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/robot"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run robot.yaml -q -o "$work/$1.h5" --set run.snapshots=0 "${@:2}"; } # run NAME CHANGE...

run robot
run rigid --set 'materials.aluminium.E=70000 GPa'
run back --set let.forward=0
"$limber" plot "$work/robot.h5" "$work/rigid.h5" "$work/back.h5" deviation --log y --yrange 1e-6:0.1 --label 'PID and feed-forward' \
  --label 'the same, forearm 1000 times as stiff' --label 'PID alone' --title "Distance of the tip from its path" -o figures/deviation.png
"$limber" plot "$work/robot.h5" torque1 torque2 torque3 --title 'Torques of the motors' -o figures/torques.png
