#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS [FOLDER]: builds the fuzz target and feeds the model reader what once went wrong (regressions/), then
# texts made up from corpus/ and from what good and broken model files hold. Texts that reach new code go to FOLDER
# (without: nowhere). Fails on a crash, a leak, undefined behaviour, and on a text that takes 2 GB or 20 s (most take less
# than 1 ms, but other work may hold the machine); what did it is left in build/fuzz. A quarter of the time goes to the reader
# of checkpoints, with bytes made up from checkpoints/.
# `run.sh --merge FOLDER` brings what FOLDER has found into corpus/.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
corpus=$PWD/tests/fuzz/corpus target=$PWD/build/fuzz/bin/fuzz_reader
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
options=(-dict="$PWD/tests/fuzz/model.dict" -timeout=20 -rss_limit_mb=2048 -max_len=4096)
if [[ ${1-} == --merge ]]; then
  new=$(mktemp -d)
  "$target" -merge=1 -use_counters=0 "${options[@]}" "$new" "$corpus" "$2"
  rm -f "$corpus"/*
  cp "$new"/* "$corpus"
  rm -rf "$new"
  exit
fi
"$target" "${options[@]}" tests/fuzz/regressions/* 2>&1 | tail -n 1
found=${2:-$(mktemp -d)}
mkdir -p "$found"
quarter=$((${1:-60} / 4))
build/fuzz/bin/fuzz_checkpoint -timeout=20 -rss_limit_mb=2048 -max_len=2048 -max_total_time=$quarter -print_final_stats=1 \
  -artifact_prefix=build/fuzz/ "$(mktemp -d)" tests/fuzz/checkpoints 2>&1 | grep -E 'ERROR|SUMMARY|stat::number_of'
cd build/fuzz
"$target" "${options[@]}" -max_total_time=$((${1:-60} - quarter)) -print_final_stats=1 -verbosity=1 "$found" "$corpus" \
  "$OLDPWD/tests/models" "$OLDPWD/tests/models/broken" 2>&1 | grep -vE '^#[0-9]+.*(NEW|REDUCE|RELOAD)'
