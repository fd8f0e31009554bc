#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/figures/view_*.png: examples are run, viewed and photographed. Needs Chromium and FFmpeg.

    LIMBER=build/dev/bin/limber python3 docs/figures/view.py [NAME ...]
    LIMBER=build/dev/bin/limber python3 docs/figures/view.py --report [NAME ...]   # report_NAME.png, of `limber report`"""
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.join(here, "..", "..")
sys.path.insert(0, os.path.join(source, "tests"))
from browser import Page  # noqa: E402

limber = os.environ.get("LIMBER", os.path.join(source, "build/dev/bin/limber"))
press = "[...document.querySelectorAll('button')].find(b => b.textContent == '%s').click();"
pictures = [  # name, model, changes, time, what is done to the page
    ("governor", "governor/governor.yaml", ["run.end=4 s"], 2.5, ""),
    ("swing", "swing/swing.yaml", [], 0.64, "limber.colour('speed');" + press % "Paths"),
    ("elbow", "elbow_revolute/elbow_revolute.yaml", ["run.end=6 s", "run.snapshots=0.1 s", "let.h=1 ms"], 3, "dark" + press % "Labels"),
    ("four_bar", "four_bar_misaligned/four_bar.yaml", ["run.step=10 ms"], 5.6, press % "Paths"),
    ("disk", "disk_with_beam/disk_with_beam.yaml", [], 12, press % "Paths"),
    ("pendulum", "../src/cli/templates/pendulum.yaml", [], 0.32, ""),
    ("blade", "../src/cli/templates/blade.yaml", [], 1.2, press % "Paths"),
    ("solid", "bending_block/tumble.yaml", ["run.snapshots=4 ms"], 0.16, "limber.colour('von Mises');" + press % "Energy"),
]
palette = "split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none"
names = [word for word in sys.argv[1:] if not word.startswith("--")]
kind = "report" if "--report" in sys.argv else "view"


def photograph(page, raw, time, script):
    if kind == "report":
        with Page(f"file://{page}", 1080, 1400, wait="document.readyState == 'complete'") as p:
            p.value("new Promise(r => setTimeout(r, 500))")
            p.picture(raw)
            return p.errors
    with Page(f"file://{page}#t={time}", 1080, 640) as p:
        p.dark(script.startswith("dark"))
        p.value(script.removeprefix("dark") + "1")
        p.value("new Promise(r => setTimeout(() => { limber.draw(); setTimeout(r, 400); }, 300))")
        p.picture(raw)
        return p.errors


with tempfile.TemporaryDirectory() as folder:
    for name, model, changes, time, script in pictures:
        if names and name not in names:
            continue
        run, page, raw = (os.path.join(folder, name + end) for end in (".h5", ".html", ".png"))
        sets = [word for change in changes for word in ("--set", change)]
        subprocess.run([limber, "run", os.path.join(source, "examples", model), "-q", "-o", run, *sets], check=True)
        subprocess.run([limber, kind, run, "-o", page], check=True)
        errors = photograph(page, raw, time, script)
        if errors:
            raise SystemExit(errors)
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", raw, "-vf", palette, os.path.join(here, f"{kind}_{name}.png")], check=True)
