#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reads the #includes of src/ and include/ and reports those that run against the direction of ARCHITECTURE.md; and links, which
# a tree that is copied to another place would lose.
set -euo pipefail
source=${LIMBER_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}

# A folder includes itself and folders of a lower level; those up to level 2 are pure arithmetic. A folder with a level of its
# own may lie in another. The command starts at once because it and the light folders know neither PETSc nor MPI; nor do
# the folders that read results and make pictures of them.
declare -A level=([base]=0 [mechanics]=1 [sections]=2 [elements]=2 [joints]=2 [loads]=2 [blocks]=2 [events]=2 [surfaces]=2
                  [contacts]=2 [schemes]=2 [model]=3 [files]=4
                  [statistics]=4 [quantities]=4 [input]=5 [results/container]=5 [study/plan]=6 [post/picture]=6 [console]=6
                  [results/read]=7 [post]=8 [assembly]=6 [solvers]=7 [analyses]=8 [results]=9 [results/write]=10
                  [results/checkpoint]=11 [fmu/read]=4 [fmu]=11 [control]=12 [gradient]=13 [study]=14 [fit]=14 [api]=15 [app]=16 [cli]=17)
light=' base mechanics sections elements joints loads blocks events surfaces contacts schemes model files quantities fmu/read input statistics study/plan'
light+=' results/container post/picture console cli '
without_petsc="$light results/read post "
with_hdf5=' results results/read results/write study '
impure='^(petsc|slepc|mpi|stdio|stdlib|malloc|alloca|hdf5|H5|libfyaml)'

# The folder that a file or an include belongs to: two parts of its path if they have a level of their own, or one.
room() {
  local one=${1%%/*} two
  two=${1#*/} two=$one/${two%%/*}
  if [[ -n ${level[$two]-} ]]; then echo "$two"; else echo "$one"; fi
}

includes() { # prints "file name" for each #include in the files or folders given
  grep -rHoE '^\s*#\s*include\s*["<][^">]+' "$@" --include='*.[ch]' --include='*.def' |
    sed -E 's/:\s*#\s*include\s*["<]/ /' || true
}

# Does the public header $2 of tree $1, with the public headers it includes, stay free of the outside world?
pure() {
  local file name
  if [[ ! -e $1/include/$2 ]]; then return 0; fi # made by the build from others
  while read -r file name; do
    if [[ $name =~ $impure ]]; then return 1; fi
    if [[ $name == limber/* ]] && ! pure "$1" "$name"; then return 1; fi
  done < <(includes "$1/include/$2")
}

forbidden() { # prints "file includes name" for each forbidden include of the tree $1
  local file name from to
  while read -r file name; do
    file=${file#"$1"/} from=$(room "${file#src/}") to=$(room "$name")
    if [[ $file == include/* ]]; then # what is installed needs nothing that is not
      if [[ -n ${level[$to]-} || $name == *..* ]]; then echo "$file includes $name"; fi
    elif [[ -z ${level[$from]-} ]]; then echo "$file lies in no known folder"
    elif [[ $name == *..* ]] || [[ $name =~ (hdf5|^H5) && $with_hdf5 != *" $from "* ]] ||
         [[ $name == libfyaml* && $from != input ]] ||
         [[ $without_petsc == *" $from "* && $name =~ ^(petsc|slepc|mpi) ]] ||
         [[ $from == cli && -n ${level[$to]-} && $light != *" $to "* ]] ||
         [[ -n ${level[$to]-} && $to != "$from" && ${level[$to]:-0} -ge ${level[$from]} ]] ||
         { [[ ${level[$from]} -le 2 ]] && { [[ $name =~ $impure ]] ||
           { [[ $to == limber ]] && ! pure "$1" "$name"; }; }; }; then echo "$file includes $name"; fi
  done < <(includes "$1/src" "$1/include")
}

passed=0 failed=0
verdict() { if [[ $2 == "$3" ]]; then echo "ok   $1"; passed=$((passed + 1))
            else echo "$2"; echo "FAIL $1"; failed=$((failed + 1)); fi; }
verdict folders_include_only_folders_above_them "$(forbidden "$source")" ""
verdict the_tree_has_no_links "$(find "$source" \( -path "$source/build" -o -path "$source/.git" -o -name node_modules \) -prune -o -type l -print)" ""

# The check itself is checked: of a tree with allowed and forbidden includes it names exactly the forbidden.
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
mkdir -p "$try"/include/limber "$try"/src/{base,mechanics,elements,model,assembly,results/{read,write},post/picture,cli,attic}
include() { local file=$1; shift; for name; do echo "#include <$name>"; done >"$try/$file"; }
include include/limber/plain.h limber/more.h
include include/limber/more.h stddef.h
include include/limber/petsc.h petscsys.h
include include/limber/indirect.h limber/petsc.h
include include/limber/leaky.h base/vec3.h
include src/base/fine.c base/vec3.h math.h limber/plain.h fine.h
include src/base/up.c mechanics/node.h
include src/mechanics/print.h stdio.h
include src/elements/heap.c base/vec3.h stdlib.h
include src/elements/sibling.c joints/hinge.h
include src/elements/petsc.c limber/indirect.h
include src/model/around.c ../cli/main.h
include src/assembly/fine.c petscmat.h elements/elements.def limber/petsc.h stdio.h
include src/assembly/files.c hdf5.h petscviewerhdf5.h libfyaml.h
include src/results/write/fine.c hdf5.h assembly/fine.h results/read/fine.h
include src/results/read/fine.c hdf5.h results/write/fine.h
include src/post/report.c post/picture/sheet.h results/read/fine.h petscsys.h hdf5.h
include src/post/picture/sheet.c model/model.h post/report.h
include src/cli/heavy.c console/console.h results/write/output.h stdio.h mpi.h
include src/attic/old.c math.h
verdict every_forbidden_include_is_named_and_no_other "$(forbidden "$try" | LC_ALL=C sort)" "\
include/limber/leaky.h includes base/vec3.h
src/assembly/files.c includes hdf5.h
src/assembly/files.c includes libfyaml.h
src/assembly/files.c includes petscviewerhdf5.h
src/attic/old.c lies in no known folder
src/base/up.c includes mechanics/node.h
src/cli/heavy.c includes mpi.h
src/cli/heavy.c includes results/write/output.h
src/elements/heap.c includes stdlib.h
src/elements/petsc.c includes limber/indirect.h
src/elements/sibling.c includes joints/hinge.h
src/mechanics/print.h includes stdio.h
src/model/around.c includes ../cli/main.h
src/post/picture/sheet.c includes post/report.h
src/post/report.c includes hdf5.h
src/post/report.c includes petscsys.h
src/results/read/fine.c includes results/write/fine.h"

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
