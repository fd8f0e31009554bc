# SPDX-License-Identifier: Apache-2.0
# Draws figures/*.png and *.svg from results/*.csv; run by run.sh in this folder.
set datafile separator comma
set datafile columnheaders
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 2.5 spacing 1.25

# one colour per variant, from a palette that colour-blind readers can tell apart
set style line 1 lc rgb "#e69f00" lw 2.5 pt 4 ps 1.1  # (i)
set style line 2 lc rgb "#d55e00" lw 2.5 pt 8 ps 1.1  # (ii)
set style line 3 lc rgb "#0072b2" lw 2.5 pt 6 ps 1.1  # (iii)
set style line 4 lc rgb "#56b4e9" lw 2.5 pt 7 ps 0.7  # kernel, point, literal jump
set style line 5 lc rgb "#009e73" lw 2.5 pt 12 ps 1.1 # kernel, preserving
set style line 6 lc rgb "#000000" lw 2.5 pt 2 ps 1.0  # kernel, rod
set style line 7 lc rgb "#888888" lw 1.5 dt 2         # expected
set style line 8 lc rgb "#cc79a7" lw 2.5 pt 10 ps 1.1 # kernel, point, slip

history(c, h) = sprintf("results/history_%s_%s.csv", c, h)
above(x) = abs(x) > 1e-17 ? abs(x) : 1e-17 # zero has no logarithm

