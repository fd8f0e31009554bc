# SPDX-License-Identifier: Apache-2.0
# What test scripts share: the command, the models, a folder to try things in, a Python with the modules that are needed,
# verdicts. `finish` ends a script with their count.
set -uo pipefail
source=${LIMBER_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
limber=${LIMBER:-$source/build/dev/bin/limber}
models=$source/tests/models
if [[ ! -x $limber ]]; then echo "no $limber"; exit 1; fi

set -a
. "$source/tests/mpi.env"
set +a
mpiexec=${MPIEXEC:-mpiexec}

python=python3 # the system's, where another without these modules stands before it
"$python" -c "import ${modules:-h5py}" 2>/dev/null || python=/usr/bin/python3
mpi=true # several processes
if [[ -n ${LIMBER_WITHOUT_MPI-} ]]; then mpi=false; fi
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT

passed=0 failed=0
verdict() { # verdict NAME FOUND EXPECTED
  if [[ $2 == "$3" ]]; then echo "ok   $1"; passed=$((passed + 1))
  else diff <(echo "$3") <(echo "$2"); echo "FAIL $1"; failed=$((failed + 1)); fi
}
finish() {
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}
