#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER [FOLDER]]. FOLDER holds the runs that
# `limber verify benchmarks/long/elbow_full --allow-outside --keep FOLDER` left; without, they are made, in five minutes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/elbow_rigid"
mkdir -p figures
figures=$PWD/figures
if [[ $# -ge 2 ]]; then work=$(realpath "$2")
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

run() { # run NAME CHANGE...
  [[ -e $work/elbow_full.rigid_$1.h5 ]] || "$limber" run elbow_rigid.yaml -q -o "$work/elbow_full.rigid_$1.h5" "${@:2}"
}
run preserving --set run.scheme=preserving
run alpha --set run.scheme=generalized_alpha
run A
run A_10000 --set let.h=2ms

plot() { "$limber" plot "${@:2}" -o "$figures/$1.png"; } # plot NAME WHAT...
cd "$work"
p=elbow_full.rigid_preserving.h5 g=elbow_full.rigid_alpha.h5 a=elbow_full.rigid_A.h5 a10=elbow_full.rigid_A_10000.h5
three=("$p" "$g" "$a" --label preserving --label generalized-alpha --label 'decaying A')
window=(--spectrum --from 12 --to 14.048 --xrange 0:80 --log none)
plot shapes "$a" --shape --times 11 --plane xy --title 'The rigid elbow each 2 s, along the hinge (Fig. 15)'
plot shapes_side "$a" --shape --times 11 --plane xz --title 'The rigid elbow each 2 s, from the side (Fig. 15)'
plot loci "$a" --path tip1.x tip1.y tip2.x tip2.y --title 'Loci of the tips, along the hinge'
plot tips "${three[@]}" tip1.displacement.x tip1.displacement.y tip2.displacement.x tip2.displacement.y \
  --title 'Displacements of the tips, 20000 steps (Fig. 16)'
plot tips_z "${three[@]}" tip1.displacement.z tip2.displacement.z --title 'Displacements of the tips along the hinge (Fig. 17)'
plot bent "${three[@]}" bent.y --title 'Tip 1 as seen from the root (Fig. 18)'
plot shear "$a" root1.V3 --title 'Shear force at the root of beam 1, decaying A (Fig. 19)'
plot shear_spectrum "${three[@]}" root1.V3 "${window[@]}" --yrange 0:0.08 --title 'Shear force at the root of beam 1, 12 to 14.048 s (Fig. 20)'
plot moment "$a" root2.M2 --title 'Moment at the root of beam 2, decaying A (Fig. 21)'
plot moment_spectrum "${three[@]}" root2.M2 "${window[@]}" --yrange 0:0.02 --title 'Moment at the root of beam 2, 12 to 14.048 s (Fig. 22)'
plot axial "${three[@]}" root1.N --title 'Axial force at the root of beam 1'
plot energy "${three[@]:0:3}" "$a10" lost --from 5 --label preserving --label generalized-alpha --label 'decaying A, 20000 steps' \
  --label 'decaying A, 10000 steps' --title 'Energy lost since the end of the pulses, as a part of it (Fig. 23)'
plot ledger "$a" --ledger --title 'Energy of the rigid elbow, decaying A'
