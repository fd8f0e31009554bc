#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With 64-bit indices of PETSc nothing becomes an int unasked: clang reads all sources that know PETSc against petsc64-dev.
. "$(dirname "$0")/support.bash"
cd "$source" || exit 1
clang=$(command -v clang-14 || command -v clang)
if [[ -z $clang ]] || ! pkg-config --exists PETSc64 SLEPc64; then
  echo "skipped: no clang with petsc64-dev and slepc64-dev here"
  finish
fi
read -ra libraries <<<"$(pkg-config --cflags PETSc64 SLEPc64 hdf5-openmpi) $(mpicc --showme:compile) -I/usr/include/scotch"
flags=(-std=c17 -Wshorten-64-to-32 -Werror -Wno-macro-redefined -Iinclude "-I$(cd "$(dirname "$limber")/.." && pwd)/include" -Isrc -D_GNU_SOURCE= '-DLIMBER_VERSION=""'
  '-DLIMBER_EXAMPLES=""' '-DLIMBER_TEXTS=""' '-DLIMBER_LIBRARY=""' '-DLIMBER_MODULES=""' "${libraries[@]/#-I/-isystem}")
echo '#include <petscksp.h>' >"$try/petsc.h" # read once for all sources
"$clang" "${flags[@]}" -x c-header "$try/petsc.h" -o "$try/petsc.pch" || exit 1
narrowed() { "$clang" "${flags[@]}" -fsyntax-only -include-pch "$try/petsc.pch" "$@" 2>&1 | grep -E 'error:' | sed "s|^$source/||"; }

printf '#include <petscsys.h>\nint cut(PetscInt i);\nint cut(PetscInt i) { return i; }\n' >"$try/cut.c"
verdict an_index_that_is_cut_is_found "$(narrowed "$try/cut.c" | grep -c 'shorten-64-to-32')" 1

list=$(awk '/^add_objects\(limber_heavy/,/\)/' CMakeLists.txt | tr -d '()' | sed 's/add_objectslimber_heavy//')
files=()
while read -r file; do
  for without in ${list#*BUT}; do [[ $file == "src/$without/"* ]] && continue 2; done
  files+=("$file")
done < <(for folder in ${list%BUT*}; do find "src/$folder" -name '*.c'; done | sort)
verdict sources_are_found "$([[ ${#files[@]} -gt 60 ]] && echo yes)" yes
verdict no_index_is_cut "$(narrowed "${files[@]}")" ""
finish
