#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures that `limber plot` draws of this example: figures.sh [LIMBER]. A few seconds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
limber=$(realpath "${1:-${LIMBER:-$root/build/release/bin/limber}}")
cd "$root/examples/shared_hinge"
mkdir -p figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$limber" run shared.yaml -q -o "$work/shared.h5"
"$limber" run joint.yaml -q -o "$work/joint.h5"
figures=$PWD/figures
cd "$work"
"$limber" plot shared.h5 joint.h5 a3.x b4.z -o "$figures/paths.png" --label 'shared points' --label 'revolute joint' \
  --title 'Two bodies on a hinge: a point of each'
