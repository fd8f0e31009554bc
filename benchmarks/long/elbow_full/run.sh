#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Both elbows over 20 s, about a quarter of an hour: run.sh [PROGRAM], of which only the folder counts. Writes to
# benchmarks/results the table of `limber verify` and how limits on Newton's iterations affect the preserving scheme, and
# draws the pictures of both examples.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
limber=$(realpath "$(dirname "${1:-$root/build/release/bin/limber}")/limber")
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=$root/benchmarks/results

good=0
"$limber" verify benchmarks/long/elbow_full --allow-outside --json --keep "$work" >"$work/table.json" || good=$?
python3 - "$work/table.json" >"$results/elbows.csv" <<'P'
import csv, json, sys
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["quantity", "run", "column", "units", "source", "reference", "found", "allowed", "good"])
for q in json.load(open(sys.argv[1])):
    allowed = "%g" % q["absolute"] if "absolute" in q else "%g %%" % (100 * q["relative"])
    found = "%.9g" % q["found"] if "found" in q else q["wrong"]
    table.writerow([q["quantity"], q["run"], q["column"], q.get("units", ""), q["source"], "%.9g" % q["reference"], found,
                    allowed, "yes" if q["good"] else "no"])
P
cat "$results/elbows.csv"

bash examples/elbow_rigid/figures.sh "$limber" "$work"
bash examples/elbow_revolute/figures.sh "$limber" "$work"

# The preserving scheme with at most so many iterations and halvings.
echo "elbow,iterations,halvings,ended,time_s,steps_cut,most_parts,most_iterations" >"$results/elbow_retries.csv"
for limits in rigid:20:12 rigid:20:0 rigid:3:0 rigid:3:12 revolute:20:12 revolute:20:0 revolute:3:0 revolute:3:12; do
  IFS=: read -r kind iterations halvings <<<"$limits"
  ended=end
  "$limber" run "examples/elbow_$kind/elbow_$kind.yaml" -q -o "$work/limits.h5" --set run.scheme=preserving \
    --set run.iterations="$iterations" --set run.halvings="$halvings" --set run.snapshots=0 || ended=no_convergence
  "$limber" export "$work/limits.h5" steps.iterations steps.substeps | awk -F, -v what="${limits//:/,},$ended" '
    NR > 2 { t = $1; cut += $3 > 1; if ($3 > parts) parts = $3; if ($2 > most) most = $2 }
    END { printf "%s,%.8g,%d,%d,%d\n", what, t, cut, parts, most }' | tee -a "$results/elbow_retries.csv"
done
exit $good
