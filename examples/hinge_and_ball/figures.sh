#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/hinge_and_ball"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
plot() { (cd "$work" && "$limber" plot "${@:2}" -o "$figures/$1.png"); } # plot NAME WHAT...
figures=$root/examples/hinge_and_ball/figures
run hour hinge_and_ball --set run.scheme=preserving
run default hinge_and_ball
plot energy hour.h5 default.h5 energy --yrange 0:250 --label preserving --label decaying --title 'Energy in an hour: preserving and default scheme'
run start hinge_and_ball --set run.scheme=preserving --set run.every=1 --set run.end=60s
plot path start.h5 --path second.x second.z --title 'Centre of the second box, seen along the hinge, 60 s'
