#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the rigid motions that are set aside: six of a free beam, one of a pinned one, which can turn about its own axis.
set -euo pipefail
cd "$LIMBER_SOURCE/examples/modes_beams"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
count() { "$LIMBER" modes "$1" -o "$out/modes.h5" --set modes.frames=0 | sed -n 's/ rigid motions* .*//p'; }
for pair in uniform.yaml:6 ideal.yaml:6 steel_pinned.yaml:1 cantilever.yaml:; do
  found=$(count "${pair%:*}")
  echo "${pair%:*}: ${found:-no} rigid motions"
  [[ $found == "${pair#*:}" ]]
done
