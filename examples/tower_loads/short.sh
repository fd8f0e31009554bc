#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The study of plan.yaml with one weather at each wind speed. Damage-equivalent loads of three runs must be those that dels.py counts from
# their histories.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
limber=${LIMBER:-$here/../../build/dev/bin/limber}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cp "$here/tower.yaml" "$out"
sed 's/repeat: 500/repeat: 1/' "$here/plan.yaml" >"$out/plan.yaml"
cd "$out"
"$limber" study plan.yaml -q
"$limber" export plan.h5 -o table.csv
histories=()
for run in 0 7 19; do
  "$limber" study plan.yaml --run $run -o $run.h5 -q
  "$limber" export $run.h5 base.moment.y -o $run.csv
  histories+=($run $run.csv)
done
python3 "$here/dels.py" table.csv "${histories[@]}"
