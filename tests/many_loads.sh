#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A model of 5000 hinges, each with limits and a load of its own: its results name all loads, on any number of ranks.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
count=5000
"$python" - "$count" >many.yaml <<'END'
import sys
numbers = range(int(sys.argv[1]))
print("limber: 1\nnodes:")
print("\n".join(f"  n{i}: [0, {i}, 0]" for i in numbers))
print("elements:")
print("\n".join(f"  - rigid_body: {{name: b{i}, node: n{i}, mass: 1, inertia: [1, 1, 1]}}" for i in numbers))
print("joints:")
hinge = "axis: [0, 1, 0], angle: {limits: [-1, 1], limit_stiffness: 1}"
print("\n".join(f"  - revolute: {{name: j{i}, nodes: [ground, n{i}], {hinge}}}" for i in numbers))
print("loads:")
print("\n".join(f"  - joint_force: {{name: f{i}, joint: j{i}, value: {i}}}" for i in numbers))
print("run: {scheme: generalized_alpha, step: 1 ms, end: 2 ms}")
END
"$limber" run many.yaml -o one.h5 -q >one.log 2>&1
verdict it_runs "$? $(head -3 one.log)" "0 "
"$mpiexec" -n 3 "$limber" run many.yaml -o three.h5 -q >three.log 2>&1
verdict it_runs_on_3_ranks "$? $(head -3 three.log)" "0 "
verdict results_name_all_loads "$("$python" - <<'END'
import h5py
for name in "one.h5", "three.h5":
    work = h5py.File(name)["history/ledger/load_work"]
    columns = [c if isinstance(c, str) else c.decode() for c in work.attrs["columns"]]
    value = work[()]
    # a load of i N m turns 1 kg m^2 by i t^2/2: it has worked i^2 t^2/2
    good = all(abs(value[-1, i] - 0.5 * i * i * 4e-6) <= 1e-3 * (0.5 * i * i * 4e-6) for i in range(len(columns)))
    print(columns == [f"f{i}" for i in range(5000)], value.shape, good)
END
)" "True (3, 5000) True
True (3, 5000) True"
"$limber" compare one.h5 three.h5 --tolerance 1e-12 >compare.log 2>&1
verdict results_are_read_back_and_agree "$?" 0
finish
