#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs that go on from their checkpoints: to the same bits, whatever ended them.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
same() { HDF5_USE_FILE_LOCKING=FALSE "$python" "$source/tests/same_results.py" "$@" 2>&1 | tail -n 5; }
bytes() { cmp "$1.h5" "$2.h5" && cmp <(sed "s/$1\.h5/$2.h5/g" "$1.xdmf") "$2.xdmf" && echo same; }

# ---- a later end ----
# The early end lies between rows and between snapshots, which the run to the late end does not have there.
later() { # later MODEL EARLY LATE OPTIONS ...
  local model=$models/$1 early=$2 late=$3
  shift 3
  "$limber" run "$model" -q -o whole.h5 --set run.end="$late" "$@" && "$limber" run "$model" -q -o part.h5 --set run.end="$early" "$@" &&
    "$limber" resume part.h5 -q --end "$late" && same whole.h5 part.h5
}
for scheme in preserving decaying_c generalized_alpha; do
  verdict "a_later_end_gives_the_bits_of_the_longer_run_with_$scheme" \
    "$(later swing.yaml 0.021 0.04 --set run.scheme=$scheme --set run.snapshots=3ms --set run.every=4)" same
  verdict "so_it_does_with_drives_and_redundant_joints_with_$scheme" \
    "$(later four_bar.yaml 0.053 0.1 --set run.scheme=$scheme)" same
done
verdict a_later_end_gives_the_bits_of_the_longer_run_with_exponential \
  "$(models=$source/examples later truss/truss.yaml 0.0021 0.004 --set run.snapshots=0.3ms)" same
verdict the_same_where_files_are_included "$(later gust.yaml 0.02 0.04 --set run.snapshots=3ms)" same
verdict the_summary_is_of_the_whole_run \
  "$("$limber" resume part.h5 --end 50ms | grep -c '^part.h5: .* to t = 0.05 s, in')" 1
verdict snapshots_keep_their_interval \
  "$("$limber" run "$models/swing.yaml" -q -o s.h5 --set run.end=10ms && "$limber" resume s.h5 -q --end 20ms &&
    HDF5_USE_FILE_LOCKING=FALSE "$python" -c 'import h5py; print(len(h5py.File("s.h5")["VTKHDF/Steps/Values"]))')" 41

# ---- signals ----
# Once its first checkpoint is there, the run is stopped; it is long enough for that.
stopped() { # stopped SIGNAL NAME COMMAND ...
  local signal=$1 name=$2
  shift 2
  rm -f "$name.checkpoint"
  "$@" 2>err.txt &
  local process=$! i
  for ((i = 0; i < 1000; i++)); do [[ -e $name.checkpoint ]] && break; sleep 0.01; done
  sleep 0.15
  kill "-$signal" $process
  wait $process
}
for way in TERM INT; do
  "$limber" run "$models/swing.yaml" -q -o whole.h5 --set run.end=0.4
  set -m # a shell without job control has its children ignore SIGINT
  stopped $way part "$limber" run "$models/swing.yaml" -q -o part.h5 --set run.end=0.4
  verdict "SIG${way}_ends_a_run_with_a_word_on_how_to_go_on" \
    "$? $(grep -c 'interrupted at t = .* limber resume part.h5$' err.txt)" "1 1"
  set +m
  verdict "after_SIG${way}_the_results_have_the_same_bytes" "$("$limber" resume part.h5 -q && bytes whole part)" same
done
chosen=(--set 'run.control={loss: 1 mW, rows: 1.5 ms}' --set run.snapshots=20ms --set run.end=0.8)
"$limber" run "$models/swing.yaml" -q -o whole.h5 "${chosen[@]}"
stopped KILL part "$limber" run "$models/swing.yaml" -q -o part.h5 --checkpoint 0.05s "${chosen[@]}" 2>/dev/null
verdict a_killed_run_that_chooses_its_steps_has_the_same_bytes "$? $("$limber" resume part.h5 -q && bytes whole part)" "137 same"

# ---- SIGKILL at any time ----
verdict ten_runs_killed_at_random_have_the_same_bytes "$(LIMBER=$limber bash "$source/benchmarks/kill.sh" 10 "$RANDOM" | awk -F, 'END {print $1, $4}')" "10 10"