do for [kind in "png svg"] {
  if (kind eq "png") { set terminal pngcairo size 1200,800 font "DejaVu Sans,15" } else { set terminal svg size 1200,800 font "DejaVu Sans,16" background "white" }

  # ---- constraint ----
  set output sprintf("figures/constraint.%s", kind)
  set title "Constraint violation: a pendulum let go from the horizontal"
  set xlabel "time [s]"
  set ylabel "|C| / R^2"
  set logscale y
  set format y "10^{%T}"
  set xrange [0:100]
  set yrange [3e-18:3]
  set key on at graph 0.97,0.59 right top maxrows 5 width -2
  plot history("swing", "0.02") using "t":(-column("ii_constraint")) with linespoints ls 2 pi 5 title "(ii), h = 0.02 s", \
       history("swing", "0.01") using "t":(-column("ii_constraint")) with linespoints ls 2 lc rgb "#e8875a" pi 5 title "(ii), h = 0.01 s", \
       history("swing", "0.005") using "t":(-column("ii_constraint")) with linespoints ls 2 lc rgb "#f3b89c" pi 5 title "(ii), h = 0.005 s", \
       2.67e-6 * x with lines ls 7 title "proportional to time", \
       history("swing", "0.01") using "t":(above(column("i_constraint"))) with points ls 1 title "(i), h = 0.01 s", \
       "" using "t":(above(column("iii_constraint"))) with points ls 3 title "(iii), h = 0.01 s", \
       "" using "t":(above(column("kernel_literal_constraint"))) with points ls 4 title "kernel, point, literal jump", \
       "" using "t":(above(column("kernel_slip_constraint"))) with points ls 8 title "kernel, point, slip", \
       "" using "t":(above(column("kernel_preserving_constraint"))) with points ls 5 title "kernel, preserving", \
       "" using "t":(above(column("kernel_rod_constraint"))) with points ls 6 title "kernel, rod"

  # ---- energy ----
  set output sprintf("figures/energy.%s", kind)
  set multiplot layout 1,2
  set title "Energy lost: from the horizontal, h = 0.01 s"
  set ylabel "1 - E/E_0"
  set yrange [1e-17:30]
  unset key
  set label 1 "(iii) = kernel, point, literal jump" at 50,4 center textcolor ls 3
  set label 2 "(i)" at 50,3e-3 center textcolor ls 1
  set label 3 "(ii)" at 103,7e-4 left textcolor ls 2
  set label 6 "kernel, point, slip" at 50,5e-5 center textcolor ls 8
  set label 4 "kernel, rod" at 50,4e-7 center textcolor ls 6
  set label 5 "kernel, preserving: round-off" at 50,2e-13 center textcolor ls 5
  plot history("swing", "0.01") using "t":(above(column("iii_energy"))) with lines ls 3, \
       "" using "t":(above(column("kernel_literal_energy"))) every 3 with points ls 4, \
       "" using "t":(above(column("i_energy"))) with lines ls 1, \
       "" using "t":(above(column("ii_energy"))) with lines ls 2, \
       "" using "t":(above(column("kernel_slip_energy"))) with lines ls 8, \
       "" using "t":(above(column("kernel_rod_energy"))) with lines ls 6, \
       "" using "t":(above(column("kernel_preserving_energy"))) with points ls 5
  unset logscale y
  set title "From 10 degrees off the top, h = 0.02 s"
  set ylabel "(E - E_0)/E_0, millionths"
  set format y "%g"
  set xrange [0:1.5]
  set yrange [-0.6:0.6]
  unset label
  set label 1 "rod pressed: {/Symbol l} < 0" at 0.70,0.53 right
  set label 2 "pulled" at 0.77,0.53 left
  set label 3 "(i)" at 0.57,0.18 center textcolor ls 1
  set label 4 "(ii)" at 0.45,-0.14 center textcolor ls 2
  set label 5 "(iii)" at 0.23,-0.34 left textcolor ls 3
  set label 6 "kernel, preserving" at 1.47,0.035 right textcolor ls 5
  set label 7 "kernel, rod" at 1.47,-0.15 right textcolor ls 6
  set label 8 "kernel,\npoint, slip" at 0.60,-0.48 right textcolor ls 8
  set arrow 1 from 0.731,-0.6 to 0.731,0.6 nohead ls 7 back
  plot "results/start_top.csv" using "t":(1e6 * column("i_energy")) with lines ls 1, \
       "" using "t":(1e6 * column("ii_energy")) with lines ls 2, \
       "" using "t":(1e6 * column("iii_energy")) with lines ls 3, \
       "" using "t":(1e6 * column("kernel_slip_energy")) with lines ls 8, \
       "" using "t":(1e6 * column("kernel_preserving_energy")) with lines ls 5, \
       "" using "t":(1e6 * column("kernel_rod_energy")) with lines ls 6 dt 3
  unset label
  unset arrow
  unset multiplot

  # ---- steady rotation ----
  set output sprintf("figures/rotation.%s", kind)
  set title "Energy lost in one turn of steady rotation"
  set xlabel "{/Symbol w} h [rad per step]"
  set ylabel "1 - E/E_0"
  set logscale xy
  set format y "10^{%T}"
  set format x "%g"
  set xrange [0.009:0.6]
  set yrange [4e-18:30]
  set key on at graph 0.02,0.80 left top maxrows auto width 0
  set label 1 "point, literal jump, C with {/Symbol r} = 0.5" at 0.012,2 left textcolor ls 1
  set label 2 "point, literal jump, A = variant (iii)" at 0.11,0.06 left textcolor ls 3
  set label 3 "rod, A" at 0.17,1.3e-6 left textcolor ls 6
  plot "results/rotation.csv" using "omega_h":"light_literal" with linespoints ls 1 notitle, \
       "" using "omega_h":"literal" with linespoints ls 3 notitle, \
       "" using "omega_h":"literal_expected" with lines ls 7 title "1 - 1/(1 + 2{/Symbol p w}h)", \
       "" using "omega_h":"rod" with linespoints ls 6 notitle, \
       "" using "omega_h":(6.6e-3 * column("omega_h")**4) with lines ls 7 dt 4 title "proportional to ({/Symbol w}h)^4", \
       "" using "omega_h":(above(column("rod_equilibrium"))) with points ls 2 title "rod, from discrete equilibrium", \
       "" using "omega_h":(above(column("slip"))) with points ls 8 title "point, slip, A", \
       "" using "omega_h":(above(column("light_slip"))) with points ls 8 pt 11 title "point, slip, C with {/Symbol r} = 0.5", \
       "" using "omega_h":(above(column("preserving"))) with points ls 5 title "point, preserving"
  unset logscale x
  unset label

  # ---- multipliers ----
  set output sprintf("figures/multiplier.%s", kind)
  unset logscale y
  set title "Multipliers: a pendulum let go from the horizontal, h = 0.02 s"
  set xlabel "time [s]"
  set ylabel "force in the rod [N]"
  set format y "%g"
  set xrange [0:1.2]
  set yrange [-40:160]
  set key inside top right width 0
  plot "results/start_swing.csv" using (column("t") - 0.02):"iii_first_multiplier" with linespoints ls 3 dt 3 pi 4 pt 9 title "(iii), {/Symbol l}_n^+ R: start of the step", \
       "" using "t":"iii_last_multiplier" with linespoints ls 3 dt 3 pi 4 pt 11 title "(iii), {/Symbol l}_{n+1}^- R: end of the step", \
       "" using (column("t") - 0.01):"iii_tension" with lines ls 3 title "(iii), mean = multiplier of the step, literal jump", \
       "" using (column("t") - 0.01):"i_tension" every 3 with points ls 1 title "(i)", \
       "" using (column("t") - 0.01):"kernel_preserving_tension" every 3::1 with points ls 5 title "kernel, preserving", \
       "" using (column("t") - 0.01):"kernel_slip_tension" every 3::2 with points ls 8 title "kernel, point, slip", \
       "" using (column("t") - 0.01):"exact_tension" with lines ls 7 lc rgb "#000000" title "exact"
}
