# SPDX-License-Identifier: Apache-2.0
# Draws figures/*.png and *.svg from results/*.csv; run by run.sh in this folder.
set datafile separator comma
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 3 spacing 1.25

# colours that colour-blind readers can tell apart
set style line 1 lc rgb "#0072b2" lw 2.5 pt 6 ps 1.5
set style line 2 lc rgb "#e69f00" lw 2.5 pt 8 ps 1.5
set style line 3 lc rgb "#009e73" lw 2.5 pt 10 ps 1.5
set style line 4 lc rgb "#d55e00" lw 2.5 pt 2 ps 1.5
set style line 5 lc rgb "#000000" lw 2.5 pt 4 ps 1.5
set style line 6 lc rgb "#888888" lw 1.5 dt 2

steady(model, start) = sprintf("< awk -F, '$1 == \"%s\" && $2 == \"A\" && $3 == \"%s\"' results/steady.csv", model, start)
carried(scheme) = sprintf("< awk -F, '$1 == \"%s\" && $2 > 0' results/carried.csv", scheme)
above(x) = abs(x) > 1e-16 ? abs(x) : 1e-16 # zero has no logarithm

do for [kind in "png svg"] {
  if (kind eq "png") { set terminal pngcairo size 1200,800 font "DejaVu Sans,16" } else { set terminal svg size 1200,800 font "DejaVu Sans,16" background "white" }
  set logscale xy
  set format y "10^{%T}"

  set output sprintf("figures/steady.%s", kind)
  set title "Energy lost in the first turn, decaying A"
  set xlabel "{/Symbol w}h, angle of a step [rad]"
  set ylabel "relative loss"
  set xrange [0.008:0.25]
  set yrange [1e-16:1e-3]
  set xtics (0.01, 0.02, 0.05, 0.1, 0.2)
  set key top left maxrows 5
  plot steady("body", "steady") using 4:(above($5)) with linespoints ls 1 title "rigid body, frame at mass centre", \
       steady("links", "steady") using 4:(above($5)) with linespoints ls 2 title "two links", \
       steady("beam", "steady") using 4:(above($5)) with linespoints ls 3 title "flexible beam", \
       3.0 / 16 * (3.0 / 16 * x * x)**2 with lines ls 6 title "3/16 (3/16)^2 ({/Symbol w}h)^4", \
       steady("beam", "discrete") using 4:(above($5)) with points ls 4 title "beam, from discrete equilibrium", \
       steady("body", "discrete") using 4:(above($5)) with points ls 5 title "body, from discrete equilibrium", \
       1e-12 with lines ls 6 dt 3 title "10^{-12}"

  set output sprintf("figures/carried.%s", kind)
  set title "A free beam, two turns, {/Symbol w}h = 0.1, carried along with V: spin about its centre"
  set xlabel "V [m/s]"
  set ylabel "relative change of angular momentum"
  set xrange [0.08:130]
  set yrange [1e-15:10]
  set xtics auto
  set format x "%g"
  set key top left maxrows 5
  plot carried("decaying_a") using 2:(above($6)) with linespoints ls 4 title "A, velocities relative to the ground", \
       carried("decaying_c") using 2:(above($6)) with linespoints ls 2 title "C(0.5), velocities relative to the ground", \
       carried("decaying_a") using 2:(above($5)) with linespoints ls 1 title "A, relative to the mass centre: as Limber does", \
       carried("decaying_c") using 2:(above($5)) with points ls 3 title "C(0.5), relative to the mass centre", \
       carried("preserving") using 2:(above($5)) with linespoints ls 5 title "preserving"

  set output sprintf("figures/free.%s", kind)
  set title "A free, tumbling and bending beam: 10^4 preserving steps"
  set xlabel "step"
  set ylabel "largest relative change so far"
  unset logscale x
  set xrange [0:10000]
  set yrange [1e-16:1e-10]
  set key top left maxrows 5
  plot "results/free.csv" using 1:2 every ::1 with lines ls 1 title "energy", \
       "" using 1:3 every ::1 with lines ls 2 title "momentum", \
       "" using 1:4 every ::1 with lines ls 3 title "angular momentum", \
       1e-12 with lines ls 6 dt 3 title "10^{-12}"
  unset logscale
}
