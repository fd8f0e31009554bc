# SPDX-License-Identifier: Apache-2.0
# Figures 9 and 10 of R. L. Taylor (2000) from results/*.csv, and beside them the run of Limber in the folder `work`; run by figures.sh in this folder.
set datafile separator comma
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 2.5 spacing 1.25
set terminal pngcairo size 1200,700 font "DejaVu Sans,15"
set style line 1 lc rgb "#009e73" lw 2.5
set style line 2 lc rgb "#d55e00" lw 2
set style line 3 lc rgb "#0072b2" lw 2.5
set style line 4 lc rgb "#000000" pt 6 ps 0.9
set xlabel "time [s]"
set xrange [0:200]
limber = work."/limber.csv"

set output "figures/angular_momentum.png"
set title "Square block: angular momentum (figure 9 of Taylor 2000), steps of 0.5 s"
set ylabel "angular momentum [N m s]"
set yrange [0:28]
set key right bottom
plot "results/b.csv" skip 1 using 1:2 with lines ls 2 lw 5 title "(b) constraints at the middle", \
     "results/a.csv" skip 1 using 1:2 with lines ls 1 title "(a) energy-momentum", \
     "results/c.csv" skip 1 using 1:2 with lines ls 3 title "(c) constraints and G at the end", \
     limber skip 1 using 1:2 every 20 with points ls 4 title "Limber, preserving"

set output "figures/kinetic_energy.png"
set title "Square block: kinetic energy (figure 10 of Taylor 2000), steps of 0.5 s"
set ylabel "kinetic energy [J]"
set yrange [0:1.2]
plot "results/b.csv" skip 1 using 1:3 with lines ls 2 title "(b) constraints at the middle", \
     "results/a.csv" skip 1 using 1:3 with lines ls 1 title "(a) energy-momentum", \
     "results/c.csv" skip 1 using 1:3 with lines ls 3 title "(c) constraints and G at the end", \
     limber skip 1 using 1:3 every 20 with points ls 4 title "Limber, preserving"
