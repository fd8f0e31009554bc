#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. Half a minute.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/rope_pulley"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run pulley.yaml -q -o "$work/pulley.h5"
"$limber" run belt.yaml -q -o "$work/belt.h5"
"$limber" run capstan.yaml -q -o "$work/capstan.h5"
(cd "$work" && "$limber" plot pulley.h5 way turns ledger.contact_friction --title 'Ten turns' -o "$root/examples/rope_pulley/figures/pulley.png"
  "$limber" plot belt.h5 motor.angle driven.angle lag --title 'Rope drive' -o "$root/examples/rope_pulley/figures/belt.png"
  "$limber" plot capstan.h5 held.force.N hung.force.N --from 0.001 --to 0.1 --title 'Forces of both ends' -o "$root/examples/rope_pulley/figures/capstan.png")
