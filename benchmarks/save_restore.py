#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run saved and restored in memory: bytes, and microseconds of processor time, the best of 20, beside a step.

    PYTHONPATH=python LIMBER_LIBRARY=build/release/lib/liblimber.so save_restore.py [--csv FILE]
"""
import argparse
import csv
import pathlib
import sys
import tempfile
import time

import limber
import spheres

HERE = pathlib.Path(__file__).resolve().parent

PENDULUM = (HERE / "models" / "pendulum.yaml").read_text()


def write(folder, name, text):
    path = pathlib.Path(folder) / f"{name.replace(' ', '_')}.yaml"
    path.write_text(text)
    return path


def best(action, repeat=20):
    times = []
    for _ in range(repeat):
        begun = time.process_time()
        action()
        times.append(time.process_time() - begun)
    return 1e6 * min(times)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--csv")
    out = csv.writer(open(options.parse_args().csv, "w") if options.parse_args().csv else sys.stdout, lineterminator="\n")
    out.writerow(["case", "bytes", "save_us", "restore_us", "step_us"])
    cases = {"pendulum": (PENDULUM, {}), "10^4 beam elements": (PENDULUM, {"let.n": 10000}), "10^4 spheres": (spheres.model(10000, 100), {})}
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, changes) in cases.items():
            run = limber.Run(limber.Model(write(folder, name, text), changes))
            for _ in range(3):
                run.step()
            state = run.save()
            step = best(run.step, 5)
            times = best(run.save), best(lambda: run.restore(state)), step
            out.writerow([name, len(state), *(f"{x:.1f}" for x in times)])


if __name__ == "__main__":
    main()
