#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Completions and pages of man hold every command and every option that --help prints, and are well-formed.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1

commands=$("$limber" --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
verdict help_names_every_command "$commands" "$(
  sed "/point_analyses.def/r $source/src/input/analyses/point_analyses.def" "$source/src/cli/commands.def" |
    sed -n 's/^[A-Z_]*(\([a-z]*\).*/\1/p')"
for shell in bash zsh fish; do "$limber" completions $shell >"$shell"; done
"$limber" man >limber.1

options() { "$limber" "$1" --help | sed -n 's/^  \(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'; } # of a command
complete_bash() { # what bash offers for a command line, whose last word is the one to complete
  bash -c '. ./bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _limber; echo "${COMPREPLY[@]}"' - "$@"
}
in_zsh() { awk -v c="$1" '$1 == c ")" {on = 1} on {print} on && /;;$/ {exit}' zsh; }

verdict bash_offers_every_command "$(complete_bash limber "" | tr ' ' '\n')" "help"$'\n'"$commands"
verdict zsh_offers_every_command "$(sed -n "s/^    '\([a-z]*\):.*/\1/p" zsh)" "$commands"
verdict fish_offers_every_command "$(sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p' fish)" "$commands"
verdict the_page_of_limber_names_every_command "$(sed -n 's/^.BR limber\\-\([a-z]*\) .*/\1/p' limber.1)" "$commands"
for command in $commands; do
  wanted=$(options "$command" | sort)
  verdict "bash_offers_every_option_of_$command" \
    "$(complete_bash limber "$command" -- | tr ' ' '\n' | sed -n 's/^--//p' | grep -vx help | sort)" "$wanted"
  verdict "zsh_offers_every_option_of_$command" "$(in_zsh "$command" | sed 1d | grep -oE -e "(^ *'\*?|,)--[a-z-]+" | sed 's/.*--//' | sort)" "$wanted"
  verdict "fish_offers_every_option_of_$command" \
    "$(sed -n "s/.*_from $command' -l \([a-z-]*\) .*/\1/p" fish | grep -vx help | sort)" "$wanted"
  "$limber" man "$command" >"$command.1"
  verdict "the_page_of_${command}_explains_every_option" "$(grep -oE '\\-\\-[a-z\\-]+\\fR' "$command.1" | sed 's/\\fR$//; s/\\//g; s/^--//' | sort)" "$wanted"
done

verdict bash_completes_models_of_new "$(complete_bash limber new p)" pendulum
verdict bash_leaves_files_to_itself "$(complete_bash limber run sw)" ""
for shell in bash zsh fish; do
  if command -v "$shell" >/dev/null; then verdict "${shell}_takes_it" "$($shell -n "./$shell" 2>&1)" ""; fi
done
if command -v groff >/dev/null; then
  verdict the_pages_are_well_formed "$(for page in *.1; do groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null; done)" ""
fi
verdict a_shell_is_suggested "$("$limber" completions fisch 2>&1; echo $?)" \
  "limber completions: there are no completions for the shell 'fisch'; did you mean 'fish'?"$'\n'2
verdict a_page_is_suggested "$("$limber" man rum 2>&1; echo $?)" "limber man: there is no command 'rum'; did you mean 'run'?"$'\n'2

finish
