#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `limber verify`: every measure on a motion that is known, what falls short, mistakes in expected.yaml.
. "$(dirname "$0")/support.bash"
cd "$source/tests/models/verify" || exit 1

"$limber" verify mass_on_bar >"$try/table.txt" 2>"$try/err.txt"
verdict a_known_motion_is_verified "$? $(tail -1 "$try/table.txt") $(wc -c <"$try/err.txt")" "0 12 passed, 0 failed 0"
sed 's/^/     measured: /' "$try/table.txt"
$mpi && verdict two_ranks_verify_the_same "$("$mpiexec" -n 2 "$limber" verify mass_on_bar 2>&1)" "$(cat "$try/table.txt")"
verdict the_table_as_json "$("$limber" verify mass_on_bar --json | "$python" -c '
import json, sys
t = json.load(sys.stdin)
print(len(t), all(q["good"] for q in t), t[4]["quantity"], t[4]["found"], t[4]["units"], sorted(t[0]))')" \
  "12 True frequency 1 Hz ['column', 'example', 'found', 'good', 'quantity', 'reference', 'relative', 'run', 'source', 'units']"

verdict what_falls_short_is_told "$("$limber" verify short_of_it/ 2>&1; echo "exit $?")" "\
short_of_it
  quantity             reference            found          difference  allowed          source
  wrong on purpose     2 m                  1              -50 %       10 %      FAIL   none
  no such column       2                    the file has no column 'mass.q'; there are mass.x, mass.y, mass.z, mass.displacement, mass.velocity
  past the end         2 m                  t = 9 s lies outside the results, which go from 0 s to 4 s
  no such column in it 2                    the file has no column 'mass.q'; there are mass.x, mass.y, mass.z, mass.displacement, mass.velocity
  no formula           2                    '2*(mass.x': a ')' is missing
  three columns in it  2                    'mass.velocity' is 3 columns; name one, such as mass.velocity.x
  too few periods      1 s                  'mass.displacement.x' passes upwards through zero 4 times, which is too few for 9 periods
0 passed, 7 failed
exit 1"
"$limber" verify mass_on_bar --keep "$try/kept" >/dev/null
verdict the_results_can_be_kept "$? $(cd "$try/kept" && ls *.h5 | tr '\n' ' ')" \
  "0 mass_on_bar.coarse.0.005.h5 mass_on_bar.coarse.0.01.h5 mass_on_bar.coarse.0.02.h5 mass_on_bar.coarse.h5 mass_on_bar.fine.h5 "
if [[ ${1-} == --write ]]; then "$limber" verify broken_expected >broken_expected/notes.txt 2>&1; fi
verdict mistakes_in_expected_yaml_are_notes "$("$limber" verify broken_expected 2>&1; echo "exit $?")" "$(cat broken_expected/notes.txt)
exit 2"
verdict a_wrong_name_is_corrected "$("$limber" verify mass_on_bra 2>&1; echo "exit $?")" "\
limber verify: there is no example 'mass_on_bra' with an expected.yaml; did you mean 'mass_on_bar'?
exit 2"
cd "$try" || exit 1
verdict where_there_are_no_examples_that_is_said "$("$limber" verify 2>&1 | cut -c1-39; echo "exit ${PIPESTATUS[0]}")" "\
limber verify: there is no example here
exit 2"

finish
