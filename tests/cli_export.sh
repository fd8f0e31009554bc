#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Columns of results as tables, through the command.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
said() { "$limber" "$@" >out.txt 2>err.txt; echo "$? $(cat err.txt)"; } # exit code and stderr

"$limber" run "$models/swing.yaml" -q -o swing.h5 || exit 1

# ---- tables ----
"$limber" export swing.h5 -o all.csv >out.txt
verdict a_table_of_everything_has_every_number_of_the_file "$? $(cat out.txt) $(HDF5_USE_FILE_LOCKING=FALSE "$python" <<'P'
import csv, h5py, numpy as np
h = h5py.File("swing.h5")["history"]
head, *rows = csv.reader(open("all.csv"))
table = dict(zip(head, np.array(rows, float).T))
wrong, count = [], 0
def visit(path, x):
    global count
    if not isinstance(x, h5py.Dataset): return
    units, names = x.attrs["units"].split(", "), list(x.attrs.get("columns", [""]))
    for k, name in enumerate(names):
        part = path.removeprefix("probes/").replace("/", ".") + ("." + name if name else "")
        key = "%s [%s]" % (part, units[min(k, len(units) - 1)])
        count += 1
        if key not in table or not np.array_equal(table[key], x[:, k] if x.ndim == 2 else x[:]): wrong.append(key)
h.visititems(visit)
print(wrong or "good", count == len(head), head[0])
P
)" "0 all.csv: 101 rows of $(head -1 all.csv | tr ',' '\n' | wc -l) columns good True time [s]"

verdict columns_come_as_they_were_asked_for "$("$limber" export swing.h5 B.z ledger.kinetic push.work B.velocity | head -1)" \
  "time [s],B.z [m],ledger.kinetic [J],push.work [J],B.velocity.x [m s-1],B.velocity.y [m s-1],B.velocity.z [m s-1]"
verdict time_comes_once "$("$limber" export swing.h5 B.z time | head -1)" "time [s],B.z [m]"
verdict rows_are_chosen_by_time_and_number \
  "$("$limber" export swing.h5 time --from 0.0101 --to 0.0135 --every 3 | sed 1d | awk '{printf "%.4f ", $1}')" \
  "0.0105 0.0120 0.0135 "
verdict the_list_names_units_and_descriptions "$("$limber" export swing.h5 --list | grep -E '^(swing|mid.force.M1|push|B.position.z)' | tr -s ' ')" \
  "swing.h5, Swing: 101 rows from t = 0 s to 0.05 s; ended: end
B.position.z B.z m position in ground axes
mid.force.M1 mid.M1 N m forces and moments in section axes"
verdict under_mpiexec_one_process_prints "$(mpiexec -n 2 "$limber" export swing.h5 B.x | wc -l)" 102

# ---- mistakes ----
verdict a_wrong_name_gets_a_suggestion "$(said export swing.h5 B.x ledger.kinetc)" \
  "2 limber export: swing.h5 holds no column 'ledger.kinetc'; did you mean 'ledger.kinetic'?"
verdict a_wrong_part_gets_a_list "$(said export swing.h5 B.w | cut -c1-87)" \
  "2 limber export: swing.h5 holds no column 'B.w'; there are B.x, B.y, B.z, B.displacemen"
verdict a_missing_file_is_a_mistake "$(said export none.h5)" \
  "2 limber export: cannot read 'none.h5': No such file or directory"
verdict a_model_is_no_result "$(said export "$models/swing.yaml")" \
  "2 limber export: '$models/swing.yaml' is no HDF5 file; \`limber run $models/swing.yaml\` writes swing.h5"
"$python" -c 'import h5py; h5py.File("other.h5", "w")["x"] = [1, 2]'
verdict an_hdf5_file_of_others_is_no_result "$(said export other.h5)" \
  "2 limber export: 'other.h5' is no result of \`limber run\`"
verdict results_are_not_overwritten "$(said export swing.h5 -o swing.h5)" \
  "2 limber export: 'swing.h5' is an HDF5 file, so it is not overwritten"
verdict an_interval_without_rows_is_a_mistake "$(said export swing.h5 --from 3)" \
  "2 limber export: swing.h5 has no rows in that interval; it reaches from 0 to 0.05 s"
verdict numbers_are_numbers "$(said export swing.h5 --from soon) $(said export swing.h5 --every 0)" \
  "2 limber export: --from needs a number, not 'soon' 2 limber export: --every needs a whole number from 1 on"
verdict a_table_that_cannot_be_written_is_a_mistake "$(said export swing.h5 -o nowhere/x.csv)" \
  "2 limber export: cannot write 'nowhere/x.csv': No such file or directory"

# ---- a run that goes on, one that was killed, a file that was cut off ----
sed '/^run:/s/end: .*}/end: 1000 s}/' "$models/swing.yaml" >endless.yaml
"$limber" run endless.yaml -q -o endless.h5 -- -limber_flush 0.05 >/dev/null 2>&1 &
run=$!
for _ in $(seq 100); do
  sleep 0.2
  rows=$("$limber" export endless.h5 time 2>/dev/null | wc -l)
  [[ $rows -gt 300 ]] && break
done
good=0
for _ in $(seq 5); do # every number of a row but the first is there: a row that is half written is not shown
  "$limber" export endless.h5 B.x ledger.exchanged push.work | awk -F, 'NR > 2 && ($1 <= t || $2 == 0 || $3 == 0 || $4 == 0) {bad++} {t = $1} END {exit bad + (NR < 300)}' && good=$((good + 1))
  sleep 0.1
done
verdict whole_rows_are_read_while_the_run_goes_on $good 5
kill -KILL $run
wait $run 2>/dev/null
"$limber" export endless.h5 B.x >killed.csv
verdict a_killed_run_leaves_its_rows "$? $(($(wc -l <killed.csv) >= rows)) $("$limber" export endless.h5 -l | head -1 | grep -o 'ended: .*')" \
  "0 1 ended: running, or killed"
head -c 20000 swing.h5 >cut.h5
verdict a_file_that_was_cut_off_is_refused "$(said export cut.h5)" "2 limber export: 'cut.h5' is damaged: HDF5 cannot open it"

finish
