#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs of model files through the command, and the results they leave.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
h5() { HDF5_USE_FILE_LOCKING=FALSE "$python" - "$@"; }

# ---- a run to its end ----
"$limber" run "$models/swing.yaml" -o swing.h5 >out.txt 2>err.txt
verdict a_run_reaches_its_end "$? $(wc -c <err.txt)" "0 0"
verdict progress_is_a_line_every_tenth "$(grep -cE '^ +[0-9]+0 %  t = [0-9.]+ s  .* left$' out.txt)" 10
verdict the_summary_accounts_for_steps_newton_and_energy \
  "$(grep -cE '^swing.h5: 100 steps of 0.0005 s to t = 0.05 s|^  (Newton|energy|since t = 0|account|constraints) ' out.txt)" 6
"$limber" run "$models/swing.yaml" -q -o quiet.h5 >out.txt 2>&1
verdict quiet_prints_nothing "$(wc -c <out.txt)" 0

# Open MPI's daemon is hidden from the process: without Limber's settings it does not start then
OPAL_BINDIR=$try/none "$limber" run "$models/swing.yaml" -q -o alone.h5 >out.txt 2>&1
verdict a_process_alone_starts_no_daemon_of_mpi "$? $(wc -c <out.txt)" "0 0"

# what is left out or not there yet is told
cp "$models/swing.yaml" model.yaml
verdict a_model_without_its_ending_is_guessed "$("$limber" run model 2>&1; echo "exit $?")" \
  "limber run: there is no file 'model'; did you mean 'model.yaml'?
exit 2"
verdict results_that_are_not_there_yet_are_told_how_to_get \
  "$("$limber" view model.h5 2>&1; echo "exit $?"; "$limber" view model.yaml 2>&1)" \
  "limber view: cannot read 'model.h5': No such file or directory; \`limber run model.yaml\` writes model.h5
