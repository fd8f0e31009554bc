#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/pendulum_constraint"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run pendulum.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
run slip
run literal --set run.literal_jump=1
run preserving --set run.scheme=preserving
run exact --set let.h=0.1ms --set let.duration=2.4s --set run.scheme=preserving

figures=$root/examples/pendulum_constraint/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
three=(literal.h5 preserving.h5 slip.h5 --label 'literal jump' --label preserving --label slip)
plot swing "${three[@]}" mass.x mass.z --to 10 --title 'A pendulum from the horizontal, h = 0.01 s'
plot lost literal.h5 slip.h5 ledger.dissipated --log y --label 'literal jump' --label slip \
  --title 'Energy lost in 100 s, of 9.81 J, h = 0.01 s'
plot link literal.h5 slip.h5 exact.h5 link.N --from 0.01 --to 2.4 --label 'literal jump' --label slip \
  --label 'preserving, h = 0.1 ms' --title 'Force in the link, h = 0.01 s'
