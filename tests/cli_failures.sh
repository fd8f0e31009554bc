#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Failures that users meet: each says what happened and where, what grew, what to do, and the line of the model file
# that holds the thing to blame (docs/failures.md).
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
cp "$models"/failing/*.yaml "$models/swing.yaml" .

# failure NAME CODE LINE... -- COMMAND ...: the exit code, and every line is in the message, as a pattern
failure() {
  local name=$1 code=$2 missing="" wanted=()
  shift 2
  while [[ $1 != -- ]]; do wanted+=("$1"); shift; done
  shift
  "$limber" "$@" >out.txt 2>err.txt
  local found=$?
  for line in "${wanted[@]}"; do grep -qE -e "$line" err.txt || missing+="missing: $line"$'\n'; done
  [[ -z $missing ]] || missing+=$(cat err.txt)
  verdict "$name" "$found $missing" "$code "
}

# ---- steps that fail ----
failure a_mechanism_that_locks_is_named_with_its_line 1 \
  "^limber run: the step from t = 0.5235[0-9]* s did not converge, at node 'rod'$" \
  'at last [0-9.e+]+ J were out of balance, of [0-9.e+]+ J exchanged so far' \
  'work of the loads grew most, from [0-9.]+ J to [0-9.e+]+ J' 'it has locked;' '^limber run: lock.h5 holds the history up to there$' \
  "^lock.yaml:5:3: node 'rod'$" -- run lock.yaml -q
failure a_joint_that_locks_is_named_with_its_line 1 \
  "^limber run: the step from t = 0.5235[0-9]* s did not converge, at point_on_line 'slider'$" \
  "^lock.yaml:12:27: point_on_line 'slider'$" -- run lock.yaml -q --set run.scheme=decaying_c
verdict a_failure_ends_in_the_line_to_look_at "$(tail -n 3 err.txt)" "lock.yaml:12:27: point_on_line 'slider'
   12 |   - point_on_line: {name: slider, nodes: [ground, rod], axis: [1, 0, 0], at: [1.5, 0, 0]}
      |                           ^~~~~~"
failure a_load_that_jumps_is_found_at_the_joint_it_turns 1 "did not converge, at revolute 'pin'$" 'no energy grew' \
  "^jump.yaml:7:22: revolute 'pin'$" 'smooth_step' -- run jump.yaml -q
failure what_floats_is_named_with_its_line 2 "node 'bob' moves without mass, stiffness or joint to hold it" \
  "^float.yaml:3:9: node 'bob'$" -- run float.yaml -q
failure what_would_fly_away_is_a_warning_before_the_run 0 \
  "^away.yaml:5:24: warning: nothing ties 'stone' to the ground, .* is a joint missing\?" -- run away.yaml -q
failure joints_that_come_to_contradict_each_other_are_named 1 \
  "^limber run: joints contradict each other from t = 0.11 s on, at revolute 'two'$" 'Its equations are off by 0.01' \
  'Take out the joint' "^two_motors.yaml:10:22: revolute 'two'$" -- run two_motors.yaml -q
sed 's/value: \[0, 0.1/value: [0, 0.2/' two_motors.yaml >drives.yaml
failure drives_that_contradict_each_other_at_the_start_are_named 2 '^limber run: drives contradict each other' \
  "^drives.yaml:9:22: revolute 'one'$" "^drives.yaml:10:22: revolute 'two'$" -- run drives.yaml -q
failure an_open_account_says_by_how_much_and_what_grew 1 'the energies of the step to t = 0.002 s do not add up' \
  'The account is open by 3.6 J, 1.1 of the energy exchanged' 'kinetic energy grew most, from 0.5 J to 3.38 J' 'divide it by ten' \
  '^stretched.yaml:11:1: step and scheme are given here$' -- run stretched.yaml -q
failure a_cell_turned_inside_out_is_named_with_its_line 1 "would turn a cell inside out, at solid 'pad'" \
  'strain energy grew most' 'a modulus of the wrong unit' "^inside.yaml:15:19: solid 'pad'$" -- run inside.yaml -q
failure a_loss_that_cannot_be_kept_points_at_the_part_run 1 "loses more than is tolerated, though it was cut down to 0.0003 s; most of it in" \
  "Tolerate a larger 'loss'" '^swing.yaml:[0-9]+:[0-9]+: ' '^swing.yaml:[0-9]+:1: step and scheme are given here$' \
  -- run swing.yaml -q --set 'run.control={loss: 1e-16, smallest: 0.3 ms}'
mpiexec -n 2 "$limber" run lock.yaml -q >out.txt 2>err.txt
verdict two_processes_name_the_line_once "$(grep -c "^lock.yaml:5:3: node 'rod'$" err.txt)" 1

# ---- where results go ----
failure a_folder_that_is_not_there_can_be_made 2 "cannot write 'nowhere/x.h5': No such file or directory" 'mkdir -p nowhere' \
  -- run swing.yaml -o nowhere/x.h5
failure a_folder_that_may_not_be_written_says_so 2 "cannot write '/sys/x.h5': Permission denied" 'give the results another place' \
  -- run swing.yaml -o /sys/x.h5
failure a_table_that_finds_no_room_says_so 3 "cannot write '/dev/full': No space left on device" \
  -- export two_motors.h5 -o /dev/full

# A disk of 1.5 MB in a name space of its own fills up; then it grows, and the run goes on. A checkpoint may be the first to
# find no room, and says so beside.
cat >full.sh <<'S'
mkdir -p small && mount -t tmpfs -o size=1500k none small || exit 77
"$1" run swing.yaml -q --set run.end=0.5 --set run.snapshots=1ms -o small/run.h5 --checkpoint 0.1s 2>err.txt
echo $? >code.txt
ls small >left.txt
mount -o remount,size=100m small && "$1" resume small/run.h5 -q 2>>err.txt && cp small/run.h5 resumed.h5
S
unshare -m bash full.sh "$limber" 2>/dev/null || unshare -rm bash full.sh "$limber" 2>/dev/null
if [[ -e code.txt ]]; then
  verdict a_full_disk_ends_the_run_in_three_lines "$(cat code.txt) $(sed "/run.checkpoint.part'.*will try again$/d;s/run.h5'/X/;s/run.xdmf.part'/X/" err.txt)" "3 limber: cannot write 'small/X: No space left on device
limber run: the run cannot go on without its results
  Make room (df -h shows where), then go on from the last checkpoint: limber resume small/run.h5"
  verdict it_leaves_no_halves_behind "$(grep -c part left.txt)" 0
  "$limber" run swing.yaml -q --set run.end=0.5 --set run.snapshots=1ms -o whole.h5
  verdict with_room_again_it_goes_on_to_the_same_bytes "$(cmp whole.h5 resumed.h5 && echo same)" same
else echo "     a small disk cannot be mounted here: that of a full one is not tried"; fi

# ---- files that are not what they should be ----
"$limber" run swing.yaml -q --set run.end=0.02 -o run.h5
failure a_model_is_no_results_file 2 "'swing.yaml' is no HDF5 file" -- export swing.yaml time
head -c 3000 run.h5 >cut.h5
failure results_that_are_cut_off_are_damaged 2 "'cut.h5' is damaged: HDF5 cannot open it" -- export cut.h5 time
HDF5_USE_FILE_LOCKING=FALSE "$python" - <<'P'
import h5py, shutil
h5py.File("other.h5", "w").create_dataset("x", data=[1.0])
shutil.copy("run.h5", "newer.h5")
f = h5py.File("newer.h5", "a")
f.attrs["format"], f.attrs["limber"] = 2, "9.0.0"
P
failure another_hdf5_file_is_no_result 2 "'other.h5' is no result of .limber run." -- export other.h5 time
failure results_of_a_newer_version_name_it 2 "'newer.h5' has format 2, of Limber 9.0.0; .* read it with the version that wrote it" -- plot newer.h5
sed 's/^limber: 1/limber: 2/' swing.yaml >newer.yaml
failure a_model_of_a_newer_version_is_noted_at_its_line 2 '^newer.yaml:[0-9]+:9: error: this file is of format 2; this program reads format 1: use a newer Limber' \
  -- run newer.yaml
cp run.checkpoint good.checkpoint
head -c 4000 good.checkpoint >run.checkpoint
failure a_checkpoint_that_is_cut_off_says_what_to_do 2 "'run.checkpoint' is cut off .* started again: limber run" -- resume run.h5 --end 1
rm run.checkpoint
failure results_without_checkpoint_say_what_to_do 2 "there is no checkpoint 'run.checkpoint' .* Start it again with limber run" -- resume run.h5 --end 1

# ---- a run that was killed ----
"$limber" run swing.yaml -q --set run.end=100 -o killed.h5 -- -limber_flush 0.05 &
run=$!
for _ in $(seq 100); do
  sleep 0.1
  rows=$("$limber" export killed.h5 time 2>/dev/null | wc -l)
  [[ -e killed.checkpoint && $rows -gt 10 ]] && break
done
kill -KILL $run
wait $run 2>/dev/null
failure a_killed_run_can_be_read 0 -- export killed.h5 time B.x -o killed.csv
verdict it_has_the_rows_it_had $(($(wc -l <killed.csv) > 10)) 1
verdict it_goes_on "$("$limber" resume killed.h5 -q -o short.h5 --end 0.01 2>&1)" ""
finish
