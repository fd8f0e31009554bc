#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the study: run.sh [PROGRAM]. Writes results/*.csv and figures/*; builds nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$root/build/dev/bin/study_square_block}")
cd "$root/examples/square_block"
mkdir -p results figures
"$program" results
bash figures.sh "$(dirname "$program")/limber"
