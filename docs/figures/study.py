#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/figures/study_page.png and study_parallel.png: a study of the model below, its page, photographed. Needs Chromium and
FFmpeg.

    LIMBER=build/dev/bin/limber python3 docs/figures/study.py [study.h5]"""
import base64
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.join(here, "..", "..")
sys.path.insert(0, os.path.join(source, "tests"))
from browser import Page  # noqa: E402

limber = os.path.abspath(os.environ.get("LIMBER", os.path.join(source, "build/dev/bin/limber")))
MODEL = """# A crank and rocker whose bars have the tolerances of their making. The crank turns at a constant rate; nodes follow from the
# lengths, so that the loop is closed in every run that can be.
limber: 1
title: Crank and rocker with tolerances
let:
  crank: 100 mm
  coupler: 300 mm
  rocker: 250 mm
  base: 300 mm
  angle: 60 deg              # of the crank at the start
  rate: 60 rpm
  x: crank*cos(angle)
  y: crank*sin(angle)
  d: sqrt((base - x)^2 + y^2)  # from the end of the crank to the support of the rocker
  c: (coupler^2 - rocker^2 + d^2)/(2*d)
  h: sqrt(coupler^2 - c^2)
  u: (base - x)/d
  v: -y/d
  px: x + c*u - h*v
  py: y + c*v + h*u
nodes:
  crank: [x/2, y/2, 0]
  coupler: [(x + px)/2, (y + py)/2, 0]
  rocker: [(base + px)/2, py/2, 0]
elements:
  - rigid_body: {name: crank, node: crank, mass: 0.1, inertia: [1e-5, 1e-4, 1e-4]}
  - rigid_body: {name: coupler, node: coupler, mass: 0.3, inertia: [1e-5, 2e-3, 2e-3]}
  - rigid_body: {name: rocker, node: rocker, mass: 0.25, inertia: [1e-5, 1e-3, 1e-3]}
joints:
  - revolute: {name: motor, nodes: [ground, crank], axis: [0, 0, 1], at: [0, 0, 0]}
  - revolute: {name: pin, nodes: [crank, coupler], axis: [0, 0, 1], at: [x, y, 0]}
  - revolute: {name: knee, nodes: [coupler, rocker], axis: [0, 0, 1], at: [px, py, 0]}
  - revolute: {name: support, nodes: [ground, rocker], axis: [0, 0, 1], at: [base, 0, 0]}
loads:
  - drive: {name: drive, joint: motor, rate: {expression: rate}}
probes:
  - {name: knee, joint: knee, record: [force]}
  - {name: support, joint: support, record: [coordinate]}
run: {step: 20 ms, end: 1 s}
"""
PLAN = """limber: 1
title: Tolerances of a crank and rocker
study:
  model: four_bar.yaml
  vary:
    let.crank: {normal: [100 mm, 6 mm]}
    let.coupler: {normal: [300 mm, 12 mm]}
    let.rocker: {uniform: [235 mm, 265 mm]}
    let.base: {normal: [300 mm, 60 mm]}
    let.rate: {uniform: [40 rpm, 80 rpm]}
  design: latin
  runs: 1000
  seed: 7
  keep: {histories: worst 5, channel: knee.force.y}
  summary:
    - {channel: knee.force.x, exponents: [4, 10], factor: 1.35}
    - {channel: knee.force.y, exponents: [4], factor: 1.35}
    - {channel: support.angle}
"""
palette = "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none"


def photograph(page, raw, path, top, bottom):
    """What stands between two heads."""
    place = "(() => { const h = [...document.querySelectorAll('h1, h2')].find(h => h.textContent == '%s'); return h.getBoundingClientRect().top; })()"
    y, end = page.value(place % top) - 14, page.value(place % bottom) - 14
    clip = {"x": 0, "y": y, "width": 1060, "height": end - y, "scale": 1}
    with open(raw, "wb") as f:
        f.write(base64.b64decode(page.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]))
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", raw, "-vf", palette, os.path.join(here, path)], check=True)


with tempfile.TemporaryDirectory() as folder:
    for name, text in (("four_bar.yaml", MODEL), ("plan.yaml", PLAN)):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    if len(sys.argv) > 1:
        shutil.copy(sys.argv[1], os.path.join(folder, "plan.h5"))
    else:
        subprocess.run([limber, "study", "plan.yaml", "-q"], cwd=folder, check=True)
    subprocess.run([limber, "report", "plan.h5", "-o", "page.html"], cwd=folder, check=True)
    with Page(f"file://{folder}/page.html", 1060, 1400, wait="document.readyState == 'complete'") as p:
        photograph(p, os.path.join(folder, "raw.png"), "study_page.png", "Tolerances of a crank and rocker", "Damage-equivalent loads")
        photograph(p, os.path.join(folder, "raw.png"), "study_parallel.png", "Parallel coordinates", "Results over parameters")
        if p.errors:
            raise SystemExit(p.errors)