exit 2
limber view: 'model.yaml' is no HDF5 file; \`limber run model.yaml\` writes model.h5"

verdict results_describe_themselves "$(h5 "$models/swing.yaml" <<'P'
import h5py, sys
f = h5py.File("swing.h5")
wrong = []
def visit(name, thing):
    if "description" not in thing.attrs: wrong.append(name + " has no description")
    if not isinstance(thing, h5py.Dataset): return
    if "units" not in thing.attrs: wrong.append(name + " has no units")
    if name.startswith("history/"):
        if thing.shape[0] != 101: wrong.append("%s has %d rows" % (name, thing.shape[0]))
        if thing.ndim == 2 and len(thing.attrs["columns"]) != thing.shape[1]: wrong.append(name + " misnames columns")
        if thing.maxshape[0] is not None: wrong.append(name + " cannot grow")
        if thing.dims[0].label != "time": wrong.append(name + " does not call its axis time")
f.visititems(visit)
if f["model"].asstr()[()] != open(sys.argv[1]).read(): wrong.append("the model's text differs")
expected = dict(title="Swing", scheme="decaying_c", rho_inf=0.5, step=5e-4, end=0.05, every=1, ended="end", format=1)
for name, value in expected.items():
    if f.attrs[name] != value: wrong.append("%s is %s" % (name, f.attrs[name]))
print("\n".join(wrong) or "good")
P
)" good

verdict the_ledger_balances_and_joints_hold "$(h5 <<'P'
import h5py, numpy as np
h = h5py.File("swing.h5")["history"]
l = {k: v[()] for k, v in h["ledger"].items()}
energy = l["kinetic"] + l["strain"] + l["potential"]
account = energy - energy[0] - l["work"] + l["dissipated"]
p = h["probes"]
print(np.allclose(np.diff(h["time"]), 5e-4, rtol=1e-12),
      np.abs(account).max() < 1e-10 * l["exchanged"].max(), l["constraint"].max() < 1e-12,
      np.allclose(l["work"], l["load_work"][:, 0], atol=1e-12 * l["exchanged"].max()),
      np.array_equal(p["mid/force"][()], p["end/force"][()]),             # point 5 is the last of 2 elements of order 3
      np.allclose(p["B/position"][()] - p["B/displacement"][()], p["B/position"][0], atol=1e-15),
      np.abs(p["O1/displacement"]).max() < 1e-12, np.all(h["steps/iterations"][1:] > 0), np.all(np.diff(l["dissipated"]) >= 0))
P
)" "True True True True True True True True True"

verdict a_body_turns_as_it_was_set_in_motion "$(cd "$try" && "$limber" run "$models/spin.yaml" -q && h5 <<'P'
import h5py, numpy as np
h = h5py.File("spin.h5")["history"]
t, p = h["time"][()], h["probes/body"]
rate = 4000 * np.arctan(20 * np.pi / 4000)        # a step of 1 ms turns by 4 arctan(omega h/4)
print(len(t), np.allclose(t, 5e-3 * np.arange(71)),
      np.abs(p["rotation"][:, :2]).max() < 1e-9, np.abs(p["rotation"][:, 2] / (t + 1e-300) / (20 * np.pi) - 1)[1:].max() < 1e-3,
      p["rotation"][-1, 2] > 6 * np.pi,           # on past full turns
      np.allclose(p["angular"], [0, 0, 20 * np.pi]), np.allclose(p["displacement"], np.outer(t, [1, 0, 0]), atol=1e-12))
P
)" "71 True True True True True True"

"$limber" run "$models/all.yaml" -q -o all.h5
verdict every_nth_step_and_the_last_are_recorded "$? $(h5 <<'P'
import h5py
h = h5py.File("all.h5")["history"]
print([round(1e3 * t) for t in h["time"]], h["steps/substeps"][()].tolist())
P
)" "0 [0, 3, 6, 9, 12, 15, 18, 20] [0, 3, 3, 3, 3, 3, 3, 2]"

# ---- steps that the run chooses ----
sed '/^run:/s/end: .*}/end: 0.0503 s, snapshots: 20 ms, control: {loss: 1 mW, rows: 1.5 ms}}/' "$models/swing.yaml" >chosen.yaml
"$limber" run chosen.yaml -o chosen.h5 >out.txt 2>err.txt
verdict a_run_that_chooses_its_steps_reaches_its_end "$? $(wc -c <err.txt)" "0 0"
verdict its_summary_tells_of_steps_tries_and_losses \
  "$(grep -cE '^chosen.h5: [0-9]+ steps of [0-9.e-]+ s to [0-9.e-]+ s to t = 0.0503 s|; [0-9]+ tries rejected$|^  control     lost .* of the 5.03e-05 J tolerated$' out.txt)" 3
verdict rows_snapshots_and_the_end_are_met_exactly "$(h5 <<'P'
import h5py, numpy as np
f = h5py.File("chosen.h5")
h, t = f["history"], f["history/time"][()]
print(t[-1] == 0.0503, np.array_equal(t[:-1], 1.5e-3 * np.arange(34)), f["VTKHDF/Steps/Values"][()].tolist() == [0, 0.02, 0.04, 0.0503],
      np.all(h["ledger/dissipated"] <= 1e-3 * t), h["steps/step"][1:].max() < 1.5001e-3, h["steps/step"][1:].min() > 0, f.attrs["loss"])
P
)" "True True True True True True 0.001"
"$limber" run chosen.yaml -q -o chosen.h5 --set run.control.loss=1e-16 --set run.control.smallest=0.3ms 2>err.txt
verdict a_loss_that_cannot_be_kept_ends_the_run "$? $(grep -cE "loses more than is tolerated, though it was cut down to 0.0003 s; most of it in (node|beam|distance|rigid_body) '|Tolerate a larger 'loss'" err.txt)" "1 2"

# ---- the same bytes, the same numbers ----
sed '/^run:/s/end: .*}/end: 0.15 s}/' "$models/swing.yaml" >longer.yaml # 301 rows: more than a chunk
"$limber" run longer.yaml -q -o once.h5 -- -limber_flush 1000
"$limber" run longer.yaml -q -o again.h5 -- -limber_flush 0
mkdir elsewhere
(cd elsewhere && "$limber" run ../longer.yaml -q -o again.h5 -- -limber_flush 0.03)
cmp once.h5 again.h5 && cmp once.h5 elsewhere/again.h5
verdict the_same_run_gives_the_same_bytes_however_it_is_flushed $? 0
host=$(hostname)
[[ ${#host} -ge 6 ]] || host=$try # two letters stand in any numbers
verdict nothing_of_the_machine_is_in_the_file "$(grep -c -a -F -e "$try" -e "$host" -e "$models" once.h5)" 0

mpiexec -n 2 "$limber" run "$models/swing.yaml" -o two.h5 >out.txt 2>&1
"$limber" compare swing.h5 two.h5 --tolerance 1e-9 >differences.txt
verdict two_ranks_give_the_history_of_one $? 0
echo "     measured: $(tail -n 1 differences.txt)"
verdict one_rank_prints "$(grep -c '^two.h5: 100 steps' out.txt)" 1

# ---- runs that do not reach their end ----
sed '/^run:/s/end: .*}/end: 1000 s}/' "$models/swing.yaml" >endless.yaml
"$limber" run endless.yaml -o endless.h5 -- -limber_flush 0.1 >out.txt 2>err.txt &
run=$!
rows=0
for _ in $(seq 100); do # until rows can be read while it goes on
  sleep 0.2
  rows=$(h5 2>/dev/null <<'P'
import h5py
f = h5py.File("endless.h5", "r")
print(len(f["history/time"]) if f.attrs["ended"] == "running" else 0)
P
)
  [[ ${rows:-0} -gt 10 ]] && break
done
verdict results_are_readable_while_the_run_goes_on $((${rows:-0} > 10)) 1
kill -INT $run
wait $run
verdict an_interrupted_run_ends_in_order "$? $(sed 's/t = [0-9.]* s/t = T/' err.txt) $(h5 <<'P'
import h5py
f = h5py.File("endless.h5", "r")
print(f.attrs["ended"], {len(f[k]) == len(f["history/time"]) for k in ["history/ledger/work", "history/probes/B/position"]})
P
)" "1 limber run: interrupted at t = T; endless.h5 holds the history up to there, and goes on with: limber resume endless.h5 interrupted {True}"

cat >jump.yaml <<'Y'
limber: 1
nodes: {bob: [1, 0, 0]}
elements:
  - rigid_body: {node: bob, mass: 2, inertia: [1, 1, 1]}
joints:
  - revolute: {name: pin, nodes: [ground, bob], axis: [0, 1, 0]}
loads:
  - torque: {joint: pin, amplitude: {triangle: {peak: 1e30, start: 3.5 ms, at: 4 ms, end: 1}}}
run: {step: 1 ms, end: 1 s}
Y
"$limber" run jump.yaml >out.txt 2>err.txt
verdict a_step_that_cannot_be_saved_names_the_joint "$? $(head -1 err.txt) $(h5 <<'P'
import h5py
f = h5py.File("jump.h5", "r")
print(f.attrs["ended"], len(f["history/time"]))
P
)" "1 limber run: the step from t = 0.0035 s did not converge, at revolute 'pin' no_convergence 4"

sed 's/, inertia: \[1, 1, 1\]//;s/revolute: .*/spherical: {nodes: [ground, bob]}/;/loads:/d;/torque/d' jump.yaml >loose.yaml
"$limber" run loose.yaml -q >out.txt 2>err.txt
verdict equations_without_solution_end_the_run "$? $(head -1 err.txt)" \
  "2 limber run: the equations cannot be solved: node 'bob' moves without mass, stiffness or joint to hold it. A frame that turns freely needs moments of inertia"
mpiexec -n 2 "$limber" run "$models/singular.yaml" -q >out.txt 2>err.txt
verdict and_so_on_two_ranks "$? $(head -1 err.txt)" \
  "2 limber run: the equations cannot be solved: node 'a' moves without mass, stiffness or joint to hold it. A frame that turns freely needs moments of inertia"

"$limber" run "$models/spin.yaml" -o nowhere/run.h5 >out.txt 2>err.txt
verdict results_that_cannot_be_written_are_a_mistake "$? $(head -1 err.txt)" \
  "2 limber run: cannot write 'nowhere/run.h5': No such file or directory"

cp "$models/spin.yaml" mine.yaml
"$limber" run mine.yaml -o mine.yaml >out.txt 2>err.txt
verdict results_do_not_overwrite_what_is_no_result "$? $(cat err.txt) $(cmp mine.yaml "$models/spin.yaml" && echo same)" \
  "2 limber run: 'mine.yaml' is no HDF5 file, so it is not overwritten same"


# ---- contacts that are too short for the steps ----
cd "$try" || exit 1
contact() { "$limber" run "$models/contact.yaml" -o contact.h5 "$@" 2>&1 >out.txt | sed 's|^/.*/||'; }
remarks() { HDF5_USE_FILE_LOCKING=FALSE "$python" -c 'import h5py, sys; print(h5py.File(sys.argv[1], "r").attrs["remarks"].count("a contact of"))' "$1"; }
# pi sqrt(0.1/1.6e4) = 0.00785 s, after a fall of sqrt(2*0.95/9.81) = 0.440 s
lasts="limber run: warning: a contact of point_on_line 'rail' lasts 0.0079 s, less than 8 steps (2 times, first at t = 0.445 s): its force and the motion after it may be off by 5 % and more; take steps of 0.0009 s"
verdict a_contact_that_is_too_short_is_told_with_its_line "$(contact --set run.scheme=preserving | head -2)" \
  "$lasts"$'\n'"contact.yaml:15:27: point_on_line 'rail'"
verdict its_warning_stands_in_the_results "$(remarks contact.h5)" 1
verdict it_stands_in_the_report "$("$limber" report contact.h5 -o contact.html >out.txt && grep -c "Remark: a contact of point_on_line .* lasts 0.0079 s" contact.html)" 1
verdict shorter_contacts_come_first "$(contact --set run.step=20ms --set run.scheme=preserving | grep -o "contact of .* lasts")" \
  "contact of point_on_line 'rail' lasts"$'\n'"contact of spring 'buffer' lasts"
verdict the_step_to_take_gives_no_warning "$(contact --set run.step=0.8ms)" ""
verdict a_quiet_run_warns_in_its_results_only "$(contact -q) $(remarks contact.h5)" " 1"
"$limber" run "$models/contact.yaml" -q -o part.h5 --set run.scheme=preserving --set run.end=0.445 # in the contact
verdict a_run_that_goes_on_from_within_a_contact_tells_the_same \
  "$("$limber" resume part.h5 --end 2 2>&1 >out.txt | sed -n '1s/resume/run/p')" "$lasts"
verdict two_processes_tell_what_one_does "$(mpiexec --oversubscribe --bind-to none -n 2 "$limber" run "$models/contact.yaml" -o contact.h5 \
  --set run.scheme=preserving 2>&1 >out.txt | grep '^limber run: warning')" "$lasts"
verdict slack_cables_and_stops_of_examples_and_templates_earn_no_warning "$(for model in "$source"/examples/cable_swing/cable_swing.yaml \
  "$source"/src/cli/templates/crane.yaml "$models"/all.yaml; do "$limber" run "$model" -o quiet.h5 2>&1 >out.txt; remarks quiet.h5; done | grep -v '^0$')" ""
finish
