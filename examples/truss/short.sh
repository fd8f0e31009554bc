#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fewer steps of the study, into a folder of its own: short.sh [PROGRAM]. The spectral radius of `exponential` must be 1, that of the paper's form above it
# at long steps, and the error of `exponential` at 0.5 ms below that of the others at 0.25 ms.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"${1:-${LIMBER_BUILD:-$root/build/dev}/bin/study_truss}" "$out" short
awk -F, '$1 == "exponential" { if ($2 > 1e-5 || $4 > 1e-5) bad = 1; seen++ }
         $1 == "paper" { if ($2 < 0.1 || $4 < 0.1) bad = 1; seen++ }
         END { exit bad || seen != 2 }' "$out/limits.csv"
awk -F, '$1 == "exponential" && $2 == 0.0005 { ours = $4 }
         $1 != "exponential" && $2 == 0.00025 { seen++; if (!(ours < 0.1 * $4)) bad = 1 }
         END { exit bad || seen != 5 }' "$out/work.csv"
