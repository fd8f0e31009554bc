#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The study of plan.yaml, in a folder of its own; the swing of the rocker in each of its runs must be that of the geometry of its bars.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
limber=${LIMBER:-$here/../../build/dev/bin/limber}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cp "$here"/*.yaml "$out" && cd "$out"
"$limber" study plan.yaml -q
"$limber" export plan.h5 -o table.csv
python3 "$here/geometry.py" table.csv
