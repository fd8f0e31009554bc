#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files of 10^5 entries are read and checked in seconds, and in less than 1 GB. Measured on one core at 2.5 GHz, dev:
# 0.2 s and 70 MB for one beam, 1.9 s and 460 MB for beams (4 elements of order 3 each, 7 MB of text), 0.4 to 3 s for the
# others. The limit is far above, for other machines, and far below what a quadratic search takes: 20 s to hours.
. "$(dirname "$0")/support.bash"
n=100000 limit=12 memory=1000000 # s, kB
if grep -q __asan_init "$limber"; then n=4000 memory=unlimited; fi
cd "$try" || exit 1

TIMEFORMAT="%U %S"
for kind in beam:0 beams:0 loads:0 formulae:0 units:0 let:0 merge:2 twice:2 unknown:2 short:2; do
  expected=${kind#*:} kind=${kind%:*}
  awk -v kind="$kind" -v n=$n -f "$source/tests/big_model.awk" </dev/null >"$kind.yaml"
  spent=$( { time (ulimit -v $memory; "$limber" check "$kind.yaml" >out.txt 2>&1; echo $? >code.txt); } 2>&1)
  echo "     measured: $kind ${spent/ / s user, } s system, $(du -k "$kind.yaml" | cut -f1) kB of text"
  verdict "a_big_file_of_${kind}_is_read_in_seconds" \
    "$(awk -v l=$limit '{print ($1 + $2 < l)}' <<<"$spent") exit $(cat code.txt)" "1 exit $expected"
done

finish