# ---- two processes ----
on2() { mpiexec --oversubscribe --bind-to none -n 2 "$limber" "$@" 2>&1 | grep -v '^$'; }
swing=(--set run.snapshots=3ms --set run.every=4)
on2 run "$models/swing.yaml" -q -o whole.h5 --set run.end=0.04 "${swing[@]}"
on2 run "$models/swing.yaml" -q -o part.h5 --set run.end=0.021 "${swing[@]}"
cp part.h5 one.h5
cp part.checkpoint one.checkpoint
on2 resume part.h5 -q --end 0.04
# measured: 5e-9 of the largest number of a dataset, in the forces of stiff beams, as between one process and two anyway
verdict two_processes_go_on_to_round_off "$(same whole.h5 part.h5 1e-7)" same
"$limber" resume one.h5 --end 0.04 >out.txt
verdict one_process_goes_on_where_two_stopped "$? $(grep -c 'note: there were 2 processes and now there are 1' out.txt) $(same whole.h5 one.h5 1e-7)" "0 1 same"
"$limber" run "$models/four_bar.yaml" -q -o one.h5 --set run.end=0.053
"$limber" run "$models/four_bar.yaml" -q -o whole.h5 --set run.end=0.1
on2 resume one.h5 -q --end 0.1
verdict two_processes_go_on_where_one_stopped "$(same whole.h5 one.h5 1e-7)" same

# ---- branches ----
"$limber" run "$models/swing.yaml" -q -o run.h5 --set run.end=0.02
cp run.h5 before.h5
"$limber" resume run.h5 -q -o branch.h5 --end 0.03 --set loads.push.direction='[0, 0, 1]'
verdict a_branch_leaves_the_run_as_it_was "$? $(cmp run.h5 before.h5 && echo same)" "0 same"
"$limber" resume run.h5 -q -o straight.h5 --end 0.03
verdict a_branch_has_the_same_past_and_another_future "$(HDF5_USE_FILE_LOCKING=FALSE "$python" <<'P'
import h5py, numpy as np
a, b = h5py.File("branch.h5"), h5py.File("straight.h5")
x, y = (f["history/probes/B/position"][()] for f in (a, b))
print(len(x), np.array_equal(x[:41], y[:41]), np.abs(x[-1] - y[-1]).max() > 1e-9, a.attrs["changed_at"], a.attrs["end"],
      a.attrs["changes"].tolist())
P
)" "61 True True 0.02 0.03 ['loads.push.direction=[0, 0, 1]', 'run.end=0.03']"
verdict a_branch_goes_on_with_its_changes "$("$limber" resume branch.h5 -q --end 0.04 && "$limber" resume run.h5 -q -o whole.h5 \
  --end 0.04 --set loads.push.direction='[0, 0, 1]' && same whole.h5 branch.h5)" same

