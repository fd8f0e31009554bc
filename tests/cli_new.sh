#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `limber new`: every model that it writes is free of mistakes and warnings, runs, and has what its next commands ask for.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
says() { # what a command prints on both channels, and its exit code
  local out
  out=$("$limber" "$@" 2>&1)
  echo "$out${out:+$'\n'}exit $?"
}

names=$(cd "$source/src/cli/templates" && ls -- *.yaml | sed 's/\.yaml$//')
verdict the_list_names_every_model "$("$limber" new --list | awk '{print $1}')" "$names"
verdict every_model_has_a_title "$("$limber" new --list | awk 'NF < 2')" ""

for name in $names; do
  next=$("$limber" new "$name" | sed -n 's/^  limber //p') # four commands
  verdict "${name}_is_the_file_of_the_repository" "$(cmp "$name.yaml" "$source/src/cli/templates/$name.yaml" && echo same)" same
  verdict "${name}_is_checked_without_a_warning" "$("$limber" check "$name.yaml" 2>&1 >/dev/null; echo $?)" 0
  verdict "${name}_tells_what_comes_next" "$(cut -d' ' -f1-3 <<<"$next")" \
    "check $name.yaml --picture"$'\n'"run $name.yaml"$'\n'"plot $name.h5 $(sed -n '3s/^plot [^ ]* \([^ ]*\).*/\1/p' <<<"$next")"$'\n'"view $name.h5"
  "$limber" $(sed -n 1p <<<"$next") >/dev/null
  verdict "${name}_has_a_picture" "$(tail -2 "$name.svg")" "</svg>"$'\n'"<!-- made by Limber -->"
  "$limber" run "$name.yaml" -q --set run.end=600ms
  verdict "${name}_runs" $? 0
  "$limber" export "$name.h5" $(sed -n '3s/^plot [^ ]* //p' <<<"$next") >"$name.csv"
  verdict "${name}_has_the_columns_that_are_plotted" "$? $(wc -l <"$name.csv" | awk '{print ($1 > 10)}')" "0 1"
done

echo mine >pendulum.yaml
verdict a_file_is_not_overwritten "$(says new pendulum) $(cat pendulum.yaml)" \
  "limber new: 'pendulum.yaml' exists already; --force overwrites it, -o gives another name"$'\n'"exit 2 mine"
verdict force_overwrites_it "$(says new pendulum --force | tail -1) $(head -c 1 pendulum.yaml)" "exit 0 #"
verdict the_file_may_have_another_name "$(says new crane -o lift.yaml | sed -n '1p;3,5p')" "lift.yaml was written. Next:
  limber check lift.yaml --picture lift.svg
  limber run lift.yaml
  limber plot lift.h5 trolley.x load.x swing"
verdict a_model_is_suggested "$(says new cran)" "limber new: there is no model 'cran'; did you mean 'crane'?"$'\n'"exit 2"
verdict a_name_is_wanted "$(says new)" \
  "limber new: the name of a model is missing; limber new --list lists the models"$'\n'"exit 2"
verdict a_folder_that_is_not_there_is_a_mistake "$(says new crane -o nowhere/crane.yaml)" \
  "limber new: cannot write 'nowhere/crane.yaml': No such file or directory"$'\n'"  There is no folder 'nowhere': make it (mkdir -p nowhere), or give another with -o"$'\n'"exit 2"

finish
