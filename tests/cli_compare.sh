#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Differences of two runs: numbers, times, models, exit codes.
modules='h5py, numpy'
. "$(dirname "$0")/support.bash"
cp "$(dirname "$0")/report.py" "$try"
cd "$try" || exit 1
compare() { "$limber" compare "$@" >out.txt 2>err.txt; echo "$? $(tail -n 1 out.txt)$(cat err.txt)"; }
row() { awk -v name="$1" '$1 == "*" {$1 = ""; $0 = $0; $1 = $1} $1 == name' out.txt; }

cat >swing.yaml <<'Y'
limber: 1
title: A weight on a spring
nodes: {O: {at: [0, 0, 0], kind: fixed}, w: {at: [1, 0, 0], kind: point, velocity: [0, 1, 0]}}
elements:
  - mass: {node: w, mass: 1}
  - spring: {nodes: [O, w], stiffness: 100}
probes:
  - {name: w, node: w}
run: {step: 10 ms, end: 1 s}
Y
"$limber" run swing.yaml -q -o a.h5 && "$limber" run swing.yaml -q -o b.h5 || exit 1
verdict the_same_run_is_the_same_to_the_bit "$(compare a.h5 b.h5)" "0 the runs are the same to the bit"
verdict the_same_model_is_told "$(grep -c '^the model is the same$' out.txt)" 1

# ---- numbers ----
sed 's/stiffness: 100/stiffness: 101/' swing.yaml >stiff.yaml
"$limber" run stiff.yaml -q
verdict another_stiffness_is_a_difference "$(compare a.h5 stiff.h5 | cut -c 1-18)" "1 the runs differ:"
verdict the_line_that_changed_is_shown "$(grep -E '^  [-+]' out.txt)" "  - model:6:   - spring: {nodes: [O, w], stiffness: 100}
  + model:6:   - spring: {nodes: [O, w], stiffness: 101}"
verdict its_numbers_are_right "$(row w.position.x | HDF5_USE_FILE_LOCKING=FALSE "$python" -c '
import h5py, numpy as np, sys
f, g = (h5py.File(n)["history"] for n in ("a.h5", "stiff.h5"))
x, y, t = f["probes/w/position"][:, 0], g["probes/w/position"][:, 0], f["time"][()]
d, scale = np.abs(x - y), max(np.abs(f["probes/w/position"][()]).max(), np.abs(g["probes/w/position"][()]).max())
found = [float(v) for v in sys.stdin.read().split()[2:]]
wanted = [d.max(), t[d.argmax()], np.sqrt(np.mean(d**2)), np.linalg.norm(d)/np.linalg.norm(x), d.max()/scale]
print(np.allclose(found, wanted, rtol=6e-3) or (found, wanted))')" True
worst=$(row w.position.x | awk '{print $NF}')
verdict within_the_tolerance_the_code_is_0 "$(compare a.h5 stiff.h5 w.x --tolerance "$(awk "BEGIN {print 1.01*$worst}")" | cut -c 1-23)" "0 the runs agree within"
verdict beyond_the_tolerance_it_is_1 "$(compare a.h5 stiff.h5 w.x --tolerance "$(awk "BEGIN {print 0.99*$worst}")" | cut -c 1-20) $(grep -c '^\* w.position.x' out.txt)" "1 the runs differ: 1 1"

# ---- times ----
"$limber" run swing.yaml -q -o fine.h5 --set run.step=5ms
verdict other_times_are_resampled_and_told "$(compare a.h5 fine.h5 --tolerance 0.05 | cut -c 1-23) $(grep -c '^their times differ: fine.h5 is taken at the 101 times of a.h5, straight between its rows$' out.txt)" \
  "0 the runs agree within 1"
verdict changes_of_the_command_line_are_shown "$(grep -E '^  [-+]' out.txt)" "  + --set:1: run.step=5ms"
# the middle between two rows of the coarse run is their mean
verdict between_rows_values_are_straight "$(compare fine.h5 a.h5 w.y >/dev/null; row w.position.y | HDF5_USE_FILE_LOCKING=FALSE "$python" -c '
import h5py, numpy as np, sys
f, g = (h5py.File(n)["history"] for n in ("fine.h5", "a.h5"))
d = np.abs(f["probes/w/position"][:, 1] - np.interp(f["time"][()], g["time"][()], g["probes/w/position"][:, 1])).max()
print(np.allclose(float(sys.stdin.read().split()[2]), d, rtol=6e-3))')" True
"$limber" run swing.yaml -q -o short.h5 --set run.end=0.5
verdict runs_that_do_not_end_together_differ "$(compare a.h5 short.h5 --tolerance 1) $(grep -c '^the runs do not end together: they are compared up to t = 0.5 s$' out.txt)" \
  "1 the runs differ: 0 columns by more than 1 of their largest value; they do not end together 1"
verdict up_to_a_time_they_are_the_same "$(compare a.h5 short.h5 --to 0.5)" "0 the runs are the same to the bit"

# ---- columns ----
sed 's/{name: w, node: w}/{name: w, node: w, record: [position]}/' swing.yaml >less.yaml
"$limber" run less.yaml -q
verdict columns_of_one_run_are_told "$(compare a.h5 less.h5) $(grep -c '^only in a.h5: w\.' out.txt)" \
  "1 the runs differ: 0 columns by more than 0 of their largest value; 6 columns are in one run only 6"
verdict named_columns_alone_are_judged "$(compare a.h5 less.h5 w.position)" "0 the runs are the same to the bit"
verdict a_column_that_is_not_there_is_a_mistake "$(compare a.h5 b.h5 w.q | cut -c 1-58)" "2 limber compare: a.h5 holds no column 'w.q'; there are w."

# ---- two processes ----
"$limber" run "$models/four_bar.yaml" -q -o one.h5 && mpiexec -n 2 "$limber" run "$models/four_bar.yaml" -q -o two.h5
verdict two_processes_agree_with_one "$(compare one.h5 two.h5 --tolerance 1e-7 | cut -c 1-23)" "0 the runs agree within"
echo "     measured: $(sed -n 's/^the runs agree.*; the worst/the worst/p' out.txt)"

# ---- pages ----
verdict a_page_draws_both "$(compare a.h5 stiff.h5 --html d.html | cut -c 1-18) $("$python" report.py d.html whole) $("$python" report.py d.html outside)" \
  "1 the runs differ: whole nothing"
verdict with_a_chart_for_each_that_differs "$("$python" report.py d.html charts)" "$(grep -cE '^[* ] (ledger|steps|w)\.' out.txt)"
verdict a_page_must_be_named_so "$(compare a.h5 b.h5 --html d.txt)" "2 limber compare: a page ends in .html, not as 'd.txt'"

# ---- mistakes ----
verdict a_model_is_no_run "$(compare a.h5 swing.yaml)" \
  "2 limber compare: 'swing.yaml' is no HDF5 file; \`limber run swing.yaml\` writes swing.h5"
verdict a_tolerance_is_a_number "$(compare a.h5 b.h5 --tolerance small | cut -c 1-34)" "2 limber compare: --tolerance need"
verdict one_run_is_not_enough "$(compare a.h5 | head -n 1 | cut -c 1-17)" "2 limber compare:"
finish
