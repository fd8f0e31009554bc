#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Notes: every file of models/broken earns exactly the notes beside it, and exit code 2; those of models/odd earn
# warnings and exit code 0. Folders in them hold what they include. What the commands that start no run say. `cli_check.sh --write` writes the notes anew.
. "$(dirname "$0")/support.bash"
says() { # what a command prints on both channels, and its exit code
  local out
  out=$("$limber" "$@" 2>&1)
  echo "$out${out:+$'\n'}exit $?"
}

for folder in broken odd; do
  cd "$source/tests/models/$folder" || exit 1
  for file in *.yaml; do # each line of a .set file is a change
    changes=()
    if [[ -e ${file%.yaml}.set ]]; then while IFS= read -r line; do changes+=(--set "$line"); done <"${file%.yaml}.set"; fi
    if [[ ${1-} == --write ]]; then says check "$file" "${changes[@]}" >"${file%.yaml}.txt"; fi
    verdict "${folder}_${file%.yaml}_earns_its_notes" "$(says check "$file" "${changes[@]}")" "$(cat "${file%.yaml}.txt")"
  done
done

cd "$source/tests/models" || exit 1
files=(broken/*.yaml)
verdict at_least_75_broken_files $((${#files[@]} >= 75)) 1
for file in *.yaml; do
  verdict "${file%.yaml}_has_no_mistakes" "$(says check "$file" | sed -n '1s/ in .*//p;$p')" \
    "$file: no mistakes"$'\n'"exit 0"
done

# Every example of the documentation that is a whole model.
awk -v folder="$try" '/^```yaml/ {n++; on = 1; next} /^```/ {on = 0} on {print > (folder "/example" n ".yaml")}' \
  "$source"/docs/model.md "$source"/README.md
examples=$(grep -l '^limber: 1' "$try"/*.yaml)
verdict examples_of_the_documentation_have_no_mistakes \
  "$(says check $examples | grep -c 'no mistakes') $(says check $examples | tail -1)" "$(wc -w <<<"$examples") exit 0"

verdict several_files_are_checked_at_once \
  "$(says check spin.yaml broken/unit_unknown.yaml all.yaml | grep -c 'mistake')" 3
verdict a_run_refuses_a_broken_file "$(says run broken/unit_unknown.yaml -o /dev/null | tail -2)" \
  "broken/unit_unknown.yaml: 1 mistake"$'\n'"exit 2"

# ---- the command line ----
verdict a_missing_file_is_a_mistake "$(says check nothing.yaml)" \
  "limber check: cannot read 'nothing.yaml': No such file or directory"$'\n'"exit 2"
verdict a_command_is_suggested "$(says rnu)" "limber: there is no command 'rnu'; did you mean 'run'?"$'\n'"exit 2"
verdict an_option_is_suggested "$(says run spin.yaml --ouput x)" \
  "limber run: there is no option --ouput; did you mean --output?"$'\n'"exit 2"
verdict options_of_petsc_stand_after_dashes "$(says run spin.yaml -log_view)" \
  "limber run: there is no option -log_view; PETSc's options stand after --"$'\n'"exit 2"
verdict an_option_needs_its_argument "$(says run spin.yaml -o)" \
  "limber run: -o needs an argument, such as run.h5"$'\n'"exit 2"
verdict a_run_takes_one_model "$(says run spin.yaml all.yaml)" \
  "limber run: 'all.yaml' is one model file too many"$'\n'"exit 2"
verdict a_kind_is_suggested "$(says describe baem)" "limber describe: there is no 'baem'; did you mean 'beam'?"$'\n'"exit 2"
verdict no_command_is_a_mistake "$(says | tail -1)" "exit 2"
verdict help_is_no_mistake "$(says --help | sed -n '3p;$p')" "usage: limber <command> ..."$'\n'"exit 0"
verdict version_names_the_libraries \
  "$(says --version | grep -cE '^limber [0-9.]+$|^  (PETSc|SLEPc|HDF5|libfyaml) [0-9]+\.[0-9.]+$|^exit 0$')" 6

commands=$(sed -n 's/^COMMAND(\(.*\))$/\1/p' "$source/src/cli/commands.def")
wrong=""
for command in $commands; do
  help=$(says "$command" --help)
  [[ $help == *"usage: limber $command"* && $help == *"example:"*"limber $command"* && $help == *"exit 0" ]] ||
    wrong+="$command "
done
verdict every_command_has_help_with_an_example "$wrong" ""

# Every name of every field table of the catalogue is in what `describe` prints of its kind.
wrong=""
for list in "$source"/src/{base/functions/functions,elements/elements,joints/joints,loads/loads}.def; do
  for kind in $(sed -n 's/^[A-Z]*(\(.*\))$/\1/p' "$list"); do
    text=$("$limber" describe "$kind") || wrong+="$kind "
    file=$(dirname "$list")/$kind.c
    [[ -e $file ]] || file=$(dirname "$list")/function_$kind.c
    for field in $(sed -n 's/^    {"\([a-z_]*\)", FIELD_.*/\1/p' "$file"); do
      grep -q "^  $field " <<<"$text" || wrong+="$kind.$field "
    done
  done
done
verdict describe_knows_every_field_of_every_kind "$wrong" ""

# A broken MPI stops a run, but not what only reads.
broken_mpi() { env OMPI_MCA_pml=nothing "$limber" "$@" >/dev/null 2>&1; echo $?; }
if "$limber" --version | grep -q 'Open MPI'; then
  verdict check_describe_and_help_start_no_mpi \
    "$(broken_mpi check spin.yaml) $(broken_mpi describe) $(broken_mpi run --help) $(broken_mpi --version)" "0 0 0 0"
fi

finish
