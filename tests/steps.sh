#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Steps that are long for the motion, or short for the springs of a body that is held: every coordinate is met, also one that carries no
# force, the account closes, and its column tells what is left.
modules=h5py,numpy
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
cp "$models"/steps/*.yaml .

good() { # good NAME MODEL WORDS: a run that ends well, with good books
  local name=$1 model=$2 said
  shift 2
  said=$("$limber" run "$model" -o x.h5 -q "$@" 2>&1 >/dev/null | grep -v 'note:')
  verdict "$name" "$said$("$python" "$source/tests/steps.py" x.h5)" good
}

# Measured: gaps of 2.7e-14, 1.3e-13, 1.9e-13 and 1.7e-11 m (196 km away); they were 4e-2 m and more, and the run ended in a contradiction.
for h in 0.01 0.1 1 10; do
  good "a_strut_that_carries_no_force_is_met_by_steps_of_${h}_s" strut.yaml --set "run.step=$h" --set "run.end=$h*20"
done
# Measured: 3.4e-15, 7.8e-16, 2.4e-15; joints were said to contradict each other, or the account to be open by 0.1.
good a_body_of_points_swings_on_a_hinge_by_steps_of_1_s hinge_of_points.yaml
good a_body_of_points_swings_on_a_hinge_with_friction_by_steps_of_1_s hinge_with_friction.yaml
# Measured: 4e-16 to 9e-16 rad; Newton had found roots whole turns away, up to 509 rad.
for scheme in preserving decaying_a decaying_b decaying_c; do
  good "the_angle_of_a_hinge_is_that_of_the_body_by_steps_of_1_s_$scheme" hinge.yaml --set "run.scheme=$scheme" \
    --set 'probes=[{name: hinge, joint: j, record: angle}, {name: bob, node: B, record: position}]'
done
# Measured: the account closes to 6.9e-13, the column is 6.7e-13 from the balance; 5.9e-8 and 5.5e-8 before.
good the_books_of_a_step_that_is_cut_hold_all_its_parts taut_cable.yaml
# Measured: strains of 9.7e-13 after 6 and 10 solutions a step; none was found in 200 before.
good springs_that_are_soft_for_the_step_hold_a_body held_body.yaml
good springs_that_are_soft_for_the_step_hold_a_body_in_decaying_c held_body.yaml --set run.scheme=decaying_c --set run.rho_inf=0.9
good springs_that_are_soft_for_the_step_hold_a_welded_body held_weld.yaml
# On two processes a solver that had failed once failed for good, and a process without elements did not take part in holding any.
several() { # several NAME MODEL: the same on two processes
  local said
  rm -f x.h5
  said=$("$mpiexec" -n 2 "$limber" run "$2" -o x.h5 -q 2>&1 >/dev/null | grep -v 'note:')
  verdict "$1" "$said$("$python" "$source/tests/steps.py" x.h5)" good
}
if ! $mpi; then finish; fi
several two_processes_swing_on_by_steps_of_1_s hinge.yaml
several two_processes_hold_a_welded_body held_weld.yaml
finish
