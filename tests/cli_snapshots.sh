#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Snapshots of the whole model: in /VTKHDF, through VTK's reader, and through the sidecar.
modules='h5py, vtk'
. "$(dirname "$0")/support.bash"
export PYTHONPATH=$source/tests${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1 HDF5_USE_FILE_LOCKING=FALSE
cd "$try" || exit 1
py() { "$python" - "$@" 2>&1; }
run() { "$limber" run "$@" >out.txt 2>err.txt; }

# ---- what a snapshot holds ----
run "$models/swing.yaml" -o swing.h5
verdict a_run_tells_of_its_snapshots "$? $(grep -o 'snapshots .*' out.txt)" \
  "0 snapshots   101; limber view swing.h5 shows them, swing.xdmf opens them in ParaView"
verdict vtk_and_the_sidecar_read_what_was_written "$(py <<'P'
import snapshots as s
print(s.same("swing.h5", "swing.xdmf"), len(s.from_sidecar("swing.xdmf")))
P
)" "[] 101"

verdict snapshots_agree_with_the_probes "$(py <<'P'
import h5py, numpy as np, snapshots as s
f = h5py.File("swing.h5", "r")
h, grids = f["history"], s.from_sidecar("swing.xdmf")
nodes, items = f["names/nodes"].asstr()[()].tolist(), f["names/items"].asstr()[()].tolist()
kinds, rows = f["names/kinds"].asstr()[()].tolist(), f["names/rows"].asstr()[()].tolist()
g = grids[0]
cell = [(items[i], p) for i, p in zip(g.cell["item"], g.cell["point"])]
B, last, link, hinge = nodes.index("strip1.3"), cell.index(("strip1", 5)), cell.index(("link1", -1)), cell.index(("hinge", -1))
def all(get): return np.array([get(x) for x in grids])
p = h["probes"]
good = [
    np.array_equal(all(lambda x: x.time), h["time"]),
    np.array_equal(all(lambda x: x.points[B]), p["B/position"]),
    np.array_equal(all(lambda x: x.point["displacement"][B]), p["B/displacement"]),
    np.array_equal(all(lambda x: x.point["velocity"][B]), p["B/velocity"]),
    np.array_equal(all(lambda x: x.point["angular"][B]), p["B/angular"]),
    np.array_equal(all(lambda x: x.cell["force"][last]), p["end/force"]),
    np.array_equal(all(lambda x: x.cell["strain"][last]), p["end/strain"]),
    np.array_equal(all(lambda x: x.cell["force"][link, 0]), p["link1/multiplier"][:, 0]),
    np.array_equal(all(lambda x: x.cell["force"][hinge]), p["hinge/multiplier"]),
    all(lambda x: np.abs(x.cell["force"][link, 1:]).max()).max() == 0,
    np.abs(p["end/force"]).max() > 0.1, # there is something to compare
    kinds[g.cell["kind"][last]] == "beam" and kinds[g.cell["kind"][hinge]] == "revolute",
    rows[g.cell["kind"][last]] == "N [N], V2 [N], V3 [N], M1 [N m], M2 [N m], M3 [N m]",
]
print([i for i, x in enumerate(good) if not x])
P
)" "[]"

verdict beams_are_lines_from_node_to_node_links_lines_and_bodies_vertices "$(py <<'P'
import h5py, snapshots as s
f = h5py.File("swing.h5", "r")
nodes, items = f["names/nodes"].asstr()[()], f["names/items"].asstr()[()]
g = s.from_sidecar("swing.xdmf")[0]
for i, c in zip(g.cell["item"], g.cells): print(items[i], *[nodes[p] for p in c])
P
)" "\
strip1 A strip1.1
strip1 strip1.1 strip1.2
strip1 strip1.2 strip1.3
strip1 strip1.3 strip1.4
strip1 strip1.4 strip1.5
strip1 strip1.5 C
strip2 C strip2.1
strip2 strip2.1 strip2.2
strip2 strip2.2 strip2.3
strip2 strip2.3 strip2.4
strip2 strip2.4 strip2.5
strip2 strip2.5 E
mass C
spherical#1 O1
link1 O1 A
hinge E"

