#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kill.sh N [SEED]: N short runs of the elbow, each killed by SIGKILL at a random time, taken up again, killed once more,
# and taken up to its end. All files are written far more often than in real runs, so that many kills meet a write. Prints a
# line: how many kills met a run, how many of them before its first checkpoint (such a run starts again), and after how
# many of the N the results have the same bytes as those of a run that nobody killed.
# Run by 1 process; $LIMBER is the program.
set -uo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
limber=${LIMBER:-$source/build/release/bin/limber}
count=${1:-200}
RANDOM=${2:-1}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 # one order of sums
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
options=(--checkpoint 0.02s -q)
often=(-- -limber_flush 0.005)
model=("$source/examples/elbow_revolute/elbow_revolute.yaml" --set let.n=2 --set let.h=10ms --set run.end=3s --set run.snapshots=50ms)

begun=$(date +%s%N)
"$limber" run "${model[@]}" -o whole.h5 "${options[@]}" "${often[@]}" || exit 1
whole=$(($(date +%s%N) - begun)) # ns of a run

killed=0 early=0 same=0
kill_at_random() { # kill_at_random COMMAND ...: 0 if the command was killed
  local part=$((RANDOM % 1000))
  "$@" 2>/dev/null &
  local process=$!
  sleep "$(printf '%d.%09d' $((whole * part / 1000 / 1000000000)) $((whole * part / 1000 % 1000000000)))"
  kill -KILL $process 2>/dev/null
  wait $process 2>/dev/null
  [[ $? == 137 ]]
}

for ((i = 0; i < count; i++)); do
  rm -f run.*
  if kill_at_random "$limber" run "${model[@]}" -o run.h5 "${options[@]}" "${often[@]}"; then killed=$((killed + 1)); fi
  if [[ -e run.checkpoint ]] && kill_at_random "$limber" resume run.h5 "${options[@]}" "${often[@]}"; then
    killed=$((killed + 1))
  fi
  if [[ -e run.checkpoint ]]; then "$limber" resume run.h5 "${options[@]}" 2>err.txt # at its end already: no harm
  else
    early=$((early + 1))
    "$limber" run "${model[@]}" -o run.h5 "${options[@]}"
  fi
  if cmp -s whole.h5 run.h5 && cmp -s <(sed 's/whole\.h5/run.h5/' whole.xdmf) run.xdmf; then same=$((same + 1))
  else
    cat err.txt
    if [[ ${KEEP-} ]]; then cp -r "$work" "$KEEP.$i"; fi
  fi
done 2>/dev/null
echo "runs,kills,before_first_checkpoint,same_bytes"
echo "$count,$killed,$early,$same"
[[ $same == "$count" ]]
