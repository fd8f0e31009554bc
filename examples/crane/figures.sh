#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/crane"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$limber" run crane.yaml -q -o "$work/crane.h5"
(cd "$work" && "$limber" plot crane.h5 load.position.x load.position.z --title 'Position of the load' -o "$root/examples/crane/figures/load.png")
