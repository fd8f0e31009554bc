#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/mooring"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run mooring.yaml -q -o "$work/surge.h5"
figures=$PWD/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
plot shapes surge.h5 --shape --plane xz --times 0,33,39 --title 'Chain in water while the fairlead moves by 8 m'
plot tension surge.h5 fairlead.force.x fairlead.force.z low.z --title 'Force of the chain on the fairlead, height at 0.4 of its length'
plot energy surge.h5 ledger.kinetic ledger.damping ledger.work --title 'Energies of the moving chain'