run "$models/all.yaml" -o all.h5
verdict sections_are_oriented_where_the_axes_of_end_nodes_differ "$(py <<'P'
import h5py, numpy as np, snapshots as s
f = h5py.File("all.h5", "r")
print(s.same("all.h5", "all.xdmf"))
nodes, items = f["names/nodes"].asstr()[()].tolist(), f["names/items"].asstr()[()].tolist()
g = s.from_vtkhdf("all.h5")[0]
straight = ["first", "second", "tail", "beam#4"]
beam = [i for i in range(len(g.cells)) if g.cell["point"][i] >= 0 and items[g.cell["item"][i]] in straight]
worst = 0
for i in beam:
    e = np.array([g.cell[k][i] for k in ("e1", "e2", "e3")])
    along = g.points[g.cells[i][1]] - g.points[g.cells[i][0]]
    worst = max(worst, np.abs(e @ e.T - np.eye(3)).max(), np.abs(e[0] - along / np.linalg.norm(along)).max())
b = nodes.index("b") # turned by 90 degrees against the beams that meet there
rod = g.cell["item"].tolist().index(items.index("rod"))
print(len(beam), worst < 1e-8, abs(g.point["d1"][b] @ [1, 0, 0]) < 1e-12, np.abs(g.cell["e1"][rod]).max())
open("worst.txt", "w").write("%.1e" % worst)
P
)" "[]
29 True True 0.0"
echo "     measured: sections at the reference are orthonormal and along the line to $(cat worst.txt)"

# ---- when ----
times() { py "$1" <<'P'
import sys, snapshots as s
print(*[round(1e4 * g.time) / 10 for g in s.from_vtkhdf(sys.argv[1])])
P
}
verdict a_short_run_has_every_step "$(times all.h5)" "$(seq -s ' ' 0 20 | sed 's/[0-9]\+/&.0/g')"
sed '/^run:/,$d' "$models/all.yaml" >base.yaml
(cat base.yaml; echo "run: {step: 2 ms, end: 30 ms, snapshots: 7 ms}") >seven.yaml
run seven.yaml -o seven.h5
verdict the_first_step_that_reaches_a_multiple_and_the_last_are_taken "$(times seven.h5)" "0.0 8.0 14.0 22.0 28.0 30.0"
(cat base.yaml; echo "run: {step: 1 ms, end: 4 ms, snapshots: 1 s}") >ends.yaml
run ends.yaml -o ends.h5
verdict the_start_and_the_last_are_always_there "$(times ends.h5)" "0.0 4.0"
(cat base.yaml; echo "run: {step: 1 ms, end: 4 ms, snapshots: 0}") >none.yaml
run none.yaml -o ends.h5
verdict none_leaves_no_group_and_no_sidecar "$? $(py <<'P'
import h5py, os
f = h5py.File("ends.h5", "r")
print("VTKHDF" in f, "names" in f, f.attrs["snapshots"], os.path.exists("ends.xdmf"))
P
)" "0 False False 0.0 False"
cp seven.yaml mine.xdmf
run seven.yaml -o mine.h5
verdict a_sidecar_does_not_overwrite_what_is_none "$? $(grep "^limber" err.txt) $(cmp mine.xdmf seven.yaml && echo same)" \
  "2 limber run: 'mine.xdmf' is no XDMF file, so it is not overwritten; give the results another name same"

# ---- ranks ----
mpiexec -n 2 "$limber" run "$models/swing.yaml" -q -o two.h5 && mpiexec -n 2 "$limber" run "$models/swing.yaml" -q -o again.h5
verdict two_ranks_give_the_snapshots_of_one "$? $(py <<'P'
import numpy as np, snapshots as s
one, two = s.from_vtkhdf("swing.h5"), s.from_vtkhdf("two.h5")
print(s.same("two.h5", "two.xdmf"), len(one) == len(two))
scale = dict(force=36.0, strain=1.0, velocity=1.0, angular=1.0) # 1e-4 EA: round-off in the stretch of a stiff strip
wrong, worst = set(), 0.0
for a, b in zip(one, two):
    if a.cells != b.cells or a.types != b.types or a.time != b.time: wrong.add("grid")
    for p, q in ((a.point, b.point), (a.cell, b.cell), (dict(points=a.points), dict(points=b.points))):
        for name in p:
            off = np.abs(p[name] - q[name]).max() / scale.get(name, 1.0)
            worst = max(worst, off)
            if off > 1e-9: wrong.add(name)