# ---- branches that change what is stored ----
# What the change is worth, by hand from the state at the branch: 1/2 dm v^2 + dm g z, 1/2 dk z^2, (g'/g - 1) V; E twice as
# large doubles the arm's energy, which is what springs leave of the strain energy.
booked() { # booked RUN WHAT CHANGE: `booked`, or by which part of the energy the account is open and the booking is off
  "$limber" resume "$1.h5" -q -o other.h5 --end 0.4 --set "$3" >err.txt 2>&1 || cat err.txt
  HDF5_USE_FILE_LOCKING=FALSE "$python" - "$2" <<'P'
import h5py, numpy as np, sys
f, what = h5py.File("other.h5", "r"), sys.argv[1]
ledger, at = f["history/ledger"], 40  # the row of the branch
v, z = (f["history/probes/tip/" + n][at] for n in ("velocity", "position"))
long = np.linalg.norm(z - [1.2, 0.3, 1.5]) - 1
angle = f["history/probes/hinge/angle"][at] - 0.1
strain, potential = ledger["strain"][at], ledger["potential"][at]
expected = {"gravity": (3 / 9.81 - 1) * potential, "spring": 20 * long**2, "hinge": 30 * angle**2,
            "section": strain - 20 * long**2 - 15 * angle**2, "mass": 0.5 * v @ v + 9.81 * z[2], "nothing": 0}[what]
energy = sum(ledger[n][()] for n in ("kinetic", "strain", "potential", "memory"))
open_by = energy - energy[0] - ledger["work"][()] + ledger["damping"][()] + ledger["dissipated"][()]
scale = np.abs(energy).max()
account, book = np.abs(open_by).max() / scale, abs(f.attrs["changed_work"] - expected) / scale
told = "%.6g J" % f.attrs["changed_work"] in f.attrs["remarks"] or what == "nothing" and f.attrs["remarks"] == ""
rows, ended = len(energy), f.attrs["ended"]
good = account <= 1e-12 and book <= 1e-12 and told and rows == 81 and ended == "end"
print("booked" if good else "account %.1e book %.1e told %s rows %d ended %s" % (account, book, told, rows, ended))
P
}
# measured: accounts open by 3e-15 of the energy at most, bookings off by 3e-16
for scheme in preserving decaying_c generalized_alpha; do
  "$limber" run "$models/branch.yaml" -q -o stored.h5 --set run.end=0.2 --set run.scheme=$scheme
  verdict "a_branch_books_other_gravity_with_$scheme" "$(booked stored gravity let.g=3)" booked
  verdict "a_branch_books_another_spring_with_$scheme" "$(booked stored spring elements.string.stiffness=80)" booked
  verdict "a_branch_books_another_spring_of_a_joint_with_$scheme" "$(booked stored hinge joints.hinge.angle.stiffness=90)" booked
  verdict "a_branch_books_another_section_with_$scheme" "$(booked stored section sections.strip.E=4GPa)" booked
  verdict "a_branch_books_another_mass_with_$scheme" "$(booked stored mass elements.load.mass=3)" booked
  verdict "a_branch_books_nothing_for_another_damper_with_$scheme" "$(booked stored nothing elements.arm.damping=1e-3)" booked
done
on2 run "$models/branch.yaml" -q -o stored.h5 --set run.end=0.2
verdict a_branch_on_another_number_of_processes_books_no_round_off "$(booked stored nothing elements.arm.damping=1e-3)" booked
on2 resume stored.h5 -q -o two.h5 --end 0.4 --set let.g=3
"$limber" resume stored.h5 -o other.h5 --end 0.4 --set let.g=3 >out.txt
verdict two_processes_book_what_one_does "$(same other.h5 two.h5 1e-7)" same
verdict the_summary_tells_what_was_booked \
  "$(grep -cE 'note: at t = 0.2 s, where the model was changed, the stored energy changes by -2\.[0-9]+ J|of that work -2\.[0-9]+ J is the change' out.txt)" 2
verdict a_branch_of_a_branch_adds_to_it "$("$limber" resume other.h5 -q -o again.h5 --end 0.5 --set elements.load.mass=3 &&
  HDF5_USE_FILE_LOCKING=FALSE "$python" -c 'import h5py; a, b = (h5py.File(n, "r").attrs for n in ("other.h5", "again.h5"))
print(len(b["remarks"].splitlines()), a["changed_work"] != b["changed_work"])')" "2 True"
"$limber" run "$source/examples/truss/truss.yaml" -q -o truss.h5 --set run.end=2ms
verdict a_branch_of_the_exponential_scheme_books_another_stiffness "$("$limber" resume truss.h5 -q -o stiff.h5 --end 4ms --set let.E=4.2e11 &&
  HDF5_USE_FILE_LOCKING=FALSE "$python" <<'P'
import h5py, numpy as np
f = h5py.File("stiff.h5", "r")
ledger = f["history/ledger"]
energy = sum(ledger[n][()] for n in ("kinetic", "strain", "potential", "memory"))
account = np.abs(energy - energy[0] - ledger["work"][()] + ledger["damping"][()] + ledger["dissipated"][()]).max() / energy.max()
book = abs(f.attrs["changed_work"] / ledger["strain"][20] - 1)
print("booked" if account <= 1e-12 and book <= 1e-12 else "account %.1e book %.1e" % (account, book))
P
)" booked

