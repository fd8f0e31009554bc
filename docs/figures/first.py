#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a page of `limber view` and photographs it, still and moving: first.py PAGE FOLDER; prints how long the page took to open."""
import os
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "tests"))
from browser import Page  # noqa: E402

page, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
palette = "split[a][b];[a]palettegen=max_colors=%d[p];[b][p]paletteuse=dither=none"
begin = time.time()
with tempfile.TemporaryDirectory() as raw, Page(f"file://{page}#t=0.32", 1080, 640) as p:
    p.value("limber.draw(); 1")
    took = time.time() - begin
    p.value("new Promise(r => setTimeout(r, 400))")
    p.picture(os.path.join(raw, "still.png"))
    for i in range(40):  # a period and a bit
        p.value(f"limber.setTime({0.06 * i:.2f}); limber.draw(); new Promise(r => requestAnimationFrame(r))")
        p.picture(os.path.join(raw, f"{i:03d}.png"))
    if p.errors:
        raise SystemExit(p.errors)
    ffmpeg = ["ffmpeg", "-y", "-loglevel", "error"]
    subprocess.run([*ffmpeg, "-i", f"{raw}/still.png", "-vf", palette % 256, f"{folder}/first_view.png"], check=True)
    subprocess.run([*ffmpeg, "-framerate", "16", "-i", f"{raw}/%03d.png", "-vf", "crop=756:552:0:0,scale=480:-1," + palette % 48,
                    f"{folder}/first_moves.gif"], check=True)
print(f"{took:.1f} s")
