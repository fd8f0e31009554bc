#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole study, into a folder of its own: short.sh [PROGRAM]. Its claims are checked by tests/test_oscillator.c.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"${1:-${LIMBER_BUILD:-$root/build/dev}/bin/study_oscillator}" "$out"
[[ $(wc -l <"$out/summary.csv") == 13 && $(wc -l <"$out/damping.csv") == 202 ]]
