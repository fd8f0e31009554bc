#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/hinged_beam"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run hinged_beam.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...

run preserving --set run.scheme=preserving
run a
run alpha --set run.scheme=generalized_alpha
run preserving_1000 --set run.scheme=preserving --set let.steps=1000
run a_1000 --set let.steps=1000

cd "$work"
two=(preserving.h5 a.h5 --label preserving --label 'decaying A')
four=(preserving.h5 a.h5 preserving_1000.h5 a_1000.h5 --label 'preserving, 250 steps' --label 'decaying A, 250 steps'
      --label 'preserving, 1000 steps' --label 'decaying A, 1000 steps' --spectrum --from 0.122 --xrange 0:500 --log none)
figures=$root/examples/hinged_beam/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
plot shapes a.h5 --shape --times 11 --title 'The hinged beam each 25 ms'
plot shear "${two[@]}" root.V2 --title 'Shear force at the root, 250 steps (Fig. 8)'
plot shear_spectrum "${four[@]}" root.V2 --title 'Shear force at the root, 0.122 to 0.25 s (Fig. 9)'
plot torsion "${two[@]}" root.M1 --title 'Torsion at the root, 250 steps (Fig. 10)'
plot torsion_spectrum "${four[@]}" root.M1 --title 'Torsion at the root, 0.122 to 0.25 s (Fig. 11)'
plot angular "${two[@]}" tip.angular_velocity.x --title 'Angular velocity of the tip, 250 steps (Fig. 12)'
plot angular_spectrum "${four[@]}" tip.angular_velocity.x --title 'Angular velocity of the tip, 0.122 to 0.25 s (Fig. 13)'
plot tip preserving.h5 alpha.h5 a.h5 tip.displacement.y tip.velocity.y --from 0.05 --label preserving \
  --label generalized-alpha --label 'decaying A' --title 'Tip across the plane of the swing, 250 steps'
plot ledger a.h5 --ledger --title 'Energy of the hinged beam, decaying A, 250 steps'
