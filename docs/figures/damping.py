#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of docs/damping.md: damping.py LIMBER FOLDER runs damping.yaml with three kinds of damping and draws them by gnuplot."""
import math
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
limber, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
F = (4.18, 26.2)  # Hz, of the first two modes
Z = 0.01
KINDS = {"ratio at two frequencies": "{ratio: 1 %, at: [4.18 Hz, 26.2 Hz]}", "ratio at 4.18 Hz": "{ratio: 1 %, at: 4.18 Hz}",
         "mass": f"{{mass: {2 * Z * 2 * math.pi * F[0]:.4g} 1/s}}"}
HEAD = """set terminal pngcairo size 900,%d font 'Sans,11' noenhanced
set output '%s'
set grid lc rgb '#dddddd'
set key %s
set style line 1 lw 2.5 lc rgb '#1f6fb4'
set style line 2 lw 2.5 lc rgb '#d1495b'
set style line 3 lw 2.5 lc rgb '#3a7d44'
"""


def gnuplot(text, cwd):
    subprocess.run(["gnuplot"], input=text, text=True, check=True, cwd=cwd)


w1, w2 = (2 * math.pi * f for f in F)
ratio = [f"100*({Z}/({w1}+{w2}))*({w1}*{w2}/(2*pi*x)+2*pi*x)", f"100*{Z}*x/{F[0]}", f"100*{Z}*{F[0]}/x"]
curves = ", ".join(f"{r} ls {i + 1} title '{k}'" for i, (k, r) in enumerate(zip(KINDS, ratio)))
gnuplot(HEAD % (460, f"{folder}/damping_ratio.png", "outside above horizontal") + f"""set logscale x
set xrange [0.5:200]
set yrange [0:5]
set xlabel 'frequency / Hz'
set ylabel 'damping ratio / %'
set arrow from {F[0]}, 0 to {F[0]}, 5 nohead dt 2 lc rgb '#888888'
set arrow from {F[1]}, 0 to {F[1]}, 5 nohead dt 2 lc rgb '#888888'
set label 'first mode' at {F[0] * 1.05}, 4.75
set label 'second mode' at {F[1] * 1.05}, 4.75
plot {curves}
""", here)

with tempfile.TemporaryDirectory() as work:
    for i, damping in enumerate(KINDS.values()):
        subprocess.run([limber, "run", os.path.join(here, "damping.yaml"), "-q", "-o", f"{i}.h5",
                        "--set", f"elements.strip.damping={damping}"], check=True, cwd=work)
        subprocess.run([limber, "export", f"{i}.h5", "tip.velocity.z", "-o", f"{i}.csv"], check=True, cwd=work, stdout=subprocess.DEVNULL)
    panels = "".join(f"""set title '{k}' offset 0,-0.6
{"set xlabel 'time / s' offset 0,0.6" if i == 2 else ""}
plot '{i}.csv' using 1:2 every ::1 with lines ls {i + 1} lw 1.6 notitle
""" for i, k in enumerate(KINDS))
    gnuplot(HEAD % (600, f"{folder}/damping_decay.png", "off") + f"""set datafile separator ','
set multiplot layout 3,1
set ylabel 'tip / (m/s)'
set yrange [-1.2:1.2]
set ytics 0.5
{panels}""", work)
