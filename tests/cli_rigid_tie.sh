#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rigid ties and the names of a plane beam's points in model files.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
cp "$models"/bracket* .
sed 's/spherical: {name: glue, nodes: \[hub, bracket.root\]}/rigid_tie: {name: glue, body: hub, node: bracket.root}/' bracket.yaml >tied.yaml
tips() { "$limber" run "$1" -q -o "${1%.yaml}.h5" && "$limber" export "${1%.yaml}.h5" tip.x tip.y tip.z | md5sum; }
verdict a_group_on_a_rigid_tie_moves_as_one_tied_by_balls "$(grep -c rigid_tie: tied.yaml) $(tips tied.yaml)" "1 $(tips bracket.yaml)"

cat >blade.yaml <<'M'
limber: 1
nodes:
  hub: [0, 0, 0]
  tip: {at: [1, 0, 0], kind: point}
materials:
  rubber: {E: 5 MPa, nu: 0.3, density: 1000}
elements:
  - rigid_body: {node: hub, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - plane_beam: {name: blade, start: [0, 0, 0], end: [1, 0, 0], depth: 20 mm, width: 10 mm, elements: 4, material: rubber}
joints:
  - rigid_tie: {name: root, body: hub, node: blade.start}
  - multipoint_constraint: {node: tip, reference: [blade.end-below, blade.end-above]}
loads:
  - force: {name: push, node: blade.end, direction: [0, 0.5, 0]}
probes:
  - {name: tip, node: tip}
  - {name: below, node: blade.8}
  - {name: above, node: blade.end-above}
run: {scheme: preserving, step: 2 ms, end: 40 ms}
M
verdict the_ends_of_a_plane_beam_are_two_points "$("$limber" check blade.yaml | grep -E 'joints|loads' | tr -s ' ')" \
  " joints 3"$'\n'" loads 2"
"$limber" run blade.yaml -q -o blade.h5
last() { "$limber" export blade.h5 "$1" | tail -1 | cut -d, -f2; }
verdict a_force_on_both_is_that_of_both_together "$(printf %.9f "$(last ledger.momentum.y)")" 0.020000000
verdict a_carried_point_stands_between "$(awk -v a="$(last below.y)" -v b="$(last above.y)" -v t="$(last tip.y)" \
  'BEGIN { off = (a + b)/2 - t; print (off*off < 1e-28), (t > 1e-3) }')" "1 1"
verdict a_pair_is_no_node_for_a_probe "$("$limber" check blade.yaml --set probes.tip.node=blade.start 2>&1 | grep -c "two nodes; one is expected")" 1

finish
