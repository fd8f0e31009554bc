#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The study's claims in a fraction of a second: short.sh [PROGRAM], or the program in $STUDY.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
"${1:-${STUDY:-${LIMBER_BUILD:-$root/build/dev}/bin/study_square_block}}" --check
