#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pages on runs: whole, alone, and with the numbers of the results.
. "$(dirname "$0")/support.bash"
cp "$(dirname "$0")/report.py" "$try"
cd "$try" || exit 1
page() { "$python" report.py "$@"; }
last() { "$limber" export "$1" "$2" | tail -n 1 | cut -d, -f2; }

cat >strange.yaml <<'Y'
limber: 1
title: A weight </title><script>alert(1)</script> & "more"
nodes:
  O: {at: [0, 0, 0], kind: fixed}
  w: {at: [0, 0, -1], kind: point, velocity: [0.3, 0, 0]}
  body: {at: [1, 2, 3], rotate: {about: [0, 0, 1], by: 90 deg}}
elements:
  - mass: {name: weight, node: w, mass: 1.5}
  - spring: {name: coil, nodes: [O, w], stiffness: 1e3, damping: 2}
  - rigid_body: {name: brick, node: body, mass: 2, inertia: [3, 4, 5], centre: [0.5, 0, 0]}
joints:
  - clamp: {name: held, node: body}
loads:
  - gravity: {name: pull, acceleration: [0, 0, -9.81]}
  - force: {name: push, node: w, direction: [1, 0, 0]}
probes:
  - {name: w, node: w}
  - {name: held, joint: held}
run: {scheme: decaying_c, step: 2 ms, end: 1 s}
Y
"$limber" run strange.yaml -q || exit 1
verdict a_page_is_written_and_told "$("$limber" report strange.h5 2>&1; echo $?)" "strange.report.html: open it in a browser, or print it
0"
verdict every_tag_is_closed "$(page strange.report.html whole)" whole
verdict it_fetches_nothing_from_elsewhere "$(page strange.report.html outside) $(grep -c 'http' strange.report.html)" "nothing 0"
verdict what_the_model_says_is_only_text "$(grep -c '<script>' strange.report.html) $(grep -c '<h1>A weight &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</h1>' strange.report.html)" "0 1"

# ---- numbers ----
for part in kinetic strain potential; do
  verdict "the_${part}_energy_is_that_of_the_results" "$(page strange.report.html table "$part energy" | cut -d, -f2)" "$(last strange.h5 ledger.$part)"
done
for row in "work of loads and drives:work" "taken by dampers:damping" "dissipated by the scheme:dissipated"; do
  verdict "the_ledger_has_${row#*:}" "$(page strange.report.html table "${row%:*}" | cut -d, -f2)" "$(last strange.h5 "ledger.${row#*:}")"
done
verdict the_work_of_each_load_is_there "$(page strange.report.html table push)" "$(last strange.h5 push.work)"
"$limber" export strange.h5 ledger.residual -o open.csv >/dev/null
worst=$(tail -n +2 open.csv | awk -F, 'function a(x) {return x < 0 ? -x : x} a($2) > m {m = a($2); l = $1 " " $2} END {print l}')
verdict the_worst_step_is_that_of_the_results \
  "$(grep -o 'class="worst" title="[^"]*"' strange.report.html | sed 's/.*title="//;s/"//' | xargs)" "$worst"
# by hand: 1.5 kg at (0, 0, -1); 2 kg whose centre, 0.5 m along its first axis, which points along y, is at (1, 2.5, 3)
verdict masses_are_those_one_finds_by_hand "$(page strange.report.html table rigid_body | "$python" -c '
import numpy as np, sys
x = [float(v) for v in sys.stdin.readline().split(",")[2:]]
print(np.allclose(x[:4], [2, 1, 2.5, 3], rtol=1e-14), np.allclose(sorted(x[4:]), [3, 4, 5], rtol=1e-13))')" "True True"
verdict the_total_too "$(page strange.report.html table all | head -n 1 | "$python" -c '
import numpy as np, sys
x = [float(v) for v in sys.stdin.readline().split(",")[2:]]
m, c = np.array([1.5, 2]), np.array([[0, 0, -1], [1, 2.5, 3]])
g = m @ c/3.5
d = c - g
own = np.array([4, 3, 5]) # turned by a right angle about z
j = own + sum(k*(v @ v - v*v) for k, v in zip(m, d))
print(np.allclose(x[:4], [3.5, *g], rtol=1e-14), np.allclose(x[4:], j, rtol=1e-13))')" "True True"
verdict extremes_are_those_of_the_column "$(page strange.report.html table w.position.x | cut -d, -f4,5)" \
  "$("$limber" export strange.h5 w.position.x | tail -n +2 | awk -F, 'NR == 1 || $2 < m {m = $2; t = $1} END {print m "," t}' OFMT=%.17g CONVFMT=%.17g)"
# energy, losses, account; Newton, iterations, joints; the shape; and one for each quantity and unit of the probes
quantities=$("$limber" export strange.h5 w held | head -n 1 | tr ',' '\n' | awk -F'[. ]' 'NR > 1 {print $1, $2, substr($0, index($0, "["))}' | sort -u | wc -l)
verdict every_quantity_has_its_chart "$(page strange.report.html charts)" $((3 + 3 + 1 + quantities))

# ---- runs that need a look ----
cp "$models/failing/lock.yaml" . && "$limber" run lock.yaml -q 2>/dev/null
"$limber" report lock.h5 -o lock.html >/dev/null
verdict a_run_that_failed_is_marked "$(page lock.html table 'look here' | grep -c '^end,not reached: it stopped at t = 0.52')" 1
"$limber" run strange.yaml -q -o alpha.h5 --set run.scheme=generalized_alpha && "$limber" report alpha.h5 >/dev/null
verdict a_scheme_without_proof_is_marked "$(page alpha.report.html table 'look here' | grep -c '^account,no theorem covers this scheme')" 1
for scheme in $("$limber" describe run | sed -n '/^schemes:/,$s/^  \([a-z_]*\) .*/\1/p'); do
  grep -q "{\"$scheme\"" "$source/src/post/report/report.c" || echo "     no words on $scheme"
done >words.txt
verdict every_scheme_has_its_words "$(cat words.txt)" ""

# ---- paper ----
if command -v chromium chromium-browser google-chrome >/dev/null; then
  "$limber" report strange.h5 -o paper.html --pdf >out.txt 2>&1
  verdict it_is_printed_as_pdf "$? $(head -c 5 paper.pdf)" "0 %PDF-"
else echo "     no Chromium here: PDF is not tried"; fi
PATH=/nowhere "$limber" report strange.h5 --pdf >out.txt 2>err.txt
verdict without_chromium_it_says_what_to_do "$? $(grep -c 'apt install chromium, or open strange.report.html' err.txt)" "2 1"

# ---- what is refused ----
"$limber" report strange.yaml >out.txt 2>err.txt
verdict a_model_has_no_report "$? $(grep -c "'strange.yaml' is no HDF5 file" err.txt)" "2 1"
"$limber" report strange.h5 -o page.txt >out.txt 2>err.txt
verdict a_page_ends_in_html "$? $(cat err.txt)" "2 limber report: a page ends in .html, not as 'page.txt'"
finish
