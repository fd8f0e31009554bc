#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A controller designed from the linear model must hold the pole of the nonlinear one upright; control.py says so.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
PYTHONPATH=${LIMBER_BUILD:-$root/build/dev}/python /usr/bin/python3 "$root/examples/linear_model/control.py"
