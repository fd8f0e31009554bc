#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the study, about two minutes: run.sh [PROGRAM]. Writes results/*.csv and figures/*; builds nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$root/build/release/bin/study_truss}")
cd "$root/examples/truss"
mkdir -p results figures
"$program" results
gnuplot plot.gp
bash figures.sh "$(dirname "$program")/limber"
