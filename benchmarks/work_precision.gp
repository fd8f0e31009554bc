# SPDX-License-Identifier: Apache-2.0
# Draws work_precision.png from results/work_precision.csv; run by work_precision.sh in this folder.
set datafile separator comma
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set style line 1 lc rgb "#888888" lw 2.5 pt 2 ps 1.2 # generalized_alpha
set style line 2 lc rgb "#d55e00" lw 3   pt 5 ps 1.2 # decaying
set style line 3 lc rgb "#000000" lw 2.5 pt 6 ps 1.2 # preserving
set style line 4 lc rgb "#e69f00" lw 2.5 pt 8 ps 1.2 # decaying_a
set style line 5 lc rgb "#009e73" lw 2.5 pt 4 ps 1.2 # decaying_b
set style line 6 lc rgb "#0072b2" lw 2.5 pt 7 ps 1.2 # decaying_c
set terminal pngcairo size 1500,1200 font "DejaVu Sans,15"
set output "work_precision.png"
set logscale xy
set format y "10^{%L}"
set xlabel "CPU time of all steps [s]"
set ylabel "greatest error of a place / length of the beam"
set yrange [1e-6:1]
set key top right Left reverse samplen 3
schemes = "generalized_alpha decaying preserving decaying_a decaying_b decaying_c"
label(s) = s eq "generalized_alpha" ? "generalized-alpha, 0.5" : s eq "decaying" ? "decaying, 0.5" : s eq "decaying_a" ? "decaying A" : \
  s eq "decaying_b" ? "decaying B, 1/12" : s eq "decaying_c" ? "decaying C, 0.5" : s
only(problem, scheme) = sprintf("< grep '^%s,%s%s' results/work_precision.csv", problem, scheme, scheme eq "" ? "" : ",")
draw(problem) = sprintf("plot for [i = 1:6] only('%s', word(schemes, i)) using 5:7 with linespoints ls i title label(word(schemes, i)), \
  only('%s', '') using 5:8 smooth unique with lines lc rgb '#aaaaaa' dt 2 title 'error of the reference'", problem, problem)
set multiplot layout 2,2
set title "Hinged beam, tip, 0.25 s"
eval draw("hinged_beam")
unset key
set title "Flying beam in space, end A, 15 s"
eval draw("flying_beam")
set title "Swing up to 0.6 s, middle of its left half"
eval draw("swing_before")
set title "Swing up to 1 s, with the event at 0.64 s"
eval draw("swing")
unset multiplot
