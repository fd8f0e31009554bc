#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The study of the small boom, into a folder of its own: short.sh [PROGRAM]. All modes and Krylov must agree, and 50 modes come near them.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"${1:-${LIMBER_BUILD:-$root/build/dev}/bin/study_boom}" "$out" short
awk -F, '$2 == "all modes" { seen++; if ($6 > 1e-9) bad = 1 }
         $2 == "Krylov" { seen++; if ($6 > 1e-9) bad = 1 }
         $2 == "modes" && $3 == 50 { seen++; if ($6 > 1e-3) bad = 1 }
         END { exit bad || seen != 5 }' "$out/krylov.csv"
