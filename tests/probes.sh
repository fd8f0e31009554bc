#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What probes record, from model file to results: tests/models/rotor.yaml has every kind of them.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1

h5() { HDF5_USE_FILE_LOCKING=FALSE "$python" - "$@"; }

"$limber" run "$models/rotor.yaml" -q -o rotor.h5
verdict the_rotor_runs $? 0
sed 's/every: 10/every: 1/' "$models/rotor.yaml" >all.yaml
"$limber" run all.yaml -q -o all.h5

verdict a_station_at_the_end_is_the_node "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("all.h5")["history/probes"]
print([bool(np.abs(p["end"][q] - p["tip"][q][()]).max() <= 1e-12 * np.abs(p["tip"][q]).max())
       for q in ["position", "displacement", "velocity", "rotation", "angular"]])
P
)" "[True, True, True, True, True]"

verdict a_station_at_an_integration_point_is_the_point "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("all.h5")["history/probes"] # the middle one of the three points of the middle element
print([bool(np.abs(p["same"][q] - p["gauss"][q][()]).max() < 1e-13 * np.abs(p["gauss"][q]).max()) for q in ["force", "strain"]])
P
)" "[True, True]"

verdict vector_quaternion_and_matrix_are_one_rotation "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("all.h5")["history/probes"]
def exponential(v):
    a = np.linalg.norm(v)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]) / max(a, 1e-300)
    return np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k
def matrix(q):
    e = q[1:]
    k = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return (q[0]**2 - e @ e) * np.eye(3) + 2 * q[0] * k + 2 * np.outer(e, e)
for name in ["hub", "mid"]:
    m = p[name]["matrix"][()].reshape(-1, 3, 3)
    v, q = p[name]["rotation"][()], p[name]["quaternion"][()]
    print(max(np.abs(exponential(a) - b).max() for a, b in zip(v, m)) < 1e-13,
          max(np.abs(matrix(a) - b).max() for a, b in zip(q, m)) < 1e-14, np.abs(np.diff(q, axis=0)).max() < 0.03)
axes = p["hub"]["axes"][()].reshape(-1, 3, 3)                       # rows: the axes
m = p["hub"]["matrix"][()].reshape(-1, 3, 3)
print(np.abs(np.einsum("tij,kj->tki", m, axes[0]) - axes).max() < 1e-14)
P
)" "True True True
True True True
True"

verdict rotations_go_on_past_a_full_turn_with_the_hinge "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("rotor.h5")["history/probes"]
angle = p["bearing/angle"][()]
away = np.abs((angle + np.pi) % (2 * np.pi) - np.pi) > 0.2           # at a full turn a vector shows the bending alone
print(angle[-1] > 7, [bool(np.abs(p[n]["rotation"][:, 2] - angle)[away].max() < 0.03) for n in ["hub", "mid", "tip"]],
      np.abs(p["hub/rotation"][:, 2] - angle).max() < 1e-12, np.abs(p["hub/angular"][:, 2] - p["bearing/rate"]).max() < 1e-9)
P
)" "True [True, True, True] True True"

# The hub's axes turn; the arm is welded to the hub, the blade bends by centimetres.
verdict motion_is_as_seen_from_the_hub "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("all.h5")["history/probes"]
axes, x, v, w = [p["hub"][q][()] for q in ["axes", "position", "velocity", "angular"]]
e = axes.reshape(-1, 3, 3)
arm = p["tip/position"][()] - x
seen = np.einsum("tij,tj->ti", e, arm)
rate = np.einsum("tij,tj->ti", e, p["tip/velocity"][()] - v - np.cross(w, arm))
s = {q: p["tip_seen"][q][()] for q in p["tip_seen"]}
print(np.abs(s["position"] - seen).max() < 1e-14, np.abs(s["displacement"] - (seen - seen[0])).max() < 1e-14,
      np.abs(s["velocity"] - rate).max() < 1e-12, np.abs(s["displacement"]).max() < 0.1 * np.abs(p["tip/displacement"]).max(),
      np.abs(s["angular"] - np.einsum("tij,tj->ti", e, p["tip/angular"][()] - w)).max() < 1e-12)
