#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/figures/notebook.png: a run of the notebook docs/notebooks/space.ipynb, as a notebook shows it. Needs Chromium and FFmpeg.

    PYTHONPATH=build/dev/python python3 docs/figures/notebook.py"""
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
tests = os.path.join(here, "..", "..", "tests")
sys.path.insert(0, tests)
from browser import Page  # noqa: E402

palette = "split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none"

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, os.path.join(tests, "notebook.py"), os.path.join(here, "../notebooks/space.ipynb")], cwd=folder, check=True)
    with Page(f"file://{folder}/space.html", 1020, 980, "document.readyState == 'complete'") as page:
        page.value("document.querySelector('iframe').previousElementSibling.previousElementSibling.scrollIntoView(), 1")
        page.value("document.querySelector('details').open = true")
        page.value("new Promise(r => setTimeout(r, 20000))")  # without a graphics card
        page.picture(f"{folder}/raw.png")
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", f"{folder}/raw.png", "-vf", palette, os.path.join(here, "notebook.png")], check=True)
