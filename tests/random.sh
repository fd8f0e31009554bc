#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sixty random mechanisms of the whole catalogue, over all proved schemes and steps from 1e-4 to 1 s, chosen to be quick; tests/random/run.py
# runs as many as one likes.
modules=h5py,numpy
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
export PYTHONDONTWRITEBYTECODE=1

"$python" "$source/tests/random/run.py" --limber "$limber" --seeds "$source/tests/random/seeds.txt" --jobs "$(nproc)" --cpu 4 --slow 0 \
  --csv rows.csv >out.txt 2>&1
code=$?
[[ $code == 0 ]] || cat out.txt
verdict sixty_random_mechanisms_keep_what_is_proved "$code" 0
verdict none_of_them_is_left_out "$(($(wc -l <rows.csv) - 1))" 60

# With exact momentum, loads and reactions alone change momentum, in mechanisms that hold most kinds.
exact=910000,910015,910035,910051,910067,910087,910111,910126,910141,910161,910176,910191,910216,910237,910252,910275,910291,910311,910326,910341
"$python" "$source/tests/random/run.py" --limber "$limber" --momentum exact --seeds "$exact" --jobs "$(nproc)" --cpu 8 --slow 0 >out.txt 2>&1
code=$?
[[ $code == 0 ]] || cat out.txt
verdict twenty_random_mechanisms_keep_their_momentum_balance "$code" 0

# Derivatives of runs: forward, adjoint and by differences of runs. A few others are refused by the adjoint method.
"$python" "$source/tests/random/gradients.py" --limber "$limber" --seeds 1,4,14,41,46,53,58,64,93,112,123,159,161,190 --jobs "$(nproc)" >out.txt 2>&1
code=$?
[[ $code == 0 ]] || cat out.txt
verdict fourteen_random_mechanisms_have_the_same_gradients_in_three_ways "$code" 0
verdict all_of_them_by_the_adjoint_method "$(grep -c '^ *14 adjoint good$' out.txt)" 1

# Every kind of element, joint and load is made by some seed.
"$limber" describe >parts.txt
"$python" "$source/tests/random/covers.py" parts.txt 400 >missing.txt
verdict the_generator_makes_every_kind_of_the_catalogue "$(cat missing.txt)" ""
finish
