#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs of models that include other files, and of models that the command line changes, on one process and on two.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
attribute() { HDF5_USE_FILE_LOCKING=FALSE "$python" -c 'import h5py, sys; a = h5py.File(sys.argv[1]).attrs; print(*(a[k] for k in sys.argv[2:]))' "$@"; }

mkdir -p model/parts elsewhere
cat >model/pendulum.yaml <<'MODEL'
limber: 1
title: A pendulum
include: parts/bob.yaml
let: {L: 0.5 m, h: 10 ms}
nodes: {hook: {at: [0, 0, 0], kind: fixed}, bob: {at: [L, 0, 0], kind: point}}
joints: [distance: {nodes: [hook, bob]}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
run: {step: h, end: n*h}
MODEL
printf 'limber: 1\ninclude: mass.yaml\nelements: [mass: {node: bob, mass: M}]\n' >model/parts/bob.yaml
printf 'limber: 1\nlet: {M: 2 kg, n: 10}\n' >model/parts/mass.yaml

cd elsewhere || exit 1
"$limber" run -q ../model/pendulum.yaml
verdict included_files_are_found_from_another_folder "$? $(attribute pendulum.h5 step end title)" "0 0.01 0.1 A pendulum"
"$limber" run -q ../model/pendulum.yaml -o changed.h5 --set let.n=4 --set run.scheme=preserving --set run.step=5ms
verdict changes_reach_the_run "$? $(attribute changed.h5 step end scheme)" "0 0.005 0.04 preserving"
cd ../model || exit 1
"$limber" run -q - -o stdin.h5 <pendulum.yaml
verdict a_model_from_stdin_includes_from_this_folder "$? $(attribute stdin.h5 step end)" "0 0.01 0.1"
if ! $mpi; then finish; fi
"$mpiexec" -n 2 "$limber" run -q pendulum.yaml -o two.h5 --set let.n=4
verdict two_processes_read_the_same_files "$? $(attribute two.h5 step end)" "0 0.01 0.04"
sed -i 's/mass.yaml/mas.yaml/' parts/bob.yaml
verdict a_mistake_is_printed_once_by_two_processes \
  "$("$mpiexec" -n 2 "$limber" run -q pendulum.yaml -o two.h5 2>&1 | grep -c 'cannot read')" 1

finish
