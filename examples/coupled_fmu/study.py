#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pendulum as an FMU and as a model, coupled with the carriage: study.py [FOLDER], in which it works (default: coupled_fmu)."""
import os
import pathlib
import shutil
import sys

import limber
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "coupled_fmu")
    folder.mkdir(exist_ok=True)
    for path in HERE.glob("*.yaml"):
        shutil.copy(path, folder)
    os.chdir(folder)
    limber.Model("pendulum.yaml").write_fmu("pendulum.fmu", force=True)
    unit = limber.run_couple("system.yaml", allow_library=True)
    model = limber.run_couple("models.yaml")
    for what, a, b in (("x of the tip", "pendulum.tip_position_x.value", "pendulum.tip.position.x"), ("way of the carriage",) + 2 * ("carriage.rail.slide",)):
        x, y = np.array(unit[a]), np.array(model[b])
        print(f"{what}: largest {x.max():.5f} m and {y.max():.5f} m, {np.count_nonzero(x != y)} of {len(x)} rows differ")


if __name__ == "__main__":
    main()