print(np.abs(p["far/displacement"]).max() < 1e-14, np.abs(p["far/rotation"]).max() < 1e-14)
print(np.allclose(p["turned/force"], np.einsum("tij,tj->ti", e, p["bearing/force"][()]), rtol=1e-12, atol=1e-9))
P
)" "True True True True True
True True
True"

verdict energies_of_all_bodies_are_the_ledger "$(h5 <<'P'
import h5py, numpy as np
h = h5py.File("all.h5")["history"]
for q in ["kinetic", "strain", "potential"]:
    parts = [h["probes"][n][q][()] for n in h["probes"] if n.startswith("energy_") and q in h["probes"][n]]
    print(len(parts), np.abs(sum(parts) - h["ledger"][q]).max() < 1e-14 * h["ledger/exchanged"][-1])
P
)" "5 True
4 True
5 True"

verdict extremes_see_every_step "$(h5 <<'P'
import h5py, numpy as np
few, every = h5py.File("rotor.h5"), h5py.File("all.h5")
print(sorted(few["extremes"]), len(few["history/time"]))
t, missed, wrong = every["history/time"][()], 0, []
for probe, table in few["extremes"].items():
    for row, name in zip(table, table.attrs["rows"]):
        q, _, c = name.partition(".")
        x, rows = every["history/probes"][probe][q], few["history/probes"][probe][q]
        k = list(x.attrs["columns"]).index(c) if c else 0
        x, rows = (x[:, k], rows[:, k]) if c else (x[()], rows[()])
        of_step = (probe, q) in [("bearing", "force"), ("bearing", "moment"), ("bearing", "multiplier"), ("pull", "value")]
        x, when = (x[1:], t[1:]) if of_step else (x, t)               # there is none at the start
        if [x.min(), when[x.argmin()], x.max(), when[x.argmax()]] != list(row): wrong.append(probe + "." + name)
        missed += row[2] > rows.max()
print(wrong, missed > 20, list(few["extremes/mid"].attrs["rows"]), few["extremes/mid"].attrs["units"])
print(list(few["extremes/mid"].attrs["columns"]))
P
)" "['bearing', 'mid', 'pull', 'stretch', 'tip_seen'] 21
[] True ['rotation.z', 'force.N', 'force.V2', 'force.V3', 'force.M1', 'force.M2', 'force.M3'] rad, N, N, N, N m, N m, N m
['min', 'time of min', 'max', 'time of max']"

verdict formulae_are_arithmetic "$(h5 <<'P'
import h5py, numpy as np
h = h5py.File("rotor.h5")["history"]
p = h["probes"]
span = np.linalg.norm(p["tip/position"][()] - p["hub/position"], axis=1)
print(np.abs(p["span/value"] - span).max() < 1e-15 * 4, np.array_equal(p["stretch/value"], p["span/value"][()] - 2),
      np.array_equal(p["share/value"], p["energy_blade/kinetic"][()] / h["ledger/kinetic"]),
      np.array_equal(p["pull/value"], -p["bearing/force"][:, 2]), p["span/value"].attrs["units"], p["share/value"].attrs["units"])
P
)" "True True True True m 1"
cat >same.yaml <<'Y'
limber: 1
let: {z: 5}
nodes: {p: {at: [0, 0, 0], kind: point}}
elements: [{mass: {node: p, mass: 1}}]
probes: [{name: z, formula: z + time}, {name: twice, formula: 2*z}]
run: {step: 1 s, end: 2 s}
Y
"$limber" run same.yaml -q -o same.h5
verdict a_formula_may_bear_the_name_of_a_parameter_that_it_uses "$("$limber" export same.h5 z twice | tail -1)" "2,7,14"
verdict a_formula_is_called_by_its_name "$("$limber" export rotor.h5 span --to 0 | head -1)" "time [s],span [m]"

