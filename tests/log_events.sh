#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PETSc's summary of a run (-log_view) shows what Limber spends its time on.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
"$limber" new pendulum >/dev/null
"$limber" run pendulum.yaml -o run.h5 -q -- -log_view >log.txt 2>&1
verdict the_run_ends_well "$?" 0

count() { awk -v name="$1" '$1 == name {print $2; exit}' log.txt; } # how often an event took place
for event in LimberPartition LimberEvaluate LimberAssemble LimberSolve LimberOutput; do
  verdict "${event}_is_shown" "$([[ $(count $event) -gt 0 ]] && echo yes)" yes
done
rows=$("$python" -c "import h5py; print(len(h5py.File('run.h5')['history/time']))" 2>/dev/null || echo 0)
verdict every_step_is_solved_at_least_once "$([[ $(count LimberSolve) -ge $rows && $rows -gt 10 ]] && echo yes)" yes
verdict a_solution_needs_an_evaluation \
  "$([[ $(($(count LimberEvaluate) + $(count LimberAssemble))) -ge $(count LimberSolve) ]] && echo yes)" yes
finish
