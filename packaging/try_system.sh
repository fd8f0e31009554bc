#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_system.sh SUITE [gcc|clang]: builds this tree, as it is in the working folder, by the preset `release`
# in a Debian of its own (packaging/chroot.sh) and runs the tests that need neither browser nor pages; not those of the tree
# itself, layering.sh and test_toys.py, which builds a copy of it. The last line is
#   SUITE COMPILER MPI: N passed, N skipped, N failed
# counted in propositions. Warnings of the compiler are counted too, and kept in the log.
#   LIMBER_JOBS     processes that build, 2 by default
#   LIMBER_TESTS    a regular expression: only tests whose names it matches
# Debian has PETSc with MPICH on machines of 32 bits only, from Debian 13 on: SUITE is then trixie-i386 or sid-i386.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:?try_system.sh SUITE [gcc|clang]}
compiler=${2:-gcc}
mpi=openmpi
if [[ $suite == *-i386 ]]; then mpi=mpich; fi
[[ $compiler == gcc || $compiler == clang ]] || { echo "a compiler is gcc or clang, not $compiler" >&2; exit 2; }
chroots=${LIMBER_CHROOTS:-/tmp/limber-chroots}
inside() { "$here/packaging/chroot.sh" "$suite" "$@"; }

inside true
# Files keep their times, so that a second try builds what has changed.
source=$chroots/$suite/limber/source
rm -rf "$source"
mkdir -p "$source"
(cd "$here" && git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -c 2>/dev/null) |
  tar -x -C "$source"

log=$chroots/$suite-$compiler-$mpi.log
status=0
inside bash -c '
  set -euo pipefail
  compiler=$1 mpi=$2 jobs=$3 tests=$4 build=/limber/$1-$2
  cd /limber/source
  # 32 bits: doubles are rounded to 64 bits after every operation, as elsewhere
  if [[ $(dpkg --print-architecture) == i386 ]]; then export CFLAGS="-msse2 -mfpmath=sse"; fi
  export CC=$compiler CMAKE_C_COMPILER_LAUNCHER=ccache
  cmake --preset release -B "$build"
  cmake --build "$build" -j "$jobs"
  rm -f "$build/tests.xml"
  ctest --test-dir "$build" -j "$jobs" -LE "^site$" -E "^(layering\.sh|test_toys\.py)$" ${tests:+-R "$tests"} --output-on-failure \
    --output-junit tests.xml --test-output-size-passed 10000000 --test-output-size-failed 10000000
' try "$compiler" "$mpi" "${LIMBER_JOBS:-2}" "${LIMBER_TESTS-}" >"$log" 2>&1 || status=$?
results=$chroots/$suite/limber/$compiler-$mpi/tests.xml
if [[ ! -e $results ]]; then
  tail -n 20 "$log" >&2
  echo "$suite $compiler $mpi: not built (the whole is in $log)" >&2
  exit 1
fi
grep -h -E '^(FAIL|     not tried|skipped:)' "$log" | sort -u || true
echo "$(grep -c 'warning:' "$log" || true) warnings, the log is $log"
read -r passed failed skipped < <("$here/.ci/propositions" "$results")
echo "$suite $compiler $mpi: $passed passed, $skipped skipped, $failed failed"
exit "$status"
