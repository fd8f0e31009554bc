# SPDX-License-Identifier: Apache-2.0
# Draws how the deflection converges, results/convergence.csv; run by run.sh in this folder.
set datafile separator comma
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key outside right Left reverse samplen 2.5 spacing 1.3
limit = 2.01217e-5 # of quadrilaterals, extrapolated from 8, 16 and 32 over the height

array cells[5] = ["triangle", "tetrahedron", "quadrilateral", "hexahedron", "tetrahedron_10"]
array name[5] = ["triangles", "tetrahedra", "quadrilaterals", "hexahedra", "tetrahedra of 10 nodes"]
set style line 1 lc rgb "#e69f00" lw 2.5 pt 9 ps 1.3
set style line 2 lc rgb "#d55e00" lw 2.5 pt 8 ps 1.6
set style line 3 lc rgb "#0072b2" lw 2.5 pt 5 ps 1.1
set style line 4 lc rgb "#56b4e9" lw 2.5 pt 4 ps 1.9
set style line 5 lc rgb "#009e73" lw 2.5 pt 7 ps 1.2
set style line 7 lc rgb "#888888" lw 1.5 dt 2
of(i) = sprintf("< grep '^%s,' results/convergence.csv", cells[i])

set logscale xy
set xrange [0.9:40]
set xtics (1, 2, 4, 8, 16, 32)
set format y "10^{%T}"
set xlabel "cells over the height"
set ylabel "deflection too small by, part of the limit"
set title "Bending of a cantilever 10 times as long as high, one force at its end"
do for [kind in "png svg"] {
  eval "set terminal ".(kind eq "png" ? "pngcairo size 1150,700 font 'DejaVu Sans,15'" : "svg size 1150,700 font 'DejaVu Sans,16' background 'white'")
  set output sprintf("figures/convergence.%s", kind)
  plot for [i=1:5] of(i) using 2:(1 - column(4)/limit) with linespoints ls i title name[i], \
    [x=3:30] 0.9/x**2 with lines ls 7 title "second order"
}
