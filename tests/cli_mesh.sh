#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Meshes: both formats of Gmsh give the same run; a group ties, loads and holds; solids in snapshots and pictures.
modules='h5py, vtk'
. "$(dirname "$0")/support.bash"
export PYTHONPATH=$source/tests${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1 HDF5_USE_FILE_LOCKING=FALSE
cd "$try" || exit 1
cp "$models"/bracket* .
py() { "$python" - "$@" 2>&1; }
run() { "$limber" run bracket.yaml -q "$@" >out.txt 2>err.txt; }

run -o new.h5
verdict a_mesh_of_format_4_1_runs $? 0
run -o old.h5 --set meshes.bracket.file=bracket_22.msh
verdict a_mesh_of_format_2_2_runs_the_same "$? $("$limber" export old.h5 tip.x tip.y tip.z | md5sum)" \
  "0 $("$limber" export new.h5 tip.x tip.y tip.z | md5sum)"
sed 's/$/\r/' bracket.msh >dos.msh
verdict lines_may_end_as_in_windows \
  "$("$limber" check bracket.yaml --set meshes.bracket.file=dos.msh | grep -c 'no mistakes')" 1
# 8 nodes of the root are tied, the force of 0.2 N is spread over the 12 nodes of the top
verdict a_group_stands_for_its_nodes "$("$limber" check bracket.yaml | grep -E 'joints|loads' | tr -s ' ')" \
  " joints 9"$'\n'" loads 12"
verdict a_force_on_a_group_is_that_of_all_together "$(py <<'P'
import h5py
f = h5py.File("new.h5", "r")
p = f["history/ledger/momentum"][()]
print(sum(1 for n in f["history/ledger/load_work"].attrs.get("columns", [])) or len(f["history/ledger/load_work"][0]))
P
)" 12
verdict a_force_on_a_free_body_gives_its_momentum "$(sed '/^joints:/,/^loads:/{/^loads:/!d}; /glue/d' bracket.yaml >free.yaml
  "$limber" run free.yaml -q -o free.h5 && py <<'P'
import h5py
f = h5py.File("free.h5", "r")
print("%.12f" % f["history/ledger/momentum"][-1][0]) # half of 0.2 N, 0.4 of it reached, 40 ms
P
)" 0.001600000000
verdict solids_are_cells_for_vtk_and_the_sidecar "$(py <<'P'
import snapshots as s
g = s.from_sidecar("new.xdmf")
print(s.same("new.h5", "new.xdmf"), len(g), sorted((k, g[0].types.count(k)) for k in set(g[0].types)))
P
)" "[] 5 [(1, 2), (3, 8), (10, 262)]"
verdict the_stress_of_a_cell_is_that_of_its_point "$(py <<'P'
import h5py, numpy as np, snapshots as s
f = h5py.File("new.h5", "r")
g = s.from_sidecar("new.xdmf")
items = f["names/items"].asstr()[()].tolist()
cell = [(items[i], p) for i, p in zip(g[0].cell["item"], g[0].cell["point"])].index(("body", 3))
a = np.array([x.cell["force"][cell] for x in g])
print(np.abs(a - f["history/probes/stress/force"][::5]).max() < 1e-9 * np.abs(a).max(), np.abs(a).max() > 10)
P
)" "True True"
"$limber" run free.yaml -q -o held.h5 --set meshes.bracket.fixed=root >out.txt
verdict fixed_groups_do_not_move "$(py <<'P'
import numpy as np, snapshots as s
g = s.from_sidecar("held.xdmf")
still = np.abs(g[-1].point["displacement"]).max(axis=1) == 0
print(still.sum(), (still & (g[0].points[:, 0] == 0)).sum()) # the root, and the hub that nothing drives
P
)" "9 9"
"$limber" plot new.h5 --shape -o shape.png >/dev/null
verdict solids_are_drawn "$? $(head -c 4 shape.png | tail -c 3)" "0 PNG"

# ---- a rigid body from a mesh ----
mesh() { # mesh FILE CELL... : a box of 1 x 2 x 3 m about [5, 6, 7], cut into cells
  {
    printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n'
    printf '%s\n' '1 4.5 5 5.5' '2 5.5 5 5.5' '3 5.5 7 5.5' '4 4.5 7 5.5' '5 4.5 5 8.5' '6 5.5 5 8.5' '7 5.5 7 8.5' '8 4.5 7 8.5'
    printf '$EndNodes\n$Elements\n%d\n' $(($# - 1))
    local i=0 cell
    for cell in "${@:2}"; do echo "$((i += 1)) $cell"; done
    echo '$EndElements'
  } >"$1"
}
mesh hex.msh '5 2 0 1 1 2 3 4 5 6 7 8'
mesh tets.msh '4 2 0 1 1 2 4 5' '4 2 0 1 2 3 4 7' '4 2 0 1 2 5 6 7' '4 2 0 1 4 5 7 8' '4 2 0 1 2 4 7 5'
body() { # body NAME FIELDS
  cat >"$1.yaml" <<Y
limber: 1
meshes: {hex: {file: hex.msh}, tets: {file: tets.msh}}
elements:
  - simplex_body: {name: stone, density: 2, $2, angular: [0.1, 2, 0.05]}
probes: [{name: one, node: stone.1}]
run: {scheme: preserving, step: 10 ms, end: 0.5 s}
Y
  "$limber" run "$1.yaml" -q -o "$1.h5"
}
body box "centre: [5, 6, 7], box: [1, 2, 3]"
for kind in hex tets; do
  body "$kind" "mesh: $kind"
  verdict "a_body_of_${kind}_is_the_box_that_they_fill" \
    "$("$limber" compare box.h5 "$kind.h5" one.position ledger.kinetic --tolerance 1e-12 >compare.txt; echo $?)" 0
done
body both "mesh: hex, box: [1, 2, 3]" 2>err.txt
verdict a_body_has_one_form "$(grep -c 'a body has either an `inertia`, the lengths of a `box`, or a `mesh`' err.txt)" 1
body lost "mesh: hax" 2>err.txt
verdict a_mesh_that_is_not_there_is_guessed "$(grep -c "there is no mesh 'hax'; did you mean 'hex'" err.txt)" 1
finish
