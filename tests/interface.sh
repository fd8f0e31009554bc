#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the public headers promise to a compiler: a wrong structure does not compile, and the version is the same everywhere.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
build=$(cd "$(dirname "$limber")/.." && pwd)

# compile [options]: "good", or the first error or warning about the program on stdin
compile() {
  { echo '#include <limber/limber.h>'; cat; } >program.c
  LC_ALL=C cc -std=c17 -Wall -Wextra -Werror -I"$source/include" -I"$build/include" "$@" -fsyntax-only program.c >log 2>&1 && echo good ||
    sed -n "s/.*\(error\|warning\): //p" log | head -1
}

# ---- adders ----
add() { echo "int main(void) { $1 a = {0}; LimberModel m = 0; return $2(m, \"a\", &a, 0); }"; }
verdict the_structure_of_a_kind_compiles "$(add LimberBeam LimberModelAddBeam | compile)" good
verdict the_structure_of_another_kind_does_not "$(add LimberBar LimberModelAddBeam | compile | sed 's/ \[-W.*//')" \
  "passing argument 3 of 'LimberModelAddBeam' from incompatible pointer type"
# ids TYPE STATEMENT: a program with an id `a` of this type that makes the statement
ids() { echo "int main(void) { LimberModel m = 0; LimberRun r = 0; $1 a = {1}; LimberRevolute hinge = {0}; $2; return m || r || a.index || hinge.axis[0] > 0; }"; }
verdict a_node_is_a_node_of_a_joint "$(ids LimberNodeId 'hinge.nodes[0] = a' | compile)" good
verdict a_joint_is_no_node_of_a_joint "$(ids LimberJointId 'hinge.nodes[0] = a' | compile)" \
  "incompatible types when assigning to type 'LimberNodeId' from type 'LimberJointId'"
verdict a_node_has_a_position "$(ids LimberNodeId 'LimberRunGetNode(r, a, 0, 0, 0, 0)' | compile)" good
verdict a_joint_has_none "$(ids LimberJointId 'LimberRunGetNode(r, a, 0, 0, 0, 0)' | compile)" "incompatible type for argument 2 of 'LimberRunGetNode'"
verdict the_adder_of_a_joint_returns_no_node "$(ids LimberNodeId 'LimberModelAddRevolute(m, "a", &hinge, &a)' | compile | sed 's/ \[-W.*//')" \
  "passing argument 4 of 'LimberModelAddRevolute' from incompatible pointer type"
verdict a_number_is_no_id "$(ids LimberLoadId 'LimberRunGetNode(r, 1, 0, 0, 0, 0)' | compile)" "incompatible type for argument 2 of 'LimberRunGetNode'"
verdict every_line_of_the_lists_has_an_adder \
  "$(cat "$source"/src/{elements/elements,joints/joints,loads/loads,base/functions/functions,surfaces/surfaces,events/events}.def | wc -l)" \
  "$(grep -c '^LIMBER_API int LimberModelAdd' "$build/include/limber/adders.h")"
verdict every_line_of_the_lists_has_defaults \
  "$(cat "$source"/src/{elements/elements,joints/joints,loads/loads,base/functions/functions,surfaces/surfaces,events/events,sections/sections}.def | wc -l)" \
  "$(grep -c '_default(void);' "$build/include/limber/adders.h")"

# ---- the version ----
read -r major minor patch < <("$limber" --version | head -1 | sed 's/limber //' | tr . ' ')
verdict the_version_is_that_of_the_program "$(compile <<<"
_Static_assert(LIMBER_VERSION_MAJOR == $major && LIMBER_VERSION_MINOR == $minor && LIMBER_VERSION_PATCH == $patch, \"\");
_Static_assert(LIMBER_VERSION_AT_LEAST($major, $minor, $patch) && LIMBER_VERSION_AT_LEAST(0, 0, 1), \"\");
_Static_assert(!LIMBER_VERSION_AT_LEAST($major, $minor, $((patch + 1))), \"\");
_Static_assert(!LIMBER_VERSION_AT_LEAST($((major + 1)), 0, 0), \"\");
")" good

# ---- strict compilers ----
# Of MPI the headers know one type.
mkdir -p mpi && echo 'typedef struct ompi_communicator_t *MPI_Comm;' >mpi/mpi.h
(cd "$source/include" && printf '#include <%s>\n' limber/*.h) >all.h
echo '#include <limber/adders.h>' >>all.h
# strict COMPILER STANDARD FILE: what it says of a program that includes all headers
strict() { LC_ALL=C "$1" "-std=$2" -Wall -Wextra -Wpedantic -Werror -I"$source/include" -I"$build/include" -Impi -fsyntax-only "$3" 2>&1; }
constants=$(sed -n 's/^#define \(LIMBER_GROUND\|LIMBER_NO_[A-Z]*\) .*/\1/p' "$source/include/limber/ids.h")
{ cat all.h; echo 'int main(void) { return LIMBER_OK'; printf ' && !LIMBER_IS_NONE(%s)\n' $constants; echo '; }'; } >all.c
verdict headers_are_strict_c11 "$(strict cc c11 all.c)" ""
echo 'enum { bad } ; ; struct empty {};' | cat all.c - >not_strict.c
verdict what_is_not_strict_is_named "$(strict cc c11 not_strict.c | grep -c 'error: ')" 2
if command -v c++ >/dev/null; then
  cp all.c all.cc
  verdict headers_are_strict_cpp "$(strict c++ c++17 all.cc)" ""
else
  echo "skipped: headers as C++: no C++ compiler here"
fi

# ---- comments ----
undocumented() { # what Doxygen says of the headers of a folder and of those that CMake makes
  LIMBER_INCLUDE=$1 LIMBER_GENERATED=$build/include LIMBER_OUTPUT=$try/doxygen doxygen "$source/docs/site/Doxyfile" 2>&1 |
    grep . | sed "s#$1/##"
}
if command -v doxygen >/dev/null; then
  mkdir -p doxygen
  verdict every_public_name_has_a_comment "$(undocumented "$source/include")" ""
  mkdir -p bare/limber && printf '%s\n' '/** @file' ' * A header. */' '/** Good. */' 'int limber_good(void);' 'int limber_bare(void);' >bare/limber/bare.h
  verdict one_without_a_comment_is_named "$(undocumented "$try/bare")" \
    "limber/bare.h:5: warning: Member limber_bare(void) (function) of file bare.h is not documented."
else
  echo "skipped: comments of the public headers: no doxygen here"
fi

# ---- communicators ----
# The start of a model without a communicator is the only place of the engine that means all ranks.
world() { (cd "$1" && grep -rlE '\b(MPI|PETSC)_COMM_WORLD\b' src --include='*.[ch]' | grep -v '^src/app/' | sort); }
verdict only_the_start_means_all_ranks "$(world "$source")" src/assembly/ranks.c
mkdir -p tree/src/{app,solvers} && echo 'x = PETSC_COMM_WORLD;' | tee tree/src/app/a.c >tree/src/solvers/s.c
verdict another_place_is_named "$(world tree)" src/solvers/s.c
finish
