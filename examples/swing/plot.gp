# SPDX-License-Identifier: Apache-2.0
# Draws what sweeps over steps and meshes found, results/*.csv; run by run.sh in this folder.
set datafile separator comma
set datafile columnheaders
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 2.5 spacing 1.25

# one colour per scheme, from a palette that colour-blind readers can tell apart
set style line 1 lc rgb "#0072b2" lw 2 pt 6 ps 0.9  # generalized-alpha
set style line 2 lc rgb "#e69f00" lw 2 pt 4 ps 0.9  # preserving
set style line 3 lc rgb "#000000" lw 2 pt 7 ps 0.7  # decaying A
set style line 5 lc rgb "#d55e00" lw 2 pt 2 ps 0.9  # decaying A, 1000 steps

alpha = "generalized-{/Symbol a}, {/Symbol r} = 0.5"

do for [kind in "png svg"] {
  if (kind eq "png") { set terminal pngcairo size 1200,800 rounded font "DejaVu Sans,15" } else { set terminal svg size 1200,800 rounded font "DejaVu Sans,16" background "white" }

  # ---- Fig 24: energy lost in 1 ms ----
  set xlabel "time [s]"
  set xrange [0.25:1]
  set output sprintf("figures/increments.%s", kind)
  set title "Energy lost in a millisecond by decaying A"
  set ylabel "-{/Symbol D}E [J]"
  set logscale y
  set format y "10^{%T}"
  set yrange [1e-12:1e-2]
  set key on at graph 0.03,0.95 left top
  plot "results/increments.csv" using "t":(-column("decaying_1000")) with lines ls 5 title "1000 steps: E_n - E_{n-1}", \
       "" using "t":(-column("decaying_2000")) with lines ls 3 title "2000 steps: E_n - E_{n-2}"
  unset logscale y
  set format y "%g"
  set yrange [*:*]

  # ---- convergence of the peak ----
  set output sprintf("figures/convergence.%s", kind)
  set title "Peak of the axial force at event X"
  set xlabel "steps to 1 s"
  set ylabel "axial force [N]"
  set logscale x 2
  set xrange [900:36000]
  set xtics (1000, 2000, 4000, 8000, 16000, 32000)
  set yrange [97:124]
  set key on at graph 0.97,0.05 right bottom
  pick(s, e) = strcol("scheme") eq s && column("elements") == e ? column("peak") : NaN
  set datafile missing NaN
  f = "results/convergence.csv"
  plot f using "steps":(pick("preserving", 4)) with linespoints ls 2 title "preserving, 4 elements", \
       f using "steps":(pick("preserving", 8)) with linespoints ls 2 dt 2 title "8", \
       f using "steps":(pick("preserving", 16)) with linespoints ls 2 dt 3 title "16", \
       f using "steps":(pick("generalized_alpha", 4)) with linespoints ls 1 title alpha.", 4 elements", \
       f using "steps":(pick("generalized_alpha", 8)) with linespoints ls 1 dt 2 title "8", \
       f using "steps":(pick("generalized_alpha", 16)) with linespoints ls 1 dt 3 title "16", \
       f using "steps":(pick("decaying_a", 4)) with linespoints ls 3 title "decaying A, 4 elements", \
       f using "steps":(pick("decaying_a", 8)) with linespoints ls 3 dt 2 title "8", \
       f using "steps":(pick("decaying_a", 16)) with linespoints ls 3 dt 3 title "16"
  unset logscale x
  set xtics auto
  unset key
}