print(sorted(wrong))
open("worst.txt", "w").write("%.1e" % worst)
P
)" "0 [] True
[]"
echo "     measured: largest relative difference $(cat worst.txt)"
cmp two.h5 again.h5
verdict the_same_run_on_two_ranks_gives_the_same_bytes $? 0
mpiexec -n 3 "$limber" run "$models/spin.yaml" -q -o three.h5 --set run.end='20 ms' # one node: two ranks have no row
verdict ranks_without_rows_write_along "$? $(py <<'P'
import snapshots as s
print(s.same("three.h5", "three.xdmf"), len(s.from_vtkhdf("three.h5")))
P
)" "0 [] 21"

# ---- while a run goes on, and cut off ----
for ranks in 1 2; do
  (cat <"$models/swing.yaml" | sed '/^run:/d'; echo "run: {step: 0.5 ms, end: 1000 s, snapshots: 50 ms}") >endless.yaml
  rm -f endless.h5 endless.xdmf
  start=("$limber")
  [[ $ranks == 1 ]] || start=(mpiexec -n 2 "$limber")
  "${start[@]}" run endless.yaml -q -o endless.h5 -- -limber_flush 0.1 >out.txt 2>err.txt &
  pid=$!
  seen=0
  for _ in $(seq 100); do
    sleep 0.2
    seen=$(py 2>/dev/null <<'P' | tail -1
import snapshots as s
print(len(s.from_sidecar("endless.xdmf")))
P
)
    [[ $seen =~ ^[0-9]+$ && $seen -gt 3 ]] && break
  done
  verdict "the_sidecar_opens_while_${ranks}_ranks_run" $((seen > 3)) 1
  kill -INT $pid
  wait $pid
  verdict "a_run_of_${ranks}_ranks_cut_off_leaves_whole_snapshots" "$(py <<'P'
import h5py, snapshots as s
f = h5py.File("endless.h5", "r")
g = s.from_vtkhdf("endless.h5")
print(s.same("endless.h5", "endless.xdmf"), f.attrs["ended"], len(g) > 3, g[-1].time == f["history/time"][-1],
      all(abs(a.time - 5e-2 * i) < 1e-9 for i, a in enumerate(g[:-1])))
P
)" "[] interrupted True True True"
done

# ---- what else the file tells ----
run "$models/spin.yaml" -o spin.h5
verdict momentum_and_every_option_are_recorded "$(py <<'P'
import h5py, numpy as np
f = h5py.File("spin.h5", "r")
l = f["history/ledger"]
p, h = l["momentum"], l["angular_momentum"]
spin = 0.3 * np.array([0, 0, 20 * np.pi]) + np.cross([1, 2, 3], [2, 0, 0]) # about the origin; constant
print(np.allclose(p, [2, 0, 0], atol=1e-12), np.allclose(h, spin, atol=1e-11), p.attrs["units"], h.attrs["units"],
      f.attrs["literal_jump"], f.attrs["equilibrium"], round(f.attrs["snapshots"], 12))
P
)" "True True N s N m s 0 0 0.0035"

sed '/^run:/d' "$models/spin.yaml" >main.yaml
printf 'limber: 1\nrun: {step: 1 ms, end: 5 ms}\n' >part.yaml
echo 'include: [part.yaml]' >>main.yaml
run main.yaml -o parts.h5 --set run.end='3 ms' --set run.scheme=decaying_a
verdict all_that_a_run_was_made_of_is_recorded "$? $(py <<'P'
import h5py
f = h5py.File("parts.h5", "r")
part = f["included/1"]
print(f["model"].asstr()[()] == open("main.yaml").read(), part.asstr()[()] == open("part.yaml").read(), part.attrs["name"],
      list(f.attrs["changes"]), f.attrs["scheme"], f.attrs["end"])
P
)" "0 True True part.yaml ['run.end=3 ms', 'run.scheme=decaying_a'] decaying_a 0.003"

finish
