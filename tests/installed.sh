#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is installed and then moved passes `limber verify` as the tree does: the files that the models read are there.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
build=$(cd "$(dirname "$limber")/.." && pwd)
cmake --install "$build" --prefix "$try/first" >install.log || cat install.log
mv first prefix
mkdir empty && cd empty || exit 1
"$try/prefix/bin/limber" verify >table.txt 2>notes.txt
verdict installed_examples_pass "$? $(tail -n 1 table.txt | cut -d' ' -f2-)" "0 passed, 0 failed"
verdict all_their_files_are_found "$(grep -E ' error: |No such file' notes.txt)" ""
if [[ $failed -gt 0 ]]; then grep -E '^[^ ]| FAIL ' table.txt; fi
echo "     measured: $(tail -n 1 table.txt)"

checked() { (cd "$1" && for model in */*.yaml; do "$limber" check "$model" >/dev/null 2>&1; echo "$model $?"; done) }
verdict models_of_long_examples_too_are_whole "$(checked "$try/prefix/share/limber/examples")" "$(checked "$source/examples")"
finish
