#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python module from the build folder: what it promises (python_cases.py) and results that are those of the command.
modules=numpy
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
build=$(cd "$(dirname "$limber")/.." && pwd)
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1
preload=() # Python itself knows no sanitizers
if nm -D "$build/liblimber.so" | grep __asan_init >/dev/null; then
  preload=(env LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0)
fi

"${preload[@]}" "$python" "$source/tests/python_cases.py" "$source/examples" | tee cases.txt | sed '$d'
read -r passed _ failed _ < <(tail -1 cases.txt)
if [[ $(tail -1 cases.txt) != *" passed, "*" failed" ]]; then echo "FAIL the cases end"; failed=1 passed=0; fi

"$limber" run "$source/examples/pendulum/pendulum.yaml" -q -o command.h5
verdict results_are_those_of_the_command "$(cmp python.h5 command.h5 && echo same)" same
verdict a_run_that_was_stopped_says_so "$("$limber" export stopped.h5 --list | sed -n 1p)" \
  "stopped.h5, Pendulum: 101 rows from t = 0 s to 0.5 s; status: interrupted"

verdict functions_of_the_catalogue_are_those_of_the_field_tables \
  "$("${preload[@]}" "$python" "$source/python/generate.py" catalogue | diff - "$source/python/limber/catalogue.py" && echo same)" same
verdict structures_and_functions_are_those_of_the_headers \
  "$("$python" "$source/python/generate.py" interface | diff - "$source/python/limber/interface.py" && echo same)" same

# ---- processes that do not do the same: each ends, soon ----
ranks() { # ranks CASE: prints the exit code of mpiexec and what was said, without the places in tracebacks
  timeout 120 "$mpiexec" -n 2 "${preload[@]}" "$python" "$source/tests/python_ranks.py" \
    "$source/examples" "$1" >ranks.txt 2>&1
  echo "$?"
}
if $mpi; then
  # lines of two processes may run into each other
  verdict processes_that_do_the_same_agree \
    "$(ranks all_is_well) $(grep -oE 'rank [01]: [0-9.]+ [0-9.]+' ranks.txt | sort -u | wc -l) \
$(grep -oE 'rank [01]: [0-9.]+ [0-9.]+' ranks.txt | cut -d' ' -f3- | sort -u | wc -l)" "0 2 1"
  for case in a_law_raises_on_one one_raises_between_calls; do
    verdict "$case" "$(ranks $case) $(grep -c '^RuntimeError: ' ranks.txt) $(grep -c 'so all are ended' ranks.txt)" "1 1 1"
  done
  for case in one_catches_what_its_law_raises ends_differ laws_differ stops_differ nodes_differ models_differ; do
    verdict "$case" "$(ranks $case) $(grep -oE 'rank [01]: the processes do not do the same' ranks.txt | sort -u | wc -l)" "0 2"
  done
  verdict one_ends_early "$(ranks one_ends_early) $(grep -c 'the processes do not do the same' ranks.txt | sed 's/[1-9]/some/')" "1 some"
fi

finish
