#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Forces: at every joint between a beam and something else of the examples the section force is that of the joint; the force in every scheme
# in a fast rod is right at 100 steps a turn.
modules='h5py, numpy, yaml'
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
schemes='decaying preserving decaying_a decaying_c generalized_alpha'

# Largest difference over the joints of a model over the joint force, in schemes of three kinds; it must stay below the bound.
agree() { # agree NAME BOUND MODEL [path=value ...]
  local name=$1 bound=$2 worst=0 off scheme
  shift 2
  for scheme in decaying decaying_c generalized_alpha; do
    "$python" "$source/tests/forces.py" "$limber" "$scheme" "$@" run.end_forces=0 >out.txt 2>err.txt || cat err.txt
    off=$(awk '$3 > m {m = $3} END {print NR ? m + 0 : 9}' out.txt)
    echo "     measured: $name, $scheme: $off"
    worst=$(awk -v a="$worst" -v b="$off" 'BEGIN {print (a > b ? a : b)}')
  done
  verdict "section_and_joint_forces_agree_in_$name" "$(awk -v w="$worst" -v b="$bound" 'BEGIN {print (w <= b)}')" 1
}
agree four_bar_misaligned 0.002 "$source/examples/four_bar_misaligned/four_bar.yaml"       # 0.0006
agree hinged_beam 0.004 "$source/examples/hinged_beam/hinged_beam.yaml"                    # 0.0016
agree swing 0.15 "$source/examples/swing/swing.yaml"                                       # 0.096: its links are hit
agree elbow_revolute 0.0005 "$source/examples/elbow_revolute/elbow_revolute.yaml" run.end=2 # 0.0001
agree lateral_buckling 0.001 "$source/examples/lateral_buckling/lateral_buckling.yaml"     # 0.0002
agree spin_up 0.0005 "$source/examples/spin_up/spin_up.yaml"                               # 0.0001
for template in pendulum four-bar blade boom; do
  agree "template_$template" 0.01 "$source/src/cli/templates/$template.yaml" # 0.0056, blade
done
agree fast_rod 0.03 "$models/fast_rod.yaml"

# At top dead centre after two turns: 2720.6 N in the middle of the rod, 2915.6 N at the crank (limits of all schemes).
for scheme in $schemes; do
  for step in 0.2 0.02; do
    "$limber" run "$models/fast_rod.yaml" -q -o rod.h5 --set run.scheme="$scheme" --set run.step="$step ms" --set run.end="40 ms" --set run.snapshots=0
    "$python" - "$scheme" $step <<'P'
import sys, h5py, numpy
scheme, step = sys.argv[1], float(sys.argv[2])
with h5py.File("rod.h5") as f:
    t = f["history/time"][:]
    row = abs(t - 0.04).argmin()
    middle, joint = f["history/probes/middle/force"][row, 0], numpy.linalg.norm(f["history/probes/big/force"][row])
off = abs(middle / 2720.6 - 1), abs(joint / 2915.6 - 1)
print(f"     measured: {scheme}, {step} ms: {middle:.1f} N, joint {joint:.1f} N")
open("off.txt", "a").write(f"{scheme} {step} {off[0]} {off[1]}\n")
P
  done
done
verdict the_rod_pulls_as_it_should_within_2_percent_at_100_steps_a_turn "$(awk '$2 > 0.1 && ($3 > 0.02 || $4 > 0.02)' off.txt)" ""
verdict and_within_2_per_mille_at_1000 "$(awk '$2 < 0.1 && ($3 > 0.002 || $4 > 0.002)' off.txt)" ""
finish
