#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/pendulum"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run "$2.yaml" -q -o "$work/$1.h5" "${@:3}"; } # run NAME MODEL CHANGE...
plot() { (cd "$work" && "$limber" plot "${@:2}" -o "$figures/$1.png"); } # plot NAME WHAT...
figures=$root/examples/pendulum/figures
run double double_pendulum --set run.every=1
plot double double.h5 --path P1.x P1.z P2.x P2.z --title 'The double pendulum for 5 s'
for scheme in preserving decaying decaying_c decaying_a generalized_alpha; do
  run $scheme pendulum --set run.scheme=$scheme --set run.step=20ms --set run.every=1
done
plot energy preserving.h5 decaying.h5 decaying_c.h5 decaying_a.h5 generalized_alpha.h5 energy --label preserving --label decaying --label 'decaying C' \
  --label 'decaying A' --label generalized-alpha --title 'Energy of the pendulum with a step of 20 ms (at most 9.81 J change hands)'
