#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bars of a boom along x, for boom.yaml to include: make.sh CELLS BAYS > bars.yaml. CELLS x CELLS cells across, BAYS bays along, all of 0.5 m,
# each face of a cell with a diagonal. The frame at x = 0 is fixed; `a` is the middle of the last frame and `c` a corner of it.
set -euo pipefail
awk -v cells="${1:-2}" -v bays="${2:-27}" '
function name(i, j, k) {
  if (i == bays && j == cells && k == cells) return "c"
  if (i == bays && j == int(cells/2) && k == int(cells/2)) return "a"
  return "n" i "_" j "_" k
}
function bar(a, b) { print "  - bar: {nodes: [" a ", " b "], stiffness: EA, mass: mu}" }
BEGIN {
  print "# Written by make.sh " cells " " bays "\nlimber: 1\nlet: {EA: 2.1e11*4e-4, mu: 7800*4e-4, long: " bays/2 "}\nnodes:"
  for (i = 0; i <= bays; i++) for (j = 0; j <= cells; j++) for (k = 0; k <= cells; k++)
    print "  " name(i, j, k) ": {at: [" i/2 ", " (j - int(cells/2))/2 ", " (k - int(cells/2))/2 "], kind: " (i ? "point" : "fixed") "}"
  print "elements:"
  for (i = 1; i <= bays; i++) for (j = 0; j <= cells; j++) for (k = 0; k <= cells; k++) {
    bar(name(i - 1, j, k), name(i, j, k))
    if (j < cells) { bar(name(i, j, k), name(i, j + 1, k)); bar(name(i - 1, j, k), name(i, j + 1, k)) }
    if (k < cells) { bar(name(i, j, k), name(i, j, k + 1)); bar(name(i - 1, j, k + 1), name(i, j, k)) }
    if (j < cells && k < cells) bar(name(i, j, k), name(i, j + 1, k + 1))
  }
}'
