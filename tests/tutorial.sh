#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README, tutorials and pages for newcomers do what they say: every command is run, and what it prints is compared. With --write pictures
# of tutorials are copied to docs/figures.
. "$(dirname "$0")/support.bash"
mkdir "$try/bin" && ln -s "$limber" "$try/bin/limber"
cd "$try" || exit 1
figures=()
if [[ ${1-} == --write ]]; then figures=(--figures); fi
if ! grep -q __asan_init "$limber"; then # runs of seconds, which take minutes there; other scripts run every command
  for page in README docs/{tutorial,statics_to_campbell,for_wind,for_machines,for_space,for_cables,choosing,fails_elsewhere}; do
    folder=$try/${page##*/}
    mkdir "$folder" && ln -s "$source/examples" "$folder/examples"
    found=$(cd "$folder" && PATH=$try/bin:$PATH "$python" "$source/tests/document.py" "$source/$page.md" "${figures[@]}" 2>&1)
    verdict "every_command_of_${page##*/}_prints_what_it_says" "${found##* commands, }" "as the page says"
  done
fi

# and it can fail
printf '%s\n' '```console' '$ echo 1.234 s' '1.3 s' '```' >bad.md
verdict another_number_is_noticed "$("$python" "$source/tests/document.py" bad.md)" "$ echo 1.234 s
prints
1.234 s"
printf '%s\n' '```console' '$ echo a 1.2345; false' '...' '```' >bad.md
verdict a_command_that_fails_is_noticed "$("$python" "$source/tests/document.py" bad.md)" "$ echo a 1.2345; false
ended with 1
a 1.2345"
printf '%s\n' '```console' '$ seq 3' '1' '...' '3' '```' '![x](figures/tutorial_none.png)' >bad.md
verdict a_picture_that_nothing_draws_is_noticed "$("$python" "$source/tests/document.py" bad.md)" "no command writes none.png"
finish
