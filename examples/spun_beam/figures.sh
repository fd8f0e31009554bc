#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/spun_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
for turn in 0.05 0.1 0.2; do run "rod_$turn" rod --set "let.turn=$turn"; done
run beam beam
run beam_c beam --set run.scheme=decaying_c
run beam_preserving beam --set run.scheme=preserving
run tumble tumble

figures=$root/examples/spun_beam/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
plot rod rod_*.h5 lost --log y --label '0.05 rad a step' --label '0.1 rad a step' --label '0.2 rad a step' \
  --title 'A rigid rod in steady rotation: what it loses, it loses at once'
plot beam beam_preserving.h5 beam_c.h5 beam.h5 root.N --to 0.5 --label preserving --label 'decaying C(0.5)' \
  --label 'decaying A' --title 'A flexible beam that starts unstretched, 0.1 rad a step'
plot tumble tumble.h5 --shape --times 13 --to 0.3 --plane xy --title 'A free beam that tumbles and bends'
plot tumble_ledger tumble.h5 --ledger --title 'A free beam that tumbles and bends, preserving'