# ---- against what is known ----
cat >hanging.yaml <<'Y'
limber: 1
nodes: {bob: {at: [0, 0, -1], kind: point}, top: {at: [0, 0, 0], kind: fixed}}
elements:
  - mass: {node: bob, mass: 3}
joints:
  - distance: {name: rope, nodes: [top, bob]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {joint: rope}
run: {step: 1 ms, end: 10 ms}
Y
"$limber" run hanging.yaml -q
verdict a_rope_carries_the_weight "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("hanging.h5")["history/probes/rope"]
print(sorted(p), np.abs(p["force"][1:] - [0, 0, 3 * 9.81]).max() < 1e-10)
P
)" "['force', 'multiplier'] True"

# A cantilever that has come to rest under its weight: V = q (L - s), M = q (L - s)^2/2, but for its bending.
{
  cat <<'Y'
limber: 1
nodes: {a: [0, 0, 0], e: [2, 0, 0]}
sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [60 mm, 20 mm]}}
elements:
  - beam: {name: b, from: a, to: e, section: s, elements: 4, order: 2, up: [0, 1, 0]}
joints: [{clamp: {name: wall, node: a}}]
loads: [{gravity: {acceleration: [0, 0, -9.81]}}]
probes:
  - {joint: wall}
Y
  awk 'BEGIN {for (i = 0; i <= 40; i++) printf "  - {name: s%d, element: b, at: %.3f, record: [force]}\n", i, i/40}'
  echo 'run: {scheme: decaying_a, step: 1 s, end: 60 s, every: 1000}'
} >shelf.yaml
"$limber" run shelf.yaml -q
verdict forces_along_a_cantilever_are_those_of_statics "$(h5 <<'P'
import h5py, numpy as np
p = h5py.File("shelf.h5")["history/probes"]
q, s = 2700 * 0.06 * 0.02 * 9.81, np.arange(41) / 20
f = np.array([p["s%d/force" % i][-1] for i in range(41)])
shear, bending = np.abs(np.abs(f[:, 2]) - q * (2 - s)).max() / (2 * q), np.abs(np.abs(f[:, 4]) - q * (2 - s)**2 / 2).max() / (2 * q)
print(shear < 1e-4, bending < 0.02)                                    # measured: 4.8e-5, 1.1e-2
print(np.abs(p["wall/force"][-1] - [0, 0, 2 * q]).max() < 1e-8 * q, np.abs(p["wall/moment"][-1] - [0, -2 * q, 0]).max() < 1e-3 * q)
P
)" "True True
True True"

# ---- ranks and bytes ----
"$limber" run "$models/rotor.yaml" -q -o again.h5 -- -limber_flush 0
cmp rotor.h5 again.h5
verdict the_same_run_gives_the_same_bytes $? 0

mpiexec -n 2 "$limber" run "$models/rotor.yaml" -q -o two.h5
verdict two_ranks_record_what_one_does "$? $(h5 <<'P'
import h5py, numpy as np
one, two = h5py.File("rotor.h5"), h5py.File("two.h5")
wrong, worst = [], 0.0
scale = dict(velocity=40, angular=20, force=1e5, moment=1e3, multiplier=1e5, kinetic=2000, strain=2000, potential=2000)
def visit(name, x):
    global worst
    if not isinstance(x, h5py.Dataset) or "probes" not in name and "extremes" not in name: return
    size = scale.get(name.split("/")[-1], 1) if "probes" in name else 1e5
    off = np.abs(x[()] - two[name][()])
    if "extremes" in name: off = off[:, ::2]                           # of equal ones round-off chooses the time
    off = off.max() / size
    worst = max(worst, off)
    if off > 1e-9: wrong.append("%s is off by %.1e" % (name, off))
one.visititems(visit)
print("\n".join(wrong) or "good")
open("worst.txt", "w").write("%.1e" % worst)
P
)" "0 good"
echo "     measured: largest relative difference $(cat worst.txt)"

finish
