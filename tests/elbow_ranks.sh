#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first 30 steps of both elbows (examples/elbow_rigid, examples/elbow_revolute), by one process and by two.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1

# Differences against what round-off is made of: lengths against 1 m and velocities against 1 m in a step, forces against
# 1e-4 EA (the stretch of a stiff strip), moments against 1e-4 GJ/m, all else against the energy exchanged.
compare() { # compare STEP
  "$python" - "$1" <<'P'
import h5py, numpy as np, sys
one, two = h5py.File("one.h5"), h5py.File("two.h5")
fast, energy = 1 / float(sys.argv[1]), one["history/ledger/exchanged"][-1]
scale = {"time": 1, "position": 1, "displacement": 1, "angle": 1, "velocity": fast, "rate": fast,
         "force": np.array([36.5, 36.5, 36.5, 4e-6, 4e-6, 4e-6])}
worst, count = {}, 0
def visit(name, x):
    global count
    if not isinstance(x, h5py.Dataset) or not name.startswith(("history/time", "history/ledger", "history/probes")): return
    quantity = name.split("/")[-1]
    off = (np.abs(x[()] - two[name][()]) / scale.get(quantity, energy)).max()
    worst[quantity] = max(off, worst.get(quantity, 0))
    count += 1
one.visititems(visit)
print("good" if count > 25 and max(worst.values()) < 1e-10 else (count, worst))
open("worst.txt", "w").write(", ".join("%s %.1e" % w for w in worst.items() if w[1] > 1e-14))
P
}

for elbow in rigid:1e-3 revolute:5e-4; do
  kind=${elbow%:*}
  for scheme in preserving decaying_a generalized_alpha; do
    what=("$source/examples/elbow_$kind/elbow_$kind.yaml" -q --set "run.scheme=$scheme" --set let.n=4 --set "run.end=30*h")
    "$limber" run "${what[@]}" -o one.h5 && "$mpiexec" -n 2 "$limber" run "${what[@]}" -o two.h5
    verdict "two_ranks_give_the_${kind}_elbow_of_one_with_$scheme" "$? $(compare "${elbow#*:}")" "0 good"
    echo "     measured: $(cat worst.txt)"
  done
  "$limber" run "${what[@]}" -o again.h5 && cmp one.h5 again.h5
  verdict "one_rank_gives_the_${kind}_elbow_twice_to_the_bit" $? 0
done

finish
