#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER [FOLDER]]. FOLDER holds the runs that
# `limber verify benchmarks/long/elbow_full --allow-outside --keep FOLDER` left; without, they are made, in seven minutes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/elbow_revolute"
mkdir -p figures
figures=$PWD/figures
if [[ $# -ge 2 ]]; then work=$(realpath "$2")
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

run() { # run NAME CHANGE...
  [[ -e $work/elbow_full.revolute_$1.h5 ]] ||
    "$limber" run elbow_revolute.yaml -q -o "$work/elbow_full.revolute_$1.h5" "${@:2}"
}
run preserving --set run.scheme=preserving
run alpha --set run.scheme=generalized_alpha
run A

plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
p=elbow_full.revolute_preserving.h5 g=elbow_full.revolute_alpha.h5 a=elbow_full.revolute_A.h5
three=("$p" "$g" "$a" --label preserving --label generalized-alpha --label 'decaying A')
wide=(--spectrum --from 14.6585 --to 15.6825)
window=("${wide[@]}" --xrange 0:80 --log none)
plot shapes "$a" --shape --times 11 --plane xy --title 'The elbow each 2 s, along the hinge (Fig. 4)'
plot shapes_side "$a" --shape --times 11 --plane xz --title 'The elbow each 2 s, from the side (Fig. 4)'
plot loci "$a" --path tip1.x tip1.y tip2.x tip2.y --title 'Loci of the tips, along the hinge'
plot tips "${three[@]}" tip1.displacement.x tip1.displacement.y tip2.displacement.x tip2.displacement.y \
  --title 'Displacements of the tips, 40000 steps (Fig. 5)'
plot tips_z "${three[@]}" tip1.displacement.z tip2.displacement.z --title 'Displacements of the tips along the hinge (Figs 6, 8)'
plot bent "${three[@]}" bent.y --title 'Tip 1 as seen from the root (Fig. 7)'
plot tip_spectrum "${three[@]}" tip1.displacement.z --spectrum --from 5.4 --to 15.6 --xrange 0:2 --log none \
  --title 'Displacement of tip 1 along the hinge, 5.4 to 15.6 s (Fig. 9)'
plot axial1 "${three[@]}" root1.N --title 'Axial force at the root of beam 1 (Fig. 10)'
plot axial2 "${three[@]}" root2.N --title 'Axial force at the root of beam 2 (Fig. 11)'
plot axial_spectrum "${three[@]}" root2.N "${window[@]}" --title 'Axial force at the root of beam 2, 14.6585 to 15.6825 s (Fig. 12)'
plot axial_spectrum_wide "${three[@]}" root2.N "${wide[@]}" \
  --title 'Axial force at the root of beam 2, 14.6585 to 15.6825 s (Fig. 12)'
plot shear2 "${three[@]}" root2.V2 --title 'Shear force along e2 at the root of beam 2 (Fig. 13)'
plot shear2_spectrum "${three[@]}" root2.V2 "${window[@]}" --title 'Shear force along e2, 14.6585 to 15.6825 s (Fig. 14)'
plot shear3 "${three[@]}" root2.V3 --title 'Shear force along e3 at the root of beam 2 (Fig. 15)'
plot shear3_spectrum "${three[@]}" root2.V3 "${window[@]}" --title 'Shear force along e3, 14.6585 to 15.6825 s (Fig. 16)'
plot energy "${three[@]}" lost --from 5 --title 'Energy lost since the end of the pulses, as a part of it'
plot ledger "$a" --ledger --title 'Energy of the elbow, decaying A'
