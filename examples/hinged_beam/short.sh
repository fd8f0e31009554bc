#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The spectra, and the model file against what the study found. Other claims are checked by tests/test_hinged_beam.c.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${LIMBER_BUILD:-$root/build/dev}
here=$root/examples/hinged_beam
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
python=python3 # with h5py: the system's, where another stands before it
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
"$build/bin/study_hinged_beam" spectra "$try" >"$try/peaks.txt"
[[ $(wc -l <"$try/spectra.csv") == 129 && $(wc -l <"$try/history_250.csv") == 252 ]]
"${LIMBER:-$build/bin/limber}" run "$here/hinged_beam.yaml" -q -o "$try/run.h5"
HDF5_USE_FILE_LOCKING=FALSE "$python" - "$try/run.h5" "$here/results/values.csv" <<'P'
import csv, h5py, sys
probes = h5py.File(sys.argv[1])["history/probes"]
line = next(l for l in csv.DictReader(open(sys.argv[2])) if (l["scheme"], l["steps"]) == ("decaying_a", "250"))
found = [*probes["tip/displacement"][-1], *probes["tip/velocity"][-1], *probes["root/force"][-1]]
names = "u1 u2 u3 v1 v2 v3 N V2 V3 M1 M2 M3".split()
worst = max(abs(f / float(line[n]) - 1) for n, f in zip(names, found))
print("hinged_beam.yaml: tip and root as in values.csv to %.0e of each" % worst)
sys.exit(int(worst > 1e-6))
P
