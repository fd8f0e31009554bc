#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A second.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/oscillator"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run oscillator.yaml -q -o "$work/$1.h5" --set let.periods=4 "${@:2}"; } # run NAME CHANGE...
run true --set let.part=0.005 --set run.scheme=decaying_c --set run.rho_inf=1
run preserving --set run.scheme=preserving
run alpha --set run.scheme=generalized_alpha
run a

figures=$root/examples/oscillator/figures
cd "$work"
"$limber" plot true.h5 preserving.h5 alpha.h5 a.h5 mass.displacement.y -o "$figures/motion.png" --label true \
  --label preserving --label 'generalized-alpha(0.5)' --label 'decaying A' --title 'Ten steps a period'
