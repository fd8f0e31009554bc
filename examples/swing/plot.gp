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
set style line 4 lc rgb "#009e73" lw 2 pt 12 ps 0.9 # decaying C
set style line 5 lc rgb "#d55e00" lw 2 pt 2 ps 0.9  # decaying A, 1000 steps
set style line 6 lc rgb "#999999" lw 1.2            # links
set style line 7 lc rgb "#999999" lw 1.5 dt 2       # helpers

alpha = "generalized-{/Symbol a}, {/Symbol r} = 0.5"
decaying_c = "decaying C, {/Symbol r} = 0.5"
beam(k) = k == 0 || k == 10 ? 3.5 : 1.6
shade(k) = k == 0 || k == 10 ? 0x000000 : 0x0072b2

do for [kind in "png svg"] {
  if (kind eq "png") { set terminal pngcairo size 1200,800 rounded font "DejaVu Sans,15" } else { set terminal svg size 1200,800 rounded font "DejaVu Sans,16" background "white" }

  # ---- Fig 18: the beam each 0.1 s ----
  set size ratio -1
  set xrange [-0.1:1.2]
  set yrange [-0.22:0.5]
  set xlabel "i_1 [m]"
  set ylabel "i_3 [m]"
  unset key
  set label 1 "O_1" at 0,0.39 center
  set label 2 "O_2" at 1.08,0.39 center
  set output sprintf("figures/shapes.%s", kind)
  set title "The swing each 0.1 s (decaying A, 2000 steps)"
  set label 3 "0 and 0.1 s" at 0.01,-0.03 left
  plot for [k=0:10] "results/shapes.csv" using (column(2*k+1)):(column(2*k+2)) every ::0::1 with lines ls 6, \
       for [k=0:10] "" using (column(2*k+1)):(column(2*k+2)) every ::33::34 with lines ls 6, \
       for [k=0:10] "results/shapes.csv" using (column(2*k+1)):(column(2*k+2)) every ::1::33 with lines lw beam(k) lc rgb shade(k), \
       for [k=0:10] "" using (column(2*k+1)):(column(2*k+2)) every ::17::17 with points pt 5 ps 1.3 lc rgb shade(k), \
       for [k=5:6] "" using (column(2*k+1)+0.012):(column(2*k+2)+0.016):(sprintf("%.1f s", k/10.)) every ::1::1 with labels left, \
       for [k=7:10] "" using (column(2*k+1)-0.012):(column(2*k+2)+0.018):(sprintf("%.1f s", k/10.)) every ::1::1 with labels right, \
       "" using 1:2 every 34::0 with points pt 7 ps 1.2 lc rgb "#000000"

  unset label
  set size noratio
  set xrange [0.25:1]
  set yrange [*:*]
  set xlabel "time [s]"

  # ---- Fig 24: energy lost in 1 ms ----
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
