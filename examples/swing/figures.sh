#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. Half a minute.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/swing"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$limber" run swing.yaml -q -o "$work/$1.h5" "${@:2}"; } # run NAME CHANGE...
run preserving --set run.scheme=preserving
run alpha --set run.scheme=generalized_alpha
run c --set run.scheme=decaying_c
run a
run a_1000 --set let.steps=1000
run a_32000 --set let.steps=32000 --set run.snapshots=0
run control --set run.control.loss=3.7mW --set run.control.largest=2ms

figures=$root/examples/swing/figures
plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
four=(preserving.h5 alpha.h5 c.h5 a.h5 --label preserving --label generalized-alpha --label 'decaying C' --label 'decaying A')
plot shapes a.h5 --shape --times 11 --title 'The swing each 0.1 s (Fig. 18)'
plot loci a.h5 --path A.x A.z B.x B.z C.x C.z D.x D.z E.x E.z --title 'Loci of the points of the beam (Fig. 19)'
plot displacement_b "${four[@]}" B.displacement.x B.displacement.z --title 'Displacement of B, 2000 steps (Fig. 20)'
plot axial "${four[@]}" left_of_mass.N --title 'Axial force left of the mass, 2000 steps (Fig. 21)'
plot axial_event "${four[@]}" left_of_mass.N --from 0.635 --to 0.665 --title 'Axial force left of the mass, event X'
plot shear "${four[@]}" left_of_mass.V3 --title 'Shear force left of the mass, 2000 steps (Fig. 22)'
plot ledger a.h5 --ledger --title 'Energy of the swing, decaying A, 2000 steps'
plot energy preserving.h5 alpha.h5 c.h5 a.h5 a_1000.h5 energy --from 0.256 --label 'preserving, 2000 steps' \
  --label 'generalized-alpha, 2000 steps' --label 'decaying C, 2000 steps' --label 'decaying A, 2000 steps' \
  --label 'decaying A, 1000 steps' --title 'Energy against that at the end of the pulse (Fig. 23)'
plot control a.h5 control.h5 steps.step ledger.dissipated --label '2000 equal steps' --label '1074 chosen steps' \
  --title 'Steps that the run chooses, decaying A, 3.7 mW tolerated'
plot control_event a_32000.h5 a.h5 control.h5 left_of_mass.N --from 0.635 --to 0.65 --label '32000 equal steps' \
  --label '2000 equal steps' --label '1074 chosen steps' --title 'Axial force left of the mass, event X, decaying A'
