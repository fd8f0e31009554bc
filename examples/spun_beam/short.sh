#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The study with large angles and few steps: short.sh [PROGRAM]. Its claims are checked by tests/test_rotation_cost.c.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"${1:-${LIMBER_BUILD:-$root/build/dev}/bin/study_spun_beam}" "$out" short
[[ $(wc -l <"$out/steady.csv") == 49 && $(wc -l <"$out/carried.csv") == 25 && $(wc -l <"$out/free.csv") == 11 ]]
