#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS [FOLDER]: builds the fuzz targets and feeds the model reader what once went wrong (regressions/), then
# texts made up from corpus.tar.xz and from what good and broken model files hold. Texts that reach new code go to FOLDER
# (default: nowhere). Fails on a crash, a leak, undefined behaviour, and on a text that takes 2 GB or 20 s (most take less
# than 1 ms, but other work may hold the machine); what did it is left in build/fuzz. Of the time an eighth each goes to
# the readers of checkpoints, with bytes made up from checkpoints.tar.xz, of blades, from blades/, and of shapes, robots
# and FMUs (STL, OBJ, URDF, zip and XML), from shapes/. A quarter goes to the readers of results (export, plot, view, report, compare), with
# changes made up from results.tar.xz. The archives are unpacked into build/fuzz.
#   run.sh --merge FOLDER            adds to corpus.tar.xz what of FOLDER reaches new code
#   run.sh --merge-checkpoints FOLDER  the same for checkpoints.tar.xz
#   run.sh --merge-results FOLDER    the same for results.tar.xz
#   run.sh --results SECONDS FOLDER  the readers of results alone; changes that reach new code go to FOLDER
#   run.sh --pack FOLDER ARCHIVE     packs the files of FOLDER: the same files give the same bytes
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD

pack() { # pack FOLDER ARCHIVE
  (cd "$1" && find . -maxdepth 1 -type f -printf '%P\0' | LC_ALL=C sort -z |
    tar --create --null --files-from=- --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r) |
    xz -9e --threads=1 >"$2.new"
  mv "$2.new" "$2"
}
unpack() { # unpack NAME: build/fuzz/NAME holds what tests/fuzz/NAME.tar.xz does
  rm -rf "build/fuzz/$1"
  mkdir -p "build/fuzz/$1"
  tar --extract --xz --file "tests/fuzz/$1.tar.xz" --directory "build/fuzz/$1"
}
if [[ ${1-} == --pack ]]; then pack "$2" "$3"; exit; fi

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
unpack corpus
unpack checkpoints
unpack results
corpus=$source/build/fuzz/corpus checkpoints=$source/build/fuzz/checkpoints results=$source/build/fuzz/results
reader=$source/build/fuzz/bin/fuzz_reader checkpoint_reader=$source/build/fuzz/bin/fuzz_checkpoint
results_reader=$source/build/fuzz/bin/fuzz_results
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
options=(-dict="$source/tests/fuzz/model.dict" -timeout=20 -rss_limit_mb=2048 -max_len=4096)
of_checkpoints=(-timeout=20 -rss_limit_mb=2048 -max_len=2048)
of_results=(-timeout=60 -rss_limit_mb=2048 -max_len=96 -len_control=0 -close_fd_mask=3) # four commands each

new=$(mktemp -d) found=$(mktemp -d)
trap 'rm -rf "$new" "$found"' EXIT
case ${1-} in
  --merge)
    "$reader" -merge=1 -use_counters=0 "${options[@]}" "$new" "$corpus" "$2"
    pack "$new" tests/fuzz/corpus.tar.xz
    exit
    ;;
  --merge-checkpoints)
    "$checkpoint_reader" -merge=1 -use_counters=0 "${of_checkpoints[@]}" "$new" "$checkpoints" "$2"
    pack "$new" tests/fuzz/checkpoints.tar.xz
    exit
    ;;
  --merge-results)
    "$results_reader" -merge=1 -use_counters=0 "${of_results[@]}" "$new" "$results" "$2"
    pack "$new" tests/fuzz/results.tar.xz
    exit
    ;;
  --results)
    mkdir -p "$3"
    into=$(cd "$3" && pwd)
    cd build/fuzz
    "$results_reader" "${of_results[@]}" -max_total_time="$2" -print_final_stats=1 "$into" "$results" 2>&1 |
      grep -E 'ERROR|SUMMARY|stat::|DONE|^    #'
    exit
    ;;
esac

"$reader" "${options[@]}" tests/fuzz/regressions/* 2>&1 | tail -n 1
into=${2:-$found}
mkdir -p "$into"
into=$(cd "$into" && pwd)
quarter=$((${1:-60} / 4)) eighth=$((${1:-60} / 8))
cd build/fuzz
"$checkpoint_reader" "${of_checkpoints[@]}" -max_total_time=$eighth -print_final_stats=1 "$new" "$checkpoints" 2>&1 |
  grep -E 'ERROR|SUMMARY|stat::number_of'
"$source/build/fuzz/bin/fuzz_blades" -timeout=20 -rss_limit_mb=2048 -max_len=4096 -detect_leaks=0 \
  -max_total_time=$eighth -print_final_stats=1 "$new" "$source/tests/fuzz/blades" 2>&1 | grep -E 'ERROR|SUMMARY|stat::number_of'
"$source/build/fuzz/bin/fuzz_shapes" -timeout=20 -rss_limit_mb=2048 -max_len=4096 -detect_leaks=0 \
  -max_total_time=$eighth -print_final_stats=1 "$new" "$source/tests/fuzz/shapes" 2>&1 | grep -E 'ERROR|SUMMARY|stat::number_of'
"$results_reader" "${of_results[@]}" -max_total_time=$quarter -print_final_stats=1 "$new" "$results" 2>&1 |
  grep -E 'ERROR|SUMMARY|stat::number_of|^    #'
"$reader" "${options[@]}" -max_total_time=$((${1:-60} - quarter - 3 * eighth)) -print_final_stats=1 -verbosity=1 "$into" "$corpus" \
  "$source/tests/models" "$source/tests/models/broken" "$source/examples/tolerances" "$source/examples/tower_loads" 2>&1 |
  grep -vE '^#[0-9]+.*(NEW|REDUCE|RELOAD)'