# ---- the model ----
cp "$models/swing.yaml" mine.yaml
"$limber" run mine.yaml -q --set run.end=0.01
sed -i 's/rho_inf: 0.5/rho_inf: 0.6/' mine.yaml
verdict a_model_file_that_changed_is_noted \
  "$("$limber" resume mine.h5 --end 20ms | grep -c 'note: .*mine.yaml has changed since; the run goes on with the model as it was')" 1

# ---- what is refused ----
refused() { # refused NAME PATTERN COMMAND ...: exit code 2, one line that matches, and the results untouched
  local name=$1 pattern=$2 before after code
  shift 2
  before=$(cksum <run.h5)
  "$limber" resume "$@" >out.txt 2>err.txt
  code=$?
  after=$(cksum <run.h5)
  verdict "$name" "$code $(grep -cE -e "$pattern" err.txt) $([[ $before == "$after" ]] && echo untouched)" "2 1 untouched"
}
refused a_run_at_its_end_needs_a_later_one '^limber resume: run.h5 is at t = 0.02 s, and its end is 0.02 s; --end gives it a later one$' run.h5
refused changes_need_a_file_of_their_own "^limber resume: 'let.n=3' changes the model: .* -o branch.h5$" run.h5 --set let.n=3
refused the_results_are_no_branch_of_themselves "-o is 'run.h5' itself" run.h5 -o run.h5 --end 1
refused mistakes_in_changes_are_noted "^--set:2:7: error: 'loads' has no entry 'pish'; did you mean 'push'" run.h5 -o x.h5 --set loads.pish.direction='[1, 0, 0]'
refused another_scheme_is_refused 'the run has scheme decaying_c; a state of it is no start for preserving' run.h5 -o x.h5 --end 1 --set run.scheme=preserving
refused another_step_is_refused 'the run has steps of 0.0005 s; they cannot become 0.001 s' run.h5 -o x.h5 --end 1 --set run.step=1ms
refused other_elements_are_refused 'the elements are no longer those of the run' run.h5 -o x.h5 --end 1 --set elements.strip1.elements=3
refused an_interval_must_be_a_time "--checkpoint needs a time, such as 60s, 5min or 0 for none, not 'often'" run.h5 --end 1 --checkpoint often
cp run.checkpoint good.checkpoint
head -c 5000 good.checkpoint >run.checkpoint
refused a_checkpoint_that_is_cut_off_is_refused "'run.checkpoint' is cut off or has grown" run.h5 --end 1
cp good.checkpoint run.checkpoint
printf 'x' | dd of=run.checkpoint bs=1 seek=9001 conv=notrunc 2>/dev/null
refused a_damaged_checkpoint_is_refused "'run.checkpoint' is damaged: its checksum is wrong" run.h5 --end 1
cp good.checkpoint run.checkpoint
printf '\x07' | dd of=run.checkpoint bs=1 seek=12 conv=notrunc 2>/dev/null
refused another_format_is_refused "has format 7, this version of Limber reads 1: resume with the version that wrote it" run.h5 --end 1
cp branch.checkpoint run.checkpoint
refused a_checkpoint_of_another_run_is_refused "'run.h5' is not the file that the checkpoint beside it belongs to" run.h5 --end 1
rm run.checkpoint
refused results_that_are_not_there_are_named "^limber resume: cannot read 'gone.h5': No such file" gone.h5
refused a_model_is_no_result "mine.yaml' is no results file; limber resume takes those of a run, such as run.h5" mine.yaml
refused a_run_without_checkpoint_says_what_to_do "there is no checkpoint 'run.checkpoint' beside 'run.h5'" run.h5 --end 1
"$limber" run "$models/swing.yaml" -q -o none.h5 --checkpoint 0 --set run.end=1ms
verdict no_checkpoints_are_written_where_none_are_wanted "$(ls none.*)" $'none.h5\nnone.xdmf'
cp good.checkpoint none.checkpoint
"$limber" run "$models/swing.yaml" -q -o none.h5 --checkpoint 0 --set run.end=1ms
verdict a_new_run_removes_the_checkpoint_of_an_old_one "$(ls none.*)" $'none.h5\nnone.xdmf'
finish
